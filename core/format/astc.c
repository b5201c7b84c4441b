/* SPDX-License-Identifier: MIT */
/* "Decode Procedure", "Weight Application" and "Void-Extent Blocks". */
#include "core/format/astc.h"

#include <string.h>

#include "core/format/astc_block.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bit 0 of a block is in its first byte");

/* A texel's four components. */
typedef int32_t texel __attribute__((vector_size(16)));
typedef float texel_float __attribute__((vector_size(16)));
typedef uint16_t narrow __attribute__((vector_size(8))); /* where 16 bits suffice */

static inline texel splat(int v)
{
	return (texel){ v, v, v, v };
}

static inline texel choose(texel mask, texel a, texel b)
{
	return (a & mask) | (b & ~mask);
}

static inline void store_bytes(narrow t, uint8_t *out)
{
	typedef uint8_t bytes __attribute__((vector_size(4)));
	bytes b = __builtin_convertvector(t, bytes);
	memcpy(out, &b, 4);
}

static inline void store_halves(texel t, uint16_t *out)
{
	narrow halves = __builtin_convertvector(t, narrow);
	memcpy(out, &halves, 8);
}

/* C / 65536 towards zero, but 65535 is 1.0.  Float has all of C's bits, so
 * that the conversion is exact; a half has the next 10 behind the first. */
static inline texel linear_half(texel c)
{
	texel_float exact = __builtin_convertvector(c, texel_float);
	texel bits;
	memcpy(&bits, &exact, sizeof(bits));
	texel half = (bits >> 13) - ((127 + 16 - 15) << 10);
	half = choose(c < 4, c << 8, half); /* denormals */
	return choose(c == 65535, splat(0x3c00), half);
}

/* A piecewise linear approximation of 2^C. */
static inline texel logarithmic_half(texel c)
{
	texel m = c & 0x7ff;
	texel t = choose(m < 512, 3 * m, choose(m < 1536, 4 * m - 512, 5 * m - 2048));
	texel half = (c >> 11 << 10) + (t >> 3);
	return choose(half < 0x7c00, half, splat(0x7bff));
}

/* A partition's colours: 64 times the one of weight 0, and what each weight
 * adds, of 8 bits a component or of 16. */
struct line {
	narrow start, slope;
	texel wide_start, wide_slope;
	texel hdr; /* all ones in logarithmic components */
	bool error;
};

static struct line make_line(const struct astc_endpoints *endpoints, enum cu_astc_mode mode)
{
	struct line line = { .error = endpoints->hdr_rgb && mode != CU_ASTC_FLOAT16_HDR };
	for (int c = 0; c < 4; c++) {
		bool hdr = c < 3 ? endpoints->hdr_rgb : endpoints->hdr_alpha;
		int start = endpoints->end[0][c], slope = endpoints->end[1][c] - start, scale = hdr ? 16 : 257;
		line.start[c] = (uint16_t)(64 * start);
		line.slope[c] = (uint16_t)slope;
		line.wide_start[c] = 64 * scale * start;
		line.wide_slope[c] = scale * slope;
		line.hdr[c] = -(int)hdr;
	}
	return line;
}

/* The endpoints of every partition, from one sequence. */
static void read_lines(astc_bits bits, const struct astc_config *config, enum cu_astc_mode mode, struct line *lines)
{
	uint8_t values[ASTC_MAX_COLOURS], *v = values;
	struct astc_endpoints endpoints;
	astc_sequence_decode(bits >> config->colour_low, config->colour_range, config->colour_count, values);
	astc_unquantize_colours(config->colour_range, config->colour_count, values);
	for (unsigned i = 0; i < config->partitions; i++) {
		astc_endpoints_decode(config->endpoint_mode[i], v, &endpoints);
		lines[i] = make_line(&endpoints, mode);
		v += astc_mode_values(config->endpoint_mode[i]);
	}
}

struct texels {
	const uint32_t *weights;
	const uint8_t *partition; /* NULL: all 0 */
	unsigned count;
	narrow first, second; /* ones in the components with the weight of that plane */
};

static inline narrow weight(const struct texels *t, unsigned i)
{
	return (uint16_t)t->weights[i] * t->first + (uint16_t)(t->weights[i] >> 16) * t->second;
}

static inline const struct line *line_of(const struct texels *t, unsigned i, const struct line *lines)
{
	return &lines[t->partition ? t->partition[i] : 0];
}

/* Of LDR endpoints texels come from s, 64 times a colour of 8 bits.  Widened to 16
 * bits by replication the colour is C = (257 s + 32) / 64, for sRGB it is
 * (256 s + 64 * 128 + 32) / 64, rounded down; all of it fits 16 bits. */
static inline narrow interpolate(const struct texels *t, unsigned i, const struct line *line)
{
	return line->start + line->slope * weight(t, i);
}

static void write_srgb8(const struct texels *t, const struct line *lines, uint8_t *out)
{
	for (unsigned i = 0; i < t->count; i++) {
		const struct line *line = line_of(t, i, lines);
		narrow s = interpolate(t, i, line);
		store_bytes(line->error ? (narrow){ 255, 0, 255, 255 } : (s + 32) >> 6, out + 4 * i);
	}
}

static void write_unorm8(const struct texels *t, const struct line *lines, uint8_t *out)
{
	for (unsigned i = 0; i < t->count; i++) {
		const struct line *line = line_of(t, i, lines);
		narrow s = interpolate(t, i, line);
		store_bytes(line->error ? (narrow){ 255, 0, 255, 255 } : (s + ((s + 32) >> 8)) >> 6, out + 4 * i);
	}
}

