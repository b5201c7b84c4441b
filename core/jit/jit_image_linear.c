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

/* Weights of bytes, as weigh wants them: those that lowest bytes of dwords are, by way of x.  Along x: words of 255 less the
 * weight and it, those of four lanes twice.  Along y: a dword a lane of what sums of the first row count, and of the second.
 * Along z: as they are. */
enum { WEIGHTS_0_X = 0x00ff00ff, WEIGHTS_0_Y = CU_MIMG_SUM_Y };
static void store_weights(struct jit_region *g, unsigned axis, unsigned row, struct xo weights, struct xo x)
{
	static const int8_t words[16] = { 0, 0, 4, 4, 8, 8, 12, 12, 0, 0, 4, 4, 8, 8, 12, 12 };
	static const int8_t twice[16] = { 0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1 };
	int8_t order[64];
	if (axis == 2) {
		jit_image_store_row(g, row, weights);
		return;
	}
	for (unsigned i = 0; i < 64; i++)
		order[i] = (axis ? twice : words)[i % 16];
	VX(g, VPSHUFB, x, weights, jit_x_mem(RB_POOL, jit_x_vector(g->b, order), 4 * jit_image_lanes(g)));
	if (axis) {
		VX(g, VPMULLW, x, x, jit_image_bytes(g, CU_MIMG_SUM_Y / 256 << 16 | (0x10000 - CU_MIMG_SUM_Y / 256)));
		VX(g, VPADDW, x, x, jit_image_bytes(g, WEIGHTS_0_Y));
	} else {
		VXD(g, VPXOR, x, x, jit_v_const(g, WEIGHTS_0_X));
	}
	jit_image_store_row(g, row, x);
}

/* A coordinate as the first texel of two along an axis; its weight, a byte's or a float's, goes to the row; k is used up. */
static void to_texel(struct jit_region *g, struct xo a, unsigned axis, unsigned weight, struct xo k)
{
	jit_v_load(g, k, jit_v_const(g, 0xc3000000)); /* -128 */
	VX(g, VFMADD132PS, a, k, OF(scale256[axis]));
	VX(g, VCVTPS2DQ, a, a);
	store_weights(g, axis, weight, a, k);
	VX(g, VPSRAD, a, a, jit_x_imm(8));
}
static void to_texel_by_float(struct jit_region *g, struct xo a, unsigned axis, unsigned weight, struct xo k)
{
	jit_v_load(g, k, jit_v_const(g, 0xbf000000)); /* -0.5 */
	VX(g, VFMADD132PS, a, k, OF(scale[axis]));
	jit_image_round(g, k, a, JIT_FLOOR);
	VX(g, VSUBPS, a, a, k);
	jit_image_store_row(g, weight, a);
	VX(g, VCVTTPS2DQ, a, k);
}

/* The two texels along an axis, a and b; k is used up. */
static void two(struct jit_region *g, struct xo v, unsigned axis, unsigned weight, struct xo a, struct xo b, struct xo k)
{
	jit_image_fold(g, v, axis, false, a);
	to_texel(g, a, axis, weight, k);
	go_beyond(g, axis, a, b, k);
}
static void two_by_float(struct jit_region *g, struct xo v, unsigned axis, unsigned weight, struct xo a, struct xo b, struct xo k)
{
	jit_image_fold(g, v, axis, false, a);
	to_texel_by_float(g, a, axis, weight, k);
	go_beyond(g, axis, a, b, k);
}

