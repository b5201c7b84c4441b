/* SPDX-License-Identifier: MIT */
/* Some instructions that follow one another and are one operation of CPUs.
 *
 * Integers of 64 bits.  gfx9 adds and multiplies them in words, by some instructions that follow one another; CPUs have
 * one, of lanes as jit_double.c has them.  What the compiler makes of IR_IADD, IR_ISUB, IR_IMUL and of the bitwise ones
 * (sel_wide.c, ir_lower_width.c) is known here, if what its steps leave beside the result is read by nobody.
 *
 * a < b ? a : b and a > b ? a : b, which are vminps and vmaxps to the NaN and the sign of zero; v_min_f32 and v_max_f32 are not. */
#include "core/jit/jit_fused.h"

#include <string.h>
#include "core/interp/interp.h"
#include "core/jit/jit_constants.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

enum kind { FUSED_MOVE, FUSED_AND, FUSED_OR, FUSED_XOR, FUSED_ADD, FUSED_SUB, FUSED_MUL, FUSED_MIN, FUSED_MAX };

/* A word that an instruction reads: what a member before it has made, or what was there before the first. */
enum { TERM_VGPR, TERM_SGPR, TERM_CONSTANT };
struct term { int8_t member; uint8_t type; uint32_t value; }; /* member: -1, or which; value: number, place in the wave, bits */

struct fused {
	enum kind kind;
	uint32_t first, count;
	struct term a[2], b[2]; /* lower and higher words */
	unsigned d;             /* VGPRs of the result: d, d + 1 */
	int mask;               /* SGPR pair that gets a carry, or says which of two is less; -1 */
};

static const struct term zero = { -1, TERM_CONSTANT, 0 };

/* --- terms --- */

static struct term term(const struct jit_region *g, const struct fused *f, unsigned member, int n)
{
	const struct cu_rec *r = jit_rec(g->t, f->first + member);
	struct term x = { -1, TERM_CONSTANT, 0 };
	uint64_t known;
	if (jit_constant_source(g->t, f->first + member, n, &known)) {
		x.value = (uint32_t)known;
		return x;
	}
	if (r->scalar >> n & 1)
		return (struct term){ -1, TERM_SGPR, (uint32_t)r->s[n] };
	const unsigned vgpr = (unsigned)r->s[n] / 256;
	for (unsigned k = member; k-- > 0;)
		if (g->in[f->first + k].vd == (int)vgpr)
			return (struct term){ (int8_t)k, TERM_VGPR, vgpr };
	if (jit_r_constant(g, vgpr, &x.value))
		return x;
	return (struct term){ -1, TERM_VGPR, vgpr };
}

static bool same(struct term x, struct term y)
{
	return x.member == y.member && (x.member >= 0 || (x.type == y.type && x.value == y.value));
}
static bool made_by(struct term x, int member) { return x.member == member; }
static bool is_constant(struct term x, uint32_t bits) { return x.member < 0 && x.type == TERM_CONSTANT && x.value == bits; }

/* Words of one number: constants, or registers that follow one another. */
static bool partners(struct term lo, struct term hi)
{
	return lo.type == hi.type && (lo.type == TERM_CONSTANT || hi.value == lo.value + (lo.type == TERM_SGPR ? 4 : 1));
}
static bool is_pair(struct term lo, struct term hi) { return lo.type == TERM_VGPR && partners(lo, hi); }

/* --- patterns --- */

static bool is_op(const struct jit_region *g, const struct fused *f, unsigned member, unsigned op)
{
	const uint32_t i = f->first + member;
	if (i >= g->e.end || g->in[i].role != ROLE_VECTOR || (member && g->in[i].leader))
		return false;
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	return in->op == op && in->sub == GCN_SUB_NONE;
}

static bool result(const struct jit_region *g, struct fused *f, unsigned lower, unsigned higher)
{
	f->d = (unsigned)g->in[f->first + lower].vd;
	f->count = higher + 1;
	for (unsigned k = lower + 1; k < higher; k++)
		if (g->in[f->first + k].vd == (int)f->d)
			return false;
	return g->in[f->first + higher].vd == (int)f->d + 1;
}

/* The higher words x and y of what lower ones a[0] and b[0] have, in the order that goes with these. */
static void pair_up(struct fused *f, struct term x, struct term y)
{
	const bool crossed = (partners(f->a[0], y) || partners(f->b[0], x)) && !partners(f->a[0], x) && !partners(f->b[0], y);
	f->a[1] = crossed ? y : x;
	f->b[1] = crossed ? x : y;
}

