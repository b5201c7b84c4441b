/* SPDX-License-Identifier: MIT */
/* Images within regions: random programs on random descriptors give the interpreter's registers and exports, whatever of
 * it strips do by themselves, and wherever the descriptors turn out to be for others. */
#include "core/tex_cache.h"
#include "isa/resource.h"
#include "isa/surface.h"
#include "tests/jit/jit_harness.h"

enum { IMAGES = 4, SAMPLERS = 3, S_IMAGE = 0, S_SAMPLER = 32, S_COPY = 44, S_UNIFORM = 56, S_MASK = 60, S_SAVE = 62, S_COUNT = 66,
	COORDS = 4, INTEGERS = 4, RESULTS = 8, LAST = 40, BYTES = 1 << 16 };

static _Alignas(256) uint8_t memory[IMAGES][BYTES];
static unsigned layers[IMAGES]; /* or slices */
static bool volume[IMAGES];

static void describe_image(uint32_t t[8], unsigned n, uint64_t *s)
{
	static const struct { uint8_t dfmt, nfmt; } formats[] = { { DFMT_8_8_8_8, NFMT_UNORM }, { DFMT_8_8_8_8, NFMT_UNORM },
		{ DFMT_8_8_8_8, NFMT_SRGB }, { DFMT_32, NFMT_FLOAT }, { DFMT_32, NFMT_FLOAT }, { DFMT_32, NFMT_UINT }, { DFMT_32, NFMT_SINT }, { DFMT_16_16_16_16, NFMT_FLOAT },
		{ DFMT_16, NFMT_UNORM }, { DFMT_8_8, NFMT_UNORM }, { DFMT_8, NFMT_UNORM }, { DFMT_32_32_32_32, NFMT_FLOAT }, { DFMT_8_8_8_8, NFMT_UINT } };
	static const uint8_t orders[][4] = { { SEL_R, SEL_G, SEL_B, SEL_A }, { SEL_B, SEL_G, SEL_R, SEL_A },
		{ SEL_R, SEL_0, SEL_0, SEL_1 }, { SEL_A, SEL_R, SEL_R, SEL_G }, { SEL_R, SEL_G, SEL_B, SEL_1 } };
	const unsigned f = rnd(s) % (sizeof formats / sizeof *formats), o = rnd(s) % 8;
	const uint64_t base = (uint64_t)(uintptr_t)memory[rnd(s) % 4 ? n : 0] >> 8; /* maybe where another one is */
	layers[n] = rnd(s) % 3 ? 1 : 3;
	memset(t, 0, 32);
	ISA_SET(t, T_BASE_LO, (uint32_t)base);
	ISA_SET(t, T_BASE_HI, (uint32_t)(base >> 32));
	ISA_SET(t, T_DATA_FORMAT, formats[f].dfmt);
	ISA_SET(t, T_NUM_FORMAT, formats[f].nfmt);
	const bool large = layers[n] == 1 && surf_dfmt_bytes(formats[f].dfmt) <= 4 && rnd(s) % 3 == 0; /* than a tile */
	ISA_SET(t, T_WIDTH, large ? 60 + rnd(s) % 40 : rnd(s) & 1 ? 15 : rnd(s) % 20);
	ISA_SET(t, T_HEIGHT, rnd(s) % 6 == 0 ? 0 : large ? 60 + rnd(s) % 40 : rnd(s) & 1 ? 7 : rnd(s) % 20); /* 0: a ramp */
	ISA_SET(t, T_TILING_INDEX, rnd(s) & 1 ? TILING_LINEAR : TILING_4X4);
	ISA_SET(t, T_TYPE, layers[n] > 1 ? (rnd(s) & 1 ? T_TYPE_2D_ARRAY : T_TYPE_3D) : rnd(s) % 16 ? T_TYPE_2D : T_TYPE_3D);
	ISA_SET(t, T_DEPTH, layers[n] - 1);
	ISA_SET(t, T_LAST_ARRAY, layers[n] - 1);
	ISA_SET(t, T_LAST_LEVEL, large || rnd(s) % 4 ? 0 : 2);
	volume[n] = ISA_GET(t, T_TYPE) == T_TYPE_3D;
	for (unsigned c = 0; c < 4; c++)
		ISA_SET(t, T_DST_SEL(c), orders[o < 5 ? o : 0][c]);
}

