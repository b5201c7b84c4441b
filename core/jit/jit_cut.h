/* SPDX-License-Identifier: MIT */
/* Where all strips of a region come together: see jit_cut.c. */
#ifndef CORE_JIT_JIT_CUT_H
#define CORE_JIT_JIT_CUT_H

#include <stdint.h>

struct jit_region;

enum { JIT_CUTS = 32 };
/* Instructions, in ascending order, before which the strips of the region at hand do best to stop; how many. */
unsigned jit_cuts(struct jit_region *g, uint32_t at[JIT_CUTS]);

#endif
