/* SPDX-License-Identifier: MIT */
/* Small ifs to selects: both arms run for all lanes, and EXEC stays as it is.
 * Needs cfg, SSA and divergence; leaves cfg and SSA, divergence to be run
 * again.
 *
 * A uniform if whose arms make nothing but conditions of lanes is `a && b`, where a is a loop's count and b what its lanes
 * compute, say.  It goes last, when nothing looks for common expressions any more: a product that is found to be one of the
 * loop's body would not become part of an FMA. */
#include "compiler/ir/ir.h"

/* Instructions in both arms together.  A uniform branch skips an arm for two
 * scalar instructions; a divergent one runs both arms and sets EXEC thrice. */
enum { LIMIT_UNIFORM = 2, LIMIT_DIVERGENT = 24, LIMIT_MASKS = 4 };

/* Cheap, and harmless in lanes that would not have come here. */
static bool may_flatten(const struct ir_inst *in)
{
	return (ir_info(in)->flags & (IR_F_PURE | IR_F_DEAR)) == IR_F_PURE && in->comps <= 2;
}

/* Instructions of an arm, or -1 when it has to stay one. */
static int arm_cost(const struct ir_list *arm)
{
	const struct ir_block *b = (const struct ir_block *)arm->first;
	int n = 0;
	if (arm->first != arm->last || b->jump)
		return -1;
	for (const struct ir_inst *in = b->first; in; in = in->next) {
		if (!may_flatten(in))
			return -1;
		n += in->op != IR_CONST && in->op != IR_UNDEF;
	}
	return n;
}

static bool worth_it(const struct ir_if *nif, bool masks)
{
	const struct ir_block *after = (const struct ir_block *)nif->node.next;
	int a = arm_cost(&nif->then_), b = arm_cost(&nif->else_), phis = 0, conditions = 0;
	if (a < 0 || b < 0 || after->preds != 2)
		return false;
	for (const struct ir_inst *in = after->first; in && in->op == IR_PHI; in = in->next) {
		phis++;
		conditions += in->bits == 1 && in->divergent;
	}
	if (masks)
		return !nif->divergent && conditions && conditions == phis && a + b <= LIMIT_MASKS;
	return a + b + phis / 2 <= (nif->divergent ? LIMIT_DIVERGENT : LIMIT_UNIFORM);
}

/* x where one side is undefined, else a select. */
static void phi_to_select(struct ir_func *f, struct ir_inst *phi, const struct ir_if *nif)
{
	struct ir_builder b = { f, phi->block, phi, phi->word };
	struct ir_src then_ = phi->src[0], else_ = phi->src[1];
	bool same = then_.inst == else_.inst && then_.comp == else_.comp;
	struct ir_src value = else_.inst->op == IR_UNDEF || same ? then_ : then_.inst->op == IR_UNDEF ? else_
		: ir_op3(&b, IR_SELECT, nif->cond, then_, else_);
	ir_become_copy(phi, value);
}

static void flatten(struct ir_func *f, struct ir_block *before, struct ir_if *nif)
{
	struct ir_block *after = (struct ir_block *)nif->node.next;
	ir_append(before, (struct ir_block *)nif->then_.first);
	ir_append(before, (struct ir_block *)nif->else_.first);
	for (struct ir_inst *in = after->first; in && in->op == IR_PHI; in = in->next)
		phi_to_select(f, in, nif);
	ir_append(before, after);
	before->jump = after->jump;
	before->node.next = after->node.next;
	*(after->node.next ? &after->node.next->prev : &after->node.list->last) = &before->node;
}

/* Inner ifs first, so that the outer ones may then be small. */
static bool flatten_list(struct ir_func *f, struct ir_list *list, bool masks)
{
	bool changed = false;
	for (struct ir_node *n = list->first; n && ir_charge(f->pool, 1); n = n->next) {
		if (n->kind == IR_NODE_LOOP) {
			changed |= flatten_list(f, &((struct ir_loop *)n)->body, masks);
			changed |= flatten_list(f, &((struct ir_loop *)n)->cont, masks);
		} else if (n->kind == IR_NODE_IF) {
			struct ir_if *nif = (struct ir_if *)n;
			changed |= flatten_list(f, &nif->then_, masks);
			changed |= flatten_list(f, &nif->else_, masks);
			if (worth_it(nif, masks)) {
				n = nif->node.prev;
				flatten(f, (struct ir_block *)n, nif);
				changed = true;
			}
		}
	}
	return changed;
}

static bool flatten_all(struct ir_func *f, bool masks)
{
	bool changed = flatten_list(f, &f->body, masks);
	if (changed)
		ir_cfg(f);
	return changed;
}

bool ir_pass_flatten(struct ir_func *f) { return flatten_all(f, false); }

void ir_pass_flatten_masks(struct ir_func *f)
{
	if (!flatten_all(f, true))
		return;
	ir_pass_fold(f);
	ir_pass_dce(f);
}
