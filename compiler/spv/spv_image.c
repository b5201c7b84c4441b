/* SPDX-License-Identifier: MIT */
/* Sampled images: samples, gathers, fetches and queries. */
#include "compiler/spv/spv_priv.h"

/* --- shared with spv_image_storage.c --- */

unsigned spv_dims(const struct spv_type *image)
{
	switch (image->image.dim) {
	case SpvDim1D: case SpvDimBuffer: return 1;
	case SpvDim3D: case SpvDimCube: return 3;
	default: return 2;
	}
}

void spv_image_setup(struct spv *s, const struct spv_type *image, struct ir_tex *tex)
{
	static const uint8_t dims[] = { [SpvDim1D] = IR_DIM_1D, [SpvDim2D] = IR_DIM_2D, [SpvDim3D] = IR_DIM_3D,
		[SpvDimCube] = IR_DIM_CUBE, [SpvDimBuffer] = IR_DIM_BUFFER, [SpvDimSubpassData] = IR_DIM_2D };
	*tex = (struct ir_tex){ .dim = dims[image->image.dim], .array = image->image.arrayed, .ms = image->image.ms,
		.coords = (uint8_t)(spv_dims(image) + image->image.arrayed), .is_int = image->elem->kind == SPV_INT };
}

const struct spv_handle *spv_handle_of(struct spv *s, uint32_t id)
{
	const struct spv_val *v = spv_val(s, id);
	if (!v->handle)
		spv_invalid(s, "id %u is not an image or sampler", id);
	if (!v->handle->texture && !v->handle->sampler)
		spv_unsupported(s, "a use of the undefined image or sampler %u", id);
	return v->handle;
}

static struct ir_src index_of(struct spv *s, struct ir_src index)
{
	return index.inst ? spv_use(s, index) : ir_const(&s->b, 0);
}

/* Builds and inserts; src are the sources after the two array indices. */
struct ir_inst *spv_tex(struct spv *s, enum ir_op op, const struct spv_handle *h, struct ir_tex *tex, unsigned comps,
	const struct ir_src *src, unsigned srcs)
{
	struct ir_src texture = index_of(s, h->texture_index), sampler = index_of(s, h->sampler_index);
	struct ir_inst *inst = ir_inst_new(s->f, op, comps ? 32 : 0, comps, srcs + 2);
	inst->u.tex = spv_ir_alloc(s, sizeof *inst->u.tex);
	*inst->u.tex = *tex;
	inst->u.tex->texture = h->texture;
	inst->u.tex->sampler = h->sampler;
	inst->src[0] = texture;
	inst->src[1] = sampler;
	for (unsigned i = 0; i < srcs; i++)
		inst->src[2 + i] = src[i];
	spv_insert_access(s, inst, 2, h->flags);
	return inst;
}

/* --- operands --- */

struct operands { uint32_t mask, bias, lod, dx, dy, offset, offsets, sample; };

static struct operands read_operands(struct spv *s, struct spv_op op, uint32_t at)
{
	struct operands o = { 0 };
	if (op.n <= at)
		return o;
	o.mask = op.w[at++];
	if (o.mask & SpvImageOperandsBiasMask)
		o.bias = op.w[at++];
	if (o.mask & SpvImageOperandsLodMask)
		o.lod = op.w[at++];
	if (o.mask & SpvImageOperandsGradMask) {
		o.dx = op.w[at++];
		o.dy = op.w[at++];
	}
	if (o.mask & SpvImageOperandsConstOffsetMask)
		o.offset = op.w[at++];
	if (o.mask & SpvImageOperandsOffsetMask)
		o.offset = op.w[at++];
	if (o.mask & SpvImageOperandsConstOffsetsMask)
		o.offsets = op.w[at++];
	if (o.mask & SpvImageOperandsSampleMask)
		o.sample = op.w[at++];
	if (o.mask & (SpvImageOperandsMinLodMask | SpvImageOperandsOffsetsMask))
		spv_unsupported(s, "image operands 0x%x", o.mask);
	return o;
}

/* Sources as they gather up; the longest list (3D gradients with offset) has 16. */
struct sources { struct ir_src src[24]; unsigned n; };

static void add(struct sources *k, struct ir_src src)
{
	k->src[k->n++] = src;
}

