/* SPDX-License-Identifier: MIT */
/* Image instructions within regions: of what struct cu_mimg_lanes describes.
 *
 * Whether that is what the descriptors are, the wave asks before the strips, once for each pair of them; where they are
 * something else, the region's instructions are done by others (jit_translate.c).  What texels come to is in
 * jit_image_read.c and jit_image_linear.c.  The interpreter's code is in
 * core/tex/tex_wave_kernel.c and core/tex/tex_filters_kernel.c. */
#include "core/jit/jit_image.h"

#include <string.h>
#include "core/jit/jit_emit.h"
#include "core/jit/jit_image_priv.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_vector.h"
#include "core/tex/tex_ops.h"

static bool loads(const struct jit_region *g, uint32_t i) { return jit_rec(g->t, i)->in->op == GCN_IMAGE_LOAD; }
static bool gathers(const struct jit_region *g, uint32_t i) { return (cu_tex_ops[jit_rec(g->t, i)->in->op] & TEX_KIND) == TEX_GATHER; }
static bool compares(const struct jit_region *g, uint32_t i) { return cu_tex_ops[jit_rec(g->t, i)->in->op] & TEX_C; }

bool jit_image_known(const struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	const struct gcn_inst *in = r->in;
	if (in->fmt != GCN_MIMG || r->fn != r->op->direct || t->p->gen != GCN_GFX9)
		return false;
	if (t->o->disabled && t->o->disabled[in->op / 8] >> in->op % 8 & 1)
		return false;
	const uint32_t flags = cu_tex_ops[in->op];
	const bool samples = (flags & ~(uint32_t)(TEX_L | TEX_LZ | TEX_C | TEX_O)) == TEX_SAMPLE && !(flags & TEX_O && in->da);
	const bool gathers = flags == (TEX_GATHER | TEX_LZ) && !in->da && __builtin_popcount(in->dmask) == 1;
	if (in->r128_a16 || in->d16 || in->tfe || in->lwe || !in->dmask)
		return false;
	if (flags != TEX_LOAD && !((samples || gathers) && in->src[2] < 104))
		return false;
	return in->src[0] >= GCN_SRC_VGPR0 && in->src[0] + OPERANDS <= GCN_SRC_VGPR0 + CU_VGPRS &&
		in->dst >= GCN_SRC_VGPR0 && in->dst + 4 <= GCN_SRC_VGPR0 + CU_VGPRS;
}

void jit_image_vgprs(const struct jit_translator *t, uint32_t i, struct jit_inst *j)
{
	const struct gcn_inst *in = jit_rec(t, i)->in;
	int16_t at = (int16_t)(in->src[0] - GCN_SRC_VGPR0);
	j->nvs = OPERANDS;
	if (cu_tex_ops[in->op] & TEX_O)
		j->vs[OPERAND_OFFSET] = at++;
	if (cu_tex_ops[in->op] & TEX_C)
		j->vs[OPERAND_COMPARE] = at++;
	j->vs[0] = at;
	j->vs[1] = (int16_t)(at + 1);
	if (in->da)
		j->vs[OPERAND_LAYER] = (int16_t)(at + 2);
	j->vd = (int16_t)(in->dst - GCN_SRC_VGPR0);
	j->nvd = (cu_tex_ops[in->op] & TEX_KIND) == TEX_GATHER ? 4 : (uint8_t)__builtin_popcount(in->dmask);
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

/* What tiles have seen of memory holds for the region, which writes none if it reads images, and for waves that begin behind
 * this (jit_again.c): their programs write none at all. */
static void count_call(struct jit_region *g)
{
	int none = jit_x_label(g->b);
	X(g->b, CMP, jit_wave(offsetof(struct cu_wave, quiet), 1), jit_x_imm(0));
	XJ(g->b, JNZ, none);
	X(g->b, MOV, R(RAX), JIT_FIELD(tex));
	X(g->b, TEST, R(RAX), R(RAX));
	XJ(g->b, JZ, none);
	X(g->b, ADD, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_tex_cache, call), 8), jit_x_imm(1));
	jit_x_bind(g->b, none);
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
		X(g->b, MOV, R(RAX), FRAME(FRAME_HELPERS, 8));
		X(g->b, CALL, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_jit_helpers, image), 8));
		X(g->b, TEST, R(EAX), R(EAX));
		XJ(g->b, JZ, no);
		ready++;
	}
	if (ready)
		count_call(g);
}

