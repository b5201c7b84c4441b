/* SPDX-License-Identifier: MIT */
/* From the placement tree to the tree of a function: scopes, chains, ifs,
 * switches, loops and jumps.
 *
 * A scope labelled W holds all that may jump to block W, which comes right
 * after it.  Most jumps stand where control falls out of the scope anyway
 * (tail).  When one does not, the scope becomes a loop of one trip (once), and
 * that jump a break.
 *
 * Several labels of one node would be scopes in each other, and a jump from the
 * innermost to a far one would have to leave them one by one.  They make a
 * chain instead: the node, then what is at each label but the last under a
 * condition that jumps make true, in the scope of the last.
 *
 * What comes after an arm that leaves (if (c) break;) follows the if in the same list,
 * however many of them there are: nothing nests. */
#include "compiler/spv/spv_priv.h"

struct planner {
	struct spv *s;
	struct spv_func *f;
	struct spv_cfg *c;
	uint32_t depth;
	struct spv_link **link;   /* by label: its link, NULL: none */
	struct spv_chain **chain; /* by label: the chain that ends there */
};

static struct spv_plan *append(struct planner *p, struct spv_plan_list *list, enum spv_plan_kind kind)
{
	struct spv_plan *node = spv_alloc(p->s, 1, sizeof *node);
	spv_charge(p->s, 1);
	node->kind = (uint8_t)kind;
	*(list->last ? &list->last->next : &list->first) = node;
	list->last = node;
	return node;
}

static void jump(struct planner *p, struct spv_plan_list *list, uint32_t label)
{
	append(p, list, SPV_PLAN_JUMP)->label = label;
}

static void place(struct planner *p, uint32_t node, struct spv_plan_list *list, uint32_t flow);

static bool is_inline(const struct planner *p, uint32_t from, uint32_t to)
{
	return p->c->inline_[to] && p->c->parent[spv_cfg_node(p->c, to)] == from;
}

static void edge(struct planner *p, uint32_t from, uint32_t to, struct spv_plan_list *list)
{
	if (!p->f->blocks[to].has_phi)
		return;
	struct spv_plan *node = append(p, list, SPV_PLAN_EDGE);
	node->block = from;
	node->label = to;
}

/* flow, here and below: the label that control comes to by falling out of the list. */
static void branch(struct planner *p, uint32_t from, uint32_t to, struct spv_plan_list *list, uint32_t flow)
{
	edge(p, from, to, list);
	if (is_inline(p, from, to))
		place(p, spv_cfg_node(p->c, to), list, flow);
	else
		jump(p, list, to);
}

static uint32_t target(struct planner *p, uint32_t id)
{
	return spv_id(p->s, id)->u.block;
}

static struct spv_arm *arm_for(struct planner *p, struct spv_plan *node, uint32_t *arm_of, uint32_t to)
{
	if (!arm_of[to]) {
		node->arms[node->arm_count].target = to;
		arm_of[to] = ++node->arm_count;
	}
	return &node->arms[arm_of[to] - 1];
}

/* Literals of one arm, in the order of the instruction. */
static void plan_switch(struct planner *p, uint32_t block, struct spv_op op, struct spv_plan_list *list, uint32_t flow)
{
	struct spv_plan *node = append(p, list, SPV_PLAN_SWITCH);
	uint32_t words = spv_literal_words(p->s, op), cases = (op.n - 3u) / (words + 1);
	const uint32_t *labels = op.w + 3 + words;
	uint32_t *arm_of = spv_alloc(p->s, p->c->n, sizeof *arm_of);
	uint64_t *next = spv_alloc(p->s, cases, sizeof *next);
	node->block = block;
	node->arms = spv_alloc(p->s, cases + 1, sizeof *node->arms);
	arm_for(p, node, arm_of, target(p, op.w[2]))->is_default = true;
	for (uint32_t i = 0; i < cases; i++)
		arm_for(p, node, arm_of, target(p, labels[i * (words + 1)]))->count++;
	for (uint32_t i = 0; i < node->arm_count; i++) {
		node->arms[i].literals = next;
		next += node->arms[i].count;
		node->arms[i].count = 0;
	}
	for (uint32_t i = 0; i < cases; i++) {
		struct spv_arm *arm = arm_for(p, node, arm_of, target(p, labels[i * (words + 1)]));
		arm->literals[arm->count++] = spv_literal(op, words, i);
	}
	for (uint32_t i = 0; i < node->arm_count; i++)
		branch(p, block, node->arms[i].target, &node->arms[i].list, flow);
}

