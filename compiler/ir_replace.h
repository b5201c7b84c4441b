/* A pass's notes "this value is now that one", applied in one sweep. */
#ifndef COMPILER_IR_REPLACE_H
#define COMPILER_IR_REPLACE_H

#include "ir.h"

/* Starts with `pool` alone. */
struct ir_replace { struct ir_pool *pool; struct ir_src *by; uint32_t room; };

/* Uses of `in` shall become `by`; component n of several becomes by.comp + n. */
void ir_replace_note(struct ir_replace *r, const struct ir_inst *in, struct ir_src by);
struct ir_src ir_replace_resolve(const struct ir_replace *r, struct ir_src v);
/* Rewrites every source and condition of the function; cfg must be current. */
void ir_replace_apply(const struct ir_replace *r, struct ir_func *f);
void ir_replace_finish(struct ir_replace *r);

#endif
