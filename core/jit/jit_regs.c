/* SPDX-License-Identifier: MIT */
/* VGPRs in vector registers within a region.  Registers are given out as the
 * code is made, front to back; the value whose next use is furthest goes back
 * to the wave.  A register holds one strip of its VGPR, in all lanes. */
#include "core/jit/jit_regs.h"

#include <string.h>
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs_priv.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_twins.h"
#include "core/jit/jit_vector.h"

enum { FREE = -1, TEMP = -2, MASK = -3, UNIFORM = -4 }; /* the last two: AVX2; given up first */

struct xo jit_r_reg(const struct jit_region *g, unsigned n)
{
	return jit_x_reg((g->v4 ? ZYDIS_REGISTER_ZMM0 : ZYDIS_REGISTER_YMM0) + n);
}
static unsigned number(const struct jit_region *g, struct xo r)
{
	return r.reg - (g->v4 ? ZYDIS_REGISTER_ZMM0 : ZYDIS_REGISTER_YMM0);
}
struct xo jit_r_home(const struct jit_region *g, unsigned vgpr)
{
	return jit_x_mem(RB_STRIP, 256 * (int64_t)vgpr, g->v4 ? 64 : 32);
}
void jit_r_move(struct jit_region *g, struct xo to, struct xo from)
{
	jit_x_emit(g->b, ZYDIS_MNEMONIC_VMOVAPS, g->v4 ? 0 : -1, false, 2, (struct xo[]){ to, from });
}

static bool is_pinned(const struct jit_region *g, unsigned n) { return g->pinned >> n & 1; }
static void pin(struct jit_region *g, unsigned n) { g->pinned |= 1u << n; }

void jit_r_begin(struct jit_region *g)
{
	memset(g->reg_of, 0xff, sizeof(g->reg_of));
	/* The last one is to settle and convert with; behind it, AVX2 has EXEC where not full. */
	g->reg_count = g->twins ? jit_twin_registers(g) : g->v4 ? 31 : 14;
	memset(&g->constants, 0, sizeof(g->constants));
	g->pinned = g->temps = 0;
	g->in_arm = false;
	for (unsigned i = 0; i < 32; i++) {
		g->regs[i].vgpr = FREE;
		g->regs[i].dirty = g->regs[i].active_only = false;
		g->regs[i].nan = NAN_RAW;
		g->regs[i].form = FORM_WORDS;
		g->order[i] = (uint8_t)i;
	}
	for (unsigned i = g->reg_count - 1; i > 0 && g->t->o->seed; i--) {
		unsigned k = jit_random(g->t) % (i + 1);
		uint8_t swap = g->order[i];
		g->order[i] = g->order[k];
		g->order[k] = swap;
	}
	for (unsigned i = 0; i < 4; i++)
		g->masks[i] = (struct jit_mask){ .pair = -1, .reg = -1 };
	g->mask_next = g->uniform_next = 0;
	g->mask_held = -1;
	g->masks_until = 0;
	for (unsigned i = 0; i < 8; i++)
		g->uniforms[i].key = -1;
}

bool jit_r_asked(const struct jit_region *g, unsigned vgpr, unsigned next)
{
	return next == NEXT_NONE ? v_in(&g->live_out->on, vgpr) || v_in(&g->live_out->off, vgpr) : next != NEXT_KILLED;
}
bool jit_r_wanted(const struct jit_region *g, unsigned vgpr)
{
	return jit_r_asked(g, vgpr, g->next_of[vgpr]);
}

