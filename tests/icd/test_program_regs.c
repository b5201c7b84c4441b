/* SPDX-License-Identifier: MIT */
/* What registers say of a program: as much as it needs, and what does not fit is
 * refused in every build. */
#include "icd/program.h"
#include "isa/mode.h"
#include "tests/check.h"

#include <stdio.h>
#include <string.h>

/* KiB of 64 lanes, rounded up; the largest fills the field. */
static void check_scratch(void)
{
	static const struct { uint32_t bytes, kib; } cases[] = { { 0, 0 }, { 4, 1 }, { 16, 1 }, { 20, 2 }, { 32, 2 },
		{ 131040, 8190 }, { 131044, 8191 }, { 131056, 8191 } };
	struct compiler_shader s = { 0 };
	char message[200];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		s.scratch_bytes = cases[i].bytes;
		EXPECT(icd_program_fits(&s, message, sizeof message));
		uint32_t reg = REG_SET(SPI_TMPRING_SIZE, WAVESIZE, icd_program_wavesize(s.scratch_bytes));
		EXPECT(REG_GET(reg, SPI_TMPRING_SIZE, WAVESIZE) == cases[i].kib && cases[i].kib * 1024 >= s.scratch_bytes * 64);
	}
	static const uint32_t more[] = { 131057, 131060, 262144, 0x7fffffff, 0xffffffff };
	for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
		char want[40];
		s.scratch_bytes = more[i];
		snprintf(want, sizeof want, "need %u bytes of scratch a lane", more[i]);
		EXPECT(!icd_program_fits(&s, message, sizeof message));
		EXPECT(strstr(message, want) && strstr(message, "more than the 131056 that WAVESIZE can say"));
	}
}

/* Fields of vgprs / 4 - 1 and sgprs / 8 - 1, rounded up. */
static void check_registers(void)
{
	static const struct { uint32_t vgprs, sgprs, v, s; } cases[] = { { 0, 0, 0, 0 }, { 1, 1, 0, 0 }, { 4, 8, 0, 0 },
		{ 5, 9, 1, 1 }, { 256, 102, 63, 12 }, { 253, 104, 63, 12 }, { 252, 105, 62, 13 } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t mode = i % 2 ? ISA_FLOAT_PLAIN : 0xc | ISA_DENORM_KEEP << ISA_MODE_DENORM_F32;
		struct compiler_shader s = { .vgprs = cases[i].vgprs, .sgprs = cases[i].sgprs, .float_mode = mode };
		uint32_t reg = icd_program_rsrc1(&s);
		EXPECT(REG_GET(reg, COMPUTE_PGM_RSRC1, VGPRS) == cases[i].v && REG_GET(reg, COMPUTE_PGM_RSRC1, SGPRS) == cases[i].s);
		EXPECT(REG_GET(reg, COMPUTE_PGM_RSRC1, FLOAT_MODE) == mode && REG_GET(reg, COMPUTE_PGM_RSRC1, DX10_CLAMP) == 1);
	}
}

int main(void)
{
	check_scratch();
	check_registers();
	return failures != 0;
}
