/* SPDX-License-Identifier: MIT */
/* What filters promise (core/tex/tex_footprint.h): 256 positions between two texels of bytes, sRGB within 0.004 of the
 * distance between two codes, ones that DST_SEL adds, and the same bits whatever the layout. */
#include "tex_harness.h"

#include "core/format/format_layout.h"

enum { ADDR = 10, DATA = 60, SIDE = 16 };

static void sampler(uint32_t s[4], unsigned clamp, bool linear)
{
	memset(s, 0, 16);
	ISA_SET(s, S_CLAMP_X, clamp);
	ISA_SET(s, S_CLAMP_Y, clamp);
	ISA_SET(s, S_CLAMP_Z, clamp);
	ISA_SET(s, S_XY_MAG_FILTER, linear);
	ISA_SET(s, S_XY_MIN_FILTER, linear);
	ISA_SET(s, S_MIP_FILTER, S_MIP_LINEAR);
	ISA_SET(s, S_MAX_LOD, 4095);
}

/* Lane i at (x[i], y[i]) in texels, of level 0. */
static void at_texels(struct cu_wave *w, const struct image *img, const double x[64], const double y[64])
{
	for (int i = 0; i < 64; i++) {
		w->vgpr[ADDR][i] = float_bits((float)(x[i] / img->w));
		w->vgpr[ADDR + 1][i] = float_bits((float)(y[i] / img->h));
	}
}

static void check_positions(struct cu_wave *w, unsigned tiling)
{
	struct image img = image_create(T_TYPE_2D, DFMT_8_8_8_8, NFMT_UNORM, tiling, SIDE, SIDE, 1, 1);
	struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE_LZ, ADDR, DATA, 15, &img);
	uint32_t s[4];
	sampler(s, S_CLAMP_LAST_TEXEL, true);
	for (uint32_t y = 0; y < SIDE; y++)
		for (uint32_t x = 0; x < SIDE; x++) {
			const uint8_t v[4] = { x == 8 ? 255 : 0, y == 8 ? 255 : 0, x == 8 ? 0 : 255, 77 };
			memcpy(image_texel(&img, 0, x, y, 0), v, 4);
		}
	for (int first = 0; first < 256; first += 64) {
		double x[64], y[64];
		for (int i = 0; i < 64; i++) {
			x[i] = 7.5 + (first + i) / 256.0;
			y[i] = 7.5 + (255 - first - i) / 256.0;
		}
		at_texels(w, &img, x, y);
		EXPECT(run(w, &in, &img, s), "%s", w->error.text);
		for (int i = 0; i < 64; i++) {
			const double k = (first + i) / 256.0, want[4] = { k, 255 / 256.0 - k, 1 - k, 77 / 255.0 };
			for (int c = 0; c < 4; c++)
				EXPECT(fabs((double)bits_float(w->vgpr[DATA + c][i]) - want[c]) < 1e-6, "tiling %u, position %d of 256: %f not %f",
					tiling, first + i, (double)bits_float(w->vgpr[DATA + c][i]), want[c]);
		}
	}
	image_destroy(&img);
}

static void check_srgb(struct cu_wave *w)
{
	struct image img = image_create(T_TYPE_2D, DFMT_8_8_8_8, NFMT_SRGB, TILING_LINEAR, SIDE, SIDE, 1, 1);
	struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE_LZ, ADDR, DATA, 15, &img);
	uint32_t s[4];
	sampler(s, S_WRAP, true);
	for (uint32_t code = 0; code < 256; code++) {
		const uint8_t v[4] = { (uint8_t)code, (uint8_t)code, (uint8_t)code, (uint8_t)code };
		memcpy(image_texel(&img, 0, code % SIDE, code / SIDE, 0), v, 4);
	}
	for (int n = 0; n < 8; n++) {
		const int first = n % 4 * 64;
		double x[64], y[64];
		cu_quick_gathers = n / 4;
		for (int i = 0; i < 64; i++) {
			x[i] = (first + i) % SIDE + 0.5;
			y[i] = (first + i) / SIDE + 0.5;
		}
		at_texels(w, &img, x, y);
		EXPECT(run(w, &in, &img, s), "%s", w->error.text);
		for (int i = 0; i < 64; i++) {
			const int code = first + i;
			const double exact = (double)bits_float(cu_srgb_decode_bits[code]), got = (double)bits_float(w->vgpr[DATA][i]);
			const double step = code ? exact - (double)bits_float(cu_srgb_decode_bits[code - 1]) : 0;
			EXPECT(w->vgpr[DATA][i] == cu_srgb_filter_bits[code], "code %d: not what the table has", code);
			EXPECT(fabs(got - exact) <= 0.004 * step && (code < 255 || got == 1), "code %d: %.9f not %.9f", code, got, exact);
			EXPECT(w->vgpr[DATA + 3][i] == float_bits((float)(code / 255.0)), "alpha %d", code);
		}
	}
	image_destroy(&img);
}

