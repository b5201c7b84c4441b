/* SPDX-License-Identifier: MIT */
/* Whole blocks of ASTC: some whose texels were worked out from the Khronos
 * Data Format specification, and checksums.  The sums are those of streams on
 * which all texels, in all modes, were equal to those of two independent
 * decoders, that of the Khronos conformance tests and the astcenc library; and
 * so were a million blocks a footprint more.  Where these two differ from the
 * specification, and from each other, the specification counts: reserved bits
 * of void extents, coordinates of 3D void extents and 3D block modes with bits
 * 8 to 5 0111 or 1111 (the former decoder), magenta that is 1.0 and the top 8
 * bits as UNORM8 (the latter). */
#include <math.h>
#include <stdbool.h>

#include "core/format/astc.h"
#include "core/format/block.h"
#include "isa/resource.h"
#include "tests/check.h"
#include "tests/core/block_stream.h"

enum { MODES = 4, GUARD = 16 };
static const unsigned texel_bytes[MODES] = { 4, 4, 8, 8 };

/* A texel of either kind. */
struct texel {
	unsigned c[4];
};

static const struct texel magenta8 = { { 255, 0, 255, 255 } }, magenta16 = { { 0x3c00, 0, 0x3c00, 0x3c00 } };

static const struct cu_astc_footprint size_4x4 = { 4, 4, 1 }, size_5x5 = { 5, 5, 1 }, size_4x4x4 = { 4, 4, 4 };

/* Decodes into a buffer of its size, and sees that nothing around it changes. */
static void decode(struct cu_astc_footprint size, unsigned mode, const uint8_t block[16], uint8_t *out)
{
	static uint8_t buffer[GUARD + 8 * CU_ASTC_MAX_TEXELS + GUARD] __attribute__((aligned(16)));
	unsigned bytes = size.width * size.height * size.depth * texel_bytes[mode];
	uint8_t *source = malloc(16);
	CHECK(source);
	memcpy(source, block, 16);
	memset(buffer, 0xa5, GUARD);
	memset(buffer + GUARD + bytes, 0xa5, GUARD);
	cu_astc_decode(size, (enum cu_astc_mode)mode, source, buffer + GUARD);
	for (unsigned i = 0; i < GUARD; i++)
		CHECK(buffer[i] == 0xa5 && buffer[GUARD + bytes + i] == 0xa5, "%ux%ux%u, mode %u writes beyond its texels",
			size.width, size.height, size.depth, mode);
	memcpy(out, buffer + GUARD, bytes);
	free(source);
}

static struct texel decode_texel(struct cu_astc_footprint size, unsigned mode, block_bits v, unsigned texel)
{
	uint8_t block[16], out[8 * CU_ASTC_MAX_TEXELS];
	struct texel t;
	memcpy(block, &v, 16);
	decode(size, mode, block, out);
	for (unsigned c = 0; c < 4; c++) {
		if (texel_bytes[mode] == 4)
			t.c[c] = out[4 * texel + c];
		else
			t.c[c] = out[8 * texel + 2 * c] | (unsigned)out[8 * texel + 2 * c + 1] << 8;
	}
	return t;
}

static void expect(const char *name, struct cu_astc_footprint size, unsigned mode, block_bits v, unsigned texel,
	struct texel t)
{
	struct texel got = decode_texel(size, mode, v, texel);
	EXPECT(got.c[0] == t.c[0] && got.c[1] == t.c[1] && got.c[2] == t.c[2] && got.c[3] == t.c[3],
		"%s, mode %u, texel %u: %#x %#x %#x %#x, not %#x %#x %#x %#x", name, mode, texel, got.c[0], got.c[1], got.c[2],
		got.c[3], t.c[0], t.c[1], t.c[2], t.c[3]);
}

