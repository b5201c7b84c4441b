/* SPDX-License-Identifier: MIT */
/* Anisotropic filters: against the integral of a pixel's footprint, level by level of the ratio;
 * derivatives that make no sense; cubes whose probes leave a face; the same bits at both levels. */
#include "tex_harness.h"

enum { SIZE = 256, LEVELS = 9, STEPS = 48 };

static double texel_of(const struct image *img, unsigned level, int x, int y)
{
	return image_texel(img, level, (uint32_t)x, (uint32_t)y, 0)[0] / 255.0;
}

/* Levels as means of four. */
static void make_levels(struct image *img)
{
	for (unsigned l = 1; l < img->levels; l++)
		for (uint32_t y = 0; y < img->h >> l; y++)
			for (uint32_t x = 0; x < img->w >> l; x++)
				for (int c = 0; c < 4; c++) {
					unsigned sum = 0;
					for (unsigned k = 0; k < 4; k++)
						sum += image_texel(img, l - 1, 2 * x + (k & 1), 2 * y + (k >> 1), 0)[c];
					image_texel(img, l, x, y, 0)[c] = (uint8_t)((sum + 2) / 4);
				}
}

enum picture { RAMP, CHECKER };

static struct image make_image(enum picture p, unsigned tiling)
{
	struct image img = image_create(T_TYPE_2D, DFMT_8_8_8_8, NFMT_UNORM, tiling, SIZE, SIZE, 1, LEVELS);
	for (uint32_t y = 0; y < SIZE; y++)
		for (uint32_t x = 0; x < SIZE; x++) {
			uint32_t v = p == RAMP ? (x < SIZE / 2 ? 2 * x : 2 * (SIZE - 1 - x)) : ((x >> 3) + (y >> 3)) & 1 ? 255 : 0;
			memset(image_texel(&img, 0, x, y, 0), (int)v, 4);
		}
	make_levels(&img);
	return img;
}

static void make_sampler(uint32_t s[4], unsigned ratio)
{
	memset(s, 0, 16);
	ISA_SET(s, S_MAX_ANISO_RATIO, ratio);
	ISA_SET(s, S_XY_MAG_FILTER, ratio ? S_FILTER_ANISO_BILINEAR : S_FILTER_BILINEAR);
	ISA_SET(s, S_XY_MIN_FILTER, ratio ? S_FILTER_ANISO_BILINEAR : S_FILTER_BILINEAR);
	ISA_SET(s, S_MIP_FILTER, S_MIP_LINEAR);
	ISA_SET(s, S_MAX_LOD, 0xfff);
}

/* A pixel: its centre and derivatives, in texels. */
struct pixel { double at[2], dx[2], dy[2]; };

static struct pixel random_pixel(double ratio)
{
	double angle = rnd01() * 6.2831853, minor = 1 + rnd01() * 2, turn = rnd01() * 6.2831853;
	double major[2] = { cos(angle) * minor * ratio, sin(angle) * minor * ratio };
	double other[2] = { -sin(angle) * minor, cos(angle) * minor };
	struct pixel p = { .at = { rnd01() * SIZE, rnd01() * SIZE } };
	if (rnd() & 1) /* the axes themselves, else turned: the ellipse is the same */
		turn = 0;
	for (int d = 0; d < 2; d++) {
		p.dx[d] = cos(turn) * major[d] + sin(turn) * other[d];
		p.dy[d] = cos(turn) * other[d] - sin(turn) * major[d];
	}
	return p;
}

/* The mean of the texels under the ellipse's rectangle, which is the parallelogram where nothing is
 * turned; the axes come from the matrix by its own means. */
static double integral(const struct image *img, const struct pixel *p)
{
	double xx = p->dx[0] * p->dx[0] + p->dy[0] * p->dy[0], yy = p->dx[1] * p->dx[1] + p->dy[1] * p->dy[1];
	double xy = p->dx[0] * p->dx[1] + p->dy[0] * p->dy[1], angle = 0.5 * atan2(2 * xy, xx - yy);
	double root = sqrt((xx - yy) * (xx - yy) + 4 * xy * xy), a = sqrt((xx + yy + root) / 2), b = sqrt((xx + yy - root) / 2);
	double sum = 0;
	for (int i = 0; i < STEPS * 4; i++)
		for (int j = 0; j < STEPS; j++) {
			double s = ((i + 0.5) / (STEPS * 4) - 0.5) * a, t = ((j + 0.5) / STEPS - 0.5) * b;
			int x = (int)floor(p->at[0] + s * cos(angle) - t * sin(angle));
			int y = (int)floor(p->at[1] + s * sin(angle) + t * cos(angle));
			sum += texel_of(img, 0, x & (SIZE - 1), y & (SIZE - 1));
		}
	return sum / (STEPS * 4 * STEPS);
}

