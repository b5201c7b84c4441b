/* SPDX-License-Identifier: MIT */
/* The pipeline from IR on, for the compiler's tests. */
#ifndef COMPILER_COMPILE_H
#define COMPILER_COMPILE_H

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"

/* Registers that allocation may use: fewer than there are makes it spill. */
struct compile_limits { unsigned sgprs, vgprs; };

/* Everything after the front end, on a function just built.  The pool stays
 * the caller's; what was in it is gone. */
enum compiler_status compile_ir(const struct compiler_input *in, struct ir_func *f, const struct compile_limits *limits,
	struct compiler_shader *out, char *message, size_t message_size);

#endif
