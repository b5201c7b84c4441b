/* SPDX-License-Identifier: MIT */
/* Loops that each strip goes round by itself. */
#ifndef CORE_JIT_JIT_LOOP_H
#define CORE_JIT_JIT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct jit_region;
struct vlive;
struct vset;

/* The region from `first` on is a block that branches to itself, or several of which all but the last may be left: g->e.  False:
 * it is none, or none for strips. */
bool jit_loop(struct jit_region *g, uint32_t first);

uint32_t jit_loop_target(const struct jit_region *g, uint32_t i); /* of the branch at i */

/* Its code: turns of the strips at hand; a branch out of them. */
void jit_loop_turns(struct jit_region *g);
void jit_loop_exit(struct jit_region *g, uint32_t i);
/* Where strips part: before all; when the strips at hand have left; when all have, and go where the wave goes. */
void jit_loop_before(struct jit_region *g);
void jit_loop_left(struct jit_region *g);
void jit_loop_go(struct jit_region *g);

/* While next uses are found: behind the branch at i, instruction `at` of the region, VGPRs of `of` (NULL: all) that live are read. */
void jit_loop_leaves(struct jit_region *g, uint32_t i, uint16_t at, struct vset *of);
/* VGPRs that live behind any branch of g. */
struct vlive *jit_loop_behind(struct jit_region *g);

#endif
