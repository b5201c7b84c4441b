/* SPDX-License-Identifier: MIT */
/* What vector instructions have in common: sources, results, masks, compares. */
#include "core/jit/jit_vector.h"

#include <string.h>
#include "core/interp/interp.h"
#include "core/jit/jit_constants.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_translate.h"
#include "isa/gcn.h"

void jit_vx(struct jit_region *g, ZydisMnemonic m, unsigned n, const struct xo *o)
{
	jit_x_emit(g->b, m, g->v4 ? 0 : -1, false, n, o);
}
void jit_vxk(struct jit_region *g, ZydisMnemonic m, int mask, bool zero, unsigned n, const struct xo *o)
{
	jit_x_emit(g->b, m, mask, zero, n, o);
}

/* --- sources --- */

/* d = x, a register or any of the operands that come from here. */
void jit_v_load(struct jit_region *g, struct xo d, struct xo x)
{
	bool dword = x.kind == XO_MEM && x.size == 4;
	x.bcast = 0;
	jit_vx(g, dword ? ZYDIS_MNEMONIC_VBROADCASTSS : ZYDIS_MNEMONIC_VMOVAPS, 2, (struct xo[]){ d, x });
}
/* AVX2 has no embedded broadcast. */
struct xo jit_v_broadcast(struct jit_region *g, struct xo dword)
{
	dword.size = 4;
	if (g->v4) {
		dword.bcast = 16;
		return dword;
	}
	struct xo r = jit_r_temp(g);
	jit_v_load(g, r, dword);
	return r;
}
struct xo jit_v_const(struct jit_region *g, uint32_t bits)
{
	uint32_t all[16];
	if (g->v4)
		return jit_v_broadcast(g, jit_x_mem(RB_POOL, jit_x_dword(g->b, bits), 4));
	for (int i = 0; i < 16; i++)
		all[i] = bits;
	return jit_x_mem(RB_POOL, jit_x_vector(g->b, all), 32);
}
struct xo jit_v_const_64(struct jit_region *g, uint64_t bits)
{
	uint64_t all[8];
	for (int i = 0; i < 8; i++)
		all[i] = g->v4 || i < 4 ? bits : 0;
	return jit_x_mem(RB_POOL, jit_x_vector(g->b, all), g->v4 ? 64 : 32);
}
struct xo jit_v_register(struct jit_region *g, struct xo x)
{
	if (x.kind == XO_REG)
		return x;
	struct xo r = jit_r_temp(g);
	jit_v_load(g, r, x);
	return r;
}

static bool float_source(const struct cu_rec *r, int n)
{
	return r->op->stype[n] == CU_T_F32 || r->op->stype[n] == CU_T_F16;
}
static uint32_t sign_bit(const struct cu_rec *r, int n)
{
	return r->op->stype[n] == CU_T_F16 ? 0x8000 : 0x80000000u;
}

bool jit_v_constant(const struct jit_region *g, uint32_t i, int n, uint32_t *bits)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	uint64_t known;
	if (jit_constant_source(g->t, i, n, &known))
		*bits = (uint32_t)known;
	else if (r->scalar >> n & 1 || (n == 0 && r->in->sub == GCN_SUB_DPP) || !jit_r_constant(g, (unsigned)r->s[n] / 256, bits))
		return false;
	if (float_source(r, n)) {
		uint32_t sign = sign_bit(r, n);
		*bits &= r->in->abs >> n & 1 ? ~sign : ~0u;
		*bits ^= r->in->neg >> n & 1 ? sign : 0;
	}
	return true;
}

static struct xo modified(struct jit_region *g, struct xo x, bool abs, bool neg, uint32_t sign)
{
	x = jit_v_register(g, x);
	struct xo r = jit_r_is_temp(g, x) ? x : jit_r_temp(g);
	if (abs) {
		VXD(g, VPAND, r, x, jit_v_const(g, ~sign));
		x = r;
	}
	if (neg)
		VXD(g, VPXOR, r, x, jit_v_const(g, sign));
	return r;
}

/* All ones in lanes whose source lane of quad_perm is on. */
static struct xo dpp_valid(struct jit_region *g, const struct gcn_inst *in)
{
	struct xo v = jit_r_temp(g);
	if (g->v4)
		X(g->b, VPMOVM2D, v, R(K1));
	VX(g, VPERMILPS, v, g->v4 ? v : jit_exec(g), jit_x_imm(in->dpp_ctrl & 255));
	return v;
}

