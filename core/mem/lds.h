/* SPDX-License-Identifier: MIT */
/* Where LDS elements lie.  Addresses round down to the element (at most a
 * dword); an element outside the group's LDS reads 0 and is not written. */
#ifndef CORE_MEM_LDS_H
#define CORE_MEM_LDS_H

#include "core/interp/interp.h"

/* In range at p, else NULL. */
static inline uint8_t *lds_at(const struct cu_wave *w, uint64_t offset, unsigned bytes)
{
	offset &= ~(uint64_t)((bytes < 4 ? bytes : 4) - 1);
	return offset + bytes <= w->lds_bytes ? w->lds + offset : NULL;
}
static inline const uint32_t *lds_vgpr(const struct cu_wave *w, const struct gcn_inst *in, int i)
{
	return w->vgpr[in->src[i] & 255];
}

#endif
