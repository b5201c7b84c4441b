/* SPDX-License-Identifier: MIT */
/* Loops out of WGSL have a bound of 2^64 turns, so that what compiles them may not reason from one without an end: no wave lives
 * to see it (cu_wave.budget), but it hides from ir_pass_unroll where a loop does end.  It is a variable of two words:
 *
 *   bound = start; loop { head; if (all(bound == end)) { break } else {}; .. }
 *
 * Somewhere in the loop the low word comes one nearer to the end, and the high one does where the low one has gone round.
 * start is all ones and end 0, or the other way round.  The break goes; nothing then needs the variable.
 * Needs variables; leaves cfg. */
#include "compiler/ir/ir.h"

struct bound {
	const struct ir_var *var;
	struct ir_loop *loop;
	struct ir_if *leave;
	uint32_t end;                 /* of each word; start is ~end */
	const struct ir_inst *step[2]; /* stores of what is no constant, of which there are `steps` */
	unsigned steps;
};

static bool is_constant(struct ir_src s, uint32_t value) { return s.inst->op == IR_CONST && (uint32_t)s.inst->u.imm == value; }

/* The operand of two beside the constant; NULL where there is no such thing. */
static const struct ir_inst *beside(const struct ir_inst *in, uint32_t constant)
{
	if (is_constant(in->src[1], constant))
		return in->src[0].inst;
	return is_constant(in->src[0], constant) ? in->src[1].inst : NULL;
}

/* A word of a variable of two that is compared with the constant. */
static const struct ir_inst *compared_word(const struct ir_inst *in, uint32_t constant)
{
	const struct ir_inst *word = in->op == IR_ICMP_EQ ? beside(in, constant) : NULL;
	return word && word->op == IR_LOAD_VAR && !word->srcs && word->bits == 32 && word->u.var.var->slots == 2 ? word : NULL;
}

/* Whether the loop is left where both words are at the end. */
static bool leaves_at(struct bound *b, uint32_t end)
{
	const struct ir_inst *both = b->leave->cond.inst;
	if (both->op != IR_BAND)
		return false;
	const struct ir_inst *one = compared_word(both->src[0].inst, end), *other = compared_word(both->src[1].inst, end);
	if (!one || !other || one->u.var.var != other->u.var.var || one->u.var.slot == other->u.var.slot)
		return false;
	b->var = one->u.var.var;
	b->end = end;
	return true;
}

/* Counts the variable's stores but those of its start; false: it is written in other ways, too. */
static bool find_steps(struct bound *b, const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->block_count; i++)
		for (const struct ir_inst *in = f->blocks[i]->first; in; in = in->next) {
			if (!ir_charge_at(f->pool, 1, in->word) || (in->op == IR_COPY_VAR && in->u.copy->to == b->var))
				return false;
			if (in->op != IR_STORE_VAR || in->u.var.var != b->var)
				continue;
			if (in->srcs != 1)
				return false;
			if (in->src[0].inst->op == IR_UNDEF || is_constant(in->src[0], ~b->end))
				continue;
			if (b->steps == 2)
				return false;
			b->step[b->steps++] = in;
		}
	return b->steps == 2;
}

/* Whether `in` is what the word held before its store, which is in the same turn. */
static bool is_word_before(const struct bound *b, const struct ir_inst *in, const struct ir_inst *store)
{
	const struct ir_inst *before = in;
	if (in->op != IR_LOAD_VAR || in->srcs || in->u.var.var != b->var || in->u.var.slot != store->u.var.slot)
		return false;
	if (&in->block->node == b->loop->body.first)
		return true;
	while (before && before != store)
		before = before->next;
	return before == store;
}

/* The amount by which a store brings its word nearer to the end; NULL: it does not. */
static const struct ir_inst *amount_of(const struct bound *b, const struct ir_inst *store)
{
	const struct ir_inst *value = store->src[0].inst;
	if (value->op != (b->end ? IR_IADD : IR_ISUB))
		return NULL;
	if (is_word_before(b, value->src[0].inst, store))
		return value->src[1].inst;
	return b->end && is_word_before(b, value->src[1].inst, store) ? value->src[0].inst : NULL;
}

/* By 1. */
static bool steps_low(const struct bound *b, const struct ir_inst *store)
{
	const struct ir_inst *value = store->src[0].inst, *amount = amount_of(b, store);
	if (value->op == IR_IADD && !b->end) { /* of -1 */
		const struct ir_inst *word = beside(value, ~0u);
		return word && is_word_before(b, word, store);
	}
	return amount && amount->op == IR_CONST && (uint32_t)amount->u.imm == 1;
}

/* By 1 where the low word, of the other store, was at its end or has come to its start. */
static bool steps_high(const struct bound *b, const struct ir_inst *store, const struct ir_inst *low)
{
	const struct ir_inst *amount = amount_of(b, store);
	if (!amount || amount->op != IR_SELECT || !is_constant(amount->src[1], 1) || !is_constant(amount->src[2], 0))
		return false;
	const struct ir_inst *round = amount->src[0].inst;
	if (round->op != IR_ICMP_EQ)
		return false;
	const struct ir_inst *was = beside(round, b->end);
	return (was && is_word_before(b, was, low)) || beside(round, ~b->end) == low->src[0].inst;
}

/* Whether all turns count it down. */
static bool counts(const struct bound *b)
{
	const struct ir_inst *const *s = b->step;
	const struct ir_block *block = s[0]->block;
	if (s[0]->u.var.slot == s[1]->u.var.slot || s[1]->block != block || &block->node == b->loop->body.first ||
		(block->node.list != &b->loop->body && block->node.list != &b->loop->cont))
		return false;
	return (steps_low(b, s[0]) && steps_high(b, s[1], s[0])) || (steps_low(b, s[1]) && steps_high(b, s[0], s[1]));
}

static bool is_bounded(struct bound *b, const struct ir_func *f)
{
	bool leaves;
	b->leave = ir_loop_exit(b->loop, &leaves);
	return b->leave && leaves && (leaves_at(b, 0) || leaves_at(b, ~0u)) && find_steps(b, f) && counts(b);
}

void ir_pass_bounds(struct ir_func *f)
{
	bool changed = false;
	ir_cfg(f);
	for (uint32_t i = 0; i < f->block_count && ir_charge(f->pool, 1); i++) {
		struct ir_node *before = f->blocks[i]->node.prev;
		struct bound b = { .loop = (struct ir_loop *)before };
		if (!before || before->kind != IR_NODE_LOOP || f->blocks[i]->preds < 2 /* there is no other way out */ || !is_bounded(&b, f))
			continue;
		struct ir_builder at = { .func = f, .block = (struct ir_block *)b.loop->body.first };
		b.leave->cond = ir_bool(&at, false);
		changed = true;
	}
	if (changed)
		ir_pass_branches(f);
}
