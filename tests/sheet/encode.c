/* SPDX-License-Identifier: MIT */
#include "tests/sheet/encode.h"

#include <string.h>

/* The direction in which the colours differ most, by powers of their covariance. */
static void axis_of(const float (*colors)[4], unsigned n, unsigned channels, const float mean[4], float axis[4])
{
	float cov[4][4] = { { 0 } };
	for (unsigned i = 0; i < n; i++)
		for (unsigned a = 0; a < channels; a++)
			for (unsigned b = 0; b < channels; b++)
				cov[a][b] += (colors[i][a] - mean[a]) * (colors[i][b] - mean[b]);
	for (unsigned c = 0; c < channels; c++)
		axis[c] = 1;
	for (unsigned round = 0; round < 8; round++) {
		float next[4] = { 0 }, largest = 1e-9f;
		for (unsigned a = 0; a < channels; a++)
			for (unsigned b = 0; b < channels; b++)
				next[a] += cov[a][b] * axis[b];
		for (unsigned c = 0; c < channels; c++)
			largest = next[c] > largest ? next[c] : -next[c] > largest ? -next[c] : largest;
		for (unsigned c = 0; c < channels; c++)
			axis[c] = next[c] / largest;
	}
}

void encode_line(const float (*colors)[4], unsigned n, unsigned channels, float limit, float ends[2][4])
{
	float mean[4] = { 0 }, axis[4], length = 1e-9f, low = 0, high = 0;
	for (unsigned i = 0; i < n; i++)
		for (unsigned c = 0; c < channels; c++)
			mean[c] += colors[i][c] / (float)n;
	axis_of(colors, n, channels, mean, axis);
	for (unsigned c = 0; c < channels; c++)
		length += axis[c] * axis[c];
	for (unsigned i = 0; i < n; i++) {
		float at = 0;
		for (unsigned c = 0; c < channels; c++)
			at += (colors[i][c] - mean[c]) * axis[c] / length;
		low = at < low ? at : low;
		high = at > high ? at : high;
	}
	for (unsigned c = 0; c < channels; c++)
		for (unsigned e = 0; e < 2; e++) {
			float v = mean[c] + axis[c] * (e ? high : low);
			ends[e][c] = v < 0 ? 0 : v > limit ? limit : v;
		}
}

unsigned encode_nearest(const float c[4], unsigned channels, const float (*palette)[4], unsigned count)
{
	unsigned best = 0;
	float least = 1e30f;
	for (unsigned i = 0; i < count; i++) {
		float d = 0;
		for (unsigned k = 0; k < channels; k++)
			d += (c[k] - palette[i][k]) * (c[k] - palette[i][k]);
		if (d < least) {
			least = d;
			best = i;
		}
	}
	return best;
}

void encode_put(uint8_t *block, unsigned *at, unsigned n, uint32_t value)
{
	for (unsigned i = 0; i < n; i++, ++*at)
		block[*at / 8] = (uint8_t)((block[*at / 8] & ~(1u << *at % 8)) | (value >> i & 1) << *at % 8);
}
