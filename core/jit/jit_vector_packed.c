/* SPDX-License-Identifier: MIT */
/* Packed halves (VOP3P).  A register
 * of words holds the lower and upper halves of its lanes in turn, so packed floats
 * become singles, and halves again, as they lie: first those of the register's
 * lower part, then those of the upper. */
#include "core/jit/jit_regs.h"
#include "core/jit/jit_vector.h"

enum { HALF_NEAREST = 8 };
struct singles { struct xo part[2]; };

/* The words of source n: op_sel picks their halves, neg and neg_hi change signs. */
static struct xo packed_source(struct jit_region *g, uint32_t i, int n)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	struct xo x = jit_v_register(g, jit_v_source(g, i, n));
	unsigned low = in->op_sel >> n & 1, high = in->op_sel_hi >> n & 1;
	uint32_t signs = (in->neg >> n & 1 ? 0x8000u : 0) | (in->neg_hi >> n & 1 ? 0x80000000u : 0);
	if (jit_rec(g->t, i)->op->stype[n] != CU_T_PKF16)
		signs = 0;
	if (low || !high) {
		struct xo r = jit_r_temp(g), t = jit_r_temp(g);
		if (low)
			VX(g, VPSRLD, r, x, jit_x_imm(16));
		else
			VXD(g, VPAND, r, x, jit_v_const(g, 0xffff));
		if (high)
			VXD(g, VPAND, t, x, jit_v_const(g, 0xffff0000u));
		else
			VX(g, VPSLLD, t, x, jit_x_imm(16));
		VXD(g, VPOR, r, r, t);
		jit_r_free(g, t);
		x = r;
	}
	if (!signs)
		return x;
	struct xo r = jit_r_is_temp(g, x) ? x : jit_r_temp(g);
	VXD(g, VPXOR, r, x, jit_v_const(g, signs));
	return r;
}

/* Part k of a register of halves, in a temporary. */
static struct xo single_part(struct jit_region *g, struct xo x, int k)
{
	struct xo r = jit_r_temp(g), half = jit_v_half_reg(g, k ? r : x);
	if (g->v4) {
		if (k)
			jit_vxk(g, ZYDIS_MNEMONIC_VEXTRACTI64X4, 0, false, 3, (struct xo[]){ half, x, jit_x_imm(1) });
		jit_vxk(g, ZYDIS_MNEMONIC_VCVTPH2PS, 0, false, 2, (struct xo[]){ r, half });
	} else {
		if (k)
			X(g->b, VEXTRACTI128, half, x, jit_x_imm(1));
		X(g->b, VCVTPH2PS, r, half);
	}
	return r;
}

/* x has halves side by side, whose NaNs become canonical.  AVX2. */
static void put_packed(struct jit_region *g, uint32_t i, struct xo x)
{
	struct xo nan = jit_r_temp(g);
	VXD(g, VPAND, nan, x, jit_v_const(g, 0x7fff7fff));
	X(g->b, VPCMPGTW, nan, nan, jit_v_const(g, 0x7c007c00));
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VPBLENDVB, x, jit_v_const(g, 0x7e007e00), nan);
	jit_v_put(g, i, &o);
}

/* Rounded to halves, NaNs canonical. */
static void put_singles(struct jit_region *g, uint32_t i, struct singles s)
{
	struct xo m, h[2] = { jit_v_half_reg(g, s.part[0]), jit_v_half_reg(g, s.part[1]) };
	if (!g->v4) {
		for (int k = 0; k < 2; k++)
			X(g->b, VCVTPS2PH, h[k], s.part[k], jit_x_imm(HALF_NEAREST));
		X(g->b, VINSERTI128, s.part[0], s.part[0], h[1], jit_x_imm(1));
		put_packed(g, i, s.part[0]);
		return;
	}
	m = jit_v_mask_temp(g, 0);
	for (int k = 0; k < 2; k++) {
		VX(g, VCMPPS, m, s.part[k], s.part[k], jit_x_imm(3));
		jit_v_select(g, s.part[k], m, jit_v_const(g, 0x7fc00000), s.part[k]);
		jit_vxk(g, ZYDIS_MNEMONIC_VCVTPS2PH, 0, false, 3, (struct xo[]){ h[k], s.part[k], jit_x_imm(HALF_NEAREST) });
	}
	jit_vxk(g, ZYDIS_MNEMONIC_VINSERTI64X4, 0, false, 4, (struct xo[]){ s.part[0], s.part[0], h[1], jit_x_imm(1) });
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, s.part[0]);
	jit_v_put(g, i, &o);
}

