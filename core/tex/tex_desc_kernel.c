/* SPDX-License-Identifier: MIT */
/* T# and S# to the texture unit's own terms.  A descriptor that makes no sense
 * (unknown format, tiling, empty ranges) is a null descriptor. */
#include <stdlib.h>
#include "core/memory.h"
#include "core/tex/tex_desc.h"

static bool is_pow2(uint32_t n) { return (n & (n - 1)) == 0; }

/* Level 0 of the image, all of its slices. */
static struct surf_plane decode_plane(const struct tex_image *img, const uint32_t t[8])
{
	struct surf_plane p = { .base = img->base, .width = ISA_GET(t, T_WIDTH) + 1,
		.height = img->dims == 1 ? 1 : ISA_GET(t, T_HEIGHT) + 1, .slices = ISA_GET(t, T_DEPTH) + 1, .is_3d = img->is_3d,
		.tiling = (uint8_t)ISA_GET(t, T_TILING_INDEX), .samples = 1,
		.dfmt = (uint8_t)ISA_GET(t, T_DATA_FORMAT), .nfmt = (uint8_t)ISA_GET(t, T_NUM_FORMAT) };
	if (img->msaa) /* LAST_LEVEL is their log2 */
		p.samples = ISA_GET(t, T_LAST_LEVEL) > 3 || ISA_GET(t, T_BASE_LEVEL) || p.tiling != TILING_4X4 ? 0 :
			(uint8_t)(1 << ISA_GET(t, T_LAST_LEVEL));
	surf_init(&p);
	return p;
}

/* The view's levels; p: level 0 of the image. */
static void decode_levels(struct tex_image *img, struct surf_plane p, uint32_t base_level, uint32_t base_array)
{
	for (uint32_t l = 0; l < base_level + img->levels; l++, surf_next_level(&p)) {
		if (l < base_level)
			continue;
		uint32_t v = l - base_level;
		img->level[v] = surf_slices(p, base_array, p.slices - base_array);
		img->stride[v] = (int32_t)p.slice_stride;
		img->offset[v] = (int32_t)(img->level[v].base - img->base);
		img->pitch[v] = (int32_t)p.pitch;
		img->size[0][v] = (int32_t)p.width;
		img->size[1][v] = (int32_t)p.height;
		img->size[2][v] = img->is_3d ? (int32_t)p.slices : 1;
	}
	img->bytes = (uintptr_t)p.base - (uintptr_t)img->base;
	img->wide = img->bytes >= 1ull << 31;
	img->pow2[0] = is_pow2((uint32_t)img->size[0][0]);
	img->pow2[1] = is_pow2((uint32_t)img->size[1][0]);
	img->pow2[2] = is_pow2((uint32_t)img->size[2][0]);
}

