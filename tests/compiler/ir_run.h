/* SPDX-License-Identifier: MIT */
/* Test support: runs an IR function for one lane over plain arrays.  Control flow and
 * memory are written from ir.h alone, so that it judges front end and passes; arithmetic
 * is that of ir_eval.h, which compiler/ir_exec compares with what the compute unit does. */
#ifndef TESTS_IR_RUN_H
#define TESTS_IR_RUN_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/ir/ir_eval.h"

enum { EVAL_BUFFER_WORDS = 4096, EVAL_MAX_STEPS = 20000000 };

struct eval {
	const struct ir_func *f;
	uint32_t lane;
	uint32_t place_bytes;                 /* between the places of bindings of a set (ir_binding_of_place) */
	uint64_t (*value)[4];                 /* by instruction id */
	uint64_t *vars;
	uint32_t *var_first;
	uint32_t buffer[16][EVAL_BUFFER_WORDS]; /* by binding number + 2 * set */
	uint32_t push[64], shared[16384], scratch[16384];
	bool output_mask[64];
	uint32_t output[64][4];
	bool demoted, failed;
	char message[200];
};

static inline float eval_f(uint64_t v) { uint32_t u = (uint32_t)v; float f; memcpy(&f, &u, 4); return f; }
static inline uint32_t eval_u(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }

/* What ir_eval leaves out, about as exact as the compute unit. */
static inline bool eval_approximate(unsigned op, unsigned bits, unsigned result_bits, const uint64_t *s, uint64_t *out)
{
	if (bits == 16 || bits == 64) { /* in single precision */
		uint64_t in[3] = { 0 }, single[3] = { 0 }, r[3] = { 0 };
		for (unsigned i = 0; i < 3; i++) {
			in[0] = s[i];
			ir_eval(IR_FCONV, bits, 32, in, &single[i]);
		}
		single[1] = op == IR_FLDEXP ? s[1] : single[1];
		if (!eval_approximate(op, 32, 32, single, r))
			return false;
		*out = r[0];
		if (op != IR_FREXP_EXP)
			ir_eval(IR_FCONV, 32, result_bits, r, out);
		return true;
	}
	float a = eval_f(s[0]), b = eval_f(s[1]), c = eval_f(s[2]);
	int e = 0;
	switch (op) {
	case IR_FMED3: *out = eval_u(fmaxf(fminf(a, b), fminf(fmaxf(a, b), c))); return true;
	case IR_FSAT: *out = eval_u(a > 0 ? a < 1 ? a : 1 : 0); return true;
	case IR_FRNDNE: *out = eval_u(rintf(a)); return true;
	case IR_FFRACT: *out = eval_u(fminf(a - floorf(a), 0x1.fffffep-1f)); return true;
	case IR_FRSQ: *out = eval_u((float)(1 / sqrt(a))); return true;
	case IR_FEXP2: *out = eval_u((float)exp2(a)); return true;
	case IR_FLOG2: *out = eval_u((float)log2(a)); return true;
	case IR_FSIN: *out = eval_u((float)sin(6.283185307179586 * (double)a)); return true;
	case IR_FCOS: *out = eval_u((float)cos(6.283185307179586 * (double)a)); return true;
	case IR_FLDEXP: *out = eval_u((float)ldexp(a, (int32_t)s[1])); return true;
	case IR_FREXP_MANT: *out = eval_u(isfinite(a) ? frexpf(a, &e) : a); return true;
	case IR_FREXP_EXP:
		if (isfinite(a))
			frexpf(a, &e);
		*out = (uint32_t)e;
		return true;
	default: return false;
	}
}

static inline uint32_t eval_fadd(uint32_t a, uint32_t b)
{
	float x, y;
	memcpy(&x, &a, 4);
	memcpy(&y, &b, 4);
	x += y;
	memcpy(&a, &x, 4);
	return x != x ? 0x7fc00000 : a;
}

static inline uint64_t eval_atomic(unsigned op, unsigned bits, uint64_t old, uint64_t a, uint64_t b)
{
	uint64_t sign = 1ull << (bits - 1); /* turned around, signed numbers are in the order of unsigned ones */
	switch (op) {
	case IR_ATOMIC_ADD: return old + a;
	case IR_ATOMIC_SUB: return old - a;
	case IR_ATOMIC_SMIN: return (old ^ sign) < (a ^ sign) ? old : a;
	case IR_ATOMIC_UMIN: return old < a ? old : a;
	case IR_ATOMIC_SMAX: return (old ^ sign) > (a ^ sign) ? old : a;
	case IR_ATOMIC_UMAX: return old > a ? old : a;
	case IR_ATOMIC_AND: return old & a;
	case IR_ATOMIC_OR: return old | a;
	case IR_ATOMIC_XOR: return old ^ a;
	case IR_ATOMIC_CMPSWAP: return old == b ? a : old;
	case IR_ATOMIC_FADD: return eval_fadd((uint32_t)old, (uint32_t)a);
	default: return a;
	}
}