/* NaNs of register n, which has words, canonical. */
static void settle_words(struct jit_region *g, unsigned n)
{
	struct xo x = jit_r_reg(g, n), m = R(YMM14);
	g->regs[n].nan = NAN_RAW;
	if (g->v4) {
		struct xo qnan = jit_x_mem(RB_POOL, jit_x_dword(g->b, 0x7fc00000), 4);
		jit_x_emit(g->b, ZYDIS_MNEMONIC_VCMPPS, g->full ? 0 : 1, false, 4,
			(struct xo[]){ R(K7), x, x, jit_x_imm(3) });
		jit_x_emit(g->b, ZYDIS_MNEMONIC_VBROADCASTSS, 7, false, 2, (struct xo[]){ x, qnan });
		return;
	}
	X(g->b, VCMPPS, m, x, x, jit_x_imm(3));
	if (!g->full && !g->regs[n].active_only) /* others' lanes may be anything, but not what is still to be read there */
		X(g->b, VANDPS, m, m, jit_exec(g));
	X(g->b, VBLENDVPS, x, x, jit_v_const(g, 0x7fc00000), m);
}

void jit_r_settle(struct jit_region *g, unsigned vgpr)
{
	int n = g->reg_of[vgpr];
	if (!v_in(&g->t->exact[g->reached], vgpr))
		return;
	if (n >= 0 && g->regs[n].form != FORM_WORDS)
		return; /* they are canonical once they are words again */
	if (n >= 0 && g->regs[n].nan == NAN_TURN) { /* another try will settle it in time */
		v_add(&g->settled, vgpr);
		g->again = true;
	}
	if (n >= 0 && g->regs[n].nan == NAN_LAZY)
		settle_words(g, (unsigned)n);
}

/* AVX2, where a register costs three operations: several are looked at together, a mask's ones being a NaN themselves, and
 * where there is none, as nearly always, that is all. */
void jit_r_settle_all(struct jit_region *g, const struct vset *vgprs)
{
	unsigned reg[32], count = 0;
	for (unsigned n = 0; n < g->reg_count && !g->v4; n++)
		if (g->regs[n].vgpr >= 0 && v_in(vgprs, (unsigned)g->regs[n].vgpr) && jit_r_is_lazy(g, (unsigned)g->regs[n].vgpr))
			reg[count++] = n;
	if (count < 2)
		return;
	const int none = jit_x_label(g->b);
	struct xo m = R(YMM14);
	X(g->b, VCMPPS, m, jit_r_reg(g, reg[0]), jit_r_reg(g, reg[1]), jit_x_imm(3));
	for (unsigned i = 2; i < count; i++)
		X(g->b, VCMPPS, m, m, jit_r_reg(g, reg[i]), jit_x_imm(3));
	X(g->b, VTESTPS, m, g->full ? m : jit_exec(g));
	XJ(g->b, JZ, none);
	for (unsigned i = 0; i < count; i++)
		settle_words(g, reg[i]);
	jit_x_bind(g->b, none);
}

void jit_r_settle_run(struct jit_region *g, unsigned vgpr, unsigned count)
{
	struct vset run = { { 0 } };
	for (unsigned k = 0; k < count; k++)
		v_add(&run, vgpr + k);
	jit_r_settle_each(g, &run);
}

/* Those that are to be stored. */
static void settle_dirty(struct jit_region *g)
{
	struct vset all = { { 0 } };
	for (unsigned n = 0; n < g->reg_count && !g->v4; n++)
		if (g->regs[n].nan == NAN_LAZY && g->regs[n].vgpr >= 0 && g->regs[n].dirty && jit_r_wanted(g, (unsigned)g->regs[n].vgpr))
			v_add(&all, (unsigned)g->regs[n].vgpr);
	jit_r_settle_all(g, &all);
}

void jit_r_drop(struct jit_region *g, unsigned n)
{
	if (g->regs[n].vgpr >= 0)
		g->reg_of[g->regs[n].vgpr] = -1;
	g->regs[n].vgpr = FREE;
	g->regs[n].dirty = g->regs[n].active_only = false;
	g->regs[n].nan = NAN_RAW;
	g->regs[n].form = FORM_WORDS;
}

/* --- forms --- */

struct xo jit_r_spare(const struct jit_region *g)
{
	return g->v4 ? R(ZMM31) : R(YMM14);
}

