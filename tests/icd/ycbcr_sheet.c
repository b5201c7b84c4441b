/* SPDX-License-Identifier: MIT */
/* A frame in every format of Y'CbCr: encoded here (BT.709, narrow range, chroma between its texels), sampled through a
 * conversion, and held against what it was made of.  ycbcr_sheet FILE.ppm writes all of them as one picture: a row for
 * each of 8, 10, 12 and 16 bits; the frame as it was, then 4:2:0, 4:2:2 and 4:4:4 in three and in two planes, and the
 * two orders of pairs of texels.  So docs/ycbcr.png was made. */
#include <math.h>
#include "ycbcr_rig.h"

enum { WIDTH = 96, HEIGHT = 64, TEXELS = WIDTH * HEIGHT, ROWS = 4, COLUMNS = YCC_FORMATS / ROWS + 1 };

/* --- the frame: a lake under mountains at dusk, flowers and a strip of plain colours --- */

static double noise(int x, int y)
{
	uint32_t h = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u;
	h = (h ^ h >> 13) * 1274126177u;
	return (h >> 8 & 0xffff) / 65535.0;
}

static double smooth_noise(double x, double y)
{
	int i = (int)floor(x), j = (int)floor(y);
	double a = x - i, b = y - j;
	a *= a * (3 - 2 * a);
	b *= b * (3 - 2 * b);
	return (1 - b) * ((1 - a) * noise(i, j) + a * noise(i + 1, j)) + b * ((1 - a) * noise(i, j + 1) + a * noise(i + 1, j + 1));
}

static void blend(double c[3], double r, double g, double b, double share)
{
	c[0] += (r - c[0]) * share;
	c[1] += (g - c[1]) * share;
	c[2] += (b - c[2]) * share;
}

static void land(double x, double y, double c[3])
{
	double far_ridge = 0.46 - 0.18 * smooth_noise(x * 4, 3) - 0.05 * smooth_noise(x * 13, 7);
	double ridge = 0.54 - 0.12 * smooth_noise(x * 5 + 9, 1) - 0.04 * smooth_noise(x * 21, 2);
	double sun = hypot(x - 0.68, (y - 0.3) * 0.67), haze = smooth_noise(x * 3, y * 9);
	c[0] = 0.2 + 0.75 * y * 1.6;
	c[1] = 0.25 + 0.45 * y * 1.2;
	c[2] = 0.55 - 0.2 * y;
	blend(c, 0.95, 0.75, 0.6, 0.35 * haze * haze);
	blend(c, 1, 0.9, 0.6, sun < 0.05 ? 1 : 0.02 / (sun * sun) < 0.6 ? 0.02 / (sun * sun) * 0.3 : 0.18);
	if (y > far_ridge)
		blend(c, 0.35, 0.3, 0.5, 0.9);
	if (y > ridge)
		blend(c, 0.1 + 0.1 * smooth_noise(x * 40, y * 40), 0.22 + 0.12 * smooth_noise(x * 30, y * 30), 0.12, 1);
}

static void frame_texel(int i, int j, double c[3])
{
	static const double bars[8][3] = { { 1, 1, 1 }, { 1, 1, 0 }, { 0, 1, 1 }, { 0, 1, 0 }, { 1, 0, 1 }, { 1, 0, 0 },
		{ 0, 0, 1 }, { 0, 0, 0 } };
	double x = (i + 0.5) / WIDTH, y = (j + 0.5) / HEIGHT;
	if (j >= HEIGHT - 6) {
		memcpy(c, bars[i * 8 / WIDTH], sizeof bars[0]);
		return;
	}
	land(x, y < 0.58 ? y : 1.16 - y, c);
	if (y >= 0.58)
		blend(c, 0.1, 0.2, 0.3, 0.25 + 0.3 * smooth_noise(x * 8, y * 50));
	for (int n = 0; n < 14; n++) {
		double d = hypot(x - noise(n, 50), (y - 0.72 - 0.18 * noise(n, 51)) * 0.67);
		if (d < 0.02 + 0.015 * noise(n, 52))
			blend(c, n % 3 ? 0.95 : 0.9, n % 3 == 1 ? 0.15 : n % 3 == 2 ? 0.7 : 0.3, n % 3 ? 0.15 : 0.85, 1 - d * 15);
	}
	for (int n = 0; n < 3; n++)
		c[n] = c[n] < 0 ? 0 : c[n] > 1 ? 1 : c[n];
}

/* --- encoding --- */

static uint16_t code(double value, double zero, double range, unsigned bits)
{
	return (uint16_t)floor((zero + range * value) * (double)(1u << (bits - 8)) + 0.5);
}

