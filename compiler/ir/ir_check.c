/* SPDX-License-Identifier: MIT */
/* The invariants of ir.h.  Needs ir_cfg to have run since the tree changed. */
#include "compiler/ir/ir.h"

#include <stdarg.h>
#include <stdlib.h>

struct check {
	const struct ir_func *func;
	struct ir_block **home;   /* block of instruction id, by walk order so far */
	char *message;
	size_t size;
	bool ok;
};

static void fail(struct check *c, const struct ir_inst *in, const char *format, ...)
{
	if (!c->ok)
		return;
	c->ok = false;
	int n = in ? snprintf(c->message, c->size, "%%%u %s: ", in->id, ir_op_infos[in->op].name) : 0;
	if (n < 0 || (size_t)n >= c->size)
		return;
	va_list args;
	va_start(args, format);
	vsnprintf(c->message + n, c->size - (size_t)n, format, args);
	va_end(args);
}

static uint32_t depth_of(const struct ir_node *n)
{
	uint32_t depth = 0;
	while ((n = n->parent))
		depth++;
	return depth;
}

/* Program order, and not from one arm of an if into the other.  Less than
 * dominance: a value may leave an arm when the other arm has jumped away. */
static bool in_order(const struct ir_block *d, const struct ir_block *u)
{
	const struct ir_node *a = &d->node, *b = &u->node;
	if (d->index > u->index || a->list == b->list)
		return d->index <= u->index;
	/* Up to where both stand in the same if, loop or body. */
	uint32_t above_a = depth_of(a), above_b = depth_of(b);
	for (; above_a > above_b; above_a--)
		a = a->parent;
	for (; above_b > above_a; above_b--)
		b = b->parent;
	for (; a->parent != b->parent; a = a->parent)
		b = b->parent;
	return a->list == b->list || a->parent->kind != IR_NODE_IF;
}

static void check_src(struct check *c, const struct ir_inst *user, struct ir_src s, const struct ir_block *at)
{
	if (!s.inst) {
		fail(c, user, "source missing");
	} else if (s.inst->id >= c->func->inst_count || !c->home[s.inst->id]) {
		fail(c, user, "source %%%u is not in the function", s.inst->id);
	} else if (s.comp >= s.inst->comps || !s.inst->bits) {
		fail(c, user, "source %%%u has no component %u", s.inst->id, s.comp);
	} else if (at && !in_order(c->home[s.inst->id], at)) {
		fail(c, user, "source %%%u does not dominate", s.inst->id);
	}
}

static void check_bits(struct check *c, const struct ir_inst *in)
{
	const struct ir_op_info *info = &ir_op_infos[in->op];
	if (info->srcs >= 0 && info->srcs != in->srcs && in->op != IR_LOAD_VAR)
		fail(c, in, "has %u sources, not %d", in->srcs, info->srcs);
	if (info->bits != 99 && info->bits != in->bits)
		fail(c, in, "has %u bits, not %u", in->bits, info->bits);
	if (in->op >= IR_BAND && in->op <= IR_BNOT)
		for (unsigned i = 0; i < in->srcs && c->ok; i++)
			if (in->src[i].inst->bits != 1)
				fail(c, in, "source %u is not a bool", i);
	if (in->op >= IR_FADD && in->op <= IR_QUANTIZE_F16)
		for (unsigned i = 0; i < in->srcs && c->ok; i++)
			if (in->src[i].inst->bits != 32)
				fail(c, in, "source %u has not 32 bits", i);
	if (in->op == IR_SELECT && c->ok &&
		(in->src[0].inst->bits != 1 || in->src[1].inst->bits != in->bits || in->src[2].inst->bits != in->bits))
		fail(c, in, "mixed bits");
	if (in->op == IR_PHI && c->ok)
		for (unsigned i = 0; i < in->srcs; i++)
			if (in->src[i].inst->bits != in->bits)
				fail(c, in, "mixed bits");
}

static void check_inst(struct check *c, struct ir_inst *in, struct ir_block *block)
{
	if (in->block != block)
		fail(c, in, "is linked into a block that is not its own");
	if (in->op == IR_PHI) {
		if (in->prev && in->prev->op != IR_PHI)
			fail(c, in, "a phi after other instructions");
		if (in->srcs != block->preds)
			fail(c, in, "%u sources for %u predecessors", in->srcs, block->preds);
		for (unsigned i = 0; i < in->srcs && c->ok; i++)
			check_src(c, in, in->src[i], block->pred[i]);
	} else {
		for (unsigned i = 0; i < in->srcs && c->ok; i++)
			check_src(c, in, in->src[i], block);
	}
	if (c->ok)
		check_bits(c, in);
}

bool ir_check(const struct ir_func *f, char *message, size_t size)
{
	struct check c = { .func = f, .message = message, .size = size, .ok = true };
	c.home = calloc(f->inst_count + 1, sizeof *c.home);
	if (!c.home)
		return true;
	for (uint32_t i = 0; i < f->block_count; i++)
		for (struct ir_inst *in = f->blocks[i]->first; in; in = in->next)
			c.home[in->id] = f->blocks[i];
	for (uint32_t i = 0; i < f->block_count; i++) {
		struct ir_block *block = f->blocks[i];
		for (struct ir_inst *in = block->first; in && c.ok; in = in->next)
			check_inst(&c, in, block);
		struct ir_node *next = block->node.next;
		if (next && next->kind == IR_NODE_IF && c.ok) {
			struct ir_src cond = ((struct ir_if *)next)->cond;
			check_src(&c, NULL, cond, block);
			if (c.ok && cond.inst->bits != 1)
				fail(&c, NULL, "the condition %%%u of an if is not a bool", cond.inst->id);
		}
		if (next && !next->next)
			fail(&c, NULL, "block %u: an if or loop ends its list", block->index);
	}
	free(c.home);
	return c.ok;
}
