/* SPDX-License-Identifier: MIT */
/* The four texels around a coordinate within regions: bilinear filtering, as core/tex/tex_bytes.h has it, and gathers. */
#include "core/jit/jit_image_priv.h"
#include "core/jit/jit_vector.h"

/* x = before where x < 0. */
static void put_negative(struct jit_region *g, struct xo x, struct xo before)
{
	if (!g->v4) {
		X(g->b, VBLENDVPS, x, x, before, x);
		return;
	}
	X(g->b, VPMOVD2M, R(K7), x);
	before.bcast = 0;
	VXK(g, 7, VBROADCASTSS, x, before);
}

/* Texel b behind a, and what both are beyond the ends; k is used up. */
static void go_beyond(struct jit_region *g, unsigned axis, struct xo a, struct xo b, struct xo k)
{
	VX(g, VPADDD, b, a, jit_v_const(g, 1));
	put_negative(g, a, OF(before[axis]));
	jit_image_put_greater(g, b, OF(last[axis]), OF(beyond[axis]), k);
}

/* The two texels along an axis, a and b; k is used up. */
static void two(struct jit_region *g, struct xo v, unsigned axis, unsigned weight, struct xo a, struct xo b, struct xo k)
{
	jit_image_fold(g, v, axis, false, a);
	jit_v_load(g, k, jit_v_const(g, 0xc3000000)); /* -128 */
	VX(g, VFMADD132PS, a, k, OF(scale256[axis]));
	VX(g, VCVTPS2DQ, a, a);
	jit_image_store_row(g, weight, a);
	VX(g, VPSRAD, a, a, jit_x_imm(8));
	go_beyond(g, axis, a, b, k);
}

/* The same with a float for the weight. */
static void two_by_float(struct jit_region *g, struct xo v, unsigned axis, unsigned weight, struct xo a, struct xo b, struct xo k)
{
	jit_image_fold(g, v, axis, false, a);
	jit_v_load(g, k, jit_v_const(g, 0xbf000000)); /* -0.5 */
	VX(g, VFMADD132PS, a, k, OF(scale[axis]));
	jit_image_round(g, b, a, JIT_FLOOR);
	VX(g, VSUBPS, a, a, b);
	jit_image_store_row(g, weight, a);
	VX(g, VCVTTPS2DQ, a, b);
	go_beyond(g, axis, a, b, k);
}

/* Where a is b, an operand, or greater: ones in x or, on AVX-512, k7. */
static void compare(struct jit_region *g, bool greater, struct xo x, struct xo a, struct xo b)
{
	const struct xo to = g->v4 ? R(K7) : x;
	if (greater)
		VX(g, VPCMPGTD, to, a, b);
	else
		VX(g, VPCMPEQD, to, a, b);
}

/* To the label unless that holds in all lanes. */
static void go_unless(struct jit_region *g, struct xo x, int label)
{
	if (g->v4) {
		X(g->b, KORTESTW, R(K7), R(K7));
		XJ(g->b, JNB, label);
		return;
	}
	X(g->b, VMOVMSKPS, R(EDX), x);
	X(g->b, CMP, R(EDX), jit_x_imm((1 << IMAGE_LANES) - 1));
	XJ(g->b, JNZ, label);
}

/* The same, as ones in x. */
static void compare_to(struct jit_region *g, bool greater, struct xo x, struct xo a, struct xo b)
{
	compare(g, greater, x, a, b);
	if (g->v4)
		X(g->b, VPMOVM2D, x, R(K7));
}

/* Where some second texels are the first ones, at the ends of rows, and the others follow theirs: pairs there as well, from
 * the texel before the last one on, whose weight is 1, or from the first on, whose is.  i is as in find, i[1] is used up; m and n
 * as well. */
