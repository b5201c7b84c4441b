/* SPDX-License-Identifier: MIT */
/* Selection of exports: outputs gathered from the IR, written at the end. */
#include "compiler/gcn/sel.h"

#include "isa/regs.h"

/* Components of a slot; later stores win. */
struct output { struct ir_src src[4]; unsigned mask; };

static struct output find_output(const struct sel *s, unsigned slot)
{
	struct output o = { .mask = 0 };
	for (uint32_t i = 0; i < s->output_count; i++) {
		const struct ir_inst *in = s->outputs[i];
		for (unsigned c = 0; in->u.io.slot == slot && c < 4; c++)
			if (in->u.io.mask >> c & 1) {
				o.src[c] = in->src[c];
				o.mask |= 1u << c;
			}
	}
	return o;
}

bool sel_output(const struct sel *s, unsigned slot, struct ir_src src[4], unsigned *mask)
{
	struct output o = find_output(s, slot);
	for (unsigned c = 0; c < 4; c++)
		src[c] = o.src[c];
	*mask = o.mask;
	return o.mask;
}

static struct mir_inst *export_operands(struct sel *s, unsigned target, const mir_opnd v[4], unsigned mask)
{
	struct mir_inst *m = sel_emit(s, GCN_EXPORT);
	m->g.exp_target = (uint8_t)target;
	m->g.en = (uint8_t)mask;
	for (unsigned c = 0; c < 4; c++)
		if (mask >> c & 1)
			m->opnd[MIR_SRC0 + c] = v[c];
	return m;
}

static void output_operands(struct sel *s, const struct output *o, mir_opnd v[4])
{
	for (unsigned c = 0; c < 4; c++)
		v[c] = o->mask >> c & 1 ? sel_vgpr(s, o->src[c]) : MIR_NONE;
}

static struct mir_inst *export_output(struct sel *s, unsigned target, const struct output *o)
{
	mir_opnd v[4];
	output_operands(s, o, v);
	return export_operands(s, target, v, o->mask);
}

/* --- vertex shader --- */

static struct mir_inst *export_position(struct sel *s)
{
	struct output o = find_output(s, IR_SLOT_POSITION);
	mir_opnd v[4];
	for (unsigned c = 0; c < 4; c++)
		v[c] = o.mask >> c & 1 ? sel_vgpr(s, o.src[c]) : sel_const_v(s, 0);
	return export_operands(s, GCN_EXP_POS0, v, 15);
}

/* Point size in x, layer in z, viewport in w. */
const struct sel_misc sel_misc[3] = {
	{ IR_SLOT_POINT_SIZE, 0, REG_SET(PA_CL_VS_OUT_CNTL, USE_VTX_POINT_SIZE, 1) },
	{ IR_SLOT_LAYER, 2, REG_SET(PA_CL_VS_OUT_CNTL, USE_VTX_RENDER_TARGET_INDX, 1) },
	{ IR_SLOT_VIEWPORT, 3, REG_SET(PA_CL_VS_OUT_CNTL, USE_VTX_VIEWPORT_INDX, 1) },
};

static struct mir_inst *export_misc(struct sel *s, unsigned target)
{
	mir_opnd v[4];
	unsigned mask = 0;
	for (unsigned i = 0; i < 3; i++) {
		struct output o = find_output(s, sel_misc[i].slot);
		if (!(o.mask & 1))
			continue;
		v[sel_misc[i].comp] = sel_vgpr(s, o.src[0]);
		mask |= 1u << sel_misc[i].comp;
		s->out->pa_cl_vs_out_cntl |= sel_misc[i].use;
	}
	if (!mask)
		return NULL;
	s->out->pa_cl_vs_out_cntl |= REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA, 1);
	return export_operands(s, target, v, mask);
}

/* Distances 0..7: clip first, then cull. */
static unsigned gather_distances(struct sel *s, mir_opnd v[8])
{
	unsigned n = 0;
	for (unsigned cull = 0; cull < 2; cull++) {
		unsigned count = cull ? s->f->cull_distances : s->f->clip_distances;
		for (unsigned i = 0; i < count && n < 8; i++, n++) {
			struct output o = find_output(s, (cull ? COMPILER_SLOT_CULL0 : COMPILER_SLOT_CLIP0) + i / 4);
			v[n] = o.mask >> i % 4 & 1 ? sel_vgpr(s, o.src[i % 4]) : sel_const_v(s, 0);
			s->out->pa_cl_vs_out_cntl |= 1u << (cull ? PA_CL_VS_OUT_CNTL__CULL_DIST_ENA__LO + n
				: PA_CL_VS_OUT_CNTL__CLIP_DIST_ENA__LO + n);
		}
	}
	return n;
}

static void export_params(struct sel *s)
{
	for (unsigned slot = 0; slot < COMPILER_SLOT_COUNT; slot++) {
		struct output o = find_output(s, slot == COMPILER_SLOT_VIEWPORT ? IR_SLOT_VIEWPORT : slot);
		if (!o.mask)
			continue;
		if (s->out->param_count == 32) {
			sel_fail(s, COMPILER_UNSUPPORTED, "the vertex shader writes more than 32 outputs");
			return;
		}
		s->out->param_of_slot[slot] = (uint8_t)s->out->param_count;
		export_output(s, GCN_EXP_PARAM0 + s->out->param_count++, &o);
	}
}

