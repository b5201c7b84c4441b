/* SPDX-License-Identifier: MIT */
/* Where all strips of a region come together: see jit_cut.c. */
#ifndef CORE_JIT_JIT_CUT_H
#define CORE_JIT_JIT_CUT_H

struct jit_region;

struct cu_rec;

/* About how many cycles an instruction takes, and x86 instructions it becomes. */
struct jit_cost { unsigned cycles, instructions; };
struct jit_cost jit_cost_of(const struct cu_rec *r);

/* Finds the cuts of the region at hand: g->cuts. */
void jit_cuts(struct jit_region *g);

#endif
