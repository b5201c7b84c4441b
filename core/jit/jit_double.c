/* SPDX-License-Identifier: MIT */
/* Doubles, which are two VGPRs.  They are worked on as lanes 0, 1, 4, 5, .. of a strip and
 * lanes 2, 3, 6, 7, ..: what unpacking their halves within 128 bits gives, and what a
 * shuffle takes apart again.  So a region keeps them (FORM_EVEN, FORM_ODD).  What each
 * opcode computes is the interpreter's definition, in core/interp/ops_wide_kernel.c. */
#include <string.h>
#include "core/interp/interp.h"
#include "core/jit/jit_constants.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

#define SIGN (1ull << 63)

struct pair { struct xo x[2]; }; /* one register twice where all lanes are the same */

/* No two pairs of the instruction have one VGPR in common, or they have both. */
static bool apart(const struct jit_region *g, uint32_t i)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	const struct jit_inst *j = &g->in[i];
	int first[4], n = 0;
	for (int k = 0; k < r->op->nsrc; k++)
		if (cu_type_is64(r->op->stype[k]) && j->vs[k] >= 0)
			first[n++] = j->vs[k];
	if (j->nvd == 2)
		first[n++] = j->vd;
	for (int a = 0; a < n; a++)
		for (int b = 0; b < a; b++)
			if (first[a] - first[b] == 1 || first[b] - first[a] == 1)
				return false;
	return true;
}

static bool constant_of(const struct jit_region *g, uint32_t i, int n, uint64_t *bits)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	uint32_t lo, hi;
	if (jit_constant_source(g->t, i, n, bits))
		return true;
	if (r->scalar >> n & 1)
		return false;
	unsigned vgpr = (unsigned)r->s[n] / 256;
	bool known = jit_r_constant(g, vgpr, &lo) && jit_r_constant(g, vgpr + 1, &hi);
	if (known)
		*bits = (uint64_t)hi << 32 | lo;
	return known;
}

/* Registers that are not to be written, without modifiers. */
static struct pair plain_source(struct jit_region *g, uint32_t i, int n, uint64_t constant, bool is_constant)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	struct pair p;
	if (is_constant || r->scalar >> n & 1) {
		int32_t key = JIT_UNIFORM_64 | (int32_t)r->s[n];
		struct xo x = is_constant || g->v4 ? (struct xo){ 0 } : jit_r_uniform(g, key);
		if (!x.kind) {
			x = jit_r_temp(g);
			if (is_constant)
				VX(g, VMOVAPS, x, jit_v_const_64(g, constant));
			else
				VX(g, VBROADCASTSD, x, jit_wave((size_t)r->s[n], 8));
			if (!is_constant && !g->v4)
				jit_r_keep_uniform(g, key, x);
		}
		p.x[0] = p.x[1] = x;
		return p;
	}
	if (apart(g, i)) {
		jit_r_use_pair(g, (unsigned)r->s[n] / 256, p.x);
		return p;
	}
	struct jit_halves s = jit_v_halves(g, i, n);
	p.x[0] = jit_r_temp(g);
	p.x[1] = jit_r_temp(g);
	VX(g, VPUNPCKLDQ, p.x[0], s.lo, s.hi);
	VX(g, VPUNPCKHDQ, p.x[1], s.lo, s.hi);
	for (unsigned k = 0; k < 2; k++) /* three sources would be too many */
		jit_r_unpin(g, (unsigned)r->s[n] / 256 + k);
	return p;
}

/* Source n with its modifiers; neg_later: but for its neg. */
static struct pair source(struct jit_region *g, uint32_t i, int n, bool neg_later)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	bool abs = in->abs >> n & 1, neg = in->neg >> n & 1 && !neg_later;
	uint64_t bits = 0;
	bool constant = constant_of(g, i, n, &bits);
	bits = (abs ? bits & ~SIGN : bits) ^ (neg ? SIGN : 0);
	struct pair p = plain_source(g, i, n, bits, constant), q;
	if (constant || (!abs && !neg))
		return p;
	for (int k = 0; k < 2; k++) {
		if (k && p.x[1].reg == p.x[0].reg) {
			q.x[1] = q.x[0];
			break;
		}
		q.x[k] = jit_r_is_temp(g, p.x[k]) ? p.x[k] : jit_r_temp(g);
		if (abs)
			VXD(g, VPAND, q.x[k], p.x[k], jit_v_const_64(g, ~SIGN));
		if (neg)
			VXD(g, VPXOR, q.x[k], abs ? q.x[k] : p.x[k], jit_v_const_64(g, SIGN));
	}
	return q;
}

