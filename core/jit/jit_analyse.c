/* SPDX-License-Identifier: MIT */
/* What instructions read and write, where blocks begin, which VGPRs live on. */
#include "core/jit/jit_analyse.h"

#include <stdlib.h>
#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit.h"
#include "core/jit/jit_constants.h"
#include "core/jit/jit_image.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "core/level.h"
#include "core/tex/tex_ops.h"
#include "isa/gcn.h"
#include "isa/gcn_uses.h"

static int vgpr_at(int64_t offset)
{
	return offset < (int64_t)sizeof(((struct cu_wave *)0)->vgpr) ? (int)(offset / 256) : -1;
}

static bool is_special(const struct jit_translator *t, const struct cu_rec *r)
{
	return r->fn == t->p->kernels->special;
}

/* --- scalar --- */

static void s_span(struct sset *value, struct sset *mask, const struct gcn_span *span)
{
	if (span->first < GCN_SRC_0)
		s_add(span->lanes ? mask : value, span->first, span->dwords);
	else if (span->first == GCN_SRC_SCC)
		s_add(value, S_SCC, 1);
}

static void scalar_use(const struct jit_translator *t, const struct cu_rec *r, const struct gcn_uses *uses, struct jit_s_use *u)
{
	if (is_special(t, r)) { /* VCCZ, EXECZ, SCC */
		s_add(&u->read, GCN_SRC_VCC, 2);
		s_add(&u->read, GCN_SRC_EXEC, 2);
		s_add(&u->read, S_SCC, 1);
	}
	if (r->in->op == GCN_S_GETREG_B32) /* STATUS has it */
		s_add(&u->read, S_SCC, 1);
	for (unsigned n = 0; n < uses->reads; n++)
		s_span(&u->read, &u->mask_read, &uses->read[n]);
	for (unsigned n = 0; n < uses->writes; n++)
		s_span(&u->write, &u->mask_write, &uses->written[n]);
}

/* --- VGPRs --- */

/* Read of lanes that are on and off; written.  own_quads: no lane that is off is read
 * but in quads where another is on. */
struct v_use { struct vset on, off, kill; bool own_quads; };

static void v_range(struct vset *s, unsigned operand, unsigned n)
{
	for (unsigned v = operand - GCN_SRC_VGPR0; n && v < CU_VGPRS; v++, n--)
		v_add(s, v);
}
static bool is_vgpr(unsigned operand)
{
	return operand >= GCN_SRC_VGPR0 && operand < GCN_SRC_VGPR0 + CU_VGPRS;
}

/* As isa/gcn_uses.h has it: lanes that are off are neither read nor written. */
static void plain_use(const struct gcn_uses *uses, struct v_use *u)
{
	for (unsigned n = 0; n < uses->reads; n++)
		if (is_vgpr(uses->read[n].first))
			v_range(&u->on, uses->read[n].first, uses->read[n].dwords);
	for (unsigned n = 0; n < uses->writes; n++)
		if (is_vgpr(uses->written[n].first))
			v_range(&u->kill, uses->written[n].first, uses->written[n].dwords);
}

/* Image instructions look at addresses of whole quads.  blank: what they are not said to read, see cu_program. */
static void image_use(const struct gcn_inst *in, uint8_t blank, struct v_use *u)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	bool packed = in->d16 || in->tfe || in->lwe, loads = info->flags & GCN_F_LOAD;
	v_range(&u->on, in->src[0], gcn_mimg_address_dw(in));
	for (unsigned v = in->src[0] - GCN_SRC_VGPR0 + gcn_mimg_flat_address_dw(in); blank; blank >>= 1, v++)
		if (blank & 1)
			v_del(&u->on, v);
	if (!loads || packed)
		v_range(&u->on, in->dst, 5);
	else if (in->dmask)
		v_range(&u->kill, in->dst, gcn_mimg_data_dw(in));
	u->off = u->on;
	u->own_quads = true;
}

/* Operations across lanes: generous, whatever the handler looks at. */
static void lanes_use(const struct gcn_uses *uses, struct v_use *u)
{
	plain_use(uses, u);
	memset(&u->kill, 0, sizeof(u->kill));
	u->off = u->on;
}

