/* SPDX-License-Identifier: MIT */
/* Selection of the stage interface: registers at entry, built-ins, attributes,
 * interpolation, exports. */
#include "compiler/gcn/sel.h"

#include "isa/abi.h"
#include "isa/regs.h"
#include "isa/regs_table.h"

/* A bit's number. */
#define ENA(input) SPI_PS_INPUT_ENA__##input##_ENA__LO

static unsigned bary_bit(unsigned bary)
{
	static const uint8_t bits[] = {
		[IR_BARY_PERSP_CENTER] = ENA(PERSP_CENTER), [IR_BARY_PERSP_CENTROID] = ENA(PERSP_CENTROID),
		[IR_BARY_PERSP_SAMPLE] = ENA(PERSP_SAMPLE), [IR_BARY_LINEAR_CENTER] = ENA(LINEAR_CENTER),
		[IR_BARY_LINEAR_CENTROID] = ENA(LINEAR_CENTROID), [IR_BARY_LINEAR_SAMPLE] = ENA(LINEAR_SAMPLE) };
	return bits[bary];
}

static bool is_linear(unsigned bary)
{
	return bary >= IR_BARY_LINEAR_CENTER;
}

/* --- what the program needs at entry --- */

struct needs { uint32_t ena, local, group; uint64_t reads; bool interp; };

static void need_sysval(struct needs *n, const struct ir_inst *in)
{
	unsigned used = sel_value(in)->used;
	switch (in->u.io.mode) {
	case IR_SYS_FRAG_COORD: n->ena |= (used & 15) << ENA(POS_X_FLOAT); break;
	case IR_SYS_FRONT_FACE: n->ena |= 1u << ENA(FRONT_FACE); break;
	case IR_SYS_SAMPLE_ID: case IR_SYS_LAYER: n->ena |= 1u << ENA(ANCILLARY); break;
	case IR_SYS_SAMPLE_MASK_IN: n->ena |= 1u << ENA(SAMPLE_COVERAGE); break;
	case IR_SYS_LOCAL_ID: n->local |= used; break;
	case IR_SYS_SUBGROUP_ID: n->local |= 7; break;
	case IR_SYS_WORKGROUP_ID: n->group |= used; break;
	default: break;
	}
}

static struct needs find_needs(struct sel *s)
{
	struct needs n = { 0 };
	for (uint32_t i = 0; i < s->f->block_count; i++)
		for (const struct ir_inst *in = s->f->blocks[i]->first; in; in = in->next)
			switch (in->op) {
			case IR_SYSVAL: need_sysval(&n, in); break;
			case IR_BARY: n.ena |= 1u << bary_bit(in->u.io.mode); break;
			case IR_BARY_AT:
				n.ena |= 1u << (is_linear(in->u.io.mode) ? bary_bit(IR_BARY_LINEAR_CENTER) : (unsigned)ENA(PERSP_PULL_MODEL));
				s->f->needs_wqm = true; /* differences within the quad */
				break;
			case IR_LOAD_INTERP: case IR_LOAD_FLAT: case IR_LOAD_POINT_COORD: case IR_LOAD_WEIGHT: case IR_LOAD_VERTEX:
				n.interp = true;
				break;
			case IR_LOAD_LINKED: n.reads |= ((2ull << in->u.io.mode) - 1) << in->u.io.slot; break;
			default: break;
			}
	return n;
}

/* --- prologue --- */

mir_opnd sel_enter(struct sel *s, enum mir_class cls, unsigned first, unsigned dw)
{
	mir_opnd hw = first + (cls == MIR_VGPR ? GCN_SRC_VGPR0 : 0);
	if (first + dw <= s->m->kept[cls]) /* nobody writes it */
		return hw;
	mir_opnd v = mir_vreg_new(s->m, cls, dw);
	struct mir_inst *entry = s->entry[cls];
	s->m->vregs[mir_vreg_of(v)].want = (uint16_t)hw;
	entry->copies[entry->copy_count++] = (struct mir_copy){ v, hw, 0, (uint8_t)dw };
	if (cls == MIR_VGPR && first + dw > s->m->entry_vgprs)
		s->m->entry_vgprs = first + dw;
	return v;
}