/* The link's or the chain's that the label belongs to: jumps there leave by its end. */
static uint32_t way_to(const struct planner *p, uint32_t label)
{
	if (label >= p->f->block_count)
		return label;
	const struct spv_chain *chain = p->link[label] ? p->link[label]->chain : p->chain[label];
	return chain ? chain->links[0].scope->label : label;
}

/* By a jump of its own, or because nesting ends: then its jump, to where control
 * would fall anyway, becomes one, and the scope that it leaves a loop of one trip. */
static bool always_leaves(const struct planner *p, const struct spv_plan_list *list, uint32_t flow)
{
	enum { DEEP = SPV_MAX_DEPTH - SPV_MAX_DEPTH / 6 };
	return list->last && list->last->kind == SPV_PLAN_JUMP && (p->depth > DEEP || way_to(p, list->last->label) != flow);
}

/* Nothing but a jump, or a block and one. */
static bool is_short(struct planner *p, uint32_t from, uint32_t to)
{
	uint32_t node = spv_cfg_node(p->c, to);
	if (!is_inline(p, from, to))
		return true;
	if (node >= p->c->n || p->c->first_child[node] != SPV_NO_BLOCK)
		return false;
	struct spv_op op = spv_at(p->s, p->f->blocks[to].end);
	return op.op != SpvOpBranchConditional && op.op != SpvOpSwitch &&
		!(op.op == SpvOpBranch && is_inline(p, to, target(p, op.w[1])));
}

/* The block that goes on in the list, behind the if, when the other arm always
 * leaves, or SPV_NO_BLOCK. */
static uint32_t plan_if(struct planner *p, uint32_t block, struct spv_op op, struct spv_plan_list *list, uint32_t flow)
{
	uint32_t a = target(p, op.w[2]), b = target(p, op.w[3]);
	struct spv_plan *node = append(p, list, SPV_PLAN_IF);
	bool b_first = is_short(p, block, b) && !is_short(p, block, a);
	uint32_t rest = b_first ? a : b;
	struct spv_plan_list *first = b_first ? &node->b : &node->a, *second = b_first ? &node->a : &node->b;
	node->block = block;
	branch(p, block, b_first ? b : a, first, flow);
	if (!is_inline(p, block, rest) || !always_leaves(p, first, flow)) {
		branch(p, block, rest, second, flow);
		return SPV_NO_BLOCK;
	}
	edge(p, block, rest, list);
	return rest;
}

/* As plan_if. */
static uint32_t plan_terminator(struct planner *p, uint32_t block, struct spv_plan_list *list, uint32_t flow)
{
	struct spv_op op = spv_at(p->s, p->f->blocks[block].end);
	switch (op.op) {
	case SpvOpBranch:
		branch(p, block, target(p, op.w[1]), list, flow);
		break;
	case SpvOpBranchConditional:
		if (op.w[2] != op.w[3])
			return plan_if(p, block, op, list, flow);
		branch(p, block, target(p, op.w[2]), list, flow);
		break;
	case SpvOpSwitch:
		plan_switch(p, block, op, list, flow);
		break;
	case SpvOpKill: case SpvOpTerminateInvocation: case SpvOpEmitMeshTasksEXT:
		append(p, list, SPV_PLAN_KILL)->block = block;
		jump(p, list, p->f->block_count);
		break;
	case SpvOpReturn: case SpvOpReturnValue:
		append(p, list, SPV_PLAN_RETURN)->block = block;
		jump(p, list, p->f->block_count);
		break;
	default: /* OpUnreachable: never executed, so any continuation will do */
		break;
	}
	return SPV_NO_BLOCK;
}

/* The block's instructions.  A call that may kill is followed by a test; the
 * list in which the rest goes is returned. */
static struct spv_plan_list *plan_body(struct planner *p, uint32_t block, struct spv_plan_list *list)
{
	const struct spv_block *b = &p->f->blocks[block];
	struct spv_plan *node = append(p, list, SPV_PLAN_BLOCK);
	node->block = block;
	node->from = b->body;
	node->to = b->end;
	if (p->s->kill_is_demote || !p->f->kills)
		return list;
	spv_each(p->s, op, b->body, b->end) {
		if (op.op != SpvOpFunctionCall || !spv_id(p->s, op.w[3])->u.func->kills)
			continue;
		node->to = op.at + op.n;
		struct spv_plan *test = append(p, list, SPV_PLAN_KILLED);
		jump(p, &test->a, p->f->block_count);
		list = &test->b;
		node = append(p, list, SPV_PLAN_BLOCK);
		node->block = block;
		node->from = op.at + op.n;
		node->to = b->end;
		if (++p->depth > SPV_MAX_DEPTH)
			spv_unsupported(p->s, "control flow nests deeper than %d", SPV_MAX_DEPTH);
	}
	return list;
}