/* The first n components of an operand that has at least as many. */
static const struct ir_src *components(struct spv *s, uint32_t id, uint32_t n)
{
	uint32_t have = spv_comps(spv_type_of(s, id));
	if (have < n)
		spv_invalid(s, "operand %u has %u components, not %u", id, have, n);
	return spv_numbers(s, id, have);
}

static void add_components(struct spv *s, struct sources *k, uint32_t id, uint32_t n)
{
	const struct ir_src *v = components(s, id, n);
	for (uint32_t i = 0; i < n; i++)
		add(k, v[i]);
}

static const struct spv_type *image_of(struct spv *s, const struct spv_handle *h, bool sampled)
{
	if (!h->image || (sampled && (!h->sampler || h->image->image.dim == SpvDimBuffer || h->image->image.ms)))
		spv_invalid(s, "not an image that can be sampled");
	if (!sampled && h->image->image.sampled != 1)
		spv_invalid(s, "the image is a storage image");
	return h->image;
}

/* The first components of a four-component texel. */
static void set_texel(struct spv *s, struct spv_op op, struct ir_inst *inst)
{
	const struct spv_type *type = spv_result_type(s, op);
	if (type->any_bool || spv_comps(type) == 0 || spv_comps(type) > inst->comps)
		spv_invalid(s, "the result has not %u components", inst->comps);
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	for (uint32_t i = 0; i < type->leaves; i++)
		out[i] = ir_comp(inst, i);
	spv_set(s, op, out);
}

/* --- samples --- */

static bool is_dref(uint32_t op)
{
	return op == SpvOpImageSampleDrefImplicitLod || op == SpvOpImageSampleDrefExplicitLod ||
		op == SpvOpImageSampleProjDrefImplicitLod || op == SpvOpImageSampleProjDrefExplicitLod ||
		op == SpvOpImageDrefGather;
}

static bool is_projective(uint32_t op)
{
	return op >= SpvOpImageSampleProjImplicitLod && op <= SpvOpImageSampleProjDrefExplicitLod;
}

/* Coordinates and the comparison value, divided by the last coordinate for the
 * projective ones. */
static void add_coordinates(struct spv *s, struct sources *k, struct spv_op op, struct ir_tex *tex)
{
	bool projective = is_projective(op.op);
	const struct ir_src *v = components(s, op.w[4], tex->coords + projective);
	struct ir_src scale = { 0 };
	if (projective)
		scale = spv_1(s, IR_FRCP, v[tex->coords]);
	for (unsigned i = 0; i < tex->coords; i++)
		add(k, projective ? spv_2(s, IR_FMUL, v[i], scale) : v[i]);
	if (!is_dref(op.op))
		return;
	struct ir_src reference = spv_number(s, op.w[5]);
	tex->compare = true;
	add(k, projective ? spv_2(s, IR_FMUL, reference, scale) : reference);
}

static bool is_varying(struct ir_src index)
{
	return index.inst && index.inst->op != IR_CONST;
}

static bool takes_turns(const struct spv_handle *h)
{
	return h->flags & SPV_NONUNIFORM && (is_varying(h->texture_index) || is_varying(h->sampler_index));
}

/* Lanes of a quad may sample different images, in turns of their own (spv_insert_access):
 * the derivatives of the coordinates, first in *k, are taken before. */
static void add_derivatives(struct spv *s, struct sources *k, const struct operands *o, unsigned dims, struct ir_tex *tex)
{
	struct ir_src scale = { 0 };
	tex->op = IR_TEX_SAMPLE_GRAD;
	spv_use_quads(s);
	if (o->bias)
		scale = spv_1(s, IR_FEXP2, spv_number(s, o->bias));
	for (unsigned i = 0; i < 2 * dims; i++) {
		struct ir_src d = spv_1(s, i < dims ? IR_DDX_COARSE : IR_DDY_COARSE, k->src[i % dims]);
		add(k, scale.inst ? spv_2(s, IR_FMUL, d, scale) : d);
	}
}

/* Outside fragment shaders there are no derivatives, and the base level is
 * meant.  */
