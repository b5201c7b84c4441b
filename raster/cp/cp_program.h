/* SPDX-License-Identifier: MIT */
/* Programs that registers name. */
#ifndef RASTER_CP_CP_PROGRAM_H
#define RASTER_CP_CP_PROGRAM_H

#include <stdbool.h>
#include "isa/stages.h"

struct cu_program_use;
struct rs_gpu;

/* What the registers of a hardware stage say: program (NULL: its address is 0), user
 * SGPRs, MODE, scratch; *use is all zero before.  False: gpu has failed, the program is bad. */
bool rs_cp_use(struct rs_gpu *gpu, enum isa_hw_stage stage, struct cu_program_use *use);

#endif
