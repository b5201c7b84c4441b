/* SPDX-License-Identifier: MIT */
/* CB: blocks, parts of blocks and packed quads of the formats that are blended without going through memory, each lane with
 * colours of its own, with the usual equations and others: against the specification's arithmetic in scalar floats and the
 * conversions of single texels, bit for bit, for both kernel levels. */
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
	BLEND_ONE_MINUS_DST_ALPHA };

static float factor(unsigned code, float alpha, float there)
{
	switch (code) {
	case BLEND_ZERO: return 0;
	case BLEND_ONE: return 1;
	case BLEND_SRC_ALPHA: return alpha;
	case BLEND_ONE_MINUS_SRC_ALPHA: return 1 - alpha;
	case BLEND_DST_ALPHA: return there;
	default: return 1 - there;
	}
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
		.alpha_dst = factors[tb_random(seed) % sizeof factors] };
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

static void model(const struct rs_target *t, const struct rs_blend *b, const uint32_t exported[4], uint8_t *texel)
{
	const unsigned nfmt = t->plane.nfmt;
	uint32_t old[4], new[4];
	cu_format_unpack(t->plane.dfmt, nfmt, texel, old);
	const float alpha = clamped(nfmt, tb_float(exported[3])), there = tb_float(old[3]);
	for (unsigned c = 0; c < 4; c++) {
		float s = clamped(nfmt, tb_float(exported[c])), d = tb_float(old[c]);
		if (b->enable && !is_integer(nfmt)) {
			s = s * factor(c == 3 ? b->alpha_src : b->color_src, alpha, there);
			d = d * factor(c == 3 ? b->alpha_dst : b->color_dst, alpha, there);
			s = s + d;
		}
		new[c] = b->enable && !is_integer(nfmt) ? tb_bits(s) : exported[c];
	}
	cu_format_pack(t->plane.dfmt, nfmt, new, texel);
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
	s.blend[0] = random_equation(kind, seed);
	for (unsigned i = cu_format_layout(t.plane.dfmt).count; i < 4; i++)
		t.sel[i] = i == 3 ? SEL_1 : SEL_0;
	CHECK(rs_color_bind(&c, &pass, &t, &s, 0, level == CU_LEVEL_V4 ? &cu_formats_v4 : &cu_formats_v3), "not bound");
	CHECK(c.direct.format == format + 1, "format %u has no function of its own", format);
	for (unsigned q = 0; q < RS_WAVE_QUADS; q++) {
		o.x[q] = (uint16_t)(BLOCK_X + rs_lane_x(4 * q));
		o.y[q] = (uint16_t)(BLOCK_Y + rs_lane_y(4 * q));
	}
	fill(&t, seed);
	for (unsigned i = 0; i < SIDE * SIDE; i++)
		memcpy(want[i / SIDE][i % SIDE], tb_texel(&t, i % SIDE, i / SIDE, 0), t.plane.bpe);
	for (unsigned l = 0; l < CU_LANES; l++) {
		uint32_t exported[4];
		for (unsigned ch = 0; ch < 4; ch++) {
			exported[ch] = is_integer(t.plane.nfmt) ? random_integer(seed) : tb_bits(random_value(seed));
			if (t.plane.nfmt != NFMT_FLOAT && !is_integer(t.plane.nfmt) && tb_random(seed) % 16 == 0)
				exported[ch] = 0x7fc00000;
			w->slot.exports->data[0][ch][l] = exported[ch];
		}
		if (lanes >> l & 1)
			model(&t, &s.blend[0], exported, want[BLOCK_Y + rs_lane_y(l)][BLOCK_X + rs_lane_x(l)]);
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
