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
/* Makes the group's waves, runs them over barriers until all end.  False with *err on a
 * fault or no memory. */
bool cu_group_run(struct cu_group_ctx *ctx, const struct cu_group *g, struct cu_error *err);

#endif
