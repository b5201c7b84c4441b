/* SPDX-License-Identifier: MIT */
/* Draw packets: registers become a draw record of the pass. */
#include "raster/cp/cp_draw.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "core/cu.h"
#include "isa/abi.h"
#include "isa/gsvs.h"
#include "isa/pm4.h"
#include "isa/regs.h"
#include "raster/arena.h"
#include "raster/back/back.h"
#include "raster/cp/build.h"
#include "raster/cp/cp.h"
#include "raster/cp/cp_pass.h"
#include "raster/cp/cp_program.h"
#include "raster/cp/gpu.h"
#include "raster/dma/dma.h"
#include "raster/draw.h"
#include "raster/front/vdraw.h"
#include "raster/front/vgt.h"

struct indices {
	const uint8_t *address;      /* NULL: counted */
	uint32_t readable, count;
};

static unsigned index_bytes(uint32_t type)
{
	switch (REG_GET(type, VGT_INDEX_TYPE, INDEX_TYPE)) {
	case VGT_INDEX_16: return 2;
	case VGT_INDEX_32: return 4;
	case VGT_INDEX_8: return 1;
	default: return 0;
	}
}

static struct rs_ps_state *get_ps_state(struct rs_gpu *gpu, struct rs_state *s,
	const struct cu_program *ps)
{
	for (struct rs_ps_use *u = s->uses; u; u = u->next)
		if (u->program == ps)
			return u->state;
	struct rs_ps_use *u = rs_arena_alloc(&gpu->build.arena, sizeof *u);
	if (!u)
		return NULL;
	*u = (struct rs_ps_use){ ps, rs_ps_state_create(&s->context, ps), s->uses };
	if (!u->state)
		return NULL;
	s->uses = u;
	return u->state;
}

/* What the program does not read of them keeps no draw from sharing waves with others: as a rule tables that only
 * vertices look at. */
static void forget_unread(struct cu_program_use *u)
{
	const uint32_t read = u->program ? cu_program_initial(u->program) : 0;
	for (unsigned n = 0; n < u->user_count; n++)
		u->user[n] = read >> n & 1 ? u->user[n] : 0;
}

/* By parts: what was just written in parts would be waited for by who reads it in one. */
static bool is_same(const struct rs_draw *a, const struct rs_draw *b)
{
	uint32_t differ = (a->num_interp ^ b->num_interp) | (a->corners ^ b->corners) | (a->ps.user_count ^ b->ps.user_count) |
		(a->ps.mode ^ b->ps.mode) | (a->ps.scratch_bytes ^ b->ps.scratch_bytes);
	if (a->context != b->context || a->state != b->state || a->counter != b->counter || a->stats != b->stats ||
	    a->ps.program != b->ps.program)
		return false;
	for (unsigned n = 0; n < b->ps.user_count; n++)
		differ |= a->ps.user[n] ^ b->ps.user[n];
	return !differ;
}

/* The back end's record; shared with the draw before when nothing differs. */
static const struct rs_draw *pixel_draw(struct rs_gpu *gpu, unsigned corners, bool *ok)
{
	struct rs_build *b = &gpu->build;
	struct rs_draw d;
	memset(&d, 0, sizeof d);
	d.context = &b->state->context;
	*ok = rs_cp_use(gpu, ISA_HW_PS, &d.ps);
	if (!*ok)
		return NULL;
	forget_unread(&d.ps);
	d.num_interp = REG_GET(d.context->reg[R_SPI_PS_IN_CONTROL], SPI_PS_IN_CONTROL, NUM_INTERP);
	d.corners = corners;
	if (REG_GET(d.context->reg[R_DB_COUNT_CONTROL], DB_COUNT_CONTROL, ZPASS_ENABLE) &&
	    !(d.counter = rs_pass_counter(gpu)))
		return NULL;
	if (gpu->stats && !(d.stats = rs_pass_counter(gpu)))
		return NULL;
	d.state = get_ps_state(gpu, b->state, d.ps.program);
	if (!d.state)
		return NULL;
	if (b->last_draw && is_same(b->last_draw, &d))
		return b->last_draw;
	b->last_draw = rs_arena_alloc(&b->arena, sizeof d);
	if (b->last_draw)
		memcpy(b->last_draw, &d, sizeof d);
	return b->last_draw;
}

