/* PM4 packets: headers, opcodes, payload layouts.  All dwords little endian;
 * 64-bit addresses are lo, hi.  The names of payload dwords are given in
 * order after each packet. */
#ifndef ISA_PM4_H
#define ISA_PM4_H

#include <stdint.h>

enum pm4_op {
#define PM4(name, op, min, max) PM4_##name = (op),
#include "pm4.def"
#undef PM4
};

/* Header of a packet with n >= 1 payload dwords (n = 0 is not expressible);
 * bit 0 (predicate): skipped while SET_PREDICATION says so. */
static inline uint32_t pm4_header(enum pm4_op op, uint32_t n, uint32_t predicate)
{
	return 3u << 30 | ((n - 1) & 0x3fff) << 16 | (uint32_t)op << 8 | predicate;
}
static inline uint32_t pm4_type(uint32_t h) { return h >> 30; }
static inline uint32_t pm4_opcode(uint32_t h) { return h >> 8 & 0xff; }
static inline uint32_t pm4_payload(uint32_t h) { return (h >> 16 & 0x3fff) + 1; }

/* NOP                any payload, skipped.
 * SET_CONTEXT_REG, SET_SH_REG, SET_UCONFIG_REG
 *                    index (dword index in the space, bits 0-15), value...
 * NUM_INSTANCES      count.  Sets VGT_NUM_INSTANCES.
 * DRAW_INDEX_AUTO    vertex count, PM4_DI_SRC_AUTO.  Indices 0 .. count-1.
 * DRAW_INDEX_2       max indices readable at the address, index address lo, hi
 *                    (of the first index used), index count, 0.
 *                    Indices past the maximum read as 0.
 *   The shader adds base vertex and base instance from its user SGPRs; the
 *   VGT passes raw index and instance number.
 * DRAW_INDIRECT_MULTI        { address lo, hi, base_vtx_loc | start_inst_loc << 16,
 *                    draw_index_loc, count, stride, 0 }.  The locs are SH register
 *                    indices that receive the record's values; draw_index_loc 0: none.
 *                    Each record is VkDrawIndirectCommand's four dwords.
 * DRAW_INDEX_INDIRECT_MULTI  { addr_lo, addr_hi, base_vtx_loc | start_inst_loc << 16,
 *                    draw_index_loc, count, stride, 0, index_base_lo, index_base_hi,
 *                    max_indices }; index size from VGT_INDEX_TYPE; records as
 *                    VkDrawIndexedIndirectCommand's five dwords.
 * DISPATCH_DIRECT    groups x, y, z, initiator (0).  COMPUTE_USER_DATA_2..4 are
 *                    written by the command processor with x, y, z: see abi.h.
 * DISPATCH_INDIRECT  address lo, hi of three dwords, 0, 0.
 * SET_PREDICATION    address lo, hi, op (0 off; 1 skip if the dword is zero, 2 skip if nonzero).
 * INDIRECT_BUFFER    address lo, hi, dwords.  Returns to the caller at its end.
 * WRITE_DATA         control (0), address lo, hi, data...  In order after earlier work.
 * WAIT_REG_MEM       function (3 equal, 4 not equal), address lo, hi, reference,
 *                    mask, poll interval.  Waits until (dword & mask) OP reference.
 * EVENT_WRITE        event; for ZPASS_DONE also address lo, hi.
 * RELEASE_MEM        event, data select, address lo, hi, data lo, hi, 0:
 *                    after all earlier work is complete, write data.
 * ACQUIRE_MEM        coher flags, then five dwords 0: a full barrier; earlier
 *                    work is complete and visible.  PM4_ACQUIRE_ICACHE: programs
 *                    in memory may have changed.
 */
enum { PM4_DI_SRC_AUTO = 2 };
enum { PM4_EVENT_ZPASS_DONE = 0x15,       /* writes the 64-bit samples-passed counter, in order */
	PM4_EVENT_CS_DONE = 0x07, PM4_EVENT_BOTTOM_OF_PIPE = 0x28,
	PM4_EVENT_PIPELINESTAT_START = 0x19, PM4_EVENT_PIPELINESTAT_STOP = 0x1A,
	PM4_EVENT_SAMPLE_PIPELINESTAT = 0x1E };
enum { PM4_DATA_SEL_NONE = 0, PM4_DATA_SEL_32 = 1, PM4_DATA_SEL_64 = 2,
	PM4_DATA_SEL_CLOCK = 3 /* nanoseconds of CLOCK_MONOTONIC, 64 bits */ };
enum { PM4_ACQUIRE_ICACHE = 1u << 29 };

/* QW_COPY_BUFFER  src lo, hi; dst lo, hi; bytes lo, hi.  Regions do not overlap.
 * QW_FILL_BUFFER  dst lo, hi; bytes lo, hi; value.  Bytes a multiple of 4. */

