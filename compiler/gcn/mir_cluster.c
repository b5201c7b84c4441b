/* SPDX-License-Identifier: MIT */
/* Image instructions that do not wait for one another follow one another: what
 * their addresses need goes before the first of them, what waits for their
 * results behind the last.  As hardware issues them best, so does the texture
 * unit; and what lies between two of them becomes one stretch of code. */
#include "compiler/gcn/mir.h"

#include "isa/gcn_mimg.h"

enum {
	WINDOW = 192,        /* instructions behind the first in which others are looked for */
	MEMBERS = 8,
	DWORDS = 56,         /* VGPRs of addresses and results of all of them */
	FULL = 128,          /* where so many VGPRs are in use, none are spent */
	LARGE = 1 << 15,     /* instructions of a program that allocation has enough to do with */
};

/* What the code between the first and the last member touches: a member, or one that waits for the results. */
enum { READ = 1, WRITTEN = 2 };
struct cluster {
	struct mir_func *m;
	uint8_t *touched;    /* by register; behind them SCC and VCC */
	struct mir_inst *member[MEMBERS], *delayed[WINDOW];
	unsigned members, delays, dwords;
	bool member_reads, delayed_reads; /* what a shader may write */
};

static bool is_load(unsigned op)
{
	return op == GCN_IMAGE_LOAD || op == GCN_IMAGE_LOAD_MIP;
}

static bool is_sample(unsigned op)
{
	switch (op) {
#define F(name, parts) case GCN_IMAGE_##name:
	GCN_MIMG_SAMPLES(F) GCN_MIMG_GATHERS(F)
#undef F
		return true;
	default:
		return false;
	}
}

/* --- what instructions touch --- */

/* Where it is noted; NULL: nobody writes it.  VCC may be an operand, or implied by the opcode. */
static uint8_t *note_of(const struct cluster *c, mir_opnd o)
{
	if (mir_is_v(o))
		return &c->touched[mir_vreg_of(o)];
	return o == GCN_SRC_VCC || o == GCN_SRC_VCC + 1 ? &c->touched[c->m->vreg_count + 1] : NULL;
}

static bool any_touched(const struct cluster *c, mir_opnd o, uint8_t how)
{
	const uint8_t *noted = note_of(c, o);
	return noted && *noted & how;
}

static bool touches(const struct cluster *c, const struct mir_inst *in)
{
	const unsigned reads = mir_reads(in), writes = mir_writes(in);
	const uint32_t flags = mir_flags(in);
	const uint8_t *scc = c->touched + c->m->vreg_count, *vcc = scc + 1;
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		if ((reads >> i & 1 && any_touched(c, in->opnd[i], WRITTEN)) ||
			(writes >> i & 1 && any_touched(c, in->opnd[i], READ | WRITTEN)))
			return true;
	for (uint32_t i = 0; i < in->copy_count; i++)
		if (any_touched(c, in->copies[i].src, WRITTEN) || any_touched(c, in->copies[i].dst, READ | WRITTEN))
			return true;
	return (flags & GCN_F_READS_SCC && *scc & WRITTEN) || (flags & GCN_F_WRITES_SCC && *scc) ||
		(flags & GCN_F_READS_VCC && *vcc & WRITTEN) || (flags & GCN_F_WRITES_VCC && *vcc);
}

static void mark(struct cluster *c, mir_opnd o, uint8_t how)
{
	uint8_t *noted = note_of(c, o);
	if (noted)
		*noted = how ? (uint8_t)(*noted | how) : 0;
}