static void pair_ends(struct jit_region *g, const struct xo i[4], struct xo m, struct xo n, unsigned tap, int no)
{
	const unsigned weight = TAP_ROWS * g->shares[tap][0].tap + ROW_X;
	X(g->b, CMP, FLAG(ends), jit_x_imm(0));
	XJ(g->b, JZ, no);
	VX(g, VPSUBD, n, i[1], i[0]);
	compare_to(g, false, m, n, jit_v_const(g, 0));
	compare_to(g, false, n, n, OF(next));
	VXD(g, VPOR, n, n, m);
	if (g->v4)
		X(g->b, VPMOVD2M, R(K7), n);
	go_unless(g, n, no);
	compare_to(g, true, n, i[0], jit_v_const(g, 0));
	VXD(g, VPAND, n, n, m); /* the last texels */
	VXD(g, VPANDN, m, m, jit_image_row(weight, 0, 4 * jit_image_lanes(g)));
	VXD(g, VPAND, i[1], n, jit_v_const(g, 0x3f800000));
	VXD(g, VPOR, m, m, i[1]);
	jit_image_store_row(g, weight, m);
	VXD(g, VPAND, n, n, OF(next));
	VX(g, VPSUBD, i[0], i[0], n);
}

/* To the label unless all weights of both rows, which are 0 or more, count: as integers, too; x is used up. */
static void go_unweighed_lines(struct jit_region *g, struct xo x, const unsigned row[2], int label)
{
	const unsigned bytes = 4 * jit_image_lanes(g);
	VX(g, VMOVAPS, x, jit_image_row(row[0], 0, bytes));
	VX(g, VMINPS, x, x, jit_image_row(row[1], 0, bytes));
	compare(g, true, x, x, jit_v_const(g, 0));
	go_unless(g, x, label);
}

/* Rows of texels: all four, or those of x0 where they are pairs, which a negative number in another one says; volume: of the
 * slice behind as well.  i: x0, x1, y0, y1; k is used up. */
static void store_rows(struct jit_region *g, const struct xo i[4], bool pairs, unsigned row, bool volume, struct xo k)
{
	const unsigned far = row + TAP_ROWS;
	for (unsigned n = 0; n < 4; n++) {
		if (pairs && n & 1)
			continue;
		VX(g, VPADDD, k, i[n & 1], i[2 + (n >> 1)]);
		jit_image_store_row(g, row + ROW_AT + n, k);
		if (!volume)
			continue;
		VX(g, VPADDD, k, k, jit_image_row(far + ROW_STEP, 0, 4 * jit_image_lanes(g)));
		jit_image_store_row(g, far + ROW_AT + n, k);
	}
	if (!pairs)
		return;
	X(g->b, MOV, jit_image_row(row + ROW_AT + 1, 0, 4), jit_x_imm(-1));
	if (volume)
		X(g->b, MOV, jit_image_row(far + ROW_AT + 1, 0, 4), jit_x_imm(-1));
}

/* volume: rows of the slice behind as well. */
static void find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z,
	bool volume, jit_image_axis_fn *axis)
{
	const unsigned row = TAP_ROWS * tap;
	const bool floats = axis == two_by_float;
	const struct xo *i = t, k = t[4], apart = t[5]; /* x0, x1, y0, y1 */
	int single = jit_x_label(g->b), pairs = jit_x_label(g->b), ends = jit_x_label(g->b), done = jit_x_label(g->b);
	jit_image_axes(g, from, i, 2, tap, k, axis);
	for (unsigned n = 0; n < 2 && z.kind; n++)
		VX(g, VPADDD, i[2 + n], i[2 + n], z);
	VX(g, VPSUBD, apart, i[1], i[0]);
	compare(g, false, apart, apart, OF(next));
	go_unless(g, apart, floats ? ends : single);
	if (floats) { /* lines, of more than a dword, are pairs only where all weights count */
		const struct jit_share *s = g->shares[tap];
		X(g->b, CMP, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_mimg_lanes, next), 4), jit_x_imm(4));
		XJ(g->b, JBE, pairs);
		go_unweighed_lines(g, apart, (unsigned[]){ TAP_ROWS * s[0].tap + ROW_X, TAP_ROWS * s[1].tap + ROW_Y }, single);
	}
	jit_x_bind(g->b, pairs);
	store_rows(g, i, true, row, volume, k);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, ends);
	if (floats) {
		pair_ends(g, i, k, apart, tap, single);
		XJ(g->b, JMP, pairs);
	}
	jit_x_bind(g->b, single);
	store_rows(g, i, false, row, volume, k);
	jit_x_bind(g->b, done);
}

void jit_linear_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z,
	enum cu_mimg_linear linear)
{
	find(g, from, t, tap, z, false, linear == CU_MIMG_FLOATS ? two_by_float : two);
}