/* --- a strip --- */

unsigned jit_image_lanes(const struct jit_region *g) { return g->v4 ? 16 : 8; }

_Static_assert((int)CU_MIMG_TAPS == (int)TAPS && sizeof(struct cu_mimg_taps) <= 64 && TAP_ROWS * TAPS <= 64, "a group's taps are a constant, rows bits");
_Static_assert(FRAME_TAPS + TAP_ROWS * TAPS * 256 == FRAME_SHARES, "a group's rows are what the frame has of them");

struct xo jit_image_row(unsigned row, unsigned lane, unsigned bytes)
{
	struct xo x = FRAME(FRAME_TAPS + 256 * (int)row + WAVE_BIAS + 4 * (int)lane, bytes);
	x.index = ZYDIS_REGISTER_R11;
	x.scale = 1;
	return x;
}

void jit_image_store_row(struct jit_region *g, unsigned row, struct xo x)
{
	VX(g, VMOVAPS, jit_image_row(row, 0, 4 * jit_image_lanes(g)), x);
}

struct xo jit_image_spare(const struct jit_region *g) { return g->v4 ? R(ZMM31) : R(YMM14); }
struct xo jit_image_line(const struct jit_region *g) { return jit_low(g, jit_image_spare(g)); }
struct xo jit_image_half(const struct jit_region *g, struct xo x) { return g->v4 ? jit_v_half_reg(g, x) : x; }

void jit_image_insert_line(struct jit_region *g, struct xo x, struct xo line, unsigned n)
{
	if (g->v4)
		VX(g, VINSERTF32X4, x, x, line, jit_x_imm(n));
	else
		X(g->b, VINSERTF128, x, x, line, jit_x_imm(n));
}
void jit_image_insert(struct jit_region *g, struct xo x, unsigned n) { jit_image_insert_line(g, x, jit_image_line(g), n); }

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

struct xo jit_image_of(const struct jit_region *g, size_t field)
{
	struct xo x = jit_x_mem(ZYDIS_REGISTER_RAX, (int64_t)field, g->v4 ? 4 : 4 * IMAGE_LANES);
	x.bcast = g->v4 ? 16 : 0;
	return x;
}

void jit_image_load_of(struct jit_region *g, struct xo x, size_t field)
{
	const struct xo from = jit_x_mem(ZYDIS_REGISTER_RAX, (int64_t)field, 4 * IMAGE_LANES);
	jit_vx(g, g->v4 ? ZYDIS_MNEMONIC_VBROADCASTF64X4 : ZYDIS_MNEMONIC_VMOVAPS, 2, (struct xo[]){ x, from });
}

struct xo jit_image_bytes_of(struct jit_region *g, size_t field, struct xo x)
{
	if (!g->v4)
		return jit_image_of(g, field);
	jit_image_load_of(g, x, field);
	return x;
}

struct xo jit_image_bytes(struct jit_region *g, uint32_t bits)
{
	uint32_t all[16];
	for (unsigned i = 0; i < 16; i++)
		all[i] = bits;
	return jit_x_mem(RB_POOL, jit_x_vector(g->b, all), 4 * jit_image_lanes(g));
}

void jit_image_put_greater(struct jit_region *g, struct xo x, struct xo limit, struct xo beyond, struct xo k)
{
	if (g->v4) {
		VX(g, VPCMPGTD, R(K7), x, limit);
		beyond.bcast = 0;
		VXK(g, 7, VBROADCASTSS, x, beyond);
		return;
	}
	X(g->b, VPCMPGTD, k, x, limit);
	X(g->b, VBLENDVPS, x, x, beyond, k);
}

static void load_lanes(struct jit_region *g) { X(g->b, MOV, R(RAX), IMAGE_SLOT(g, lanes, 8)); }

/* --- where texels are --- */

