/* The SPIR-V front end: one entry point of a module to IR. */
#ifndef COMPILER_SPV_H
#define COMPILER_SPV_H

#include "ir.h"

/* Translates in->entry of stage in->stage (SPIR-V 1.0 to 1.6, capabilities of
 * Vulkan 1.1 as the driver reports them) into a function with variables and a
 * structured tree; calls are inlined, everything is scalar, IR_TEX_PROJ and
 * subpass inputs are resolved.  Specialisation constants are those of
 * in->spec.  Any words are safe input.
 *
 * The message (terminated; empty on success) has the word offset, the
 * instruction and the rule that it breaks.  *out is of the pool. */
enum compiler_status spv_to_ir(const struct compiler_input *in, struct ir_pool *pool,
	struct ir_func **out, char *message, size_t size);

#endif
