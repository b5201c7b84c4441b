#include "ir_replace.h"

#include <string.h>

void ir_replace_note(struct ir_replace *r, const struct ir_inst *in, struct ir_src by)
{
	if (in->id >= r->room) {
		uint32_t room = in->id * 2 + 64;
		struct ir_src *grown = ir_realloc(r->pool, r->by, room * sizeof *grown);
		if (!grown)
			return;
		memset(grown + r->room, 0, (room - r->room) * sizeof *grown);
		r->by = grown;
		r->room = room;
	}
	r->by[in->id] = by;
}

struct ir_src ir_replace_resolve(const struct ir_replace *r, struct ir_src v)
{
	while (v.inst && v.inst->id < r->room && r->by[v.inst->id].inst) {
		uint8_t comp = v.inst->comps > 1 ? v.comp : 0;
		v = r->by[v.inst->id];
		v.comp += comp;
	}
	return v;
}

void ir_replace_apply(const struct ir_replace *r, struct ir_func *f)
{
	for (uint32_t i = 0; i < f->block_count && ir_charge(f->pool, 1); i++) {
		struct ir_block *block = f->blocks[i];
		for (struct ir_inst *in = block->first; in && ir_charge_at(f->pool, 1, in->word); in = in->next)
			for (unsigned k = 0; k < in->srcs; k++)
				in->src[k] = ir_replace_resolve(r, in->src[k]);
		struct ir_node *next = block->node.next;
		if (next && next->kind == IR_NODE_IF) {
			struct ir_if *nif = (struct ir_if *)next;
			nif->cond = ir_replace_resolve(r, nif->cond);
		}
	}
}

void ir_replace_finish(struct ir_replace *r)
{
	ir_free(r->pool, r->by);
	*r = (struct ir_replace){ .pool = r->pool };
}
