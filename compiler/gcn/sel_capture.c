/* SPDX-License-Identifier: MIT */
/* The table of what streamout captures: isa/strmout.h. */
#include "compiler/gcn/sel.h"

/* The export that holds an output's slot. */
static uint8_t source_of(const struct sel *s, uint8_t slot)
{
	switch (slot) {
	case IR_SLOT_POSITION: return ISA_STRMOUT_POSITION;
	case IR_SLOT_POINT_SIZE: return ISA_STRMOUT_SIZE;
	case IR_SLOT_LAYER: return ISA_STRMOUT_LAYER;
	case IR_SLOT_VIEWPORT: return ISA_STRMOUT_VIEWPORT;
	}
	bool is_param = slot < COMPILER_SLOT_COUNT && s->out->param_of_slot[slot] != COMPILER_NO_PARAM;
	return is_param ? s->out->param_of_slot[slot] : ISA_STRMOUT_NOTHING;
}

static bool before(const struct isa_strmout_run *a, const struct isa_strmout_run *b)
{
	return a->buffer != b->buffer ? a->buffer < b->buffer : a->offset < b->offset;
}

void sel_capture(struct sel *s)
{
	const struct ir_func *f = s->f;
	struct isa_strmout_run *table = f->captures ?
		ir_alloc(s->m->pool, (f->captures + 1) * sizeof *table) : NULL; /* zeros at its end */
	for (uint32_t i = 0; table && i < f->captures; i++) {
		struct isa_strmout_run run = f->capture[i];
		uint32_t at = i;
		run.source = source_of(s, run.source);
		for (; at && before(&run, &table[at - 1]); at--)
			table[at] = table[at - 1];
		table[at] = run;
		s->out->strmout_buffers |= 1u << (4 * run.stream + run.buffer);
	}
	s->m->captures = table;
	s->out->capture_dwords = table ? (f->captures + 1) * ISA_STRMOUT_RUN_DWORDS : 0;
	for (unsigned i = 0; i < ISA_STRMOUT_BUFFERS; i++)
		s->out->strmout_stride[i] = f->xfb_stride[i];
}