static void expect_magenta(const char *name, struct cu_astc_footprint size, unsigned mode, block_bits v, unsigned texel)
{
	expect(name, size, mode, v, texel, texel_bytes[mode] == 4 ? magenta8 : magenta16);
}

/* Number i of the sequence of weights, n bits each, which fills the block from
 * the top, each weight's lowest bit first. */
static void put_weight(block_bits *v, unsigned i, unsigned n, unsigned weight)
{
	for (unsigned k = 0; k < n; k++)
		block_put(v, 127 - i * n - k, 1, weight >> k);
}

/* One partition, and bytes as its colours. */
static block_bits simple_block(unsigned block_mode, unsigned endpoint_mode, unsigned count, const uint8_t *colours)
{
	block_bits v = block_mode;
	block_put(&v, 13, 4, endpoint_mode);
	for (unsigned i = 0; i < count; i++)
		block_put(&v, 17 + 8 * i, 8, colours[i]);
	return v;
}

/* Grids of 4x4 weights of two bits, which are 0, 21, 43 and 64; one plane or two. */
enum { MODE_4X4 = 0x42, MODE_4X4_DUAL = 0x442 };

static void test_interpolation(void)
{
	block_bits v = simple_block(MODE_4X4, 0, 2, (uint8_t[]){ 0x12, 0xef });
	static const unsigned expected[MODES][4] = {
		{ 0x12, 0x5b, 0xa6, 0xef }, { 0x12, 0x5a, 0xa7, 0xef },
		{ 0x2c84, 0x35ad, 0x3939, 0x3b7f }, { 0x2c84, 0x35ad, 0x3939, 0x3b7f },
	};
	for (unsigned i = 0; i < 4; i++)
		put_weight(&v, 4 * i + i, 2, i);
	for (unsigned mode = 0; mode < MODES; mode++)
		for (unsigned i = 0; i < 4; i++) {
			unsigned l = expected[mode][i], one = mode < 2 ? 255 : 0x3c00;
			expect("luminance", size_4x4, mode, v, 5 * i, (struct texel){ { l, l, l, one } });
		}
}

static void test_logarithmic(void)
{
	block_bits v = simple_block(MODE_4X4, 2, 2, (uint8_t[]){ 0x10, 0x20 });
	static const unsigned expected[4] = { 0x800, 0xa60, 0xd20, 0x1000 };
	for (unsigned i = 0; i < 4; i++)
		put_weight(&v, i, 2, i);
	for (unsigned i = 0; i < 4; i++) {
		unsigned l = expected[i];
		expect("HDR luminance", size_4x4, 3, v, i, (struct texel){ { l, l, l, 0x3c00 } });
		for (unsigned mode = 0; mode < 3; mode++)
			expect_magenta("HDR luminance", size_4x4, mode, v, i);
	}
	v = simple_block(MODE_4X4, 2, 2, (uint8_t[]){ 0xff, 0xff });
	expect("what would be infinite", size_4x4, 3, v, 0, (struct texel){ { 0x7bff, 0x7bff, 0x7bff, 0x3c00 } });

	/* Alpha is 8 bits in mode 14, and 12 in mode 15. */
	v = simple_block(MODE_4X4, 14, 8, (uint8_t[]){ 0x10, 0, 0x20, 0, 0x80, 0x80, 0x12, 0 });
	expect("mode 14", size_4x4, 3, v, 0, (struct texel){ { 0x800, 0x1000, 0, 0x2c84 } });
	v = simple_block(MODE_4X4, 15, 8, (uint8_t[]){ 0x10, 0, 0x20, 0, 0x80, 0x80, 0x88, 0x80 });
	expect("mode 15", size_4x4, 3, v, 0, (struct texel){ { 0x800, 0x1000, 0, 0x800 } });
}