static void describe_sampler(uint32_t d[4], uint64_t *s)
{
	static const uint8_t clamps[] = { S_WRAP, S_WRAP, S_CLAMP_LAST_TEXEL, S_CLAMP_LAST_TEXEL, S_MIRROR, S_CLAMP_BORDER };
	static const uint16_t lods[] = { 0xfff, 0xfff, 0, 0x40, 0x80, 0x81 }; /* up to 1/2 texels are those of the first level */
	memset(d, 0, 16);
	ISA_SET(d, S_CLAMP_X, clamps[rnd(s) % (rnd(s) % 4 ? 4 : 6)]);
	ISA_SET(d, S_CLAMP_Y, clamps[rnd(s) % (rnd(s) % 4 ? 4 : 6)]);
	ISA_SET(d, S_CLAMP_Z, clamps[rnd(s) % (rnd(s) % 4 ? 4 : 6)]);
	ISA_SET(d, S_DEPTH_COMPARE_FUNC, rnd(s) & 7);
	ISA_SET(d, S_MAX_LOD, lods[rnd(s) % 6]);
	if (rnd(s) % 3 == 0) {
		ISA_SET(d, S_XY_MAG_FILTER, 1);
		ISA_SET(d, S_XY_MIN_FILTER, 1);
	} else if (rnd(s) % 4 == 0) {
		ISA_SET(d, S_XY_MAG_FILTER, rnd(s) & 1);
		ISA_SET(d, S_XY_MIN_FILTER, rnd(s) & 1);
		ISA_SET(d, S_MIP_FILTER, rnd(s) % 3);
	}
}

static void image(struct code *c, uint64_t *s)
{
	static const enum gcn_op ops[] = { GCN_IMAGE_SAMPLE, GCN_IMAGE_SAMPLE_LZ, GCN_IMAGE_SAMPLE_L, GCN_IMAGE_SAMPLE_C_LZ,
		GCN_IMAGE_SAMPLE_C, GCN_IMAGE_LOAD, GCN_IMAGE_SAMPLE_O, GCN_IMAGE_SAMPLE_LZ_O, GCN_IMAGE_SAMPLE_C_LZ_O, GCN_IMAGE_GATHER4_LZ };
	struct gcn_inst in = inst(ops[rnd(s) % 10]);
	const unsigned n = rnd(s) % IMAGES;
	if (in.op == GCN_IMAGE_GATHER4_LZ && (volume[n] || (n == 1 && volume[0]))) /* a fault */
		in.op = GCN_IMAGE_SAMPLE;
	const bool load = in.op == GCN_IMAGE_LOAD;
	unsigned from = load && rnd(s) % 4 ? INTEGERS : 0;
	if (rnd(s) % 5 == 0)
		from = RESULTS + rnd(s) % (LAST - RESULTS - 8);
	in.src[0] = V(from);
	in.src[1] = (uint16_t)(n == 1 && rnd(s) & 1 ? S_COPY : S_IMAGE + 8 * n);
	in.src[2] = load ? NONE : (uint16_t)(S_SAMPLER + 4 * (rnd(s) % SAMPLERS));
	in.dst = V(RESULTS + rnd(s) % (LAST - RESULTS - 4));
	in.dmask = (uint8_t)(in.op == GCN_IMAGE_GATHER4_LZ ? 1u << rnd(s) % 4 : rnd(s) & 1 ? 15 : 1 + rnd(s) % 15);
	in.da = rnd(s) % 16 ? layers[n] > 1 : rnd(s) & 1;
	put(c, &in);
}

/* Samples of image n, which may be so many that a tile is worth it. */
static void series(struct code *c, unsigned n, uint64_t *s)
{
	const unsigned count = 2 + rnd(s) % 8;
	const unsigned pairs = 2 + rnd(s) % 2; /* 3: coordinates of two of them may be mixed */
	unsigned sampler = S_SAMPLER + 4 * (rnd(s) % SAMPLERS);
	for (unsigned k = 0; k < count; k++) {
		struct gcn_inst in = inst(rnd(s) % 8 ? GCN_IMAGE_SAMPLE : rnd(s) & 1 ? GCN_IMAGE_SAMPLE_LZ : GCN_IMAGE_SAMPLE_LZ_O);
		if (k == 4 && rnd(s) & 1)
			sampler = S_SAMPLER + 4 * (rnd(s) % SAMPLERS);
		in.src[0] = V(pairs == 3 ? rnd(s) % 3 : 2 * (rnd(s) % 2));
		in.src[1] = (uint16_t)(S_IMAGE + 8 * n);
		in.src[2] = (uint16_t)sampler;
		in.dst = V(RESULTS + (rnd(s) % 8 ? 4 * k % (LAST - RESULTS - 4) : rnd(s) % (LAST - RESULTS - 4)));
		in.dmask = (uint8_t)(rnd(s) & 1 ? 15 : 1 + rnd(s) % 15);
		in.da = layers[n] > 1;
		put(c, &in);
	}
}

