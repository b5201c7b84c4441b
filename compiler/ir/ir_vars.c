/* SPDX-License-Identifier: MIT */
/* Variables with dynamic indices: short ones become selects, others scratch.
 * Needs nothing; leaves cfg and only variables that ir_pass_ssa can take. */
#include "compiler/ir/ir_vars.h"

#include <stddef.h>

#include "isa/abi.h"

enum { MAX_SELECTS = 8, SELECT_SLOTS = 32 };
/* Instructions: a choice, and what an access to scratch costs more than a register, all of them as often as a loop's turns. */
enum { CHOICE = 2, SCRATCH = 4, TURNS = 8, MAX_DEPTH = 3 };
enum { COPY_STEP = 8 }; /* dwords that a turn of a copying loop moves */
enum { VAR_SSA, VAR_SELECT, VAR_SCRATCH };

/* A power of two or constant that divides the index, so that only every
 * stride-th slot can be meant.  Looks through `depth` additions. */
static uint32_t stride_of(struct ir_src index, unsigned depth)
{
	const struct ir_inst *in = index.inst;
	if (in->op == IR_ISHL && in->src[1].inst->op == IR_CONST)
		return 1u << (in->src[1].inst->u.imm & 31);
	if (in->op == IR_IMUL && in->src[1].inst->op == IR_CONST && in->src[1].inst->u.imm)
		return (uint32_t)in->src[1].inst->u.imm;
	if (in->op == IR_IMUL && in->src[0].inst->op == IR_CONST && in->src[0].inst->u.imm)
		return (uint32_t)in->src[0].inst->u.imm;
	if (in->op == IR_IADD && depth) {
		uint32_t a = stride_of(in->src[0], depth - 1), b = stride_of(in->src[1], depth - 1);
		while (b) {
			uint32_t t = a % b;
			a = b;
			b = t;
		}
		return a ? a : 1;
	}
	if (in->op == IR_CONST)
		return in->u.imm ? (uint32_t)in->u.imm : 1u << 31;
	return 1;
}

static uint32_t index_stride(struct ir_src index)
{
	return stride_of(index, 6);
}

bool ir_is_indirect(const struct ir_inst *in)
{
	return (in->op == IR_LOAD_VAR && in->srcs == 1) || (in->op == IR_STORE_VAR && in->srcs == 2);
}

static uint32_t choices(const struct ir_inst *in)
{
	const struct ir_var *v = in->u.var.var;
	uint32_t stride = index_stride(in->src[in->srcs - 1]);
	return in->u.var.slot >= v->slots ? 0 : (v->slots - in->u.var.slot + stride - 1) / stride;
}

bool ir_is_choice(const struct ir_inst *in)
{
	return in->u.var.var->slots <= SELECT_SLOTS && choices(in) <= MAX_SELECTS;
}

static void lower_select(struct ir_func *f, struct ir_inst *in)
{
	struct ir_builder b = { f, in->block, in, in->word };
	struct ir_var *v = in->u.var.var;
	bool load = in->op == IR_LOAD_VAR;
	uint32_t slot = in->u.var.slot, stride = index_stride(in->src[in->srcs - 1]);
	struct ir_src index = in->src[in->srcs - 1], value;
	value = load ? (slot < v->slots ? ir_load_var(&b, v, slot) : ir_undef(&b, v->bits)) : in->src[0];
	for (uint32_t s = load ? slot + stride : slot; s >= slot && s < v->slots; s += stride) {
		struct ir_src hit = ir_op2(&b, IR_ICMP_EQ, index, ir_const(&b, s - slot));
		struct ir_src old = ir_load_var(&b, v, s);
		if (load)
			value = ir_op3(&b, IR_SELECT, hit, old, value);
		else
			ir_store_var(&b, v, s, ir_op3(&b, IR_SELECT, hit, value, old));
	}
	if (load)
		ir_become_copy(in, value);
	else
		ir_remove(in);
}

/* A slot's byte offset from the variable's beginning. */
static struct ir_src slot_offset(struct ir_builder *b, const struct ir_var *v, struct ir_src slot)
{
	return ir_op2(b, IR_ISHL, slot, ir_const(b, ir_slot_dwords(v) > 1 ? 3 : 2));
}

