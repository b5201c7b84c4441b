/* SPDX-License-Identifier: MIT */
/* compressed_sheet [FILE.ppm]: one picture in every compressed format of two dimensions, decoded by the driver that the
 * loader finds, side by side.  Exit status 1 if one is too far from the picture, 77 if the driver lacks one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/vkhelp.h"
#include "tests/render/picture.h"
#include "tests/sheet/encode.h"

enum { SIZE = 72, GAP = 2, TEXT = 9, ACROSS = 11, DOWN = 3, CELL_X = SIZE + GAP, CELL_Y = SIZE + TEXT };

/* What of a texel a format has. */
enum kept { RED, RED_GREEN, COLORS, HOLES, ALPHA };

struct format {
	const char *name;
	VkFormat format;
	encode_fn encode; /* of 4x4 texels; NULL: ASTC */
	uint8_t width, height, bytes;
	enum kept kept;
	double least;     /* signal to noise in dB, for these encoders and this picture */
};

#define BLOCK(name, format, encode, bytes, kept, least) { name, VK_FORMAT_##format##_BLOCK, encode, 4, 4, bytes, kept, least }
#define ASTC(w, h, least) { "ASTC " #w "X" #h, VK_FORMAT_ASTC_##w##x##h##_UNORM_BLOCK, NULL, w, h, 16, ALPHA, least }
static const struct format formats[] = {
	BLOCK("BC1 RGB", BC1_RGB_UNORM, encode_bc1_rgb, 8, COLORS, 37), BLOCK("BC1 RGBA", BC1_RGBA_UNORM, encode_bc1_rgba, 8, HOLES, 37),
	BLOCK("BC2", BC2_UNORM, encode_bc2, 16, ALPHA, 38), BLOCK("BC3", BC3_UNORM, encode_bc3, 16, ALPHA, 38),
	BLOCK("BC4", BC4_UNORM, encode_bc4, 8, RED, 44), BLOCK("BC4 SNORM", BC4_SNORM, encode_bc4_signed, 8, RED, 43),
	BLOCK("BC5", BC5_UNORM, encode_bc5, 16, RED_GREEN, 45), BLOCK("BC5 SNORM", BC5_SNORM, encode_bc5_signed, 16, RED_GREEN, 43),
	BLOCK("BC6H UFLOAT", BC6H_UFLOAT, encode_bc6, 16, COLORS, 39), BLOCK("BC6H SFLOAT", BC6H_SFLOAT, encode_bc6_signed, 16, COLORS, 35),
	BLOCK("BC7", BC7_UNORM, encode_bc7, 16, ALPHA, 43),
	BLOCK("ETC2 RGB", ETC2_R8G8B8_UNORM, encode_etc2_rgb, 8, COLORS, 30),
	BLOCK("ETC2 RGBA1", ETC2_R8G8B8A1_UNORM, encode_etc2_rgba1, 8, HOLES, 30),
	BLOCK("ETC2 RGBA", ETC2_R8G8B8A8_UNORM, encode_etc2_rgba, 16, ALPHA, 32),
	BLOCK("EAC R11", EAC_R11_UNORM, encode_eac_r, 8, RED, 44), BLOCK("EAC R11 S", EAC_R11_SNORM, encode_eac_r_signed, 8, RED, 44),
	BLOCK("EAC RG11", EAC_R11G11_UNORM, encode_eac_rg, 16, RED_GREEN, 45),
	BLOCK("EAC RG11 S", EAC_R11G11_SNORM, encode_eac_rg_signed, 16, RED_GREEN, 44),
	ASTC(4, 4, 41), ASTC(5, 4, 40), ASTC(5, 5, 37), ASTC(6, 5, 37), ASTC(6, 6, 31), ASTC(8, 5, 31), ASTC(8, 6, 30), ASTC(8, 8, 28),
	ASTC(10, 5, 30), ASTC(10, 6, 29), ASTC(10, 8, 28), ASTC(10, 10, 27), ASTC(12, 10, 27), ASTC(12, 12, 26),
};
enum { FORMATS = sizeof formats / sizeof formats[0] };
_Static_assert(FORMATS + 1 == ACROSS * DOWN, "the picture itself and all formats fill the sheet");

/* --- the picture: sky, sun, hills, grain, and a corner that fades away --- */

static float grain(int x, int y)
{
	uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;
	h = (h ^ h >> 15) * 0x2c1b3c6du;
	return (float)((h ^ h >> 13) & 255) / 255 - 0.5f;
}

