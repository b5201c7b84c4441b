/* SPDX-License-Identifier: MIT */
/* The planned tree of a function to IR: ifs, loops, jumps, phis and calls. */
#include "compiler/spv/spv_priv.h"

#include <stdlib.h>

/* Break and continue flags of an IR loop for jumps that must leave others first. */
struct pending { struct pending *next; struct enter *to; bool is_continue; struct ir_var *flag; };

/* An IR loop that is being built: of a PLAN_LOOP or of a scope that is `once`. */
struct enter {
	struct enter *outer;
	const struct spv_plan *node;
	struct ir_block *before;       /* the block that the loop stands after */
	struct ir_var *flag[2];        /* break, continue */
	struct pending *pending;       /* jumps further out, taken after this loop */
};

struct spv_frame { struct spv_frame *outer; struct spv_func *f; struct enter *top; struct ir_var *result; };

/* Kept out of emit_list, whose frames are as many as the control flow is deep. */
#define NOINLINE __attribute__((noinline))

static void emit_list(struct spv *s, const struct spv_plan_list *list);

/* --- jumps --- */

static void note_pending(struct spv *s, struct enter *from, struct enter *to, bool is_continue)
{
	for (struct pending *p = from->pending; p; p = p->next)
		if (p->to == to && p->is_continue == is_continue)
			return;
	struct pending *p = spv_alloc(s, 1, sizeof *p);
	*p = (struct pending){ from->pending, to, is_continue, to->flag[is_continue] };
	from->pending = p;
	struct ir_builder b = { s->f, from->before, NULL, s->b.word };
	ir_store_var(&b, p->flag, 0, ir_bool(&b, false));
}

/* Leaves all loops inside `to`; flags say how far.  The flag is cleared before
 * every loop on the way, so it is false wherever it is tested without a jump. */
static void leave(struct spv *s, struct enter *to, bool is_continue)
{
	struct enter *top = s->frame->top;
	if (top == to) {
		ir_jump(&s->b, is_continue ? IR_JUMP_CONTINUE : IR_JUMP_BREAK);
		return;
	}
	if (!to->flag[is_continue])
		to->flag[is_continue] = ir_var_new(s->f, 1, 1, is_continue ? "continue" : "break");
	note_pending(s, top, to, is_continue);
	ir_store_var(&s->b, to->flag[is_continue], 0, ir_bool(&s->b, true));
	ir_jump(&s->b, IR_JUMP_BREAK);
}

/* The jump makes the condition of a link true. */
static bool starts_link(const struct spv_plan *jump)
{
	return jump->link && jump->link->guarded;
}

NOINLINE static void emit_jump(struct spv *s, const struct spv_plan *node)
{
	if (starts_link(node))
		ir_store_var(&s->b, node->link->go, 0, ir_bool(&s->b, true));
	if (node->tail)
		return;
	struct enter *e = s->frame->top;
	while (e && e->node != node->target)
		e = e->outer;
	if (!e)
		spv_invalid(s, "the control flow is not structured");
	leave(s, e, node->is_continue);
}

static void enter(struct spv *s, struct enter *e, const struct spv_plan *node)
{
	*e = (struct enter){ .outer = s->frame->top, .node = node, .before = s->b.block };
	s->frame->top = e;
}

/* After the IR loop of e: go on with the jumps that only passed through it. */
static void after_loop(struct spv *s, struct enter *e)
{
	s->frame->top = e->outer;
	for (struct pending *p = e->pending; p; p = p->next) {
		struct ir_if *nif = ir_begin_if(&s->b, ir_load_var(&s->b, p->flag, 0));
		leave(s, p->to, p->is_continue);
		ir_end_if(&s->b, nif);
	}
}

NOINLINE static void emit_loop(struct spv *s, const struct spv_plan *node)
{
	struct enter e;
	enter(s, &e, node);
	struct ir_loop *loop = ir_begin_loop(&s->b);
	emit_list(s, &node->a);
	ir_begin_cont(&s->b, loop);
	emit_list(s, &node->b);
	ir_end_loop(&s->b, loop);
	after_loop(s, &e);
}

