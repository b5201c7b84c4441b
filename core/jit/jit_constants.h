/* SPDX-License-Identifier: MIT */
/* What vector instructions read that is one value in all waves: constants in their records, and SGPRs that s_mov has
 * set, on every way to the instruction, to the same one.  VOP3 of gfx9 takes no literals, so the compiler puts most
 * numbers into SGPRs; as constants they are operands in memory. */
#ifndef CORE_JIT_JIT_CONSTANTS_H
#define CORE_JIT_JIT_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

struct jit_translator;

/* After jit_analyse; false without memory. */
bool jit_constants(struct jit_translator *t);
/* Source n of instruction i, if it is one; bits: its dwords, the second only where the source has two. */
bool jit_constant_source(const struct jit_translator *t, uint32_t i, int n, uint64_t *bits);

#endif
