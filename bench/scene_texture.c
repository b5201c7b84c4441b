/* SPDX-License-Identifier: MIT */
/* Scenes bound by sampling: a format, a filter and a layout each, four samples a pixel. */
#include "bench/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tex_2d_frag.h"
#include "tex_3d_frag.h"
#include "tex_compare_frag.h"
#include "tex_cube_frag.h"
#include "tex_bias_frag.h"
#include "tex_grad_frag.h"
#include "tex_lod_frag.h"
#include "tex_gather_frag.h"
#include "tex_load_frag.h"
#include "tex_offset_frag.h"
#include "tex_vert.h"

enum { SIZE = 256, DEPTH = 16, BLOCK = 4, FACES = 6, TAPS = 4, TEXELS = SIZE * SIZE * DEPTH };

/* How texels are stored. */
enum packing { BYTES, BYTES_BGRA, BYTES_SRGB, WORDS, SIGNED_WORDS, TENS, FIVES, HALVES, SMALL_FLOATS, FLOATS, BLOCKS };
struct format {
	VkFormat format;
	enum packing packing;
	unsigned channels, bytes; /* a texel's, or a block's */
};

static const struct format rgba8 = { VK_FORMAT_R8G8B8A8_UNORM, BYTES, 4, 4 };
static const struct format bgra8 = { VK_FORMAT_B8G8R8A8_UNORM, BYTES_BGRA, 4, 4 };
static const struct format srgb8 = { VK_FORMAT_R8G8B8A8_SRGB, BYTES_SRGB, 4, 4 };
static const struct format r8 = { VK_FORMAT_R8_UNORM, BYTES, 1, 1 };
static const struct format rg8 = { VK_FORMAT_R8G8_UNORM, BYTES, 2, 2 };
static const struct format rgba16f = { VK_FORMAT_R16G16B16A16_SFLOAT, HALVES, 4, 8 };
static const struct format rgba16 = { VK_FORMAT_R16G16B16A16_UNORM, WORDS, 4, 8 };
static const struct format rg16s = { VK_FORMAT_R16G16_SNORM, SIGNED_WORDS, 2, 4 };
static const struct format rgba16s = { VK_FORMAT_R16G16B16A16_SNORM, SIGNED_WORDS, 4, 8 };
static const struct format d16 = { VK_FORMAT_D16_UNORM, WORDS, 1, 2 };
static const struct format rgb10a2 = { VK_FORMAT_A2B10G10R10_UNORM_PACK32, TENS, 3, 4 };
static const struct format r5g6b5 = { VK_FORMAT_R5G6B5_UNORM_PACK16, FIVES, 3, 2 };
static const struct format r16f = { VK_FORMAT_R16_SFLOAT, HALVES, 1, 2 };
static const struct format rg16f = { VK_FORMAT_R16G16_SFLOAT, HALVES, 2, 4 };
static const struct format r11g11b10f = { VK_FORMAT_B10G11R11_UFLOAT_PACK32, SMALL_FLOATS, 3, 4 };
static const struct format r32f = { VK_FORMAT_R32_SFLOAT, FLOATS, 1, 4 };
static const struct format rgba32f = { VK_FORMAT_R32G32B32A32_SFLOAT, FLOATS, 4, 16 };
static const struct format d32 = { VK_FORMAT_D32_SFLOAT, FLOATS, 1, 4 };
static const struct format bc1 = { VK_FORMAT_BC1_RGBA_UNORM_BLOCK, BLOCKS, 3, 8 };
static const struct format bc3 = { VK_FORMAT_BC3_UNORM_BLOCK, BLOCKS, 3, 16 };
static const struct format bc5 = { VK_FORMAT_BC5_UNORM_BLOCK, BLOCKS, 2, 16 };
static const struct format bc7 = { VK_FORMAT_BC7_UNORM_BLOCK, BLOCKS, 3, 16 };

enum kind { TEX_2D, TEX_COMPARE, TEX_3D, TEX_CUBE, TEX_LOAD, TEX_GATHER, TEX_OFFSET, TEX_BIAS, TEX_LOD, TEX_GRAD };
struct texture_scene {
	const struct format *format;
	enum kind kind;
	VkFilter filter;
	bool mips, clamp, border, attachment, ramp; /* ramp: of one row */
	unsigned aniso; /* probes; 0: isotropic.  The footprint is as many times as long as wide */
};

/* --- texels --- */

/* 4 bits of it matter: every format has those exactly, but UNORM, SRGB and blocks. */
static float fraction(uint8_t code) { return (float)(code >> 4) / 16; }

