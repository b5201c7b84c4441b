/* SPDX-License-Identifier: MIT */
/* Value numbering over the control-flow tree: what a list computes is known in
 * the lists nested in it and after them.  Needs cfg and SSA. */
#include "compiler/ir/ir_replace.h"

#include <string.h>

struct cse {
	struct ir_func *func;
	struct ir_inst **table;      /* open addressing by hash of the computation */
	uint32_t mask;
	uint32_t *trail, trail_count; /* slots filled, to undo at the end of a list */
	bool changed;
};

static uint32_t mix(uint32_t h, uint32_t v)
{
	h ^= v * 0x9E3779B1u;
	return (h << 13 | h >> 19) * 5 + 0xe6546b64u;
}

static uint32_t hash_inst(const struct ir_inst *in)
{
	uint32_t h = mix(in->op, in->comps);
	switch (ir_info(in)->family) {
	case IR_VALUE_OP:
		if (in->op == IR_CONST)
			h = mix(h, (uint32_t)in->u.imm ^ (uint32_t)(in->u.imm >> 32));
		break;
	case IR_IO_OP: h = mix(h, in->u.io.slot << 16 | in->u.io.comp << 8 | in->u.io.mode); break;
	case IR_TEX_OP: h = mix(h, (uint32_t)(uintptr_t)in->u.tex->texture ^ in->u.tex->op); break;
	case IR_MEM_OP: h = mix(h, (uint32_t)(uintptr_t)in->u.mem.binding); break;
	default: break;
	}
	for (unsigned k = 0; k < in->srcs; k++)
		h = mix(h, in->src[k].inst->id << 3 | in->src[k].comp);
	return h;
}

/* What an instruction has besides sources.  Of one operation. */
static bool same_details(const struct ir_inst *a, const struct ir_inst *b)
{
	switch (ir_info(a)->family) {
	case IR_VALUE_OP: return a->op != IR_CONST || a->u.imm == b->u.imm;
	case IR_IO_OP: return !memcmp(&a->u.io, &b->u.io, sizeof a->u.io);
	case IR_TEX_OP: return !memcmp(a->u.tex, b->u.tex, sizeof *a->u.tex);
	case IR_ALU_OP: return a->op < IR_PK_FADD || a->op > IR_PK_UMAX || !memcmp(a->u.halves, b->u.halves, sizeof a->u.halves);
	case IR_MEM_OP: return a->u.mem.binding == b->u.mem.binding;
	default: return true;
	}
}

static bool same_inst(const struct ir_inst *a, const struct ir_inst *b)
{
	if (a->op != b->op || a->bits != b->bits || a->comps != b->comps || a->srcs != b->srcs || a->precise != b->precise)
		return false;
	if (!same_details(a, b))
		return false;
	for (unsigned k = 0; k < a->srcs; k++)
		if (a->src[k].inst != b->src[k].inst || a->src[k].comp != b->src[k].comp)
			return false;
	return true;
}

/* One order for the operands of a commutative operation; constants last. */
static void sort_operands(struct ir_inst *in)
{
	if (!(ir_info(in)->flags & IR_F_COMM))
		return;
	bool first = in->src[0].inst->op == IR_CONST, second = in->src[1].inst->op == IR_CONST;
	if (first == second ? in->src[0].inst->id > in->src[1].inst->id : first) {
		struct ir_src t = in->src[0];
		in->src[0] = in->src[1];
		in->src[1] = t;
	}
}

/* Returns an equal instruction known here, or notes this one. */
static struct ir_inst *lookup(struct cse *c, struct ir_inst *in)
{
	uint32_t i = hash_inst(in) & c->mask;
	for (; c->table[i]; i = (i + 1) & c->mask)
		if (same_inst(c->table[i], in))
			return c->table[i];
	c->table[i] = in;
	c->trail[c->trail_count++] = i;
	return NULL;
}

static void number_block(struct cse *c, struct ir_block *block)
{
	for (struct ir_inst *in = block->first, *next; in && ir_charge_at(c->func->pool, 1 + in->srcs / 4, in->word); in = next) {
		next = in->next;
		ir_replace_sources(in);
		if (in->op == IR_PHI || !(ir_info(in)->flags & IR_F_PURE))
			continue;
		sort_operands(in);
		struct ir_inst *same = lookup(c, in);
		if (!same)
			continue;
		ir_replace(in, ir_comp(same, 0));
		c->changed = true;
	}
}

static void number_list(struct cse *c, struct ir_list *list)
{
	uint32_t mark = c->trail_count;
	for (struct ir_node *n = list->first; n; n = n->next) {
		if (n->kind == IR_NODE_BLOCK) {
			number_block(c, (struct ir_block *)n);
		} else if (n->kind == IR_NODE_IF) {
			struct ir_if *nif = (struct ir_if *)n;
			number_list(c, &nif->then_);
			number_list(c, &nif->else_);
		} else {
			struct ir_loop *loop = (struct ir_loop *)n;
			number_list(c, &loop->body);
			number_list(c, &loop->cont);
		}
	}
	/* Entries leave in the reverse order of their coming, so probing chains
	 * are never broken in the middle. */
	while (c->trail_count > mark)
		c->table[c->trail[--c->trail_count]] = NULL;
}

static uint32_t count_instructions(const struct ir_func *f)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < f->block_count && !ir_pool_failed(f->pool); i++) {
		uint32_t before = n;
		for (const struct ir_inst *in = f->blocks[i]->first; in; in = in->next)
			n++;
		ir_charge(f->pool, n - before);
	}
	return n;
}

bool ir_pass_cse(struct ir_func *f)
{
	struct cse c = { .func = f, .mask = 63 };
	uint32_t count = count_instructions(f); /* often far fewer than there ever were */
	if (ir_pool_failed(f->pool))
		return false;
	while (c.mask < count * 2)
		c.mask = c.mask * 2 + 1;
	c.table = ir_calloc(f->pool, c.mask + 1, sizeof *c.table);
	c.trail = ir_realloc(f->pool, NULL, (count + 1) * sizeof *c.trail);
	if (c.table && c.trail) {
		number_list(&c, &f->body);
		if (c.changed)
			ir_replace_apply_rest(f);
	}
	ir_free(f->pool, c.table);
	ir_free(f->pool, c.trail);
	return c.changed;
}
