/* SPDX-License-Identifier: MIT */
/* Mesh groups to batches.  A batch has values of vertices only, so what a primitive has of its
 * own becomes that of its provoking vertex, and no other primitive shares that vertex. */
#include "raster/front/mesh.h"

#include <string.h>
#include "isa/pm4.h"
#include "isa/stages.h"
#include "raster/arena.h"
#include "raster/draw.h"
#include "raster/front/front.h"
#include "raster/front/params.h"
#include "raster/front/pa_state.h"
#include "raster/front/vdraw.h"
#include "raster/pass.h"

enum { NO_SLOT = 0xffff };

/* --- the output block --- */

static const uint32_t *vertex_row(const struct rs_front *f, unsigned row)
{
	return (const uint32_t *)(f->mesh->block + ABI_MESH_HEAD_BYTES) + (size_t)row * f->draw->mesh->vertices;
}

static const uint32_t *param_row(const struct rs_front *f, unsigned param)
{
	return vertex_row(f, f->draw->mesh->position_rows + 4 * param);
}

/* Rows 0-2 are indices, 3-6 the misc vector. */
enum { ROW_CULL = 4, ROW_LAYER, ROW_VIEWPORT };

static const uint32_t *prim_row(const struct rs_front *f, unsigned row)
{
	const struct rs_mesh_draw *m = f->draw->mesh;
	return vertex_row(f, m->position_rows + 4 * m->params) + (size_t)row * m->prims;
}

static size_t block_bytes(const struct rs_mesh_draw *m)
{
	return ABI_MESH_HEAD_BYTES + 4 * ((size_t)m->vertices * (m->position_rows + 4 * m->params) +
		(size_t)m->prims * (ABI_MESH_PRIM_ROWS + 4 * m->prim_params));
}

/* --- a group --- */

static bool fail(struct rs_front *f, const struct cu_error *error)
{
	rs_pass_fail(f->pass, isa_hw_stages[ISA_HW_MS].wave, f->draw->mesh->group.use.program, error);
	return false;
}

/* The task whose group this is. */
static const struct rs_task *find_task(const struct rs_mesh_draw *m, uint32_t group)
{
	return &m->task[rs_find_run(&m->task->first, sizeof *m->task / 4, m->tasks, group)];
}

static void set_address(struct cu_group *g, unsigned sgpr, const void *p)
{
	g->use.user[sgpr] = (uint32_t)(uintptr_t)p;
	g->use.user[sgpr + 1] = (uint32_t)((uintptr_t)p >> 32);
}

/* Runs group f->next of the draw. */
static bool run_group(struct rs_front *f)
{
	const struct rs_mesh_draw *m = f->draw->mesh;
	struct rs_mesh *t = f->mesh;
	struct cu_group g = m->group;
	const struct rs_task *task = find_task(m, (uint32_t)f->next);
	static const uint32_t start[3];
	struct cu_error error = { "" };
	cu_group_place(&g, start, task->groups, f->next - task->first);
	memcpy(g.use.user + ABI_MS_S_GROUPS, task->groups, sizeof task->groups);
	set_address(&g, ABI_MS_S_BLOCK, t->block);
	set_address(&g, ABI_MS_S_PAYLOAD, m->payload_bytes ? t->payload : NULL);
	if (m->payload_bytes && t->payload_of != task->payload)
		memcpy(t->payload, task->payload, m->payload_bytes);
	t->payload_of = task->payload;
	cu_fresh_fill(t->block, block_bytes(m), g.bounds.poison);
	memset(t->block, 0, ABI_MESH_HEAD_BYTES);
	if (!cu_group_run(t->ctx, &g, &error))
		return fail(f, &error);
	uint32_t head[2];
	memcpy(head, t->block, sizeof head);
	t->count = head[0] < m->vertices ? head[0] : m->vertices;
	t->end = t->count ? head[1] < m->prims ? head[1] : m->prims : 0;
	t->at = 0;
	struct rs_counter *stats = f->draw->draw->stats;
	if (stats) {
		rs_count(stats, PM4_STAT_MS_INVOCATIONS, cu_group_lanes(&g));
		rs_count(stats, PM4_STAT_MS_PRIMITIVES, t->end);
	}
	return true;
}

/* --- primitives --- */

/* The vertices of primitive p, as they are numbered; false: it is culled, or one does not exist. */
static bool read_prim(const struct rs_front *f, unsigned p, unsigned corners, uint32_t v[3])
{
	if (f->draw->mesh->prim_cull && prim_row(f, ROW_CULL)[p])
		return false;
	for (unsigned i = 0; i < corners; i++) {
		v[i] = prim_row(f, i)[p];
		if (v[i] >= f->mesh->count)
			return false;
	}
	return true;
}

/* Provoking vertex first, but of lines, which keep their direction; which of them that is. */
static unsigned order_prim(const struct rs_front *f, unsigned corners, uint32_t v[3])
{
	if (!f->pa->provoking_last)
		return 0;
	if (corners == 3) {
		uint32_t last = v[2];
		v[2] = v[1];
		v[1] = v[0];
		v[0] = last;
	}
	return corners == 2;
}

/* All primitives, slots are the vertices' numbers. */
static void take_shared(struct rs_front *f, struct rs_batch *b)
{
	struct rs_mesh *t = f->mesh;
	for (; t->at < t->end; t->at++) {
		uint32_t v[3];
		if (!read_prim(f, t->at, b->corners, v))
			continue;
		order_prim(f, b->corners, v);
		for (unsigned i = 0; i < b->corners; i++)
			b->prim[i][b->prims] = (uint8_t)v[i];
		b->prims++;
	}
	b->count = t->count;
}