/* User SGPRs of a vertex program: all stages before primitives are assembled have them so. */
static void enter_user(struct sel *s)
{
	unsigned first = s->first_user;
	s->attrs = sel_enter(s, MIR_SGPR, first + ABI_VS_S_ATTRS, 2);
	for (unsigned i = 0; i < 4; i++)
		s->vertex[i] = sel_enter(s, MIR_SGPR, first + ABI_VS_S_BASE_VERTEX + i, 1);
}

static void enter_vs(struct sel *s, const struct needs *n)
{
	static const uint8_t vertex[] = { 0, [COMPILER_ES] = ABI_ESGS_V_VERTEX, [COMPILER_LS] = ABI_LSHS_V_VERTEX };
	static const uint8_t instance[] = { 1, [COMPILER_ES] = ABI_ESGS_V_INSTANCE, [COMPILER_LS] = ABI_LSHS_V_INSTANCE };
	const uint32_t half = s->in->options.first_half;
	enter_user(s);
	s->vertex_id = sel_enter(s, MIR_VGPR, vertex[half], 1);
	s->instance_id = sel_enter(s, MIR_VGPR, instance[half], 1);
	if (half)
		sel_enter_first(s);
}

static void enter_tcs(struct sel *s, const struct needs *n)
{
	enter_user(s);
	s->reads = n->reads;
	sel_enter_second(s);
	sel_enter_control(s);
}

static void enter_tes(struct sel *s, const struct needs *n)
{
	enter_user(s);
	sel_enter_evaluation(s);
	if (s->in->options.first_half)
		sel_enter_first(s);
}

static void enter_gs(struct sel *s, const struct needs *n)
{
	enter_user(s);
	s->reads = n->reads;
	sel_enter_second(s);
	sel_enter_geometry(s);
}

static void enter_ps(struct sel *s, const struct needs *n)
{
	unsigned vgpr = 0;
	s->vertex[3] = sel_enter(s, MIR_SGPR, ABI_PS_S_VIEW_INDEX, 1);
	s->prim_mask = sel_enter(s, MIR_SGPR, ABI_PS_S_PRIM_MASK, 1);
	/* Each dword on its own, so that one is not kept for the others. */
	for (unsigned bit = 0; bit < ISA_PS_INPUTS; bit++)
		if (n->ena >> bit & 1) {
			s->ps_index[bit] = s->ps_count;
			for (unsigned i = 0; i < isa_ps_input_vgprs[bit]; i++)
				s->ps_at[s->ps_count++] = sel_enter(s, MIR_VGPR, vgpr++, 1);
			s->ps[bit] = s->ps_at[s->ps_index[bit]];
		}
	s->out->ps_input_ena = n->ena;
	s->before = s->entry[MIR_VGPR]; /* which copies what helper lanes need too */
	if (n->interp)
		sel_emit2(s, GCN_S_MOV_B32, GCN_SRC_M0, s->prim_mask, MIR_NONE);
	s->exec_is_live = !s->f->needs_wqm && !s->f->uses_demote;
	if (!s->exec_is_live) {
		s->live = sel_new_s(s, 2);
		sel_emit2(s, GCN_S_MOV_B64, s->live, GCN_SRC_EXEC, MIR_NONE);
	}
	if (s->f->needs_wqm)
		sel_emit2(s, GCN_S_WQM_B64, GCN_SRC_EXEC, GCN_SRC_EXEC, MIR_NONE);
	s->before = NULL;
}

