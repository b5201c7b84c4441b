/* SPDX-License-Identifier: MIT */
/* Scalar loads: done at once where the wave knows that it may, else by handlers. */
#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_scalar_priv.h"
#include "core/jit/jit_translate.h"
#include "core/memory.h"

static void copy(struct jit_translator *t, struct xo to, struct xo from, unsigned dwords)
{
	struct xo r = dwords == 1 ? R(ECX) : dwords == 2 ? R(RCX) : dwords == 4 ? R(XMM0) : R(YMM0);
	unsigned bytes = dwords >= 8 ? 32 : 4 * dwords;
	for (unsigned at = 0; at < 4 * dwords; at += bytes) {
		struct xo d = to, s = from;
		d.value += at;
		s.value += at;
		d.size = s.size = (uint16_t)bytes;
		jit_s_emit2(t, dwords <= 2 ? M_(MOV) : M_(VMOVUPS), dwords == 16 && at ? R(YMM1) : r, s);
		if (dwords < 16)
			jit_s_emit2(t, dwords <= 2 ? M_(MOV) : M_(VMOVUPS), d, r);
	}
	if (dwords == 16)
		for (unsigned at = 0; at < 64; at += 32) {
			struct xo d = to;
			d.value += at;
			d.size = 32;
			X(&t->b, VMOVUPS, d, at ? R(YMM1) : R(YMM0));
		}
}

/* rax += the instruction's offset. */
static void add_offset(struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	int64_t k = (int32_t)r->sd;
	if (r->konst & 2) {
		memcpy(&k, (const char *)r->pool + r->s[1], 8);
	} else {
		X(&t->b, MOV, R(ECX), jit_wave((size_t)r->s[1], 4));
		X(&t->b, ADD, R(RAX), R(RCX));
	}
	if (k)
		X(&t->b, ADD, R(RAX), jit_x_imm(k));
}

/* Copies from the dwords at rax, if the wave knows that it may: cu_mapped_near. */
static void load_mapped(struct jit_translator *t, uint32_t i, unsigned dwords, int slow)
{
	const size_t near = offsetof(struct cu_wave, near) + sizeof(struct cu_span) * jit_rec(t, i)->near;
	X(&t->b, MOV, R(RDX), R(RAX));
	X(&t->b, SUB, R(RDX), jit_wave(near + offsetof(struct cu_span, lo), 8));
	X(&t->b, MOV, R(RCX), jit_wave(near + offsetof(struct cu_span, bytes), 8));
	X(&t->b, SUB, R(RCX), jit_x_imm(4 * (int64_t)dwords));
	XJ(&t->b, JB, slow);
	X(&t->b, CMP, R(RDX), R(RCX));
	XJ(&t->b, JNBE, slow);
	copy(t, jit_wave(jit_rec(t, i)->d, 4), jit_x_mem(ZYDIS_REGISTER_RAX, 0, 4), dwords);
}

void jit_s_load(struct jit_translator *t, uint32_t i, unsigned dwords)
{
	int slow, back = jit_slow_label(t, i, &slow);
	X(&t->b, MOV, R(RAX), jit_wave((size_t)jit_rec(t, i)->s[0], 8));
	add_offset(t, i);
	X(&t->b, AND, R(RAX), jit_x_imm(-4));
	load_mapped(t, i, dwords, slow);
	jit_x_bind(&t->b, back);
}

/* Wholly inside the buffer; anything else is the handler's. */
void jit_s_buffer_load(struct jit_translator *t, uint32_t i, unsigned dwords)
{
	size_t v = (size_t)jit_rec(t, i)->s[0];
	int slow, back = jit_slow_label(t, i, &slow);
	X(&t->b, MOV, R(ECX), jit_wave(v + 4, 4));
	X(&t->b, SHR, R(ECX), jit_x_imm(16));
	X(&t->b, MOV, R(EDX), jit_x_imm(1));
	X(&t->b, AND, R(ECX), jit_x_imm(0x3fff));
	X(&t->b, CMOVZ, R(ECX), R(EDX));
	X(&t->b, MOV, R(EDX), jit_wave(v + 8, 4));
	X(&t->b, IMUL, R(RDX), R(RCX));
	X(&t->b, XOR, R(EAX), R(EAX));
	add_offset(t, i);
	X(&t->b, AND, R(EAX), jit_x_imm(-4));
	X(&t->b, LEA, R(RCX), jit_x_mem(ZYDIS_REGISTER_RAX, 4 * (int64_t)dwords, 8));
	X(&t->b, CMP, R(RCX), R(RDX));
	XJ(&t->b, JNBE, slow);
	X(&t->b, MOV, R(RCX), jit_wave(v, 8));
	X(&t->b, SHL, R(RCX), jit_x_imm(16));
	X(&t->b, SHR, R(RCX), jit_x_imm(16));
	X(&t->b, ADD, R(RAX), R(RCX));
	X(&t->b, AND, R(RAX), jit_x_imm(-4));
	load_mapped(t, i, dwords, slow);
	jit_x_bind(&t->b, back);
}
