/* SPDX-License-Identifier: MIT */
/* Scalar instructions: on the SGPRs in the wave, by general registers. */
#include "core/jit/jit_scalar.h"

#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_scalar_priv.h"
#include "core/jit/jit_translate.h"
#include "isa/gcn.h"

struct xo jit_sgpr(unsigned n, unsigned bytes)
{
	return jit_wave(offsetof(struct cu_wave, sgpr) + 4 * (size_t)n, bytes);
}
struct xo jit_slice_of(const struct jit_translator *t, unsigned pair)
{
	struct xo o = jit_sgpr(pair, t->v4 ? 2 : 1);
	o.reg = RB_SLICE;
	return o;
}

bool jit_scalar_known(const struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	const struct cu_level_ops *l = t->p->kernels;
	if (r->fn != r->op->direct && r->fn != l->exec_write)
		return false;
	return jit_s_ops[r->in->op].kind != S_NONE && (r->in->fmt != GCN_SMEM || r->in->dst + 16u <= 128);
}
bool jit_is_load(const struct jit_translator *t, uint32_t i)
{
	unsigned kind = jit_s_ops[jit_rec(t, i)->in->op].kind;
	return kind == S_LOAD || kind == S_BUFFER_LOAD;
}

/* --- pieces --- */

static struct xo gpr(unsigned n, unsigned bytes) /* rax, rcx, rdx */
{
	return jit_x_reg((bytes == 8 ? ZYDIS_REGISTER_RAX : ZYDIS_REGISTER_EAX) + n);
}
void jit_s_emit2(struct jit_translator *t, unsigned m, struct xo a, struct xo b)
{
	jit_x_emit(&t->b, (ZydisMnemonic)m, -1, false, 2, (struct xo[]){ a, b });
}
static struct xo immediate(uint64_t value, unsigned bytes)
{
	return jit_x_imm(bytes == 8 ? (int64_t)value : (int64_t)(int32_t)value);
}

/* Source n: memory or an immediate that fits. */
static struct xo source(struct jit_translator *t, uint32_t i, int n, unsigned bytes)
{
	const struct cu_rec *r = jit_rec(t, i);
	uint64_t k;
	if (!(r->konst >> n & 1))
		return jit_wave((size_t)r->s[n], bytes);
	memcpy(&k, (const char *)r->pool + r->s[n], 8);
	struct xo imm = immediate(k, bytes);
	if (imm.value == (int32_t)imm.value)
		return imm;
	uint64_t vector[8] = { k };
	return jit_x_mem(RB_POOL, jit_x_vector(&t->b, vector), 8);
}
static struct xo destination(const struct jit_translator *t, uint32_t i, unsigned bytes)
{
	return jit_wave(jit_rec(t, i)->d, bytes);
}
struct xo jit_s_scc(void)
{
	return jit_wave(offsetof(struct cu_wave, scc), 1);
}
static void set_scc(struct jit_translator *t, uint32_t i, unsigned cond)
{
	if (cond && t->in[i].scc_live)
		jit_x_emit(&t->b, (ZydisMnemonic)cond, -1, false, 1, (struct xo[]){ jit_s_scc() });
}
static void test_scc(struct jit_translator *t)
{
	X(&t->b, CMP, jit_s_scc(), jit_x_imm(0));
}

/* --- the rest --- */

static void arith(struct jit_translator *t, uint32_t i, const struct jit_s_op *s)
{
	const struct gcn_inst *in = jit_rec(t, i)->in;
	bool k = in->fmt == GCN_SOPK;
	struct xo a = gpr(0, 4);
	if (s->kind == S_CARRY) { /* the carry after whatever the loads do to it */
		struct xo b = source(t, i, 1, 4);
		jit_s_emit2(t, M_(MOV), a, source(t, i, 0, 4));
		X(&t->b, BT, jit_wave(offsetof(struct cu_wave, scc), 4), jit_x_imm(0));
		jit_s_emit2(t, s->m, a, b);
	} else {
		jit_s_emit2(t, M_(MOV), a, k ? destination(t, i, 4) : source(t, i, 0, 4));
		struct xo b = k ? jit_x_imm(in->offset) : source(t, i, 1, 4);
		if (s->m == M_(IMUL) && b.kind == XO_IMM) {
			X(&t->b, MOV, R(ECX), b);
			b = R(ECX);
		}
		jit_s_emit2(t, s->m, a, b);
	}
	jit_s_emit2(t, M_(MOV), destination(t, i, 4), a);
	set_scc(t, i, s->cond);
}

static void logic(struct jit_translator *t, unsigned m, unsigned flags, unsigned bytes, struct xo d,
	struct xo b)
{
	if (flags & NOT_A)
		jit_x_emit(&t->b, M_(NOT), -1, false, 1, &d);
	if (flags & NOT_B) {
		struct xo c = gpr(1, bytes);
		if (b.kind != XO_REG || b.reg != c.reg)
			jit_s_emit2(t, M_(MOV), c, b);
		jit_x_emit(&t->b, M_(NOT), -1, false, 1, &c);
		b = c;
	}
	jit_s_emit2(t, m, d, b);
	if (flags & NOT_D)
		jit_x_emit(&t->b, M_(NOT), -1, false, 1, &d);
}