/* An unsigned float of 5 exponent bits, of a value that it has exactly. */
static uint32_t small_float(float v, int mantissa)
{
	int exponent;
	const float m = frexpf(v, &exponent);
	return v == 0 ? 0 : (uint32_t)(exponent + 14) << mantissa | (uint32_t)ldexpf(2 * m - 1, mantissa);
}

static void pack_texel(const struct format *f, const uint8_t code[4], uint8_t *out, float value[3])
{
	static const uint8_t fives[3] = { 11, 5, 0 };
	uint16_t half[4], word[4], signed_word[4];
	float whole[4];
	uint32_t small = 0, ten = 3u << 30;
	uint16_t five = 0;
	for (unsigned c = 0; c < 4; c++) {
		const unsigned most = f->packing == TENS ? 1023 : c == 1 ? 63 : 31;
		const float whole_code = floorf((float)code[c] / 255 * (float)most);
		const float v = f->packing == BYTES_SRGB ? bench_linear_of_srgb((float)code[c] / 255) : f->packing == TENS || f->packing == FIVES ?
			whole_code / (float)most : f->packing <= WORDS ? (float)code[c] / 255 :
			f->packing == SIGNED_WORDS ? (float)(128 * code[c]) / 32767 : fraction(code[c]);
		word[c] = (uint16_t)(code[c] * 257);
		signed_word[c] = (uint16_t)(128 * code[c]);
		half[c] = (uint16_t)small_float(v, 10);
		whole[c] = v;
		if (c < 3) {
			small |= small_float(v, c < 2 ? 6 : 5) << 11 * c;
			ten |= (uint32_t)whole_code << 10 * c;
			five |= (uint16_t)((uint32_t)whole_code << fives[c]);
			value[c] = c < f->channels ? v : 0;
		}
	}
	switch (f->packing) {
	case WORDS: memcpy(out, word, f->bytes); break;
	case SIGNED_WORDS: memcpy(out, signed_word, f->bytes); break;
	case TENS: memcpy(out, &ten, f->bytes); break;
	case FIVES: memcpy(out, &five, f->bytes); break;
	case HALVES: memcpy(out, half, f->bytes); break;
	case SMALL_FLOATS: memcpy(out, &small, f->bytes); break;
	case FLOATS: memcpy(out, whole, f->bytes); break;
	default:
		for (unsigned c = 0; c < f->bytes; c++)
			out[c] = code[f->packing == BYTES_BGRA && c < 3 ? 2 - c : c];
	}
}

/* A block of one colour: its end points' first is every texel's. */
static void pack_block(const struct format *f, const uint8_t code[4], uint8_t out[16], float value[3])
{
	const uint32_t r = code[0] >> 3, g = code[1] >> 2, b = code[2] >> 3, color = r << 11 | g << 5 | b;
	memset(out, 0, 16);
	value[0] = (float)r / 31;
	value[1] = (float)g / 63;
	value[2] = (float)b / 31;
	if (f == &bc1) {
		memcpy(out, &color, 2);
	} else if (f == &bc3) {
		out[0] = 255;
		memcpy(out + 8, &color, 2);
	} else if (f == &bc5) {
		out[0] = code[0];
		out[8] = code[1];
		value[0] = (float)code[0] / 255;
		value[1] = (float)code[1] / 255;
		value[2] = 0;
	} else { /* mode 6: seven bits a channel, first and second of each, then two parity bits */
		uint64_t bits = 1 << 6;
		for (unsigned c = 0; c < 4; c++) {
			bits |= (uint64_t)(code[c] >> 1) << (7 + 14 * c);
			if (c < 3)
				value[c] = (float)(code[c] & ~1) / 255;
		}
		memcpy(out, &bits, 8);
	}
}

/* Rows of a level that is `size` texels wide. */
static uint32_t rows_of(const struct texture_scene *s, uint32_t size) { return s->ramp ? 1 : size; }

