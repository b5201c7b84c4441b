/* SPDX-License-Identifier: MIT */
/* Where VGPRs are at a place of a region that is come to in more than one way: the top of a loop, the end of a body. */
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_regs_priv.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_vector.h"

void jit_r_keep_state(struct jit_region *g, struct jit_r_state *s)
{
	for (unsigned n = 0; n < 32; n++) {
		s->vgpr[n] = g->regs[n].vgpr;
		s->dirty[n] = g->regs[n].dirty;
		g->regs[n].active_only |= s->vgpr[n] >= 0 && s->dirty[n] && !g->full && !g->v4 && !g->e.exec_written;
		s->active_only[n] = g->regs[n].active_only;
		/* What the loop does not write is as it was. */
		s->turn[n] = s->vgpr[n] >= 0 && s->dirty[n] && !v_in(&g->settled, (unsigned)s->vgpr[n]);
		if (s->turn[n])
			g->regs[n].nan = NAN_TURN;
	}
}

void jit_r_note_state(const struct jit_region *g, struct jit_r_state *s)
{
	for (unsigned n = 0; n < 32; n++) {
		s->vgpr[n] = g->regs[n].vgpr;
		s->dirty[n] = g->regs[n].dirty;
		s->active_only[n] = g->regs[n].active_only;
		s->turn[n] = false;
	}
}

/* Lanes that are off where the state has them: of a register that has its VGPR already. */
static void restore_off(struct jit_region *g, unsigned n, bool active_only)
{
	if (!active_only)
		jit_r_merge_off(g, n);
	else if (!g->regs[n].active_only && g->regs[n].dirty && g->e.exec_written && jit_r_wanted(g, (unsigned)g->regs[n].vgpr))
		jit_r_store(g, n);
}

/* Register `to` gets what `from` has; the other way round as well, or it is free. */
static void move_reg(struct jit_region *g, unsigned to, unsigned from, bool swap)
{
	if (swap)
		jit_r_move(g, jit_r_spare(g), jit_r_reg(g, to));
	jit_r_move(g, jit_r_reg(g, to), jit_r_reg(g, from));
	if (swap)
		jit_r_move(g, jit_r_reg(g, from), jit_r_spare(g));
	const struct jit_reg old = g->regs[to];
	g->regs[to] = g->regs[from];
	g->regs[from] = old;
	g->reg_of[g->regs[to].vgpr] = (int16_t)to;
	if (swap)
		g->reg_of[old.vgpr] = (int16_t)from;
}

/* Where the state has a VGPR that is in another register. */
static int elsewhere(const struct jit_region *g, const struct jit_r_state *s, unsigned n)
{
	const int from = s->vgpr[n] < 0 ? -1 : g->reg_of[s->vgpr[n]];
	return from == (int)n ? -1 : from;
}
static bool is_placed(const struct jit_region *g, const struct jit_r_state *s, int vgpr)
{
	for (unsigned n = 0; n < g->reg_count; n++)
		if (s->vgpr[n] == vgpr)
			return true;
	return false;
}

/* VGPRs of the state that are in registers go to theirs: those whose register nobody needs first, then rings of them. */
static void place(struct jit_region *g, const struct jit_r_state *s)
{
	for (bool rings = false, moved = true; moved || !rings;) {
		rings = !moved;
		moved = false;
		for (unsigned n = 0; n < g->reg_count; n++) {
			const int from = elsewhere(g, s, n), old = g->regs[n].vgpr;
			if (from < 0 || (old >= 0 && !rings && is_placed(g, s, old)))
				continue;
			if (old >= 0 && !rings) {
				if (g->regs[n].dirty && jit_r_wanted(g, (unsigned)old))
					jit_r_store(g, n);
				jit_r_drop(g, n);
			}
			move_reg(g, n, (unsigned)from, old >= 0 && rings);
			moved = true;
		}
	}
}

/* What the state has no register for goes to the wave. */
void jit_r_restore_state(struct jit_region *g, const struct jit_r_state *s)
{
	jit_r_plain(g);
	for (unsigned n = 0; n < g->reg_count; n++)
		if (g->regs[n].vgpr >= 0 && !(s->turn[n] && g->regs[n].vgpr == s->vgpr[n]))
			jit_r_settle(g, (unsigned)g->regs[n].vgpr);
	jit_forget_masks(g);
	place(g, s);
	for (unsigned n = 0; n < g->reg_count; n++)
		if (g->regs[n].vgpr >= 0 && (g->regs[n].vgpr != s->vgpr[n] || (g->regs[n].dirty && !s->dirty[n]))) {
			if (jit_r_wanted(g, (unsigned)g->regs[n].vgpr))
				jit_r_store(g, n);
			if (g->regs[n].vgpr != s->vgpr[n])
				jit_r_drop(g, n);
		}
	for (unsigned n = 0; n < g->reg_count; n++) {
		if (s->vgpr[n] < 0)
			continue;
		if (g->regs[n].vgpr != s->vgpr[n])
			jit_r_move(g, jit_r_occupy(g, n, s->vgpr[n]), jit_r_home(g, (unsigned)s->vgpr[n]));
		else
			restore_off(g, n, s->active_only[n]);
		g->regs[n].dirty = s->dirty[n];
		g->regs[n].active_only = s->active_only[n];
		g->regs[n].pinned = false;
	}
}