void jit_r_canonical_64(struct jit_region *g, struct xo x)
{
	struct xo nan = jit_v_const_64(g, 0x7ff8000000000000);
	if (g->v4) {
		VX(g, VCMPPD, R(K7), x, x, jit_x_imm(3));
		VXK(g, 7, VMOVAPD, x, nan);
		return;
	}
	X(g->b, VCMPPD, R(YMM14), x, x, jit_x_imm(3));
	X(g->b, VBLENDVPD, x, x, nan, R(YMM14));
}

/* Of the registers that a pair is in. */
static void settle_pair(struct jit_region *g, unsigned even, unsigned odd)
{
	if (g->regs[even].nan == NAN_TURN) {
		v_add(&g->settled, (unsigned)g->regs[even].vgpr);
		v_add(&g->settled, (unsigned)g->regs[odd].vgpr);
		g->again = true;
	}
	if (g->regs[even].nan == NAN_LAZY) {
		jit_r_canonical_64(g, jit_r_reg(g, even));
		jit_r_canonical_64(g, jit_r_reg(g, odd));
	}
	g->regs[even].nan = g->regs[odd].nan = NAN_RAW;
}

static void pair_to_words(struct jit_region *g, unsigned even, unsigned odd)
{
	struct xo e = jit_r_reg(g, even), o = jit_r_reg(g, odd), x = jit_r_spare(g);
	settle_pair(g, even, odd);
	VX(g, VSHUFPS, x, e, o, jit_x_imm(0x88));
	VX(g, VSHUFPS, o, e, o, jit_x_imm(0xdd));
	jit_r_move(g, e, x);
	g->regs[even].form = g->regs[odd].form = FORM_WORDS;
}

static void half_to_words(struct jit_region *g, unsigned n)
{
	struct xo x = jit_r_reg(g, n);
	if (g->regs[n].nan == NAN_TURN) { /* before the first turn, the word may have had more bits */
		v_add(&g->words, (unsigned)g->regs[n].vgpr);
		g->again = true;
	}
	g->regs[n].form = FORM_WORDS;
	g->regs[n].nan = NAN_RAW;
	if (!g->regs[n].dirty)
		jit_r_move(g, x, jit_r_home(g, (unsigned)g->regs[n].vgpr));
	else
		jit_v_round_half(g, x, x, g->v4 ? R(K7) : R(YMM14));
}

/* The other register of a pair. */
static unsigned partner(const struct jit_region *g, unsigned n)
{
	return (unsigned)g->reg_of[g->regs[n].vgpr + (g->regs[n].form == FORM_EVEN ? 1 : -1)];
}
static void to_words(struct jit_region *g, unsigned n)
{
	if (g->regs[n].form == FORM_EVEN)
		pair_to_words(g, n, partner(g, n));
	else if (g->regs[n].form == FORM_ODD)
		pair_to_words(g, partner(g, n), n);
	else if (g->regs[n].form == FORM_HALF)
		half_to_words(g, n);
}
void jit_r_words(struct jit_region *g, unsigned vgpr)
{
	if (g->reg_of[vgpr] >= 0)
		to_words(g, (unsigned)g->reg_of[vgpr]);
}

/* Neither register n nor, of a pair, the other one needs to be kept; to_home: nor would
 * be if it were in the wave. */
static bool is_idle(const struct jit_region *g, unsigned n, bool to_home)
{
	return !jit_r_wanted(g, (unsigned)g->regs[n].vgpr) || (to_home && !g->regs[n].dirty);
}
static bool is_paired(const struct jit_region *g, unsigned n)
{
	return g->regs[n].form == FORM_EVEN || g->regs[n].form == FORM_ODD;
}
static bool idle(const struct jit_region *g, unsigned n, bool to_home)
{
	return is_idle(g, n, to_home) && (!is_paired(g, n) || is_idle(g, partner(g, n), to_home));
}
static void drop_all(struct jit_region *g, unsigned n)
{
	if (is_paired(g, n))
		jit_r_drop(g, partner(g, n));
	jit_r_drop(g, n);
}