/* One plane of an image as the copy engine sees it: embedded in packets. */
struct pm4_surface {
	uint32_t base_lo, base_hi;   /* of level 0, slice 0 */
	uint32_t width, height, slices; /* of level 0; slices: layers, or depth of a 3D image */
	uint32_t is_3d;
	uint32_t level;
	uint32_t tiling;             /* TILING_* */
	uint32_t dfmt, nfmt;         /* DFMT_*, NFMT_*: how texels are read or written */
	uint32_t sel;                /* DST_SEL of channels R G B A, 3 bits each from bit 0: the
	                              * memory component that channel c has (as T_DST_SEL) */
	uint32_t samples;            /* 1, 2, 4, 8; 0 counts as 1.  More than 1: TILING_4X4, level 0, not 3D */
};
/* A linear array of texels in a buffer. */
struct pm4_buffer_image {
	uint32_t address_lo, address_hi;
	uint32_t row_texels, image_rows; /* pitch in texels, rows a slice */
};

/* QW_COPY_IMAGE: raw texels, no conversion; both sides have the same texel size
 * and the same number of samples, all of which are copied; a buffer has one. */
enum { PM4_COPY_IMAGE_TO_IMAGE, PM4_COPY_BUFFER_TO_IMAGE, PM4_COPY_IMAGE_TO_BUFFER };
struct pm4_copy_image {
	uint32_t kind;
	struct pm4_surface src, dst;     /* of the image sides */
	struct pm4_buffer_image buffer;  /* of the buffer side */
	uint32_t src_x, src_y, src_z;    /* z: slice (layer or depth) */
	uint32_t dst_x, dst_y, dst_z;
	uint32_t width, height, depth;   /* texels; depth: slices */
};

/* QW_BLIT_IMAGE: scaled, with format conversion (vkCmdBlitImage).  Corners as
 * Vulkan gives them, exclusive second corner, may be mirrored.  One sample. */
struct pm4_blit_image {
	struct pm4_surface src, dst;
	int32_t src_x0, src_y0, src_z0, src_x1, src_y1, src_z1;
	int32_t dst_x0, dst_y0, dst_z0, dst_x1, dst_y1, dst_z1;
	uint32_t linear;                 /* filter */
};

/* QW_RESOLVE_IMAGE: vkCmdResolveImage and resolve attachments.  src has 2, 4 or
 * 8 samples, dst one; both have the same dfmt and nfmt (sel is not read).
 * AVERAGE: the mean of the samples, of sRGB in linear values; sample 0 of
 * integer formats.  MIN and MAX: of each component (depth; integers too). */
enum { PM4_RESOLVE_AVERAGE, PM4_RESOLVE_SAMPLE_ZERO, PM4_RESOLVE_MIN, PM4_RESOLVE_MAX };
struct pm4_resolve_image {
	struct pm4_surface src, dst;
	uint32_t src_x, src_y, src_z;    /* z: slice */
	uint32_t dst_x, dst_y, dst_z;
	uint32_t width, height, depth;   /* depth: slices */
	uint32_t mode;
};

/* QW_CLEAR_IMAGE: one level, a range of slices, whole extent, all samples. value: the four
 * channels RGBA as the shader would export them (float or integer bits). */
struct pm4_clear_image {
	struct pm4_surface dst;
	uint32_t first_slice, slice_count;
	uint32_t value[4];
};

/* QW_CLEAR_TARGET: a rectangle of the bound targets, in order with draws
 * (load op clear, vkCmdClearAttachments).  Slices relative to SLICE_START.
 * Clipped by the target's size, not by scissors.  Clears every sample. */
enum { PM4_CLEAR_COLOR0 = 1 << 0 /* << n */, PM4_CLEAR_DEPTH = 1 << 8, PM4_CLEAR_STENCIL = 1 << 9 };
struct pm4_clear_target {
	uint32_t targets;                /* one color bit, or depth and/or stencil */
	uint32_t x, y, width, height;
	uint32_t first_slice, slice_count;
	uint32_t value[4];               /* color; or value[0] depth (float bits), value[1] stencil */
};

/* QW_COPY_QUERY: vkCmdCopyQueryPoolResults.  A query slot is 32 bytes:
 * { u64 begin, u64 end, u64 available, u64 unused }; for occlusion the result
 * is end - begin, for timestamps it is end. */
enum { PM4_QUERY_OCCLUSION, PM4_QUERY_TIMESTAMP };
enum { PM4_QUERY_64 = 1, PM4_QUERY_WAIT = 2, PM4_QUERY_AVAILABILITY = 4, PM4_QUERY_PARTIAL = 8 };
struct pm4_copy_query {
	uint32_t src_lo, src_hi;         /* first slot */
	uint32_t count, kind, flags;
	uint32_t dst_lo, dst_hi;
	uint32_t stride_lo, stride_hi;
};

#define PM4_DWORDS(type) (sizeof(struct type) / 4)

#endif
