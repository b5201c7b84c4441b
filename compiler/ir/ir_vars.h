/* SPDX-License-Identifier: MIT */
/* Variables that are reached by an index: what the passes that place them share. */
#ifndef COMPILER_IR_IR_VARS_H
#define COMPILER_IR_IR_VARS_H

#include "compiler/ir/ir.h"

/* A load or a store by an index. */
bool ir_is_indirect(const struct ir_inst *in);
/* Such an access may mean so few slots that a choice of them is the quickest way. */
bool ir_is_choice(const struct ir_inst *in);

/* Dwords that a slot takes in memory: bools, bytes and shorts are dwords there. */
static inline uint32_t ir_slot_dwords(const struct ir_var *v) { return v->bits > 32 ? v->bits / 32u : 1; }
/* A slot's value from what memory has of it, 32 or 64 bits. */
struct ir_src ir_from_slot(struct ir_builder *b, struct ir_src value, unsigned bits);

#endif
