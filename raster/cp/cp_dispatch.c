/* SPDX-License-Identifier: MIT */
/* Compute dispatches. */
#include "core/group.h"
#include "isa/abi.h"
#include "isa/pm4.h"
#include "isa/regs.h"
#include "raster/cp/cp.h"
#include "raster/cp/cp_group.h"
#include "raster/cp/cp_pass.h"
#include "raster/cp/gpu.h"

static bool dispatch(struct rs_gpu *gpu, const uint32_t count[3])
{
	if (!rs_pass_flush(gpu))
		return false;
	for (int i = 0; i < 3; i++)
		gpu->sh[R_COMPUTE_USER_DATA + ABI_CS_S_GROUPS + i] = count[i];
	if (!count[0] || !count[1] || !count[2])
		return true;
	struct rs_groups d = { .gpu = gpu, .what = isa_hw_stages[ISA_HW_CS].wave };
	if (!rs_cp_group(gpu, ISA_HW_CS, R_COMPUTE_NUM_THREAD_X, &d.group))
		return false;
	gpu->program = d.group.use.program;
	for (int i = 0; i < 3; i++) {
		d.start[i] = gpu->sh[R_COMPUTE_START_X + i];
		d.count[i] = count[i];
	}
	if (!rs_cp_count_groups(gpu, count, &d.groups))
		return false;
	if (gpu->stats)
		gpu->stat[PM4_STAT_CS_INVOCATIONS] += d.groups * cu_group_lanes(&d.group);
	return rs_cp_run_groups(&d);
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
