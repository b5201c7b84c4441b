/* SPDX-License-Identifier: MIT */
/* Parallel copies to moves, once registers are known. */
#include "compiler/gcn/ra.h"

struct move { uint16_t dst, src; uint32_t literal; bool done; };

static unsigned hardware(const struct mir_func *m, mir_opnd o, unsigned i)
{
	if (mir_is_v(o))
		return m->vregs[mir_vreg_of(o)].reg + mir_sub_of(o) + i;
	bool reg = o < GCN_SRC_0 || o >= GCN_SRC_VGPR0;
	return o + (reg ? i : 0);
}

static struct mir_inst *emit(struct mir_func *m, struct mir_inst *before, unsigned op, unsigned dst, unsigned src, uint32_t literal)
{
	struct mir_inst *in = mir_inst_new(m, op);
	in->opnd[MIR_DST] = dst;
	in->opnd[MIR_SRC0] = src;
	in->g.literal = literal;
	mir_insert_before(before, in);
	return in;
}

static bool is_read(const struct move *moves, uint32_t n, unsigned reg)
{
	for (uint32_t i = 0; i < n; i++)
		if (!moves[i].done && moves[i].src == reg)
			return true;
	return false;
}

static void emit_move(struct mir_func *m, struct mir_inst *before, struct move *move)
{
	emit(m, before, move->dst >= GCN_SRC_VGPR0 ? GCN_V_MOV_B32 : GCN_S_MOV_B32, move->dst, move->src, move->literal);
	move->done = true;
}

/* From a move to one that reads what it overwrites, until in a cycle. */
static struct move *in_cycle(struct move *moves, uint32_t n, struct move *at)
{
	for (uint32_t step = 0; step < n; step++)
		for (uint32_t i = 0; i < n; i++)
			if (!moves[i].done && moves[i].src == at->dst) {
				at = &moves[i];
				break;
			}
	return at;
}

/* Every move left overwrites what another reads. */
static void break_cycle(struct mir_func *m, struct mir_inst *before, struct move *moves, uint32_t n, struct move *stuck)
{
	struct move *at = in_cycle(moves, n, stuck);
	unsigned dst = at->dst, src = at->src;
	if (dst >= GCN_SRC_VGPR0 && src >= GCN_SRC_VGPR0) {
		emit(m, before, GCN_V_SWAP_B32, dst, src, 0);
		at->done = true;
		for (uint32_t i = 0; i < n; i++)
			if (!moves[i].done && (moves[i].src == dst || moves[i].src == src))
				moves[i].src = (uint16_t)(moves[i].src == dst ? src : dst);
		return;
	}
	/* VCC's value is never read by the program. */
	emit(m, before, GCN_S_MOV_B32, GCN_SRC_VCC, dst, 0);
	for (uint32_t i = 0; i < n; i++)
		if (!moves[i].done && moves[i].src == dst)
			moves[i].src = GCN_SRC_VCC;
}

static void run_moves(struct mir_func *m, struct mir_inst *before, struct move *moves, uint32_t n)
{
	for (bool left = true; left;) {
		bool progress = false;
		struct move *stuck = NULL;
		left = false;
		for (uint32_t i = 0; i < n; i++) {
			struct move *at = &moves[i];
			if (at->dst == at->src)
				at->done = true;
			if (at->done)
				continue;
			if (is_read(moves, n, at->dst)) {
				stuck = at;
				left = true;
				continue;
			}
			emit_move(m, before, at);
			progress = true;
		}
		if (left && !progress)
			break_cycle(m, before, moves, n, stuck);
	}
}

static void lower_group(struct mir_func *m, struct mir_inst *group)
{
	uint32_t n = 0, total = 0;
	for (uint32_t i = 0; i < group->copy_count; i++)
		total += group->copies[i].dw;
	struct move *moves = ir_alloc(m->pool, total * sizeof *moves);
	if (ir_pool_failed(m->pool))
		return;
	for (uint32_t i = 0; i < group->copy_count; i++)
		for (unsigned k = 0; k < group->copies[i].dw; k++) {
			const struct mir_copy *c = &group->copies[i];
			moves[n++] = (struct move){ (uint16_t)hardware(m, c->dst, k), (uint16_t)hardware(m, c->src, k), c->literal, false };
		}
	ir_charge(m->pool, n + (uint64_t)n * n / 64);
	run_moves(m, group, moves, n);
}

static bool is_s_move(const struct mir_inst *in)
{
	return in && in->op == GCN_S_MOV_B32 && !mir_is_v(in->opnd[MIR_DST]) && !mir_is_v(in->opnd[MIR_SRC0]);
}

/* Two halves of a 64-bit move. */
static bool pairs_with(const struct mir_inst *a, const struct mir_inst *b)
{
	mir_opnd da = a->opnd[MIR_DST], db = b->opnd[MIR_DST], sa = a->opnd[MIR_SRC0], sb = b->opnd[MIR_SRC0];
	if (da % 2 || db != da + 1)
		return false;
	if (sa < GCN_SRC_0)
		return sa % 2 == 0 && sb == sa + 1 && sa != GCN_SRC_M0;
	return sa == sb && (sa == GCN_SRC_0 || sa == GCN_SRC_NEG1);
}

static void pair_moves(struct mir_block *b)
{
	for (struct mir_inst *in = b->first; in; in = in->next) {
		struct mir_inst *next = in->next;
		if (!is_s_move(in) || !is_s_move(next) || !pairs_with(in, next))
			continue;
		in->op = GCN_S_MOV_B64;
		gcn_inst_init(&in->g, GCN_S_MOV_B64);
		in->dw[MIR_DST] = in->dw[MIR_SRC0] = 2;
		mir_remove(next);
	}
}

static void to_hardware(const struct mir_func *m, struct mir_inst *in)
{
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		if (mir_is_v(in->opnd[i]))
			in->opnd[i] = hardware(m, in->opnd[i], 0);
}

static bool is_identity(const struct mir_inst *in)
{
	return (in->op == GCN_V_MOV_B32 || in->op == GCN_S_MOV_B32 || in->op == GCN_S_MOV_B64) && !in->g.sub &&
		in->opnd[MIR_DST] == in->opnd[MIR_SRC0];
}

void ra_lower_copies(struct mir_func *m)
{
	for (struct mir_block *b = m->first; b; b = b->next) {
		for (struct mir_inst *in = b->first, *next; in; in = next) {
			next = in->next;
			if (in->op == MIR_COPY)
				lower_group(m, in);
			to_hardware(m, in);
			if (mir_is_pseudo(in) || is_identity(in))
				mir_remove(in);
		}
		pair_moves(b);
	}
}
