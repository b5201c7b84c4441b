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

struct cu_rec;
struct cu_wave;
struct gcn_inst;

typedef bool cu_mimg_fn(struct cu_wave *w, const struct gcn_inst *in, const uint32_t t[8], const uint32_t s[4]);
#ifdef CU_LEVEL
cu_mimg_fn CU_FN(cu_mimg_exec);
cu_mimg_fn CU_FN(cu_mimg_exec_unpacked); /* with the d16 of gfx8 */
/* The same of the first of `count` instructions that follow one another, and of those behind it that ask the same of the
 * same descriptors, if there is nothing about them that might be refused.  Returns how many were done, maybe none. */
unsigned CU_FN(cu_mimg_exec_plain)(struct cu_wave *w, const struct gcn_inst *in, unsigned count, const uint32_t t[8],
	const uint32_t s[4]);
#endif

struct cu_mimg_ops {
	/* What the handlers of `count` records do one after the other; what the last of them returns. */
	const struct cu_rec *(*run)(struct cu_wave *w, const struct cu_rec *r, unsigned count);
};
CU_TABLES(struct cu_mimg_ops, cu_mimg_ops);

#endif
