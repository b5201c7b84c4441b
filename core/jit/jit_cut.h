/* SPDX-License-Identifier: MIT */
/* Where all strips of a region come together: see jit_cut.c. */
#ifndef CORE_JIT_JIT_CUT_H
#define CORE_JIT_JIT_CUT_H

struct jit_region;

/* Finds the cuts of the region at hand: g->cuts. */
void jit_cuts(struct jit_region *g);

#endif
