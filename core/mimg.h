/* The texture unit's door: one MIMG instruction for one wave.
 *
 * Reads address VGPRs from in->src[0] on (layout: offset, bias, compare,
 * derivatives, body, clamp, lod, as the memory handling document lists), the
 * T# and S# given, data VGPRs from in->dst for stores and atomics, and writes
 * the result VGPRs, for the lanes of EXEC.  LOD is computed per quad from the
 * coordinates of all four lanes, whether or not EXEC has them.  Out-of-range
 * texels read zero (or border colour) and are not written.  s may be NULL for
 * instructions without a sampler.  Returns false only for an instruction that
 * the unit does not know. */
#ifndef CORE_MIMG_H
#define CORE_MIMG_H

#include "core/cu.h"
#include "isa/gcn.h"

typedef bool (*cu_mimg_fn)(struct cu_wave *w, const struct gcn_inst *in,
	const uint32_t t[8], const uint32_t s[4]);
bool cu_mimg_exec_v3(struct cu_wave *, const struct gcn_inst *, const uint32_t *, const uint32_t *);
bool cu_mimg_exec_v4(struct cu_wave *, const struct gcn_inst *, const uint32_t *, const uint32_t *);

#endif