/* Where the result is made, one half after the other. */
struct result { struct pair at; bool words; };

static struct result begin(struct jit_region *g, uint32_t i)
{
	struct result r = { .words = (!g->full && !g->in[i].off_dead) || !apart(g, i) };
	if (!r.words) {
		jit_r_def_pair(g, (unsigned)g->in[i].vd, r.at.x);
		return r;
	}
	r.at.x[0] = jit_r_temp(g);
	r.at.x[1] = jit_r_temp(g);
	return r;
}
static void finish(struct jit_region *g, uint32_t i, const struct result *r)
{
	if (!r->words)
		return;
	jit_r_release(g); /* everything is read */
	jit_r_canonical_64(g, r->at.x[0]);
	jit_r_canonical_64(g, r->at.x[1]);
	jit_v_put_pair(g, i, r->at.x[0], r->at.x[1]);
}

static void binary(struct jit_region *g, uint32_t i, const struct pair *a, const struct pair *b, ZydisMnemonic m)
{
	struct result r = begin(g, i);
	for (int k = 0; k < 2; k++)
		jit_vx(g, m, 3, (struct xo[]){ r.at.x[k], a->x[k], b->x[k] });
	finish(g, i, &r);
}
void jit_add_f64(struct jit_region *g, uint32_t i)
{
	unsigned neg = jit_rec(g->t, i)->in->neg & 3;
	bool subtract = neg == 1 || neg == 2;
	struct pair a = source(g, i, 0, subtract), b = source(g, i, 1, subtract);
	binary(g, i, neg == 1 ? &b : &a, neg == 1 ? &a : &b, subtract ? ZYDIS_MNEMONIC_VSUBPD : ZYDIS_MNEMONIC_VADDPD);
}
void jit_mul_f64(struct jit_region *g, uint32_t i)
{
	struct pair a = source(g, i, 0, false), b = source(g, i, 1, false);
	binary(g, i, &a, &b, ZYDIS_MNEMONIC_VMULPD);
}

void jit_fma_f64(struct jit_region *g, uint32_t i)
{
	/* By sign of the product and of the addend. */
	static const uint16_t add231[4] = { ZYDIS_MNEMONIC_VFMADD231PD, ZYDIS_MNEMONIC_VFNMADD231PD,
		ZYDIS_MNEMONIC_VFMSUB231PD, ZYDIS_MNEMONIC_VFNMSUB231PD };
	static const uint16_t add213[4] = { ZYDIS_MNEMONIC_VFMADD213PD, ZYDIS_MNEMONIC_VFNMADD213PD,
		ZYDIS_MNEMONIC_VFMSUB213PD, ZYDIS_MNEMONIC_VFNMSUB213PD };
	unsigned neg = jit_rec(g->t, i)->in->neg, form = ((neg ^ neg >> 1) & 1) | (neg >> 1 & 2);
	struct pair a = source(g, i, 0, true), b = source(g, i, 1, true), c = source(g, i, 2, true);
	struct result r = begin(g, i);
	for (int k = 0; k < 2; k++) {
		struct xo d = r.at.x[k];
		if (d.reg == a.x[k].reg || d.reg == b.x[k].reg) {
			struct xo other = d.reg == a.x[k].reg ? b.x[k] : a.x[k];
			jit_vx(g, (ZydisMnemonic)add213[form], 3, (struct xo[]){ d, other, c.x[k] });
			continue;
		}
		if (d.reg != c.x[k].reg)
			VX(g, VMOVAPS, d, c.x[k]);
		jit_vx(g, (ZydisMnemonic)add231[form], 3, (struct xo[]){ d, a.x[k], b.x[k] });
	}
	finish(g, i, &r);
}

/* d = mask ? a : d, of doubles; mask: a vector, or k7. */
static void select_64(struct jit_region *g, struct xo d, struct xo a, struct xo mask)
{
	if (g->v4)
		VXK(g, 7, VMOVAPD, d, a);
	else
		X(g->b, VBLENDVPD, d, d, a, mask);
}