static void shade(int x, int y, float c[4])
{
	float u = ((float)x + 0.5f) / SIZE, v = ((float)y + 0.5f) / SIZE;
	float hill = 0.55f + 0.1f * sinf(7 * u + 1) + 0.04f * sinf(23 * u), near = 0.78f - 0.12f * sinf(4 * u);
	float sun = sqrtf((u - 0.3f) * (u - 0.3f) + (v - 0.28f) * (v - 0.28f));
	float corner = sqrtf((u - 1) * (u - 1) + v * v);
	c[0] = 0.25f + 0.7f * v;
	c[1] = 0.4f + 0.35f * v;
	c[2] = 0.85f - 0.35f * v;
	float glow = sun < 0.11f ? 1 : 0.35f * expf(-6 * (sun - 0.11f));
	for (int k = 0; k < 3; k++)
		c[k] += (((float[]){ 1, 0.93f, 0.6f })[k] - c[k]) * glow;
	if (v > hill) /* far ones are blue */
		for (int k = 0; k < 3; k++)
			c[k] = ((float[]){ 0.2f, 0.28f, 0.42f })[k] + 0.25f * (v - hill) + 0.03f * grain(x / 2, y / 2);
	if (v > near)
		for (int k = 0; k < 3; k++)
			c[k] = ((float[]){ 0.18f, 0.42f, 0.12f })[k] + 0.16f * grain(x, y) + 0.5f * (v - near) * (k == 0);
	c[3] = corner > 0.35f ? 1 : corner > 0.2f ? (corner - 0.2f) / 0.15f : 0;
}

static void make_picture(uint8_t (*out)[4])
{
	for (int i = 0; i < SIZE * SIZE; i++) {
		float c[4];
		shade(i % SIZE, i / SIZE, c);
		for (int k = 0; k < 4; k++)
			out[i][k] = (uint8_t)(255 * (c[k] < 0 ? 0 : c[k] > 1 ? 1 : c[k]) + 0.5f);
	}
}

/* --- there and back --- */

/* Blocks at the right and lower edge repeat the last texels. */
static size_t encode(const struct format *f, uint8_t (*picture)[4], uint8_t *blocks)
{
	size_t size = 0;
	for (int y = 0; y < SIZE; y += f->height)
		for (int x = 0; x < SIZE; x += f->width, size += f->bytes) {
			uint8_t texels[ENCODE_TEXELS][4];
			for (int i = 0; i < f->width * f->height; i++) {
				int tx = x + i % f->width, ty = y + i / f->width;
				memcpy(texels[i], picture[(ty < SIZE ? ty : SIZE - 1) * SIZE + (tx < SIZE ? tx : SIZE - 1)], 4);
			}
			if (f->encode)
				f->encode((const uint8_t (*)[4])texels, blocks + size);
			else
				encode_astc((const uint8_t (*)[4])texels, f->width, f->height, blocks + size);
		}
	return size;
}