/* Which programs a draw runs: values of VGT_SHADER_STAGES_EN. */
enum { STAGES_VS = 0, STAGES_ES_GS = REG_SET(VGT_SHADER_STAGES_EN, ES_EN, 2) | REG_SET(VGT_SHADER_STAGES_EN, GS_EN, 1) |
	REG_SET(VGT_SHADER_STAGES_EN, VS_EN, 2),
	STAGES_LS_HS = REG_SET(VGT_SHADER_STAGES_EN, LS_EN, 1) | REG_SET(VGT_SHADER_STAGES_EN, HS_EN, 1),
	STAGES_DS = STAGES_LS_HS | REG_SET(VGT_SHADER_STAGES_EN, VS_EN, 1),
	STAGES_DS_GS = STAGES_LS_HS | REG_SET(VGT_SHADER_STAGES_EN, ES_EN, 1) | REG_SET(VGT_SHADER_STAGES_EN, GS_EN, 1) |
		REG_SET(VGT_SHADER_STAGES_EN, VS_EN, 2) };

/* Without stages behind the vertices.  Asked before the record is, which is so new that reading it would wait for its
 * memory. */
static bool is_plain(const struct rs_gpu *gpu)
{
	return gpu->context.reg[R_VGT_SHADER_STAGES_EN] == STAGES_VS;
}

/* So many that what they make stays within about a MiB, and waves are full. */
static uint32_t job_prims(const struct rs_gs_state *gs)
{
	enum { VERTICES = 4096, MOST = 512 };
	const uint32_t wave = rs_gs_room(gs);
	uint32_t most = VERTICES / (gs->max_vertices * gs->invocations);
	most = most < MOST ? most : MOST;
	return most < 1 ? 1 : most > wave ? most - most % wave : most;
}

/* What vertices consist of: as the table says, or each dword is a component. */
static bool describe_vertex(struct rs_gpu *gpu, struct rs_gs_state *s)
{
	const uint32_t *reg = gpu->context.reg, n = reg[R_QW_GSVS_COMPONENTS];
	const uintptr_t table = (uintptr_t)((uint64_t)reg[R_QW_GSVS_TABLE_HI] << 32 | reg[R_QW_GSVS_TABLE]);
	s->components = n ? n : s->item_dwords;
	if (n > ISA_GSVS_COMPONENTS || (n && (!table || table % _Alignof(struct isa_gsvs_component))))
		return rs_gpu_fail(gpu, "a table of %u components of GSVS at 0x%llx is not supported", n, (unsigned long long)table);
	struct isa_gsvs_component *c = rs_arena_alloc(&gpu->build.arena, s->components * sizeof *c);
	if (!c)
		return rs_gpu_fail(gpu, "no memory for a draw");
	for (unsigned i = 0; i < s->components; i++) {
		c[i] = n ? ((const struct isa_gsvs_component *)table)[i] : (struct isa_gsvs_component){ .dword = i };
		if (c[i].dword != ISA_GSVS_FIXED && c[i].dword >= s->item_dwords)
			return rs_gpu_fail(gpu, "component %u of GSVS is dword %u of %u", i, c[i].dword, s->item_dwords);
	}
	s->component = c;
	return true;
}

