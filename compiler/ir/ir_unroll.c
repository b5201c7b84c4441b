/* SPDX-License-Identifier: MIT */
/* Short loops whose number of turns is known become their turns, one after another, where that
 * makes them shorter to run: they index variables with their counter, and these indices become
 * constants; much of the body is reckoned from the counter alone, which becomes constants; they
 * sample images, which then need not wait for one another; they decide how often a loop within
 * runs that indexes variables; they are little arithmetic, of whose turns several make one where
 * all of them are too many.  Others would only be longer, to compile and to translate.  Of loops
 * that leave at the top of the body, by a condition on a variable that is constant before the
 * loop and is stored once, at the end of cont, or of the body:
 *
 *   loop { head; if (leave) { break } else {}; rest } cont { .., counter = step(counter) }
 *
 * becomes head rest cont, head rest cont, .., head.  Inner loops come first.
 * Needs variables; leaves cfg. */
#include "compiler/ir/ir_eval.h"

/* At most: turns, and instructions of them all, fewer where they are worth less, and of a turn with loops in it; what a short
 * turn costs; turns of MANY that become one, and instructions of these. */
enum { TURNS = 64, LOOP_INSTS = 2048, PLAIN_INSTS = 1280, NEST_INSTS = 1024, SHORT = 64, MANY = 1024, PART = 16, PART_INSTS = 256 };
enum { ROUNDS = 3, FUNC_INSTS = 16384, INIT_SEARCH = 32, DEPTH = 8, INDEX_DEPTH = 4 };

struct unroll {
	struct ir_func *f;
	struct copy { struct ir_inst *to; uint32_t turn; } *copies; /* by id; turn: of which it is */
	uint32_t size, turn, added, loops; /* loops: that were measured, the mark of what the counter of the last decides */
	/* The loop at hand. */
	struct ir_loop *loop;
	struct ir_var *counter;
	const struct ir_inst *step; /* STORE_VAR of the counter */
	bool indexes;               /* a variable, by the counter */
	bool samples;               /* an image */
	bool memory;                /* reads or writes any that others may write */
	bool inner;                 /* has loops, */
	bool wedge;                 /* of which the counter decides how often they run, */
	bool inner_indexes;         /* and which index variables */
	uint32_t reckoned, work;    /* what instructions cost whose results the counter alone decides; the others */
	uint32_t copied;            /* instructions of a turn, those of which nothing is left too */
	uint64_t value;
	bool keeps;                 /* copies keep the counter */
};

static struct ir_block *block_of(struct ir_node *n)
{
	return (struct ir_block *)n;
}

static struct ir_block *head_of(const struct ir_loop *loop)
{
	return block_of(loop->body.first);
}

/* What follows n within root, what is inside it first. */
static struct ir_node *next_node(struct ir_node *n, const struct ir_node *root)
{
	if (n->kind == IR_NODE_IF)
		return ((struct ir_if *)n)->then_.first;
	if (n->kind == IR_NODE_LOOP)
		return ((struct ir_loop *)n)->body.first;
	while (n != root) {
		struct ir_node *owner = n->list->owner;
		if (n->next)
			return n->next;
		if (owner->kind == IR_NODE_IF && n->list == &((struct ir_if *)owner)->then_)
			return ((struct ir_if *)owner)->else_.first;
		if (owner->kind == IR_NODE_LOOP && n->list == &((struct ir_loop *)owner)->body)
			return ((struct ir_loop *)owner)->cont.first;
		n = owner;
	}
	return NULL;
}

/* --- which loops --- */

static bool is_counter(const struct ir_inst *in, enum ir_op op, const struct ir_var *v)
{
	return in->op == op && in->u.var.var == v;
}

/* An arm of the exit that only breaks (jump), or does nothing. */
static bool arm_is(const struct ir_list *arm, enum ir_jump jump)
{
	const struct ir_block *b = block_of(arm->first);
	return arm->first == arm->last && !b->first && b->jump == jump;
}