/* An SGPR in all lanes. */
static struct xo uniform_word(struct jit_region *g, int32_t at)
{
	struct xo x = g->v4 ? (struct xo){ 0 } : jit_r_uniform(g, at);
	if (x.kind)
		return x;
	x = jit_v_broadcast(g, jit_wave((size_t)at, 4));
	if (!g->v4)
		jit_r_keep_uniform(g, at, x);
	return x;
}

static struct xo source_signed(struct jit_region *g, uint32_t i, int n, bool neg_later)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	const struct gcn_inst *in = r->in;
	bool lazy = jit_vec_ops[in->op].flags & VEC_LAZY_IN;
	uint32_t bits;
	struct xo x;
	bool room = !g->v4 && !((r->konst | g->in[i].known) >> n & 1) && !(in->abs >> n & 1) && !(in->neg >> n & 1) && jit_r_plenty(g);
	if (!room && jit_v_constant(g, i, n, &bits))
		return jit_v_const(g, bits ^ (neg_later && in->neg >> n & 1 ? 0x80000000u : 0));
	if (r->scalar >> n & 1) {
		x = uniform_word(g, (int32_t)r->s[n]);
	} else {
		unsigned vgpr = (unsigned)r->s[n] / 256;
		if (!lazy)
			jit_r_settle(g, vgpr);
		x = r->op->stype[n] == CU_T_F32 && in->sub != GCN_SUB_DPP ? jit_r_use_on(g, vgpr) : jit_r_use(g, vgpr);
		if (n == 0 && in->sub == GCN_SUB_DPP) {
			struct xo moved = jit_r_temp(g);
			VX(g, VPERMILPS, moved, x, jit_x_imm(in->dpp_ctrl & 255));
			if (in->bound_ctrl && !g->full)
				VXD(g, VPAND, moved, moved, dpp_valid(g, in));
			x = moved;
		}
	}
	bool abs = in->abs >> n & 1, neg = in->neg >> n & 1 && !neg_later;
	if ((abs || neg) && float_source(r, n))
		x = modified(g, x, abs, neg, sign_bit(r, n));
	return x;
}

struct xo jit_v_source(struct jit_region *g, uint32_t i, int n) { return source_signed(g, i, n, false); }

struct xo jit_v_operand(struct jit_region *g, uint32_t i, int n, bool neg_later)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	const struct gcn_inst *in = r->in;
	const bool changed = in->sub == GCN_SUB_DPP || in->abs >> n & 1 || (!neg_later && in->neg >> n & 1);
	const unsigned vgpr = (unsigned)r->s[n] / 256;
	const bool own = !((r->konst | r->scalar) >> n & 1) && !changed; /* a VGPR as it is */
	if (own && !(r->op->stype[n] == CU_T_F32 && jit_r_may_stop(g, vgpr)) && jit_r_only_home(g, vgpr, g->in[i].next[n]))
		return jit_r_home(g, vgpr);
	return source_signed(g, i, n, neg_later);
}

/* --- EXEC --- */

/* AVX2: EXEC of the strip as a vector, in the register kept for it. */
struct xo jit_exec(struct jit_region *g)
{
	return g->v4 ? R(K1) : R(YMM15);
}

static void expand_bits(struct jit_region *g, struct xo to, struct xo from)
{
	static const uint32_t bit[16] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	struct xo bits = jit_x_mem(RB_POOL, jit_x_vector(g->b, bit), 32);
	X(g->b, VPBROADCASTB, to, from);
	X(g->b, VPAND, to, to, bits);
	X(g->b, VPCMPEQD, to, to, bits);
}

void jit_load_exec(struct jit_region *g)
{
	struct xo slice = jit_slice_of(g->t, GCN_SRC_EXEC);
	if (g->v4)
		X(g->b, KMOVW, R(K1), slice);
	else
		expand_bits(g, R(YMM15), slice);
}

void jit_exec_bits(struct jit_region *g)
{
	if (g->full)
		X(g->b, MOV, R(EDX), jit_x_imm(-1));
	else if (g->v4)
		X(g->b, KMOVW, R(EDX), jit_exec(g));
	else
		X(g->b, VMOVMSKPS, R(EDX), jit_exec(g));
}