static void emit_scope(struct spv *s, const struct spv_plan *node)
{
	if (!node->once) {
		emit_list(s, &node->a);
		return;
	}
	struct enter e;
	enter(s, &e, node);
	struct ir_loop *loop = ir_begin_loop(&s->b);
	emit_list(s, &node->a);
	ir_jump(&s->b, IR_JUMP_BREAK);
	ir_end_loop(&s->b, loop);
	after_loop(s, &e);
}

/* --- ifs and switches --- */

static bool is_nothing(const struct spv_plan_list *list)
{
	for (const struct spv_plan *n = list->first; n; n = n->next)
		if (n->kind != SPV_PLAN_JUMP || !n->tail || starts_link(n))
			return false;
	return true;
}

static bool always_jumps(const struct spv_plan_list *list)
{
	return list->last && list->last->kind == SPV_PLAN_JUMP && !list->last->tail;
}

/* Only OpKill, and a program in which ended invocations may run on as helpers. */
static bool is_demote(struct spv *s, const struct spv_plan_list *list)
{
	const struct spv_plan *n = list->first;
	return s->kill_is_demote && n && n->kind == SPV_PLAN_BLOCK && n->from == n->to && n->next &&
		n->next->kind == SPV_PLAN_KILL;
}

static void demote(struct spv *s, struct ir_src cond)
{
	struct ir_inst *inst = ir_inst_new(s->f, IR_DEMOTE, 0, 0, 1);
	inst->src[0] = cond;
	ir_insert(&s->b, inst);
	s->f->uses_demote = true;
}

/* An arm that always jumps leaves the other to follow the if in the same list. */
static void emit_arms(struct spv *s, struct ir_src cond, const struct spv_plan_list *a, const struct spv_plan_list *b)
{
	if (is_nothing(a) && is_nothing(b))
		return;
	if (is_nothing(a) || is_demote(s, b) || (!always_jumps(a) && always_jumps(b))) {
		const struct spv_plan_list *t = a;
		a = b;
		b = t;
		cond = ir_op1(&s->b, IR_BNOT, cond);
	}
	if (is_demote(s, a)) {
		demote(s, cond);
		emit_list(s, b);
		return;
	}
	struct ir_if *nif = ir_begin_if(&s->b, cond);
	emit_list(s, a);
	if (!always_jumps(a) && !is_nothing(b)) {
		ir_begin_else(&s->b, nif);
		emit_list(s, b);
	}
	ir_end_if(&s->b, nif);
	if (always_jumps(a))
		emit_list(s, b);
}

static void emit_if(struct spv *s, const struct spv_plan *node)
{
	s->cur = spv_at(s, s->frame->f->blocks[node->block].end);
	emit_arms(s, spv_bools(s, s->cur.w[1], 1)[0], &node->a, &node->b);
}

static struct ir_src any_of(struct spv *s, struct ir_src selector, const struct spv_arm *arm, struct ir_src cond)
{
	for (uint32_t i = 0; i < arm->count; i++) {
		struct ir_src hit = ir_op2(&s->b, IR_ICMP_EQ, selector,
			ir_const_of(&s->b, selector.inst->bits, arm->literals[i]));
		cond = cond.inst ? ir_op2(&s->b, IR_BOR, cond, hit) : hit;
	}
	return cond;
}

