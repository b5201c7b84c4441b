/* SPDX-License-Identifier: MIT */
/* Scalar instructions: on the SGPRs in the wave (jit_scalar*.c), or on a slice of a
 * lane mask (jit_slice.c). */
#ifndef CORE_JIT_JIT_SCALAR_H
#define CORE_JIT_JIT_SCALAR_H

#include <stdbool.h>
#include <stdint.h>
#include "core/jit/jit_emit.h"

struct translator;

bool j_scalar_known(const struct translator *t, uint32_t i);
bool j_is_load(const struct translator *t, uint32_t i);
void j_scalar(struct translator *t, uint32_t i);
/* 64-bit logic that may be done a slice at a time. */
bool j_slice_known(const struct translator *t, uint32_t i);
void j_slice(struct translator *t, uint32_t i);
void j_branch(struct translator *t, uint32_t i);
struct xo j_sgpr(unsigned n, unsigned bytes);
struct xo j_slice_of(const struct translator *t, unsigned pair);

#endif