void jit_store_exec(struct jit_region *g)
{
	jit_exec_bits(g);
	X(g->b, MOV, jit_slice_of(g->t, GCN_SRC_EXEC), R(DL));
}

/* --- lane masks --- */

struct xo jit_v_mask_temp(struct jit_region *g, int n)
{
	return g->v4 ? jit_x_reg(ZYDIS_REGISTER_K6 + (unsigned)n) : jit_r_temp(g);
}

void jit_v_mask_forget(struct jit_region *g, unsigned pair)
{
	for (int i = 0; i < 4; i++)
		if (g->masks[i].pair >= (int)pair - 1 && g->masks[i].pair <= (int)pair + 1)
			jit_r_drop_mask(g, (unsigned)i);
}
void jit_forget_masks(struct jit_region *g)
{
	for (unsigned i = 0; i < 4; i++)
		jit_r_drop_mask(g, i);
	jit_r_drop_uniforms(g);
}

/* Of masks[], the one to be replaced: not one that is nowhere else, or is held. */
static unsigned next_mask(struct jit_region *g)
{
	const unsigned count = g->v4 && g->twins ? 2 : 4; /* k4 and k5 are the other strip's */
	unsigned i = g->mask_next++ % count;
	while (jit_r_mask_alone(g, i) || (g->mask_held >= 0 && g->masks[i].pair == g->mask_held))
		i = g->mask_next++ % count;
	g->masks[i].until = 0;
	g->masks[i].off_free = false;
	return i;
}

/* AVX2: a temporary is masks[] from here on. */
static unsigned keep_mask(struct jit_region *g, unsigned pair, struct xo mask)
{
	unsigned i = next_mask(g);
	jit_r_drop_mask(g, i);
	g->masks[i].pair = (int16_t)pair;
	jit_r_keep_mask(g, i, mask);
	return i;
}

/* Instruction k is done by strips without a call, and reads masks by jit_v_mask_load; in other places it may be more than one. */
static bool is_simple(const struct jit_region *g, uint32_t k)
{
	const struct jit_inst *j = &g->in[k];
	for (unsigned n = 0; n < g->cut_count; n++)
		if (g->cuts[n] == k)
			return false;
	return k < g->e.end && !j->leader && ((j->role == ROLE_VECTOR && jit_rec(g->t, k)->op->cls == CU_CLASS_VALU) || j->role == ROLE_SLICE);
}

/* Of the mask that instruction i makes: the last one to read it, if all of them come soon; 0: others may. */
static uint32_t last_reader(const struct jit_region *g, uint32_t i, unsigned pair)
{
	enum { SOON = 12, ALONE = 2 /* masks at a time */ };
	struct sset p = { 0, 0 };
	uint32_t last = i, alone = 0;
	for (unsigned k = 0; k < 4; k++)
		alone += jit_r_mask_alone(g, k) && g->masks[k].until > i;
	if (!g->t->s_live || (g->v4 && g->twins) || pair >= GCN_SRC_EXEC - 1 || alone >= ALONE || (g->in[i].role == ROLE_SLICE && g->in[i].scc_live))
		return 0; /* SCC is of all slices */
	s_add(&p, pair, 2);
	for (uint32_t k = i + 1; k < g->t->n && s_meet(g->t->s_live[k], p); k++) {
		if (k - i > SOON || !is_simple(g, k))
			return 0;
		const struct jit_s_use *const u = &g->in[k].scalar;
		if (s_meet(s_join(u->read, u->mask_read), p)) {
			if (g->in[k].role == ROLE_VECTOR && !s_meet(u->mask_read, p))
				return 0; /* as a number */
			last = k;
		}
		if (s_meet(s_join(u->write, u->mask_write), p))
			return last == k ? k : 0;
	}
	return last;
}

/* Whether lanes that are off may be anything in the mask that instruction i makes: all that read it choose by it, which they do
 * for lanes that are on, or narrow EXEC by it, or make such a mask of it. */
