/* SPDX-License-Identifier: MIT */
/* Workgroups of a compute program. */
#ifndef CORE_GROUP_H
#define CORE_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include "core/cu.h"
#include "core/launch.h"

/* Runs groups one after another; keeps waves, LDS and scratch between them.  One per
 * thread. */
struct cu_group_ctx;
struct cu_group_ctx *cu_group_ctx_create(void);
void cu_group_ctx_destroy(struct cu_group_ctx *ctx);

struct cu_group {
	struct cu_program_use use;   /* at most 16 user SGPRs */
	struct cu_bounds bounds;
	bool tgid_en[3];
	uint32_t tgid[3];            /* workgroup number */
	uint32_t size[3];            /* invocations */
	uint32_t tidig_comp_cnt;
	uint32_t lds_bytes;          /* zero at start, or poison */
};
static inline uint64_t cu_group_lanes(const struct cu_group *g)
{
	return (uint64_t)g->size[0] * g->size[1] * g->size[2];
}
/* The number of group i of `count` in each dimension, x fastest, the first at `start`. */
static inline void cu_group_place(struct cu_group *g, const uint32_t start[3], const uint32_t count[3], uint64_t i)
{
	g->tgid[0] = start[0] + (uint32_t)(i % count[0]);
	g->tgid[1] = start[1] + (uint32_t)(i / count[0] % count[1]);
	g->tgid[2] = start[2] + (uint32_t)(i / count[0] / count[1]);
}
/* That of the group behind it. */
static inline void cu_group_step(struct cu_group *g, const uint32_t start[3], const uint32_t count[3])
{
	for (unsigned c = 0; c < 3; c++) {
		if (++g->tgid[c] - start[c] < count[c])
			return;
		g->tgid[c] = start[c];
	}
}
/* Makes the group's waves, runs them over barriers until all end.  False with *err on a
 * fault or no memory. */
bool cu_group_run(struct cu_group_ctx *ctx, const struct cu_group *g, struct cu_error *err);
/* The same for a group that differs in its number and in what user SGPRs hold from the one that ctx has just run. */
bool cu_group_run_next(struct cu_group_ctx *ctx, const struct cu_group *g, struct cu_error *err);

#endif
