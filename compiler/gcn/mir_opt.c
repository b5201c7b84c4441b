/* SPDX-License-Identifier: MIT */
/* Machine IR clean-up: dead instructions before allocation; empty arms, jumps
 * to the next block and short skips after it. */
#include "compiler/gcn/mir.h"

/* --- dead code --- */

struct dce { struct mir_func *m; uint32_t *reads; };

static void add_reads(struct dce *d, mir_opnd o, uint32_t n)
{
	if (mir_is_v(o))
		d->reads[mir_vreg_of(o)] += n;
}

static void count_inst(struct dce *d, const struct mir_inst *in, uint32_t n)
{
	unsigned reads = mir_reads(in);
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		if (reads >> i & 1)
			add_reads(d, in->opnd[i], n);
	for (uint32_t i = 0; i < in->copy_count; i++)
		add_reads(d, in->copies[i].src, n);
}

static bool has_effect(const struct mir_inst *in)
{
	uint32_t flags = mir_flags(in);
	if (flags & (GCN_F_STORE | GCN_F_ATOMIC | GCN_F_BRANCH | GCN_F_TERMINATES | GCN_F_WRITES_EXEC | GCN_F_WRITES_M0))
		return true;
	return in->op == MIR_ANCHOR || (!mir_is_pseudo(in) && in->g.fmt == GCN_SOPP);
}

/* Nobody but the instruction itself reads what it writes. */
static bool results_unread(const struct dce *d, const struct mir_inst *in)
{
	unsigned reads = mir_reads(in), writes = mir_writes(in);
	for (unsigned i = MIR_DST; i <= MIR_SDST; i++) {
		mir_opnd o = in->opnd[i];
		if (!(writes >> i & 1))
			continue;
		if (!mir_is_v(o)) {
			if (o != GCN_SRC_VCC) /* EXEC, M0; VCC is never read */
				return false;
			continue;
		}
		uint32_t own = 0;
		for (unsigned k = 0; k < MIR_OPNDS; k++)
			own += (reads >> k & 1) && mir_is_v(in->opnd[k]) && mir_vreg_of(in->opnd[k]) == mir_vreg_of(o);
		if (d->reads[mir_vreg_of(o)] > own)
			return false;
	}
	return true;
}

static bool trim_copies(struct dce *d, struct mir_inst *in)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < in->copy_count; i++) {
		struct mir_copy *c = &in->copies[i];
		if (mir_is_v(c->dst) && !d->reads[mir_vreg_of(c->dst)])
			add_reads(d, c->src, (uint32_t)-1);
		else
			in->copies[n++] = *c;
	}
	bool changed = n != in->copy_count;
	in->copy_count = n;
	return changed;
}

static bool sweep_block(struct dce *d, struct mir_block *b)
{
	bool scc = false, changed = false;
	for (struct mir_inst *in = b->last, *prev; in && mir_charge(d->m, in); in = prev) {
		prev = in->prev;
		uint32_t flags = mir_flags(in);
		if (in->op == MIR_COPY) {
			changed |= trim_copies(d, in);
			if (!in->copy_count)
				mir_remove(in);
			continue;
		}
		bool needed = has_effect(in) || (scc && flags & GCN_F_WRITES_SCC);
		if (!needed && results_unread(d, in)) {
			count_inst(d, in, (uint32_t)-1);
			mir_remove(in);
			changed = true;
			continue;
		}
		if (flags & GCN_F_WRITES_SCC)
			scc = false;
		if (flags & GCN_F_READS_SCC)
			scc = true;
	}
	return changed;
}

void mir_dce(struct mir_func *m)
{
	struct dce d = { m, ir_calloc(m->pool, m->vreg_count + 1, sizeof *d.reads) };
	if (!d.reads)
		return;
	for (struct mir_block *b = m->first; b; b = b->next)
		for (struct mir_inst *in = b->first; in; in = in->next)
			count_inst(&d, in, 1);
	for (bool changed = true; changed;) {
		changed = false;
		for (struct mir_block *b = m->last; b; b = b->prev)
			changed |= sweep_block(&d, b);
	}
	ir_free(m->pool, d.reads);
}

/* --- after allocation --- */

/* Where a jump to b really arrives. */
static struct mir_block *arrival(struct mir_block *b)
{
	for (unsigned hops = 0; hops < 64; hops++) {
		if (!b->first && b->next)
			b = b->next;
		else if (b->first && b->first->op == GCN_S_BRANCH)
			b = b->first->target;
		else
			break;
	}
	return b;
}