void jit_volume_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z)
{
	const unsigned far = TAP_ROWS * (tap + 1);
	two(g, z, 2, far + ROW_X, t[0], t[1], t[4]);
	VX(g, VPMULLD, z, t[0], OF(stride));
	VX(g, VPMULLD, t[1], t[1], OF(stride));
	VX(g, VPSUBD, t[1], t[1], z);
	jit_image_store_row(g, far + ROW_STEP, t[1]);
	find(g, from, t, tap, z, true, two);
}

/* Two lanes' pairs of texels from `lane` on. */
static void load_pair(struct jit_region *g, unsigned row, unsigned lane, struct xo line)
{
	VX(g, VMOVSD, line, jit_image_texel(g, row, lane, 8));
	X(g->b, VMOVHPS, line, line, jit_image_texel(g, row, lane + 1, 8));
}
static void load_two(struct jit_region *g, unsigned row, unsigned lane, struct xo line)
{
	for (unsigned k = 0; k < 4; k++) { /* first and second texels in turn */
		const struct xo texel = jit_image_texel(g, row + k % 2, lane + k / 2, 4);
		if (k == 0)
			X(g->b, VMOVD, line, texel);
		else
			X(g->b, VPINSRD, line, line, texel, jit_x_imm(k));
	}
}

/* A row of texels, pairs of lanes 0, 1, 4, 5, ... in v[0] and of 2, 3, 6, 7, ... in v[1]. */
static void load_row(struct jit_region *g, unsigned row, const struct xo v[2],
	void (*load)(struct jit_region *, unsigned, unsigned, struct xo))
{
	for (unsigned n = 0; n < 2; n++) {
		load(g, row, 2 * n, jit_low(g, v[n]));
		for (unsigned k = 1; k < jit_image_lanes(g) / 4; k++) {
			load(g, row, 2 * n + 4 * k, jit_image_line(g));
			jit_image_insert(g, v[n], k);
		}
	}
}

/* Texels weighed along x: words to `to`, which may be the weights; first: ones for the first texels. */
static void weigh_pairs(struct jit_region *g, struct xo texels, struct xo order, struct xo weights, struct xo first,
	struct xo to)
{
	VX(g, VPSHUFB, texels, texels, order);
	VXD(g, VPXOR, texels, texels, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_mimg_lanes, flip), 4 * jit_image_lanes(g)));
	VX(g, VPMADDUBSW, to, weights, texels);
	VX(g, VPMADDUBSW, texels, first, texels);
	VX(g, VPADDW, to, to, texels);
}

/* The weights of weigh: t[4], t[5] and t[6]. */
static void load_weights(struct jit_region *g, const struct jit_read *r)
{
	static const int8_t twice[16] = { 0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1 };
	const struct xo y[2] = { r->t[4], r->t[5] };
	const unsigned bytes = 4 * jit_image_lanes(g);
	int8_t by_word[64];
	for (unsigned i = 0; i < 64; i++)
		by_word[i] = twice[i % 16];
	VX(g, VMOVAPS, y[0], jit_image_row(r->weight[1], 0, bytes));
	VX(g, VPSHUFB, y[0], y[0], jit_x_mem(RB_POOL, jit_x_vector(g->b, by_word), bytes));
	VX(g, VPMULLW, y[0], y[0], jit_image_bytes(g, CU_MIMG_SUM_Y / 256 << 16 | (0x10000 - CU_MIMG_SUM_Y / 256)));
	VX(g, VPADDW, y[0], y[0], jit_image_bytes(g, CU_MIMG_SUM_Y));
	VX(g, VPUNPCKHQDQ, y[1], y[0], y[0]);
	VX(g, VPUNPCKLQDQ, y[0], y[0], y[0]);
	jit_v_load(g, r->t[6], jit_v_const(g, 0x00010001));
}

