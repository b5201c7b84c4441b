/* SPDX-License-Identifier: MIT */
/* What the kernel files of the interpreter share at one level. */
#ifndef CORE_INTERP_INTERP_PRIV_H
#define CORE_INTERP_INTERP_PRIV_H

#include "core/interp/interp.h"

const struct cu_rec *CU_FN(cu_valu_general)(struct cu_wave *w, const struct cu_rec *r);
const struct cu_rec *CU_FN(cu_valu_indexed)(struct cu_wave *w, const struct cu_rec *r);
const struct cu_rec *CU_FN(cu_valu_moded)(struct cu_wave *w, const struct cu_rec *r);
bool CU_FN(cu_poll)(struct cu_wave *w);
const struct cu_rec *CU_FN(cu_special)(struct cu_wave *w, const struct cu_rec *r);
/* A parameter of the instruction's attribute, 64 lanes of 32 bits (ops_vintrp_kernel.c). */
void CU_FN(cu_param_lanes)(const struct cu_wave *w, const struct cu_rec *r, enum cu_type t,
	uint32_t out[64]);

#endif
