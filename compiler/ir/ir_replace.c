/* SPDX-License-Identifier: MIT */
#include "compiler/ir/ir_replace.h"

void ir_replace(struct ir_inst *in, struct ir_src by)
{
	ir_remove(in);
	in->src[0] = by; /* every instruction has room for one */
	in->replaced = true;
}

static void apply(struct ir_func *f, bool phis_only)
{
	for (uint32_t i = 0; i < f->block_count && ir_charge(f->pool, 1); i++) {
		struct ir_block *block = f->blocks[i];
		for (struct ir_inst *in = block->first; in && (!phis_only || in->op == IR_PHI); in = in->next) {
			if (!ir_charge_at(f->pool, 1, in->word))
				return;
			ir_replace_sources(in);
		}
		struct ir_node *next = block->node.next;
		if (next && next->kind == IR_NODE_IF) {
			struct ir_if *nif = (struct ir_if *)next;
			nif->cond = ir_replace_resolve(nif->cond);
		}
	}
}

void ir_replace_apply(struct ir_func *f)
{
	apply(f, false);
}

void ir_replace_apply_rest(struct ir_func *f)
{
	apply(f, true);
}
