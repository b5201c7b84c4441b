/* SPDX-License-Identifier: MIT */
/* ETC2 and EAC: the worked examples of the Khronos Data Format specification,
 * cases beside them, and checksums.  The sums are those of streams on which
 * all texels were equal to those of the decoders in the Khronos conformance
 * tests, which are independent of these; and so were ten million blocks a
 * format more.  (Signed R11: equal codes.  These decoders widen them to 16
 * bits in a way that the specification has for unsigned ones only.) */
#include <math.h>

#include "core/format/etc.h"
#include "isa/bits.h"
#include "tests/check.h"
#include "tests/core/block_stream.h"

static void put_word(uint64_t word, uint8_t block[8])
{
	for (int i = 0; i < 8; i++)
		block[i] = (uint8_t)(word >> (56 - 8 * i));
}

static uint64_t at(uint64_t value, unsigned low)
{
	return value << low;
}

/* The index bits that give texels of column x the index x. */
static uint64_t column_indices(void)
{
	uint64_t bits = 0;
	for (unsigned letter = 0; letter < 16; letter++)
		bits |= at(letter / 4 & 1, letter) | at(letter / 8, 16 + letter);
	return bits;
}

static void expect_texel(const char *name, const uint8_t out[16][4], int x, int y, int r, int g, int b, int a)
{
	const uint8_t *t = out[4 * y + x];
	EXPECT(t[0] == r && t[1] == g && t[2] == b && t[3] == a, "%s (%d, %d): %d %d %d %d, not %d %d %d %d", name, x, y,
		t[0], t[1], t[2], t[3], r, g, b, a);
}

/* The colours of both subblocks in the order of the modifiers' table, where
 * index 3 is the first and 0 the third. */
static void expect_paints(const char *name, uint64_t word, const int paints[2][4][3])
{
	static const int index_of[4] = { 3, 2, 0, 1 };
	for (int flip = 0; flip < 2; flip++)
		for (uint64_t i = 0; i < 4; i++) {
			uint8_t block[8], out[16][4];
			put_word(word | at(flip, 32) | (i & 1 ? 0xffff : 0) | (i & 2 ? 0xffff0000 : 0), block);
			cu_etc2_rgb8(block, out);
			for (int row = 0; row < 4; row++) {
				if (index_of[row] != (int)i)
					continue;
				const int *first = paints[0][row], *second = paints[1][row];
				expect_texel(name, out, 1, 1, first[0], first[1], first[2], 255);
				expect_texel(name, out, 2, 2, second[0], second[1], second[2], 255);
				const int *corner = flip ? first : second;
				expect_texel(name, out, 2, 1, corner[0], corner[1], corner[2], 255);
			}
		}
}

static void test_individual(void)
{
	static const int paints[2][4][3] = {
		{ { 8, 127, 93 }, { 50, 169, 135 }, { 86, 205, 171 }, { 128, 247, 213 } },
		{ { 230, 43, 128 }, { 236, 49, 134 }, { 240, 53, 138 }, { 246, 59, 144 } },
	};
	uint64_t word = at(4, 60) | at(14, 56) | at(11, 52) | at(3, 48) | at(9, 44) | at(8, 40) | at(4, 37);
	expect_paints("individual", word, paints);
}

static void test_differential(void)
{
	static const int paints[2][4][3] = {
		{ { 210, 185, 37 }, { 230, 205, 57 }, { 248, 223, 75 }, { 255, 243, 95 } },
		{ { 164, 147, 48 }, { 193, 176, 77 }, { 219, 202, 103 }, { 248, 231, 132 } },
	};
	uint64_t word = at(29, 59) | at(4, 56) | at(26, 51) | at(5, 48) | at(8, 43) | at(3, 40) |
		at(2, 37) | at(3, 34) | at(1, 33);
	expect_paints("differential", word, paints);
}

/* Bits 63 to 61 make red's five bits 31, whose sum with the offset 1 is too large. */
static uint64_t t_word(void)
{
	return at(7, 61) | at(3, 59) | at(1, 56) | at(1, 52) | at(8, 48) | at(4, 44) | at(12, 40) | at(13, 36) |
		at(2, 34) | at(1, 33) | at(1, 32) | column_indices();
}

