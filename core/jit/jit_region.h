/* SPDX-License-Identifier: MIT */
/* Regions: straight runs of vector instructions, done strip by strip; see jit_region.c. */
#ifndef CORE_JIT_JIT_REGION_H
#define CORE_JIT_JIT_REGION_H

#include <stdbool.h>
#include <stdint.h>
#include "core/jit/jit_sets.h"

struct cu_rec;
struct translator;

uint32_t j_region(struct translator *t, uint32_t i); /* the instruction behind it, or i: none */

enum { REGION_BITS = 512 }; /* instructions of a region with memory */
struct region {
	uint32_t first, end;
	struct sset sliced;      /* lane masks written by strips */
	struct sset read;        /* by strips, as a whole or a slice */
	struct sset whole;       /* by strips, as a whole */
	struct sset written;     /* by strips, as a whole */
	struct sset saved;       /* read before written, by strips */
	struct sset before;      /* read before the strips, for buffers */
	uint32_t vectors;
	int scc_pair;            /* SCC says at the end whether this pair is not 0; -1 */
	bool exec_written, exports, params, m0_written;
	unsigned effects;        /* of gcn_effects: memory and LDS, as strips come to it */
	bool memory;             /* through slots */
	unsigned if_count;       /* of the translator's ifs */
	struct sset loose;       /* see struct translator */
	bool loop;               /* `end` - 1 is the branch back to `first`, done by each strip */
};

/* Scalar handlers without any effect beside their operands. */
bool j_is_pure(const struct cu_rec *r);
/* Keeps the SGPRs that each strip changes, or puts them back. */
void g_save(struct translator *t, const struct region *g, bool restore);
/* All strips; full: EXEC is all ones. */
void g_strips(struct translator *t, const struct region *g, bool full);

#endif
