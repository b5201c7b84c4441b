/* SPDX-License-Identifier: MIT */
/* Generators of control flow and calls. */
#include "growth.h"

static uint32_t step(struct module *m, uint32_t value, uint32_t i)
{
	uint32_t product = RES(m, SpvOpIMul, m->t_uint, value, m->x);
	return RES(m, SpvOpBitwiseXor, m->t_uint, product, module_const(m, i % 61 + 1));
}

static uint32_t straight(struct module *m, uint32_t n)
{
	uint32_t v = m->x;
	for (uint32_t i = 0; i < n; i++)
		v = step(m, v, i);
	return v;
}

/* Each arm stores to the buffer, so that none becomes a select. */
static void effect(struct module *m, uint32_t i, uint32_t value)
{
	module_buffer_store(m, module_const(m, i % 61), value);
}

static uint32_t ifs(struct module *m, uint32_t n)
{
	uint32_t var = module_variable(m, SpvStorageClassFunction, m->t_uint);
	module_store(m, var, m->x);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t merge = module_if(m, module_test(m, module_load(m, var), i));
		effect(m, i, m->x);
		module_store(m, var, step(m, module_load(m, var), i));
		module_end_if(m, merge);
	}
	return module_load(m, var);
}

static uint32_t ifs_uniform(struct module *m, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t merge = module_if(m, module_test(m, m->u, i));
		effect(m, i, m->x);
		module_end_if(m, merge);
	}
	return m->x;
}

/* A variable that is read after n ifs that leave it alone. */
static uint32_t ifs_far(struct module *m, uint32_t n)
{
	uint32_t var = module_variable(m, SpvStorageClassFunction, m->t_uint);
	module_store(m, var, step(m, m->x, 3));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t merge = module_if(m, module_test(m, m->x, i));
		effect(m, i, m->x);
		module_end_if(m, merge);
	}
	return module_load(m, var);
}

/* n values that live through n ifs. */
static uint32_t ifs_live(struct module *m, uint32_t n)
{
	uint32_t first = m->next_id;
	uint32_t sum = m->x;
	m->next_id += n;
	for (uint32_t i = 0; i < n; i++)
		OP(m, SpvOpIMul, m->t_uint, first + i, m->x, module_const(m, 2 * i + 65));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t merge = module_if(m, module_test(m, m->x, i));
		effect(m, i, m->x);
		module_end_if(m, merge);
	}
	for (uint32_t i = 0; i < n; i++)
		sum = RES(m, SpvOpBitwiseXor, m->t_uint, sum, first + i);
	return sum;
}

static uint32_t nested_ifs(struct module *m, uint32_t n)
{
	uint32_t merges[512];
	for (uint32_t i = 0; i < n; i++) {
		merges[i] = module_if(m, module_test(m, m->x, i));
		effect(m, i, m->x);
	}
	while (n)
		module_end_if(m, merges[--n]);
	return m->x;
}

struct loop { uint32_t head, next, merge, counter; };

static struct loop begin_loop(struct module *m, uint32_t turns)
{
	struct loop l = { module_id(m), module_id(m), module_id(m), module_variable(m, SpvStorageClassFunction, m->t_uint) };
	uint32_t body = module_id(m);
	module_store(m, l.counter, module_const(m, 0));
	OP(m, SpvOpBranch, l.head);
	module_label(m, l.head);
	uint32_t more = RES(m, SpvOpULessThan, m->t_bool, module_load(m, l.counter), turns);
	OP(m, SpvOpLoopMerge, l.merge, l.next, SpvLoopControlMaskNone);
	OP(m, SpvOpBranchConditional, more, body, l.merge);
	module_label(m, body);
	return l;
}

static void end_loop(struct module *m, const struct loop *l)
{
	OP(m, SpvOpBranch, l->next);
	module_label(m, l->next);
	module_store(m, l->counter, RES(m, SpvOpIAdd, m->t_uint, module_load(m, l->counter), module_const(m, 1)));
	OP(m, SpvOpBranch, l->head);
	module_label(m, l->merge);
}

static uint32_t nested_loops(struct module *m, uint32_t n)
{
	struct loop loops[512];
	for (uint32_t i = 0; i < n; i++) {
		loops[i] = begin_loop(m, m->x);
		effect(m, i, module_load(m, loops[i].counter));
	}
	while (n)
		end_loop(m, &loops[--n]);
	return m->x;
}

