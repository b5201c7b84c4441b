/* SPDX-License-Identifier: MIT */
/* What the texture unit keeps from sample to sample changes no bit: tiles of sRGB texels, whose memory changes between
 * waves, and instructions that are done in one call; nor does what it knows of the order of lanes: texels that are read
 * pixel by pixel. */
#include "core/format/format.h"
#include "core/tex_cache.h"
#include "tests/core/tex_harness.h"

enum { ADDR = 10, WORDS = 4, TAPS = 24, DATA = ADDR + WORDS * TAPS, BEYOND = CU_VGPRS - 2 };

typedef unsigned plain_fn(struct cu_wave *w, const struct gcn_inst *in, unsigned count, const uint32_t t[8],
	const uint32_t s[4], bool loose);
plain_fn cu_mimg_exec_plain_v3, cu_mimg_exec_plain_v4;

static const struct level { const char *name; cu_mimg_fn *one; plain_fn *many; } levels[] = {
	{ "v3", cu_mimg_exec_v3, cu_mimg_exec_plain_v3 }, { "v4", cu_mimg_exec_v4, cu_mimg_exec_plain_v4 },
};

/* Lanes near one another, each tap `apart` texels from the last one, maybe of another slice and level; those that are off
 * may be anywhere. */
static void address_near(struct cu_wave *w, const struct image *img, float step, float apart)
{
	const float period = (float)(rnd() % 3) - 1.05f, near = (float)(rnd() % 2) * 0.9f + 0.1f;
	const float from[2] = { period + (float)rnd01() * near, period + (float)rnd01() * near };
	const bool alone = rnd() & 1;
	w->sgpr[126] = rnd() % 4 ? ~0u : rnd();
	w->sgpr[127] = rnd() % 4 ? ~0u : rnd();
	for (unsigned tap = 0; tap < TAPS; tap++) {
		const float slice = (float)((alone ? 0 : tap) % img->slices), level = (float)((alone ? 0 : tap) % img->levels);
		uint32_t (*const to)[CU_LANES] = &w->vgpr[ADDR + WORDS * tap];
		for (int l = 0; l < CU_LANES; l++) {
			const bool on = (l < 32 ? w->sgpr[126] >> l : w->sgpr[127] >> (l - 32)) & 1;
			const float at[2] = { (float)(l & 7) * step + apart * (float)tap, (float)(l >> 3) * step };
			to[0][l] = float_bits(on ? from[0] + at[0] / (float)img->w : 1e9f);
			to[1][l] = float_bits(on ? from[1] + at[1] / (float)img->h : -1e9f);
			to[2][l] = float_bits(image_arrayed(img) ? slice : level);
			to[3][l] = float_bits(level);
		}
	}
}

/* All taps by waves that keep what they can, of a call or, where memory stays as it is, of all that came before, against one
 * that keeps nothing. */
static void compare_taps(struct cu_wave *w, struct cu_tex_cache cache[2], struct image *img, const uint32_t s[4], bool quiet)
{
	static struct cu_wave *copy;
	struct gcn_inst in[TAPS];
	if (!copy)
		copy = wave_create();
	for (unsigned tap = 0; tap < TAPS; tap++)
		in[tap] = mimg(GCN_IMAGE_SAMPLE_L, ADDR + WORDS * tap, DATA + 4 * tap, tap == 3 ? 5 : 15, img);
	for (int level = 0; level < 1 + has_v4(); level++) {
		memcpy(copy, w, sizeof *w);
		copy->tex = &cache[level];
		copy->quiet = quiet;
		const bool loose = rnd() & 1;
		cu_quick_gathers = rnd() & 1;
		const unsigned done = levels[level].many(copy, in, TAPS, img->t, s, loose);
		EXPECT(done == TAPS, "%u of %d instructions in one call", done, TAPS);
		cu_quick_gathers = false;
		for (unsigned tap = 0; tap < TAPS && level == 0; tap++)
			EXPECT(cu_mimg_exec_v3(w, &in[tap], img->t, s), "%s", w->error.text);
		for (unsigned v = DATA; v < DATA + 4 * TAPS; v++)
			for (int l = 0; l < CU_LANES; l++)
				EXPECT(copy->vgpr[v][l] == w->vgpr[v][l] || (loose && !(cu_exec(w) >> l & 1)), "%s: %ux%u, tap %u, channel %u, lane %d: %08x not %08x", levels[level].name,
					img->w, img->h, (v - DATA) / 4, (v - DATA) % 4, l, copy->vgpr[v][l], w->vgpr[v][l]);
	}
}