static void vgpr_use(const struct jit_translator *t, uint32_t i, const struct gcn_uses *uses, struct v_use *u)
{
	const struct cu_rec *r = jit_rec(t, i);
	const struct gcn_inst *in = r->in;
	memset(u, 0, sizeof(*u));
	if (r->op->cls == CU_CLASS_VALU) {
		bool indexed = r->fn == t->p->kernels->valu_indexed;
		if (indexed || is_special(t, r))
			memset(&u->on, 0xff, sizeof(u->on));
		else
			plain_use(uses, u);
		return;
	}
	if (cu_is_relative(in))
		memset(u, 0xff, offsetof(struct v_use, kill));
	else if (in->fmt == GCN_MIMG && is_vgpr(in->src[0]) && is_vgpr(in->dst))
		image_use(in, t->blank ? t->blank[i] : 0, u);
	else if (gcn_op_info((enum gcn_op)in->op)->flags & GCN_F_SRC0_LANES)
		lanes_use(uses, u);
	else if (in->fmt >= GCN_VOP2)
		plain_use(uses, u);
}

/* VGPRs that get integers, from what makes nothing else: small ones are denormal floats (jit_r_use_on). */
static void note_integers(struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	const struct gcn_inst *in = r->in;
	uint64_t bits;
	if (r->op->cls != CU_CLASS_VALU || r->op->dtype != CU_T_B32 || !is_vgpr(in->dst))
		return;
	const bool copy = in->op == GCN_V_MOV_B32 && is_vgpr(in->src[0]);
	const bool constant = in->op == GCN_V_MOV_B32 && jit_constant_source(t, i, 0, &bits);
	const bool denormal = constant && !(bits & 0x7f800000) && bits & 0x7fffff;
	if (!copy && (!constant || denormal))
		v_add(&t->integers, in->dst - GCN_SRC_VGPR0);
}

static void merge(struct vset *into, const struct vset *from)
{
	for (int k = 0; k < 4; k++)
		into->w[k] |= from->w[k];
}

/* The instruction changes a sign alone: what is a NaN stays one, and others do not become one. */
static bool is_sign_op(const struct jit_translator *t, uint32_t i)
{
	const unsigned op = jit_rec(t, i)->in->op;
	const uint64_t with = op == GCN_V_AND_B32 ? 0x7fffffff : op == GCN_V_XOR_B32 || op == GCN_V_OR_B32 ? 0x80000000 : 0;
	uint64_t bits;
	for (int n = 0; n < 2 && with; n++)
		if (jit_constant_source(t, i, n, &bits) && (uint32_t)bits == with)
			return true;
	return false;
}

/* Of VGPRs that an instruction reads, those of which it matters which NaN they have; behind: the same of what follows. */
static struct v_use exact_use(const struct jit_translator *t, uint32_t i, const struct v_use *u, const struct vlive *behind)
{
	const struct cu_rec *r = jit_rec(t, i);
	const struct gcn_inst *in = r->in;
	const unsigned flags = in->fmt == GCN_MIMG ? cu_tex_ops[in->op] : 0;
	struct v_use exact = *u;
	bool floats = r->op->cls == CU_CLASS_VALU && jit_vec_ops[in->op].flags & VEC_LAZY_IN && in->sub == GCN_SUB_NONE;
	const bool copies = (in->op == GCN_V_MOV_B32 && is_vgpr(in->src[0])) ||
		(in->sub == GCN_SUB_NONE && (in->op == GCN_V_CNDMASK_B32 || is_sign_op(t, i)));
	if (copies && is_vgpr(in->dst) && !cu_is_modified(in)) /* what the copy is for */
		floats = !v_in(&behind->on, in->dst - GCN_SRC_VGPR0) && !v_in(&behind->off, in->dst - GCN_SRC_VGPR0);
	if (floats && r->fn != t->p->kernels->valu_indexed)
		memset(&exact, 0, offsetof(struct v_use, kill));
	if ((flags & TEX_KIND) != TEX_SAMPLE && (flags & TEX_KIND) != TEX_GATHER)
		return exact;
	/* Coordinates and what else is behind the offsets, in floats. */
	for (unsigned k = flags & TEX_O ? 1 : 0; k < gcn_mimg_address_dw(in) && !in->r128_a16 && is_vgpr(in->src[0]); k++) {
		v_del(&exact.on, (in->src[0] + k) & 255u);
		v_del(&exact.off, (in->src[0] + k) & 255u);
	}
	return exact;
}

/* --- EXEC, as liveness sees its changes --- */
enum exec_change { EXEC_SAME, EXEC_NARROWS, EXEC_WIDENS, EXEC_ANY };