static void test(struct jit_translator *t, uint32_t i, struct xo d, unsigned cond)
{
	if (!t->in[i].scc_live)
		return;
	jit_s_emit2(t, M_(TEST), d, d);
	set_scc(t, i, cond);
}

static void saveexec(struct jit_translator *t, uint32_t i, const struct jit_s_op *s)
{
	struct xo a = gpr(0, 8), exec = gpr(1, 8), old = gpr(2, 8), file = jit_sgpr(GCN_SRC_EXEC, 8);
	jit_s_emit2(t, M_(MOV), a, source(t, i, 0, 8));
	jit_s_emit2(t, M_(MOV), exec, file);
	jit_s_emit2(t, M_(MOV), old, exec);
	logic(t, s->m, s->flags, 8, a, exec);
	jit_s_emit2(t, M_(MOV), destination(t, i, 8), s->flags & WREXEC ? a : old);
	jit_s_emit2(t, M_(MOV), file, a);
	test(t, i, a, s->cond);
}

static void compare(struct jit_translator *t, uint32_t i, const struct jit_s_op *s)
{
	const struct gcn_inst *in = jit_rec(t, i)->in;
	struct xo a = gpr(0, s->bytes), b;
	if (!t->in[i].scc_live)
		return;
	jit_s_emit2(t, M_(MOV), a, source(t, i, 0, s->bytes));
	b = in->fmt != GCN_SOPK ? source(t, i, 1, s->bytes)
		: jit_x_imm(s->flags ? (int64_t)(uint16_t)in->offset : in->offset);
	jit_s_emit2(t, M_(CMP), a, b);
	set_scc(t, i, s->cond);
}

static void select_by_scc(struct jit_translator *t, uint32_t i, const struct jit_s_op *s)
{
	unsigned bytes = s->bytes;
	struct xo a = gpr(0, bytes), b = gpr(1, bytes);
	jit_s_emit2(t, M_(MOV), a, source(t, i, 0, bytes));
	jit_s_emit2(t, M_(MOV), b, s->kind == S_CMOVE ? destination(t, i, bytes) : source(t, i, 1, bytes));
	test_scc(t);
	jit_s_emit2(t, M_(CMOVZ), a, b);
	jit_s_emit2(t, M_(MOV), destination(t, i, bytes), a);
}

/* Minimum and maximum: SCC says whether the first one it was. */
static void pick(struct jit_translator *t, uint32_t i, const struct jit_s_op *s)
{
	struct xo a = gpr(0, 4), b = gpr(1, 4);
	jit_s_emit2(t, M_(MOV), a, source(t, i, 0, 4));
	jit_s_emit2(t, M_(MOV), b, source(t, i, 1, 4));
	jit_s_emit2(t, M_(CMP), a, b);
	set_scc(t, i, s->cond);
	jit_s_emit2(t, s->m, a, b);
	jit_s_emit2(t, M_(MOV), destination(t, i, 4), a);
}

/* All of each four bits of which one is set. */
static void quads(struct jit_translator *t, uint32_t i, const struct jit_s_op *s)
{
	static const uint64_t lowest[8] = { 0x1111111111111111 };
	struct xo a = gpr(0, s->bytes), b = gpr(1, s->bytes);
	jit_s_emit2(t, M_(MOV), a, source(t, i, 0, s->bytes));
	for (int by = 1; by <= 2; by++) {
		jit_s_emit2(t, M_(MOV), b, a);
		jit_s_emit2(t, M_(SHR), b, jit_x_imm(by));
		jit_s_emit2(t, M_(OR), a, b);
	}
	jit_s_emit2(t, M_(AND), a, jit_x_mem(RB_POOL, jit_x_vector(&t->b, lowest), s->bytes));
	X(&t->b, IMUL, a, a, jit_x_imm(15));
	jit_s_emit2(t, M_(MOV), destination(t, i, s->bytes), a);
	test(t, i, a, s->cond);
}

static void test_bit(struct jit_translator *t, uint32_t i, const struct jit_s_op *s)
{
	struct xo a = gpr(0, s->bytes);
	if (!t->in[i].scc_live)
		return;
	jit_s_emit2(t, M_(MOV), a, source(t, i, 0, s->bytes));
	jit_s_emit2(t, M_(MOV), gpr(1, 4), source(t, i, 1, 4));
	jit_s_emit2(t, M_(BT), a, gpr(1, s->bytes));
	set_scc(t, i, s->cond);
}

