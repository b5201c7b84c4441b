/* SPDX-License-Identifier: MIT */
/* ETC2 in its differential mode; EAC with three of its tables. */
#include <math.h>
#include <string.h>
#include "tests/sheet/encode.h"

static const uint8_t tables[8][2] = { { 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 } };

/* Half a block of 2x4 or 4x2 texels: its texels in the block. */
static unsigned texel_of(bool rows, unsigned half, unsigned i)
{
	return rows ? half * 8 + i : i / 2 * 4 + half * 2 + i % 2;
}

struct half { int base[3]; unsigned table, index[8]; float error; };

/* The change of index i: small or large, up or down; with holes the small ones are none, and 2 is a hole. */
static int change(unsigned table, unsigned i, bool holes)
{
	int v = i & 1 ? tables[table][1] : holes ? 0 : tables[table][0];
	return i & 2 ? -v : v;
}

static int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

/* The best table and indices about a base of 5 bits a channel. */
static void choose(const uint8_t (*texels)[4], bool rows, unsigned which, bool holes, struct half *h)
{
	h->error = 1e30f;
	for (unsigned t = 0; t < 8; t++) {
		struct half now = *h;
		now.table = t;
		now.error = 0;
		for (unsigned i = 0; i < 8; i++) {
			const uint8_t *c = texels[texel_of(rows, which, i)];
			float least = 1e30f;
			now.index[i] = 2;
			for (unsigned k = 0; k < 4 && !(holes && c[3] < 128); k++) {
				float d = 0;
				if (holes && k == 2)
					continue;
				for (unsigned n = 0; n < 3; n++) {
					int e = clamp((now.base[n] << 3 | now.base[n] >> 2) + change(t, k, holes), 0, 255) - c[n];
					d += (float)(e * e);
				}
				if (d < least) {
					least = d;
					now.index[i] = k;
				}
			}
			now.error += least < 1e30f ? least : 0;
		}
		if (now.error < h->error)
			*h = now;
	}
}

/* Both halves, cut one way; the second base is at most 4 below and 3 above the first. */
static float halves(const uint8_t (*texels)[4], bool rows, bool holes, struct half h[2])
{
	for (unsigned which = 0; which < 2; which++) {
		for (unsigned n = 0; n < 3; n++) {
			unsigned sum = 0, count = 0;
			for (unsigned i = 0; i < 8; i++) {
				const uint8_t *c = texels[texel_of(rows, which, i)];
				bool seen = !holes || c[3] >= 128;
				sum += seen ? c[n] : 0;
				count += seen;
			}
			int v = count ? (int)((sum * 31 + count * 127) / (count * 255)) : 0;
			h[which].base[n] = which ? clamp(v, clamp(h[0].base[n] - 4, 0, 31), clamp(h[0].base[n] + 3, 0, 31)) : v;
		}
		choose(texels, rows, which, holes, &h[which]);
	}
	return h[0].error + h[1].error;
}

static void put_big(uint64_t v, uint8_t *block)
{
	for (unsigned i = 0; i < 8; i++)
		block[i] = (uint8_t)(v >> (56 - 8 * i));
}

static void rgb(const uint8_t (*texels)[4], bool holes, uint8_t *block)
{
	struct half cut[2][2];
	bool rows = halves(texels, true, holes, cut[1]) < halves(texels, false, holes, cut[0]);
	const struct half *h = cut[rows];
	uint64_t v = (uint64_t)rows << 32 | (uint64_t)!holes << 33 | (uint64_t)h[0].table << 37 | (uint64_t)h[1].table << 34;
	for (unsigned n = 0; n < 3; n++)
		v |= (uint64_t)h[0].base[n] << (59 - 8 * n) | (uint64_t)((h[1].base[n] - h[0].base[n]) & 7) << (56 - 8 * n);
	for (unsigned which = 0; which < 2; which++)
		for (unsigned i = 0; i < 8; i++) {
			unsigned texel = texel_of(rows, which, i), bit = texel % 4 * 4 + texel / 4;
			v |= (uint64_t)(h[which].index[i] & 1) << bit | (uint64_t)(h[which].index[i] >> 1) << (16 + bit);
		}
	put_big(v, block);
}

