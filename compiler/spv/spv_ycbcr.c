/* SPDX-License-Identifier: MIT */
/* Samples through a sampler Y'CbCr conversion, section 16.1 of the Vulkan specification ("Texel Coordinate Systems",
 * "Chroma Reconstruction") and 16.3.9 ("Sampler Y'CbCr Conversion").  Conversions come with the set layout, so that a
 * sample becomes one of each plane and the arithmetic behind it: the texture unit knows planes as images, no more. */
#include "compiler/spv/spv_priv.h"

#include <string.h>

/* Elements are chosen by constants (VUID-VkDescriptorSetLayoutBinding and the environment of SPIR-V ask for it). */
const struct compiler_ycbcr *spv_ycbcr_of(const struct spv_handle *h)
{
	const struct compiler_binding *b = h->texture;
	struct ir_src index = h->texture_index;
	uint32_t i = index.inst && index.inst->op == IR_CONST ? (uint32_t)index.inst->u.imm : 0;
	if (!b || !b->ycbcr || h->sampler != b || i >= b->count)
		return NULL;
	return b->ycbcr[i].planes ? &b->ycbcr[i] : NULL;
}

enum { MAX_SOURCES = 24 };

struct sample {
	struct spv *s;
	const struct spv_handle *h;
	const struct ir_tex *tex;
	const struct compiler_ycbcr *y;
	const struct ir_src *src;
	unsigned srcs;
	struct ir_src texels[2];       /* the size of the first plane, where it is needed */
};

static struct ir_src mad(struct spv *s, struct ir_src a, float b, float c)
{
	return spv_3(s, IR_FFMA, a, spv_f(s, b), spv_f(s, c));
}

/* Texel (x, y) of the first plane, as floats. */
static void query_size(struct sample *k)
{
	struct ir_tex tex = *k->tex;
	struct spv_handle h = *k->h;
	struct ir_src lod = spv_u(k->s, 0);
	tex.op = IR_TEX_QUERY_SIZE;
	tex.coords = 0;
	tex.offset = 0;
	tex.lod = 1;
	h.sampler = NULL;
	h.sampler_index.inst = NULL;
	struct ir_inst *size = spv_tex(k->s, IR_TEX, &h, &tex, 2u + tex.array, &lod, 1);
	for (unsigned i = 0; i < 2; i++)
		k->texels[i] = spv_1(k->s, IR_U2F, ir_comp(size, i));
}

/* --- implicit reconstruction: the texture unit filters each plane at its own coordinates --- */

/* u' = (u + 0.5) / 2 where the texel lies on the even one of two, u / 2 between them: in normalised coordinates half
 * a texel of the first plane further, or the same. */
static struct ir_inst *sample_plane(struct sample *k, unsigned plane)
{
	struct ir_tex tex = *k->tex;
	struct ir_src src[MAX_SOURCES];
	memcpy(src, k->src, k->srcs * sizeof *src);
	tex.plane = (uint8_t)plane;
	for (unsigned i = 0; plane && i < 2; i++)
		if (k->y->half & k->y->cosited & 1u << i)
			src[i] = spv_3(k->s, IR_FFMA, spv_1(k->s, IR_FRCP, k->texels[i]), spv_f(k->s, 0.5f), src[i]);
	return spv_tex(k->s, IR_TEX, k->h, &tex, 4, src, k->srcs);
}

/* --- explicit reconstruction: at the texels of the first plane --- */

/* The chroma of the texel of the first plane at whose centre u[] is, in texels. */
static struct ir_inst *chroma_at(struct sample *k, unsigned plane, const struct ir_src u[2])
{
	struct ir_tex tex = *k->tex;
	struct ir_src src[4];
	tex.plane = (uint8_t)plane;
	tex.op = IR_TEX_SAMPLE_LOD;
	for (unsigned i = 0; i < 2; i++) {
		bool shift = k->y->chroma_linear && k->y->half & k->y->cosited & 1u << i;
		struct ir_src at = shift ? spv_2(k->s, IR_FADD, u[i], spv_f(k->s, 0.5f)) : u[i];
		src[i] = spv_2(k->s, IR_FMUL, at, spv_1(k->s, IR_FRCP, k->texels[i]));
	}
	if (tex.array)
		src[2] = k->src[2];
	src[tex.coords] = spv_f(k->s, 0);
	return spv_tex(k->s, IR_TEX, k->h, &tex, 4, src, tex.coords + 1u);
}

static struct ir_src lerp(struct spv *s, struct ir_src a, struct ir_src b, struct ir_src t)
{
	return spv_3(s, IR_FFMA, spv_2(s, IR_FSUB, b, a), t, a);
}