static bool match_halves(struct jit_region *g, struct fused *f, unsigned op, enum kind kind)
{
	if (!is_op(g, f, 0, op) || !is_op(g, f, 1, op) || !result(g, f, 0, 1))
		return false;
	f->kind = kind;
	f->a[0] = term(g, f, 0, 0);
	f->b[0] = kind == FUSED_MOVE ? zero : term(g, f, 0, 1);
	pair_up(f, term(g, f, 1, 0), kind == FUSED_MOVE ? zero : term(g, f, 1, 1));
	return f->a[1].member < 0 && f->b[1].member < 0 && partners(f->a[0], f->a[1]) && partners(f->b[0], f->b[1]);
}

/* Member 1: where x < y; member 2: 1 there. */
static bool has_carry(const struct jit_region *g, struct fused *f, struct term x, struct term y)
{
	if (!is_op(g, f, 1, GCN_V_CMP_LT_U32) || !is_op(g, f, 2, GCN_V_CNDMASK_B32))
		return false;
	const struct cu_rec *compare = jit_rec(g->t, f->first + 1), *select = jit_rec(g->t, f->first + 2);
	if (!same(term(g, f, 1, 0), x) || !same(term(g, f, 1, 1), y) || select->konst & 4 || select->s[2] != (int32_t)compare->sd)
		return false;
	f->mask = (int)(compare->sd - (int64_t)offsetof(struct cu_wave, sgpr)) / 4;
	return is_constant(term(g, f, 2, 0), 0) && is_constant(term(g, f, 2, 1), 1);
}

static bool match_add(struct jit_region *g, struct fused *f)
{
	struct term x[3];
	unsigned n = 0;
	if (!is_op(g, f, 0, GCN_V_ADD_U32))
		return false;
	f->kind = FUSED_ADD;
	f->a[0] = term(g, f, 0, 0);
	f->b[0] = term(g, f, 0, 1);
	const struct term sum = { 0, TERM_VGPR, 0 };
	if (!has_carry(g, f, sum, f->b[0]) && !has_carry(g, f, sum, f->a[0]))
		return false;
	const bool three = is_op(g, f, 3, GCN_V_ADD3_U32);
	if ((!three && !is_op(g, f, 3, GCN_V_ADD_U32)) || !result(g, f, 0, 3))
		return false;
	x[1] = zero;
	for (unsigned k = 0; k < 2u + three; k++) {
		const struct term t = term(g, f, 3, (int)k);
		if (t.member < 0 && n < 2)
			x[n++] = t;
		else if (!made_by(t, 2))
			return false;
	}
	if (n != 1u + three)
		return false;
	pair_up(f, x[0], x[1]);
	return true;
}

/* x - y. */
static bool is_difference(const struct jit_region *g, const struct fused *f, unsigned member, struct term *x, struct term *y)
{
	const bool reversed = is_op(g, f, member, GCN_V_SUBREV_U32);
	if (!reversed && !is_op(g, f, member, GCN_V_SUB_U32))
		return false;
	*x = term(g, f, member, reversed);
	*y = term(g, f, member, !reversed);
	return true;
}

static bool match_sub(struct jit_region *g, struct fused *f)
{
	struct term rest, carry;
	f->kind = FUSED_SUB;
	f->b[1] = zero;
	if (!is_difference(g, f, 0, &f->a[0], &f->b[0]) || !has_carry(g, f, f->a[0], f->b[0]) ||
	    !is_difference(g, f, 3, &f->a[1], &carry) || f->a[1].member >= 0)
		return false;
	if (made_by(carry, 2))
		return result(g, f, 0, 3);
	f->b[1] = carry; /* of higher words, then the carry */
	return carry.member < 0 && is_difference(g, f, 4, &rest, &carry) && made_by(rest, 3) && made_by(carry, 2) &&
		result(g, f, 0, 4);
}

