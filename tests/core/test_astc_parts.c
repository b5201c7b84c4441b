/* SPDX-License-Identifier: MIT */
/* The steps of decoding ASTC, one by one, from the tables and the wording of
 * the Khronos Data Format specification. */
#include "core/format/astc_block.h"
#include "tests/check.h"
#include "tests/core/block_stream.h"

/* The trits of the numbers 0..255: every combination is there, and the value
 * of a sequence whose last block is cut off is that of zeros. */
static void test_digits(unsigned range, unsigned base, unsigned per_block, unsigned bits, unsigned combinations)
{
	uint8_t seen[243] = { 0 };
	unsigned count = 0;
	for (unsigned packed = 0; packed < 1u << bits; packed++) {
		uint8_t digits[5], fewer[5];
		unsigned number = 0;
		astc_sequence_decode(packed, range, per_block, digits);
		for (unsigned i = 0; i < per_block; i++) {
			EXPECT(digits[i] < base, "digit %u of %#x", i, packed);
			number = number * base + digits[i];
		}
		count += !seen[number]++;
		for (unsigned n = 1; n < per_block; n++) {
			unsigned size = astc_sequence_bits(range, n);
			astc_sequence_decode((astc_bits)-1 << size | packed, range, n, fewer);
			astc_sequence_decode(packed & ((1u << size) - 1), range, per_block, digits);
			EXPECT(!memcmp(fewer, digits, n), "the first %u of %#x", n, packed);
		}
	}
	EXPECT(count == combinations, "base %u: %u combinations", base, count);
}

/* Rows worked out from the bit manipulations that define trits and quints. */
static void test_digit_examples(void)
{
	static const struct {
		uint8_t packed, digits[5];
	} trits[] = {
		{ 0x00, { 0, 0, 0, 0, 0 } }, { 0x01, { 1, 0, 0, 0, 0 } }, { 0x02, { 2, 0, 0, 0, 0 } },
		{ 0x03, { 0, 0, 2, 0, 0 } }, { 0x04, { 0, 1, 0, 0, 0 } }, { 0x07, { 1, 0, 2, 0, 0 } },
		{ 0x0b, { 2, 0, 2, 0, 0 } }, { 0x0c, { 0, 2, 2, 0, 0 } }, { 0x10, { 0, 0, 1, 0, 0 } },
		{ 0x1c, { 0, 0, 0, 2, 2 } }, { 0x20, { 0, 0, 0, 1, 0 } }, { 0x60, { 0, 0, 0, 0, 2 } },
		{ 0x80, { 0, 0, 0, 0, 1 } }, { 0xe0, { 0, 0, 0, 1, 2 } }, { 0xff, { 2, 1, 2, 2, 2 } },
	}, quints[] = {
		{ 0x00, { 0, 0, 0 } }, { 0x01, { 1, 0, 0 } }, { 0x04, { 4, 0, 0 } }, { 0x05, { 0, 4, 0 } },
		{ 0x06, { 4, 4, 0 } }, { 0x07, { 4, 4, 4 } }, { 0x08, { 0, 1, 0 } }, { 0x0d, { 1, 4, 0 } },
		{ 0x1e, { 4, 4, 3 } }, { 0x20, { 0, 0, 1 } }, { 0x26, { 4, 0, 4 } }, { 0x67, { 1, 0, 4 } },
		{ 0x7f, { 1, 3, 4 } },
	};
	uint8_t digits[5];
	for (unsigned i = 0; i < sizeof(trits) / sizeof(trits[0]); i++) {
		astc_sequence_decode(trits[i].packed, 1, 5, digits);
		EXPECT(!memcmp(digits, trits[i].digits, 5), "trits %#x", trits[i].packed);
	}
	for (unsigned i = 0; i < sizeof(quints) / sizeof(quints[0]); i++) {
		astc_sequence_decode(quints[i].packed, 3, 3, digits);
		EXPECT(!memcmp(digits, quints[i].digits, 3), "quints %#x", quints[i].packed);
	}
	/* Low bits: m0 = 9, T = 0x1c, m1 = 1, m2 = 2, m3 = 3, m4 = 4. */
	astc_bits block = 9 | 0 << 4 | 1 << 6 | 3 << 10 | 2 << 12 | 1 << 16 | 3 << 17 | 0 << 21 | 4 << 23 | 0 << 27;
	static const uint8_t expect[5] = { 9, 1, 2, 2 << 4 | 3, 2 << 4 | 4 };
	astc_sequence_decode(block, 13, 5, digits);
	EXPECT(!memcmp(digits, expect, 5), "low bits of trits");
}