/* One level; slices of it follow one another, in values as in the bytes. */
static void fill(const struct texture_scene *s, uint32_t size, uint32_t slices, uint32_t *random, uint8_t *bytes,
	float *values)
{
	const struct format *f = s->format;
	const uint32_t step = f->packing == BLOCKS ? BLOCK : 1;
	for (uint32_t y = 0; y < rows_of(s, size) * slices; y += step)
		for (uint32_t x = 0; x < size; x += step, bytes += f->bytes) {
			uint8_t code[4], block[16];
			float value[3];
			for (int c = 0; c < 4; c++) {
				*random = 1664525 * *random + 1013904223;
				code[c] = (uint8_t)(s->mips ? 96 + (*random >> 26) : *random >> 24);
			}
			if (step == 1)
				pack_texel(f, code, bytes, value);
			else
				pack_block(f, code, block, value), memcpy(bytes, block, f->bytes);
			for (uint32_t i = 0; i < step * step; i++)
				memcpy(values + 3 * ((y + i / step) * size + x + i % step), value, sizeof value);
		}
}

/* --- the scene --- */

static const struct texture_scene *of(const struct bench *b) { return b->scene->how; }

static float scale_of(const struct texture_scene *s)
{
	return (s->border ? 0.4f : s->mips ? 1.5f : s->clamp ? 0.15f : 1.1f) / SIZE;
}

static float apart_of(const struct texture_scene *s) { return s->clamp ? 0.09375f : 0.3125f; }

