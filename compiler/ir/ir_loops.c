/* SPDX-License-Identifier: MIT */
/* Loop passes: invariant motion and closed form.  Need cfg and SSA. */
#include "compiler/ir/ir.h"

static struct ir_loop *loop_around(const struct ir_node *n)
{
	for (n = n->parent; n; n = n->parent)
		if (n->kind == IR_NODE_LOOP)
			return (struct ir_loop *)n;
	return NULL;
}

static bool inside(const struct ir_node *n, const struct ir_loop *loop)
{
	for (; n; n = n->parent)
		if (n == &loop->node)
			return true;
	return false;
}

/* --- loop-invariant code motion --- */

/* Safe to compute although the loop might not have: no quads, no lane sets, no
 * descriptor that an index guarded by the loop selects. */
static bool may_speculate(const struct ir_inst *in)
{
	const struct ir_op_info *info = ir_info(in);
	if ((info->flags & (IR_F_PURE | IR_F_QUAD)) != IR_F_PURE || in->comps > 4)
		return false;
	if (info->family != IR_MEM_OP || !in->u.mem.binding)
		return true;
	return in->src[0].inst->op == IR_CONST && !in->u.mem.binding->variable;
}

static bool invariant(const struct ir_inst *in, const struct ir_loop *loop)
{
	for (unsigned k = 0; k < in->srcs; k++)
		if (inside(&in->src[k].inst->block->node, loop))
			return false;
	return true;
}

bool ir_pass_licm(struct ir_func *f)
{
	bool changed = false;
	for (uint32_t i = 0; i < f->block_count; i++) {
		struct ir_loop *loop = loop_around(&f->blocks[i]->node);
		if (!loop)
			continue;
		for (struct ir_inst *in = f->blocks[i]->first, *next; in; in = next) {
			next = in->next;
			/* Out of as many loops as possible at once: program order then
			 * sees sources moved before their users. */
			struct ir_loop *out = NULL;
			for (struct ir_loop *l = loop; l && ir_charge_at(f->pool, 1, in->word) && may_speculate(in) && invariant(in, l); l = loop_around(&l->node))
				out = l;
			if (!out)
				continue;
			struct ir_builder b = { f, (struct ir_block *)out->node.prev, NULL, in->word };
			ir_remove(in);
			ir_insert(&b, in);
			changed = true;
		}
	}
	return changed;
}

/* --- loop-closed SSA --- */

struct exit_phi { struct exit_phi *next; struct ir_loop *loop; uint8_t comp; struct ir_inst *phi; };
struct lcssa { struct ir_func *func; struct exit_phi **of; uint32_t room; };

static struct ir_inst *exit_phi(struct lcssa *c, struct ir_src v, struct ir_loop *loop)
{
	struct exit_phi **head = v.inst->id < c->room ? &c->of[v.inst->id] : NULL;
	for (struct exit_phi *e = head ? *head : NULL; e; e = e->next)
		if (e->loop == loop && e->comp == v.comp)
			return e->phi;
	struct ir_block *after = (struct ir_block *)loop->node.next;
	struct ir_inst *phi = ir_inst_new(c->func, IR_PHI, v.inst->bits, 1, after->preds);
	for (uint32_t i = 0; i < after->preds; i++)
		phi->src[i] = v;
	struct ir_builder b = { c->func, after, after->first, 0 };
	ir_insert(&b, phi);
	if (head) {
		struct exit_phi *e = ir_alloc(c->func->pool, sizeof *e);
		*e = (struct exit_phi){ *head, loop, v.comp, phi };
		*head = e;
	}
	return phi;
}

/* The value as it may be named at block `at`. */
static struct ir_src close_value(struct lcssa *c, struct ir_src v, const struct ir_block *at)
{
	if (v.inst->op == IR_CONST || v.inst->op == IR_UNDEF)
		return v;
	struct ir_loop *loop = loop_around(&v.inst->block->node);
	for (; loop && !inside(&at->node, loop); loop = loop_around(&loop->node))
		if (loop->divergent)
			v = ir_comp(exit_phi(c, v, loop), 0);
	return v;
}

static void close_block(struct lcssa *c, struct ir_block *block)
{
	for (struct ir_inst *in = block->first; in && ir_charge_at(c->func->pool, 1, in->word); in = in->next)
		for (unsigned k = 0; k < in->srcs; k++)
			in->src[k] = close_value(c, in->src[k], in->op == IR_PHI ? block->pred[k] : block);
	struct ir_node *next = block->node.next;
	if (next && next->kind == IR_NODE_IF) {
		struct ir_if *nif = (struct ir_if *)next;
		nif->cond = close_value(c, nif->cond, block);
	}
}

void ir_pass_lcssa(struct ir_func *f)
{
	struct lcssa c = { f, ir_calloc(f->pool, f->inst_count + 1, sizeof(struct exit_phi *)), f->inst_count };
	if (!c.of)
		return;
	for (uint32_t i = 0; i < f->block_count; i++)
		close_block(&c, f->blocks[i]);
	ir_free(f->pool, c.of);
}