void jit_image_round(struct jit_region *g, struct xo x, struct xo v, int mode)
{
	jit_vx(g, g->v4 ? ZYDIS_MNEMONIC_VRNDSCALEPS : ZYDIS_MNEMONIC_VROUNDPS, 3, (struct xo[]){ x, v, jit_x_imm(mode) });
}

void jit_image_repeat(struct jit_region *g, struct xo v, unsigned axis, struct xo x)
{
	jit_image_round(g, x, v, JIT_FLOOR);
	VX(g, VANDPS, x, x, OF(wrap[axis]));
	VX(g, VSUBPS, x, v, x);
}

void jit_image_fold(struct jit_region *g, struct xo v, unsigned axis, bool nearest, struct xo x)
{
	jit_image_repeat(g, v, axis, x);
	VX(g, VMAXPS, x, x, jit_v_const(g, 0)); /* the second where one is NaN */
	VX(g, VMINPS, x, x, nearest ? OF(below[axis]) : OF(limit[axis]));
}

/* The texel that a coordinate is in. */
static void nearest(struct jit_region *g, struct xo v, unsigned axis, unsigned weight, struct xo x, struct xo none, struct xo k)
{
	jit_image_fold(g, v, axis, true, x);
	VX(g, VMULPS, x, x, OF(scale[axis]));
	VX(g, VCVTTPS2DQ, x, x);
}

/* An index that is within; and `in` less the lanes where it was not, of which `first` makes the first row. */
static void within(struct jit_region *g, struct xo v, struct xo last, struct xo x, struct xo in, struct xo k, bool first)
{
	VX(g, VPMINUD, x, v, last);
	if (g->v4) {
		jit_vxk(g, ZYDIS_MNEMONIC_VPCMPEQD, first ? 0 : 7, false, 3, (struct xo[]){ R(K7), x, v });
	} else if (first) {
		X(g->b, VPCMPEQD, in, x, v);
	} else {
		X(g->b, VPCMPEQD, k, x, v);
		X(g->b, VPAND, in, in, k);
	}
}

/* z = bytes of a layer. */
static void find_layer(struct jit_region *g, struct xo v, struct xo z)
{
	jit_image_round(g, z, v, JIT_NEAREST);
	VX(g, VMAXPS, z, z, jit_v_const(g, 0));
	VX(g, VMINPS, z, z, OF(last_layer));
	VX(g, VCVTTPS2DQ, z, z);
	VX(g, VPMULLD, z, z, OF(stride));
}

/* i = bytes of an axis: those of an element each, or rows, and a part's; k is used up. */
static void place_axis(struct jit_region *g, struct xo i, unsigned axis, bool parts, struct xo k)
{
	if (parts) {
		jit_image_load_of(g, k, axis ? offsetof(struct cu_mimg_lanes, part_y) : offsetof(struct cu_mimg_lanes, part_x));
		VX(g, VPERMILPS, k, k, i);
	}
	if (axis)
		VX(g, VPMULLD, i, i, OF(pitch));
	else
		VX(g, VPSLLVD, i, i, OF(shift));
	if (parts)
		VX(g, VPADDD, i, i, k);
}

/* The same of the texels of all axes that are the tap's own. */
static void place_own(struct jit_region *g, const struct xo i[4], unsigned texels, const bool own[2], struct xo k)
{
	int rows = jit_x_label(g->b), placed = jit_x_label(g->b);
	X(g->b, CMP, FLAG(parts), jit_x_imm(0));
	XJ(g->b, JZ, rows);
	for (unsigned parts = 2; parts-- > 0;) {
		for (unsigned n = 0; n < 4; n++)
			if (own[n >> 1] && (n & 1) < texels)
				place_axis(g, i[n], n >> 1, parts, k);
		if (parts) {
			XJ(g->b, JMP, placed);
			jit_x_bind(g->b, rows);
		}
	}
	jit_x_bind(g->b, placed);
}

