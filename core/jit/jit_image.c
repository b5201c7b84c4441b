/* SPDX-License-Identifier: MIT */
/* Image instructions within regions: of what struct cu_mimg_lanes describes; jit_image_linear.c has filters.
 *
 * Whether that is what the descriptors are, the wave asks before the strips, once for each pair of them; where they are
 * something else, the region's instructions are done by others (jit_translate.c).  The interpreter's code is in
 * core/tex/tex_wave_kernel.c and core/tex/tex_filters_kernel.c. */
#include "core/jit/jit_image.h"

#include "core/jit/jit_emit.h"
#include "core/jit/jit_image_priv.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_vector.h"
#include "core/tex/tex_ops.h"

static bool loads(const struct jit_region *g, uint32_t i) { return jit_rec(g->t, i)->in->op == GCN_IMAGE_LOAD; }
static bool compares(const struct jit_region *g, uint32_t i) { return cu_tex_ops[jit_rec(g->t, i)->in->op] & TEX_C; }

bool jit_image_known(const struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	const struct gcn_inst *in = r->in;
	if (in->fmt != GCN_MIMG || r->fn != r->op->direct || t->p->gen != GCN_GFX9 || t->v4)
		return false;
	if (t->o->disabled && t->o->disabled[in->op / 8] >> in->op % 8 & 1)
		return false;
	const uint32_t flags = cu_tex_ops[in->op];
	const bool samples = (flags & ~(uint32_t)(TEX_L | TEX_LZ | TEX_C)) == TEX_SAMPLE;
	if (in->r128_a16 || in->d16 || in->tfe || in->lwe || !in->dmask || !(flags == TEX_LOAD || (samples && in->src[2] < 104)))
		return false;
	return in->src[0] >= GCN_SRC_VGPR0 && in->src[0] + OPERANDS <= GCN_SRC_VGPR0 + CU_VGPRS &&
		in->dst >= GCN_SRC_VGPR0 && in->dst + 4 <= GCN_SRC_VGPR0 + CU_VGPRS;
}

void jit_image_vgprs(const struct jit_translator *t, uint32_t i, struct jit_inst *j)
{
	const struct gcn_inst *in = jit_rec(t, i)->in;
	int16_t at = (int16_t)(in->src[0] - GCN_SRC_VGPR0);
	j->nvs = OPERANDS;
	if (cu_tex_ops[in->op] & TEX_C)
		j->vs[OPERAND_COMPARE] = at++;
	j->vs[0] = at;
	j->vs[1] = (int16_t)(at + 1);
	if (in->da)
		j->vs[OPERAND_LAYER] = (int16_t)(at + 2);
	j->vd = (int16_t)(in->dst - GCN_SRC_VGPR0);
	j->nvd = (uint8_t)__builtin_popcount(in->dmask);
}

/* --- before the strips --- */

int jit_image_slot(struct jit_region *g, uint32_t i)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	const uint16_t op = (uint16_t)(cu_tex_ops[in->op] & ~(TEX_L | TEX_LZ));
	for (unsigned k = 0; k < g->image_slot_count; k++) {
		const struct jit_image_slot *s = &g->image_slots[k];
		if (s->op == op && s->image == in->src[1] && s->sampler == in->src[2] && s->da == in->da && s->unorm == in->unorm)
			return (int)k;
	}
	if (g->image_slot_count == IMAGE_SLOTS)
		return -1;
	g->image_slots[g->image_slot_count++] = (struct jit_image_slot){ op, in->src[1], in->src[2], in->da, in->unorm };
	return (int)g->image_slot_count - 1;
}

void jit_images_once(struct jit_region *g, int no)
{
	int ready = 0;
	for (uint32_t i = g->e.first; i < g->e.end; i++) {
		if (!g->in[i].image || g->in[i].role != ROLE_VECTOR || jit_image_slot(g, i) < ready)
			continue;
		jit_mark(g->t, i);
		X(g->b, LEA, R(RDI), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
		X(g->b, LEA, R(RSI), jit_x_mem(RB_RECS, (int64_t)sizeof(struct cu_rec) * i, 8));
		X(g->b, LEA, R(RDX), FRAME(FRAME_IMAGES, 8));
		X(g->b, MOV, R(ECX), jit_x_imm(ready));
		X(g->b, MOV, R(R8D), jit_x_imm(g->e.images));
		X(g->b, MOV, R(RAX), FRAME(FRAME_HELPERS, 8));
		X(g->b, CALL, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_jit_helpers, image), 8));
		X(g->b, TEST, R(EAX), R(EAX));
		XJ(g->b, JZ, no);
		ready++;
	}
}