/* The image as one of half its height or width, which lies where it lies. */
static struct image part_of(const struct image *img, unsigned axis)
{
	struct image part = *img;
	if (axis)
		part.h = (img->h + 1) / 2;
	else
		part.w = (img->w + 1) / 2;
	ISA_SET(part.t, T_WIDTH, part.w - 1);
	ISA_SET(part.t, T_HEIGHT, part.h - 1);
	return part;
}

/* Images come and go at the same addresses; their texels change from wave to wave. */
static void test_texels(struct cu_wave *w)
{
	static const uint32_t sizes[][2] = { { 256, 64 }, { 36, 128 }, { 4, 4 }, { 150, 61 }, { 64, 30 }, { 3, 2 } };
	struct cu_tex_cache cache[2] = { { 0 }, { 0 } };
	for (unsigned k = 0; k < 600; k++) {
		const uint32_t *size = sizes[rnd() % (sizeof sizes / sizeof sizes[0])];
		const unsigned type = k & 2 ? T_TYPE_2D_ARRAY : T_TYPE_2D, slices = k & 2 ? 3 : 1;
		struct image img = image_create(type, DFMT_8_8_8_8, NFMT_SRGB, k & 1 ? TILING_4X4 : TILING_LINEAR, size[0], size[1],
			slices, k & 8 ? 1 + (unsigned)log2(size[0] > size[1] ? size[0] : size[1]) : 1);
		uint32_t s[4] = { 0 };
		ISA_SET(s, S_MAX_LOD, 0xfff);
		ISA_SET(s, S_CLAMP_X, rnd() % 3);
		ISA_SET(s, S_CLAMP_Y, k & 4 ? rnd() % 3 : ISA_GET(s, S_CLAMP_X));
		ISA_SET(s, S_XY_MAG_FILTER, S_FILTER_BILINEAR);
		ISA_SET(s, S_XY_MIN_FILTER, S_FILTER_BILINEAR);
		ISA_SET(s, S_MIP_FILTER, S_MIP_POINT);
		ISA_SET(s, S_MIP_FILTER, S_MIP_POINT);
		for (int wave = 0; wave < 4; wave++) {
			address_near(w, &img, wave == 3 ? 5 : (float)rnd01() * 2 - 0.5f, rnd() & 1 ? 1 : 20);
			const bool quiet = rnd() & 1;
			for (int level = 0; level < 2; level++)
				cache[level].call++;
			struct image part = part_of(&img, rnd() & 1);
			if (img.levels == 1 && rnd() & 1)
				compare_taps(w, cache, &part, s, quiet);
			address_near(w, &img, (float)rnd01() * 2 - 0.5f, rnd() & 1 ? 1 : 20);
			compare_taps(w, cache, &img, s, quiet);
			if (img.levels == 1)
				compare_taps(w, cache, &part, s, quiet);
			for (size_t i = rnd() % 64; i < img.bytes; i += rnd() % 128) /* some cells' bytes, not all */
				img.mem[i++] ^= (uint8_t)rnd();
			if (rnd() & 1)
				image_put_stretches(&img);
		}
		image_destroy(&img);
	}
	EXPECT(cache[0].texels, "no tile was ever asked for");
	for (int level = 0; level < 2; level++)
		cu_tex_cache_finish(&cache[level]);
}