/* The same, kept for the taps that have them in common; and those that another one keeps. */
static void place(struct jit_region *g, const struct xo i[4], unsigned texels, unsigned tap, struct xo k)
{
	const struct jit_share *s = g->shares[tap];
	const bool own[2] = { s[0].tap == tap, s[1].tap == tap };
	if (own[0] || own[1])
		place_own(g, i, texels, own, k);
	for (unsigned n = 0; n < 4; n++) {
		if ((n & 1) >= texels)
			continue;
		if (!own[n >> 1])
			VX(g, VMOVAPS, i[n], jit_image_kept(g, s[n >> 1].tap, n >> 1, n & 1));
		else if (s[n >> 1].kept)
			VX(g, VMOVAPS, jit_image_kept(g, tap, n >> 1, n & 1), i[n]);
	}
}

void jit_image_axes(struct jit_region *g, const struct xo from[OPERANDS], const struct xo i[4], unsigned texels, unsigned tap,
	struct xo k, jit_image_axis_fn *find)
{
	for (unsigned axis = 0; axis < 2; axis++)
		if (g->shares[tap][axis].tap == tap)
			find(g, from[axis], axis, TAP_ROWS * tap + ROW_X + axis, i[2 * axis], i[2 * axis + 1], k);
	place(g, i, texels, tap, k);
}

/* Targets of former draws are in no near cache, and what is done with their texels keeps strips from being read ahead.  First
 * and last offset out of the register, as what of a row was just stored would be waited for.  A kernel's groups have more rows
 * than the CPU foresees by itself: of each the next line is fetched, for the next group (1.2 times a stencil of floats). */
static void prefetch(struct jit_region *g, struct xo at, struct xo spare)
{
	enum { LINE = 64 };
	struct xo from = jit_x_mem(ZYDIS_REGISTER_RCX, 0, 1);
	from.index = ZYDIS_REGISTER_RDX;
	from.scale = 1;
	jit_image_base(g);
	X(g->b, VMOVD, R(EDX), jit_low(g, at));
	X(g->b, PREFETCHT0, from);
	if (g->v4)
		VX(g, VEXTRACTF32X4, jit_low(g, spare), at, jit_x_imm(3));
	else
		X(g->b, VEXTRACTI128, jit_low(g, spare), at, jit_x_imm(1));
	X(g->b, VPEXTRD, R(EDX), jit_low(g, spare), jit_x_imm(3));
	from.value = g->t->exports ? 0 : LINE;
	X(g->b, PREFETCHT0, from);
}

/* K7 = its lanes that `lanes`, in memory, has as well. */
static void keep_lanes(struct jit_region *g, struct xo lanes)
{
	X(g->b, KMOVW, R(EDX), R(K7));
	X(g->b, AND, R(EDX), lanes);
	X(g->b, KMOVW, R(K7), R(EDX));
}

/* within, of an axis that others have in common with the tap: its lanes are kept where second texels are, of which there are
 * none. */
static void within_shared(struct jit_region *g, struct xo v, unsigned axis, unsigned tap, struct xo x, struct xo in, struct xo k, bool first)
{
	const struct jit_share *s = &g->shares[tap][axis];
	struct xo kept = jit_image_kept(g, s->tap, axis, 1), before = jit_image_row(TAP_ROWS * tap + ROW_IN, 0, 4);
	if (g->v4)
		kept.size = 4;
	if (s->tap == tap) {
		if (g->v4 && !first)
			X(g->b, KMOVD, before, R(K7));
		within(g, v, OF(last[axis]), x, first ? in : k, k, true);
		if (g->v4)
			X(g->b, KMOVD, kept, R(K7));
		else
			X(g->b, VMOVAPS, kept, first ? in : k);
		if (g->v4 && !first)
			keep_lanes(g, before);
		else if (!first)
			X(g->b, VPAND, in, in, k);
	} else if (g->v4 && first) {
		X(g->b, KMOVD, R(K7), kept);
	} else if (g->v4) {
		keep_lanes(g, kept);
	} else if (first) {
		X(g->b, VMOVAPS, in, kept);
	} else {
		X(g->b, VPAND, in, in, kept);
	}
}

