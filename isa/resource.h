/* SPDX-License-Identifier: MIT */
/* Resource descriptors in memory and SGPRs: V# (buffer, 4 dwords), T# (image,
 * 8 dwords), S# (sampler, 4 dwords).  Bit positions follow the GCN memory
 * handling document; where that leaves a value free, it is fixed here.
 *
 * Addresses are host addresses: V# BASE is the 48-bit byte address, T# BASE is
 * address >> 8, so image planes and mip levels are 256-byte aligned. */
#ifndef ISA_RESOURCE_H
#define ISA_RESOURCE_H

#include <stdint.h>
#include "isa/formats.def"

/* A field: dword, low bit, width. */
struct isa_field { uint8_t dword, lo, width; };
#define ISA_GET(d, F) isa_field_get((d), F)
#define ISA_SET(d, F, v) isa_field_set((d), F, (v))

static inline uint32_t isa_field_get(const uint32_t *d, struct isa_field f)
{
	return d[f.dword] >> f.lo & (f.width == 32 ? ~0u : (1u << f.width) - 1);
}
static inline void isa_field_set(uint32_t *d, struct isa_field f, uint32_t v)
{
	uint32_t m = (f.width == 32 ? ~0u : (1u << f.width) - 1) << f.lo;
	d[f.dword] = (d[f.dword] & ~m) | (v << f.lo & m);
}
#define ISA_FIELD(bit, w) ((struct isa_field){ (bit) / 32, (bit) % 32, (w) })

/* V# */
#define V_BASE_LO      ISA_FIELD(0, 32)
#define V_BASE_HI      ISA_FIELD(32, 16)
#define V_STRIDE       ISA_FIELD(48, 14)
#define V_CACHE_SWZ    ISA_FIELD(62, 1)
#define V_SWIZZLE_EN   ISA_FIELD(63, 1)
#define V_NUM_RECORDS  ISA_FIELD(64, 32) /* bytes if STRIDE == 0, else records */
#define V_DST_SEL(c)   ISA_FIELD(96 + 3 * (c), 3)
#define V_NUM_FORMAT   ISA_FIELD(108, 3)
#define V_DATA_FORMAT  ISA_FIELD(111, 4)
#define V_ELEM_SIZE    ISA_FIELD(115, 2)
#define V_INDEX_STRIDE ISA_FIELD(117, 2)
#define V_TID_ENABLE   ISA_FIELD(119, 1)
#define V_DATA_FORMAT_HI ISA_FIELD(120, 2) /* bits 4 and 5, which the hardware lacks */
#define V_TYPE         ISA_FIELD(126, 2) /* 0 */

/* T# */
#define T_BASE_LO      ISA_FIELD(0, 32)
#define T_BASE_HI      ISA_FIELD(32, 8)
#define T_MIN_LOD      ISA_FIELD(40, 12) /* u4.8 */
#define T_DATA_FORMAT  ISA_FIELD(52, 6)
#define T_NUM_FORMAT   ISA_FIELD(58, 4)
#define T_WIDTH        ISA_FIELD(64, 14) /* of level 0 of the resource, minus 1 */
#define T_HEIGHT       ISA_FIELD(78, 14)
#define T_DST_SEL(c)   ISA_FIELD(96 + 3 * (c), 3)
#define T_BASE_LEVEL   ISA_FIELD(108, 4)
#define T_LAST_LEVEL   ISA_FIELD(112, 4)
#define T_TILING_INDEX ISA_FIELD(116, 5)
#define T_TYPE         ISA_FIELD(124, 4)
#define T_DEPTH        ISA_FIELD(128, 13) /* 3D: depth - 1; else layers of the resource - 1 */
#define T_PITCH        ISA_FIELD(141, 14) /* not used: isa/surface.h derives it */
#define T_BC_SWIZZLE   ISA_FIELD(157, 3)  /* BC_*: the channels of a border colour that the components of memory are, in order */
#define T_BASE_ARRAY   ISA_FIELD(160, 13)
#define T_LAST_ARRAY   ISA_FIELD(173, 13)
#define T_DECODED_LO   ISA_FIELD(192, 32) /* address >> 8 of a decoded plane (isa/decoded.h); 0: there is none */
#define T_DECODED_HI   ISA_FIELD(224, 8)
#define T_OF_BLOCKS    ISA_FIELD(232, 1)  /* it is such a plane's: texels are filtered as those of its blocks are, to the bit */
/* A null descriptor is all zero: DATA_FORMAT 0 reads zero and drops writes. */

/* Image types.  2D_MSAA and 2D_MSAA_ARRAY: LAST_LEVEL is log2 of the samples,
 * BASE_LEVEL 0, tiling 4X4.  image_load, image_store and the atomics take x, y,
 * [slice with DA,] sample; samples that the image lacks are out of range.
 * image_get_resinfo gives the number of samples where it gives that of levels.
 * The sampling instructions refuse them. */
enum { T_TYPE_BUFFER = 0, T_TYPE_1D = 8, T_TYPE_2D = 9, T_TYPE_3D = 10, T_TYPE_CUBE = 11,
	T_TYPE_1D_ARRAY = 12, T_TYPE_2D_ARRAY = 13, T_TYPE_2D_MSAA = 14, T_TYPE_2D_MSAA_ARRAY = 15 };

/* Tiling indices: see isa/surface.h. */
enum { TILING_LINEAR = 8, TILING_4X4 = 13 };

/* DST_SEL */
enum { SEL_0 = 0, SEL_1 = 1, SEL_R = 4, SEL_G = 5, SEL_B = 6, SEL_A = 7 };

