/* SPDX-License-Identifier: MIT */
/* Draws of meshes.  The task program runs for some task groups at a time, as a dispatch does;
 * what they ask for is then a draw whose jobs are mesh groups, whichever task they are of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/memory.h"
#include "isa/abi.h"
#include "isa/pm4.h"
#include "isa/regs.h"
#include "raster/arena.h"
#include "raster/cp/build.h"
#include "raster/cp/cp.h"
#include "raster/cp/cp_draw.h"
#include "raster/cp/cp_group.h"
#include "raster/cp/cp_pass.h"
#include "raster/cp/gpu.h"
#include "raster/draw.h"
#include "raster/front/front.h"
#include "raster/front/mesh.h"
#include "raster/front/vdraw.h"
#include "raster/front/vgt.h"

enum {
	MAX_MESH_GROUPS = 1 << 22,   /* that a task group or a draw may ask for: maxMeshWorkGroupTotalCount */
	TASKS_AT_ONCE = 256,         /* MAX_MESH_GROUPS of each are less than 2^32 */
	PAYLOADS_AT_ONCE = 1 << 20,  /* bytes */
};

/* --- memory of the threads --- */

static struct rs_mesh *mesh_create(struct rs_gpu *gpu, unsigned thread)
{
	struct rs_mesh *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->memory = aligned_alloc(64, (RS_MESH_MEMORY_BYTES + 63) & ~63u);
	if (!t->memory || (gpu->shared->memory && !cu_memory_add(gpu->shared->memory, t->memory, RS_MESH_MEMORY_BYTES))) {
		free(t->memory);
		free(t);
		return NULL;
	}
	t->ctx = gpu->group[thread];
	t->block = t->memory;
	t->payload = t->memory + ((RS_MESH_BLOCK_BYTES + 63) & ~63u) + ABI_TASK_HEAD_BYTES;
	return t;
}

void rs_cp_mesh_destroy(struct rs_gpu *gpu, struct rs_mesh *t)
{
	if (!t)
		return;
	if (gpu->shared->memory)
		cu_memory_remove(gpu->shared->memory, t->memory);
	free(t->memory);
	free(t);
}

static bool reserve(struct rs_gpu *gpu)
{
	for (unsigned i = 0; i < gpu->threads; i++)
		if (!gpu->front[i].mesh && !(gpu->front[i].mesh = mesh_create(gpu, i)))
			return rs_gpu_fail(gpu, "no memory for meshes");
	return true;
}

/* --- registers --- */

static bool describe_output(struct rs_gpu *gpu, struct rs_mesh_draw *m)
{
	uint32_t out = gpu->sh[R_QW_MESH_OUTPUT], cntl = gpu->sh[R_QW_MESH_CNTL];
	uint32_t vs_out = gpu->context.reg[R_PA_CL_VS_OUT_CNTL];
	m->vertices = REG_GET(out, QW_MESH_OUTPUT, VERTICES);
	m->prims = REG_GET(out, QW_MESH_OUTPUT, PRIMITIVES);
	m->params = REG_GET(out, QW_MESH_OUTPUT, PARAMS);
	m->prim_params = REG_GET(out, QW_MESH_OUTPUT, PRIM_PARAMS);
	m->prim_layer = REG_GET(cntl, QW_MESH_CNTL, PRIM_LAYER);
	m->prim_viewport = REG_GET(cntl, QW_MESH_CNTL, PRIM_VIEWPORT);
	m->prim_cull = REG_GET(cntl, QW_MESH_CNTL, PRIM_CULL);
	m->view_layer = REG_GET(cntl, QW_MESH_CNTL, VIEW_LAYER);
	m->position_rows = 4 * (1 + REG_GET(vs_out, PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA) +
		REG_GET(vs_out, PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST0_VEC_ENA) +
		REG_GET(vs_out, PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST1_VEC_ENA));
	if (!m->vertices || m->vertices > ABI_MESH_MAX_VERTICES || m->vertices % 4 || !m->prims ||
		m->prims > ABI_MESH_MAX_PRIMITIVES)
		return rs_gpu_fail(gpu, "an output block of %u vertices, a multiple of 4, and %u primitives: at most %u and %u",
			m->vertices, m->prims, ABI_MESH_MAX_VERTICES, ABI_MESH_MAX_PRIMITIVES);
	return m->params + m->prim_params <= RS_MAX_ATTRS ||
		rs_gpu_fail(gpu, "an output block of %u params", m->params + m->prim_params);
}

