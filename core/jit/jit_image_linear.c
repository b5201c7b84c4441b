/* SPDX-License-Identifier: MIT */
/* Bilinear filtering within regions, as core/tex/tex_bytes.h has it. */
#include "core/jit/jit_image_priv.h"
#include "core/jit/jit_vector.h"

/* The two texels along an axis, a and b; k is used up. */
static void two(struct jit_region *g, struct xo v, unsigned axis, unsigned row, struct xo a, struct xo b, struct xo k)
{
	jit_image_fold(g, v, axis, a);
	X(g->b, VMOVAPS, k, jit_v_const(g, 0xc3000000)); /* -128 */
	X(g->b, VFMADD132PS, a, k, OF(scale256[axis]));
	X(g->b, VCVTPS2DQ, a, a);
	X(g->b, VMOVAPS, jit_image_row(row + ROW_X + axis, 0, 32), a);
	X(g->b, VPSRAD, a, a, jit_x_imm(8));
	X(g->b, VPADDD, b, a, jit_v_const(g, 1));
	X(g->b, VPCMPGTD, k, b, OF(last[axis]));
	X(g->b, VBLENDVPS, a, a, OF(before[axis]), a);
	X(g->b, VBLENDVPS, b, b, OF(beyond[axis]), k);
}

static void add_part(struct jit_region *g, struct xo to, struct xo table, struct xo i, struct xo k)
{
	X(g->b, VMOVAPS, k, table);
	X(g->b, VPERMILPS, k, k, i);
	X(g->b, VPADDD, to, to, k);
}

/* Where second texels follow the first ones a negative number is in the row of those. */
void jit_linear_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[SPARES], unsigned row, struct xo z)
{
	const struct xo *i = t, *at = t + 4, k = t[8]; /* x0, x1, y0, y1, and what they come to */
	int rows = jit_x_label(g->b), apart = jit_x_label(g->b);
	two(g, from[0], 0, row, i[0], i[1], k);
	two(g, from[1], 1, row, i[2], i[3], k);
	for (unsigned n = 0; n < 2; n++) {
		X(g->b, VPSLLVD, at[n], i[n], OF(shift));
		X(g->b, VPMULLD, at[2 + n], i[2 + n], OF(pitch));
	}
	X(g->b, CMP, FLAG(parts), jit_x_imm(0));
	XJ(g->b, JZ, rows);
	for (unsigned n = 0; n < 2; n++) {
		add_part(g, at[n], OF(part_x), i[n], k);
		add_part(g, at[2 + n], OF(part_y), i[2 + n], k);
	}
	jit_x_bind(g->b, rows);
	for (unsigned n = 0; n < 2 && z.kind; n++)
		X(g->b, VPADDD, at[2 + n], at[2 + n], z);
	for (unsigned n = 0; n < 4; n++) {
		X(g->b, VPADDD, i[n], at[n & 1], at[2 + (n >> 1)]);
		X(g->b, VMOVAPS, jit_image_row(row + ROW_AT + n, 0, 32), i[n]);
	}
	X(g->b, VPSUBD, k, i[1], i[0]);
	X(g->b, VPCMPEQD, k, k, jit_v_const(g, 4));
	X(g->b, VMOVMSKPS, R(EDX), k);
	X(g->b, CMP, R(EDX), jit_x_imm((1 << IMAGE_LANES) - 1));
	XJ(g->b, JNZ, apart);
	X(g->b, MOV, jit_image_row(row + ROW_AT + 1, 0, 4), jit_x_imm(-1));
	jit_x_bind(g->b, apart);
}

/* A row of texels, pairs of lanes 0, 1, 4, 5 in v[0] and of 2, 3, 6, 7 in v[1]. */
static void load_pairs(struct jit_region *g, unsigned row, const struct xo v[2])
{
	for (unsigned n = 0; n < 2; n++) {
		const struct xo line[2] = { jit_low(g, v[n]), R(XMM14) };
		for (unsigned half = 0; half < 2; half++) {
			X(g->b, VMOVSD, line[half], jit_image_texel(g, row, 2 * n + 4 * half, 8));
			X(g->b, VMOVHPS, line[half], line[half], jit_image_texel(g, row, 2 * n + 4 * half + 1, 8));
		}
		X(g->b, VINSERTF128, v[n], v[n], line[1], jit_x_imm(1));
	}
}
static void load_apart(struct jit_region *g, unsigned row, const struct xo v[2])
{
	for (unsigned n = 0; n < 2; n++) {
		const struct xo line[2] = { jit_low(g, v[n]), R(XMM14) };
		for (unsigned k = 0; k < 8; k++) { /* first and second texels in turn */
			const unsigned half = k / 4, lane = 2 * n + 4 * half + k / 2 % 2;
			const struct xo texel = jit_image_texel(g, row + k % 2, lane, 4);
			if (k % 4 == 0)
				X(g->b, VMOVD, line[half], texel);
			else
				X(g->b, VPINSRD, line[half], line[half], texel, jit_x_imm(k % 4));
		}
		X(g->b, VINSERTF128, v[n], v[n], line[1], jit_x_imm(1));
	}
}