static void make_image(struct bench *b, const struct texture_scene *s)
{
	const struct format *f = s->format;
	const uint32_t slices = s->kind == TEX_3D ? DEPTH : s->kind == TEX_CUBE ? FACES : 1, levels = s->mips ? 2 : 1;
	const VkImageUsageFlags attached = f == &d32 || f == &d16 ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT :
		VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
	const struct vh_image_info info = { .format = f->format, .width = SIZE, .height = rows_of(s, SIZE), .levels = levels,
		.depth = s->kind == TEX_3D ? DEPTH : 0, .layers = s->kind == TEX_CUBE ? FACES : 1,
		.flags = s->kind == TEX_CUBE ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
		.view_type = s->kind == TEX_3D ? VK_IMAGE_VIEW_TYPE_3D : s->kind == TEX_CUBE ? VK_IMAGE_VIEW_TYPE_CUBE : 0,
		.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | (s->attachment ? attached : 0) };
	const VkFormatFeatureFlags linear = s->filter == VK_FILTER_LINEAR ?
		VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT : 0;
	const size_t area = f->packing == BLOCKS ? BLOCK * BLOCK : 1;
	uint8_t *bytes = malloc((size_t)TEXELS * f->bytes);
	float *values = malloc(sizeof(float) * 3 * TEXELS);
	uint32_t random = 1, texels = 0;
	if (!bytes || !values)
		vh_fail("out of memory");
	if (!vh_format_can(&b->vh, f->format, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | linear))
		vh_lacks("format %d with that filter", (int)f->format);
	b->texture = vh_make_image(&b->vh, &info);
	for (uint32_t level = 0; level < levels; level++) {
		const uint32_t size = SIZE >> level, slice = size * rows_of(s, size);
		fill(s, size, slices, &random, bytes, values + 3 * texels);
		const uint32_t copies = s->kind == TEX_3D ? 1 : slices;
		for (uint32_t layer = 0; layer < copies; layer++)
			vh_upload(&b->vh, &b->texture, level, layer, bytes + layer * (size_t)slice * f->bytes / area,
				(size_t)slice * slices / copies * f->bytes / area,
				level + layer ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
				VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
		texels += slice * slices;
	}
	free(bytes);
	b->values = values;
}

static VkShaderModule fragment_of(struct bench *b, enum kind kind)
{
#define SHADER(name) vh_make_shader(&b->vh, name, sizeof name)
	switch (kind) {
	case TEX_COMPARE: return SHADER(tex_compare_frag);
	case TEX_3D: return SHADER(tex_3d_frag);
	case TEX_CUBE: return SHADER(tex_cube_frag);
	case TEX_LOAD: return SHADER(tex_load_frag);
	case TEX_GATHER: return SHADER(tex_gather_frag);
	case TEX_OFFSET: return SHADER(tex_offset_frag);
	case TEX_BIAS: return SHADER(tex_bias_frag);
	case TEX_LOD: return SHADER(tex_lod_frag);
	case TEX_GRAD: return SHADER(tex_grad_frag);
	default: return SHADER(tex_2d_frag);
	}
}

static void setup(struct bench *b)
{
	const struct texture_scene *s = of(b);
	const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
		VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	const struct vh_sampler_info sampler = { .filter = s->filter, .max_lod = s->mips ? 1 : 0,
		.address = s->border ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER :
			s->clamp ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE : VK_SAMPLER_ADDRESS_MODE_REPEAT,
		.mipmap = s->mips ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST,
		.compare = s->kind == TEX_COMPARE ? VK_COMPARE_OP_LESS : VK_COMPARE_OP_NEVER, .max_aniso = (float)s->aniso };
	const float constants[3] = { scale_of(s), apart_of(s), s->aniso ? (float)s->aniso : 1 };
	const VkSpecializationMapEntry entries[3] = { { 0, 0, sizeof(float) }, { 1, sizeof(float), sizeof(float) },
		{ 2, 2 * sizeof(float), sizeof(float) } };
	const VkSpecializationInfo specialization = { 3, entries, sizeof constants, constants };
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	make_image(b, s);
	b->layout = vh_make_layout(&b->vh, &binding, 1, 0, 0);
	b->set = vh_make_set(&b->vh, &b->layout);
	vh_set_image(&b->vh, b->set, 0, binding.descriptorType, b->texture.view, vh_make_sampler(&b->vh, &sampler),
		VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	const struct vh_pipeline_info info = { .vertex = SHADER(tex_vert), .fragment = fragment_of(b, s->kind),
		.constants = &specialization, .layout = b->layout.pipeline, .pass = &b->pass };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

static void record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->layout.pipeline, 0, 1, &b->set, 0, NULL);
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdEndRenderPass(commands);
}

/* --- what it must look like --- */

static int wrap(const struct texture_scene *s, int i, int size)
{
	if (s->border) /* behind which there is black */
		return i;
	if (s->clamp)
		return i < 0 ? 0 : i >= size ? size - 1 : i;
	return i & (size - 1);
}

/* `texels`: a level; false where rounding decides which texel is the nearest. */
static bool sample_level(const struct texture_scene *s, const float *texels, int size, const float at[3], float rgb[3])
{
	const bool gather = s->kind == TEX_GATHER, linear = s->filter == VK_FILTER_LINEAR || gather;
	const float tz = s->kind == TEX_3D ? DEPTH * at[2] - 0.5f : s->kind == TEX_CUBE ? 4 : 0;
	const int rows = (int)rows_of(s, (uint32_t)size);
	const float u = (float)size * at[0] - (linear ? 0.5f : 0), v = (float)rows * at[1] - (linear ? 0.5f : 0);
	const float u0 = floorf(u), v0 = floorf(v), z0 = floorf(tz);
	if ((!linear || gather) && (fabsf(u - rintf(u)) < 0.03f || fabsf(v - rintf(v)) < 0.03f))
		return false;
	rgb[0] = rgb[1] = rgb[2] = 0;
	for (int c = 0; c < 3 && gather; c++) /* (0, 1), (1, 1), (1, 0) */
		rgb[c] = texels[3 * (wrap(s, (int)v0 + (c < 2), rows) * size + wrap(s, (int)u0 + (c > 0), size))];
	for (int i = 0; i < 8 && !gather; i++) {
		const int x = wrap(s, (int)u0 + (i & 1), size), y = wrap(s, (int)v0 + (i >> 1 & 1), rows);
		const int z = ((int)z0 + (i >> 2)) & (DEPTH - 1);
		const float wu = linear ? u - u0 : 0, wv = linear ? v - v0 : 0, wz = tz - z0;
		const float weight = (i & 1 ? wu : 1 - wu) * (i >> 1 & 1 ? wv : 1 - wv) * (i >> 2 ? wz : 1 - wz);
		if (weight == 0)
			continue;
		static const float black[3];
		const bool inside = x >= 0 && x < size && y >= 0 && y < rows;
		const float *texel = inside ? texels + 3 * ((z * rows + y) * size + x) : black;
		for (int c = 0; c < 3; c++)
			rgb[c] += weight * (s->kind == TEX_COMPARE ? c == 0 && 0.5f < texel[0] : texel[c]);
	}
	return true;
}

static bool expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const struct texture_scene *s = of(b);
	const float *texels = b->values, scale = scale_of(s), apart = apart_of(s);
	const float px = ((float)x + 0.5f) * scale, py = ((float)y + 0.5f) * scale;
	const float lambda = s->kind == TEX_LOD ? 0.375f :
		log2f((float)SIZE * scale * sqrtf(1 + 0.125f * 0.125f)) + (s->kind == TEX_BIAS ? 0.25f : 0);
	rgb[0] = rgb[1] = rgb[2] = 0;
	for (int i = 0; i < TAPS; i++) {
		float at[3] = { px + 0.125f * py + (i & 1 ? apart : 0), py - 0.125f * px + (i & 2 ? apart : 0) }, near[3], far[3];
		at[2] = 0.3f + at[0];
		if (s->kind == TEX_OFFSET) {
			at[0] += 1.0f / SIZE;
			at[1] -= 2.0f / SIZE;
		}
		if (s->kind == TEX_CUBE)
			for (int d = 0; d < 2; d++)
				at[d] = 0.5f + 0.9f * (at[d] - floorf(at[d]) - 0.5f);
		if (!sample_level(s, texels, SIZE, at, near))
			return false;
		if (s->mips)
			sample_level(s, texels + 3 * SIZE * SIZE, SIZE / 2, at, far);
		for (int c = 0; c < 3; c++)
			rgb[c] += 0.25f * (s->mips ? near[c] + lambda * (far[c] - near[c]) : near[c]);
	}
	return true;
}