static void test_planes(void)
{
	for (unsigned selector = 0; selector < 4; selector++) {
		block_bits v = simple_block(MODE_4X4_DUAL, 4, 4, (uint8_t[]){ 10, 20, 30, 40 });
		struct texel t = { { 10, 10, 10, 30 } };
		block_put(&v, 62, 2, selector);
		put_weight(&v, 2 * 6 + 1, 2, 3); /* texel 6, second plane */
		expect("other texel", size_4x4, 1, v, 5, t);
		t.c[selector] += 10;
		expect("second plane", size_4x4, 1, v, 6, t);
	}
}

/* An LDR and an HDR mode in two partitions: pattern 5, of which a test of the
 * parts has the map. */
static void test_partitions(void)
{
	static const char map[] = "1110110010001000";
	block_bits v = MODE_4X4;
	block_put(&v, 11, 2, 1);
	block_put(&v, 13, 10, 5);
	block_put(&v, 23, 2, 1);
	block_put(&v, 94, 2, 2);
	block_put(&v, 29, 8, 77);
	block_put(&v, 45, 16, 0x1010);
	for (unsigned i = 0; i < 16; i++) {
		if (map[i] == '0') {
			expect("LDR partition", size_4x4, 1, v, i, (struct texel){ { 77, 77, 77, 255 } });
		} else {
			expect_magenta("HDR partition", size_4x4, 0, v, i);
			expect_magenta("HDR partition", size_4x4, 2, v, i);
			expect("HDR partition", size_4x4, 3, v, i, (struct texel){ { 0x800, 0x800, 0x800, 0x3c00 } });
		}
	}
}

static void test_infill(void)
{
	/* Texel (1, 1) lies 12/16 between the first four weights: 40. */
	block_bits v = simple_block(MODE_4X4, 0, 2, (uint8_t[]){ 0, 255 });
	put_weight(&v, 1, 2, 3);
	put_weight(&v, 4, 2, 1);
	put_weight(&v, 5, 2, 2);
	expect("2D infill", size_5x5, 1, v, 6, (struct texel){ { 159, 159, 159, 255 } });
	/* The last texel has the last weight, and the one before it 4/16 of it. */
	put_weight(&v, 15, 2, 3);
	expect("2D infill", size_5x5, 1, v, 24, (struct texel){ { 255, 255, 255, 255 } });
	expect("2D infill", size_5x5, 1, v, 23, (struct texel){ { 64, 64, 64, 255 } });

	/* 2x2x2 weights of three bits: texels at 0, 5, 11 and 16 sixteenths. */
	v = simple_block(0x13, 0, 2, (uint8_t[]){ 0, 255 });
	static const uint8_t weights[8] = { 0, 7, 1, 4, 2, 0, 5, 7 };
	for (unsigned i = 0; i < 8; i++)
		put_weight(&v, i, 3, weights[i]);
	expect("3D infill", size_4x4x4, 1, v, 2 + 4, (struct texel){ { 143, 143, 143, 255 } }); /* (2, 1, 0): 36 */
	expect("3D infill", size_4x4x4, 1, v, 4 + 32, (struct texel){ { 84, 84, 84, 255 } });   /* (0, 1, 2): 21 */
	expect("3D infill", size_4x4x4, 1, v, 63, (struct texel){ { 255, 255, 255, 255 } });
}

static block_bits void_extent(uint64_t coordinates, bool hdr, const uint16_t colour[4])
{
	block_bits v = 0x1fc | (unsigned)hdr << 9 | coordinates << 10;
	for (unsigned c = 0; c < 4; c++)
		block_put(&v, 64 + 16 * c, 16, colour[c]);
	return v;
}

