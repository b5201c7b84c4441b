/* SPDX-License-Identifier: MIT */
/* The table of formats, and vkGetPhysicalDevice*FormatProperties. */
#include "icd/format.h"

#include <string.h>
#include "icd/instance.h"
#include "icd/outarray.h"
#include "icd/physical_device.h"
#include "isa/resource.h"

/* Feature sets.  Every color format can be copied; linear and optimal tiling
 * have the same features, since both are read and written by the same units; but
 * those of depth and stencil, which are tested in blocks. */
#define F_TRANSFER (VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT)
#define F_SAMPLED (F_TRANSFER | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT)
#define F_FILTER (VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT | \
	VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT)
#define F_TARGET (VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT)
#define F_BLEND VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT
#define F_STORE VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT
#define F_ATOMIC VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT
#define F_DEPTH_LINEAR (F_SAMPLED | VK_FORMAT_FEATURE_BLIT_DST_BIT)
#define F_DEPTH (F_DEPTH_LINEAR | VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)
/* Conversions: any siting of chroma, either filter of it.  Formats of one plane take part as well if they are unorm. */
#define F_CONVERT (VK_FORMAT_FEATURE_MIDPOINT_CHROMA_SAMPLES_BIT | VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT | \
	VK_FORMAT_FEATURE_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT | \
	VK_FORMAT_FEATURE_SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER_BIT)
#define B_VERTEX VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT
#define B_TEXEL VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT
#define B_STORE (B_TEXEL | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT)
#define B_ATOMIC VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT

/* Images of unorm, snorm and float; of integers; with and without storage. */
#define I_FLOAT (F_SAMPLED | F_FILTER | F_TARGET | F_BLEND)
#define I_FLOAT_S (I_FLOAT | F_STORE)
#define I_INT (F_SAMPLED | F_TARGET)
#define I_INT_S (I_INT | F_STORE)

/* Channel R G B A is memory component x y z w; 0 and 1 are constants. */
#define S_x SEL_R
#define S_y SEL_G
#define S_z SEL_B
#define S_w SEL_A
#define S_0 SEL_0
#define S_1 SEL_1
#define SEL(r, g, b, a) { S_##r, S_##g, S_##b, S_##a }

