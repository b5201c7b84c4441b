/* SPDX-License-Identifier: MIT */
/* CB: whole 8x8 blocks of 8_8_8_8 UNORM and sRGB with the usual blend equations, against the
 * Vulkan specification's arithmetic in scalar floats; bit for bit, for both orders
 * of components, both kernel levels, images in parts and in rows, and blocks of which some lanes are off. */
#include "core/format/format.h"
#include "raster/back/cb.h"
#include "raster/back/lanes.h"
#include "raster/back/ps_state.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"
#include "test_lone_worker.h"

enum { ROUNDS = 400, SIDE = 24, BLOCK_X = 8, BLOCK_Y = 16 };

/* raster/back/cb_wave.h, of both levels. */
void rs_cb_rgba8_v3(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o, uint64_t lanes);
void rs_cb_rgba8_v4(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o, uint64_t lanes);

static const struct rs_blend equations[] = {
#define KIND(name, cs, cd, as, ad) { true, cs, cd, 0, as, ad, 0 },
#define OWN_ALPHA_KIND(name, cs, cd) { true, cs, cd, 0, 0, 0, 0 },
#define OPERATION(name, op) { true, 0, 0, op, 0, 0, op },
	RS_BLEND_KINDS(KIND)
	RS_BLEND_OWN_ALPHA_KINDS(OWN_ALPHA_KIND)
	RS_BLEND_8_8_8_8_KINDS(OPERATION)
#undef OPERATION
#undef OWN_ALPHA_KIND
#undef KIND
};

static float clamped(float x)
{
	return x > 0 ? x < 1 ? x : 1 : 0; /* NaN: 0 */
}

/* A channel's inputs and alpha's. */
struct channel { float src, dst, src1, constant; };

static float factor(unsigned code, const struct channel *c, const struct channel *alpha, bool is_alpha)
{
	switch (code) {
	case BLEND_ZERO: return 0;
	case BLEND_ONE: return 1;
	case BLEND_SRC_COLOR: return c->src;
	case BLEND_ONE_MINUS_SRC_COLOR: return 1 - c->src;
	case BLEND_DST_COLOR: return c->dst;
	case BLEND_ONE_MINUS_DST_COLOR: return 1 - c->dst;
	case BLEND_SRC_ALPHA: return alpha->src;
	case BLEND_ONE_MINUS_SRC_ALPHA: return 1 - alpha->src;
	case BLEND_DST_ALPHA: return alpha->dst;
	case BLEND_ONE_MINUS_DST_ALPHA: return 1 - alpha->dst;
	case BLEND_SRC_ALPHA_SATURATE: return is_alpha ? 1 : fminf(alpha->src, 1 - alpha->dst);
	case BLEND_CONSTANT_COLOR: return c->constant;
	case BLEND_ONE_MINUS_CONSTANT_COLOR: return 1 - c->constant;
	case BLEND_CONSTANT_ALPHA: return alpha->constant;
	case BLEND_ONE_MINUS_CONSTANT_ALPHA: return 1 - alpha->constant;
	case BLEND_SRC1_COLOR: return c->src1;
	case BLEND_ONE_MINUS_SRC1_COLOR: return 1 - c->src1;
	case BLEND_SRC1_ALPHA: return alpha->src1;
	default: return 1 - alpha->src1;
	}
}

static float combined(unsigned op, float s, float d, float source, float destination)
{
	switch (op) {
	case COMB_MIN: return fminf(s, d);
	case COMB_MAX: return fmaxf(s, d);
	case COMB_SUBTRACT: return source - destination;
	case COMB_REVERSE_SUBTRACT: return destination - source;
	default: return source + destination;
	}
}

static uint8_t any_factor(uint64_t *seed)
{
	static const uint8_t all[] = { BLEND_ZERO, BLEND_ONE, BLEND_SRC_COLOR, BLEND_ONE_MINUS_SRC_COLOR, BLEND_DST_COLOR,
		BLEND_ONE_MINUS_DST_COLOR, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, BLEND_DST_ALPHA, BLEND_ONE_MINUS_DST_ALPHA,
		BLEND_SRC_ALPHA_SATURATE, BLEND_CONSTANT_COLOR, BLEND_ONE_MINUS_CONSTANT_COLOR, BLEND_CONSTANT_ALPHA,
		BLEND_ONE_MINUS_CONSTANT_ALPHA, BLEND_SRC1_COLOR, BLEND_ONE_MINUS_SRC1_COLOR, BLEND_SRC1_ALPHA,
		BLEND_ONE_MINUS_SRC1_ALPHA };
	return all[tb_random(seed) % sizeof all];
}

