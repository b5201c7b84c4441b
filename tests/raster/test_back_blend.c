/* SPDX-License-Identifier: MIT */
/* Colour: random formats, channel orders, blend states, logic operations and
 * write masks against a model in double, pixel by pixel; two targets or dual
 * source.  Integer formats, logic operations and kept bits must be exact. */
#include "test_back_util.h"

enum { WIDTH = 40, HEIGHT = 24, COUNT = 24, ROUNDS = 1500 };

/* mrt0 = attr0, mrt1 = attr1, both flat */
static const uint32_t ps_flat[] = {
	0xbefc0003,
	0xd40a0002, 0xd40e0102, 0xd4120202, 0xd4160302, /* v_interp_mov_f32 v2-v5, p0, attr0 */
	0xd41a0402, 0xd41e0502, 0xd4220602, 0xd4260702, /* v6-v9, attr1 */
	0xc400001f, 0x09080706, /* exp mrt1 */
	0xc400180f, 0x05040302, /* exp mrt0 done vm */
	0xbf810000,
};

static const struct format { uint8_t dfmt, nfmt, components, bits; } formats[] = {
	{ DFMT_8_8_8_8, NFMT_UNORM, 4, 8 }, { DFMT_8_8_8_8, NFMT_SRGB, 4, 8 }, { DFMT_8_8_8_8, NFMT_SNORM, 4, 7 },
	{ DFMT_8_8_8_8, NFMT_UINT, 4, 8 }, { DFMT_8, NFMT_UNORM, 1, 8 }, { DFMT_8_8, NFMT_UNORM, 2, 8 },
	{ DFMT_16_16_16_16, NFMT_FLOAT, 4, 10 }, { DFMT_32_32_32_32, NFMT_FLOAT, 4, 20 },
	{ DFMT_16_16_16_16, NFMT_UNORM, 4, 16 }, { DFMT_16_16, NFMT_SINT, 2, 16 }, { DFMT_32, NFMT_UINT, 1, 32 },
	{ DFMT_2_10_10_10, NFMT_UNORM, 4, 2 }, { DFMT_5_6_5, NFMT_UNORM, 3, 5 }, { DFMT_10_11_11, NFMT_FLOAT, 3, 5 },
	{ DFMT_32_32, NFMT_FLOAT, 2, 20 }, { DFMT_16, NFMT_FLOAT, 1, 10 }, { DFMT_16_16, NFMT_FLOAT, 2, 10 },
	{ DFMT_32, NFMT_FLOAT, 1, 20 }, { DFMT_16, NFMT_UNORM, 1, 16 }, { DFMT_16_16, NFMT_UNORM, 2, 16 },
};

struct scene {
	struct tb_vertex vertex[COUNT][3];
	struct rs_prim prim[COUNT];
	unsigned count;
};

static bool is_integer(const struct rs_target *t) { return t->plane.nfmt == NFMT_UINT || t->plane.nfmt == NFMT_SINT; }
static bool is_real(const struct rs_target *t) { return t->plane.nfmt == NFMT_FLOAT || t->plane.nfmt == NFMT_SRGB; }

static void make_scene(struct scene *s, const struct tb *t, uint64_t *seed)
{
	s->count = 0;
	for (unsigned n = 0; n < COUNT; n++) {
		float size = n % 3 ? 12 : 100;
		struct tb_vertex *v = s->vertex[s->count];
		float cx = tb_unit(seed) * WIDTH, cy = tb_unit(seed) * HEIGHT;
		for (int i = 0; i < 3; i++) {
			v[i].x = cx + (tb_unit(seed) - 0.5f) * size;
			v[i].y = cy + (tb_unit(seed) - 0.5f) * size;
			v[i].z = 0;
			v[i].w = 1;
			for (int c = 0; c < 8; c++) {
				bool integer = is_integer(&t->pass.targets.color[c / 4]);
				float f = tb_unit(seed) * 2.4f - 0.7f;
				v[i].attr[c / 4][c % 4] = integer ? tb_float(tb_random(seed) >> (n & 1 ? 24 : 8)) : f;
			}
		}
		if (tb_triangle(&s->prim[s->count], &t->draw, v, WIDTH, HEIGHT))
			s->count++;
	}
}

static double clamp_for(const struct rs_target *t, double v)
{
	double lo = t->plane.nfmt == NFMT_SNORM ? -1 : 0;
	return t->plane.nfmt == NFMT_FLOAT ? v : v < lo ? lo : v > 1 ? 1 : v;
}

struct colors { double src[4], dst[4], src1[4], constant[4]; };

