/* SPDX-License-Identifier: MIT */
/* Selection for tessellation (isa/abi.h): what its programs start with, and patches in memory. */
#include "compiler/gcn/sel.h"

#include "isa/abi.h"

static mir_opnd field(struct sel *s, mir_opnd v, unsigned lo, unsigned width)
{
	struct sel_opnd o[3] = { sel_v(v), sel_inline(s, lo), sel_inline(s, width) };
	return sel_valu(s, GCN_V_BFE_U32, MIR_NONE, 3, o);
}

void sel_enter_control(struct sel *s)
{
	s->patches = sel_enter(s, MIR_SGPR, ABI_MERGED_S_RING, 2);
	s->patch_vertices = sel_enter(s, MIR_SGPR, ABI_MERGED_S_INPUT_CP, 1);
	s->output_vertices = sel_enter(s, MIR_SGPR, ABI_MERGED_S_OUTPUT_CP, 1);
	s->prim_id = sel_enter(s, MIR_VGPR, ABI_LSHS_V_PRIM, 1);
	mir_opnd numbers = sel_enter(s, MIR_VGPR, ABI_LSHS_V_PATCH, 1);
	sel_set_lanes(s, 1);
	s->patch = field(s, numbers, 0, 8);
	s->invocation = field(s, numbers, 8, 5);
	s->out->tess = s->f->tess;
}

void sel_enter_evaluation(struct sel *s)
{
	const bool es = s->in->options.first_half;
	const unsigned sgpr = es ? ABI_ES_S_PATCHES : ABI_TES_S_PATCHES, vgpr = es ? ABI_ES_V_COORD : ABI_TES_V_COORD;
	s->patches = sel_enter(s, MIR_SGPR, sgpr, 2);
	s->patch_vertices = sel_enter(s, MIR_SGPR, sgpr + 2, 1);
	s->tess_domain = sel_enter(s, MIR_SGPR, sgpr + 3, 1);
	for (unsigned i = 0; i < 2; i++)
		s->tess_coord[i] = sel_enter(s, MIR_VGPR, vgpr + i, 1);
	s->patch = sel_enter(s, MIR_VGPR, vgpr + 2, 1);
	s->prim_id = sel_enter(s, MIR_VGPR, vgpr + 3, 1);
	s->out->tess = s->f->tess;
}

/* An offset of 32 bits: v plus what the instruction cannot add of *bytes, which has the rest then. */
static mir_opnd near(struct sel *s, mir_opnd v, int32_t *bytes)
{
	enum { REACH = 4096 }; /* either way */
	uint32_t far = (uint32_t)(*bytes + REACH) / (2 * REACH) * (2 * REACH);
	*bytes -= (int32_t)far;
	if (!far)
		return v;
	return sel_valu(s, GCN_V_ADD_U32, MIR_NONE, 2, (struct sel_opnd[]){ sel_inline(s, far), sel_v(v) });
}

/* An access to the slot at a byte of its rows, and its offset. */
static struct mir_inst *access(struct sel *s, const struct ir_inst *in, unsigned op)
{
	int32_t bytes = in->u.io.slot * ABI_MERGED_SLOT_BYTES + in->u.io.comp * ABI_MERGED_ROW_BYTES +
		(in->u.io.mode == IR_PATCH_WHOLE ? ABI_PATCH_PER_PATCH : 0);
	mir_opnd at = near(s, sel_vgpr(s, in->src[0]), &bytes);
	struct mir_inst *m = sel_emit(s, op);
	m->opnd[MIR_SRC0] = at;
	m->dw[MIR_SRC0] = 1; /* an offset of 32 bits */
	m->opnd[MIR_SRC2] = s->patches;
	m->g.offset = bytes;
	return m;
}

static void load_patch(struct sel *s, struct ir_inst *in)
{
	struct mir_inst *m = access(s, in, GCN_GLOBAL_LOAD_DWORD);
	m->opnd[MIR_DST] = sel_new_v(s, 1);
	sel_set(s, in, m->opnd[MIR_DST]);
}

static void store_patch(struct sel *s, struct ir_inst *in)
{
	mir_opnd value = sel_vgpr(s, in->src[1]);
	struct mir_inst *m = access(s, in, GCN_GLOBAL_STORE_DWORD);
	m->opnd[MIR_SRC1] = value;
}

void sel_patch(struct sel *s, struct ir_inst *in)
{
	if (in->op == IR_STORE_PATCH)
		store_patch(s, in);
	else
		load_patch(s, in);
}