static void packed_floats(struct jit_region *g, uint32_t i, ZydisMnemonic single)
{
	struct xo a = packed_source(g, i, 0), b = packed_source(g, i, 1), y;
	struct singles x;
	for (int k = 0; k < 2; k++) {
		x.part[k] = single_part(g, a, k);
		y = single_part(g, b, k);
		jit_vx(g, single, 3, (struct xo[]){ x.part[k], x.part[k], y });
		jit_r_free(g, y);
	}
	put_singles(g, i, x);
}
void jit_pk_add_f16(struct jit_region *g, uint32_t i) { packed_floats(g, i, ZYDIS_MNEMONIC_VADDPS); }
void jit_pk_mul_f16(struct jit_region *g, uint32_t i) { packed_floats(g, i, ZYDIS_MNEMONIC_VMULPS); }

static void packed_min_max(struct jit_region *g, uint32_t i, bool max)
{
	struct xo a = packed_source(g, i, 0), b = packed_source(g, i, 1), x, y;
	struct singles r;
	for (int k = 0; k < 2; k++) {
		x = single_part(g, a, k);
		y = single_part(g, b, k);
		r.part[k] = jit_r_temp(g);
		jit_v_min_max(g, r.part[k], x, y, max);
		jit_r_free(g, x);
		jit_r_free(g, y);
	}
	put_singles(g, i, r);
}
void jit_pk_min_f16(struct jit_region *g, uint32_t i) { packed_min_max(g, i, false); }
void jit_pk_max_f16(struct jit_region *g, uint32_t i) { packed_min_max(g, i, true); }

void jit_pk_fma_f16(struct jit_region *g, uint32_t i)
{
	struct xo w[3], x[3];
	struct singles r;
	for (int n = 0; n < 3; n++)
		w[n] = packed_source(g, i, n);
	for (int k = 0; k < 2; k++) {
		for (int n = 0; n < 3; n++)
			x[n] = single_part(g, w[n], k);
		r.part[k] = jit_half_fma(g, x[0], x[1], x[2], false);
		for (int n = 0; n < 3; n++)
			jit_r_free(g, x[n]);
	}
	put_singles(g, i, r);
}

static void packed_integers(struct jit_region *g, uint32_t i, ZydisMnemonic m)
{
	struct xo a = packed_source(g, i, 0), b = packed_source(g, i, 1);
	if (g->v4) { /* a mask of words would be another one */
		struct xo x = jit_r_temp(g);
		jit_vx(g, m, 3, (struct xo[]){ x, a, b });
		struct jit_v_out o = jit_v_result(g, i);
		V_LAST(g, &o, VMOVAPS, x);
		jit_v_put(g, i, &o);
		return;
	}
	struct jit_v_out o = jit_v_result(g, i);
	jit_v_last(g, &o, m, 2, (struct xo[]){ a, b });
	jit_v_put(g, i, &o);
}
void jit_pk_add_16(struct jit_region *g, uint32_t i) { packed_integers(g, i, ZYDIS_MNEMONIC_VPADDW); }
void jit_pk_sub_16(struct jit_region *g, uint32_t i) { packed_integers(g, i, ZYDIS_MNEMONIC_VPSUBW); }
void jit_pk_mul_16(struct jit_region *g, uint32_t i) { packed_integers(g, i, ZYDIS_MNEMONIC_VPMULLW); }
void jit_pk_min_i16(struct jit_region *g, uint32_t i) { packed_integers(g, i, ZYDIS_MNEMONIC_VPMINSW); }
void jit_pk_max_i16(struct jit_region *g, uint32_t i) { packed_integers(g, i, ZYDIS_MNEMONIC_VPMAXSW); }
void jit_pk_min_u16(struct jit_region *g, uint32_t i) { packed_integers(g, i, ZYDIS_MNEMONIC_VPMINUW); }
void jit_pk_max_u16(struct jit_region *g, uint32_t i) { packed_integers(g, i, ZYDIS_MNEMONIC_VPMAXUW); }