/* Of noise, so many texels that their mean is about that of all: where probes are is the driver's choice. */
static bool expect_mean(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	static const void *known;
	static float mean[3];
	const float *texels = b->values;
	for (int c = 0; c < 3 && known != b->values; c++) {
		double sum = 0;
		for (int i = 0; i < SIZE * SIZE; i++)
			sum += texels[3 * i + c];
		mean[c] = (float)(sum / (SIZE * SIZE));
	}
	known = b->values;
	memcpy(rgb, mean, sizeof mean);
	return true;
}

static const struct vh_wants anisotropic = { .core.samplerAnisotropy = VK_TRUE };

#define SCENE(scene, text, ...) { .name = "tex_" scene, .unit = "Gtexel/s", .what = text, .setup = setup, \
	.record = record, .work = 1e-9 * BENCH_WIDTH * BENCH_HEIGHT * TAPS, .expect = expect, .tolerance = 4, \
	.how = &(const struct texture_scene){ __VA_ARGS__ } }
#define ANISO(scene, text, bound, format, probes) { .name = "tex_" scene, .unit = "Gtexel/s", .what = text, .setup = setup, \
	.record = record, .work = 1e-9 * BENCH_WIDTH * BENCH_HEIGHT * TAPS, .expect = expect_mean, .tolerance = bound, \
	.wants = &anisotropic, .how = &(const struct texture_scene){ format, TEX_2D, LINEAR, .mips = true, .aniso = probes } }
#define LINEAR VK_FILTER_LINEAR
#define NEAREST VK_FILTER_NEAREST

