/* SPDX-License-Identifier: MIT */
/* BC1 to BC7; BC6H in its mode of one region and 10 bits, BC7 in mode 6. */
#include <math.h>
#include <string.h>
#include "tests/sheet/encode.h"

static void load(const uint8_t (*texels)[4], float out[16][4])
{
	for (unsigned i = 0; i < 16; i++)
		for (unsigned c = 0; c < 4; c++)
			out[i][c] = texels[i][c];
}

/* 5, 6, 5 bits of a colour, and the colour that they stand for. */
static uint32_t to_565(const float c[4], float back[4])
{
	static const uint8_t bits[3] = { 5, 6, 5 };
	uint32_t v = 0;
	for (unsigned k = 0; k < 3; k++) {
		float max = (float)((1 << bits[k]) - 1);
		uint32_t q = (uint32_t)lrintf(c[k] / 255 * max);
		v = v << bits[k] | q;
		back[k] = (float)q * 255 / max;
	}
	return v;
}

/* The 8 bytes of colours; `holes`: what is transparent becomes the fourth colour. */
static void colors(const uint8_t (*texels)[4], bool holes, uint8_t *block)
{
	float c[16][4], seen[16][4], ends[2][4], palette[4][4];
	unsigned n = 0, at = 0, count = holes ? 3 : 4;
	load(texels, c);
	for (unsigned i = 0; i < 16; i++)
		if (!holes || texels[i][3] >= 128)
			memcpy(seen[n++], c[i], sizeof c[i]);
	memset(ends, 0, sizeof ends);
	if (n)
		encode_line((const float (*)[4])seen, n, 3, 255, ends);
	uint32_t v[2] = { to_565(ends[0], palette[0]), to_565(ends[1], palette[1]) };
	if (holes ? v[0] > v[1] : v[0] < v[1]) { /* their order says which kind of block it is */
		v[0] = to_565(ends[1], palette[0]);
		v[1] = to_565(ends[0], palette[1]);
	}
	for (unsigned k = 0; k < 3; k++) {
		palette[2][k] = holes ? (palette[0][k] + palette[1][k]) / 2 : (2 * palette[0][k] + palette[1][k]) / 3;
		palette[3][k] = (palette[0][k] + 2 * palette[1][k]) / 3;
	}
	encode_put(block, &at, 16, v[0]);
	encode_put(block, &at, 16, v[1]);
	for (unsigned i = 0; i < 16; i++)
		encode_put(block, &at, 2, holes && texels[i][3] < 128 ? 3 : v[0] == v[1] ? 0 :
			encode_nearest(c[i], 3, (const float (*)[4])palette, count));
}

/* The 8 bytes of one channel; signed ones are codes of [0, 127]. */
static void channel(const uint8_t (*texels)[4], unsigned c, bool is_signed, uint8_t *block)
{
	float low = 255, high = 0, palette[8][4];
	unsigned at = 0;
	for (unsigned i = 0; i < 16; i++) {
		low = texels[i][c] < low ? texels[i][c] : low;
		high = texels[i][c] > high ? texels[i][c] : high;
	}
	unsigned code[2] = { (unsigned)(is_signed ? high * 127 / 255 + 0.5f : high), (unsigned)(is_signed ? low * 127 / 255 : low) };
	for (unsigned i = 0; i < 8; i++) {
		float w = i < 2 ? (float)i : (float)(i - 1) / 7;
		palette[i][0] = ((float)code[0] * (1 - w) + (float)code[1] * w) * (is_signed ? 255.0f / 127 : 1);
	}
	encode_put(block, &at, 8, code[0]);
	encode_put(block, &at, 8, code[1]);
	for (unsigned i = 0; i < 16; i++)
		encode_put(block, &at, 3, code[0] == code[1] ? 0 :
			encode_nearest((float[4]){ texels[i][c] }, 1, (const float (*)[4])palette, 8));
}

static bool has_holes(const uint8_t (*texels)[4])
{
	for (unsigned i = 0; i < 16; i++)
		if (texels[i][3] < 128)
			return true;
	return false;
}

void encode_bc1_rgb(const uint8_t (*texels)[4], uint8_t *block) { colors(texels, false, block); }
void encode_bc1_rgba(const uint8_t (*texels)[4], uint8_t *block) { colors(texels, has_holes(texels), block); }

