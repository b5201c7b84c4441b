/* SPDX-License-Identifier: MIT */
/* ASTC in one partition: two RGB or RGBA colours of 8 bits a channel, and a grid of weights of 1, 2 or 3 bits. */
#include <math.h>
#include <string.h>
#include "tests/sheet/encode.h"

/* Grids by what is left for weights: those of 8 bits a channel leave 63 bits beside RGB, 47 beside RGBA. */
struct grid { unsigned width, height, bits; };

static struct grid grid_of(unsigned width, unsigned height, bool alpha)
{
	if (width == 4)
		return (struct grid){ 4, 4, alpha ? 2 : 3 };
	if (height == 4 || alpha)
		return (struct grid){ 5, 4, alpha ? 2 : 3 };
	return height == 5 && width == 5 ? (struct grid){ 5, 5, 2 } : (struct grid){ 6, 5, 2 };
}

/* "Block Mode": width and height in the first kind of row, the range of weights in R. */
static unsigned block_mode(const struct grid *g)
{
	unsigned low = g->height - 2, high = g->width - 4, range = g->bits == 3 ? 7 : 4;
	return range >> 1 | (range & 1) << 4 | low << 5 | high << 7;
}

/* The texel that lies at a point of the grid. */
static unsigned texel_at(const struct grid *g, unsigned width, unsigned height, unsigned i)
{
	unsigned x = ((i % g->width) * (width - 1) * 2 + g->width - 1) / (2 * (g->width - 1));
	unsigned y = ((i / g->width) * (height - 1) * 2 + g->height - 1) / (2 * (g->height - 1));
	return y * width + x;
}

static void put_weights(const struct grid *g, const unsigned *weight, uint8_t *block)
{
	unsigned bit = 128; /* from the end backwards */
	for (unsigned i = 0; i < g->width * g->height; i++)
		for (unsigned k = 0; k < g->bits; k++) {
			unsigned at = --bit;
			encode_put(block, &at, 1, weight[i] >> k);
		}
}

void encode_astc(const uint8_t (*texels)[4], unsigned width, unsigned height, uint8_t *block)
{
	static const uint8_t steps[2][8] = { { 0, 21, 43, 64 }, { 0, 9, 18, 27, 37, 46, 55, 64 } };
	float c[ENCODE_TEXELS][4], ends[2][4], palette[8][4], sum[2] = { 0 };
	unsigned n = width * height, weight[64], at = 0;
	bool alpha = false;
	memset(c, 0, sizeof c);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < 4; k++) {
			c[i][k] = texels[i][k];
			alpha |= k == 3 && texels[i][3] < 255;
		}
	const struct grid g = grid_of(width, height, alpha);
	unsigned channels = alpha ? 4 : 3;
	encode_line((const float (*)[4])c, n, channels, 255, ends);
	for (unsigned e = 0; e < 2; e++)
		for (unsigned k = 0; k < channels; k++) {
			ends[e][k] = rintf(ends[e][k]);
			sum[e] += k < 3 ? ends[e][k] : 0;
		}
	bool swap = sum[1] < sum[0]; /* the other order would mean another encoding */
	for (unsigned i = 0; i < 1u << g.bits; i++)
		for (unsigned k = 0; k < channels; k++) {
			float w = (float)steps[g.bits - 2][i] / 64;
			palette[i][k] = ends[swap][k] * (1 - w) + ends[!swap][k] * w;
		}
	for (unsigned i = 0; i < g.width * g.height; i++)
		weight[i] = encode_nearest(c[texel_at(&g, width, height, i)], channels, (const float (*)[4])palette, 1u << g.bits);
	memset(block, 0, 16);
	encode_put(block, &at, 11, block_mode(&g));
	encode_put(block, &at, 2, 0);
	encode_put(block, &at, 4, alpha ? 12 : 8);
	for (unsigned k = 0; k < channels; k++)
		for (unsigned e = 0; e < 2; e++)
			encode_put(block, &at, 8, (uint32_t)ends[e ? !swap : swap][k]);
	put_weights(&g, weight, block);
}
