/* SPDX-License-Identifier: MIT */
/* Selection of merged programs (isa/abi.h): which lanes a half runs, attributes in LDS
 * between the halves, vertices that a geometry program emits. */
#include "compiler/gcn/sel.h"

#include "isa/abi.h"
#include "isa/regs.h"
#include "isa/regs_table.h"

/* --- halves --- */

void sel_set_lanes(struct sel *s, unsigned byte)
{
	mir_opnd n = sel_new_s(s, 1);
	sel_salu_to(s, GCN_S_BFE_U32, n, 2, (struct sel_opnd[]){ sel_s(s->wave_info), sel_inline(s, 8 << 16 | 8 * byte) });
	sel_emit2(s, GCN_S_BFM_B64, GCN_SRC_EXEC, n, GCN_SRC_0);
	sel_emit2(s, GCN_S_BITCMP1_B32, MIR_NONE, n, GCN_SRC_0 + 6); /* 64 lanes: a mask of 0 bits so far */
	sel_emit2(s, GCN_S_CSELECT_B64, GCN_SRC_EXEC, GCN_SRC_NEG1, GCN_SRC_EXEC);
}

static mir_opnd lane_times_4(struct sel *s)
{
	struct sel_opnd o[2] = { sel_inline(s, ~0u), sel_inline(s, 0) };
	o[1] = sel_v(sel_valu(s, GCN_V_MBCNT_LO_U32_B32, MIR_NONE, 2, o));
	o[1] = sel_v(sel_valu(s, GCN_V_MBCNT_HI_U32_B32, MIR_NONE, 2, o));
	o[0] = sel_inline(s, 2);
	return sel_valu(s, GCN_V_LSHLREV_B32, MIR_NONE, 2, o);
}

/* Byte of a component in LDS, without the lane. */
static uint32_t row_of(uint64_t slots, unsigned slot, unsigned comp)
{
	unsigned place = (unsigned)__builtin_popcountll(slots & ((1ull << slot) - 1));
	return place * ABI_MERGED_SLOT_BYTES + comp * ABI_MERGED_ROW_BYTES;
}

void sel_enter_first(struct sel *s)
{
	s->out->first_half = 1;
	s->wave_info = sel_enter(s, MIR_SGPR, ABI_MERGED_S_WAVE_INFO, 1);
	sel_set_lanes(s, 0);
	s->no_lanes = mir_block_new(s->m, 0);
	sel_emit(s, GCN_S_CBRANCH_EXECZ)->target = s->no_lanes;
	sel_split_block(s);
}

void sel_leave_first(struct sel *s)
{
	const uint64_t slots = s->in->options.linked[0] | (uint64_t)s->in->options.linked[1] << 32;
	mir_opnd lane = MIR_NONE;
	for (unsigned slot = 0; slot < 64; slot++) {
		struct ir_src src[4];
		unsigned mask;
		if (!(slots >> slot & 1) || !sel_output(s, slot, src, &mask))
			continue;
		if (lane == MIR_NONE)
			lane = lane_times_4(s);
		for (; mask; mask &= mask - 1) {
			unsigned c = (unsigned)__builtin_ctz(mask);
			struct mir_inst *store = sel_emit2(s, GCN_DS_WRITE_B32, MIR_NONE, lane, sel_vgpr(s, src[c]));
			store->g.offset = (int32_t)row_of(slots, slot, c);
		}
	}
	sel_emit(s, GCN_S_WAITCNT)->g.offset = 0; /* nothing is under way */
	mir_place(s->m, s->no_lanes);
	s->cur = s->no_lanes;
}

void sel_enter_second(struct sel *s)
{
	s->wave_info = sel_enter(s, MIR_SGPR, ABI_MERGED_S_WAVE_INFO, 1);
	s->out->reads[0] = (uint32_t)s->reads;
	s->out->reads[1] = (uint32_t)(s->reads >> 32);
	s->out->lds_bytes = (uint32_t)__builtin_popcountll(s->reads) * ABI_MERGED_SLOT_BYTES;
}

static void load_linked(struct sel *s, struct ir_inst *in)
{
	struct mir_inst *load = sel_emit2(s, GCN_DS_READ_B32, sel_new_v(s, 1), sel_vgpr(s, in->src[0]), MIR_NONE);
	load->g.offset = (int32_t)row_of(s->reads, in->u.io.slot, in->u.io.comp);
	sel_set(s, in, load->opnd[MIR_DST]);
}