static bool off_is_free(const struct jit_region *g, uint32_t i, unsigned pair, unsigned depth)
{
	enum { DEEPEST = 3 };
	struct sset p = { 0, 0 };
	const uint32_t last = last_reader(g, i, pair);
	s_add(&p, pair, 2);
	if (!last || depth == DEEPEST)
		return false;
	for (uint32_t k = i + 1; k <= last; k++) {
		const struct jit_s_use *const u = &g->in[k].scalar;
		const struct gcn_inst *in = jit_rec(g->t, k)->in;
		if (s_meet(s_join(u->write, u->mask_write), S_EXEC_PAIR) && k != last)
			return false;
		if (!s_meet(s_join(u->read, u->mask_read), p))
			continue;
		const bool chooses = in->op == GCN_V_CNDMASK_B32;
		const bool narrows = (in->op == GCN_S_AND_SAVEEXEC_B64 || in->op == GCN_S_ANDN1_SAVEEXEC_B64) && k == last;
		if (!chooses && !narrows && !(jit_slice_logic(g->t, k) && off_is_free(g, k, in->dst, depth + 1)))
			return false;
	}
	return true;
}

bool jit_v_mask_may_be_free(const struct jit_region *g, uint32_t i, unsigned pair)
{
	return !g->v4 && !g->full && off_is_free(g, i, pair, 0);
}
bool jit_v_mask_is_free(const struct jit_region *g, unsigned pair)
{
	for (unsigned k = 0; k < 4; k++)
		if (g->masks[k].pair == (int)pair)
			return g->masks[k].off_free;
	return false;
}
void jit_v_mask_set_free(struct jit_region *g, unsigned pair)
{
	for (unsigned k = 0; k < 4; k++)
		g->masks[k].off_free |= g->masks[k].pair == (int)pair;
}

struct xo jit_v_mask_load(struct jit_region *g, unsigned pair)
{
	unsigned i = 0;
	if (pair == GCN_SRC_EXEC && g->e.parts)
		return jit_exec(g);
	while (i < 4 && g->masks[i].pair != (int)pair)
		i++;
	if (g->v4) {
		if (i == 4) {
			i = next_mask(g);
			g->masks[i].pair = (int16_t)pair;
			X(g->b, KMOVW, jit_x_reg(ZYDIS_REGISTER_K2 + i), jit_slice_of(g->t, pair));
		}
		return jit_x_reg(ZYDIS_REGISTER_K2 + i);
	}
	if (i < 4)
		return jit_r_use_mask(g, i);
	struct xo m = jit_r_temp(g);
	expand_bits(g, m, jit_slice_of(g->t, pair));
	keep_mask(g, pair, m);
	return m;
}

/* The slice to its pair.  Where strips part it is EXEC's when they do. */
void jit_v_mask_bits(struct jit_region *g, unsigned pair, struct xo mask)
{
	if (pair == GCN_SRC_EXEC && g->e.parts)
		return;
	if (g->v4) {
		X(g->b, KMOVW, jit_slice_of(g->t, pair), mask);
	} else {
		X(g->b, VMOVMSKPS, R(EAX), mask);
		X(g->b, MOV, jit_slice_of(g->t, pair), R(AL));
	}
}

/* The same; the mask's register is kept for the next reader, and if nobody else asks, that is all. */
void jit_v_mask_store(struct jit_region *g, uint32_t i, unsigned pair, struct xo mask)
{
	const bool keeps = g->v4 ? mask.reg >= ZYDIS_REGISTER_K2 && mask.reg < ZYDIS_REGISTER_K2 + 4 : jit_r_is_temp(g, mask);
	const uint32_t last = keeps ? last_reader(g, i, pair) : 0;
	if (!last)
		jit_v_mask_bits(g, pair, mask);
	else
		s_add(&g->t->loose, pair, 2);
	if (!keeps)
		return;
	const unsigned at = g->v4 ? (unsigned)(mask.reg - ZYDIS_REGISTER_K2) : keep_mask(g, pair, mask);
	if (g->masks[at].pair == (int)pair)
		g->masks[at].until = last;
	g->masks_until = last > g->masks_until ? last : g->masks_until;
}

/* Where a new mask for the pair is made. */
struct xo jit_v_mask_new(struct jit_region *g, unsigned pair)
{
	jit_v_mask_forget(g, pair);
	if (!g->v4)
		return jit_r_temp(g);
	unsigned i = next_mask(g);
	g->masks[i].pair = (int16_t)pair;
	return jit_x_reg(ZYDIS_REGISTER_K2 + i);
}

