/* SPDX-License-Identifier: MIT */
/* Workgroups that packets start: of compute, of tasks. */
#ifndef RASTER_CP_CP_GROUP_H
#define RASTER_CP_CP_GROUP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "core/group.h"
#include "isa/stages.h"

struct rs_gpu;

/* Groups of one program, run by all threads. */
struct rs_groups {
	struct rs_gpu *gpu;
	const char *what;            /* in messages, of a wave */
	struct cu_group group;
	uint32_t start[3], count[3];
	uint64_t first, groups;      /* those of `count` that are run: from `first` on */
	/* Around each, by the thread that runs it, if not NULL: sets what group i starts with; takes
	 * what it left, false with the error filled in if that is wrong. */
	void (*before)(void *data, struct cu_group *g, uint64_t i, unsigned thread);
	bool (*after)(void *data, uint64_t i, unsigned thread, struct cu_error *error);
	void *data;
	uint64_t range;              /* by rs_cp_run_groups, as what follows */
	_Atomic int failed;
	struct cu_error error;
};

/* The group that the registers of a hardware stage describe; num_thread: that of its size in x.
 * False: gpu has failed, there is no program or the registers are bad. */
bool rs_cp_group(struct rs_gpu *gpu, enum isa_hw_stage hw, unsigned num_thread, struct cu_group *g);
/* Their product; false: gpu has failed, they are too many. */
bool rs_cp_count_groups(struct rs_gpu *gpu, const uint32_t count[3], uint64_t *groups);
/* Runs them, in ranges over the pool.  False: gpu has failed, with the message. */
bool rs_cp_run_groups(struct rs_groups *d);

#endif
