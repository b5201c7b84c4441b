/* SPDX-License-Identifier: MIT */
/* "Weight Decoding" and "Weight Infill".  Both planes go through the infill in
 * one word: a plane's sums are at most 16 * 64 + 8. */
#include <string.h>

#include "core/format/astc_block.h"

static inline uint64_t reverse(uint64_t v)
{
	v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
	v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
	return __builtin_bswap64(v);
}

/* Texels look up to one layer, row and weight beyond theirs, with factor 0. */
enum { GRID_SIZE = ASTC_MAX_WEIGHTS + 6 * 6 + 6 + 1 };

static void read_grid(astc_bits bits, const struct astc_config *config, uint32_t grid[GRID_SIZE])
{
	uint8_t values[ASTC_MAX_WEIGHTS];
	unsigned size = (unsigned)config->grid.width * config->grid.height * config->grid.depth;
	unsigned count = size * config->planes;
	astc_bits stream = (astc_bits)reverse((uint64_t)bits) << 64 | reverse((uint64_t)(bits >> 64));
	astc_sequence_decode(stream, config->weight_range, count, values);
	astc_unquantize_weights(config->weight_range, count, values);
	for (unsigned i = 0; i < size; i++)
		grid[i] = config->planes == 2 ? values[2 * i] | (uint32_t)values[2 * i + 1] << 16 : values[i];
	memset(grid + size, 0, (GRID_SIZE - size) * sizeof(*grid));
}

enum { MAX_SIDE = 12 };

/* Where a texel is in the grid, along one axis, in sixteenths. */
static void axis_positions(unsigned texels, unsigned weights, uint8_t position[MAX_SIDE])
{
	unsigned scale = (1024 + texels / 2) / (texels - 1);
	for (unsigned i = 0; i < MAX_SIDE; i++)
		position[i] = (uint8_t)((scale * i * (weights - 1) + 32) >> 6);
}

static inline uint32_t round_sixteenths(uint32_t sum)
{
	return (sum + 0x80008) >> 4 & 0x7f007f;
}

static void infill_2d(const uint32_t *grid, unsigned grid_width, const uint8_t *gs, const uint8_t *gt,
	struct cu_astc_footprint size, uint32_t *weights)
{
	for (unsigned y = 0; y < size.height; y++) {
		const uint32_t *row = grid + (gt[y] >> 4) * grid_width;
		unsigned ft = gt[y] & 15;
		for (unsigned x = 0; x < size.width; x++) {
			const uint32_t *p = row + (gs[x] >> 4);
			unsigned fs = gs[x] & 15, w11 = (fs * ft + 8) >> 4;
			*weights++ = round_sixteenths(p[0] * (16 - fs - ft + w11) + p[1] * (fs - w11) +
				p[grid_width] * (ft - w11) + p[grid_width + 1] * w11);
		}
	}
}

/* One texel of the "simplex interpolation": from the corner p along the axes,
 * the one with the largest fraction first.  Of equal fractions the order is
 * nothing: what lies between them has the factor 0. */
static inline uint32_t simplex(const uint32_t *p, const unsigned step[3], unsigned fs, unsigned ft, unsigned fr)
{
	unsigned most = fs > ft ? fs : ft, least = fs > ft ? ft : fs;
	unsigned first = fs > ft ? step[0] : step[1], last = fs > ft ? step[1] : step[0];
	if (fr > most) {
		most = fr;
		first = step[2];
	} else if (fr < least) {
		least = fr;
		last = step[2];
	}
	unsigned middle = fs + ft + fr - most - least, all = step[0] + step[1] + step[2];
	return round_sixteenths(p[0] * (16 - most) + p[first] * (most - middle) +
		p[all - last] * (middle - least) + p[all] * least);
}

static void infill_3d(const uint32_t *grid, struct cu_astc_footprint grid_size, const uint8_t *gs, const uint8_t *gt,
	const uint8_t *gr, struct cu_astc_footprint size, uint32_t *weights)
{
	unsigned step[3] = { 1, grid_size.width, (unsigned)grid_size.width * grid_size.height };
	for (unsigned z = 0; z < size.depth; z++)
		for (unsigned y = 0; y < size.height; y++) {
			const uint32_t *row = grid + (gr[z] >> 4) * step[2] + (gt[y] >> 4) * step[1];
			for (unsigned x = 0; x < size.width; x++)
				*weights++ = simplex(row + (gs[x] >> 4), step, gs[x] & 15, gt[y] & 15, gr[z] & 15);
		}
}

void astc_weights(astc_bits bits, struct cu_astc_footprint size, const struct astc_config *config, uint32_t *weights)
{
	uint32_t grid[GRID_SIZE];
	uint8_t gs[MAX_SIDE], gt[MAX_SIDE], gr[MAX_SIDE];
	read_grid(bits, config, grid);
	/* Where the grid has a weight for each texel, positions are whole. */
	if (!memcmp(&config->grid, &size, sizeof(size))) {
		memcpy(weights, grid, sizeof(*grid) * size.width * size.height * size.depth);
		return;
	}
	axis_positions(size.width, config->grid.width, gs);
	axis_positions(size.height, config->grid.height, gt);
	if (size.depth == 1) {
		infill_2d(grid, config->grid.width, gs, gt, size, weights);
	} else {
		axis_positions(size.depth, config->grid.depth, gr);
		infill_3d(grid, config->grid, gs, gt, gr, size, weights);
	}
}