static void test_t(void)
{
	uint8_t block[8], out[16][4];
	put_word(t_word(), block);
	cu_etc2_rgb8(block, out);
	for (int y = 0; y < 4; y++) {
		expect_texel("T", out, 0, y, 221, 17, 136, 255);
		expect_texel("T", out, 1, y, 100, 236, 253, 255);
		expect_texel("T", out, 2, y, 68, 204, 221, 255);
		expect_texel("T", out, 3, y, 36, 172, 189, 255);
	}
	/* Not opaque: index 2 is transparent. */
	put_word(t_word() & ~at(1, 33), block);
	cu_etc2_rgb8a1(block, out);
	expect_texel("T transparent", out, 0, 3, 221, 17, 136, 255);
	expect_texel("T transparent", out, 1, 3, 100, 236, 253, 255);
	expect_texel("T transparent", out, 2, 3, 0, 0, 0, 0);
	expect_texel("T transparent", out, 3, 3, 36, 172, 189, 255);
}

/* Red 13, green 1 and blue 8 in H's places; bits 55 to 53 and 50 are such that
 * green's five bits are 3 and its offset -4. */
static uint64_t h_word(unsigned da, unsigned db)
{
	return at(1, 50) | at(13, 59) | at(1, 52) | at(1, 51) | at(0, 47) | at(4, 43) | at(12, 39) | at(13, 35) |
		at(da, 34) | at(1, 33) | at(db, 32) | column_indices();
}

static void test_h(void)
{
	uint8_t block[8], out[16][4];
	put_word(h_word(1, 0), block);
	cu_etc2_rgb8(block, out);
	expect_texel("H", out, 0, 0, 253, 49, 168, 255);
	expect_texel("H", out, 1, 1, 189, 0, 104, 255);
	expect_texel("H", out, 2, 2, 100, 236, 253, 255);
	expect_texel("H", out, 3, 3, 36, 172, 189, 255);
	put_word(h_word(1, 0) & ~at(1, 33), block);
	cu_etc2_rgb8a1(block, out);
	expect_texel("H transparent", out, 1, 0, 189, 0, 104, 255);
	expect_texel("H transparent", out, 2, 1, 0, 0, 0, 0);

	/* Colours that are equal count as ordered: distance 3 is 16. */
	put_word(at(5, 59) | at(3, 51) | at(1, 50) | at(1, 47) | at(5, 43) | at(1, 39) | at(9, 35) | at(1, 33) | at(1, 32),
		block);
	cu_etc2_rgb8(block, out);
	expect_texel("H equal", out, 0, 0, 101, 33, 169, 255);
}

static void test_planar(void)
{
	static const uint8_t example[16][3] = {
		{ 48, 129, 251 }, { 87, 99, 226 }, { 126, 70, 201 }, { 164, 40, 175 },
		{ 77, 153, 234 }, { 115, 123, 209 }, { 154, 94, 183 }, { 193, 64, 158 },
		{ 105, 177, 217 }, { 144, 147, 191 }, { 183, 118, 166 }, { 221, 88, 141 },
		{ 134, 201, 199 }, { 172, 171, 174 }, { 211, 142, 149 }, { 250, 112, 124 },
	};
	/* Blue 62: 1 11 110; bit 42 makes its five bits 11111 leave the range with 1 or 2. */
	uint64_t word = at(12, 57) | at(1, 56) | at(0, 49) | at(1, 48) | at(3, 43) | at(6, 39) | at(7, 45) |
		at(50 >> 1, 34) | at(1, 33) | at(50 & 1, 32) | at(5, 25) | at(37, 19) | at(40, 13) | at(112, 6) | 45;
	uint8_t block[8], out[2][16][4];
	put_word(word, block);
	cu_etc2_rgb8(block, out[0]);
	put_word(word & ~at(1, 33), block); /* which has no meaning there */
	cu_etc2_rgb8a1(block, out[1]);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < 16; i++)
			expect_texel("planar", out[k], i % 4, i / 4, example[i][0], example[i][1], example[i][2], 255);
}

static void test_punch_through(void)
{
	/* Base colour 8-bit (231, 8, 16), table 2: index 0 has no modifier. */
	uint64_t word = at(28, 59) | at(1, 51) | at(2, 43) | at(2, 37) | at(2, 34) | column_indices();
	uint8_t block[8], out[16][4];
	put_word(word, block);
	cu_etc2_rgb8a1(block, out);
	expect_texel("punch-through", out, 0, 0, 231, 8, 16, 255);
	expect_texel("punch-through", out, 1, 1, 255, 37, 45, 255);
	expect_texel("punch-through", out, 2, 2, 0, 0, 0, 0);
	expect_texel("punch-through", out, 3, 3, 202, 0, 0, 255);
	put_word(word | at(1, 33), block);
	cu_etc2_rgb8a1(block, out);
	expect_texel("opaque", out, 0, 0, 240, 17, 25, 255);
	expect_texel("opaque", out, 2, 2, 222, 0, 7, 255);
}

