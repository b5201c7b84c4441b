/* SPDX-License-Identifier: MIT */
/* Block order and edges of the control-flow tree. */
#include "compiler/ir/ir.h"

struct cfg {
	struct ir_func *func;
	uint32_t count, room;
};

static void add_edge(struct cfg *c, struct ir_block *from, struct ir_block *to)
{
	from->succ[from->succ[0] ? 1 : 0] = to;
	if ((to->preds & (to->preds - 1)) == 0) {
		struct ir_block **grown = ir_alloc(c->func->pool, (to->preds ? to->preds * 2 : 2) * sizeof *grown);
		for (uint32_t i = 0; i < to->preds; i++)
			grown[i] = to->pred[i];
		to->pred = grown;
	}
	to->pred[to->preds++] = from;
}

static void add_block(struct cfg *c, struct ir_block *block)
{
	struct ir_func *f = c->func;
	if (c->count == c->room) {
		uint32_t room = c->room ? c->room * 2 : 32;
		struct ir_block **grown = ir_alloc(f->pool, room * sizeof *grown);
		for (uint32_t i = 0; i < c->count; i++)
			grown[i] = f->blocks[i];
		f->blocks = grown;
		c->room = room;
	}
	block->index = c->count;
	f->blocks[c->count++] = block;
}

static void reset_block(struct ir_block *block)
{
	block->preds = 0;
	block->pred = NULL;
	block->succ[0] = block->succ[1] = NULL;
}

static struct ir_block *first_block(const struct ir_list *list)
{
	return (struct ir_block *)list->first;
}

/* Nothing reaches this block: it stays, empty, because a list ends in a block. */
static void truncate_at(struct ir_block *block)
{
	block->first = block->last = NULL;
	block->jump = IR_JUMP_NONE;
	block->node.next = NULL;
	block->node.list->last = &block->node;
}

static struct ir_loop *loop_of(const struct ir_node *node)
{
	for (node = node->parent; node; node = node->parent)
		if (node->kind == IR_NODE_LOOP)
			return (struct ir_loop *)node;
	return NULL;
}

static void jump_edge(struct cfg *c, struct ir_block *block)
{
	struct ir_loop *loop = loop_of(&block->node);
	if (block->jump == IR_JUMP_BREAK)
		add_edge(c, block, (struct ir_block *)loop->node.next);
	else
		add_edge(c, block, first_block(&loop->cont));
}

/* Walks a list whose first block has its edges already. Returns the last block
 * if control falls out of the list, else NULL. */
static struct ir_block *walk(struct cfg *c, struct ir_list *list, bool reachable)
{
	for (struct ir_node *n = list->first; n; n = n->next) {
		struct ir_block *block = (struct ir_block *)n;
		if (n != list->first)
			reachable = block->preds > 0;
		add_block(c, block);
		if (!reachable) {
			truncate_at(block);
			return NULL;
		}
		if (block->jump) {
			jump_edge(c, block);
			block->node.next = NULL;
			list->last = &block->node;
			return NULL;
		}
		n = n->next;
		if (!n)
			return block;
		struct ir_block *after = (struct ir_block *)n->next;
		reset_block(after);
		if (n->kind == IR_NODE_IF) {
			struct ir_if *nif = (struct ir_if *)n;
			reset_block(first_block(&nif->then_));
			reset_block(first_block(&nif->else_));
			add_edge(c, block, first_block(&nif->then_));
			add_edge(c, block, first_block(&nif->else_));
			struct ir_block *end = walk(c, &nif->then_, true);
			if (end)
				add_edge(c, end, after);
			end = walk(c, &nif->else_, true);
			if (end)
				add_edge(c, end, after);
		} else {
			struct ir_loop *loop = (struct ir_loop *)n;
			struct ir_block *head = first_block(&loop->body), *cont = first_block(&loop->cont);
			reset_block(head);
			reset_block(cont);
			add_edge(c, block, head);
			struct ir_block *end = walk(c, &loop->body, true);
			if (end)
				add_edge(c, end, cont);
			end = walk(c, &loop->cont, cont->preds > 0);
			if (end)
				add_edge(c, end, head);
		}
	}
	return NULL;
}

void ir_cfg(struct ir_func *f)
{
	struct cfg c = { .func = f };
	f->blocks = NULL;
	reset_block(first_block(&f->body));
	walk(&c, &f->body, true);
	f->block_count = c.count;
}