static void set_pixels(struct cu_wave *w, const struct pixel p[64])
{
	for (int l = 0; l < 64; l++) {
		const double v[6] = { p[l].dx[0], p[l].dx[1], p[l].dy[0], p[l].dy[1], p[l].at[0], p[l].at[1] };
		for (int k = 0; k < 6; k++)
			w->vgpr[k][l] = float_bits((float)(v[k] / SIZE));
	}
}

static void sample(struct cu_wave *w, struct image *img, const uint32_t s[4], double out[64])
{
	const struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE_D, 0, 16, 1, img);
	CHECK(run(w, &in, img, s), "%s", w->error.text);
	for (int l = 0; l < 64; l++)
		out[l] = bits_float(w->vgpr[16][l]);
}

/* Mean difference to the integral at a ratio, with so many probes allowed. */
static double difference(struct image *img, double ratio, unsigned probes_log2)
{
	struct cu_wave *w = wave_create();
	uint32_t s[4];
	double sum = 0, out[64];
	make_sampler(s, probes_log2);
	for (int round = 0; round < 4; round++) {
		struct pixel p[64];
		for (int l = 0; l < 64; l++)
			p[l] = random_pixel(ratio);
		set_pixels(w, p);
		sample(w, img, s, out);
		for (int l = 0; l < 64; l++)
			sum += fabs(out[l] - integral(img, &p[l]));
	}
	free(w);
	return sum / 256;
}

/* A pixel as wide as 1 to 16 times its height: near the integral, and nearer than isotropic ones,
 * whose error at 4 and above is several times that. */
static void test_quality(unsigned tiling)
{
	static const struct { enum picture picture; double ratio, most, gain; } cases[] = {
		{ RAMP, 1, 0.0004, 0 }, { RAMP, 2, 0.0004, 1 }, { RAMP, 4, 0.0004, 4 }, { RAMP, 8, 0.0005, 12 }, { RAMP, 16, 0.0007, 20 },
		{ CHECKER, 1, 0.015, 0 }, { CHECKER, 2, 0.035, 1.4 }, { CHECKER, 4, 0.055, 2 }, { CHECKER, 8, 0.04, 3 },
		{ CHECKER, 16, 0.02, 5 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct image img = make_image(cases[i].picture, tiling);
		double aniso = difference(&img, cases[i].ratio, 4), plain = difference(&img, cases[i].ratio, 0);
		printf("%s 1:%-2.0f  anisotropic %.4f, isotropic %.4f\n", cases[i].picture == RAMP ? "ramp   " : "checker", cases[i].ratio, aniso, plain);
		EXPECT(aniso <= cases[i].most, "1:%.0f is %g off", cases[i].ratio, aniso);
		EXPECT(aniso * cases[i].gain <= plain, "1:%.0f: %g against %g of an isotropic filter", cases[i].ratio, aniso, plain);
		image_destroy(&img);
	}
}

/* More probes allowed is never worse. */
static void test_ratios(void)
{
	struct image img = make_image(CHECKER, TILING_LINEAR);
	double before = 1;
	for (unsigned r = 0; r <= 4; r++) {
		double d = difference(&img, 16, r);
		EXPECT(d <= before * 1.1, "with %u probes %g, with half as many %g", 1u << r, d, before);
		before = d;
	}
	image_destroy(&img);
}

/* Of one colour everything is that colour, whatever the derivatives are. */
static void test_strange(void)
{
	static const float odd[] = { 0, -0.0f, 1e-30f, 1e30f, INFINITY, -INFINITY, NAN, 1, -3 };
	struct image img = image_create(T_TYPE_2D, DFMT_8_8_8_8, NFMT_UNORM, TILING_LINEAR, SIZE, SIZE, 1, LEVELS);
	struct cu_wave *w = wave_create();
	uint32_t s[4];
	double out[64];
	memset(img.mem, 102, img.bytes);
	make_sampler(s, 4);
	for (int round = 0; round < 200; round++) {
		for (int l = 0; l < 64; l++)
			for (int k = 0; k < 6; k++)
				w->vgpr[k][l] = float_bits(k < 4 ? odd[rnd() % 9] : (float)rnd01());
		sample(w, &img, s, out);
		for (int l = 0; l < 64; l++)
			EXPECT(fabs(out[l] - 0.4) < 1e-6, "0.4 became %g", out[l]);
	}
	free(w);
	image_destroy(&img);
}

/* A cube whose faces have each one colour: a pixel across an edge is between both, one within a
 * face is of that. */
static void test_cube(void)
{
	struct image img = image_create(T_TYPE_CUBE, DFMT_8_8_8_8, NFMT_UNORM, TILING_LINEAR, 64, 64, 6, 7);
	struct cu_wave *w = wave_create();
	const struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE_D, 0, 16, 1, &img);
	uint32_t s[4];
	for (unsigned level = 0; level < 7; level++)
		for (uint32_t f = 0; f < 6; f++)
			for (uint32_t y = 0; y < 64u >> level; y++)
				for (uint32_t x = 0; x < 64u >> level; x++)
					memset(image_texel(&img, level, x, y, f), (int)(40 * f), 4);
	make_sampler(s, 4);
	for (int l = 0; l < 64; l++) { /* along s of face 0, +X, whose edges are 4, +Z, and 5, -Z */
		const float v[7] = { 16 / 64.0f, 0, 0, 1 / 64.0f, 1 + (float)l / 63, 1.5f, 0 };
		for (int k = 0; k < 7; k++)
			w->vgpr[k][l] = float_bits(v[k]);
	}
	CHECK(run(w, &in, &img, s), "%s", w->error.text);
	for (int l = 0; l < 64; l++) {
		double at = l / 63.0, v = bits_float(w->vgpr[16][l]) * 255;
		double beyond = at < 0.125 ? 160 * (0.5 - at * 4) : at > 0.875 ? 200 * (0.5 - (1 - at) * 4) : 0;
		EXPECT(fabs(v - beyond) < 20, "at %g of a face: %g instead of %g", at, v, beyond);
	}
	free(w);
	image_destroy(&img);
}