static void count(struct jit_translator *t, uint32_t i, const struct jit_s_op *s)
{
	struct xo a = gpr(0, s->bytes);
	jit_s_emit2(t, M_(MOV), a, source(t, i, 0, s->bytes));
	if (s->flags)
		X(&t->b, MOV, R(ECX), jit_x_imm(-1));
	jit_s_emit2(t, s->m, a, a);
	if (s->flags)
		X(&t->b, CMOVB, R(EAX), R(ECX));
	jit_s_emit2(t, M_(MOV), destination(t, i, 4), R(EAX));
	test(t, i, R(EAX), s->cond);
}

static void mul_hi(struct jit_translator *t, uint32_t i, const struct jit_s_op *s)
{
	X(&t->b, MOV, R(EAX), source(t, i, 0, 4));
	X(&t->b, MOV, R(ECX), source(t, i, 1, 4));
	if (s->flags) {
		X(&t->b, MOVSXD, R(RAX), R(EAX));
		X(&t->b, MOVSXD, R(RCX), R(ECX));
	}
	X(&t->b, IMUL, R(RAX), R(RCX));
	X(&t->b, SHR, R(RAX), jit_x_imm(32));
	X(&t->b, MOV, destination(t, i, 4), R(EAX));
}

/* The offset in bits 0 to 4, the width in 16 to 22. */
static void field(struct jit_translator *t, uint32_t i, const struct jit_s_op *s)
{
	X(&t->b, MOV, R(EAX), source(t, i, 0, 4));
	X(&t->b, MOV, R(ECX), source(t, i, 1, 4));
	X(&t->b, MOV, R(EDX), R(ECX));
	X(&t->b, AND, R(ECX), jit_x_imm(31));
	X(&t->b, SHR, R(EDX), jit_x_imm(8));
	X(&t->b, AND, R(EDX), jit_x_imm(0x7f00));
	X(&t->b, OR, R(ECX), R(EDX));
	X(&t->b, BEXTR, R(EAX), R(EAX), R(ECX));
	X(&t->b, MOV, destination(t, i, 4), R(EAX));
	test(t, i, R(EAX), s->cond);
}

void jit_scalar(struct jit_translator *t, uint32_t i)
{
	const struct gcn_inst *in = jit_rec(t, i)->in;
	const struct jit_s_op *s = &jit_s_ops[in->op];
	unsigned bytes = s->bytes;
	struct xo a = gpr(0, bytes), b;
	switch (s->kind) {
	case S_MOVE:
		b = in->fmt == GCN_SOPK ? jit_x_imm(in->offset) : source(t, i, 0, bytes);
		if (b.kind == XO_MEM) {
			jit_s_emit2(t, M_(MOV), a, b);
			b = a;
		}
		jit_s_emit2(t, M_(MOV), destination(t, i, bytes), b);
		break;
	case S_ARITH:
	case S_CARRY:
		arith(t, i, s);
		break;
	case S_LOGIC:
		jit_s_emit2(t, M_(MOV), a, source(t, i, 0, bytes));
		logic(t, s->m, s->flags, bytes, a, source(t, i, 1, bytes));
		jit_s_emit2(t, M_(MOV), destination(t, i, bytes), a);
		test(t, i, a, s->cond);
		break;
	case S_NOT:
		jit_s_emit2(t, M_(MOV), a, source(t, i, 0, bytes));
		jit_x_emit(&t->b, M_(NOT), -1, false, 1, &a);
		jit_s_emit2(t, M_(MOV), destination(t, i, bytes), a);
		test(t, i, a, s->cond);
		break;
	case S_QUADS:
		quads(t, i, s);
		break;
	case S_SHIFT:
		jit_s_emit2(t, M_(MOV), a, source(t, i, 0, bytes));
		jit_s_emit2(t, M_(MOV), gpr(1, 4), source(t, i, 1, 4));
		jit_x_emit(&t->b, (ZydisMnemonic)s->m, -1, false, 3, (struct xo[]){ a, a, gpr(1, bytes) });
		jit_s_emit2(t, M_(MOV), destination(t, i, bytes), a);
		test(t, i, a, s->cond);
		break;
	case S_SELECT:
	case S_CMOVE:
		select_by_scc(t, i, s);
		break;
	case S_COMPARE:
		compare(t, i, s);
		break;
	case S_PICK:
		pick(t, i, s);
		break;
	case S_BIT:
		test_bit(t, i, s);
		break;
	case S_EXTEND:
		jit_s_emit2(t, M_(MOV), gpr(1, 4), source(t, i, 0, 4));
		X(&t->b, MOVSX, R(EAX), s->bytes == 1 ? R(CL) : R(CX));
		jit_s_emit2(t, M_(MOV), destination(t, i, 4), R(EAX));
		break;
	case S_COUNT:
		count(t, i, s);
		break;
	case S_MUL_HI:
		mul_hi(t, i, s);
		break;
	case S_FIELD:
		field(t, i, s);
		break;
	case S_SAVEEXEC:
		saveexec(t, i, s);
		break;
	case S_LOAD:
		jit_s_load(t, i, s->flags);
		break;
	default:
		jit_s_buffer_load(t, i, s->flags);
	}
}
