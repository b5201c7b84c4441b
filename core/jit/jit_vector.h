/* SPDX-License-Identifier: MIT */
/* Vector instructions as records: how each opcode is made of x86 instructions. */
#ifndef CORE_JIT_JIT_VECTOR_H
#define CORE_JIT_JIT_VECTOR_H

#include "core/jit/jit_region.h"

enum jit_vec_kind {
	VEC_NONE,
	VEC_UNARY,    /* one x86 instruction of source 0 (imm: its immediate, or -1) */
	VEC_BINARY,   /* one of sources 0 and 1 */
	VEC_CUSTOM,   /* emit() */
	VEC_COMPARE_F, VEC_COMPARE_I, VEC_COMPARE_U, /* imm: predicate */
};
enum {
	VEC_SWAPPED = 1,   /* source 1 comes first */
	VEC_COMMUTES = 2,
	VEC_LAZY_IN = 4,   /* does not care for the bits of a NaN */
	VEC_LAZY_OUT = 8,  /* its NaNs are canonical only once settled */
	VEC_EXEC = 16,     /* compare: EXEC as well */
};
struct jit_vec_op {
	uint8_t kind, flags;
	int16_t imm;
	uint16_t v4, v3;   /* mnemonics; v3 0: as v4 */
	void (*emit)(struct jit_region *g, uint32_t i);
};
extern const struct jit_vec_op jit_vec_ops[GCN_OP_COUNT];

bool jit_vector_known(const struct jit_translator *t, uint32_t i);
void jit_vector(struct jit_region *g, uint32_t i);
struct xo jit_exec(struct jit_region *g);
void jit_exec_bits(struct jit_region *g);  /* its bits to EDX */
void jit_store_exec(struct jit_region *g); /* AVX2: to its slice, as jit_load_exec from it */
void jit_load_exec(struct jit_region *g);
void jit_forget_masks(struct jit_region *g);

