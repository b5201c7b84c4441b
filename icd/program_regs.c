/* SPDX-License-Identifier: MIT */
/* What registers say of a program beside its address. */
#include "icd/program.h"

#include <stdio.h>
#include "isa/abi.h"
#include "isa/regs.h"

static_assert(SPI_SHADER_PGM_RSRC1_PS__SGPRS__LO == COMPUTE_PGM_RSRC1__SGPRS__LO &&
	SPI_SHADER_PGM_RSRC1_VS__FLOAT_MODE__LO == COMPUTE_PGM_RSRC1__FLOAT_MODE__LO,
	"RSRC1 is alike in all stages");
static_assert(SPI_TMPRING_SIZE__WAVESIZE__W == COMPUTE_TMPRING_SIZE__WAVESIZE__W, "and so is TMPRING_SIZE");

bool icd_program_fits(const struct compiler_shader *shader, char *message, size_t size)
{
	if (shader->scratch_bytes <= ABI_MAX_SCRATCH_BYTES)
		return true;
	snprintf(message, size, "its waves need %u bytes of scratch a lane, more than the %u that WAVESIZE can say",
		shader->scratch_bytes, ABI_MAX_SCRATCH_BYTES);
	return false;
}

uint32_t icd_program_rsrc1(const struct compiler_shader *shader)
{
	uint32_t vgprs = shader->vgprs ? shader->vgprs : 1, sgprs = shader->sgprs ? shader->sgprs : 1;
	/* Round to nearest even, denormals on for all widths. */
	const uint32_t float_mode = 0xf0;
	return REG_SET(COMPUTE_PGM_RSRC1, VGPRS, (vgprs - 1) / 4) |
		REG_SET(COMPUTE_PGM_RSRC1, SGPRS, (sgprs - 1) / 8) |
		REG_SET(COMPUTE_PGM_RSRC1, FLOAT_MODE, float_mode) |
		REG_SET(COMPUTE_PGM_RSRC1, DX10_CLAMP, 1);
}

uint32_t icd_program_wavesize(uint32_t scratch_bytes)
{
	return (scratch_bytes * 64 + 1023) / 1024;
}
