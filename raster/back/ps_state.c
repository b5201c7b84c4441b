/* SPDX-License-Identifier: MIT */
/* Decodes the registers of a draw into what the back end asks for. */
#include "raster/back/ps_state.h"

#include <stdlib.h>
#include <string.h>
#include "isa/bits.h"
#include "isa/regs.h"
#include "isa/regs_table.h"
#include "raster/back/back.h"
#include "raster/draw.h"

static struct rs_stencil_face decode_face(const uint32_t *reg, bool back)
{
	uint32_t control = reg[R_DB_STENCIL_CONTROL], depth = reg[R_DB_DEPTH_CONTROL];
	uint32_t ref = reg[back ? R_DB_STENCILREFMASK_BF : R_DB_STENCILREFMASK];
	struct rs_stencil_face f;
	if (back) {
		f.func = (uint8_t)REG_GET(depth, DB_DEPTH_CONTROL, STENCILFUNC_BF);
		f.fail = (uint8_t)REG_GET(control, DB_STENCIL_CONTROL, STENCILFAIL_BF);
		f.zpass = (uint8_t)REG_GET(control, DB_STENCIL_CONTROL, STENCILZPASS_BF);
		f.zfail = (uint8_t)REG_GET(control, DB_STENCIL_CONTROL, STENCILZFAIL_BF);
	} else {
		f.func = (uint8_t)REG_GET(depth, DB_DEPTH_CONTROL, STENCILFUNC);
		f.fail = (uint8_t)REG_GET(control, DB_STENCIL_CONTROL, STENCILFAIL);
		f.zpass = (uint8_t)REG_GET(control, DB_STENCIL_CONTROL, STENCILZPASS);
		f.zfail = (uint8_t)REG_GET(control, DB_STENCIL_CONTROL, STENCILZFAIL);
	}
	f.ref = (uint8_t)REG_GET(ref, DB_STENCILREFMASK, STENCILTESTVAL);
	f.mask = (uint8_t)REG_GET(ref, DB_STENCILREFMASK, STENCILMASK);
	f.write_mask = (uint8_t)REG_GET(ref, DB_STENCILREFMASK, STENCILWRITEMASK);
	return f;
}

/* A failing test changes the stencil: it may not run before a shader that may
 * discard the lane. */
static bool failing_writes(const struct rs_ps_state *s)
{
	for (unsigned i = 0; s->stencil_enable && i < 2; i++)
		if (s->face[i].write_mask && (s->face[i].fail != STENCIL_KEEP || s->face[i].zfail != STENCIL_KEEP))
			return true;
	return false;
}

static uint8_t decode_order(const struct rs_ps_state *s, uint32_t control)
{
	if (REG_GET(control, DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER))
		return RS_Z_EARLY;
	if (s->z_export || s->stencil_export || s->side_effects)
		return RS_Z_LATE;
	if (s->kill || s->mask_export || s->alpha_to_mask)
		return failing_writes(s) ? RS_Z_LATE : RS_Z_EARLY_TEST;
	return RS_Z_EARLY;
}

/* Other tests change nothing where this one fails.  Depths that pass make others' tests no easier. */
static bool has_depth_first(const struct rs_ps_state *s)
{
	const bool narrows = s->z_func == COMPARE_LESS || s->z_func == COMPARE_LEQUAL || s->z_func == COMPARE_GREATER ||
		s->z_func == COMPARE_GEQUAL;
	return s->order == RS_Z_LATE && s->z_export && s->z_enable && s->samples == 1 && !s->stencil_enable && !s->stencil_export &&
		!s->mask_export && !s->alpha_to_mask && !s->side_effects && (narrows || !s->kill);
}

