/* SPDX-License-Identifier: MIT */
/* The steps of cu_astc_decode.  Numbers of sections are not stable, so
 * comments name them by their headings in the specification's chapter. */
#ifndef CORE_FORMAT_ASTC_BLOCK_H
#define CORE_FORMAT_ASTC_BLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include "core/format/astc.h"

typedef unsigned __int128 astc_bits;

/* n < 64 bits from bit `low` < 128 on; zeros above bit 127. */
static inline uint64_t astc_field(astc_bits bits, unsigned low, unsigned n)
{
	return (uint64_t)(bits >> low) & ((1ull << n) - 1);
}

/* "Integer Sequence Encoding": ranges 0..n-1 of values, from the smallest up.
 * The first 12 are those of weights, all from ASTC_COLOUR_RANGE on those of
 * endpoints.  R(trits, quints, bits) of a value. */
#define ASTC_RANGES(R) \
	R(0, 0, 1) R(1, 0, 0) R(0, 0, 2) R(0, 1, 0) R(1, 0, 1) R(0, 0, 3) R(0, 1, 1) R(1, 0, 2) R(0, 0, 4) \
	R(0, 1, 2) R(1, 0, 3) R(0, 0, 5) R(0, 1, 3) R(1, 0, 4) R(0, 0, 6) R(0, 1, 4) R(1, 0, 5) R(0, 0, 7) \
	R(0, 1, 5) R(1, 0, 6) R(0, 0, 8)
enum { ASTC_WEIGHT_RANGES = 12, ASTC_COLOUR_RANGE = 4, ASTC_RANGE_COUNT = 21 };

enum { ASTC_MAX_WEIGHTS = 64, ASTC_MAX_COLOURS = 18 };

/* The bits that `count` <= 64 values take, and the values, which begin at bit 0. */
unsigned astc_sequence_bits(unsigned range, unsigned count);
void astc_sequence_decode(astc_bits bits, unsigned range, unsigned count, uint8_t *values);

/* The largest range whose sequence of `count` <= 18 values fits; at least
 * ASTC_COLOUR_RANGE, for which the caller has seen to it. */
unsigned astc_colour_range(unsigned count, unsigned bits);

/* "Endpoint Unquantization" to 0..255, "Weight Unquantization" to 0..64. */
void astc_unquantize_colours(unsigned range, unsigned count, uint8_t *values);
void astc_unquantize_weights(unsigned range, unsigned count, uint8_t *values);

/* What the bits say beside colours and weights. */
struct astc_config {
	struct cu_astc_footprint grid;
	uint8_t planes, weight_range, weight_bits;
	uint8_t partitions;
	uint16_t pattern;         /* which pattern of partitions */
	uint8_t endpoint_mode[4]; /* of each partition */
	uint8_t selector;         /* the component of the second plane */
	uint8_t colour_low, colour_range, colour_count;
};

/* False for an illegal block; void extents are not for this function. */
bool astc_config_read(astc_bits bits, struct cu_astc_footprint size, struct astc_config *config);

/* "Weight Decoding" and "Weight Infill": for each texel the weight of the
 * first plane, and that of the second, if there is one, shifted left by 16. */
void astc_weights(astc_bits bits, struct cu_astc_footprint size, const struct astc_config *config, uint32_t *weights);

/* "Partition Pattern Generation": for each texel its partition, and up to
 * ASTC_ROW bytes of no meaning behind the last. */
enum { ASTC_ROW = 16 };
void astc_partition_map(struct cu_astc_footprint size, unsigned pattern, unsigned partitions, uint8_t *map);

/* The ends of a line of colours: of 8 bits, or of 12 bits where the component
 * is logarithmic. */
struct astc_endpoints {
	int end[2][4];
	bool hdr_rgb, hdr_alpha;
};

/* "Endpoint Interpretation": v has the values of the partition, two for each
 * class of modes and two more. */
static inline unsigned astc_mode_values(unsigned endpoint_mode)
{
	return (endpoint_mode >> 2) * 2 + 2;
}

static inline bool astc_mode_is_hdr(unsigned endpoint_mode)
{
	return 0xc88c >> endpoint_mode & 1;
}

void astc_endpoints_decode(unsigned endpoint_mode, const uint8_t *v, struct astc_endpoints *out);
void astc_endpoints_decode_hdr(unsigned endpoint_mode, const uint8_t *v, struct astc_endpoints *out);

static inline int astc_clamp(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

#endif