/* The first of them, where it is not beyond an end. */
static void first(struct jit_region *g, struct xo v, unsigned axis, unsigned weight, struct xo a, struct xo k)
{
	jit_image_repeat(g, v, axis, a);
	to_texel(g, a, axis, weight, k);
}
static void first_by_float(struct jit_region *g, struct xo v, unsigned axis, unsigned weight, struct xo a, struct xo k)
{
	jit_image_repeat(g, v, axis, a);
	to_texel_by_float(g, a, axis, weight, k);
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

/* They are compared as integers, which order such floats as well. */
void jit_image_go_unless_weighed(struct jit_region *g, struct xo x, const unsigned row[2], int label)
{
	const unsigned bytes = 4 * jit_image_lanes(g);
	VX(g, VMOVAPS, x, jit_image_row(row[0], 0, bytes));
	VX(g, VMINPS, x, x, jit_image_row(row[1], 0, bytes));
	compare(g, true, x, x, jit_v_const(g, 0));
	go_unless(g, x, label);
}

/* What the row of second texels begins with where there is none: all follow the first ones, or the second line's are the pitch
 * behind as well. */
enum { ROWS_PAIRS = -1, ROWS_PITCH = -2 };

/* Rows of texels: all four, or those of x0 where they are pairs; volume: of the slice behind as well.  i: x0, x1, y0, y1; k is
 * used up. */
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
	X(g->b, MOV, jit_image_row(row + ROW_AT + 1, 0, 4), jit_x_imm(ROWS_PAIRS));
	if (volume)
		X(g->b, MOV, jit_image_row(far + ROW_AT + 1, 0, 4), jit_x_imm(ROWS_PAIRS));
}

/* How a filter finds texels along an axis: those at ends, too, or where there are none. */
struct finder {
	jit_image_axis_fn *two;
	void (*first)(struct jit_region *, struct xo v, unsigned axis, unsigned weight, struct xo a, struct xo k);
	bool floats;
};
static const struct finder bytes = { two, first, false }, floats = { two_by_float, first_by_float, true };

/* The row of weights of a tap's axis. */
static unsigned weight_row(unsigned tap, unsigned axis) { return axis < 2 ? TAP_ROWS * tap + ROW_X + axis : TAP_ROWS * (tap + 1) + ROW_X; }

/* v[axis], coordinates, as first texels i[axis] of the axes that are the tap's own; to `ends` unless all have one behind them
 * in the image.  k is used up. */
static void first_texels(struct jit_region *g, const struct xo v[3], const bool own[3], unsigned tap, const struct finder *f,
	const struct xo i[3], const struct xo k[2], int ends)
{
	unsigned count = 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		if (!own[axis])
			continue;
		const struct xo x = k[count > 0];
		f->first(g, v[axis], axis, weight_row(tap, axis), i[axis], x);
		VX(g, VPSUBD, x, i[axis], OF(last[axis]));
		VXD(g, VPANDN, x, i[axis], x);
		if (count++)
			VXD(g, VPAND, k[0], k[0], x);
	}
	if (!count)
		return;
	if (g->v4)
		X(g->b, VPMOVD2M, R(K7), k[0]);
	go_unless(g, k[0], ends);
}

/* Whether others have found texels along the tap's axes. */
static bool is_kept(const struct jit_region *g, unsigned tap) { return g->shares[tap][0].kept || g->shares[tap][1].kept; }

/* i[axis], first texels, as bytes, kept for others; those of others.  k is used up. */
static void place_inside(struct jit_region *g, const struct xo i[3], const bool own[3], unsigned tap, struct xo k)
{
	const struct jit_share *s = g->shares[tap];
	const struct xo behind[3] = { OF(next), OF(pitch), OF(stride) };
	for (unsigned axis = 0; axis < 2u + own[2]; axis++) {
		if (!own[axis]) {
			VX(g, VMOVAPS, i[axis], jit_image_kept(g, s[axis].tap, axis, 0));
			continue;
		}
		if (axis)
			VX(g, VPMULLD, i[axis], i[axis], behind[axis]);
		else
			VX(g, VPSLLVD, i[axis], i[axis], OF(shift));
		if (axis == 2 || !s[axis].kept)
			continue;
		VX(g, VPADDD, k, i[axis], behind[axis]);
		VX(g, VMOVAPS, jit_image_kept(g, tap, axis, 0), i[axis]);
		VX(g, VMOVAPS, jit_image_kept(g, tap, axis, 1), k);
	}
	if (is_kept(g, tap))
		X(g->b, MOV, jit_image_inside(tap), jit_x_imm(1));
}

