/* SPDX-License-Identifier: MIT */
/* Programs that registers name: the same for every stage of the hardware. */
#include "raster/cp/cp_program.h"

#include <string.h>
#include "core/cu.h"
#include "core/launch.h"
#include "core/mode.h"
#include "isa/regs.h"
#include "raster/cp/gpu.h"
#include "raster/program_cache.h"

static bool get_program(struct rs_gpu *gpu, const struct isa_hw_stage_info *stage, const struct cu_program **program)
{
	uint64_t address = ((uint64_t)gpu->sh[stage->pgm_lo + 1] << 32 | gpu->sh[stage->pgm_lo]) << 8;
	struct cu_error err = { "" };
	if (!address)
		return true;
	*program = rs_programs_get(gpu->programs, address, NULL, &err);
	return *program || rs_gpu_fail(gpu, "%s program at 0x%llx: %s", stage->name, (unsigned long long)address, err.text);
}

bool rs_cp_use(struct rs_gpu *gpu, enum isa_hw_stage hw, struct cu_program_use *use)
{
	const struct isa_hw_stage_info *stage = &isa_hw_stages[hw];
	const uint32_t *sh = gpu->sh;
	if (!get_program(gpu, stage, &use->program))
		return false;
	uint32_t rsrc2 = sh[stage->rsrc2], ring = stage->graphics ? gpu->context.reg[R_SPI_TMPRING_SIZE] :
		sh[R_COMPUTE_TMPRING_SIZE];
	use->user_count = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, USER_SGPR);
	if (use->user_count > stage->user_data_count)
		use->user_count = stage->user_data_count;
	memcpy(use->user, &sh[stage->user_data], use->user_count * 4);
	use->mode = cu_mode_of_rsrc1(sh[stage->rsrc1]);
	if (REG_GET(rsrc2, COMPUTE_PGM_RSRC2, SCRATCH_EN))
		use->scratch_bytes = REG_GET(ring, COMPUTE_TMPRING_SIZE, WAVESIZE) * 1024;
	return true;
}
