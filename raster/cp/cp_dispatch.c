/* SPDX-License-Identifier: MIT */
/* Compute dispatches: workgroups run over the pool in ranges. */
#include <stdatomic.h>
#include <string.h>
#include "core/group.h"
#include "isa/abi.h"
#include "isa/pm4.h"
#include "isa/regs.h"
#include "raster/cp/cp.h"
#include "raster/cp/cp_pass.h"
#include "raster/cp/cp_program.h"
#include "raster/cp/gpu.h"
#include "raster/pool.h"
#include "raster/program_cache.h"

struct dispatch {
	struct rs_gpu *gpu;
	struct cu_group group;
	uint32_t start[3], count[3];
	uint64_t groups, range;
	_Atomic int failed;
	struct cu_error error;
};

static void run_range(void *data, uint32_t index, unsigned thread)
{
	struct dispatch *d = data;
	struct cu_group group = d->group;
	uint64_t first = index * d->range, end = first + d->range;
	if (end > d->groups)
		end = d->groups;
	for (uint64_t i = first; i < end; i++) {
		if (atomic_load_explicit(&d->failed, memory_order_relaxed) ||
			__atomic_load_n(d->gpu->bounds.abort, __ATOMIC_RELAXED))
			return;
		group.tgid[0] = d->start[0] + (uint32_t)(i % d->count[0]);
		group.tgid[1] = d->start[1] + (uint32_t)(i / d->count[0] % d->count[1]);
		group.tgid[2] = d->start[2] + (uint32_t)(i / d->count[0] / d->count[1]);
		struct cu_error error = { "" };
		if (cu_group_run(d->gpu->group[thread], &group, &error))
			continue;
		int none = 0;
		if (atomic_compare_exchange_strong(&d->failed, &none, 1))
			d->error = error;
		return;
	}
}

static void describe_group(struct rs_gpu *gpu, struct cu_group *g)
{
	const uint32_t *sh = gpu->sh;
	uint32_t rsrc2 = sh[R_COMPUTE_PGM_RSRC2];
	g->tgid_en[0] = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, TGID_X_EN);
	g->tgid_en[1] = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, TGID_Y_EN);
	g->tgid_en[2] = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, TGID_Z_EN);
	for (int i = 0; i < 3; i++)
		g->size[i] = sh[R_COMPUTE_NUM_THREAD_X + i] & 0xffff;
	g->tidig_comp_cnt = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, TIDIG_COMP_CNT);
	g->lds_bytes = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, LDS_SIZE) * 512;
	g->bounds = gpu->bounds;
}

/* False, with the message, when a wave faulted or the gpu was aborted. */
static bool check(struct dispatch *d, const uint32_t count[3])
{
	bool failed = atomic_load(&d->failed);
	if (!failed && !rs_gpu_aborted(d->gpu))
		return true;
	if (failed)
		return rs_gpu_fail_wave(d->gpu, "compute wave", d->group.use.program, &d->error);
	char name[RS_PROGRAM_NAME];
	rs_programs_name(d->gpu->programs, d->group.use.program, name);
	return rs_gpu_fail(d->gpu, "aborted in %u x %u x %u workgroups of program %s", count[0], count[1], count[2], name);
}

static bool dispatch(struct rs_gpu *gpu, const uint32_t count[3])
{
	if (!rs_pass_flush(gpu))
		return false;
	for (int i = 0; i < 3; i++)
		gpu->sh[R_COMPUTE_USER_DATA + ABI_CS_S_GROUPS + i] = count[i];
	if (!count[0] || !count[1] || !count[2])
		return true;
	struct dispatch d = { .gpu = gpu };
	describe_group(gpu, &d.group);
	uint64_t threads = (uint64_t)d.group.size[0] * d.group.size[1] * d.group.size[2];
	if (!threads || threads > 2048 || d.group.lds_bytes > CU_LDS_BYTES)
		return rs_gpu_fail(gpu, "workgroup of %ux%ux%u with %u bytes of LDS",
			d.group.size[0], d.group.size[1], d.group.size[2], d.group.lds_bytes);
	if (!rs_cp_use(gpu, ISA_HW_CS, &d.group.use))
		return false;
	if (!d.group.use.program)
		return rs_gpu_fail(gpu, "no compute program is bound");
	gpu->program = d.group.use.program;
	for (int i = 0; i < 3; i++) {
		d.start[i] = gpu->sh[R_COMPUTE_START_X + i];
		d.count[i] = count[i];
	}
	unsigned __int128 groups = (unsigned __int128)count[0] * count[1] * count[2];
	if (groups >> 48)
		return rs_gpu_fail(gpu, "%u x %u x %u workgroups are too many", count[0], count[1], count[2]);
	d.groups = (uint64_t)groups;
	d.range = d.groups / (gpu->threads * 16) + 1;
	if (gpu->stats)
		gpu->stat[PM4_STAT_CS_INVOCATIONS] += d.groups * threads;
	rs_pool_run(gpu->pool, (uint32_t)((d.groups + d.range - 1) / d.range), run_range, &d);
	return check(&d, count);
}

bool rs_cp_DISPATCH_DIRECT(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_dispatch_direct *k = (const void *)p;
	const uint32_t count[3] = { k->groups_x, k->groups_y, k->groups_z };
	return dispatch(gpu, count);
}

bool rs_cp_DISPATCH_INDIRECT(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_dispatch_indirect *k = (const void *)p;
	const uint32_t *src = NULL;
	if (!rs_cp_address(gpu, &k->address_lo, 4, &src) || !rs_pass_flush(gpu))
		return false;
	uint32_t count[3] = { src[0], src[1], src[2] };
	return dispatch(gpu, count);
}