struct ir_if *ir_loop_exit(const struct ir_loop *loop, bool *leaves)
{
	struct ir_if *nif = (struct ir_if *)loop->body.first->next;
	if (!nif || nif->node.kind != IR_NODE_IF)
		return NULL;
	*leaves = arm_is(&nif->then_, IR_JUMP_BREAK);
	bool plain = *leaves ? arm_is(&nif->else_, IR_JUMP_NONE)
		: arm_is(&nif->then_, IR_JUMP_NONE) && arm_is(&nif->else_, IR_JUMP_BREAK);
	return plain ? nif : NULL;
}

/* The one variable that an expression reads, of one slot; NULL: none or several. */
static struct ir_var *variable_of(struct ir_src s, unsigned depth)
{
	const struct ir_inst *in = s.inst;
	struct ir_var *found = NULL;
	if (in->op == IR_LOAD_VAR)
		return in->u.var.var->slots == 1 && !in->srcs ? in->u.var.var : NULL;
	for (unsigned k = 0; k < in->srcs && depth; k++) {
		struct ir_var *v = variable_of(in->src[k], depth - 1);
		if (v && found && v != found)
			return NULL;
		found = v ? v : found;
	}
	return found;
}

/* Whether ir_eval gives what the instruction will. */
static bool evaluates(const struct unroll *u, const struct ir_inst *in)
{
	return u->f->float_mode == ISA_FLOAT_PLAIN || !ir_by_mode(in);
}

/* The block in which the counter may be stepped: it is part of every turn, as nothing of the loop itself jumps. */
static bool ends_turn(const struct ir_loop *loop, const struct ir_block *b)
{
	return &b->node == loop->cont.last || &b->node == loop->body.last;
}

/* An expression of constants and the counter, whose value is u->value. */
static bool evaluate(const struct unroll *u, struct ir_src s, unsigned depth, uint64_t *out)
{
	const struct ir_inst *in = s.inst;
	uint64_t v[3];
	if (in->op == IR_CONST) {
		*out = in->u.imm;
		return true;
	}
	if (is_counter(in, IR_LOAD_VAR, u->counter) && (in->block == head_of(u->loop) || ends_turn(u->loop, in->block))) {
		*out = u->value;
		return true;
	}
	if (ir_info(in)->family != IR_ALU_OP || in->srcs == 0 || in->srcs > 3 || !depth || !evaluates(u, in))
		return false;
	for (unsigned k = 0; k < in->srcs; k++)
		if (!evaluate(u, in->src[k], depth - 1, &v[k]))
			return false;
	return ir_eval((enum ir_op)in->op, ir_operand_bits(in), in->bits, v, out);
}

/* Its value before the loop, if that is a constant. */
static bool initial(struct unroll *u)
{
	const struct ir_inst *in = block_of(u->loop->node.prev)->last;
	for (unsigned n = 0; in && n < INIT_SEARCH; n++, in = in->prev) {
		if (in->op == IR_COPY_VAR && in->u.copy->to == u->counter)
			return false;
		if (!is_counter(in, IR_STORE_VAR, u->counter))
			continue;
		u->value = in->srcs == 1 && in->src[0].inst->op == IR_CONST ? in->src[0].inst->u.imm : 0;
		return in->srcs == 1 && in->src[0].inst->op == IR_CONST;
	}
	return false;
}

/* An expression of which the counter is part. */
static bool has_counter(const struct unroll *u, struct ir_src s, unsigned depth)
{
	bool has = is_counter(s.inst, IR_LOAD_VAR, u->counter);
	for (unsigned k = 0; k < s.inst->srcs && depth && !has; k++)
		has = has_counter(u, s.inst->src[k], depth - 1);
	return has;
}

/* Of constants and the counter alone; what of the loop stands before it is marked so already.  within: an inner loop, of whose
 * turns nothing is known. */