static void decode_image(struct tex_image *img, const uint32_t t[8], bool da)
{
	unsigned type = ISA_GET(t, T_TYPE);
	uint32_t base_level = ISA_GET(t, T_BASE_LEVEL), last_level = ISA_GET(t, T_LAST_LEVEL);
	uint32_t base_array = ISA_GET(t, T_BASE_ARRAY), last_array = ISA_GET(t, T_LAST_ARRAY);
	uint32_t depth = ISA_GET(t, T_DEPTH);
	img->base = (uint8_t *)(uintptr_t)t_base(t);
	img->dims = type == T_TYPE_3D ? 3 : type == T_TYPE_1D || type == T_TYPE_1D_ARRAY ? 1 : 2;
	img->is_3d = type == T_TYPE_3D;
	img->cube = type == T_TYPE_CUBE;
	img->msaa = type == T_TYPE_2D_MSAA || type == T_TYPE_2D_MSAA_ARRAY;
	img->arrayed = da && (type == T_TYPE_1D_ARRAY || type == T_TYPE_2D_ARRAY || type == T_TYPE_CUBE ||
		type == T_TYPE_2D_MSAA_ARRAY);
	img->min_lod = (float)ISA_GET(t, T_MIN_LOD) / 256.0f;
	img->of_blocks = ISA_GET(t, T_OF_BLOCKS);
	for (unsigned c = 0; c < 4; c++)
		img->sel[c] = (uint8_t)ISA_GET(t, T_DST_SEL(c));
	img->level[0] = decode_plane(img, t);
	img->integer = cu_nfmt_is_integer(img->level[0].nfmt);
	img->block = cu_block_format(img->level[0].dfmt, img->level[0].nfmt);
	img->decode = img->block ? CU_FN(cu_tex_decoder)(img->block->dfmt, img->block->nfmt) :
		CU_FN(cu_tex_decoder)(img->level[0].dfmt, img->level[0].nfmt);
	if (last_array > depth)
		last_array = depth;
	if (img->is_3d)
		base_array = last_array = 0;
	if (img->msaa)
		last_level = base_level;
	img->null = !img->decode || surf_fault(img->level) || type < T_TYPE_1D || last_level < base_level ||
		last_array < base_array;
	if (img->null)
		return;
	img->levels = last_level - base_level + 1;
	img->slices = img->arrayed ? last_array - base_array + 1 : 1;
	img->null = img->cube && img->arrayed && img->slices < 6;
	if (!img->null)
		decode_levels(img, img->level[0], base_level, base_array);
}

/* The channel that is each component of memory, by the T#'s BC_SWIZZLE. */
static const uint8_t border_orders[8][4] = { [BC_XYZW] = { 0, 1, 2, 3 }, [BC_XWYZ] = { 0, 3, 1, 2 },
	[BC_WZYX] = { 3, 2, 1, 0 }, [BC_WXYZ] = { 3, 0, 1, 2 }, [BC_ZYXW] = { 2, 1, 0, 3 }, [BC_YXWZ] = { 1, 0, 3, 2 } };

/* color: of the table, or NULL. */
static void decode_border(struct tex_sampler *smp, const struct tex_image *img, unsigned type, unsigned swizzle,
	const uint32_t *color)
{
	unsigned count = img->block && color ? 4 : cu_format_layout(img->level->dfmt).count;
	uint32_t one = img->integer ? 1 : 0x3f800000;
	for (unsigned c = 0; c < 4; c++) {
		unsigned channel = border_orders[swizzle][c];
		bool white = type == S_BORDER_OPAQUE_WHITE || (type == S_BORDER_OPAQUE_BLACK && channel == 3);
		if (c >= count) /* absent in memory: as unpacking gives it */
			smp->border[c] = c == 3 ? one : 0;
		else
			smp->border[c] = color ? color[channel] : white ? one : 0;
	}
}

/* Whether lambda says nothing: as with a largest LOD of 1/4, which stands for no mipmapping ("VkSamplerCreateInfo"). */
static bool is_fixed(const struct tex_image *img, const struct tex_sampler *smp)
{
	const float lod = smp->max_lod > img->min_lod ? smp->max_lod : img->min_lod;
	const bool first = smp->mip == S_MIP_LINEAR ? lod <= 0 : smp->mip != S_MIP_POINT || lod <= 0.5f;
	const bool same = smp->mag_linear == smp->min_linear && smp->mag_cubic == smp->min_cubic;
	if (smp->unnormalized)
		return img->levels == 1;
	return (img->levels == 1 || first) && (same || smp->max_lod <= 0);
}