/* What most strips are, whose texels are away from the ends of an image in rows: half of the work of find_any.  Else it goes on
 * at `ends`, with from as it was. */
static void find_inside(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z,
	bool volume, const struct finder *f, int ends)
{
	const struct jit_share *s = g->shares[tap];
	const struct xo i[3] = { t[0], t[1], t[2] }, k[2] = { t[3], t[4] }, at = t[5], v[3] = { from[0], from[1], z };
	const bool own[3] = { s[0].tap == tap, s[1].tap == tap, volume };
	for (unsigned axis = 0; axis < 2; axis++)
		if (!own[axis]) {
			X(g->b, CMP, jit_image_inside(s[axis].tap), jit_x_imm(0));
			XJ(g->b, JZ, ends);
		}
	first_texels(g, v, own, tap, f, i, k, ends);
	place_inside(g, i, own, tap, at);
	VX(g, VPADDD, at, i[0], i[1]);
	if (volume || z.kind)
		VX(g, VPADDD, at, at, volume ? i[2] : z);
	for (unsigned slice = 0; slice < 1u + volume; slice++) {
		const unsigned row = TAP_ROWS * (tap + slice) + ROW_AT;
		if (slice)
			VX(g, VPADDD, at, at, OF(stride));
		jit_image_store_row(g, row, at);
		X(g->b, MOV, jit_image_row(row + 1, 0, 4), jit_x_imm(ROWS_PITCH));
		if (!f->floats) /* whose lines and narrow texels want both */
			continue;
		VX(g, VPADDD, k[0], at, OF(pitch));
		jit_image_store_row(g, row + 2, k[0]);
	}
}

/* All others.  volume: rows of the slice behind as well. */
static void find_any(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z,
	bool volume, const struct finder *f)
{
	const unsigned row = TAP_ROWS * tap, far = TAP_ROWS * (tap + 1);
	const struct xo *i = t, k = t[4], apart = t[5]; /* x0, x1, y0, y1 */
	int single = jit_x_label(g->b), pairs = jit_x_label(g->b), ends = jit_x_label(g->b), done = jit_x_label(g->b);
	if (is_kept(g, tap))
		X(g->b, MOV, jit_image_inside(tap), jit_x_imm(0));
	if (volume) {
		two(g, z, 2, far + ROW_X, t[0], t[1], t[4]);
		VX(g, VPMULLD, z, t[0], OF(stride));
		VX(g, VPMULLD, t[1], t[1], OF(stride));
		VX(g, VPSUBD, t[1], t[1], z);
		jit_image_store_row(g, far + ROW_STEP, t[1]);
	}
	jit_image_axes(g, from, i, 2, tap, k, f->two);
	for (unsigned n = 0; n < 2 && z.kind; n++)
		VX(g, VPADDD, i[2 + n], i[2 + n], z);
	VX(g, VPSUBD, apart, i[1], i[0]);
	compare(g, false, apart, apart, OF(next));
	go_unless(g, apart, f->floats ? ends : single);
	jit_x_bind(g->b, pairs);
	store_rows(g, i, true, row, volume, k);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, ends);
	if (f->floats) {
		pair_ends(g, i, k, apart, tap, single);
		XJ(g->b, JMP, pairs);
	}
	jit_x_bind(g->b, single);
	store_rows(g, i, false, row, volume, k);
	jit_x_bind(g->b, done);
}