/* The last row of a lower image stands for those behind it, which a higher one at its place has. */
static void test_bottom(struct cu_wave *w)
{
	struct cu_tex_cache cache[2] = { { .call = 1 }, { .call = 1 } };
	struct image img = image_create(T_TYPE_2D, DFMT_8_8_8_8, NFMT_SRGB, TILING_LINEAR, 64, 62, 1, 1), low = part_of(&img, 1);
	uint32_t s[4] = { 0 };
	ISA_SET(s, S_XY_MAG_FILTER, S_FILTER_BILINEAR);
	ISA_SET(s, S_XY_MIN_FILTER, S_FILTER_BILINEAR);
	cu_set_exec(w, ~0ull);
	for (int n = 0; n < 2; n++) {
		struct image *of = n ? &img : &low;
		for (unsigned tap = 0; tap < TAPS; tap++)
			for (int l = 0; l < CU_LANES; l++) {
				w->vgpr[ADDR + WORDS * tap][l] = float_bits((8 + 0.4f * (float)(l & 7)) / (float)of->w);
				w->vgpr[ADDR + WORDS * tap + 1][l] = float_bits((26 + 3 * (float)n + 0.4f * (float)(l >> 3)) / (float)of->h);
			}
		compare_taps(w, cache, of, s, true);
	}
	image_destroy(&img);
	for (int level = 0; level < 2; level++)
		cu_tex_cache_finish(&cache[level]);
}

/* Blocks of one format where those of another one are. */
static void test_formats(struct cu_wave *w)
{
	struct cu_tex_cache cache[2] = { { .call = 1 }, { .call = 1 } };
	struct image img = image_create(T_TYPE_2D, DFMT_BC3, NFMT_UNORM, TILING_LINEAR, 128, 128, 1, 1), other = img;
	uint32_t s[4] = { 0 };
	ISA_SET(s, S_XY_MAG_FILTER, S_FILTER_BILINEAR);
	ISA_SET(s, S_XY_MIN_FILTER, S_FILTER_BILINEAR);
	ISA_SET(other.t, T_DATA_FORMAT, DFMT_BC2);
	for (int n = 0; n < 64; n++) {
		address_near(w, &img, n & 2 ? 5 : 0.7f, 1); /* too far apart for a tile */
		compare_taps(w, cache, n & 1 ? &img : &other, s, true);
	}
	image_destroy(&img);
	for (int level = 0; level < 2; level++)
		cu_tex_cache_finish(&cache[level]);
}

/* Lane l's pixel in a block, in Morton order. */
static int lane_x(int l) { return (l & 1) | (l >> 1 & 2) | (l >> 2 & 4); }
static int lane_y(int l) { return (l >> 1 & 1) | (l >> 2 & 2) | (l >> 3 & 4); }