static bool counter_decides(const struct unroll *u, const struct ir_inst *in, bool within)
{
	if (in->op == IR_LOAD_VAR && !in->srcs && in->u.var.var->mark == u->loops)
		return !within;
	if (ir_info(in)->family != IR_ALU_OP || in->srcs == 0)
		return false;
	for (unsigned k = 0; k < in->srcs; k++) {
		const struct ir_inst *from = in->src[k].inst;
		if (from->op != IR_CONST && !is_counter(from, IR_LOAD_VAR, u->counter) && from->mark != u->loops)
			return false;
	}
	return true;
}

/* The dynamic slot of a variable; NULL: it has none. */
static const struct ir_src *index_of(const struct ir_inst *in)
{
	bool dynamic = (in->op == IR_LOAD_VAR && in->srcs == 1) || (in->op == IR_STORE_VAR && in->srcs == 2);
	return dynamic ? &in->src[in->srcs - 1] : NULL;
}

/* An instruction of the loop that cloning turns cannot have. */
static bool forbids(struct unroll *u, const struct ir_inst *in)
{
	if (in->op == IR_PHI || (in->op == IR_COPY_VAR && (in->u.copy->to == u->counter || in->u.copy->from == u->counter)))
		return true;
	if (is_counter(in, IR_LOAD_VAR, u->counter))
		return in->srcs || u->step; /* behind the step it has another value */
	if (!is_counter(in, IR_STORE_VAR, u->counter))
		return false;
	if (u->step || in->srcs != 1 || !ends_turn(u->loop, in->block))
		return true;
	u->step = in;
	return false;
}

/* Not a constant or a variable's value by name, of which nothing is left in the end. */
static bool stays(const struct ir_inst *in)
{
	return in->op != IR_CONST && !((in->op == IR_LOAD_VAR || in->op == IR_STORE_VAR) && !index_of(in));
}

/* What variables hold behind a store, if the counter decides it. */
static void mark_variable(const struct unroll *u, const struct ir_inst *in, bool within)
{
	const bool known = in->op == IR_STORE_VAR && in->srcs == 1 && (in->src[0].inst->op == IR_CONST || in->src[0].inst->mark == u->loops);
	if (in->op == IR_STORE_VAR)
		in->u.var.var->mark = known && !within ? u->loops : 0;
	else if (in->op == IR_COPY_VAR)
		in->u.copy->to->mark = within ? 0 : in->u.copy->from->mark;
}

/* In instructions of the hardware, more or less, of a CPU that stands for it. */
static uint32_t cost_of(const struct ir_inst *in)
{
	switch (in->op) {
	case IR_FSIN: case IR_FCOS: case IR_UDIV: case IR_UMOD: case IR_SDIV: case IR_SREM: return 16;
	case IR_FEXP2: case IR_FLOG2: return 8;
	case IR_FRCP: case IR_FRSQ: case IR_FSQRT: return 4;
	default: return 1;
	}
}

/* Whether the counter decides how often a loop within runs: it is part of the condition or, by a variable, of where that begins. */
static bool is_wedge(const struct unroll *u, const struct ir_loop *inner)
{
	bool leaves;
	const struct ir_if *leave = ir_loop_exit(inner, &leaves);
	const struct ir_var *counter = leave ? variable_of(leave->cond, DEPTH) : NULL;
	if (!leave || has_counter(u, leave->cond, DEPTH))
		return leave;
	for (const struct ir_inst *in = block_of(inner->node.prev)->last; in && counter; in = in->prev)
		if (is_counter(in, IR_STORE_VAR, counter))
			return in->srcs == 1 && in->src[0].inst->mark == u->loops;
	return false;
}

