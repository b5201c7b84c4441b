/* SPDX-License-Identifier: MIT */
/* VGPRs in vector registers within a region.  Registers are given out as the
 * code is made, front to back; the value whose next use is furthest goes back
 * to the wave.  A register holds one strip of its VGPR, in all lanes. */
#include "core/jit/jit_regs.h"

#include <string.h>
#include "core/jit/jit_emit.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"

enum { FREE = -1, TEMP = -2 };

static struct xo reg(const struct translator *t, unsigned n)
{
	return x_reg((t->v4 ? ZYDIS_REGISTER_ZMM0 : ZYDIS_REGISTER_YMM0) + n);
}
static unsigned number(const struct translator *t, struct xo r)
{
	return r.reg - (t->v4 ? ZYDIS_REGISTER_ZMM0 : ZYDIS_REGISTER_YMM0);
}
static struct xo home(const struct translator *t, unsigned vgpr)
{
	return x_mem(RB_STRIP, 256 * (int64_t)vgpr, t->v4 ? 64 : 32);
}
static void move(struct translator *t, struct xo to, struct xo from)
{
	x_emit(&t->b, ZYDIS_MNEMONIC_VMOVAPS, t->v4 ? 0 : -1, false, 2, (struct xo[]){ to, from });
}

static uint32_t next_random(struct translator *t)
{
	t->random = t->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(t->random >> 33);
}

void r_begin(struct translator *t)
{
	memset(t->reg_of, 0xff, sizeof(t->reg_of));
	/* The last ones of AVX2: one to settle with, one for EXEC where not full. */
	t->reg_count = t->v4 ? 32 : 14;
	for (unsigned i = 0; i < 32; i++) {
		t->regs[i].vgpr = FREE;
		t->regs[i].dirty = t->regs[i].pinned = false;
		t->regs[i].nan = NAN_RAW;
		t->order[i] = (uint8_t)i;
	}
	for (unsigned i = t->reg_count - 1; i > 0 && t->o->seed; i--) {
		unsigned k = next_random(t) % (i + 1);
		uint8_t swap = t->order[i];
		t->order[i] = t->order[k];
		t->order[k] = swap;
	}
	for (unsigned i = 0; i < 4; i++)
		t->masks[i].pair = -1;
	t->mask_next = 0;
}

static bool live_out(const struct translator *t, unsigned vgpr)
{
	return v_in(&t->live_out->on, vgpr) || v_in(&t->live_out->off, vgpr);
}
static bool wanted(const struct translator *t, unsigned vgpr)
{
	unsigned next = t->next_of[vgpr];
	return next == NEXT_NONE ? live_out(t, vgpr) : next != NEXT_KILLED;
}

void r_settle(struct translator *t, unsigned vgpr)
{
	int n = t->reg_of[vgpr];
	if (n >= 0 && t->regs[n].nan == NAN_TURN) { /* another try will settle it in time */
		v_add(&t->settled, vgpr);
		t->unsettled = true;
	}
	if (n < 0 || t->regs[n].nan != NAN_LAZY)
		return;
	struct xo x = reg(t, (unsigned)n);
	t->regs[n].nan = NAN_RAW;
	if (t->v4) {
		struct xo qnan = x_mem(RB_POOL, x_dword(&t->b, 0x7fc00000), 4);
		x_emit(&t->b, ZYDIS_MNEMONIC_VCMPPS, t->full ? 0 : 1, false, 4,
			(struct xo[]){ R(K7), x, x, x_imm(3) });
		x_emit(&t->b, ZYDIS_MNEMONIC_VBROADCASTSS, 7, false, 2, (struct xo[]){ x, qnan });
		return;
	}
	struct xo m = R(YMM14);
	uint32_t all[16];
	for (int i = 0; i < 16; i++)
		all[i] = 0x7fc00000;
	X(&t->b, VCMPPS, m, x, x, x_imm(3));
	if (!t->full)
		X(&t->b, VANDPS, m, m, j_exec(t));
	X(&t->b, VBLENDVPS, x, x, x_mem(RB_POOL, x_vector(&t->b, all), 32), m);
}

