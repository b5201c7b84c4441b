/* SPDX-License-Identifier: MIT */
/* Waves one after another in one run: what a program does before its first vectors, by scalars that all waves of a draw
 * begin with, is done once.  The next wave finds SGPRs as the first one left them, so it may begin behind that only where
 * the rest of the program reads nothing that the rest itself has changed; EXEC, which it may change, is looked at. */
#include "core/jit/jit_again.h"

#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_flow.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_region.h"
#include "core/jit/jit_scalar.h"
#include "isa/gcn.h"
#include "isa/gcn_uses.h"

#define DECODED jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_tex_cache, decoded), 8)

/* Whether i is done before the strips of g, or before g. */
static bool is_before(const struct jit_region *g, uint32_t i)
{
	return i < g->e.first || (i < g->e.end && g->in[i].role == ROLE_ONCE);
}

/* What may be left out in the next wave: nothing but scalars, by which EXEC stays full. */
static bool fits_before(const struct jit_region *g, uint32_t i)
{
	const struct jit_inst *j = &g->in[i];
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	const bool keeps_exec = in->op == GCN_S_WQM_B64 && in->src[0] == GCN_SRC_EXEC;
	if (s_meet(s_join(j->scalar.write, j->scalar.mask_write), S_EXEC_PAIR) && !keeps_exec)
		return false;
	return j->kind == JIT_NOP || j->kind == JIT_SCALAR;
}

/* What the next wave does as well: nothing that others than its exports may see. */
static bool fits_behind(const struct jit_region *g, uint32_t i)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	const unsigned effects = gcn_effects(r->in);
	if (effects & (GCN_WRITES_MEMORY | GCN_WRITES_LDS | GCN_ANY_SGPR) || g->in[i].kind == JIT_BARRIER)
		return false;
	return !(r->op->flags & CU_OP_JUMPS) || i + (uint32_t)r->jump > g->e.first;
}

static bool fits(const struct jit_region *g)
{
	const struct jit_translator *t = g->t;
	struct sset written = { 0 }, known = { 0 }, wanted = { 0 };
	bool straight = true;
	if (g->e.loop)
		return false;
	for (uint32_t i = 1; i <= g->e.first; i++)
		if (g->in[i].leader)
			return false;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct jit_s_use *u = &g->in[i].scalar;
		const struct sset write = s_join(u->write, u->mask_write);
		if (is_before(g, i)) {
			if (!fits_before(g, i))
				return false;
			continue;
		}
		if (!fits_behind(g, i))
			return false;
		const struct sset read = jit_flow_reads(t, i);
		wanted = s_join(wanted, (struct sset){ read.lo & ~known.lo, read.hi & ~known.hi });
		written = s_join(written, write);
		straight &= !(jit_rec(t, i)->op->flags & (CU_OP_JUMPS | CU_OP_ENDS));
		if (straight && g->in[i].kind != JIT_CALL && !gcn_writes_maybe(jit_rec(t, i)->in->op))
			known = s_join(known, write);
	}
	written.hi &= ~S_EXEC_PAIR.hi;
	return !s_meet(written, wanted);
}

void jit_again_here(struct jit_region *g)
{
	struct jit_translator *t = g->t;
	if (t->again_asked)
		return;
	t->again_asked = true;
	if (!fits(g))
		return;
	t->again_region = g->e.first;
	t->again_label = jit_x_label(&t->b);
	t->again_images_label = t->again_apart_label = -1;
	t->again = true;
	jit_x_bind(&t->b, t->again_label);
}

void jit_again_images(struct jit_region *g)
{
	struct jit_translator *t = g->t;
	if (!t->again)
		return;
	if (t->again_region != g->e.first) { /* whose slots are now others */
		X(&t->b, MOV, FRAME(FRAME_DECODED, 8), jit_x_imm(-1));
		return;
	}
	t->again_images_label = jit_x_label(&t->b);
	X(&t->b, MOV, R(RAX), JIT_FIELD(tex));
	X(&t->b, MOV, R(RAX), DECODED);
	X(&t->b, MOV, FRAME(FRAME_DECODED, 8), R(RAX));
	jit_x_bind(&t->b, t->again_images_label);
}

void jit_again_apart(struct jit_region *g)
{
	struct jit_translator *t = g->t;
	if (!t->again || t->again_region != g->e.first)
		return;
	t->again_apart_label = jit_x_label(&t->b);
	X(&t->b, MOV, FRAME(FRAME_DECODED, 8), jit_x_imm(-2));
	jit_x_bind(&t->b, t->again_apart_label);
}

/* Where the next wave begins by what is known of its images. */
static void go_again(struct jit_translator *t)
{
	int none = jit_x_label(&t->b);
	if (t->again_images_label < 0)
		return;
	X(&t->b, MOV, R(RCX), FRAME(FRAME_DECODED, 8));
	X(&t->b, CMP, R(RCX), jit_x_imm(-2));
	if (t->again_apart_label >= 0)
		XJ(&t->b, JZ, t->again_apart_label);
	XJ(&t->b, JNBE, none);
	X(&t->b, MOV, R(RAX), JIT_FIELD(tex));
	X(&t->b, CMP, R(RCX), DECODED);
	XJ(&t->b, JZ, t->again_images_label);
	jit_x_bind(&t->b, none);
}

void jit_again_end(struct jit_translator *t)
{
	if (!t->again)
		return;
	const int end = jit_x_label(&t->b);
	X(&t->b, MOV, R(RAX), JIT_FIELD(next));
	X(&t->b, TEST, R(RAX), R(RAX));
	XJ(&t->b, JZ, end);
	X(&t->b, CMP, jit_sgpr(GCN_SRC_EXEC, 8), jit_x_imm(-1));
	XJ(&t->b, JNZ, end);
	X(&t->b, LEA, R(RDI), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(&t->b, CALL, R(RAX));
	X(&t->b, TEST, R(AL), R(AL)); /* a bool: what is above it may be anything */
	XJ(&t->b, JZ, end);
	X(&t->b, MOV, JIT_FIELD(instructions), jit_x_imm(0));
	go_again(t);
	XJ(&t->b, JMP, t->again_label);
	jit_x_bind(&t->b, end);
}