static enum exec_change exec_change(const struct cu_rec *r, const struct jit_s_use *u)
{
	const struct gcn_inst *in = r->in;
	if (!s_meet(s_join(u->write, u->mask_write), S_EXEC_PAIR))
		return EXEC_SAME;
	bool own = in->src[0] == GCN_SRC_EXEC || in->src[1] == GCN_SRC_EXEC;
	switch (in->op) {
	case GCN_S_AND_SAVEEXEC_B64: case GCN_S_ANDN1_SAVEEXEC_B64:
		return in->dst == GCN_SRC_EXEC ? EXEC_ANY : EXEC_NARROWS;
	case GCN_S_OR_SAVEEXEC_B64:
		return in->dst == GCN_SRC_EXEC ? EXEC_ANY : EXEC_WIDENS;
	case GCN_S_AND_B64:
		return own ? EXEC_NARROWS : EXEC_ANY;
	case GCN_S_ANDN2_B64:
		return in->src[0] == GCN_SRC_EXEC ? EXEC_NARROWS : EXEC_ANY;
	case GCN_S_OR_B64:
		return own ? EXEC_WIDENS : EXEC_ANY;
	case GCN_S_WQM_B64:
		return in->src[0] == GCN_SRC_EXEC ? EXEC_WIDENS : EXEC_ANY;
	default:
		return r->op->cls == CU_CLASS_VALU ? EXEC_NARROWS : EXEC_ANY;
	}
}

/* What a loop's break looks like: s_and_saveexec or s_andn1_saveexec, some instructions for the lanes that leave, s_andn2 of the saved ones and these.
 * Lanes that were off before are off all the time, and behind it, which by EXEC alone one cannot see. */
static void note_arm(struct jit_translator *t, uint32_t i)
{
	enum { LONGEST = 16 };
	const struct gcn_inst *in = jit_rec(t, i)->in;
	if ((in->op != GCN_S_AND_SAVEEXEC_B64 && in->op != GCN_S_ANDN1_SAVEEXEC_B64) || in->dst == GCN_SRC_EXEC)
		return;
	struct sset saved = { 0, 0 };
	s_add(&saved, in->dst, 2);
	for (uint32_t k = i + 1; k < t->n && k - i < LONGEST; k++) {
		const struct cu_rec *r = jit_rec(t, k);
		const struct sset writes = s_join(t->in[k].scalar.write, t->in[k].scalar.mask_write);
		if (t->in[k].leader || r->op->flags & (CU_OP_JUMPS | CU_OP_ENDS) || r->in->op == GCN_S_BARRIER || s_meet(writes, saved))
			return;
		if (!s_meet(writes, S_EXEC_PAIR))
			continue;
		if (r->in->op != GCN_S_ANDN2_B64 || r->in->dst != GCN_SRC_EXEC || r->in->src[0] != in->dst || r->in->src[1] != GCN_SRC_EXEC)
			return;
		t->in[i].arm = t->in[k].arm_end = true;
		return;
	}
}

/* --- liveness --- */

/* u: what the instruction does with VGPRs. */
static void live_before(const struct jit_translator *t, uint32_t i, const struct v_use *u, struct vlive *l, bool *scc)
{
	const struct jit_s_use s = t->in[i].scalar;
	enum exec_change change = t->in[i].narrows ? EXEC_NARROWS : exec_change(jit_rec(t, i), &s);
	for (int k = 0; k < 4 && change; k++) {
		uint64_t both = l->on.w[k] | l->off.w[k];
		if (change != EXEC_WIDENS)
			l->on.w[k] = both;
		if (change != EXEC_NARROWS)
			l->off.w[k] = both;
	}
	for (int k = 0; k < 4; k++) {
		l->on.w[k] = (l->on.w[k] & ~u->kill.w[k]) | u->on.w[k];
		l->off.w[k] |= u->off.w[k];
	}
	if (s_has(s.write, S_SCC))
		*scc = false;
	if (s_has(s.read, S_SCC))
		*scc = true;
}

struct edge_state { struct vlive live, exact; bool scc; };

static void join(struct edge_state *a, const struct edge_state *b)
{
	merge(&a->live.on, &b->live.on);
	merge(&a->live.off, &b->live.off);
	merge(&a->exact.on, &b->exact.on);
	merge(&a->exact.off, &b->exact.off);
	a->scc |= b->scc;
}

