/* SPDX-License-Identifier: MIT */
/* Selection of image operations: MIMG, and MUBUF for texel buffers. */
#include "compiler/gcn/sel.h"

#include "isa/abi.h"
#include "isa/resource.h"

enum mode { MODE_IMPLICIT, MODE_BIAS, MODE_LOD, MODE_GRAD, MODE_ZERO, MODES };

#define FORMS(name) { \
	[MODE_IMPLICIT] = { GCN_IMAGE_##name, GCN_IMAGE_##name##_O }, \
	[MODE_BIAS] = { GCN_IMAGE_##name##_B, GCN_IMAGE_##name##_B_O }, \
	[MODE_LOD] = { GCN_IMAGE_##name##_L, GCN_IMAGE_##name##_L_O }, \
	[MODE_ZERO] = { GCN_IMAGE_##name##_LZ, GCN_IMAGE_##name##_LZ_O } }
#define FORMS_D(name) { \
	[MODE_IMPLICIT] = { GCN_IMAGE_##name, GCN_IMAGE_##name##_O }, \
	[MODE_BIAS] = { GCN_IMAGE_##name##_B, GCN_IMAGE_##name##_B_O }, \
	[MODE_LOD] = { GCN_IMAGE_##name##_L, GCN_IMAGE_##name##_L_O }, \
	[MODE_GRAD] = { GCN_IMAGE_##name##_D, GCN_IMAGE_##name##_D_O }, \
	[MODE_ZERO] = { GCN_IMAGE_##name##_LZ, GCN_IMAGE_##name##_LZ_O } }
static const uint16_t sample_ops[4][MODES][2] = { FORMS_D(SAMPLE), FORMS_D(SAMPLE_C), FORMS(GATHER4), FORMS(GATHER4_C) };

/* The sources of the instruction by role. */
struct parts {
	const struct ir_src *coord, *compare, *lod, *ddx, *ddy, *offset, *data;
	unsigned dims, datas;
};

static unsigned dims_of(const struct ir_tex *t)
{
	switch (t->dim) {
	case IR_DIM_1D: case IR_DIM_BUFFER: return 1;
	case IR_DIM_3D: case IR_DIM_CUBE: return 3;
	default: return 2;
	}
}

static struct parts parts_of(const struct ir_inst *in)
{
	const struct ir_tex *t = in->u.tex;
	struct parts p = { .dims = dims_of(t) };
	const struct ir_src *at = in->src + 2;
	p.coord = at;
	at += t->coords;
	if (t->compare)
		p.compare = at++;
	if (t->lod || (in->op == IR_TEX && (t->op == IR_TEX_SAMPLE_BIAS || t->op == IR_TEX_SAMPLE_LOD)))
		p.lod = at++;
	if (in->op == IR_TEX && t->op == IR_TEX_SAMPLE_GRAD) {
		p.ddx = at;
		p.ddy = at + p.dims;
		at += 2 * p.dims;
	}
	if (t->offset) {
		p.offset = at;
		at += p.dims;
	}
	p.data = at;
	p.datas = (unsigned)(in->src + in->srcs - at);
	return p;
}

/* --- small arithmetic --- */

static struct sel_opnd op1(struct sel *s, unsigned op, struct sel_opnd a)
{
	return sel_v(sel_valu(s, op, MIR_NONE, 1, &a));
}

static struct sel_opnd op2(struct sel *s, unsigned op, struct sel_opnd a, struct sel_opnd b)
{
	return sel_v(sel_valu(s, op, MIR_NONE, 2, (struct sel_opnd[]){ a, b }));
}

static struct sel_opnd op3(struct sel *s, unsigned op, struct sel_opnd a, struct sel_opnd b, struct sel_opnd c)
{
	return sel_v(sel_valu(s, op, MIR_NONE, 3, (struct sel_opnd[]){ a, b, c }));
}

static struct sel_opnd constf(struct sel *s, float f)
{
	union { float f; uint32_t u; } v = { f };
	return sel_inline(s, v.u);
}

/* --- cube maps --- */

struct cube { struct sel_opnd id, sc, tc, ma, rcp; };

static struct sel_opnd negated(struct sel_opnd o)
{
	o.neg = !o.neg;
	return o;
}

/* cond ? a : b, where a and b may be negated: v_cndmask takes float modifiers. */
static struct sel_opnd choose(struct sel *s, mir_opnd cond, struct sel_opnd a, struct sel_opnd b)
{
	return op3(s, GCN_V_CNDMASK_B32, b, a, sel_s(cond));
}

/* Derivative of the face coordinates from that of the direction (dx, dy, dz):
 * with s = sc / ma + 1.5, ds = (dsc - dma * sc / ma) / ma.  v_cubema is twice
 * the major axis, and so is dma here. */
static void cube_derivative(struct sel *s, const struct cube *c, const struct ir_src *d, struct sel_opnd out[2])
{
	struct sel_opnd dx = sel_v(sel_vgpr(s, d[0])), dy = sel_v(sel_vgpr(s, d[1])), dz = sel_v(sel_vgpr(s, d[2]));
	mir_opnd is_z = sel_valu(s, GCN_V_CMP_LE_F32, MIR_NONE, 2, (struct sel_opnd[]){ constf(s, 4), c->id });
	mir_opnd not_x = sel_valu(s, GCN_V_CMP_LE_F32, MIR_NONE, 2, (struct sel_opnd[]){ constf(s, 2), c->id });
	mir_opnd negative = sel_valu(s, GCN_V_CMP_GT_F32, MIR_NONE, 2, (struct sel_opnd[]){ constf(s, 0), c->ma });
	/* On the positive faces: x: sc -z, tc -y; y: sc x, tc z; z: sc x, tc -y. */
	struct sel_opnd dsc = choose(s, not_x, dx, negated(dz));
	struct sel_opnd dtc = choose(s, not_x, choose(s, is_z, negated(dy), dz), negated(dy));
	struct sel_opnd dma = choose(s, is_z, dz, choose(s, not_x, dy, dx));
	/* On the negative ones x's and z's sc and y's tc change sign. */
	struct sel_opnd flipped_sc = choose(s, is_z, negated(dsc), choose(s, not_x, dsc, negated(dsc)));
	struct sel_opnd flipped_tc = choose(s, is_z, dtc, choose(s, not_x, negated(dtc), dtc));
	dsc = choose(s, negative, flipped_sc, dsc);
	dtc = choose(s, negative, flipped_tc, dtc);
	dma = choose(s, negative, negated(dma), dma);
	dma = op2(s, GCN_V_MUL_F32, constf(s, 2), dma);
	struct sel_opnd scale = op2(s, GCN_V_MUL_F32, dma, c->rcp);
	struct sel_opnd ds = op3(s, GCN_V_FMA_F32, negated(scale), c->sc, dsc);
	struct sel_opnd dt = op3(s, GCN_V_FMA_F32, negated(scale), c->tc, dtc);
	out[0] = op2(s, GCN_V_MUL_F32, ds, c->rcp);
	out[1] = op2(s, GCN_V_MUL_F32, dt, c->rcp);
}

static struct cube cube_face(struct sel *s, const struct ir_src *dir)
{
	struct sel_opnd x = sel_float(s, dir[0]), y = sel_float(s, dir[1]), z = sel_float(s, dir[2]);
	struct cube c = { .id = op3(s, GCN_V_CUBEID_F32, x, y, z), .sc = op3(s, GCN_V_CUBESC_F32, x, y, z),
		.tc = op3(s, GCN_V_CUBETC_F32, x, y, z), .ma = op3(s, GCN_V_CUBEMA_F32, x, y, z) };
	struct sel_opnd ma = c.ma;
	ma.abs = true;
	c.rcp = op1(s, GCN_V_RCP_F32, ma);
	return c;
}

/* --- the address --- */

struct address { struct sel_opnd o[MIR_MAX_TUPLE]; unsigned n; };

static void push(struct address *a, struct sel_opnd o)
{
	a->o[a->n++] = o;
}

/* Three 6-bit fields. */
static struct sel_opnd packed_offset(struct sel *s, const struct parts *p)
{
	uint32_t fixed = 0, v;
	struct sel_opnd sum = { 0 };
	bool any = false;
	for (unsigned d = 0; d < p->dims && d < 3; d++) {
		if (sel_const(p->offset[d], &v)) {
			fixed |= (v & 63) << 8 * d;
			continue;
		}
		struct sel_opnd field = op2(s, GCN_V_AND_B32, sel_inline(s, 63), sel_src(s, p->offset[d]));
		if (d)
			field = op2(s, GCN_V_LSHLREV_B32, sel_inline(s, 8 * d), field);
		sum = any ? op2(s, GCN_V_OR_B32, sum, field) : field;
		any = true;
	}
	if (!any)
		return sel_inline(s, fixed);
	return fixed ? op2(s, GCN_V_OR_B32, sel_inline(s, fixed), sum) : sum;
}

static void sampled_body(struct sel *s, const struct ir_tex *t, const struct parts *p, struct address *a)
{
	if (t->dim != IR_DIM_CUBE) {
		for (unsigned i = 0; i < t->coords; i++)
			push(a, sel_src(s, p->coord[i]));
		return;
	}
	struct cube c = cube_face(s, p->coord);
	if (p->ddx) {
		struct sel_opnd d[2];
		cube_derivative(s, &c, p->ddx, d);
		push(a, d[0]);
		push(a, d[1]);
		cube_derivative(s, &c, p->ddy, d);
		push(a, d[0]);
		push(a, d[1]);
	}
	push(a, op3(s, GCN_V_FMA_F32, c.sc, c.rcp, constf(s, 1.5f)));
	push(a, op3(s, GCN_V_FMA_F32, c.tc, c.rcp, constf(s, 1.5f)));
	if (t->array) {
		struct sel_opnd layer = op1(s, GCN_V_RNDNE_F32, sel_float(s, p->coord[3]));
		layer = op2(s, GCN_V_MAX_F32, constf(s, 0), layer);
		push(a, op3(s, GCN_V_FMA_F32, layer, constf(s, 8), c.id));
	} else {
		push(a, c.id);
	}
}

static enum mode mode_of(const struct sel *s, const struct ir_tex *t, const struct parts *p)
{
	uint32_t lod;
	switch (t->op) {
	case IR_TEX_SAMPLE_BIAS: return ir_stage_has(s->f, ISA_QUADS) ? MODE_BIAS : MODE_ZERO;
	case IR_TEX_SAMPLE_LOD: return sel_const(*p->lod, &lod) && !lod ? MODE_ZERO : MODE_LOD;
	case IR_TEX_SAMPLE_GRAD: return MODE_GRAD;
	case IR_TEX_GATHER: return MODE_ZERO;
	default: return ir_stage_has(s->f, ISA_QUADS) ? MODE_IMPLICIT : MODE_ZERO;
	}
}

static void sampled_address(struct sel *s, const struct ir_tex *t, const struct parts *p, enum mode mode, struct address *a)
{
	if (p->offset)
		push(a, packed_offset(s, p));
	if (mode == MODE_BIAS)
		push(a, sel_src(s, *p->lod));
	if (p->compare)
		push(a, sel_src(s, *p->compare));
	if (p->ddx && t->dim != IR_DIM_CUBE)
		for (unsigned d = 0; d < 2 * p->dims; d++)
			push(a, sel_src(s, p->ddx[d]));
	sampled_body(s, t, p, a);
	if (mode == MODE_LOD)
		push(a, sel_src(s, *p->lod));
}

/* Integer coordinates; image_load has no offset of its own.  A multisampled
 * image has no levels: the number of the sample comes last. */
static void texel_address(struct sel *s, const struct ir_tex *t, const struct parts *p, struct address *a)
{
	for (unsigned i = 0; i < t->coords; i++) {
		struct sel_opnd c = sel_src(s, p->coord[i]);
		if (p->offset && i < p->dims)
			c = op2(s, GCN_V_ADD_U32, c, sel_src(s, p->offset[i]));
		push(a, c);
	}
	if (t->ms)
		push(a, p->lod ? sel_src(s, *p->lod) : sel_inline(s, 0));
}

/* --- instructions --- */

/* A third coordinate: of arrays and cubes; that of three dimensions is there whatever the bit says, which tells whoever
 * translates the program that it is. */
static bool has_third(const struct ir_tex *t)
{
	return t->array || t->dim == IR_DIM_CUBE || t->dim == IR_DIM_3D;
}

static bool same_index(struct ir_src a, struct ir_src b)
{
	uint32_t x, y;
	return (a.inst == b.inst && a.comp == b.comp) || (sel_const(a, &x) && sel_const(b, &y) && x == y);
}

/* Bytes of a descriptor before the T# of the plane that is asked for. */
static unsigned plane_at(const struct ir_tex *t)
{
	return t->plane ? ABI_DESC_CHROMA_IMAGES + (t->plane - 1u) * ABI_DESC_IMAGE_BYTES : 0;
}

static struct mir_inst *mimg(struct sel *s, unsigned op, const struct ir_inst *in, const struct address *a, bool sampler)
{
	const struct ir_tex *t = in->u.tex;
	mir_opnd vaddr = sel_tuple(s, a->n, a->o, false);
	mir_opnd image, samp = MIR_NONE;
	bool together = sampler && !t->plane && t->sampler == t->texture && t->texture->type == COMPILER_DESC_COMBINED &&
		same_index(in->src[0], in->src[1]);
	image = sel_descriptor(s, t->texture, in->src[0], plane_at(t), together ? 16 : 8);
	if (together)
		samp = mir_at(image, ABI_DESC_COMBINED_SAMPLER / 4);
	else if (t->plane)
		samp = sel_descriptor(s, t->sampler, in->src[1], ABI_DESC_CHROMA_SAMPLER, 4);
	else if (sampler)
		samp = sel_descriptor(s, t->sampler, in->src[1],
			t->sampler->type == COMPILER_DESC_COMBINED ? ABI_DESC_COMBINED_SAMPLER : 0, 4);
	struct mir_inst *m = mir_inst_new(s->m, op);
	m->opnd[MIR_SRC0] = vaddr;
	m->dw[MIR_SRC0] = (uint8_t)a->n;
	m->opnd[MIR_SRC1] = image;
	m->opnd[MIR_SRC2] = samp;
	m->g.da = has_third(t);
	m->g.unorm = !sampler;
	return m;
}

static void attach(struct sel *s, struct mir_inst *m)
{
	if (s->before)
		mir_insert_before(s->before, m);
	else
		mir_append(s->cur, m);
}

/* Results in the components that are read, packed from the first register on. */
static void result(struct sel *s, struct ir_inst *in, struct mir_inst *m, unsigned dmask)
{
	unsigned n = (unsigned)__builtin_popcount(dmask), at = 0;
	mir_opnd v = sel_new_v(s, n);
	m->g.dmask = (uint8_t)dmask;
	m->dw[MIR_DST] = (uint8_t)n;
	m->opnd[MIR_DST] = v;
	attach(s, m);
	for (unsigned c = 0; c < 4; c++)
		sel_value(in)->op[c] = dmask >> c & 1 ? mir_at(v, at++) : v;
}

static unsigned used_mask(const struct ir_inst *in)
{
	return sel_value(in)->used ? sel_value(in)->used : 1;
}

static void sample(struct sel *s, struct ir_inst *in)
{
	const struct ir_tex *t = in->u.tex;
	struct parts p = parts_of(in);
	enum mode mode = mode_of(s, t, &p);
	bool gather = t->op == IR_TEX_GATHER;
	struct address a = { .n = 0 };
	sampled_address(s, t, &p, mode, &a);
	unsigned op = sample_ops[(gather ? 2 : 0) + (t->compare ? 1 : 0)][mode][p.offset ? 1 : 0];
	struct mir_inst *m = mimg(s, op, in, &a, true);
	if (!gather) {
		result(s, in, m, used_mask(in));
		return;
	}
	m->g.dmask = (uint8_t)(1u << (t->compare ? 0 : t->component & 3));
	m->dw[MIR_DST] = 4;
	m->opnd[MIR_DST] = sel_new_v(s, 4);
	attach(s, m);
	sel_set_all(s, in, m->opnd[MIR_DST]);
}

static void query_lod(struct sel *s, struct ir_inst *in)
{
	struct parts p = parts_of(in);
	struct address a = { .n = 0 };
	sampled_body(s, in->u.tex, &p, &a);
	/* The layer takes no part, but the unit reads one. */
	for (unsigned body = in->u.tex->dim == IR_DIM_CUBE ? 3 : p.dims + in->u.tex->array; a.n < body;)
		push(&a, sel_inline(s, 0));
	result(s, in, mimg(s, GCN_IMAGE_GET_LOD, in, &a, true), used_mask(in));
}

static void texel_fetch(struct sel *s, struct ir_inst *in)
{
	uint32_t lod = 0;
	struct parts p = parts_of(in);
	struct address a = { .n = 0 };
	bool mip = !in->u.tex->ms && p.lod && !(sel_const(*p.lod, &lod) && lod == 0);
	texel_address(s, in->u.tex, &p, &a);
	if (mip)
		push(&a, sel_src(s, *p.lod));
	result(s, in, mimg(s, mip ? GCN_IMAGE_LOAD_MIP : GCN_IMAGE_LOAD, in, &a, false), used_mask(in));
}

/* --- what is asked of a T# --- */

bool sel_in_descriptor(const struct ir_inst *in)
{
	uint32_t lod = 0;
	const struct ir_tex *t = in->u.tex;
	if (in->op != IR_TEX)
		return false;
	if (t->op == IR_TEX_QUERY_LEVELS || t->op == IR_TEX_QUERY_SAMPLES)
		return true;
	return t->op == IR_TEX_QUERY_SIZE && (!t->lod || (sel_const(*parts_of(in).lod, &lod) && !lod));
}

static void set_answer(struct sel *s, struct ir_inst *in, unsigned c, struct sel_opnd v)
{
	sel_value(in)->op[c] = sel_value(in)->kind == SEL_VGPR ? sel_to_v(s, v) : v.op;
}

static struct sel_opnd salu2(struct sel *s, unsigned op, struct sel_opnd a, struct sel_opnd b)
{
	return sel_s(sel_salu(s, op, 1, 2, (struct sel_opnd[]){ a, b }));
}

/* Dwords of a T# from WORDS_FROM on.  one: of a null descriptor, whose words are 0, it is 0; others have a type in their top
 * bits. */
enum { WORDS_FROM = 2 };
struct answers { mir_opnd words; struct sel_opnd one; };

static struct sel_opnd field(struct sel *s, const struct answers *a, struct isa_field f)
{
	struct sel_opnd word = sel_s(mir_at(a->words, f.dword - (unsigned)WORDS_FROM));
	return salu2(s, GCN_S_BFE_U32, word, sel_inline(s, f.lo | (uint32_t)f.width << 16));
}

static struct answers answers_of(struct sel *s, const struct ir_inst *in, unsigned dwords)
{
	const struct ir_tex *t = in->u.tex;
	struct answers a = { .words = sel_descriptor(s, t->texture, in->src[0], plane_at(t) + 4 * WORDS_FROM, dwords) };
	a.one = salu2(s, GCN_S_LSHR_B32, sel_s(mir_at(a.words, 1)), sel_inline(s, 31));
	return a;
}

/* Of level `base`, of a side whose length in level 0 less 1 is f. */
static struct sel_opnd side(struct sel *s, const struct answers *a, struct isa_field f, struct sel_opnd base)
{
	struct sel_opnd n = salu2(s, GCN_S_ADD_I32, field(s, a, f), a->one);
	return salu2(s, GCN_S_MAX_U32, salu2(s, GCN_S_LSHR_B32, n, base), a->one);
}

/* last - first + 1 */
static struct sel_opnd count(struct sel *s, const struct answers *a, struct isa_field last, struct isa_field first)
{
	struct sel_opnd n = salu2(s, GCN_S_SUB_I32, field(s, a, last), field(s, a, first));
	return salu2(s, GCN_S_ADD_I32, n, a->one);
}

static const uint32_t third = 0xaaaaaaab; /* of 2^33: exact for as many layers as there may be */

static void descriptor_size(struct sel *s, struct ir_inst *in)
{
	const struct ir_tex *t = in->u.tex;
	const struct answers a = answers_of(s, in, t->array || t->dim == IR_DIM_3D ? 4 : 2);
	const struct sel_opnd base = field(s, &a, T_BASE_LEVEL);
	unsigned c = 0;
	set_answer(s, in, c++, side(s, &a, T_WIDTH, base));
	if (t->dim != IR_DIM_1D)
		set_answer(s, in, c++, side(s, &a, T_HEIGHT, base));
	if (t->dim == IR_DIM_3D)
		set_answer(s, in, c++, side(s, &a, T_DEPTH, base));
	if (!t->array)
		return;
	struct sel_opnd layers = count(s, &a, T_LAST_ARRAY, T_BASE_ARRAY);
	if (t->dim == IR_DIM_CUBE) /* of faces */
		layers = salu2(s, GCN_S_LSHR_B32, salu2(s, GCN_S_MUL_HI_U32, layers, sel_inline(s, third)), sel_inline(s, 2));
	set_answer(s, in, c, layers);
}

/* Of any level, by the unit, which gives layers in z also for 1D arrays, and counts the faces of cubes. */
static void query_size(struct sel *s, struct ir_inst *in)
{
	const struct ir_tex *t = in->u.tex;
	struct parts p = parts_of(in);
	struct address a = { .n = 0 };
	push(&a, sel_src(s, *p.lod));
	struct mir_inst *m = mimg(s, GCN_IMAGE_GET_RESINFO, in, &a, false);
	unsigned shape = t->dim == IR_DIM_1D ? 1 : t->dim == IR_DIM_3D ? 7 : 3;
	result(s, in, m, shape | (t->array ? 4 : 0));
	sel_set_all(s, in, m->opnd[MIR_DST]);
	if (t->dim == IR_DIM_CUBE && t->array) {
		struct sel_opnd o[2] = { sel_inline(s, third), sel_v(mir_at(m->opnd[MIR_DST], 2)) };
		o[1] = op2(s, GCN_V_MUL_HI_U32, o[0], o[1]);
		sel_value(in)->op[2] = op2(s, GCN_V_LSHRREV_B32, sel_inline(s, 2), o[1]).op;
	}
}

/* --- texel buffers --- */

static struct mir_inst *texel_buffer(struct sel *s, unsigned op, const struct ir_inst *in, const struct parts *p)
{
	mir_opnd desc = sel_descriptor(s, in->u.tex->texture, in->src[0], 0, 4), index = sel_vgpr(s, p->coord[0]);
	struct mir_inst *m = mir_inst_new(s->m, op);
	m->opnd[MIR_SRC0] = index;
	m->opnd[MIR_SRC1] = desc;
	m->opnd[MIR_SRC2] = GCN_SRC_0;
	m->g.idxen = 1;
	return m;
}

static void buffer_fetch(struct sel *s, struct ir_inst *in)
{
	static const uint16_t ops[] = { GCN_BUFFER_LOAD_FORMAT_X, GCN_BUFFER_LOAD_FORMAT_XY, GCN_BUFFER_LOAD_FORMAT_XYZ,
		GCN_BUFFER_LOAD_FORMAT_XYZW };
	struct parts p = parts_of(in);
	unsigned n = 32u - (unsigned)__builtin_clz(used_mask(in));
	struct mir_inst *m = texel_buffer(s, ops[n - 1], in, &p);
	m->opnd[MIR_DST] = sel_new_v(s, n);
	attach(s, m);
	for (unsigned c = 0; c < 4; c++)
		sel_value(in)->op[c] = mir_at(m->opnd[MIR_DST], c < n ? c : 0);
}

static mir_opnd data_tuple(struct sel *s, const struct parts *p, unsigned n, bool tied)
{
	struct sel_opnd o[4];
	for (unsigned i = 0; i < n; i++)
		o[i] = i < p->datas ? sel_src(s, p->data[i]) : sel_inline(s, 0);
	return sel_tuple(s, n, o, tied);
}

static void attach_live(struct sel *s, struct mir_inst *m)
{
	mir_opnd saved = sel_live_begin(s);
	attach(s, m);
	sel_live_end(s, saved);
}

static void image_store(struct sel *s, struct ir_inst *in)
{
	struct parts p = parts_of(in);
	struct mir_inst *m;
	mir_opnd data = data_tuple(s, &p, 4, false);
	if (in->u.tex->dim == IR_DIM_BUFFER) {
		m = texel_buffer(s, GCN_BUFFER_STORE_FORMAT_XYZW, in, &p);
	} else {
		struct address a = { .n = 0 };
		texel_address(s, in->u.tex, &p, &a);
		m = mimg(s, GCN_IMAGE_STORE, in, &a, false);
		m->g.dmask = 15;
	}
	m->opnd[MIR_DST] = data;
	m->dw[MIR_DST] = 4;
	attach_live(s, m);
}

#define ATOMICS(prefix) { \
	[IR_ATOMIC_ADD] = prefix(ADD), [IR_ATOMIC_SUB] = prefix(SUB), [IR_ATOMIC_SMIN] = prefix(SMIN), \
	[IR_ATOMIC_UMIN] = prefix(UMIN), [IR_ATOMIC_SMAX] = prefix(SMAX), [IR_ATOMIC_UMAX] = prefix(UMAX), \
	[IR_ATOMIC_AND] = prefix(AND), [IR_ATOMIC_OR] = prefix(OR), [IR_ATOMIC_XOR] = prefix(XOR), \
	[IR_ATOMIC_SWAP] = prefix(SWAP), [IR_ATOMIC_CMPSWAP] = prefix(CMPSWAP), \
	[IR_ATOMIC_INC] = prefix(INC), [IR_ATOMIC_DEC] = prefix(DEC) }
#define OF_IMAGE(name) GCN_IMAGE_ATOMIC_##name
#define OF_BUFFER(name) { GCN_BUFFER_ATOMIC_##name, GCN_BUFFER_ATOMIC_##name##_X2 }

static void image_atomic(struct sel *s, struct ir_inst *in)
{
	static const uint16_t image_ops[] = ATOMICS(OF_IMAGE), buffer_ops[][2] = ATOMICS(OF_BUFFER);
	struct parts p = parts_of(in);
	unsigned n = (in->u.tex->op == IR_ATOMIC_CMPSWAP ? 2 : 1) * in->comps;
	struct sel_opnd all = sel_inline(s, ~0u);
	mir_opnd data = p.datas ? data_tuple(s, &p, n, true) : sel_tuple(s, 1, &all, true);
	struct mir_inst *m;
	if (in->u.tex->dim == IR_DIM_BUFFER) {
		m = texel_buffer(s, buffer_ops[in->u.tex->op][in->comps > 1], in, &p);
	} else {
		struct address a = { .n = 0 };
		texel_address(s, in->u.tex, &p, &a);
		m = mimg(s, image_ops[in->u.tex->op], in, &a, false);
		m->g.dmask = (uint8_t)((1u << n) - 1);
	}
	m->opnd[MIR_DST] = data;
	m->dw[MIR_DST] = (uint8_t)n;
	m->g.glc = sel_value(in)->uses > 0;
	attach_live(s, m);
	sel_set_all(s, in, data);
}

/* LAST_LEVEL of a multisampled image is the logarithm of the samples; a null descriptor has none. */
static struct sel_opnd samples(struct sel *s, const struct answers *a)
{
	return salu2(s, GCN_S_LSHL_B32, a->one, field(s, a, T_LAST_LEVEL));
}

static void query(struct sel *s, struct ir_inst *in)
{
	const struct ir_tex *t = in->u.tex;
	if (t->op == IR_TEX_QUERY_SIZE && t->dim == IR_DIM_BUFFER) {
		set_answer(s, in, 0, sel_s(sel_descriptor(s, t->texture, in->src[0], 8, 1)));
	} else if (!sel_in_descriptor(in)) {
		query_size(s, in);
	} else if (t->op == IR_TEX_QUERY_SIZE) {
		descriptor_size(s, in);
	} else {
		const struct answers a = answers_of(s, in, 2);
		set_answer(s, in, 0, t->op == IR_TEX_QUERY_SAMPLES ? samples(s, &a) : count(s, &a, T_LAST_LEVEL, T_BASE_LEVEL));
	}
}

void sel_tex(struct sel *s, struct ir_inst *in)
{
	if (in->op == IR_IMAGE_STORE) {
		image_store(s, in);
	} else if (in->op == IR_IMAGE_ATOMIC) {
		image_atomic(s, in);
	} else if (in->op == IR_IMAGE_LOAD || in->u.tex->op == IR_TEX_FETCH) {
		if (in->u.tex->dim == IR_DIM_BUFFER)
			buffer_fetch(s, in);
		else
			texel_fetch(s, in);
	} else {
		switch (in->u.tex->op) {
		case IR_TEX_QUERY_SIZE: case IR_TEX_QUERY_LEVELS: case IR_TEX_QUERY_SAMPLES: query(s, in); break;
		case IR_TEX_QUERY_LOD: query_lod(s, in); break;
		default: sample(s, in); break;
		}
	}
}
