/* SPDX-License-Identifier: MIT */
#include "core/tex/tex_ops.h"

#include <stdbool.h>
#include "core/tex/mimg.h"
#include "isa/gcn.h"

#define OP(name, flags) [GCN_IMAGE_##name] = (flags)
#define OP_O(name, flags) OP(name, flags), OP(name##_O, (flags) | TEX_O)
#define OPS_LOD(name, flags) \
	OP_O(name, flags), OP_O(name##_CL, (flags) | TEX_CL), OP_O(name##_L, (flags) | TEX_L), \
	OP_O(name##_B, (flags) | TEX_B), OP_O(name##_B_CL, (flags) | TEX_B | TEX_CL), \
	OP_O(name##_LZ, (flags) | TEX_LZ)
#define OPS_DERIVATIVE(name, flags) \
	OP_O(name##_D, (flags) | TEX_D), OP_O(name##_D_CL, (flags) | TEX_D | TEX_CL), \
	OP_O(name##_CD, (flags) | TEX_D), OP_O(name##_CD_CL, (flags) | TEX_D | TEX_CL)

const uint16_t cu_tex_ops[GCN_OP_COUNT] = {
	OP(LOAD, TEX_LOAD), OP(LOAD_MIP, TEX_LOAD | TEX_MIP),
	OP(STORE, TEX_STORE), OP(STORE_MIP, TEX_STORE | TEX_MIP),
	OP(LOAD_PCK, TEX_LOAD | TEX_PCK), OP(LOAD_MIP_PCK, TEX_LOAD | TEX_PCK | TEX_MIP),
	OP(LOAD_PCK_SGN, TEX_LOAD | TEX_PCK | TEX_SGN),
	OP(LOAD_MIP_PCK_SGN, TEX_LOAD | TEX_PCK | TEX_SGN | TEX_MIP),
	OP(STORE_PCK, TEX_STORE | TEX_PCK), OP(STORE_MIP_PCK, TEX_STORE | TEX_PCK | TEX_MIP),
	OP(GET_RESINFO, TEX_RESINFO), OP(GET_LOD, TEX_GET_LOD),
	OP(ATOMIC_SWAP, TEX_ATOMIC), OP(ATOMIC_CMPSWAP, TEX_ATOMIC), OP(ATOMIC_ADD, TEX_ATOMIC),
	OP(ATOMIC_SUB, TEX_ATOMIC), OP(ATOMIC_SMIN, TEX_ATOMIC), OP(ATOMIC_UMIN, TEX_ATOMIC),
	OP(ATOMIC_SMAX, TEX_ATOMIC), OP(ATOMIC_UMAX, TEX_ATOMIC), OP(ATOMIC_AND, TEX_ATOMIC),
	OP(ATOMIC_OR, TEX_ATOMIC), OP(ATOMIC_XOR, TEX_ATOMIC), OP(ATOMIC_INC, TEX_ATOMIC),
	OP(ATOMIC_DEC, TEX_ATOMIC), OP(ATOMIC_RSUB, TEX_ATOMIC), OP(ATOMIC_FCMPSWAP, TEX_ATOMIC),
	OP(ATOMIC_FMIN, TEX_ATOMIC), OP(ATOMIC_FMAX, TEX_ATOMIC),
	OPS_LOD(SAMPLE, TEX_SAMPLE), OPS_LOD(SAMPLE_C, TEX_SAMPLE | TEX_C),
	OPS_DERIVATIVE(SAMPLE, TEX_SAMPLE), OPS_DERIVATIVE(SAMPLE_C, TEX_SAMPLE | TEX_C),
	OPS_LOD(GATHER4, TEX_GATHER), OPS_LOD(GATHER4_C, TEX_GATHER | TEX_C),
};

unsigned cu_mimg_addresses(const struct gcn_inst *in)
{
	unsigned kind = cu_tex_ops[in->op] & TEX_KIND; /* multisampled images are not sampled */
	bool samples = kind == TEX_SAMPLE || kind == TEX_GATHER || kind == TEX_GET_LOD;
	return tex_address_count(3, 3 + !samples, cu_tex_ops[in->op]);
}