void jit_v_select(struct jit_region *g, struct xo d, struct xo mask, struct xo a, struct xo b)
{
	b = jit_v_register(g, b);
	if (g->v4)
		jit_vxk(g, ZYDIS_MNEMONIC_VBLENDMPS, mask.reg - ZYDIS_REGISTER_K0, false, 3,
			(struct xo[]){ d, b, a });
	else
		X(g->b, VBLENDVPS, d, b, a, mask);
}

/* --- results --- */

static bool float_result(const struct cu_rec *r)
{
	return r->op->dtype == CU_T_F32;
}

struct jit_v_out jit_v_result(struct jit_region *g, uint32_t i)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	const struct jit_inst *j = &g->in[i];
	/* Lanes without a source keep the old value, which may look like a NaN. */
	bool dpp = r->in->sub == GCN_SUB_DPP && !r->in->bound_ctrl;
	bool keep = !g->full && (!j->off_dead || dpp);
	struct jit_v_out o = { .post = float_result(r) && r->in->clamp };
	if (dpp)
		jit_r_settle(g, (unsigned)j->vd);
	if (keep && !dpp)
		o.home = jit_r_def_active(g, (unsigned)j->vd, &keep);
	else
		o.home = jit_r_def(g, (unsigned)j->vd, keep);
	o.reg = o.home;
	if (!keep)
		return o;
	o.merge = true;
	o.mask = g->v4 ? 1 : 0;
	o.with = jit_exec(g);
	if (dpp) {
		struct xo v = dpp_valid(g, r->in);
		o.canonical = jit_vec_ops[r->in->op].flags & VEC_LAZY_OUT;
		o.post |= o.canonical;
		if (g->v4) {
			X(g->b, VPMOVD2M, R(K7), v);
			X(g->b, KANDW, R(K7), R(K7), R(K1));
			o.mask = 7;
		} else {
			X(g->b, VPAND, v, v, o.with);
			o.with = v;
		}
	}
	if (!g->v4 || o.post)
		o.reg = jit_r_temp(g);
	return o;
}

void jit_v_last(struct jit_region *g, struct jit_v_out *o, ZydisMnemonic m, unsigned n, const struct xo *rest)
{
	struct xo all[5] = { o->reg };
	memcpy(all + 1, rest, n * sizeof(*rest));
	jit_x_emit(g->b, m, g->v4 ? (o->post ? 0 : o->mask) : -1, false, n + 1, all);
}

void jit_v_put(struct jit_region *g, uint32_t i, struct jit_v_out *o)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	bool lazy = jit_vec_ops[r->in->op].flags & VEC_LAZY_OUT;
	if (o->canonical) {
		struct xo nan = jit_v_mask_temp(g, 0);
		VX(g, VCMPPS, nan, o->reg, o->reg, jit_x_imm(3));
		jit_v_select(g, o->reg, nan, jit_v_const(g, 0x7fc00000), o->reg);
		lazy = false;
	}
	if (float_result(r) && r->in->clamp) { /* the second operand where one is NaN: NaN gives 0 */
		VX(g, VMAXPS, o->reg, o->reg, jit_v_const(g, 0));
		VX(g, VMINPS, o->reg, o->reg, jit_v_const(g, 0x3f800000));
		lazy = false;
	}
	if (o->merge && g->v4 && o->post)
		VXK(g, o->mask, VMOVAPS, o->home, o->reg);
	else if (o->merge && !g->v4)
		X(g->b, VBLENDVPS, o->home, o->home, o->reg, o->with);
	jit_r_lazy(g, (unsigned)g->in[i].vd, lazy);
}

void jit_v_put_active(struct jit_region *g, unsigned vgpr, struct xo x)
{
	bool merge;
	struct xo d = jit_r_def_active(g, vgpr, &merge);
	if (!merge)
		VX(g, VMOVAPS, d, x);
	else if (g->v4)
		VXK(g, 1, VMOVAPS, d, x);
	else
		X(g->b, VBLENDVPS, d, d, x, jit_exec(g));
}

/* --- one x86 instruction --- */