/* Blocks of texels. */
#define BLOCK(name, dfmt, nfmt, sel) COLOR(name##_BLOCK, dfmt, nfmt, SEL sel, F_SAMPLED | F_FILTER, 0)
#define ASTC(size) BLOCK(ASTC_##size##_UNORM, ASTC_##size, UNORM, R4), BLOCK(ASTC_##size##_SRGB, ASTC_##size, SRGB, R4), \
	BLOCK(ASTC_##size##_SFLOAT, ASTC_##size, FLOAT, R4)

#define BLOCK_3D(name, dfmt, nfmt) COLOR(name##_BLOCK_EXT, dfmt, nfmt, SEL R4, F_SAMPLED | F_FILTER, 0)
#define ASTC_3D(size) BLOCK_3D(ASTC_##size##_UNORM, ASTC_##size, UNORM), BLOCK_3D(ASTC_##size##_SRGB, ASTC_##size, SRGB), \
	BLOCK_3D(ASTC_##size##_SFLOAT, ASTC_##size, FLOAT)

#define COLOR(name, dfmt_, nfmt_, sel_, image, buffer_) { \
	.format = VK_FORMAT_##name, .aspects = VK_IMAGE_ASPECT_COLOR_BIT, \
	.color = { DFMT_##dfmt_, NFMT_##nfmt_, DFMT_BYTES_##dfmt_, sel_ }, \
	.optimal = (image), .linear = (image), .buffer = (buffer_) }

/* Vertex attributes of 64 bits are words; of more than 16 bytes the rest is in the next location. */
#define WIDE1(name, suffix, dfmt_, sel_, bytes_) { \
	.format = VK_FORMAT_##name##_##suffix, .aspects = VK_IMAGE_ASPECT_COLOR_BIT, \
	.color = { DFMT_##dfmt_, NFMT_UINT, bytes_, sel_ }, .buffer = B_VERTEX }
#define WIDE(name, dfmt, sel, bytes) WIDE1(name, UINT, dfmt, SEL sel, bytes), WIDE1(name, SINT, dfmt, SEL sel, bytes), \
	WIDE1(name, SFLOAT, dfmt, SEL sel, bytes)

/* A texel of storage that is a number of 64 bits: two words, of which shaders make it. */
#define TEXEL64(name, sel_) { \
	.format = VK_FORMAT_##name, .aspects = VK_IMAGE_ASPECT_COLOR_BIT, \
	.color = { DFMT_32_32, NFMT_UINT, DFMT_BYTES_32_32, sel_ }, \
	.optimal = F_TRANSFER | F_STORE | F_ATOMIC, .linear = F_TRANSFER | F_STORE | F_ATOMIC, \
	.buffer = B_VERTEX | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT | B_ATOMIC }

/* The usual seven number formats of one layout. */
#define NORMS(name, suffix, dfmt, sel) \
	COLOR(name##_UNORM##suffix, dfmt, UNORM, SEL sel, I_FLOAT_S, B_VERTEX | B_STORE), \
	COLOR(name##_SNORM##suffix, dfmt, SNORM, SEL sel, I_FLOAT_S, B_VERTEX | B_STORE)
#define SCALED(name, suffix, dfmt, sel) \
	COLOR(name##_USCALED##suffix, dfmt, USCALED, SEL sel, 0, B_VERTEX), \
	COLOR(name##_SSCALED##suffix, dfmt, SSCALED, SEL sel, 0, B_VERTEX)
#define INTS(name, suffix, dfmt, sel, more, more_buffer) \
	COLOR(name##_UINT##suffix, dfmt, UINT, SEL sel, I_INT_S | (more), \
		B_VERTEX | B_STORE | (more_buffer)), \
	COLOR(name##_SINT##suffix, dfmt, SINT, SEL sel, I_INT_S | (more), \
		B_VERTEX | B_STORE | (more_buffer))
#define FLOATS(name, dfmt, sel) \
	COLOR(name##_SFLOAT, dfmt, FLOAT, SEL sel, I_FLOAT_S, B_VERTEX | B_STORE)
#define SRGB(name, suffix, dfmt, sel) \
	COLOR(name##_SRGB##suffix, dfmt, SRGB, SEL sel, I_FLOAT, 0)

#define ALL8(name, dfmt, sel) NORMS(name, , dfmt, sel), \
	SCALED(name, , dfmt, sel), INTS(name, , dfmt, sel, 0, 0)
#define ALL16(name, dfmt, sel) ALL8(name, dfmt, sel), FLOATS(name, dfmt, sel)

/* Three channels: their texels are no target's, since they do not fit the vectors of a block. */
#define THREE_OF(name, nfmt, dfmt, sel, filter) \
	COLOR(name##_##nfmt, dfmt, nfmt, SEL sel, F_SAMPLED | (filter), B_VERTEX | B_TEXEL)
#define THREE(name, dfmt, sel) \
	THREE_OF(name, UNORM, dfmt, sel, F_FILTER), THREE_OF(name, SNORM, dfmt, sel, F_FILTER), SCALED(name, , dfmt, sel), \
	THREE_OF(name, UINT, dfmt, sel, 0), THREE_OF(name, SINT, dfmt, sel, 0)
#define THREE_FLOAT(name, dfmt, sel) \
	COLOR(name##_SFLOAT, dfmt, FLOAT, SEL sel, F_SAMPLED | F_FILTER, B_VERTEX | B_TEXEL)
#define THREE_SRGB(name, dfmt, sel) COLOR(name##_SRGB, dfmt, SRGB, SEL sel, F_SAMPLED | F_FILTER, 0)

#define R1 (x, 0, 0, 1)
#define R2 (x, y, 0, 1)
#define R3 (x, y, z, 1)
#define R4 (x, y, z, w)
#define BGRA (z, y, x, w)
#define BGR (z, y, x, 1)

/* With conversion only ("Formats requiring sampler Y'CbCr conversion").  VIEW: how a T# reads a plane; PLANES: of
 * memory as of T#s; PACKED_422: pairs of texels, of which luma and chroma are read through a T# each. */
#define F_YCBCR (F_TRANSFER | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | F_FILTER | F_CONVERT)
#define VIEW(dfmt, nfmt, sel) { DFMT_##dfmt, NFMT_##nfmt, DFMT_BYTES_##dfmt, SEL sel }
#define YCBCR(name, aspects_, color_, features, ...) { \
	.format = VK_FORMAT_##name, .aspects = VK_IMAGE_ASPECT_COLOR_BIT | (aspects_), .color = color_, \
	.optimal = (features), .linear = (features), .ycbcr = &(const struct icd_ycbcr_format){ __VA_ARGS__ } }
#define A_PLANES2 (VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT)
#define A_PLANES3 (A_PLANES2 | VK_IMAGE_ASPECT_PLANE_2_BIT)
#define F_PLANES (F_YCBCR | VK_FORMAT_FEATURE_DISJOINT_BIT)
#define PLANES3(name, half, bits, one, nfmt) YCBCR(name, A_PLANES3, VIEW(one, nfmt, R1), F_PLANES, \
	3, 3, half, bits, { VIEW(one, nfmt, R1), VIEW(one, nfmt, R1), VIEW(one, nfmt, R1) })
#define PLANES2(name, half, bits, one, two, nfmt) YCBCR(name, A_PLANES2, VIEW(one, nfmt, R1), F_PLANES, \
	2, 2, half, bits, { VIEW(one, nfmt, R1), VIEW(two, nfmt, R2) })
#define PACKED_422(name, pair, bits, two, four, nfmt, luma, chroma) \
	YCBCR(name, 0, VIEW(pair, nfmt, R4), F_YCBCR, 1, 2, 1, bits, { VIEW(two, nfmt, luma), VIEW(four, nfmt, chroma) })
/* All of a number of bits. */
#define PLANAR(bits, g, b, r, br, pack, one, two, nfmt) \
	PLANES3(g##_##b##_##r##_3PLANE_420_UNORM##pack, 3, bits, one, nfmt), \
	PLANES2(g##_##br##_2PLANE_420_UNORM##pack, 3, bits, one, two, nfmt), \
	PLANES3(g##_##b##_##r##_3PLANE_422_UNORM##pack, 1, bits, one, nfmt), \
	PLANES2(g##_##br##_2PLANE_422_UNORM##pack, 1, bits, one, two, nfmt), \
	PLANES3(g##_##b##_##r##_3PLANE_444_UNORM##pack, 0, bits, one, nfmt), \
	PLANES2(g##_##br##_2PLANE_444_UNORM##pack, 0, bits, one, two, nfmt)
#define GBGR (x, 0, 0, 1), (y, w, 0, 1)
#define BGRG (y, 0, 0, 1), (x, z, 0, 1)
#define PACKED(name, pair, bits, two, four, nfmt, order) PACKED_(name, pair, bits, two, four, nfmt, order)
#define PACKED_(...) PACKED_422(__VA_ARGS__)
/* Components of 10 or 12 bits in 16: of one plane.  Four of 10 need no conversion (VK_EXT_rgba10x6_formats). */
#define UPPER(name, bits, dfmt, sel) COLOR(name, dfmt, UNORM_##bits, SEL sel, F_SAMPLED | F_FILTER, 0)

#define DEPTH(name, aspects_, dfmt_, nfmt_, filter) { \
	.format = VK_FORMAT_##name, .aspects = (aspects_), \
	.color = { DFMT_##dfmt_, NFMT_##nfmt_, DFMT_BYTES_##dfmt_, SEL(x, 0, 0, 1) }, \
	.stencil = { (aspects_) & VK_IMAGE_ASPECT_STENCIL_BIT ? DFMT_8 : 0, NFMT_UINT, DFMT_BYTES_8, \
		SEL(x, 0, 0, 1) }, \
	.optimal = F_DEPTH | (filter), .linear = F_DEPTH_LINEAR | (filter), .buffer = 0 }

static const struct icd_format formats[] = {
	COLOR(R4G4B4A4_UNORM_PACK16, 4_4_4_4, UNORM, SEL(w, z, y, x), I_FLOAT, 0),
	COLOR(B4G4R4A4_UNORM_PACK16, 4_4_4_4, UNORM, SEL(y, z, w, x), I_FLOAT, 0),
	COLOR(A4R4G4B4_UNORM_PACK16, 4_4_4_4, UNORM, SEL(z, y, x, w), I_FLOAT, 0),
	COLOR(A4B4G4R4_UNORM_PACK16, 4_4_4_4, UNORM, SEL(x, y, z, w), I_FLOAT, 0),
	COLOR(R5G6B5_UNORM_PACK16, 5_6_5, UNORM, SEL(z, y, x, 1), I_FLOAT, 0),
	COLOR(B5G6R5_UNORM_PACK16, 5_6_5, UNORM, SEL(x, y, z, 1), I_FLOAT, 0),
	COLOR(R5G5B5A1_UNORM_PACK16, 5_5_5_1, UNORM, SEL(w, z, y, x), I_FLOAT, 0),
	COLOR(B5G5R5A1_UNORM_PACK16, 5_5_5_1, UNORM, SEL(y, z, w, x), I_FLOAT, 0),
	COLOR(A1R5G5B5_UNORM_PACK16, 1_5_5_5, UNORM, SEL(z, y, x, w), I_FLOAT, 0),

	ALL8(R8, 8, R1),
	ALL8(R8G8, 8_8, R2),
	ALL8(R8G8B8A8, 8_8_8_8, R4),
	SRGB(R8G8B8A8, , 8_8_8_8, R4),
	ALL8(B8G8R8A8, 8_8_8_8, BGRA),
	SRGB(B8G8R8A8, , 8_8_8_8, BGRA),
	NORMS(A8B8G8R8, _PACK32, 8_8_8_8, R4),
	SCALED(A8B8G8R8, _PACK32, 8_8_8_8, R4),
	INTS(A8B8G8R8, _PACK32, 8_8_8_8, R4, 0, 0),
	SRGB(A8B8G8R8, _PACK32, 8_8_8_8, R4),
	THREE(R8G8B8, 8_8_8, R3), THREE_SRGB(R8G8B8, 8_8_8, R3),
	THREE(B8G8R8, 8_8_8, BGR), THREE_SRGB(B8G8R8, 8_8_8, BGR),

	COLOR(A2R10G10B10_UNORM_PACK32, 2_10_10_10, UNORM, SEL BGRA, I_FLOAT_S, B_VERTEX | B_STORE),
	COLOR(A2R10G10B10_UINT_PACK32, 2_10_10_10, UINT, SEL BGRA, I_INT_S, B_VERTEX | B_STORE),
	COLOR(A2R10G10B10_SNORM_PACK32, 2_10_10_10, SNORM, SEL BGRA, 0, B_VERTEX),
	COLOR(A2R10G10B10_SINT_PACK32, 2_10_10_10, SINT, SEL BGRA, 0, B_VERTEX),
	SCALED(A2R10G10B10, _PACK32, 2_10_10_10, BGRA),
	COLOR(A2B10G10R10_UNORM_PACK32, 2_10_10_10, UNORM, SEL R4, I_FLOAT_S, B_VERTEX | B_STORE),
	COLOR(A2B10G10R10_UINT_PACK32, 2_10_10_10, UINT, SEL R4, I_INT_S, B_VERTEX | B_STORE),
	COLOR(A2B10G10R10_SNORM_PACK32, 2_10_10_10, SNORM, SEL R4, 0, B_VERTEX),
	COLOR(A2B10G10R10_SINT_PACK32, 2_10_10_10, SINT, SEL R4, 0, B_VERTEX),
	SCALED(A2B10G10R10, _PACK32, 2_10_10_10, R4),

	ALL16(R16, 16, R1),
	ALL16(R16G16, 16_16, R2),
	THREE(R16G16B16, 16_16_16, R3), THREE_FLOAT(R16G16B16, 16_16_16, R3),
	ALL16(R16G16B16A16, 16_16_16_16, R4),

	INTS(R32, , 32, R1, F_ATOMIC, B_ATOMIC),
	COLOR(R32_SFLOAT, 32, FLOAT, SEL R1, I_FLOAT_S | F_ATOMIC, B_VERTEX | B_STORE | B_ATOMIC),
	INTS(R32G32, , 32_32, R2, 0, 0),
	FLOATS(R32G32, 32_32, R2),
	THREE_OF(R32G32B32, UINT, 32_32_32, R3, 0), THREE_OF(R32G32B32, SINT, 32_32_32, R3, 0),
	THREE_FLOAT(R32G32B32, 32_32_32, R3),
	INTS(R32G32B32A32, , 32_32_32_32, R4, 0, 0),
	FLOATS(R32G32B32A32, 32_32_32_32, R4),
	TEXEL64(R64_UINT, SEL R2), TEXEL64(R64_SINT, SEL R2), WIDE1(R64, SFLOAT, 32_32, SEL R2, 8),
	WIDE(R64G64, 32_32_32_32, R4, 16),
	WIDE(R64G64B64, 32_32_32_32, R4, 24), WIDE(R64G64B64A64, 32_32_32_32, R4, 32),

	COLOR(B10G11R11_UFLOAT_PACK32, 10_11_11, FLOAT, SEL R3, I_FLOAT_S, B_VERTEX | B_STORE),
	COLOR(E5B9G9R9_UFLOAT_PACK32, 5_9_9_9, FLOAT, SEL R3, F_SAMPLED | F_FILTER, 0),

	BLOCK(BC1_RGB_UNORM, BC1, UNORM, R3), BLOCK(BC1_RGB_SRGB, BC1, SRGB, R3),
	BLOCK(BC1_RGBA_UNORM, BC1, UNORM, R4), BLOCK(BC1_RGBA_SRGB, BC1, SRGB, R4),
	BLOCK(BC2_UNORM, BC2, UNORM, R4), BLOCK(BC2_SRGB, BC2, SRGB, R4),
	BLOCK(BC3_UNORM, BC3, UNORM, R4), BLOCK(BC3_SRGB, BC3, SRGB, R4),
	BLOCK(BC4_UNORM, BC4, UNORM, R1), BLOCK(BC4_SNORM, BC4, SNORM, R1),
	BLOCK(BC5_UNORM, BC5, UNORM, R2), BLOCK(BC5_SNORM, BC5, SNORM, R2),
	BLOCK(BC6H_UFLOAT, BC6, UNORM, R3), BLOCK(BC6H_SFLOAT, BC6, SNORM, R3),
	BLOCK(ETC2_R8G8B8_UNORM, ETC2_RGB, UNORM, R3), BLOCK(ETC2_R8G8B8_SRGB, ETC2_RGB, SRGB, R3),
	BLOCK(ETC2_R8G8B8A1_UNORM, ETC2_RGBA1, UNORM, R4), BLOCK(ETC2_R8G8B8A1_SRGB, ETC2_RGBA1, SRGB, R4),
	BLOCK(ETC2_R8G8B8A8_UNORM, ETC2_RGBA, UNORM, R4), BLOCK(ETC2_R8G8B8A8_SRGB, ETC2_RGBA, SRGB, R4),
	BLOCK(EAC_R11_UNORM, ETC2_R, UNORM, R1), BLOCK(EAC_R11_SNORM, ETC2_R, SNORM, R1),
	BLOCK(EAC_R11G11_UNORM, ETC2_RG, UNORM, R2), BLOCK(EAC_R11G11_SNORM, ETC2_RG, SNORM, R2),
	ASTC(4x4), ASTC(5x4), ASTC(5x5), ASTC(6x5), ASTC(6x6), ASTC(8x5), ASTC(8x6), ASTC(8x8),
	ASTC(10x5), ASTC(10x6), ASTC(10x8), ASTC(10x10), ASTC(12x10), ASTC(12x12),
	ASTC_3D(3x3x3), ASTC_3D(4x3x3), ASTC_3D(4x4x3), ASTC_3D(4x4x4), ASTC_3D(5x4x4), ASTC_3D(5x5x4), ASTC_3D(5x5x5),
	ASTC_3D(6x5x5), ASTC_3D(6x6x5), ASTC_3D(6x6x6),
	BLOCK(BC7_UNORM, BC7, UNORM, R4), BLOCK(BC7_SRGB, BC7, SRGB, R4),

	PLANAR(8, G8, B8, R8, B8R8, , 8, 8_8, UNORM),
	PLANAR(10, G10X6, B10X6, R10X6, B10X6R10X6, _3PACK16, 16, 16_16, UNORM_10),
	PLANAR(12, G12X4, B12X4, R12X4, B12X4R12X4, _3PACK16, 16, 16_16, UNORM_12),
	PLANAR(16, G16, B16, R16, B16R16, , 16, 16_16, UNORM),
	PACKED(G8B8G8R8_422_UNORM, GB_GR, 8, 8_8, 8_8_8_8, UNORM, GBGR),
	PACKED(B8G8R8G8_422_UNORM, GB_GR, 8, 8_8, 8_8_8_8, UNORM, BGRG),
	PACKED(G10X6B10X6G10X6R10X6_422_UNORM_4PACK16, GB_GR_16, 10, 16_16, 16_16_16_16, UNORM_10, GBGR),
	PACKED(B10X6G10X6R10X6G10X6_422_UNORM_4PACK16, GB_GR_16, 10, 16_16, 16_16_16_16, UNORM_10, BGRG),
	PACKED(G12X4B12X4G12X4R12X4_422_UNORM_4PACK16, GB_GR_16, 12, 16_16, 16_16_16_16, UNORM_12, GBGR),
	PACKED(B12X4G12X4R12X4G12X4_422_UNORM_4PACK16, GB_GR_16, 12, 16_16, 16_16_16_16, UNORM_12, BGRG),
	PACKED(G16B16G16R16_422_UNORM, GB_GR_16, 16, 16_16, 16_16_16_16, UNORM, GBGR),
	PACKED(B16G16R16G16_422_UNORM, GB_GR_16, 16, 16_16, 16_16_16_16, UNORM, BGRG),
	UPPER(R10X6_UNORM_PACK16, 10, 16, R1), UPPER(R10X6G10X6_UNORM_2PACK16, 10, 16_16, R2),
	UPPER(R10X6G10X6B10X6A10X6_UNORM_4PACK16, 10, 16_16_16_16, R4),
	UPPER(R12X4_UNORM_PACK16, 12, 16, R1), UPPER(R12X4G12X4_UNORM_2PACK16, 12, 16_16, R2),
	YCBCR(R12X4G12X4B12X4A12X4_UNORM_4PACK16, 0, VIEW(16_16_16_16, UNORM_12, R4), F_YCBCR, 1, 1, 0, 12,
		{ VIEW(16_16_16_16, UNORM_12, R4) }),

	DEPTH(D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT, 16, UNORM, F_FILTER),
	DEPTH(D16_UNORM_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 16, UNORM, F_FILTER),
	DEPTH(X8_D24_UNORM_PACK32, VK_IMAGE_ASPECT_DEPTH_BIT, 8_24, UNORM, F_FILTER),
	DEPTH(D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 8_24, UNORM, F_FILTER),
	DEPTH(D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT, 32, FLOAT, F_FILTER),
	DEPTH(D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 32, FLOAT,
		F_FILTER),
	{ .format = VK_FORMAT_S8_UINT, .aspects = VK_IMAGE_ASPECT_STENCIL_BIT,
		.stencil = { DFMT_8, NFMT_UINT, DFMT_BYTES_8, SEL(x, 0, 0, 1) }, .optimal = F_DEPTH, .linear = F_DEPTH_LINEAR },
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

const struct icd_format *icd_format_get(VkFormat format)
{
	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		if (formats[i].format == format)
			return &formats[i];
	return NULL;
}

const struct icd_plane_format *icd_format_plane(const struct icd_format *f,
	VkImageAspectFlags aspect)
{
	if (f->ycbcr && aspect & VK_IMAGE_ASPECT_PLANE_1_BIT)
		return &f->ycbcr->view[1];
	if (f->ycbcr && aspect & VK_IMAGE_ASPECT_PLANE_2_BIT)
		return &f->ycbcr->view[2];
	return aspect & VK_IMAGE_ASPECT_STENCIL_BIT ? &f->stencil : &f->color;
}

static bool is_unorm(const struct icd_plane_format *p)
{
	return p->nfmt == NFMT_UNORM || p->nfmt == NFMT_UNORM_10 || p->nfmt == NFMT_UNORM_12;
}

static VkFormatFeatureFlags image_features(const struct icd_format *f, VkImageTiling tiling)
{
	VkFormatFeatureFlags features = tiling == VK_IMAGE_TILING_LINEAR ? f->linear : f->optimal;
	bool converts = features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT && f->aspects == VK_IMAGE_ASPECT_COLOR_BIT &&
		is_unorm(&f->color) && !icd_format_is_block(&f->color);
	return converts ? features | F_CONVERT : features;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceFormatProperties(VkPhysicalDevice physicalDevice,
	VkFormat format, VkFormatProperties *pFormatProperties)
{
	const struct icd_format *f = icd_format_get(format);
	memset(pFormatProperties, 0, sizeof *pFormatProperties);
	if (!f)
		return;
	pFormatProperties->linearTilingFeatures = image_features(f, VK_IMAGE_TILING_LINEAR);
	pFormatProperties->optimalTilingFeatures = image_features(f, VK_IMAGE_TILING_OPTIMAL);
	pFormatProperties->bufferFeatures = f->buffer;
}

/* The same features in 64 bits, and those that only these have: storage needs no format here. */
static VkFormatFeatureFlags2 features2(VkFormatFeatureFlags f, VkImageAspectFlags aspects)
{
	const VkFormatFeatureFlags storage = VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
	VkFormatFeatureFlags2 f2 = f;
	if (f & storage)
		f2 |= VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT | VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
	if (f & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT && aspects & VK_IMAGE_ASPECT_DEPTH_BIT)
		f2 |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
	return f2;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice physicalDevice,
	VkFormat format, VkFormatProperties2 *pFormatProperties)
{
	const struct icd_format *f = icd_format_get(format);
	VkFormatProperties *old = &pFormatProperties->formatProperties;
	icd_GetPhysicalDeviceFormatProperties(physicalDevice, format, old);
	for (VkBaseOutStructure *s = pFormatProperties->pNext; s; s = s->pNext) {
		VkFormatProperties3 *p = (VkFormatProperties3 *)s;
		if (s->sType != VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3)
			continue;
		p->linearTilingFeatures = features2(old->linearTilingFeatures, f ? f->aspects : 0);
		p->optimalTilingFeatures = features2(old->optimalTilingFeatures, f ? f->aspects : 0);
		p->bufferFeatures = features2(old->bufferFeatures, 0);
	}
}

/* Usage bits that a format with these features allows. */
static VkImageUsageFlags allowed_usage(VkFormatFeatureFlags f)
{
	VkImageUsageFlags usage = 0;
	if (f & VK_FORMAT_FEATURE_TRANSFER_SRC_BIT)
		usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
	if (f & VK_FORMAT_FEATURE_TRANSFER_DST_BIT)
		usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
	if (f & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)
		usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
	if (f & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)
		usage |= VK_IMAGE_USAGE_STORAGE_BIT;
	if (f & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)
		usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT |
			VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT | VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
	if (f & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)
		usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT |
			VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT | VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
	return usage;
}

/* With EXTENDED_USAGE an image may have any usage that some view of it can have: views take formats of the same
 * texel size, or of the same blocks and, where views of blocks as texels are asked for, of texels of their size.  Of
 * several planes the first stands for all: what can be done with texels of its size can with the others. */
static VkImageUsageFlags extended_usage(const struct icd_format *f, VkImageTiling tiling, bool blocks_as_texels)
{
	VkImageUsageFlags usage = 0;
	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		if (formats[i].aspects == VK_IMAGE_ASPECT_COLOR_BIT && formats[i].color.bytes == f->color.bytes &&
			(blocks_as_texels || formats[i].color.dfmt == f->color.dfmt || !icd_format_is_block(&f->color)))
			usage |= allowed_usage(tiling == VK_IMAGE_TILING_LINEAR ? formats[i].linear :
				formats[i].optimal);
	return usage;
}

/* More than one sample: for 2D images of formats that can be targets, unless they
 * are linear or cubes ("Supported Sample Counts"). */
static VkSampleCountFlags sample_counts(VkFormatFeatureFlags features, VkImageType type, VkImageTiling tiling,
	VkImageCreateFlags flags)
{
	const VkFormatFeatureFlags target = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT |
		VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
	if (type != VK_IMAGE_TYPE_2D || tiling != VK_IMAGE_TILING_OPTIMAL || !(features & target) || flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT)
		return VK_SAMPLE_COUNT_1_BIT;
	return ICD_SAMPLE_COUNTS;
}

static uint32_t levels_of(uint32_t size)
{
	uint32_t levels = 1;
	while (size >>= 1)
		levels++;
	return levels;
}

enum { SPARSE_OR_PROTECTED = VK_IMAGE_CREATE_SPARSE_BINDING_BIT |
	VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT | VK_IMAGE_CREATE_SPARSE_ALIASED_BIT |
	VK_IMAGE_CREATE_PROTECTED_BIT };

/* What images whose format needs a conversion cannot be.  A single plane is disjoint as the alias of one of several
 * (VUID-VkImageCreateInfo-format-01577). */
static bool ycbcr_supported(const struct icd_format *f, VkImageType type, VkImageCreateFlags flags)
{
	const VkImageCreateFlags disjoint = flags & (VK_IMAGE_CREATE_DISJOINT_BIT | VK_IMAGE_CREATE_ALIAS_BIT);
	if (icd_format_planes(f) == 1 && disjoint == VK_IMAGE_CREATE_DISJOINT_BIT)
		return false;
	return !f->ycbcr || (type == VK_IMAGE_TYPE_2D && !(flags & (VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT |
		VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT)));
}

/* The bits of Vulkan 1.1 and of our extensions.  Others come from extensions that this
 * device does not have; applications that set them regardless get an answer for the rest. */
enum {
	KNOWN_USAGE = (2 * VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT - 1) | VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT,
	KNOWN_FLAGS = (2 * VK_IMAGE_CREATE_PROTECTED_BIT - 1) | VK_IMAGE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT |
		VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT,
};

/* The known ones of `bits`; each of the others is reported once an instance. */
static VkFlags known_bits(struct icd_instance *instance, const char *what, VkFlags bits, VkFlags known,
	_Atomic uint32_t *told)
{
	VkFlags strange = bits & ~known;
	if (strange && strange & ~atomic_fetch_or(told, strange))
		icd_log(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, NULL,
			"image %s 0x%x: of no extension that this device has, left out", what, strange);
	return bits & known;
}

VkImageUsageFlags icd_known_image_usage(struct icd_instance *instance, VkImageUsageFlags usage)
{
	return known_bits(instance, "usage", usage, KNOWN_USAGE, &instance->strange_usage);
}

VkImageCreateFlags icd_known_image_flags(struct icd_instance *instance, VkImageCreateFlags flags)
{
	return known_bits(instance, "flags", flags, KNOWN_FLAGS, &instance->strange_flags);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceImageFormatProperties(
	VkPhysicalDevice physicalDevice, VkFormat format, VkImageType type, VkImageTiling tiling,
	VkImageUsageFlags usage, VkImageCreateFlags flags, VkImageFormatProperties *p)
{
	ICD_FROM_HANDLE(icd_physical_device, pd, physicalDevice);
	const struct icd_format *f = icd_format_get(format);
	VkFormatFeatureFlags features;
	VkImageUsageFlags allowed;

	memset(p, 0, sizeof *p);
	usage = icd_known_image_usage(pd->instance, usage);
	flags = icd_known_image_flags(pd->instance, flags);
	if (!f || (tiling != VK_IMAGE_TILING_OPTIMAL && tiling != VK_IMAGE_TILING_LINEAR))
		return VK_ERROR_FORMAT_NOT_SUPPORTED;
	features = tiling == VK_IMAGE_TILING_LINEAR ? f->linear : f->optimal;
	allowed = flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT && f->aspects & VK_IMAGE_ASPECT_COLOR_BIT &&
		(!f->ycbcr || f->ycbcr->planes > 1) ?
		extended_usage(f, tiling, flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT) : allowed_usage(features);
	if (!features || usage & ~allowed || flags & SPARSE_OR_PROTECTED)
		return VK_ERROR_FORMAT_NOT_SUPPORTED;
	if (!ycbcr_supported(f, type, flags))
		return VK_ERROR_FORMAT_NOT_SUPPORTED;
	if (flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT && type != VK_IMAGE_TYPE_2D)
		return VK_ERROR_FORMAT_NOT_SUPPORTED;
	if (flags & (VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT) && type != VK_IMAGE_TYPE_3D)
		return VK_ERROR_FORMAT_NOT_SUPPORTED;
	if (type == VK_IMAGE_TYPE_3D && !(f->aspects & VK_IMAGE_ASPECT_COLOR_BIT))
		return VK_ERROR_FORMAT_NOT_SUPPORTED;
	if (surf_dfmt_depth(f->color.dfmt) > 1 && (type != VK_IMAGE_TYPE_3D || flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT))
		return VK_ERROR_FORMAT_NOT_SUPPORTED;
	if (icd_format_is_block(&f->color) ? type == VK_IMAGE_TYPE_1D : flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT)
		return VK_ERROR_FORMAT_NOT_SUPPORTED;

	switch (type) {
	case VK_IMAGE_TYPE_1D:
		p->maxExtent = (VkExtent3D){ ICD_MAX_IMAGE_SIZE, 1, 1 };
		p->maxArrayLayers = ICD_MAX_LAYERS;
		break;
	case VK_IMAGE_TYPE_2D:
		p->maxExtent = (VkExtent3D){ ICD_MAX_IMAGE_SIZE, ICD_MAX_IMAGE_SIZE, 1 };
		p->maxArrayLayers = ICD_MAX_LAYERS;
		break;
	case VK_IMAGE_TYPE_3D:
		p->maxExtent = (VkExtent3D){ ICD_MAX_IMAGE_3D, ICD_MAX_IMAGE_3D, ICD_MAX_IMAGE_3D };
		p->maxArrayLayers = 1;
		break;
	default:
		return VK_ERROR_FORMAT_NOT_SUPPORTED;
	}
	p->maxMipLevels = f->ycbcr ? 1 : levels_of(p->maxExtent.width);
	p->sampleCounts = sample_counts(features, type, tiling, flags);
	p->maxResourceSize = pd->heap_size;
	return VK_SUCCESS;
}

void icd_no_compression(void *chain)
{
	for (VkBaseOutStructure *s = chain; s; s = s->pNext) {
		if (s->sType == VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT) {
			((VkImageCompressionPropertiesEXT *)s)->imageCompressionFlags = VK_IMAGE_COMPRESSION_DISABLED_EXT;
			((VkImageCompressionPropertiesEXT *)s)->imageCompressionFixedRateFlags = 0;
		}
	}
}

/* Cubic filters: of views of one or two dimensions, no cubes. */
static void tell_cubic(const VkPhysicalDeviceImageFormatInfo2 *info, VkFilterCubicImageViewImageFormatPropertiesEXT *p)
{
	const VkPhysicalDeviceImageViewImageFormatInfoEXT *view = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_IMAGE_FORMAT_INFO_EXT);
	const struct icd_format *f = icd_format_get(info->format);
	VkFormatFeatureFlags features = !f ? 0 : info->tiling == VK_IMAGE_TILING_LINEAR ? f->linear : f->optimal;
	p->filterCubic = view && features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT &&
		view->imageViewType != VK_IMAGE_VIEW_TYPE_3D && view->imageViewType != VK_IMAGE_VIEW_TYPE_CUBE &&
		view->imageViewType != VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
	p->filterCubicMinmax = p->filterCubic;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceImageFormatProperties2(
	VkPhysicalDevice physicalDevice, const VkPhysicalDeviceImageFormatInfo2 *info,
	VkImageFormatProperties2 *properties)
{
	const VkPhysicalDeviceExternalImageFormatInfo *external = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
	VkResult result;
	if (external && external->handleType) {
		memset(&properties->imageFormatProperties, 0, sizeof properties->imageFormatProperties);
		return VK_ERROR_FORMAT_NOT_SUPPORTED;
	}
	const VkImageStencilUsageCreateInfo *stencil = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
	result = icd_GetPhysicalDeviceImageFormatProperties(physicalDevice, info->format, info->type,
		info->tiling, info->usage | (stencil ? stencil->stencilUsage : 0), info->flags,
		&properties->imageFormatProperties);
	icd_no_compression(properties->pNext);
	for (VkBaseOutStructure *s = properties->pNext; s; s = s->pNext) {
		if (s->sType == VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES)
			memset(&((VkExternalImageFormatProperties *)s)->externalMemoryProperties, 0,
				sizeof(VkExternalMemoryProperties));
		if (s->sType == VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES)
			((VkSamplerYcbcrConversionImageFormatProperties *)s)->combinedImageSamplerDescriptorCount =
				icd_format_descriptors(icd_format_get(info->format));
		if (s->sType == VK_STRUCTURE_TYPE_FILTER_CUBIC_IMAGE_VIEW_IMAGE_FORMAT_PROPERTIES_EXT)
			tell_cubic(info, (VkFilterCubicImageViewImageFormatPropertiesEXT *)s);
	}
	return result;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceSparseImageFormatProperties(
	VkPhysicalDevice physicalDevice, VkFormat format, VkImageType type,
	VkSampleCountFlagBits samples, VkImageUsageFlags usage, VkImageTiling tiling,
	uint32_t *pPropertyCount, VkSparseImageFormatProperties *pProperties)
{
	*pPropertyCount = 0;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceSparseImageFormatProperties2(
	VkPhysicalDevice physicalDevice, const VkPhysicalDeviceSparseImageFormatInfo2 *pFormatInfo,
	uint32_t *pPropertyCount, VkSparseImageFormatProperties2 *pProperties)
{
	*pPropertyCount = 0;
}