void jit_r_plain_but(struct jit_region *g, const struct jit_r_state *s)
{
	for (unsigned n = 0; n < g->reg_count; n++) {
		if (g->regs[n].vgpr < 0 || g->regs[n].form == FORM_WORDS || jit_r_has_form(g, s, n))
			continue;
		if (idle(g, n, true))
			drop_all(g, n);
		else
			to_words(g, n);
	}
	for (unsigned k = 0; k < 4; k++)
		for (uint64_t left = g->constants.w[k]; left; left &= left - 1) {
			unsigned vgpr = 64 * k + (unsigned)__builtin_ctzll(left);
			if (!jit_r_wanted(g, vgpr))
				continue;
			unsigned n = number(g, jit_r_use(g, vgpr));
			g->regs[n].dirty = true;
			g->pinned &= ~(1u << n);
		}
	memset(&g->constants, 0, sizeof(g->constants));
}
/* Everything is words, in registers or in the wave. */
void jit_r_plain(struct jit_region *g) { jit_r_plain_but(g, NULL); }

void jit_r_store(struct jit_region *g, unsigned n)
{
	unsigned vgpr = (unsigned)g->regs[n].vgpr;
	to_words(g, n);
	jit_r_settle(g, vgpr);
	if (!g->regs[n].dirty)
		return;
	jit_r_merge_off(g, n);
	jit_r_move(g, jit_r_home(g, vgpr), jit_r_reg(g, n));
	g->regs[n].dirty = false;
}

bool jit_r_mask_alone(const struct jit_region *g, unsigned i)
{
	return g->masks[i].pair >= 0 && g->masks[i].until >= g->at && g->masks[i].until;
}
static bool mask_alone(const struct jit_region *g, unsigned n)
{
	for (unsigned i = 0; i < 4; i++)
		if (g->masks[i].reg == (int)n && jit_r_mask_alone(g, i))
			return true;
	return false;
}

const char jit_r_few[] = "out of vector registers";

/* An instruction may have more operands and temporaries than half of the registers (jit_twins.c): it gets one that there is
 * not, and the others are what they are until somebody looks. */
static unsigned take_none(struct jit_region *g)
{
	unsigned n = g->reg_count;
	g->b->failed = jit_r_few;
	while (n < 31 && g->regs[n].vgpr != FREE)
		n++;
	return n;
}

/* A register to use, whatever was in it. */
static unsigned take(struct jit_region *g)
{
	const bool alone = g->masks_until >= g->at;
	int best = -1, mask = -1;
	for (unsigned i = 0; i < g->reg_count; i++) {
		unsigned n = g->order[i];
		if (g->regs[n].vgpr == FREE)
			return n;
		if (((g->regs[n].vgpr == MASK && !(alone && mask_alone(g, n))) || g->regs[n].vgpr == UNIFORM) && !is_pinned(g, n))
			mask = (int)n;
		if (g->regs[n].vgpr < 0 || is_pinned(g, n))
			continue;
		if (best < 0 || g->next_of[g->regs[n].vgpr] > g->next_of[g->regs[best].vgpr])
			best = (int)n;
	}
	if (mask >= 0) {
		for (unsigned i = 0; i < 4; i++)
			if (g->masks[i].reg == mask && g->regs[mask].vgpr == MASK)
				g->masks[i].pair = -1;
		for (unsigned i = 0; i < 8; i++)
			if (g->uniforms[i].key >= 0 && g->uniforms[i].reg == mask && g->regs[mask].vgpr == UNIFORM)
				g->uniforms[i].key = -1;
		return (unsigned)mask;
	}
	if (best < 0)
		return take_none(g);
	if (idle(g, (unsigned)best, true)) {
		drop_all(g, (unsigned)best);
		return (unsigned)best;
	}
	to_words(g, (unsigned)best);
	if (jit_r_wanted(g, (unsigned)g->regs[best].vgpr))
		jit_r_store(g, (unsigned)best);
	jit_r_drop(g, (unsigned)best);
	return (unsigned)best;
}

