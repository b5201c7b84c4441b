/* SPDX-License-Identifier: MIT */
/* The texture unit's door: one MIMG instruction for one wave.
 *
 * Reads address VGPRs from in->src[0] on (layout: offset, bias, compare,
 * derivatives, body, clamp, lod, as the memory handling document lists), the
 * T# and S# given, data VGPRs from in->dst for stores and atomics, and writes
 * the result VGPRs, for the lanes of EXEC.  LOD is computed per quad from the
 * coordinates of all four lanes, whether or not EXEC has them.  Out-of-range
 * texels read zero (or border colour) and are not written.  s may be NULL for
 * instructions without a sampler.
 *
 * a16: half floats (sampling) or 16-bit integers, two a VGPR; d16: data
 * likewise, on gfx8 one a VGPR; tfe, lwe: a status dword after the data, always
 * 0: everything is resident and no LOD is warned of.
 *
 * Returns false, with w->error, for an instruction that the unit does not know
 * and for an image that is not in w->memory. */
#ifndef CORE_TEX_MIMG_H
#define CORE_TEX_MIMG_H

#include <stdbool.h>
#include <stdint.h>
#include "core/level.h"

struct cu_wave;
struct gcn_inst;

typedef bool cu_mimg_fn(struct cu_wave *w, const struct gcn_inst *in, const uint32_t t[8], const uint32_t s[4]);
#ifdef CU_LEVEL
cu_mimg_fn CU_FN(cu_mimg_exec);
cu_mimg_fn CU_FN(cu_mimg_exec_unpacked); /* with the d16 of gfx8 */
#endif

#endif
