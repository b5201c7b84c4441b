/* SPDX-License-Identifier: MIT */
/* Branches within regions, see jit_flow.c. */
#ifndef CORE_JIT_JIT_FLOW_H
#define CORE_JIT_JIT_FLOW_H

#include <stdbool.h>
#include <stdint.h>

struct jit_translator;
struct jit_region;
struct sset;

/* g->t->s_live: SGPRs that are read from an instruction on; NULL where nobody asks. */
bool jit_sgprs_live(struct jit_translator *t);

/* While a region grows; count: of g->ifs.  An instruction that was added, in
 * whatever bodies it is; false when they forbid it. */
bool jit_flow_inst(struct jit_region *g, unsigned count, uint32_t i);
/* A branch by EXECZ; false for others. */
bool jit_flow_branch(struct jit_region *g, unsigned *count, uint32_t i);

/* Whether all of the region does nothing to a strip that has no lanes, but what g->e.skipped then says. */
bool jit_flow_skips(struct jit_region *g);

/* SGPRs that turns of a loop change when a strip makes them that has no lanes from the branch at `exit` on; false: it may get some. */
bool jit_flow_without_lanes(const struct jit_region *g, uint32_t exit, struct sset *changed);

/* The branch's code, and the end of all bodies that end before i. */
void jit_flow_skip(struct jit_region *g, unsigned k);
void jit_flow_join(struct jit_region *g, unsigned count, uint32_t i);
/* SGPRs that instruction i may read, generously. */
struct sset jit_flow_reads(const struct jit_translator *t, uint32_t i);
/* Around all strips: instructions are counted as the wave would. */
void jit_flow_begin(struct jit_region *g, unsigned count);
void jit_flow_count(struct jit_region *g, unsigned count);

#endif