static void add_lod(struct spv *s, struct sources *k, const struct spv_handle *h, const struct operands *o, unsigned dims,
	struct ir_tex *tex)
{
	if (o->dx) {
		tex->op = IR_TEX_SAMPLE_GRAD;
		add_components(s, k, o->dx, dims);
		add_components(s, k, o->dy, dims);
	} else if (o->lod) {
		tex->op = IR_TEX_SAMPLE_LOD;
		add(k, spv_number(s, o->lod));
	} else if (!ir_stage_has(s->f, ISA_QUADS)) {
		tex->op = IR_TEX_SAMPLE_LOD;
		add(k, o->bias ? spv_number(s, o->bias) : spv_f(s, 0));
	} else if (takes_turns(h)) {
		add_derivatives(s, k, o, dims, tex);
	} else {
		tex->op = o->bias ? IR_TEX_SAMPLE_BIAS : IR_TEX_SAMPLE;
		if (o->bias)
			add(k, spv_number(s, o->bias));
		s->f->needs_wqm = true;
	}
}

static void add_offset(struct spv *s, struct sources *k, const struct operands *o, unsigned dims, struct ir_tex *tex)
{
	if (!o->offset)
		return;
	if (tex->dim == IR_DIM_CUBE || tex->dim == IR_DIM_BUFFER)
		spv_invalid(s, "an offset into a cube or buffer");
	tex->offset = true;
	add_components(s, k, o->offset, dims);
}

static void sample(struct spv *s, struct spv_op op)
{
	const struct spv_handle *h = spv_handle_of(s, op.w[3]);
	const struct spv_type *image = image_of(s, h, true);
	bool dref = is_dref(op.op);
	struct operands o = read_operands(s, op, dref ? 6 : 5);
	struct sources k = { .n = 0 };
	struct ir_tex tex;
	spv_image_setup(s, image, &tex);
	if (is_projective(op.op) && (image->image.arrayed || tex.dim == IR_DIM_CUBE))
		spv_invalid(s, "a projective sample of an array or cube");
	if (o.offsets || o.sample)
		spv_invalid(s, "image operands 0x%x", o.mask);
	add_coordinates(s, &k, op, &tex);
	add_lod(s, &k, h, &o, spv_dims(image), &tex);
	add_offset(s, &k, &o, spv_dims(image), &tex);
	const struct compiler_ycbcr *conversion = spv_ycbcr_of(h);
	if (conversion) {
		spv_ycbcr_sample(s, op, h, &tex, conversion, k.src, k.n);
		return;
	}
	set_texel(s, op, spv_tex(s, IR_TEX, h, &tex, dref ? 1 : 4, k.src, k.n));
}

/* --- gathers --- */

/* textureGatherOffsets: component i of the result is the texel at offset i of
 * the footprint's origin, which is the w of a gather there. */
static void gather_offsets(struct spv *s, struct spv_op op, const struct spv_handle *h, const struct operands *o,
	struct ir_tex tex, const struct sources *k)
{
	const struct spv_type *type = spv_type_of(s, o->offsets);
	if (type->kind != SPV_ARRAY || type->count != 4 || spv_comps(type->elem) != 2 || type->any_bool ||
		spv_comps(spv_result_type(s, op)) != 4 || spv_result_type(s, op)->any_bool)
		spv_invalid(s, "ConstOffsets is not an array of four vectors, or the result no vector of four");
	const struct ir_src *offsets = spv_leaves(s, o->offsets, NULL);
	struct ir_src *out = spv_leaf_array(s, 4);
	tex.offset = true;
	for (unsigned i = 0; i < 4; i++) {
		struct sources one = *k;
		add(&one, offsets[2 * i]);
		add(&one, offsets[2 * i + 1]);
		out[i] = ir_comp(spv_tex(s, IR_TEX, h, &tex, 4, one.src, one.n), 3);
	}
	spv_set(s, op, out);
}