/* --- a strip --- */

_Static_assert(FRAME_TAPS + TAP_ROWS * TAPS * 256 == FRAME_BYTES, "a group's rows are what the frame has of them");

struct xo jit_image_row(unsigned row, unsigned lane, unsigned bytes)
{
	struct xo x = FRAME(FRAME_TAPS + 256 * (int)row + WAVE_BIAS + 4 * (int)lane, bytes);
	x.index = ZYDIS_REGISTER_R11;
	x.scale = 1;
	return x;
}

void jit_image_begin(struct jit_region *g)
{
	X(g->b, MOV, R(R11), jit_x_reg(RB_STRIP));
	X(g->b, SUB, R(R11), jit_x_reg(RB_WAVE));
}

struct xo jit_image_texel(struct jit_region *g, unsigned row, unsigned l, unsigned bytes)
{
	static const uint16_t index[4] = { ZYDIS_REGISTER_RDX, ZYDIS_REGISTER_R8, ZYDIS_REGISTER_R9, ZYDIS_REGISTER_RDI };
	static const uint16_t half[4] = { ZYDIS_REGISTER_EDX, ZYDIS_REGISTER_R8D, ZYDIS_REGISTER_R9D, ZYDIS_REGISTER_EDI };
	struct xo from = jit_x_mem(ZYDIS_REGISTER_RCX, 0, bytes);
	from.index = index[l % 4];
	from.scale = 1;
	X(g->b, MOV, jit_x_reg(half[l % 4]), jit_image_row(row, l, 4));
	return from;
}

void jit_image_base(struct jit_region *g)
{
	X(g->b, MOV, R(RCX), jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_mimg_lanes, base), 8));
}

static void load_lanes(struct jit_region *g, uint32_t i)
{
	const int slot = FRAME_IMAGES + jit_image_slot(g, i) * (int)sizeof(struct cu_mimg_slot);
	X(g->b, MOV, R(RAX), FRAME(slot + (int)offsetof(struct cu_mimg_slot, lanes), 8));
}

/* --- where texels are --- */

void jit_image_fold(struct jit_region *g, struct xo v, unsigned axis, struct xo x)
{
	X(g->b, VROUNDPS, x, v, jit_x_imm(9));
	X(g->b, VANDPS, x, x, OF(wrap[axis]));
	X(g->b, VSUBPS, x, v, x);
	X(g->b, VMAXPS, x, x, jit_v_const(g, 0)); /* the second where one is NaN */
	X(g->b, VMINPS, x, x, OF(limit[axis]));
}

static void nearest(struct jit_region *g, struct xo v, unsigned axis, struct xo x, struct xo over)
{
	jit_image_fold(g, v, axis, x);
	X(g->b, VMULPS, x, x, OF(scale[axis]));
	X(g->b, VCVTTPS2DQ, x, x);
	X(g->b, VPCMPGTD, over, x, OF(last[axis]));
	X(g->b, VBLENDVPS, x, x, OF(beyond[axis]), over);
}

/* An index that is within, and where it was that. */
static void within(struct jit_region *g, struct xo v, struct xo last, struct xo x, struct xo in)
{
	X(g->b, VPMINUD, x, v, last);
	X(g->b, VPCMPEQD, in, x, v);
}

static void add_layer(struct jit_region *g, struct xo v, struct xo z)
{
	X(g->b, VROUNDPS, z, v, jit_x_imm(8));
	X(g->b, VMAXPS, z, z, jit_v_const(g, 0));
	X(g->b, VMINPS, z, z, OF(last_layer));
	X(g->b, VCVTTPS2DQ, z, z);
	X(g->b, VPMULLD, z, z, OF(stride));
}

/* at = bytes of texel (x, y); y and part are used up. */
static void place(struct jit_region *g, struct xo at, struct xo x, struct xo y, struct xo part)
{
	int rows = jit_x_label(g->b);
	X(g->b, VPSLLVD, at, x, OF(shift));
	X(g->b, CMP, FLAG(parts), jit_x_imm(0));
	XJ(g->b, JZ, rows);
	X(g->b, VMOVAPS, part, OF(part_x));
	X(g->b, VPERMILPS, part, part, x);
	X(g->b, VPADDD, at, at, part);
	X(g->b, VMOVAPS, part, OF(part_y));
	X(g->b, VPERMILPS, part, part, y);
	X(g->b, VPADDD, at, at, part);
	jit_x_bind(g->b, rows);
	X(g->b, VPMULLD, y, y, OF(pitch));
	X(g->b, VPADDD, at, at, y);
}