static bool describe_geometry(struct rs_gpu *gpu, struct rs_vdraw *v)
{
	enum { LDS_UNIT = 512, MAX_ITEM = 4 * 64, MAX_VERTEX_DWORDS = 16384 };
	const uint32_t *reg = gpu->context.reg;
	struct rs_gs_state *s = rs_arena_zalloc(&gpu->build.arena, sizeof *s);
	if (!s)
		return rs_gpu_fail(gpu, "no memory for a draw");
	uint32_t type = REG_GET(reg[R_VGT_GS_OUT_PRIM_TYPE], VGT_GS_OUT_PRIM_TYPE, OUTPRIM_TYPE);
	uint32_t cnt = reg[R_VGT_GS_INSTANCE_CNT];
	s->invocations = REG_GET(cnt, VGT_GS_INSTANCE_CNT, ENABLE) ? REG_GET(cnt, VGT_GS_INSTANCE_CNT, CNT) : 1;
	s->max_vertices = REG_GET(reg[R_VGT_GS_MAX_VERT_OUT], VGT_GS_MAX_VERT_OUT, MAX_VERT_OUT);
	s->item_dwords = REG_GET(reg[R_VGT_GS_VERT_ITEMSIZE], VGT_GS_VERT_ITEMSIZE, ITEMSIZE);
	s->out_corners = type + 1;
	s->lds_bytes = LDS_UNIT * REG_GET(gpu->sh[R_SPI_SHADER_PGM_RSRC2_GS], SPI_SHADER_PGM_RSRC2_GS, LDS_SIZE);
	if (type > GS_OUT_TRIANGLES || !s->invocations || !s->max_vertices || s->max_vertices > CU_GS_VERTICES ||
	    !s->item_dwords || s->item_dwords > MAX_ITEM || s->item_dwords * s->max_vertices > MAX_VERTEX_DWORDS ||
	    s->lds_bytes > CU_LDS_BYTES)
		return rs_gpu_fail(gpu, "a geometry program with output type %u, %u invocations, %u vertices of %u dwords, "
			"%u bytes of LDS is not supported", type, s->invocations, s->max_vertices, s->item_dwords, s->lds_bytes);
	s->ring_dwords = s->item_dwords * s->max_vertices;
	for (unsigned i = 1; i < ISA_STREAMS; i++) {
		s->stream_at[i] = reg[R_VGT_GSVS_RING_OFFSET_1 + (i - 1) * VGT_GSVS_RING_OFFSET_1__STRIDE];
		if (s->stream_at[i] > ISA_STREAMS * MAX_VERTEX_DWORDS)
			return rs_gpu_fail(gpu, "stream %u begins at dword %u of GSVS", i, s->stream_at[i]);
		if (s->stream_at[i] && s->ring_dwords < s->stream_at[i] + s->item_dwords * s->max_vertices)
			s->ring_dwords = s->stream_at[i] + s->item_dwords * s->max_vertices;
	}
	v->gs = s;
	v->job_prims = job_prims(s);
	return describe_vertex(gpu, s);
}

/* Points for points; else what the domain is made of. */
static unsigned tess_corners(struct rs_tess_mode m)
{
	if (m.topology == OUTPUT_POINT)
		return 1;
	if (m.type == TESS_ISOLINE)
		return m.topology == OUTPUT_LINE ? 2 : 0;
	return m.topology == OUTPUT_LINE ? 0 : 3;
}

