/* SPDX-License-Identifier: MIT */
/* Test support: runs an IR function for one lane over plain arrays.  Written
 * from ir.h and ir_ops.def alone, so that it judges front end and passes. */
#ifndef TESTS_IR_EVAL_H
#define TESTS_IR_EVAL_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/ir/ir.h"

enum { EVAL_BUFFER_WORDS = 4096, EVAL_MAX_STEPS = 20000000 };

struct eval {
	const struct ir_func *f;
	uint32_t (*value)[4];                 /* by instruction id */
	uint32_t *vars, *var_first;
	uint32_t buffer[16][EVAL_BUFFER_WORDS]; /* by binding number */
	uint32_t push[64], shared[16384], scratch[16384];
	bool output_mask[64];
	uint32_t output[64][4];
	bool demoted, failed;
	char message[200];
};

static inline float eval_f(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }
static inline uint32_t eval_u(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }

static inline float eval_half(uint32_t h)
{
	uint32_t e = h >> 10 & 31, m = h & 1023;
	float v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpf((float)(m | 1024), (int)e - 25) : ldexpf((float)m, -24);
	return h & 0x8000 ? -v : v;
}

static inline uint32_t eval_to_half(float f)
{
	uint32_t sign = eval_u(f) >> 16 & 0x8000;
	float a = fabsf(f);
	if (isnan(f))
		return sign | 0x7e00;
	if (a >= 65520.0f)
		return sign | 0x7c00;
	if (a < 0x1p-14f)
		return sign | (uint32_t)rintf(ldexpf(a, 24));
	int e = ilogbf(a);
	uint32_t m = (uint32_t)rintf(ldexpf(a, 10 - e));
	return sign | (((uint32_t)(e + 15) << 10) + m - 1024);
}

static inline uint32_t eval_f2i(float f)
{
	return isnan(f) ? 0 : f >= 2147483648.0f ? 0x7fffffffu : f <= -2147483648.0f ? 0x80000000u : (uint32_t)(int32_t)f;
}

static inline uint32_t eval_f2u(float f)
{
	return isnan(f) || f <= 0 ? 0 : f >= 4294967296.0f ? ~0u : (uint32_t)f;
}

static inline uint32_t eval_bfe(uint32_t v, uint32_t offset, uint32_t count, bool is_signed)
{
	offset &= 31;
	count &= 31;
	if (!count)
		return 0;
	v >>= offset;
	if (offset + count > 32)
		return is_signed ? (uint32_t)((int32_t)(v << offset) >> offset) : v;
	uint32_t r = v & ((1u << count) - 1);
	return is_signed && r >> (count - 1) & 1 ? r | ~((1u << count) - 1) : r;
}

static inline uint32_t eval_float_op(unsigned op, const uint32_t *s)
{
	float a = eval_f(s[0]), b = eval_f(s[1]), c = eval_f(s[2]);
	switch (op) {
	case IR_FADD: return eval_u(a + b);
	case IR_FSUB: return eval_u(a - b);
	case IR_FMUL: return eval_u(a * b);
	case IR_FFMA: return eval_u(fmaf(a, b, c));
	case IR_FMIN: return eval_u(fminf(a, b));
	case IR_FMAX: return eval_u(fmaxf(a, b));
	case IR_FMED3: return eval_u(fmaxf(fminf(a, b), fminf(fmaxf(a, b), c)));
	case IR_FNEG: return s[0] ^ 0x80000000u;
	case IR_FABS: return s[0] & 0x7fffffff;
	case IR_FSAT: return eval_u(a > 0 ? a < 1 ? a : 1 : 0);
	case IR_FFLOOR: return eval_u(floorf(a));
	case IR_FCEIL: return eval_u(ceilf(a));
	case IR_FTRUNC: return eval_u(truncf(a));
	case IR_FRNDNE: return eval_u(rintf(a));
	case IR_FFRACT: return eval_u(fminf(a - floorf(a), 0x1.fffffep-1f));
	case IR_FRCP: return eval_u(1 / a);
	case IR_FRSQ: return eval_u((float)(1 / sqrt(a)));
	case IR_FSQRT: return eval_u(sqrtf(a));
	case IR_FEXP2: return eval_u((float)exp2(a));
	case IR_FLOG2: return eval_u((float)log2(a));
	case IR_FSIN: return eval_u((float)sin(6.283185307179586 * (double)a));
	case IR_FCOS: return eval_u((float)cos(6.283185307179586 * (double)a));
	case IR_FLDEXP: return eval_u((float)ldexp(a, (int32_t)s[1]));
	case IR_FREXP_MANT: { int e; return eval_u(isfinite(a) ? frexpf(a, &e) : a); }
	case IR_FREXP_EXP: { int e = 0; if (isfinite(a)) frexpf(a, &e); return (uint32_t)e; }
	case IR_FCMP_EQ: return a == b;
	case IR_FCMP_NE: return a != b;
	case IR_FCMP_LT: return a < b;
	case IR_FCMP_LE: return a <= b;
	case IR_FCMP_LTU: return !(a >= b);
	case IR_FCMP_LEU: return !(a > b);
	case IR_FCMP_EQU: return a == b || isunordered(a, b);
	case IR_FCMP_NEO: return a < b || a > b;
	case IR_F2I: return eval_f2i(a);
	case IR_F2U: return eval_f2u(a);
	case IR_I2F: return eval_u((float)(int32_t)s[0]);
	case IR_U2F: return eval_u((float)s[0]);
	case IR_F32_TO_F16: return eval_to_half(a);
	case IR_F16_TO_F32: return eval_u(eval_half(s[0] & 0xffff));
	case IR_QUANTIZE_F16: return eval_u(fabsf(a) < 0x1p-14f ? copysignf(0, a) : eval_half(eval_to_half(a)));
	default: return 0;
	}
}

