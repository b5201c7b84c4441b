/* SPDX-License-Identifier: MIT */
/* Primitive assembly state from context registers. */
#include "raster/front/pa_state.h"

#include <string.h>
#include "isa/bits.h"
#include "isa/regs.h"
#include "raster/draw.h"
#include "raster/pass.h"

static int32_t max_i(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t min_i(int32_t a, int32_t b) { return a < b ? a : b; }

static void init_viewport(struct rs_viewport *v, const uint32_t *reg, unsigned i, const struct rs_pass *pass)
{
	const uint32_t *r = reg + i * PA_CL_VPORT_XSCALE__STRIDE;
	uint32_t vte = reg[R_PA_CL_VTE_CNTL];
	v->scale[0] = vte & 1 ? bits_float(r[R_PA_CL_VPORT_XSCALE]) : 1;
	v->offset[0] = vte & 2 ? bits_float(r[R_PA_CL_VPORT_XOFFSET]) : 0;
	v->scale[1] = vte & 4 ? bits_float(r[R_PA_CL_VPORT_YSCALE]) : 1;
	v->offset[1] = vte & 8 ? bits_float(r[R_PA_CL_VPORT_YOFFSET]) : 0;
	v->scale[2] = vte & 16 ? bits_float(r[R_PA_CL_VPORT_ZSCALE]) : 1;
	v->offset[2] = vte & 32 ? bits_float(r[R_PA_CL_VPORT_ZOFFSET]) : 0;

	uint32_t stl = reg[R_PA_SC_SCREEN_SCISSOR_TL], sbr = reg[R_PA_SC_SCREEN_SCISSOR_BR];
	uint32_t tl = reg[R_PA_SC_VPORT_SCISSOR_TL + i * PA_SC_VPORT_SCISSOR_TL__STRIDE];
	uint32_t br = reg[R_PA_SC_VPORT_SCISSOR_BR + i * PA_SC_VPORT_SCISSOR_BR__STRIDE];
	v->x0 = max_i(max_i((int16_t)(stl & 0xffff), (int32_t)(tl & 0x7fff)), 0);
	v->y0 = max_i(max_i((int16_t)(stl >> 16), (int32_t)(tl >> 16 & 0x7fff)), 0);
	v->x1 = min_i(min_i((int16_t)(sbr & 0xffff), (int32_t)(br & 0x7fff)), (int32_t)pass->width);
	v->y1 = min_i(min_i((int16_t)(sbr >> 16), (int32_t)(br >> 16 & 0x7fff)), (int32_t)pass->height);
}

static void init_clip(struct rs_pa_state *s, const uint32_t *reg)
{
	uint32_t clip = reg[R_PA_CL_CLIP_CNTL], out = reg[R_PA_CL_VS_OUT_CNTL];
	s->rast_stream = (uint8_t)REG_GET(reg[R_VGT_STRMOUT_CONFIG], VGT_STRMOUT_CONFIG, RAST_STREAM);
	s->kill = REG_GET(clip, PA_CL_CLIP_CNTL, DX_RASTERIZATION_KILL);
	s->clip = !REG_GET(clip, PA_CL_CLIP_CNTL, CLIP_DISABLE);
	s->near_clip = s->clip && !REG_GET(clip, PA_CL_CLIP_CNTL, ZCLIP_NEAR_DISABLE);
	s->far_clip = s->clip && !REG_GET(clip, PA_CL_CLIP_CNTL, ZCLIP_FAR_DISABLE);
	s->z_symmetric = !REG_GET(clip, PA_CL_CLIP_CNTL, DX_CLIP_SPACE_DEF);
	s->transform = reg[R_PA_CL_VTE_CNTL] & 0x3f;
	s->divide = REG_GET(reg[R_PA_CL_VTE_CNTL], PA_CL_VTE_CNTL, VTX_W0_FMT);
	s->clip_mask = s->clip ? REG_GET(out, PA_CL_VS_OUT_CNTL, CLIP_DIST_ENA) : 0;
	s->cull_mask = REG_GET(out, PA_CL_VS_OUT_CNTL, CULL_DIST_ENA);
	s->misc = REG_GET(out, PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA);
	s->ccdist[0] = REG_GET(out, PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST0_VEC_ENA);
	s->ccdist[1] = REG_GET(out, PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST1_VEC_ENA);
	s->vertex_size = s->misc && REG_GET(out, PA_CL_VS_OUT_CNTL, USE_VTX_POINT_SIZE);
	s->vertex_layer = s->misc && REG_GET(out, PA_CL_VS_OUT_CNTL, USE_VTX_RENDER_TARGET_INDX);
	s->vertex_viewport = s->misc && REG_GET(out, PA_CL_VS_OUT_CNTL, USE_VTX_VIEWPORT_INDX);
	/* Distances that are not exported neither clip nor cull. */
	uint8_t exported = (uint8_t)((s->ccdist[0] ? 0x0f : 0) | (s->ccdist[1] ? 0xf0 : 0));
	s->clip_mask &= exported;
	s->cull_mask &= exported;
}

static uint8_t fill_type(uint32_t ptype)
{
	return (uint8_t)(ptype < PTYPE_TRIANGLES ? ptype : PTYPE_TRIANGLES);
}

static void init_polygon(struct rs_pa_state *s, const uint32_t *reg)
{
	uint32_t mode = reg[R_PA_SU_SC_MODE_CNTL];
	s->cull_front = REG_GET(mode, PA_SU_SC_MODE_CNTL, CULL_FRONT);
	s->cull_back = REG_GET(mode, PA_SU_SC_MODE_CNTL, CULL_BACK);
	s->clockwise_front = REG_GET(mode, PA_SU_SC_MODE_CNTL, FACE) == FACE_CW;
	s->provoking_last = REG_GET(mode, PA_SU_SC_MODE_CNTL, PROVOKING_VTX_LAST);
	s->ptype[0] = s->ptype[1] = PTYPE_TRIANGLES;
	if (REG_GET(mode, PA_SU_SC_MODE_CNTL, POLY_MODE) == 1) {
		s->ptype[0] = fill_type(REG_GET(mode, PA_SU_SC_MODE_CNTL, POLYMODE_FRONT_PTYPE));
		s->ptype[1] = fill_type(REG_GET(mode, PA_SU_SC_MODE_CNTL, POLYMODE_BACK_PTYPE));
	}
	s->offset[0] = REG_GET(mode, PA_SU_SC_MODE_CNTL, POLY_OFFSET_FRONT_ENABLE);
	s->offset[1] = REG_GET(mode, PA_SU_SC_MODE_CNTL, POLY_OFFSET_BACK_ENABLE);
	s->offset_slope[0] = bits_float(reg[R_PA_SU_POLY_OFFSET_FRONT_SCALE]);
	s->offset_units[0] = bits_float(reg[R_PA_SU_POLY_OFFSET_FRONT_OFFSET]);
	s->offset_slope[1] = bits_float(reg[R_PA_SU_POLY_OFFSET_BACK_SCALE]);
	s->offset_units[1] = bits_float(reg[R_PA_SU_POLY_OFFSET_BACK_OFFSET]);
	s->offset_clamp = bits_float(reg[R_PA_SU_POLY_OFFSET_CLAMP]);
	s->z_float = REG_GET(reg[R_DB_Z_INFO], DB_Z_INFO, FORMAT) == Z_FORMAT_32_FLOAT;
	s->z_unit = REG_GET(reg[R_DB_Z_INFO], DB_Z_INFO, FORMAT) == Z_FORMAT_16 ? 0x1p-16f : 0x1p-24f;
}

static void init_params(struct rs_pa_state *s, const uint32_t *reg)
{
	unsigned n = REG_GET(reg[R_SPI_PS_IN_CONTROL], SPI_PS_IN_CONTROL, NUM_INTERP);
	for (unsigned i = 0; i < n && i < RS_MAX_ATTRS; i++) {
		uint32_t cntl = reg[R_SPI_PS_INPUT_CNTL + i];
		unsigned offset = REG_GET(cntl, SPI_PS_INPUT_CNTL, OFFSET);
		bool vertices = REG_GET(cntl, SPI_PS_INPUT_CNTL, QW_VERTICES);
		s->numbered |= vertices || REG_GET(cntl, SPI_PS_INPUT_CNTL, QW_WEIGHTS);
		if (offset >= RS_MAX_ATTRS || REG_GET(cntl, SPI_PS_INPUT_CNTL, PT_SPRITE_TEX))
			continue;
		if (s->params <= offset)
			s->params = offset + 1;
		if (REG_GET(cntl, SPI_PS_INPUT_CNTL, FLAT_SHADE))
			s->flat |= 1u << offset;
		if (vertices)
			s->vertices |= 1u << offset;
	}
}

static void init_samples(struct rs_pa_state *s, const struct rs_context *c)
{
	s->samples = rs_samples(c, s->sample_x, s->sample_y);
	s->left = s->right = s->sample_x[0];
	s->up = s->down = s->sample_y[0];
	for (unsigned k = 1; k < s->samples; k++) {
		s->left = min_i(s->left, s->sample_x[k]);
		s->right = max_i(s->right, s->sample_x[k]);
		s->up = min_i(s->up, s->sample_y[k]);
		s->down = max_i(s->down, s->sample_y[k]);
	}
	for (unsigned i = 0; i < 16; i++) {
		struct rs_viewport *v = &s->vp[i];
		v->first_x = 127 - s->right;
		v->first_y = 127 - s->down;
		v->end_x = 128 - s->left;
		v->end_y = 128 - s->up;
	}
}

static uint32_t count_slices(const struct rs_pass *pass)
{
	uint32_t n = UINT32_MAX;
	for (unsigned i = 0; i < RS_MAX_COLOR; i++)
		if (pass->targets.color[i].plane.base && pass->targets.color[i].plane.slices < n)
			n = pass->targets.color[i].plane.slices;
	if (pass->targets.depth.plane.base && pass->targets.depth.plane.slices < n)
		n = pass->targets.depth.plane.slices;
	if (pass->targets.stencil.plane.base && pass->targets.stencil.plane.slices < n)
		n = pass->targets.stencil.plane.slices;
	return n == UINT32_MAX ? 2048 : n;
}

void rs_pa_state_init(struct rs_pa_state *s, const struct rs_context *c, const struct rs_pass *pass)
{
	const uint32_t *reg = c->reg;
	memset(s, 0, sizeof *s);
	for (unsigned i = 0; i < 16; i++)
		init_viewport(&s->vp[i], reg, i, pass);
	init_samples(s, c);
	init_clip(s, reg);
	init_polygon(s, reg);
	init_params(s, reg);
	/* Sizes are half, in 1/16 pixel. */
	s->point_size = (float)REG_GET(reg[R_PA_SU_POINT_SIZE], PA_SU_POINT_SIZE, WIDTH) / 8;
	s->point_min = (float)REG_GET(reg[R_PA_SU_POINT_MINMAX], PA_SU_POINT_MINMAX, MIN_SIZE) / 8;
	s->point_max = (float)REG_GET(reg[R_PA_SU_POINT_MINMAX], PA_SU_POINT_MINMAX, MAX_SIZE) / 8;
	s->line_width = (float)REG_GET(reg[R_PA_SU_LINE_CNTL], PA_SU_LINE_CNTL, WIDTH) / 8;
	s->rectangular = REG_GET(reg[R_PA_SC_LINE_CNTL], PA_SC_LINE_CNTL, PERPENDICULAR_ENDCAP_ENA);
	s->slices = count_slices(pass);
	s->primitive_id = REG_GET(reg[R_VGT_PRIMITIVEID_EN], VGT_PRIMITIVEID_EN, PRIMITIVEID_EN);
	s->id_param = (uint8_t)REG_GET(reg[R_VGT_PRIMITIVEID_EN], VGT_PRIMITIVEID_EN, QW_PARAM);
	s->small = !REG_GET(reg[R_PA_SC_AA_CONFIG], PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES);
}
