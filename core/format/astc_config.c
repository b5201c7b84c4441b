/* SPDX-License-Identifier: MIT */
/* "Block Mode", "Color Endpoint Mode", "Data Size Determination" and "Illegal
 * Encodings". */
#include "core/format/astc_block.h"

/* n bits of the block mode from bit `low` on. */
static inline unsigned mode_field(unsigned mode, unsigned low, unsigned n)
{
	return mode >> low & ((1u << n) - 1);
}

static inline struct cu_astc_footprint footprint(unsigned width, unsigned height, unsigned depth)
{
	return (struct cu_astc_footprint){ (uint8_t)width, (uint8_t)height, (uint8_t)depth };
}

/* The grid of a mode of two dimensions, rows in the order of the table; of no
 * size where the mode is reserved.  *plain: the mode has neither the bit of
 * dual planes nor that of high precision. */
static struct cu_astc_footprint grid_2d(unsigned mode, bool *plain)
{
	unsigned low = mode_field(mode, 5, 2), high = mode_field(mode, 7, 2);
	if (mode & 3) {
		switch (mode_field(mode, 2, 2)) {
		case 0: return footprint(high + 4, low + 2, 1);
		case 1: return footprint(high + 8, low + 2, 1);
		case 2: return footprint(low + 2, high + 8, 1);
		default: return high & 2 ? footprint((high & 1) + 2, low + 2, 1) : footprint(low + 2, high + 6, 1);
		}
	}
	switch (high) {
	case 0: return footprint(12, low + 2, 1);
	case 1: return footprint(low + 2, 12, 1);
	case 2:
		*plain = true;
		return footprint(low + 6, mode_field(mode, 9, 2) + 6, 1);
	default: return low == 0 ? footprint(6, 10, 1) : low == 1 ? footprint(10, 6, 1) : footprint(0, 0, 0);
	}
}

/* The same for a mode of three dimensions. */
static struct cu_astc_footprint grid_3d(unsigned mode, bool *plain)
{
	unsigned low = mode_field(mode, 5, 2), high = mode_field(mode, 7, 2), top = mode_field(mode, 9, 2);
	if (mode & 3)
		return footprint(low + 2, high + 2, mode_field(mode, 2, 2) + 2);
	*plain = high < 3;
	switch (high) {
	case 0: return footprint(6, top + 2, low + 2);
	case 1: return footprint(low + 2, 6, top + 2);
	case 2: return footprint(low + 2, top + 2, 6);
	default: return low == 3 ? footprint(0, 0, 0) :
			footprint(low == 0 ? 6 : 2, low == 1 ? 6 : 2, low == 2 ? 6 : 2);
	}
}

/* Grid, planes and weights.  False where they are illegal. */
static bool read_block_mode(unsigned mode, struct cu_astc_footprint size, struct astc_config *config)
{
	bool plain = false;
	unsigned rho = mode_field(mode, 4, 1) | (mode & 3 ? mode & 3 : mode_field(mode, 2, 2)) << 1;
	if (rho < 2)
		return false;
	struct cu_astc_footprint grid = size.depth > 1 ? grid_3d(mode, &plain) : grid_2d(mode, &plain);
	bool precise = !plain && mode_field(mode, 9, 1), dual = !plain && mode_field(mode, 10, 1);
	if (!grid.width || grid.width > size.width || grid.height > size.height || grid.depth > size.depth)
		return false;
	unsigned count = (unsigned)grid.width * grid.height * grid.depth << dual;
	if (count > ASTC_MAX_WEIGHTS)
		return false;
	config->grid = grid;
	config->planes = 1 + dual;
	config->weight_range = (uint8_t)(rho - 2 + (precise ? 6 : 0));
	unsigned bits = astc_sequence_bits(config->weight_range, count);
	config->weight_bits = (uint8_t)bits;
	return bits >= 24 && bits <= 96;
}

/* Endpoint modes of several partitions, of which some bits lie right below
 * `top`.  Returns how many. */
static unsigned read_endpoint_modes(astc_bits bits, unsigned top, struct astc_config *config)
{
	unsigned n = config->partitions, selector = (unsigned)astc_field(bits, 23, 2);
	if (selector == 0) {
		for (unsigned i = 0; i < n; i++)
			config->endpoint_mode[i] = (uint8_t)astc_field(bits, 25, 4);
		return 0;
	}
	/* A class bit of each, then two bits of each, the first of which are
	 * still in bits 25 to 28. */
	unsigned extra = 3 * n - 4;
	unsigned fields = (unsigned)(astc_field(bits, 25, 4) | astc_field(bits, top - extra, extra) << 4);
	for (unsigned i = 0; i < n; i++)
		config->endpoint_mode[i] = (uint8_t)((selector - 1 + (fields >> i & 1)) << 2 | (fields >> (n + 2 * i) & 3));
	return extra;
}

bool astc_config_read(astc_bits bits, struct cu_astc_footprint size, struct astc_config *config)
{
	if (!read_block_mode((unsigned)astc_field(bits, 0, 11), size, config))
		return false;
	config->partitions = (uint8_t)(1 + astc_field(bits, 11, 2));
	if (config->partitions == 4 && config->planes == 2)
		return false;

	unsigned top = 128u - config->weight_bits; /* the end of what is not yet read */
	if (config->partitions == 1) {
		config->endpoint_mode[0] = (uint8_t)astc_field(bits, 13, 4);
		config->colour_low = 17;
	} else {
		config->pattern = (uint16_t)astc_field(bits, 13, 10);
		config->colour_low = 29;
		top -= read_endpoint_modes(bits, top, config);
	}
	config->selector = 0;
	if (config->planes == 2) {
		top -= 2;
		config->selector = (uint8_t)astc_field(bits, top, 2);
	}

	unsigned count = 0;
	for (unsigned i = 0; i < config->partitions; i++)
		count += astc_mode_values(config->endpoint_mode[i]);
	if (count > ASTC_MAX_COLOURS || top < config->colour_low + (13 * count + 4) / 5)
		return false;
	config->colour_count = (uint8_t)count;
	config->colour_range = (uint8_t)astc_colour_range(count, top - config->colour_low);
	return true;
}
