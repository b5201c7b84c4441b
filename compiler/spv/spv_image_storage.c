/* SPDX-License-Identifier: MIT */
/* Storage images, storage texel buffers, subpass inputs, texel pointers. */
#include "compiler/spv/spv_priv.h"

#include <string.h>

/* A storage cube is addressed as the array of its faces: x, y, face. */
static void setup(struct spv *s, const struct spv_handle *h, struct ir_tex *tex)
{
	if (!h->image || h->image->image.sampled != 2)
		spv_invalid(s, "not a storage image");
	spv_image_setup(s, h->image, tex);
	if (tex->dim == IR_DIM_CUBE) {
		tex->dim = IR_DIM_2D;
		tex->array = 1;
		tex->coords = 3;
	}
	tex->lod = tex->ms; /* the sample */
}

static const struct ir_src *coordinates(struct spv *s, uint32_t id, uint32_t n)
{
	uint32_t have = spv_comps(spv_type_of(s, id));
	if (have < n)
		spv_invalid(s, "the coordinate has %u components, not %u", have, n);
	return spv_numbers(s, id, have);
}

/* A texel of 64 bits is the first two words of four. */
static bool is_wide(const struct spv_handle *h)
{
	return h->image->elem->width == 64;
}

/* The second and third are 0, the last 1, but of a null descriptor 0. */
static struct ir_src wide_number(struct spv *s, struct ir_inst *inst, uint32_t i)
{
	if (!i)
		return ir_op2(&s->b, IR_PACK, ir_comp(inst, 0), ir_comp(inst, 1));
	return i < 3 ? spv_i_of(s, 64, 0) : ir_convert(&s->b, IR_UCONV, 64, ir_comp(inst, 3));
}

static struct ir_src first_number(struct spv *s, const struct spv_handle *h, struct ir_inst *inst)
{
	return is_wide(h) ? wide_number(s, inst, 0) : ir_comp(inst, 0);
}

/* n numbers of the texel's width as words; how many these are. */
static unsigned words_of(struct spv *s, const struct spv_handle *h, const struct ir_src *v, unsigned n, struct ir_src *out)
{
	unsigned at = 0;
	for (unsigned i = 0; i < n; i++) {
		out[at++] = is_wide(h) ? ir_convert(&s->b, IR_UCONV, 32, v[i]) : v[i];
		if (is_wide(h))
			out[at++] = ir_op1(&s->b, IR_HIGH, v[i]);
	}
	return at;
}

/* What a store writes: four words of the first numbers of a texel. */
static void store_words(struct spv *s, const struct spv_handle *h, const struct ir_src *v, unsigned n, struct ir_src out[4])
{
	unsigned most = is_wide(h) ? 1 : 4;
	for (unsigned i = words_of(s, h, v, n < most ? n : most, out); i < 4; i++)
		out[i] = spv_u(s, 0);
}

/* The Sample among the image operands at word `at`, before which none can stand;
 * 0 where there is none. */
static struct ir_src sample_operand(struct spv *s, struct spv_op op, uint32_t at)
{
	if (op.n > at + 1 && (op.w[at] & (2 * SpvImageOperandsSampleMask - 1)) == SpvImageOperandsSampleMask)
		return spv_number(s, op.w[at + 1]);
	return spv_u(s, 0);
}

/* The texel of the attachment under this fragment: a fetch at the truncated
 * FragCoord plus the given offset, of this view's layer under multiview. */
static struct ir_inst *read_subpass(struct spv *s, struct spv_op op, const struct spv_handle *h)
{
	struct ir_tex tex;
	struct ir_src src[4];
	unsigned n = 0;
	const struct ir_src *at = coordinates(s, op.w[4], 2);
	if (s->f->stage != COMPILER_PS)
		spv_invalid(s, "a subpass input outside a fragment shader");
	spv_image_setup(s, h->image, &tex);
	tex.op = IR_TEX_FETCH;
	for (; n < 2; n++) {
		struct ir_src pixel = ir_op1(&s->b, IR_F2I, spv_sysval(s, IR_SYS_FRAG_COORD, 4, n));
		src[n] = ir_op2(&s->b, IR_IADD, pixel, at[n]);
	}
	tex.array = s->multiview;
	if (s->multiview)
		src[n++] = spv_sysval(s, IR_SYS_VIEW_INDEX, 1, 0);
	tex.coords = (uint8_t)n;
	tex.lod = true;
	src[n++] = tex.ms ? sample_operand(s, op, 5) : spv_u(s, 0);
	return spv_tex(s, IR_TEX, h, &tex, 4, src, n);
}

static void read(struct spv *s, struct spv_op op)
{
	const struct spv_handle *h = spv_handle_of(s, op.w[3]);
	const struct spv_type *type = spv_result_type(s, op);
	struct ir_inst *inst;
	struct ir_tex tex;
	if (type->any_bool || !spv_comps(type) || !h->image || spv_scalar_type(type)->width != h->image->elem->width)
		spv_invalid(s, "the result is not of the image's numbers");
	if (h->image && h->image->image.dim == SpvDimSubpassData) {
		inst = read_subpass(s, op, h);
	} else {
		struct ir_src src[5];
		unsigned n = 0;
		setup(s, h, &tex);
		for (const struct ir_src *at = coordinates(s, op.w[4], tex.coords); n < tex.coords; n++)
			src[n] = at[n];
		if (tex.ms)
			src[n++] = sample_operand(s, op, 5);
		inst = spv_tex(s, IR_IMAGE_LOAD, h, &tex, 4, src, n);
	}
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	for (uint32_t i = 0; i < type->leaves; i++)
		out[i] = !is_wide(h) ? ir_comp(inst, i) : wide_number(s, inst, i);
	spv_set(s, op, out);
}