/* Waves that read pixel by pixel, but for a lane now and then, and others. */
static void test_pixels(struct cu_wave *w)
{
	struct cu_tex_cache cache[2] = { { 0 }, { 0 } };
	for (unsigned k = 0; k < 600; k++) {
		struct image img = image_create(T_TYPE_2D, DFMT_8_8_8_8, k & 2 ? NFMT_SRGB : NFMT_UNORM,
			k & 1 ? TILING_4X4 : TILING_LINEAR, 32 + rnd() % 2 * 13, 32, 1, 1);
		uint32_t s[4] = { 0 };
		const unsigned scale = rnd() % 8 ? 1 : 2, odd = rnd() % 3 ? CU_LANES : rnd() % CU_LANES;
		const int from[2] = { (int)(rnd() % 9), (int)(rnd() % 9) };
		uint32_t want[CU_LANES];
		const struct gcn_inst in = mimg(k & 4 ? GCN_IMAGE_LOAD : GCN_IMAGE_SAMPLE_LZ, ADDR, DATA, 15, &img);
		if ((k & 10) == 8) { /* which floats of sRGB would not do: they are not on the centres to the bit */
			ISA_SET(s, S_XY_MAG_FILTER, S_FILTER_BILINEAR);
			ISA_SET(s, S_XY_MIN_FILTER, S_FILTER_BILINEAR);
		}
		cu_quick_gathers = k / 16 & 1;
		cu_set_exec(w, ~0ull);
		for (int l = 0; l < CU_LANES; l++) {
			const uint32_t x = l == (int)odd ? 3 : (uint32_t)from[0] + scale * (uint32_t)lane_x(l);
			const uint32_t y = (uint32_t)from[1] + scale * (uint32_t)lane_y(l);
			w->vgpr[ADDR][l] = k & 4 ? x : float_bits(((float)x + 0.5f) / (float)img.w);
			w->vgpr[ADDR + 1][l] = k & 4 ? y : float_bits(((float)y + 0.5f) / (float)img.h);
			memcpy(&want[l], image_texel(&img, 0, x, y, 0), 4);
		}
		for (int level = 0; level < 1 + has_v4(); level++) {
			w->tex = &cache[level];
			EXPECT(levels[level].many(w, &in, 1, img.t, s, rnd() & 1) == 1, "%s", w->error.text);
			for (int l = 0; l < CU_LANES; l++)
				for (unsigned c = 0; c < 4; c++) {
					uint32_t texel[4];
					cu_format_unpack(DFMT_8_8_8_8, k & 2 ? NFMT_SRGB : NFMT_UNORM, (const uint8_t *)&want[l], texel);
					EXPECT(w->vgpr[DATA + c][l] == texel[c], "%s, image %u, lane %d, channel %u: %08x not %08x", levels[level].name, k,
						l, c, w->vgpr[DATA + c][l], texel[c]);
				}
		}
		image_destroy(&img);
	}
	w->tex = NULL;
	for (int level = 0; level < 2; level++)
		cu_tex_cache_finish(&cache[level]);
}

/* Texels that are all the same give what they give among others: lanes next to one whose texels differ, of every code, in rows
 * and in parts, through a tile or too far apart for one. */
static void test_same(struct cu_wave *w)
{
	enum { EDGE = 24, SIDE = 256 };
	struct cu_tex_cache cache[2] = { { 0 }, { 0 } };
	for (unsigned code = 0; code < 1024; code++) {
		struct image img = image_create(T_TYPE_2D, DFMT_8_8_8_8, code & 512 ? NFMT_UNORM : NFMT_SRGB, code & 256 ? TILING_4X4 : TILING_LINEAR,
			SIDE, 64, 1, 1);
		const uint32_t one = (code * 0x01010101u) ^ 0xff035a00, far = rnd() & 1 ? 4 : 1;
		const struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE_LZ, ADDR, DATA, 15, &img);
		uint32_t s[4] = { 0 }, alone[4][CU_LANES];
		ISA_SET(s, S_XY_MAG_FILTER, S_FILTER_BILINEAR);
		ISA_SET(s, S_XY_MIN_FILTER, S_FILTER_BILINEAR);
		for (uint32_t y = 0; y < 64; y++)
			for (uint32_t x = 0; x < SIDE; x++)
				memcpy(image_texel(&img, 0, x, y, 0), &(uint32_t){ x < EDGE * far ? one : ~one }, 4);
		cu_set_exec(w, ~0ull);
		for (int l = 0; l < CU_LANES; l++) {
			w->vgpr[ADDR][l] = float_bits((float)far * (4 + (float)lane_x(l) + (float)rnd01()) / SIDE);
			w->vgpr[ADDR + 1][l] = float_bits((4 + (float)lane_y(l) + (float)rnd01()) / 64);
		}
		for (int level = 0; level < 1 + has_v4(); level++) {
			cu_quick_gathers = rnd() & 1;
			w->tex = &cache[level];
			for (int k = 0; k < 2; k++) {
				const uint32_t kept = w->vgpr[ADDR][3];
				for (int l = 3; k && l < CU_LANES; l += 8)
					w->vgpr[ADDR][l] = float_bits((float)EDGE * (float)far / SIDE);
				cache[level].call++;
				EXPECT(levels[level].many(w, &in, 1, img.t, s, false) == 1, "%s", w->error.text);
				for (int l = 0; l < CU_LANES; l++)
					for (unsigned c = 0; c < 4; c++) {
						const uint32_t is = w->vgpr[DATA + c][l], want = k ? alone[c][l] : w->vgpr[DATA + c][0];
						EXPECT(is == want || (k && l % 8 == 3), "%s, code %u, channel %u, lane %d: %08x not %08x", levels[level].name, code, c,
							l, is, want);
					}
				EXPECT(!k || w->vgpr[DATA][3] != w->vgpr[DATA][0], "%s, code %u: no other texel was read", levels[level].name, code);
				memcpy(alone, w->vgpr[DATA], sizeof alone);
				for (int l = 3; l < CU_LANES; l += 8)
					w->vgpr[ADDR][l] = kept;
			}
		}
		image_destroy(&img);
	}
	cu_quick_gathers = false;
	w->tex = NULL;
	for (int level = 0; level < 2; level++)
		cu_tex_cache_finish(&cache[level]);
}