/* Cb and Cr of BT.709 from the mean of the texels that share them. */
static struct ycc_codes encode(const struct ycc_format *f, double (*rgb)[3])
{
	struct ycc_codes k = ycc_codes_new(WIDTH, HEIGHT);
	int sx = 1 << f->half_x, sy = 1 << f->half_y;
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			const double *c = rgb[y * WIDTH + x];
			k.y[y * WIDTH + x] = code(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2], 16, 219, f->bits);
		}
	for (int y = 0; y < HEIGHT / sy; y++)
		for (int x = 0; x < WIDTH / sx; x++) {
			double m[3] = { 0 };
			for (int n = 0; n < sx * sy; n++)
				for (int c = 0; c < 3; c++)
					m[c] += rgb[(y * sy + n / sx) * WIDTH + x * sx + n % sx][c] / (sx * sy);
			double luma = 0.2126 * m[0] + 0.7152 * m[1] + 0.0722 * m[2];
			k.cb[y * (WIDTH / sx) + x] = code((m[2] - luma) / 1.8556, 128, 224, f->bits);
			k.cr[y * (WIDTH / sx) + x] = code((m[0] - luma) / 1.5748, 128, 224, f->bits);
		}
	return k;
}

/* Through the driver, with chroma filtered. */
static void decode(struct ycc_rig *r, const struct ycc_format *f, double (*rgb)[3])
{
	struct ycc_codes k = encode(f, rgb);
	struct ycc_image image = ycc_image(&r->vk, f, &k, 1, false);
	const VkSamplerYcbcrConversionCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
		.format = f->format, .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709,
		.ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW, .xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT,
		.yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT, .chromaFilter = VK_FILTER_LINEAR };
	float *st = r->in.map;
	for (int i = 0; i < TEXELS; i++) {
		st[2 * i] = ((float)(i % WIDTH) + 0.5f) / WIDTH;
		st[2 * i + 1] = ((float)(i / WIDTH) + 0.5f) / HEIGHT;
	}
	ycc_sample_one(r, &image, &info, VK_FILTER_NEAREST, TEXELS);
	ycc_image_free(&r->vk, &image);
	free(k.y);
}

/* Peak signal to noise, in decibels. */
static double distance(const float *got, double (*rgb)[3])
{
	double sum = 0;
	for (int i = 0; i < TEXELS; i++)
		for (int c = 0; c < 3; c++)
			sum += ((double)got[4 * i + c] - rgb[i][c]) * ((double)got[4 * i + c] - rgb[i][c]);
	return 10 * log10(3.0 * TEXELS / sum);
}

static void place(uint8_t *sheet, unsigned row, unsigned column, int texel, const double c[3])
{
	size_t x = column * WIDTH + (unsigned)texel % WIDTH, y = row * HEIGHT + (unsigned)texel / WIDTH;
	for (int n = 0; n < 3; n++)
		sheet[3 * (y * WIDTH * COLUMNS + x) + (size_t)n] = (uint8_t)(c[n] <= 0 ? 0 : c[n] >= 1 ? 255 : c[n] * 255 + 0.5);
}

/* What is lost with half the chroma is the same whatever the bits; with all of it the codes' steps, half of one each. */
static double least(const struct ycc_format *f)
{
	if (f->half_x)
		return f->half_y ? 27 : 29;
	return 6.02 * f->bits + 1;
}

int main(int argc, char **argv)
{
	static double rgb[TEXELS][3];
	static uint8_t sheet[3 * TEXELS * ROWS * COLUMNS];
	struct ycc_rig r;
	for (int i = 0; i < TEXELS; i++)
		frame_texel(i % WIDTH, i / WIDTH, rgb[i]);
	vk_start(&r.vk);
	ycc_start(&r, ycbcr_comp, sizeof ycbcr_comp, TEXELS);
	for (unsigned n = 0; n < YCC_FORMATS; n++) {
		const struct ycc_format *f = &ycc_formats[n];
		const float *got = r.out.map;
		decode(&r, f, rgb);
		EXPECT(distance(got, rgb) >= least(f), "%s: %.1f dB", f->name, distance(got, rgb));
		if (argc > 1)
			printf("%-52s %.1f dB\n", f->name, distance(got, rgb));
		for (int i = 0; i < TEXELS; i++)
			place(sheet, n / (COLUMNS - 1), n % (COLUMNS - 1) + 1, i,
				(double[3]){ (double)got[4 * i], (double)got[4 * i + 1], (double)got[4 * i + 2] });
	}
	for (unsigned row = 0; row < ROWS; row++)
		for (int i = 0; i < TEXELS; i++)
			place(sheet, row, 0, i, rgb[i]);
	ycc_stop(&r);
	vk_stop(&r.vk);
	FILE *file = argc > 1 ? fopen(argv[1], "wb") : NULL;
	if (file) {
		fprintf(file, "P6\n%d %d\n255\n", WIDTH * COLUMNS, HEIGHT * ROWS);
		CHECK(fwrite(sheet, sizeof sheet, 1, file) == 1 && fclose(file) == 0);
	}
	CHECK(argc < 2 || file);
	return failures != 0;
}
