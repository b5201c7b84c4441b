/* SPDX-License-Identifier: MIT */
/* What vector instructions have in common: sources, results, masks, compares. */
#include "core/jit/jit_vector.h"

#include <string.h>
#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_translate.h"
#include "isa/gcn.h"

void vx(struct translator *t, ZydisMnemonic m, unsigned n, const struct xo *o)
{
	x_emit(&t->b, m, t->v4 ? 0 : -1, false, n, o);
}
void vxk(struct translator *t, ZydisMnemonic m, int mask, bool zero, unsigned n, const struct xo *o)
{
	x_emit(&t->b, m, mask, zero, n, o);
}

/* --- sources --- */

/* d = x, a register or any of the operands that come from here. */
void v_load(struct translator *t, struct xo d, struct xo x)
{
	bool dword = x.kind == XO_MEM && x.size == 4;
	x.bcast = 0;
	vx(t, dword ? ZYDIS_MNEMONIC_VBROADCASTSS : ZYDIS_MNEMONIC_VMOVAPS, 2, (struct xo[]){ d, x });
}
/* AVX2 has no embedded broadcast. */
struct xo v_broadcast(struct translator *t, struct xo dword)
{
	dword.size = 4;
	if (t->v4) {
		dword.bcast = 16;
		return dword;
	}
	struct xo r = r_temp(t);
	v_load(t, r, dword);
	return r;
}
struct xo v_const(struct translator *t, uint32_t bits)
{
	uint32_t all[16];
	if (t->v4)
		return v_broadcast(t, x_mem(RB_POOL, x_dword(&t->b, bits), 4));
	for (int i = 0; i < 16; i++)
		all[i] = bits;
	return x_mem(RB_POOL, x_vector(&t->b, all), 32);
}
struct xo v_register(struct translator *t, struct xo x)
{
	if (x.kind == XO_REG)
		return x;
	struct xo r = r_temp(t);
	v_load(t, r, x);
	return r;
}

bool v_constant(const struct translator *t, uint32_t i, int n, uint32_t *bits)
{
	const struct cu_rec *r = j_rec(t, i);
	if (!(r->konst >> n & 1))
		return false;
	memcpy(bits, (const char *)r->pool + r->s[n], 4);
	if (r->op->stype[n] == CU_T_F32) {
		*bits &= r->in->abs >> n & 1 ? 0x7fffffff : ~0u;
		*bits ^= r->in->neg >> n & 1 ? 0x80000000u : 0;
	}
	return true;
}

static struct xo modified(struct translator *t, struct xo x, bool abs, bool neg)
{
	x = v_register(t, x);
	struct xo r = r_is_temp(t, x) ? x : r_temp(t);
	if (abs) {
		VXD(t, VPAND, r, x, v_const(t, 0x7fffffff));
		x = r;
	}
	if (neg)
		VXD(t, VPXOR, r, x, v_const(t, 0x80000000u));
	return r;
}

/* All ones in lanes whose source lane of quad_perm is on. */
static struct xo dpp_valid(struct translator *t, const struct gcn_inst *in)
{
	struct xo v = r_temp(t);
	if (t->v4)
		X(&t->b, VPMOVM2D, v, R(K1));
	VX(t, VPERMILPS, v, t->v4 ? v : j_exec(t), x_imm(in->dpp_ctrl & 255));
	return v;
}

struct xo v_source(struct translator *t, uint32_t i, int n)
{
	return v_source_signed(t, i, n, false);
}
struct xo v_source_signed(struct translator *t, uint32_t i, int n, bool neg_later)
{
	const struct cu_rec *r = j_rec(t, i);
	const struct gcn_inst *in = r->in;
	bool lazy = j_vec_ops[in->op].flags & VEC_LAZY_IN;
	uint32_t bits;
	struct xo x;
	if (v_constant(t, i, n, &bits))
		return v_const(t, bits ^ (neg_later && in->neg >> n & 1 ? 0x80000000u : 0));
	if (r->scalar >> n & 1) {
		x = v_broadcast(t, j_wave((size_t)r->s[n], 4));
	} else {
		unsigned vgpr = (unsigned)r->s[n] / 256;
		if (!lazy)
			r_settle(t, vgpr);
		x = r_use(t, vgpr);
		if (n == 0 && in->sub == GCN_SUB_DPP) {
			struct xo moved = r_temp(t);
			VX(t, VPERMILPS, moved, x, x_imm(in->dpp_ctrl & 255));
			if (in->bound_ctrl && !t->full)
				VXD(t, VPAND, moved, moved, dpp_valid(t, in));
			x = moved;
		}
	}
	bool abs = in->abs >> n & 1, neg = in->neg >> n & 1 && !neg_later;
	if ((abs || neg) && r->op->stype[n] == CU_T_F32)
		x = modified(t, x, abs, neg);
	return x;
}