static inline texel linear_texel(const struct texels *t, unsigned i, const struct line *line)
{
	narrow s = interpolate(t, i, line), c = 4 * s + ((s + 32) >> 6);
	return linear_half(__builtin_convertvector(c, texel));
}

static inline texel logarithmic_texel(const struct texels *t, unsigned i, const struct line *line)
{
	texel w = __builtin_convertvector(weight(t, i), texel);
	texel c = (line->wide_start + line->wide_slope * w + 32) >> 6;
	return choose(line->hdr, logarithmic_half(c), linear_half(c)); /* alpha can be linear */
}

static void write_halves(const struct texels *t, const struct line *lines, uint16_t *out)
{
	for (unsigned i = 0; i < t->count; i++) {
		const struct line *line = line_of(t, i, lines);
		store_halves(line->error ? (texel){ 0x3c00, 0, 0x3c00, 0x3c00 } : linear_texel(t, i, line), out + 4 * i);
	}
}

static void write_halves_hdr(const struct texels *t, const struct line *lines, uint16_t *out)
{
	for (unsigned i = 0; i < t->count; i++) {
		const struct line *line = line_of(t, i, lines);
		store_halves(line->hdr[0] ? logarithmic_texel(t, i, line) : linear_texel(t, i, line), out + 4 * i);
	}
}

static void fill(unsigned texels, enum cu_astc_mode mode, texel t, void *out)
{
	for (unsigned i = 0; i < texels; i++) {
		if (mode == CU_ASTC_SRGB8 || mode == CU_ASTC_UNORM8)
			store_bytes(__builtin_convertvector(t, narrow), (uint8_t *)out + 4 * i);
		else
			store_halves(t, (uint16_t *)out + 4 * i);
	}
}

static void fill_error(unsigned texels, enum cu_astc_mode mode, void *out)
{
	int one = mode == CU_ASTC_SRGB8 || mode == CU_ASTC_UNORM8 ? 255 : 0x3c00;
	fill(texels, mode, (texel){ one, 0, one, one }, out);
}

/* The extent is not used, but must be one: none (all ones), or some texels. */
static bool void_extent_valid(astc_bits bits, bool is_3d)
{
	unsigned low = is_3d ? 10 : 12, n = is_3d ? 9 : 13;
	uint64_t coordinates = astc_field(bits, low, 64 - low);
	if (!is_3d && astc_field(bits, 10, 2) != 3)
		return false;
	if (coordinates == (1ull << (64 - low)) - 1)
		return true;
	for (; low < 64; low += 2 * n) {
		if (astc_field(bits, low, n) >= astc_field(bits, low + n, n))
			return false;
	}
	return true;
}

/* What is infinite or NaN is undefined: here it is the largest finite number,
 * as for all other blocks. */
static inline int finite_half(int half)
{
	return (half & 0x7c00) == 0x7c00 ? (half & 0x8000) | 0x7bff : half;
}

static void decode_void_extent(astc_bits bits, bool is_3d, unsigned texels, enum cu_astc_mode mode, void *out)
{
	bool hdr = astc_field(bits, 9, 1);
	texel c;
	if (!void_extent_valid(bits, is_3d) || (hdr && mode != CU_ASTC_FLOAT16_HDR)) {
		fill_error(texels, mode, out);
		return;
	}
	for (unsigned i = 0; i < 4; i++) {
		int v = (int)astc_field(bits, 64 + 16 * i, 16);
		c[i] = hdr ? finite_half(v) : v;
	}
	if (mode == CU_ASTC_SRGB8 || mode == CU_ASTC_UNORM8)
		c >>= 8;
	else if (!hdr)
		c = linear_half(c);
	fill(texels, mode, c, out);
}

void cu_astc_decode(struct cu_astc_footprint size, enum cu_astc_mode mode, const uint8_t block[16], void *out)
{
	unsigned count = (unsigned)size.width * size.height * size.depth;
	struct astc_config config;
	astc_bits bits;
	memcpy(&bits, block, sizeof(bits));
	if (astc_field(bits, 0, 9) == 0x1fc) {
		decode_void_extent(bits, size.depth > 1, count, mode, out);
		return;
	}
	if (!astc_config_read(bits, size, &config)) {
		fill_error(count, mode, out);
		return;
	}

	struct line lines[4];
	uint32_t weights[CU_ASTC_MAX_TEXELS];
	uint8_t partition[CU_ASTC_MAX_TEXELS + ASTC_ROW];
	struct texels texels = { .weights = weights, .count = count, .first = { 1, 1, 1, 1 } };
	read_lines(bits, &config, mode, lines);
	astc_weights(bits, size, &config, weights);
	if (config.partitions > 1) {
		astc_partition_map(size, config.pattern, config.partitions, partition);
		texels.partition = partition;
	}
	if (config.planes == 2) {
		texels.first[config.selector] = 0;
		texels.second[config.selector] = 1;
	}
	switch (mode) {
	case CU_ASTC_SRGB8: write_srgb8(&texels, lines, out); break;
	case CU_ASTC_UNORM8: write_unorm8(&texels, lines, out); break;
	case CU_ASTC_FLOAT16: write_halves(&texels, lines, out); break;
	case CU_ASTC_FLOAT16_HDR: write_halves_hdr(&texels, lines, out); break;
	}
}