/* Of an image of one row, whose second row is the first one: whatever y is. */
void jit_ramp_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z)
{
	const struct jit_share *s = &g->shares[tap][0];
	const struct xo i[2] = { t[0], t[1] }, k = t[4];
	const unsigned row = TAP_ROWS * tap;
	const bool own = s->tap == tap;
	int single = jit_x_label(g->b), done = jit_x_label(g->b);
	if (own)
		two(g, from[0], 0, row + ROW_X, i[0], i[1], k);
	for (unsigned n = 0; n < 2; n++) {
		const struct xo kept = jit_image_kept(g, s->tap, 0, n);
		if (own)
			VX(g, VPSLLVD, i[n], i[n], OF(shift));
		else
			VX(g, VMOVAPS, i[n], kept);
		if (own && s->kept)
			VX(g, VMOVAPS, kept, i[n]);
		if (z.kind)
			VX(g, VPADDD, i[n], i[n], z);
	}
	jit_image_store_row(g, row + ROW_AT, i[0]);
	VX(g, VPSUBD, k, i[1], i[0]);
	compare(g, false, k, k, OF(next));
	go_unless(g, k, single);
	X(g->b, MOV, jit_image_row(row + ROW_AT + 1, 0, 4), jit_x_imm(ROWS_PAIRS));
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, single);
	jit_image_store_row(g, row + ROW_AT + 1, i[1]);
	jit_x_bind(g->b, done);
}

/* Whichever they are. */
static void find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z,
	bool volume, const struct finder *f)
{
	int ends = jit_x_label(g->b), done = jit_x_label(g->b);
	X(g->b, CMP, FLAG(parts), jit_x_imm(0));
	XJ(g->b, JNZ, ends);
	find_inside(g, from, t, tap, z, volume, f, ends);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, ends);
	find_any(g, from, t, tap, z, volume, f);
	jit_x_bind(g->b, done);
}

void jit_bytes_find_inside(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap,
	struct xo z, int ends)
{
	find_inside(g, from, t, tap, z, false, &bytes, ends);
}

void jit_bytes_find_any(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z)
{
	find_any(g, from, t, tap, z, false, &bytes);
}

void jit_floats_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z)
{
	find(g, from, t, tap, z, false, &floats);
}

void jit_volume_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z)
{
	find(g, from, t, tap, z, true, &bytes);
}

/* Dwords of first or second texels out of two of load_row. */
enum { FIRSTS = 0x88, SECONDS = 0xdd };

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

/* to = texels weighed along x: words; texels and x are used up. */
static void weigh_pairs(struct jit_region *g, struct xo texels, struct xo weights, struct xo first, struct xo x, struct xo to)
{
	VX(g, VPMADDUBSW, x, weights, texels);
	VX(g, VPMADDUBSW, texels, first, texels);
	VX(g, VPADDW, to, x, texels);
}

/* t: so many rows of load_row, each t[n] and t[n + 1], become sums of the first two channels and of the others along x; t[4] to
 * t[8] are used up. */
static void weigh_rows(struct jit_region *g, const struct jit_read *r, unsigned rows)
{
	const struct xo *t = r->t, weights = t[4], first = t[5], a = t[6], b = t[7], order = t[8];
	const unsigned bytes = 4 * jit_image_lanes(g);
	jit_image_load_of(g, order, offsetof(struct cu_mimg_lanes, order));
	VX(g, VMOVAPS, weights, jit_image_row(r->weight[0], 0, bytes));
	jit_v_load(g, first, jit_v_const(g, 0x00010001)); /* ones for the first texels */
	for (unsigned row = 0; row < 2 * rows; row += 2) {
		for (unsigned n = row; n < row + 2; n++) { /* by channel: of pairs of lanes, a texel and the one behind it */
			VX(g, VPSHUFB, t[n], t[n], order);
			VXD(g, VPXOR, t[n], t[n], jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_mimg_lanes, flip), bytes));
		}
		VX(g, VPUNPCKHDQ, a, t[row], t[row + 1]); /* of four lanes: channels 2 and 3 */
		VX(g, VPUNPCKLDQ, t[row], t[row], t[row + 1]);
		weigh_pairs(g, t[row], weights, first, b, t[row]);
		weigh_pairs(g, a, weights, first, b, t[row + 1]);
	}
}

