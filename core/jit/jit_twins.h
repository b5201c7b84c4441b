/* SPDX-License-Identifier: MIT */
/* Two strips at a time. */
#ifndef CORE_JIT_JIT_TWINS_H
#define CORE_JIT_JIT_TWINS_H

#include <stdbool.h>

struct jit_region;

/* Whether strips of the region are done in twos; full: where EXEC is. */
bool jit_twins(struct jit_region *g, bool full);
bool jit_twins_fit(const struct jit_region *g); /* each of its instructions is one for two strips */
unsigned jit_twin_registers(const struct jit_region *g); /* vector registers for each of two */
/* Around what is done for each strip, when g->twins; else they do nothing. */
void jit_twins_begin(struct jit_region *g);
void jit_twins_end(struct jit_region *g);
/* AVX2: flags, zero where the strips at hand have no lanes, of an EXEC that is not known to be full. */
void jit_twins_test_exec(struct jit_region *g);

#endif
