/* SPDX-License-Identifier: MIT */
/* Branches within regions, see jit_flow.c. */
#ifndef CORE_JIT_JIT_FLOW_H
#define CORE_JIT_JIT_FLOW_H

#include <stdbool.h>
#include <stdint.h>

struct translator;

/* t->s_live: SGPRs that are read from an instruction on; NULL where nobody asks. */
bool j_sgprs_live(struct translator *t);

/* While a region grows; count: of t->ifs.  An instruction that was added, in
 * whatever bodies it is; false when they forbid it. */
bool j_flow_inst(struct translator *t, unsigned count, uint32_t i);
/* A branch by EXECZ; false for others. */
bool j_flow_branch(struct translator *t, unsigned *count, uint32_t i);

/* The branch's code, and the end of all bodies that end before i. */
void j_flow_skip(struct translator *t, unsigned k);
void j_flow_join(struct translator *t, unsigned count, uint32_t i);
/* Around all strips: instructions are counted as the wave would. */
void j_flow_begin(struct translator *t, unsigned count);
void j_flow_count(struct translator *t, unsigned count);

#endif
