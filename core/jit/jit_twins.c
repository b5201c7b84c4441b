/* SPDX-License-Identifier: MIT */
/* Two strips at a time.  A strip's operations wait for each other, and a CPU looks some 50 to 100 of them ahead.  Cuts
 * (jit_cut.c) are no help where each strip goes round a loop by itself; so there each instruction is done for two strips
 * before the next one is: what one of them waits for, the other does not.  They share the vector registers, by halves. */
#include "core/jit/jit_twins.h"

#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_region.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

/* AVX2 has EXEC of the first one where others have it, of the second one behind all of theirs. */
unsigned jit_twin_registers(const struct jit_region *g) { return g->v4 ? 15 : g->full ? 7 : 6; }
enum { EXEC_FIRST = ZYDIS_REGISTER_YMM15, EXEC_SECOND = ZYDIS_REGISTER_YMM13 };

/* What is reckoned with in pairs of registers, or as halves (jit_regs.h), needs too many. */
static bool is_word(enum cu_type t) { return t == CU_T_NONE || t == CU_T_B32 || t == CU_T_F32; }

static bool words_alone(const struct cu_rec *r)
{
	if (!is_word(r->op->dtype) || (r->op->mask_out && r->op->dtype == CU_T_B32)) /* a carry: half of 64 bits */
		return false;
	for (int n = 0; n < r->op->nsrc; n++)
		if (!is_word(r->op->stype[n]) && r->op->stype[n] != CU_T_MASK && r->in->fmt != GCN_VINTRP)
			return false;
	return true;
}

/* Instruction i is of strips, and of nothing but their VGPRs, masks and exports, and constants. */
static bool fits(const struct jit_region *g, uint32_t i)
{
	const struct jit_inst *j = &g->in[i];
	const struct cu_rec *r = jit_rec(g->t, i);
	if (j->role != ROLE_VECTOR)
		return j->role != ROLE_BRANCH;
	if (r->in->op == GCN_EXPORT)
		return true;
	if (j->image || r->op->cls != CU_CLASS_VALU || !s_none(j->scalar.write))
		return false;
	return words_alone(r) && (r->in->fmt != GCN_VINTRP || g->alone);
}

bool jit_twins_fit(const struct jit_region *g)
{
	for (uint32_t i = g->e.first; i < g->e.end; i++)
		if (!fits(g, i))
			return false;
	return true;
}

bool jit_twins(struct jit_region *g, bool full)
{
	if (g->v4 && !full) /* there are k registers for one EXEC */
		return false;
	if ((g->e.exec_written && !g->e.parts) || g->e.if_count || g->e.memory || g->e.images)
		return false;
	if (g->t->o->seed ? jit_random(g->t) % 2 : !g->e.loop) /* tests have them anywhere */
		return false;
	return jit_twins_fit(g);
}

void jit_twins_test_exec(struct jit_region *g)
{
	const struct xo any = g->twins ? R(YMM14) : jit_exec(g);
	if (g->twins)
		X(g->b, VORPS, any, jit_x_reg(EXEC_FIRST), jit_x_reg(EXEC_SECOND));
	X(g->b, VTESTPS, any, any);
}

void jit_twins_begin(struct jit_region *g)
{
	if (g->twins)
		jit_x_listen(g->b);
}

void jit_twins_end(struct jit_region *g)
{
	const int32_t step = g->v4 ? 64 : 32;
	const struct jit_x_shift other = { jit_twin_registers(g), EXEC_FIRST, EXEC_SECOND, { RB_STRIP, RB_SLICE, RB_EXPORTS },
		{ step, step / 32, step } };
	if (g->twins)
		jit_x_repeat(g->b, &other);
}