/* Targets of former draws are in no near cache, and what is done with their texels keeps strips from being read ahead. */
static void prefetch(struct jit_region *g, unsigned row)
{
	jit_image_base(g);
	X(g->b, PREFETCHT0, jit_image_texel(g, row, 0, 1));
	X(g->b, PREFETCHT0, jit_image_texel(g, row, IMAGE_LANES - 1, 1));
}

static void find_load(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[SPARES], unsigned row)
{
	const struct xo x = t[0], y = t[1], at = t[2], in = t[3], k = t[4];
	within(g, from[0], OF(last[0]), x, in);
	within(g, from[1], OF(last[1]), y, k);
	X(g->b, VPAND, in, in, k);
	place(g, at, x, y, k);
	if (from[OPERAND_LAYER].kind) {
		within(g, from[OPERAND_LAYER], OF(last_index), x, k);
		X(g->b, VPAND, in, in, k);
		X(g->b, VPMULLD, x, x, OF(stride));
		X(g->b, VPADDD, at, at, x);
	}
	X(g->b, VMOVAPS, jit_image_row(row + ROW_AT, 0, 32), at);
	X(g->b, VMOVAPS, jit_image_row(row + ROW_IN, 0, 32), in);
	prefetch(g, row + ROW_AT);
}

static void find_nearest(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[SPARES], unsigned row)
{
	const struct xo x = t[0], y = t[1], at = t[2];
	nearest(g, from[0], 0, x, at);
	nearest(g, from[1], 1, y, at);
	place(g, at, x, y, t[3]);
	if (from[OPERAND_LAYER].kind) {
		add_layer(g, from[OPERAND_LAYER], x);
		X(g->b, VPADDD, at, at, x);
	}
	X(g->b, VMOVAPS, jit_image_row(row + ROW_AT, 0, 32), at);
}

/* By the filter, where it is not known. */
static void find_sample(struct jit_region *g, uint32_t i, const struct xo from[OPERANDS], const struct xo t[SPARES], unsigned row)
{
	int linear = jit_x_label(g->b), done = jit_x_label(g->b);
	struct xo z = { 0 };
	if (compares(g, i)) {
		find_nearest(g, from, t, row);
		return;
	}
	X(g->b, CMP, FLAG(linear), jit_x_imm(0));
	XJ(g->b, JNZ, linear);
	find_nearest(g, from, t, row);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, linear);
	if (from[OPERAND_LAYER].kind) {
		z = from[OPERAND_LAYER]; /* a copy, which is not read again */
		add_layer(g, z, z);
	}
	jit_linear_find(g, from, t, row, z);
	jit_x_bind(g->b, done);
}

/* --- what they are --- */

/* x = dwords of texels: by plain loads, which gathers are not faster than; uses up ymm14. */
static void dwords(struct jit_region *g, unsigned row, struct xo x)
{
	const struct xo line[2] = { jit_low(g, x), R(XMM14) };
	jit_image_base(g);
	for (unsigned l = 0; l < IMAGE_LANES; l++) {
		const struct xo from = jit_image_texel(g, row, l, 4), to = line[l / 4];
		if (l % 4 == 0)
			X(g->b, VMOVD, to, from);
		else
			X(g->b, VPINSRD, to, to, from, jit_x_imm(l % 4));
	}
	X(g->b, VINSERTI128, x, x, line[1], jit_x_imm(1));
}

/* The same where texels may follow one another as lanes do, as those of an image in parts that is read pixel by pixel;
 * k is used up. */
static void dwords_in_row(struct jit_region *g, unsigned row, struct xo x, struct xo k)
{
	int apart = jit_x_label(g->b), done = jit_x_label(g->b);
	X(g->b, VPBROADCASTD, k, jit_image_row(row, 0, 4));
	X(g->b, VMOVAPS, x, jit_image_row(row, 0, 32));
	X(g->b, VPSUBD, x, x, k);
	X(g->b, VPCMPEQD, x, x, OF(steps));
	X(g->b, VMOVMSKPS, R(EDX), x);
	X(g->b, CMP, R(EDX), jit_x_imm((1 << IMAGE_LANES) - 1));
	XJ(g->b, JNZ, apart);
	jit_image_base(g);
	X(g->b, VMOVUPS, x, jit_image_texel(g, row, 0, 32));
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, apart);
	dwords(g, row, x);
	jit_x_bind(g->b, done);
}

/* Beyond the image image_load reads zeros, before constants of its channels. */
static void keep_inside(struct jit_region *g, const struct jit_read *r, struct xo x)
{
	if (r->load)
		X(g->b, VANDPS, x, x, jit_image_row(r->row + ROW_IN, 0, 32));
}

