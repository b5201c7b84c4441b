/* SPDX-License-Identifier: MIT */
/* The texture unit's opcodes. */
#ifndef CORE_TEX_TEX_OPS_H
#define CORE_TEX_TEX_OPS_H

#include <stdint.h>
#include "isa/gcn.h"

/* What an opcode asks for: a kind, and the address operands it takes. */
enum tex_kind { TEX_UNKNOWN, TEX_LOAD, TEX_STORE, TEX_ATOMIC, TEX_RESINFO, TEX_GET_LOD, TEX_SAMPLE, TEX_GATHER };
enum {
	TEX_KIND = 7,
	TEX_MIP = 1 << 3, /* load, store: a level follows the body */
	TEX_C = 1 << 4, TEX_D = 1 << 5, TEX_L = 1 << 6, TEX_B = 1 << 7,
	TEX_LZ = 1 << 8, TEX_CL = 1 << 9, TEX_O = 1 << 10,
	TEX_PCK = 1 << 11, TEX_SGN = 1 << 12, /* the texel's dwords as they are, sign-extended */
};
extern const uint16_t cu_tex_ops[GCN_OP_COUNT]; /* by enum gcn_op */

/* VGPRs of an address, in the order offset, bias, compare, derivatives, body, clamp or
 * lod; `body` of them are coordinates, slice and sample. */
static inline unsigned tex_address_count(unsigned dims, unsigned body, uint32_t flags)
{
	if ((flags & TEX_KIND) == TEX_RESINFO)
		return 1;
	unsigned n = body + !!(flags & TEX_O) + !!(flags & TEX_B) + !!(flags & TEX_C);
	if (flags & TEX_D)
		n += 2 * dims;
	return n + !!(flags & (TEX_CL | TEX_L | TEX_MIP));
}

#endif