static void find_load(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap)
{
	const struct jit_share *s = g->shares[tap];
	const struct xo i[2] = { t[0], t[1] }, at = t[2], in = t[3], k = t[4], z = t[5];
	const unsigned row = TAP_ROWS * tap;
	for (unsigned axis = 0; axis < 2; axis++)
		if (s[axis].tap == tap && !s[axis].kept)
			within(g, from[axis], OF(last[axis]), i[axis], in, k, axis == 0);
		else
			within_shared(g, from[axis], axis, tap, i[axis], in, k, axis == 0);
	if (from[OPERAND_LAYER].kind) {
		within(g, from[OPERAND_LAYER], OF(last_index), z, in, k, false);
		VX(g, VPMULLD, z, z, OF(stride));
	}
	if (g->v4)
		X(g->b, KMOVW, jit_image_row(row + ROW_IN, 0, 2), R(K7));
	else
		X(g->b, VMOVAPS, jit_image_row(row + ROW_IN, 0, 32), in);
	place(g, (struct xo[]){ i[0], i[0], i[1], i[1] }, 1, tap, k);
	VX(g, VPADDD, at, i[0], i[1]);
	if (from[OPERAND_LAYER].kind)
		VX(g, VPADDD, at, at, z);
	jit_image_store_row(g, row + ROW_AT, at);
	if (s[1].tap == tap) /* others are beside one that was */
		prefetch(g, at, k);
}

static void find_nearest(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap)
{
	const struct xo x = t[0], at = t[2];
	jit_image_axes(g, from, t, 1, tap, t[4], nearest);
	VX(g, VPADDD, at, x, at);
	if (from[OPERAND_LAYER].kind) {
		int volume = jit_x_label(g->b), found = jit_x_label(g->b);
		X(g->b, CMP, FLAG(volume), jit_x_imm(0));
		XJ(g->b, JNZ, volume);
		find_layer(g, from[OPERAND_LAYER], x);
		XJ(g->b, JMP, found);
		jit_x_bind(g->b, volume);
		nearest(g, from[OPERAND_LAYER], 2, 0, x, x, x);
		VX(g, VPMULLD, x, x, OF(stride));
		jit_x_bind(g->b, found);
		VX(g, VPADDD, at, at, x);
	}
	jit_image_store_row(g, TAP_ROWS * tap + ROW_AT, at);
}

/* Of axes that are the tap's own; where samples are of the tile is for it to say. */
static void find_for_tile(struct jit_region *g, const struct xo from[OPERANDS], unsigned tap)
{
	for (unsigned axis = 0; axis < 2; axis++)
		if (g->shares[tap][axis].tap == tap)
			jit_image_store_row(g, TAP_ROWS * tap + ROW_X + axis, from[axis]);
}

/* The nearest texel, or four, of images that are not common. */
static void find_other(struct jit_region *g, const struct jit_later *l)
{
	const struct jit_find *f = &l->find;
	int linear = jit_x_label(g->b), ramp = jit_x_label(g->b), floats = jit_x_label(g->b);
	const struct xo z = f->from[OPERAND_LAYER]; /* a copy, which is not read again */
	X(g->b, CMP, FLAG(linear), jit_x_imm(0));
	XJ(g->b, JNZ, linear);
	find_nearest(g, f->from, f->t, f->tap);
	XJ(g->b, JMP, l->done);
	jit_x_bind(g->b, linear);
	if (z.kind) {
		int flat = jit_x_label(g->b);
		X(g->b, CMP, FLAG(volume), jit_x_imm(0));
		XJ(g->b, JZ, flat);
		jit_volume_find(g, f->from, f->t, f->tap, z);
		XJ(g->b, JMP, l->done);
		jit_x_bind(g->b, flat);
		find_layer(g, z, z);
	}
	X(g->b, CMP, FLAG(ramp), jit_x_imm(0));
	XJ(g->b, JNZ, ramp);
	X(g->b, CMP, FLAG(linear), jit_x_imm(CU_MIMG_FLOATS));
	XJ(g->b, JZ, floats);
	jit_x_bind(g->b, l->aside); /* bytes that are not all inside */
	jit_bytes_find_any(g, f->from, f->t, f->tap, z);
	XJ(g->b, JMP, l->done);
	jit_x_bind(g->b, ramp);
	jit_ramp_find(g, f->from, f->t, f->tap, z);
	XJ(g->b, JMP, l->done);
	jit_x_bind(g->b, floats);
	jit_floats_find(g, f->from, f->t, f->tap, z);
	XJ(g->b, JMP, l->done);
}