static void plan_loop(struct planner *p, uint32_t header, struct spv_plan_list *list)
{
	struct spv_plan *loop = append(p, list, SPV_PLAN_LOOP);
	uint32_t cont = p->f->blocks[header].cont;
	bool has_cont = cont != header && p->c->cont_of[cont] == header;
	loop->block = header;
	loop->label = has_cont ? cont : header;
	place(p, header, &loop->a, loop->label);
	if (has_cont) {
		struct spv_plan *scope = append(p, &loop->b, SPV_PLAN_SCOPE);
		scope->label = header;
		place(p, spv_cfg_node(p->c, cont), &scope->a, header);
	}
}

/* The labelled children of a node, each with the list in which it is placed. */
struct child { uint32_t label; struct spv_plan_list *list; };

static uint32_t children_of(struct planner *p, uint32_t node, struct child **children)
{
	const struct spv_cfg *c = p->c;
	uint32_t count = 0;
	for (uint32_t k = c->first_child[node]; k != SPV_NO_BLOCK; k = c->next_child[k])
		count++;
	*children = spv_alloc(p->s, count, sizeof **children);
	count = 0;
	for (uint32_t k = c->first_child[node]; k != SPV_NO_BLOCK; k = c->next_child[k])
		(*children)[count++].label = k;
	return count;
}

/* The scope of the last child, with a chain for the others; the list in which
 * the node itself goes is returned. */
static struct spv_plan_list *open_scopes(struct planner *p, struct child *children, uint32_t count,
	struct spv_plan_list *list)
{
	if (!count)
		return list;
	struct spv_plan *scope = append(p, list, SPV_PLAN_SCOPE);
	uint32_t last = children[count - 1].label;
	scope->label = last;
	children[count - 1].list = list;
	if (count == 1)
		return &scope->a;
	struct spv_chain *chain = spv_alloc(p->s, 1, sizeof *chain);
	append(p, &scope->a, SPV_PLAN_CHAIN)->chain = p->chain[last] = chain;
	chain->links = spv_alloc(p->s, count, sizeof *chain->links);
	chain->count = count;
	for (uint32_t i = 0; i < count; i++) {
		struct spv_plan_list alone = { 0 };
		struct spv_plan *inner = append(p, &alone, SPV_PLAN_SCOPE);
		inner->label = last;
		chain->links[i] = (struct spv_link){ .chain = chain, .index = i, .scope = inner };
		if (!i)
			continue;
		children[i - 1].list = &inner->a;
		p->link[children[i - 1].label] = &chain->links[i];
	}
	return &chain->links[0].scope->a;
}

/* What the node itself comes to: the nodes below it, and those of the tree that go
 * on in the same list.  The node that does is returned, or SPV_NO_BLOCK. */
static uint32_t place_node(struct planner *p, uint32_t node, bool alone, struct spv_plan_list **list, uint32_t flow)
{
	const struct spv_cfg *c = p->c;
	if (node >= c->n) {
		plan_loop(p, node - c->n, *list);
		return SPV_NO_BLOCK;
	}
	*list = plan_body(p, node, *list);
	struct spv_op op = spv_at(p->s, p->f->blocks[node].end);
	uint32_t to = op.op == SpvOpBranch ? target(p, op.w[1]) : SPV_NO_BLOCK;
	if (alone && to != SPV_NO_BLOCK && is_inline(p, node, to))
		edge(p, node, to, *list);
	else
		to = plan_terminator(p, node, *list, flow);
	return to == SPV_NO_BLOCK ? to : spv_cfg_node(c, to);
}

/* A node of the placement tree.  The last child and straight lines are handled
 * by iteration. */
static void place(struct planner *p, uint32_t node, struct spv_plan_list *list, uint32_t flow)
{
	if (++p->depth > SPV_MAX_DEPTH)
		spv_unsupported(p->s, "control flow nests deeper than %d", SPV_MAX_DEPTH);
	uint32_t depth = p->depth;
	while (node != SPV_NO_BLOCK) {
		struct child *children;
		uint32_t count = children_of(p, node, &children);
		uint32_t last = count ? children[count - 1].label : SPV_NO_BLOCK;
		struct spv_plan_list *inner = open_scopes(p, children, count, list);
		uint32_t next = place_node(p, node, !count, &inner, count ? last : flow);
		if (count && next != SPV_NO_BLOCK)
			place(p, next, inner, last);
		else if (!count)
			list = inner;
		for (uint32_t k = 0; k + 1 < count; k++)
			place(p, spv_cfg_node(p->c, children[k].label), children[k].list, last);
		node = count ? spv_cfg_node(p->c, last) : next;
	}
	p->depth = depth - 1;
}