/* Counts what the instruction costs and whether anything is left of it; false: turns cannot have it.  within: a loop within. */
static bool look_at(struct unroll *u, struct ir_inst *in, bool within, uint32_t *count)
{
	const struct ir_src *index = index_of(in);
	const bool reckoned = counter_decides(u, in, within);
	if (reckoned)
		in->mark = u->loops;
	*count += stays(in) && !reckoned;
	*(reckoned ? &u->reckoned : &u->work) += stays(in) ? cost_of(in) : 0;
	u->copied++;
	if (*count > (u->inner ? NEST_INSTS : LOOP_INSTS) || !ir_charge_at(u->f->pool, 1, in->word) || forbids(u, in))
		return false;
	mark_variable(u, in, within);
	u->indexes = u->indexes || (index && has_counter(u, *index, INDEX_DEPTH));
	u->inner_indexes |= within && index;
	u->samples |= in->op == IR_TEX || in->op == IR_IMAGE_LOAD;
	u->memory |= ir_info(in)->family == IR_MEM_OP && in->op != IR_LOAD_UBO && in->op != IR_LOAD_PUSH;
	return true;
}

/* What indexes and what samples gains most, and a good part that the counter decides. */
static bool is_worth_much(const struct unroll *u)
{
	return u->indexes || u->samples || (u->wedge && u->inner_indexes) || u->reckoned > (u->work + u->reckoned) / 4;
}

/* Short turns of arithmetic are mostly waiting for the one before; several of them wait no longer. */
static bool is_short(const struct unroll *u) { return !u->memory && !u->inner && u->work <= SHORT; }

/* That gains as well, and so does arithmetic of which the counter decides something. */
static bool is_worth_it(const struct unroll *u)
{
	return is_short(u) || (!u->memory && !u->inner && u->reckoned > (u->work + u->reckoned) / 16);
}

/* Nodes of the loop and instructions that the counter does not decide, 0 where there are too many or it jumps elsewhere. */
static uint32_t measure(struct unroll *u, const struct ir_if *leave)
{
	uint32_t count = 0;
	u->step = NULL;
	u->indexes = u->samples = u->memory = u->inner = u->wedge = u->inner_indexes = false;
	u->reckoned = u->work = u->copied = 0;
	u->loops++;
	for (struct ir_node *n = u->loop->body.first; n; n = next_node(n, &u->loop->node)) {
		u->work++;
		if (++count > LOOP_INSTS)
			return 0;
		if (n->kind == IR_NODE_LOOP) {
			u->inner = true;
			u->wedge |= is_wedge(u, (const struct ir_loop *)n);
		}
		if (n->kind != IR_NODE_BLOCK)
			continue;
		const struct ir_block *b = block_of(n);
		const struct ir_node *around = n->list->owner;
		while (around->kind != IR_NODE_LOOP)
			around = around->list->owner;
		if (b->jump && around == &u->loop->node && n->list->owner != &leave->node)
			return 0;
		for (struct ir_inst *in = b->first; in; in = in->next)
			if (!look_at(u, in, around != &u->loop->node, &count))
				return 0;
	}
	return u->step && (is_worth_much(u) || is_worth_it(u)) ? count : 0;
}

/* Short turns may become one by one or several at once. */
static bool may_repeat(const struct unroll *u) { return is_short(u) && !is_worth_much(u); }

/* How often the rest of the body runs; false: not known, or too often. */
static bool count_turns(struct unroll *u, struct ir_src leave, bool leaves, uint32_t *turns)
{
	const uint32_t most = may_repeat(u) ? MANY : TURNS;
	const uint64_t first = u->value;
	uint64_t now, next;
	bool known = true;
	for (*turns = 0; known && *turns <= most; ++*turns) {
		known = evaluate(u, leave, DEPTH, &now);
		if (!known || (now & 1) == leaves)
			break;
		known = ir_charge(u->f->pool, 1) && evaluate(u, u->step->src[0], DEPTH, &next);
		u->value = next;
	}
	u->value = first;
	return known && *turns <= most;
}

/* --- copies --- */

static struct ir_src copied(const struct unroll *u, struct ir_src s)
{
	if (s.inst->id < u->size && u->copies[s.inst->id].turn == u->turn)
		return ir_comp(u->copies[s.inst->id].to, s.comp);
	return s;
}

static void to_const(struct ir_inst *in, uint64_t value)
{
	in->op = IR_CONST;
	in->srcs = 0;
	in->u.imm = value;
}