static double model_factor(unsigned f, int ch, const struct colors *k)
{
	double sat = k->src[3] < 1 - k->dst[3] ? k->src[3] : 1 - k->dst[3];
	switch (f) {
	case 0: return 0;
	case 1: return 1;
	case 2: return k->src[ch];
	case 3: return 1 - k->src[ch];
	case 4: return k->src[3];
	case 5: return 1 - k->src[3];
	case 6: return k->dst[3];
	case 7: return 1 - k->dst[3];
	case 8: return k->dst[ch];
	case 9: return 1 - k->dst[ch];
	case 10: return ch == 3 ? 1 : sat;
	case 13: return k->constant[ch];
	case 14: return 1 - k->constant[ch];
	case 15: return k->src1[ch];
	case 16: return 1 - k->src1[ch];
	case 17: return k->src1[3];
	case 18: return 1 - k->src1[3];
	case 19: return k->constant[3];
	default: return 1 - k->constant[3];
	}
}

static double model_blend(uint32_t cntl, int ch, const struct colors *k)
{
	unsigned shift = ch == 3 && REG_GET(cntl, CB_BLEND_CONTROL, SEPARATE_ALPHA_BLEND) ? 16 : 0;
	unsigned fs = cntl >> shift & 31, op = cntl >> (shift + 5) & 7, fd = cntl >> (shift + 8) & 31;
	double s = k->src[ch], d = k->dst[ch];
	if (op == 2)
		return s < d ? s : d;
	if (op == 3)
		return s > d ? s : d;
	s *= model_factor(fs, ch, k); /* 1 - x of SNORM may be 2 */
	d *= model_factor(fd, ch, k);
	return op == 0 ? s + d : op == 1 ? s - d : d - s;
}

static int component_of(const struct rs_target *t, const struct format *f, int ch)
{
	for (int c = 0; c < f->components; c++)
		if (t->sel[c] == SEL_R + ch)
			return c;
	return -1;
}

/* Component values of one texel, integers exact, floats as double. */
static void read_texel(const struct rs_target *t, const uint8_t *p, double out[4], uint32_t raw[4])
{
	cu_format_unpack(t->plane.dfmt, t->plane.nfmt, p, raw);
	for (int c = 0; c < 4; c++)
		out[c] = is_integer(t) ? raw[c] : tb_float(raw[c]);
}

/* What the model expects of one pixel: either exact bits (texel) or values with
 * a tolerance in component c. */
static void model_pixel(const struct tb *t, unsigned n, const struct format *f, const struct rs_prim *p,
	uint8_t *texel, bool dual, const uint8_t *got, uint32_t x, uint32_t y)
{
	const struct rs_target *target = &t->pass.targets.color[n];
	const uint32_t *r = t->context.reg;
	uint32_t cntl = r[R_CB_BLEND_CONTROL + n], mask = r[R_CB_TARGET_MASK] >> 4 * n & 15;
	unsigned rop = REG_GET(r[R_CB_COLOR_CONTROL], CB_COLOR_CONTROL, ROP3);
	bool blend = REG_GET(cntl, CB_BLEND_CONTROL, ENABLE) && rop == 0xcc && !is_integer(target);
	struct colors k;
	uint32_t raw[4], in[4], got_raw[4];
	double dst[4], now[4], want[4];
	read_texel(target, texel, dst, raw);
	read_texel(target, got, now, got_raw);
	for (int ch = 0; ch < 4; ch++) {
		int c = component_of(target, f, ch);
		k.src[ch] = clamp_for(target, p->attr[0][4 * n + (unsigned)ch]);
		k.src1[ch] = clamp_for(target, dual ? p->attr[0][4 + ch] : 0);
		k.constant[ch] = clamp_for(target, tb_float(r[R_CB_BLEND_RED + ch]));
		k.dst[ch] = c >= 0 ? dst[c] : ch == 3;
	}
	for (int c = 0; c < 4; c++) {
		int ch = target->sel[c] - SEL_R;
		want[c] = blend ? model_blend(cntl, ch, &k) : clamp_for(target, p->attr[0][4 * n + (unsigned)ch]);
		in[c] = tb_bits(p->attr[0][4 * n + (unsigned)ch]);
	}
	uint8_t fresh[16];
	cu_format_pack(target->plane.dfmt, target->plane.nfmt, in, fresh);
	if (!is_real(target) && rop != 0xcc)
		for (unsigned b = 0; b < target->plane.bpe; b++) {
			unsigned s = fresh[b], d = texel[b];
			fresh[b] = (uint8_t)((rop & 1 ? ~s & ~d : 0) | (rop & 2 ? ~s & d : 0) | (rop & 4 ? s & ~d : 0) |
				(rop & 8 ? s & d : 0));
		}
	uint32_t fresh_raw[4];
	cu_format_unpack(target->plane.dfmt, target->plane.nfmt, fresh, fresh_raw);
	for (int c = 0; c < f->components; c++) {
		int ch = target->sel[c] - SEL_R;
		if (!(mask >> ch & 1)) {
			CHECK(got_raw[c] == raw[c], "format %u/%u (%u, %u) component %d: kept %08x became %08x", f->dfmt, f->nfmt,
				x, y, c, raw[c], got_raw[c]);
		} else if (!blend) {
			CHECK(got_raw[c] == fresh_raw[c], "format %u/%u (%u, %u) component %d: %08x, expected %08x", f->dfmt,
				f->nfmt, x, y, c, got_raw[c], fresh_raw[c]);
		} else {
			double w = clamp_for(target, want[c]);
			if (f->nfmt == NFMT_FLOAT && !(fabs(w) < 60000)) /* beyond small floats */
				continue;
			if (f->dfmt == DFMT_10_11_11 && w < 0)
				w = 0;
			double step = f->nfmt == NFMT_FLOAT ? (fabs(w) + 1) * ldexp(1, -f->bits) : 1.01 / ((1 << f->bits) - 1);
			if (f->nfmt == NFMT_SRGB)
				step *= 2.3; /* the curve is steepest at 1 */
			CHECK(fabs(now[c] - w) <= step, "format %u/%u (%u, %u) component %d: %g, expected %g (blend %08x)",
				f->dfmt, f->nfmt, x, y, c, now[c], w, cntl);
		}
	}
	memcpy(texel, got, target->plane.bpe); /* later errors are not those of before */
}