static void test_void_extents(void)
{
	const uint64_t none = (1ull << 54) - 1;
	const uint16_t ldr[4] = { 1, 3, 0xab12, 0xffff }, hdr[4] = { 0x3c01, 0x8001, 0x7bff, 0 };
	const uint16_t undefined[4] = { 0x7c00, 0xfc00, 0x7e01, 0xffff };
	block_bits v = void_extent(none, false, ldr);
	for (unsigned mode = 0; mode < 2; mode++)
		expect("LDR void extent", size_4x4, mode, v, 15, (struct texel){ { 0, 0, 0xab, 255 } });
	for (unsigned mode = 2; mode < 4; mode++)
		expect("LDR void extent", size_4x4, mode, v, 15, (struct texel){ { 0x100, 0x300, 0x3958, 0x3c00 } });
	v = void_extent(none, true, hdr);
	for (unsigned mode = 0; mode < 3; mode++)
		expect_magenta("HDR void extent", size_4x4, mode, v, 15);
	expect("HDR void extent", size_4x4, 3, v, 15, (struct texel){ { 0x3c01, 0x8001, 0x7bff, 0 } });
	struct texel t = decode_texel(size_4x4, 3, void_extent(none, true, undefined), 0);
	for (unsigned c = 0; c < 4; c++)
		EXPECT((t.c[c] & 0x7c00) < 0x7c00, "component %u of an undefined colour: %#x", c, t.c[c]);
}

/* Coordinates from bit 10 on: in 2D two reserved bits, then 13 bits each. */
static void test_extents(void)
{
	const uint16_t colour[4] = { 0x1111, 0x2222, 0x3333, 0x4444 };
	const struct texel t = { { 0x11, 0x22, 0x33, 0x44 } };
	uint64_t some = 3 | 5ull << 2 | 6ull << 15 | 0x1ffeull << 28 | 0x1fffull << 41;
	expect("2D extent", size_4x4, 1, void_extent(some, false, colour), 0, t);
	for (unsigned low = 2; low < 54; low += 26) {
		uint64_t equal = (some & ~(0x1fffull << low)) | (some >> 13 & 0x1fffull << low);
		expect_magenta("2D extent of nothing", size_4x4, 1, void_extent(equal, false, colour), 0);
	}
	for (unsigned reserved = 0; reserved < 3; reserved++)
		expect_magenta("reserved bits", size_4x4, 1, void_extent((some & ~3ull) | reserved, false, colour), 0);
	expect_magenta("all ones but a reserved bit", size_4x4, 1, void_extent((1ull << 54) - 2, false, colour), 0);

	some = 0 | 1ull << 9 | 0x1feull << 18 | 0x1ffull << 27 | 7ull << 36 | 9ull << 45;
	expect("3D extent", size_4x4x4, 1, void_extent(some, false, colour), 63, t);
	expect("no 3D extent", size_4x4x4, 1, void_extent((1ull << 54) - 1, false, colour), 63, t);
	expect_magenta("all ones but one", size_4x4x4, 1, void_extent((1ull << 54) - 2, false, colour), 63);
	for (unsigned low = 0; low < 54; low += 18) {
		uint64_t equal = (some & ~(0x1ffull << low)) | (some >> 9 & 0x1ffull << low);
		expect_magenta("3D extent of nothing", size_4x4x4, 1, void_extent(equal, false, colour), 63);
	}
}

static void test_errors(void)
{
	for (unsigned mode = 0; mode < MODES; mode++)
		for (unsigned i = 0; i < 16; i++)
			expect_magenta("reserved mode", size_4x4, mode, 0x10, i);
}

enum { BLOCKS = 8192, FOOTPRINTS = 24 };

static uint64_t stream_sum(unsigned footprint, struct cu_astc_footprint size, unsigned mode)
{
	static uint8_t out[8 * CU_ASTC_MAX_TEXELS];
	uint64_t state = footprint, sum = 0;
	for (uint32_t i = 0; i < BLOCKS; i++) {
		uint8_t block[16];
		block_astc(&state, i, block);
		decode(size, mode, block, out);
		sum = block_checksum(sum, out, size.width * size.height * size.depth * texel_bytes[mode]);
	}
	return sum;
}