/* Everything behind i, from what is known of the instructions that follow. */
static void state_behind(const struct jit_translator *t, uint32_t i, const struct edge_state *before,
	struct edge_state *s)
{
	const struct cu_rec *r = jit_rec(t, i);
	memset(s, 0, sizeof(*s));
	bool ends = r->op->flags & CU_OP_ENDS && !(r->op->flags & CU_OP_JUMPS);
	bool leaves = ends || r->in->op == GCN_S_BARRIER || r->in->op == GCN_S_SETKILL;
	if (leaves && t->o->keep_all) {
		memset(&s->live, 0xff, sizeof(s->live));
		memset(&s->exact, 0xff, sizeof(s->exact));
		s->scc = true;
	}
	if (r->in->op == GCN_S_ENDPGM)
		return;
	if (!(r->op->flags & CU_OP_ENDS) && i + 1 < t->n)
		join(s, &before[i + 1]);
	if (r->op->flags & CU_OP_JUMPS)
		join(s, &before[i + (uint32_t)r->jump]);
}

/* --- what a wave may read before it writes it --- */

/* How far from the first instruction EXEC is known, as it is before instruction `next`:
 * what the wave began with, or all lanes of those quads.  kept: the SGPR pair that holds
 * a copy, or -1, and of which of the two. */
struct exec_walk { uint32_t next; bool quads; int kept; bool kept_quads; };

/* Goes on over one instruction, unless EXEC becomes something else there. */
static bool follow_exec(const struct jit_translator *t, struct exec_walk *w)
{
	const struct gcn_inst *in = jit_rec(t, w->next)->in;
	const struct jit_s_use u = t->in[w->next].scalar;
	struct sset kept = { 0, 0 };
	struct sset writes = s_join(u.write, u.mask_write);
	bool moves = in->op == GCN_S_MOV_B64, exec_alone = in->dst == GCN_SRC_EXEC;
	if (s_meet(writes, S_EXEC_PAIR)) {
		if (exec_alone && in->op == GCN_S_WQM_B64 && in->src[0] == GCN_SRC_EXEC)
			w->quads = true;
		else if (exec_alone && moves && w->kept >= 0 && in->src[0] == w->kept)
			w->quads = w->kept_quads;
		else
			return false;
	} else {
		if (w->kept >= 0)
			s_add(&kept, (unsigned)w->kept, 2);
		if (s_meet(writes, kept))
			w->kept = -1;
		if (moves && in->src[0] == GCN_SRC_EXEC && in->dst < S_SCC - 1) {
			w->kept = in->dst;
			w->kept_quads = w->quads;
		}
	}
	w->next++;
	return true;
}

/* Its end: the first instruction before which EXEC is not known.  Sets j_inst.quads and narrows. */
static uint32_t walk_exec(struct jit_translator *t, bool *quads)
{
	struct exec_walk w = { .kept = -1 };
	while (w.next < t->n) {
		struct jit_inst *j = &t->in[w.next];
		bool leaves = jit_rec(t, w.next)->op->flags & (CU_OP_JUMPS | CU_OP_ENDS) || j->kind == JIT_BARRIER;
		j->quads = w.quads;
		if ((w.next && j->leader) || leaves || !follow_exec(t, &w))
			break;
		j->narrows = j->quads && !w.quads;
	}
	*quads = w.quads;
	return w.next;
}

/* What lives where EXEC is no longer known, from there back to the first instruction. */
struct unwritten { struct vset on, off, quad; };

static struct unwritten unwritten_from(const struct vlive *known, bool quads)
{
	return (struct unwritten){ known->on, known->off, quads ? known->on : known->off };
}

static void unwritten_before(struct unwritten *a, const struct v_use *u, bool quads)
{
	for (int k = 0; k < 4; k++) {
		a->on.w[k] &= ~u->kill.w[k];
		a->quad.w[k] &= quads ? ~u->kill.w[k] : ~0ull;
	}
	merge(&a->on, &u->on);
	merge(&a->quad, quads ? &u->on : &u->off);
	if (!u->own_quads)
		merge(&a->off, &u->off);
}

/* Depths that are exported first (see compiler/ir/ir_depth_first.c). */
static void note_depths(struct jit_translator *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		const struct cu_rec *r = jit_rec(t, i);
		if ((i && t->in[i].leader) || r->op->flags & (CU_OP_JUMPS | CU_OP_ENDS))
			return;
		if (r->in->op == GCN_EXPORT && r->in->exp_target == GCN_EXP_MRTZ) {
			t->in[i].depths = r->in->en == 1 && !r->in->compr && !r->in->done;
			return;
		}
	}
}