void r_settle_all(struct translator *t)
{
	for (unsigned n = 0; n < t->reg_count; n++)
		if (t->regs[n].vgpr >= 0)
			r_settle(t, (unsigned)t->regs[n].vgpr);
}

static void drop(struct translator *t, unsigned n)
{
	if (t->regs[n].vgpr >= 0)
		t->reg_of[t->regs[n].vgpr] = -1;
	t->regs[n].vgpr = FREE;
	t->regs[n].dirty = false;
	t->regs[n].nan = NAN_RAW;
}
static void store(struct translator *t, unsigned n)
{
	unsigned vgpr = (unsigned)t->regs[n].vgpr;
	r_settle(t, vgpr);
	if (t->regs[n].dirty)
		move(t, home(t, vgpr), reg(t, n));
	t->regs[n].dirty = false;
}

/* A register to use, whatever was in it. */
static unsigned take(struct translator *t)
{
	int best = -1;
	for (unsigned i = 0; i < t->reg_count; i++) {
		unsigned n = t->order[i];
		if (t->regs[n].vgpr == FREE)
			return n;
		if (t->regs[n].pinned || t->regs[n].vgpr < 0)
			continue;
		if (best < 0 || t->next_of[t->regs[n].vgpr] > t->next_of[t->regs[best].vgpr])
			best = (int)n;
	}
	if (best < 0) { /* an instruction has fewer operands and temporaries than there are registers */
		t->b.failed = "out of vector registers";
		return 0;
	}
	if (wanted(t, (unsigned)t->regs[best].vgpr))
		store(t, (unsigned)best);
	drop(t, (unsigned)best);
	return (unsigned)best;
}

static struct xo occupy(struct translator *t, unsigned n, int vgpr)
{
	t->regs[n].vgpr = (int16_t)vgpr;
	t->regs[n].pinned = true;
	t->regs[n].dirty = false;
	t->regs[n].nan = NAN_RAW;
	if (vgpr >= 0)
		t->reg_of[vgpr] = (int16_t)n;
	return reg(t, n);
}

bool r_resident(const struct translator *t, unsigned vgpr)
{
	return t->reg_of[vgpr] >= 0;
}

struct xo r_use(struct translator *t, unsigned vgpr)
{
	int n = t->reg_of[vgpr];
	if (n < 0) {
		struct xo r = occupy(t, take(t), (int)vgpr);
		move(t, r, home(t, vgpr));
		return r;
	}
	t->regs[n].pinned = true;
	return reg(t, (unsigned)n);
}

struct xo r_def(struct translator *t, unsigned vgpr, bool keep)
{
	struct xo r;
	if (keep)
		r = r_use(t, vgpr);
	else if (t->reg_of[vgpr] >= 0)
		r = reg(t, (unsigned)t->reg_of[vgpr]);
	else
		r = occupy(t, take(t), (int)vgpr);
	unsigned n = number(t, r);
	t->regs[n].pinned = t->regs[n].dirty = true;
	return r;
}

void r_lazy(struct translator *t, unsigned vgpr, bool lazy)
{
	int n = t->reg_of[vgpr];
	if (n >= 0)
		t->regs[n].nan = lazy ? NAN_LAZY : NAN_RAW;
}

struct xo r_temp(struct translator *t)
{
	return occupy(t, take(t), TEMP);
}
void r_free(struct translator *t, struct xo temp)
{
	unsigned n = number(t, temp);
	if (t->regs[n].vgpr == TEMP) {
		t->regs[n].vgpr = FREE;
		t->regs[n].pinned = false;
	}
}

bool r_is_temp(const struct translator *t, struct xo x)
{
	return x.kind == XO_REG && t->regs[number(t, x)].vgpr == TEMP;
}

/* A register of an operand that this instruction reads for the last time
 * becomes the result's: FMA needs no copy of its addend. */
