/* SPDX-License-Identifier: MIT */
/* Operands of 64 bits, which are two VGPRs, and carries.  What each opcode computes is
 * the interpreter's definition, in core/interp/ops_wide_kernel.c and ops_int_kernel.c.
 */
#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit_constants.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

/* --- carries --- */

static unsigned pair_at(int64_t offset)
{
	return (unsigned)((size_t)offset - offsetof(struct cu_wave, sgpr)) / 4;
}

/* The carry of this strip's slice: AVX-512 gets it in k7, AVX2 in a temporary. */
static void put_carry(struct jit_region *g, uint32_t i, struct xo carry)
{
	unsigned pair = pair_at(jit_rec(g->t, i)->sd);
	struct xo m = jit_v_mask_new(g, pair);
	if (g->v4 && g->full)
		X(g->b, KMOVW, m, carry);
	else if (g->v4)
		X(g->b, KANDW, m, carry, R(K1));
	else if (g->full)
		VX(g, VMOVAPS, m, carry);
	else
		X(g->b, VPAND, m, carry, jit_exec(g));
	jit_v_mask_store(g, i, pair, m);
}

/* a < b without signs, in k`n` or a temporary; AVX-512: of the lanes in k`by`. */
static struct xo below(struct jit_region *g, struct xo a, struct xo b, int n, int by)
{
	if (g->v4) {
		struct xo m = jit_x_reg(ZYDIS_REGISTER_K0 + (unsigned)n);
		jit_vxk(g, ZYDIS_MNEMONIC_VPCMPUD, by, false, 4, (struct xo[]){ m, a, b, jit_x_imm(1) });
		return m;
	}
	struct xo m = jit_r_temp(g);
	X(g->b, VPMAXUD, m, b, a);
	X(g->b, VPCMPEQD, m, m, a);
	X(g->b, VPXOR, m, m, jit_v_const(g, ~0u));
	return m;
}

/* The carry that comes in, or kind 0. */
static struct xo carry_in(struct jit_region *g, uint32_t i)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	return r->op->nsrc < 3 ? (struct xo){ 0 } : jit_v_mask_load(g, pair_at(r->s[2]));
}

/* d += 1, or -= 1, where `in` says so. */
static void add_carry(struct jit_region *g, struct xo d, struct xo in, bool subtract)
{
	ZydisMnemonic m = subtract ? ZYDIS_MNEMONIC_VPADDD : ZYDIS_MNEMONIC_VPSUBD;
	if (g->v4)
		jit_vxk(g, m, in.reg - ZYDIS_REGISTER_K0, false, 3, (struct xo[]){ d, d, jit_v_const(g, ~0u) });
	else
		jit_vx(g, m, 3, (struct xo[]){ d, d, in });
}

/* x = a + b or a - b, then the carry; its own carry is that of either step. */
static void carry(struct jit_region *g, uint32_t i, bool subtract, bool reverse)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, reverse)), b = jit_v_register(g, jit_v_source(g, i, !reverse));
	struct xo x = jit_r_temp(g), in = carry_in(g, i), out, again;
	jit_vx(g, subtract ? ZYDIS_MNEMONIC_VPSUBD : ZYDIS_MNEMONIC_VPADDD, 3, (struct xo[]){ x, a, b });
	if (subtract)
		out = below(g, a, b, 7, 0);
	else
		out = below(g, x, a, 7, 0);
	if (in.kind) { /* once more where the first step left no room */
		struct xo edge = jit_v_const(g, subtract ? 0 : ~0u);
		if (g->v4) {
			again = R(K6);
			jit_vxk(g, ZYDIS_MNEMONIC_VPCMPUD, in.reg - ZYDIS_REGISTER_K0, false, 4,
				(struct xo[]){ again, x, edge, jit_x_imm(0) });
			add_carry(g, x, in, subtract);
			X(g->b, KORW, out, out, again);
		} else {
			again = jit_r_temp(g);
			X(g->b, VPCMPEQD, again, x, edge);
			X(g->b, VPAND, again, again, in);
			X(g->b, VPOR, out, out, again);
			add_carry(g, x, in, subtract);
		}
	}
	put_carry(g, i, out);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, x);
	jit_v_put(g, i, &o);
}
void jit_add_co(struct jit_region *g, uint32_t i) { carry(g, i, false, false); }
void jit_sub_co(struct jit_region *g, uint32_t i) { carry(g, i, true, false); }
void jit_subrev_co(struct jit_region *g, uint32_t i) { carry(g, i, true, true); }

