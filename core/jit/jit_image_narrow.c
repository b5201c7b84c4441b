/* SPDX-License-Identifier: MIT */
/* Texels of one or two bytes within regions, 8 and 8_8 UNORM: codes are filtered as floats and then divided, as
 * core/tex/tex_components.h has it. */
#include <string.h>
#include "core/jit/jit_image_priv.h"
#include "core/jit/jit_vector.h"

/* Texels of lanes, one each, as the lowest bits of dwords. */
static void load_line(struct jit_region *g, unsigned row, unsigned first, unsigned bytes, struct xo line)
{
	VXD(g, VPXOR, line, line, line);
	for (unsigned l = 0; l < 4; l++) {
		const struct xo texel = jit_image_texel(g, row, first + l, bytes);
		if (bytes == 1)
			X(g->b, VPINSRB, line, line, texel, jit_x_imm(4 * l));
		else
			X(g->b, VPINSRW, line, line, texel, jit_x_imm(2 * l));
	}
}

/* Texels of a dword for each lane: four of 8, a row's two of 8_8. */
static void load_apart_line(struct jit_region *g, unsigned row, unsigned first, unsigned bytes, struct xo line)
{
	const unsigned count = 4 / bytes;
	VXD(g, VPXOR, line, line, line);
	for (unsigned k = 0; k < 4 * count; k++) {
		const struct xo texel = jit_image_texel(g, row + k % count, first + k / count, bytes);
		if (bytes == 1)
			X(g->b, VPINSRB, line, line, texel, jit_x_imm(k));
		else
			X(g->b, VPINSRW, line, line, texel, jit_x_imm(k));
	}
}

/* The same of 8 where two of a row are a word. */
static void load_pairs_line(struct jit_region *g, unsigned row, unsigned first, unsigned bytes, struct xo line)
{
	(void)bytes;
	VXD(g, VPXOR, line, line, line);
	for (unsigned k = 0; k < 8; k++)
		X(g->b, VPINSRW, line, line, jit_image_texel(g, row + k % 2 * 2, first + k / 2, 2), jit_x_imm(k));
}

static void load_lines(struct jit_region *g, unsigned row, unsigned bytes, struct xo x,
	void (*load)(struct jit_region *, unsigned, unsigned, unsigned, struct xo))
{
	load(g, row, 0, bytes, jit_low(g, x));
	for (unsigned n = 1; n < jit_image_lanes(g) / 4; n++) {
		load(g, row, 4 * n, bytes, jit_image_line(g));
		jit_image_insert(g, x, n);
	}
}

/* t[0]: of each lane the texels of the first row and, of 8, of the second; else t[1] has those. */
static void load_four(struct jit_region *g, const struct jit_read *r, unsigned bytes)
{
	const unsigned row = r->row + ROW_AT;
	int pairs = jit_x_label(g->b), there = jit_x_label(g->b);
	jit_image_base(g);
	X(g->b, CMP, jit_image_row(row + 1, 0, 4), jit_x_imm(0));
	XJ(g->b, JL, pairs);
	for (unsigned n = 0; n < bytes; n++)
		load_lines(g, row + 2 * n, bytes, r->t[n], load_apart_line);
	XJ(g->b, JMP, there);
	jit_x_bind(g->b, pairs);
	if (bytes == 1) {
		load_lines(g, row, bytes, r->t[0], load_pairs_line);
	} else {
		jit_image_dwords(g, row, r->t[0]);
		jit_image_dwords(g, row + 2, r->t[1]);
	}
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
	const uint32_t three = 3, by765 = 0x3aab5601; /* as tex_unorm_byte has it */
	jit_image_base(g);
	load_lines(g, r->row + ROW_AT, bytes, r->t[0], load_line);
	jit_image_keep_inside(g, r, r->t[0]);
	for (unsigned c = bytes; c-- > 0;) {
		VX(g, VPMADDUBSW, r->t[c], r->t[0], jit_image_bytes(g, three << 8 * c));
		VX(g, VCVTDQ2PS, r->t[c], r->t[c]);
		VX(g, VMULPS, r->t[c], r->t[c], jit_v_const(g, by765));
	}
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