static void decode_db(struct rs_ps_state *s, const uint32_t *reg, bool has_ps)
{
	uint32_t depth = reg[R_DB_DEPTH_CONTROL], control = has_ps ? reg[R_DB_SHADER_CONTROL] : 0;
	s->z_enable = REG_GET(depth, DB_DEPTH_CONTROL, Z_ENABLE);
	s->z_write = s->z_enable && REG_GET(depth, DB_DEPTH_CONTROL, Z_WRITE_ENABLE) &&
		!REG_GET(reg[R_DB_DEPTH_VIEW], DB_DEPTH_VIEW, Z_READ_ONLY);
	s->z_func = (uint8_t)REG_GET(depth, DB_DEPTH_CONTROL, ZFUNC);
	s->bounds_enable = REG_GET(depth, DB_DEPTH_CONTROL, DEPTH_BOUNDS_ENABLE);
	s->bounds_min = bits_float(reg[R_DB_DEPTH_BOUNDS_MIN]);
	s->bounds_max = bits_float(reg[R_DB_DEPTH_BOUNDS_MAX]);
	s->stencil_enable = REG_GET(depth, DB_DEPTH_CONTROL, STENCIL_ENABLE);
	s->face[1] = decode_face(reg, false);
	s->face[0] = REG_GET(depth, DB_DEPTH_CONTROL, BACKFACE_ENABLE) ? decode_face(reg, true) : s->face[1];
	if (REG_GET(reg[R_DB_DEPTH_VIEW], DB_DEPTH_VIEW, STENCIL_READ_ONLY))
		s->face[0].write_mask = s->face[1].write_mask = 0;
	s->z_export = REG_GET(control, DB_SHADER_CONTROL, Z_EXPORT_ENABLE);
	s->stencil_export = REG_GET(control, DB_SHADER_CONTROL, STENCIL_TEST_VAL_EXPORT_ENABLE);
	s->kill = REG_GET(control, DB_SHADER_CONTROL, KILL_ENABLE);
	s->mask_export = REG_GET(control, DB_SHADER_CONTROL, MASK_EXPORT_ENABLE);
	s->side_effects = REG_GET(control, DB_SHADER_CONTROL, EXEC_ON_NOOP);
	s->alpha_to_mask = has_ps && REG_GET(reg[R_DB_ALPHA_TO_MASK], DB_ALPHA_TO_MASK, ALPHA_TO_MASK_ENABLE);
	s->alpha_from_z = REG_GET(control, DB_SHADER_CONTROL, COVERAGE_TO_MASK_ENABLE);
	s->order = decode_order(s, control);
	if (REG_GET(control, DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER))
		s->z_export = s->stencil_export = false; /* the tests are over */
	for (unsigned v = 0; v < 16; v++) {
		s->clamp_min[v] = bits_float(reg[R_PA_SC_VPORT_ZMIN + v * PA_SC_VPORT_ZMIN__STRIDE]);
		s->clamp_max[v] = bits_float(reg[R_PA_SC_VPORT_ZMAX + v * PA_SC_VPORT_ZMAX__STRIDE]);
	}
}

static struct rs_attr decode_attr(uint32_t cntl)
{
	static const float defaults[4][4] = { { 0, 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1, 0 }, { 1, 1, 1, 1 } };
	struct rs_attr a = { .param = REG_GET(cntl, SPI_PS_INPUT_CNTL, OFFSET) & 31 };
	if (REG_GET(cntl, SPI_PS_INPUT_CNTL, PT_SPRITE_TEX))
		a.kind = RS_ATTR_POINT;
	else if (REG_GET(cntl, SPI_PS_INPUT_CNTL, QW_WEIGHTS))
		a.kind = RS_ATTR_WEIGHTS;
	else if (REG_GET(cntl, SPI_PS_INPUT_CNTL, OFFSET) & 32)
		a.kind = RS_ATTR_DEFAULT;
	else if (REG_GET(cntl, SPI_PS_INPUT_CNTL, FLAT_SHADE))
		a.kind = RS_ATTR_FLAT;
	else if (REG_GET(cntl, SPI_PS_INPUT_CNTL, QW_VERTICES))
		a.kind = RS_ATTR_VERTICES;
	memcpy(a.value, defaults[REG_GET(cntl, SPI_PS_INPUT_CNTL, DEFAULT_VAL)], sizeof a.value);
	return a;
}

static void decode_spi(struct rs_ps_state *s, const uint32_t *reg)
{
	uint8_t next = 0;
	s->ena = reg[R_SPI_PS_INPUT_ENA];
	for (unsigned i = 0; i < ISA_PS_INPUTS; i++) {
		s->vgpr[i] = s->ena >> i & 1 ? next : RS_VGPR_NONE;
		if (s->ena >> i & 1)
			next = (uint8_t)(next + isa_ps_input_vgprs[i]);
	}
	s->inputs.count = next;
	s->inputs.set = CU_SETS_QUADS;
	/* with one sample, sample, centre and centroid are the same place */
	for (unsigned i = 0; i < 3; i++) {
		unsigned p = SPI_PS_INPUT_ENA__PERSP_SAMPLE_ENA__LO + i, l = SPI_PS_INPUT_ENA__LINEAR_SAMPLE_ENA__LO + i;
		if (s->vgpr[p] != RS_VGPR_NONE)
			s->perspective[s->perspective_count++] = s->vgpr[p];
		if (s->vgpr[l] != RS_VGPR_NONE)
			s->linear[s->linear_count++] = s->vgpr[l];
	}
	s->provoking_last = REG_GET(reg[R_PA_SU_SC_MODE_CNTL], PA_SU_SC_MODE_CNTL, PROVOKING_VTX_LAST);
	s->num_interp = REG_GET(reg[R_SPI_PS_IN_CONTROL], SPI_PS_IN_CONTROL, NUM_INTERP);
	if (s->num_interp > RS_MAX_ATTRS)
		s->num_interp = RS_MAX_ATTRS;
	for (unsigned n = 0; n < s->num_interp; n++)
		s->attr[n] = decode_attr(reg[R_SPI_PS_INPUT_CNTL + n]);
}

