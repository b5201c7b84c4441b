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
		s->form[n] = g->regs[n].form;
		s->dirty[n] = g->regs[n].dirty;
		g->regs[n].active_only |= s->vgpr[n] >= 0 && s->dirty[n] && !g->full && !g->v4 && (!g->e.exec_written || g->e.narrows);
		s->active_only[n] = g->regs[n].active_only;
		/* What the loop does not write is as it was. */
		s->turn[n] = s->vgpr[n] >= 0 && s->dirty[n] && (s->form[n] == FORM_HALF || !v_in(&g->settled, (unsigned)s->vgpr[n]));
		if (s->turn[n])
			g->regs[n].nan = NAN_TURN;
	}
}

void jit_r_note_state(const struct jit_region *g, struct jit_r_state *s)
{
	for (unsigned n = 0; n < 32; n++) {
		s->vgpr[n] = g->regs[n].vgpr;
		s->form[n] = FORM_WORDS;
		s->dirty[n] = g->regs[n].dirty;
		s->active_only[n] = g->regs[n].active_only;
		s->turn[n] = false;
	}
}

/* Where the state has a VGPR; -1: nowhere. */
static int place_of(const struct jit_r_state *s, int vgpr)
{
	for (int n = 0; n < 32; n++)
		if (s->vgpr[n] == vgpr)
			return n;
	return -1;
}

/* Lanes that are off where the state has them: of a register that has its VGPR already. */
static void restore_off(struct jit_region *g, unsigned n, bool active_only)
{
	const unsigned vgpr = (unsigned)g->regs[n].vgpr;
	if (!active_only) {
		jit_r_merge_off(g, n);
		return;
	}
	const bool asked = g->e.exec_written && (!g->e.narrows || v_in(&g->t->live[g->e.end - 1].off, vgpr)); /* where lanes are off */
	if (asked && !g->regs[n].active_only && g->regs[n].dirty && jit_r_wanted(g, vgpr))
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
static bool is_placed(const struct jit_r_state *s, int vgpr) { return place_of(s, vgpr) >= 0; }

/* VGPRs of the state that are in registers go to theirs: those whose register nobody needs first, then rings of them. */
static void place(struct jit_region *g, const struct jit_r_state *s)
{
	for (bool rings = false, moved = true; moved || !rings;) {
		rings = !moved;
		moved = false;
		for (unsigned n = 0; n < g->reg_count; n++) {
			const int from = elsewhere(g, s, n), old = g->regs[n].vgpr;
			if (from < 0 || (old >= 0 && !rings && is_placed(s, old)))
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

/* --- forms --- */

/* A half that has come from its home since may have more bits there, which a dirty one has not. */
static bool is_whole(const struct jit_reg *r, bool dirty)
{
	return r->form != FORM_HALF || r->dirty || !dirty;
}

bool jit_r_has_form(const struct jit_region *g, const struct jit_r_state *s, unsigned n)
{
	const int at = s ? place_of(s, g->regs[n].vgpr) : -1;
	return at >= 0 && s->form[at] == g->regs[n].form && is_whole(&g->regs[n], s->dirty[at]);
}

void jit_r_note_forms(struct jit_region *g)
{
	for (unsigned n = 0; n < g->reg_count; n++) {
		const struct jit_reg *r = &g->regs[n];
		if (r->vgpr < 0 || v_in(&g->words, (unsigned)r->vgpr) || !jit_r_wanted(g, (unsigned)r->vgpr))
			continue;
		struct vset *s = r->form == FORM_EVEN ? &g->pairs : r->form == FORM_HALF ? &g->halves : NULL;
		if (!s || v_in(s, (unsigned)r->vgpr))
			continue;
		v_add(s, (unsigned)r->vgpr);
		g->again = true;
	}
}

void jit_r_form(struct jit_region *g)
{
	for (unsigned v = 0; v < CU_VGPRS; v++) {
		if (!jit_r_resident(g, v) || v_in(&g->words, v))
			continue;
		if (v_in(&g->pairs, v) && v + 1 < CU_VGPRS && jit_r_resident(g, v + 1))
			jit_r_use_pair(g, v, (struct xo[2]){ 0 });
		else if (v_in(&g->halves, v) && g->regs[g->reg_of[v]].form == FORM_WORDS)
			jit_half_stay(g, v);
	}
}

/* Register n, which has its VGPR, or a pair's first, as words, gets the state's form. */
static void restore_form(struct jit_region *g, const struct jit_r_state *s, unsigned n)
{
	const unsigned vgpr = (unsigned)s->vgpr[n];
	if (s->form[n] == g->regs[n].form || s->form[n] == FORM_ODD)
		return;
	if (s->form[n] == FORM_EVEN) {
		jit_r_use_pair(g, vgpr, (struct xo[2]){ 0 });
		return;
	}
	if (s->dirty[n]) { /* another try will have it as a word */
		v_add(&g->words, vgpr);
		g->again = true;
	}
	jit_half_stay(g, vgpr);
}

void jit_r_settle_each(struct jit_region *g, const struct vset *vgprs)
{
	jit_r_settle_all(g, vgprs);
	for (unsigned n = 0; n < g->reg_count; n++)
		if (g->regs[n].vgpr >= 0 && v_in(vgprs, (unsigned)g->regs[n].vgpr))
			jit_r_settle(g, (unsigned)g->regs[n].vgpr);
}

/* NaNs are canonical where another turn may rely on it. */
static void settle(struct jit_region *g, const struct jit_r_state *s)
{
	struct vset words = { { 0 } };
	for (unsigned n = 0; n < g->reg_count; n++) {
		const int vgpr = g->regs[n].vgpr, at = vgpr < 0 ? -1 : place_of(s, vgpr);
		if (vgpr < 0 || (at >= 0 && s->turn[at] && (at == (int)n || g->regs[n].form != FORM_WORDS)))
			continue;
		if (g->regs[n].form == FORM_EVEN)
			jit_r_settle_pair(g, (unsigned)vgpr);
		else
			v_add(&words, (unsigned)vgpr);
	}
	jit_r_settle_each(g, &words);
}

/* What the state has no register for goes to the wave. */
void jit_r_restore_state(struct jit_region *g, const struct jit_r_state *s)
{
	jit_r_plain_but(g, s);
	settle(g, s);
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
	}
	for (unsigned n = 0; n < g->reg_count; n++)
		if (s->vgpr[n] >= 0)
			restore_form(g, s, n);
	for (unsigned n = 0; n < g->reg_count; n++) {
		if (s->vgpr[n] < 0)
			continue;
		g->regs[n].dirty = s->dirty[n];
		g->regs[n].active_only = s->active_only[n];
		g->pinned &= ~(1u << n);
	}
}
