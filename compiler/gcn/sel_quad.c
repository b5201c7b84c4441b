/* SPDX-License-Identifier: MIT */
/* Selection of what concerns several lanes: derivatives, helper lanes, votes,
 * barriers. */
#include "compiler/gcn/sel.h"

#define QUAD_PERM(a, b, c, d) ((a) | (b) << 2 | (c) << 4 | (d) << 6)

static struct mir_inst *dpp(struct sel *s, unsigned op, mir_opnd a, mir_opnd b, unsigned perm)
{
	struct mir_inst *in = sel_emit2(s, op, sel_new_v(s, 1), a, b);
	in->g.sub = GCN_SUB_DPP;
	in->g.dpp_ctrl = (uint16_t)perm;
	in->g.row_mask = in->g.bank_mask = 15;
	in->g.bound_ctrl = 1;
	return in;
}

mir_opnd sel_quad_difference(struct sel *s, mir_opnd v, unsigned op)
{
	static const struct { uint16_t op; uint8_t from, to; } table[] = {
		{ IR_DDX_FINE, QUAD_PERM(0, 0, 2, 2), QUAD_PERM(1, 1, 3, 3) },
		{ IR_DDY_FINE, QUAD_PERM(0, 1, 0, 1), QUAD_PERM(2, 3, 2, 3) },
		{ IR_DDX_COARSE, QUAD_PERM(0, 0, 0, 0), QUAD_PERM(1, 1, 1, 1) },
		{ IR_DDY_COARSE, QUAD_PERM(0, 0, 0, 0), QUAD_PERM(2, 2, 2, 2) },
	};
	unsigned i = 0;
	while (table[i].op != op)
		i++;
	mir_opnd from = dpp(s, GCN_V_MOV_B32, v, MIR_NONE, table[i].from)->opnd[MIR_DST];
	return dpp(s, GCN_V_SUB_F32, v, from, table[i].to)->opnd[MIR_DST];
}

static void derivative(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd o = sel_src(s, in->src[0]);
	sel_set(s, in, o.bank == SEL_B_V ? sel_quad_difference(s, o.op, in->op) : sel_const_v(s, 0));
}

/* --- helper lanes --- */

static void demote(struct sel *s, struct ir_inst *in)
{
	mir_opnd cond = sel_mask(s, in->src[0]), lanes = GCN_SRC_EXEC;
	if (cond == GCN_SRC_0)
		return;
	if (s->live == MIR_NONE) {
		sel_fail(s, COMPILER_INVALID, "only a fragment shader can demote");
		return;
	}
	if (cond != GCN_SRC_NEG1) {
		lanes = sel_new_s(s, 2);
		sel_emit2(s, GCN_S_AND_B64, lanes, cond, GCN_SRC_EXEC);
	}
	sel_emit2(s, GCN_S_ANDN2_B64, s->live, s->live, lanes);
	/* No lane is left that anybody will see: SCC says whether one is. */
	if (!s->killed)
		s->killed = mir_block_new(s->m, 0);
	sel_emit(s, GCN_S_CBRANCH_SCC0)->target = s->killed;
	sel_split_block(s);
}

static mir_opnd mask2(struct sel *s, unsigned op, mir_opnd a, mir_opnd b)
{
	mir_opnd r = sel_new_s(s, 2);
	sel_emit2(s, op, r, a, b);
	return r;
}

/* Lanes that take part in votes: helpers do not. */
static mir_opnd voters(struct sel *s)
{
	if (s->live == MIR_NONE || s->exec_is_live)
		return GCN_SRC_EXEC;
	return mask2(s, GCN_S_AND_B64, GCN_SRC_EXEC, s->live);
}

/* --- votes --- */

static void elect(struct sel *s, struct ir_inst *in)
{
	mir_opnd first = sel_new_s(s, 1);
	sel_emit2(s, GCN_S_FF1_I32_B64, first, voters(s), MIR_NONE);
	sel_set(s, in, mask2(s, GCN_S_LSHL_B64, GCN_SRC_0 + 1, first));
}