bool r_inherit(struct translator *t, unsigned from, unsigned to)
{
	int n = t->reg_of[from];
	const struct j_inst *j = &t->in[t->at];
	if (n < 0 || t->reg_of[to] >= 0 || from == to)
		return false;
	for (int k = 0; k < j->nvs; k++)
		if (j->vs[k] == (int)from) {
			unsigned next = j->next[k];
			if (next != NEXT_KILLED && (next != NEXT_NONE || live_out(t, from)))
				return false;
		}
	drop(t, (unsigned)n);
	occupy(t, (unsigned)n, (int)to);
	t->regs[n].dirty = true;
	return true;
}

static void next_use(struct translator *t, int vgpr, unsigned next)
{
	if (vgpr < 0)
		return;
	t->next_of[vgpr] = (uint16_t)next;
}

void r_done(struct translator *t, uint32_t i)
{
	const struct j_inst *j = &t->in[i];
	for (int k = 0; k < j->nvs; k++)
		next_use(t, j->vs[k], j->next[k]);
	for (int k = 0; k < j->nvd; k++)
		next_use(t, j->vd + k, j->next[J_SOURCES + k]);
	for (unsigned n = 0; n < t->reg_count; n++) {
		if (t->regs[n].vgpr == TEMP)
			t->regs[n].vgpr = FREE;
		t->regs[n].pinned = false;
	}
	for (int k = 0; k < j->nvs + j->nvd; k++) {
		int v = k < j->nvs ? j->vs[k] : j->vd + k - j->nvs;
		if (v >= 0 && t->reg_of[v] >= 0 && !wanted(t, (unsigned)v))
			drop(t, (unsigned)t->reg_of[v]);
	}
	if (t->o->no_registers)
		r_end(t);
}

void r_release(struct translator *t)
{
	for (unsigned n = 0; n < t->reg_count; n++)
		t->regs[n].pinned = false;
}

void r_soil(struct translator *t, unsigned vgpr)
{
	if (t->reg_of[vgpr] >= 0)
		t->regs[t->reg_of[vgpr]].dirty = true;
}

void r_keep_state(struct translator *t, struct r_state *s)
{
	for (unsigned n = 0; n < 32; n++) {
		s->vgpr[n] = t->regs[n].vgpr;
		s->dirty[n] = t->regs[n].dirty;
		/* What the loop does not write is as it was. */
		s->turn[n] = s->vgpr[n] >= 0 && s->dirty[n] && !v_in(&t->settled, (unsigned)s->vgpr[n]);
		if (s->turn[n])
			t->regs[n].nan = NAN_TURN;
	}
}

void r_note_state(const struct translator *t, struct r_state *s)
{
	for (unsigned n = 0; n < 32; n++) {
		s->vgpr[n] = t->regs[n].vgpr;
		s->dirty[n] = t->regs[n].dirty;
		s->turn[n] = false;
	}
}

/* What is elsewhere goes by the wave; few values do. */
void r_restore_state(struct translator *t, const struct r_state *s)
{
	for (unsigned n = 0; n < t->reg_count; n++)
		if (t->regs[n].vgpr >= 0 && !(s->turn[n] && t->regs[n].vgpr == s->vgpr[n]))
			r_settle(t, (unsigned)t->regs[n].vgpr);
	for (unsigned n = 0; n < t->reg_count; n++)
		if (t->regs[n].vgpr >= 0 && (t->regs[n].vgpr != s->vgpr[n] || (t->regs[n].dirty && !s->dirty[n]))) {
			if (wanted(t, (unsigned)t->regs[n].vgpr))
				store(t, n);
			if (t->regs[n].vgpr != s->vgpr[n])
				drop(t, n);
		}
	for (unsigned n = 0; n < t->reg_count; n++) {
		if (s->vgpr[n] < 0)
			continue;
		if (t->regs[n].vgpr != s->vgpr[n])
			move(t, occupy(t, n, s->vgpr[n]), home(t, (unsigned)s->vgpr[n]));
		t->regs[n].dirty = s->dirty[n];
		t->regs[n].pinned = false;
	}
}

void r_end(struct translator *t)
{
	for (unsigned n = 0; n < t->reg_count; n++) {
		if (t->regs[n].vgpr < 0)
			continue;
		if (t->regs[n].dirty && wanted(t, (unsigned)t->regs[n].vgpr))
			store(t, n);
		drop(t, n);
	}
}
