/* SPDX-License-Identifier: MIT */
/* What the texture unit's tests share: images in memory with their T#, S#,
 * waves, and running an instruction at every kernel level with equal bits. */
#ifndef TESTS_CORE_TEX_HARNESS_H
#define TESTS_CORE_TEX_HARNESS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/cu.h"
#include "core/format/format.h"
#include "core/tex/mimg.h"
#include "isa/bits.h"
#include "isa/gcn.h"
#include "isa/resource.h"
#include "isa/surface.h"
#include "tests/check.h"

cu_mimg_fn cu_mimg_exec_v3, cu_mimg_exec_v4;

static uint64_t rnd_state = 88172645463325252ull;
static inline uint32_t rnd(void)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	rnd_state ^= rnd_state << 17;
	return (uint32_t)(rnd_state >> 16);
}
static inline double rnd01(void) { return rnd() / 4294967296.0; }

struct image {
	unsigned type, dfmt, nfmt, tiling, bpe;
	uint32_t w, h, slices, levels; /* of the resource; slices: depth or layers */
	uint32_t t[8];
	uint8_t *mem;
	size_t bytes;
	unsigned samples_log2;         /* of T_TYPE_2D_MSAA and _ARRAY */
};

static inline bool image_is_3d(const struct image *img) { return img->type == T_TYPE_3D; }

static inline bool image_msaa(const struct image *img)
{
	return img->type == T_TYPE_2D_MSAA || img->type == T_TYPE_2D_MSAA_ARRAY;
}

/* Level 0. */
static inline struct surf_plane image_plane(const struct image *img)
{
	struct surf_plane p = { .base = img->mem, .width = img->w, .height = img->h, .slices = img->slices,
		.is_3d = image_is_3d(img), .tiling = (uint8_t)img->tiling, .samples = (uint8_t)(1 << img->samples_log2),
		.dfmt = (uint8_t)img->dfmt, .nfmt = (uint8_t)img->nfmt };
	surf_init(&p);
	return p;
}

/* Stretches of dwords that are all the same, as pictures have them. */
static inline void image_put_stretches(struct image *img)
{
	for (size_t i = rnd() % 4096, n; i < img->bytes / 4; i += n + rnd() % 4096) {
		const uint32_t dword = rnd();
		n = rnd() % 4096;
		for (size_t k = i; k < i + n && k < img->bytes / 4; k++)
			memcpy(img->mem + 4 * k, &dword, 4);
	}
}

/* Of a multisampled image, levels is 1 + log2 of the samples. */
static inline struct image image_create(unsigned type, unsigned dfmt, unsigned nfmt, unsigned tiling,
	uint32_t w, uint32_t h, uint32_t slices, uint32_t levels)
{
	struct image img = { type, dfmt, nfmt, tiling, surf_dfmt_bytes(dfmt), w, h, slices, levels };
	if (image_msaa(&img)) {
		img.samples_log2 = levels - 1;
		img.levels = 1;
	}
	const struct surf_plane p = image_plane(&img);
	img.bytes = surf_plane_bytes(&p, img.levels);
	img.mem = aligned_alloc(256, img.bytes);
	for (size_t i = 0; i < img.bytes; i++)
		img.mem[i] = (uint8_t)rnd();
	uint64_t base = (uint64_t)(uintptr_t)img.mem >> 8;
	ISA_SET(img.t, T_BASE_LO, (uint32_t)base);
	ISA_SET(img.t, T_BASE_HI, (uint32_t)(base >> 32));
	ISA_SET(img.t, T_DATA_FORMAT, dfmt);
	ISA_SET(img.t, T_NUM_FORMAT, nfmt);
	ISA_SET(img.t, T_WIDTH, w - 1);
	ISA_SET(img.t, T_HEIGHT, h - 1);
	ISA_SET(img.t, T_DEPTH, slices - 1);
	ISA_SET(img.t, T_LAST_LEVEL, levels - 1);
	ISA_SET(img.t, T_TILING_INDEX, tiling);
	ISA_SET(img.t, T_TYPE, type);
	if (type != T_TYPE_3D)
		ISA_SET(img.t, T_LAST_ARRAY, slices - 1);
	for (unsigned c = 0; c < 4; c++)
		ISA_SET(img.t, T_DST_SEL(c), SEL_R + c);
	return img;
}