struct xo jit_r_occupy(struct jit_region *g, unsigned n, int vgpr)
{
	g->regs[n].vgpr = (int16_t)vgpr;
	pin(g, n);
	if (vgpr == TEMP)
		g->temps |= 1u << n;
	g->regs[n].dirty = g->regs[n].active_only = false;
	g->regs[n].nan = NAN_RAW;
	g->regs[n].form = FORM_WORDS;
	g->regs[n].of_arm = g->in_arm;
	if (vgpr >= 0)
		g->reg_of[vgpr] = (int16_t)n;
	return jit_r_reg(g, n);
}

bool jit_r_resident(const struct jit_region *g, unsigned vgpr)
{
	return g->reg_of[vgpr] >= 0;
}

/* A register for a value that is used next at `next` would be at the cost of one that is used before. */
static bool is_furthest(const struct jit_region *g, unsigned next)
{
	for (unsigned n = 0; n < g->reg_count; n++) {
		const struct jit_reg *r = &g->regs[n];
		if (r->vgpr == FREE || (r->vgpr >= 0 && !is_pinned(g, n) && g->next_of[r->vgpr] > next))
			return false;
	}
	return true;
}
bool jit_r_only_home(const struct jit_region *g, unsigned vgpr, unsigned next)
{
	if (g->reg_of[vgpr] >= 0 || v_in(&g->constants, vgpr))
		return false;
	return !jit_r_asked(g, vgpr, next) || is_furthest(g, next);
}

bool jit_r_may_stop(const struct jit_region *g, unsigned vgpr)
{
	return !g->v4 && !g->full && v_in(&g->t->integers, vgpr);
}

struct xo jit_r_use_on(struct jit_region *g, unsigned vgpr)
{
	if (!jit_r_may_stop(g, vgpr) || g->reg_of[vgpr] >= 0 || v_in(&g->constants, vgpr))
		return jit_r_use(g, vgpr);
	struct xo r = jit_r_occupy(g, take(g), (int)vgpr);
	X(g->b, VANDPS, r, jit_exec(g), jit_r_home(g, vgpr));
	g->regs[number(g, r)].active_only = true;
	return r;
}

struct xo jit_r_use(struct jit_region *g, unsigned vgpr)
{
	int n = g->reg_of[vgpr];
	if (n < 0) {
		struct xo r = jit_r_occupy(g, take(g), (int)vgpr);
		if (v_in(&g->constants, vgpr))
			jit_v_load(g, r, jit_v_const(g, g->constant_of[vgpr]));
		else
			jit_r_move(g, r, jit_r_home(g, vgpr));
		return r;
	}
	to_words(g, (unsigned)n);
	pin(g, (unsigned)n);
	return jit_r_reg(g, (unsigned)n);
}

/* A resident VGPR's register, for words that replace its value. */
static unsigned overwrite(struct jit_region *g, unsigned vgpr)
{
	unsigned n = (unsigned)g->reg_of[vgpr], form = g->regs[n].form;
	if (form == FORM_EVEN || form == FORM_ODD) {
		unsigned other = partner(g, n);
		if (jit_r_wanted(g, (unsigned)g->regs[other].vgpr))
			to_words(g, n);
		else
			jit_r_drop(g, other);
	}
	g->regs[n].form = FORM_WORDS;
	return n;
}

bool jit_r_constant(const struct jit_region *g, unsigned vgpr, uint32_t *bits)
{
	*bits = g->constant_of[vgpr];
	return v_in(&g->constants, vgpr);
}
void jit_r_set_constant(struct jit_region *g, unsigned vgpr, uint32_t bits)
{
	if (g->reg_of[vgpr] >= 0)
		jit_r_drop(g, overwrite(g, vgpr));
	v_add(&g->constants, vgpr);
	g->constant_of[vgpr] = bits;
}