/* One call ends where an instruction is another one, or might be refused. */
static void test_calls(struct cu_wave *w)
{
	struct image img = image_create(T_TYPE_2D, DFMT_8_8_8_8, NFMT_UNORM, TILING_LINEAR, 16, 16, 1, 1);
	const uint32_t s[4] = { 0 };
	w->sgpr[126] = w->sgpr[127] = ~0u;
	for (int level = 0; level < 1 + has_v4(); level++)
		for (int what = 0; what < 9; what++) {
			struct gcn_inst in[3];
			for (unsigned i = 0; i < 3; i++)
				in[i] = mimg(GCN_IMAGE_SAMPLE_LZ, ADDR, DATA + 4 * i, 15, &img);
			switch (what) {
			case 0: in[2].op = GCN_IMAGE_SAMPLE_L; break;
			case 1: in[2].src[1] = 8; break;
			case 2: in[2].src[2] = 8; break;
			case 3: in[2].unorm = 1; break;
			case 4: in[2].d16 = 1; break;
			case 5: in[2].tfe = 1; break;
			case 6: in[2].r128_a16 = 1; break;
			case 7: in[2].dst = GCN_SRC_VGPR0 + BEYOND; break;
			default: in[2].src[0] = GCN_SRC_VGPR0 + BEYOND; break;
			}
			const unsigned done = levels[level].many(w, in, 3, img.t, s, false);
			EXPECT(done == 2, "%s, case %d: %u were done", levels[level].name, what, done);
			EXPECT(levels[level].many(w, in, 1, img.t, s, false) == 1, "one of three");
		}
	const struct gcn_inst store = mimg(GCN_IMAGE_STORE, ADDR, DATA, 15, &img);
	const struct gcn_inst sample = mimg(GCN_IMAGE_SAMPLE_LZ, ADDR, DATA, 15, &img);
	EXPECT(cu_mimg_exec_plain_v3(w, &store, 1, img.t, NULL, false) == 0, "a store");
	EXPECT(cu_mimg_exec_plain_v3(w, &sample, 1, img.t, NULL, false) == 0, "a sample without a sampler");
	image_destroy(&img);
}

int main(void)
{
	struct cu_wave *w = wave_create();
	test_texels(w);
	test_bottom(w);
	test_formats(w);
	test_pixels(w);
	test_same(w);
	test_calls(w);
	free(w);
	return failures != 0;
}
