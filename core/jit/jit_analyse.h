/* SPDX-License-Identifier: MIT */
/* Blocks, liveness, what each instruction reads and writes. */
#ifndef CORE_JIT_JIT_ANALYSE_H
#define CORE_JIT_JIT_ANALYSE_H

#include <stdbool.h>
#include <stdint.h>
#include "core/jit/jit_sets.h"

struct jit_translator;

bool jit_analyse(struct jit_translator *t);
/* Scalar registers read and written, lane masks (of strips) apart. */
struct jit_s_use { struct sset read, write, mask_read, mask_write; };
void jit_scalar_use(const struct jit_translator *t, uint32_t i, struct jit_s_use *u);

#endif
