/* SPDX-License-Identifier: MIT */
/* Texels of one or two bytes within regions, 8 and 8_8 UNORM: codes are filtered as floats and then divided, as
 * core/tex/tex_components.h has it. */
#include <string.h>
#include "core/jit/jit_image_priv.h"
#include "core/jit/jit_vector.h"

/* t[0]: of each lane the texels of the first row and, of 8, of the second; else t[1] has those. */
static void load_four(struct jit_region *g, const struct jit_read *r, unsigned bytes)
{
	/* A row's two where they are apart, all four of 8; where two of a row are one load, that of both rows, or of each. */
	const struct jit_parts apart = { bytes, 4 / bytes, 1 }, two = bytes == 1 ? (struct jit_parts){ 2, 2, 2 } : (struct jit_parts){ 4, 1, 0 };
	const unsigned row = r->row + ROW_AT;
	int pairs = jit_x_label(g->b), there = jit_x_label(g->b);
	X(g->b, CMP, jit_image_row(row + 1, 0, 4), jit_x_imm(0));
	XJ(g->b, JL, pairs);
	for (unsigned n = 0; n < bytes; n++)
		jit_image_load(g, row + 2 * n, apart, r->t[n]);
	XJ(g->b, JMP, there);
	jit_x_bind(g->b, pairs);
	for (unsigned n = 0; n < bytes; n++)
		jit_image_load(g, row + 2 * n, two, r->t[n]);
	jit_x_bind(g->b, there);
}

/* x = byte `byte` of dwords as a float; they may be x. */
static void code(struct jit_region *g, struct xo x, struct xo dwords, unsigned byte)
{
	if (byte == 0) {
		VXD(g, VPAND, x, dwords, jit_v_const(g, 0xff));
	} else {
		if (byte < 3)
			VX(g, VPSLLD, x, dwords, jit_x_imm(24 - 8 * byte));
		VX(g, VPSRLD, x, byte < 3 ? x : dwords, jit_x_imm(24));
	}
	VX(g, VCVTDQ2PS, x, x);
}

/* b = a + weight (b - a), of a row's weights. */
static void mix(struct jit_region *g, struct xo b, struct xo a, unsigned row)
{
	VX(g, VSUBPS, b, b, a);
	VX(g, VFMADD132PS, b, a, jit_image_row(row, 0, 4 * jit_image_lanes(g)));
}

/* x = bytes a and b of dwords, which may be x, weighed along x. */
static void mix_codes(struct jit_region *g, const struct jit_read *r, struct xo x, struct xo dwords, unsigned a, unsigned b)
{
	const struct xo first = jit_image_spare(g);
	code(g, first, dwords, a);
	code(g, x, dwords, b);
	mix(g, x, first, r->weight[0]);
}

/* x over 255 as tex_divide has it; uses up y. */
static void divide(struct jit_region *g, struct xo x, struct xo y)
{
	const float high = 1.0f / 255, low = (float)(1.0 / 255 - (double)high);
	uint32_t bits[2];
	memcpy(&bits[0], &high, 4);
	memcpy(&bits[1], &low, 4);
	VX(g, VMULPS, y, x, jit_v_const(g, bits[1]));
	VX(g, VFMADD132PS, x, y, jit_v_const(g, bits[0]));
}

/* t[0], and t[1] of two components. */
static void read_linear(struct jit_region *g, const struct jit_read *r, unsigned bytes)
{
	const struct xo *t = r->t;
	load_four(g, r, bytes);
	if (bytes == 1) {
		mix_codes(g, r, t[2], t[0], 0, 1);
		mix_codes(g, r, t[0], t[0], 2, 3);
	} else {
		mix_codes(g, r, t[2], t[0], 0, 2);
		mix_codes(g, r, t[3], t[0], 1, 3);
		mix_codes(g, r, t[0], t[1], 0, 2);
		mix_codes(g, r, t[1], t[1], 1, 3);
	}
	for (unsigned c = 0; c < bytes; c++) {
		mix(g, t[c], t[2 + c], r->weight[1]);
		divide(g, t[c], t[2 + c]);
	}
}

static void read_nearest(struct jit_region *g, const struct jit_read *r, unsigned bytes)
{
	jit_image_load_in_rows(g, r->row + ROW_AT, bytes, r->t[0], r->t[1]);
	jit_image_keep_inside(g, r, r->t[0]);
	for (unsigned c = bytes; c-- > 0;)
		jit_image_unorm8(g, c, r->t[c], r->t[0], r->t[2]);
}

void jit_narrow_read(struct jit_region *g, const struct jit_read *r, unsigned bytes)
{
	const struct xo second = jit_image_spare(g);
	int nearest = jit_x_label(g->b), there = jit_x_label(g->b);
	if (!r->load) {
		X(g->b, CMP, FLAG(linear), jit_x_imm(0));
		XJ(g->b, JZ, nearest);
		read_linear(g, r, bytes);
		XJ(g->b, JMP, there);
	}
	jit_x_bind(g->b, nearest);
	read_nearest(g, r, bytes);
	jit_x_bind(g->b, there);
	for (unsigned c = 0; c < 4; c++) {
		if (!r->x[c].kind)
			continue;
		VX(g, VANDPS, r->x[c], r->t[0], OF(takes[c]));
		if (bytes == 2) {
			VX(g, VANDPS, second, r->t[1], OF(takes_second[c]));
			VX(g, VORPS, r->x[c], r->x[c], second);
		}
		VX(g, VORPS, r->x[c], r->x[c], OF(adds[c]));
	}
}