/* What all groups have: sgpr is the first after the user SGPRs. */
static void enter_group(struct sel *s, const struct needs *n, unsigned sgpr)
{
	uint32_t local = n->local;
	for (unsigned i = 0; i < 3; i++)
		s->groups[i] = sel_enter(s, MIR_SGPR, ABI_CS_S_GROUPS + i, 1);
	for (unsigned i = 0; i < 3; i++)
		if (n->group >> i & 1)
			s->group_id[i] = sel_enter(s, MIR_SGPR, sgpr++, 1);
	for (unsigned i = 0; i < 3; i++)
		if (local >> i & 1)
			s->out->tidig_comp_cnt = i;
	for (unsigned i = 0; i <= s->out->tidig_comp_cnt; i++)
		s->local_id[i] = sel_enter(s, MIR_VGPR, i, 1);
	s->out->tgid_en = n->group & 7;
	for (unsigned i = 0; i < 3; i++)
		s->out->workgroup[i] = s->f->workgroup[i];
	s->out->lds_bytes = s->f->shared_bytes;
}

static void enter_cs(struct sel *s, const struct needs *n)
{
	enter_group(s, n, ABI_CS_USER_SGPRS);
}

static void enter_ts(struct sel *s, const struct needs *n)
{
	s->vertex[2] = sel_enter(s, MIR_SGPR, ABI_MS_S_DRAW_INDEX, 1);
	s->vertex[3] = sel_enter(s, MIR_SGPR, ABI_MS_S_VIEW_INDEX, 1);
	for (unsigned i = 0; i < 2; i++) {
		s->block[i] = sel_enter(s, MIR_SGPR, ABI_MS_S_BLOCK + i, 1);
		s->payload[i] = sel_enter(s, MIR_SGPR, ABI_MS_S_PAYLOAD + i, 1);
	}
	enter_group(s, n, ABI_MS_USER_SGPRS);
}

static void enter_ms(struct sel *s, const struct needs *n)
{
	enter_ts(s, n);
}

void sel_prologue(struct sel *s)
{
	static void (*const enter_stage[])(struct sel *s, const struct needs *n) = {
#define S(name, text, ...) enter_##text,
		ISA_STAGES(S)
#undef S
	};
	struct needs n = find_needs(s);
	for (int cls = MIR_SGPR; cls <= MIR_VGPR; cls++) {
		s->entry[cls] = sel_emit(s, MIR_COPY);
		s->entry[cls]->copies = ir_alloc(s->m->pool, 48 * sizeof *s->entry[cls]->copies);
	}
	s->first_user = isa_hw_stages[isa_stages[s->f->stage].hw].first_user;
	if (s->in->options.first_half) {
		s->first_user = ABI_MERGED_USER;
		s->m->kept[MIR_SGPR] = ABI_MERGED_KEPT_SGPRS;
		s->m->kept[MIR_VGPR] = s->in->options.first_half == COMPILER_LS ? ABI_LSHS_KEPT_VGPRS : ABI_ESGS_KEPT_VGPRS;
	}
	s->root = sel_enter(s, MIR_SGPR, s->first_user + ABI_S_ROOT, 2);
	s->out->user_sgprs = isa_stages[s->f->stage].user_sgprs;
	enter_stage[s->f->stage](s, &n);
	s->entry_end = sel_emit(s, MIR_ANCHOR);
}

/* --- built-ins --- */

static mir_opnd add_v(struct sel *s, mir_opnd scalar, mir_opnd vector)
{
	return sel_valu(s, GCN_V_ADD_U32, MIR_NONE, 2, (struct sel_opnd[]){ sel_s(scalar), sel_v(vector) });
}

static mir_opnd bfe_v(struct sel *s, mir_opnd v, unsigned lo, unsigned width)
{
	struct sel_opnd o[3] = { sel_v(v), sel_inline(s, lo), sel_inline(s, width) };
	return sel_valu(s, GCN_V_BFE_U32, MIR_NONE, 3, o);
}

static mir_opnd lane_id(struct sel *s)
{
	struct sel_opnd o[2] = { sel_inline(s, ~0u), sel_inline(s, 0) };
	o[1] = sel_v(sel_valu(s, GCN_V_MBCNT_LO_U32_B32, MIR_NONE, 2, o));
	return sel_valu(s, GCN_V_MBCNT_HI_U32_B32, MIR_NONE, 2, o);
}