static bool covered(const struct rs_prim *p, int64_t x, int64_t y)
{
	for (int e = 0; e < p->edges; e++)
		if (p->edge[e].a * (256 * x + 128) + p->edge[e].b * (256 * y + 128) + p->edge[e].c < 0)
			return false;
	return x >= p->x0 && x < p->x1 && y >= p->y0 && y < p->y1;
}

static void random_state(struct tb *t, const struct format *const f[2], bool dual, uint64_t *seed)
{
	static const uint8_t factors[19] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 19, 20, 15, 16, 17, 18 };
	static const uint8_t plain[6] = { BLEND_ZERO, BLEND_ONE, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, BLEND_DST_ALPHA,
		BLEND_ONE_MINUS_DST_ALPHA };
	static const uint8_t rops[16] = { 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc,
		0xdd, 0xee, 0xff };
	const bool simple = !dual && tb_random(seed) % 2; /* sums, of which programs have most */
	for (unsigned n = 0; n < 2; n++) {
		unsigned count = dual ? 19 : 15;
		uint32_t c = REG_SET(CB_BLEND_CONTROL, COLOR_SRCBLEND, factors[tb_random(seed) % count]) |
			REG_SET(CB_BLEND_CONTROL, COLOR_DESTBLEND, factors[tb_random(seed) % count]) |
			REG_SET(CB_BLEND_CONTROL, COLOR_COMB_FCN, tb_random(seed) % 5) |
			REG_SET(CB_BLEND_CONTROL, ALPHA_SRCBLEND, factors[tb_random(seed) % count]) |
			REG_SET(CB_BLEND_CONTROL, ALPHA_DESTBLEND, factors[tb_random(seed) % count]) |
			REG_SET(CB_BLEND_CONTROL, ALPHA_COMB_FCN, tb_random(seed) % 5) |
			REG_SET(CB_BLEND_CONTROL, SEPARATE_ALPHA_BLEND, tb_random(seed)) |
			REG_SET(CB_BLEND_CONTROL, ENABLE, tb_random(seed) % 4 != 0);
		if (simple)
			c = REG_SET(CB_BLEND_CONTROL, COLOR_SRCBLEND, plain[tb_random(seed) % 6]) |
				REG_SET(CB_BLEND_CONTROL, COLOR_DESTBLEND, plain[tb_random(seed) % 6]) |
				REG_SET(CB_BLEND_CONTROL, COLOR_COMB_FCN, COMB_ADD) |
				REG_SET(CB_BLEND_CONTROL, ALPHA_SRCBLEND, factors[tb_random(seed) % 11]) |
				REG_SET(CB_BLEND_CONTROL, ALPHA_DESTBLEND, factors[tb_random(seed) % 11]) |
				REG_SET(CB_BLEND_CONTROL, ALPHA_COMB_FCN, COMB_ADD) | REG_SET(CB_BLEND_CONTROL, SEPARATE_ALPHA_BLEND, 1) |
				REG_SET(CB_BLEND_CONTROL, ENABLE, tb_random(seed) % 4 != 0);
		if (dual && n == 0)
			c = (c & ~31u) | 15 | REG_SET(CB_BLEND_CONTROL, ENABLE, 1);
		tb_set(t, R_CB_BLEND_CONTROL + n, c);
		for (unsigned i = 0; i < 4; i++) {
			/* two channel orders: RGBA and BGRA */
			bool swap = f[n]->components >= 3 && (tb_random(seed) & 1) && i == 0;
			if (swap) {
				t->pass.targets.color[n].sel[0] = SEL_B;
				t->pass.targets.color[n].sel[2] = SEL_R;
			}
		}
	}
	uint32_t mask = simple || tb_random(seed) % 3 ? 0xff : tb_random(seed) & 0xff;
	tb_set(t, R_CB_TARGET_MASK, dual ? mask & 15 : mask);
	tb_set(t, R_CB_SHADER_MASK, 0xff);
	unsigned rop = tb_random(seed) % 4 || dual ? 0xcc : rops[tb_random(seed) & 15];
	tb_set(t, R_CB_COLOR_CONTROL, REG_SET(CB_COLOR_CONTROL, MODE, 1) | REG_SET(CB_COLOR_CONTROL, ROP3, rop));
	for (unsigned i = 0; i < 4; i++)
		tb_set(t, R_CB_BLEND_RED + i, tb_bits(tb_unit(seed) * 1.6f - 0.3f));
}