/* The arm that would run second has nothing to do: EXEC is restored right away. */
static void drop_empty_arms(struct mir_func *m)
{
	for (struct mir_if *i = m->ifs; i; i = i->next) {
		bool empty = true;
		for (struct mir_block *b = i->flip->next; b && b != i->end; b = b->next)
			empty &= !b->first;
		if (empty)
			i->flip->first = i->flip->last = NULL;
	}
}

/* At most two plain instructions: running them without lanes costs no more
 * than the branch around them. */
static bool short_way(const struct mir_inst *branch)
{
	enum { LIMIT = 2 };
	unsigned n = 0;
	for (const struct mir_block *b = branch->block->next; b; b = b->next) {
		if (b == branch->target)
			return true;
		for (const struct mir_inst *in = b->first; in; in = in->next)
			if (in->g.fmt > GCN_VINTRP || in->g.fmt == GCN_SMEM || mir_flags(in) & (GCN_F_BRANCH | GCN_F_TERMINATES |
					GCN_F_SRC0_LANES | GCN_F_WRITES_EXEC) || in->opnd[MIR_DST] == GCN_SRC_EXEC || ++n > LIMIT)
				return false;
	}
	return false;
}

static unsigned inverse(unsigned op)
{
	switch (op) {
	case GCN_S_CBRANCH_SCC0: return GCN_S_CBRANCH_SCC1;
	case GCN_S_CBRANCH_SCC1: return GCN_S_CBRANCH_SCC0;
	case GCN_S_CBRANCH_EXECZ: return GCN_S_CBRANCH_EXECNZ;
	case GCN_S_CBRANCH_EXECNZ: return GCN_S_CBRANCH_EXECZ;
	default: return 0;
	}
}

static struct mir_block *next_with_code(struct mir_block *b)
{
	for (b = b->next; b && !b->first; b = b->next)
		;
	return b;
}

/* A branch around a jump becomes the inverse branch to where that goes.  Needs
 * clean blocks: nobody else leads to the jump, they all go to its target. */
static bool invert_over_jump(struct mir_inst *in)
{
	struct mir_block *jump = next_with_code(in->block);
	if (in->next || !inverse(in->op) || !jump || jump->first != jump->last || jump->first->op != GCN_S_BRANCH)
		return false;
	struct mir_block *after = next_with_code(jump), *to = in->target;
	while (!to->first && to->next)
		to = to->next;
	if (to != after || jump->first->target == to)
		return false;
	in->op = (uint16_t)inverse(in->op);
	gcn_inst_init(&in->g, (enum gcn_op)in->op);
	in->target = jump->first->target;
	mir_remove(jump->first);
	return true;
}

static bool clean_block(struct mir_func *m, struct mir_block *b)
{
	bool changed = false;
	for (struct mir_inst *in = b->first, *next; in && mir_charge(m, in); in = next) {
		next = in->next;
		if (!in->target)
			continue;
		struct mir_block *to = arrival(in->target);
		if (to != in->target) {
			in->target = to;
			changed = true;
		}
		struct mir_block *after = b->next;
		while (after && !after->first && after != to)
			after = after->next;
		bool next_block = !next && after == to;
		if (next_block || (in->op == GCN_S_CBRANCH_EXECZ && short_way(in))) {
			mir_remove(in);
			changed = true;
		}
		/* Nothing after an unconditional jump runs. */
		if (in->op == GCN_S_BRANCH && in->block && next) {
			for (struct mir_inst *dead = next; dead; dead = next) {
				next = dead->next;
				mir_remove(dead);
			}
			changed = true;
		}
	}
	return changed;
}

static void remove_block(struct mir_func *m, struct mir_block *b)
{
	*(b->prev ? &b->prev->next : &m->first) = b->next;
	*(b->next ? &b->next->prev : &m->last) = b->prev;
}

/* Blocks that no path reaches; their code may hold anything. */
static bool drop_unreachable(struct mir_func *m)
{
	bool changed = false;
	mir_edges(m);
	uint8_t *reached = ir_calloc(m->pool, m->block_count + 1, 1);
	struct mir_block **stack = ir_calloc(m->pool, m->block_count + 1, sizeof *stack);
	uint32_t n = 0;
	if (reached && stack) {
		reached[m->first->index] = 1;
		stack[n++] = m->first;
		while (n) {
			struct mir_block *b = stack[--n];
			for (int k = 0; k < 2; k++)
				if (b->linear[k] && !reached[b->linear[k]->index]) {
					reached[b->linear[k]->index] = 1;
					stack[n++] = b->linear[k];
				}
		}
		for (struct mir_block *b = m->first, *next; b; b = next) {
			next = b->next;
			if (!reached[b->index]) {
				remove_block(m, b);
				changed = true;
			}
		}
	}
	ir_free(m->pool, reached);
	ir_free(m->pool, stack);
	return changed;
}

