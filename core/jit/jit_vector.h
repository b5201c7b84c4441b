/* SPDX-License-Identifier: MIT */
/* Vector instructions as records: how each opcode is made of x86 instructions. */
#ifndef CORE_JIT_JIT_VECTOR_H
#define CORE_JIT_JIT_VECTOR_H

#include "core/jit/jit_translate.h"

enum vec_kind {
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
struct vec_op {
	uint8_t kind, flags;
	int16_t imm;
	uint16_t v4, v3;   /* mnemonics; v3 0: as v4 */
	void (*emit)(struct translator *t, uint32_t i);
};
extern const struct vec_op j_vec_ops[GCN_OP_COUNT];

bool j_vector_known(const struct translator *t, uint32_t i);
void j_vector(struct translator *t, uint32_t i);
struct xo j_exec(struct translator *t);
void j_load_exec(struct translator *t);
void j_forget_masks(struct translator *t);

/* An instruction with the level's mask operand, if it has one (k0). */
void vx(struct translator *t, ZydisMnemonic m, unsigned n, const struct xo *o);
/* The same under k register `mask`; AVX-512 only. */
void vxk(struct translator *t, ZydisMnemonic m, int mask, bool zero, unsigned n, const struct xo *o);
#define VX(t, M, ...) \
	vx(t, ZYDIS_MNEMONIC_##M, X_COUNT_(__VA_ARGS__), (struct xo[]){ __VA_ARGS__ })
#define VXK(t, k, M, ...) \
	vxk(t, ZYDIS_MNEMONIC_##M, k, false, X_COUNT_(__VA_ARGS__), (struct xo[]){ __VA_ARGS__ })
/* Bitwise and integer mnemonics that AVX-512 spells with an element size. */
#define VXD(t, M, ...) \
	vx(t, (t)->v4 ? ZYDIS_MNEMONIC_##M##D : ZYDIS_MNEMONIC_##M, X_COUNT_(__VA_ARGS__), \
		(struct xo[]){ __VA_ARGS__ })

/* Source n with its modifiers: a register, or memory that the last source
 * of an instruction may be. */
struct xo v_source(struct translator *t, uint32_t i, int n);
/* The same; a neg modifier is left to the caller if it says so. */
struct xo v_source_signed(struct translator *t, uint32_t i, int n, bool neg_later);
void v_load(struct translator *t, struct xo d, struct xo x);
struct xo v_register(struct translator *t, struct xo x); /* x in a register */
struct xo v_broadcast(struct translator *t, struct xo dword); /* a dword in memory for all lanes: an operand */
struct xo v_const(struct translator *t, uint32_t bits);  /* an operand */
/* The constant of source n, if it is one. */
bool v_constant(const struct translator *t, uint32_t i, int n, uint32_t *bits);

/* The result: a register to write as the last step of the instruction, never
 * before the last read of a source; v_put then merges it by EXEC.  On AVX-512
 * the last step may be done under the mask that v_result gives (0: none). */
struct v_out { struct xo reg, home, with; int mask; bool merge, post, canonical; };
struct v_out v_result(struct translator *t, uint32_t i);
void v_put(struct translator *t, uint32_t i, struct v_out *o);
void v_last(struct translator *t, struct v_out *o, ZydisMnemonic m, unsigned n, const struct xo *rest);
#define V_LAST(t, o, M, ...) \
	v_last(t, o, ZYDIS_MNEMONIC_##M, X_COUNT_(__VA_ARGS__), (struct xo[]){ __VA_ARGS__ })
#define V_LASTD(t, o, M, ...) \
	v_last(t, o, (t)->v4 ? ZYDIS_MNEMONIC_##M##D : ZYDIS_MNEMONIC_##M, \
		X_COUNT_(__VA_ARGS__), (struct xo[]){ __VA_ARGS__ })

/* Lane mask of a strip: a k register, or a vector of ones and zeros. */
struct xo v_mask_load(struct translator *t, unsigned pair);
void v_mask_store(struct translator *t, unsigned pair, struct xo mask);
/* Where a new mask for the pair is made; forgets what registers knew of it. */
struct xo v_mask_new(struct translator *t, unsigned pair);
void v_mask_forget(struct translator *t, unsigned pair);
/* d = mask ? a : b, whole registers; a may be memory on AVX-512. */
void v_select(struct translator *t, struct xo d, struct xo mask, struct xo a, struct xo b);
/* A new mask register (k6 or k7 by n, or a temporary). */
struct xo v_mask_temp(struct translator *t, int n);

/* jit_vector_compare.c */
void v_compare(struct translator *t, uint32_t i, const struct vec_op *v);

/* jit_vector_float.c */
void j_cndmask(struct translator *t, uint32_t i);
void j_cvt_f32_u32(struct translator *t, uint32_t i);
void j_cvt_i32(struct translator *t, uint32_t i);
void j_cvt_u32(struct translator *t, uint32_t i);
void j_fma(struct translator *t, uint32_t i);
void j_fract(struct translator *t, uint32_t i);
void j_max(struct translator *t, uint32_t i);
void j_max3(struct translator *t, uint32_t i);
void j_med3(struct translator *t, uint32_t i);
void j_min(struct translator *t, uint32_t i);
void j_min3(struct translator *t, uint32_t i);
void j_mov(struct translator *t, uint32_t i);
void j_pkrtz(struct translator *t, uint32_t i);
void j_rcp(struct translator *t, uint32_t i);
void j_rsq(struct translator *t, uint32_t i);
void j_ubyte0(struct translator *t, uint32_t i);
void j_ubyte1(struct translator *t, uint32_t i);
void j_ubyte2(struct translator *t, uint32_t i);
void j_ubyte3(struct translator *t, uint32_t i);

/* jit_vector_int.c */
void j_add3(struct translator *t, uint32_t i);
void j_add_lshl(struct translator *t, uint32_t i);
void j_and_or(struct translator *t, uint32_t i);
void j_ashrrev(struct translator *t, uint32_t i);
void j_bfe_i(struct translator *t, uint32_t i);
void j_bfe_u(struct translator *t, uint32_t i);
void j_bfi(struct translator *t, uint32_t i);
void j_lshl_add(struct translator *t, uint32_t i);
void j_lshl_or(struct translator *t, uint32_t i);
void j_lshlrev(struct translator *t, uint32_t i);
void j_lshrrev(struct translator *t, uint32_t i);
void j_mad_i24(struct translator *t, uint32_t i);
void j_mad_u24(struct translator *t, uint32_t i);
void j_mul_hi_i(struct translator *t, uint32_t i);
void j_mul_hi_u(struct translator *t, uint32_t i);
void j_mul_i24(struct translator *t, uint32_t i);
void j_mul_u24(struct translator *t, uint32_t i);
void j_not(struct translator *t, uint32_t i);
void j_or3(struct translator *t, uint32_t i);
void j_xad(struct translator *t, uint32_t i);

/* jit_math.c */
void j_exp(struct translator *t, uint32_t i);
void j_log(struct translator *t, uint32_t i);
void j_sin(struct translator *t, uint32_t i);
void j_cos(struct translator *t, uint32_t i);

#endif