static void run_round(struct rs_worker *const w[2], struct cu_program *program, unsigned round)
{
	static struct tb t;
	static struct scene s;
	uint64_t seed = 0x9e3779b97f4a7c15ull * (round + 1);
	const struct format *f[2];
	struct rs_target model[2];
	bool dual = tb_random(&seed) % 4 == 0;
	tb_begin(&t);
	for (unsigned n = 0; n < 2; n++) {
		uint64_t texels = tb_random(&seed);
		f[n] = &formats[tb_random(&seed) % (sizeof formats / sizeof *formats)];
		unsigned tiling = tb_random(&seed) & 1 ? TILING_LINEAR : TILING_4X4;
		t.pass.targets.color[n] = tb_target(f[n]->dfmt, f[n]->nfmt, tiling, WIDTH, HEIGHT, 1);
		if (f[n]->nfmt != NFMT_FLOAT) /* no NaN in the destination */
			tb_scramble(&t.pass.targets.color[n], texels | 1);
	}
	random_state(&t, f, dual, &seed);
	tb_set(&t, R_SPI_PS_IN_CONTROL, REG_SET(SPI_PS_IN_CONTROL, NUM_INTERP, 2));
	tb_set(&t, R_SPI_PS_INPUT_CNTL, REG_SET(SPI_PS_INPUT_CNTL, FLAT_SHADE, 1));
	tb_set(&t, R_SPI_PS_INPUT_CNTL + 1, REG_SET(SPI_PS_INPUT_CNTL, FLAT_SHADE, 1) | 1);
	t.draw.ps.program = program;
	tb_state(&t);
	tb_pass(&t, WIDTH, HEIGHT);
	make_scene(&s, &t, &seed);
	for (unsigned n = 0; n < 2; n++) {
		model[n] = tb_target(f[n]->dfmt, f[n]->nfmt, t.pass.targets.color[n].plane.tiling, WIDTH, HEIGHT, 1);
		memcpy(model[n].plane.base, t.pass.targets.color[n].plane.base, model[n].plane.slice_stride);
	}
	for (unsigned i = 0; i < s.count; i++) {
		tb_prim(&t, &s.prim[i]);
		tb_render(&t, w[round & 1]);
		for (uint32_t y = 0; y < HEIGHT; y++)
			for (uint32_t x = 0; x < WIDTH; x++)
				for (unsigned n = 0; n < 2; n++) {
					uint8_t *m = tb_texel(&model[n], x, y, 0), *got = tb_texel(&t.pass.targets.color[n], x, y, 0);
					if (covered(&s.prim[i], x, y) && (n == 0 || !dual))
						model_pixel(&t, n, f[n], &s.prim[i], m, dual, got, x, y);
					else
						CHECK(!memcmp(m, got, model[n].plane.bpe),
							"round %u (%u, %u): written outside", round, x, y);
				}
	}
	for (unsigned n = 0; n < 2; n++) {
		free(model[n].plane.base);
		free(t.pass.targets.color[n].plane.base);
	}
	tb_end(&t);
}

int main(void)
{
	struct tb t;
	tb_program(&t, ps_flat, sizeof ps_flat / 4);
	struct rs_worker *w[2] = { test_worker(CU_LEVEL_V3), NULL };
	w[1] = __builtin_cpu_supports("avx512vl") ? test_worker(CU_LEVEL_V4) : w[0];
	CHECK(w[0] && w[1], "no memory");
	for (unsigned round = 0; round < ROUNDS; round++) {
		cu_quick_gathers = round / 2 & 1;
		run_round(w, t.program, round);
	}
	if (w[1] != w[0])
		rs_worker_destroy(w[1]);
	rs_worker_destroy(w[0]);
	cu_program_destroy(t.program);
	return 0;
}
