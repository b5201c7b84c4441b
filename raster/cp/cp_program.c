/* SPDX-License-Identifier: MIT */
/* Programs that registers name. */
#include "raster/cp/cp_program.h"

const struct cu_program *rs_cp_program(struct rs_gpu *gpu, const struct isa_hw_stage_info *stage, uint64_t address)
{
	struct cu_error err = { "" };
	const struct cu_program *p = rs_programs_read(gpu->programs, &gpu->reader, address, &err);
	if (!p)
		rs_gpu_fail(gpu, "%s program at 0x%llx: %s", stage->name, (unsigned long long)address, err.text);
	return p;
}