/* --- vertices of a geometry program --- */

/* A vertex in GSVS has no more dwords than components. */
static void check_total(struct sel *s)
{
	uint32_t n = 0;
	for (unsigned slot = 0; slot < 64; slot++)
		n += (uint32_t)__builtin_popcount(s->gs.made[slot]);
	if (n * s->f->gs_vertices_out > ABI_GS_MAX_COMPONENTS)
		sel_fail(s, COMPILER_UNSUPPORTED, "%u vertices of %u components: maxGeometryTotalOutputComponents is %d",
			s->f->gs_vertices_out, n, ABI_GS_MAX_COMPONENTS);
}

/* What a vertex has of a component: whether it is known, and then as what; it is 0 where the vertex lacks it. */
static bool vertex_has(const struct ir_inst *in, unsigned c, uint32_t *value)
{
	*value = 0;
	return !(in->u.io.mask >> c & 1) || sel_const(in->src[1 + c], value);
}

/* What vertices have, of all that may be emitted, and which components no two of them have different. */
static void find_made(struct sel *s)
{
	bool seen[64] = { false };
	for (uint32_t i = 0; i < s->f->block_count; i++)
		for (const struct ir_inst *in = s->f->blocks[i]->first; in; in = in->next) {
			const unsigned slot = in->u.io.slot;
			if (in->op != IR_STORE_VERTEX)
				continue;
			for (unsigned c = 0; c < 4; c++) {
				struct isa_gsvs_component now = { ISA_GSVS_FIXED, 0 }, *at = &s->gs.at[slot][c];
				bool known = vertex_has(in, c, &now.value);
				if (in->u.io.mask >> c & 1 && in->src[1 + c].inst->op != IR_UNDEF)
					s->gs.made[slot] |= (uint8_t)(1u << c);
				if (!seen[slot])
					*at = now;
				if (!known || now.value != at->value)
					at->dword = 0;
			}
			seen[slot] = true;
		}
	check_total(s);
}

/* Components that differ have a dword each. */
static void place_components(struct sel *s)
{
	for (unsigned slot = 0; slot < 64; slot++)
		for (unsigned c = 0; c < 4; c++)
			if (s->gs.made[slot] >> c & 1 && s->gs.at[slot][c].dword != ISA_GSVS_FIXED)
				s->gs.at[slot][c].dword = s->gs.dwords++;
	s->gs.dwords += !s->gs.dwords; /* nothing is no size of a vertex */
}

/* Params in the order of slots; the viewport is one too. */
static void place_params(struct sel *s)
{
	for (unsigned slot = 0; slot < COMPILER_SLOT_COUNT; slot++) {
		if (!s->gs.made[slot == COMPILER_SLOT_VIEWPORT ? IR_SLOT_VIEWPORT : slot])
			continue;
		if (s->out->param_count == 32) {
			sel_fail(s, COMPILER_UNSUPPORTED, "the geometry shader writes more than 32 outputs (maxGeometryOutputComponents)");
			return;
		}
		s->out->param_of_slot[slot] = (uint8_t)s->out->param_count++;
	}
}

static void place_vertices(struct sel *s)
{
	struct sel_vertex_layout *l = &s->gs;
	unsigned at = 1, distances = s->f->clip_distances + s->f->cull_distances;
	l->misc = (uint8_t)at;
	for (unsigned i = 0; i < 3; i++)
		if (l->made[sel_misc[i].slot])
			s->out->pa_cl_vs_out_cntl |= sel_misc[i].use | REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA, 1);
	at += s->out->pa_cl_vs_out_cntl != 0;
	l->dist = (uint8_t)at;
	distances = distances < 8 ? distances : 8;
	for (unsigned i = 0; i < distances; i++)
		s->out->pa_cl_vs_out_cntl |= 1u << ((i < s->f->clip_distances ? PA_CL_VS_OUT_CNTL__CLIP_DIST_ENA__LO :
			PA_CL_VS_OUT_CNTL__CULL_DIST_ENA__LO) + i);
	s->out->pa_cl_vs_out_cntl |= REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST0_VEC_ENA, distances > 0) |
		REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST1_VEC_ENA, distances > 4);
	at += (distances + 3) / 4;
	l->param = (uint8_t)at;
	place_params(s);
	place_components(s);
}

