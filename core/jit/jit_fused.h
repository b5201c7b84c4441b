/* SPDX-License-Identifier: MIT */
/* Operations that take several instructions, see jit_fused.c. */
#ifndef CORE_JIT_JIT_FUSED_H
#define CORE_JIT_JIT_FUSED_H

#include "core/jit/jit_region.h"

/* Makes the code of instructions from i on if they come to one operation; how many, or 0: none was made. */
uint32_t jit_fused(struct jit_region *g, uint32_t i);
/* Whether the program may have such with lane masks, which have to be known as unread. */
bool jit_fused_masks(const struct jit_translator *t);

#endif
