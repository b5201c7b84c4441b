/* SPDX-License-Identifier: MIT */
/* Blocks, liveness, what each instruction reads and writes. */
#ifndef CORE_JIT_JIT_ANALYSE_H
#define CORE_JIT_JIT_ANALYSE_H

#include <stdbool.h>
#include <stdint.h>
#include "core/jit/jit_sets.h"

struct translator;

bool j_analyse(struct translator *t);
/* Scalar registers read and written, lane masks (of strips) apart. */
struct s_use { struct sset read, write, mask_read, mask_write; };
void j_scalar_use(const struct translator *t, uint32_t i, struct s_use *u);

#endif