struct xo jit_r_def(struct jit_region *g, unsigned vgpr, bool keep)
{
	struct xo r;
	if (keep)
		r = jit_r_use(g, vgpr);
	else if (g->reg_of[vgpr] >= 0)
		r = jit_r_reg(g, overwrite(g, vgpr));
	else
		r = jit_r_occupy(g, take(g), (int)vgpr);
	v_del(&g->constants, vgpr);
	unsigned n = number(g, r);
	pin(g, n);
	g->regs[n].dirty = true;
	g->regs[n].active_only &= keep;
	g->regs[n].of_arm |= g->in_arm;
	return r;
}

struct xo jit_r_def_active(struct jit_region *g, unsigned vgpr, bool *merge)
{
	*merge = !jit_r_off_in_wave(g, vgpr);
	struct xo r = jit_r_def(g, vgpr, *merge);
	g->regs[number(g, r)].active_only |= !*merge;
	return r;
}

void jit_r_lazy(struct jit_region *g, unsigned vgpr, bool lazy)
{
	int n = g->reg_of[vgpr];
	if (n >= 0)
		g->regs[n].nan = lazy ? NAN_LAZY : NAN_RAW;
}

bool jit_r_is_lazy(const struct jit_region *g, unsigned vgpr)
{
	int n = g->reg_of[vgpr];
	return n >= 0 && g->regs[n].nan == NAN_LAZY && g->regs[n].form == FORM_WORDS && v_in(&g->t->exact[g->reached], vgpr);
}

bool jit_r_is_half(const struct jit_region *g, unsigned vgpr)
{
	return g->reg_of[vgpr] >= 0 && g->regs[g->reg_of[vgpr]].form == FORM_HALF;
}
struct xo jit_r_half(struct jit_region *g, unsigned vgpr)
{
	pin(g, (unsigned)g->reg_of[vgpr]);
	return jit_r_reg(g, (unsigned)g->reg_of[vgpr]);
}
bool jit_r_clean(const struct jit_region *g, unsigned vgpr)
{
	return g->reg_of[vgpr] >= 0 && !g->regs[g->reg_of[vgpr]].dirty && !v_in(&g->constants, vgpr);
}
void jit_r_set_half(struct jit_region *g, unsigned vgpr)
{
	g->regs[g->reg_of[vgpr]].form = FORM_HALF;
	g->regs[g->reg_of[vgpr]].nan = NAN_RAW;
}

bool jit_r_is_pair(const struct jit_region *g, unsigned vgpr)
{
	return g->reg_of[vgpr] >= 0 && g->regs[g->reg_of[vgpr]].form == FORM_EVEN;
}
static void set_pair(struct jit_region *g, unsigned vgpr, unsigned nan)
{
	for (unsigned k = 0; k < 2; k++) {
		g->regs[g->reg_of[vgpr + k]].form = (uint8_t)(FORM_EVEN + k);
		g->regs[g->reg_of[vgpr + k]].nan = (uint8_t)nan;
	}
}
void jit_r_use_pair(struct jit_region *g, unsigned vgpr, struct xo x[2])
{
	if (jit_r_is_pair(g, vgpr)) {
		for (unsigned k = 0; k < 2; k++) {
			x[k] = jit_r_reg(g, (unsigned)g->reg_of[vgpr + k]);
			pin(g, (unsigned)g->reg_of[vgpr + k]);
		}
		return;
	}
	for (unsigned k = 0; k < 2; k++) {
		jit_r_settle(g, vgpr + k);
		x[k] = jit_r_use(g, vgpr + k);
		/* Its value as words is nowhere else then. */
		if (v_in(&g->constants, vgpr + k))
			g->regs[number(g, x[k])].dirty = true;
		v_del(&g->constants, vgpr + k);
	}
	VX(g, VPUNPCKLDQ, jit_r_spare(g), x[0], x[1]);
	VX(g, VPUNPCKHDQ, x[1], x[0], x[1]);
	jit_r_move(g, x[0], jit_r_spare(g));
	set_pair(g, vgpr, NAN_RAW);
}
void jit_r_settle_pair(struct jit_region *g, unsigned vgpr)
{
	settle_pair(g, (unsigned)g->reg_of[vgpr], (unsigned)g->reg_of[vgpr + 1]);
}
void jit_r_use_integer(struct jit_region *g, unsigned vgpr, struct xo x[2])
{
	jit_r_use_pair(g, vgpr, x);
	jit_r_settle_pair(g, vgpr);
}
void jit_r_def_pair(struct jit_region *g, unsigned vgpr, struct xo x[2])
{
	if (jit_r_is_pair(g, vgpr))
		jit_r_use_pair(g, vgpr, x);
	for (unsigned k = 0; k < 2; k++) {
		if (!jit_r_is_pair(g, vgpr))
			x[k] = jit_r_def(g, vgpr + k, false);
		g->regs[g->reg_of[vgpr + k]].dirty = true;
		g->regs[g->reg_of[vgpr + k]].active_only = false;
	}
	set_pair(g, vgpr, NAN_LAZY);
}