static bool describe_tessellation(struct rs_gpu *gpu, struct rs_vdraw *v)
{
	/* Patches of a job: so few, that what they make of the highest levels stays within some MiB. */
	enum { LDS_UNIT = 512, MOST_PATCHES = 4 };
	const uint32_t *reg = gpu->context.reg, config = reg[R_VGT_LS_HS_CONFIG], tf = reg[R_VGT_TF_PARAM];
	struct rs_tess_state *s = rs_arena_zalloc(&gpu->build.arena, sizeof *s);
	if (!s)
		return rs_gpu_fail(gpu, "no memory for a draw");
	if (!rs_cp_use(gpu, ISA_HW_HS, &s->hs))
		return false;
	if (!s->hs.program)
		return rs_gpu_fail(gpu, "no hull program is bound");
	s->vertices_in = REG_GET(config, VGT_LS_HS_CONFIG, HS_NUM_INPUT_CP);
	s->vertices_out = REG_GET(config, VGT_LS_HS_CONFIG, HS_NUM_OUTPUT_CP);
	s->mode = (struct rs_tess_mode){ REG_GET(tf, VGT_TF_PARAM, TYPE), REG_GET(tf, VGT_TF_PARAM, PARTITIONING),
		REG_GET(tf, VGT_TF_PARAM, TOPOLOGY) };
	s->corners = tess_corners(s->mode);
	s->lds_bytes = LDS_UNIT * REG_GET(gpu->sh[R_SPI_SHADER_PGM_RSRC2_HS], SPI_SHADER_PGM_RSRC2_HS, LDS_SIZE);
	memcpy(&s->max_level, &reg[R_VGT_HOS_MAX_TESS_LEVEL], 4);
	if (!s->vertices_in || !s->vertices_out || s->vertices_in > ABI_PATCH_MAX_POINTS || s->vertices_out > ABI_PATCH_MAX_POINTS ||
	    s->mode.type > TESS_QUAD || s->mode.topology > OUTPUT_TRIANGLE_CCW || !s->corners ||
	    s->mode.partitioning > PART_FRAC_EVEN || s->mode.partitioning == 1 || s->lds_bytes > CU_LDS_BYTES)
		return rs_gpu_fail(gpu, "tessellation with %u vertices in, %u out, parameters 0x%x, %u bytes of LDS is not supported",
			s->vertices_in, s->vertices_out, tf, s->lds_bytes);
	unsigned most = s->vertices_in > s->vertices_out ? s->vertices_in : s->vertices_out;
	s->patches = CU_LANES / most < MOST_PATCHES ? CU_LANES / most : MOST_PATCHES;
	v->tess = s;
	v->job_prims = s->patches;
	return true;
}

/* The program, and the state of stages behind vertices. */
static bool describe_programs(struct rs_gpu *gpu, struct rs_vdraw *v)
{
	uint32_t stages = gpu->context.reg[R_VGT_SHADER_STAGES_EN];
	v->job_prims = RS_JOB_PRIMS;
	if (__builtin_expect(stages == STAGES_VS, 1))
		return rs_cp_use(gpu, ISA_HW_VS, &v->vs);
	if (stages == STAGES_ES_GS)
		return rs_cp_use(gpu, ISA_HW_GS, &v->vs) && describe_geometry(gpu, v);
	if (stages == STAGES_DS)
		return rs_cp_use(gpu, ISA_HW_VS, &v->vs) && describe_tessellation(gpu, v);
	if (stages == STAGES_DS_GS) {
		bool ok = rs_cp_use(gpu, ISA_HW_GS, &v->vs) && describe_geometry(gpu, v) && describe_tessellation(gpu, v);
		v->job_prims = 1;
		return ok;
	}
	return rs_gpu_fail(gpu, "shader stages 0x%x are not supported", stages);
}

static bool describe_vertices(struct rs_gpu *gpu, struct rs_vdraw *v, const struct indices *in)
{
	if (!describe_programs(gpu, v))
		return false;
	if (!v->vs.program)
		return rs_gpu_fail(gpu, "no vertex program is bound");
	uint32_t topology = REG_GET(gpu->uconfig[R_VGT_PRIMITIVE_TYPE], VGT_PRIMITIVE_TYPE, PRIM_TYPE);
	if (is_plain(gpu) || !v->tess ? !rs_vgt_corners(topology) : topology != DI_PT_PATCH)
		return rs_gpu_fail(gpu, "primitive type %u is not supported", topology);
	v->topology = topology;
	v->index = in->address;
	v->index_bytes = in->address ? index_bytes(gpu->uconfig[R_VGT_INDEX_TYPE]) : 0;
	v->max_index = in->readable;
	v->instances = gpu->uconfig[R_VGT_NUM_INSTANCES];
	return true;
}