/* --- EXEC --- */

/* AVX2: EXEC of the strip as a vector, in the register kept for it. */
struct xo j_exec(struct translator *t)
{
	return t->v4 ? R(K1) : R(YMM15);
}

static void expand_bits(struct translator *t, struct xo to, struct xo from)
{
	static const uint32_t bit[16] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	struct xo bits = x_mem(RB_POOL, x_vector(&t->b, bit), 32);
	X(&t->b, VPBROADCASTB, to, from);
	X(&t->b, VPAND, to, to, bits);
	X(&t->b, VPCMPEQD, to, to, bits);
}

void j_load_exec(struct translator *t)
{
	struct xo slice = j_slice_of(t, GCN_SRC_EXEC);
	if (t->v4)
		X(&t->b, KMOVW, R(K1), slice);
	else
		expand_bits(t, R(YMM15), slice);
}

/* --- lane masks --- */

struct xo v_mask_temp(struct translator *t, int n)
{
	return t->v4 ? x_reg(ZYDIS_REGISTER_K6 + (unsigned)n) : r_temp(t);
}

void v_mask_forget(struct translator *t, unsigned pair)
{
	for (int i = 0; i < 4; i++)
		if (t->masks[i].pair >= (int)pair - 1 && t->masks[i].pair <= (int)pair + 1)
			t->masks[i].pair = -1;
}
void j_forget_masks(struct translator *t)
{
	for (int i = 0; i < 4; i++)
		t->masks[i].pair = -1;
}

struct xo v_mask_load(struct translator *t, unsigned pair)
{
	if (t->v4) {
		unsigned i = 0;
		while (i < 4 && t->masks[i].pair != (int)pair)
			i++;
		if (i == 4) {
			i = t->mask_next++ % 4;
			t->masks[i].pair = (int16_t)pair;
			X(&t->b, KMOVW, x_reg(ZYDIS_REGISTER_K2 + i), j_slice_of(t, pair));
		}
		return x_reg(ZYDIS_REGISTER_K2 + i);
	}
	struct xo m = r_temp(t);
	expand_bits(t, m, j_slice_of(t, pair));
	return m;
}

/* The slice to its pair; AVX-512 keeps the mask's register for the next reader. */
void v_mask_store(struct translator *t, unsigned pair, struct xo mask)
{
	if (t->v4) {
		X(&t->b, KMOVW, j_slice_of(t, pair), mask);
	} else {
		X(&t->b, VMOVMSKPS, R(EAX), mask);
		X(&t->b, MOV, j_slice_of(t, pair), R(AL));
	}
}

/* Where a new mask for the pair is made. */
struct xo v_mask_new(struct translator *t, unsigned pair)
{
	v_mask_forget(t, pair);
	if (!t->v4)
		return r_temp(t);
	unsigned i = t->mask_next++ % 4;
	t->masks[i].pair = (int16_t)pair;
	return x_reg(ZYDIS_REGISTER_K2 + i);
}

void v_select(struct translator *t, struct xo d, struct xo mask, struct xo a, struct xo b)
{
	b = v_register(t, b);
	if (t->v4)
		vxk(t, ZYDIS_MNEMONIC_VBLENDMPS, mask.reg - ZYDIS_REGISTER_K0, false, 3,
			(struct xo[]){ d, b, a });
	else
		X(&t->b, VBLENDVPS, d, b, a, mask);
}

/* --- results --- */

static bool float_result(const struct cu_rec *r)
{
	return r->op->dtype == CU_T_F32;
}

struct v_out v_result(struct translator *t, uint32_t i)
{
	const struct cu_rec *r = j_rec(t, i);
	const struct j_inst *j = &t->in[i];
	/* Lanes without a source keep the old value, which may look like a NaN. */
	bool dpp = r->in->sub == GCN_SUB_DPP && !r->in->bound_ctrl;
	bool keep = !t->full && (!j->off_dead || dpp);
	struct v_out o = { .post = float_result(r) && r->in->clamp };
	if (dpp)
		r_settle(t, (unsigned)j->vd);
	o.home = r_def(t, (unsigned)j->vd, keep);
	o.reg = o.home;
	if (!keep)
		return o;
	o.merge = true;
	o.mask = t->v4 ? 1 : 0;
	o.with = j_exec(t);
	if (dpp) {
		struct xo v = dpp_valid(t, r->in);
		o.canonical = j_vec_ops[r->in->op].flags & VEC_LAZY_OUT;
		o.post |= o.canonical;
		if (t->v4) {
			X(&t->b, VPMOVD2M, R(K7), v);
			X(&t->b, KANDW, R(K7), R(K7), R(K1));
			o.mask = 7;
		} else {
			X(&t->b, VPAND, v, v, o.with);
			o.with = v;
		}
	}
	if (!t->v4 || o.post)
		o.reg = r_temp(t);
	return o;
}