/* The components of a vertex that component c of the slot is, two at most; how many. */
static unsigned components_of(const struct sel *s, unsigned slot, unsigned c, unsigned out[2])
{
	const struct sel_vertex_layout *l = &s->gs;
	unsigned n = 0, clip = s->f->clip_distances, cull = s->f->cull_distances, i = 4 * (slot & 1) + c;
	unsigned param = slot == IR_SLOT_VIEWPORT ? COMPILER_SLOT_VIEWPORT : slot;
	if (slot == IR_SLOT_POSITION)
		out[n++] = c;
	for (unsigned k = 0; k < 3; k++)
		if (slot == sel_misc[k].slot && !c)
			out[n++] = 4 * l->misc + sel_misc[k].comp;
	if ((slot == COMPILER_SLOT_CLIP0 || slot == COMPILER_SLOT_CLIP1) && i < clip && i < 8)
		out[n++] = 4 * l->dist + i;
	if ((slot == COMPILER_SLOT_CULL0 || slot == COMPILER_SLOT_CULL1) && i < cull && clip + i < 8)
		out[n++] = 4 * l->dist + clip + i;
	if (param < COMPILER_SLOT_COUNT)
		out[n++] = 4 * (l->param + s->out->param_of_slot[param]) + c;
	return n;
}
static_assert(COMPILER_SLOT_CLIP0 % 2 == 0 && COMPILER_SLOT_CULL0 % 2 == 0, "the low bit is the half");

/* isa/gsvs.h.  What no vertex has is 0. */
static void make_table(struct sel *s)
{
	const uint32_t n = 4 * (s->gs.param + s->out->param_count);
	struct isa_gsvs_component *table = ir_alloc(s->m->pool, n * sizeof *table);
	for (uint32_t i = 0; i < n; i++)
		table[i] = (struct isa_gsvs_component){ ISA_GSVS_FIXED, 0 };
	for (unsigned slot = 0; slot < 64; slot++)
		for (unsigned c = 0; c < 4; c++) {
			unsigned at[2], k = s->gs.made[slot] >> c & 1 ? components_of(s, slot, c, at) : 0;
			while (k--)
				table[at[k]] = s->gs.at[slot][c];
		}
	s->m->gsvs = table;
	s->out->gsvs_dwords = n * ISA_GSVS_COMPONENT_DWORDS;
}

void sel_enter_geometry(struct sel *s)
{
	static const uint8_t vertices[3] = { 0, 1, 4 };
	for (unsigned i = 0; i < 3; i++)
		s->gs_vertices[i] = sel_enter(s, MIR_VGPR, vertices[i], 1);
	s->prim_id = sel_enter(s, MIR_VGPR, ABI_ESGS_V_PRIM, 1);
	s->invocation = sel_enter(s, MIR_VGPR, ABI_ESGS_V_INVOCATION, 1);
	find_made(s);
	place_vertices(s);
	make_table(s);
	sel_capture(s);
	s->gsvs = sel_enter(s, MIR_SGPR, ABI_MERGED_S_GSVS, 1);
	sel_set_lanes(s, 1);
	s->out->gs_vertices_in = s->f->gs_vertices_in;
	s->out->gs_vertices_out = s->f->gs_vertices_out;
	s->out->gs_invocations = s->f->gs_invocations;
	s->out->gs_out_type = s->f->gs_out_type;
	s->out->gs_item_dwords = s->gs.dwords;
	s->out->gs_streams = s->f->gs_streams;
}

/* Where a vertex is: an SGPR, or where lanes differ a VGPR, and bytes from it. */
struct vertex_at { mir_opnd base; uint32_t bytes; bool vector; };

static bool is_uniform(struct ir_src v)
{
	return sel_value(v.inst)->kind == SEL_SGPR;
}

static struct vertex_at find_vertex(struct sel *s, struct ir_src number)
{
	const uint32_t stride = s->gs.dwords * 4;
	const uint64_t key = sel_key(SEL_C_DESC, 13, number.inst->id);
	uint32_t n;
	if (sel_const(number, &n))
		return (struct vertex_at){ s->gsvs, (n < s->f->gs_vertices_out * s->f->gs_streams ? n : 0) * stride, false };
	bool vector = !is_uniform(number);
	mir_opnd at = sel_cache_find(s, key);
	if (at != MIR_NONE)
		return (struct vertex_at){ at, 0, vector };
	if (vector) {
		struct sel_opnd o[3] = { sel_v(sel_vgpr(s, number)), sel_v(sel_const_v(s, stride)), sel_s(s->gsvs) };
		at = sel_valu(s, GCN_V_MAD_U32_U24, MIR_NONE, 3, o);
	} else {
		struct sel_opnd o[2] = { sel_s(sel_sgpr(s, number)), sel_inline(s, stride) };
		o[0] = sel_s(sel_salu(s, GCN_S_MUL_I32, 1, 2, o));
		o[1] = sel_s(s->gsvs);
		at = sel_salu(s, GCN_S_ADD_I32, 1, 2, o);
	}
	sel_cache_add(s, key, at);
	return (struct vertex_at){ at, 0, vector };
}