void encode_bc2(const uint8_t (*texels)[4], uint8_t *block)
{
	unsigned at = 0;
	for (unsigned i = 0; i < 16; i++)
		encode_put(block, &at, 4, (texels[i][3] * 15u + 127) / 255);
	colors(texels, false, block + 8);
}

void encode_bc3(const uint8_t (*texels)[4], uint8_t *block)
{
	channel(texels, 3, false, block);
	colors(texels, false, block + 8);
}

void encode_bc4(const uint8_t (*texels)[4], uint8_t *block) { channel(texels, 0, false, block); }
void encode_bc4_signed(const uint8_t (*texels)[4], uint8_t *block) { channel(texels, 0, true, block); }

void encode_bc5(const uint8_t (*texels)[4], uint8_t *block)
{
	channel(texels, 0, false, block);
	channel(texels, 1, false, block + 8);
}

void encode_bc5_signed(const uint8_t (*texels)[4], uint8_t *block)
{
	channel(texels, 0, true, block);
	channel(texels, 1, true, block + 8);
}

static const uint8_t weights[16] = { 0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64 };

/* Indices of 4 bits; that of the first texel has 3, so it is in the first half: true where the ends must be swapped. */
static bool indices(const float c[16][4], unsigned channels, const float ends[2][4], unsigned out[16])
{
	float palette[16][4];
	for (unsigned i = 0; i < 16; i++)
		for (unsigned k = 0; k < channels; k++)
			palette[i][k] = (ends[0][k] * (float)(64 - weights[i]) + ends[1][k] * weights[i]) / 64;
	for (unsigned i = 0; i < 16; i++)
		out[i] = encode_nearest(c[i], channels, (const float (*)[4])palette, 16);
	return out[0] >= 8;
}

static void put_indices(uint8_t *block, unsigned *at, const unsigned index[16], bool swapped)
{
	for (unsigned i = 0; i < 16; i++)
		encode_put(block, at, i ? 4 : 3, swapped ? 15 - index[i] : index[i]);
}

/* A positive half of c / 255. */
static float half_bits(float c)
{
	if (c <= 0)
		return 0;
	int e = ilogbf(c / 255);
	return e < -14 ? ldexpf(c / 255, 24) : (float)((e + 15) * 1024) + ldexpf(c / 255, 10 - e) - 1024;
}

/* Endpoints of 10 bits: 31 steps of a half's bits a code, of signed ones 62. */
static void bc6(const uint8_t (*texels)[4], float step, uint8_t *block)
{
	float c[16][4], ends[2][4];
	unsigned at = 0, index[16];
	load(texels, c);
	for (unsigned i = 0; i < 16; i++)
		for (unsigned k = 0; k < 3; k++)
			c[i][k] = half_bits(c[i][k]) / step;
	encode_line((const float (*)[4])c, 16, 3, 500, ends);
	bool swap = indices((const float (*)[4])c, 3, (const float (*)[4])ends, index);
	encode_put(block, &at, 5, 3);
	for (unsigned e = 0; e < 2; e++)
		for (unsigned k = 0; k < 3; k++)
			encode_put(block, &at, 10, (uint32_t)lrintf(ends[swap ? 1 - e : e][k]));
	put_indices(block, &at, index, swap);
}
void encode_bc6(const uint8_t (*texels)[4], uint8_t *block) { bc6(texels, 31, block); }
void encode_bc6_signed(const uint8_t (*texels)[4], uint8_t *block) { bc6(texels, 62, block); }

void encode_bc7(const uint8_t (*texels)[4], uint8_t *block)
{
	float c[16][4], ends[2][4];
	unsigned at = 0, index[16];
	load(texels, c);
	encode_line((const float (*)[4])c, 16, 4, 255, ends);
	bool swap = indices((const float (*)[4])c, 4, (const float (*)[4])ends, index);
	unsigned low[2]; /* the bit below all channels of an end: opaque ones are 255 only with it */
	for (unsigned e = 0; e < 2; e++)
		low[e] = ends[swap ? 1 - e : e][3] > 250;
	encode_put(block, &at, 7, 1 << 6);
	for (unsigned k = 0; k < 4; k++)
		for (unsigned e = 0; e < 2; e++) {
			float v = (ends[swap ? 1 - e : e][k] - (float)low[e]) / 2;
			encode_put(block, &at, 7, v > 0 ? (uint32_t)lrintf(v) : 0);
		}
	encode_put(block, &at, 1, low[0]);
	encode_put(block, &at, 1, low[1]);
	put_indices(block, &at, index, swap);
}
