/* SPDX-License-Identifier: MIT */
/* What registers say of a program beside its address. */
#include "icd/program.h"

#include <stdio.h>
#include "icd/pm4_build.h"
#include "isa/abi.h"
#include "isa/regs.h"

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
	return REG_SET(COMPUTE_PGM_RSRC1, VGPRS, (vgprs - 1) / 4) |
		REG_SET(COMPUTE_PGM_RSRC1, SGPRS, (sgprs - 1) / 8) |
		REG_SET(COMPUTE_PGM_RSRC1, FLOAT_MODE, shader->float_mode) |
		REG_SET(COMPUTE_PGM_RSRC1, DX10_CLAMP, 1);
}

void icd_program_emit(struct icd_pm4 *pm4, enum compiler_stage stage, const struct compiler_shader *shader,
	uint64_t address, uint32_t rsrc2)
{
	const struct isa_hw_stage_info *hw = &isa_hw_stages[isa_stages[stage].hw];
	const uint32_t regs[4] = { (uint32_t)(address >> 8), (uint32_t)(address >> 40),
		address ? icd_program_rsrc1(shader) : 0,
		rsrc2 | REG_SET(COMPUTE_PGM_RSRC2, SCRATCH_EN, shader->scratch_bytes != 0) |
		REG_SET(COMPUTE_PGM_RSRC2, USER_SGPR, shader->user_sgprs) };
	const uint32_t run = hw->rsrc1 == hw->pgm_lo + 2 ? 4 : 2;
	icd_pm4_regs(pm4, PM4_SET_SH_REG, hw->pgm_lo, regs, run);
	if (run == 2)
		icd_pm4_regs(pm4, PM4_SET_SH_REG, hw->rsrc1, regs + 2, 2);
}

uint32_t icd_program_group_rsrc2(const struct compiler_shader *shader)
{
	return REG_SET(COMPUTE_PGM_RSRC2, TGID_X_EN, shader->tgid_en) |
		REG_SET(COMPUTE_PGM_RSRC2, TGID_Y_EN, shader->tgid_en >> 1) |
		REG_SET(COMPUTE_PGM_RSRC2, TGID_Z_EN, shader->tgid_en >> 2) |
		REG_SET(COMPUTE_PGM_RSRC2, TIDIG_COMP_CNT, shader->tidig_comp_cnt) |
		REG_SET(COMPUTE_PGM_RSRC2, LDS_SIZE, (shader->lds_bytes + 511) / 512);
}

uint32_t icd_program_wavesize(uint32_t scratch_bytes)
{
	return (scratch_bytes * 64 + 1023) / 1024;
}
