/* What the kernel files of the interpreter share at one level. */
#ifndef CORE_INTERP_INTERNAL_H
#define CORE_INTERP_INTERNAL_H

#include "core/interp.h"

const struct cu_rec *CU_FN(cu_valu_general)(struct cu_wave *w, const struct cu_rec *r);
const struct cu_rec *CU_FN(cu_valu_indexed)(struct cu_wave *w, const struct cu_rec *r);

const struct cu_rec *CU_FN(cu_gds_access)(struct cu_wave *w, const struct cu_rec *r);
const struct cu_rec *CU_FN(cu_tfe_access)(struct cu_wave *w, const struct cu_rec *r);

#endif