/* --- both, in one sweep backwards, or several where there are loops --- */

/* Before and behind an instruction, of which s has what is behind, and gets what is before. */
static void exact_at(struct jit_translator *t, uint32_t i, const struct v_use *u, struct edge_state *s)
{
	const struct v_use exact = exact_use(t, i, u, &s->exact);
	struct vset *const both = &t->exact[i];
	bool scc = false;
	*both = s->exact.on;
	merge(both, &s->exact.off);
	live_before(t, i, &exact, &s->exact, &scc);
	merge(both, &s->exact.on);
	merge(both, &s->exact.off);
}

/* All that t->blank names. */
static void note_blank(struct jit_translator *t)
{
	for (uint32_t i = 0; t->blank && i < t->n; i++) {
		const struct gcn_inst *in = jit_rec(t, i)->in;
		unsigned v = in->src[0] - GCN_SRC_VGPR0 + gcn_mimg_flat_address_dw(in);
		for (uint8_t blank = t->blank[i]; blank; blank >>= 1, v++)
			t->unwritten.blank[v / 64] |= (uint64_t)(blank & 1) << v % 64;
	}
}

static bool liveness(struct jit_translator *t)
{
	struct edge_state *before = calloc(t->n, sizeof(*before)), s;
	struct unwritten a = { 0 };
	struct v_use u;
	struct gcn_uses *uses = malloc(t->n * sizeof(*uses));
	bool loops = false, quads;
	if (!before || !uses) {
		free(before);
		free(uses);
		return false;
	}
	for (uint32_t i = 0; i < t->n; i++) {
		const struct cu_rec *r = jit_rec(t, i);
		loops |= r->op->flags & CU_OP_JUMPS && r->jump <= 0;
		gcn_uses(t->p->gen, r->in, &uses[i]);
		scalar_use(t, r, &uses[i], &t->in[i].scalar);
		note_integers(t, i);
	}
	for (uint32_t i = 0; i < t->n; i++)
		note_arm(t, i);
	struct vset outside = { { 0 } }; /* of an arm: what lanes have in the end that are off all the time */
	t->blank = cu_program_find_blank(t->p);
	uint32_t known = walk_exec(t, &quads);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = t->n; i-- > 0;) {
			state_behind(t, i, before, &s);
			t->live[i] = s.live;
			t->in[i].scc_live = s.scc;
			vgpr_use(t, i, &uses[i], &u);
			exact_at(t, i, &u, &s);
			if (i + 1 == known)
				a = unwritten_from(&s.live, quads);
			if (i < known)
				unwritten_before(&a, &u, t->in[i].quads);
			if (t->in[i].arm_end)
				outside = s.live.off;
			live_before(t, i, &u, &s.live, &s.scc);
			merge(&outside, &u.off);
			if (t->in[i].arm)
				s.live.off = outside;
			if (loops && t->in[i].leader && memcmp(&before[i], &s, sizeof(s)))
				changed = true;
			before[i] = s;
		}
	}
	if (!known)
		a = unwritten_from(&before[0].live, quads);
	for (uint32_t i = 0; i < t->n; i++)
		if (jit_rec(t, i)->op->flags & CU_OP_JUMPS)
			t->there[i] = before[i + (uint32_t)jit_rec(t, i)->jump].live;
	memcpy(t->unwritten.on, a.on.w, sizeof(a.on.w));
	memcpy(t->unwritten.quad, a.quad.w, sizeof(a.quad.w));
	memcpy(t->unwritten.off, a.off.w, sizeof(a.off.w));
	note_blank(t);
	free(t->blank);
	t->blank = NULL;
	free(before);
	free(uses);
	return true;
}

/* --- blocks and kinds --- */