/* As jit_v_min_max: the number where one is NaN, -0 below +0. */
static void min_max(struct jit_region *g, uint32_t i, bool max)
{
	struct pair a = source(g, i, 0, false), b = source(g, i, 1, false), r;
	struct xo m = g->v4 ? R(K7) : jit_r_temp(g), x = jit_r_temp(g), y = jit_r_temp(g);
	for (int k = 0; k < 2; k++) {
		struct xo p = a.x[k], q = b.x[k];
		r.x[k] = k ? x : jit_r_temp(g);
		jit_vx(g, max ? ZYDIS_MNEMONIC_VMAXPD : ZYDIS_MNEMONIC_VMINPD, 3, (struct xo[]){ r.x[k], p, q });
		if (max)
			VXD(g, VPAND, y, p, q);
		else
			VXD(g, VPOR, y, p, q);
		VX(g, VCMPPD, m, p, q, jit_x_imm(0));
		select_64(g, r.x[k], y, m);
		VX(g, VCMPPD, m, q, q, jit_x_imm(3));
		select_64(g, r.x[k], p, m);
	}
	jit_r_free(g, y);
	jit_r_release(g);
	struct result to = begin(g, i);
	for (int k = 0; k < 2; k++)
		VX(g, VMOVAPS, to.at.x[k], r.x[k]);
	finish(g, i, &to);
}
void jit_min_f64(struct jit_region *g, uint32_t i) { min_max(g, i, false); }
void jit_max_f64(struct jit_region *g, uint32_t i) { min_max(g, i, true); }

/* --- one operand --- */

static void rounding(struct jit_region *g, uint32_t i, int how)
{
	struct pair a = source(g, i, 0, false);
	struct result r = begin(g, i);
	for (int k = 0; k < 2; k++)
		jit_vx(g, g->v4 ? ZYDIS_MNEMONIC_VRNDSCALEPD : ZYDIS_MNEMONIC_VROUNDPD, 3,
			(struct xo[]){ r.at.x[k], a.x[k], jit_x_imm(how) });
	finish(g, i, &r);
}
void jit_rndne_f64(struct jit_region *g, uint32_t i) { rounding(g, i, 8); }
void jit_floor_f64(struct jit_region *g, uint32_t i) { rounding(g, i, 9); }
void jit_ceil_f64(struct jit_region *g, uint32_t i) { rounding(g, i, 10); }
void jit_trunc_f64(struct jit_region *g, uint32_t i) { rounding(g, i, 11); }

/* The root, or (invert) one over it or over the operand. */
static void quotient(struct jit_region *g, uint32_t i, bool root, bool invert)
{
	struct pair a = source(g, i, 0, false);
	struct xo one = jit_r_temp(g);
	if (invert)
		VX(g, VMOVAPS, one, jit_v_const_64(g, 0x3ff0000000000000));
	struct result r = begin(g, i);
	for (int k = 0; k < 2; k++) {
		if (root)
			VX(g, VSQRTPD, r.at.x[k], a.x[k]);
		if (invert)
			VX(g, VDIVPD, r.at.x[k], one, root ? r.at.x[k] : a.x[k]);
	}
	finish(g, i, &r);
}
void jit_sqrt_f64(struct jit_region *g, uint32_t i) { quotient(g, i, true, false); }
void jit_rcp_f64(struct jit_region *g, uint32_t i) { quotient(g, i, false, true); }
void jit_rsq_f64(struct jit_region *g, uint32_t i) { quotient(g, i, true, true); }

/* --- conversions --- */

/* The integer is the end of a number of 2^52 and more. */
static void from_integer(struct jit_region *g, uint32_t i, bool sign)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), x = jit_r_temp(g);
	uint64_t bias = sign ? 0x4330000080000000 : 0x4330000000000000;
	if (sign)
		VXD(g, VPXOR, x, a, jit_v_const(g, 0x80000000u));
	else
		VX(g, VMOVAPS, x, a);
	struct result r = begin(g, i);
	VX(g, VPUNPCKLDQ, r.at.x[0], x, jit_v_const(g, 0x43300000));
	VX(g, VPUNPCKHDQ, r.at.x[1], x, jit_v_const(g, 0x43300000));
	for (int k = 0; k < 2; k++)
		VX(g, VSUBPD, r.at.x[k], r.at.x[k], jit_v_const_64(g, bias));
	finish(g, i, &r);
}
void jit_cvt_f64_i32(struct jit_region *g, uint32_t i) { from_integer(g, i, true); }
void jit_cvt_f64_u32(struct jit_region *g, uint32_t i) { from_integer(g, i, false); }