/* In order of size, a range's values part 0..max evenly, and as many are as
 * far from one end as from the other. */
static void expect_even(const char *what, unsigned range, const uint8_t *values, unsigned count, unsigned max)
{
	uint8_t there[256] = { 0 };
	unsigned i = 0;
	for (unsigned k = 0; k < count; k++) {
		EXPECT(values[k] <= max && !there[values[k]], "%s, range %u: %u twice", what, range, values[k]);
		there[values[k]] = 1;
	}
	for (unsigned v = 0; v <= max; v++) {
		EXPECT(there[v] == there[max - v], "%s, range %u: %u without its opposite", what, range, v);
		if (!there[v])
			continue;
		unsigned exact = max * i++ * 16 / (count - 1);
		EXPECT(v * 16 <= exact + 24 && v * 16 + 24 >= exact, "%s, range %u: %u is no %u / %u", what, range, v, i - 1,
			count - 1);
	}
}

static void test_unquantize(void)
{
	static const uint8_t sizes[ASTC_RANGE_COUNT] = {
		2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 192,
	};
	for (unsigned range = 0; range < ASTC_RANGE_COUNT; range++) {
		unsigned count = sizes[range] ? sizes[range] : 256;
		uint8_t values[256];
		for (unsigned i = 0; i < 256; i++)
			values[i] = (uint8_t)i;
		if (range < ASTC_WEIGHT_RANGES) {
			astc_unquantize_weights(range, count, values);
			expect_even("weights", range, values, count, 64);
		}
		for (unsigned i = 0; i < 256; i++)
			values[i] = (uint8_t)i;
		if (range >= ASTC_COLOUR_RANGE) {
			astc_unquantize_colours(range, count, values);
			expect_even("colours", range, values, count, 255);
		}
	}
	/* 0..23: A, B, C and D of a value with trit 2 and bits 101. */
	uint8_t v = 2 << 3 | 5;
	astc_unquantize_colours(10, 1, &v);
	EXPECT(v == (0x80 | (((2 * 44 + 266) ^ 0x1ff) >> 2)), "colour %u", v);
}

static void test_sizes(void)
{
	EXPECT(astc_sequence_bits(0, 24) == 24 && astc_sequence_bits(1, 1) == 2 && astc_sequence_bits(1, 6) == 10 &&
		astc_sequence_bits(3, 64) == 150 && astc_sequence_bits(4, 5) == 13 && astc_sequence_bits(20, 18) == 144, "bits");
	EXPECT(astc_colour_range(2, 111) == 20 && astc_colour_range(18, 47) == 4 && astc_colour_range(18, 53) == 4 &&
		astc_colour_range(18, 54) == 5 && astc_colour_range(18, 144) == 20 && astc_colour_range(18, 143) == 19 &&
		astc_colour_range(8, 45) == 13 && astc_colour_range(8, 44) == 12 && astc_colour_range(8, 42) == 11, "ranges");
}

/* A row of the tables of block modes, bits 10 to 0: W, H, D are bits of a side,
 * to which the last columns are added, r, s, t those of the weights' range,
 * p and d precision and dual planes. */
struct mode_row {
	const char *bits;
	int width, height, depth;
};

