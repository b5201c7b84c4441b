/* SPDX-License-Identifier: MIT */
/* Where each block goes in the tree: reverse post-order, loops and the
 * placement tree.
 *
 * A block that one block alone branches to is placed inline, at that branch.
 * Any other stands after the construct of its parent in the placement tree: the
 * nearest block under which all its predecessors are placed, which for a
 * declared merge block is the header (or something further out).  A loop header
 * has two nodes: itself (the start of the body) and, around it, the loop (n +
 * block), which is the parent of the continue target and of what follows the
 * loop.  This needs no more than reducible control flow, so shaders with odd
 * but valid merge blocks come out right; declared merges decide only where
 * lanes meet again. */
#include "compiler/spv/spv_priv.h"

#include <string.h>

static void mark_reachable(struct spv *s, struct spv_cfg *c, bool *reached)
{
	uint32_t *stack = spv_alloc(s, c->n, sizeof *stack), top = 0;
	reached[0] = true;
	stack[top++] = 0;
	while (top) {
		const struct spv_block *b = &c->f->blocks[stack[--top]];
		for (uint32_t i = 0; i < b->succs; i++)
			if (!reached[b->succ[i]]) {
				reached[b->succ[i]] = true;
				stack[top++] = b->succ[i];
			}
	}
}

/* Successors as the walk takes them: the merge block and the continue target
 * first, so that they come last in the order. */
static uint32_t walk_successor(const struct spv_cfg *c, uint32_t block, uint32_t i)
{
	const struct spv_block *b = &c->f->blocks[block];
	if (i == 0)
		return b->merge;
	if (i == 1)
		return b->cont;
	return i - 2 < b->succs ? b->succ[b->succs - 1 - (i - 2)] : SPV_NO_BLOCK - 1;
}

static void number_blocks(struct spv *s, struct spv_cfg *c)
{
	bool *reached = spv_alloc(s, c->n, sizeof *reached), *seen = spv_alloc(s, c->n, sizeof *seen);
	uint32_t *stack = spv_alloc(s, c->n, sizeof *stack), *at = spv_alloc(s, c->n, sizeof *at);
	uint32_t top = 0, done = 0;
	mark_reachable(s, c, reached);
	stack[top++] = 0;
	seen[0] = true;
	while (top) {
		uint32_t block = stack[top - 1], to = walk_successor(c, block, at[block]++);
		if (to == SPV_NO_BLOCK - 1) {
			c->order[done++] = block;
			top--;
		} else if (to != SPV_NO_BLOCK && reached[to] && !seen[to]) {
			seen[to] = true;
			stack[top++] = to;
		}
	}
	for (uint32_t i = 0; i < done / 2; i++) {
		uint32_t t = c->order[i];
		c->order[i] = c->order[done - 1 - i];
		c->order[done - 1 - i] = t;
	}
	c->count = done;
	memset(c->rpo, 0xff, c->n * sizeof *c->rpo);
	for (uint32_t i = 0; i < done; i++)
		c->rpo[c->order[i]] = i;
}

static void find_loops(struct spv *s, struct spv_cfg *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		c->cont_of[i] = SPV_NO_BLOCK;
	for (uint32_t i = 0; i < c->count; i++) {
		const struct spv_block *b = &c->f->blocks[c->order[i]];
		for (uint32_t k = 0; k < b->succs; k++) {
			uint32_t to = b->succ[k];
			if (c->rpo[to] > i)
				continue;
			if (!c->f->blocks[to].loop_merge)
				spv_fail_at(s, b->end, COMPILER_INVALID, "a branch back to block %u, which has no OpLoopMerge",
					c->f->blocks[to].id);
			c->is_loop[to] = true;
		}
	}
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t x = c->order[i], to = c->f->blocks[x].cont;
		if (c->is_loop[x] && to != x && c->rpo[to] != SPV_NO_BLOCK && c->cont_of[to] == SPV_NO_BLOCK &&
			c->rpo[to] > i)
			c->cont_of[to] = x;
	}
}

static uint32_t common(struct spv_cfg *c, uint32_t a, uint32_t b)
{
	for (; a != b; c->steps++) {
		if (c->depth[a] < c->depth[b])
			b = c->parent[b];
		else
			a = c->parent[a];
	}
	return a;
}

/* No loop is entered on the way down from node `top` to node `at`. */
static bool no_loop_between(struct spv_cfg *c, uint32_t top, uint32_t at)
{
	for (; at != top; at = c->parent[at], c->steps++)
		if (at >= c->n || c->depth[at] == 0)
			return false;
	return true;
}