static void to_integer(struct jit_region *g, uint32_t i, bool sign)
{
	struct pair a = source(g, i, 0, false);
	struct xo x[2], m = g->v4 ? R(K7) : jit_r_temp(g);
	for (int k = 0; k < 2; k++) {
		x[k] = jit_r_temp(g);
		if (sign) {
			VX(g, VMINPD, x[k], a.x[k], jit_v_const_64(g, 0x41dfffffffc00000));
			VX(g, VMAXPD, x[k], x[k], jit_v_const_64(g, 0xc1e0000000000000));
			VX(g, VCMPPD, m, a.x[k], a.x[k], jit_x_imm(3));
			select_64(g, x[k], jit_v_const_64(g, 0), m);
		} else { /* a NaN gives the second operand */
			VX(g, VMAXPD, x[k], a.x[k], jit_v_const_64(g, 0));
			VX(g, VMINPD, x[k], x[k], jit_v_const_64(g, 0x41efffffffe00000));
		}
		jit_vx(g, g->v4 ? ZYDIS_MNEMONIC_VRNDSCALEPD : ZYDIS_MNEMONIC_VROUNDPD, 3,
			(struct xo[]){ x[k], x[k], jit_x_imm(11) });
		/* Its lower bits are the integer then. */
		VX(g, VADDPD, x[k], x[k], jit_v_const_64(g, 0x4338000000000000));
	}
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VSHUFPS, x[0], x[1], jit_x_imm(0x88));
	jit_v_put(g, i, &o);
}
void jit_cvt_i32_f64(struct jit_region *g, uint32_t i) { to_integer(g, i, true); }
void jit_cvt_u32_f64(struct jit_region *g, uint32_t i) { to_integer(g, i, false); }

/* x with its 64 bits in another order: those of even lanes first, or back. */
static void reorder(struct jit_region *g, struct xo d, struct xo x, bool back)
{
	static const uint64_t apart_[8] = { 0, 2, 4, 6, 1, 3, 5, 7 }, joined[8] = { 0, 4, 1, 5, 2, 6, 3, 7 };
	if (!g->v4) {
		X(g->b, VPERMQ, d, x, jit_x_imm(0xd8));
		return;
	}
	struct xo order = jit_r_temp(g);
	VX(g, VMOVAPS, order, jit_x_mem(RB_POOL, jit_x_vector(g->b, back ? joined : apart_), 64));
	VX(g, VPERMQ, d, order, x);
	jit_r_free(g, order);
}

void jit_cvt_f64_f32(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), x = jit_r_temp(g), y = jit_r_temp(g);
	reorder(g, x, a, false);
	if (g->v4)
		VX(g, VEXTRACTI64X4, jit_v_half_reg(g, y), x, jit_x_imm(1));
	else
		X(g->b, VEXTRACTI128, jit_v_half_reg(g, y), x, jit_x_imm(1));
	struct result r = begin(g, i);
	VX(g, VCVTPS2PD, r.at.x[0], jit_v_half_reg(g, x));
	VX(g, VCVTPS2PD, r.at.x[1], jit_v_half_reg(g, y));
	finish(g, i, &r);
}

void jit_cvt_f32_f64(struct jit_region *g, uint32_t i)
{
	struct pair a = source(g, i, 0, false);
	struct xo x = jit_r_temp(g), y = jit_r_temp(g);
	VX(g, VCVTPD2PS, jit_v_half_reg(g, x), a.x[0]);
	VX(g, VCVTPD2PS, jit_v_half_reg(g, y), a.x[1]);
	if (g->v4)
		VX(g, VINSERTI64X4, x, x, jit_v_half_reg(g, y), jit_x_imm(1));
	else
		X(g->b, VINSERTI128, x, x, jit_v_half_reg(g, y), jit_x_imm(1));
	reorder(g, x, x, true);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, x);
	jit_v_put(g, i, &o);
}

/* --- compares --- */

void jit_compare_f64(struct jit_region *g, uint32_t i, int predicate, struct xo mask)
{
	struct pair a = source(g, i, 0, false), b = source(g, i, 1, false);
	struct xo x[2];
	for (int k = 0; k < 2; k++) {
		x[k] = jit_r_temp(g);
		if (g->v4) {
			VX(g, VCMPPD, R(K7), a.x[k], b.x[k], jit_x_imm(predicate));
			X(g->b, VPMOVM2Q, x[k], R(K7));
		} else {
			X(g->b, VCMPPD, x[k], a.x[k], b.x[k], jit_x_imm(predicate));
		}
	}
	if (!g->v4) {
		X(g->b, VSHUFPS, mask, x[0], x[1], jit_x_imm(0x88));
		if (!g->full)
			X(g->b, VPAND, mask, mask, jit_exec(g));
		return;
	}
	VX(g, VSHUFPS, x[0], x[0], x[1], jit_x_imm(0x88));
	X(g->b, VPMOVD2M, mask, x[0]);
	if (!g->full)
		X(g->b, KANDW, mask, mask, R(K1));
}