/* t: rows 0 and 1 of load_row become sums of the channels 0 to 3; t[4] to t[8] are used up. */
static void weigh(struct jit_region *g, const struct jit_read *r)
{
	const struct xo *t = r->t, weights = t[4], a = t[6];
	weigh_rows(g, r, 2);
	VX(g, VMOVAPS, weights, jit_image_row(r->weight[1], 0, 4 * jit_image_lanes(g)));
	VX(g, VPUNPCKHWD, a, t[0], t[2]);
	VX(g, VPUNPCKLWD, t[0], t[0], t[2]);
	VX(g, VPUNPCKLWD, t[2], t[1], t[3]);
	VX(g, VPUNPCKHWD, t[3], t[1], t[3]);
	VX(g, VPMADDWD, t[1], a, weights);
	for (unsigned c = 0; c < 4; c++)
		if (c != 1)
			VX(g, VPMADDWD, t[c], t[c], weights);
}

/* To the label where all weights are those of the first texels alone, as of images that are copied; the first lane mostly tells. */
static void go_unweighed(struct jit_region *g, const struct jit_read *r, int label)
{
	static const uint32_t none[2] = { WEIGHTS_0_X, WEIGHTS_0_Y };
	int weighed = jit_x_label(g->b);
	X(g->b, CMP, jit_image_row(r->weight[0], 0, 4), jit_x_imm(none[0]));
	XJ(g->b, JNZ, weighed);
	for (unsigned axis = 0; axis < 2; axis++) {
		const struct xo x = r->t[0];
		VX(g, VMOVAPS, x, jit_image_row(r->weight[axis], 0, 4 * jit_image_lanes(g)));
		compare(g, false, x, x, jit_v_const(g, none[axis]));
		go_unless(g, x, weighed);
	}
	XJ(g->b, JMP, label);
	jit_x_bind(g->b, weighed);
}

/* Of rows of texels whose second one, from rdi on, is the pitch behind the first: in memory, of lane l. */
static struct xo texel_apart(struct jit_region *g, const struct jit_read *r, unsigned l, bool second)
{
	struct xo texel = jit_x_mem(second ? ZYDIS_REGISTER_RDI : ZYDIS_REGISTER_RCX, 0, 8);
	texel.index = l % 2 ? ZYDIS_REGISTER_R8 : ZYDIS_REGISTER_RDX;
	texel.scale = 1;
	if (!second)
		X(g->b, MOV, l % 2 ? R(R8D) : R(EDX), jit_image_row(r->row + ROW_AT, l, 4));
	return texel;
}

/* Those rows; what is behind t[3] is used up. */
static void load_rows_apart(struct jit_region *g, const struct jit_read *r)
{
	X(g->b, MOVSXD, R(RDI), jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_mimg_lanes, pitch), 4));
	X(g->b, ADD, R(RDI), R(RCX));
	for (unsigned l = 0; l < jit_image_lanes(g); l++) {
		const unsigned n = l / 2 % 2, k = l / 4;
		for (unsigned row = 0; row < 2; row++) {
			const struct xo all = r->t[2 * row + n], a = k ? r->t[4 + row] : all, b = r->t[6 + row], texel = texel_apart(g, r, l, row);
			if (k && !g->v4) {
				X(g->b, VBROADCASTSD, l % 2 ? b : a, texel);
				if (l % 2) {
					X(g->b, VBLENDPD, a, a, b, jit_x_imm(8));
					X(g->b, VBLENDPD, all, all, a, jit_x_imm(12));
				}
			} else if (l % 2) {
				X(g->b, VMOVHPS, jit_low(g, a), jit_low(g, a), texel);
				if (k)
					jit_image_insert_line(g, all, jit_low(g, a), k);
			} else {
				VX(g, VMOVSD, jit_low(g, a), texel);
			}
		}
	}
}

