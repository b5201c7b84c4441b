/* SPDX-License-Identifier: MIT */
/* The SPIR-V front end: one entry point of a module to IR. */
#ifndef COMPILER_SPV_SPV_H
#define COMPILER_SPV_SPV_H

#include "compiler/ir/ir.h"

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

/* "word 9: OpIAdd %12 in function main (%4)": the instruction at this word. */
void spv_where(const struct compiler_input *in, uint32_t word, char *text, size_t size);

/* What the failed budget says: COMPILER_NO_MEMORY if the system has no memory,
 * COMPILER_UNSUPPORTED if the shader needs more memory or work than there is for
 * it; the message tells where that was and which of them. */
enum compiler_status spv_budget_message(const struct compiler_input *in, const struct ir_budget *budget,
	char *message, size_t size);

#endif