/* An instruction with the level's mask operand, if it has one (k0). */
void jit_vx(struct jit_region *g, ZydisMnemonic m, unsigned n, const struct xo *o);
/* The same under k register `mask`; AVX-512 only. */
void jit_vxk(struct jit_region *g, ZydisMnemonic m, int mask, bool zero, unsigned n, const struct xo *o);
#define VX(g, M, ...) \
	jit_vx(g, ZYDIS_MNEMONIC_##M, X_COUNT_(__VA_ARGS__), (struct xo[]){ __VA_ARGS__ })
#define VXK(g, k, M, ...) \
	jit_vxk(g, ZYDIS_MNEMONIC_##M, k, false, X_COUNT_(__VA_ARGS__), (struct xo[]){ __VA_ARGS__ })
/* Bitwise and integer mnemonics that AVX-512 spells with an element size. */
#define VXD(g, M, ...) \
	jit_vx(g, (g)->v4 ? ZYDIS_MNEMONIC_##M##D : ZYDIS_MNEMONIC_##M, X_COUNT_(__VA_ARGS__), \
		(struct xo[]){ __VA_ARGS__ })

/* Source n with its modifiers: a register, or memory that the last source
 * of an instruction may be. */
struct xo jit_v_source(struct jit_region *g, uint32_t i, int n);
/* The same; a neg modifier is left to the caller if it says so, and a value that nobody else reads may be where it is in
 * the wave, so any source may be memory. */
struct xo jit_v_operand(struct jit_region *g, uint32_t i, int n, bool neg_later);
void jit_v_load(struct jit_region *g, struct xo d, struct xo x);
struct xo jit_v_register(struct jit_region *g, struct xo x); /* x in a register */
/* Keys of jit_r_uniform: an SGPR's place in the wave, for words, and what else is made of one. */
enum { JIT_UNIFORM_HALF = 1 << 24, JIT_UNIFORM_64 = 2 << 24 };
struct xo jit_v_broadcast(struct jit_region *g, struct xo dword); /* a dword in memory for all lanes: an operand */
struct xo jit_v_const(struct jit_region *g, uint32_t bits);  /* an operand */
struct xo jit_v_const_64(struct jit_region *g, uint64_t bits); /* of pairs; in memory */
/* The constant of source n, with its modifiers, if it is one: of the instruction, or in a VGPR. */
bool jit_v_constant(const struct jit_region *g, uint32_t i, int n, uint32_t *bits);

/* The result: a register to write as the last step of the instruction, never
 * before the last read of a source; jit_v_put then merges it by EXEC.  On AVX-512
 * the last step may be done under the mask that jit_v_result gives (0: none). */
struct jit_v_out { struct xo reg, home, with; int mask; bool merge, post, canonical; };
struct jit_v_out jit_v_result(struct jit_region *g, uint32_t i);
void jit_v_put(struct jit_region *g, uint32_t i, struct jit_v_out *o);
/* x to lanes that are on, where the others keep what they have. */
void jit_v_put_active(struct jit_region *g, unsigned vgpr, struct xo x);
void jit_v_last(struct jit_region *g, struct jit_v_out *o, ZydisMnemonic m, unsigned n, const struct xo *rest);
#define V_LAST(g, o, M, ...) \
	jit_v_last(g, o, ZYDIS_MNEMONIC_##M, X_COUNT_(__VA_ARGS__), (struct xo[]){ __VA_ARGS__ })
#define V_LASTD(g, o, M, ...) \
	jit_v_last(g, o, (g)->v4 ? ZYDIS_MNEMONIC_##M##D : ZYDIS_MNEMONIC_##M, \
		X_COUNT_(__VA_ARGS__), (struct xo[]){ __VA_ARGS__ })

/* Lane mask of a strip: a k register, or a vector of ones and zeros. */
struct xo jit_v_mask_load(struct jit_region *g, unsigned pair);
/* AVX2: lanes that are off may be anything in the mask of the pair that i makes, by those who read it; they are in the one at hand,
 * which has been stored. */
bool jit_v_mask_may_be_free(const struct jit_region *g, uint32_t i, unsigned pair);
bool jit_v_mask_is_free(const struct jit_region *g, unsigned pair);
void jit_v_mask_set_free(struct jit_region *g, unsigned pair);
void jit_v_mask_bits(struct jit_region *g, unsigned pair, struct xo mask);
void jit_v_mask_store(struct jit_region *g, uint32_t i, unsigned pair, struct xo mask);
/* Where a new mask for the pair is made; forgets what registers knew of it. */
struct xo jit_v_mask_new(struct jit_region *g, unsigned pair);
void jit_v_mask_forget(struct jit_region *g, unsigned pair);
/* d = mask ? a : b, whole registers; a may be memory on AVX-512. */
void jit_v_select(struct jit_region *g, struct xo d, struct xo mask, struct xo a, struct xo b);
/* A new mask register (k6 or k7 by n, or a temporary). */
struct xo jit_v_mask_temp(struct jit_region *g, int n);

/* jit_exponent.c */
void jit_ldexp(struct jit_region *g, uint32_t i);
void jit_frexp_mant(struct jit_region *g, uint32_t i);
void jit_frexp_exp(struct jit_region *g, uint32_t i);

/* jit_vector_compare.c */
void jit_v_compare(struct jit_region *g, uint32_t i, const struct jit_vec_op *v);

/* jit_vector_float.c */
struct xo jit_v_half_reg(const struct jit_region *g, struct xo x);    /* the lower half of register x */
/* Singles of a to canonical halves in the words of x, which may be a; m: a register for a mask. */
void jit_v_round_half(struct jit_region *g, struct xo x, struct xo a, struct xo m);
/* d = the number where one is NaN, -0 below +0; d may be a. */
void jit_v_min_max(struct jit_region *g, struct xo d, struct xo a, struct xo b, bool max);
void jit_cndmask(struct jit_region *g, uint32_t i);
void jit_cvt_f32_u32(struct jit_region *g, uint32_t i);
void jit_cvt_i32(struct jit_region *g, uint32_t i);
void jit_cvt_u32(struct jit_region *g, uint32_t i);
void jit_fma(struct jit_region *g, uint32_t i);
void jit_fract(struct jit_region *g, uint32_t i);
void jit_max(struct jit_region *g, uint32_t i);
void jit_max3(struct jit_region *g, uint32_t i);
void jit_med3(struct jit_region *g, uint32_t i);
void jit_min(struct jit_region *g, uint32_t i);
void jit_min3(struct jit_region *g, uint32_t i);
void jit_mov(struct jit_region *g, uint32_t i);
void jit_pkrtz(struct jit_region *g, uint32_t i);
void jit_rcp(struct jit_region *g, uint32_t i);
void jit_rsq(struct jit_region *g, uint32_t i);
void jit_ubyte0(struct jit_region *g, uint32_t i);
void jit_ubyte1(struct jit_region *g, uint32_t i);
void jit_ubyte2(struct jit_region *g, uint32_t i);
void jit_ubyte3(struct jit_region *g, uint32_t i);

/* jit_half.c */
/* Source n, the half in its lower bits, in single precision: an operand that is not to be written. */
struct xo jit_half_source(struct jit_region *g, uint32_t i, int n);
/* Of a VGPR in a register that is not dirty. */
void jit_half_stay(struct jit_region *g, unsigned vgpr);
/* a * b + c of singles that are halves, in a temporary: rounded to a half it is rounded once.
 * a: a register.  exact: a hint that the sum of singles most often is. */
struct xo jit_half_fma(struct jit_region *g, struct xo a, struct xo b, struct xo c, bool exact);
void jit_add_f16(struct jit_region *g, uint32_t i);
void jit_sub_f16(struct jit_region *g, uint32_t i);
void jit_subrev_f16(struct jit_region *g, uint32_t i);
void jit_mul_f16(struct jit_region *g, uint32_t i);
void jit_min_f16(struct jit_region *g, uint32_t i);
void jit_max_f16(struct jit_region *g, uint32_t i);
void jit_fma_f16(struct jit_region *g, uint32_t i);
void jit_cvt_f16_f32(struct jit_region *g, uint32_t i);
void jit_cvt_f32_f16(struct jit_region *g, uint32_t i);

/* jit_vector_packed.c */
void jit_pk_add_16(struct jit_region *g, uint32_t i);
void jit_pk_add_f16(struct jit_region *g, uint32_t i);
void jit_pk_fma_f16(struct jit_region *g, uint32_t i);
void jit_pk_max_f16(struct jit_region *g, uint32_t i);
void jit_pk_max_i16(struct jit_region *g, uint32_t i);
void jit_pk_max_u16(struct jit_region *g, uint32_t i);
void jit_pk_min_f16(struct jit_region *g, uint32_t i);
void jit_pk_min_i16(struct jit_region *g, uint32_t i);
void jit_pk_min_u16(struct jit_region *g, uint32_t i);
void jit_pk_mul_16(struct jit_region *g, uint32_t i);
void jit_pk_mul_f16(struct jit_region *g, uint32_t i);
void jit_pk_sub_16(struct jit_region *g, uint32_t i);

/* jit_vector_int.c */
void jit_add3(struct jit_region *g, uint32_t i);
void jit_add_lshl(struct jit_region *g, uint32_t i);
void jit_and_or(struct jit_region *g, uint32_t i);
void jit_ashrrev(struct jit_region *g, uint32_t i);
void jit_bfe_i(struct jit_region *g, uint32_t i);
void jit_bfe_u(struct jit_region *g, uint32_t i);
void jit_bfi(struct jit_region *g, uint32_t i);
void jit_lshl_add(struct jit_region *g, uint32_t i);
void jit_lshl_or(struct jit_region *g, uint32_t i);
void jit_lshlrev(struct jit_region *g, uint32_t i);
void jit_lshrrev(struct jit_region *g, uint32_t i);
void jit_mad_i24(struct jit_region *g, uint32_t i);
void jit_mad_u24(struct jit_region *g, uint32_t i);
void jit_mul_hi_i(struct jit_region *g, uint32_t i);
void jit_mul_hi_u(struct jit_region *g, uint32_t i);
void jit_mul_i24(struct jit_region *g, uint32_t i);
void jit_mul_u24(struct jit_region *g, uint32_t i);
void jit_not(struct jit_region *g, uint32_t i);
void jit_or3(struct jit_region *g, uint32_t i);
void jit_xad(struct jit_region *g, uint32_t i);

/* jit_vector_bits.c */
void jit_bcnt(struct jit_region *g, uint32_t i);
void jit_bfm(struct jit_region *g, uint32_t i);
void jit_bfrev(struct jit_region *g, uint32_t i);
void jit_ffbh_i(struct jit_region *g, uint32_t i);
void jit_ffbh_u(struct jit_region *g, uint32_t i);
void jit_ffbl(struct jit_region *g, uint32_t i);

/* jit_wide.c */
void jit_add_co(struct jit_region *g, uint32_t i);
void jit_sub_co(struct jit_region *g, uint32_t i);
void jit_subrev_co(struct jit_region *g, uint32_t i);
void jit_lshl_64(struct jit_region *g, uint32_t i);
void jit_lshr_64(struct jit_region *g, uint32_t i);
void jit_ashr_64(struct jit_region *g, uint32_t i);
struct jit_halves { struct xo lo, hi; };
/* Source n of 64 bits as operands: registers, or memory that a last source may be. */
struct jit_halves jit_v_halves(struct jit_region *g, uint32_t i, int n);
/* A pair in registers (FORM_EVEN, FORM_ODD) to the result, as words. */
void jit_v_put_pair(struct jit_region *g, uint32_t i, struct xo even, struct xo odd);

/* jit_double.c */
void jit_compare_f64(struct jit_region *g, uint32_t i, int predicate, struct xo mask);
void jit_add_f64(struct jit_region *g, uint32_t i);
void jit_mul_f64(struct jit_region *g, uint32_t i);
void jit_fma_f64(struct jit_region *g, uint32_t i);
void jit_min_f64(struct jit_region *g, uint32_t i);
void jit_max_f64(struct jit_region *g, uint32_t i);
void jit_rcp_f64(struct jit_region *g, uint32_t i);
void jit_rsq_f64(struct jit_region *g, uint32_t i);
void jit_sqrt_f64(struct jit_region *g, uint32_t i);
void jit_rndne_f64(struct jit_region *g, uint32_t i);
void jit_floor_f64(struct jit_region *g, uint32_t i);
void jit_ceil_f64(struct jit_region *g, uint32_t i);
void jit_trunc_f64(struct jit_region *g, uint32_t i);
void jit_cvt_f64_i32(struct jit_region *g, uint32_t i);
void jit_cvt_f64_u32(struct jit_region *g, uint32_t i);
void jit_cvt_f64_f32(struct jit_region *g, uint32_t i);
void jit_cvt_i32_f64(struct jit_region *g, uint32_t i);
void jit_cvt_u32_f64(struct jit_region *g, uint32_t i);
void jit_cvt_f32_f64(struct jit_region *g, uint32_t i);

/* jit_cube.c */
void jit_cube_id(struct jit_region *g, uint32_t i);
void jit_cube_ma(struct jit_region *g, uint32_t i);
void jit_cube_sc(struct jit_region *g, uint32_t i);
void jit_cube_tc(struct jit_region *g, uint32_t i);

/* jit_math.c */
void jit_exp(struct jit_region *g, uint32_t i);
void jit_log(struct jit_region *g, uint32_t i);
void jit_sin(struct jit_region *g, uint32_t i);
void jit_cos(struct jit_region *g, uint32_t i);

#endif