void v_last(struct translator *t, struct v_out *o, ZydisMnemonic m, unsigned n, const struct xo *rest)
{
	struct xo all[5] = { o->reg };
	memcpy(all + 1, rest, n * sizeof(*rest));
	x_emit(&t->b, m, t->v4 ? (o->post ? 0 : o->mask) : -1, false, n + 1, all);
}

void v_put(struct translator *t, uint32_t i, struct v_out *o)
{
	const struct cu_rec *r = j_rec(t, i);
	bool lazy = j_vec_ops[r->in->op].flags & VEC_LAZY_OUT;
	if (o->canonical) {
		struct xo nan = v_mask_temp(t, 0);
		VX(t, VCMPPS, nan, o->reg, o->reg, x_imm(3));
		v_select(t, o->reg, nan, v_const(t, 0x7fc00000), o->reg);
		lazy = false;
	}
	if (float_result(r) && r->in->clamp) { /* the second operand where one is NaN: NaN gives 0 */
		VX(t, VMAXPS, o->reg, o->reg, v_const(t, 0));
		VX(t, VMINPS, o->reg, o->reg, v_const(t, 0x3f800000));
		lazy = false;
	}
	if (o->merge && t->v4 && o->post)
		VXK(t, o->mask, VMOVAPS, o->home, o->reg);
	else if (o->merge && !t->v4)
		X(&t->b, VBLENDVPS, o->home, o->home, o->reg, o->with);
	r_lazy(t, (unsigned)t->in[i].vd, lazy);
}

/* --- one x86 instruction --- */

static void unary(struct translator *t, uint32_t i, const struct vec_op *v)
{
	ZydisMnemonic m = (ZydisMnemonic)(t->v4 || !v->v3 ? v->v4 : v->v3);
	struct xo a = v_source(t, i, 0);
	if (v->imm >= 0 && a.kind == XO_MEM)
		a = v_register(t, a);
	struct v_out o = v_result(t, i);
	v_last(t, &o, m, v->imm >= 0 ? 2 : 1, (struct xo[]){ a, x_imm(v->imm) });
	v_put(t, i, &o);
}

static void binary(struct translator *t, uint32_t i, const struct vec_op *v)
{
	ZydisMnemonic m = (ZydisMnemonic)(t->v4 || !v->v3 ? v->v4 : v->v3);
	int first = v->flags & VEC_SWAPPED ? 1 : 0;
	struct xo a = v_source(t, i, first), b = v_source(t, i, !first);
	if (a.kind == XO_MEM && b.kind == XO_REG && v->flags & VEC_COMMUTES) {
		struct xo swap = a;
		a = b;
		b = swap;
	}
	a = v_register(t, a);
	struct v_out o = v_result(t, i);
	v_last(t, &o, m, 2, (struct xo[]){ a, b });
	v_put(t, i, &o);
}

/* --- which, and which way --- */

static bool plain_dpp(const struct gcn_inst *in)
{
	return in->dpp_ctrl < 0x100 && (in->row_mask & in->bank_mask) == 15;
}

bool j_vector_known(const struct translator *t, uint32_t i)
{
	const struct cu_rec *r = j_rec(t, i);
	const struct gcn_inst *in = r->in;
	const struct vec_op *v = &j_vec_ops[in->op];
	const struct cu_level_ops *l = t->p->kernels;
	if (v->kind == VEC_NONE || r->fn == l->valu_indexed || r->fn == l->exec_write || r->fn == l->special)
		return false;
	if (v->emit == j_memory)
		return j_memory_known(t, i);
	if (r->op->cls != CU_CLASS_VALU)
		return r->fn == r->op->direct;
	if (in->sub == GCN_SUB_SDWA || in->op_sel || (in->sub == GCN_SUB_DPP && !plain_dpp(in)))
		return false;
	if (in->sub == GCN_SUB_DPP && (r->op->mask_out || r->scalar & 1))
		return false;
	if (in->clamp && r->op->dtype != CU_T_F32 && r->op->dtype != CU_T_NONE)
		return false;
	return r->op->dtype == CU_T_F32 || r->op->dtype == CU_T_B32 || r->op->dtype == CU_T_NONE;
}

void j_vector(struct translator *t, uint32_t i)
{
	const struct vec_op *v = &j_vec_ops[j_rec(t, i)->in->op];
	t->at = i;
	if (v->kind == VEC_UNARY)
		unary(t, i, v);
	else if (v->kind == VEC_BINARY)
		binary(t, i, v);
	else if (v->kind == VEC_CUSTOM)
		v->emit(t, i);
	else
		v_compare(t, i, v);
}
