/* SPDX-License-Identifier: MIT */
/* What compiler, driver and GPU agree on beyond the hardware's own rules:
 * which user SGPR holds what, and the memory that they point to.  The GPU half
 * knows only the parts marked (hw).
 *
 * Every stage: s[0:1] is the address of the root table, in memory:
 *   +0    push constants, 256 bytes
 *   +256  addresses of descriptor sets 0..31, 8 bytes each
 *   +512  V# of dynamic uniform and storage buffers, 16 bytes each, in the
 *         order the pipeline layout gives them
 *
 * VS user SGPRs: s[2:3] address of the vertex attribute table: V# of attribute
 *   location n at + 16 n; s4 base vertex, s5 base instance, s6 draw index,
 *   s7 view index.  USER_SGPR = 8.
 *   (hw) v0 raw vertex index, v1 instance number (from 0).
 * PS user SGPRs: s2 view index.  USER_SGPR = 3.  (hw) Then s3 the prim mask,
 *   to be moved to M0 before v_interp: [15:0] LDS byte offset, [30:16]
 *   newprimmask, bit q - 1 set where quad q begins another primitive than quad
 *   q - 1.  From that offset, for each attribute and in it for each primitive of
 *   the wave, 12 dwords: P0 and P10 of x, y, z, w in turn, then P20 of each.
 *   EXEC at entry is the coverage; the first quad of the wave is
 *   lanes 0-3: (x, y), (x+1, y), (x, y+1), (x+1, y+1).  VGPRs at entry are
 *   packed by SPI_PS_INPUT_ENA.
 * CS user SGPRs: (hw) s2, s3, s4 number of workgroups x, y, z, written by the
 *   command processor at each dispatch.  USER_SGPR = 5.  (hw) Then the
 *   workgroup number x, y, z, each if its TGID_*_EN bit is set.  v0, v1, v2
 *   the local invocation number x, y, z by TIDIG_COMP_CNT.  LDS starts at 0.
 *   Lane l of wave w is invocation 64 w + l, x fastest.  The last wave may
 *   have inactive lanes.
 *
 * TS and MS (task and mesh, which gfx9 does not have; both are groups as CS's) user SGPRs:
 *   (hw) s2, s3, s4 number of groups x, y, z, of a mesh program that a task group launched
 *   those that it asked for; (hw) s5 draw index, 0 or the number of an indirect draw's record;
 *   s6 view index; (hw) s[8:9] address of the group's block, MS: (hw) s[10:11] address of the
 *   payload of the task group that launched it, else 0.  USER_SGPR = 12.  Then as CS.  Blocks and
 *   payloads are memory of the GPU's, blank when the group starts as LDS is, their heads zero.
 *   (hw) TS block: dwords 0, 1, 2 groups of the mesh program x, y, z; from dword 4 on the payload,
 *   QW_TASK_PAYLOAD bytes.
 *   (hw) MS block: with V and P the VERTICES and PRIMITIVES of QW_MESH_OUTPUT, in dwords: 0
 *   number of vertices, 1 of primitives; from 4 on rows of V dwords, one for each component
 *   of what a VS exports: pos0 to pos3 as PA_CL_VS_OUT_CNTL says, then PARAMS params, x y z w
 *   of each; then rows of P dwords: three of indices, x y z w of the misc vector (not 0 in
 *   y: culled, z layer, w viewport; as QW_MESH_CNTL says), then x y z w of each of the PRIM_PARAMS.
 *   In SPI_PS_INPUT_CNTL these have the numbers after the PARAMS, and FLAT_SHADE.  Numbers beyond V and P
 *   count as these; primitives with indices that are not below the number of vertices
 *   are dropped.
 *
 *   (hw) Multisampling.  Without PS_ITER_SAMPLE a lane is a pixel: EXEC has the
 *   pixels with a covered sample, what is exported goes to every sample that is
 *   covered, and killing a lane kills them all.  With PS_ITER_SAMPLE a lane is
 *   one sample of a pixel, the four lanes of a quad the same sample of its
 *   pixels (ANCILLARY bits 8-11); EXEC has the lanes whose sample is covered.
 *   Both: an exported sample mask and alpha to mask take samples away.
 *   The fraction of minSampleShading is rounded up to every sample.  With
 *   POS_FLOAT_LOCATION 2, fract(FragCoord.xy) is the sample's position.
 *
 * Merged programs (ES + GS: a vertex program and a geometry program, one after the other, with
 *   the registers of the second's hardware stage).  SGPRs, (hw) but the last:
 *   s[0:1] 0; s2 byte offset of GSVS in the lane's scratch;
 *   s3 merged_wave_info: [7:0] lanes of the first half, [15:8] of the second, both from lane 0
 *   on; s4 0, s5 0, s6 0, s7 0; s8.. user SGPRs as VS has them, for both halves.
 *   (hw) ES + GS: v0, v1, v4 halves: vertices 0 to 5 of the GS lane's primitive, ES lanes by number
 *   (VGT_ESGS_RING_ITEMSIZE 1); v2 its PrimitiveId; v3 its invocation; of the ES lane
 *   v5 raw vertex index, v6 instance number, v7 0.
 *   EXEC is all lanes; each half begins by setting it.  The first ends without s_endpgm, where
 *   the second begins, and keeps s0..s15 and v0..v4.  A group is one wave (the hardware's are
 *   several), so that no barrier stands between them.  LDS, of RSRC2_GS.LDS_SIZE, starts at 0:
 *   component c of the attribute at place p of ES lane l at (4 p + c) * 256 + 4 l, and stays
 *   as it is for further waves of the same vertices, where no lanes of the first half run.
 *   (hw) GSVS, behind the program's own scratch, which need not be asked for: component c of vertex n
 *   that a lane emits is dword n * VGT_GS_VERT_ITEMSIZE + c.  Components are vectors of four, in the order in which
 *   a VS would export them: pos0, then as PA_CL_VS_OUT_CNTL says the misc vector and distances, params.
 *   With a table (isa/gsvs.h) c is what its record says, and what is the same in all vertices is not there.
 *   s_sendmsg GS|EMIT counts a vertex of each lane of EXEC, GS|CUT ends its strip.
 *
 * LS + HS: a vertex program and a tessellation control program, merged as those are.
 *   (hw) s[0:1] address of the group's patches, memory that the GPU owns; s2 0; s6 HS_NUM_INPUT_CP, s7
 *   HS_NUM_OUTPUT_CP.  HS lane p * HS_NUM_OUTPUT_CP + i is invocation i of patch p of the group, LS lane
 *   p * HS_NUM_INPUT_CP + i its control point i; patches are as many as both have lanes for.
 *   (hw) v0 the patch's PrimitiveId; v1 [7:0] p, [12:8] i; of the LS lane v2 raw vertex index, v3 p, v4
 *   instance number.  The first half keeps s0..s15 and v0, v1.
 *   (hw) Patches in memory: component c of slot n of HS lane l at n * 1024 + c * 256 + 4 l, of patch p
 *   as such at 73728 + n * 1024 + c * 256 + 4 p (the hardware's are not 64 apart).  Slots are for the
 *   compiler to choose, 72 of both; the levels that the tessellator takes are patches' 0, outer, and 1, inner.
 * Tessellation evaluation programs have the user SGPRs of VS, then (hw) s[8:9] the address of the patches,
 *   s10 HS_NUM_OUTPUT_CP, s11 all ones where the domain is a triangle, else 0.  (hw) v0 u, v1 v, v2
 *   number of the patch in its group, v3 its PrimitiveId.  As ES in front of a geometry program
 *   all that stands in s[4:5], s6, s7 and v5 to v8.
 *
 * (hw) Scratch: when SCRATCH_EN, FLAT_SCRATCH (s[102:103]) holds the wave's
 *   scratch address at entry.  scratch_load/store dword at byte offset o of
 *   lane l is at FLAT_SCRATCH + (o / 4) * 256 + l * 4 + o % 4.  The wave has
 *   TMPRING_SIZE.WAVESIZE * 1024 bytes.  No system SGPR carries an offset.
 *
 * (hw) VS exports: pos0 position; then, as PA_CL_VS_OUT_CNTL says, misc vector,
 *   distances 0-3, 4-7 in pos1..pos3 without gaps; param n.
 * (hw) PS exports: mrt0..7 (x y z w = R G B A, 32 bits each), mrtz (x depth,
 *   y stencil in bits 0-7, z sample mask); null when it exports nothing.  With
 *   compr x and y, z and w are pairs of halves; they become 32-bit floats.  The
 *   last export has done and vm set.  Lanes not in EXEC at a vm export are
 *   killed.
 */