static void test_streams(void)
{
	static const struct {
		struct cu_astc_footprint size;
		uint64_t sums[MODES]; /* sRGB8, UNORM8, FLOAT16, FLOAT16_HDR */
	} streams[FOOTPRINTS] = {
		{ { 4, 4, 1 },
			{ 0xa2c97e0ac71374b4, 0xefcc04ae7a2cdc9c, 0x1ed79e5d5ea33956, 0x0712e11fdd0053c5 } },
		{ { 5, 4, 1 },
			{ 0x3eca30bc18abea5c, 0x386ab6c9f89affd2, 0xe9fb85a92b5456ea, 0xdef629933701ce97 } },
		{ { 5, 5, 1 },
			{ 0x754206a4b530cfcf, 0x4a6353db0c6c0ef2, 0xb17d65fd2ac44459, 0xe7e7bc84a26c9bca } },
		{ { 6, 5, 1 },
			{ 0xacb61d2315ab4a33, 0x7f508881cbd58f9a, 0x30e17161c27b555c, 0x4010948e10e6de30 } },
		{ { 6, 6, 1 },
			{ 0x688a0b9b9c20782d, 0xb1f4c6201c25f756, 0x51098b3e45e869f2, 0x88bc422d068e872d } },
		{ { 8, 5, 1 },
			{ 0x3c0b0d2988893dca, 0x92ff67cebcc9e7c1, 0x812bd3c3aeb02516, 0x76146f587d89d6e0 } },
		{ { 8, 6, 1 },
			{ 0x6ad63de979445987, 0x609a71f57616d12d, 0x48eb60edf0aab160, 0x8fbde436cc119952 } },
		{ { 8, 8, 1 },
			{ 0x4629b74363d81f1a, 0x2b926f8bb9373c3a, 0x67aceb915d2efbd5, 0x04eb4ccbb40fb849 } },
		{ { 10, 5, 1 },
			{ 0xb5e2f58fd20fb627, 0x976b0627932481f4, 0x81ed9c49f429396a, 0xcd1a8ae6e73654f6 } },
		{ { 10, 6, 1 },
			{ 0x5e1ff9b0e18d5ac9, 0xa820780a7af62a37, 0x05ae45928fa7a594, 0x604d990b9a1ba923 } },
		{ { 10, 8, 1 },
			{ 0x753c791f9587f8bd, 0x363c35afae168de8, 0xb162a96376ca01cd, 0xb212f3a5f10491e1 } },
		{ { 10, 10, 1 },
			{ 0xcb8f71659026eb07, 0x543f0241f32e12a8, 0x8eebd919609d483e, 0x59d8c7bf13844f22 } },
		{ { 12, 10, 1 },
			{ 0x38de82234fcfae14, 0x4039832e4ff3db80, 0x71951291fc961d6e, 0x34064d720769c6d7 } },
		{ { 12, 12, 1 },
			{ 0x2a9714f3c51b8af9, 0xb11aae5ed5e2d4eb, 0x02cd870a838e8ea6, 0x19348d2f8f790a09 } },
		{ { 3, 3, 3 },
			{ 0x710e14e1fb796c90, 0x9feb8b10a1ee15df, 0xef300d1d2d40c17e, 0xdab000cea39cd919 } },
		{ { 4, 3, 3 },
			{ 0x76ccfcb4e5d5de11, 0xa2cfdce40b8afe76, 0xc9a05813027befb6, 0xa6031b0431d7e891 } },
		{ { 4, 4, 3 },
			{ 0x9293728304c15c63, 0x0fc639e37fa31f73, 0x8cd8f2814d5fd428, 0xe3bc710c64f86c34 } },
		{ { 4, 4, 4 },
			{ 0xf956ebd8be22d4b9, 0x791699307ba50ac1, 0x1f120ab0a5f38722, 0x4062827e14b3cfa9 } },
		{ { 5, 4, 4 },
			{ 0x7c6c65f50ca42508, 0x9f3e7382e1f18ed8, 0xcf015a514cc27c1b, 0xfd06f504499fe0cc } },
		{ { 5, 5, 4 },
			{ 0xe488a7da94861e7d, 0x8dec3584057ae7d8, 0xd54f3587ca4fce67, 0x76e38b7ead90540b } },
		{ { 5, 5, 5 },
			{ 0xad76a07af4e4c36e, 0x04224db277f18f15, 0xadc5ccef6014f955, 0xdcbc3e9364d1feac } },
		{ { 6, 5, 5 },
			{ 0x7fdf5ce52c174406, 0xb31356cda64df2fa, 0x312a1626e74941ca, 0x69787164b581c37c } },
		{ { 6, 6, 5 },
			{ 0x85fdae5908a3e04d, 0x23ba47b0fdeda7b0, 0x3c3972776f79ea19, 0xeda3af4cc2100f55 } },
		{ { 6, 6, 6 },
			{ 0x8309537440988296, 0x50fd693b876a84f3, 0xce2f5e76d078add8, 0xb202aab87678d85c } },
	};
	for (unsigned i = 0; i < FOOTPRINTS; i++)
		for (unsigned mode = 0; mode < MODES; mode++) {
			uint64_t sum = stream_sum(i, streams[i].size, mode);
			EXPECT(sum == streams[i].sums[mode], "%ux%ux%u, mode %u: %#018llx", streams[i].size.width,
				streams[i].size.height, streams[i].size.depth, mode, (unsigned long long)sum);
		}
}