static const struct mode_row rows_2d[] = {
	{ "dpWWHHr00st", 4, 2, 1 }, { "dpWWHHr01st", 8, 2, 1 }, { "dpHHWWr10st", 2, 8, 1 }, { "dp0HWWr11st", 2, 6, 1 },
	{ "dp1WHHr11st", 2, 2, 1 }, { "dp00HHrst00", 12, 2, 1 }, { "dp01WWrst00", 2, 12, 1 }, { "dp1100rst00", 6, 10, 1 },
	{ "dp1101rst00", 10, 6, 1 }, { "HH10WWrst00", 6, 6, 1 },
};
static const struct mode_row rows_3d[] = {
	{ "dpHHWWrDDst", 2, 2, 2 }, { "HH00DDrst00", 6, 2, 2 }, { "DD01WWrst00", 2, 6, 2 }, { "HH10WWrst00", 2, 2, 6 },
	{ "dp1100rst00", 6, 2, 2 }, { "dp1101rst00", 2, 6, 2 }, { "dp1110rst00", 2, 2, 6 },
};

/* The first row that has the mode; its fields by their letters. */
static bool match_row(const struct mode_row *rows, unsigned count, unsigned mode, unsigned fields[128], int size[3])
{
	for (unsigned k = 0; k < count; k++) {
		bool match = true;
		memset(fields, 0, 128 * sizeof(*fields));
		for (unsigned i = 0; i < 11; i++) {
			unsigned bit = mode >> (10 - i) & 1;
			char c = rows[k].bits[i];
			if (c == '0' || c == '1')
				match &= bit == (unsigned)(c - '0');
			else
				fields[(unsigned char)c] = fields[(unsigned char)c] << 1 | bit;
		}
		if (match && (fields['s'] | fields['t'])) {
			size[0] = rows[k].width + (int)fields['W'];
			size[1] = rows[k].height + (int)fields['H'];
			size[2] = rows[k].depth + (int)fields['D'];
			return true;
		}
	}
	return false;
}

static void test_block_mode(unsigned mode, struct cu_astc_footprint size)
{
	static const uint8_t ranges[2][8] = { { 0, 0, 0, 1, 2, 3, 4, 5 }, { 0, 0, 6, 7, 8, 9, 10, 11 } };
	unsigned f[128];
	int grid[3] = { 0 };
	bool known = size.depth > 1 ? match_row(rows_3d, sizeof(rows_3d) / sizeof(rows_3d[0]), mode, f, grid) :
		match_row(rows_2d, sizeof(rows_2d) / sizeof(rows_2d[0]), mode, f, grid);
	unsigned range = ranges[f['p']][f['s'] << 2 | f['t'] << 1 | f['r']];
	unsigned weights = (unsigned)(grid[0] * grid[1] * grid[2]) << f['d'];
	bool fits = known && grid[0] <= size.width && grid[1] <= size.height && grid[2] <= size.depth && weights <= 64;
	unsigned bits = fits ? astc_sequence_bits(range, weights) : 0;
	bool legal = fits && bits >= 24 && bits <= 96;
	struct astc_config config;
	bool got = astc_config_read(mode, size, &config); /* one partition, endpoint mode 0 */
	EXPECT(got == legal, "%ux%ux%u, mode %#x: legal %d", size.width, size.height, size.depth, mode, got);
	if (!got || !legal)
		return;
	EXPECT(config.grid.width == grid[0] && config.grid.height == grid[1] && config.grid.depth == grid[2] &&
		config.weight_range == range && config.planes == 1 + f['d'] && config.weight_bits == bits,
		"%ux%ux%u, mode %#x: %ux%ux%u, range %u", size.width, size.height, size.depth, mode, config.grid.width,
		config.grid.height, config.grid.depth, config.weight_range);
}

static void test_block_modes(void)
{
#define F(w, h, d) { w, h, d },
	static const struct cu_astc_footprint sizes[] = { CU_ASTC_FOOTPRINTS_2D(F) CU_ASTC_FOOTPRINTS_3D(F) };
#undef F
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (unsigned mode = 0; mode < 2048; mode++)
			if ((mode & 0x1ff) != 0x1fc)
				test_block_mode(mode, sizes[i]);
}

/* 4x4 weights of the range 0..1 (16 bits) are too few; of 0..3 they are 32.
 * In 12x12 a grid of 12x2 with 0..1 has the fewest bits, 24. */
