/* SPDX-License-Identifier: MIT */
/* AVX2: lanes that are off.  Registers are written whole, and those lanes stay in the wave until somebody asks for them, or
 * EXEC changes. */
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_regs_priv.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"

bool jit_r_off_in_wave(const struct jit_region *g, unsigned vgpr)
{
	int n = g->reg_of[vgpr];
	if (g->v4 || v_in(&g->constants, vgpr))
		return false;
	/* While EXEC stays as it is, so do those lanes. */
	return n < 0 || !g->regs[n].dirty || g->regs[n].active_only || !g->e.exec_written;
}

void jit_r_merge_off(struct jit_region *g, unsigned n)
{
	if (!g->regs[n].active_only)
		return;
	struct xo x = jit_r_reg(g, n);
	if (g->regs[n].dirty) {
		jit_r_move(g, jit_r_spare(g), jit_r_home(g, (unsigned)g->regs[n].vgpr));
		X(g->b, VBLENDVPS, x, jit_r_spare(g), x, jit_exec(g));
	} else {
		jit_r_move(g, x, jit_r_home(g, (unsigned)g->regs[n].vgpr));
	}
	g->regs[n].active_only = false;
}

/* Lanes that are on go to the wave; the register is as good as before. */
static void write_through(struct jit_region *g, unsigned n)
{
	const unsigned vgpr = (unsigned)g->regs[n].vgpr;
	jit_r_move(g, jit_r_spare(g), jit_r_home(g, vgpr));
	X(g->b, VBLENDVPS, jit_r_spare(g), jit_r_spare(g), jit_r_reg(g, n), jit_exec(g));
	jit_r_move(g, jit_r_home(g, vgpr), jit_r_spare(g));
	g->regs[n].dirty = false;
}

/* Lanes leave a loop in which none comes back.  Those that stay have all they need in registers, so that nothing they do next
 * waits for EXEC; the wave gets what those that leave have of VGPRs that live in them.  Of an arm, in which the ones that leave
 * are on, registers are for them alone. */
static void before_leaving(struct jit_region *g)
{
	const struct jit_inst *j = &g->in[g->at];
	const struct vlive *behind = &g->t->live[g->at];
	for (unsigned n = 0; n < g->reg_count; n++) {
		if (g->regs[n].vgpr < 0)
			continue;
		const unsigned vgpr = (unsigned)g->regs[n].vgpr;
		const bool of_arm = j->arm_end && g->regs[n].of_arm;
		jit_r_settle(g, vgpr);
		if (g->regs[n].active_only && g->regs[n].dirty && (of_arm ? jit_r_wanted(g, vgpr) : v_in(&behind->off, vgpr)))
			write_through(g, n);
		if (g->regs[n].active_only && of_arm)
			jit_r_drop(g, n);
		g->regs[n].of_arm = false;
	}
	g->in_arm = j->arm;
}

void jit_r_before_exec(struct jit_region *g)
{
	if (g->e.narrows) {
		before_leaving(g);
		return;
	}
	for (unsigned n = 0; n < g->reg_count; n++) {
		if (g->regs[n].vgpr < 0)
			continue;
		if (g->regs[n].active_only)
			jit_r_words(g, (unsigned)g->regs[n].vgpr);
		jit_r_settle(g, (unsigned)g->regs[n].vgpr);
		if (g->regs[n].active_only && !g->regs[n].dirty && !(g->pinned >> n & 1))
			jit_r_drop(g, n); /* the wave has it */
		else
			jit_r_merge_off(g, n);
	}
}
