/* SPDX-License-Identifier: MIT */
/* Block kernels of both levels against the scalar definition, bit for bit:
 * every value of the formats up to 16 bits, random and extreme texels and
 * channels of all. */
#include <stdio.h>
#include <string.h>
#include "core/format/format.h"
#include "core/format/format_layout.h"

static int failures;
static uint64_t state = 362436069362436069ull;
static uint32_t rnd(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return (uint32_t)(state >> 16); }

static uint32_t channel(void)
{
	static const uint32_t extreme[] = { 0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345,
		0x3f800000, 0xbf800000, 1, 0x00800000, 0x3f7fffff, 0x477fe000, 0x477fefff, 0x477ff000, 0x33000000,
		0x33000001, 0x387fc000, 0x38800000, 0x477f8000, 0x47800000, 0x437f0000, 0x39000000, 0x38ffffff };
	switch (rnd() % 4) {
	case 0: return rnd();
	case 1: return extreme[rnd() % (sizeof(extreme) / 4)];
	case 2: return rnd() % 0x3f800001; /* [0, 1] */
	default: { float f = (float)(rnd() % 131072) / 65535.0f; uint32_t u; memcpy(&u, &f, 4); return u; }
	}
}

static void report(const char *what, unsigned dfmt, unsigned nfmt, int level)
{
	if (failures++ < 20)
		printf("%s dfmt %u nfmt %u level %d\n", what, dfmt, nfmt, level);
}

static void check_unpack(unsigned dfmt, unsigned nfmt, int level, const uint8_t *texels)
{
	uint32_t got[4][16], expect[4];
	unsigned bytes = cu_format_layout(dfmt).bytes;
	CU_TABLE(cu_formats, level)->unpack_block(dfmt, nfmt)(texels, got);
	for (int i = 0; i < 16; i++) {
		cu_format_unpack(dfmt, nfmt, texels + i * bytes, expect);
		for (int c = 0; c < 4; c++)
			if (got[c][i] != expect[c])
				report("unpack", dfmt, nfmt, level);
	}
}

static void check_format(unsigned dfmt, unsigned nfmt, int level)
{
	unsigned bytes = cu_format_layout(dfmt).bytes;
	uint8_t texels[256], expect[256];
	if (bytes <= 2)
		for (uint32_t base = 0; base < 1u << 8 * bytes; base += 16) {
			for (uint32_t i = 0; i < 16; i++) {
				uint32_t v = base + i;
				memcpy(texels + i * bytes, &v, bytes);
			}
			check_unpack(dfmt, nfmt, level, texels);
		}
	for (int round = 0; round < 3000; round++) {
		for (int i = 0; i < 256; i++)
			texels[i] = (uint8_t)(rnd() % 8 ? rnd() : rnd() % 2 ? 255 : 0);
		check_unpack(dfmt, nfmt, level, texels);
		uint32_t in[4][16];
		for (int i = 0; i < 64; i++)
			in[i / 16][i % 16] = channel();
		CU_TABLE(cu_formats, level)->pack_block(dfmt, nfmt)(in, texels);
		for (int i = 0; i < 16; i++) {
			uint32_t one[4] = { in[0][i], in[1][i], in[2][i], in[3][i] };
			cu_format_pack(dfmt, nfmt, one, expect + i * bytes);
		}
		if (memcmp(texels, expect, 16 * bytes))
			report("pack", dfmt, nfmt, level);
	}
}

int main(void)
{
	int top = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") ? 4 : 3;
	for (int level = 3; level <= top; level++) {
#define F(d, n) check_format(DFMT_##d, NFMT_##n, level);
		ISA_FORMATS(F)
#undef F
	}
	if (cu_formats_v3.unpack_block(DFMT_32, NFMT_UNORM) || cu_formats_v4.pack_block(0, 0))
		report("null", 0, 0, 0);
	printf("%d failures\n", failures);
	return failures != 0;
}