static struct ir_src to_scratch(struct ir_builder *b, struct ir_src value)
{
	unsigned bits = value.inst->bits;
	return bits == 1 ? ir_op1(b, IR_B2I, value) : bits < 32 ? ir_convert(b, IR_UCONV, 32, value) : value;
}

struct ir_src ir_from_slot(struct ir_builder *b, struct ir_src value, unsigned bits)
{
	if (bits == 1)
		return ir_op2(b, IR_ICMP_NE, value, ir_const(b, 0));
	return bits < 32 ? ir_convert(b, IR_UCONV, bits, value) : value;
}

static void lower_scratch(struct ir_func *f, struct ir_inst *in)
{
	struct ir_builder b = { f, in->block, in, in->word };
	struct ir_var *v = in->u.var.var;
	bool load = in->op == IR_LOAD_VAR;
	struct ir_src at = ir_const(&b, in->u.var.slot);
	if (ir_is_indirect(in)) {
		at = ir_op2(&b, IR_IADD, in->src[in->srcs - 1], at);
		at = ir_op2(&b, IR_UMIN, at, ir_const(&b, v->slots - 1));
	}
	at = ir_op2(&b, IR_IADD, slot_offset(&b, v, at), ir_const(&b, v->scratch));
	struct ir_inst *access = load ? ir_inst_new(f, IR_LOAD_SCRATCH, 32 * ir_slot_dwords(v), 1, 1) :
		ir_inst_new(f, IR_STORE_SCRATCH, 0, 0, 2);
	access->src[0] = at;
	access->u.mem.align = 4;
	if (!load)
		access->src[1] = to_scratch(&b, in->src[0]);
	ir_insert(&b, access);
	if (load)
		ir_become_copy(in, ir_from_slot(&b, ir_comp(access, 0), v->bits));
	else
		ir_remove(in);
}

/* Byte address in scratch of slot `slot` (+ *dynamic) of `count` that are meant. */
static struct ir_src copy_address(struct ir_builder *b, const struct ir_var *v, uint32_t slot, uint32_t count,
	const struct ir_src *dynamic)
{
	if (!dynamic)
		return ir_const(b, v->scratch + slot * 4 * ir_slot_dwords(v));
	struct ir_src at = ir_op2(b, IR_IADD, *dynamic, ir_const(b, slot));
	at = ir_op2(b, IR_UMIN, at, ir_const(b, v->slots - count));
	return ir_op2(b, IR_IADD, slot_offset(b, v, at), ir_const(b, v->scratch));
}

/* n dwords, all loads before all stores. */
static void copy_words(struct ir_builder *b, struct ir_src from, struct ir_src to, uint32_t n)
{
	struct ir_inst *load[COPY_STEP];
	for (uint32_t k = 0; k < n; k++) {
		load[k] = ir_inst_new(b->func, IR_LOAD_SCRATCH, 32, 1, 1);
		load[k]->src[0] = ir_op2(b, IR_IADD, from, ir_const(b, k * 4));
		load[k]->u.mem.align = 4;
		ir_insert(b, load[k]);
	}
	for (uint32_t k = 0; k < n; k++) {
		struct ir_inst *store = ir_inst_new(b->func, IR_STORE_SCRATCH, 0, 0, 2);
		store->src[0] = ir_op2(b, IR_IADD, to, ir_const(b, k * 4));
		store->src[1] = ir_comp(load[k], 0);
		store->u.mem.align = 4;
		ir_insert(b, store);
	}
}

