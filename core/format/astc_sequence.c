/* SPDX-License-Identifier: MIT */
/* Integer sequences, and the values that their numbers stand for. */
#include "core/format/astc_block.h"

struct range {
	uint8_t trits, quints, bits;
};

static const struct range ranges[ASTC_RANGE_COUNT] = {
#define R(trits, quints, bits) { trits, quints, bits },
	ASTC_RANGES(R)
#undef R
};

/* The trits t0 to t4 that eight bits T stand for, and the quints q0 to q2 of
 * seven bits Q, in the specification's terms. */
#define TWO_BITS(V) ((V) & 2 ? 2 : (V) & 1)
#define T_ALL(T) (((T) & 0x1c) == 0x1c)
#define T_C(T) (T_ALL(T) ? ((T) >> 3 & 0x1c) | ((T) & 3) : (T) & 0x1f)
#define T_4(T) (T_ALL(T) || ((T) & 0x60) == 0x60 ? 2 : (T) >> 7)
#define T_3(T) (T_ALL(T) ? 2 : ((T) & 0x60) == 0x60 ? (T) >> 7 : (T) >> 5 & 3)
#define C_2(C) (((C) & 3) == 3 || ((C) & 12) == 12 ? 2 : (C) >> 4)
#define C_1(C) (((C) & 3) == 3 ? (C) >> 4 : ((C) & 12) == 12 ? 2 : (C) >> 2 & 3)
#define C_0(C) (((C) & 3) == 3 ? TWO_BITS((C) >> 2) : ((C) & 12) == 12 ? (C) & 3 : TWO_BITS(C))
#define TRITS(T) { C_0(T_C(T)), C_1(T_C(T)), C_2(T_C(T)), T_3(T), T_4(T) },

#define Q_HIGH(Q) (((Q) & 6) == 6)
#define Q_ALL(Q) (Q_HIGH(Q) && !((Q) & 0x60))
#define Q_C(Q) (Q_HIGH(Q) ? ((Q) & 0x18) | (~(Q) >> 4 & 6) | ((Q) & 1) : (Q) & 0x1f)
#define Q_2(Q) (Q_ALL(Q) ? ((Q) & 1 ? 4 : (Q) >> 3 & 3) : Q_HIGH(Q) ? 4 : (Q) >> 5)
#define Q_1(Q) (Q_ALL(Q) || (Q_C(Q) & 7) == 5 ? 4 : Q_C(Q) >> 3)
#define Q_0(Q) (Q_ALL(Q) ? 4 : (Q_C(Q) & 7) == 5 ? Q_C(Q) >> 3 : Q_C(Q) & 7)
#define QUINTS(Q) { Q_0(Q), Q_1(Q), Q_2(Q) },

#define EACH_4(M, n) M((n)) M((n + 1)) M((n + 2)) M((n + 3))
#define EACH_16(M, n) EACH_4(M, n) EACH_4(M, n + 4) EACH_4(M, n + 8) EACH_4(M, n + 12)
#define EACH_64(M, n) EACH_16(M, n) EACH_16(M, n + 16) EACH_16(M, n + 32) EACH_16(M, n + 48)

static const uint8_t trits[256][5] = {
	EACH_64(TRITS, 0) EACH_64(TRITS, 64) EACH_64(TRITS, 128) EACH_64(TRITS, 192)
};
static const uint8_t quints[128][3] = { EACH_64(QUINTS, 0) EACH_64(QUINTS, 64) };

/* "Data Size Determination" */
#define SEQUENCE_BITS(trits, quints, bits, count) \
	((count) * (bits) + (8 * (count) * (trits) + 4) / 5 + (7 * (count) * (quints) + 2) / 3)

unsigned astc_sequence_bits(unsigned range, unsigned count)
{
	const struct range *r = &ranges[range];
	return SEQUENCE_BITS(r->trits, r->quints, r->bits, count);
}

unsigned astc_colour_range(unsigned count, unsigned bits)
{
	/* By pairs of values, which endpoints always have. */
	static const uint8_t sizes[ASTC_MAX_COLOURS / 2][ASTC_RANGE_COUNT] = {
#define R2(t, q, b) SEQUENCE_BITS(t, q, b, 2),
#define R4(t, q, b) SEQUENCE_BITS(t, q, b, 4),
#define R6(t, q, b) SEQUENCE_BITS(t, q, b, 6),
#define R8(t, q, b) SEQUENCE_BITS(t, q, b, 8),
#define R10(t, q, b) SEQUENCE_BITS(t, q, b, 10),
#define R12(t, q, b) SEQUENCE_BITS(t, q, b, 12),
#define R14(t, q, b) SEQUENCE_BITS(t, q, b, 14),
#define R16(t, q, b) SEQUENCE_BITS(t, q, b, 16),
#define R18(t, q, b) SEQUENCE_BITS(t, q, b, 18),
		{ ASTC_RANGES(R2) }, { ASTC_RANGES(R4) }, { ASTC_RANGES(R6) }, { ASTC_RANGES(R8) }, { ASTC_RANGES(R10) },
		{ ASTC_RANGES(R12) }, { ASTC_RANGES(R14) }, { ASTC_RANGES(R16) }, { ASTC_RANGES(R18) },
	};
	const uint8_t *size = sizes[count / 2 - 1];
	unsigned range = ASTC_RANGE_COUNT - 1;
	while (range > ASTC_COLOUR_RANGE && size[range] > bits)
		range--;
	return range;
}