/* A product with one lower word: the other factor is a higher word. */
static bool crosses(const struct jit_region *g, struct fused *f, unsigned member, bool *has_a, bool *has_b)
{
	const struct term x = term(g, f, member, 0), y = term(g, f, member, 1);
	if (x.member >= 0 || y.member >= 0)
		return false;
	for (int k = 0; k < 2; k++) {
		const struct term low = k ? y : x, high = k ? x : y;
		if (!*has_b && same(low, f->a[0]) && (partners(f->b[0], high) || !same(high, f->b[0]))) {
			f->b[1] = high;
			return *has_b = true;
		}
		if (!*has_a && same(low, f->b[0]) && (partners(f->a[0], high) || !same(high, f->a[0]))) {
			f->a[1] = high;
			return *has_a = true;
		}
	}
	return false;
}

static bool match_mul(struct jit_region *g, struct fused *f)
{
	bool has_a = false, has_b = false;
	unsigned seen = 0, cross = 0;
	if (!is_op(g, f, 0, GCN_V_MUL_HI_U32) || !is_op(g, f, 1, GCN_V_MUL_LO_U32))
		return false;
	f->kind = FUSED_MUL;
	f->a[0] = term(g, f, 0, 0);
	f->b[0] = term(g, f, 0, 1);
	f->a[1] = f->b[1] = zero;
	const struct term x = term(g, f, 1, 0), y = term(g, f, 1, 1);
	if (!(same(x, f->a[0]) && same(y, f->b[0])) && !(same(x, f->b[0]) && same(y, f->a[0])))
		return false;
	for (; cross < 2 && is_op(g, f, 2 + cross, GCN_V_MUL_LO_U32); cross++)
		if (!crosses(g, f, 2 + cross, &has_a, &has_b))
			return false;
	if (!cross || !is_op(g, f, 2 + cross, cross == 2 ? GCN_V_ADD3_U32 : GCN_V_ADD_U32))
		return false;
	for (unsigned k = 0; k <= cross; k++) {
		const int member = term(g, f, 2 + cross, (int)k).member;
		if (member < 0 || member == 1)
			return false;
		seen |= 1u << member;
	}
	return seen == (cross == 2 ? 13 : 5) && result(g, f, 1, 2 + cross);
}

/* Source n of the comparison is source m of the choice, signs and all. */
static bool same_float(const struct jit_region *g, const struct fused *f, int n, int m)
{
	const struct gcn_inst *x = jit_rec(g->t, f->first)->in, *y = jit_rec(g->t, f->first + 1)->in;
	return same(term(g, f, 0, n), term(g, f, 1, m)) && !((x->neg >> n ^ y->neg >> m) & 1) && !((x->abs >> n ^ y->abs >> m) & 1);
}

static bool match_choice(struct jit_region *g, struct fused *f, bool greater)
{
	if (!is_op(g, f, 0, greater ? GCN_V_CMP_GT_F32 : GCN_V_CMP_LT_F32) || !is_op(g, f, 1, GCN_V_CNDMASK_B32))
		return false;
	const struct cu_rec *compare = jit_rec(g->t, f->first), *choice = jit_rec(g->t, f->first + 1);
	if (choice->konst & 4 || choice->s[2] != (int32_t)compare->sd || choice->in->clamp || choice->in->omod)
		return false;
	const bool first = same_float(g, f, 0, 1) && same_float(g, f, 1, 0); /* where it says yes */
	if (!first && !(same_float(g, f, 0, 0) && same_float(g, f, 1, 1)))
		return false;
	f->kind = greater == first ? FUSED_MAX : FUSED_MIN;
	f->mask = (int)(compare->sd - (int64_t)offsetof(struct cu_wave, sgpr)) / 4;
	f->d = (unsigned)g->in[f->first + 1].vd;
	f->count = 2;
	return true;
}

static bool match(struct jit_region *g, struct fused *f)
{
	switch (jit_rec(g->t, f->first)->in->op) {
	case GCN_V_MOV_B32: return match_halves(g, f, GCN_V_MOV_B32, FUSED_MOVE);
	case GCN_V_AND_B32: return match_halves(g, f, GCN_V_AND_B32, FUSED_AND);
	case GCN_V_OR_B32: return match_halves(g, f, GCN_V_OR_B32, FUSED_OR);
	case GCN_V_XOR_B32: return match_halves(g, f, GCN_V_XOR_B32, FUSED_XOR);
	case GCN_V_ADD_U32: return match_add(g, f);
	case GCN_V_SUB_U32: case GCN_V_SUBREV_U32: return match_sub(g, f);
	case GCN_V_MUL_HI_U32: return match_mul(g, f);
	case GCN_V_CMP_LT_F32: return match_choice(g, f, false);
	case GCN_V_CMP_GT_F32: return match_choice(g, f, true);
	default: return false;
	}
}

