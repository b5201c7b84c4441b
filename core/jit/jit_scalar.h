/* SPDX-License-Identifier: MIT */
/* Scalar instructions: on the SGPRs in the wave (jit_scalar*.c), or on a slice of a
 * lane mask (jit_slice.c). */
#ifndef CORE_JIT_JIT_SCALAR_H
#define CORE_JIT_JIT_SCALAR_H

#include <stdbool.h>
#include <stdint.h>
#include "core/jit/jit_emit.h"

struct jit_translator;
struct jit_region;

bool jit_scalar_known(const struct jit_translator *t, uint32_t i);
bool jit_is_load(const struct jit_translator *t, uint32_t i);
void jit_scalar(struct jit_translator *t, uint32_t i);
/* 64-bit logic that may be done a slice at a time. */
bool jit_slice_known(const struct jit_translator *t, uint32_t i);
bool jit_slice_logic(const struct jit_translator *t, uint32_t i); /* it combines masks to one that is not EXEC */
bool jit_slice_chosen(const struct jit_translator *t, uint32_t i); /* SCC chooses between all lanes and none: with AVX2 it may be a slice as well */
void jit_slice(struct jit_region *g, uint32_t i);
void jit_branch(struct jit_translator *t, uint32_t i);
void jit_branch_taken(struct jit_translator *t, uint32_t i); /* what it does when its condition holds */
struct xo jit_sgpr(unsigned n, unsigned bytes);
struct xo jit_slice_of(const struct jit_translator *t, unsigned pair);

#endif
