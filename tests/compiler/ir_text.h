/* SPDX-License-Identifier: MIT */
/* Test support: reads a function from text in the form that ir_print writes, so that a dump
 * is an input (of compute shaders without images and copies of variables).  The first line
 * is "cs shared BYTES scratch BYTES", if either is not zero.  An instruction is a line: [%NAME:iBITS =] [xCOMPONENTS] OPERATION details
 * sources; sources are %NAME[.component], numbers (5, -1, 0x10, of 32 bits, or 5:i64), true
 * and false.  Details: buffer(set,binding) as in back_exec.h, atomic N, align N, slot N,
 * comp N, mode N, mask N, varN[slot].  Lines with # are comments; lines "block .." say nothing. */
#ifndef TESTS_IR_TEXT_H
#define TESTS_IR_TEXT_H

#include "compiler/ir/ir.h"

/* NULL with a message that names the line. */
struct ir_func *ir_text_read(struct ir_pool *pool, FILE *in, const struct compiler_binding *bindings,
	size_t binding_count, char *message, size_t size);

#endif