static void vote(struct sel *s, struct ir_inst *in)
{
	mir_opnd b = sel_mask(s, in->src[0]), all = voters(s);
	bool any = in->op == IR_VOTE_ANY;
	if (any)
		sel_emit2(s, GCN_S_AND_B64, GCN_SRC_VCC, b, all);
	else
		sel_emit2(s, GCN_S_ANDN2_B64, GCN_SRC_VCC, all, b);
	sel_set(s, in, mask2(s, GCN_S_CSELECT_B64, any ? GCN_SRC_NEG1 : GCN_SRC_0, any ? GCN_SRC_0 : GCN_SRC_NEG1));
}

static void shuffle(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd o[2] = { sel_inline(s, 2), sel_src(s, in->src[1]) };
	mir_opnd value = sel_vgpr(s, in->src[0]);
	mir_opnd at = sel_valu(s, GCN_V_LSHLREV_B32, MIR_NONE, 2, o);
	mir_opnd v = sel_new_v(s, 1);
	sel_emit2(s, GCN_DS_BPERMUTE_B32, v, at, value);
	sel_set(s, in, v);
}

static void read_first(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd o = sel_src(s, in->src[0]);
	mir_opnd r = o.bank == SEL_B_S ? o.op : sel_new_s(s, 1);
	mir_opnd lanes = o.bank == SEL_B_V ? voters(s) : GCN_SRC_EXEC;
	if (lanes != GCN_SRC_EXEC) { /* not a helper's */
		mir_opnd first = sel_new_s(s, 1);
		sel_emit2(s, GCN_S_FF1_I32_B64, first, lanes, MIR_NONE);
		sel_emit2(s, GCN_V_READLANE_B32, r, o.op, first);
	} else if (o.bank == SEL_B_V)
		sel_emit2(s, GCN_V_READFIRSTLANE_B32, r, o.op, MIR_NONE);
	else if (o.bank != SEL_B_S)
		r = sel_sgpr(s, in->src[0]);
	sel_set(s, in, r);
}

static void first_lane(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd o = sel_src(s, in->src[0]);
	mir_opnd r = sel_new_s(s, 1);
	if (o.bank != SEL_B_V)
		r = sel_to_s(s, o);
	else
		sel_emit2(s, GCN_V_READFIRSTLANE_B32, r, o.op, MIR_NONE);
	sel_set(s, in, r);
}

/* --- barriers --- */

static void barrier(struct sel *s, bool execution)
{
	uint32_t invocations = s->f->workgroup[0] * s->f->workgroup[1] * s->f->workgroup[2];
	sel_emit(s, GCN_S_WAITCNT)->g.offset = gcn_waitcnt(0, 7, 0);
	if (execution && invocations > 64) /* a wave is in step with itself */
		sel_emit(s, GCN_S_BARRIER);
}

void sel_quad(struct sel *s, struct ir_inst *in)
{
	switch (in->op) {
	case IR_DDX_FINE: case IR_DDY_FINE: case IR_DDX_COARSE: case IR_DDY_COARSE: derivative(s, in); break;
	case IR_DEMOTE: demote(s, in); break;
	case IR_IS_HELPER: sel_set(s, in, s->live == MIR_NONE ? mask2(s, GCN_S_MOV_B64, GCN_SRC_0, MIR_NONE)
		: mask2(s, GCN_S_NOT_B64, s->live, MIR_NONE)); break;
	case IR_BARRIER: barrier(s, true); break;
	case IR_MEM_BARRIER: barrier(s, false); break;
	case IR_ELECT: elect(s, in); break;
	case IR_VOTE_ANY: case IR_VOTE_ALL: vote(s, in); break;
	case IR_BALLOT: sel_set_all(s, in, mask2(s, GCN_S_AND_B64, sel_mask(s, in->src[0]), voters(s))); break;
	case IR_BALLOT_QUADS: sel_set_all(s, in, mask2(s, GCN_S_AND_B64, sel_mask(s, in->src[0]), GCN_SRC_EXEC)); break;
	case IR_READ_FIRST: read_first(s, in); break;
	case IR_FIRST_LANE: first_lane(s, in); break;
	case IR_SHUFFLE: shuffle(s, in); break;
	default: break;
	}
}