/* The mesh program's record for the draw at hand; NULL: gpu has failed. */
static struct rs_mesh_draw *describe_mesh(struct rs_gpu *gpu)
{
	struct rs_mesh_draw *m = rs_arena_zalloc(&gpu->build.arena, sizeof *m);
	if (!m)
		rs_gpu_fail(gpu, "no memory for a draw");
	if (!m || !describe_output(gpu, m) || !rs_cp_group(gpu, ISA_HW_MS, R_QW_NUM_THREAD_X_MS, &m->group))
		return NULL;
	if (m->group.use.user_count == ABI_MS_USER_SGPRS)
		return m;
	rs_gpu_fail(gpu, "a mesh program of %u user SGPRs", m->group.use.user_count);
	return NULL;
}

/* --- draws --- */

/* Opens the pass and makes the draw's records. */
static struct rs_vdraw *begin(struct rs_gpu *gpu, struct rs_mesh_draw **mesh)
{
	uint32_t type = REG_GET(gpu->sh[R_QW_MESH_CNTL], QW_MESH_CNTL, PRIM_TYPE);
	if (type != DI_PT_POINTLIST && type != DI_PT_LINELIST && type != DI_PT_TRILIST) {
		rs_gpu_fail(gpu, "meshes of primitive type %u", type);
		return NULL;
	}
	struct rs_vdraw *v = rs_cp_begin_draw(gpu);
	if (!v || !rs_cp_describe_pixels(gpu, v, rs_vgt_corners(type)) || !(*mesh = describe_mesh(gpu)))
		return NULL;
	v->mesh = *mesh;
	v->topology = type;
	v->corners = rs_vgt_corners(type);
	v->instances = 1;
	v->job_prims = (*mesh)->prims < RS_JOB_PRIMS / 2 ? RS_JOB_PRIMS / (*mesh)->prims : 1;
	gpu->program = v->draw->ps.program ? v->draw->ps.program : (*mesh)->group.use.program;
	return v;
}

static bool draw_groups(struct rs_gpu *gpu, const uint32_t count[3], uint64_t groups)
{
	struct rs_mesh_draw *m;
	struct rs_vdraw *v = begin(gpu, &m);
	if (!v)
		return false;
	struct rs_task *all = rs_arena_zalloc(&gpu->build.arena, sizeof *all);
	if (!all)
		return rs_gpu_fail(gpu, "no memory for a draw");
	memcpy(all->groups, count, sizeof all->groups);
	m->task = all;
	m->tasks = 1;
	v->prims = (uint32_t)groups;
	return rs_pass_add_draw(gpu, v);
}

/* --- tasks --- */

struct tasks {
	struct rs_gpu *gpu;
	uint32_t payload_bytes;
	uint64_t first;              /* number of task[0]'s group */
	struct rs_task *task;
	uint8_t *payload;            /* one after another */
};

static uint8_t *task_block(const struct tasks *t, unsigned thread)
{
	return t->gpu->front[thread].mesh->payload - ABI_TASK_HEAD_BYTES;
}

static void before_task(void *data, struct cu_group *g, uint64_t i, unsigned thread)
{
	const struct tasks *t = data;
	uint8_t *block = task_block(t, thread);
	uint64_t address = (uintptr_t)block;
	memset(block, 0, ABI_TASK_HEAD_BYTES);
	cu_fresh_fill(block + ABI_TASK_HEAD_BYTES, t->payload_bytes, g->bounds.poison);
	memcpy(g->use.user + ABI_MS_S_BLOCK, &address, sizeof address);
	t->gpu->front[thread].mesh->payload_of = NULL;
}

static bool after_task(void *data, uint64_t i, unsigned thread, struct cu_error *error)
{
	struct tasks *t = data;
	struct rs_task *task = &t->task[i - t->first];
	const uint8_t *block = task_block(t, thread);
	memcpy(task->groups, block, sizeof task->groups);
	unsigned __int128 n = (unsigned __int128)task->groups[0] * task->groups[1] * task->groups[2];
	if (n > MAX_MESH_GROUPS) {
		snprintf(error->text, sizeof error->text,
			"a task group asks for %u x %u x %u mesh groups: maxMeshWorkGroupTotalCount is %u", task->groups[0],
			task->groups[1], task->groups[2], MAX_MESH_GROUPS);
		return false;
	}
	uint8_t *payload = t->payload + (i - t->first) * t->payload_bytes;
	task->payload = payload;
	memcpy(payload, block + ABI_TASK_HEAD_BYTES, t->payload_bytes);
	return true;
}

/* Leaves those with groups and numbers these; how many there are. */
static uint32_t number_groups(struct rs_mesh_draw *m, struct rs_task *task, uint32_t tasks)
{
	uint32_t n = 0;
	m->task = task;
	for (uint32_t i = 0; i < tasks; i++) {
		uint32_t groups = task[i].groups[0] * task[i].groups[1] * task[i].groups[2];
		if (!groups)
			continue;
		task[m->tasks] = task[i];
		task[m->tasks++].first = n;
		n += groups;
	}
	return n;
}