/* Notes, or forgets, what an instruction touches. */
static void note(struct cluster *c, const struct mir_inst *in, bool forget)
{
	const unsigned reads = mir_reads(in), writes = mir_writes(in);
	const uint32_t flags = mir_flags(in);
	uint8_t *scc = c->touched + c->m->vreg_count, *vcc = scc + 1;
	for (unsigned i = 0; i < MIR_OPNDS; i++) {
		if (reads >> i & 1)
			mark(c, in->opnd[i], forget ? 0 : READ);
		if (writes >> i & 1)
			mark(c, in->opnd[i], forget ? 0 : WRITTEN);
	}
	for (uint32_t i = 0; i < in->copy_count; i++) {
		mark(c, in->copies[i].src, forget ? 0 : READ);
		mark(c, in->copies[i].dst, forget ? 0 : WRITTEN);
	}
	if (forget) {
		*scc = *vcc = 0;
		return;
	}
	*scc |= (uint8_t)((flags & GCN_F_READS_SCC ? READ : 0) | (flags & GCN_F_WRITES_SCC ? WRITTEN : 0));
	*vcc |= (uint8_t)((flags & GCN_F_READS_VCC ? READ : 0) | (flags & GCN_F_WRITES_VCC ? WRITTEN : 0));
}

/* --- a cluster --- */

/* Nothing moves past these: effects on others, EXEC, M0, and registers of the hardware that stand for values. */
static bool is_fixed(const struct mir_inst *in)
{
	enum { EFFECTS = GCN_WRITES_MEMORY | GCN_READS_LDS | GCN_WRITES_LDS | GCN_EXPORTS | GCN_JUMPS | GCN_ENDS |
		GCN_CHANGES_STATE | GCN_READS_STATE | GCN_ANY_VGPR | GCN_ANY_SGPR };
	if (in->op == MIR_COPY) {
		for (uint32_t i = 0; i < in->copy_count; i++)
			if (!mir_is_v(in->copies[i].dst))
				return true;
		return false;
	}
	if (in->op == MIR_UNDEF)
		return !mir_is_v(in->opnd[MIR_DST]);
	if (mir_is_pseudo(in) || gcn_effects(&in->g) & EFFECTS || mir_flags(in) & (GCN_F_WRITES_EXEC | GCN_F_WRITES_M0))
		return true;
	const unsigned writes = mir_writes(in);
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		if (writes >> i & 1 && in->opnd[i] != MIR_NONE && !mir_is_v(in->opnd[i]) && in->opnd[i] != GCN_SRC_VCC)
			return true;
	return false;
}

static unsigned dwords_of(const struct mir_inst *in)
{
	return in->dw[MIR_DST] + in->dw[MIR_SRC0];
}

/* Memory that a shader may write is read in the order of the source: barriers need no instruction of their own. */
static bool reads_memory(const struct mir_inst *in)
{
	return !mir_is_pseudo(in) && gcn_effects(&in->g) & GCN_READS_MEMORY && !is_sample(in->op);
}

static void add_member(struct cluster *c, struct mir_inst *in)
{
	c->member[c->members++] = in;
	c->dwords += dwords_of(in);
	c->member_reads |= reads_memory(in);
	note(c, in, false);
}

/* False: the search ends before this one. */
static bool look_at(struct cluster *c, struct mir_inst *in)
{
	const bool reads = reads_memory(in);
	if (touches(c, in)) {
		if (c->delays == WINDOW)
			return false;
		c->delayed[c->delays++] = in;
		c->delayed_reads |= reads;
		note(c, in, false);
		return true;
	}
	if (!is_load(in->op) && !is_sample(in->op))
		return !reads || !(c->member_reads || c->delayed_reads);
	if (c->members == MEMBERS || c->dwords + dwords_of(in) > DWORDS || (reads && c->delayed_reads))
		return false;
	add_member(c, in);
	return true;
}

/* Moves an instruction. */
static void move_behind(struct mir_inst *at, struct mir_inst *in)
{
	mir_remove(in);
	mir_insert_after(at, in);
}

/* Between the first and the last member: the others follow the first, then those that wait; what remains goes before. */
static void reorder(struct cluster *c)
{
	struct mir_inst *const first = c->member[0], *const last = c->member[c->members - 1], *at = last;
	unsigned late = 0, members = 1;
	for (struct mir_inst *in = first->next, *next; in != last; in = next) {
		next = in->next;
		if (late < c->delays && in == c->delayed[late]) {
			move_behind(at, in);
			at = in;
			late++;
		} else if (in == c->member[members]) {
			members++;
		} else {
			mir_remove(in);
			mir_insert_before(first, in);
		}
	}
}