/* Samples around one coordinate: offsets that are constants, of which some have rows or columns in common. */
static void around(struct code *c, unsigned n, uint64_t *s)
{
	enum { COUNT = 4, TRIPLES = LAST - 3 * COUNT };
	const unsigned sampler = S_SAMPLER + 4 * (rnd(s) % SAMPLERS), from = rnd(s) % 3;
	for (unsigned k = 0; k < COUNT; k++) {
		lit1(c, GCN_V_MOV_B32, V(TRIPLES + 3 * k), (uint32_t)((rnd(s) % 3 + 63) & 63) | (uint32_t)((rnd(s) % 3 + 63) & 63) << 8);
		for (unsigned axis = 0; axis < 2; axis++)
			op1(c, GCN_V_MOV_B32, V(TRIPLES + 3 * k + 1 + axis), V(from + axis));
	}
	for (unsigned k = 0; k < COUNT; k++) {
		struct gcn_inst in = inst(GCN_IMAGE_SAMPLE_LZ_O);
		in.src[0] = V(TRIPLES + 3 * k);
		in.src[1] = (uint16_t)(S_IMAGE + 8 * n);
		in.src[2] = (uint16_t)sampler;
		in.dst = V(RESULTS + 4 * k);
		in.dmask = 15;
		in.da = layers[n] > 1; /* of any layer */
		put(c, &in);
	}
}

/* Loads around one texel, of which some have rows or columns in common, and some are beyond the image. */
static void neighbours(struct code *c, unsigned n, uint64_t *s)
{
	enum { COUNT = 4, TRIPLES = LAST - 3 * COUNT, LINES = TRIPLES - 4 };
	for (unsigned k = 0; k < 4; k++)
		op2(c, GCN_V_ADD_U32, V(LINES + k), K(rnd(s) % 4), V(INTEGERS + k / 2));
	for (unsigned k = 0; k < 3 * COUNT; k++)
		op1(c, GCN_V_MOV_B32, V(TRIPLES + k), V(k % 3 == 2 ? INTEGERS + 2 : LINES + 2 * (k % 3) + rnd(s) % 2));
	for (unsigned k = 0; k < COUNT; k++) {
		struct gcn_inst in = inst(GCN_IMAGE_LOAD);
		in.src[0] = V(TRIPLES + 3 * k);
		in.src[1] = (uint16_t)(S_IMAGE + 8 * n);
		in.src[2] = NONE;
		in.dst = V(RESULTS + 4 * k);
		in.dmask = 15;
		in.unorm = true;
		in.da = layers[n] > 1;
		put(c, &in);
	}
}

static unsigned some(uint64_t *s) { return V(rnd(s) % (rnd(s) & 1 ? RESULTS : LAST)); }

static void step(struct code *c, uint64_t *s)
{
	switch (rnd(s) % 10) {
	case 9:
		switch (rnd(s) % 3) {
		case 0: series(c, rnd(s) % IMAGES, s); break;
		case 1: around(c, rnd(s) % IMAGES, s); break;
		default: neighbours(c, rnd(s) % IMAGES, s);
		}
		break;
	case 8: op1(c, GCN_V_MOV_B32, V(rnd(s) % (rnd(s) & 1 ? 4 : LAST)), some(s)); break; /* coordinates in common */
	case 0: op2(c, GCN_V_ADD_F32, V(rnd(s) % 4), some(s), some(s)); break;
	case 1: op2(c, GCN_V_MUL_F32, V(RESULTS + rnd(s) % (LAST - RESULTS)), some(s), some(s)); break;
	case 2: op3(c, GCN_V_FMA_F32, V(RESULTS + rnd(s) % (LAST - RESULTS)), some(s), some(s), some(s)); break;
	case 3: op2(c, GCN_V_MUL_F32, V(rnd(s) % LAST), S_UNIFORM + rnd(s) % 2, some(s)); break;
	default: image(c, s);
	}
}