static void write(struct spv *s, struct spv_op op)
{
	const struct spv_handle *h = spv_handle_of(s, op.w[1]);
	struct ir_tex tex;
	struct ir_src src[8];
	unsigned n = 0;
	setup(s, h, &tex);
	if (h->image->image.dim == SpvDimSubpassData)
		spv_invalid(s, "a write to a subpass input");
	const struct ir_src *at = coordinates(s, op.w[2], tex.coords);
	uint32_t comps = spv_comps(spv_type_of(s, op.w[3]));
	if (!comps)
		spv_invalid(s, "the texel is not a vector");
	const struct ir_src *texel = spv_operands(s, op.w[3], comps);
	if (texel[0].inst->bits != h->image->elem->width)
		spv_invalid(s, "the texel is of %u bits, not %u", texel[0].inst->bits, h->image->elem->width);
	for (unsigned i = 0; i < tex.coords; i++)
		src[n++] = at[i];
	if (tex.ms)
		src[n++] = sample_operand(s, op, 4);
	store_words(s, h, texel, comps, src + n);
	s->f->has_effects = true;
	spv_tex(s, IR_IMAGE_STORE, h, &tex, 0, src, n + 4);
}

static void texel_pointer(struct spv *s, struct spv_op op)
{
	const struct spv_ptr *p = spv_pointer(s, op.w[3]);
	const struct spv_type *type = spv_result_type(s, op);
	if (p->kind != SPV_PTR_HANDLE || !p->indexed || p->type->kind != SPV_IMAGE)
		spv_invalid(s, "not a pointer to an image");
	if (type->kind != SPV_POINTER || type->storage != SpvStorageClassImage || type->elem != p->type->elem)
		spv_invalid(s, "the result is not a pointer to a texel of the image");
	struct spv_handle *h = spv_alloc(s, 1, sizeof *h);
	*h = (struct spv_handle){ .image = p->type, .texture = p->var->binding, .texture_index = p->index,
		.flags = p->flags | (spv_flags(spv_id(s, op.w[2]), -1) & SPV_NONUNIFORM) };
	struct ir_tex tex;
	setup(s, h, &tex);
	/* The number of the sample goes with the coordinates. */
	struct ir_src *at = spv_leaf_array(s, tex.coords + 1u);
	memcpy(at, coordinates(s, op.w[4], tex.coords), tex.coords * sizeof *at);
	if (tex.ms)
		at[tex.coords] = spv_number(s, op.w[5]);
	struct spv_ptr *q = spv_alloc(s, 1, sizeof *q);
	*q = (struct spv_ptr){ .kind = SPV_PTR_TEXEL, .type = type->elem, .image = h,
		.coords = at, .flags = p->flags };
	spv_set_ptr(s, op, q);
}

bool spv_image_storage(struct spv *s, struct spv_op op)
{
	switch (op.op) {
	case SpvOpImageRead: read(s, op); return true;
	case SpvOpImageWrite: write(s, op); return true;
	case SpvOpImageTexelPointer: texel_pointer(s, op); return true;
	default: return false;
	}
}

static unsigned texel_coordinates(struct spv *s, const struct spv_ptr *p, struct ir_tex *tex, struct ir_src *src)
{
	unsigned n = 0;
	setup(s, p->image, tex);
	for (; n < tex->coords + (unsigned)tex->ms; n++)
		src[n] = spv_use(s, p->coords[n]);
	return n;
}

struct ir_src spv_texel_load(struct spv *s, const struct spv_ptr *p)
{
	struct ir_tex tex;
	struct ir_src src[4];
	unsigned n = texel_coordinates(s, p, &tex, src);
	return first_number(s, p->image, spv_tex(s, IR_IMAGE_LOAD, p->image, &tex, 4, src, n));
}

void spv_texel_store(struct spv *s, const struct spv_ptr *p, struct ir_src value)
{
	struct ir_tex tex;
	struct ir_src src[8];
	unsigned n = texel_coordinates(s, p, &tex, src);
	store_words(s, p->image, &value, 1, src + n);
	spv_tex(s, IR_IMAGE_STORE, p->image, &tex, 0, src, n + 4);
}

struct ir_src spv_texel_atomic(struct spv *s, const struct spv_ptr *p, enum ir_atomic atomic, const struct ir_src *data,
	unsigned count)
{
	struct ir_tex tex;
	struct ir_src src[8];
	unsigned n = texel_coordinates(s, p, &tex, src);
	tex.op = (uint8_t)atomic;
	n += words_of(s, p->image, data, count, src + n);
	return first_number(s, p->image, spv_tex(s, IR_IMAGE_ATOMIC, p->image, &tex, is_wide(p->image) ? 2 : 1, src, n));
}