/* Rows of texels for load_row and weigh. */
static void load_rows(struct jit_region *g, const struct jit_read *r)
{
	int pairs = jit_x_label(g->b), apart = jit_x_label(g->b), there = jit_x_label(g->b);
	jit_image_base(g);
	X(g->b, CMP, jit_image_row(r->row + ROW_AT + 1, 0, 4), jit_x_imm(ROWS_PAIRS));
	XJ(g->b, JZ, pairs);
	XJ(g->b, JL, apart);
	load_row(g, r->row + ROW_AT, r->t, load_two);
	load_row(g, r->row + ROW_AT + 2, r->t + 2, load_two);
	XJ(g->b, JMP, there);
	jit_x_bind(g->b, pairs);
	load_row(g, r->row + ROW_AT, r->t, load_pair);
	load_row(g, r->row + ROW_AT + 2, r->t + 2, load_pair);
	XJ(g->b, JMP, there);
	jit_x_bind(g->b, apart);
	load_rows_apart(g, r);
	jit_x_bind(g->b, there);
}

/* x = sums of a channel, which may be x, over all weights. */
static void average(struct jit_region *g, struct xo sums, struct xo x)
{
	VX(g, VPADDD, x, sums, jit_v_const(g, 128 * 256 * CU_MIMG_SUM_Y));
	VX(g, VCVTDQ2PS, x, x);
	VX(g, VMULPS, x, x, jit_v_const(g, CU_MIMG_SUM_UNIT));
}

/* Where the four texels of each lane are all the same, as those of black and white are: what they come to, and on to `done`.
 * t is as load_rows leaves it; what is behind t[3] is used up.  Where less than nine of ten strips are such, a branch costs more
 * than it saves: then nobody looks for a while. */
enum { SAME_MOST = 8, SAME_LOST = 10, SAME_REST = 512 };
void jit_linear_read_same(struct jit_region *g, const struct jit_read *r, int differ, int done)
{
	const struct xo *t = r->t, first = t[4], x = t[5], y = t[6];
	const struct xo same = jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_mimg_lanes, same), 4);
	int apart = jit_x_label(g->b), more = jit_x_label(g->b);
	VX(g, VSHUFPS, first, t[0], t[1], jit_x_imm(FIRSTS));
	VX(g, VSHUFPS, x, t[0], t[1], jit_x_imm(SECONDS));
	VXD(g, VPXOR, x, x, first);
	for (unsigned n = 0; n < 2; n++) {
		VX(g, VSHUFPS, y, t[2], t[3], jit_x_imm(n ? SECONDS : FIRSTS));
		VXD(g, VPXOR, y, y, first);
		VXD(g, VPOR, x, x, y);
	}
	compare(g, false, x, x, jit_v_const(g, 0));
	go_unless(g, x, apart);
	X(g->b, CMP, same, jit_x_imm(SAME_MOST));
	XJ(g->b, JL, more);
	X(g->b, MOV, same, jit_x_imm(SAME_MOST));
	jit_x_bind(g->b, more);
	VX(g, VMOVAPS, t[0], first);
	for (unsigned c = 0; c < 4; c++)
		if (r->x[c].kind)
			jit_image_unorm8(g, c, r->x[c], t[0], t[1]);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, apart);
	X(g->b, SUB, same, jit_x_imm(SAME_LOST));
	XJ(g->b, JNL, differ);
	X(g->b, MOV, same, jit_x_imm(-SAME_REST));
	XJ(g->b, JMP, differ);
}

void jit_linear_read(struct jit_region *g, const struct jit_read *r, int one, int look, int differ)
{
	go_unweighed(g, r, one);
	load_rows(g, r);
	X(g->b, ADD, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_mimg_lanes, same), 4), jit_x_imm(1));
	XJ(g->b, JNL, look);
	jit_x_bind(g->b, differ);
	weigh(g, r);
	for (unsigned c = 0; c < 4; c++)
		if (r->x[c].kind)
			average(g, r->t[c], r->x[c]);
}

