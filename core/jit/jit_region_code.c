/* SPDX-License-Identifier: MIT */
/* The code of a region: strip after strip, loops within a strip. */
#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit_analyse.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_flow.h"
#include "core/jit/jit_fused.h"
#include "core/jit/jit_image.h"
#include "core/jit/jit_loop.h"
#include "core/jit/jit_region.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_twins.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

static struct xo saved_slot(unsigned r)
{
	return jit_x_mem(ZYDIS_REGISTER_RSP, 4 * (int64_t)r, 4);
}
static struct xo sgpr_or_scc(unsigned r)
{
	return r == S_SCC ? JIT_FIELD(scc) : jit_sgpr(r, 4);
}
void jit_region_save(struct jit_region *g, bool restore)
{
	for (struct sset left = g->e.saved; !s_none(left);) {
		const unsigned r = s_take(&left);
		X(g->b, MOV, R(EAX), restore ? saved_slot(r) : sgpr_or_scc(r));
		X(g->b, MOV, restore ? sgpr_or_scc(r) : saved_slot(r), R(EAX));
	}
}

/* A result of instruction i that replaces the old value in all lanes that matter ends that value. */
bool jit_region_replaces(const struct jit_region *g, uint32_t i)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	return g->in[i].off_dead && !(in->sub == GCN_SUB_DPP && !in->bound_ctrl);
}

/* Next uses, backwards. */
static void next_uses_from(struct jit_region *g, bool full, uint32_t exec_at)
{
	for (uint32_t i = g->e.end; i-- > g->e.first;) {
		struct jit_inst *j = &g->in[i];
		const uint16_t at = (uint16_t)(i - g->e.first);
		if (j->role == ROLE_EXIT)
			jit_loop_leaves(g, i, at, NULL);
		if (j->role != ROLE_VECTOR)
			continue;
		for (int n = 0; n < j->nvs; n++)
			j->next[n] = j->vs[n] >= 0 ? g->next_of[j->vs[n]] : NEXT_NONE;
		for (int n = 0; n < j->nvd; n++)
			j->next[JIT_SOURCES + n] = g->next_of[j->vd + n];
		const bool replaces = (full && i <= exec_at) || jit_region_replaces(g, i);
		for (int n = 0; n < j->nvd; n++)
			g->next_of[j->vd + n] = replaces ? NEXT_KILLED : at;
		for (int n = 0; n < j->nvs; n++)
			if (j->vs[n] >= 0)
				g->next_of[j->vs[n]] = at;
	}
}
static void find_next_uses(struct jit_region *g, bool full)
{
	uint32_t exec_at = g->e.end; /* behind it EXEC may be anything */
	memset(g->next_of, 0xff, sizeof(g->next_of));
	for (uint32_t i = g->e.end; g->e.exec_written && i-- > g->e.first;) {
		const struct jit_s_use u = g->in[i].scalar;
		if (g->in[i].role != ROLE_NONE && s_meet(s_join(u.write, u.mask_write), S_EXEC_PAIR))
			exec_at = i;
	}
	next_uses_from(g, full, exec_at);
	if (!g->e.loop)
		return;
	/* Once more, now that the next turn's uses are known. */
	for (unsigned v = 0; v < CU_VGPRS; v++)
		g->next_of[v] = g->next_of[v] < NEXT_KILLED
			? (uint16_t)(g->next_of[v] + g->e.end - g->e.first) : NEXT_NONE;
	next_uses_from(g, full, exec_at);
}

/* Bytes of a VGPR that are done at a time. */
static int step_of(const struct jit_region *g) { return (g->v4 ? 64 : 32) << g->twins; }

/* A pair's slices, of all strips at hand. */
static struct xo slices_of(const struct jit_region *g, unsigned pair)
{
	struct xo x = jit_slice_of(g->t, pair);
	x.size = (uint16_t)(x.size << g->twins);
	return x;
}

