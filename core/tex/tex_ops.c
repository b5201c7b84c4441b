/* SPDX-License-Identifier: MIT */
#include "core/tex/tex_ops.h"

#include "isa/gcn.h"
#include "isa/gcn_mimg.h"

#define LOAD(name, parts) [GCN_IMAGE_##name] = TEX_LOAD | TEX_OF(parts),
#define STORE(name, parts) [GCN_IMAGE_##name] = TEX_STORE | TEX_OF(parts),
#define ATOMIC(name, parts) [GCN_IMAGE_##name] = TEX_ATOMIC | TEX_OF(parts),
#define SAMPLE(name, parts) [GCN_IMAGE_##name] = TEX_SAMPLE | TEX_OF(parts),
#define GATHER(name, parts) [GCN_IMAGE_##name] = TEX_GATHER | TEX_OF(parts),
const uint16_t cu_tex_ops[GCN_OP_COUNT] = {
	GCN_MIMG_LOADS(LOAD) GCN_MIMG_STORES(STORE) GCN_MIMG_ATOMICS(ATOMIC) GCN_MIMG_SAMPLES(SAMPLE) GCN_MIMG_GATHERS(GATHER)
	[GCN_IMAGE_GET_RESINFO] = TEX_RESINFO, [GCN_IMAGE_GET_LOD] = TEX_GET_LOD,
};