/* Returns where to go on looking. */
static struct mir_inst *find_cluster(struct cluster *c, struct mir_inst *first)
{
	struct mir_inst *in = first->next, *last;
	c->members = c->delays = c->dwords = 0;
	c->member_reads = c->delayed_reads = false;
	add_member(c, first);
	for (unsigned n = 0; in && n < WINDOW && mir_charge(c->m, in) && !is_fixed(in) && look_at(c, in); n++)
		in = in->next;
	for (unsigned i = 0; i < c->members; i++)
		note(c, c->member[i], true);
	for (unsigned i = 0; i < c->delays; i++)
		note(c, c->delayed[i], true);
	last = c->member[c->members - 1];
	if (c->members > 1)
		reorder(c);
	return last->next;
}

/* --- the program --- */

/* The most VGPRs at a time, if each lived from where it first stands to where it last does. */
static uint32_t vgprs_in_use(struct mir_func *m)
{
	uint32_t *end = ir_calloc(m->pool, 2 * (size_t)m->vreg_count + 1, sizeof *end), *start;
	uint32_t at = 0, used = 0, most = 0;
	int32_t *change;
	if (!end)
		return ~0u;
	start = end + m->vreg_count;
	for (struct mir_block *b = m->first; b; b = b->next)
		for (struct mir_inst *in = b->first; in && mir_charge(m, in); in = in->next) {
			at++;
			for (unsigned i = 0; i < MIR_OPNDS + 2 * in->copy_count; i++) {
				const struct mir_copy *copy = i < MIR_OPNDS ? NULL : &in->copies[(i - MIR_OPNDS) / 2];
				const mir_opnd o = !copy ? in->opnd[i] : (i - MIR_OPNDS) % 2 ? copy->src : copy->dst;
				if (!mir_is_v(o) || m->vregs[mir_vreg_of(o)].cls != MIR_VGPR)
					continue;
				end[mir_vreg_of(o)] = at;
				if (!start[mir_vreg_of(o)])
					start[mir_vreg_of(o)] = at;
			}
		}
	change = ir_calloc(m->pool, (size_t)at + 2, sizeof *change);
	for (uint32_t v = 0; change && v < m->vreg_count; v++) {
		if (!end[v])
			continue;
		change[start[v]] += m->vregs[v].size;
		change[end[v] + 1] -= m->vregs[v].size;
	}
	for (uint32_t i = 0; change && i < at + 1; i++) {
		used += (uint32_t)change[i];
		most = used > most ? used : most;
	}
	ir_free(m->pool, end);
	if (!change)
		return ~0u;
	ir_free(m->pool, change);
	return most;
}

/* Whether some block has two image instructions, and the program is not large. */
static bool is_worth_it(const struct mir_func *m)
{
	uint32_t all = 0, most = 0;
	for (const struct mir_block *b = m->first; b; b = b->next) {
		uint32_t images = 0;
		for (const struct mir_inst *in = b->first; in; in = in->next, all++)
			images += is_load(in->op) || is_sample(in->op);
		most = images > most ? images : most;
	}
	return most > 1 && all < LARGE;
}

void mir_cluster_images(struct mir_func *m)
{
	if (!is_worth_it(m) || vgprs_in_use(m) > FULL)
		return;
	struct cluster c = { .m = m, .touched = ir_calloc(m->pool, (size_t)m->vreg_count + 2, 1) };
	if (!c.touched)
		return;
	for (struct mir_block *b = m->first; b; b = b->next)
		for (struct mir_inst *in = b->first; in;)
			in = is_load(in->op) || is_sample(in->op) ? find_cluster(&c, in) : in->next;
	ir_free(m->pool, c.touched);
}