/* A loop over the whole steps; the rest first. */
static void lower_copy(struct ir_func *f, struct ir_inst *in)
{
	struct ir_builder b = { f, in->block, in, in->word };
	const struct ir_copy *c = in->u.copy;
	struct ir_src from = copy_address(&b, c->from, c->from_slot, c->count, c->from_dynamic ? &in->src[0] : NULL);
	struct ir_src to = copy_address(&b, c->to, c->to_slot, c->count, c->to_dynamic ? &in->src[in->srcs - 1] : NULL);
	uint32_t dwords = c->count * ir_slot_dwords(c->from), bytes = dwords / COPY_STEP * COPY_STEP * 4;
	struct ir_src end = ir_const(&b, bytes);
	copy_words(&b, ir_op2(&b, IR_IADD, from, end), ir_op2(&b, IR_IADD, to, end), dwords % COPY_STEP);
	struct ir_var *at = ir_var_new(f, 32, 1, "copy");
	ir_store_var(&b, at, 0, ir_const(&b, 0));
	struct ir_loop *loop = ir_split_loop(&b);
	struct ir_src here = ir_load_var(&b, at, 0), next = ir_op2(&b, IR_IADD, here, ir_const(&b, COPY_STEP * 4));
	copy_words(&b, ir_op2(&b, IR_IADD, from, here), ir_op2(&b, IR_IADD, to, here), COPY_STEP);
	ir_store_var(&b, at, 0, next);
	struct ir_if *done = ir_begin_if(&b, ir_op2(&b, IR_UCMP_LE, ir_const(&b, bytes), next));
	ir_jump(&b, IR_JUMP_BREAK);
	ir_end_if(&b, done);
	ir_begin_cont(&b, loop);
	ir_end_loop(&b, loop);
	ir_remove(in);
}

/* Backwards: what follows a copy moves to another block, once. */
static void lower_copies(struct ir_func *f, const uint8_t *plan)
{
	bool any = false;
	for (uint32_t i = f->block_count; i-- > 0;)
		for (struct ir_inst *in = f->blocks[i]->last, *prev; in && ir_charge(f->pool, 1); in = prev) {
			prev = in->prev;
			if (in->op != IR_COPY_VAR || plan[in->u.copy->from->index] != VAR_SCRATCH)
				continue;
			lower_copy(f, in);
			any = true;
		}
	if (any)
		ir_cfg(f);
}

static uint32_t group_of(uint32_t *group, uint32_t v)
{
	while (group[v] != v)
		v = group[v] = group[group[v]];
	return v;
}

/* Variables that are copied to each other are all in scratch or none. */
static void plan_copies(struct ir_func *f, uint8_t *plan)
{
	uint32_t *group = NULL;
	for (uint32_t i = 0; i < f->block_count; i++)
		for (const struct ir_inst *in = f->blocks[i]->first; in; in = in->next) {
			if (in->op != IR_COPY_VAR)
				continue;
			if (!group) {
				group = ir_alloc(f->pool, f->var_count * sizeof *group);
				if (ir_pool_failed(f->pool))
					return;
				for (uint32_t v = 0; v < f->var_count; v++)
					group[v] = v;
			}
			const struct ir_copy *c = in->u.copy;
			group[group_of(group, c->to->index)] = group_of(group, c->from->index);
			if (c->from_dynamic || c->to_dynamic)
				plan[c->from->index] = VAR_SCRATCH;
		}
	if (!group)
		return;
	for (uint32_t v = 0; v < f->var_count; v++)
		if (plan[v] == VAR_SCRATCH)
			plan[group_of(group, v)] = VAR_SCRATCH;
	for (uint32_t v = 0; v < f->var_count; v++)
		if (plan[group_of(group, v)] == VAR_SCRATCH)
			plan[v] = VAR_SCRATCH;
}

/* False, and the pool has failed, if there is too much of it. */
static bool place_scratch(struct ir_func *f, const uint8_t *plan)
{
	uint64_t total = f->scratch_bytes;
	const struct ir_var *largest = NULL;
	for (struct ir_var *v = f->vars; v; v = v->next)
		if (plan[v->index] == VAR_SCRATCH) {
			v->scratch = (uint32_t)total;
			total += (uint64_t)v->slots * ir_slot_dwords(v) * 4;
			largest = largest && largest->slots >= v->slots ? largest : v;
		}
	if (total > ABI_MAX_SCRATCH_BYTES) {
		ir_pool_refuse_scratch(f->pool, total, largest->word);
		return false;
	}
	f->scratch_bytes = (uint32_t)total;
	return true;
}

/* The last store to a slot, and when; numbers of instructions, from 1 on. */
struct last_store { struct ir_inst *store; uint32_t when; };

/* In scratch, stores that another one follows in the same block before anybody reads the variable: what a variable holds before
 * it is given a value above all. */