static inline void image_destroy(struct image *img) { free(img->mem); }

static inline uint8_t *image_texel(const struct image *img, unsigned level, uint32_t x, uint32_t y, uint32_t slice)
{
	const struct surf_plane p = surf_level(image_plane(img), level);
	return surf_at(&p, x, y, slice);
}

/* By the words of isa/surface.h, without its functions. */
static inline uint8_t *image_sample(const struct image *img, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample)
{
	size_t samples = 1u << img->samples_log2, columns = (img->w + 7) / 8 * 2, rows = (img->h + 7) / 8 * 2;
	size_t slice_bytes = (columns * rows * samples * 16 * img->bpe + 255) / 256 * 256;
	size_t block = (y / 4 * columns + x / 4) * samples + sample;
	size_t inside = x % 2 + y % 2 * 2 + x / 2 % 2 * 4 + y / 2 % 2 * 8;
	return img->mem + slice * slice_bytes + (block * 16 + inside) * img->bpe;
}

static inline unsigned image_dims(const struct image *img)
{
	return img->type == T_TYPE_3D ? 3 : img->type == T_TYPE_1D || img->type == T_TYPE_1D_ARRAY ? 1 : 2;
}
static inline bool image_arrayed(const struct image *img)
{
	return img->type == T_TYPE_1D_ARRAY || img->type == T_TYPE_2D_ARRAY || img->type == T_TYPE_CUBE ||
		img->type == T_TYPE_2D_MSAA_ARRAY;
}

static inline struct cu_wave *wave_create(void)
{
	struct cu_wave *w = aligned_alloc(64, (sizeof(struct cu_wave) + 63) & ~(size_t)63);
	if (w)
		cu_wave_init(w, ~0ull, NULL);
	return w;
}

static inline struct gcn_inst mimg(enum gcn_op op, unsigned vaddr, unsigned vdata, unsigned dmask, const struct image *img)
{
	struct gcn_inst in = { 0 };
	in.op = (uint16_t)op;
	in.fmt = GCN_MIMG;
	in.src[0] = (uint16_t)(GCN_SRC_VGPR0 + vaddr);
	in.dst = (uint16_t)(GCN_SRC_VGPR0 + vdata);
	in.dmask = (uint8_t)dmask;
	in.da = image_arrayed(img);
	return in;
}

static inline bool has_v4(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

/* Runs at both levels; w gets the result.  Memory and registers must agree.  The
 * second one keeps descriptors from call to call, the first decodes them each time. */
static inline bool run(struct cu_wave *w, const struct gcn_inst *in, struct image *img, const uint32_t s[4])
{
	static struct cu_wave *copy;
	static struct cu_tex_cache cache;
	if (!copy)
		copy = wave_create();
	uint8_t *before = NULL;
	memcpy(copy, w, sizeof(*w));
	copy->tex = &cache;
	if (img) {
		before = malloc(img->bytes);
		memcpy(before, img->mem, img->bytes);
	}
	uint32_t null[8] = { 0 };
	bool ok = cu_mimg_exec_v3(w, in, img ? img->t : null, s);
	cu_mimg_fn *second = has_v4() ? cu_mimg_exec_v4 : cu_mimg_exec_v3;
	uint8_t *after = NULL;
	if (img) {
		after = malloc(img->bytes);
		memcpy(after, img->mem, img->bytes);
		memcpy(img->mem, before, img->bytes);
	}
	EXPECT(second(copy, in, img ? img->t : null, s) == ok, "levels disagree on success");
	EXPECT(!memcmp(copy->vgpr, w->vgpr, sizeof(w->vgpr)), "levels disagree: op %u", in->op);
	EXPECT(!img || !memcmp(after, img->mem, img->bytes), "levels disagree on memory: op %u", in->op);
	free(after);
	free(before);
	return ok;
}

#endif
