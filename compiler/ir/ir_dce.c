/* SPDX-License-Identifier: MIT */
/* Removes what nothing needs, and says what the rest does.  Needs cfg and SSA. */
#include "compiler/ir/ir.h"

struct work { struct ir_inst **items; uint32_t count; uint8_t *live; };

static void need(struct work *w, struct ir_src s)
{
	if (s.inst && !w->live[s.inst->id]) {
		w->live[s.inst->id] = 1;
		w->items[w->count++] = s.inst;
	}
}

static bool has_effect(const struct ir_inst *in)
{
	return ir_info(in)->flags & IR_F_EFFECT;
}

static void need_roots(struct work *w, struct ir_func *f)
{
	for (uint32_t i = 0; i < f->block_count && !ir_pool_failed(f->pool); i++) {
		struct ir_block *block = f->blocks[i];
		uint32_t looked = 0;
		for (struct ir_inst *in = block->first; in; in = in->next, looked++)
			if (has_effect(in))
				need(w, ir_comp(in, 0));
		ir_charge(f->pool, looked);
		struct ir_node *next = block->node.next;
		if (next && next->kind == IR_NODE_IF)
			need(w, ((struct ir_if *)next)->cond);
	}
}

bool ir_pass_dce(struct ir_func *f)
{
	bool changed = false;
	struct work w = { ir_realloc(f->pool, NULL, (f->inst_count + 1) * sizeof *w.items), 0,
		ir_calloc(f->pool, f->inst_count + 1, 1) };
	if (w.items && w.live) {
		need_roots(&w, f);
		while (w.count && !ir_pool_failed(f->pool)) {
			struct ir_inst *in = w.items[--w.count];
			ir_charge_at(f->pool, 1 + in->srcs / 4, in->word);
			for (unsigned k = 0; k < in->srcs; k++)
				need(&w, in->src[k]);
		}
		for (uint32_t i = 0; i < f->block_count && !ir_pool_failed(f->pool); i++) {
			uint32_t looked = 0;
			for (struct ir_inst *in = f->blocks[i]->first, *next; in; in = next, looked++) {
				next = in->next;
				if (!w.live[in->id]) {
					ir_remove(in);
					changed = true;
				}
			}
			ir_charge(f->pool, looked);
		}
	}
	ir_free(f->pool, w.items);
	ir_free(f->pool, w.live);
	return changed;
}

/* --- what the rest of a fragment program needs --- */

static bool writes_memory(const struct ir_inst *in)
{
	const enum ir_family family = (enum ir_family)ir_info(in)->family;
	return has_effect(in) && (family == IR_MEM_OP || family == IR_TEX_OP) && in->op != IR_STORE_SCRATCH && in->op != IR_STORE_SHARED;
}

/* May helper lanes of the quad matter to it? */
static bool reads_quad(const struct ir_inst *in)
{
	switch (in->op) {
	case IR_TEX:
		return in->u.tex->op != IR_TEX_SAMPLE_LOD && in->u.tex->op != IR_TEX_SAMPLE_GRAD && in->u.tex->op != IR_TEX_FETCH;
	case IR_DEMOTE: case IR_BARRIER: case IR_MEM_BARRIER: case IR_ELECT:
		return false;
	default:
		return ir_info(in)->flags & IR_F_QUAD || ir_info(in)->family == IR_WAVE_OP;
	}
}

void ir_pass_needs(struct ir_func *f)
{
	bool demotes = false, effects = false, quads = false;
	for (uint32_t i = 0; i < f->block_count && !ir_pool_failed(f->pool); i++) {
		uint32_t looked = 0;
		for (struct ir_inst *in = f->blocks[i]->first, *next; in; in = next, looked++) {
			next = in->next;
			const bool never = in->op == IR_DEMOTE && in->src[0].inst->op == IR_CONST && !in->src[0].inst->u.imm;
			if (never)
				ir_remove(in);
			demotes |= in->op == IR_DEMOTE && !never;
			effects |= writes_memory(in);
			quads |= reads_quad(in);
		}
		ir_charge(f->pool, looked);
	}
	f->uses_demote &= demotes;
	f->has_effects &= effects;
	f->needs_wqm &= quads;
}
