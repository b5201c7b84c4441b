/* SPDX-License-Identifier: MIT */
/* Workgroups: described by registers, run over the pool in ranges. */
#include "raster/cp/cp_group.h"

#include "isa/regs.h"
#include "raster/cp/cp_program.h"
#include "raster/cp/gpu.h"
#include "raster/pool.h"
#include "raster/program_cache.h"

static void fail(struct rs_groups *d, const struct cu_error *error)
{
	int none = 0;
	if (atomic_compare_exchange_strong(&d->failed, &none, 1))
		d->error = *error;
}

static void run_range(void *data, uint32_t index, unsigned thread)
{
	struct rs_groups *d = data;
	struct cu_group group = d->group;
	uint64_t begin = index * d->range, end = begin + d->range;
	struct cu_error error = { "" };
	struct cu_group_ctx *ctx = d->gpu->group[thread];
	if (end > d->groups)
		end = d->groups;
	begin += d->first;
	end += d->first;
	cu_group_place(&group, d->start, d->count, begin);
	for (uint64_t i = begin; i < end; i++, cu_group_step(&group, d->start, d->count)) {
		if (atomic_load_explicit(&d->failed, memory_order_relaxed) ||
			__atomic_load_n(d->gpu->bounds.abort, __ATOMIC_RELAXED))
			return;
		if (d->before)
			d->before(d->data, &group, i, thread);
		if ((i == begin ? cu_group_run : cu_group_run_next)(ctx, &group, &error) &&
			(!d->after || d->after(d->data, i, thread, &error)))
			continue;
		fail(d, &error);
		return;
	}
}

bool rs_cp_group(struct rs_gpu *gpu, enum isa_hw_stage hw, unsigned num_thread, struct cu_group *g)
{
	uint32_t rsrc2 = gpu->sh[isa_hw_stages[hw].rsrc2];
	g->tgid_en[0] = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, TGID_X_EN);
	g->tgid_en[1] = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, TGID_Y_EN);
	g->tgid_en[2] = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, TGID_Z_EN);
	for (unsigned i = 0; i < 3; i++)
		g->size[i] = gpu->sh[num_thread + i] & 0xffff;
	g->tidig_comp_cnt = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, TIDIG_COMP_CNT);
	g->lds_bytes = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, LDS_SIZE) * 512;
	g->bounds = gpu->bounds;
	uint64_t lanes = cu_group_lanes(g);
	if (!lanes || lanes > 2048 || g->lds_bytes > CU_LDS_BYTES)
		return rs_gpu_fail(gpu, "workgroup of %ux%ux%u with %u bytes of LDS",
			g->size[0], g->size[1], g->size[2], g->lds_bytes);
	if (!rs_cp_use(gpu, hw, &g->use))
		return false;
	return g->use.program || rs_gpu_fail(gpu, "no %s program is bound", isa_hw_stages[hw].name);
}

bool rs_cp_count_groups(struct rs_gpu *gpu, const uint32_t count[3], uint64_t *groups)
{
	unsigned __int128 n = (unsigned __int128)count[0] * count[1] * count[2];
	if (n >> 48)
		return rs_gpu_fail(gpu, "%u x %u x %u workgroups are too many", count[0], count[1], count[2]);
	*groups = (uint64_t)n;
	return true;
}

bool rs_cp_run_groups(struct rs_groups *d)
{
	d->range = d->groups / (d->gpu->threads * 16) + 1;
	rs_pool_run(d->gpu->pool, (uint32_t)((d->groups + d->range - 1) / d->range), run_range, d);
	bool failed = atomic_load(&d->failed);
	if (!failed && !rs_gpu_aborted(d->gpu))
		return true;
	if (failed)
		return rs_gpu_fail_wave(d->gpu, d->what, d->group.use.program, &d->error);
	char name[RS_PROGRAM_NAME];
	rs_programs_name(d->gpu->programs, d->group.use.program, name);
	return rs_gpu_fail(d->gpu, "aborted in %u x %u x %u workgroups of program %s", d->count[0], d->count[1],
		d->count[2], name);
}