static void gather(struct spv *s, struct spv_op op)
{
	const struct spv_handle *h = spv_handle_of(s, op.w[3]);
	const struct spv_type *image = image_of(s, h, true);
	struct operands o = read_operands(s, op, 6);
	struct sources k = { .n = 0 };
	struct ir_tex tex;
	uint32_t component = 0;
	spv_image_setup(s, image, &tex);
	tex.op = IR_TEX_GATHER;
	if (tex.dim != IR_DIM_2D && tex.dim != IR_DIM_CUBE)
		spv_invalid(s, "a gather of another dimension than 2D or cube");
	if (op.op == SpvOpImageGather)
		component = spv_const_scalar(s, op.w[5]);
	if (component > 3)
		spv_invalid(s, "component %u", component);
	tex.component = (uint8_t)component;
	add_coordinates(s, &k, op, &tex);
	if (o.offsets) {
		gather_offsets(s, op, h, &o, tex, &k);
		return;
	}
	add_offset(s, &k, &o, 2, &tex);
	set_texel(s, op, spv_tex(s, IR_TEX, h, &tex, 4, k.src, k.n));
}

/* --- fetches and queries --- */

/* The sample of a multisampled image stands where others have the level. */
static void fetch(struct spv *s, struct spv_op op)
{
	struct spv_handle h = *spv_handle_of(s, op.w[3]);
	const struct spv_type *image = image_of(s, &h, false);
	struct operands o = read_operands(s, op, 5);
	struct sources k = { .n = 0 };
	struct ir_tex tex;
	h.sampler = NULL;
	h.sampler_index.inst = NULL;
	spv_image_setup(s, image, &tex);
	if (tex.dim == IR_DIM_CUBE)
		spv_invalid(s, "a fetch from a cube");
	tex.op = IR_TEX_FETCH;
	add_components(s, &k, op.w[4], tex.coords);
	uint32_t level = tex.ms ? o.sample : o.lod;
	if (level && tex.dim != IR_DIM_BUFFER) {
		tex.lod = true;
		add(&k, spv_number(s, level));
	}
	add_offset(s, &k, &o, spv_dims(image), &tex);
	set_texel(s, op, spv_tex(s, IR_TEX, &h, &tex, 4, k.src, k.n));
}

static void set_query(struct spv *s, struct spv_op op, struct ir_inst *inst)
{
	if (spv_comps(spv_result_type(s, op)) != inst->comps)
		spv_invalid(s, "the result has not %u components", inst->comps);
	set_texel(s, op, inst);
}

static void query(struct spv *s, struct spv_op op)
{
	struct spv_handle h = *spv_handle_of(s, op.w[3]);
	struct sources k = { .n = 0 };
	struct ir_tex tex;
	if (!h.image)
		spv_invalid(s, "not an image");
	h.sampler = NULL;
	h.sampler_index.inst = NULL;
	spv_image_setup(s, h.image, &tex);
	unsigned comps = 1;
	switch (op.op) {
	case SpvOpImageQuerySizeLod: case SpvOpImageQuerySize:
		tex.op = IR_TEX_QUERY_SIZE;
		comps = (tex.dim == IR_DIM_CUBE ? 2 : spv_dims(h.image)) + h.image->image.arrayed;
		if (op.op == SpvOpImageQuerySizeLod) {
			tex.lod = true;
			add(&k, spv_number(s, op.w[4]));
		}
		break;
	case SpvOpImageQueryLevels: tex.op = IR_TEX_QUERY_LEVELS; break;
	default: tex.op = IR_TEX_QUERY_SAMPLES;
	}
	tex.coords = 0;
	set_query(s, op, spv_tex(s, IR_TEX, &h, &tex, comps, k.src, k.n));
}

/* The level depends on all pixels of a quad, which may ask of different images: in turns of
 * whole quads, each with the images of another of its pixels. */
