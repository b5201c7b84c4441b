/* SPDX-License-Identifier: MIT */
/* Values that others took the place of: a pass takes the instruction out and leaves in
 * it what it is now; uses are rewritten as they are met, or in one sweep. */
#ifndef COMPILER_IR_IR_REPLACE_H
#define COMPILER_IR_IR_REPLACE_H

#include "compiler/ir/ir.h"

/* Removes `in`; its uses shall become `by`, component n of several by.comp + n. */
void ir_replace(struct ir_inst *in, struct ir_src by);

static inline struct ir_src ir_replace_resolve(struct ir_src v)
{
	while (v.inst && v.inst->replaced) {
		uint8_t comp = v.inst->comps > 1 ? v.comp : 0;
		v = v.inst->src[0];
		v.comp += comp;
	}
	return v;
}

static inline void ir_replace_sources(struct ir_inst *in)
{
	for (unsigned k = 0; k < in->srcs; k++)
		if (in->src[k].inst && in->src[k].inst->replaced)
			in->src[k] = ir_replace_resolve(in->src[k]);
}

/* Rewrites every source and condition of the function; cfg must be current. */
void ir_replace_apply(struct ir_func *f);
/* The same after a walk over all blocks in their order that rewrote the sources of
 * each instruction: what is left are values that come from further down, in phis,
 * and conditions.  Needs SSA. */
void ir_replace_apply_rest(struct ir_func *f);

#endif
