/* SPDX-License-Identifier: MIT */
/* The texture unit's opcodes. */
#ifndef CORE_TEX_TEX_OPS_H
#define CORE_TEX_TEX_OPS_H

#include <stdint.h>
#include "isa/gcn.h"
#include "isa/gcn_mimg.h"

/* What an opcode asks for: a kind, and above it what isa/gcn_mimg.h says of it. */
enum tex_kind { TEX_UNKNOWN, TEX_LOAD, TEX_STORE, TEX_ATOMIC, TEX_RESINFO, TEX_GET_LOD, TEX_SAMPLE, TEX_GATHER };
#define TEX_OF(parts) ((parts) << 3)
enum {
	TEX_KIND = 7,
	TEX_O = TEX_OF(GCN_MIMG_O), TEX_B = TEX_OF(GCN_MIMG_B), TEX_C = TEX_OF(GCN_MIMG_C), TEX_D = TEX_OF(GCN_MIMG_D),
	TEX_CL = TEX_OF(GCN_MIMG_CL), TEX_L = TEX_OF(GCN_MIMG_L), TEX_MIP = TEX_OF(GCN_MIMG_MIP),
	TEX_LZ = TEX_OF(GCN_MIMG_LZ), TEX_PCK = TEX_OF(GCN_MIMG_PCK), TEX_SGN = TEX_OF(GCN_MIMG_SGN),
};
extern const uint16_t cu_tex_ops[GCN_OP_COUNT]; /* by enum gcn_op */

/* VGPRs of an address, `body` of which are coordinates, slice and sample. */
static inline unsigned tex_address_count(unsigned dims, unsigned body, uint32_t flags)
{
	if ((flags & TEX_KIND) == TEX_RESINFO)
		return 1;
	return body + (flags & TEX_D ? 2 * dims : 0) + (unsigned)__builtin_popcount(flags & TEX_OF(GCN_MIMG_DWORDS));
}

#endif