/* By the filter, where it is not known.  What is common comes last, as nothing then jumps over other code. */
static void find_sample(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap)
{
	const int one = jit_x_label(g->b), four = jit_x_label(g->b);
	struct jit_later *const l = jit_later(g, find_other);
	const struct xo z = from[OPERAND_LAYER];
	memcpy(l->find.from, from, sizeof l->find.from);
	memcpy(l->find.t, t, sizeof l->find.t);
	l->find.tap = tap;
	X(g->b, CMP, IMAGE_SLOT(g, find, 1), jit_x_imm(CU_MIMG_ONE));
	XJ(g->b, JNBE, four);
	if (l->tiles) {
		XJ(g->b, JZ, one);
		X(g->b, CMP, IMAGE_SLOT(g, find, 1), jit_x_imm(CU_MIMG_TILE));
		XJ(g->b, JNZ, l->begin);
		find_for_tile(g, from, tap);
		XJ(g->b, JMP, l->done);
		jit_x_bind(g->b, one);
	} else {
		XJ(g->b, JNZ, l->begin);
	}
	find_nearest(g, from, t, tap);
	XJ(g->b, JMP, l->done);
	jit_x_bind(g->b, four);
	if (z.kind)
		find_layer(g, z, z);
	jit_bytes_find_inside(g, from, t, tap, z, l->aside);
	jit_x_bind(g->b, l->done);
}

/* --- groups --- */

unsigned jit_image_taps(const struct jit_region *g, uint32_t i)
{
	return jit_rec(g->t, i)->in->da && !loads(g, i) && !compares(g, i) ? 2 : 1;
}

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
		if (!j->image || taps + jit_image_taps(g, i) > TAPS)
			break;
		for (unsigned k = 0; k < OPERAND_COMPARE; k++)
			if (j->vs[k] >= 0 && v_in(&written, (unsigned)j->vs[k]))
				return end;
		for (unsigned k = 0; k < j->nvd; k++)
			v_add(&written, (unsigned)j->vd + k);
		taps += jit_image_taps(g, i);
		end = i + 1;
	}
	return end;
}

/* --- tiles --- */

/* Of the nearest texel, or may be: of one slice of two dimensions. */
static bool is_flat_sample(const struct jit_region *g, uint32_t i)
{
	return !jit_rec(g->t, i)->in->da && !loads(g, i) && !compares(g, i) && !gathers(g, i);
}

bool jit_image_may_tile(const struct jit_region *g)
{
	return is_flat_sample(g, g->at) && jit_image_slot((struct jit_region *)g, g->at) == g->tiled_slot;
}

/* One of them alone: another one may be of the same image, so that both would want one tile at once. */
void jit_image_choose_tile(struct jit_region *g, uint32_t i, uint32_t end)
{
	enum { LEAST = 4 };
	unsigned count[IMAGE_SLOTS] = { 0 };
	for (g->tiled_slot = -1; i < end && g->tiled_slot < 0; i++)
		if (g->in[i].image && is_flat_sample(g, i) && ++count[jit_image_slot(g, i)] == LEAST)
			g->tiled_slot = jit_image_slot(g, i);
}

