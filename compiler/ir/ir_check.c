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

static bool is_width(unsigned bits)
{
	return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* The operand class.  wide: bits of the source that the others have to be like. */
static bool source_fits(const struct ir_inst *in, unsigned i, unsigned wide)
{
	unsigned bits = in->src[i].inst->bits;
	switch (ir_info(in)->operands) {
	case IR_IN_BOOL: return bits == 1;
	case IR_IN_WORD: return bits == 32;
	case IR_IN_INT: return bits == wide && is_width(bits);
	case IR_IN_FLOAT: return bits == wide && is_width(bits) && bits != 8;
	case IR_IN_SHIFT: return i ? bits == 32 : is_width(bits);
	case IR_IN_SEL: return i ? bits == wide : bits == 1;
	case IR_IN_SAME: return bits == in->bits;
	case IR_IN_NUM: return is_width(bits);
	default: return true;
	}
}

static bool result_fits(const struct ir_inst *in, unsigned wide)
{
	switch (ir_info(in)->result) {
	case IR_OUT_NONE: return in->bits == 0;
	case IR_OUT_BOOL: return in->bits == 1;
	case IR_OUT_WORD: return in->bits == 32;
	case IR_OUT_SAME: return in->bits == wide;
	case IR_OUT_TWICE: return in->bits == 2 * wide && wide <= 32;
	case IR_OUT_HALF: return in->bits == wide / 2 && wide >= 16;
	default: return in->bits == 1 || is_width(in->bits);
	}
}

/* Offsets have 32 bits, addresses 64; what moves is some dwords, four at most, or one value of
 * 8 or 16 bits, and of an atomic one or two dwords each. */
static void check_memory(struct check *c, const struct ir_inst *in)
{
	bool global = IR_IS_GLOBAL(in->op), atomic = IR_IS_ATOMIC(in->op), narrow = in->bits == 8 || in->bits == 16;
	unsigned data = (in->u.mem.binding || global) + (in->op != IR_SSBO_SIZE), bytes = in->comps * in->bits / 8u;
	for (unsigned i = 0; i < in->srcs; i++) {
		unsigned bits = in->src[i].inst->bits;
		if (i < data ? bits != (global && i == 0 ? 64 : 32) : !is_width(bits) || bits != in->src[data].inst->bits ||
			(atomic && (bits != in->bits || bits < 32)))
			fail(c, in, "source %u has %u bits", i, bits);
		narrow |= bits < 32;
		bytes += i < data || atomic ? 0 : bits / 8;
	}
	if (bytes > 16 || (narrow && (in->comps > 1 || in->srcs > data + 1)))
		fail(c, in, "moves %u bytes at once", bytes);
}

static void check_bits(struct check *c, const struct ir_inst *in)
{
	const struct ir_op_info *info = ir_info(in);
	if (info->srcs >= 0 && info->srcs != in->srcs) {
		fail(c, in, "has %u sources, not %d", in->srcs, info->srcs);
		return;
	}
	unsigned wide = ir_operand_bits(in);
	if (!result_fits(in, wide))
		fail(c, in, "yields %u bits", in->bits);
	for (unsigned i = 0; i < in->srcs; i++)
		if (!source_fits(in, i, wide))
			fail(c, in, "source %u has %u bits", i, in->src[i].inst->bits);
	if (in->op == IR_CONST && c->ok && in->u.imm & ~ir_ones(in->bits))
		fail(c, in, "has bits beyond %u", in->bits);
	if (info->family == IR_MEM_OP && c->ok)
		check_memory(c, in);
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