static void set_parent(struct spv_cfg *c, uint32_t block, uint32_t parent)
{
	uint32_t node = spv_cfg_node(c, block);
	c->parent[node] = parent;
	c->depth[node] = c->depth[parent] + 1;
	if (node != block) {
		c->parent[block] = node;
		c->depth[block] = c->depth[node] + 1;
	}
}

struct preds { uint32_t common, only, count; };

static void place_block(struct spv *s, struct spv_cfg *c, uint32_t block, struct preds p, uint32_t header)
{
	if (!p.count)
		spv_fail_at(s, c->f->blocks[block].at, COMPILER_INVALID, "the control flow is not reducible");
	if (c->cont_of[block] != SPV_NO_BLOCK) {
		uint32_t loop = c->n + c->cont_of[block];
		if (common(c, p.common, loop) != loop)
			spv_fail_at(s, c->f->blocks[block].at, COMPILER_INVALID,
				"the continue target is reached from outside its loop");
		set_parent(c, block, loop);
		return;
	}
	if (header != SPV_NO_BLOCK) {
		uint32_t node = spv_cfg_node(c, header);
		uint32_t top = common(c, p.common, node);
		if (p.count > 1 || node != header || top != node || !no_loop_between(c, node, p.only)) {
			set_parent(c, block, top);
			return;
		}
	}
	c->inline_[block] = p.count == 1;
	set_parent(c, block, p.common);
}

static void place_blocks(struct spv *s, struct spv_cfg *c)
{
	struct preds *preds = spv_alloc(s, c->n, sizeof *preds);
	uint32_t *header = spv_alloc(s, c->n, sizeof *header);
	memset(header, 0xff, c->n * sizeof *header);
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t block = c->order[i], merge = c->f->blocks[block].merge;
		if (merge != SPV_NO_BLOCK && c->rpo[merge] != SPV_NO_BLOCK && c->rpo[merge] > i &&
			header[merge] == SPV_NO_BLOCK)
			header[merge] = block;
	}
	c->parent[spv_cfg_node(c, 0)] = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t block = c->order[i];
		if (i > 0)
			place_block(s, c, block, preds[block], header[block]);
		const struct spv_block *b = &c->f->blocks[block];
		spv_charge(s, 1 + c->steps / 4);
		c->steps = 0;
		for (uint32_t k = 0; k < b->succs; k++) {
			uint32_t to = b->succ[k];
			if (c->rpo[to] <= i)
				continue;
			struct preds *p = &preds[to];
			p->common = p->count ? common(c, p->common, block) : block;
			p->only = block;
			p->count++;
		}
	}
}

/* Lists of labelled children; walking the order backwards leaves them ascending. */
static void list_children(struct spv_cfg *c)
{
	memset(c->first_child, 0xff, 2 * c->n * sizeof *c->first_child);
	for (uint32_t i = c->count; i-- > 1;) {
		uint32_t block = c->order[i];
		if (c->inline_[block] || c->cont_of[block] != SPV_NO_BLOCK)
			continue;
		uint32_t parent = c->parent[spv_cfg_node(c, block)];
		c->next_child[block] = c->first_child[parent];
		c->first_child[parent] = block;
	}
}

/* Needs c->f.  Refuses branches back to anything but a loop header; what else
 * is wrong with a control flow shows when jumps find no construct (spv_plan). */
void spv_cfg(struct spv *s, struct spv_cfg *c)
{
	c->n = c->f->block_count;
	c->order = spv_alloc(s, c->n, sizeof *c->order);
	c->rpo = spv_alloc(s, c->n, sizeof *c->rpo);
	c->parent = spv_alloc(s, 2 * c->n, sizeof *c->parent);
	c->depth = spv_alloc(s, 2 * c->n, sizeof *c->depth);
	c->is_loop = spv_alloc(s, c->n, sizeof *c->is_loop);
	c->inline_ = spv_alloc(s, c->n, sizeof *c->inline_);
	c->cont_of = spv_alloc(s, c->n, sizeof *c->cont_of);
	c->first_child = spv_alloc(s, 2 * c->n, sizeof *c->first_child);
	c->next_child = spv_alloc(s, c->n, sizeof *c->next_child);
	number_blocks(s, c);
	find_loops(s, c);
	place_blocks(s, c);
	list_children(c);
}