/* Invocations are numbered x fastest; a wave has 64 of them. */
static mir_opnd wave_number(struct sel *s)
{
	struct sel_opnd index = sel_v(s->local_id[0]);
	uint32_t stride = s->f->workgroup[0];
	for (unsigned i = 1; i <= s->out->tidig_comp_cnt; i++) {
		struct sel_opnd o[2] = { sel_inline(s, stride), sel_v(s->local_id[i]) };
		o[0] = sel_v(sel_valu(s, GCN_V_MUL_LO_U32, MIR_NONE, 2, o));
		o[1] = index;
		index = sel_v(sel_valu(s, GCN_V_ADD_U32, MIR_NONE, 2, o));
		stride *= s->f->workgroup[i];
	}
	mir_opnd first = sel_new_s(s, 1);
	sel_emit2(s, GCN_V_READFIRSTLANE_B32, first, index.op, MIR_NONE);
	struct sel_opnd o[2] = { sel_s(first), sel_inline(s, 6) };
	return sel_salu(s, GCN_S_LSHR_B32, 1, 2, o);
}

static uint32_t wave_count(const struct sel *s)
{
	return (s->f->workgroup[0] * s->f->workgroup[1] * s->f->workgroup[2] + 63) / 64;
}

static void set_each(struct ir_inst *in, const mir_opnd *v)
{
	for (unsigned c = 0; c < in->comps && c < 4; c++)
		if (sel_value(in)->used >> c & 1)
			sel_value(in)->op[c] = v[c];
}

static void frag_coord(struct sel *s, struct ir_inst *in)
{
	mir_opnd v[4];
	for (unsigned c = 0; c < 4; c++)
		v[c] = s->ps[ENA(POS_X_FLOAT) + c];
	set_each(in, v);
}

static void sysval(struct sel *s, struct ir_inst *in)
{
	switch (in->u.io.mode) {
	case IR_SYS_VERTEX_INDEX: sel_set(s, in, add_v(s, s->vertex[0], s->vertex_id)); break;
	case IR_SYS_INSTANCE_INDEX: sel_set(s, in, add_v(s, s->vertex[1], s->instance_id)); break;
	case IR_SYS_BASE_VERTEX: sel_set(s, in, s->vertex[0]); break;
	case IR_SYS_BASE_INSTANCE: sel_set(s, in, s->vertex[1]); break;
	case IR_SYS_DRAW_INDEX: sel_set(s, in, s->vertex[2]); break;
	case IR_SYS_VIEW_INDEX: sel_set(s, in, s->vertex[3]); break;
	case IR_SYS_FRAG_COORD: frag_coord(s, in); break;
	case IR_SYS_FRONT_FACE: sel_set(s, in, s->ps[ENA(FRONT_FACE)]); break;
	case IR_SYS_SAMPLE_ID: sel_set(s, in, bfe_v(s, s->ps[ENA(ANCILLARY)], 8, 4)); break;
	case IR_SYS_LAYER: sel_set(s, in, bfe_v(s, s->ps[ENA(ANCILLARY)], 16, 11)); break;
	case IR_SYS_SAMPLE_MASK_IN: sel_set(s, in, s->ps[ENA(SAMPLE_COVERAGE)]); break;
	case IR_SYS_LOCAL_ID: set_each(in, s->local_id); break;
	case IR_SYS_WORKGROUP_ID: set_each(in, s->group_id); break;
	case IR_SYS_NUM_WORKGROUPS: set_each(in, s->groups); break;
	case IR_SYS_BLOCK: set_each(in, s->block); break;
	case IR_SYS_PAYLOAD: set_each(in, s->payload); break;
	case IR_SYS_LANE: sel_set(s, in, lane_id(s)); break;
	case IR_SYS_SUBGROUP_ID: sel_set(s, in, wave_number(s)); break;
	case IR_SYS_GS_VERTICES: set_each(in, s->gs_vertices); break;
	case IR_SYS_PRIMITIVE_ID: sel_set(s, in, s->prim_id); break;
	case IR_SYS_INVOCATION_ID: sel_set(s, in, s->invocation); break;
	case IR_SYS_TESS_COORD: set_each(in, s->tess_coord); break;
	case IR_SYS_TESS_DOMAIN: sel_set(s, in, s->tess_domain); break;
	case IR_SYS_PATCH: sel_set(s, in, s->patch); break;
	case IR_SYS_PATCH_VERTICES: sel_set(s, in, s->patch_vertices); break;
	case IR_SYS_OUTPUT_VERTICES: sel_set(s, in, s->output_vertices); break;
	case IR_SYS_NUM_SUBGROUPS: sel_set(s, in, sel_const_s(s, wave_count(s))); break;
	default: sel_fail(s, COMPILER_UNSUPPORTED, "built-in %u is not known", in->u.io.mode); break;
	}
}