/* t: rows 0 and 1 of load_row, which become sums of the channels 0, 1 and 2, 3; t[7] and t[8] are used up. */
static void weigh(struct jit_region *g, const struct jit_read *r)
{
	const struct xo *t = r->t, *y = t + 4, first = t[6], a = t[7], b = t[8];
	const unsigned bytes = 4 * jit_image_lanes(g);
	const struct xo order = jit_image_bytes_of(g, offsetof(struct cu_mimg_lanes, order), jit_image_spare(g));
	for (unsigned n = 0; n < 2; n++) {
		VX(g, VMOVAPS, b, jit_image_row(r->weight[0], 0, bytes));
		VX(g, VPSHUFB, b, b, jit_image_bytes(g, n ? 0x0c0c0808 : 0x04040000));
		VXD(g, VPXOR, b, b, jit_v_const(g, 0x00ff00ff));
		weigh_pairs(g, t[n], order, b, first, a);
		weigh_pairs(g, t[2 + n], order, b, first, b);
		VX(g, VPUNPCKHWD, t[2 + n], a, b);
		VX(g, VPUNPCKLWD, t[n], a, b);
		VX(g, VPMADDWD, t[n], t[n], y[n]);
		VX(g, VPMADDWD, t[2 + n], t[2 + n], y[n]);
	}
}

/* To the label where all weights are those of the first texels alone. */
static void go_unweighed(struct jit_region *g, const struct jit_read *r, int label)
{
	const struct xo x = r->t[0];
	VX(g, VMOVAPS, x, jit_image_row(r->weight[0], 0, 4 * jit_image_lanes(g)));
	VXD(g, VPOR, x, x, jit_image_row(r->weight[1], 0, 4 * jit_image_lanes(g)));
	if (g->v4) {
		VX(g, VPTESTMD, R(K7), x, jit_v_const(g, 0xff));
		X(g->b, KORTESTW, R(K7), R(K7));
	} else {
		X(g->b, VPSLLD, x, x, jit_x_imm(24));
		X(g->b, VPTEST, x, x);
	}
	XJ(g->b, JZ, label);
}

/* Rows of texels for load_row and weigh. */
static void load_rows(struct jit_region *g, const struct jit_read *r)
{
	int pairs = jit_x_label(g->b), there = jit_x_label(g->b);
	jit_image_base(g);
	X(g->b, CMP, jit_image_row(r->row + ROW_AT + 1, 0, 4), jit_x_imm(0));
	XJ(g->b, JL, pairs);
	load_row(g, r->row + ROW_AT, r->t, load_two);
	load_row(g, r->row + ROW_AT + 2, r->t + 2, load_two);
	XJ(g->b, JMP, there);
	jit_x_bind(g->b, pairs);
	load_row(g, r->row + ROW_AT, r->t, load_pair);
	load_row(g, r->row + ROW_AT + 2, r->t + 2, load_pair);
	jit_x_bind(g->b, there);
}

/* x = a channel of sums. */
static void channel(struct jit_region *g, const struct jit_read *r, unsigned c, struct xo x)
{
	const struct xo *sums = r->t + (c & 2);
	if (c & 1)
		VX(g, VPUNPCKHQDQ, x, sums[0], sums[1]);
	else
		VX(g, VPUNPCKLQDQ, x, sums[0], sums[1]);
	VX(g, VPADDD, x, x, jit_v_const(g, 128 * 256 * CU_MIMG_SUM_Y));
	VX(g, VCVTDQ2PS, x, x);
	VX(g, VMULPS, x, x, jit_v_const(g, CU_MIMG_SUM_UNIT));
}

void jit_linear_read(struct jit_region *g, const struct jit_read *r, int one)
{
	go_unweighed(g, r, one);
	load_rows(g, r);
	load_weights(g, r);
	weigh(g, r);
	for (unsigned c = 0; c < 4; c++)
		if (r->x[c].kind)
			channel(g, r, c, r->x[c]);
}

void jit_linear_read_slices(struct jit_region *g, const struct jit_read *r, const struct jit_read *far, int one)
{
	go_unweighed(g, r, one);
	load_rows(g, r);
	load_weights(g, r);
	weigh(g, r);
	for (unsigned c = 0; c < 4; c++)
		if (r->x[c].kind) {
			channel(g, r, c, r->t[8]);
			jit_image_store_row(g, r->row + ROW_AT + c, r->t[8]);
		}
	load_rows(g, far);
	weigh(g, far);
	for (unsigned c = 0; c < 4; c++)
		if (r->x[c].kind)
			channel(g, far, c, r->x[c]);
}

/* --- floats --- */

