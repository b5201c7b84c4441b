/* SPDX-License-Identifier: MIT */
/* Decides where each IR value lives, before any instruction is selected, and
 * counts its readers. */
#include "compiler/gcn/sel.h"

static void count_use(struct ir_src v, struct ir_inst *user)
{
	struct sel_value *at = sel_value(v.inst);
	at->uses++;
	at->used |= (uint8_t)(1u << v.comp);
	at->user = user;
	at->open |= !user || user->op == IR_PHI;
}

static void make_values(struct sel *s)
{
	struct ir_func *f = s->f;
	for (uint32_t i = 0; i < f->block_count; i++)
		for (struct ir_inst *in = f->blocks[i]->first; in; in = in->next) {
			struct sel_value *v = in->pass = ir_alloc(f->pool, sizeof *v);
			for (unsigned c = 0; c < 4; c++)
				v->op[c] = MIR_NONE;
		}
	for (uint32_t i = 0; i < f->block_count; i++) {
		for (struct ir_inst *in = f->blocks[i]->first; in; in = in->next)
			for (unsigned k = 0; k < in->srcs; k++)
				count_use(in->src[k], in);
		struct ir_node *next = f->blocks[i]->node.next;
		if (next && next->kind == IR_NODE_IF)
			count_use(((struct ir_if *)next)->cond, NULL);
	}
}

/* The first guess: as scalar as possible. */
static enum sel_kind guess(const struct ir_inst *in)
{
	if (in->op == IR_CONST || in->op == IR_UNDEF)
		return SEL_CONST;
	if (!in->comps)
		return SEL_NONE;
	if (in->bits == 1)
		return SEL_MASK;
	if (in->divergent)
		return SEL_VGPR;
	const struct ir_op_info *info = ir_info(in);
	if (info->family == IR_MEM_OP && in->bits < 32) /* scalar loads move dwords */
		return SEL_VGPR;
	return info->flags & IR_F_SCALAR || sel_in_descriptor(in) ? SEL_SGPR : SEL_VGPR;
}

/* A source in a VGPR makes arithmetic vector arithmetic. */
static bool source_forces_vector(const struct ir_inst *in)
{
	if (ir_info(in)->family != IR_ALU_OP && ir_info(in)->family != IR_VALUE_OP)
		return false;
	for (unsigned k = 0; k < in->srcs; k++)
		if (sel_value(in->src[k].inst)->kind == SEL_VGPR)
			return true;
	return false;
}

/* Built-ins that arrive in VGPRs or are computed there. */
static bool is_vector_sysval(const struct ir_inst *in)
{
	return in->op == IR_SYSVAL && in->divergent;
}

void sel_classify(struct sel *s)
{
	struct ir_func *f = s->f;
	make_values(s);
	for (uint32_t i = 0; i < f->block_count; i++)
		for (struct ir_inst *in = f->blocks[i]->first; in; in = in->next)
			sel_value(in)->kind = (uint8_t)(is_vector_sysval(in) ? SEL_VGPR : guess(in));
	for (bool changed = true; changed && !ir_pool_failed(f->pool);) {
		changed = false;
		for (uint32_t i = 0; i < f->block_count; i++)
			for (struct ir_inst *in = f->blocks[i]->first; in && ir_charge_at(f->pool, 1, in->word); in = in->next)
				if (sel_value(in)->kind == SEL_SGPR && source_forces_vector(in)) {
					sel_value(in)->kind = SEL_VGPR;
					changed = true;
				}
	}
}