static void decode_samples(struct rs_ps_state *s, const struct rs_context *context)
{
	const uint32_t *reg = context->reg;
	s->samples = rs_samples(context, s->offset_x, s->offset_y);
	for (unsigned k = 0; k < s->samples; k++) {
		s->sample_x[k] = (float)s->offset_x[k] / 256;
		s->sample_y[k] = (float)s->offset_y[k] / 256;
	}
	s->sample_mask = reg[R_PA_SC_AA_MASK_X0Y0_X1Y0] & ((1u << s->samples) - 1);
	if (s->samples == 1)
		return;
	s->iterate = REG_GET(reg[R_PA_SC_MODE_CNTL_1], PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE);
	s->position = (uint8_t)REG_GET(reg[R_SPI_BARYC_CNTL], SPI_BARYC_CNTL, POS_FLOAT_LOCATION);
	if (s->position > POS_FLOAT_SAMPLE)
		s->position = POS_FLOAT_CENTER;
	const uint32_t elsewhere = REG_SET(SPI_PS_INPUT_ENA, PERSP_SAMPLE_ENA, 1) |
		REG_SET(SPI_PS_INPUT_ENA, PERSP_CENTROID_ENA, 1) | REG_SET(SPI_PS_INPUT_ENA, LINEAR_SAMPLE_ENA, 1) |
		REG_SET(SPI_PS_INPUT_ENA, LINEAR_CENTROID_ENA, 1) | REG_SET(SPI_PS_INPUT_ENA, ANCILLARY_ENA, 1) |
		REG_SET(SPI_PS_INPUT_ENA, SAMPLE_COVERAGE_ENA, 1);
	s->sample_inputs = (s->ena & elsewhere) || s->position;
}

static struct rs_blend decode_blend(uint32_t cntl)
{
	struct rs_blend b = {
		.enable = REG_GET(cntl, CB_BLEND_CONTROL, ENABLE),
		.color_src = (uint8_t)REG_GET(cntl, CB_BLEND_CONTROL, COLOR_SRCBLEND),
		.color_dst = (uint8_t)REG_GET(cntl, CB_BLEND_CONTROL, COLOR_DESTBLEND),
		.color_op = (uint8_t)REG_GET(cntl, CB_BLEND_CONTROL, COLOR_COMB_FCN),
		.alpha_src = (uint8_t)REG_GET(cntl, CB_BLEND_CONTROL, ALPHA_SRCBLEND),
		.alpha_dst = (uint8_t)REG_GET(cntl, CB_BLEND_CONTROL, ALPHA_DESTBLEND),
		.alpha_op = (uint8_t)REG_GET(cntl, CB_BLEND_CONTROL, ALPHA_COMB_FCN),
	};
	if (!REG_GET(cntl, CB_BLEND_CONTROL, SEPARATE_ALPHA_BLEND)) {
		b.alpha_src = b.color_src;
		b.alpha_dst = b.color_dst;
		b.alpha_op = b.color_op;
	}
	return b;
}

static bool uses_src1(const struct rs_blend *b)
{
	const uint8_t f[4] = { b->color_src, b->color_dst, b->alpha_src, b->alpha_dst };
	for (unsigned i = 0; b->enable && i < 4; i++)
		if (f[i] >= BLEND_SRC1_COLOR && f[i] <= BLEND_ONE_MINUS_SRC1_ALPHA)
			return true;
	return false;
}

static void decode_cb(struct rs_ps_state *s, const uint32_t *reg, bool has_ps)
{
	uint32_t control = reg[R_CB_COLOR_CONTROL];
	s->rop = (uint8_t)REG_GET(control, CB_COLOR_CONTROL, ROP3);
	s->write_mask = reg[R_CB_TARGET_MASK] & reg[R_CB_SHADER_MASK];
	if (!has_ps || !REG_GET(control, CB_COLOR_CONTROL, MODE))
		s->write_mask = 0;
	for (unsigned n = 0; n < RS_MAX_COLOR; n++)
		s->blend[n] = decode_blend(reg[R_CB_BLEND_CONTROL + n * CB_BLEND_CONTROL__STRIDE]);
	s->dual_source = uses_src1(&s->blend[0]);
	if (s->dual_source)
		s->write_mask &= 0xf; /* mrt1 is the second source */
	s->constant[0] = bits_float(reg[R_CB_BLEND_RED]);
	s->constant[1] = bits_float(reg[R_CB_BLEND_GREEN]);
	s->constant[2] = bits_float(reg[R_CB_BLEND_BLUE]);
	s->constant[3] = bits_float(reg[R_CB_BLEND_ALPHA]);
}

struct rs_ps_state *rs_ps_state_create(const struct rs_context *context, const struct cu_program *ps)
{
	struct rs_ps_state *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	decode_db(s, context->reg, ps != NULL);
	decode_spi(s, context->reg);
	if (ps)
		cu_inputs_list(&s->inputs, ps);
	s->inputs.sgprs = 1; /* the one with the newprimmask */
	decode_samples(s, context);
	s->depth_first = has_depth_first(s);
	decode_cb(s, context->reg, ps != NULL);
	return s;
}

void rs_ps_state_destroy(struct rs_ps_state *s)
{
	free(s);
}