/* A dynamic slot that is a constant now. */
static void settle_slot(struct ir_inst *in)
{
	const struct ir_src *index = index_of(in);
	if (!index || index->inst->op != IR_CONST || in->u.var.slot + index->inst->u.imm >= in->u.var.var->slots)
		return;
	in->u.var.slot += (uint32_t)index->inst->u.imm;
	in->srcs--;
}

static void copy_inst(struct unroll *u, struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_inst *c = ir_inst_new(u->f, (enum ir_op)in->op, in->bits, in->comps, in->srcs);
	uint64_t v[3], value;
	bool constant = ir_info(in)->family == IR_ALU_OP && in->srcs && in->srcs <= 3 && evaluates(u, in);
	c->u = in->u;
	c->precise = in->precise;
	c->word = in->word;
	for (unsigned k = 0; k < in->srcs; k++) {
		c->src[k] = copied(u, in->src[k]);
		constant = constant && c->src[k].inst->op == IR_CONST;
		v[k < 3 ? k : 2] = constant ? c->src[k].inst->u.imm : 0;
	}
	if (is_counter(in, IR_LOAD_VAR, u->counter) && !u->keeps)
		to_const(c, u->value);
	else if (constant && ir_eval((enum ir_op)in->op, ir_operand_bits(c), c->bits, v, &value))
		to_const(c, value);
	else
		settle_slot(c);
	ir_insert(b, c);
	u->copies[in->id] = (struct copy){ c, u->turn };
	u->added++;
}

static void copy_list(struct unroll *u, struct ir_builder *b, const struct ir_node *n);

static void copy_node(struct unroll *u, struct ir_builder *b, const struct ir_node *n)
{
	if (n->kind == IR_NODE_BLOCK) {
		for (const struct ir_inst *in = ((const struct ir_block *)n)->first; in; in = in->next)
			copy_inst(u, b, in);
		b->block->jump = ((const struct ir_block *)n)->jump;
	} else if (n->kind == IR_NODE_IF) {
		const struct ir_if *nif = (const struct ir_if *)n;
		struct ir_if *c = ir_begin_if(b, copied(u, nif->cond));
		copy_list(u, b, nif->then_.first);
		ir_begin_else(b, c);
		copy_list(u, b, nif->else_.first);
		ir_end_if(b, c);
	} else {
		const struct ir_loop *loop = (const struct ir_loop *)n;
		struct ir_loop *c = ir_begin_loop(b);
		copy_list(u, b, loop->body.first);
		ir_begin_cont(b, c);
		copy_list(u, b, loop->cont.first);
		ir_end_loop(b, c);
	}
}

/* From n to the end of its list, behind the cursor; as deep as LOOP_INSTS lets it nest. */
static void copy_list(struct unroll *u, struct ir_builder *b, const struct ir_node *n)
{
	for (; n && !ir_pool_failed(u->f->pool); n = n->next)
		copy_node(u, b, n);
}

static void move_insts(struct unroll *u, struct ir_builder *b, struct ir_block *from)
{
	for (struct ir_inst *in = from->first, *next; in && ir_charge(u->f->pool, 1); in = next) {
		next = in->next;
		ir_remove(in);
		ir_insert(b, in);
	}
}

/* The turns behind the block before the loop, then what comes behind the loop. */
static void unroll(struct unroll *u, const struct ir_if *leave, uint32_t turns)
{
	struct ir_node *before = u->loop->node.prev, *behind = u->loop->node.next;
	struct ir_list *list = before->list;
	struct ir_node *rest = behind->next, *last = list->last;
	struct ir_builder b = { .func = u->f, .block = block_of(before) };
	before->next = NULL;
	list->last = before;
	for (uint32_t t = 0; t < turns && !ir_pool_failed(u->f->pool); t++) {
		uint64_t next = 0;
		u->turn++;
		copy_node(u, &b, &head_of(u->loop)->node);
		copy_list(u, &b, leave->node.next);
		copy_list(u, &b, u->loop->cont.first);
		evaluate(u, u->step->src[0], DEPTH, &next);
		u->value = next;
	}
	move_insts(u, &b, head_of(u->loop));
	move_insts(u, &b, block_of(behind));
	b.block->jump = block_of(behind)->jump;
	b.block->node.next = rest;
	if (rest) {
		rest->prev = &b.block->node;
		list->last = last;
	}
}