/* The number of 5_9_9_9 of each component, cut off, with the smallest exponent that holds the largest. */
static uint32_t shared_exponent(const uint16_t half[4])
{
	double c[3], largest = 0;
	for (unsigned i = 0; i < 3; i++) {
		int e = half[i] >> 10 & 31, m = half[i] & 0x3ff;
		c[i] = half[i] & 0x8000 ? 0 : e ? ldexp(m + 1024, e - 25) : ldexp(m, -24);
		largest = c[i] > largest ? c[i] : largest;
	}
	int e = 0;
	while (largest >= ldexp(1, e - 15))
		e++;
	uint32_t v = (uint32_t)e << 27;
	for (unsigned i = 0; i < 3; i++)
		v |= (uint32_t)floor(ldexp(c[i], 24 - e)) << 9 * i;
	return v;
}

/* Decode mode E5B9G9R9, as block.h gives it. */
static void test_shared_exponent(void)
{
	static const struct { unsigned nfmt; enum cu_astc_mode mode; } kinds[2] = {
		{ NFMT_SNORM, CU_ASTC_FLOAT16 }, { NFMT_SSCALED, CU_ASTC_FLOAT16_HDR } };
	uint64_t state = 5;
	for (unsigned n = 0; n < 20000; n++) {
		uint8_t block[16];
		uint16_t half[36][4];
		uint32_t texels[36];
		block_astc(&state, n, block);
		cu_astc_decode((struct cu_astc_footprint){ 6, 6, 1 }, kinds[n % 2].mode, block, half);
		cu_block_format(DFMT_ASTC_6x6, kinds[n % 2].nfmt)->decode(block, texels);
		for (unsigned i = 0; i < 36; i++)
			EXPECT(texels[i] == shared_exponent(half[i]), "%04x %04x %04x with one exponent: %08x", half[i][0], half[i][1],
				half[i][2], texels[i]);
	}
	uint16_t one[4] = { 0x3c00, 0, 0x3800, 0x3c00 };
	EXPECT(shared_exponent(one) == (16u << 27 | 128 << 18 | 256), "1, 0, 0.5");
}

int main(void)
{
	test_interpolation();
	test_logarithmic();
	test_planes();
	test_partitions();
	test_infill();
	test_void_extents();
	test_extents();
	test_errors();
	test_streams();
	test_shared_exponent();
	return failures != 0;
}