/* --- vertex attributes --- */

/* v / d, d > 1.  Granlund and Montgomery, "Division by Invariant Integers using
 * Multiplication", figure 4.1, where l = ceil(log2(d)) is at least 1. */
static mir_opnd divide_v(struct sel *s, mir_opnd v, uint32_t d)
{
	unsigned l = 32u - (unsigned)__builtin_clz(d - 1);
	if (!(d & (d - 1)))
		return sel_valu(s, GCN_V_LSHRREV_B32, MIR_NONE, 2, (struct sel_opnd[]){ sel_inline(s, l), sel_v(v) });
	uint32_t magic = (uint32_t)((((1ull << l) - d) << 32) / d + 1);
	mir_opnd high = sel_valu(s, GCN_V_MUL_HI_U32, MIR_NONE, 2, (struct sel_opnd[]){ sel_v(sel_const_v(s, magic)), sel_v(v) });
	mir_opnd rest = sel_valu(s, GCN_V_SUB_U32, MIR_NONE, 2, (struct sel_opnd[]){ sel_v(v), sel_v(high) });
	mir_opnd half = sel_valu(s, GCN_V_LSHRREV_B32, MIR_NONE, 2, (struct sel_opnd[]){ sel_inline(s, 1), sel_v(rest) });
	mir_opnd sum = sel_valu(s, GCN_V_ADD_U32, MIR_NONE, 2, (struct sel_opnd[]){ sel_v(high), sel_v(half) });
	return sel_valu(s, GCN_V_LSHRREV_B32, MIR_NONE, 2, (struct sel_opnd[]){ sel_inline(s, l - 1), sel_v(sum) });
}

/* The index at which an attribute is read. */
static mir_opnd attr_index(struct sel *s, unsigned location)
{
	const struct compiler_options *o = &s->in->options;
	uint32_t divisor = o->instance_divisor[location & 31];
	bool instance = o->instance_attrs >> (location & 31) & 1, fixed = o->base_attrs >> (location & 31) & 1;
	uint64_t key = sel_key(SEL_C_DESC, instance ? 11 : 10, fixed ? 0 : divisor ? divisor : 1);
	mir_opnd index = sel_cache_find(s, key);
	if (index != MIR_NONE)
		return index;
	if (!instance)
		index = add_v(s, s->vertex[0], s->vertex_id);
	else if (!fixed)
		index = add_v(s, s->vertex[1], divisor > 1 ? divide_v(s, s->instance_id, divisor) : s->instance_id);
	else
		index = sel_emit2(s, GCN_V_MOV_B32, sel_new_v(s, 1), s->vertex[1], MIR_NONE)->opnd[MIR_DST];
	sel_cache_add(s, key, index);
	return index;
}