struct xo jit_r_temp(struct jit_region *g)
{
	return jit_r_occupy(g, take(g), TEMP);
}
void jit_r_free(struct jit_region *g, struct xo temp)
{
	unsigned n = number(g, temp);
	if (g->regs[n].vgpr == TEMP) {
		g->regs[n].vgpr = FREE;
		g->pinned &= ~(1u << n);
	}
}

struct xo jit_r_use_mask(struct jit_region *g, unsigned i)
{
	pin(g, (unsigned)g->masks[i].reg);
	return jit_r_reg(g, (unsigned)g->masks[i].reg);
}
void jit_r_keep_mask(struct jit_region *g, unsigned i, struct xo temp)
{
	unsigned n = number(g, temp);
	g->masks[i].reg = (int8_t)n;
	g->regs[n].vgpr = MASK;
}
void jit_r_drop_mask(struct jit_region *g, unsigned i)
{
	if (!g->v4 && g->masks[i].pair >= 0 && g->regs[g->masks[i].reg].vgpr == MASK)
		g->regs[g->masks[i].reg].vgpr = FREE;
	g->masks[i].pair = -1;
}

bool jit_r_plenty(const struct jit_region *g)
{
	unsigned n = 0;
	for (unsigned i = 0; i < g->reg_count; i++)
		n += g->regs[i].vgpr == FREE;
	return n >= 4;
}
struct xo jit_r_uniform(struct jit_region *g, int32_t key)
{
	for (unsigned i = 0; i < 8; i++)
		if (g->uniforms[i].key == key) {
			pin(g, (unsigned)g->uniforms[i].reg);
			return jit_r_reg(g, (unsigned)g->uniforms[i].reg);
		}
	return (struct xo){ 0 };
}
void jit_r_keep_uniform(struct jit_region *g, int32_t key, struct xo temp)
{
	unsigned i = g->uniform_next % 8, n = number(g, temp);
	if (!jit_r_plenty(g))
		return;
	g->uniform_next++;
	if (g->uniforms[i].key >= 0) {
		const unsigned old = (unsigned)g->uniforms[i].reg;
		g->regs[old].vgpr = is_pinned(g, old) ? TEMP : FREE;
		g->temps |= 1u << old;
	}
	g->uniforms[i].key = key;
	g->uniforms[i].reg = (int8_t)n;
	g->regs[n].vgpr = UNIFORM;
}
void jit_r_drop_uniforms(struct jit_region *g)
{
	for (unsigned i = 0; i < 8; i++) {
		if (g->uniforms[i].key >= 0)
			g->regs[g->uniforms[i].reg].vgpr = FREE;
		g->uniforms[i].key = -1;
	}
}

bool jit_r_is_temp(const struct jit_region *g, struct xo x)
{
	return x.kind == XO_REG && g->regs[number(g, x)].vgpr == TEMP;
}

/* A register of an operand that this instruction reads for the last time
 * becomes the result's: FMA needs no copy of its addend. */