/* table: the border colour, where it is one of the table's, else NULL. */
static void decode_sampler(struct tex_sampler *smp, const struct tex_image *img, const uint32_t s[4], bool unorm,
	unsigned swizzle, const uint32_t *table)
{
	int32_t bias = (int32_t)(ISA_GET(s, S_LOD_BIAS) << 18) >> 18;
	smp->clamp[0] = (uint8_t)ISA_GET(s, S_CLAMP_X);
	smp->clamp[1] = (uint8_t)ISA_GET(s, S_CLAMP_Y);
	smp->clamp[2] = (uint8_t)ISA_GET(s, S_CLAMP_Z);
	smp->any_border = false;
	for (unsigned d = 0; d < img->dims; d++)
		smp->any_border |= smp->clamp[d] >= S_CLAMP_HALF_BORDER;
	smp->compare = (uint8_t)ISA_GET(s, S_DEPTH_COMPARE_FUNC);
	smp->mip = (uint8_t)ISA_GET(s, S_MIP_FILTER);
	smp->mag_linear = ISA_GET(s, S_XY_MAG_FILTER) & S_FILTER_BILINEAR && !img->integer;
	smp->min_linear = ISA_GET(s, S_XY_MIN_FILTER) & S_FILTER_BILINEAR && !img->integer;
	smp->mag_cubic = ISA_GET(s, S_CUBIC_MAG) && smp->mag_linear && img->dims < 3 && !img->cube;
	smp->min_cubic = ISA_GET(s, S_CUBIC_MIN) && smp->min_linear && img->dims < 3 && !img->cube;
	smp->mode = (uint8_t)(img->integer ? S_MODE_BLEND : ISA_GET(s, S_FILTER_MODE));
	bool aniso = (ISA_GET(s, S_XY_MAG_FILTER) | ISA_GET(s, S_XY_MIN_FILTER)) & S_FILTER_ANISO_POINT;
	uint32_t ratio = ISA_GET(s, S_MAX_ANISO_RATIO);
	smp->max_aniso = (float)(aniso ? 1 << (ratio < 4 ? ratio : 4) : 1);
	smp->unnormalized = unorm || ISA_GET(s, S_FORCE_UNNORMALIZED);
	smp->cube_wrap = !ISA_GET(s, S_DISABLE_CUBE_WRAP);
	smp->min_lod = (float)ISA_GET(s, S_MIN_LOD) / 256.0f;
	smp->max_lod = (float)ISA_GET(s, S_MAX_LOD) / 256.0f;
	smp->bias = (float)bias / 256.0f;
	smp->fixed = is_fixed(img, smp);
	smp->special = smp->mode != S_MODE_BLEND || smp->mag_cubic || smp->min_cubic || (table && smp->any_border);
	decode_border(smp, img, ISA_GET(s, S_BORDER_COLOR_TYPE), swizzle, table);
}

/* --- the cache --- */

/* Whether there may be a decoded plane.  Not where its bits might differ: a border knows blocks from their texels, and blocks whose
 * columns are odd go their own way if there are several probes, or a filter for near texels alone. */
static bool has_texels(const struct tex_desc *d, const uint32_t t[8], const uint32_t *s)
{
	const struct tex_image *img = &d->image;
	const struct tex_sampler *smp = &d->sampler;
	if (!img->block || !t_decoded(t) || img->dims != 2 || img->msaa || ISA_GET(t, T_LAST_LEVEL) >= SURF_MAX_LEVELS)
		return false;
	return !s || !(smp->any_border || (d->plan.odd && (smp->max_aniso > 1 || smp->mag_linear != smp->min_linear)));
}

static void decode(struct tex_desc *d, const uint32_t t[8], const uint32_t *s, uint32_t how)
{
	decode_image(&d->image, t, how & TEX_HOW_DA);
	d->memory = NULL;
	d->decoded.plane = NULL;
	d->plan.loads = d->plan.samples = false;
	d->plan.inside = NULL;
	memset(d->lanes.way, 0, sizeof d->lanes.way);
	if (d->image.null)
		return;
	if (s)
		decode_sampler(&d->sampler, &d->image, s, how & TEX_HOW_UNORM, ISA_GET(t, T_BC_SWIZZLE),
			how & TEX_HOW_TABLE ? d->border : NULL);
	const bool border = s && tex_make_inside(&d->inside, &d->sampler, &d->image);
	tex_make_plan(&d->plan, &d->image, border ? &d->inside : s ? &d->sampler : NULL);
	if (border) {
		d->plan.inside = d->plan.samples ? &d->inside : NULL;
		d->plan.samples = d->plan.probes = false;
	}
	if (has_texels(d, t, s))
		tex_decoded_begin(&d->decoded, t, decode_plane(&d->image, t), d->image.block);
	d->patience = (struct tex_patience){ 0 };
	d->plan.patience = &d->patience;
	tex_make_lanes(&d->lanes, &d->plan, &d->image, s ? &d->sampler : NULL);
}