static void load_attr(struct sel *s, struct ir_inst *in)
{
	unsigned location = in->u.io.slot;
	uint64_t key = sel_key(SEL_C_DESC, 9u | s->desc_epoch << 12, location);
	mir_opnd desc = sel_cache_find(s, key);
	if (desc == MIR_NONE) {
		struct mir_inst *load = sel_emit(s, GCN_S_LOAD_DWORDX4);
		load->opnd[MIR_DST] = desc = sel_new_s(s, 4);
		load->opnd[MIR_SRC0] = s->attrs;
		load->g.offset = (int32_t)(ABI_DESC_BUFFER_BYTES * location);
		sel_cache_add(s, key, desc);
	}
	mir_opnd index = attr_index(s, location);
	unsigned used = sel_value(in)->used ? sel_value(in)->used : 1, n = 32u - (unsigned)__builtin_clz(used);
	static const uint16_t ops[] = { GCN_BUFFER_LOAD_FORMAT_X, GCN_BUFFER_LOAD_FORMAT_XY, GCN_BUFFER_LOAD_FORMAT_XYZ,
		GCN_BUFFER_LOAD_FORMAT_XYZW };
	struct mir_inst *m = sel_emit(s, ops[n - 1]);
	m->opnd[MIR_DST] = sel_new_v(s, n);
	m->opnd[MIR_SRC0] = index;
	m->opnd[MIR_SRC1] = desc;
	m->opnd[MIR_SRC2] = GCN_SRC_0;
	m->g.idxen = 1;
	for (unsigned c = 0; c < 4; c++)
		sel_value(in)->op[c] = mir_at(m->opnd[MIR_DST], c < n ? c : 0);
}

/* --- interpolation --- */

static unsigned interp_index(struct sel *s, struct compiler_interp want)
{
	struct compiler_shader *out = s->out;
	for (unsigned i = 0; i < out->num_interp; i++)
		if (out->interp[i].slot == want.slot && out->interp[i].kind == want.kind)
			return i;
	if (out->num_interp == 32) {
		sel_fail(s, COMPILER_UNSUPPORTED, "the fragment shader reads more than 32 inputs");
		return 0;
	}
	out->interp[out->num_interp] = want;
	return out->num_interp++;
}

static void interpolate(struct sel *s, struct ir_inst *in, struct compiler_interp want)
{
	unsigned attr = interp_index(s, want), chan = in->u.io.comp;
	mir_opnd i = sel_vgpr(s, in->src[0]), j = sel_vgpr(s, in->src[1]), v = sel_new_v(s, 1);
	struct mir_inst *p1 = sel_emit2(s, GCN_V_INTERP_P1_F32, v, i, MIR_NONE);
	struct mir_inst *p2 = sel_emit2(s, GCN_V_INTERP_P2_F32, v, j, MIR_NONE);
	p1->g.attr = p2->g.attr = (uint8_t)attr;
	p1->g.attrchan = p2->g.attrchan = (uint8_t)chan;
	sel_set(s, in, v);
}

/* Of the provoking vertex, or of vertex 0, 1 or 2. */
static void load_vertex(struct sel *s, struct ir_inst *in, uint8_t kind, unsigned vertex)
{
	static const uint8_t source[3] = { 2, 0, 1 }; /* P0, P10, P20 */
	struct mir_inst *m = sel_emit2(s, GCN_V_INTERP_MOV_F32, sel_new_v(s, 1), source[vertex], MIR_NONE);
	m->g.attr = (uint8_t)interp_index(s, (struct compiler_interp){ .slot = in->u.io.slot, .kind = kind });
	m->g.attrchan = in->u.io.comp;
	sel_set(s, in, m->opnd[MIR_DST]);
}

/* An offset on the grid of 16 x 16 positions in a pixel. */
static struct sel_opnd grid_offset(struct sel *s, struct ir_src v)
{
	struct sel_opnd o[2] = { sel_inline(s, 0x41800000), sel_float(s, v) }; /* 16 */
	o[0] = sel_v(sel_valu(s, GCN_V_MUL_F32, MIR_NONE, 2, o));
	o[1] = sel_v(sel_valu(s, GCN_V_RNDNE_F32, MIR_NONE, 1, o));
	o[0] = sel_inline(s, 0x3d800000); /* 1/16 */
	return sel_v(sel_valu(s, GCN_V_MUL_F32, MIR_NONE, 2, o));
}

