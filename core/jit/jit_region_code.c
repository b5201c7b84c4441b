/* SPDX-License-Identifier: MIT */
/* The code of a region: strip after strip, loops within a strip. */
#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit_analyse.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_flow.h"
#include "core/jit/jit_region.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

static struct xo saved_slot(unsigned r)
{
	return x_mem(ZYDIS_REGISTER_RSP, 4 * (int64_t)r, 4);
}
static struct xo sgpr_or_scc(unsigned r)
{
	return r == S_SCC ? J_FIELD(scc) : j_sgpr(r, 4);
}
void g_save(struct translator *t, const struct region *g, bool restore)
{
	for (unsigned r = 0; r < 128; r++) {
		if (!s_has(g->saved, r))
			continue;
		X(&t->b, MOV, R(EAX), restore ? saved_slot(r) : sgpr_or_scc(r));
		X(&t->b, MOV, restore ? sgpr_or_scc(r) : saved_slot(r), R(EAX));
	}
}

/* Next uses, backwards.  A result that replaces the old value in all lanes that
 * matter ends that value. */
static void next_uses_from(struct translator *t, const struct region *g, bool full, uint32_t exec_at)
{
	for (uint32_t i = g->end; i-- > g->first;) {
		struct j_inst *j = &t->in[i];
		if (j->role != ROLE_VECTOR)
			continue;
		uint16_t at = (uint16_t)(i - g->first);
		for (int n = 0; n < j->nvs; n++)
			j->next[n] = j->vs[n] >= 0 ? t->next_of[j->vs[n]] : NEXT_NONE;
		for (int n = 0; n < j->nvd; n++)
			j->next[J_SOURCES + n] = t->next_of[j->vd + n];
		const struct gcn_inst *in = j_rec(t, i)->in;
		bool dpp = in->sub == GCN_SUB_DPP && !in->bound_ctrl;
		bool replaces = (full && i <= exec_at) || (j->off_dead && !dpp);
		for (int n = 0; n < j->nvd; n++)
			t->next_of[j->vd + n] = replaces ? NEXT_KILLED : at;
		for (int n = 0; n < j->nvs; n++)
			if (j->vs[n] >= 0)
				t->next_of[j->vs[n]] = at;
	}
}
static void find_next_uses(struct translator *t, const struct region *g, bool full)
{
	uint32_t exec_at = g->end; /* behind it EXEC may be anything */
	memset(t->next_of, 0xff, sizeof(t->next_of));
	for (uint32_t i = g->end; g->exec_written && i-- > g->first;) {
		struct s_use u;
		j_scalar_use(t, i, &u);
		if (t->in[i].role != ROLE_NONE && s_meet(s_join(u.write, u.mask_write), S_EXEC_PAIR))
			exec_at = i;
	}
	next_uses_from(t, g, full, exec_at);
	if (!g->loop)
		return;
	/* Once more, now that the next turn's uses are known. */
	for (unsigned v = 0; v < CU_VGPRS; v++)
		t->next_of[v] = t->next_of[v] < NEXT_KILLED
			? (uint16_t)(t->next_of[v] + g->end - g->first) : NEXT_NONE;
	next_uses_from(t, g, full, exec_at);
}

static void body(struct translator *t, const struct region *g)
{
	unsigned branches = 0;
	for (uint32_t i = g->first; i < g->end; i++) {
		unsigned role = t->in[i].role;
		j_flow_join(t, g->if_count, i);
		if (role != ROLE_NONE && role != ROLE_ONCE)
			j_mark(t, i);
		if (role == ROLE_VECTOR) {
			j_vector(t, i);
			r_done(t, i);
		} else if (role == ROLE_SLICE) {
			j_slice(t, i);
		} else if (role == ROLE_STRIP) {
			j_scalar(t, i);
			j_forget_masks(t);
		} else if (role == ROLE_BRANCH) {
			j_flow_skip(t, branches++);
		}
	}
	j_flow_join(t, g->if_count, g->end);
}

/* VGPRs that the loop reads, in registers before it: as many as leave room. */
static void preload(struct translator *t, const struct region *g)
{
	int room = t->o->no_registers ? 0 : t->v4 ? 26 : 11;
	for (uint32_t i = g->first; i < g->end; i++)
		for (int n = 0; n < t->in[i].nvs + t->in[i].nvd; n++) {
			const struct j_inst *j = &t->in[i];
			int v = n < j->nvs ? j->vs[n] : j->vd + n - j->nvs;
			if (j->role != ROLE_VECTOR || v < 0 || r_resident(t, (unsigned)v))
				continue;
			if (room > 0 && t->next_of[v] < NEXT_KILLED) {
				r_use(t, (unsigned)v);
				room--;
			}
		}
	for (uint32_t i = g->first; i < g->end; i++)
		for (int n = 0; n < t->in[i].nvd && t->in[i].role == ROLE_VECTOR; n++)
			r_soil(t, (unsigned)t->in[i].vd + (unsigned)n);
}