/* Dwords of first or second texels out of two of load_row. */
enum { FIRSTS = 0x88, SECONDS = 0xdd };

/* Where weights are not 0: in m, or k7. */
static void find_weighed(struct jit_region *g, struct xo weight, struct xo m)
{
	enum { GT_OS = 14 };
	VX(g, VCMPPS, g->v4 ? R(K7) : m, weight, jit_v_const(g, 0), jit_x_imm(GT_OS));
}

/* a = a + weight (b - a) there: b, which is used up, may be infinite elsewhere. */
static void mix(struct jit_region *g, struct xo a, struct xo b, struct xo weight, struct xo m)
{
	VX(g, VSUBPS, b, b, a);
	VX(g, VFMADD213PS, b, weight, a);
	if (g->v4)
		VXK(g, 7, VMOVAPS, a, b);
	else
		X(g->b, VBLENDVPS, a, a, b, m);
}

void jit_linear_read_floats(struct jit_region *g, const struct jit_read *r)
{
	const struct xo *t = r->t, top = t[4], bottom = t[5], m = t[6];
	load_rows(g, r);
	VX(g, VSHUFPS, top, t[0], t[1], jit_x_imm(FIRSTS));
	VX(g, VSHUFPS, t[1], t[0], t[1], jit_x_imm(SECONDS));
	VX(g, VSHUFPS, bottom, t[2], t[3], jit_x_imm(FIRSTS));
	VX(g, VSHUFPS, t[3], t[2], t[3], jit_x_imm(SECONDS));
	VX(g, VMOVAPS, t[0], jit_image_row(r->weight[0], 0, 4 * jit_image_lanes(g)));
	find_weighed(g, t[0], m);
	mix(g, top, t[1], t[0], m);
	mix(g, bottom, t[3], t[0], m);
	VX(g, VMOVAPS, t[0], jit_image_row(r->weight[1], 0, 4 * jit_image_lanes(g)));
	find_weighed(g, t[0], m);
	mix(g, top, bottom, t[0], m);
	VX(g, VMOVAPS, t[0], top);
}

/* Lines of lanes l, l + 4 and on: a of their first texels, b of those that follow them; c is used up. */
static void load_line_pairs(struct jit_region *g, bool halves, unsigned row, unsigned l, struct xo a, struct xo b, struct xo c)
{
	enum { LOW = 0x20, HIGH = 0x31, EVEN = 0x88, ODD = 0xdd };
	const struct xo pair[4] = { a, g->v4 ? jit_image_spare(g) : c, b, c };
	for (unsigned n = 0; n < jit_image_lanes(g) / 4; n++) {
		const struct xo to = jit_image_half(g, pair[n]), from = jit_image_texel(g, row, l + 4 * n, halves ? 16 : 32);
		if (halves)
			VX(g, VCVTPH2PS, to, from);
		else
			VX(g, VMOVUPS, to, from);
		if (n & 1 && g->v4)
			VX(g, VINSERTF64X4, pair[n - 1], pair[n - 1], to, jit_x_imm(1));
	}
	if (g->v4) {
		VX(g, VSHUFF32X4, c, a, b, jit_x_imm(EVEN));
		VX(g, VSHUFF32X4, b, a, b, jit_x_imm(ODD));
		VX(g, VMOVAPS, a, c);
	} else {
		X(g->b, VPERM2F128, b, a, c, jit_x_imm(HIGH));
		X(g->b, VPERM2F128, a, a, c, jit_x_imm(LOW));
	}
}

/* The four texels of lanes l, l + 4 and on, lines of each. */
static void load_taps(struct jit_region *g, bool halves, bool pairs, unsigned row, unsigned l, const struct xo tap[4], struct xo spare)
{
	jit_image_lines_fn *load = halves ? jit_image_load_halves : jit_image_load_singles;
	for (unsigned k = 0; k < 4; k++)
		if (!pairs)
			load(g, row + k, l, tap[k], spare);
		else if (k % 2 == 0)
			load_line_pairs(g, halves, row + k, l, tap[k], tap[k + 1], spare);
}

/* a = a + weight (b - a), where no weight is 0; b is used up. */
static void mix_all(struct jit_region *g, struct xo a, struct xo b, struct xo weight)
{
	VX(g, VSUBPS, b, b, a);
	VX(g, VFMADD231PS, a, b, weight);
}