static void block(struct code *c, uint64_t *s, unsigned depth)
{
	for (unsigned n = 2 + rnd(s) % 10; n; n--) {
		const unsigned what = depth ? rnd(s) % 16 : 15;
		if (what == 0) {
			put_body(c, s, S_SAVE, S_MASK, block);
		} else if (what == 1) {
			put_turns(c, s, S_COUNT, block);
		} else if (what == 2) {
			op2(c, GCN_S_ADD_U32, S_UNIFORM, S_UNIFORM, S_UNIFORM + 1);
		} else if (what == 3) { /* descriptors that are made by the program, before or too late */
			for (unsigned k = 0; k < 8; k++)
				op1(c, GCN_S_MOV_B32, S_COPY + k, S_IMAGE + 8 + k);
		} else if (what == 4) {
			op2(c, GCN_V_CMP_LT_F32, VCC, some(s), some(s));
			op2(c, GCN_S_AND_B64, S_MASK, VCC, GCN_SRC_EXEC);
		} else if (what == 5) { /* SCC of before, over a mask's that nobody wants */
			if (rnd(s) & 1)
				op2(c, GCN_S_AND_B64, S_MASK, VCC, GCN_SRC_EXEC);
			op2(c, GCN_S_CMP_LT_U32, NONE, S_UNIFORM + 2, S_UNIFORM + 3);
			if (rnd(s) & 1)
				step(c, s);
			op2(c, GCN_S_CSELECT_B32, S_UNIFORM + rnd(s) % 2, S_UNIFORM + 2, S_UNIFORM + 3);
		} else {
			step(c, s);
		}
	}
}

/* An effect: image 0 and all samplers such that a series of samples may be read of a tile. */
static void describe_effect(uint32_t t[8], uint64_t *s)
{
	const bool swapped = rnd(s) & 1;
	layers[0] = 1;
	volume[0] = false;
	ISA_SET(t, T_DATA_FORMAT, DFMT_8_8_8_8);
	ISA_SET(t, T_NUM_FORMAT, NFMT_SRGB);
	ISA_SET(t, T_WIDTH, 40 + rnd(s) % 120);
	ISA_SET(t, T_HEIGHT, 40 + rnd(s) % 60);
	ISA_SET(t, T_TYPE, T_TYPE_2D);
	ISA_SET(t, T_DEPTH, 0);
	ISA_SET(t, T_LAST_ARRAY, 0);
	ISA_SET(t, T_LAST_LEVEL, 0);
	for (unsigned c = 0; c < 4; c++)
		ISA_SET(t, T_DST_SEL(c), swapped && c < 3 ? SEL_B - c : SEL_R + c);
}
static void describe_nearest(uint32_t d[4], uint64_t *s)
{
	memset(d, 0, 16);
	ISA_SET(d, S_CLAMP_X, rnd(s) & 1 ? S_WRAP : S_CLAMP_LAST_TEXEL);
	ISA_SET(d, S_CLAMP_Y, rnd(s) & 1 ? S_WRAP : S_CLAMP_LAST_TEXEL);
}

/* An image in rows, whose texels' centres may be coordinates: sides are powers of two. */
static void describe_rows(uint32_t t[8], uint64_t *s)
{
	static const struct { uint8_t dfmt, nfmt; } formats[] = { { DFMT_16_16_16_16, NFMT_FLOAT }, { DFMT_32_32_32_32, NFMT_FLOAT },
		{ DFMT_32, NFMT_FLOAT }, { DFMT_8_8_8_8, NFMT_UNORM }, { DFMT_8_8, NFMT_UNORM }, { DFMT_8, NFMT_UNORM } };
	const unsigned k = rnd(s) % (sizeof formats / sizeof *formats);
	layers[0] = 1;
	volume[0] = false;
	ISA_SET(t, T_DATA_FORMAT, formats[k].dfmt);
	ISA_SET(t, T_NUM_FORMAT, formats[k].nfmt);
	ISA_SET(t, T_WIDTH, 31);
	ISA_SET(t, T_HEIGHT, 31);
	ISA_SET(t, T_TILING_INDEX, TILING_LINEAR);
	ISA_SET(t, T_TYPE, T_TYPE_2D);
	ISA_SET(t, T_DEPTH, 0);
	ISA_SET(t, T_LAST_ARRAY, 0);
	ISA_SET(t, T_LAST_LEVEL, 0);
}
static void describe_flat(uint32_t d[4], uint64_t *s)
{
	const bool linear = rnd(s) & 1;
	describe_nearest(d, s);
	ISA_SET(d, S_XY_MAG_FILTER, linear);
	ISA_SET(d, S_XY_MIN_FILTER, linear);
}