/* The equation of a kind; what the kind leaves open is any. */
static struct rs_blend equation_of(enum rs_blend_kind kind, uint64_t *seed)
{
	static const uint8_t any[] = { BLEND_ZERO, BLEND_ONE, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, BLEND_DST_ALPHA,
		BLEND_ONE_MINUS_DST_ALPHA };
	static const uint8_t operations[] = { COMB_ADD, COMB_SUBTRACT, COMB_REVERSE_SUBTRACT, COMB_MIN, COMB_MAX };
	struct rs_blend b = equations[kind];
	if (kind == RS_BLEND_USUAL) {
		b.color_op = operations[tb_random(seed) % sizeof operations];
		b.alpha_op = operations[tb_random(seed) % sizeof operations];
	}
	if (kind >= RS_BLEND_MIN) { /* of the least and greatest, factors do not count */
		b.color_src = any_factor(seed);
		b.color_dst = any_factor(seed);
		b.alpha_src = any_factor(seed);
		b.alpha_dst = any_factor(seed);
	} else if (kind >= RS_BLEND_OVER_OWN_ALPHA) {
		b.alpha_src = any[tb_random(seed) % sizeof any];
		b.alpha_dst = any[tb_random(seed) % sizeof any];
	}
	return b;
}

/* Codes of sRGB as texels have them, one by one. */
static uint32_t srgb_code(float x)
{
	const uint32_t in[4] = { tb_bits(x) };
	uint8_t texel[4];
	cu_format_pack(DFMT_8_8_8_8, NFMT_SRGB, in, texel);
	return texel[0];
}

static float srgb_value(uint32_t code)
{
	const uint8_t texel[4] = { (uint8_t)code };
	uint32_t out[4];
	float x;
	cu_format_unpack(DFMT_8_8_8_8, NFMT_SRGB, texel, out);
	memcpy(&x, &out[0], 4);
	return x;
}

static uint32_t model_texel(const struct rs_blend *b, enum rs_rgba8 order, bool srgb, const float exported[4], const float second[4],
	const float constant[4], uint32_t before)
{
	struct channel in[4];
	unsigned shift[4];
	uint32_t texel = 0;
	for (unsigned ch = 0; ch < 4; ch++) {
		shift[ch] = order == RS_BGRA8 && ch != 1 && ch != 3 ? 16 - 8 * ch : 8 * ch;
		in[ch] = (struct channel){ clamped(exported[ch]), (float)(before >> shift[ch] & 255) / 255, clamped(second[ch]), clamped(constant[ch]) };
		if (srgb && ch < 3)
			in[ch].dst = srgb_value(before >> shift[ch] & 255);
	}
	for (unsigned ch = 0; ch < 4; ch++) {
		const bool last = ch == 3;
		const float s = in[ch].src * factor(last ? b->alpha_src : b->color_src, &in[ch], &in[3], last);
		const float d = in[ch].dst * factor(last ? b->alpha_dst : b->color_dst, &in[ch], &in[3], last);
		const float out = clamped(combined(last ? b->alpha_op : b->color_op, in[ch].src, in[ch].dst, s, d));
		texel |= (srgb && !last ? srgb_code(out) : (uint32_t)rint(255 * (double)out)) << shift[ch];
	}
	return texel;
}

/* Any value, with those that are at the limits among them. */
static float random_value(uint64_t *seed)
{
	static const float special[] = { 0, -0.0f, 1, 0x1.fffffep-1f, 0x1.000002p0f, 0x1p-24f, 0x1p-149f, -1, 2, INFINITY,
		-INFINITY, NAN, 0.5f };
	uint32_t r = tb_random(seed);
	if (r % 4 == 0)
		return special[r / 4 % (sizeof special / sizeof *special)];
	return r % 4 == 1 ? (float)(r >> 24) / 255 : tb_unit(seed) * (r % 4 == 2 ? 1 : 2.5f) - (r % 4 == 2 ? 0 : 0.75f);
}

/* What blends are spared: lanes that alpha makes clear or opaque, all, all of a part, or all but one. */
enum alphas { ALPHAS_ANY, ALPHAS_CLEAR, ALPHAS_OPAQUE, ALPHAS_PARTS, ALPHAS_COUNT };

static float random_alpha(enum alphas how, unsigned lane, unsigned odd, uint64_t *seed)
{
	static const float clear[] = { 0, -0.0f, -1, NAN }, opaque[] = { 1, 0x1.000002p0f, 2, INFINITY };
	const uint32_t r = tb_random(seed);
	if (how == ALPHAS_ANY || lane == odd)
		return random_value(seed);
	if (how == ALPHAS_PARTS)
		how = lane / 16 & 1 ? ALPHAS_OPAQUE : ALPHAS_CLEAR;
	return how == ALPHAS_CLEAR ? clear[r % 4] : opaque[r % 4];
}