/* A row's sums along x are those along y of it and of itself, whatever the weights. */
void jit_ramp_read(struct jit_region *g, const struct jit_read *r)
{
	const struct xo *t = r->t;
	const unsigned row = r->row + ROW_AT;
	int pairs = jit_x_label(g->b), there = jit_x_label(g->b);
	jit_image_base(g);
	X(g->b, CMP, jit_image_row(row + 1, 0, 4), jit_x_imm(ROWS_PAIRS));
	XJ(g->b, JZ, pairs);
	load_row(g, row, t, load_two);
	XJ(g->b, JMP, there);
	jit_x_bind(g->b, pairs);
	load_row(g, row, t, load_pair);
	jit_x_bind(g->b, there);
	weigh_rows(g, r, 1);
	for (unsigned c = 0; c < 4; c++) {
		const struct xo x = r->x[c], sums = t[c / 2];
		if (!x.kind)
			continue;
		jit_vx(g, c % 2 ? ZYDIS_MNEMONIC_VPUNPCKHWD : ZYDIS_MNEMONIC_VPUNPCKLWD, 3, (struct xo[]){ x, sums, sums });
		VX(g, VPMADDWD, x, x, jit_image_bytes(g, WEIGHTS_0_Y));
		average(g, x, x);
	}
}

void jit_linear_read_slices(struct jit_region *g, const struct jit_read *r, const struct jit_read *far, int one)
{
	go_unweighed(g, r, one);
	load_rows(g, r);
	weigh(g, r);
	for (unsigned c = 0; c < 4; c++)
		if (r->x[c].kind) {
			average(g, r->t[c], r->t[8]);
			jit_image_store_row(g, r->row + ROW_AT + c, r->t[8]);
		}
	load_rows(g, far);
	weigh(g, far);
	for (unsigned c = 0; c < 4; c++)
		if (r->x[c].kind)
			average(g, far->t[c], r->x[c]);
}

/* --- floats --- */

void jit_linear_read_floats(struct jit_region *g, const struct jit_read *r)
{
	const struct xo *t = r->t, top = t[4], bottom = t[5], m = t[6];
	load_rows(g, r);
	VX(g, VSHUFPS, top, t[0], t[1], jit_x_imm(FIRSTS));
	VX(g, VSHUFPS, t[1], t[0], t[1], jit_x_imm(SECONDS));
	VX(g, VSHUFPS, bottom, t[2], t[3], jit_x_imm(FIRSTS));
	VX(g, VSHUFPS, t[3], t[2], t[3], jit_x_imm(SECONDS));
	VX(g, VMOVAPS, t[0], jit_image_row(r->weight[0], 0, 4 * jit_image_lanes(g)));
	jit_image_find_weighed(g, t[0], m);
	jit_image_mix(g, top, t[1], t[0], m);
	jit_image_mix(g, bottom, t[3], t[0], m);
	VX(g, VMOVAPS, t[0], jit_image_row(r->weight[1], 0, 4 * jit_image_lanes(g)));
	jit_image_find_weighed(g, t[0], m);
	jit_image_mix(g, top, bottom, t[0], m);
	VX(g, VMOVAPS, t[0], top);
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

static void first_gathered(struct jit_region *g, struct xo v, unsigned axis, unsigned weight, struct xo a, struct xo k)
{
	VX(g, VMULPS, a, v, OF(scale[axis]));
	VX(g, VSUBPS, a, a, jit_v_const(g, 0x3f000000)); /* 0.5 */
	jit_image_round(g, a, a, JIT_FLOOR);
	VX(g, VCVTTPS2DQ, a, a);
	VXD(g, VPAND, a, a, OF(within[axis]));
}

void jit_gather_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap)
{
	static const struct finder gathers = { gathered, first_gathered, false };
	find(g, from, t, tap, (struct xo){ 0 }, false, &gathers);
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
