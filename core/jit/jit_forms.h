/* SPDX-License-Identifier: MIT */
/* Forms of x86 instructions: Zydis is asked once how an instruction with operands
 * of given kinds is encoded, and which of its bits name which operand; others of
 * the same form are then written without it, to the same bytes.
 *
 * A table of forms only grows, may be used by any number of threads at once and
 * knows no levels.  What has no simple form (fixed registers, rip, rare
 * immediates) goes to Zydis every time. */
#ifndef CORE_JIT_JIT_FORMS_H
#define CORE_JIT_JIT_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xo;
struct jit_x_forms;

/* An instruction as jit_x_emit takes it; jit_x_jump's have no operands here. */
struct x_inst {
	uint16_t mnemonic;
	bool zeroing, jump;
	int mask;
	unsigned n;
	const struct xo *o;
};
/* Encodes by Zydis: at most 15 bytes to out; 0: there is no such instruction. */
typedef size_t (*x_encode_fn)(void *context, const struct x_inst *in, uint8_t *out);

/* What jit_x_forms_write may touch behind `out`: an instruction and its slack. */
enum { X_ROOM = 24 };

/* NULL without memory. */
struct jit_x_forms *jit_x_forms_create(void);
void jit_x_forms_destroy(struct jit_x_forms *f);
/* The bytes of `in`; out has room for X_ROOM.  forms NULL: by `encode` alone. */
size_t jit_x_forms_write(struct jit_x_forms *forms, const struct x_inst *in, x_encode_fn encode, void *context,
	uint8_t *out);
/* For statistics: forms known, and those of them that go to Zydis every time. */
void jit_x_forms_count(const struct jit_x_forms *f, unsigned *known, unsigned *direct);

#endif