#ifndef ISA_ABI_H
#define ISA_ABI_H

#include "isa/regs.h"

/* Bytes of scratch a lane: what TMPRING_SIZE.WAVESIZE can say, KiB for 64 lanes. */
#define ABI_MAX_SCRATCH_BYTES (((1u << SPI_TMPRING_SIZE__WAVESIZE__W) - 1) * 1024 / 64)

/* (hw) Apertures of FLAT addresses: bits 31:0 are a byte offset in the group's
 * LDS or in the lane's scratch. SRC_SHARED_BASE, .. read these. */
#define ABI_SHARED_BASE (1ull << 48)
#define ABI_SHARED_LIMIT (ABI_SHARED_BASE | 0xffffffff)
#define ABI_PRIVATE_BASE (2ull << 48)
#define ABI_PRIVATE_LIMIT (ABI_PRIVATE_BASE | 0xffffffff)

/* Constants that stand behind a program. */
#define ABI_MAX_TABLE_DWORDS 16384u

enum {
	ABI_ROOT_PUSH = 0, ABI_PUSH_BYTES = 256,
	ABI_ROOT_SETS = 256, ABI_MAX_SETS = 32,
	ABI_ROOT_DYNAMIC = ABI_ROOT_SETS + 8 * ABI_MAX_SETS, ABI_MAX_DYNAMIC = 32,
	ABI_ROOT_BYTES = ABI_ROOT_DYNAMIC + 16 * ABI_MAX_DYNAMIC,