void jit_image_tile(struct jit_region *g, uint32_t i, uint32_t end)
{
	const int at = FRAME_IMAGES + g->tiled_slot * (int)sizeof(struct cu_mimg_slot);
	union { struct cu_mimg_taps taps; uint8_t bytes[64]; } all = { .bytes = { 0 } };
	unsigned tap = 0;
	if (g->tiled_slot < 0)
		return;
	int none = jit_x_label(g->b);
	for (; i < end; i++) {
		if (!g->in[i].image)
			continue;
		if (is_flat_sample(g, i) && jit_image_slot(g, i) == g->tiled_slot) {
			all.taps.own[all.taps.count] = (uint8_t)(TAP_ROWS * tap + ROW_AT);
			for (unsigned axis = 0; axis < 2; axis++) {
				const unsigned row = TAP_ROWS * g->shares[tap][axis].tap + ROW_X + axis;
				all.taps.axis[axis][all.taps.count] = (uint8_t)row;
				all.taps.rows[axis] |= 1ull << row;
			}
			all.taps.count++;
		}
		tap += jit_image_taps(g, i);
	}
	X(g->b, CMP, FRAME(at + (int)offsetof(struct cu_mimg_slot, find), 1), jit_x_imm(CU_MIMG_TILE));
	XJ(g->b, JNZ, none);
	X(g->b, LEA, R(RDI), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(g->b, LEA, R(RSI), FRAME(at, 8));
	X(g->b, LEA, R(RDX), FRAME(FRAME_TAPS, 8));
	X(g->b, LEA, R(RCX), jit_x_mem(RB_POOL, jit_x_vector(g->b, all.bytes), 8));
	X(g->b, MOV, R(RAX), FRAME(FRAME_HELPERS, 8));
	X(g->b, CALL, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_jit_helpers, tile), 8));
	jit_x_bind(g->b, none);
}

/* What comes after the coordinate that the instruction reads in v: nothing where its own results replace all of it, and no
 * compared value of the group is there. */
static unsigned next_of_coordinate(const struct jit_region *g, uint32_t i, unsigned k)
{
	const struct jit_inst *j = &g->in[i];
	const int v = j->vs[k];
	if (v < j->vd || v >= j->vd + j->nvd || !((g->full && !g->e.exec_written) || j->off_dead))
		return j->next[k];
	for (uint32_t n = g->e.first; n < g->e.end; n++)
		if (g->in[n].image && g->in[n].role == ROLE_VECTOR && compares(g, n) && g->in[n].vs[OPERAND_COMPARE] == v)
			return j->next[k];
	return NEXT_KILLED;
}

static bool is_shared(const struct jit_region *g, unsigned tap, unsigned operand)
{
	return operand < 2 && g->shares[tap][operand].tap != tap;
}

/* Coordinates moved by offsets of texels, as the texture unit moves them, in registers of their own. */
static void move(struct jit_region *g, const struct jit_inst *j, struct xo from[OPERANDS])
{
	load_lanes(g);
	for (unsigned d = 0; d < 2; d++) {
		if (!from[d].kind) /* another sample's */
			continue;
		const struct xo moved = jit_r_temp(g);
		VX(g, VPSLLD, moved, from[OPERAND_OFFSET], jit_x_imm(26 - 8 * (int)d));
		VX(g, VPSRAD, moved, moved, jit_x_imm(26));
		VX(g, VCVTDQ2PS, moved, moved);
		VX(g, VFMADD132PS, moved, from[d], OF(inverse[d]));
		from[d] = moved;
		jit_r_unpin(g, (unsigned)j->vs[d]);
	}
	jit_r_unpin(g, (unsigned)j->vs[OPERAND_OFFSET]);
}