enum { MODE_4X4 = 0x42, MODE_4X4_DUAL = 0x442, MODE_12X2 = 0x04 };

static void test_endpoint_modes(void)
{
	const struct cu_astc_footprint size = { 4, 4, 1 };
	struct astc_config config;
	block_bits v = MODE_4X4;
	/* Three partitions of classes 1, 2, 1 (selector 2) with M 2, 1, 3: modes
	 * 6, 9 and 7, 4 + 6 + 4 values; M beyond bit 28 below the weights. */
	block_put(&v, 11, 2, 2);
	block_put(&v, 13, 10, 0x2a5);
	block_put(&v, 23, 6, 2 | 1 << 3);
	block_put(&v, 96 - 5, 5, 1 | 1 << 1 | 3 << 3);
	EXPECT(astc_config_read(v, size, &config), "three partitions");
	EXPECT(config.endpoint_mode[0] == 6 && config.endpoint_mode[1] == 9 && config.endpoint_mode[2] == 7,
		"modes %u %u %u", config.endpoint_mode[0], config.endpoint_mode[1], config.endpoint_mode[2]);
	EXPECT(config.pattern == 0x2a5 && config.colour_low == 29 && config.colour_count == 14 &&
		config.colour_range == 9, "colours %u %u", config.colour_count, config.colour_range); /* 62 bits: 0..19 */

	/* Two partitions, the same mode for both; the selector right below the weights. */
	v = MODE_4X4_DUAL;
	block_put(&v, 11, 2, 1);
	block_put(&v, 25, 4, 4);
	block_put(&v, 64 - 2, 2, 3);
	EXPECT(astc_config_read(v, size, &config) && config.planes == 2 && config.selector == 3 &&
		config.endpoint_mode[1] == 4 && config.colour_range == 8, "two planes"); /* 33 bits: 0..15 */
}

static void test_illegal(void)
{
	const struct cu_astc_footprint size = { 4, 4, 1 }, large = { 12, 12, 1 };
	struct astc_config config;
	block_bits v = MODE_4X4_DUAL;
	EXPECT(astc_config_read(v, size, &config), "legal");
	block_put(&v, 11, 2, 3);
	EXPECT(!astc_config_read(v, size, &config), "two planes and four partitions");

	/* 18 values are legal, 20 are not; all of one mode. */
	v = MODE_12X2;
	block_put(&v, 11, 2, 2);
	block_put(&v, 25, 4, 8);
	EXPECT(astc_config_read(v, large, &config) && config.colour_count == 18, "18 values");
	block_put(&v, 11, 2, 3);
	EXPECT(!astc_config_read(v, large, &config), "24 values");
	block_put(&v, 25, 4, 4);
	EXPECT(astc_config_read(v, large, &config) && config.colour_count == 16, "16 values");

	/* Two planes of 4x4 weights of 0..7, 96 bits, leave 13 for colours: enough
	 * for 4 values, which need 11 and have 0..7 in 12, and not for 6. */
	v = MODE_4X4_DUAL | 1 << 4 | 1; /* rho 7 */
	block_put(&v, 13, 4, 4);
	EXPECT(astc_config_read(v, size, &config) && config.colour_range == 5, "13 bits for 4 values");
	block_put(&v, 13, 4, 8);
	EXPECT(!astc_config_read(v, size, &config), "13 bits for 6 values");
}