/* Whole waves get what strips by themselves do, which instructions with offsets are done by, but for the rounding of
 * positions. */
static void test_ways(void)
{
	static const struct { uint8_t dfmt, nfmt; } formats[] = { { DFMT_8_8_8_8, NFMT_SRGB }, { DFMT_8_8_8_8, NFMT_UNORM },
		{ DFMT_16_16_16_16, NFMT_FLOAT }, { DFMT_8, NFMT_UNORM }, { DFMT_BC1, NFMT_SRGB }, { DFMT_BC7, NFMT_UNORM },
		{ DFMT_BC5, NFMT_SNORM }, { DFMT_2_10_10_10, NFMT_UNORM }, { DFMT_32_32_32_32, NFMT_FLOAT } };
	static const uint8_t clamps[] = { S_WRAP, S_CLAMP_LAST_TEXEL, S_MIRROR };
	struct cu_wave *w = wave_create(), *by_strips = wave_create();
	for (int round = 0; round < 2000; round++) {
		const bool powers = rnd() & 1; /* sides */
		const unsigned f = rnd() & 1 ? 1 : rnd() % (sizeof formats / sizeof *formats), layers = rnd() % 3 ? 1 : 3;
		const bool bytes = (formats[f].dfmt == DFMT_8_8_8_8 && formats[f].nfmt == NFMT_UNORM) || formats[f].dfmt == DFMT_BC7; /* 8 bits of position */
		struct image img = image_create(layers > 1 ? T_TYPE_2D_ARRAY : T_TYPE_2D, formats[f].dfmt, formats[f].nfmt,
			rnd() & 1 ? TILING_LINEAR : TILING_4X4, powers ? 1u << rnd() % 7 : 1 + rnd() % 70, powers ? 1u << rnd() % 7 : 1 + rnd() % 70, layers, 1 + rnd() % 4);
		struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE, 1, 16, 1 + rnd() % 15, &img);
		const double apart = 8 * rnd01() / SIZE, slope = 4 * rnd01() / SIZE, turn = rnd01() - 0.5;
		const bool nearest = rnd() % 4 == 0; /* whose texel hangs on the rounding where it is far from 0 */
		const double first[2] = { nearest ? 0 : 4 * rnd01() - 2, nearest ? 0 : 4 * rnd01() - 2 };
		uint32_t s[4];
		for (size_t i = 1; i < img.bytes && formats[f].nfmt == NFMT_FLOAT; i += 2)
			img.mem[i] &= 0x3b; /* small numbers, of 16 and of 32 bits */
		while (img.levels > 1 && img.w >> (img.levels - 1) < 4 && img.h >> (img.levels - 1) < 4)
			img.levels--;
		ISA_SET(img.t, T_LAST_LEVEL, img.levels - 1);
		make_sampler(s, 1 + rnd() % 4);
		ISA_SET(s, S_CLAMP_X, clamps[rnd() % 3]);
		ISA_SET(s, S_CLAMP_Y, rnd() & 1 ? ISA_GET(s, S_CLAMP_X) : clamps[rnd() % 3]);
		if (nearest)
			ISA_SET(s, S_XY_MAG_FILTER, S_FILTER_POINT);
		if (rnd() % 4 == 0)
			ISA_SET(s, S_MIP_FILTER, S_MIP_POINT);
		for (int l = 0; l < 64; l++) {
			const double x = (l & 1) + (l >> 2 & 3) * 2, y = (l >> 1 & 1) + (l >> 4) * 2;
			w->vgpr[0][l] = 0;
			w->vgpr[1][l] = float_bits((float)(first[0] + x * apart + y * slope * turn));
			w->vgpr[2][l] = float_bits((float)(first[1] + y * slope - x * apart * turn));
			w->vgpr[3][l] = float_bits((float)(rnd() % 4));
		}
		cu_set_exec(w, rnd() & 1 ? ~0ull : (uint64_t)rnd() << 32 | rnd());
		memcpy(by_strips, w, sizeof *w);
		const bool ok = run(w, &in, &img, s);
		in.op = GCN_IMAGE_SAMPLE_O;
		in.src[0] = GCN_SRC_VGPR0;
		EXPECT(ok && run(by_strips, &in, &img, s), "%s %s", w->error.text, by_strips->error.text);
		for (int k = 0; k < 64 * __builtin_popcount(in.dmask); k++) {
			const float a = bits_float(w->vgpr[16 + k / 64][k % 64]), b = bits_float(by_strips->vgpr[16 + k / 64][k % 64]);
			EXPECT(fabsf(a - b) <= (bytes ? 1.0f / 256 : 0.0005f), "format %u, %u by %u, tiling %u, lane %d: %g, by strips %g", f, img.w, img.h,
				img.tiling, k % 64, a, b);
		}
		image_destroy(&img);
	}
	free(by_strips);
	free(w);
}

