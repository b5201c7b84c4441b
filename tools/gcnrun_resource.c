/* SPDX-License-Identifier: MIT */
/* Images and descriptors of a state file, see gcnrun_read.h. */
#include "tools/gcnrun_read.h"

#include <stdio.h>
#include <string.h>

#include "core/format/format.h"
#include "isa/regs.h"
#include "isa/resource.h"

/* --- names of formats and the like --- */

#define WORD(x) { #x, DFMT_##x }
static const struct run_word dfmts[] = { WORD(8), WORD(16), WORD(8_8), WORD(32), WORD(16_16), WORD(10_11_11), WORD(11_11_10),
	WORD(10_10_10_2), WORD(2_10_10_10), WORD(8_8_8_8), WORD(32_32), WORD(16_16_16_16), WORD(32_32_32),
	WORD(32_32_32_32), WORD(5_6_5), WORD(1_5_5_5), WORD(5_5_5_1), WORD(4_4_4_4), WORD(8_24), WORD(24_8),
	WORD(5_9_9_9), { NULL, 0 } };
static const struct run_word nfmts[] = { { "unorm", 0 }, { "snorm", 1 }, { "uscaled", 2 }, { "sscaled", 3 }, { "uint", 4 },
	{ "sint", 5 }, { "snorm_ogl", 6 }, { "float", 7 }, { "srgb", 9 }, { NULL, 0 } };
static const struct run_word types[] = { { "1d", T_TYPE_1D }, { "2d", T_TYPE_2D }, { "3d", T_TYPE_3D }, { "cube", T_TYPE_CUBE },
	{ "1d_array", T_TYPE_1D_ARRAY }, { "2d_array", T_TYPE_2D_ARRAY }, { NULL, 0 } };
static const struct run_word clamps[] = { { "wrap", 0 }, { "mirror", 1 }, { "edge", 2 }, { "mirror_once", 3 }, { "border", 6 },
	{ NULL, 0 } };
static const struct run_word filters[] = { { "point", 0 }, { "linear", 1 }, { NULL, 0 } };
static const struct run_word mips[] = { { "none", 0 }, { "point", 1 }, { "linear", 2 }, { NULL, 0 } };
static const struct run_word compares[] = { { "never", COMPARE_NEVER }, { "less", COMPARE_LESS },
	{ "equal", COMPARE_EQUAL }, { "lequal", COMPARE_LEQUAL }, { "greater", COMPARE_GREATER },
	{ "notequal", COMPARE_NOTEQUAL }, { "gequal", COMPARE_GEQUAL }, { "always", COMPARE_ALWAYS }, { NULL, 0 } };

struct surf_plane run_plane(const struct run_block *b)
{
	struct surf_plane p = { .base = b->mem, .width = b->width, .height = b->height, .slices = b->slices,
		.is_3d = b->type == T_TYPE_3D, .tiling = (uint8_t)b->tiling, .samples = 1, .dfmt = (uint8_t)b->dfmt,
		.nfmt = (uint8_t)b->nfmt };
	surf_init(&p);
	return p;
}

/* image NAME TYPE WxH[xD] format=F num=N [levels=N] [tiled] */
bool run_add_image(struct run_reader *r)
{
	const char *start;
	if (!run_accept(r, "image"))
		return false;
	size_t n = run_name(r, &start);
	struct run_block *b = run_add_block(r, start, n);
	if (!b)
		return true;
	b->image = true;
	b->type = run_word(r, types);
	b->width = (uint32_t)run_number(r);
	b->height = b->slices = b->levels = 1;
	b->dfmt = DFMT_32, b->nfmt = NFMT_UINT, b->tiling = TILING_LINEAR;
	if (*r->p == 'x')
		r->p++, b->height = (uint32_t)run_number(r);
	if (*r->p == 'x')
		r->p++, b->slices = (uint32_t)run_number(r);
	while (!run_at_end(r) && !r->failed) {
		if (run_accept(r, "format="))
			b->dfmt = run_word(r, dfmts);
		else if (run_accept(r, "num="))
			b->nfmt = run_word(r, nfmts);
		else if (run_accept(r, "levels="))
			b->levels = (uint32_t)run_number(r);
		else if (run_accept(r, "tiled"))
			b->tiling = TILING_4X4;
		else
			run_fail(r, "format=, num=, levels= or tiled is expected");
	}
	if (r->failed)
		return true;
	if (!b->width || !b->height || !b->slices || !b->levels || b->width > 16384 || b->height > 16384 || b->slices > 8192 ||
	    b->levels > 15 || !cu_format_valid(b->dfmt, b->nfmt)) {
		run_fail(r, "sizes are 1 to 16384, 8192 slices, 15 levels, and the format must exist");
		return true;
	}
	const struct surf_plane p = run_plane(b);
	run_take_memory(r, b, surf_plane_bytes(&p, b->levels), true);
	return true;
}

/* --- descriptors --- */