static inline bool eval_int_op(unsigned op, const uint32_t *s, uint32_t *out)
{
	uint32_t a = s[0], b = s[1], c = s[2], r;
	int32_t x = (int32_t)a, y = (int32_t)b;
	switch (op) {
	case IR_IADD: r = a + b; break;
	case IR_ISUB: r = a - b; break;
	case IR_IMUL: r = a * b; break;
	case IR_IMULHI: r = (uint32_t)((uint64_t)((int64_t)x * y) >> 32); break;
	case IR_UMULHI: r = (uint32_t)((uint64_t)a * b >> 32); break;
	case IR_UDIV: r = b ? a / b : ~0u; break;
	case IR_UMOD: r = b ? a % b : a; break;
	case IR_SDIV: r = b == 0 ? ~0u : y == -1 ? 0u - a : (uint32_t)(x / y); break;
	case IR_SREM: r = b == 0 ? a : y == -1 ? 0 : (uint32_t)(x % y); break;
	case IR_IAND: r = a & b; break;
	case IR_IOR: r = a | b; break;
	case IR_IXOR: r = a ^ b; break;
	case IR_INOT: r = ~a; break;
	case IR_ISHL: r = a << (b & 31); break;
	case IR_USHR: r = a >> (b & 31); break;
	case IR_SSHR: r = (uint32_t)(x >> (b & 31)); break;
	case IR_SMIN: r = x < y ? a : b; break;
	case IR_SMAX: r = x > y ? a : b; break;
	case IR_UMIN: r = a < b ? a : b; break;
	case IR_UMAX: r = a > b ? a : b; break;
	case IR_ICMP_EQ: r = a == b; break;
	case IR_ICMP_NE: r = a != b; break;
	case IR_SCMP_LT: r = x < y; break;
	case IR_SCMP_LE: r = x <= y; break;
	case IR_UCMP_LT: r = a < b; break;
	case IR_UCMP_LE: r = a <= b; break;
	case IR_UBFE: r = eval_bfe(a, b, c, false); break;
	case IR_SBFE: r = eval_bfe(a, b, c, true); break;
	case IR_BFI: r = (a & b) | (~a & c); break;
	case IR_BFM: r = ((1u << (a & 31)) - 1) << (b & 31); break;
	case IR_BITREV: r = 0; for (int i = 0; i < 32; i++) r |= (a >> i & 1) << (31 - i); break;
	case IR_BITCOUNT: r = (uint32_t)__builtin_popcount(a); break;
	case IR_FIND_LSB: r = a ? (uint32_t)__builtin_ctz(a) : ~0u; break;
	case IR_UFIND_MSB: r = a ? 31 - (uint32_t)__builtin_clz(a) : ~0u; break;
	case IR_SFIND_MSB: a = x < 0 ? ~a : a; r = a ? 31 - (uint32_t)__builtin_clz(a) : ~0u; break;
	case IR_UADD_CARRY: r = a + b < a; break;
	case IR_USUB_BORROW: r = a < b; break;
	case IR_BAND: r = a & b; break;
	case IR_BOR: r = a | b; break;
	case IR_BXOR: r = a ^ b; break;
	case IR_BNOT: r = !a; break;
	case IR_SELECT: r = a ? b : c; break;
	case IR_B2I: case IR_COPY: case IR_READ_FIRST: case IR_VOTE_ANY: case IR_VOTE_ALL: case IR_SHUFFLE: r = a; break;
	default: return false;
	}
	*out = r;
	return true;
}