/* On to the next strip where the one at hand has no lanes. */
static void skip_strip(struct jit_region *g)
{
	const int go = jit_x_label(g->b);
	g->next = jit_x_label(g->b);
	X(g->b, CMP, slices_of(g, GCN_SRC_EXEC), jit_x_imm(0));
	XJ(g->b, JNZ, go);
	if (!s_none(g->e.written)) {
		X(g->b, LEA, R(RAX), jit_x_mem(RB_STRIP, step_of(g), 8));
		X(g->b, CMP, R(RAX), jit_x_reg(RB_END));
		XJ(g->b, JZ, go);
	}
	for (struct sset left = g->e.skipped; !s_none(left);) {
		const unsigned pair = s_take(&left) & ~1u;
		struct sset both = { 0 };
		s_add(&both, pair, 2);
		left.lo &= ~both.lo;
		left.hi &= ~both.hi;
		X(g->b, MOV, slices_of(g, pair), jit_x_imm(0));
	}
	XJ(g->b, JMP, g->next);
	jit_x_bind(g->b, go);
}

/* Strip after strip from here to end_strips; first: of the region, for a strip that has no lanes here may have had some before. */
static int begin_strips(struct jit_region *g, bool first)
{
	int top = jit_x_label(g->b);
	g->next = -1;
	g->primitives_for = UINT32_MAX;
	X(g->b, LEA, jit_x_reg(RB_STRIP), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(g->b, MOV, jit_x_reg(RB_SLICE), jit_x_reg(RB_WAVE));
	X(g->b, LEA, jit_x_reg(RB_END), jit_x_mem(RB_STRIP, 256, 8));
	if (g->e.exports)
		X(g->b, MOV, jit_x_reg(RB_EXPORTS), JIT_FIELD(exports));
	if (g->alone) {
		X(g->b, MOVZX, jit_x_reg(RB_LANES), jit_sgpr(GCN_SRC_M0, 2));
		X(g->b, ADD, jit_x_reg(RB_LANES), JIT_FIELD(lds));
	} else if (g->e.interpolates) {
		X(g->b, LEA, jit_x_reg(RB_LANES), jit_x_mem(ZYDIS_REGISTER_RSP, FRAME_LANES, 8));
	}
	jit_x_bind(g->b, top);
	if (first && g->e.skips && !g->full)
		skip_strip(g);
	jit_region_save(g, true);
	jit_twins_begin(g);
	if (!g->full)
		jit_load_exec(g);
	jit_twins_end(g);
	return top;
}

/* Masks whose slices, words, strips store, gathered in registers that nothing in the region uses. */
enum { GATHERED = 3 };
struct gathered { struct xo whole, word; unsigned pair; };

static unsigned find_gathered(const struct jit_region *g, struct gathered m[GATHERED])
{
	const struct xo whole[GATHERED] = { R(R11), R(R9), R(R8) }, word[GATHERED] = { R(R11W), R(R9W), R(R8W) };
	struct sset left = g->e.sliced;
	unsigned count = 0, most = g->e.interpolates ? 1 : GATHERED;
	if (!g->v4 || g->twins || g->e.images || g->e.memory || g->e.effects || g->e.loop)
		return 0;
	if (g->t->s_live && g->e.end < g->t->limit) {
		left.lo &= g->t->s_live[g->e.end].lo;
		left.hi &= g->t->s_live[g->e.end].hi | S_EXEC_PAIR.hi;
	}
	while (count < most && !s_none(left)) {
		const unsigned pair = s_take(&left) & ~1u;
		if (count && m[count - 1].pair == pair)
			continue;
		m[count] = (struct gathered){ whole[count], word[count], pair };
		count++;
	}
	return count;
}

/* AVX-512: whoever reads such a mask as a whole soon would wait until its slices have left for the cache, one by one: it is
 * stored once more when all strips are done.  Of twice as many strips that costs what it saves. */
static void gather_slices(struct jit_region *g, const struct gathered *m, unsigned count, bool done)
{
	for (unsigned i = 0; i < count; i++) {
		X(g->b, ROR, m[i].whole, jit_x_imm(16));
		if (done)
			X(g->b, MOV, jit_sgpr(m[i].pair, 8), m[i].whole);
		else
			X(g->b, MOV, m[i].word, slices_of(g, m[i].pair));
	}
}

static void end_strips(struct jit_region *g, int top)
{
	const int step = step_of(g);
	struct gathered masks[GATHERED];
	const unsigned count = find_gathered(g, masks);
	if (g->next >= 0)
		jit_x_bind(g->b, g->next);
	gather_slices(g, masks, count, false);
	if (g->e.exports)
		X(g->b, ADD, jit_x_reg(RB_EXPORTS), jit_x_imm(step));
	if (g->e.interpolates && !g->alone)
		X(g->b, ADD, jit_x_reg(RB_LANES), jit_x_imm(step));
	X(g->b, ADD, jit_x_reg(RB_STRIP), jit_x_imm(step));
	X(g->b, ADD, jit_x_reg(RB_SLICE), jit_x_imm(step / 32));
	X(g->b, CMP, jit_x_reg(RB_STRIP), jit_x_reg(RB_END));
	XJ(g->b, JB, top);
	gather_slices(g, masks, count, true);
	jit_later_make(g);
}

static void find_images(struct jit_region *g, uint32_t i, uint32_t end)
{
	unsigned tap = 0;
	jit_image_begin(g);
	for (; i < end; i++)
		if (g->in[i].image) {
			jit_reach(g, i);
			jit_image_find(g, i, tap);
			tap += jit_image_taps(g, i);
		}
}

/* VGPRs that images from i on have as results, or read when their texels are. */
static struct vset unread(const struct jit_region *g, uint32_t i, uint32_t end)
{
	struct vset s = { { 0 } };
	for (; i < end; i++) {
		const struct jit_inst *j = &g->in[i];
		for (unsigned k = 0; j->image && k < j->nvd; k++)
			v_add(&s, (unsigned)j->vd + k);
		for (unsigned k = 0; j->image && k < j->nvs; k++)
			if (j->vs[k] >= 0)
				v_add(&s, (unsigned)j->vs[k]);
	}
	return s;
}

/* Whether instruction i, behind a group, is as well done before the images with these VGPRs. */
static bool goes_ahead(const struct jit_region *g, uint32_t i, const struct vset *images)
{
	const struct jit_inst *j = &g->in[i];
	const struct cu_rec *r = jit_rec(g->t, i);
	if (j->leader)
		return false;
	if (j->role == ROLE_NONE || j->role == ROLE_ONCE)
		return true;
	if (j->role != ROLE_VECTOR || j->image || r->op->cls != CU_CLASS_VALU || r->in->fmt == GCN_VINTRP)
		return false;
	if (!s_none(s_join(s_join(j->scalar.write, j->scalar.mask_write), j->scalar.mask_read)))
		return false;
	for (unsigned k = 0; k < j->nvs; k++)
		if (j->vs[k] >= 0 && v_in(images, (unsigned)j->vs[k]))
			return false;
	for (unsigned k = 0; k < j->nvd; k++)
		if (v_in(images, (unsigned)j->vd + k))
			return false;
	return true;
}

/* Texels of a group; what is behind the group is done as soon as it can be, so that results need not wait in registers, which
 * are few.  Returns the instruction behind those; it is not behind `cut`. */
static uint32_t read_images(struct jit_region *g, uint32_t i, uint32_t end, uint32_t cut)
{
	uint32_t behind = end;
	unsigned tap = 0;
	bool begun = false;
	for (; i < end; i++) {
		if (!g->in[i].image)
			continue;
		if (!begun)
			jit_image_begin(g);
		begun = true;
		jit_image_read(g, i, tap);
		tap += jit_image_taps(g, i);
		const struct vset rest = unread(g, i + 1, end);
		for (; behind < cut && goes_ahead(g, behind, &rest); behind++)
			if (g->in[behind].role == ROLE_VECTOR) {
				jit_reach(g, behind);
				jit_mark(g->t, behind);
				jit_vector(g, behind);
				jit_r_done(g, behind);
				begun = false;
			}
	}
	return behind;
}

/* All strips come as far as this, and go on one after the other. */
static void cut(struct jit_region *g, int *top)
{
	jit_r_flush(g);
	end_strips(g, *top);
	*top = begin_strips(g, false);
}

/* Images from i on, in two steps, and what is done with them before `cut`.  What is behind that. */
static uint32_t images(struct jit_region *g, uint32_t i, uint32_t cut, int *top)
{
	const uint32_t end = jit_image_group(g, i);
	jit_image_share(g, i, end);
	jit_image_choose_tile(g, i, end);
	find_images(g, i, end);
	jit_r_flush(g);
	end_strips(g, *top);
	jit_image_tile(g, i, end);
	*top = begin_strips(g, false);
	return read_images(g, i, end, cut);
}

/* An instruction of VGPRs or of lane masks, for all strips at hand; or some that are done at once, the last of which it returns. */
static uint32_t lanes(struct jit_region *g, uint32_t i)
{
	jit_twins_begin(g);
	const bool slice = g->in[i].role == ROLE_SLICE;
	const uint32_t fused = slice ? 0 : jit_fused(g, i);
	if (slice)
		jit_slice(g, i);
	else if (!fused)
		jit_vector(g, i);
	if (!fused)
		jit_r_done(g, i);
	jit_twins_end(g);
	return fused ? i + fused - 1 : i;
}

/* top: where a strip begins, which images may change. */
void jit_region_body(struct jit_region *g, int *top)
{
	unsigned branches = 0, cuts = 0;
	for (uint32_t i = g->e.first; i < g->e.end && !g->b->failed; i++) {
		unsigned role = g->in[i].role;
		jit_reach(g, i);
		jit_flow_join(g, g->e.if_count, i);
		while (cuts < g->cut_count && g->cuts[cuts] < i)
			cuts++;
		if (cuts < g->cut_count && g->cuts[cuts] == i && !g->twins)
			cut(g, top);
		if (role == ROLE_VECTOR && g->in[i].image) {
			while (cuts < g->cut_count && g->cuts[cuts] <= i)
				cuts++;
			i = images(g, i, cuts < g->cut_count ? g->cuts[cuts] : g->e.end, top) - 1;
			continue;
		}
		if (role != ROLE_NONE && role != ROLE_ONCE)
			jit_mark(g->t, i);
		if (role == ROLE_VECTOR || role == ROLE_SLICE) {
			i = lanes(g, i);
		} else if (role == ROLE_STRIP) {
			jit_scalar(g->t, i);
			jit_forget_masks(g);
		} else if (role == ROLE_BRANCH) {
			jit_flow_skip(g, branches++);
		} else if (role == ROLE_EXIT) {
			jit_loop_exit(g, i);
		}
	}
	jit_flow_join(g, g->e.if_count, g->e.end);
}

struct jit_made jit_made(const struct jit_region *g)
{
	return (struct jit_made){ g->b->n, g->b->fix_count, g->t->mark_count, g->t->slow_count, g->t->miss_count };
}
void jit_unmake(struct jit_region *g, const struct jit_made *m)
{
	g->b->n = m->code;
	g->b->fix_count = m->fixes;
	g->t->mark_count = m->marks;
	g->t->slow_count = m->slow;
	g->t->miss_count = m->misses;
}

static void strips_once(struct jit_region *g, bool full)
{
	g->full = full;
	g->later_count = 0;
	g->reached = g->e.first;
	g->live_out = g->e.parts ? jit_loop_behind(g) : &g->t->live[g->e.end - 1];
	find_next_uses(g, full);
	jit_r_begin(g);
	int top = begin_strips(g, true);
	if (g->e.loop)
		jit_loop_turns(g);
	else
		jit_region_body(g, &top);
	if (g->b->failed)
		return;
	jit_twins_begin(g);
	jit_r_end(g);
	jit_twins_end(g);
	if (g->e.parts)
		jit_loop_left(g);
	end_strips(g, top);
}

/* A loop is first made as if no VGPR had to be settled between its turns, and all were words there. */
static void strips(struct jit_region *g, bool full)
{
	enum { TRIES = 5 };
	const struct jit_made before = jit_made(g);
	const struct vset none = { { 0 } };
	g->settled = g->pairs = g->halves = g->words = none;
	for (int tries = 0; tries < TRIES; tries++) {
		g->again = false;
		if (tries == 1) /* what words need, pairs and halves may not */
			g->settled = none;
		if (tries == TRIES - 1) {
			memset(&g->settled, 0xff, sizeof(g->settled));
			memset(&g->words, 0xff, sizeof(g->words));
		}
		strips_once(g, full);
		if (!g->again || g->b->failed)
			return;
		jit_unmake(g, &before);
	}
	g->b->failed = "a loop asks for more than all of it"; /* all words, and all of them settled: never */
}

bool jit_region_strips(struct jit_region *g, bool full, bool twins)
{
	const struct jit_made before = jit_made(g);
	g->twins = twins && !g->b->failed;
	strips(g, full);
	if (!g->twins)
		return true;
	g->twins = false;
	g->b->listens = false;
	if (g->b->failed != jit_r_few)
		return true;
	g->b->failed = NULL; /* an instruction that needs more than half of them */
	jit_unmake(g, &before);
	if (g->e.parts) /* one strip at a time is slower than the wave */
		return false;
	strips(g, full);
	return true;
}