/* --- pairs of VGPRs --- */

struct jit_halves jit_v_halves(struct jit_region *g, uint32_t i, int n)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	uint64_t bits;
	if (jit_constant_source(g->t, i, n, &bits))
		return (struct jit_halves){ jit_v_const(g, (uint32_t)bits), jit_v_const(g, (uint32_t)(bits >> 32)) };
	if (r->scalar >> n & 1)
		return (struct jit_halves){ jit_v_broadcast(g, jit_wave((size_t)r->s[n], 4)),
			jit_v_broadcast(g, jit_wave((size_t)r->s[n] + 4, 4)) };
	unsigned vgpr = (unsigned)r->s[n] / 256;
	jit_r_settle(g, vgpr);
	jit_r_settle(g, vgpr + 1);
	struct xo lo = jit_r_use(g, vgpr);
	return (struct jit_halves){ lo, jit_r_use(g, vgpr + 1) };
}

/* Half k of the result is x, a temporary. */
static void put_half(struct jit_region *g, uint32_t i, unsigned k, struct xo x)
{
	bool keep = !g->full && !g->in[i].off_dead;
	unsigned vd = (unsigned)g->in[i].vd + k;
	if (keep)
		jit_v_put_active(g, vd, x);
	else
		VX(g, VMOVAPS, jit_r_def(g, vd, false), x);
	jit_r_lazy(g, vd, false);
}

void jit_v_put_pair(struct jit_region *g, uint32_t i, struct xo even, struct xo odd)
{
	struct xo x = jit_r_temp(g);
	VX(g, VSHUFPS, x, even, odd, jit_x_imm(0x88));
	put_half(g, i, 0, x);
	VX(g, VSHUFPS, x, even, odd, jit_x_imm(0xdd));
	put_half(g, i, 1, x);
	jit_r_free(g, x);
}

/* --- shifts --- */

enum shift { SHIFT_LEFT, SHIFT_RIGHT, SHIFT_SIGNED };

/* A half of the result that may be written at once, or a temporary for put_half. */
static struct xo half_result(struct jit_region *g, uint32_t i, unsigned k, const struct jit_halves *s)
{
	unsigned vd = (unsigned)g->in[i].vd + k;
	if (!g->full && !g->in[i].off_dead)
		return jit_r_temp(g);
	struct xo d = jit_r_def(g, vd, false);
	jit_r_lazy(g, vd, false);
	if ((s->lo.kind == XO_REG && s->lo.reg == d.reg) || (s->hi.kind == XO_REG && s->hi.reg == d.reg))
		return jit_r_temp(g);
	return d;
}
static void put_half_result(struct jit_region *g, uint32_t i, unsigned k, struct xo x)
{
	if (jit_r_is_temp(g, x))
		put_half(g, i, k, x);
}

/* By a constant, half by half. */
static void shift_by(struct jit_region *g, uint32_t i, struct jit_halves s, enum shift kind, unsigned n)
{
	s.lo = jit_v_register(g, s.lo);
	s.hi = jit_v_register(g, s.hi);
	unsigned k = kind == SHIFT_LEFT ? 0 : 1;
	struct xo x = half_result(g, i, k, &s), y = half_result(g, i, !k, &s), from = k ? s.hi : s.lo, to = k ? s.lo : s.hi;
	ZydisMnemonic near = kind == SHIFT_LEFT ? ZYDIS_MNEMONIC_VPSLLD : ZYDIS_MNEMONIC_VPSRLD;
	ZydisMnemonic back = kind == SHIFT_LEFT ? ZYDIS_MNEMONIC_VPSRLD : ZYDIS_MNEMONIC_VPSLLD;
	ZydisMnemonic own = kind == SHIFT_SIGNED ? ZYDIS_MNEMONIC_VPSRAD : near;
	/* x: the half that bits come from; y: the one that they go to. */
	if (n == 0) {
		VX(g, VMOVAPS, x, from);
		VX(g, VMOVAPS, y, to);
	} else if (n < 32) {
		jit_vx(g, back, 3, (struct xo[]){ x, from, jit_x_imm(32 - n) });
		jit_vx(g, near, 3, (struct xo[]){ y, to, jit_x_imm(n) });
		VXD(g, VPOR, y, y, x);
		jit_vx(g, own, 3, (struct xo[]){ x, from, jit_x_imm(n) });
	} else {
		jit_vx(g, own, 3, (struct xo[]){ y, from, jit_x_imm(n - 32) });
		if (kind == SHIFT_SIGNED)
			VX(g, VPSRAD, x, from, jit_x_imm(31));
		else
			VXD(g, VPXOR, x, x, x);
	}
	put_half_result(g, i, k, x);
	put_half_result(g, i, !k, y);
}