static int compare_literals(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* The selector is none of the literals.  Literals in a row are one range; without
 * many in a row it is cheaper to use the arms' own comparisons. */
static struct ir_src none_of(struct spv *s, struct ir_src selector, const struct spv_plan *node)
{
	const struct spv_op op = s->cur;
	uint32_t words = spv_literal_words(s, op), cases = (op.n - 3u) / (words + 1), ranges = 0;
	unsigned bits = selector.inst->bits;
	uint64_t *sorted = spv_alloc(s, cases, sizeof *sorted);
	for (uint32_t i = 0; i < cases; i++)
		sorted[i] = spv_literal(op, words, i) & ir_ones(bits);
	qsort(sorted, cases, sizeof *sorted, compare_literals);
	for (uint32_t i = 0; i < cases; i++)
		ranges += i == 0 || sorted[i] != sorted[i - 1] + 1;
	struct ir_src any = { 0 };
	if (ranges * 4 > cases) {
		for (uint32_t i = 0; i < node->arm_count; i++)
			if (!node->arms[i].is_default)
				any = any_of(s, selector, &node->arms[i], any);
	} else {
		for (uint32_t i = 0, end; i < cases; i = end) {
			for (end = i + 1; end < cases && sorted[end] == sorted[end - 1] + 1;)
				end++;
			struct ir_src from = ir_op2(&s->b, IR_ISUB, selector, ir_const_of(&s->b, bits, sorted[i]));
			struct ir_src in = ir_op2(&s->b, IR_UCMP_LE, from, ir_const_of(&s->b, bits, end - i - 1));
			any = any.inst ? ir_op2(&s->b, IR_BOR, any, in) : in;
		}
	}
	return any.inst ? ir_op1(&s->b, IR_BNOT, any) : ir_bool(&s->b, true);
}

/* The link that does nothing else than what this arm leads to, if the chain's
 * own first link ends with the switch: its condition can wait until it is asked for. */
static struct spv_link *link_of_arm(const struct spv_plan *node, const struct spv_arm *arm)
{
	const struct spv_plan *jump = arm->list.first;
	if (!jump || jump->kind != SPV_PLAN_JUMP || !jump->tail || !starts_link(jump))
		return NULL;
	return jump->link->chain->links[0].scope->a.last == node ? jump->link : NULL;
}

/* The arms exclude each other, so they stand one after another as ifs: what
 * falls out of one falls through the rest. */
NOINLINE static void emit_switch(struct spv *s, const struct spv_plan *node)
{
	s->cur = spv_at(s, s->frame->f->blocks[node->block].end);
	struct ir_src selector = spv_operands(s, s->cur.w[1], 1)[0];
	struct ir_src others = { 0 };
	for (uint32_t i = 0; i < node->arm_count; i++) {
		const struct spv_arm *arm = &node->arms[i];
		struct spv_link *link = link_of_arm(node, arm);
		spv_charge(s, 1 + arm->count);
		if (arm->is_default && !is_nothing(&arm->list))
			others = none_of(s, selector, node);
		if (!link)
			continue;
		link->chain->selector = selector;
		if (arm->is_default)
			ir_store_var(&s->b, link->go, 0, others);
		else
			link->arm = arm;
	}
	for (uint32_t i = 0; i < node->arm_count; i++) {
		const struct spv_arm *arm = &node->arms[i];
		if (is_nothing(&arm->list) || link_of_arm(node, arm))
			continue;
		struct ir_if *nif = ir_begin_if(&s->b, arm->is_default ? others :
			any_of(s, selector, arm, (struct ir_src){ 0 }));
		emit_list(s, &arm->list);
		ir_end_if(&s->b, nif);
	}
}

static void emit_link(struct spv *s, const struct spv_link *link)
{
	struct ir_src cond = ir_load_var(&s->b, link->go, 0);
	if (link->arm)
		cond = any_of(s, spv_use(s, link->chain->selector), link->arm, cond);
	struct ir_if *nif = ir_begin_if(&s->b, cond);
	emit_scope(s, link->scope);
	ir_end_if(&s->b, nif);
}

static void emit_chain(struct spv *s, struct spv_chain *chain)
{
	for (uint32_t i = 0; i < chain->count; i++) {
		struct spv_link *link = &chain->links[i];
		link->arm = NULL;
		if (!link->guarded)
			continue;
		link->go = ir_var_new(s->f, 1, 1, "go");
		ir_store_var(&s->b, link->go, 0, ir_bool(&s->b, false));
	}
	for (uint32_t i = 0; i < chain->count; i++)
		if (chain->links[i].guarded)
			emit_link(s, &chain->links[i]);
		else
			emit_scope(s, chain->links[i].scope);
}

static void emit_killed(struct spv *s, const struct spv_plan *node)
{
	emit_arms(s, ir_load_var(&s->b, s->killed, 0), &node->a, &node->b);
}

/* --- phis --- */

static struct ir_var *phi_cell(struct spv *s, struct spv_op op)
{
	struct spv_id *id = spv_id(s, op.w[2]);
	const struct spv_type *type = spv_result_type(s, op);
	if (type->opaque)
		spv_unsupported(s, "phis of pointers, images or samplers");
	if (!id->phi)
		id->phi = spv_cell(s, type, NULL);
	return id->phi;
}

NOINLINE static void emit_edge(struct spv *s, const struct spv_plan *node)
{
	const struct spv_func *f = s->frame->f;
	uint32_t from = f->blocks[node->block].id;
	const struct spv_block *to = &f->blocks[node->label];
	spv_each(s, op, to->body, to->end) {
		spv_charge(s, 1);
		if (op.op == SpvOpLine || op.op == SpvOpNoLine)
			continue;
		if (op.op != SpvOpPhi) /* they come first */
			break;
		s->cur = op;
		spv_charge(s, op.n / 8);
		struct ir_var *cell = phi_cell(s, op);
		uint32_t i = 3;
		while (i + 1 < op.n && op.w[i + 1] != from)
			i += 2;
		if (i + 1 >= op.n)
			spv_invalid(s, "no value for predecessor %u", from);
		const struct spv_type *type;
		const struct ir_src *leaves = spv_leaves(s, op.w[i], &type);
		if (!spv_same_shape(type, spv_result_type(s, op)))
			spv_invalid(s, "the value %u has another type", op.w[i]);
		spv_put_all(s, cell, type, leaves);
	}
}

/* --- blocks --- */

NOINLINE static void emit_block(struct spv *s, const struct spv_plan *node)
{
	spv_each(s, op, node->from, node->to) {
		s->cur = op;
		s->b.word = op.at;
		spv_charge(s, 1);
		if (op.op == SpvOpPhi)
			spv_set(s, op, spv_get_all(s, phi_cell(s, op), spv_result_type(s, op)));
		else
			spv_instruction(s, op);
	}
}

NOINLINE static void emit_return(struct spv *s, const struct spv_plan *node)
{
	struct spv_frame *frame = s->frame;
	s->cur = spv_at(s, frame->f->blocks[node->block].end);
	bool has_value = s->cur.op == SpvOpReturnValue;
	const struct spv_type *want = frame->f->type->elem, *type;
	if (has_value != (want->kind != SPV_VOID))
		spv_invalid(s, "the function's type says otherwise");
	if (!has_value)
		return;
	const struct ir_src *leaves = spv_leaves(s, s->cur.w[1], &type);
	if (!spv_same_shape(type, want))
		spv_invalid(s, "the value has another type than the function");
	spv_put_all(s, frame->result, type, leaves);
}

NOINLINE static void emit_kill(struct spv *s, const struct spv_plan *node)
{
	s->cur = spv_at(s, s->frame->f->blocks[node->block].end);
	if (s->cur.op == SpvOpEmitMeshTasksEXT)
		spv_emit_tasks(s, s->cur);
	else if (s->f->stage != COMPILER_PS)
		spv_invalid(s, "only for fragment shaders");
	else
		demote(s, ir_bool(&s->b, true));
	if (!s->kill_is_demote && s->frame->outer)
		ir_store_var(&s->b, s->killed, 0, ir_bool(&s->b, true));
}

static void emit_list(struct spv *s, const struct spv_plan_list *list)
{
	if (++s->depth > SPV_MAX_LISTS)
		spv_unsupported(s, "control flow nests deeper than %d lists", SPV_MAX_LISTS);
	for (const struct spv_plan *node = list->first; node; node = node->next) {
		spv_charge(s, 2);
		switch (node->kind) {
		case SPV_PLAN_BLOCK: emit_block(s, node); break;
		case SPV_PLAN_EDGE: emit_edge(s, node); break;
		case SPV_PLAN_IF: emit_if(s, node); break;
		case SPV_PLAN_KILLED: emit_killed(s, node); break;
		case SPV_PLAN_SWITCH: emit_switch(s, node); break;
		case SPV_PLAN_LOOP: emit_loop(s, node); break;
		case SPV_PLAN_SCOPE: emit_scope(s, node); break;
		case SPV_PLAN_CHAIN: emit_chain(s, node->chain); break;
		case SPV_PLAN_JUMP: emit_jump(s, node); break;
		case SPV_PLAN_RETURN: emit_return(s, node); break;
		case SPV_PLAN_KILL: emit_kill(s, node); break;
		default: break;
		}
	}
	s->depth--;
}

/* --- functions --- */

/* Forgets the values of an earlier inlining. */
static void forget(struct spv *s, const struct spv_func *f)
{
	spv_charge(s, f->def_count + f->param_count);
	for (uint32_t i = 0; i < f->def_count; i++) {
		struct spv_id *id = spv_id(s, f->defs[i]);
		if (id->kind == SPV_ID_VALUE || id->kind == SPV_ID_VAR || id->kind == SPV_ID_CONST)
			id->kind = SPV_ID_NONE;
		id->phi = NULL;
	}
}

static void emit_function(struct spv *s, struct spv_frame *frame)
{
	frame->outer = s->frame;
	s->frame = frame;
	emit_list(s, frame->f->plan);
	s->frame = frame->outer;
}

void spv_call(struct spv *s, struct spv_op op)
{
	const struct spv_id *id = spv_id(s, op.w[3]);
	if (id->kind != SPV_ID_FUNC || id->u.func->state != 2)
		spv_invalid(s, "id %u is not a function", op.w[3]);
	struct spv_func *f = id->u.func;
	if (op.n - 4u != f->param_count || f->type->elem != spv_result_type(s, op))
		spv_invalid(s, "the function's type says otherwise");
	const struct spv_val **args = spv_alloc(s, f->param_count, sizeof *args);
	for (uint32_t i = 0; i < f->param_count; i++) {
		args[i] = spv_val(s, op.w[4 + i]);
		if (args[i]->type != f->type->params[i] && ((!args[i]->src && !args[i]->big) ||
			!spv_same_shape(args[i]->type, f->type->params[i])))
			spv_invalid(s, "argument %u has another type", i);
	}
	forget(s, f);
	for (uint32_t i = 0; i < f->param_count; i++) {
		struct spv_id *param = spv_id(s, f->params[i]);
		param->kind = SPV_ID_VALUE;
		param->u.val = args[i];
	}
	struct spv_frame frame = { .f = f };
	const struct spv_type *type = f->type->elem;
	if (type->kind != SPV_VOID && type->opaque)
		spv_unsupported(s, "functions that return pointers, images or samplers");
	if (type->kind != SPV_VOID)
		frame.result = spv_cell(s, type, NULL);
	emit_function(s, &frame);
	s->cur = op;
	if (frame.result)
		spv_set(s, op, spv_get_all(s, frame.result, type));
}

/* The whole shader, up to the outputs. */
void spv_emit_entry(struct spv *s, struct spv_func *f)
{
	struct spv_frame frame = { .f = f };
	if (f->kills) {
		s->killed = ir_var_new(s->f, 1, 1, "killed");
		ir_store_var(&s->prologue, s->killed, 0, ir_bool(&s->prologue, false));
	}
	emit_function(s, &frame);
}