/* What DST_SEL adds: ones of the format's own kind. */
static void check_ones(struct cu_wave *w, unsigned nfmt, uint32_t one)
{
	struct image img = image_create(T_TYPE_2D, DFMT_16, nfmt, TILING_LINEAR, SIDE, SIDE, 1, 1);
	struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE_LZ, ADDR, DATA, 15, &img);
	uint32_t s[4];
	sampler(s, S_WRAP, false);
	for (unsigned c = 1; c < 4; c++)
		ISA_SET(img.t, T_DST_SEL(c), c == 2 ? SEL_0 : SEL_1);
	EXPECT(run(w, &in, &img, s), "%s", w->error.text);
	for (int i = 0; i < 64; i++)
		EXPECT(w->vgpr[DATA + 1][i] == one && w->vgpr[DATA + 2][i] == 0 && w->vgpr[DATA + 3][i] == one,
			"number format %u: %08x %08x %08x", nfmt, w->vgpr[DATA + 1][i], w->vgpr[DATA + 2][i], w->vgpr[DATA + 3][i]);
	image_destroy(&img);
}

/* An image and its twin of the other layout, also where all lanes are on texels' centres. */
static void check_layouts(struct cu_wave *w, unsigned type, unsigned dfmt, unsigned nfmt)
{
	static const enum gcn_op ops[] = { GCN_IMAGE_SAMPLE, GCN_IMAGE_SAMPLE_LZ, GCN_IMAGE_SAMPLE_L };
	const uint32_t slices = type == T_TYPE_CUBE ? 6 : type == T_TYPE_3D ? 5 : 1;
	struct image rows = image_create(type, dfmt, nfmt, TILING_LINEAR, 23, 23, slices, 3);
	struct image parts = image_create(type, dfmt, nfmt, TILING_4X4, 23, 23, slices, 3);
	for (unsigned l = 0; l < 3; l++) {
		const struct surf_plane p = surf_level(image_plane(&rows), l);
		for (uint32_t z = 0; z < p.slices; z++)
			for (uint32_t y = 0; y < p.height; y++)
				for (uint32_t x = 0; x < p.width; x++)
					memcpy(image_texel(&parts, l, x, y, z), image_texel(&rows, l, x, y, z), rows.bpe);
	}
	for (unsigned k = 0; k < 30; k++) {
		const unsigned clamps[] = { S_WRAP, S_MIRROR, S_CLAMP_LAST_TEXEL, S_MIRROR_ONCE_LAST_TEXEL };
		struct gcn_inst a = mimg(ops[k % 3], ADDR, DATA, 15, &rows), b = mimg(ops[k % 3], ADDR, DATA + 10, 15, &parts);
		uint32_t s[4];
		sampler(s, clamps[k % 4], k % 5 != 0);
		for (unsigned i = 0; i < 64; i++)
			for (unsigned d = 0; d < 4; d++)
				w->vgpr[ADDR + d][i] = float_bits((float)(k % 6 == 1 ? ((int)(rnd() % 50) - 13.5) / 23 : rnd01() * 2.2 - 0.6) +
					(type == T_TYPE_CUBE && d == 2 ? (float)(rnd() % 6) : 0));
		EXPECT(run(w, &a, &rows, s) && run(w, &b, &parts, s), "%s", w->error.text);
		for (unsigned n = 0; n < 4; n++)
			for (unsigned i = 0; i < 64; i++)
				EXPECT(w->vgpr[DATA + n][i] == w->vgpr[DATA + 10 + n][i],
					"type %u, format %u, %u, channel %u, lane %u: %08x and %08x",
					type, dfmt, nfmt, n, i, w->vgpr[DATA + n][i], w->vgpr[DATA + 10 + n][i]);
	}
	image_destroy(&rows);
	image_destroy(&parts);
}

int main(void)
{
	static const unsigned types[] = { T_TYPE_2D, T_TYPE_3D, T_TYPE_CUBE };
	struct cu_wave *w = wave_create();
	check_positions(w, TILING_LINEAR);
	check_positions(w, TILING_4X4);
	check_srgb(w);
	check_ones(w, NFMT_UINT, 1);
	check_ones(w, NFMT_SINT, 1);
	check_ones(w, NFMT_UNORM, 0x3f800000);
	for (unsigned t = 0; t < 3; t++) {
#define F(d, n) check_layouts(w, types[t], DFMT_##d, NFMT_##n);
		ISA_FORMATS(F)
#undef F
	}
	free(w);
	printf("%d failures\n", failures);
	return failures != 0;
}