/* Patterns of 4x4 and 8x8 blocks, worked out from the text of select_partition. */
static void test_partitions(void)
{
	static const struct {
		struct cu_astc_footprint size;
		unsigned seed, partitions;
		const char *map;
	} patterns[] = {
		{ { 4, 4, 1 }, 5, 2, "1110110010001000" },
		{ { 4, 4, 1 }, 35, 3, "0000000000020022" },
		{ { 4, 4, 1 }, 1022, 4, "0111012202212111" },
		{ { 6, 5, 1 }, 18, 3, "111122000000000111111111112200" },
		{ { 8, 5, 1 }, 19, 4, "2222222222222222333333333333333333333333" },
		{ { 3, 3, 3 }, 100, 4, "122222221122222223122222223" },
		{ { 4, 4, 3 }, 55, 3, "000100010001000100110011001101110111011111111111" },
	};
	for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		uint8_t map[CU_ASTC_MAX_TEXELS];
		astc_partition_map(patterns[i].size, patterns[i].seed, patterns[i].partitions, map);
		for (unsigned k = 0; patterns[i].map[k]; k++)
			EXPECT(map[k] == patterns[i].map[k] - '0', "pattern %u, texel %u: %u", patterns[i].seed, k, map[k]);
	}
}

static void expect_ends(unsigned mode, const uint8_t v[8], const int end0[4], const int end1[4])
{
	struct astc_endpoints e;
	astc_endpoints_decode(mode, v, &e);
	for (int c = 0; c < 4; c++)
		EXPECT(e.end[0][c] == end0[c] && e.end[1][c] == end1[c], "mode %u, component %d: %d %d, not %d %d", mode, c,
			e.end[0][c], e.end[1][c], end0[c], end1[c]);
	EXPECT(e.hdr_rgb == astc_mode_is_hdr(mode), "mode %u is HDR", mode);
	EXPECT(e.hdr_alpha == (e.hdr_rgb && mode != 14), "mode %u has an HDR alpha", mode);
}