/* By a count for each lane; signed: of the complement where the sign is set. */
static void shift_packed(struct jit_region *g, struct xo x, struct xo count, struct xo sign, enum shift kind)
{
	if (kind == SHIFT_SIGNED)
		VXD(g, VPXOR, x, x, sign);
	jit_vx(g, kind == SHIFT_LEFT ? ZYDIS_MNEMONIC_VPSLLVQ : ZYDIS_MNEMONIC_VPSRLVQ, 3, (struct xo[]){ x, x, count });
	if (kind == SHIFT_SIGNED)
		VXD(g, VPXOR, x, x, sign);
}

/* By a constant, of a pair that is one in registers; false: it is not, or AVX2 has no such shift. */
static bool shift_pair(struct jit_region *g, uint32_t i, enum shift kind, unsigned n)
{
	static const uint16_t ops[] = { [SHIFT_LEFT] = ZYDIS_MNEMONIC_VPSLLQ, [SHIFT_RIGHT] = ZYDIS_MNEMONIC_VPSRLQ,
		[SHIFT_SIGNED] = ZYDIS_MNEMONIC_VPSRAQ };
	const int from = g->in[i].vs[1], vd = g->in[i].vd;
	struct xo x[2], d[2];
	if (from < 0 || !jit_r_is_pair(g, (unsigned)from) || (!g->full && !g->in[i].off_dead))
		return false;
	if ((kind == SHIFT_SIGNED && !g->v4) || from - vd == 1 || vd - from == 1)
		return false;
	jit_r_use_integer(g, (unsigned)from, x);
	jit_r_def_pair(g, (unsigned)vd, d);
	for (unsigned k = 0; k < 2; k++) {
		jit_vx(g, (ZydisMnemonic)ops[kind], 3, (struct xo[]){ d[k], x[k], jit_x_imm(n) });
		jit_r_lazy(g, (unsigned)vd + k, false);
	}
	return true;
}

static void shift(struct jit_region *g, uint32_t i, enum shift kind)
{
	uint32_t n;
	if (jit_v_constant(g, i, 0, &n) && shift_pair(g, i, kind, n & 63))
		return;
	struct jit_halves s = jit_v_halves(g, i, 1);
	if (jit_v_constant(g, i, 0, &n)) {
		shift_by(g, i, s, kind, n & 63);
		return;
	}
	struct xo lo = jit_v_register(g, s.lo), hi = jit_v_register(g, s.hi);
	struct xo count = jit_r_temp(g), zero = jit_r_temp(g), c = jit_r_temp(g), sign = zero;
	struct xo even = jit_r_temp(g), odd = jit_r_temp(g);
	VXD(g, VPAND, count, jit_v_register(g, jit_v_source(g, i, 0)), jit_v_const(g, 63));
	VXD(g, VPXOR, zero, zero, zero);
	VX(g, VPUNPCKLDQ, even, lo, hi);
	VX(g, VPUNPCKHDQ, odd, lo, hi);
	if (kind == SHIFT_SIGNED) {
		sign = jit_r_temp(g);
		VX(g, VPSRAD, sign, hi, jit_x_imm(31));
	}
	jit_r_release(g);
	struct xo of = kind == SHIFT_SIGNED ? jit_r_temp(g) : zero;
	VX(g, VPUNPCKLDQ, c, count, zero);
	if (kind == SHIFT_SIGNED)
		VX(g, VPUNPCKLDQ, of, sign, sign);
	shift_packed(g, even, c, of, kind);
	VX(g, VPUNPCKHDQ, c, count, zero);
	if (kind == SHIFT_SIGNED)
		VX(g, VPUNPCKHDQ, of, sign, sign);
	shift_packed(g, odd, c, of, kind);
	jit_v_put_pair(g, i, even, odd);
}
void jit_lshl_64(struct jit_region *g, uint32_t i) { shift(g, i, SHIFT_LEFT); }
void jit_lshr_64(struct jit_region *g, uint32_t i) { shift(g, i, SHIFT_RIGHT); }
void jit_ashr_64(struct jit_region *g, uint32_t i) { shift(g, i, SHIFT_SIGNED); }
