/* SPDX-License-Identifier: MIT */
/* The code of loops that each strip goes round by itself (jit_loop.c). */
#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_loop.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_region.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_twins.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

static bool reads(const struct jit_region *g, int vgpr)
{
	for (uint32_t i = g->e.first; i < g->e.end; i++)
		for (int n = 0; n < g->in[i].nvs && g->in[i].role == ROLE_VECTOR; n++)
			if (g->in[i].vs[n] == vgpr)
				return true;
	return false;
}

/* VGPRs that the loop reads, in registers before it, as many as leave room; carried: that a turn leaves for the next one. */
static void preload_some(struct jit_region *g, const struct vset *made, bool carried, int *room)
{
	for (uint32_t i = g->e.first; i < g->e.end; i++)
		for (int n = 0; n < g->in[i].nvs + g->in[i].nvd; n++) {
			const struct jit_inst *j = &g->in[i];
			int v = n < j->nvs ? j->vs[n] : j->vd + n - j->nvs;
			if (j->role != ROLE_VECTOR || v < 0 || jit_r_resident(g, (unsigned)v) || v_in(made, (unsigned)v) != carried)
				continue;
			if (g->e.narrows && !reads(g, v)) /* it goes to the wave where it is written */
				continue;
			if (*room > 0 && g->next_of[v] < NEXT_KILLED) {
				if (g->e.exec_written) /* lanes that are off would be put back at every turn */
					jit_r_use(g, (unsigned)v);
				else
					jit_r_use_on(g, (unsigned)v);
				--*room;
			}
		}
}
static void preload(struct jit_region *g)
{
	int room = g->t->o->no_registers ? 0 : g->twins ? (int)jit_twin_registers(g) - (g->v4 || g->e.parts ? 3 : 2) : g->v4 ? 26 : 11;
	struct vset made = { { 0 } };
	for (uint32_t i = g->e.first; i < g->e.end; i++)
		for (int n = 0; n < g->in[i].nvd && g->in[i].role == ROLE_VECTOR; n++)
			v_add(&made, (unsigned)g->in[i].vd + (unsigned)n);
	preload_some(g, &made, true, &room);
	preload_some(g, &made, false, &room);
	jit_r_form(g);
	jit_r_release(g);
	for (uint32_t i = g->e.first; i < g->e.end; i++)
		for (int n = 0; n < g->in[i].nvd && g->in[i].role == ROLE_VECTOR; n++)
			jit_r_soil(g, (unsigned)g->in[i].vd + (unsigned)n);
}

/* Whether to stop, as cu_poll asks it, where registers must stay as they are. */
static void poll(struct jit_region *g, uint32_t i, int again)
{
	struct xo interval = jit_x_mem(ZYDIS_REGISTER_RCX, 1 << 20, 8);
	int budget = jit_x_label(g->b), set = jit_x_label(g->b), stop = jit_x_label(g->b);
	X(g->b, MOV, R(RAX), JIT_FIELD(abort));
	X(g->b, TEST, R(RAX), R(RAX));
	XJ(g->b, JZ, budget);
	X(g->b, CMP, jit_x_mem(ZYDIS_REGISTER_RAX, 0, 4), jit_x_imm(0));
	XJ(g->b, JNZ, stop);
	jit_x_bind(g->b, budget);
	X(g->b, MOV, R(RCX), JIT_FIELD(instructions));
	X(g->b, LEA, R(RDX), interval);
	X(g->b, MOV, R(RAX), JIT_FIELD(budget));
	X(g->b, TEST, R(RAX), R(RAX));
	XJ(g->b, JZ, set);
	X(g->b, CMP, R(RCX), R(RAX));
	XJ(g->b, JNB, stop);
	X(g->b, CMP, R(RDX), R(RAX));
	X(g->b, CMOVNBE, R(RDX), R(RAX));
	jit_x_bind(g->b, set);
	X(g->b, MOV, JIT_FIELD(next_poll), R(RDX));
	XJ(g->b, JMP, again);
	jit_x_bind(g->b, stop); /* the handler says so */
	X(g->b, ADD, JIT_FIELD(instructions), jit_x_imm((int64_t)jit_rec(g->t, i)->jump - 1));
	jit_call_handler(g->t, i);
	X(g->b, MOV, R(EAX), jit_x_imm(CU_FAULT));
	XJ(g->b, JMP, g->t->exit_label);
}