static void unary(struct jit_region *g, uint32_t i, const struct jit_vec_op *v)
{
	ZydisMnemonic m = (ZydisMnemonic)(g->v4 || !v->v3 ? v->v4 : v->v3);
	struct xo a = jit_v_operand(g, i, 0, false);
	if (v->imm >= 0 && a.kind == XO_MEM)
		a = jit_v_register(g, a);
	struct jit_v_out o = jit_v_result(g, i);
	jit_v_last(g, &o, m, v->imm >= 0 ? 2 : 1, (struct xo[]){ a, jit_x_imm(v->imm) });
	jit_v_put(g, i, &o);
}

static void binary(struct jit_region *g, uint32_t i, const struct jit_vec_op *v)
{
	ZydisMnemonic m = (ZydisMnemonic)(g->v4 || !v->v3 ? v->v4 : v->v3);
	int first = v->flags & VEC_SWAPPED ? 1 : 0;
	struct xo a = jit_v_operand(g, i, first, false), b = jit_v_operand(g, i, !first, false);
	if (a.kind == XO_MEM && b.kind == XO_REG && v->flags & VEC_COMMUTES) {
		struct xo swap = a;
		a = b;
		b = swap;
	}
	a = jit_v_register(g, a);
	struct jit_v_out o = jit_v_result(g, i);
	jit_v_last(g, &o, m, 2, (struct xo[]){ a, b });
	jit_v_put(g, i, &o);
}

/* --- which, and which way --- */

static bool plain_dpp(const struct gcn_inst *in)
{
	return in->dpp_ctrl < 0x100 && (in->row_mask & in->bank_mask) == 15;
}

bool jit_vector_known(const struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	const struct gcn_inst *in = r->in;
	const struct jit_vec_op *v = &jit_vec_ops[in->op];
	const struct cu_level_ops *l = t->p->kernels;
	if (v->kind == VEC_NONE || r->fn == l->valu_indexed || r->fn == l->exec_write || r->fn == l->special)
		return false;
	if (v->emit == jit_memory)
		return jit_memory_known(t, i);
	if (r->op->cls != CU_CLASS_VALU)
		return r->fn == r->op->direct;
	if (in->sub == GCN_SUB_SDWA || (in->op_sel && in->fmt != GCN_VOP3P) || (in->sub == GCN_SUB_DPP && !plain_dpp(in)))
		return false;
	if (in->sub == GCN_SUB_DPP && (r->op->mask_out || r->scalar & 1))
		return false;
	if (in->clamp && r->op->dtype != CU_T_F32 && r->op->dtype != CU_T_NONE)
		return false;
	if (r->op->dtype == CU_T_PKF16 || r->op->dtype == CU_T_PKB16)
		return true;
	if (r->op->mask_out && r->op->nsrc > 2 && r->konst & 4) /* a carry that is a constant */
		return false;
	for (int n = 0; n < r->op->nsrc; n++)
		if (cu_type_is64(r->op->stype[n]) && in->sub != GCN_SUB_NONE)
			return false;
	if (cu_type_is64(r->op->dtype))
		return in->sub == GCN_SUB_NONE;
	return r->op->dtype == CU_T_F32 || r->op->dtype == CU_T_F16 || r->op->dtype == CU_T_B32 || r->op->dtype == CU_T_NONE;
}

static void words(struct jit_region *g, uint32_t i)
{
	const struct jit_inst *j = &g->in[i];
	for (int n = 0; n < j->nvs; n++)
		if (j->vs[n] >= 0)
			jit_r_words(g, (unsigned)j->vs[n]);
	for (int n = 0; n < j->nvd; n++)
		jit_r_words(g, (unsigned)j->vd + (unsigned)n);
}

void jit_vector(struct jit_region *g, uint32_t i)
{
	const struct jit_vec_op *v = &jit_vec_ops[jit_rec(g->t, i)->in->op];
	g->at = i;
	if (v->emit == jit_memory) /* it has branches of its own */
		words(g, i);
	if (v->kind == VEC_UNARY)
		unary(g, i, v);
	else if (v->kind == VEC_BINARY)
		binary(g, i, v);
	else if (v->kind == VEC_CUSTOM)
		v->emit(g, i);
	else
		jit_v_compare(g, i, v);
}