bool jit_r_inherit(struct jit_region *g, unsigned from, unsigned to)
{
	int n = g->reg_of[from];
	const struct jit_inst *j = &g->in[g->at];
	if (n < 0 || g->reg_of[to] >= 0 || from == to)
		return false;
	for (int k = 0; k < j->nvs; k++)
		if (j->vs[k] == (int)from) {
			unsigned next = j->next[k];
			if (jit_r_asked(g, from, next))
				return false;
		}
	bool keep = !g->full && !j->off_dead;
	if (keep && !jit_r_off_in_wave(g, to))
		return false;
	jit_r_drop(g, (unsigned)n);
	v_del(&g->constants, to);
	jit_r_occupy(g, (unsigned)n, (int)to);
	g->regs[n].dirty = true;
	g->regs[n].active_only = keep;
	return true;
}

/* Temporaries as well. */
static void release_all(struct jit_region *g)
{
	for (; g->temps; g->temps &= g->temps - 1) {
		struct jit_reg *r = &g->regs[__builtin_ctz(g->temps)];
		r->vgpr = r->vgpr == TEMP ? FREE : r->vgpr;
	}
	g->pinned = 0;
}

static void next_use(struct jit_region *g, int vgpr, unsigned next)
{
	if (vgpr < 0)
		return;
	g->next_of[vgpr] = (uint16_t)next;
}

void jit_r_done_all(struct jit_region *g, uint32_t i, uint32_t count)
{
	for (const struct jit_inst *j = &g->in[i]; j < &g->in[i + count]; j++) {
		for (int k = 0; k < j->nvs; k++)
			next_use(g, j->vs[k], j->next[k]);
		for (int k = 0; k < j->nvd; k++)
			next_use(g, j->vd + k, j->next[JIT_SOURCES + k]);
	}
	release_all(g);
	for (const struct jit_inst *j = &g->in[i]; j < &g->in[i + count]; j++)
		for (int k = 0; k < j->nvs + j->nvd; k++) {
			int v = k < j->nvs ? j->vs[k] : j->vd + k - j->nvs;
			if (v >= 0 && g->reg_of[v] >= 0 && idle(g, (unsigned)g->reg_of[v], false))
				drop_all(g, (unsigned)g->reg_of[v]);
		}
	if (g->t->o->no_registers)
		jit_r_end(g);
}
void jit_r_done(struct jit_region *g, uint32_t i) { jit_r_done_all(g, i, 1); }

void jit_r_release(struct jit_region *g) { g->pinned = 0; }

void jit_r_unpin(struct jit_region *g, unsigned vgpr)
{
	if (g->reg_of[vgpr] >= 0)
		g->pinned &= ~(1u << g->reg_of[vgpr]);
}

void jit_r_soil(struct jit_region *g, unsigned vgpr)
{
	if (g->reg_of[vgpr] >= 0)
		g->regs[g->reg_of[vgpr]].dirty = true;
}

void jit_r_read(struct jit_region *g, unsigned vgpr, unsigned next)
{
	next_use(g, (int)vgpr, next);
}

void jit_r_flush(struct jit_region *g)
{
	release_all(g);
	settle_dirty(g);
	for (unsigned n = 0; n < g->reg_count; n++) {
		if (g->regs[n].vgpr < 0)
			continue;
		if (is_paired(g, n) && idle(g, n, false)) {
			drop_all(g, n);
			continue;
		}
		if (is_paired(g, n))
			to_words(g, n);
		if (g->regs[n].dirty && jit_r_wanted(g, (unsigned)g->regs[n].vgpr))
			jit_r_store(g, n);
		jit_r_drop(g, n);
	}
	jit_forget_masks(g);
}

void jit_r_end(struct jit_region *g)
{
	jit_r_plain(g);
	settle_dirty(g);
	for (unsigned n = 0; n < g->reg_count; n++) {
		if (g->regs[n].vgpr < 0)
			continue;
		if (g->regs[n].dirty && jit_r_wanted(g, (unsigned)g->regs[n].vgpr))
			jit_r_store(g, n);
		jit_r_drop(g, n);
	}
}