const struct bench_scene bench_textures[BENCH_TEXTURES] = {
	SCENE("rgba8", "bilinear RGBA8, four samples a pixel", &rgba8, TEX_2D, LINEAR),
	SCENE("rgba8_near", "nearest RGBA8", &rgba8, TEX_2D, NEAREST),
	SCENE("rgba8_mips", "trilinear RGBA8", &rgba8, TEX_2D, LINEAR, .mips = true),
	ANISO("rgba8_aniso16", "trilinear RGBA8, 16 probes a sample", 12, &rgba8, 16),
	SCENE("rgba8_clamp", "bilinear RGBA8, magnified, clamped to the edge", &rgba8, TEX_2D, LINEAR, .clamp = true),
	SCENE("rgba8_ramp", "linear RGBA8 of one row, magnified, clamped to the edge", &rgba8, TEX_2D, LINEAR, .clamp = true, .ramp = true),
	SCENE("rgba8_border", "bilinear RGBA8, a black border around", &rgba8, TEX_2D, LINEAR, .border = true),
	SCENE("rgba8_3d", "linear RGBA8 of three dimensions", &rgba8, TEX_3D, LINEAR),
	SCENE("rgba8_cube", "bilinear RGBA8 of a cube's face", &rgba8, TEX_CUBE, LINEAR),
	SCENE("rgba8_load", "texelFetch of RGBA8", &rgba8, TEX_LOAD, NEAREST),
	SCENE("rgba8_gather", "textureGather of RGBA8", &rgba8, TEX_GATHER, NEAREST),
	SCENE("rgba8_offset", "bilinear RGBA8, textureOffset", &rgba8, TEX_OFFSET, LINEAR),
	SCENE("rgba8_lod", "trilinear RGBA8, a level that the shader says", &rgba8, TEX_LOD, LINEAR, .mips = true),
	SCENE("rgba8_grad", "trilinear RGBA8, derivatives that the shader says", &rgba8, TEX_GRAD, LINEAR, .mips = true),
	SCENE("rgba8_bias", "trilinear RGBA8, a bias of the level", &rgba8, TEX_BIAS, LINEAR, .mips = true),
	SCENE("bgra8", "bilinear BGRA8", &bgra8, TEX_2D, LINEAR),
	SCENE("srgb8", "bilinear sRGB", &srgb8, TEX_2D, LINEAR),
	SCENE("srgb8_near", "nearest sRGB", &srgb8, TEX_2D, NEAREST),
	SCENE("srgb8_mips", "trilinear sRGB", &srgb8, TEX_2D, LINEAR, .mips = true),
	ANISO("srgb8_aniso8", "trilinear sRGB, 8 probes a sample", 32, &srgb8, 8),
	SCENE("r8", "bilinear R8", &r8, TEX_2D, LINEAR),
	SCENE("rg8", "bilinear RG8", &rg8, TEX_2D, LINEAR),
	SCENE("rgba16f", "bilinear RGBA16F", &rgba16f, TEX_2D, LINEAR),
	SCENE("rgba16f_near", "nearest RGBA16F", &rgba16f, TEX_2D, NEAREST),
	SCENE("rgba16f_mips", "trilinear RGBA16F", &rgba16f, TEX_2D, LINEAR, .mips = true),
	SCENE("r11g11b10f", "bilinear R11G11B10F", &r11g11b10f, TEX_2D, LINEAR),
	SCENE("r32f", "bilinear R32F", &r32f, TEX_2D, LINEAR),
	SCENE("rgba32f", "bilinear RGBA32F", &rgba32f, TEX_2D, LINEAR),
	SCENE("rgba16", "bilinear RGBA16", &rgba16, TEX_2D, LINEAR),
	SCENE("rg16s", "bilinear RG16 SNORM", &rg16s, TEX_2D, LINEAR),
	SCENE("rgba16s", "bilinear RGBA16 SNORM", &rgba16s, TEX_2D, LINEAR),
	SCENE("rgb10a2", "bilinear RGB10A2", &rgb10a2, TEX_2D, LINEAR),
	SCENE("r5g6b5", "bilinear R5G6B5", &r5g6b5, TEX_2D, LINEAR),
	SCENE("r16f", "bilinear R16F", &r16f, TEX_2D, LINEAR),
	SCENE("rg16f", "bilinear RG16F", &rg16f, TEX_2D, LINEAR),
	SCENE("att_rgb10a2", "bilinear RGB10A2 attachment", &rgb10a2, TEX_2D, LINEAR, .attachment = true),
	SCENE("att_r11g11b10f", "bilinear R11G11B10F attachment", &r11g11b10f, TEX_2D, LINEAR, .attachment = true),
	SCENE("d16_compare", "bilinear D16 attachment, compared", &d16, TEX_COMPARE, LINEAR, .attachment = true),
	SCENE("d32_compare", "bilinear D32 attachment, compared", &d32, TEX_COMPARE, LINEAR, .attachment = true),
	SCENE("d32_border", "bilinear D32 attachment, compared, a border around", &d32, TEX_COMPARE, LINEAR, .attachment = true, .border = true),
	SCENE("bc1", "bilinear BC1", &bc1, TEX_2D, LINEAR),
	SCENE("bc1_near", "nearest BC1", &bc1, TEX_2D, NEAREST),
	SCENE("bc1_mips", "trilinear BC1", &bc1, TEX_2D, LINEAR, .mips = true),
	SCENE("bc3", "bilinear BC3", &bc3, TEX_2D, LINEAR),
	SCENE("bc5", "bilinear BC5", &bc5, TEX_2D, LINEAR),
	SCENE("bc7", "bilinear BC7", &bc7, TEX_2D, LINEAR),
	ANISO("bc7_aniso8", "trilinear BC7, 8 probes a sample", 32, &bc7, 8),
	SCENE("att_rgba8", "bilinear RGBA8 attachment", &rgba8, TEX_2D, LINEAR, .attachment = true),
	SCENE("att_rgba8_near", "nearest RGBA8 attachment", &rgba8, TEX_2D, NEAREST, .attachment = true),
	SCENE("att_rgba8_load", "texelFetch of an RGBA8 attachment", &rgba8, TEX_LOAD, NEAREST, .attachment = true),
	SCENE("att_srgb8", "bilinear sRGB attachment", &srgb8, TEX_2D, LINEAR, .attachment = true),
	SCENE("att_srgb8_near", "nearest sRGB attachment", &srgb8, TEX_2D, NEAREST, .attachment = true),
	SCENE("att_rgba16f", "bilinear RGBA16F attachment", &rgba16f, TEX_2D, LINEAR, .attachment = true),
};