/* v at the pixel's centre plus (x, y), v linear in the window. */
static struct sel_opnd moved(struct sel *s, mir_opnd v, struct sel_opnd x, struct sel_opnd y)
{
	struct sel_opnd o[3] = { sel_v(sel_quad_difference(s, v, IR_DDX_FINE)), x, sel_v(v) };
	o[2] = sel_v(sel_valu(s, GCN_V_FMA_F32, MIR_NONE, 3, o));
	o[0] = sel_v(sel_quad_difference(s, v, IR_DDY_FINE));
	o[1] = y;
	return sel_v(sel_valu(s, GCN_V_FMA_F32, MIR_NONE, 3, o));
}

static void bary_at(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd x = grid_offset(s, in->src[0]), y = grid_offset(s, in->src[1]);
	if (is_linear(in->u.io.mode)) {
		const mir_opnd *ij = &s->ps_at[s->ps_index[bary_bit(IR_BARY_LINEAR_CENTER)]];
		set_each(in, (mir_opnd[4]){ moved(s, ij[0], x, y).op, moved(s, ij[1], x, y).op });
		return;
	}
	/* I/W, J/W and 1/W are linear in the window, I and J are not. */
	const mir_opnd *pull = &s->ps_at[s->ps_index[ENA(PERSP_PULL_MODEL)]];
	struct sel_opnd rcp_w = moved(s, pull[2], x, y), o[2];
	o[1] = sel_v(sel_valu(s, GCN_V_RCP_F32, MIR_NONE, 1, &rcp_w));
	mir_opnd ij[4] = { MIR_NONE };
	for (unsigned c = 0; c < 2; c++) {
		o[0] = moved(s, pull[c], x, y);
		ij[c] = sel_valu(s, GCN_V_MUL_F32, MIR_NONE, 2, o);
	}
	set_each(in, ij);
}

static void bary(struct sel *s, struct ir_inst *in)
{
	const mir_opnd *ij = &s->ps_at[s->ps_index[bary_bit(in->u.io.mode)]];
	set_each(in, (mir_opnd[4]){ ij[0], ij[1] });
}

static void store_output(struct sel *s, struct ir_inst *in)
{
	if (s->output_count == 64)
		sel_fail(s, COMPILER_UNSUPPORTED, "too many outputs");
	else if (in->block->node.parent)
		sel_fail(s, COMPILER_UNSUPPORTED, "an output is stored inside control flow");
	else
		s->outputs[s->output_count++] = in;
	if (s->f->depth_first && in->u.io.slot == IR_SLOT_DEPTH)
		sel_depth_first(s);
}

void sel_io(struct sel *s, struct ir_inst *in)
{
	switch (in->op) {
	case IR_SYSVAL: sysval(s, in); break;
	case IR_LOAD_ATTR: load_attr(s, in); break;
	case IR_BARY: bary(s, in); break;
	case IR_BARY_AT: bary_at(s, in); break;
	case IR_LOAD_INTERP: interpolate(s, in, (struct compiler_interp){ .slot = in->u.io.slot }); break;
	case IR_LOAD_POINT_COORD: interpolate(s, in, (struct compiler_interp){ .kind = COMPILER_INTERP_POINT_COORD }); break;
	case IR_LOAD_WEIGHT: interpolate(s, in, (struct compiler_interp){ .kind = COMPILER_INTERP_WEIGHTS }); break;
	case IR_LOAD_FLAT: load_vertex(s, in, COMPILER_INTERP_FLAT, 0); break;
	case IR_LOAD_VERTEX: load_vertex(s, in, COMPILER_INTERP_VERTICES, in->u.io.mode); break;
	case IR_STORE_OUTPUT: store_output(s, in); break;
	default: sel_merged(s, in); break;
	}
}
