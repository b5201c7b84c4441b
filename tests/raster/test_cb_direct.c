/* SPDX-License-Identifier: MIT */
/* CB: blocks, parts of blocks and packed quads of the formats that are blended without going through memory, each lane with
 * colours of its own, with the usual equations and others, logic operations and components that are not written: against the
 * specification's arithmetic in scalar floats and the conversions of single texels, bit for bit, for both kernel levels. */
#include <math.h>
#include "core/format/format.h"
#include "core/format/format_layout.h"
#include "raster/back/cb.h"
#include "raster/back/lanes.h"
#include "raster/back/ps_state.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"
#include "test_lone_worker.h"

enum { ROUNDS = 60, SIDE = 24, BLOCK_X = 8, BLOCK_Y = 16 };

/* raster/back/cb_wave.h, of both levels. */
void rs_cb_direct_v3(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o, uint64_t lanes);
void rs_cb_direct_v4(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o, uint64_t lanes);

extern const struct cu_formats cu_formats_v3, cu_formats_v4;

static const struct { uint8_t dfmt, nfmt; } formats[] = {
#define F(d, n) { DFMT_##d, NFMT_##n },
	RS_DIRECT_FORMATS(F) RS_DIRECT_INTEGERS(F)
#undef F
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const uint8_t factors[] = { BLEND_ZERO, BLEND_ONE, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, BLEND_DST_ALPHA,
	BLEND_ONE_MINUS_DST_ALPHA, BLEND_SRC_COLOR, BLEND_ONE_MINUS_SRC_COLOR, BLEND_DST_COLOR, BLEND_ONE_MINUS_DST_COLOR,
	BLEND_SRC_ALPHA_SATURATE, BLEND_CONSTANT_COLOR, BLEND_ONE_MINUS_CONSTANT_COLOR, BLEND_CONSTANT_ALPHA,
	BLEND_ONE_MINUS_CONSTANT_ALPHA, BLEND_SRC1_COLOR, BLEND_ONE_MINUS_SRC1_COLOR, BLEND_SRC1_ALPHA, BLEND_ONE_MINUS_SRC1_ALPHA };
static const uint8_t operations[] = { COMB_ADD, COMB_SUBTRACT, COMB_REVERSE_SUBTRACT, COMB_MIN, COMB_MAX };

/* Of one pixel. */
struct operands { float src[4], dst[4], constant[4], src1[4]; };

static float factor(unsigned code, unsigned ch, const struct operands *o)
{
	switch (code) {
	case BLEND_ZERO: return 0;
	case BLEND_ONE: return 1;
	case BLEND_SRC_COLOR: return o->src[ch];
	case BLEND_ONE_MINUS_SRC_COLOR: return 1 - o->src[ch];
	case BLEND_SRC_ALPHA: return o->src[3];
	case BLEND_ONE_MINUS_SRC_ALPHA: return 1 - o->src[3];
	case BLEND_DST_COLOR: return o->dst[ch];
	case BLEND_ONE_MINUS_DST_COLOR: return 1 - o->dst[ch];
	case BLEND_DST_ALPHA: return o->dst[3];
	case BLEND_ONE_MINUS_DST_ALPHA: return 1 - o->dst[3];
	case BLEND_SRC_ALPHA_SATURATE: return ch == 3 ? 1 : o->src[3] < 1 - o->dst[3] ? o->src[3] : 1 - o->dst[3];
	case BLEND_CONSTANT_COLOR: return o->constant[ch];
	case BLEND_ONE_MINUS_CONSTANT_COLOR: return 1 - o->constant[ch];
	case BLEND_CONSTANT_ALPHA: return o->constant[3];
	case BLEND_ONE_MINUS_CONSTANT_ALPHA: return 1 - o->constant[3];
	case BLEND_SRC1_COLOR: return o->src1[ch];
	case BLEND_ONE_MINUS_SRC1_COLOR: return 1 - o->src1[ch];
	case BLEND_SRC1_ALPHA: return o->src1[3];
	default: return 1 - o->src1[3];
	}
}

static float combined(unsigned op, unsigned from, unsigned to, unsigned ch, const struct operands *o)
{
	const float s = o->src[ch], d = o->dst[ch], a = s * factor(from, ch, o), b = d * factor(to, ch, o);
	switch (op) {
	case COMB_ADD: return a + b;
	case COMB_SUBTRACT: return a - b;
	case COMB_REVERSE_SUBTRACT: return b - a;
	case COMB_MIN: return s < d ? s : d;
	default: return s > d ? s : d;
	}
}

static unsigned logic(unsigned rop, unsigned s, unsigned d)
{
	return (rop & 1 ? ~s & ~d : 0) | (rop & 2 ? ~s & d : 0) | (rop & 4 ? s & ~d : 0) | (rop & 8 ? s & d : 0);
}

/* 0: none; the usual ones, whose alpha is any, and others. */
static struct rs_blend random_equation(unsigned kind, uint64_t *seed)
{
	static const uint8_t color[][2] = {
#define K(name, source, destination, ...) { BLEND_##source, BLEND_##destination },
		RS_DIRECT_SUMS(K, , )
#undef K
	};
	struct rs_blend b = { .enable = kind > 0, .alpha_src = factors[tb_random(seed) % sizeof factors],
		.alpha_dst = factors[tb_random(seed) % sizeof factors], .color_op = COMB_ADD, .alpha_op = COMB_ADD };
	if (tb_random(seed) & 1) {
		b.color_op = operations[tb_random(seed) % sizeof operations];
		b.alpha_op = operations[tb_random(seed) % sizeof operations];
	}
	const bool usual = kind > 0 && kind <= sizeof color / sizeof *color;
	b.color_src = usual ? color[kind - 1][0] : factors[tb_random(seed) % sizeof factors];
	b.color_dst = usual ? color[kind - 1][1] : factors[tb_random(seed) % sizeof factors];
	return b;
}

/* Finite: which NaN two of them make is not said. */
static float random_value(uint64_t *seed)
{
	static const float special[] = { 0, -0.0f, 1, 0x1.fffffep-1f, 0x1p-24f, 0x1p-15f, -1, 2, 65504, 0.5f, 0x1.8p-25f };
	const uint32_t r = tb_random(seed);
	return r % 4 == 0 ? special[r / 4 % (sizeof special / sizeof *special)] : tb_unit(seed) * 2.5f - 0.75f;
}

static bool is_integer(unsigned nfmt) { return nfmt == NFMT_UINT || nfmt == NFMT_SINT; }

static uint32_t random_integer(uint64_t *seed)
{
	static const uint32_t special[] = { 0, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7fffffff, 0x80000000 };
	const uint32_t r = tb_random(seed), x = r % 4 == 0 ? special[r / 4 % (sizeof special / sizeof *special)] : r >> r % 32;
	return r & 4 ? x : -x;
}

/* To what a source of a blended target is clamped, or any that is written to one. */
static float clamped(unsigned nfmt, float x)
{
	const float least = nfmt == NFMT_SNORM ? -1 : 0;
	if (nfmt != NFMT_FLOAT && x != x)
		return 0;
	return nfmt == NFMT_FLOAT ? x : x > least ? x < 1 ? x : 1 : least;
}

/* Red and blue, where a target has them in each other's place. */
static void exchange(const struct rs_target *t, uint32_t value[4])
{
	const uint32_t red = value[0];
	if (t->sel[0] == SEL_R)
		return;
	value[0] = value[2];
	value[2] = red;
}

static void model(const struct rs_target *t, const struct rs_ps_state *s, const uint32_t exported[2][4], uint8_t *texel)
{
	const unsigned nfmt = t->plane.nfmt;
	const struct rs_blend *b = &s->blend[0];
	const bool blends = b->enable && !is_integer(nfmt) && s->rop == ROP3_COPY;
	uint8_t was[16];
	uint32_t old[4], new[4];
	struct operands o;
	cu_format_unpack(t->plane.dfmt, nfmt, texel, old);
	exchange(t, old);
	memcpy(was, texel, sizeof was);
	for (unsigned c = 0; c < 4; c++) {
		o.src[c] = clamped(nfmt, tb_float(exported[0][c]));
		o.src1[c] = clamped(nfmt, tb_float(exported[1][c]));
		o.constant[c] = clamped(nfmt, s->constant[c]);
		o.dst[c] = tb_float(old[c]);
	}
	for (unsigned c = 0; c < 4; c++) {
		if (blends)
			new[c] = tb_bits(c == 3 ? combined(b->alpha_op, b->alpha_src, b->alpha_dst, 3, &o) :
				combined(b->color_op, b->color_src, b->color_dst, c, &o));
		else
			new[c] = exported[0][c];
		if (!(s->write_mask >> c & 1))
			new[c] = old[c];
	}
	exchange(t, new);
	cu_format_pack(t->plane.dfmt, nfmt, new, texel);
	for (unsigned i = 0; i < t->plane.bpe && nfmt != NFMT_FLOAT; i++)
		texel[i] = (uint8_t)logic(s->rop & 15, texel[i], was[i]);
}

static void fill(struct rs_target *t, uint64_t *seed)
{
	for (unsigned i = 0; i < SIDE * SIDE; i++) {
		uint32_t in[4];
		for (unsigned c = 0; c < 4; c++)
			in[c] = is_integer(t->plane.nfmt) ? random_integer(seed) :
				tb_bits(fminf(clamped(t->plane.nfmt, random_value(seed)), 60000)); /* finite in each format */
		cu_format_pack(t->plane.dfmt, t->plane.nfmt, in, tb_texel(t, i % SIDE, i / SIDE, 0));
	}
}

static void check(struct rs_worker *w, enum cu_level level, unsigned format, unsigned kind, unsigned tiling, bool packed, uint64_t lanes,
	uint64_t *seed)
{
	static const struct rs_prim prim;
	static struct rs_ps_state s;
	static struct rs_pass pass;
	struct rs_target t = tb_target(formats[format].dfmt, formats[format].nfmt, tiling, SIDE, SIDE, 1);
	struct rs_open_wave o = { .block = !packed, .quads = RS_WAVE_QUADS, .prims = 1, .prim = { &prim }, .exec = lanes };
	struct rs_color c = { 0 };
	uint8_t want[SIDE][SIDE][16];
	s.write_mask = 15;
	s.rop = ROP3_COPY;
	if (tb_random(seed) % 4 == 0)
		s.rop = (uint8_t)(tb_random(seed) % 16 * 0x11);
	else if (tb_random(seed) % 4 == 0)
		s.write_mask = 1 | tb_random(seed) % 16;
	s.blend[0] = random_equation(kind, seed);
	if (t.plane.dfmt == DFMT_8_8_8_8 && t.plane.nfmt == NFMT_UNORM && s.rop == ROP3_COPY) { /* not here */
		free(t.plane.base);
		return;
	}
	s.dual_source = true;
	for (unsigned i = 0; i < 4; i++)
		s.constant[i] = random_value(seed);
	for (unsigned i = cu_format_layout(t.plane.dfmt).count; i < 4; i++)
		t.sel[i] = i == 3 ? SEL_1 : SEL_0;
	if (cu_format_layout(t.plane.dfmt).count >= 3 && tb_random(seed) & 1) {
		t.sel[0] = SEL_B;
		t.sel[2] = SEL_R;
	}
	CHECK(rs_color_bind(&c, &pass, &t, &s, 0, level == CU_LEVEL_V4 ? &cu_formats_v4 : &cu_formats_v3), "not bound");
	CHECK(c.direct.format == format + 1, "format %u has no function of its own", format);
	for (unsigned q = 0; q < RS_WAVE_QUADS; q++) {
		o.x[q] = (uint16_t)(BLOCK_X + rs_lane_x(4 * q));
		o.y[q] = (uint16_t)(BLOCK_Y + rs_lane_y(4 * q));
	}
	fill(&t, seed);
	for (unsigned i = 0; i < SIDE * SIDE; i++)
		memcpy(want[i / SIDE][i % SIDE], tb_texel(&t, i % SIDE, i / SIDE, 0), t.plane.bpe);
	w->state = &s;
	for (unsigned l = 0; l < CU_LANES; l++) {
		uint32_t exported[2][4];
		for (unsigned k = 0; k < 8; k++) {
			uint32_t *const x = &exported[k / 4][k % 4];
			*x = is_integer(t.plane.nfmt) ? random_integer(seed) : tb_bits(random_value(seed));
			if (t.plane.nfmt != NFMT_FLOAT && !is_integer(t.plane.nfmt) && tb_random(seed) % 16 == 0)
				*x = 0x7fc00000;
			w->slot.exports->data[k / 4][k % 4][l] = *x;
		}
		if (lanes >> l & 1)
			model(&t, &s, exported, want[BLOCK_Y + rs_lane_y(l)][BLOCK_X + rs_lane_x(l)]);
	}
	if (level == CU_LEVEL_V4)
		rs_cb_direct_v4(w, &c, &o, lanes);
	else
		rs_cb_direct_v3(w, &c, &o, lanes);
	for (unsigned i = 0; i < SIDE * SIDE; i++)
		CHECK(!memcmp(tb_texel(&t, i % SIDE, i / SIDE, 0), want[i / SIDE][i % SIDE], t.plane.bpe),
			"level %d, format %u, equation %u, tiling %u, packed %d, lanes %016llx: (%u, %u)", (int)level, format, kind, tiling, packed,
			(unsigned long long)lanes, i % SIDE, i / SIDE);
	free(t.plane.base);
}

static void check_level(struct rs_worker *w, enum cu_level level)
{
	uint64_t seed = 11;
	for (int round = 0; round < ROUNDS; round++)
		for (unsigned format = 0; format < FORMATS; format++)
			for (unsigned kind = 0; kind <= RS_DIRECT_KIND_COUNT; kind++) {
				const uint64_t some = (uint64_t)tb_random(&seed) << 32 | tb_random(&seed) | 1;
				check(w, level, format, kind, round & 4 ? TILING_LINEAR : TILING_4X4, round & 2, round % 3 ? ~0ull : some, &seed);
			}
}

int main(void)
{
	tb_each_level(check_level);
	return 0;
}