/* Runs tasks [d->first, d->first + d->groups) and draws what they ask for. */
static bool draw_tasks(struct rs_gpu *gpu, struct rs_groups *d)
{
	struct rs_mesh_draw *m;
	struct rs_vdraw *v = begin(gpu, &m);
	if (!v)
		return false;
	struct tasks t = { .gpu = gpu, .first = d->first, .payload_bytes = gpu->sh[R_QW_TASK_PAYLOAD] };
	t.task = rs_arena_zalloc(&gpu->build.arena, d->groups * sizeof *t.task);
	t.payload = rs_arena_alloc(&gpu->build.arena, d->groups * t.payload_bytes + 1);
	if (!t.task || !t.payload)
		return rs_gpu_fail(gpu, "no memory for payloads");
	d->before = before_task;
	d->after = after_task;
	d->data = &t;
	if (!rs_cp_run_groups(d))
		return false;
	if (v->draw->stats)
		rs_count(v->draw->stats, PM4_STAT_TS_INVOCATIONS, d->groups * cu_group_lanes(&d->group));
	m->payload_bytes = t.payload_bytes;
	v->prims = number_groups(m, t.task, (uint32_t)d->groups);
	return rs_pass_add_draw(gpu, v);
}

static bool draw_all_tasks(struct rs_gpu *gpu, const uint32_t count[3], uint64_t groups)
{
	struct rs_groups d = { .gpu = gpu, .what = isa_hw_stages[ISA_HW_TS].wave };
	uint32_t payload = gpu->sh[R_QW_TASK_PAYLOAD];
	if (payload > ABI_TASK_MAX_PAYLOAD)
		return rs_gpu_fail(gpu, "a payload of %u bytes: maxTaskPayloadSize is %u", payload, ABI_TASK_MAX_PAYLOAD);
	if (!rs_cp_group(gpu, ISA_HW_TS, R_QW_NUM_THREAD_X_TS, &d.group))
		return false;
	if (d.group.use.user_count != ABI_MS_USER_SGPRS)
		return rs_gpu_fail(gpu, "a task program of %u user SGPRs", d.group.use.user_count);
	memcpy(d.count, count, sizeof d.count);
	uint64_t some = payload > PAYLOADS_AT_ONCE / TASKS_AT_ONCE ? PAYLOADS_AT_ONCE / payload : TASKS_AT_ONCE;
	for (; d.first < groups; d.first += d.groups) {
		d.groups = groups - d.first < some ? groups - d.first : some;
		if (!draw_tasks(gpu, &d))
			return false;
	}
	return true;
}

static bool draw(struct rs_gpu *gpu, const uint32_t count[3], uint32_t number)
{
	uint64_t groups;
	bool tasks = gpu->sh[R_QW_PGM_LO_TS] || gpu->sh[R_QW_PGM_HI_TS];
	uint32_t *user[2] = { gpu->sh + R_QW_USER_DATA_TS, gpu->sh + R_QW_USER_DATA_MS };
	for (unsigned i = 0; i < 2; i++) {
		memcpy(user[i] + ABI_MS_S_GROUPS, count, 3 * sizeof count[0]);
		user[i][ABI_MS_S_DRAW_INDEX] = number;
	}
	if (!rs_cp_count_groups(gpu, count, &groups))
		return false;
	if (groups > MAX_MESH_GROUPS)
		return rs_gpu_fail(gpu, "%u x %u x %u groups: maxMeshWorkGroupTotalCount and maxTaskWorkGroupTotalCount are %u",
			count[0], count[1], count[2], MAX_MESH_GROUPS);
	if (!groups)
		return true;
	if (!reserve(gpu))
		return false;
	return tasks ? draw_all_tasks(gpu, count, groups) : draw_groups(gpu, count, groups);
}

bool rs_cp_QW_DRAW_MESH(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	return draw(gpu, p, 0);
}

bool rs_cp_QW_DRAW_MESH_INDIRECT_MULTI(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_draw_mesh_indirect_multi *k = (const void *)p;
	struct rs_records r = { .count = k->count, .stride = k->stride };
	if (!rs_cp_read_records(gpu, &k->address_lo, &k->count_address_lo, 12, &r))
		return false;
	for (uint32_t i = 0; i < r.count; i++) {
		uint32_t count[3];
		memcpy(count, r.record + (size_t)i * r.stride, sizeof count);
		if (!draw(gpu, count, i))
			return false;
	}
	return true;
}