/* Among jobs: where there are few, so that all threads have some of it; with a geometry program so, that what it
 * makes of a part stays within some MiB. */
static void divide_patches(struct rs_gpu *gpu, struct rs_vdraw *v)
{
	enum { FEW = 16, FEW_PRIMS = 512, VERTICES = 8192 };
	const uint64_t patches = (uint64_t)v->prims * v->instances;
	uint32_t most = RS_TESS_MAX_PRIMS;
	if (v->gs && most > VERTICES / (v->gs->max_vertices * v->gs->invocations))
		most = VERTICES / (v->gs->max_vertices * v->gs->invocations);
	if (patches < FEW && most > FEW_PRIMS)
		most = FEW_PRIMS;
	v->part_prims = most ? most : 1;
	v->parts = (RS_TESS_MAX_PRIMS + v->part_prims - 1) / v->part_prims;
	if (v->parts == 1)
		return;
	v->job_prims = 1;
	v->serial = ++gpu->divided_draws;
}

struct rs_vdraw *rs_cp_begin_draw(struct rs_gpu *gpu)
{
	struct rs_build *b = &gpu->build;
	if (!rs_pass_settle(gpu) || !rs_pass_prepare(gpu))
		return NULL;
	struct rs_vdraw *v = rs_arena_zalloc(&b->arena, sizeof *v);
	if (!v) {
		rs_gpu_fail(gpu, "no memory for a draw");
		return NULL;
	}
	v->pa = &b->state->pa;
	v->parts = 1; /* written, as it is asked for right away: see is_plain */
	if (!b->pass.samples || b->pass.samples == v->pa->samples || v->pa->kill)
		return v;
	rs_gpu_fail(gpu, "a draw of %u samples into targets of %u", v->pa->samples, b->pass.samples);
	return NULL;
}

bool rs_cp_describe_pixels(struct rs_gpu *gpu, struct rs_vdraw *v, unsigned corners)
{
	bool ok = true;
	v->draw = pixel_draw(gpu, corners, &ok);
	return v->draw || (ok && rs_gpu_fail(gpu, "no memory for a draw"));
}

/* Of a primitive, as it is rasterised. */
static unsigned corners(const struct rs_gpu *gpu, const struct rs_vdraw *v)
{
	if (is_plain(gpu))
		return rs_vgt_corners(v->topology);
	return v->gs ? v->gs->out_corners : v->tess ? v->tess->corners : rs_vgt_corners(v->topology);
}

static bool draw(struct rs_gpu *gpu, const struct indices *in)
{
	if (!in->count || !gpu->uconfig[R_VGT_NUM_INSTANCES])
		return true;
	struct rs_vdraw *v = rs_cp_begin_draw(gpu);
	if (!v || !describe_vertices(gpu, v, in) || !rs_cp_describe_pixels(gpu, v, corners(gpu, v)))
		return false;
	v->strmout = gpu->build.state->strmout;
	if ((v->strmout || gpu->primitives) && !(v->streams = rs_pass_counter(gpu)))
		return rs_gpu_fail(gpu, "no memory for a draw");
	gpu->program = v->draw->ps.program ? v->draw->ps.program : v->vs.program;
	bool restart = in->address && (gpu->uconfig[R_VGT_MULTI_PRIM_IB_RESET_EN] & 1);
	if (!rs_vgt_prepare(&gpu->build.arena, v, in->count, restart,
			gpu->context.reg[R_VGT_MULTI_PRIM_IB_RESET_INDX]))
		return rs_gpu_fail(gpu, "no memory for a draw");
	if (!is_plain(gpu) && v->tess)
		divide_patches(gpu, v);
	if (v->draw->stats) {
		rs_count(v->draw->stats, PM4_STAT_IA_VERTICES, (uint64_t)v->vertices * v->instances);
		rs_count(v->draw->stats, PM4_STAT_IA_PRIMITIVES, (uint64_t)v->prims * v->instances);
	}
	return rs_pass_add_draw(gpu, v);
}