static uint32_t loops(struct module *m, uint32_t n)
{
	uint32_t var = module_variable(m, SpvStorageClassFunction, m->t_uint);
	module_store(m, var, m->x);
	for (uint32_t i = 0; i < n; i++) {
		struct loop l = begin_loop(m, m->x);
		effect(m, i, m->x);
		module_store(m, var, step(m, module_load(m, var), i));
		end_loop(m, &l);
	}
	return module_load(m, var);
}

/* n values that change in each turn. */
static uint32_t loop_phis(struct module *m, uint32_t n)
{
	uint32_t vars[4096], sum = m->x;
	for (uint32_t i = 0; i < n; i++) {
		vars[i] = module_variable(m, SpvStorageClassFunction, m->t_uint);
		module_store(m, vars[i], m->x);
	}
	struct loop l = begin_loop(m, m->x);
	for (uint32_t i = 0; i < n; i++)
		module_store(m, vars[i], step(m, module_load(m, vars[i]), i));
	end_loop(m, &l);
	for (uint32_t i = 0; i < n; i++)
		sum = RES(m, SpvOpBitwiseXor, m->t_uint, sum, module_load(m, vars[i]));
	return sum;
}

static uint32_t loop_breaks(struct module *m, uint32_t n)
{
	uint32_t var = module_variable(m, SpvStorageClassFunction, m->t_uint);
	module_store(m, var, m->x);
	struct loop l = begin_loop(m, m->x);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t leave = module_id(m), merge = module_id(m);
		uint32_t test = module_test(m, module_load(m, var), i);
		OP(m, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
		OP(m, SpvOpBranchConditional, test, leave, merge);
		module_label(m, leave);
		effect(m, i, m->x);
		OP(m, SpvOpBranch, i % 3 ? l.merge : l.next);
		module_label(m, merge);
		module_store(m, var, step(m, module_load(m, var), i));
	}
	end_loop(m, &l);
	return module_load(m, var);
}

static uint32_t early_returns(struct module *m, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t leave = module_id(m), merge = module_id(m), test = module_test(m, m->x, i);
		OP(m, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
		OP(m, SpvOpBranchConditional, test, leave, merge);
		module_label(m, leave);
		effect(m, i, m->x);
		module_raw(m, m->into, SpvOpReturn, NULL, 0);
		module_label(m, merge);
	}
	return m->x;
}

/* Branches over all of the code, forward and back. */
static uint32_t long_branch(struct module *m, uint32_t n)
{
	struct loop l = begin_loop(m, m->u);
	uint32_t merge = module_if(m, module_test(m, m->x, 1)), v = m->x;
	for (uint32_t i = 0; i < n; i++)
		v = step(m, v, i);
	effect(m, 0, v);
	module_end_if(m, merge);
	end_loop(m, &l);
	return m->x;
}

/* --- switches --- */