/* --- which jump goes where --- */

struct enclosing { const struct enclosing *outer; struct spv_plan *node; uint32_t brk, cont; };

/* The label that the jump leaves by: of a chain, its end. */
static uint32_t way_out(struct planner *p, struct spv_plan *node)
{
	if (node->label >= p->f->block_count)
		return node->label;
	struct spv_link *link = p->link[node->label];
	struct spv_chain *chain = link ? link->chain : p->chain[node->label];
	if (!chain)
		return node->label;
	struct spv_link *from = &chain->links[chain->current];
	uint32_t to = link ? link->index : chain->count;
	from->reach = to > from->reach ? to : from->reach;
	node->link = link;
	return from->scope->label;
}

static void resolve_jump(struct planner *p, struct spv_plan *node, uint32_t flow, const struct enclosing *e)
{
	uint32_t label = way_out(p, node);
	if (label == flow) {
		node->tail = true;
		return;
	}
	for (; e; e = e->outer) {
		spv_charge(p->s, 1);
		if (label == e->brk || label == e->cont) {
			node->target = e->node;
			node->is_continue = label == e->cont;
			if (e->node->kind == SPV_PLAN_SCOPE)
				e->node->once = true;
			return;
		}
	}
	spv_fail_at(p->s, p->f->at, COMPILER_INVALID, "the control flow is not structured: a branch to block %u "
		"leaves no construct that it could", node->label < p->f->block_count ? p->f->blocks[node->label].id : 0);
}

static void resolve(struct planner *p, struct spv_plan_list *list, uint32_t flow, const struct enclosing *e);

/* Each link falls out to the end of the chain.  A link is guarded if a jump from
 * before it goes to after it. */
static void resolve_chain(struct planner *p, struct spv_chain *chain, const struct enclosing *e)
{
	uint32_t reach = 0;
	for (uint32_t i = 0; i < chain->count; i++) {
		struct spv_link *link = &chain->links[i];
		struct enclosing in = { e, link->scope, link->scope->label, p->f->block_count + 1 };
		link->guarded = reach > i;
		chain->current = i;
		resolve(p, &link->scope->a, link->scope->label, &in);
		reach = link->reach > reach ? link->reach : reach;
	}
}

/* flow: the label that control comes to by falling out of the list. */
static void resolve(struct planner *p, struct spv_plan_list *list, uint32_t flow, const struct enclosing *e)
{
	uint32_t nothing = p->f->block_count + 1;
	if (++p->s->depth > SPV_MAX_LISTS)
		spv_unsupported(p->s, "control flow nests deeper than %d lists", SPV_MAX_LISTS);
	for (struct spv_plan *node = list->first; node; node = node->next) {
		uint32_t f = node->next ? nothing : flow;
		struct enclosing in = { e, node, nothing, nothing };
		switch (node->kind) {
		case SPV_PLAN_IF: case SPV_PLAN_KILLED:
			resolve(p, &node->a, f, e);
			resolve(p, &node->b, f, e);
			break;
		case SPV_PLAN_SWITCH:
			for (uint32_t i = 0; i < node->arm_count; i++)
				resolve(p, &node->arms[i].list, f, e);
			break;
		case SPV_PLAN_SCOPE:
			in.brk = node->label;
			resolve(p, &node->a, node->label, &in);
			break;
		case SPV_PLAN_CHAIN:
			resolve_chain(p, node->chain, e);
			break;
		case SPV_PLAN_LOOP:
			in.brk = f;
			in.cont = node->label;
			resolve(p, &node->a, node->label, &in);
			in.cont = nothing;
			resolve(p, &node->b, node->block, &in);
			break;
		case SPV_PLAN_JUMP:
			resolve_jump(p, node, f, e);
			break;
		default:
			break;
		}
	}
	p->s->depth--;
}

/* Fills f->plan. */
void spv_plan(struct spv *s, struct spv_func *f)
{
	struct spv_cfg c = { .f = f };
	struct planner p = { .s = s, .f = f, .c = &c };
	p.link = spv_alloc(s, f->block_count, sizeof(struct spv_link *));
	p.chain = spv_alloc(s, f->block_count, sizeof(struct spv_chain *));
	s->cur = spv_at(s, f->at);
	spv_cfg(s, &c);
	f->plan = spv_alloc(s, 1, sizeof *f->plan);
	struct spv_plan *whole = append(&p, f->plan, SPV_PLAN_SCOPE);
	whole->label = f->block_count;
	place(&p, spv_cfg_node(&c, 0), &whole->a, f->block_count);
	resolve(&p, f->plan, f->block_count + 1, NULL);
}