/* --- a picture --- */

enum { DOWN = 240, ACROSS = 5 * DOWN };

/* Into the middle of a tunnel, whose wall is a checker: coordinates by angle and depth. */
static void look(double x, double y, double uv[2])
{
	double dx = x / DOWN - 0.5, dy = y / DOWN - 0.5, away = sqrt(dx * dx + dy * dy) + 1e-3;
	uv[0] = atan2(dy, dx) / 6.2831853;
	uv[1] = 0.25 / away;
}

/* 8 by 8 pixels by their quads, of tunnels from left to right with 1, 2, 4, 8 and 16 probes. */
static void draw_block(struct cu_wave *w, struct image *img, unsigned bx, unsigned by, uint8_t *rgb)
{
	const struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE_D, 0, 16, 7, img);
	unsigned place[64][2];
	uint32_t s[4];
	for (unsigned l = 0; l < 64; l++) {
		double at[2], right[2], below[2];
		place[l][0] = bx + (l & 1) + (l >> 2 & 3) * 2;
		place[l][1] = by + (l >> 1 & 1) + (l >> 4) * 2;
		look(place[l][0] % DOWN + 0.5, place[l][1] + 0.5, at);
		look(place[l][0] % DOWN + 1.5, place[l][1] + 0.5, right);
		look(place[l][0] % DOWN + 0.5, place[l][1] + 1.5, below);
		for (int d = 0; d < 2; d++) {
			double x = right[d] - at[d], y = below[d] - at[d];
			w->vgpr[d][l] = float_bits((float)(d == 0 ? x - nearbyint(x) : x)); /* the angle's seam */
			w->vgpr[2 + d][l] = float_bits((float)(d == 0 ? y - nearbyint(y) : y));
			w->vgpr[4 + d][l] = float_bits((float)at[d]);
		}
	}
	make_sampler(s, bx / DOWN);
	CHECK(run(w, &in, img, s), "%s", w->error.text);
	for (unsigned l = 0; l < 64; l++)
		for (int c = 0; c < 3; c++)
			rgb[3 * (place[l][1] * ACROSS + place[l][0]) + c] = (uint8_t)(bits_float(w->vgpr[16 + c][l]) * 255 + 0.5f);
}

static int draw(const char *file)
{
	struct image img = make_image(CHECKER, TILING_LINEAR);
	struct cu_wave *w = wave_create();
	uint8_t *rgb = malloc(3 * ACROSS * DOWN);
	FILE *f = fopen(file, "wb");
	CHECK(rgb && f, "%s cannot be written", file);
	for (unsigned y = 0; y < DOWN; y += 8)
		for (unsigned x = 0; x < ACROSS; x += 8)
			draw_block(w, &img, x, y, rgb);
	fprintf(f, "P6\n%d %d\n255\n", ACROSS, DOWN);
	fwrite(rgb, 3, ACROSS * DOWN, f);
	fclose(f);
	free(rgb);
	free(w);
	image_destroy(&img);
	return 0;
}

/* With a file's name: draws tunnels into it, as PPM. */
int main(int argc, char **argv)
{
	if (argc == 2)
		return draw(argv[1]);
	test_quality(TILING_LINEAR); /* which has a kernel of its own */
	test_quality(TILING_4X4);
	test_ratios();
	test_strange();
	test_cube();
	test_ways();
	printf("%d failures\n", failures);
	return failures != 0;
}