/* t[l] of all lines.  count: all weights do. */
static void read_all_lines(struct jit_region *g, const struct jit_read *r, bool halves, bool pairs, bool count)
{
	enum { ALL_FOUR = 0x55 };
	const struct xo *t = r->t, weight = t[7], m = t[8];
	for (unsigned l = 0; l < 4; l++) {
		const struct xo tap[4] = { t[l], t[4], t[5], t[6] };
		load_taps(g, halves, pairs, r->row + ROW_AT, l, tap, pairs ? t[8] : weight);
		for (unsigned axis = 0; axis < 2; axis++) {
			VX(g, VPERMILPS, weight, jit_image_row(r->weight[axis], 0, 4 * jit_image_lanes(g)), jit_x_imm(l * ALL_FOUR));
			if (!count)
				find_weighed(g, weight, m);
			for (unsigned k = 0; k < (axis ? 1u : 4u); k += 2) {
				const struct xo from = tap[axis ? 2 : k + 1];
				if (count)
					mix_all(g, tap[k], from, weight);
				else
					mix(g, tap[k], from, weight, m);
			}
		}
	}
}

void jit_linear_read_lines(struct jit_region *g, const struct jit_read *r, bool halves)
{
	int pairs = jit_x_label(g->b), some = jit_x_label(g->b), done = jit_x_label(g->b);
	jit_image_base(g);
	X(g->b, CMP, jit_image_row(r->row + ROW_AT + 1, 0, 4), jit_x_imm(0));
	XJ(g->b, JL, pairs);
	if (halves) { /* often targets of former draws, in parts */
		go_unweighed_lines(g, r->t[8], r->weight, some);
		read_all_lines(g, r, halves, false, true);
		XJ(g->b, JMP, done);
	}
	jit_x_bind(g->b, some);
	read_all_lines(g, r, halves, false, false);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, pairs);
	read_all_lines(g, r, halves, true, true);
	jit_x_bind(g->b, done);
}

/* --- gathers --- */

/* The two texels along an axis as tex_axis_indices and tex_wrap of the texture unit have them. */
static void gathered(struct jit_region *g, struct xo v, unsigned axis, unsigned weight, struct xo a, struct xo b, struct xo k)
{
	VX(g, VMULPS, a, v, OF(scale[axis]));
	VX(g, VMAXPS, a, a, jit_v_const(g, 0xce800000)); /* -2^30, where one is NaN */
	VX(g, VMINPS, a, a, jit_v_const(g, 0x4e800000));
	VX(g, VSUBPS, a, a, jit_v_const(g, 0x3f000000)); /* 0.5 */
	jit_image_round(g, a, a, JIT_FLOOR);
	VX(g, VCVTTPS2DQ, a, a);
	VX(g, VPADDD, b, a, jit_v_const(g, 1));
	for (unsigned n = 0; n < 2; n++) {
		const struct xo x = n ? b : a;
		VXD(g, VPAND, x, x, OF(within[axis]));
		VX(g, VPMAXSD, x, x, jit_v_const(g, 0));
		VX(g, VPMINSD, x, x, OF(last[axis]));
	}
}

void jit_gather_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap)
{
	find(g, from, t, tap, (struct xo){ 0 }, false, gathered);
}

/* Results are texels (x0, y1), (x1, y1), (x1, y0), (x0, y0). */
void jit_gather_read(struct jit_region *g, const struct jit_read *r, unsigned channel)
{
	static const struct { uint8_t row, texels; } result[4] = { { 2, FIRSTS }, { 2, SECONDS }, { 0, SECONDS }, { 0, FIRSTS } };
	load_rows(g, r);
	for (unsigned n = 0; n < 4; n++) {
		const struct xo *row = r->t + result[n].row;
		VX(g, VSHUFPS, r->x[n], row[0], row[1], jit_x_imm(result[n].texels));
	}
	const struct xo weight = jit_image_bytes_of(g, offsetof(struct cu_mimg_lanes, weight[channel]), r->t[0]);
	for (unsigned n = 0; n < 4; n++) {
		VX(g, VPMADDUBSW, r->x[n], r->x[n], weight);
		jit_image_weighed(g, channel, r->x[n], r->t[1]);
	}
}