static inline uint32_t eval_atomic(unsigned op, uint32_t old, uint32_t a, uint32_t b)
{
	switch (op) {
	case IR_ATOMIC_ADD: return old + a;
	case IR_ATOMIC_SUB: return old - a;
	case IR_ATOMIC_SMIN: return (int32_t)old < (int32_t)a ? old : a;
	case IR_ATOMIC_UMIN: return old < a ? old : a;
	case IR_ATOMIC_SMAX: return (int32_t)old > (int32_t)a ? old : a;
	case IR_ATOMIC_UMAX: return old > a ? old : a;
	case IR_ATOMIC_AND: return old & a;
	case IR_ATOMIC_OR: return old | a;
	case IR_ATOMIC_XOR: return old ^ a;
	case IR_ATOMIC_CMPSWAP: return old == b ? a : old;
	default: return a;
	}
}

/* The words that a memory instruction reaches, from where its offset points; NULL: none. */
static inline uint32_t *eval_memory(struct eval *e, const struct ir_inst *in, const uint32_t *s, unsigned *data, size_t *left)
{
	uint32_t *base, offset;
	size_t words = EVAL_BUFFER_WORDS;
	*data = 1;
	switch (in->op) {
	case IR_LOAD_PUSH: base = e->push; offset = s[0]; words = 64; break;
	case IR_LOAD_SHARED: case IR_STORE_SHARED: case IR_ATOMIC_SHARED: base = e->shared; offset = s[0]; words = 16384; break;
	case IR_LOAD_SCRATCH: case IR_STORE_SCRATCH: base = e->scratch; offset = s[0]; words = 16384; break;
	default: base = e->buffer[in->u.mem.binding->binding & 15]; offset = s[1]; *data = 2;
	}
	*left = offset / 4 < words ? words - offset / 4 : 0;
	return *left ? base + offset / 4 : NULL;
}

static inline void eval_access(struct eval *e, const struct ir_inst *in, const uint32_t *s)
{
	unsigned data;
	size_t left;
	uint32_t *m = eval_memory(e, in, s, &data, &left), *v = e->value[in->id];
	bool atomic = in->op == IR_ATOMIC_SSBO || in->op == IR_ATOMIC_SHARED;
	if (atomic) {
		v[0] = m ? *m : 0;
		if (m)
			*m = eval_atomic(in->u.mem.atomic, *m, s[data], in->srcs > data + 1 ? s[data + 1] : 0);
	} else if (in->comps) {
		for (unsigned i = 0; i < in->comps; i++)
			v[i] = i < left ? m[i] : 0;
	} else {
		for (unsigned i = 0; i + data < in->srcs && i < left; i++)
			m[i] = s[data + i];
	}
}

static inline void eval_copy(struct eval *e, const struct ir_copy *c, const uint32_t *s)
{
	uint32_t from = c->from_slot + (c->from_dynamic ? s[0] : 0), to = c->to_slot + (c->to_dynamic ? s[c->from_dynamic] : 0);
	if (from <= c->from->slots - c->count && to <= c->to->slots - c->count)
		memmove(e->vars + e->var_first[c->to->index] + to, e->vars + e->var_first[c->from->index] + from, c->count * 4);
}