/* Coordinates v0, v1 and v2, v3 of texels of the image that lie as pixels of a block do, anywhere in these, but maybe one lane's;
 * those before the image's first are of it as well where they are clamped. */
static void step_by_pixels(struct cu_wave *w, const uint32_t t[8], uint64_t *s)
{
	const uint32_t size[2] = { ISA_GET(t, T_WIDTH) + 1, ISA_GET(t, T_HEIGHT) + 1 };
	for (unsigned v = 0; v < COORDS; v++) {
		const uint32_t tile = v & 1 ? 64 : 128, own = size[v & 1];
		const uint32_t first = own > tile + 8 && rnd(s) & 1 ? tile - 8 + rnd(s) % 8 /* over its end */ : rnd(s) % 4 ? rnd(s) % own : 0;
		const bool before = rnd(s) % 4 == 0;
		const unsigned astray = rnd(s) % (2 * CU_LANES);
		for (unsigned l = 0; l < CU_LANES; l++) {
			const uint32_t at = l >> (v & 1), pixel = (at & 1) | (at >> 1 & 2) | (at >> 2 & 4), texel = l == astray ? rnd(s) % own : first + pixel;
			const float in = before && texel == 0 && rnd(s) & 1 ? -0.25f : (float)(1 + rnd(s) % 15) / 16;
			w->vgpr[v][l] = float_bits(((float)texel + in) / (float)own);
		}
	}
}

/* Dwords that are all the same, as pictures have them, or that are none of that. */
static void put_stretch(uint8_t *image, uint64_t *s)
{
	const unsigned from = rnd(s) % (BYTES / 4), n = rnd(s) % (BYTES / 8);
	const bool same = rnd(s) % 4;
	uint32_t dword = rnd(s);
	for (unsigned i = from; i < from + n && i < BYTES / 4; i++) {
		memcpy(image + 4 * i, &dword, 4);
		if (!same)
			dword = rnd(s);
	}
}

/* What a program may begin with: samples of image 0. */
enum series { NO_SERIES, EFFECT, ROWS };

/* steps: texels may lie as pixels do. */
static void set_up(struct side *x, const uint32_t t[IMAGES][8], enum series series, bool steps, uint64_t *s)
{
	cu_wave_init(&x->w, any_exec(s), &x->e);
	memset(&x->e, 0, sizeof x->e);
	memset(x->w.vgpr, 0, sizeof x->w.vgpr);
	for (unsigned v = 0; v < LAST; v++)
		for (unsigned l = 0; l < CU_LANES; l++) {
			const bool integer = v >= INTEGERS && v < RESULTS;
			x->w.vgpr[v][l] = integer ? rnd(s) % 24 - 2 : rnd(s) % 16 == 0 ? any_bits(s) :
				float_bits((float)((int32_t)rnd(s) >> 16) / 16384);
		}
	if (steps && (series == ROWS || rnd(s) % 3 == 0))
		step_by_pixels(&x->w, t[series ? 0 : rnd(s) % IMAGES], s);
	for (unsigned k = 0; k < 4; k++)
		x->w.sgpr[S_UNIFORM + k] = float_bits((float)(rnd(s) % 9) / 4);
	for (unsigned k = 0; k < 2; k++)
		x->w.sgpr[S_MASK + k] = rnd(s) & rnd(s);
	for (unsigned k = 0; k < SAMPLERS; k++)
		if (series == EFFECT)
			describe_nearest(&x->w.sgpr[S_SAMPLER + 4 * k], s);
		else if (series == ROWS)
			describe_flat(&x->w.sgpr[S_SAMPLER + 4 * k], s);
		else
			describe_sampler(&x->w.sgpr[S_SAMPLER + 4 * k], s);
	x->w.budget = 5000;
}