/* Whether to stop, as cu_poll asks it, where registers must stay as they are. */
static void poll(struct translator *t, uint32_t i, int again)
{
	struct xo interval = x_mem(ZYDIS_REGISTER_RCX, 1 << 20, 8);
	int budget = x_label(&t->b), set = x_label(&t->b), stop = x_label(&t->b);
	X(&t->b, MOV, R(RAX), J_FIELD(abort));
	X(&t->b, TEST, R(RAX), R(RAX));
	XJ(&t->b, JZ, budget);
	X(&t->b, CMP, x_mem(ZYDIS_REGISTER_RAX, 0, 4), x_imm(0));
	XJ(&t->b, JNZ, stop);
	x_bind(&t->b, budget);
	X(&t->b, MOV, R(RCX), J_FIELD(instructions));
	X(&t->b, LEA, R(RDX), interval);
	X(&t->b, MOV, R(RAX), J_FIELD(budget));
	X(&t->b, TEST, R(RAX), R(RAX));
	XJ(&t->b, JZ, set);
	X(&t->b, CMP, R(RCX), R(RAX));
	XJ(&t->b, JNB, stop);
	X(&t->b, CMP, R(RDX), R(RAX));
	X(&t->b, CMOVNBE, R(RDX), R(RAX));
	x_bind(&t->b, set);
	X(&t->b, MOV, J_FIELD(next_poll), R(RDX));
	XJ(&t->b, JMP, again);
	x_bind(&t->b, stop); /* the handler says so */
	X(&t->b, ADD, J_FIELD(instructions), x_imm((int64_t)j_rec(t, i)->jump - 1));
	j_call_handler(t, i);
	X(&t->b, MOV, R(EAX), x_imm(CU_FAULT));
	XJ(&t->b, JMP, t->exit_label);
}

static void turns(struct translator *t, const struct region *g)
{
	int top = x_label(&t->b), leave = x_label(&t->b);
	uint32_t last = g->end - 1;
	const struct cu_rec *r = j_rec(t, last);
	struct r_state state;
	X(&t->b, MOV, R(RAX), x_mem(ZYDIS_REGISTER_RSP, FRAME_COUNT, 8));
	X(&t->b, MOV, J_FIELD(instructions), R(RAX));
	preload(t, g);
	r_release(t);
	r_keep_state(t, &state);
	x_bind(&t->b, top);
	j_forget_masks(t);
	body(t, g);
	r_restore_state(t, &state);
	j_mark(t, last);
	X(&t->b, CMP, j_wave(offsetof(struct cu_wave, scc), 1), x_imm(0));
	x_jump(&t->b, r->in->op == GCN_S_CBRANCH_SCC1 ? ZYDIS_MNEMONIC_JZ : ZYDIS_MNEMONIC_JNZ, leave);
	X(&t->b, MOV, R(RAX), J_FIELD(instructions));
	X(&t->b, ADD, R(RAX), x_imm(1 - (int64_t)r->jump));
	X(&t->b, MOV, J_FIELD(instructions), R(RAX));
	X(&t->b, SUB, R(RAX), J_FIELD(next_poll));
	XJ(&t->b, JS, top);
	poll(t, last, top);
	x_bind(&t->b, leave);
	memset(t->next_of, 0xff, sizeof(t->next_of));
}

static void strips_once(struct translator *t, const struct region *g, bool full)
{
	int top = x_label(&t->b), step = t->v4 ? 64 : 32;
	t->full = full;
	t->live_out = &t->live[g->end - 1];
	find_next_uses(t, g, full);
	r_begin(t);
	X(&t->b, LEA, x_reg(RB_STRIP), x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(&t->b, MOV, x_reg(RB_SLICE), x_reg(RB_WAVE));
	X(&t->b, LEA, x_reg(RB_END), x_mem(RB_STRIP, 256, 8));
	if (g->exports)
		X(&t->b, MOV, x_reg(RB_EXPORTS), J_FIELD(exports));
	if (t->alone) {
		X(&t->b, MOVZX, x_reg(RB_LANES), j_sgpr(GCN_SRC_M0, 2));
		X(&t->b, ADD, x_reg(RB_LANES), J_FIELD(lds));
	} else if (g->params) {
		X(&t->b, LEA, x_reg(RB_LANES), x_mem(ZYDIS_REGISTER_RSP, FRAME_LANES, 8));
	}
	x_bind(&t->b, top);
	g_save(t, g, true);
	if (!full)
		j_load_exec(t);
	if (g->loop)
		turns(t, g);
	else
		body(t, g);
	r_end(t);
	if (g->exports)
		X(&t->b, ADD, x_reg(RB_EXPORTS), x_imm(step));
	if (g->params && !t->alone)
		X(&t->b, ADD, x_reg(RB_LANES), x_imm(step));
	X(&t->b, ADD, x_reg(RB_STRIP), x_imm(step));
	X(&t->b, ADD, x_reg(RB_SLICE), x_imm(step / 32));
	X(&t->b, CMP, x_reg(RB_STRIP), x_reg(RB_END));
	XJ(&t->b, JB, top);
}

/* A loop is first made as if no VGPR had to be settled between its turns. */
void g_strips(struct translator *t, const struct region *g, bool full)
{
	size_t n = t->b.n, fixes = t->b.fix_count, marks = t->mark_count, slow = t->slow_count, misses = t->miss_count;
	memset(&t->settled, 0, sizeof(t->settled));
	for (int tries = 0; tries < 3; tries++) {
		t->unsettled = false;
		if (tries == 2)
			memset(&t->settled, 0xff, sizeof(t->settled));
		strips_once(t, g, full);
		if (!t->unsettled)
			return;
		t->b.n = n;
		t->b.fix_count = fixes;
		t->mark_count = marks;
		t->slow_count = slow;
		t->miss_count = misses;
	}
}