static void remove_dead_stores(struct ir_func *f, const uint8_t *plan)
{
	struct last_store **last = ir_alloc(f->pool, f->var_count * sizeof *last);
	uint32_t *read = ir_alloc(f->pool, f->var_count * sizeof *read), when = 0;
	for (struct ir_var *v = f->vars; v && !ir_pool_failed(f->pool); v = v->next)
		if (plan[v->index] == VAR_SCRATCH)
			last[v->index] = ir_alloc(f->pool, v->slots * sizeof **last);
	for (uint32_t i = 0; i < f->block_count && !ir_pool_failed(f->pool); i++) {
		const uint32_t begin = when;
		for (struct ir_inst *in = f->blocks[i]->first; in; in = in->next) {
			when++;
			if (in->op == IR_COPY_VAR)
				read[in->u.copy->from->index] = read[in->u.copy->to->index] = when;
			if (in->op != IR_LOAD_VAR && in->op != IR_STORE_VAR)
				continue;
			const struct ir_var *v = in->u.var.var;
			if (in->op == IR_LOAD_VAR)
				read[v->index] = when;
			if (in->op == IR_LOAD_VAR || ir_is_indirect(in) || plan[v->index] != VAR_SCRATCH || in->u.var.slot >= v->slots)
				continue;
			struct last_store *const l = &last[v->index][in->u.var.slot];
			if (l->when > begin && l->when > read[v->index])
				ir_remove(l->store);
			*l = (struct last_store){ in, when };
		}
	}
}

/* How often a block runs, compared with others. */
static uint32_t weight_of(const struct ir_block *b)
{
	uint32_t weight = 1, depth = 0;
	for (const struct ir_node *n = b->node.list->owner; n && depth < MAX_DEPTH; n = n->list->owner)
		if (n->kind == IR_NODE_LOOP) {
			weight *= TURNS;
			depth++;
		}
	return weight;
}

/* What a variable's accesses cost: choices where its indices are dynamic, of which one may be of many; the others in scratch. */
struct accesses { uint64_t choices, others; bool any, many; };

static void count_access(struct accesses *a, const struct ir_inst *in, uint32_t weight)
{
	if (!ir_is_indirect(in)) {
		a->others += SCRATCH * weight;
		return;
	}
	a->any = true;
	a->many |= !ir_is_choice(in);
	a->choices += (uint64_t)CHOICE * choices(in) * weight;
}

/* Arrays that are indexed by constants for the most part, as those of loops that became their turns are, stay in registers. */
static void plan_variables(struct ir_func *f, uint8_t *plan)
{
	struct accesses *of = ir_calloc(f->pool, f->var_count + 1, sizeof *of);
	for (uint32_t i = 0; i < f->block_count && !ir_pool_failed(f->pool); i++) {
		const uint32_t weight = weight_of(f->blocks[i]);
		for (const struct ir_inst *in = f->blocks[i]->first; in; in = in->next)
			if (in->op == IR_LOAD_VAR || in->op == IR_STORE_VAR)
				count_access(&of[in->u.var.var->index], in, weight);
	}
	for (const struct ir_var *v = f->vars; v && !ir_pool_failed(f->pool); v = v->next) {
		const struct accesses *a = &of[v->index];
		const bool selects = !a->many || (v->slots <= SELECT_SLOTS && a->choices <= a->others);
		if (a->any)
			plan[v->index] = selects ? VAR_SELECT : VAR_SCRATCH;
	}
	ir_free(f->pool, of);
}

void ir_pass_lower_vars(struct ir_func *f)
{
	uint8_t *plan = ir_alloc(f->pool, f->var_count + 1);
	ir_cfg(f);
	if (ir_pool_failed(f->pool))
		return;
	plan_variables(f, plan);
	plan_copies(f, plan);
	if (ir_pool_failed(f->pool) || !place_scratch(f, plan))
		return;
	if (f->scratch_bytes)
		remove_dead_stores(f, plan);
	for (uint32_t i = 0; i < f->block_count; i++)
		for (struct ir_inst *in = f->blocks[i]->first, *next; in; in = next) {
			next = in->next;
			if (in->op != IR_LOAD_VAR && in->op != IR_STORE_VAR)
				continue;
			if (plan[in->u.var.var->index] == VAR_SCRATCH)
				lower_scratch(f, in);
			else if (ir_is_indirect(in))
				lower_select(f, in);
		}
	lower_copies(f, plan);
}