/* --- whether it may, and is worth it --- */

/* Nobody reads what members leave but the result. */
static bool alone(const struct jit_region *g, const struct fused *f)
{
	const uint32_t last = f->first + f->count - 1;
	for (uint32_t i = f->first; i <= last; i++) {
		const int vd = g->in[i].vd;
		if (vd >= 0 && vd != (int)f->d && vd != (int)f->d + 1 && v_in(&g->t->live[last].on, (unsigned)vd))
			return false;
	}
	if (f->mask < 0)
		return true;
	if (!g->t->s_live || last + 1 >= g->t->n || f->mask >= GCN_SRC_EXEC - 1)
		return false;
	const struct sset live = g->t->s_live[last + 1];
	return !s_has(live, (unsigned)f->mask) && !s_has(live, (unsigned)f->mask + 1);
}

/* A VGPR belongs to one pair at most, or is a word by itself. */
static bool apart(const struct fused *f)
{
	const struct term *number[2] = { f->a, f->b };
	unsigned pairs[3] = { f->d }, words[4], pair_count = 1, word_count = 0;
	for (unsigned n = 0; n < 2; n++) {
		if (is_pair(number[n][0], number[n][1])) {
			pairs[pair_count++] = number[n][0].value;
			continue;
		}
		for (unsigned k = 0; k < 2; k++)
			if (number[n][k].type == TERM_VGPR)
				words[word_count++] = number[n][k].value;
	}
	for (unsigned p = 0; p < pair_count; p++) {
		for (unsigned q = 0; q < p; q++)
			if (pairs[p] + 1 == pairs[q] || pairs[q] + 1 == pairs[p])
				return false;
		for (unsigned w = 0; w < word_count; w++)
			if (words[w] == pairs[p] || words[w] == pairs[p] + 1)
				return false;
	}
	return true;
}

/* Whether the result's first reader takes a number of 64 bits. */
static bool for_pair(const struct jit_region *g, const struct fused *f)
{
	enum { AHEAD = 12 };
	const uint32_t from = f->first + f->count, to = from + AHEAD < g->e.end ? from + AHEAD : g->e.end;
	for (uint32_t i = from; i < to; i++) {
		const struct jit_inst *j = &g->in[i];
		if (j->role != ROLE_VECTOR)
			continue;
		for (int n = 0; n < j->nvs; n++) {
			if (j->vs[n] != (int)f->d && j->vs[n] != (int)f->d + 1)
				continue;
			switch (jit_rec(g->t, i)->in->op) {
			case GCN_V_LSHLREV_B64: case GCN_V_LSHRREV_B64: case GCN_V_ASHRREV_I64: case GCN_V_MUL_HI_U32: return true;
			case GCN_V_ADD_U32: case GCN_V_SUB_U32: case GCN_V_SUBREV_U32:
				return i + 1 < to && jit_rec(g->t, i + 1)->in->op == GCN_V_CMP_LT_U32;
			case GCN_V_AND_B32: case GCN_V_OR_B32: case GCN_V_XOR_B32: case GCN_V_MOV_B32:
				return i + 1 < to && jit_rec(g->t, i + 1)->in->op == jit_rec(g->t, i)->in->op;
			default: return false;
			}
		}
	}
	return false;
}

static bool is_choice(const struct fused *f) { return f->kind == FUSED_MIN || f->kind == FUSED_MAX; }

static bool worth(const struct jit_region *g, const struct fused *f)
{
	if (is_choice(f))
		return true;
	if ((is_pair(f->a[0], f->a[1]) && jit_r_is_pair(g, f->a[0].value)) || (is_pair(f->b[0], f->b[1]) && jit_r_is_pair(g, f->b[0].value)))
		return true;
	if (f->kind == FUSED_MUL)
		return g->v4 || for_pair(g, f);
	return f->kind > FUSED_XOR && for_pair(g, f);
}

/* --- code --- */

static struct xo word(struct jit_region *g, struct term t)
{
	if (t.type == TERM_CONSTANT)
		return jit_v_register(g, jit_v_const(g, t.value));
	if (t.type == TERM_SGPR)
		return jit_v_register(g, jit_v_broadcast(g, jit_wave(t.value, 4)));
	jit_r_settle(g, t.value);
	return jit_r_use(g, t.value);
}

