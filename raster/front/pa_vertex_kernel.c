/* SPDX-License-Identifier: MIT */
/* Vertices to window coordinates and clip codes, a vector at a time. */
#include <string.h>
#include "core/level.h"
#include "core/vec.h"
#include "raster/front/front.h"
#include "raster/front/pa.h"
#include "raster/front/pa_state.h"

static vi distance_codes(const struct rs_batch *b, uint32_t mask, uint32_t first_code, unsigned v)
{
	vi code = { 0 };
	for (; mask; mask &= mask - 1) {
		unsigned i = (unsigned)__builtin_ctz(mask);
		vi inside = (vi)(v_loadf(&b->dist[i][v]) >= 0); /* NaN is outside */
		code |= ~inside & v_set((int32_t)(first_code << i));
	}
	return code;
}

/* Of VL vertices from v on. */
static void store_rows(struct rs_batch *b, unsigned v, vi x, vi y, vi code, vi z)
{
	const v_int_reg column[4] = { (v_int_reg)x, (v_int_reg)y, (v_int_reg)code, (v_int_reg)z };
	__m128i line[4][VL / 4];
	vi row[4];
	v_transpose(column, row); /* its own inverse */
	memcpy(line, row, sizeof line);
	for (unsigned i = 0; i < VL; i++)
		_mm_store_si128((__m128i *)b->row[v + i], line[i % 4][i / 4]);
}

static void vertices(struct rs_batch *b, const struct rs_pa_state *pa, unsigned v)
{
	const struct rs_viewport *vp = &pa->vp[0];
	const vf zero = { 0 };
	vf pos[4], win[3], guard = v_setf(RS_GUARD);
	for (int i = 0; i < 4; i++)
		pos[i] = v_loadf(&b->pos[i][v]);
	vf w = pa->divide ? pos[3] : v_setf(1);
	vi front = (vi)(w > zero);
	for (int i = 0; i < 3; i++) {
		win[i] = pos[i] / w * v_setf(vp->scale[i]) + v_setf(vp->offset[i]);
		win[i] = v_self(front, win[i], zero);
		v_storef(&b->win[i][v], win[i]);
	}
	vi finite = (vi)(pos[0] - pos[0] == zero) & (vi)(pos[1] - pos[1] == zero) &
		(vi)(pos[2] - pos[2] == zero) & (vi)(pos[3] - pos[3] == zero);
	vi code = ~finite & RS_CODE_DROP;
	code |= ~front & RS_CODE_W;
	code |= ~(vi)(win[0] >= -guard) & RS_CODE_X0;
	code |= ~(vi)(win[0] <= guard) & RS_CODE_X1;
	code |= ~(vi)(win[1] >= -guard) & RS_CODE_Y0;
	code |= ~(vi)(win[1] <= guard) & RS_CODE_Y1;
	vi placed = (vi)(code == 0);
	const vi x = placed & v_round(win[0] * v_setf(256)), y = placed & v_round(win[1] * v_setf(256));
	v_store(&b->x[v], x);
	v_store(&b->y[v], y);
	if (pa->near_clip)
		code |= (vi)(pos[2] < (pa->z_symmetric ? -w : zero)) & RS_CODE_NEAR;
	if (pa->far_clip)
		code |= (vi)(pos[2] > w) & RS_CODE_FAR;
	code |= distance_codes(b, pa->clip_mask, RS_CODE_USER, v);
	code |= distance_codes(b, pa->cull_mask, RS_CODE_CULL, v);
	v_storef(&b->inv_w[v], pa->divide ? v_setf(1) / pos[3] : pos[3]);
	v_store(&b->code[v], code);
	store_rows(b, v, x, y, code, (vi)win[2]);
}

void CU_FN(rs_pa_vertices)(struct rs_batch *b, const struct rs_pa_state *pa)
{
	for (unsigned v = 0; v < b->count; v += VL)
		vertices(b, pa, v);
}
