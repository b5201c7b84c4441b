/* SPDX-License-Identifier: MIT */
/* Ifs whose condition is a constant: the arm that is taken joins the list around it, the other one goes, and with it what only
 * it reaches.  Constants of a pipeline and the steps of an unrolled loop leave such ifs.  And loops of one turn, which are left
 * at the end alone: what returned early may leave those.  Needs cfg and SSA, and keeps them; what copies the phis leave is for
 * fold. */
#include "compiler/ir/ir.h"

/* Where the instructions of a block are now: pass leads there. */
static struct ir_block *now(struct ir_block *b)
{
	while (b->pass)
		b = b->pass;
	return b;
}

static void append(struct ir_block *to, struct ir_block *from)
{
	ir_append(to, from);
	from->pass = to;
}

/* The block `end` goes on with `after`, which comes from nowhere else. */
static void join(struct ir_block *end, struct ir_block *after)
{
	for (uint32_t i = 0; i < after->preds; i++)
		if (now(after->pred[i]) == end)
			for (struct ir_inst *in = after->first; in && in->op == IR_PHI; in = in->next)
				ir_become_copy(in, in->src[i]);
	end->jump = after->jump;
	end->node.next = after->node.next;
	append(end, after);
}

/* before; node; after: becomes what `arm`, a list of the node, has between them. */
static void splice(struct ir_block *before, struct ir_node *node, struct ir_list *arm)
{
	struct ir_block *after = (struct ir_block *)node->next, *first = (struct ir_block *)arm->first;
	struct ir_block *end = arm->first == arm->last ? before : (struct ir_block *)arm->last;
	struct ir_list *list = before->node.list;
	before->jump = first->jump;
	before->node.next = first->node.next;
	append(before, first);
	if (before->node.next)
		before->node.next->prev = &before->node;
	for (struct ir_node *n = before->node.next; n; n = n->next) {
		n->parent = before->node.parent;
		n->list = list;
	}
	if (!end->jump)
		join(end, after);
	*(end->node.next ? &end->node.next->prev : &list->last) = &end->node;
}

static bool is_once(const struct ir_loop *loop)
{
	const struct ir_block *after = (const struct ir_block *)loop->node.next, *last = (const struct ir_block *)loop->body.last;
	const struct ir_block *head = (const struct ir_block *)loop->body.first, *cont = (const struct ir_block *)loop->cont.first;
	return last->jump == IR_JUMP_BREAK && head->preds == 1 && cont->preds == 0 && after->preds == 1 && now(after->pred[0]) == last;
}

static void take_once(struct ir_block *before, struct ir_loop *loop)
{
	for (struct ir_inst *in = ((struct ir_block *)loop->body.first)->first; in && in->op == IR_PHI; in = in->next)
		ir_become_copy(in, in->src[0]);
	((struct ir_block *)loop->body.last)->jump = IR_JUMP_NONE;
	splice(before, &loop->node, &loop->body);
}

static bool fold_list(struct ir_func *f, struct ir_list *list)
{
	bool changed = false;
	for (struct ir_node *n = list->first; n && ir_charge(f->pool, 1); n = n->next) {
		if (n->kind == IR_NODE_LOOP) {
			struct ir_loop *loop = (struct ir_loop *)n;
			if (!is_once(loop)) {
				changed |= fold_list(f, &loop->body);
				changed |= fold_list(f, &loop->cont);
				continue;
			}
			n = loop->node.prev;
			take_once((struct ir_block *)n, loop);
			changed = true;
		} else if (n->kind == IR_NODE_IF) {
			struct ir_if *nif = (struct ir_if *)n;
			if (nif->cond.inst->op != IR_CONST) {
				changed |= fold_list(f, &nif->then_);
				changed |= fold_list(f, &nif->else_);
				continue;
			}
			n = nif->node.prev;
			splice((struct ir_block *)n, &nif->node, nif->cond.inst->u.imm & 1 ? &nif->then_ : &nif->else_);
			changed = true;
		}
	}
	return changed;
}

/* A block's predecessors before; its phis have a source for each. */
struct former { struct ir_block *block, **pred; uint32_t preds; };

static void renew_phis(struct ir_func *f, const struct former *was)
{
	struct ir_block *b = was->block;
	if (b->pass || b->index >= f->block_count || f->blocks[b->index] != b)
		return;
	for (struct ir_inst *in = b->first; in && in->op == IR_PHI; in = in->next) {
		unsigned count = 0;
		/* predecessors keep their order */
		for (uint32_t i = 0; i < was->preds; i++)
			if (count < b->preds && now(was->pred[i]) == b->pred[count])
				in->src[count++] = in->src[i];
		assert(count == b->preds);
		in->srcs = count;
		if (count == 1)
			ir_become_copy(in, in->src[0]);
	}
}

bool ir_pass_branches(struct ir_func *f)
{
	const uint32_t count = f->block_count;
	struct former *former = ir_alloc(f->pool, (count ? count : 1) * sizeof *former);
	for (uint32_t i = 0; i < count; i++) {
		former[i] = (struct former){ f->blocks[i], f->blocks[i]->pred, f->blocks[i]->preds };
		f->blocks[i]->pass = NULL;
	}
	if (!fold_list(f, &f->body))
		return false;
	ir_cfg(f);
	for (uint32_t i = 0; i < count; i++)
		renew_phis(f, &former[i]);
	return true;
}