/* The S#'s colour of the table; where there is none, it is transparent black. */
static void read_table(struct cu_wave *w, const uint32_t s[4], uint32_t color[4])
{
	uint64_t at = w->border_colors + ISA_GET(s, S_BORDER_COLOR_PTR) * S_BORDER_BYTES;
	memset(color, 0, S_BORDER_BYTES);
	if (w->border_colors && cu_mapped(w, at, S_BORDER_BYTES))
		memcpy(color, (const void *)(uintptr_t)at, S_BORDER_BYTES);
}

/* An entry holds for ever, since nothing but the bits that it is compared with went into it. */
struct tex_desc *tex_desc_decode(struct cu_wave *w, const struct gcn_inst *in, const uint32_t t[8], const uint32_t *s,
	struct tex_desc *own)
{
	uint32_t how = tex_desc_how(in, s);
	const __m128i sampler = tex_desc_sampler(s);
	uint32_t border[4] = { 0 };
	if (s && ISA_GET(s, S_BORDER_COLOR_TYPE) == S_BORDER_TABLE) {
		how |= TEX_HOW_TABLE;
		read_table(w, s, border);
	}
	struct tex_desc *d = w->tex ? cu_tex_place(w->tex, tex_desc_hash(t, sampler, how), sizeof *d) : NULL;
	if (!d) { /* no memory: slower, that is all */
		memcpy(own->border, border, sizeof own->border);
		decode(own, t, s, how);
		return own;
	}
	if (!tex_desc_is(d, t, sampler, how) || (how & TEX_HOW_TABLE && memcmp(d->border, border, sizeof border))) {
		memcpy(d->border, border, sizeof border);
		decode(d, t, s, how);
		w->tex->decoded++;
		memcpy(d->t, t, sizeof d->t);
		_mm_storeu_si128((__m128i *)d->s, sampler);
		d->how = how;
	}
	return d;
}

struct tex_desc *tex_desc_decoded(struct cu_wave *w, const struct gcn_inst *in, const uint32_t *s, struct tex_desc *d, bool idle,
	struct tex_desc *own)
{
	uint32_t t[8];
	struct tex_decoded *k = &d->decoded;
	if (d == own || !cu_mapped(w, (uintptr_t)k->plane, k->bytes))
		return d;
	if (!tex_decoded_is_whole(k)) {
		if (!idle && --k->left <= 0 && tex_desc_mapped(w, d))
			tex_decoded_go_on(k, d->image.block);
		return d;
	}
	memcpy(t, k->t, sizeof t);
	return tex_desc_of(w, in, t, s, own);
}

/* What was in the memory is still there unless its ranges have changed since.  So programs of many images
 * neither search for each of them nor forget the ranges of their buffers. */
bool tex_desc_look_up(struct cu_wave *w, struct tex_desc *d)
{
	const uint64_t sequence = w->memory ? cu_memory_sequence(w->memory) : 0;
	if (w->memory && d->memory == w->memory && d->sequence == sequence)
		return true;
	if (!cu_memory_look_up(w, (uintptr_t)d->image.base, d->image.bytes))
		return false;
	d->memory = sequence & 1 ? NULL : w->memory;
	d->sequence = sequence;
	return true;
}