static uint64_t bits_of(const struct term t[2]) { return (uint64_t)t[1].value << 32 | t[0].value; }

/* A number in x[0], x[1], one operand twice where all lanes are the same; in_memory: where it may be. */
static void number(struct jit_region *g, const struct term t[2], bool in_memory, struct xo x[2])
{
	if (is_pair(t[0], t[1])) {
		jit_r_use_integer(g, t[0].value, x);
	} else if (t[0].type == TERM_CONSTANT && t[1].type == TERM_CONSTANT) {
		x[0] = jit_v_const_64(g, bits_of(t));
		if (!in_memory)
			x[0] = jit_v_register(g, x[0]);
		x[1] = x[0];
	} else if (partners(t[0], t[1])) {
		const int32_t key = JIT_UNIFORM_64 | (int32_t)t[0].value;
		x[0] = g->v4 ? (struct xo){ 0 } : jit_r_uniform(g, key);
		if (!x[0].kind) {
			x[0] = jit_r_temp(g);
			VX(g, VBROADCASTSD, x[0], jit_wave(t[0].value, 8));
			if (!g->v4)
				jit_r_keep_uniform(g, key, x[0]);
		}
		x[1] = x[0];
	} else {
		const bool uniform = t[0].type != TERM_VGPR && t[1].type != TERM_VGPR;
		const struct xo lo = word(g, t[0]), hi = word(g, t[1]);
		for (unsigned k = 0; k < 2; k++)
			x[k] = k && uniform ? x[0] : jit_r_temp(g);
		VX(g, VPUNPCKLDQ, x[0], lo, hi);
		if (!uniform)
			VX(g, VPUNPCKHDQ, x[1], lo, hi);
	}
}

/* Words of 64 bits, each other's place. */
static void swap_words(struct jit_region *g, struct xo to, struct xo from)
{
	X(g->b, VPSHUFD, to, from, jit_x_imm(0xb1));
}

/* d = a * b; swapped: b's words, each other's place, or kind 0; t and u are used up. */
static void multiply(struct jit_region *g, const struct fused *f, struct xo d, struct xo a, struct xo b, struct xo swapped,
	struct xo t, struct xo u)
{
	const bool cross_a = !is_constant(f->a[1], 0), cross_b = !is_constant(f->b[1], 0);
	if (!cross_a && !cross_b) {
		VX(g, VPMULUDQ, d, a, b);
		return;
	}
	if (g->v4) {
		VX(g, VPMULLQ, d, a, b);
		return;
	}
	/* Both products of a lower and a higher word are for the higher word of the result. */
	if (!swapped.kind) {
		swap_words(g, u, b);
		swapped = u;
	}
	X(g->b, VPMULLD, t, a, swapped);
	X(g->b, VPMULUDQ, u, a, b);
	X(g->b, VPSLLQ, d, t, jit_x_imm(32));
	X(g->b, VPAND, t, t, jit_v_const_64(g, 0xffffffff00000000));
	X(g->b, VPADDD, u, u, t);
	X(g->b, VPADDD, d, u, d);
}

static void multiply_both(struct jit_region *g, const struct fused *f, const struct xo d[2], const struct xo a[2], const struct xo b[2])
{
	struct xo swapped = { 0 }, t = { 0 }, u = { 0 };
	if (!g->v4) {
		t = jit_r_temp(g);
		u = jit_r_temp(g);
		if (b[0].kind == XO_MEM) {
			swapped = jit_v_const_64(g, (uint64_t)f->b[0].value << 32 | f->b[1].value);
		} else if (b[0].reg == b[1].reg) {
			swapped = jit_r_temp(g);
			swap_words(g, swapped, b[0]);
		}
	}
	for (unsigned k = 0; k < 2; k++)
		multiply(g, f, d[k], a[k], b[k], swapped, t, u);
}