/* DFMT_* and NFMT_*: isa/formats.def.  DFMT_BYTES_*: of an element. */
enum {
#define DATA_FORMAT(name, number, bytes, ...) DFMT_##name = (number), DFMT_BYTES_##name = (bytes),
	ISA_DATA_FORMATS(DATA_FORMAT)
#undef DATA_FORMAT
#define NUMBER_FORMAT(name, number) NFMT_##name = (number),
	ISA_NUMBER_FORMATS(NUMBER_FORMAT)
#undef NUMBER_FORMAT
};

/* S# */
#define S_CLAMP_X      ISA_FIELD(0, 3)
#define S_CLAMP_Y      ISA_FIELD(3, 3)
#define S_CLAMP_Z      ISA_FIELD(6, 3)
#define S_MAX_ANISO_RATIO ISA_FIELD(9, 3) /* log2 */
#define S_DEPTH_COMPARE_FUNC ISA_FIELD(12, 3)
#define S_FORCE_UNNORMALIZED ISA_FIELD(15, 1)
#define S_TRUNC_COORD  ISA_FIELD(27, 1)
#define S_DISABLE_CUBE_WRAP ISA_FIELD(28, 1)
#define S_FILTER_MODE  ISA_FIELD(29, 2)
#define S_MIN_LOD      ISA_FIELD(32, 12) /* u4.8 */
#define S_MAX_LOD      ISA_FIELD(44, 12) /* u4.8 */
#define S_LOD_BIAS     ISA_FIELD(64, 14) /* s5.8 */
#define S_XY_MAG_FILTER ISA_FIELD(84, 2)
#define S_XY_MIN_FILTER ISA_FIELD(86, 2)
#define S_Z_FILTER     ISA_FIELD(88, 2)
#define S_MIP_FILTER   ISA_FIELD(90, 2)
#define S_BORDER_COLOR_PTR ISA_FIELD(96, 12) /* entry of the table of border colours */
#define S_CUBIC_MAG    ISA_FIELD(112, 1) /* with a bilinear filter: 4x4 texels by Catmull-Rom weights */
#define S_CUBIC_MIN    ISA_FIELD(113, 1)
#define S_BORDER_COLOR_TYPE ISA_FIELD(126, 2)

enum { S_WRAP = 0, S_MIRROR = 1, S_CLAMP_LAST_TEXEL = 2, S_MIRROR_ONCE_LAST_TEXEL = 3,
	S_CLAMP_HALF_BORDER = 4, S_MIRROR_ONCE_HALF_BORDER = 5, S_CLAMP_BORDER = 6,
	S_MIRROR_ONCE_BORDER = 7 };
/* ANISO_*: several such probes, where MAX_ANISO_RATIO is not 0; docs/texture-filters.md says where. */
enum { S_FILTER_POINT = 0, S_FILTER_BILINEAR = 1, S_FILTER_ANISO_POINT = 2, S_FILTER_ANISO_BILINEAR = 3 };
/* FILTER_MODE: the texels that count are blended, or their least or greatest components taken. */
enum { S_MODE_BLEND = 0, S_MODE_MIN = 1, S_MODE_MAX = 2 };
enum { S_MIP_NONE = 0, S_MIP_POINT = 1, S_MIP_LINEAR = 2 };
enum { S_BORDER_TRANS_BLACK = 0, S_BORDER_OPAQUE_BLACK = 1, S_BORDER_OPAQUE_WHITE = 2,
	S_BORDER_TABLE = 3 };
/* The table of border colours: TA_BC_BASE_ADDR of isa/regs.def, entries of four dwords, red first. */
#define S_BORDER_ENTRIES 4096
#define S_BORDER_BYTES   16
enum { BC_XYZW = 0, BC_XWYZ = 1, BC_WZYX = 2, BC_WXYZ = 3, BC_ZYXW = 4, BC_YXWZ = 5 };
/* S_DEPTH_COMPARE_FUNC: COMPARE_* of isa/regs.def. */

static inline uint64_t v_base(const uint32_t *v)
{
	return (uint64_t)(v[1] & 0xffff) << 32 | v[0];
}
static inline uint64_t t_base(const uint32_t *t)
{
	return ((uint64_t)(t[1] & 0xff) << 32 | t[0]) << 8;
}

static inline uint64_t t_decoded(const uint32_t *t)
{
	return ((uint64_t)(t[7] & 0xff) << 32 | t[6]) << 8;
}

static inline uint32_t v_dfmt(const uint32_t *v)
{
	return ISA_GET(v, V_DATA_FORMAT_HI) << 4 | ISA_GET(v, V_DATA_FORMAT);
}
static inline void v_set_dfmt(uint32_t *v, uint32_t dfmt)
{
	ISA_SET(v, V_DATA_FORMAT, dfmt & 15);
	ISA_SET(v, V_DATA_FORMAT_HI, dfmt >> 4);
}

/* V# of raw bytes (uniform and storage buffers): stride 0, records in bytes. */
static inline void isa_raw_v(uint64_t address, uint64_t bytes, uint32_t v[4])
{
	v[0] = v[1] = v[2] = v[3] = 0;
	ISA_SET(v, V_BASE_LO, (uint32_t)address);
	ISA_SET(v, V_BASE_HI, (uint32_t)(address >> 32));
	ISA_SET(v, V_NUM_RECORDS, bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes);
	for (unsigned c = 0; c < 4; c++)
		ISA_SET(v, V_DST_SEL(c), SEL_R + c);
	ISA_SET(v, V_NUM_FORMAT, NFMT_UINT);
	ISA_SET(v, V_DATA_FORMAT, DFMT_32);
}

#endif