/* n arms; every through-th leaves, the others fall into the next. */
static uint32_t switch_of(struct module *m, uint32_t n, uint32_t through)
{
	uint32_t operands[2 * 16384 + 2], var = module_variable(m, SpvStorageClassFunction, m->t_uint);
	uint32_t first = m->next_id, merge = first + n;
	m->next_id += n + 1;
	module_store(m, var, m->x);
	OP(m, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
	operands[0] = m->x;
	operands[1] = merge;
	for (uint32_t i = 0; i < n; i++) {
		operands[2 + 2 * i] = i;
		operands[3 + 2 * i] = first + i;
	}
	module_raw(m, m->into, SpvOpSwitch, operands, 2 + 2 * n);
	for (uint32_t i = 0; i < n; i++) {
		module_label(m, first + i);
		module_store(m, var, step(m, module_load(m, var), i));
		OP(m, SpvOpBranch, (i + 1) % through && i + 1 < n ? first + i + 1 : merge);
	}
	module_label(m, merge);
	return module_load(m, var);
}

static uint32_t switch_breaks(struct module *m, uint32_t n) { return switch_of(m, n, 1); }
static uint32_t switch_pairs(struct module *m, uint32_t n) { return switch_of(m, n, 2); }
static uint32_t switch_fall(struct module *m, uint32_t n) { return switch_of(m, n, n); }

static uint32_t switch_literals(struct module *m, uint32_t n)
{
	uint32_t operands[2 * 16384 + 2], arm = module_id(m), merge = module_id(m);
	OP(m, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
	operands[0] = m->x;
	operands[1] = merge;
	for (uint32_t i = 0; i < n; i++) {
		operands[2 + 2 * i] = 3 * i;
		operands[3 + 2 * i] = arm;
	}
	module_raw(m, m->into, SpvOpSwitch, operands, 2 + 2 * n);
	module_label(m, arm);
	effect(m, 0, m->x);
	OP(m, SpvOpBranch, merge);
	module_label(m, merge);
	return m->x;
}

/* --- calls --- */

static uint32_t call(struct module *m, uint32_t function)
{
	return RES(m, SpvOpFunctionCall, m->t_void, function);
}

/* A helper that calls `callee` (0: none) `calls` times; adds to the global `var` unless empty. */
static uint32_t helper(struct module *m, uint32_t var, uint32_t callee, unsigned calls, bool empty)
{
	uint32_t id = module_id(m);
	m->into = PART_HELPERS;
	OP(m, SpvOpFunction, m->t_void, id, SpvFunctionControlMaskNone, m->t_func);
	module_label(m, module_id(m));
	for (unsigned i = 0; i < calls; i++)
		call(m, callee);
	if (!empty)
		module_store(m, var, RES(m, SpvOpIMul, m->t_uint, module_load(m, var), module_const(m, 7)));
	module_raw(m, m->into, SpvOpReturn, NULL, 0);
	module_raw(m, m->into, SpvOpFunctionEnd, NULL, 0);
	m->into = PART_MAIN;
	return id;
}

static uint32_t call_shape(struct module *m, uint32_t n, unsigned calls, bool leaf_only, bool empty)
{
	uint32_t var = module_variable(m, SpvStorageClassPrivate, m->t_uint), callee = 0;
	module_store(m, var, m->x);
	for (uint32_t i = 0; i < n; i++)
		callee = helper(m, var, callee, callee ? calls : 0, empty || (leaf_only && i));
	call(m, callee);
	return module_load(m, var);
}

static uint32_t call_chain(struct module *m, uint32_t n) { return call_shape(m, n, 1, false, false); }
static uint32_t call_tree(struct module *m, uint32_t n) { return call_shape(m, n, 2, true, false); }
static uint32_t call_tree_empty(struct module *m, uint32_t n) { return call_shape(m, n, 2, true, true); }

static uint32_t functions(struct module *m, uint32_t n)
{
	uint32_t var = module_variable(m, SpvStorageClassPrivate, m->t_uint);
	module_store(m, var, m->x);
	for (uint32_t i = 0; i < n; i++)
		call(m, helper(m, var, 0, 0, false));
	return module_load(m, var);
}

const struct growth_case growth_flow[] = {
	{ "straight", straight, 8000, COMPILER_CS, false },
	{ "ifs", ifs, 1000, COMPILER_CS, false },
	{ "ifs_uniform", ifs_uniform, 1500, COMPILER_CS, false },
	{ "ifs_far", ifs_far, 1500, COMPILER_CS, false },
	{ "ifs_live", ifs_live, 500, COMPILER_CS, false },
	{ "nested_ifs", nested_ifs, 120, COMPILER_CS, false },
	{ "nested_loops", nested_loops, 70, COMPILER_CS, false },
	{ "loops", loops, 300, COMPILER_CS, false },
	{ "loop_phis", loop_phis, 1000, COMPILER_CS, false },
	{ "loop_breaks", loop_breaks, 400, COMPILER_CS, false },
	{ "early_returns", early_returns, 400, COMPILER_CS, false },
	{ "long_branch", long_branch, 6000, COMPILER_CS, false },
	{ "switch_breaks", switch_breaks, 200, COMPILER_CS, false },
	{ "switch_pairs", switch_pairs, 200, COMPILER_CS, false },
	{ "switch_fall", switch_fall, 200, COMPILER_CS, false },
	{ "switch_literals", switch_literals, 3000, COMPILER_CS, false },
	{ "call_chain", call_chain, 15, COMPILER_CS, false },
	{ "call_tree", call_tree, 8, COMPILER_CS, true },
	{ "call_tree_empty", call_tree_empty, 8, COMPILER_CS, true },
	{ "functions", functions, 2000, COMPILER_CS, false },
	{ NULL, NULL, 0, COMPILER_CS, false },
};