/* Vulkan, "Programmable Primitive Shading", vkCmdDrawIndirectByteCountEXT. */
static uint32_t opaque_vertices(const struct rs_gpu *gpu)
{
	const uint32_t *reg = gpu->context.reg;
	uint32_t filled = reg[R_VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE], first = reg[R_VGT_STRMOUT_DRAW_OPAQUE_OFFSET];
	uint32_t stride = reg[R_VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE];
	return stride && filled > first ? (filled - first) / stride : 0;
}

bool rs_cp_DRAW_INDEX_AUTO(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_draw_index_auto *k = (const void *)p;
	if ((k->source & 3) != PM4_DI_SRC_AUTO)
		return rs_gpu_fail(gpu, "initiator %u is not auto-index", k->source);
	return draw(gpu, &(struct indices){ NULL, 0, k->source & PM4_DI_USE_OPAQUE ? opaque_vertices(gpu) : k->vertices });
}

static bool check_index_type(struct rs_gpu *gpu)
{
	uint32_t type = gpu->uconfig[R_VGT_INDEX_TYPE];
	return index_bytes(type) || rs_gpu_fail(gpu, "index type %u does not exist", type);
}

/* Nothing readable: every index is 0, wherever the address points. */
static const uint8_t no_indices[4];

bool rs_cp_DRAW_INDEX_2(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	if (!check_index_type(gpu))
		return false;
	const struct pm4_draw_index_2 *k = (const void *)p;
	const uint8_t *address = no_indices;
	if (k->max_indices &&
	    !rs_cp_address(gpu, &k->address_lo, index_bytes(gpu->uconfig[R_VGT_INDEX_TYPE]), &address))
		return false;
	return draw(gpu, &(struct indices){ address, k->max_indices, k->indices });
}

static bool set_sh(struct rs_gpu *gpu, uint32_t index, uint32_t value)
{
	if (!index)
		return true;
	if (index >= REG_SH_DWORDS)
		return rs_gpu_fail(gpu, "SH register %u does not exist", index);
	gpu->sh[index] = value;
	return true;
}

struct multi {
	struct rs_records r;
	uint32_t base_vertex, start_instance, draw_index; /* SH registers */
};

/* What the dword at the packet's count address says, if it has one. */
static bool read_count(struct rs_gpu *gpu, const uint32_t *count_address, uint32_t *count)
{
	const uint8_t *at;
	uint32_t wanted;
	if (!count_address[0] && !count_address[1])
		return true;
	if (!rs_cp_address(gpu, count_address, 4, &at))
		return false;
	memcpy(&wanted, at, sizeof wanted);
	if (*count > wanted)
		*count = wanted;
	return true;
}

bool rs_cp_read_records(struct rs_gpu *gpu, const uint32_t *address, const uint32_t *count_address, unsigned bytes,
	struct rs_records *r)
{
	if (r->count > 1 && (r->stride % 4 || r->stride < bytes))
		return rs_gpu_fail(gpu, "stride %u between records", r->stride);
	if (!r->count)
		return true;
	return rs_pass_settle(gpu) && read_count(gpu, count_address, &r->count) &&
		rs_cp_address(gpu, address, 4, &r->record);
}

static bool read_multi(struct rs_gpu *gpu, const struct pm4_draw_indirect_multi *k, unsigned record_bytes,
	struct multi *m)
{
	m->base_vertex = k->locs & 0xffff;
	m->start_instance = k->locs >> 16;
	m->draw_index = k->draw_index_loc;
	m->r = (struct rs_records){ .count = k->count, .stride = k->stride };
	return rs_cp_read_records(gpu, &k->address_lo, &k->count_address_lo, record_bytes, &m->r);
}