void jit_image_find(struct jit_region *g, uint32_t i, unsigned tap)
{
	const struct jit_inst *j = &g->in[i];
	struct xo from[OPERANDS] = { { 0 } }, t[FIND_SPARES];
	jit_mark(g->t, i);
	g->at = i;
	for (unsigned k = 0; k < OPERAND_COMPARE; k++) {
		if (j->vs[k] < 0 || is_shared(g, tap, k) || (k == OPERAND_OFFSET && !from[0].kind && !from[1].kind))
			continue;
		if (loads(g, i) || k == OPERAND_OFFSET) /* of a float's NaN nobody asks which */
			jit_r_settle(g, (unsigned)j->vs[k]);
		from[k] = jit_r_use(g, (unsigned)j->vs[k]);
	}
	if (from[OPERAND_LAYER].kind && !loads(g, i) && !compares(g, i)) {
		const struct xo copy = jit_r_temp(g);
		VX(g, VMOVAPS, copy, from[OPERAND_LAYER]);
		jit_r_unpin(g, (unsigned)j->vs[OPERAND_LAYER]);
		from[OPERAND_LAYER] = copy;
	}
	if (from[OPERAND_OFFSET].kind)
		move(g, j, from);
	for (unsigned k = 0; k < FIND_SPARES; k++)
		t[k] = jit_r_temp(g);
	load_lanes(g);
	if (gathers(g, i))
		jit_gather_find(g, from, t, tap);
	else if (loads(g, i))
		find_load(g, from, t, tap);
	else if (compares(g, i))
		find_nearest(g, from, t, tap);
	else
		find_sample(g, from, t, tap);
	for (unsigned k = 0; k < FIND_SPARES; k++)
		jit_r_free(g, t[k]);
	for (unsigned k = 0; k < OPERAND_COMPARE; k++)
		if (j->vs[k] >= 0) {
			jit_r_read(g, (unsigned)j->vs[k], next_of_coordinate(g, i, k));
			if (!is_shared(g, tap, k))
				jit_r_unpin(g, (unsigned)j->vs[k]);
		}
	if (from[OPERAND_LAYER].kind)
		jit_r_free(g, from[OPERAND_LAYER]);
	for (unsigned d = 0; d < 2 && from[OPERAND_OFFSET].kind; d++)
		if (from[d].kind)
			jit_r_free(g, from[d]);
}

/* Whether spare register k is a result's, which has nothing yet. */
static bool is_result(const struct jit_read *r, unsigned k)
{
	return k >= SPARES_APART && k < SPARES_APART + 4 && r->x[k - SPARES_APART].kind;
}

void jit_image_read(struct jit_region *g, uint32_t i, unsigned tap)
{
	const struct jit_inst *j = &g->in[i];
	const bool keep = !g->full && !j->off_dead, load = loads(g, i), compare = compares(g, i);
	const unsigned results = gathers(g, i) ? 15 : jit_rec(g->t, i)->in->dmask;
	struct jit_read r = { .row = TAP_ROWS * tap, .load = load, .layered = jit_image_taps(g, i) > 1 };
	for (unsigned axis = 0; axis < 2; axis++)
		r.weight[axis] = TAP_ROWS * g->shares[tap][axis].tap + ROW_X + axis;
	jit_mark(g->t, i);
	g->at = i;
	if (compare) /* while its VGPR is not yet a result */
		jit_r_use(g, (unsigned)j->vs[OPERAND_COMPARE]);
	for (unsigned c = 0, n = 0; c < 4; c++)
		if (results >> c & 1) {
			const unsigned vd = (unsigned)j->vd + n++;
			r.x[c] = keep || (compare && vd == (unsigned)j->vs[OPERAND_COMPARE]) ? jit_r_temp(g) : jit_r_def(g, vd, false);
		}
	const unsigned spares = g->v4 || !(compare || load) ? SPARES : load ? SPARES_APART + 4 : 4;
	for (unsigned k = 0; k < spares; k++)
		r.t[k] = is_result(&r, k) ? r.x[k - SPARES_APART] : jit_r_temp(g);
	load_lanes(g);
	if (compare)
		jit_image_read_compared(g, &r, jit_r_use(g, (unsigned)j->vs[OPERAND_COMPARE]));
	else if (gathers(g, i))
		jit_gather_read(g, &r, (unsigned)__builtin_ctz(jit_rec(g->t, i)->in->dmask));
	else
		jit_image_read_colours(g, &r);
	for (unsigned k = 0; k < SPARES && r.t[k].kind; k++)
		if (!is_result(&r, k))
			jit_r_free(g, r.t[k]);
	for (unsigned c = 0, n = 0; c < 4; c++) {
		if (!r.x[c].kind)
			continue;
		const unsigned vd = (unsigned)j->vd + n++;
		if (keep)
			jit_v_put_active(g, vd, r.x[c]);
		else if (jit_r_is_temp(g, r.x[c]))
			VX(g, VMOVAPS, jit_r_def(g, vd, false), r.x[c]);
		jit_r_lazy(g, vd, false);
	}
	jit_r_done(g, i);
}
