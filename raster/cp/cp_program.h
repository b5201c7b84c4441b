/* SPDX-License-Identifier: MIT */
/* Programs that registers name: the same for every stage of the hardware.  Inlined, for
 * every draw comes here: of a stage that is known the registers are constants. */
#ifndef RASTER_CP_CP_PROGRAM_H
#define RASTER_CP_CP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "core/cu.h"
#include "core/launch.h"
#include "core/mode.h"
#include "isa/regs.h"
#include "isa/stages.h"
#include "raster/cp/gpu.h"
#include "raster/program_cache.h"

/* The program at an address, with a message if it is a bad one. */
const struct cu_program *rs_cp_program(struct rs_gpu *gpu, const struct isa_hw_stage_info *stage, uint64_t address);

/* What the registers of a hardware stage say: program (NULL: its address is 0), user
 * SGPRs, MODE, scratch; *use is all zero before.  False: gpu has failed, the program is bad. */
static inline __attribute__((always_inline)) bool rs_cp_use(struct rs_gpu *gpu, enum isa_hw_stage hw,
	struct cu_program_use *use)
{
	const struct isa_hw_stage_info *stage = &isa_hw_stages[hw];
	const uint32_t *sh = gpu->sh;
	uint64_t address = ((uint64_t)sh[stage->pgm_lo + 1] << 32 | sh[stage->pgm_lo]) << 8;
	uint32_t rsrc2 = sh[stage->rsrc2], ring = stage->graphics ? gpu->context.reg[R_SPI_TMPRING_SIZE] :
		sh[R_COMPUTE_TMPRING_SIZE];
	if (address && !(use->program = rs_cp_program(gpu, stage, address)))
		return false;
	use->user_count = REG_GET(rsrc2, COMPUTE_PGM_RSRC2, USER_SGPR);
	if (use->user_count > stage->user_data_count)
		use->user_count = stage->user_data_count;
	memcpy(use->user + stage->first_user, &sh[stage->user_data], use->user_count * 4);
	use->user_count += stage->first_user;
	use->mode = cu_mode_of_rsrc1(sh[stage->rsrc1]);
	if (REG_GET(rsrc2, COMPUTE_PGM_RSRC2, SCRATCH_EN))
		use->scratch_bytes = REG_GET(ring, COMPUTE_TMPRING_SIZE, WAVESIZE) * 1024;
	return true;
}

#endif