/* Texels weighed along x: words to `to`, which may be the weights; first: ones for the first texels. */
static void weigh_pairs(struct jit_region *g, struct xo texels, struct xo weights, struct xo first, struct xo to)
{
	X(g->b, VPSHUFB, texels, texels, OF(order));
	X(g->b, VPXOR, texels, texels, jit_v_const(g, 0x80808080));
	X(g->b, VPMADDUBSW, to, weights, texels);
	X(g->b, VPMADDUBSW, texels, first, texels);
	X(g->b, VPADDW, to, to, texels);
}

/* t: rows 0 and 1 of load_*, which become sums of the channels 0, 1 and 2, 3; others are used up. */
static void weigh(struct jit_region *g, const struct jit_read *r)
{
	static const int8_t twice[16] = { 0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1 };
	const struct xo *t = r->t, y[2] = { t[4], t[5] }, first = t[6], a = t[7], b = t[8];
	int8_t by_word[64];
	for (unsigned i = 0; i < 64; i++)
		by_word[i] = twice[i % 16];
	X(g->b, VMOVAPS, y[0], jit_image_row(r->row + ROW_Y, 0, 32));
	X(g->b, VPSHUFB, y[0], y[0], jit_x_mem(RB_POOL, jit_x_vector(g->b, by_word), 32));
	X(g->b, VPMULLW, y[0], y[0], jit_v_const(g, CU_MIMG_SUM_Y / 256 << 16 | (0x10000 - CU_MIMG_SUM_Y / 256)));
	X(g->b, VPADDW, y[0], y[0], jit_v_const(g, CU_MIMG_SUM_Y));
	X(g->b, VPUNPCKHQDQ, y[1], y[0], y[0]);
	X(g->b, VPUNPCKLQDQ, y[0], y[0], y[0]);
	X(g->b, VMOVAPS, first, jit_v_const(g, 0x00010001));
	for (unsigned n = 0; n < 2; n++) {
		X(g->b, VMOVAPS, b, jit_image_row(r->row + ROW_X, 0, 32));
		X(g->b, VPSHUFB, b, b, jit_v_const(g, n ? 0x0c0c0808 : 0x04040000));
		X(g->b, VPXOR, b, b, jit_v_const(g, 0x00ff00ff));
		weigh_pairs(g, t[n], b, first, a);
		weigh_pairs(g, t[2 + n], b, first, b);
		X(g->b, VPUNPCKHWD, t[2 + n], a, b);
		X(g->b, VPUNPCKLWD, t[n], a, b);
		X(g->b, VPMADDWD, t[n], t[n], y[n]);
		X(g->b, VPMADDWD, t[2 + n], t[2 + n], y[n]);
	}
}

void jit_linear_read(struct jit_region *g, const struct jit_read *r, int one)
{
	int pairs = jit_x_label(g->b), there = jit_x_label(g->b);
	X(g->b, VMOVAPS, r->t[0], jit_image_row(r->row + ROW_X, 0, 32));
	X(g->b, VPOR, r->t[0], r->t[0], jit_image_row(r->row + ROW_Y, 0, 32));
	X(g->b, VPSLLD, r->t[0], r->t[0], jit_x_imm(24));
	X(g->b, VPTEST, r->t[0], r->t[0]);
	XJ(g->b, JZ, one);
	jit_image_base(g);
	X(g->b, CMP, jit_image_row(r->row + ROW_AT + 1, 0, 4), jit_x_imm(0));
	XJ(g->b, JL, pairs);
	load_apart(g, r->row + ROW_AT, r->t);
	load_apart(g, r->row + ROW_AT + 2, r->t + 2);
	XJ(g->b, JMP, there);
	jit_x_bind(g->b, pairs);
	load_pairs(g, r->row + ROW_AT, r->t);
	load_pairs(g, r->row + ROW_AT + 2, r->t + 2);
	jit_x_bind(g->b, there);
	weigh(g, r);
	for (unsigned c = 0; c < 4; c++) {
		const struct xo x = r->x[c], *sums = r->t + (c & 2);
		if (!x.kind)
			continue;
		if (c & 1)
			X(g->b, VPUNPCKHQDQ, x, sums[0], sums[1]);
		else
			X(g->b, VPUNPCKLQDQ, x, sums[0], sums[1]);
		X(g->b, VPADDD, x, x, jit_v_const(g, 128 * 256 * CU_MIMG_SUM_Y));
		X(g->b, VCVTDQ2PS, x, x);
		X(g->b, VMULPS, x, x, jit_v_const(g, CU_MIMG_SUM_UNIT));
	}
}