static struct run_block *block_named(struct run_reader *r, bool image)
{
	const char *start;
	size_t n = run_name(r, &start);
	struct run_block *b = run_state_find(r->s, start, n);
	if (b && b->image == image)
		return b;
	r->p = start;
	run_fail(r, image ? "the name of an image is expected" : "the name of a buffer is expected");
	return NULL;
}
/* sel=xyzw, of x y z w 0 1 */
static void read_select(struct run_reader *r, uint32_t *d)
{
	static const char letters[] = "01__xyzw";
	for (unsigned c = 0; c < 4; c++) {
		const char *at = *r->p && *r->p != '_' ? strchr(letters, *r->p) : NULL;
		if (!at) {
			run_fail(r, "four of x y z w 0 1 are expected");
			return;
		}
		ISA_SET(d, V_DST_SEL(c), (uint32_t)(at - letters));
		r->p++;
	}
}
static void buffer_resource(struct run_reader *r, uint32_t *v)
{
	struct run_block *b = block_named(r, false);
	bool records = false;
	if (!b)
		return;
	uint64_t a = (uintptr_t)b->mem;
	memset(v, 0, 16);
	ISA_SET(v, V_DATA_FORMAT, DFMT_32);
	ISA_SET(v, V_NUM_FORMAT, NFMT_UINT);
	for (unsigned c = 0; c < 4; c++)
		ISA_SET(v, V_DST_SEL(c), SEL_R + c);
	while (!run_at_end(r) && !r->failed) {
		if (run_accept(r, "offset="))
			a += run_number(r);
		else if (run_accept(r, "stride="))
			ISA_SET(v, V_STRIDE, (uint32_t)run_number(r));
		else if (run_accept(r, "records="))
			records = true, v[2] = (uint32_t)run_number(r);
		else if (run_accept(r, "format="))
			ISA_SET(v, V_DATA_FORMAT, run_word(r, dfmts));
		else if (run_accept(r, "num="))
			ISA_SET(v, V_NUM_FORMAT, run_word(r, nfmts));
		else if (run_accept(r, "sel="))
			read_select(r, v);
		else if (run_accept(r, "tid"))
			ISA_SET(v, V_TID_ENABLE, 1);
		else if (run_accept(r, "swizzle"))
			ISA_SET(v, V_SWIZZLE_EN, 1);
		else if (run_accept(r, "elem="))
			ISA_SET(v, V_ELEM_SIZE, (uint32_t)run_number(r));
		else if (run_accept(r, "index="))
			ISA_SET(v, V_INDEX_STRIDE, (uint32_t)run_number(r));
		else
			run_fail(r, "offset= stride= records= format= num= sel= tid swizzle elem= or index= is expected");
	}
	ISA_SET(v, V_BASE_LO, (uint32_t)a);
	ISA_SET(v, V_BASE_HI, (uint32_t)(a >> 32));
	if (!records)
		v[2] = (uint32_t)(ISA_GET(v, V_STRIDE) ? b->bytes / ISA_GET(v, V_STRIDE) : b->bytes);
}
static void image_resource(struct run_reader *r, uint32_t *t)
{
	struct run_block *b = block_named(r, true);
	if (!b)
		return;
	uint64_t a = (uintptr_t)b->mem >> 8;
	memset(t, 0, 32);
	ISA_SET(t, T_BASE_LO, (uint32_t)a);
	ISA_SET(t, T_BASE_HI, (uint32_t)(a >> 32));
	ISA_SET(t, T_DATA_FORMAT, b->dfmt);
	ISA_SET(t, T_NUM_FORMAT, b->nfmt);
	ISA_SET(t, T_WIDTH, b->width - 1);
	ISA_SET(t, T_HEIGHT, b->height - 1);
	ISA_SET(t, T_DEPTH, b->slices - 1);
	ISA_SET(t, T_LAST_LEVEL, b->levels - 1);
	ISA_SET(t, T_TILING_INDEX, b->tiling);
	ISA_SET(t, T_TYPE, b->type);
	if (b->type != T_TYPE_3D)
		ISA_SET(t, T_LAST_ARRAY, b->slices - 1);
	for (unsigned c = 0; c < 4; c++)
		ISA_SET(t, T_DST_SEL(c), SEL_R + c);
	while (!run_at_end(r) && !r->failed) {
		if (run_accept(r, "sel="))
			read_select(r, t);
		else if (run_accept(r, "base_level="))
			ISA_SET(t, T_BASE_LEVEL, (uint32_t)run_number(r));
		else
			run_fail(r, "sel= or base_level= is expected");
	}
}
static void sampler_resource(struct run_reader *r, uint32_t *s)
{
	memset(s, 0, 16);
	ISA_SET(s, S_MAX_LOD, 0xfff);
	while (!run_at_end(r) && !r->failed) {
		if (run_accept(r, "clamp=")) {
			unsigned c = run_word(r, clamps);
			ISA_SET(s, S_CLAMP_X, c);
			ISA_SET(s, S_CLAMP_Y, c);
			ISA_SET(s, S_CLAMP_Z, c);
		} else if (run_accept(r, "filter=")) {
			unsigned f = run_word(r, filters);
			ISA_SET(s, S_XY_MAG_FILTER, f);
			ISA_SET(s, S_XY_MIN_FILTER, f);
		} else if (run_accept(r, "mip=")) {
			ISA_SET(s, S_MIP_FILTER, run_word(r, mips));
		} else if (run_accept(r, "compare=")) {
			ISA_SET(s, S_DEPTH_COMPARE_FUNC, run_word(r, compares));
		} else if (run_accept(r, "unnormalized")) {
			ISA_SET(s, S_FORCE_UNNORMALIZED, 1);
		} else {
			run_fail(r, "clamp= filter= mip= compare= or unnormalized is expected");
		}
	}
}
bool run_set_resource(struct run_reader *r, unsigned at)
{
	static void (*const kinds[])(struct run_reader *, uint32_t *) = { buffer_resource, image_resource, sampler_resource };
	static const char *const marks[] = { "V#", "T#", "S#" };
	for (unsigned k = 0; k < 3; k++) {
		if (!run_accept(r, marks[k]))
			continue;
		if (at > 96)
			run_fail(r, "a descriptor does not fit there");
		else
			kinds[k](r, &r->s->wave->sgpr[at]);
		return true;
	}
	return false;
}