static void query_lod_of_each(struct spv *s, struct spv_op op, const struct spv_handle *h, struct ir_tex *tex,
	const struct sources *k)
{
	struct ir_src lane = spv_sysval(s, IR_SYS_LANE, 1, 0), own = ir_op2(&s->b, IR_IAND, lane, spv_u(s, 3));
	struct ir_src *out = spv_leaf_array(s, 2), first = ir_op2(&s->b, IR_IAND, lane, spv_u(s, ~3u));
	for (unsigned i = 0; i < 4; i++) {
		struct spv_handle one = *h;
		struct ir_src pixel = ir_op2(&s->b, IR_IOR, first, spv_u(s, i));
		if (is_varying(h->texture_index))
			one.texture_index = spv_from_lane(s, spv_use(s, h->texture_index), pixel);
		if (is_varying(h->sampler_index))
			one.sampler_index = spv_from_lane(s, spv_use(s, h->sampler_index), pixel);
		struct ir_inst *inst = spv_tex(s, IR_TEX, &one, tex, 2, k->src, k->n);
		struct ir_src mine = ir_op2(&s->b, IR_ICMP_EQ, own, spv_u(s, i));
		for (unsigned c = 0; c < 2; c++) {
			struct ir_src value = spv_use(s, ir_comp(inst, c));
			out[c] = i ? ir_op3(&s->b, IR_SELECT, mine, value, spv_use(s, out[c])) : value;
		}
	}
	if (spv_comps(spv_result_type(s, op)) != 2 || spv_result_type(s, op)->any_bool)
		spv_invalid(s, "the result has not 2 components");
	spv_set(s, op, out);
}

/* The coordinates have no array layer. */
static void query_lod(struct spv *s, struct spv_op op)
{
	const struct spv_handle *h = spv_handle_of(s, op.w[3]);
	const struct spv_type *image = image_of(s, h, true);
	struct sources k = { .n = 0 };
	struct ir_tex tex;
	spv_use_quads(s);
	spv_image_setup(s, image, &tex);
	tex.op = IR_TEX_QUERY_LOD;
	tex.array = 0;
	tex.coords = (uint8_t)spv_dims(image);
	add_components(s, &k, op.w[4], tex.coords);
	if (takes_turns(h))
		query_lod_of_each(s, op, h, &tex, &k);
	else
		set_query(s, op, spv_tex(s, IR_TEX, h, &tex, 2, k.src, k.n));
}

/* --- handles --- */

/* Depth and format may differ: they say nothing that the descriptor does not. */
static bool same_image(const struct spv_type *a, const struct spv_type *b)
{
	return a->kind == SPV_IMAGE && b->kind == SPV_IMAGE && a->image.dim == b->image.dim &&
		a->image.arrayed == b->image.arrayed && a->image.ms == b->image.ms &&
		a->image.sampled == b->image.sampled && a->elem->kind == b->elem->kind;
}

static void combine(struct spv *s, struct spv_op op)
{
	const struct spv_handle *image = spv_handle_of(s, op.w[3]), *sampler = spv_handle_of(s, op.w[4]);
	const struct spv_type *type = spv_result_type(s, op);
	if (!image->image || !sampler->sampler || type->kind != SPV_SAMPLED_IMAGE ||
		!same_image(type->elem, image->image))
		spv_invalid(s, "not an image and a sampler, or the result is of another type");
	struct spv_handle *h = spv_alloc(s, 1, sizeof *h);
	*h = *image;
	h->image = type->elem;
	h->sampler = sampler->sampler;
	h->sampler_index = sampler->sampler_index;
	h->flags |= sampler->flags & SPV_NONUNIFORM;
	spv_set_handle(s, op, h);
}

static void take_image(struct spv *s, struct spv_op op)
{
	struct spv_handle *h = spv_alloc(s, 1, sizeof *h);
	*h = *spv_handle_of(s, op.w[3]);
	if (!h->image || !same_image(spv_result_type(s, op), h->image))
		spv_invalid(s, "the result is not the image's type");
	h->sampler = NULL;
	h->sampler_index.inst = NULL;
	spv_set_handle(s, op, h);
}

bool spv_image(struct spv *s, struct spv_op op)
{
	if (op.op >= SpvOpImageSampleImplicitLod && op.op <= SpvOpImageSampleProjDrefExplicitLod) {
		sample(s, op);
		return true;
	}
	switch (op.op) {
	case SpvOpImageGather: case SpvOpImageDrefGather: gather(s, op); return true;
	case SpvOpImageFetch: fetch(s, op); return true;
	case SpvOpSampledImage: combine(s, op); return true;
	case SpvOpImage: take_image(s, op); return true;
	case SpvOpImageQueryLod: query_lod(s, op); return true;
	case SpvOpImageQuerySizeLod: case SpvOpImageQuerySize: case SpvOpImageQueryLevels: case SpvOpImageQuerySamples:
		query(s, op);
		return true;
	default: return false;
	}
}
