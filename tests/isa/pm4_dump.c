/* SPDX-License-Identifier: MIT */
/* The PM4 dump: names what it knows, says what is malformed, and reads no
 * dword past the end (the streams lie at the end of their allocation). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/pm4.h"
#include "isa/regs.h"
#include "isa/text/pm4_dump.h"

static int failures;

static char *dump(const uint32_t *words, size_t count, size_t *bad)
{
	uint32_t *copy = malloc(4 * count + (count == 0));
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!copy || !out)
		abort();
	memcpy(copy, words, 4 * count);
	*bad = pm4_dump(out, copy, count);
	fclose(out);
	free(copy);
	return text;
}

static void expect(const uint32_t *words, size_t count, size_t malformed, const char *const *parts)
{
	size_t bad;
	char *text = dump(words, count, &bad);
	const char *at = text;
	if (bad != malformed) {
		fprintf(stderr, "%zu malformed, expected %zu, in:\n%s", bad, malformed, text);
		failures++;
	}
	for (; *parts && at; parts++) {
		at = strstr(at, *parts);
		if (!at) {
			fprintf(stderr, "no \"%s\" in:\n%s", *parts, text);
			failures++;
		}
	}
	free(text);
}

#define EXPECT(words, malformed, ...) \
	expect(words, sizeof(words) / 4, malformed, (const char *const[]){ __VA_ARGS__, NULL })

static void good_streams(void)
{
	const uint32_t words[] = {
		pm4_header(PM4_SET_CONTEXT_REG, 3, 0), R_DB_DEPTH_CONTROL,
		REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, 1) | REG_SET(DB_DEPTH_CONTROL, ZFUNC, 3), 0,
		pm4_header(PM4_SET_CONTEXT_REG, 2, 0),
		R_PA_CL_VPORT_XSCALE + 3 * PA_CL_VPORT_XSCALE__STRIDE, 0x42000000,
		pm4_header(PM4_DRAW_INDEX_AUTO, 2, 1), 3, PM4_DI_SRC_AUTO,
		pm4_header(PM4_WRITE_DATA, 5, 0), 0, 0x1000, 0, 7, 8,
	};
	EXPECT(words, 0, "c0026900 SET_CONTEXT_REG\n00000200 DB_DEPTH_CONTROL\n00000032 -> [DB_DEPTH_CONTROL]\n",
		"\t .Z_ENABLE = 1;\n\t .ZFUNC = COMPARE_LEQUAL;\n\t .STENCILFUNC = COMPARE_NEVER;\n",
		"00000000 -> [(unknown register)] at 0x28804\n\nc0016900 ",
		"00000121 PA_CL_VPORT_XSCALE_3\n42000000 -> [PA_CL_VPORT_XSCALE_3]\n",
		"c0012d01 DRAW_INDEX_AUTO (predicated)\n00000003 vertices\n00000002 source\n",
		"WRITE_DATA\n00000000 control\n00001000 address_lo\n00000000 address_hi\n00000007 data\n00000008 data\n");
	const uint32_t value[] = { pm4_header(PM4_SET_UCONFIG_REG, 2, 0), R_VGT_PRIMITIVE_TYPE, DI_PT_TRILIST };
	EXPECT(value, 0, "00000004 -> [VGT_PRIMITIVE_TYPE] = DI_PT_TRILIST\n");
	uint32_t copy[1 + PM4_DWORDS(pm4_copy_image)] = { pm4_header(PM4_QW_COPY_IMAGE, PM4_DWORDS(pm4_copy_image), 0) };
	for (uint32_t i = 1; i < sizeof(copy) / 4; i++)
		copy[i] = i;
	EXPECT(copy, 0, "QW_COPY_IMAGE\n00000001 kind\n00000002 src.base_lo\n", "0000000d src.samples\n0000000e dst.base_lo\n",
		"0000001a buffer.address_lo\n", "0000001d buffer.image_rows\n0000001e src_x\n", "00000026 depth\n");
}

static void bad_streams(void)
{
	const uint32_t header[] = { 0, pm4_header(PM4_NUM_INSTANCES, 1, 0), 1 };
	EXPECT(header, 1, "no type-3 packet", "malformed: header", "NUM_INSTANCES");
	const uint32_t opcode[] = { pm4_header((enum pm4_op)0x11, 1, 0), 9 };
	EXPECT(opcode, 1, "(unknown opcode)", "no such opcode");
	const uint32_t size[] = { pm4_header(PM4_NUM_INSTANCES, 2, 0), 1, 2 };
	EXPECT(size, 1, "wrong payload size");
	const uint32_t cut[] = { pm4_header(PM4_SET_SH_REG, 100, 0), 1, 2 };
	EXPECT(cut, 1, "SET_SH_REG\n00000001 ", "longer than the stream");
	const uint32_t nothing[] = { pm4_header(PM4_SET_CONTEXT_REG, 100, 0) };
	EXPECT(nothing, 2, "SET_CONTEXT_REG\n", "longer than the stream");
	const uint32_t index[] = { pm4_header(PM4_SET_CONTEXT_REG, 3, 0), 0x3ff, 1, 2 };
	EXPECT(index, 1, "past the end of its space", "(unknown register)");
}

static void random_streams(void)
{
	uint64_t seed = 1;
	for (int i = 0; i < 2000; i++) {
		uint32_t words[64];
		for (int k = 0; k < 64; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			words[k] = (uint32_t)(seed >> 32);
			if (k % 5 == 0)
				words[k] = 3u << 30 | (words[k] & 0x0003ffff);
		}
		size_t bad;
		free(dump(words, seed >> 40 & 63, &bad));
	}
}

int main(void)
{
	good_streams();
	bad_streams();
	random_streams();
	return failures ? 1 : 0;
}
