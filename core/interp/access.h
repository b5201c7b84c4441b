/* SPDX-License-Identifier: MIT */
/* What memory instructions do in forms that few programs use: the GDS, M0 as a limit,
 * 64-bit addresses of gfx6 and gfx7, a status dword.  The units of core/mem have them. */
#ifndef CORE_INTERP_ACCESS_H
#define CORE_INTERP_ACCESS_H

#include "core/interp/interp.h"

const struct cu_rec *CU_FN(cu_gds_access)(struct cu_wave *w, const struct cu_rec *r);
const struct cu_rec *CU_FN(cu_m0_access)(struct cu_wave *w, const struct cu_rec *r);
const struct cu_rec *CU_FN(cu_addr64_access)(struct cu_wave *w, const struct cu_rec *r);
const struct cu_rec *CU_FN(cu_tfe_access)(struct cu_wave *w, const struct cu_rec *r);

#endif