static void test_endpoints(void)
{
	static const struct {
		unsigned mode;
		uint8_t v[8];
		int ends[2][4];
	} rows[] = {
		{ 0, { 7, 9 }, { { 7, 7, 7, 255 }, { 9, 9, 9, 255 } } },
		{ 1, { 0x83, 0xfc }, { { 0xe0, 0xe0, 0xe0, 255 }, { 255, 255, 255, 255 } } },
		{ 1, { 0x83, 0x45 }, { { 0x60, 0x60, 0x60, 255 }, { 0x65, 0x65, 0x65, 255 } } },
		{ 4, { 1, 2, 3, 4 }, { { 1, 1, 1, 3 }, { 2, 2, 2, 4 } } },
		/* Offsets: 0x85 adds the base's top bit and 2; 0x7e is -1. */
		{ 5, { 0x21, 0x85, 0x01, 0x7e }, { { 0x90, 0x90, 0x90, 0 }, { 0x92, 0x92, 0x92, 0 } } },
		{ 5, { 0xff, 0xbe, 0xff, 0x40 }, { { 255, 255, 255, 127 }, { 255, 255, 255, 95 } } },
		{ 6, { 100, 200, 255, 128 }, { { 50, 100, 127, 255 }, { 100, 200, 255, 255 } } },
		{ 8, { 1, 9, 2, 8, 3, 7 }, { { 1, 2, 3, 255 }, { 9, 8, 7, 255 } } },
		{ 8, { 9, 1, 8, 2, 7, 3 }, { { 2, 2, 3, 255 }, { 8, 7, 7, 255 } } },
		{ 8, { 9, 8, 1, 2, 5, 5 }, { { 9, 1, 5, 255 }, { 8, 2, 5, 255 } } }, /* equal sums */
		{ 9, { 20, 2, 40, 4, 60, 0x7a }, { { 10, 20, 30, 255 }, { 11, 22, 27, 255 } } }, /* 1 + 2 - 3 */
		{ 9, { 20, 2, 40, 4, 60, 0x78 }, { { 18, 24, 26, 255 }, { 20, 25, 30, 255 } } }, /* 1 + 2 - 4 */
		{ 10, { 100, 200, 255, 64, 5, 6 }, { { 25, 50, 63, 5 }, { 100, 200, 255, 6 } } },
		{ 12, { 9, 1, 8, 2, 7, 3, 10, 11 }, { { 2, 2, 3, 11 }, { 8, 7, 7, 10 } } },
		{ 13, { 20, 2, 40, 4, 60, 0x78, 80, 6 }, { { 18, 24, 26, 43 }, { 20, 25, 30, 40 } } },
		{ 13, { 20, 2, 40, 4, 60, 6, 254, 0xbe }, { { 10, 20, 30, 255 }, { 11, 22, 33, 255 } } },
		{ 2, { 0x10, 0x20 }, { { 0x100, 0x100, 0x100, 0x780 }, { 0x200, 0x200, 0x200, 0x780 } } },
		{ 2, { 0x20, 0x10 }, { { 0x108, 0x108, 0x108, 0x780 }, { 0x1f8, 0x1f8, 0x1f8, 0x780 } } },
		{ 3, { 0x85, 0xe3 }, { { 0xe14, 0xe14, 0xe14, 0x780 }, { 0xe20, 0xe20, 0xe20, 0x780 } } },
		{ 3, { 0x05, 0xf3 }, { { 0xf0a, 0xf0a, 0xf0a, 0x780 }, { 0xf10, 0xf10, 0xf10, 0x780 } } },
		{ 3, { 0x7f, 0xff }, { { 0xffe, 0xffe, 0xffe, 0x780 }, { 0xfff, 0xfff, 0xfff, 0x780 } } },
		/* Mode bits 1111: mode 5, seven bits each: R 0x43, G 0x25, B 0x46, S 0x02. */
		{ 7, { 0xc3, 0xa5, 0xc6, 0x82 }, { { 0x820, 0x460, 0x880, 0x780 }, { 0x860, 0x4a0, 0x8c0, 0x780 } } },
		/* Mode bits 0101: mode 1, green is major: R 0x58f, G 0x23, B 0x01, S 0x1f. */
		{ 7, { 0x4f, 0xe3, 0x41, 0x5f }, { { 0xa9a, 0xae0, 0xade, 0x780 }, { 0xad8, 0xb1e, 0xb1c, 0x780 } } },
		/* Mode bits 0100: mode 0, green is major: R 0x423 G 3 B 2 S 0x41. */
		{ 7, { 0x23, 0x83, 0x22, 0x41 }, { { 0x7be, 0x7c4, 0x7c0, 0x780 }, { 0x840, 0x846, 0x842, 0x780 } } },
		{ 11, { 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc }, { { 0x120, 0x560, 0x340, 0x780 }, { 0x340, 0x780, 0x780, 0x780 } } },
		/* Mode 0, red is major: a 0x180, b 0x41 and 2, c 3, d 1 and -1, times 8. */
		{ 11, { 0x80, 0x43, 0x41, 0x02, 0x01, 0x7f },
			{ { 0xbe8, 0x9d8, 0xbe0, 0x780 }, { 0xc00, 0x9f8, 0xbf0, 0x780 } } },
		/* Mode 7, blue is major: a 0xe40, b 0x10 and 0x20, c 0x41, d -32 and 31. */
		{ 11, { 0x40, 0x81, 0xd0, 0xe0, 0x60, 0xdf },
			{ { 0xdc0, 0xe0f, 0xdff, 0x780 }, { 0xe20, 0xe30, 0xe40, 0x780 } } },
		{ 14, { 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 7, 8 }, { { 0x120, 0x560, 0x340, 7 }, { 0x340, 0x780, 0x780, 8 } } },
		{ 15, { 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0x81, 0xff },
			{ { 0x120, 0x560, 0x340, 0x20 }, { 0x340, 0x780, 0x780, 0xfe0 } } },
		/* Mode 0: bit 6 of B is the top of A; six bits of B are an offset of -1. */
		{ 15, { 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0x01, 0x7f },
			{ { 0x120, 0x560, 0x340, 0x810 }, { 0x340, 0x780, 0x780, 0x800 } } },
	};
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_ends(rows[i].mode, rows[i].v, rows[i].ends[0], rows[i].ends[1]);
}

int main(void)
{
	test_digits(1, 3, 5, 8, 243);
	test_digits(3, 5, 3, 7, 125);
	test_digit_examples();
	test_unquantize();
	test_sizes();
	test_block_modes();
	test_endpoint_modes();
	test_illegal();
	test_partitions();
	test_endpoints();
	return failures != 0;
}
