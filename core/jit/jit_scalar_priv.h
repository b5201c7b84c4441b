/* SPDX-License-Identifier: MIT */
/* Scalar instructions as records, and what their translators share. */
#ifndef CORE_JIT_JIT_SCALAR_PRIV_H
#define CORE_JIT_JIT_SCALAR_PRIV_H

#include <string.h>
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_translate.h"

#define M_(M) ZYDIS_MNEMONIC_##M

enum jit_s_kind {
	S_NONE,
	S_MOVE,    /* source 0, or the immediate of SOPK */
	S_ARITH,   /* x86 instruction, SCC by a condition of it */
	S_CARRY,   /* the same with SCC as carry in */
	S_LOGIC,   /* SCC: not zero; second source complemented, result complemented */
	S_SHIFT, S_SELECT, S_CMOVE, S_COMPARE, S_PICK, S_BIT, S_EXTEND, S_NOT, S_QUADS,
	S_COUNT,   /* x86 instruction; of 0 all ones, where flags say so */
	S_MUL_HI,  /* flags: signed */
	S_FIELD,   /* without a sign */
	S_SAVEEXEC, S_LOAD, S_BUFFER_LOAD,
};
enum { NOT_B = 1, NOT_A = 2, NOT_D = 4, WREXEC = 8 };
struct jit_s_op {
	uint8_t kind, bytes;
	uint8_t flags;   /* of LOGIC and SAVEEXEC; loads: dwords */
	uint16_t m;      /* x86 instruction */
	uint16_t cond;   /* setcc for SCC; M_(INVALID): SCC is kept */
};

extern const struct jit_s_op jit_s_ops[GCN_OP_COUNT];

void jit_s_emit2(struct jit_translator *t, unsigned m, struct xo a, struct xo b);
/* SCC is 0 or 1 in 32 bits: its first byte is enough. */
struct xo jit_s_scc(void);
/* d = a op b with complements; flags are those of the result where asked for. */
/* Loads of `dwords`. */
void jit_s_load(struct jit_translator *t, uint32_t i, unsigned dwords);
void jit_s_buffer_load(struct jit_translator *t, uint32_t i, unsigned dwords);

#endif
