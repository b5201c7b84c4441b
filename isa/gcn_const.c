/* SPDX-License-Identifier: MIT */
/* Inline constants (Vega ISA, table of SSRC0 codes); see gcn.h. */
#include "isa/gcn.h"

enum { F16, F32, F64, FLOATS = 9 };

/* 0.5 -0.5 1 -1 2 -2 4 -4 and 1/(2 pi). */
static const uint64_t floats[3][FLOATS] = {
	[F16] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118 },
	[F32] = { 0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000,
		0x3e22f983 },
	[F64] = { 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000, 0xbff0000000000000,
		0x4000000000000000, 0xc000000000000000, 0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882 },
};

static const uint64_t *floats_of(unsigned width)
{
	return floats[width == 16 ? F16 : width == 32 ? F32 : F64];
}

uint64_t gcn_inline_constant(unsigned code, unsigned width)
{
	if (code < GCN_SRC_NEG1)
		return code - GCN_SRC_0;
	if (code < GCN_SRC_NEG1 + 16)
		return (uint64_t)(int64_t)(GCN_SRC_NEG1 - 1 - (int)code);
	return floats_of(width)[code - GCN_SRC_HALF];
}

unsigned gcn_inline_int(int64_t value)
{
	if (value >= 0 && value <= 64)
		return GCN_SRC_0 + (unsigned)value;
	if (value >= -16 && value < 0)
		return (unsigned)(GCN_SRC_NEG1 - 1 - value);
	return GCN_SRC_LITERAL;
}

unsigned gcn_inline_float(enum gcn_gen gen, unsigned width, uint64_t bits)
{
	const uint64_t *table = floats_of(width);
	for (unsigned i = 0; i < (gen >= GCN_GFX8 ? FLOATS : FLOATS - 1u); i++)
		if (table[i] == bits)
			return GCN_SRC_HALF + i;
	return GCN_SRC_LITERAL;
}
