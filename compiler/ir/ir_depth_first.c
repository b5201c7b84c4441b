/* SPDX-License-Identifier: MIT */
/* Depths before colours: a fragment shader that writes its depth is tested behind it, however much it then computes for fragments
 * that nobody sees.  Where the depth needs nothing but the first block, what it needs goes to the beginning, and its
 * output behind that, in front of all else: the back end exports it there, and whoever runs the code may look at it and end
 * the wave (cu_wave.wanted).  Not where the shader has other effects, or other outputs go with the depth.
 *
 * Needs cfg; leaves what there is of cfg, SSA and divergence. */
#include "compiler/ir/ir.h"

/* Instructions behind the depth that are worth an export of its own, by which the code for strips of lanes falls apart. */
enum { WORTH = 16 };

/* The depth's output, where it may go first. */
static struct ir_inst *find_output(const struct ir_func *f, uint32_t *looked)
{
	struct ir_inst *depth = NULL;
	bool others = false;
	for (struct ir_inst *in = ((struct ir_block *)f->body.last)->first; in; in = in->next, ++*looked) {
		if (in->op != IR_STORE_OUTPUT)
			continue;
		if (in->u.io.slot == IR_SLOT_STENCIL || in->u.io.slot == IR_SLOT_SAMPLE_MASK)
			return NULL;
		if (in->u.io.slot == IR_SLOT_DEPTH)
			depth = in;
		else
			others = true;
	}
	return others ? depth : NULL;
}

/* Marks what `by` needs of its block; false: some of it may not be moved. */
static bool mark(struct ir_inst *by)
{
	for (struct ir_inst *in = by->block->first; in; in = in->next)
		in->mark = 0;
	by->mark = 1;
	for (struct ir_inst *in = by; in; in = in->prev) {
		if (in->mark && !(ir_info(in)->flags & IR_F_PURE))
			return false;
		for (unsigned k = 0; in->mark && k < in->srcs; k++)
			in->src[k].inst->mark = 1;
	}
	return true;
}

/* Instructions that are not marked in the first block. */
static uint32_t rest(const struct ir_func *f)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < f->block_count; i++)
		for (const struct ir_inst *in = f->blocks[i]->first; in; in = in->next)
			n += (i || !in->mark) && in->op != IR_CONST && in->op != IR_UNDEF;
	return n;
}

static void move_behind(struct ir_block *b, struct ir_inst *at, struct ir_inst *in)
{
	ir_remove(in);
	struct ir_builder to = { .block = b, .before = at ? at->next : b->first };
	ir_insert(&to, in);
}

static void move(struct ir_func *f, struct ir_block *first, struct ir_inst *output)
{
	struct ir_inst *const depth = output->src[0].inst, *at = NULL;
	for (struct ir_inst *in = first->first, *next; at != depth; in = next) {
		next = in->next;
		if (!in->mark)
			continue;
		move_behind(first, at, in);
		at = in;
	}
	move_behind(first, depth, output);
	struct ir_builder b = { .func = f, .block = first, .before = output };
	for (unsigned c = 1; c < 4; c++)
		output->src[c] = ir_undef(&b, 32);
	f->depth_first = true;
}

void ir_pass_depth_first(struct ir_func *f)
{
	struct ir_block *const first = f->blocks[0];
	uint32_t looked = 0;
	struct ir_inst *const output = f->has_effects || f->early_fragment_tests ? NULL : find_output(f, &looked);
	if (output && output->src[0].inst->block == first) {
		looked += f->inst_count;
		if (mark(output->src[0].inst) && rest(f) >= WORTH)
			move(f, first, output);
	}
	ir_charge(f->pool, looked);
}