static void operate(struct jit_region *g, const struct fused *f, const struct xo d[2], const struct xo a[2], const struct xo b[2])
{
	static const uint16_t ops[][2] = {
		[FUSED_AND] = { ZYDIS_MNEMONIC_VPAND, ZYDIS_MNEMONIC_VPANDQ },
		[FUSED_OR] = { ZYDIS_MNEMONIC_VPOR, ZYDIS_MNEMONIC_VPORQ },
		[FUSED_XOR] = { ZYDIS_MNEMONIC_VPXOR, ZYDIS_MNEMONIC_VPXORQ },
		[FUSED_ADD] = { ZYDIS_MNEMONIC_VPADDQ, ZYDIS_MNEMONIC_VPADDQ },
		[FUSED_SUB] = { ZYDIS_MNEMONIC_VPSUBQ, ZYDIS_MNEMONIC_VPSUBQ },
	};
	if (f->kind == FUSED_MUL) {
		multiply_both(g, f, d, a, b);
		return;
	}
	for (unsigned k = 0; k < 2; k++) {
		if (f->kind == FUSED_MOVE)
			VX(g, VMOVAPS, d[k], a[k]);
		else
			jit_vx(g, (ZydisMnemonic)ops[f->kind][g->v4], 3, (struct xo[]){ d[k], a[k], b[k] });
	}
}

/* In words, lanes that are off as they were. */
static void put_active(struct jit_region *g, const struct fused *f, const struct xo d[2])
{
	const struct xo x = jit_r_temp(g);
	jit_r_release(g); /* everything is read */
	for (unsigned k = 0; k < 2; k++) {
		VX(g, VSHUFPS, x, d[0], d[1], jit_x_imm(k ? 0xdd : 0x88));
		jit_v_put_active(g, f->d + k, x);
		jit_r_lazy(g, f->d + k, false);
	}
}

static void code(struct jit_region *g, const struct fused *f)
{
	const struct vset *off = &g->t->live[f->first + f->count - 1].off;
	const bool keep = !g->full && (v_in(off, f->d) || v_in(off, f->d + 1));
	struct xo a[2], b[2] = { { 0 } }, d[2];
	g->at = f->first;
	number(g, f->a, false, a);
	if (f->kind != FUSED_MOVE)
		number(g, f->b, true, b);
	if (!keep) {
		jit_r_def_pair(g, f->d, d);
		operate(g, f, d, a, b);
		for (unsigned k = 0; k < 2; k++)
			jit_r_lazy(g, f->d + k, false);
	} else {
		d[0] = jit_r_temp(g);
		d[1] = jit_r_temp(g);
		operate(g, f, d, a, b);
		put_active(g, f, d);
	}
}

/* The x86 instruction gives the second operand where the comparison says no. */
static void code_choice(struct jit_region *g, const struct fused *f)
{
	const uint32_t i = g->at = f->first + 1;
	const struct xo a = jit_v_register(g, jit_v_source(g, i, 1)), b = jit_v_source(g, i, 0);
	struct jit_v_out o = jit_v_result(g, i);
	jit_v_last(g, &o, f->kind == FUSED_MAX ? ZYDIS_MNEMONIC_VMAXPS : ZYDIS_MNEMONIC_VMINPS, 2, (struct xo[]){ a, b });
	jit_v_put(g, i, &o);
}

uint32_t jit_fused(struct jit_region *g, uint32_t i)
{
	struct fused f = { .first = i, .mask = -1 };
	if (g->t->p->gen != GCN_GFX9 || !match(g, &f) || !alone(g, &f) || !(is_choice(&f) || apart(&f)) || !worth(g, &f))
		return 0;
	if (f.a[0].type != TERM_VGPR && f.kind != FUSED_SUB) { /* what may be memory comes second */
		for (unsigned k = 0; k < 2 && f.kind != FUSED_MOVE; k++) {
			const struct term swap = f.a[k];
			f.a[k] = f.b[k];
			f.b[k] = swap;
		}
	}
	if (is_choice(&f))
		code_choice(g, &f);
	else
		code(g, &f);
	if (f.mask >= 0) {
		jit_v_mask_forget(g, (unsigned)f.mask);
		s_add(&g->t->loose, (unsigned)f.mask, 2);
	}
	for (uint32_t k = 1; k < f.count; k++)
		jit_mark(g->t, i + k);
	jit_r_done_all(g, i, f.count);
	return f.count;
}

bool jit_fused_masks(const struct jit_translator *t)
{
	for (uint32_t i = 0; i + 1 < t->n; i++) {
		const unsigned op = jit_rec(t, i)->in->op;
		if ((op == GCN_V_CMP_LT_U32 || op == GCN_V_CMP_LT_F32 || op == GCN_V_CMP_GT_F32) &&
			jit_rec(t, i + 1)->in->op == GCN_V_CNDMASK_B32)
			return true;
	}
	return false;
}
