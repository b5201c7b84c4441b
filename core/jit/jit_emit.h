/* SPDX-License-Identifier: MIT */
/* Bytes of x86-64: a buffer, labels, a pool of constants, and one function that
 * encodes an instruction (by Zydis, or by a form that Zydis taught).  Knows
 * nothing of GCN. */
#ifndef CORE_JIT_JIT_EMIT_H
#define CORE_JIT_JIT_EMIT_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/jit/jit_forms.h"

struct xo { /* operand */
	uint8_t kind;    /* XO_* */
	uint8_t bcast;   /* memory: elements of an embedded broadcast, or 0 */
	uint8_t scale;
	uint8_t rounding; /* register, of AVX-512 and last: XO_DOWN ..; none: by MXCSR */
	uint16_t size;   /* memory: bytes */
	uint16_t reg;    /* register, or base */
	uint16_t index;
	int64_t value;   /* displacement, immediate */
};
enum { XO_NONE, XO_REG, XO_MEM, XO_IMM };
enum { XO_DOWN = 1, XO_UP }; /* as EVEX has it */

struct jit_x_fix { uint32_t end; int label; }; /* rel32 whose instruction ends there */

struct jit_x_said { /* an instruction, a jump or the place of a label, to be said once more */
	uint16_t mnemonic;
	int8_t mask;
	bool zeroing;
	uint8_t n;
	int label;           /* of a jump; n is 0 */
	bool bind;           /* nothing but the label's place */
	struct xo o[5];
};

struct jit_x_buf {
	uint8_t *code;
	size_t n, cap;
	int64_t *labels;     /* offset, -1: not bound */
	int label_count, label_cap;
	struct jit_x_fix *fixes;
	size_t fix_count, fix_cap;
	uint32_t *dwords;    /* constants at the pool's base and up */
	uint32_t dword_count, dword_cap;
	uint8_t (*vectors)[64]; /* below the pool's base */
	uint32_t vector_count, vector_cap;
	uint16_t hash[256];  /* dword index + 1 by value */
	uint64_t instructions;
	const char *failed;  /* first error, NULL while all is well */
	struct jit_x_forms *forms; /* NULL: Zydis alone */
	ZydisEncoderRequest request;
	struct jit_x_said *said; /* since jit_x_listen */
	size_t said_count, said_cap;
	int said_labels;     /* the first label since then */
	bool listens;
};

void jit_x_init(struct jit_x_buf *b, struct jit_x_forms *forms);
void jit_x_free(struct jit_x_buf *b);
/* Room for so many bytes of code, so that it need not be moved often. */
void jit_x_reserve(struct jit_x_buf *b, size_t bytes);
int jit_x_label(struct jit_x_buf *b);
void jit_x_bind(struct jit_x_buf *b, int label);
/* The pool behind the code, at a multiple of 64 bytes; label is bound to its
 * base.  All labels must be bound. */
void jit_x_finish(struct jit_x_buf *b, int pool_label);
/* Offsets from the pool's base of a dword and of a vector of 64 bytes. */
int32_t jit_x_dword(struct jit_x_buf *b, uint32_t value);
int32_t jit_x_vector(struct jit_x_buf *b, const void *bytes);

/* mask: -1 the instruction has no mask operand; else k0..k7. */
void jit_x_emit(struct jit_x_buf *b, ZydisMnemonic m, int mask, bool zeroing, unsigned n, const struct xo *o);
/* jmp, jcc, call to a label; lea reg, [label]. */
void jit_x_jump(struct jit_x_buf *b, ZydisMnemonic m, int label);
void jit_x_lea_label(struct jit_x_buf *b, uint16_t reg, int label);

/* What comes from here to jit_x_repeat is remembered, which says it once more: with vector registers below `regs` moved up
 * by as many, k2 and k3 likewise to k4 and k5, register `one` become `other`, memory at bases[i] moved by steps[i], and labels
 * of its own.  Jumps out of it cannot be repeated. */
struct jit_x_shift { unsigned regs; uint16_t one, other, bases[4]; int32_t steps[4]; };
void jit_x_listen(struct jit_x_buf *b);
void jit_x_repeat(struct jit_x_buf *b, const struct jit_x_shift *s);

#define X_COUNT_(...) (sizeof((struct xo[]){ __VA_ARGS__ }) / sizeof(struct xo))
/* X(b, MOV, ...): an instruction without a mask operand. */
#define X(b, M, ...) \
	jit_x_emit(b, ZYDIS_MNEMONIC_##M, -1, false, X_COUNT_(__VA_ARGS__), (struct xo[]){ __VA_ARGS__ })
#define X0(b, M) jit_x_emit(b, ZYDIS_MNEMONIC_##M, -1, false, 0, NULL)
#define XJ(b, M, label) jit_x_jump(b, ZYDIS_MNEMONIC_##M, label)

static inline struct xo jit_x_reg(unsigned reg)
{
	return (struct xo){ .kind = XO_REG, .reg = (uint16_t)reg };
}
static inline struct xo jit_x_mem(unsigned base, int64_t disp, unsigned bytes)
{
	return (struct xo){ .kind = XO_MEM, .reg = (uint16_t)base, .value = disp, .size = (uint16_t)bytes };
}
static inline struct xo jit_x_imm(int64_t value)
{
	return (struct xo){ .kind = XO_IMM, .value = value };
}
#define R(name) jit_x_reg(ZYDIS_REGISTER_##name)

#endif