static void read_unorm8(struct jit_region *g, const struct jit_read *r, bool in_row)
{
	if (in_row)
		dwords_in_row(g, r->row, r->t[0], r->t[1]);
	else
		dwords(g, r->row, r->t[0]);
	keep_inside(g, r, r->t[0]);
	for (unsigned c = 0; c < 4; c++) {
		if (!r->x[c].kind)
			continue;
		X(g->b, VPMADDUBSW, r->x[c], r->t[0], OF(weight[c]));
		X(g->b, VCVTDQ2PS, r->x[c], r->x[c]);
		X(g->b, VMULPS, r->x[c], r->x[c], OF(unit[c]));
	}
}

/* A lane's four halves become singles at once. */
static void read_float16(struct jit_region *g, const struct jit_read *r)
{
	jit_image_base(g);
	for (unsigned l = 0; l < 4; l++) {
		X(g->b, VCVTPH2PS, jit_low(g, r->t[l]), jit_image_texel(g, r->row, l, 8));
		X(g->b, VCVTPH2PS, R(XMM14), jit_image_texel(g, r->row, l + 4, 8));
		X(g->b, VINSERTF128, r->t[l], r->t[l], R(XMM14), jit_x_imm(1));
	}
	const struct xo low[2] = { R(YMM14), r->t[0] }, high[2] = { r->t[1], r->t[3] };
	X(g->b, VUNPCKLPS, low[0], r->t[0], r->t[1]);
	X(g->b, VUNPCKHPS, high[0], r->t[0], r->t[1]);
	X(g->b, VUNPCKLPS, low[1], r->t[2], r->t[3]);
	X(g->b, VUNPCKHPS, high[1], r->t[2], r->t[3]);
	for (unsigned c = 0; c < 4; c++) {
		const struct xo *pair = c < 2 ? low : high;
		if (!r->x[c].kind)
			continue;
		if (c & 1)
			X(g->b, VUNPCKHPD, r->x[c], pair[0], pair[1]);
		else
			X(g->b, VUNPCKLPD, r->x[c], pair[0], pair[1]);
		keep_inside(g, r, r->x[c]);
	}
}

static void read_dword(struct jit_region *g, const struct jit_read *r, struct xo dword)
{
	for (unsigned c = 0; c < 4; c++) {
		if (!r->x[c].kind)
			continue;
		X(g->b, VANDPS, r->x[c], dword, OF(takes[c]));
		X(g->b, VORPS, r->x[c], r->x[c], OF(adds[c]));
	}
}

static void read_colours(struct jit_region *g, uint32_t i, const struct jit_read *r)
{
	const struct xo way = loads(g, i) ? FLAG(way[2]) : FLAG(way[0]);
	int half = jit_x_label(g->b), dword = jit_x_label(g->b), done = jit_x_label(g->b);
	int one = jit_x_label(g->b), nearest = jit_x_label(g->b);
	X(g->b, CMP, way, jit_x_imm(CU_MIMG_FLOAT16));
	XJ(g->b, JZ, half);
	XJ(g->b, JNBE, dword);
	if (!loads(g, i)) {
		X(g->b, CMP, FLAG(linear), jit_x_imm(0));
		XJ(g->b, JZ, nearest);
		jit_linear_read(g, r, one);
		XJ(g->b, JMP, done);
	}
	jit_x_bind(g->b, one);
	read_unorm8(g, r, true);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, nearest);
	if (!loads(g, i)) {
		read_unorm8(g, r, false);
		XJ(g->b, JMP, done);
	}
	jit_x_bind(g->b, half);
	read_float16(g, r);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, dword);
	dwords(g, r->row, r->t[0]);
	keep_inside(g, r, r->t[0]);
	read_dword(g, r, r->t[0]);
	jit_x_bind(g->b, done);
}

/* t[1]: where what is compared with the texels, t[0], passes; uses up t[2]. */
static void compared(struct jit_region *g, const struct xo t[SPARES], struct xo ref)
{
	static const uint8_t predicate[4] = { 1, 0, 14, 3 }; /* LT_OS, EQ_OQ, GT_OS, UNORD_Q */
	for (unsigned k = 0; k < 4; k++) {
		X(g->b, VCMPPS, t[k ? 2 : 1], ref, t[0], jit_x_imm(predicate[k]));
		X(g->b, VANDPS, t[k ? 2 : 1], t[k ? 2 : 1], OF(passes[k]));
		if (k)
			X(g->b, VORPS, t[1], t[1], t[2]);
	}
}

