/* SPDX-License-Identifier: MIT */
/* Which values may differ between the lanes of a wave.  Needs cfg and SSA.
 * A value is divergent when its operation is by nature, when a source is, or
 * when it merges paths that lanes took differently. */
#include "compiler/ir/ir.h"

static bool divergent_sysval(unsigned which)
{
	switch (which) {
	case IR_SYS_BASE_VERTEX: case IR_SYS_BASE_INSTANCE: case IR_SYS_DRAW_INDEX: case IR_SYS_VIEW_INDEX:
	case IR_SYS_TESS_DOMAIN: case IR_SYS_PATCH_VERTICES: case IR_SYS_OUTPUT_VERTICES:
	case IR_SYS_WORKGROUP_ID: case IR_SYS_NUM_WORKGROUPS: case IR_SYS_SUBGROUP_ID: case IR_SYS_NUM_SUBGROUPS:
	case IR_SYS_BLOCK: case IR_SYS_PAYLOAD:
		return false;
	default:
		return true;
	}
}

/* Loads through the vector memory path deliver to VGPRs and are left there.  What
 * the table cannot say is that of two operations with many kinds. */
static bool divergent_by_nature(const struct ir_inst *in)
{
	switch (in->op) {
	case IR_SYSVAL: return divergent_sysval(in->u.io.mode);
	case IR_TEX: return in->u.tex->op != IR_TEX_QUERY_SIZE && in->u.tex->op != IR_TEX_QUERY_LEVELS &&
		in->u.tex->op != IR_TEX_QUERY_SAMPLES;
	default: return ir_info(in)->flags & IR_F_DIV;
	}
}

static struct ir_loop *loop_around(const struct ir_node *n)
{
	for (n = n->parent; n; n = n->parent)
		if (n->kind == IR_NODE_LOOP)
			return (struct ir_loop *)n;
	return NULL;
}

/* Is the block inside a divergent if of its innermost loop? */
static bool under_divergent_if(const struct ir_block *block)
{
	for (const struct ir_node *n = block->node.parent; n && n->kind != IR_NODE_LOOP; n = n->parent)
		if (((const struct ir_if *)n)->divergent)
			return true;
	return false;
}

/* Lanes left the block's predecessors at different times or from different arms. */
static bool divergent_merge(const struct ir_block *block)
{
	const struct ir_node *before = block->node.prev;
	if (before && before->kind == IR_NODE_IF)
		return ((const struct ir_if *)before)->divergent;
	if (before && before->kind == IR_NODE_LOOP)
		return ((const struct ir_loop *)before)->divergent;
	const struct ir_node *parent = block->node.parent;
	if (!before && parent && parent->kind == IR_NODE_LOOP) {
		const struct ir_loop *loop = (const struct ir_loop *)parent;
		return block->node.list == &loop->cont && loop->divergent;
	}
	return false;
}

static bool is_divergent(const struct ir_inst *in)
{
	if (ir_info(in)->flags & IR_F_UNI)
		return false;
	if (divergent_by_nature(in))
		return true;
	for (unsigned k = 0; k < in->srcs; k++)
		if (in->src[k].inst->divergent)
			return true;
	return in->op == IR_PHI && divergent_merge(in->block);
}

static bool update_block(struct ir_func *f, struct ir_block *block)
{
	bool changed = false;
	for (struct ir_inst *in = block->first; in && ir_charge_at(f->pool, 1 + in->srcs / 4, in->word); in = in->next)
		if (!in->divergent && is_divergent(in))
			in->divergent = changed = true;
	struct ir_node *next = block->node.next;
	if (next && next->kind == IR_NODE_IF) {
		struct ir_if *nif = (struct ir_if *)next;
		if (!nif->divergent && nif->cond.inst->divergent)
			nif->divergent = changed = true;
	}
	if (block->jump && under_divergent_if(block)) {
		struct ir_loop *loop = loop_around(&block->node);
		if (!loop->divergent)
			loop->divergent = changed = true;
	}
	return changed;
}

void ir_pass_divergence(struct ir_func *f)
{
	for (bool changed = true; changed && !ir_pool_failed(f->pool);) {
		changed = false;
		for (uint32_t i = 0; i < f->block_count; i++)
			changed |= update_block(f, f->blocks[i]);
	}
}