/* The base plus bytes that the instruction cannot add. */
static mir_opnd far_base(struct sel *s, const struct vertex_at *to, uint32_t far)
{
	if (!far)
		return to->base;
	struct sel_opnd o[2] = { to->vector ? sel_v(to->base) : sel_s(to->base), sel_inline(s, far) };
	if (to->vector)
		return sel_valu(s, GCN_V_ADD_U32, MIR_NONE, 2, (struct sel_opnd[]){ o[1], o[0] });
	uint64_t key = sel_key(SEL_C_DESC, 12, far);
	mir_opnd at = to->base == s->gsvs ? sel_cache_find(s, key) : MIR_NONE;
	if (at != MIR_NONE)
		return at;
	at = sel_salu(s, GCN_S_ADD_I32, 1, 2, o);
	if (to->base == s->gsvs)
		sel_cache_add(s, key, at);
	return at;
}

static void store_dword(struct sel *s, const struct vertex_at *to, unsigned dword, mir_opnd value)
{
	enum { REACH = 4096 };
	uint32_t bytes = to->bytes + dword * 4;
	mir_opnd base = far_base(s, to, bytes & ~(REACH - 1u));
	struct mir_inst *store = sel_emit(s, GCN_SCRATCH_STORE_DWORD);
	store->opnd[to->vector ? MIR_SRC0 : MIR_SRC2] = base;
	store->opnd[MIR_SRC1] = value;
	store->g.offset = (int32_t)(bytes & (REACH - 1));
}

/* All components in which vertices differ. */
static void store_vertex(struct sel *s, struct ir_inst *in)
{
	const struct isa_gsvs_component *at = s->gs.at[in->u.io.slot];
	struct vertex_at to = find_vertex(s, in->src[0]);
	for (unsigned c = 0; c < 4; c++) {
		uint32_t value;
		if (s->gs.made[in->u.io.slot] >> c & 1 && at[c].dword != ISA_GSVS_FIXED)
			store_dword(s, &to, at[c].dword, vertex_has(in, c, &value) ? sel_const_v(s, value) : sel_vgpr(s, in->src[1 + c]));
	}
}

enum { MSG_GS = 2, MSG_GS_DONE = 3, GS_NOP = 0, GS_CUT = 1, GS_EMIT = 2 };

/* M0 of MSG_GS: the wave's number. */
static void set_sender(struct sel *s)
{
	struct sel_opnd o[2] = { sel_s(s->wave_info), sel_inline(s, 8 << 16 | 16) };
	sel_salu_to(s, GCN_S_BFE_U32, GCN_SRC_M0, 2, o);
}

static void message(struct sel *s, unsigned what, unsigned operation, unsigned stream)
{
	sel_emit(s, GCN_S_SENDMSG)->g.offset = (int32_t)(what | operation << 4 | stream << 8);
}

void sel_messages(struct sel *s, const struct ir_block *b)
{
	bool first = true;
	for (const struct ir_inst *in = b->first; in; in = in->next) {
		if (in->op != IR_EMIT_VERTEX && in->op != IR_END_PRIMITIVE)
			continue;
		if (first)
			set_sender(s);
		first = false;
		message(s, MSG_GS, in->op == IR_EMIT_VERTEX ? GS_EMIT : GS_CUT, in->u.io.mode);
	}
}

void sel_leave_geometry(struct sel *s)
{
	sel_emit(s, GCN_S_WAITCNT)->g.offset = 0;
	set_sender(s);
	message(s, MSG_GS_DONE, GS_NOP, 0);
}

void sel_merged(struct sel *s, struct ir_inst *in)
{
	switch (in->op) {
	case IR_LOAD_LINKED: load_linked(s, in); break;
	case IR_LOAD_PATCH: case IR_LOAD_OWN_PATCH: case IR_STORE_PATCH: sel_patch(s, in); break;
	case IR_STORE_VERTEX: store_vertex(s, in); break;
	default: break; /* messages: sel_messages */
	}
}