/* `part` turns become one, which divides their number: only the first of them looks whether it leaves.  The others are an if's
 * that is always taken, behind the body. */
static void repeat(struct unroll *u, const struct ir_if *leave, uint32_t part)
{
	struct ir_builder b = { .func = u->f, .block = block_of(u->loop->body.last) };
	struct ir_if *always = ir_begin_if(&b, ir_bool(&b, true));
	u->keeps = true;
	for (uint32_t t = 1; t < part && !ir_pool_failed(u->f->pool); t++) {
		u->turn++;
		copy_list(u, &b, u->loop->cont.first);
		copy_node(u, &b, &head_of(u->loop)->node);
		for (const struct ir_node *n = leave->node.next; n && n != &always->node; n = n->next)
			copy_node(u, &b, n);
	}
	u->keeps = false;
	ir_begin_else(&b, always);
	ir_end_if(&b, always);
}

static bool grow(struct unroll *u)
{
	const uint32_t size = u->f->inst_count + u->f->inst_count / 2;
	if (u->f->inst_count <= u->size)
		return true;
	struct copy *copies = ir_realloc(u->f->pool, u->copies, size * sizeof *copies);
	if (!copies)
		return false;
	for (uint32_t i = u->size; i < size; i++)
		copies[i].turn = 0;
	u->copies = copies;
	u->size = size;
	return true;
}

/* How many turns of a short one may become one; 1: no more. */
static uint32_t part_of(uint32_t turns, uint32_t size)
{
	uint32_t part = PART;
	while (part > 1 && (turns % part || part * size > PART_INSTS))
		part--;
	return part;
}

enum outcome { LEFT, TURNED, REPEATED };

static enum outcome try_loop(struct unroll *u, struct ir_loop *loop)
{
	bool leaves;
	uint32_t turns, size;
	struct ir_if *leave = ir_loop_exit(loop, &leaves);
	u->loop = loop;
	if (!leave || !(u->counter = variable_of(leave->cond, DEPTH)) || !initial(u) || !(size = measure(u, leave)) ||
		!count_turns(u, leave->cond, leaves, &turns))
		return LEFT;
	const uint32_t most = is_worth_much(u) ? LOOP_INSTS : PLAIN_INSTS;
	const bool all = turns <= TURNS && turns * size <= most;
	const uint32_t part = all ? turns : may_repeat(u) ? part_of(turns, size) : 1;
	if ((!all && part == 1) || u->added + (uint64_t)part * u->copied > FUNC_INSTS || !grow(u))
		return LEFT;
	if (all)
		unroll(u, leave, turns);
	else
		repeat(u, leave, part);
	return all ? TURNED : REPEATED;
}

void ir_pass_unroll(struct ir_func *f)
{
	struct unroll u = { .f = f };
	bool again = true, repeated = false; /* again: loops within those that became turns may do so now */
	ir_cfg(f);
	for (unsigned round = 0; round < ROUNDS && again; round++) {
		bool changed = again = false;
		/* By where they end: inner loops before those around them. */
		for (uint32_t i = 0; i < f->block_count && ir_charge(f->pool, 1); i++) {
			struct ir_node *before = f->blocks[i]->node.prev;
			const enum outcome was = before && before->kind == IR_NODE_LOOP ? try_loop(&u, (struct ir_loop *)before) : LEFT;
			changed |= was != LEFT;
			again |= was == TURNED && u.wedge;
			repeated |= was == REPEATED;
		}
		if (changed)
			ir_cfg(f);
	}
	ir_free(f->pool, u.copies);
	if (repeated && !ir_pool_failed(f->pool))
		ir_pass_branches(f);
}