/* The bytes that a memory instruction reaches, from where its offset points; NULL: none. */
static inline char *eval_memory(struct eval *e, const struct ir_inst *in, const uint64_t *s, unsigned *data,
	size_t *left)
{
	uint32_t *base, offset = (uint32_t)s[0];
	size_t bytes = 4 * EVAL_BUFFER_WORDS;
	*data = 1;
	if (IR_IS_GLOBAL(in->op)) { /* within the buffers */
		*data = 2;
		uintptr_t at = (uintptr_t)s[0] + (uint32_t)s[1] - (uintptr_t)e->buffer;
		*left = at < sizeof e->buffer ? sizeof e->buffer - at : 0;
		return (char *)e->buffer + at;
	}
	switch (in->op) {
	case IR_LOAD_PUSH: base = e->push; bytes = sizeof e->push; break;
	case IR_LOAD_SHARED: case IR_STORE_SHARED: case IR_ATOMIC_SHARED:
		base = e->shared;
		bytes = sizeof e->shared;
		break;
	case IR_LOAD_SCRATCH: case IR_STORE_SCRATCH: base = e->scratch; bytes = sizeof e->scratch; break;
	default:
		if (in->u.mem.binding == &ir_binding_of_place) {
			uint32_t set = (uint32_t)s[0] >> IR_PLACE_SHIFT, byte = (uint32_t)s[0] & ((1u << IR_PLACE_SHIFT) - 1);
			base = e->buffer[(2 * (set - 1) + byte / (e->place_bytes ? e->place_bytes : 1)) & 15];
			offset = (uint32_t)s[1];
			*data = 2;
			break;
		}
		base = e->buffer[(in->u.mem.binding->binding + 2 * in->u.mem.binding->set) & 15];
		offset = (uint32_t)s[1];
		*data = 2;
	}
	*left = offset < bytes ? bytes - offset : 0;
	return (char *)base + offset;
}

static inline void eval_access(struct eval *e, const struct ir_inst *in, const uint64_t *s)
{
	unsigned data, size = in->comps ? in->bits / 8u : 4;
	size_t left;
	char *m = eval_memory(e, in, s, &data, &left);
	uint64_t *v = e->value[in->id];
	if (IR_IS_ATOMIC(in->op)) {
		uint64_t value = 0;
		if (left >= size)
			memcpy(&value, m, size);
		v[0] = value;
		value = eval_atomic(in->u.mem.atomic, in->bits, value, s[data], s[data + 1]);
		if (left >= size)
			memcpy(m, &value, size);
		return;
	}
	for (unsigned i = 0; i < in->comps; i++) {
		v[i] = 0;
		if ((i + 1) * size <= left)
			memcpy(&v[i], m + i * size, size); /* little endian */
	}
	if (!in->comps)
		size = in->src[data].inst->bits / 8u;
	for (unsigned i = 0; !in->comps && i + data < in->srcs && (i + 1) * size <= left; i++)
		memcpy(m + i * size, &s[data + i], size);
}

static inline void eval_copy(struct eval *e, const struct ir_copy *c, const uint64_t *s)
{
	uint32_t from = c->from_slot + (c->from_dynamic ? (uint32_t)s[0] : 0);
	uint32_t to = c->to_slot + (c->to_dynamic ? (uint32_t)s[c->from_dynamic] : 0);
	if (from <= c->from->slots - c->count && to <= c->to->slots - c->count)
		memmove(e->vars + e->var_first[c->to->index] + to, e->vars + e->var_first[c->from->index] + from,
			c->count * sizeof *e->vars);
}

static inline void eval_sysval(struct eval *e, const struct ir_inst *in, uint64_t *v)
{
	memset(v, 0, sizeof e->value[0]);
	if (in->u.io.mode == IR_SYS_LOCAL_ID || in->u.io.mode == IR_SYS_LANE)
		v[0] = e->lane;
}

static inline bool eval_inst(struct eval *e, const struct ir_inst *in)
{
	uint64_t s[40] = { 0 }, *v = e->value[in->id];
	unsigned op = in->op;
	for (unsigned i = 0; i < in->srcs && i < 40; i++)
		s[i] = e->value[in->src[i].inst->id][in->src[i].comp];
	if (in->bits && (ir_eval((enum ir_op)op, ir_operand_bits(in), in->bits, s, v) || eval_approximate(op, ir_operand_bits(in), in->bits, s, v)))
		return true;
	uint64_t slot;
	switch (op) {
	case IR_READ_FIRST: case IR_FIRST_LANE: case IR_VOTE_ANY: case IR_VOTE_ALL: case IR_SHUFFLE: v[0] = s[0]; return true;
	case IR_CONST: v[0] = in->u.imm; return true;
	case IR_UNDEF: v[0] = in->bits == 1 ? 0 : 0xdeadbeefdeadbeefull & ir_ones(in->bits); return true;
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
	case IR_SSBO_SIZE: v[0] = EVAL_BUFFER_WORDS * 4; return true;
	case IR_SYSVAL: eval_sysval(e, in, v); return true;
	case IR_STORE_OUTPUT:
		e->output_mask[in->u.io.slot] = true;
		for (unsigned i = 0; i < 4; i++)
			e->output[in->u.io.slot][i] = (uint32_t)s[i];
		return true;
	case IR_BARRIER: case IR_MEM_BARRIER: return true;
	case IR_DEMOTE: e->demoted |= s[0]; return true;
	case IR_IS_HELPER: v[0] = e->demoted; return true;
	case IR_ELECT: v[0] = 1; return true;
	case IR_BALLOT: case IR_BALLOT_QUADS: v[0] = s[0]; v[1] = 0; return true;
	default: break;
	}
	if (ir_info(in)->family == IR_MEM_OP) {
		eval_access(e, in, s);
		return true;
	}
	snprintf(e->message, sizeof e->message, "%s is not for this test", ir_info(in)->name);
	e->failed = true;
	return false;
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
	e->vars = malloc((total + 1) * sizeof *e->vars);
	for (uint32_t i = 0; i < total; i++)
		e->vars[i] = 1; /* fit for bools */
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