static void check_block(struct rs_worker *w, enum cu_level level, enum rs_blend_kind kind, enum rs_rgba8 order,
	bool srgb, unsigned tiling, bool packed, uint64_t lanes, uint64_t *seed)
{
	static const struct rs_prim prim;
	struct rs_target t = tb_target(DFMT_8_8_8_8, srgb ? NFMT_SRGB : NFMT_UNORM, tiling, SIDE, SIDE, 1);
	const struct rs_blend equation = equation_of(kind, seed);
	struct rs_color c = { .target = &t, .rgba8 = (uint8_t)order, .srgb = srgb, .blend_kind = (uint8_t)kind,
		.blend = kind == RS_BLEND_NONE ? NULL : &equation, .read = kind != RS_BLEND_NONE, .clamp_hi = 1 };
	struct rs_open_wave o = { .block = !packed, .quads = RS_WAVE_QUADS, .prims = 1, .prim = { &prim }, .exec = lanes };
	uint32_t want[SIDE][SIDE];
	const uint32_t r = tb_random(seed);
	const enum alphas how = (enum alphas)(r % ALPHAS_COUNT);
	const unsigned odd = r >> 8 & (r >> 16 & 1 ? CU_LANES - 1 : ~0u); /* often none */
	const bool black = r >> 17 & 1;
	for (unsigned q = 0; q < RS_WAVE_QUADS; q++) {
		o.x[q] = (uint16_t)(BLOCK_X + rs_lane_x(4 * q));
		o.y[q] = (uint16_t)(BLOCK_Y + rs_lane_y(4 * q));
	}
	for (unsigned ch = 0; ch < 4; ch++)
		c.shift[ch] = (uint8_t)(order == RS_BGRA8 && ch != 1 && ch != 3 ? 16 - 8 * ch : 8 * ch);
	memset(c.texel_mask, 0xff, sizeof c.texel_mask);
	c.partial = !(tb_random(seed) % 4);
	for (unsigned i = 0; c.partial && i < 4; i++)
		c.texel_mask[i] = tb_random(seed) & 1 ? 0xff : 0;
	/* What was exported is where exports are, or still in VGPRs. */
	static const uint8_t stay[2][4] = { { 7, 2, 130, 9 }, { 200, 8, 31, 77 } };
	const bool stays = tb_random(seed) & 1;
	w->slot.wave->stays = stays ? 3 : 0;
	memcpy(w->slot.wave->stay, stay, sizeof stay);
	uint32_t bits;
	memcpy(&bits, c.texel_mask, 4);
	struct rs_ps_state state = { .dual_source = tb_random(seed) & 1 };
	w->state = &state;
	for (unsigned ch = 0; ch < 4; ch++)
		state.constant[ch] = random_value(seed);
	tb_scramble(&t, tb_random(seed) | 1);
	for (unsigned y = 0; y < SIDE; y++)
		for (unsigned x = 0; x < SIDE; x++)
			memcpy(&want[y][x], tb_texel(&t, x, y, 0), 4);
	for (unsigned l = 0; l < CU_LANES; l++) {
		float exported[4], second[4];
		for (unsigned ch = 0; ch < 4; ch++) {
			exported[ch] = ch == 3 ? random_alpha(how, l, odd, seed) : black && l != odd ? 0 : random_value(seed);
			uint32_t *const row = stays ? w->slot.wave->vgpr[stay[0][ch]] : w->slot.exports->data[0][ch];
			row[l] = tb_bits(exported[ch]);
			second[ch] = random_value(seed);
			uint32_t *const other = stays ? w->slot.wave->vgpr[stay[1][ch]] : w->slot.exports->data[1][ch];
			other[l] = tb_bits(second[ch]);
		}
		uint32_t *texel = &want[BLOCK_Y + rs_lane_y(l)][BLOCK_X + rs_lane_x(l)];
		if (lanes >> l & 1)
			*texel = (model_texel(&equation, order, srgb, exported, state.dual_source ? second : exported, state.constant, *texel) & bits) | (*texel & ~bits);
	}
	if (level == CU_LEVEL_V4)
		rs_cb_rgba8_v4(w, &c, &o, lanes);
	else
		rs_cb_rgba8_v3(w, &c, &o, lanes);
	for (unsigned i = 0; i < SIDE * SIDE; i++) {
		const unsigned x = i % SIDE, y = i / SIDE;
		uint32_t got;
		memcpy(&got, tb_texel(&t, x, y, 0), 4);
		CHECK(got == want[y][x], "level %d, equation %d, order %d, sRGB %d, tiling %u, packed %d, lanes %016llx, (%u, %u): %08x, expected %08x",
			(int)level, (int)kind, (int)order, srgb, tiling, packed, (unsigned long long)lanes, x, y, got, want[y][x]);
	}
	free(t.plane.base);
}

static void check_level(struct rs_worker *w, enum cu_level level)
{
	uint64_t seed = 7;
	for (int round = 0; round < ROUNDS; round++)
		for (int kind = 0; kind < RS_BLEND_ANY; kind++)
			for (int order = RS_RGBA8; order <= RS_BGRA8; order++) {
				uint64_t some = (uint64_t)tb_random(&seed) << 32 | tb_random(&seed) | 1;
				check_block(w, level, (enum rs_blend_kind)kind, (enum rs_rgba8)order, round & 1,
					round & 8 ? TILING_LINEAR : TILING_4X4, round & 16, round & 6 ? ~0ull : some, &seed);
			}
}

int main(void)
{
	tb_each_level(check_level);
	return 0;
}