static unsigned new_slot(struct rs_mesh *t, struct rs_batch *b, uint32_t vertex, uint32_t prim)
{
	t->vertex[b->count] = (uint16_t)vertex;
	t->leads[b->count] = (uint16_t)prim;
	return b->count++;
}

/* As many primitives as there is room for, each with a provoking vertex of its own. */
static void take_own(struct rs_front *f, struct rs_batch *b)
{
	struct rs_mesh *t = f->mesh;
	memset(t->slot_of, 0xff, sizeof t->slot_of);
	for (; t->at < t->end && b->count + b->corners <= RS_BATCH_VERTICES; t->at++) {
		uint32_t v[3];
		if (!read_prim(f, t->at, b->corners, v))
			continue;
		unsigned provoking = order_prim(f, b->corners, v);
		for (unsigned i = 0; i < b->corners; i++) {
			unsigned slot = i == provoking ? NO_SLOT : t->slot_of[v[i]];
			if (slot == NO_SLOT)
				slot = new_slot(t, b, v[i], t->at);
			if (i != provoking)
				t->slot_of[v[i]] = (uint16_t)slot;
			b->prim[i][b->prims] = (uint8_t)slot;
		}
		b->prims++;
	}
}

/* --- what vertices have --- */

static void take_row(const struct rs_front *f, const struct rs_batch *b, bool own, unsigned row, void *dst)
{
	const uint32_t *src = vertex_row(f, row);
	uint32_t *out = dst;
	if (!own) {
		memcpy(out, src, b->count * sizeof *out);
		return;
	}
	for (unsigned s = 0; s < b->count; s++)
		out[s] = src[f->mesh->vertex[s]];
}

/* A component of the primitives' misc vectors: of each slot its primitive's. */
static void take_misc(const struct rs_front *f, const struct rs_batch *b, unsigned row, uint32_t *dst)
{
	const uint32_t *src = prim_row(f, row);
	for (unsigned s = 0; s < b->count; s++)
		dst[s] = src[f->mesh->leads[s]];
}

static void take_positions(struct rs_front *f, struct rs_batch *b, bool own)
{
	const struct rs_mesh_draw *m = f->draw->mesh;
	unsigned row = 4;
	for (unsigned c = 0; c < 4; c++)
		take_row(f, b, own, c, b->pos[c]);
	if (f->pa->misc) {
		take_row(f, b, own, row, b->size);
		take_row(f, b, own, row + 2, b->layer);
		take_row(f, b, own, row + 3, b->viewport);
		row += 4;
	}
	for (unsigned half = 0; half < 2; half++)
		if (f->pa->ccdist[half]) {
			for (unsigned c = 0; c < 4; c++)
				take_row(f, b, own, row + c, b->dist[4 * half + c]);
			row += 4;
		}
	if (m->prim_layer)
		take_misc(f, b, ROW_LAYER, b->layer);
	if (m->prim_viewport)
		take_misc(f, b, ROW_VIEWPORT, b->viewport);
	for (unsigned s = 0; m->view_layer && s < b->count; s++)
		b->layer[s] = m->group.use.user[ABI_MS_S_VIEW_INDEX];
}

/* One param of all slots: of their vertices, or of the primitives that they lead. */
static void gather_param(const struct rs_front *f, const struct rs_batch *b, const uint32_t *row, size_t length,
	const uint16_t *of, float *dst)
{
	for (unsigned s = 0; s < b->count; s++, dst += b->stride)
		for (unsigned c = 0; c < 4; c++)
			memcpy(dst + c, &row[c * length + of[s]], sizeof *dst);
}

static bool take_params(struct rs_front *f, struct rs_batch *b, bool own)
{
	const struct rs_mesh_draw *m = f->draw->mesh;
	b->stride = f->pa->params * 4;
	b->attr = rs_arena_alloc(&f->arena, (size_t)((b->count + 3) & ~3u) * b->stride * 4 + 16);
	if (!b->attr)
		return rs_front_no_memory(f);
	for (unsigned p = 0; p < f->pa->params; p++) {
		float *dst = b->attr + 4 * p;
		const uint32_t *row = param_row(f, p);
		size_t n = m->vertices;
		if (p >= m->params + m->prim_params)
			for (unsigned s = 0; s < b->count; s++)
				memset(dst + (size_t)s * b->stride, 0, 4 * sizeof *dst);
		else if (p >= m->params)
			gather_param(f, b, prim_row(f, ABI_MESH_PRIM_ROWS + 4 * (p - m->params)), m->prims, f->mesh->leads, dst);
		else if (own)
			gather_param(f, b, row, n, f->mesh->vertex, dst);
		else
			rs_params_store(dst, b->stride, row, row + n, row + 2 * n, row + 3 * n, b->count);
	}
	return true;
}

void rs_mesh_begin(struct rs_front *f)
{
	f->mesh->begun = false;
	f->mesh->payload_of = NULL; /* another pass's payloads may have had the same place */
}

bool rs_mesh_fill(struct rs_front *f, struct rs_batch *b)
{
	const struct rs_mesh_draw *m = f->draw->mesh;
	struct rs_mesh *t = f->mesh;
	bool own = m->prim_layer || m->prim_viewport || (m->prim_params && f->pa->params > m->params);
	b->count = b->prims = b->stream = 0;
	b->corners = f->draw->corners;
	if (!t->begun && !run_group(f))
		return false;
	if (own)
		take_own(f, b);
	else
		take_shared(f, b);
	t->begun = t->at < t->end;
	f->next += !t->begun;
	if (!b->prims)
		b->count = 0;
	take_positions(f, b, own);
	return take_params(f, b, own);
}