/* Filtered as the first plane is: at its nearest texel, or between four. */
static void reconstruct(struct sample *k, unsigned plane, struct ir_src out[2])
{
	struct spv *s = k->s;
	struct ir_src first[2], part[2], value[4][2];
	for (unsigned i = 0; i < 2; i++) {
		/* Beyond the edge is the edge (the address mode of all these samplers). */
		struct ir_src most = spv_2(s, IR_FSUB, k->texels[i], spv_f(s, 0.5f));
		struct ir_src u = spv_2(s, IR_FMUL, k->src[i], k->texels[i]);
		u = spv_3(s, IR_FMED3, u, spv_f(s, 0.5f), most);
		if (k->y->linear)
			u = spv_2(s, IR_FSUB, u, spv_f(s, 0.5f));
		struct ir_src whole = spv_1(s, IR_FFLOOR, u);
		part[i] = spv_2(s, IR_FSUB, u, whole);
		first[i] = spv_2(s, IR_FADD, whole, spv_f(s, 0.5f));
	}
	for (unsigned n = 0; n < (k->y->linear ? 4 : 1); n++) {
		struct ir_src at[2];
		for (unsigned i = 0; i < 2; i++) {
			struct ir_src most = spv_2(s, IR_FSUB, k->texels[i], spv_f(s, 0.5f));
			at[i] = n >> i & 1 ? spv_2(s, IR_FMIN, spv_2(s, IR_FADD, first[i], spv_f(s, 1)), most) : first[i];
		}
		struct ir_inst *texel = chroma_at(k, plane, at);
		for (unsigned c = 0; c < 2; c++)
			value[n][c] = ir_comp(texel, c);
	}
	for (unsigned c = 0; c < 2; c++)
		out[c] = k->y->linear ? lerp(s, lerp(s, value[0][c], value[1][c], part[0]),
			lerp(s, value[2][c], value[3][c], part[0]), part[1]) : value[0][c];
}

/* --- arithmetic --- */

/* "Sampler Y'CbCr Range Expansion": codes of n bits, of which unorm is the share of 2^n - 1. */
static void expand_range(struct spv *s, const struct compiler_ycbcr *y, struct ir_src rgb[3])
{
	for (unsigned c = 0; c < 3; c++) {
		bool luma = c == 1;
		double codes = (double)((1u << y->bits[c]) - 1), unit = (double)(1u << y->bits[c]) / 256;
		if (y->narrow)
			rgb[c] = mad(s, rgb[c], (float)(codes / ((luma ? 219 : 224) * unit)),
				luma ? -16.0f / 219.0f : -128.0f / 224.0f);
		else if (!luma)
			rgb[c] = spv_2(s, IR_FADD, rgb[c], spv_f(s, (float)(-128 * unit / codes)));
	}
}

/* "Sampler Y'CbCr Model Conversion": Cr, Y', Cb to R, G, B, by the weights of red and blue in luma. */
static void convert_model(struct spv *s, const struct compiler_ycbcr *y, struct ir_src rgb[3])
{
	static const struct { double red, blue; } weights[] = { [COMPILER_YCBCR_709] = { 0.2126, 0.0722 },
		[COMPILER_YCBCR_601] = { 0.299, 0.114 }, [COMPILER_YCBCR_2020] = { 0.2627, 0.0593 } };
	struct ir_src cr = rgb[0], luma = rgb[1], cb = rgb[2];
	double red = weights[y->model].red, blue = weights[y->model].blue, green = 1 - red - blue;
	rgb[0] = spv_3(s, IR_FFMA, cr, spv_f(s, (float)(2 * (1 - red))), luma);
	rgb[1] = spv_3(s, IR_FFMA, cb, spv_f(s, (float)(-2 * (1 - blue) * blue / green)), luma);
	rgb[1] = spv_3(s, IR_FFMA, cr, spv_f(s, (float)(-2 * (1 - red) * red / green)), rgb[1]);
	rgb[2] = spv_3(s, IR_FFMA, cb, spv_f(s, (float)(2 * (1 - blue))), luma);
}

void spv_ycbcr_sample(struct spv *s, struct spv_op op, const struct spv_handle *h, const struct ir_tex *tex,
	const struct compiler_ycbcr *y, const struct ir_src *src, unsigned srcs)
{
	struct sample k = { .s = s, .h = h, .tex = tex, .y = y, .src = src, .srcs = srcs };
	const struct spv_type *type = spv_result_type(s, op);
	struct ir_src *out = spv_leaf_array(s, 4), plane[3][4];
	if (tex->dim != IR_DIM_2D || tex->compare || tex->offset)
		spv_invalid(s, "a sample that a Y'CbCr conversion cannot have");
	if (spv_comps(type) != 4 || type->any_bool)
		spv_invalid(s, "the result has not 4 components");
	if (y->half & (y->expl ? 3 : y->cosited))
		query_size(&k);
	for (unsigned p = 0; p < y->planes; p++) {
		if (p && y->expl && y->half) {
			reconstruct(&k, p, plane[p]);
			continue;
		}
		struct ir_inst *texel = sample_plane(&k, p);
		for (unsigned c = 0; c < 4; c++)
			plane[p][c] = ir_comp(texel, c);
	}
	for (unsigned c = 0; c < 4; c++)
		out[c] = y->source[c] < COMPILER_YCBCR_ZERO ? plane[y->source[c] / 4][y->source[c] % 4] :
			spv_f(s, y->source[c] == COMPILER_YCBCR_ONE);
	if (y->model != COMPILER_RGB_IDENTITY)
		expand_range(s, y, out);
	if (y->model > COMPILER_YCBCR_IDENTITY)
		convert_model(s, y, out);
	spv_set(s, op, out);
}