/* To `label`, where the branch at i is not taken. */
static void unless_taken(struct jit_region *g, uint32_t i, int label)
{
	const unsigned op = jit_rec(g->t, i)->in->op;
	const bool zero = op == GCN_S_CBRANCH_SCC0 || op == GCN_S_CBRANCH_EXECZ;
	if (op == GCN_S_BRANCH)
		return;
	if (op == GCN_S_CBRANCH_SCC0 || op == GCN_S_CBRANCH_SCC1)
		X(g->b, CMP, jit_wave(offsetof(struct cu_wave, scc), 1), jit_x_imm(0)); /* as s_cmp writes it */
	else
		jit_twins_test_exec(g);
	jit_x_jump(g->b, zero ? ZYDIS_MNEMONIC_JNZ : ZYDIS_MNEMONIC_JZ, label);
}

void jit_loop_turns(struct jit_region *g)
{
	int top = jit_x_label(g->b), leave = jit_x_label(g->b);
	uint32_t last = g->e.end - 1;
	const struct cu_rec *r = jit_rec(g->t, last);
	struct jit_r_state state;
	g->left = jit_x_label(g->b);
	X(g->b, MOV, R(RAX), FRAME(FRAME_COUNT, 8));
	X(g->b, MOV, JIT_FIELD(instructions), R(RAX));
	jit_twins_begin(g);
	preload(g);
	jit_twins_end(g);
	jit_r_keep_state(g, &state);
	jit_x_bind(g->b, top);
	jit_forget_masks(g);
	jit_region_body(g, NULL);
	if (g->b->failed)
		return;
	jit_twins_begin(g);
	jit_r_note_forms(g);
	jit_r_restore_state(g, &state);
	jit_twins_end(g);
	jit_mark(g->t, last);
	unless_taken(g, last, leave);
	X(g->b, MOV, R(RAX), JIT_FIELD(instructions));
	X(g->b, ADD, R(RAX), jit_x_imm(1 - (int64_t)r->jump));
	X(g->b, MOV, JIT_FIELD(instructions), R(RAX));
	X(g->b, SUB, R(RAX), JIT_FIELD(next_poll));
	XJ(g->b, JS, top);
	poll(g, last, top);
	jit_x_bind(g->b, leave);
	memset(g->next_of, 0xff, sizeof(g->next_of));
	jit_twins_begin(g);
	if (g->e.parts)
		jit_store_exec(g);
	jit_twins_end(g);
}

/* --- branches out of it --- */

static bool lives(const struct vlive *l, unsigned v) { return v_in(&l->on, v) || v_in(&l->off, v); }

/* Strips may leave the loop at i. */
static bool goes_out(const struct jit_region *g, uint32_t i)
{
	return g->in[i].role == ROLE_EXIT || (i + 1 == g->e.end && jit_rec(g->t, i)->in->op != GCN_S_BRANCH);
}

/* VGPRs that live where the branch at i goes out of the loop, the last one when it does not go back. */
static const struct vlive *lives_out(const struct jit_region *g, uint32_t i)
{
	return i + 1 == g->e.end ? &g->t->live[i] : &g->t->there[i];
}

void jit_loop_leaves(struct jit_region *g, uint32_t i, uint16_t at, struct vset *of)
{
	for (unsigned v = 0; v < CU_VGPRS; v++) {
		if (!lives(lives_out(g, i), v) || (of && !v_in(of, v)))
			continue;
		g->next_of[v] = at;
		if (of)
			v_del(of, v);
	}
}

struct vlive *jit_loop_behind(struct jit_region *g)
{
	memset(&g->behind, 0, sizeof(g->behind));
	for (uint32_t i = g->e.first; i < g->e.end; i++)
		for (unsigned k = 0; k < 4 && goes_out(g, i); k++) {
			g->behind.on.w[k] |= lives_out(g, i)->on.w[k];
			g->behind.off.w[k] |= lives_out(g, i)->off.w[k];
		}
	return &g->behind;
}

/* Next uses of VGPRs of which the branch at `exit` was the next one. */
static void uses_behind(struct jit_region *g, uint32_t exit)
{
	const uint32_t count = g->e.end - g->e.first, from = exit - g->e.first;
	struct vset left = { { 0 } };
	for (unsigned v = 0; v < CU_VGPRS; v++)
		if (lives(lives_out(g, exit), v)) {
			v_add(&left, v);
			g->next_of[v] = NEXT_NONE;
		}
	for (uint32_t k = from + 1; k <= from + count; k++) {
		const uint32_t i = g->e.first + k % count;
		const struct jit_inst *j = &g->in[i];
		if (goes_out(g, i))
			jit_loop_leaves(g, i, (uint16_t)k, &left);
		if (j->role != ROLE_VECTOR)
			continue;
		for (int n = 0; n < j->nvs + j->nvd; n++) {
			const int v = n < j->nvs ? j->vs[n] : j->vd + n - j->nvs;
			if (v < 0 || !v_in(&left, (unsigned)v))
				continue;
			g->next_of[v] = n >= j->nvs && jit_region_replaces(g, i) ? NEXT_KILLED : (uint16_t)k;
			v_del(&left, (unsigned)v);
		}
	}
}