static void read_compared(struct jit_region *g, uint32_t i, const struct jit_read *r)
{
	const struct xo ref = jit_r_use(g, (unsigned)g->in[i].vs[OPERAND_COMPARE]);
	dwords(g, r->row, r->t[0]);
	compared(g, r->t, ref);
	X(g->b, VANDPS, r->t[1], r->t[1], OF(one));
	read_dword(g, r, r->t[1]);
}

/* --- groups --- */

uint32_t jit_image_group(const struct jit_region *g, uint32_t i)
{
	struct vset written = { 0 };
	uint32_t end = i;
	unsigned taps = 0;
	for (; i < g->e.end && taps < TAPS; i++) {
		const struct jit_inst *j = &g->in[i];
		if (taps && j->leader)
			break;
		if (j->role == ROLE_NONE || j->role == ROLE_ONCE)
			continue;
		if (!j->image)
			break;
		for (unsigned k = 0; k < OPERAND_COMPARE; k++)
			if (j->vs[k] >= 0 && v_in(&written, (unsigned)j->vs[k]))
				return end;
		for (unsigned k = 0; k < j->nvd; k++)
			v_add(&written, (unsigned)j->vd + k);
		taps++;
		end = i + 1;
	}
	return end;
}

void jit_image_find(struct jit_region *g, uint32_t i, unsigned tap)
{
	const struct jit_inst *j = &g->in[i];
	struct xo from[OPERANDS] = { { 0 } }, t[SPARES];
	jit_mark(g->t, i);
	g->at = i;
	for (unsigned k = 0; k < OPERAND_COMPARE; k++) {
		if (j->vs[k] < 0)
			continue;
		if (loads(g, i)) /* of a float's NaN nobody asks which */
			jit_r_settle(g, (unsigned)j->vs[k]);
		from[k] = jit_r_use(g, (unsigned)j->vs[k]);
	}
	if (from[OPERAND_LAYER].kind && !loads(g, i) && !compares(g, i)) {
		const struct xo copy = jit_r_temp(g);
		X(g->b, VMOVAPS, copy, from[OPERAND_LAYER]);
		jit_r_unpin(g, (unsigned)j->vs[OPERAND_LAYER]);
		from[OPERAND_LAYER] = copy;
	}
	for (unsigned k = 0; k < SPARES; k++)
		t[k] = jit_r_temp(g);
	load_lanes(g, i);
	if (loads(g, i))
		find_load(g, from, t, TAP_ROWS * tap);
	else
		find_sample(g, i, from, t, TAP_ROWS * tap);
	for (unsigned k = 0; k < SPARES; k++)
		jit_r_free(g, t[k]);
	for (unsigned k = 0; k < OPERAND_COMPARE; k++)
		if (j->vs[k] >= 0) {
			jit_r_read(g, (unsigned)j->vs[k], j->next[k]);
			jit_r_unpin(g, (unsigned)j->vs[k]);
		}
	if (from[OPERAND_LAYER].kind)
		jit_r_free(g, from[OPERAND_LAYER]);
}

void jit_image_read(struct jit_region *g, uint32_t i, unsigned tap)
{
	const struct jit_inst *j = &g->in[i];
	const bool keep = !g->full && !j->off_dead, load = loads(g, i), compare = compares(g, i);
	struct jit_read r = { .row = TAP_ROWS * tap, .load = load };
	jit_mark(g->t, i);
	g->at = i;
	if (compare) /* while its VGPR is not yet a result */
		jit_r_use(g, (unsigned)j->vs[OPERAND_COMPARE]);
	for (unsigned k = 0; k < (compare || load ? 4 : SPARES); k++)
		r.t[k] = jit_r_temp(g);
	for (unsigned c = 0, n = 0; c < 4; c++)
		if (jit_rec(g->t, i)->in->dmask >> c & 1) {
			const unsigned vd = (unsigned)j->vd + n++;
			r.x[c] = keep || (compare && vd == (unsigned)j->vs[OPERAND_COMPARE]) ? jit_r_temp(g) : jit_r_def(g, vd, false);
		}
	load_lanes(g, i);
	if (compare)
		read_compared(g, i, &r);
	else
		read_colours(g, i, &r);
	for (unsigned k = 0; k < SPARES && r.t[k].kind; k++)
		jit_r_free(g, r.t[k]);
	for (unsigned c = 0, n = 0; c < 4; c++) {
		if (!r.x[c].kind)
			continue;
		const unsigned vd = (unsigned)j->vd + n++;
		if (keep)
			jit_v_put_active(g, vd, r.x[c]);
		else if (jit_r_is_temp(g, r.x[c]))
			X(g->b, VMOVAPS, jit_r_def(g, vd, false), r.x[c]);
		jit_r_lazy(g, vd, false);
	}
	jit_r_done(g, i);
}
