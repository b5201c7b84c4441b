/* Regions: runs of instructions within a block that are done strip by strip.
 *
 * Of a scalar instruction among vector ones there are three kinds: lane masks,
 * of which each strip does its slice; what can be done once before the strips;
 * and what every strip does again, on SGPRs that are put back before.  What
 * fits none of them ends the region, as does whatever needs all lanes. */
#include "core/jit/vector.h"

#include <string.h>

struct region {
	uint32_t first, end;
	struct sset sliced;      /* lane masks written by strips */
	struct sset read;        /* by strips, as a whole or a slice */
	struct sset whole;       /* by strips, as a whole */
	struct sset written;     /* by strips, as a whole */
	struct sset saved;       /* read before written, by strips */
	uint32_t vectors;
	int scc_pair;            /* SCC says at the end whether this pair is not 0; -1 */
	bool exec_written, exports, params, m0_written;
};

/* Scalar handlers without any effect beside their operands. */
static bool is_pure(const struct cu_rec *r)
{
	if (r->fn != r->op->direct)
		return false;
	switch (r->in->op) {
	case GCN_S_MOVRELS_B32: case GCN_S_MOVRELS_B64: case GCN_S_MOVRELD_B32: case GCN_S_MOVRELD_B64:
	case GCN_S_GETREG_B32: case GCN_S_SETREG_B32: case GCN_S_SETREG_IMM32_B32:
	case GCN_S_GETPC_B64: case GCN_S_SET_GPR_IDX_ON: case GCN_S_SET_GPR_IDX_IDX:
		return false;
	default:
		return r->in->fmt == GCN_SOP1 || r->in->fmt == GCN_SOP2 || r->in->fmt == GCN_SOPC
			|| r->in->fmt == GCN_SOPK;
	}
}

static bool halves(struct sset pair, struct sset set) /* overlaps, but is not inside */
{
	return s_meet(pair, set) && ((pair.lo & ~set.lo) | (pair.hi & ~set.hi));
}

static bool add_slices(struct region *g, const struct s_use *u)
{
	struct sset out = u->mask_write;
	if (s_meet(out, s_join(g->whole, g->written)) || halves(out, g->sliced)
		|| halves(u->mask_read, g->sliced))
		return false;
	g->read = s_join(g->read, u->mask_read);
	g->saved.lo |= u->mask_read.lo & ~g->written.lo & ~g->sliced.lo;
	g->saved.hi |= u->mask_read.hi & ~g->written.hi & ~g->sliced.hi;
	g->sliced = s_join(g->sliced, out);
	g->exec_written |= s_meet(out, S_EXEC_PAIR);
	return true;
}
static bool read_whole(struct region *g, struct sset read)
{
	if (s_meet(read, g->sliced))
		return false;
	g->saved.lo |= read.lo & ~g->written.lo;
	g->saved.hi |= read.hi & ~g->written.hi;
	g->read = s_join(g->read, read);
	g->whole = s_join(g->whole, read);
	return true;
}

static bool add_vector(struct translator *t, struct region *g, uint32_t i)
{
	struct s_use u;
	j_scalar_use(t, i, &u);
	const struct gcn_inst *in = j_rec(t, i)->in;
	if (in->op == GCN_EXPORT && g->exec_written)
		return false; /* EXEC is noted before the strips */
	if (in->fmt == GCN_VINTRP && (g->m0_written || !j_params_fit(t, i)))
		return false;
	g->exports |= in->op == GCN_EXPORT;
	g->params |= in->fmt == GCN_VINTRP;
	if (s_meet(u.read, g->sliced) || !add_slices(g, &u) || !read_whole(g, u.read))
		return false;
	t->in[i].role = ROLE_VECTOR;
	g->vectors++;
	return true;
}

static bool add_scalar(struct translator *t, struct region *g, uint32_t i, bool *last)
{
	struct s_use u;
	j_scalar_use(t, i, &u);
	struct sset all = s_join(u.read, u.write), masks = s_join(g->sliced, S_EXEC_PAIR);
	if (j_slice_known(t, i) && s_meet(all, masks)) {
		struct s_use m = { .mask_read = u.read, .mask_write = u.write };
		m.mask_write.hi &= ~(1ull << (S_SCC - 64));
		if (!add_slices(g, &m))
			return false;
		t->in[i].role = ROLE_SLICE;
		g->scc_pair = -1;
		if (s_has(u.write, S_SCC) && t->in[i].scc_live) {
			bool exec = s_meet(u.write, S_EXEC_PAIR);
			g->scc_pair = exec ? GCN_SRC_EXEC : j_rec(t, i)->in->dst;
			*last = true;
		}
		return true;
	}
	if (s_meet(all, g->sliced) || s_meet(u.write, S_EXEC_PAIR))
		return false;
	g->m0_written |= s_has(u.write, GCN_SRC_M0);
	if (!s_meet(u.read, g->written) && !s_meet(u.write, s_join(g->read, g->written))) {
		t->in[i].role = ROLE_ONCE;
		return t->in[i].kind == J_SCALAR || is_pure(j_rec(t, i));
	}
	if (t->in[i].kind != J_SCALAR || j_is_load(t, i) || !read_whole(g, u.read))
		return false;
	t->in[i].role = ROLE_STRIP;
	g->written = s_join(g->written, u.write);
	return true;
}