/* Texel b, below the first, has index 3; the others 0. */
static uint64_t eac_word(unsigned base, unsigned multiplier, unsigned table)
{
	return at(base & 255, 56) | at(multiplier, 52) | at(table, 48) | at(3, 42);
}

static void test_eac(void)
{
	static const struct {
		int base, multiplier, is_signed, b, first;
	} examples[] = {
		{ 103, 2, 0, 668, 812 }, { 103, 0, 0, 818, 827 }, { 255, 0, 0, 2034, 2043 }, { 0, 15, 0, 0, 0 },
		{ 60, 2, 1, 320, 464 }, { 60, 0, 1, 470, 479 }, { -127, 0, 1, -1023, -1017 }, { -128, 0, 1, -1023, -1017 },
		{ -1, 1, 1, -88, -16 },
	};
	uint8_t block[16] = { 0 }, out[16][4];
	int16_t codes[2][16];
	for (unsigned i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		put_word(eac_word(examples[i].base, examples[i].multiplier, 13), block + 8);
		cu_eac_rg11(block, examples[i].is_signed, codes);
		EXPECT(codes[1][4] == examples[i].b && codes[1][0] == examples[i].first && codes[1][1] == codes[1][0],
			"EAC %u: %d and %d", i, codes[1][4], codes[1][0]);
	}
	put_word(eac_word(103, 2, 13), block);
	cu_etc2_rgba8(block, out);
	EXPECT(out[4][3] == 83 && out[0][3] == 101, "alpha %d %d", out[4][3], out[0][3]);
	put_word(eac_word(103, 0, 13), block);
	cu_etc2_rgba8(block, out);
	EXPECT(out[4][3] == 103, "alpha, multiplier 0: %d", out[4][3]);
}

static void test_float(void)
{
	for (int code = 0; code <= 2047; code++)
		EXPECT(bits_float(cu_eac_float(code, false)) == (float)code / 2047, "%d / 2047", code);
	for (int code = -1023; code <= 1023; code++)
		EXPECT(bits_float(cu_eac_float(code, true)) == (float)code / 1023, "%d / 1023", code);
	EXPECT(cu_eac_float(0, true) == 0 && cu_eac_float(-1023, true) == 0xbf800000, "signs");
}

enum { FORMATS = 7, BLOCKS = 1 << 17 };

static uint64_t stream_sum(int format)
{
	uint64_t state = (uint64_t)format, sum = 0;
	for (uint32_t i = 0; i < BLOCKS; i++) {
		uint8_t block[16], out[16][4];
		int16_t codes[2][16];
		block_etc(&state, i, block);
		switch (format) {
		case 0: cu_etc2_rgb8(block, out); break;
		case 1: cu_etc2_rgb8a1(block, out); break;
		case 2: cu_etc2_rgba8(block, out); break;
		case 3:
		case 4: cu_eac_r11(block, format == 4, codes[0]); break;
		default: cu_eac_rg11(block, format == 6, codes); break;
		}
		sum = format < 3 ? block_checksum(sum, out, 64) : block_checksum(sum, codes, format < 5 ? 32 : 64);
	}
	return sum;
}

int main(void)
{
	static const struct {
		const char *name;
		uint64_t sum;
	} formats[FORMATS] = {
		{ "ETC2 RGB8", 0x662635de333a258e },
		{ "ETC2 RGB8A1", 0x7a0ac49ca09be44c },
		{ "ETC2 RGBA8", 0xac840703b0fd7246 },
		{ "EAC R11", 0x02d24014fec777bf },
		{ "EAC signed R11", 0xd9cfddf9ba30854e },
		{ "EAC RG11", 0xa9b61add7e355c74 },
		{ "EAC signed RG11", 0x7535b11de464537c },
	};
	test_individual();
	test_differential();
	test_t();
	test_h();
	test_planar();
	test_punch_through();
	test_eac();
	test_float();
	for (int i = 0; i < FORMATS; i++) {
		uint64_t sum = stream_sum(i);
		EXPECT(sum == formats[i].sum, "%s: %#018llx", formats[i].name, (unsigned long long)sum);
	}
	return failures != 0;
}