/* All VGPRs that live behind the loop go to the wave. */
void jit_loop_exit(struct jit_region *g, uint32_t i)
{
	const int stay = jit_x_label(g->b);
	unless_taken(g, i, stay);
	const struct jit_region kept = *g;
	memset(g->next_of, 0xff, sizeof(g->next_of));
	g->live_out = &g->t->there[i];
	jit_twins_begin(g);
	jit_store_exec(g);
	jit_r_end(g);
	jit_twins_end(g);
	X(g->b, MOV, R(ECX), jit_x_imm(i + 1));
	XJ(g->b, JMP, g->left);
	const struct vset settled = g->settled, pairs = g->pairs, halves = g->halves, words = g->words;
	const bool again = g->again;
	*g = kept;
	g->settled = settled;
	g->pairs = pairs;
	g->halves = halves;
	g->words = words;
	g->again = again;
	uses_behind(g, i);
	jit_x_bind(g->b, stay);
}

void jit_loop_before(struct jit_region *g)
{
	X(g->b, MOV, R(RAX), JIT_FIELD(instructions));
	X(g->b, MOV, FRAME(FRAME_COUNT, 8), R(RAX));
	if (g->e.parts)
		X(g->b, MOV, FRAME(FRAME_MOST, 8), jit_x_imm(0)); /* they run more */
}

/* Numbers that are read behind the loop, to the frame or back; nothing is interpolated here. */
static void move_asked(struct jit_region *g, bool back)
{
	for (struct sset left = g->e.asked; !s_none(left);) {
		const unsigned r = s_take(&left);
		const struct xo kept = FRAME(FRAME_PARAMS + 4 * (int)r, 4);
		X(g->b, MOV, R(EAX), back ? kept : jit_sgpr(r, 4));
		X(g->b, MOV, back ? jit_sgpr(r, 4) : kept, R(EAX));
	}
}

/* Strips have come from the instruction before ECX, the last one where nothing has been said yet.  All do as the wave does, as long
 * as they stay, so it goes with those that have run most instructions. */
void jit_loop_left(struct jit_region *g)
{
	const int shorter = jit_x_label(g->b);
	X(g->b, MOV, R(ECX), jit_x_imm(g->e.end));
	jit_x_bind(g->b, g->left);
	X(g->b, MOV, R(RAX), JIT_FIELD(instructions));
	X(g->b, ADD, R(RAX), R(RCX));
	X(g->b, CMP, R(RAX), FRAME(FRAME_MOST, 8));
	XJ(g->b, JB, shorter);
	X(g->b, MOV, FRAME(FRAME_MOST, 8), R(RAX));
	X(g->b, MOV, FRAME(FRAME_WAY, 8), R(RCX));
	move_asked(g, false);
	jit_x_bind(g->b, shorter);
}

void jit_loop_go(struct jit_region *g)
{
	move_asked(g, true);
	X(g->b, MOV, R(RAX), FRAME(FRAME_MOST, 8));
	for (uint32_t i = g->e.first; i < g->e.end; i++) {
		if (g->in[i].role != ROLE_EXIT || jit_loop_target(g, i) == g->e.end)
			continue;
		const int other = jit_x_label(g->b);
		X(g->b, CMP, FRAME(FRAME_WAY, 8), jit_x_imm(i + 1));
		XJ(g->b, JNZ, other);
		X(g->b, SUB, R(RAX), jit_x_imm(i + 1));
		X(g->b, MOV, JIT_FIELD(instructions), R(RAX));
		if (jit_rec(g->t, i)->in->op != GCN_S_CBRANCH_EXECZ) /* a handler may ask again; the last strips may have left before */
			X(g->b, MOV, JIT_FIELD(scc), jit_x_imm(jit_rec(g->t, i)->in->op == GCN_S_CBRANCH_SCC1));
		jit_branch_taken(g->t, i);
		jit_x_bind(g->b, other);
	}
	X(g->b, SUB, R(RAX), jit_x_imm(g->e.end));
	X(g->b, MOV, JIT_FIELD(instructions), R(RAX));
}