static bool build(struct translator *t, uint32_t first, struct region *g)
{
	memset(g, 0, sizeof(*g));
	g->first = g->end = first;
	g->scc_pair = -1;
	t->param_count = 0;
	struct region good = *g;
	for (uint32_t i = first; i < t->n && (i == first || !t->in[i].leader); i++) {
		const struct j_inst *j = &t->in[i];
		bool last = false, ok;
		t->in[i].role = ROLE_NONE;
		if (j->kind == J_NOP)
			continue;
		if (j->kind == J_VECTOR)
			ok = add_vector(t, g, i);
		else if (j->kind == J_SCALAR || (j->kind == J_CALL && is_pure(j_rec(t, i))))
			ok = add_scalar(t, g, i, &last);
		else
			break;
		if (!ok)
			break;
		if (j->kind == J_VECTOR || last) {
			g->end = i + 1;
			good = *g;
		}
		if (last)
			break;
	}
	*g = good;
	g->saved.lo &= g->written.lo;
	g->saved.hi &= g->written.hi;
	return g->vectors > 0;
}

/* --- code --- */

static struct xo saved_slot(unsigned r)
{
	return x_mem(ZYDIS_REGISTER_RSP, 4 * (int64_t)r, 4);
}
static struct xo sgpr_or_scc(unsigned r)
{
	return r == S_SCC ? J_FIELD(scc) : j_sgpr(r, 4);
}
static void save(struct translator *t, const struct region *g, bool restore)
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
static void find_next_uses(struct translator *t, const struct region *g, bool full)
{
	bool after = g->exec_written; /* EXEC may be anything here */
	memset(t->next_of, 0xff, sizeof(t->next_of));
	uint32_t exec_at = g->end;
	for (uint32_t i = g->end; after && i-- > g->first;) {
		struct s_use u;
		j_scalar_use(t, i, &u);
		if (t->in[i].role != ROLE_NONE && s_meet(s_join(u.write, u.mask_write), S_EXEC_PAIR))
			exec_at = i;
	}
	for (uint32_t i = g->end; i-- > g->first;) {
		struct j_inst *j = &t->in[i];
		if (j->role != ROLE_VECTOR)
			continue;
		uint16_t at = (uint16_t)(i - g->first);
		for (int n = 0; n < 4; n++)
			j->next[n] = j->vs[n] >= 0 ? t->next_of[j->vs[n]] : NEXT_NONE;
		j->next[4] = j->vd >= 0 ? t->next_of[j->vd] : NEXT_NONE;
		const struct gcn_inst *in = j_rec(t, i)->in;
		bool dpp = in->sub == GCN_SUB_DPP && !in->bound_ctrl;
		bool replaces = (full && i <= exec_at) || (j->off_dead && !dpp);
		if (j->vd >= 0)
			t->next_of[j->vd] = replaces ? NEXT_KILLED : at;
		for (int n = 0; n < 4; n++)
			if (j->vs[n] >= 0)
				t->next_of[j->vs[n]] = at;
	}
}

static void body(struct translator *t, const struct region *g)
{
	for (uint32_t i = g->first; i < g->end; i++) {
		unsigned role = t->in[i].role;
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
		}
	}
	r_end(t);
}

static void strips(struct translator *t, const struct region *g, bool full)
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
	if (g->params)
		X(&t->b, LEA, x_reg(RB_LANES), x_mem(ZYDIS_REGISTER_RSP, FRAME_LANES, 8));
	x_bind(&t->b, top);
	save(t, g, true);
	if (!full)
		j_load_exec(t);
	body(t, g);
	if (g->exports)
		X(&t->b, ADD, x_reg(RB_EXPORTS), x_imm(step));
	if (g->params)
		X(&t->b, ADD, x_reg(RB_LANES), x_imm(step));
	X(&t->b, ADD, x_reg(RB_STRIP), x_imm(step));
	X(&t->b, ADD, x_reg(RB_SLICE), x_imm(step / 32));
	X(&t->b, CMP, x_reg(RB_STRIP), x_reg(RB_END));
	XJ(&t->b, JB, top);
}

/* AVX-512 merges by EXEC for nothing but a register's old value: code for any
 * EXEC is as good as code for a full one where few results keep it. */
static bool one_version(const struct translator *t, const struct region *g)
{
	uint32_t keep = 0;
	for (uint32_t i = g->first; i < g->end; i++)
		keep += t->in[i].role == ROLE_VECTOR && t->in[i].vd >= 0 && !t->in[i].off_dead;
	return t->v4 && 4 * keep <= g->vectors;
}

uint32_t j_region(struct translator *t, uint32_t first)
{
	struct region g;
	if (!build(t, first, &g))
		return first;
	if (g.params)
		j_check_params(t, first);
	for (uint32_t i = first; i < g.end; i++)
		if (t->in[i].role == ROLE_ONCE)
			j_single(t, i);
		else if (t->in[i].role == ROLE_VECTOR && j_rec(t, i)->in->op == GCN_EXPORT)
			j_export_once(t, i);
	if (g.params)
		j_load_params(t);
	save(t, &g, false);
	int any = x_label(&t->b), end = x_label(&t->b);
	if (!one_version(t, &g)) {
		X(&t->b, CMP, j_sgpr(GCN_SRC_EXEC, 8), x_imm(-1));
		XJ(&t->b, JNZ, any);
		strips(t, &g, true);
		XJ(&t->b, JMP, end);
	}
	x_bind(&t->b, any);
	strips(t, &g, false);
	x_bind(&t->b, end);
	if (g.scc_pair >= 0) {
		X(&t->b, CMP, j_sgpr((unsigned)g.scc_pair, 8), x_imm(0));
		X(&t->b, SETNZ, j_wave(offsetof(struct cu_wave, scc), 1));
	}
	return g.end;
}