/* A packed block of `per_block` values: their n low bits, each with the next
 * widths[i] of the bits from which `digits` has the rest. */
static inline unsigned unpack(uint64_t packed, unsigned n, unsigned per_block, const uint8_t *widths, uint8_t *low)
{
	unsigned digits = 0, at = 0;
	for (unsigned i = 0; i < per_block; i++) {
		low[i] = (uint8_t)(packed & ((1u << n) - 1));
		packed >>= n;
		digits |= (unsigned)(packed & ((1u << widths[i]) - 1)) << at;
		packed >>= widths[i];
		at += widths[i];
	}
	return digits;
}

/* Blocks of `per_block` values; digits: of each number that their `packed` bits make. */
static inline void decode_blocks(astc_bits bits, unsigned n, unsigned count, unsigned per_block, unsigned packed,
	const uint8_t *widths, const uint8_t *digits, uint8_t *values)
{
	for (unsigned i = 0; i < count; i += per_block) {
		uint8_t low[5];
		const uint8_t *d = digits + per_block * unpack((uint64_t)bits, n, per_block, widths, low);
		bits >>= packed + per_block * n;
		for (unsigned k = 0; k < per_block && i + k < count; k++)
			values[i + k] = (uint8_t)(d[k] << n | low[k]);
	}
}

static void decode_trits(astc_bits bits, unsigned n, unsigned count, uint8_t *values)
{
	decode_blocks(bits, n, count, 5, 8, (const uint8_t[]){ 2, 2, 1, 2, 1 }, &trits[0][0], values);
}

static void decode_quints(astc_bits bits, unsigned n, unsigned count, uint8_t *values)
{
	decode_blocks(bits, n, count, 3, 7, (const uint8_t[]){ 3, 2, 2 }, &quints[0][0], values);
}

void astc_sequence_decode(astc_bits bits, unsigned range, unsigned count, uint8_t *values)
{
	const struct range *r = &ranges[range];
	/* What is missing of the last block is zero. */
	bits &= ((astc_bits)1 << astc_sequence_bits(range, count)) - 1;
	if (r->trits) {
		decode_trits(bits, r->bits, count, values);
	} else if (r->quints) {
		decode_quints(bits, r->bits, count, values);
	} else {
		for (unsigned i = 0; i < count; i++) {
			values[i] = (uint8_t)((uint64_t)bits & ((1u << r->bits) - 1));
			bits >>= r->bits;
		}
	}
}

/* C of a range; B is the bits above the lowest, times b_factor >> b_shift. */
struct unquantize {
	uint8_t c;
	uint16_t b_factor;
	uint8_t b_shift;
};

static const struct unquantize trit_colours[7] = {
	{ 0 }, { 204, 0, 0 }, { 93, 0x116, 0 }, { 44, 0x85, 0 }, { 22, 0x41, 0 }, { 11, 0x81, 2 }, { 5, 0x101, 4 },
};
static const struct unquantize quint_colours[6] = {
	{ 0 }, { 113, 0, 0 }, { 54, 0x10c, 0 }, { 26, 0x105, 1 }, { 13, 0x81, 1 }, { 6, 0x101, 3 },
};

void astc_unquantize_colours(unsigned range, unsigned count, uint8_t *values)
{
	const struct range *r = &ranges[range];
	unsigned n = r->bits;
	if (!r->trits && !r->quints) {
		for (unsigned i = 0; i < count; i++) {
			unsigned top = values[i] << (8 - n);
			values[i] = (uint8_t)(top | top >> n | top >> 2 * n);
		}
		return;
	}
	const struct unquantize *u = r->trits ? &trit_colours[n] : &quint_colours[n];
	for (unsigned i = 0; i < count; i++) {
		unsigned m = values[i] & ((1u << n) - 1), d = values[i] >> n;
		unsigned a = m & 1 ? 0x1ff : 0, b = (m >> 1) * u->b_factor >> u->b_shift;
		values[i] = (uint8_t)((a & 0x80) | ((d * u->c + b) ^ a) >> 2);
	}
}

/* All of them, worked out. */
static const uint8_t weights[ASTC_WEIGHT_RANGES][32] = {
	{ 0, 64 },
	{ 0, 32, 64 },
	{ 0, 21, 43, 64 },
	{ 0, 16, 32, 48, 64 },
	{ 0, 64, 12, 52, 25, 39 },
	{ 0, 9, 18, 27, 37, 46, 55, 64 },
	{ 0, 64, 7, 57, 14, 50, 21, 43, 28, 36 },
	{ 0, 64, 17, 47, 5, 59, 23, 41, 11, 53, 28, 36 },
	{ 0, 4, 8, 12, 17, 21, 25, 29, 35, 39, 43, 47, 52, 56, 60, 64 },
	{ 0, 64, 16, 48, 3, 61, 19, 45, 6, 58, 23, 41, 9, 55, 26, 38, 13, 51, 29, 35 },
	{ 0, 64, 8, 56, 16, 48, 24, 40, 2, 62, 11, 53, 19, 45, 27, 37, 5, 59, 13, 51, 22, 42, 30, 34 },
	{ 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64 },
};

void astc_unquantize_weights(unsigned range, unsigned count, uint8_t *values)
{
	for (unsigned i = 0; i < count; i++)
		values[i] = weights[range][values[i]];
}