	ABI_S_ROOT = 0,
	ABI_VS_S_ATTRS = 2, ABI_VS_S_BASE_VERTEX = 4, ABI_VS_S_BASE_INSTANCE = 5,
	ABI_VS_S_DRAW_INDEX = 6, ABI_VS_S_VIEW_INDEX = 7, ABI_VS_USER_SGPRS = 8,
	ABI_PS_S_VIEW_INDEX = 2, ABI_PS_USER_SGPRS = 3, ABI_PS_S_PRIM_MASK = 3,
	ABI_CS_S_GROUPS = 2, ABI_CS_USER_SGPRS = 5,
	ABI_MS_S_GROUPS = 2, ABI_MS_S_DRAW_INDEX = 5, ABI_MS_S_VIEW_INDEX = 6, ABI_MS_S_BLOCK = 8,
	ABI_MS_S_PAYLOAD = 10, ABI_MS_USER_SGPRS = 12,
	ABI_TASK_HEAD_BYTES = 16, ABI_MESH_HEAD_BYTES = 16, /* of blocks, before payload and rows */
	ABI_MESH_MAX_VERTICES = 256, ABI_MESH_MAX_PRIMITIVES = 256, ABI_TASK_MAX_PAYLOAD = 16384,
	ABI_MESH_PRIM_ROWS = 3 + 4, /* before the params */

	ABI_MERGED_S_RING = 0, ABI_MERGED_S_GSVS = 2, ABI_MERGED_S_WAVE_INFO = 3, ABI_MERGED_USER = 8,
	ABI_MERGED_KEPT_SGPRS = 16, ABI_ESGS_KEPT_VGPRS = 5,
	ABI_ESGS_V_PRIM = 2, ABI_ESGS_V_INVOCATION = 3, ABI_ESGS_V_VERTEX = 5, ABI_ESGS_V_INSTANCE = 6, ABI_ESGS_VGPRS = 8,
	ABI_MERGED_S_INPUT_CP = 6, ABI_MERGED_S_OUTPUT_CP = 7,
	ABI_LSHS_KEPT_VGPRS = 2, ABI_LSHS_V_PRIM = 0, ABI_LSHS_V_PATCH = 1, ABI_LSHS_V_VERTEX = 2, ABI_LSHS_V_INSTANCE = 4,
	ABI_LSHS_VGPRS = 5,
	/* Of TES; as ES, and else: memory, control points, domain; u, v, patch, PrimitiveId. */
	ABI_ES_S_PATCHES = 4, ABI_TES_S_PATCHES = 8, ABI_TES_SGPRS = 4,
	ABI_ES_V_COORD = 5, ABI_TES_V_COORD = 0, ABI_TES_VGPRS = 4,
	ABI_PATCH_PER_PATCH = 72 * 1024, ABI_PATCH_BYTES = 2 * ABI_PATCH_PER_PATCH, ABI_PATCH_OUTER = 0, ABI_PATCH_INNER = 1,
	ABI_MERGED_VGPRS = ABI_ES_V_COORD + ABI_TES_VGPRS, /* the most that any half has at entry */
	/* Limits that compiler, driver and GPU have in common: of a geometry program, of patches. */
	ABI_GS_MAX_VERTICES = 256, ABI_GS_MAX_INVOCATIONS = 127, ABI_GS_MAX_COMPONENTS = 4096, ABI_PATCH_MAX_POINTS = 32,
	ABI_MERGED_ROW_BYTES = 256, ABI_MERGED_SLOT_BYTES = 1024, /* of LDS, for 64 lanes: a component, an attribute */

	ABI_DESC_BUFFER_BYTES = 16,   /* V# */
	ABI_DESC_IMAGE_BYTES = 32,    /* T# */
	ABI_DESC_SAMPLER_BYTES = 16,  /* S# */
	ABI_DESC_COMBINED_BYTES = 64, /* T# at 0, S# at 32 */
	ABI_DESC_COMBINED_SAMPLER = 32,
	/* With a Y'CbCr conversion of several planes the S# of the later ones is at 48, their T# at 64 and 96. */
	ABI_DESC_CHROMA_SAMPLER = 48, ABI_DESC_CHROMA_IMAGES = 64, ABI_DESC_YCBCR_BYTES = 128,
};

#endif