static inline bool eval_inst(struct eval *e, const struct ir_inst *in)
{
	uint32_t s[40] = { 0 }, *v = e->value[in->id];
	unsigned op = in->op;
	for (unsigned i = 0; i < in->srcs && i < 40; i++)
		s[i] = e->value[in->src[i].inst->id][in->src[i].comp];
	if ((op >= IR_FADD && op <= IR_FCMP_NEO) || (op >= IR_F2I && op <= IR_QUANTIZE_F16)) {
		v[0] = eval_float_op(op, s);
		return true;
	}
	if (eval_int_op(op, s, v))
		return true;
	uint32_t slot;
	switch (op) {
	case IR_CONST: v[0] = in->u.imm; return true;
	case IR_UNDEF: v[0] = in->bits == 1 ? 0 : 0xdeadbeef; return true;
	case IR_LOAD_VAR:
		slot = in->u.var.slot + (in->srcs ? s[0] : 0);
		v[0] = slot < in->u.var.var->slots ? e->vars[e->var_first[in->u.var.var->index] + slot] : 0;
		return true;
	case IR_STORE_VAR:
		slot = in->u.var.slot + (in->srcs > 1 ? s[1] : 0);
		if (slot < in->u.var.var->slots)
			e->vars[e->var_first[in->u.var.var->index] + slot] = s[0];
		return true;
	case IR_COPY_VAR:
		eval_copy(e, in->u.copy, s);
		return true;
	case IR_LOAD_UBO: case IR_LOAD_SSBO: case IR_STORE_SSBO: case IR_ATOMIC_SSBO: case IR_LOAD_PUSH: case IR_LOAD_SHARED:
	case IR_STORE_SHARED: case IR_ATOMIC_SHARED: case IR_LOAD_SCRATCH: case IR_STORE_SCRATCH:
		eval_access(e, in, s);
		return true;
	case IR_SSBO_SIZE: v[0] = EVAL_BUFFER_WORDS * 4; return true;
	case IR_SYSVAL: memset(v, 0, sizeof e->value[0]); return true;
	case IR_STORE_OUTPUT:
		e->output_mask[in->u.io.slot] = true;
		memcpy(e->output[in->u.io.slot], s, 16);
		return true;
	case IR_BARRIER: case IR_MEM_BARRIER: return true;
	case IR_DEMOTE: e->demoted |= s[0]; return true;
	case IR_IS_HELPER: v[0] = e->demoted; return true;
	case IR_ELECT: v[0] = 1; return true;
	case IR_BALLOT: v[0] = s[0]; v[1] = 0; return true;
	default:
		snprintf(e->message, sizeof e->message, "%s is not for this test", ir_op_infos[op].name);
		e->failed = true;
		return false;
	}
}

/* All phis of a block read before any writes: the new values wait in component 1. */
static inline void eval_phis(struct eval *e, const struct ir_block *block, uint32_t pred)
{
	for (const struct ir_inst *in = block->first; in && in->op == IR_PHI; in = in->next)
		e->value[in->id][1] = e->value[in->src[pred].inst->id][in->src[pred].comp];
	for (const struct ir_inst *in = block->first; in && in->op == IR_PHI; in = in->next)
		e->value[in->id][0] = e->value[in->id][1];
}

/* Runs f, which ir_cfg has seen.  False with e->message: it cannot be run. */
static inline bool eval_run(struct eval *e, const struct ir_func *f)
{
	uint32_t total = 0, steps = 0, pred = 0;
	e->f = f;
	e->value = calloc(f->inst_count + 1, sizeof *e->value);
	e->var_first = calloc(f->var_count + 1, sizeof *e->var_first);
	for (const struct ir_var *v = f->vars; v; v = v->next) {
		e->var_first[v->index] = total;
		total += v->slots;
	}
	e->vars = malloc((total + 1) * 4);
	memset(e->vars, 0xa5, (total + 1) * 4);
	for (uint32_t i = 0; i < total; i++)
		e->vars[i] &= 1; /* fit for bools */
	const struct ir_block *block = f->blocks[0];
	while (block && !e->failed) {
		eval_phis(e, block, pred);
		for (const struct ir_inst *in = block->first; in && !e->failed; in = in->next)
			if (in->op != IR_PHI)
				eval_inst(e, in);
		if (++steps > EVAL_MAX_STEPS) {
			snprintf(e->message, sizeof e->message, "runs without end");
			e->failed = true;
		}
		const struct ir_block *next = block->succ[0];
		const struct ir_node *after = block->node.next;
		if (!block->jump && after && after->kind == IR_NODE_IF) {
			struct ir_src c = ((const struct ir_if *)after)->cond;
			next = e->value[c.inst->id][c.comp] ? block->succ[0] : block->succ[1];
		}
		for (pred = 0; next && pred < next->preds && next->pred[pred] != block; pred++)
			;
		block = next;
	}
	free(e->value);
	free(e->vars);
	free(e->var_first);
	return !e->failed;
}

#endif