static void export_vs(struct sel *s)
{
	mir_opnd distances[8];
	unsigned target = GCN_EXP_POS0 + 1, n = gather_distances(s, distances);
	struct mir_inst *last = export_position(s), *misc = export_misc(s, target);
	if (misc) {
		last = misc;
		target++;
	}
	for (unsigned first = 0; first < n; first += 4) {
		unsigned count = n - first < 4 ? n - first : 4;
		last = export_operands(s, target++, distances + first, (1u << count) - 1);
		s->out->pa_cl_vs_out_cntl |= first ? REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST1_VEC_ENA, 1)
			: REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST0_VEC_ENA, 1);
	}
	last->g.done = 1;
	export_params(s);
	sel_capture(s);
}

/* --- fragment shader --- */

enum { COL_FORMAT_32_ABGR = 9, Z_FORMAT_32_ABGR = 9, ONE = 0x3f800000 };

static struct mir_inst *export_colors(struct sel *s)
{
	struct mir_inst *last = NULL;
	for (unsigned i = 0; i < 9; i++) {
		/* The second source of blending follows in mrt1's place. */
		bool second = i == 8;
		unsigned target = second ? 1 : i;
		struct output o = find_output(s, second ? IR_SLOT_MRT0_SRC1 : IR_SLOT_MRT0 + i);
		mir_opnd v[4];
		if (!o.mask)
			continue;
		output_operands(s, &o, v);
		if (s->in->options.alpha_to_one >> (second ? 0 : i) & 1) {
			v[3] = sel_const_v(s, ONE);
			o.mask |= 8;
		}
		last = export_operands(s, target, v, o.mask);
		s->out->col_format |= (uint32_t)COL_FORMAT_32_ABGR << 4 * target;
		s->out->cb_shader_mask |= o.mask << 4 * (second ? 0 : i); /* either source makes the component */
	}
	return last;
}

static struct mir_inst *export_depth(struct sel *s)
{
	static const struct { uint8_t slot; uint32_t use; } parts[] = {
		{ IR_SLOT_DEPTH, REG_SET(DB_SHADER_CONTROL, Z_EXPORT_ENABLE, 1) },
		{ IR_SLOT_STENCIL, REG_SET(DB_SHADER_CONTROL, STENCIL_TEST_VAL_EXPORT_ENABLE, 1) },
		{ IR_SLOT_SAMPLE_MASK, REG_SET(DB_SHADER_CONTROL, MASK_EXPORT_ENABLE, 1) },
	};
	struct output color = find_output(s, IR_SLOT_MRT0);
	mir_opnd v[4];
	unsigned mask = 0;
	if (s->in->options.alpha_to_mask && color.mask & 8) { /* mrt0 has 1 there */
		v[3] = sel_vgpr(s, color.src[3]);
		mask = 8;
		s->out->db_shader_control |= REG_SET(DB_SHADER_CONTROL, COVERAGE_TO_MASK_ENABLE, 1);
	}
	for (unsigned c = 0; c < 3; c++) {
		struct output o = find_output(s, parts[c].slot);
		if (!(o.mask & 1))
			continue;
		v[c] = sel_vgpr(s, o.src[0]);
		mask |= 1u << c;
		s->out->db_shader_control |= parts[c].use;
	}
	if (!mask)
		return NULL;
	s->out->z_format = Z_FORMAT_32_ABGR;
	return export_operands(s, GCN_EXP_MRTZ, v, mask);
}

void sel_depth_first(struct sel *s) { export_depth(s); }

static void set_db_shader_control(struct sel *s)
{
	const struct ir_func *f = s->f;
	s->out->sample_shading = f->sample_shading;
	s->out->db_shader_control |= REG_SET(DB_SHADER_CONTROL, KILL_ENABLE, f->uses_demote) |
		REG_SET(DB_SHADER_CONTROL, EXEC_ON_NOOP, f->has_effects) |
		REG_SET(DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER, f->early_fragment_tests) |
		REG_SET(DB_SHADER_CONTROL, CONSERVATIVE_Z_EXPORT, f->depth_less ? 1 : f->depth_greater ? 2 : 0);
}

static void export_null(struct sel *s)
{
	struct mir_inst *m = export_operands(s, GCN_EXP_NULL, NULL, 0);
	m->g.done = m->g.vm = 1;
}

static void export_ps(struct sel *s)
{
	if (!s->exec_is_live)
		sel_emit2(s, GCN_S_MOV_B64, GCN_SRC_EXEC, s->live, MIR_NONE);
	struct mir_inst *depth = s->f->depth_first ? NULL : export_depth(s), *color = export_colors(s), *last = color ? color : depth;
	if (last)
		last->g.done = last->g.vm = 1;
	else
		export_null(s);
	set_db_shader_control(s);
}

void sel_epilogue(struct sel *s)
{
	if (s->in->options.first_half) {
		sel_leave_first(s);
		return;
	}
	if (s->f->stage == COMPILER_GS)
		sel_leave_geometry(s);
	else if (ir_stage_has(s->f, ISA_VERTICES))
		export_vs(s);
	else if (s->f->stage == COMPILER_PS)
		export_ps(s);
	sel_emit(s, GCN_S_ENDPGM);
	if (!s->killed)
		return;
	mir_place(s->m, s->killed);
	s->cur = s->killed;
	sel_emit2(s, GCN_S_MOV_B64, GCN_SRC_EXEC, GCN_SRC_0, MIR_NONE);
	export_null(s);
	sel_emit(s, GCN_S_ENDPGM);
}