static bool one(struct cu_exec_heap *heap, enum cu_level level, uint64_t *s)
{
	static struct side a, b;
	static struct code c;
	struct cu_error err = { "" };
	struct cu_jit_options o = { .keep_all = rnd(s) & 1, .seed = rnd(s) % 4 ? 0 : rnd(s), .no_registers = rnd(s) % 8 == 0 };
	struct cu_jit_image code;
	struct cu_tex_cache cache[2] = { { 0 } };
	uint32_t t[IMAGES][8];
	c.n = 0;
	cu_quick_gathers = rnd(s) & 1;
	for (unsigned n = 0; n < IMAGES; n++)
		describe_image(t[n], n, s);
	const enum series kind = rnd(s) % 4 == 0 ? EFFECT : rnd(s) % 4 == 0 ? ROWS : NO_SERIES;
	const bool far = kind == EFFECT && rnd(s) % 64 == 0; /* so many waves that tiles are given up in one of them */
	if (kind) {
		if (kind == EFFECT)
			describe_effect(t[0], s);
		else
			describe_rows(t[0], s);
		op2(&c, GCN_V_ADD_F32, V(LAST - 1), V(0), V(1)); /* images alone are no region */
		for (unsigned k = 0; k < (far ? 4 : 1); k++)
			series(&c, 0, s);
	}
	block(&c, s, 1);
	put_outputs(&c, LAST);
	struct cu_program *p = cu_program_create(level, c.dw, c.n, &err);
	bool ok = p && cu_jit_translate(p, &o, &code, &err);
	EXPECT(ok, "%s", err.text);
	for (unsigned run = 0; ok && run < (far ? 64 : 4); run++) {
		set_up(&a, (const uint32_t (*)[8])t, kind, !far, s);
		for (unsigned k = rnd(s) % 2 * 64; k > 0; k--)
			memory[rnd(s) % IMAGES][rnd(s) % 2048] ^= (uint8_t)rnd(s);
		if (rnd(s) % 8 == 0)
			put_stretch(memory[rnd(s) % IMAGES], s);
		memcpy(&a.w.sgpr[S_IMAGE], t, sizeof t);
		memcpy(&a.w.sgpr[S_COPY], t[run & 1], sizeof t[0]);
		b = a;
		b.w.exports = &b.e;
		a.w.tex = &cache[0];
		b.w.tex = &cache[1];
		b.w.quiet = rnd(s) & 1;
		cache[1].call++;
		const enum cu_status want = cu_wave_run(p, &a.w);
		ok = cu_jit_attach(p, heap, &code, &err);
		EXPECT(ok, "%s", err.text);
		const enum cu_status is = ok ? cu_wave_run(p, &b.w) : want;
		cu_jit_detach(p);
		forgive(&b, &a, &code);
		bool same = want == is && !memcmp(&a.e, &b.e, sizeof a.e) && a.w.instructions == b.w.instructions;
		if (o.keep_all)
			same &= !memcmp(a.w.vgpr, b.w.vgpr, sizeof a.w.vgpr) && !memcmp(a.w.sgpr, b.w.sgpr, sizeof a.w.sgpr);
		for (unsigned v = 0; !same && o.keep_all && v < LAST; v++)
			for (unsigned l = 0; l < CU_LANES; l++)
				if (a.w.vgpr[v][l] != b.w.vgpr[v][l]) {
					printf("v%u lane %u: %08x, translated %08x\n", v, l, a.w.vgpr[v][l], b.w.vgpr[v][l]);
					break;
				}
		EXPECT(same, "level %d, run %u, exec %llx: other results, %d %d", level, run,
			(unsigned long long)cu_exec(&a.w), want, is);
		if (!same) {
			print_program(&c);
			ok = false;
		}
	}
	for (unsigned k = 0; k < 2; k++)
		cu_tex_cache_finish(&cache[k]);
	cu_jit_image_free(&code);
	cu_program_destroy(p);
	return ok;
}

int main(int argc, char **argv)
{
	uint64_t s = 99;
	const unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 4000;
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	for (unsigned n = 0; n < IMAGES; n++)
		for (unsigned i = 0; i < BYTES; i++)
			memory[n][i] = (uint8_t)(rnd(&s) >> 8);
	for (int level = 3; level <= 4; level++)
		for (unsigned i = 0; i < count && failures < 3 && has_level((enum cu_level)level); i++)
			one(heap, (enum cu_level)level, &s);
	cu_exec_heap_destroy(heap);
	return finish("test_image_strips");
}