/* --- arms that only jump --- */

/* By number of the block: some branch leads there.  NULL: no memory. */
static uint8_t *find_targets(struct mir_func *m)
{
	mir_edges(m);
	uint8_t *is_target = ir_calloc(m->pool, m->block_count + 1, 1);
	for (const struct mir_block *b = m->first; b && is_target; b = b->next)
		for (const struct mir_inst *in = b->last; in && mir_flags(in) & (GCN_F_BRANCH | GCN_F_TERMINATES); in = in->prev)
			if (in->target)
				is_target[in->target->index] = 1;
	return is_target;
}

/* saved = EXEC, EXEC &= c; EXEC = saved & ~EXEC: that is EXEC &= ~c. */
static void narrow_at_once(struct mir_func *m, struct mir_block *b, const uint8_t *is_target)
{
	struct mir_inst *save = b->last;
	struct mir_block *next = next_with_code(b);
	if (!save || (save->op != GCN_S_AND_SAVEEXEC_B64 && save->op != GCN_S_ANDN1_SAVEEXEC_B64) || !next)
		return;
	struct mir_inst *rest = next->first;
	if (rest->op != GCN_S_ANDN2_B64 || !rest->last_use || rest->opnd[MIR_SRC0] != save->opnd[MIR_DST] || is_target[next->index])
		return;
	struct mir_inst *in = mir_inst_new(m, save->op == GCN_S_AND_SAVEEXEC_B64 ? GCN_S_ANDN2_B64 : GCN_S_AND_B64);
	in->opnd[MIR_DST] = in->opnd[MIR_SRC0] = GCN_SRC_EXEC;
	in->opnd[MIR_SRC1] = save->opnd[MIR_SRC0];
	mir_insert_before(rest, in);
	mir_remove(rest);
	mir_remove(save);
}

/* --- loops --- */

/* The code from b on up to a conditional branch that ends a block: the test at
 * the head of a loop.  NULL if it is long or does something else first. */
static struct mir_inst *head_test(struct mir_block *b)
{
	enum { LIMIT = 8 };
	unsigned n = 0;
	for (; b; b = b->next)
		for (struct mir_inst *in = b->first; in; in = in->next) {
			if (in->target)
				return inverse(in->op) && !in->next ? in : NULL;
			if (in->g.fmt > GCN_VINTRP || in->op == GCN_S_ENDPGM || ++n > LIMIT)
				return NULL;
		}
	return NULL;
}

static struct mir_inst *clone(struct mir_func *m, const struct mir_inst *in)
{
	struct mir_inst *copy = mir_inst_new(m, in->op);
	*copy = *in;
	copy->prev = copy->next = NULL;
	return copy;
}

/* A jump back to a test becomes the test itself, the other way round: one
 * branch less in each turn. */
static void rotate_loop(struct mir_func *m, struct mir_inst *jump)
{
	struct mir_inst *test = head_test(jump->target);
	struct mir_block *body = test ? next_with_code(test->block) : NULL;
	if (!body)
		return;
	for (struct mir_block *b = jump->target; b; b = b->next) {
		for (struct mir_inst *in = b->first; in && in != test; in = in->next)
			mir_insert_before(jump, clone(m, in));
		if (b == test->block)
			break;
	}
	struct mir_inst *again = mir_inst_new(m, inverse(test->op));
	again->target = body;
	mir_insert_before(jump, again);
	jump->target = test->target;
}

static void rotate_loops(struct mir_func *m)
{
	mir_edges(m);
	for (struct mir_block *b = m->first; b; b = b->next)
		if (b->last && b->last->op == GCN_S_BRANCH && b->last->target->index <= b->index)
			rotate_loop(m, b->last);
}

static void clean_blocks(struct mir_func *m)
{
	for (bool again = true; again && !ir_pool_failed(m->pool);) {
		for (bool changed = true; changed && !ir_pool_failed(m->pool);) {
			changed = false;
			for (struct mir_block *b = m->first; b; b = b->next)
				changed |= clean_block(m, b);
			changed |= drop_unreachable(m);
		}
		again = false;
		for (struct mir_block *b = m->first; b; b = b->next)
			if (b->last && b->last->target)
				again |= invert_over_jump(b->last);
	}
}

void mir_clean(struct mir_func *m)
{
	drop_empty_arms(m);
	clean_blocks(m);
	uint8_t *is_target = find_targets(m);
	for (struct mir_block *b = m->first; b && is_target; b = b->next)
		narrow_at_once(m, b, is_target);
	ir_free(m->pool, is_target);
	rotate_loops(m);
	clean_blocks(m);
}