static void set_kind(struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	struct jit_inst *j = &t->in[i];
	switch (r->in->op) {
	case GCN_S_NOP: case GCN_S_WAITCNT: case GCN_S_SETPRIO: case GCN_S_DCACHE_WB:
	case GCN_S_DCACHE_INV: case GCN_S_ICACHE_INV: case GCN_V_NOP: case GCN_BUFFER_WBINVL1:
	case GCN_BUFFER_WBINVL1_VOL:
		j->kind = JIT_NOP;
		return;
	case GCN_S_ENDPGM:
		j->kind = JIT_END;
		return;
	case GCN_S_BARRIER:
		j->kind = JIT_BARRIER;
		return;
	default:
		break;
	}
	bool off = t->o->disabled && t->o->disabled[r->in->op / 8] >> r->in->op % 8 & 1;
	if (r->op->flags & CU_OP_JUMPS)
		j->kind = JIT_BRANCH;
	else if (!off && jit_vector_known(t, i))
		j->kind = JIT_VECTOR;
	else if (!off && jit_scalar_known(t, i))
		j->kind = JIT_SCALAR;
}

static void set_vgprs(struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	struct jit_inst *j = &t->in[i];
	struct jit_memory m;
	memset(j->vs, 0xff, sizeof(j->vs));
	j->vd = -1;
	j->image = jit_image_known(t, i);
	if (j->image)
		jit_image_vgprs(t, i, j);
	if (j->kind != JIT_VECTOR)
		return;
	if (jit_memory_op(t, i, &m)) {
		jit_memory_vgprs(t, i, j);
		return;
	}
	if (r->in->op == GCN_EXPORT) {
		j->nvs = 4;
		for (int c = 0; c < 4; c++)
			if (r->in->en >> c & 1)
				j->vs[c] = (int16_t)(r->in->src[c] & 255);
		return;
	}
	j->nvs = r->op->nsrc; /* source n is vs[n]; upper halves come behind */
	for (int n = 0; n < r->op->nsrc; n++)
		if (!(r->konst >> n & 1))
			j->vs[n] = (int16_t)vgpr_at(r->s[n]);
	for (int n = 0; n < r->op->nsrc; n++)
		if (cu_type_dwords(r->op->stype[n]) > 1 && j->vs[n] >= 0)
			j->vs[j->nvs++] = (int16_t)(j->vs[n] + 1);
	if (r->op->dtype != CU_T_NONE || r->op->cls == CU_CLASS_DIRECT)
		j->vd = (int16_t)vgpr_at(r->d);
	j->nvd = j->vd >= 0 ? cu_type_dwords(r->op->dtype) > 1 ? 2 : 1 : 0;
	if (r->in->op == GCN_V_INTERP_P2_F32) {
		j->vs[2] = j->vd;
		j->nvs = 3;
	}
}

bool jit_analyse(struct jit_translator *t)
{
	t->in[0].leader = true;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct cu_rec *r = jit_rec(t, i);
		set_kind(t, i);
		set_vgprs(t, i);
		t->exports |= r->in->op == GCN_EXPORT;
		if (r->op->flags & CU_OP_JUMPS) {
			struct jit_inst *to = &t->in[i + (uint32_t)r->jump];
			to->leader = true;
			to->jumps += to->jumps < 255;
		}
		bool ends = r->op->flags & (CU_OP_JUMPS | CU_OP_ENDS) || t->in[i].kind == JIT_BARRIER;
		if (ends && i + 1 < t->n)
			t->in[i + 1].leader = true;
	}
	note_depths(t);
	if (!liveness(t))
		return false;
	for (uint32_t i = 0; i < t->n; i++)
		for (unsigned k = 0; k < t->in[i].nvd; k++)
			t->in[i].off_dead = (k == 0 || t->in[i].off_dead)
				&& !v_in(&t->live[i].off, (unsigned)t->in[i].vd + k);
	return true;
}

void cu_jit_unwritten(struct cu_program *p)
{
	static const struct cu_jit_options none;
	struct cu_error ignored;
	struct jit_translator *t = calloc(1, sizeof(*t));
	cu_program_unwritten(p, NULL);
	if (!t || jit_refused(p, &ignored))
		goto done;
	*t = (struct jit_translator){ .p = p, .n = p->count, .o = &none, .v4 = p->level == CU_LEVEL_V4 };
	t->in = calloc(t->n, sizeof(*t->in));
	t->live = calloc(t->n, sizeof(*t->live));
	t->there = calloc(t->n, sizeof(*t->there));
	t->exact = calloc(t->n, sizeof(*t->exact));
	if (t->in && t->live && t->there && t->exact && jit_analyse(t))
		cu_program_unwritten(p, &t->unwritten);
	free(t->in);
	free(t->live);
	free(t->there);
	free(t->exact);
done:
	free(t);
}