static void decode(struct vh *h, const struct format *f, const uint8_t *blocks, size_t size, uint8_t (*out)[4])
{
	const size_t mark = h->object_count;
	const VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
	if (!vh_format_can(h, f->format, VK_FORMAT_FEATURE_BLIT_SRC_BIT))
		vh_lacks("%s", f->name);
	const struct vh_image from = vh_make_image(h, &(struct vh_image_info){ .format = f->format, .width = SIZE, .height = SIZE,
		.usage = usage });
	const struct vh_image to = vh_make_image(h, &(struct vh_image_info){ .format = VK_FORMAT_R8G8B8A8_UNORM, .width = SIZE,
		.height = SIZE, .usage = usage });
	vh_upload(h, &from, 0, 0, blocks, size, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	const VkImageSubresourceLayers layer = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 };
	const VkImageBlit whole = { layer, { { 0, 0, 0 }, { SIZE, SIZE, 1 } }, layer, { { 0, 0, 0 }, { SIZE, SIZE, 1 } } };
	vh_transition(commands, &to, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdBlitImage(commands, from.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
		1, &whole, VK_FILTER_NEAREST);
	vh_transition(commands, &to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vh_finish(h, commands);
	vh_download(h, &to, VK_IMAGE_ASPECT_COLOR_BIT, out, SIZE * SIZE * 4);
	vh_release(h, mark);
}

/* Of the channels that the format keeps, where it shows them. */
static double signal_to_noise(const struct format *f, uint8_t (*picture)[4], uint8_t (*got)[4])
{
	unsigned channels = f->kept == RED ? 1 : f->kept == RED_GREEN ? 2 : f->kept == ALPHA ? 4 : 3;
	double sum = 0, n = 0;
	for (int i = 0; i < SIZE * SIZE; i++) {
		bool hole = f->kept == HOLES && picture[i][3] < 128;
		for (unsigned c = 0; c < channels && !hole; c++, n++)
			sum += (got[i][c] - picture[i][c]) * (got[i][c] - picture[i][c]);
		if (hole && got[i][3])
			return 0;
	}
	return 10 * log10(255 * 255 * n / (sum + 1));
}

/* --- the sheet --- */

/* Rows of three bits, for the characters of the names. */
static const struct { char name; uint8_t row[5]; } glyphs[] = {
	{ 'A', { 2, 5, 7, 5, 5 } }, { 'B', { 6, 5, 6, 5, 6 } }, { 'C', { 3, 4, 4, 4, 3 } }, { 'E', { 7, 4, 6, 4, 7 } },
	{ 'F', { 7, 4, 6, 4, 4 } }, { 'G', { 3, 4, 5, 5, 3 } }, { 'H', { 5, 5, 7, 5, 5 } }, { 'I', { 7, 2, 2, 2, 7 } },
	{ 'L', { 4, 4, 4, 4, 7 } }, { 'M', { 5, 7, 7, 5, 5 } }, { 'N', { 6, 5, 5, 5, 5 } }, { 'O', { 2, 5, 5, 5, 2 } },
	{ 'P', { 6, 5, 6, 4, 4 } }, { 'R', { 6, 5, 6, 5, 5 } }, { 'S', { 3, 4, 2, 1, 6 } }, { 'T', { 7, 2, 2, 2, 2 } },
	{ 'U', { 5, 5, 5, 5, 7 } }, { 'X', { 5, 5, 2, 5, 5 } }, { '0', { 7, 5, 5, 5, 7 } }, { '1', { 2, 6, 2, 2, 7 } },
	{ '2', { 6, 1, 2, 4, 7 } }, { '3', { 6, 1, 2, 1, 6 } }, { '4', { 5, 5, 7, 1, 1 } }, { '5', { 7, 4, 6, 1, 6 } },
	{ '6', { 3, 4, 7, 5, 7 } }, { '7', { 7, 1, 2, 2, 2 } }, { '8', { 7, 5, 7, 5, 7 } },
};

static void put_text(struct picture *sheet, uint32_t x, uint32_t y, const char *text)
{
	for (; *text; text++, x += 4)
		for (unsigned g = 0; g < sizeof glyphs / sizeof glyphs[0]; g++)
			for (unsigned i = 0; glyphs[g].name == *text && i < 15; i++)
				if (glyphs[g].row[i / 3] >> (2 - i % 3) & 1)
					memset(sheet->rgb + 3 * ((size_t)(y + i / 3) * sheet->width + x + i % 3), 0, 3);
}

/* A cell, over a chequered ground where it is transparent. */
static void put_cell(struct picture *sheet, unsigned number, const char *name, uint8_t (*texels)[4], enum kept kept)
{
	uint32_t x0 = number % ACROSS * CELL_X + GAP / 2, y0 = number / ACROSS * CELL_Y;
	for (uint32_t i = 0; i < SIZE * SIZE; i++) {
		uint32_t x = i % SIZE, y = i / SIZE;
		uint8_t *out = sheet->rgb + 3 * ((size_t)(y0 + y) * sheet->width + x0 + x);
		unsigned ground = (x / 6 + y / 6) % 2 ? 200 : 240, alpha = kept >= HOLES ? texels[i][3] : 255;
		for (unsigned c = 0; c < 3; c++) {
			unsigned v = kept == RED ? texels[i][0] : kept == RED_GREEN && c == 2 ? 0 : texels[i][c];
			out[c] = (uint8_t)((v * alpha + ground * (255 - alpha) + 127) / 255);
		}
	}
	put_text(sheet, x0 + 1, y0 + SIZE + 2, name);
}

int main(int argc, char **argv)
{
	static uint8_t picture[SIZE * SIZE][4], got[SIZE * SIZE][4], blocks[SIZE * SIZE * 2];
	struct picture sheet = { .width = ACROSS * CELL_X, .height = DOWN * CELL_Y };
	const VkPhysicalDeviceFeatures wanted = { .textureCompressionBC = VK_TRUE, .textureCompressionETC2 = VK_TRUE,
		.textureCompressionASTC_LDR = VK_TRUE };
	int bad = 0;
	struct vh h;
	sheet.rgb = malloc((size_t)3 * sheet.width * sheet.height);
	if (!sheet.rgb)
		return 1;
	memset(sheet.rgb, 255, (size_t)3 * sheet.width * sheet.height);
	vh_open(&h, "compressed_sheet", &wanted);
	make_picture(picture);
	put_cell(&sheet, 0, "ORIGINAL", picture, ALPHA);
	for (unsigned i = 0; i < FORMATS; i++) {
		decode(&h, &formats[i], blocks, encode(&formats[i], picture, blocks), got);
		double quality = signal_to_noise(&formats[i], picture, got);
		bad += quality < formats[i].least;
		printf("%-12s %5.1f dB%s\n", formats[i].name, quality, quality < formats[i].least ? ": too far from the picture" : "");
		put_cell(&sheet, i + 1, formats[i].name, got, formats[i].kept);
	}
	vh_close(&h);
	if (argc > 1 && !picture_write(&sheet, argv[1])) {
		fprintf(stderr, "cannot write %s\n", argv[1]);
		bad++;
	}
	free(sheet.rgb);
	return bad != 0;
}