static bool set_draw_sgprs(struct rs_gpu *gpu, const struct multi *m, uint32_t i,
	uint32_t base_vertex, uint32_t start_instance)
{
	return set_sh(gpu, m->base_vertex, base_vertex) &&
		set_sh(gpu, m->start_instance, start_instance) &&
		set_sh(gpu, m->draw_index, i);
}

bool rs_cp_DRAW_INDIRECT_MULTI(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	struct multi m;
	if (!read_multi(gpu, (const void *)p, 16, &m))
		return false;
	for (uint32_t i = 0; i < m.r.count; i++) {
		uint32_t r[4];
		memcpy(r, m.r.record + (size_t)i * m.r.stride, sizeof r);
		gpu->uconfig[R_VGT_NUM_INSTANCES] = r[1];
		if (!set_draw_sgprs(gpu, &m, i, r[2], r[3]) ||
		    !draw(gpu, &(struct indices){ NULL, 0, r[0] }))
			return false;
	}
	return true;
}

bool rs_cp_DRAW_INDEX_INDIRECT_MULTI(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_draw_index_indirect_multi *k = (const void *)p;
	struct multi m;
	const uint8_t *base = no_indices;
	static_assert(offsetof(struct pm4_draw_index_indirect_multi, source) ==
		offsetof(struct pm4_draw_indirect_multi, source), "the two begin alike");
	if (!check_index_type(gpu) || !read_multi(gpu, (const void *)p, 20, &m))
		return false;
	unsigned bytes = index_bytes(gpu->uconfig[R_VGT_INDEX_TYPE]);
	if (k->max_indices && !rs_cp_address(gpu, &k->index_base_lo, bytes, &base))
		return false;
	for (uint32_t i = 0; i < m.r.count; i++) {
		uint32_t r[5];
		memcpy(r, m.r.record + (size_t)i * m.r.stride, sizeof r);
		gpu->uconfig[R_VGT_NUM_INSTANCES] = r[1];
		struct indices in = { no_indices, 0, r[0] };
		if (r[2] < k->max_indices)
			in = (struct indices){ base + (size_t)r[2] * bytes, k->max_indices - r[2], r[0] };
		if (!set_draw_sgprs(gpu, &m, i, r[3], r[4]) || !draw(gpu, &in))
			return false;
	}
	return true;
}

bool rs_cp_QW_CLEAR_TARGET(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	struct pm4_clear_target c;
	if (n != PM4_DWORDS(pm4_clear_target))
		return rs_gpu_fail(gpu, "%u payload dwords are wrong", n);
	memcpy(&c, p, sizeof c);
	return rs_pass_prepare(gpu) && rs_pass_add_clear(gpu, &c);
}

bool rs_cp_QW_RESOLVE_TARGET(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct rs_dma dma = { gpu->pool, gpu->kernels.formats };
	struct pm4_resolve_target t;
	struct rs_target_resolve r;
	if (n != PM4_DWORDS(pm4_resolve_target))
		return rs_gpu_fail(gpu, "%u payload dwords are wrong", n);
	memcpy(&t, p, sizeof t);
	r.color = (unsigned)__builtin_ctz(t.target | 1u << RS_MAX_COLOR);
	if (!t.width || !t.height || !t.slice_count)
		return true;
	if (!rs_pass_settle(gpu) || !rs_pass_prepare(gpu))
		return false;
	if (t.target != 1u << r.color || r.color == RS_MAX_COLOR ||
	    !rs_dma_resolve_target(&dma, &t, &gpu->build.pass.targets.color[r.color].plane, &r.r))
		return rs_gpu_fail(gpu, "a resolve of target 0x%x that does not fit it", t.target);
	return rs_pass_add_resolve(gpu, &r);
}

bool rs_cp_QW_DISCARD_TARGET(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_discard_target *d = (const void *)p;
	rs_pass_discard_targets(gpu, &(struct rs_discard){ d->targets, d->x, d->y, d->width, d->height });
	return true;
}