static const struct { unsigned number; int8_t change[8]; } eac[3] = {
	{ 0, { -3, -6, -9, -15, 2, 5, 8, 14 } }, { 15, { -3, -5, -7, -9, 2, 4, 6, 8 } }, { 13, { -1, -2, -3, -10, 0, 1, 2, 9 } } };

/* Codes of one channel: of a base, `scale` a step of the multiplier; all in [low, high]. */
struct codes { int value[16], offset, scale, low, high; bool is_signed; };

static float eac_try(const struct codes *c, int base, unsigned table, int multiplier, unsigned index[16])
{
	float error = 0;
	for (unsigned i = 0; i < 16; i++) {
		int least = 1 << 30;
		for (unsigned k = 0; k < 8; k++) {
			int v = clamp(base * c->scale + c->offset + eac[table].change[k] * multiplier * c->scale, c->low, c->high);
			int e = (v - c->value[i]) * (v - c->value[i]);
			if (e < least) {
				least = e;
				index[i] = k;
			}
		}
		error += (float)least;
	}
	return error;
}

static void eac_channel(const struct codes *c, uint8_t *block)
{
	int low = c->high, high = c->low, best_base = 0, best_multiplier = 1;
	unsigned index[16], best_table = 0;
	float least = 1e30f;
	for (unsigned i = 0; i < 16; i++) {
		low = c->value[i] < low ? c->value[i] : low;
		high = c->value[i] > high ? c->value[i] : high;
	}
	for (int b = -1; b <= 1; b++)
		for (unsigned t = 0; t < 3; t++)
			for (int m = 1; m < 16; m++) {
				int base = clamp((low + high) / 2 / c->scale + b, c->is_signed ? -127 : 0, c->is_signed ? 127 : 255);
				float e = eac_try(c, base, t, m, index);
				if (e < least) {
					least = e;
					best_base = base;
					best_table = t;
					best_multiplier = m;
				}
			}
	eac_try(c, best_base, best_table, best_multiplier, index);
	uint64_t v = (uint64_t)(best_base & 255) << 56 | (uint64_t)best_multiplier << 52 | (uint64_t)eac[best_table].number << 48;
	for (unsigned i = 0; i < 16; i++)
		v |= (uint64_t)index[i] << (45 - 3 * (i % 4 * 4 + i / 4));
	put_big(v, block);
}

static void eac_11(const uint8_t (*texels)[4], unsigned channel, bool is_signed, uint8_t *block)
{
	struct codes c = { .offset = is_signed ? 0 : 4, .scale = 8, .low = is_signed ? -1023 : 0, .high = is_signed ? 1023 : 2047,
		.is_signed = is_signed };
	for (unsigned i = 0; i < 16; i++)
		c.value[i] = texels[i][channel] * c.high / 255;
	eac_channel(&c, block);
}

void encode_etc2_rgb(const uint8_t (*texels)[4], uint8_t *block) { rgb(texels, false, block); }

void encode_etc2_rgba1(const uint8_t (*texels)[4], uint8_t *block)
{
	bool holes = false;
	for (unsigned i = 0; i < 16; i++)
		holes |= texels[i][3] < 128;
	rgb(texels, holes, block);
}

void encode_etc2_rgba(const uint8_t (*texels)[4], uint8_t *block)
{
	struct codes c = { .scale = 1, .high = 255 };
	for (unsigned i = 0; i < 16; i++)
		c.value[i] = texels[i][3];
	eac_channel(&c, block);
	rgb(texels, false, block + 8);
}

void encode_eac_r(const uint8_t (*texels)[4], uint8_t *block) { eac_11(texels, 0, false, block); }
void encode_eac_r_signed(const uint8_t (*texels)[4], uint8_t *block) { eac_11(texels, 0, true, block); }

void encode_eac_rg(const uint8_t (*texels)[4], uint8_t *block)
{
	eac_11(texels, 0, false, block);
	eac_11(texels, 1, false, block + 8);
}

void encode_eac_rg_signed(const uint8_t (*texels)[4], uint8_t *block)
{
	eac_11(texels, 0, true, block);
	eac_11(texels, 1, true, block + 8);
}
