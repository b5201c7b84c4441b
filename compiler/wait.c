/* s_waitcnt and s_nop, after register allocation.
 *
 * For every register, how many operations of a counter were issued after the
 * one that will deliver (or, exports, read) it: waiting for the counter to
 * reach that number is enough.  VM and LDS operations return in order, scalar
 * loads do not (Vega ISA 4.4).  On gfx9 stores count in vmcnt too.  States of
 * blocks are joined over the linear edges until nothing changes. */
#include "back.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 255, VM_MAX = 63, LGKM_MAX = 15, EXP_MAX = 7 };
enum { VALU_SGPR_VMEM = 5, VALU_VGPR_DPP = 2, SALU_M0 = 1, BIG_STORE = 1 }; /* wait states */

struct state {
	uint8_t vm[256], lgkm[256], lgkm_s[128], exp[256]; /* operations since, or NONE */
	uint8_t smem;               /* scalar loads may be outstanding */
	/* wait states passed, up to what is needed */
	uint8_t valu_sgpr[128], valu_vgpr[256], m0, store_age;
	uint16_t store_first, store_count;
};

static void clear(struct state *s)
{
	memset(s, NONE, sizeof *s);
	s->smem = 0;
	s->store_count = 0;
}

static void join(struct state *to, const struct state *from)
{
	uint8_t *a = (uint8_t *)to;
	const uint8_t *b = (const uint8_t *)from;
	for (size_t i = 0; i < offsetof(struct state, smem); i++)
		a[i] = b[i] < a[i] ? b[i] : a[i];
	to->smem |= from->smem;
	for (size_t i = offsetof(struct state, valu_sgpr); i < offsetof(struct state, store_first); i++)
		a[i] = b[i] < a[i] ? b[i] : a[i];
	if (from->store_count && !to->store_count) {
		to->store_first = from->store_first;
		to->store_count = from->store_count;
	}
}

/* --- what an instruction is --- */

static bool is_valu(const struct mir_inst *in)
{
	unsigned f = in->g.fmt;
	return f == GCN_VOP1 || f == GCN_VOP2 || f == GCN_VOPC || f == GCN_VOP3 || f == GCN_VOP3P || f == GCN_VINTRP;
}

static bool is_salu(const struct mir_inst *in) { return in->g.fmt <= GCN_SOPP; }

static bool is_vmem(const struct mir_inst *in)
{
	unsigned f = in->g.fmt;
	return f == GCN_MUBUF || f == GCN_MTBUF || f == GCN_MIMG || f >= GCN_FLAT;
}

/* --- counters --- */

struct need { unsigned vm, exp, lgkm; };

static void at_most(unsigned *n, unsigned limit)
{
	*n = limit < *n ? limit : *n;
}

static void need_register(const struct state *s, unsigned reg, bool written, struct need *n)
{
	if (reg >= GCN_SRC_VGPR0) {
		unsigned v = reg - GCN_SRC_VGPR0;
		if (s->vm[v] != NONE)
			at_most(&n->vm, s->vm[v]);
		if (s->lgkm[v] != NONE)
			at_most(&n->lgkm, s->smem ? 0 : s->lgkm[v]);
		if (written && s->exp[v] != NONE)
			at_most(&n->exp, s->exp[v]);
	} else if (reg < 128 && s->lgkm_s[reg] != NONE) {
		at_most(&n->lgkm, 0);
	}
}

static struct need find_need(const struct state *s, const struct mir_inst *in)
{
	struct need n = { VM_MAX + 1, EXP_MAX + 1, LGKM_MAX + 1 };
	unsigned reads = mir_reads(in), writes = mir_writes(in);
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		if ((reads | writes) >> i & 1)
			for (unsigned k = 0; k < in->dw[i]; k++)
				need_register(s, in->opnd[i] + k, writes >> i & 1, &n);
	return n;
}

static void settle(uint8_t *ages, size_t count, unsigned limit)
{
	for (size_t i = 0; i < count; i++)
		if (ages[i] != NONE && ages[i] >= limit)
			ages[i] = NONE;
}

static void waited(struct state *s, const struct need *n)
{
	settle(s->vm, sizeof s->vm, n->vm);
	settle(s->exp, sizeof s->exp, n->exp);
	settle(s->lgkm, sizeof s->lgkm, n->lgkm);
	if (n->lgkm == 0) {
		settle(s->lgkm_s, sizeof s->lgkm_s, 0);
		s->smem = 0;
	}
}

static void age(uint8_t *ages, size_t count, unsigned max)
{
	for (size_t i = 0; i < count; i++)
		if (ages[i] < max)
			ages[i]++;
}

static void issue(struct state *s, const struct mir_inst *in)
{
	unsigned writes = mir_writes(in), dst = in->opnd[MIR_DST], n = writes & 1u << MIR_DST ? in->dw[MIR_DST] : 0;
	if (is_vmem(in)) {
		age(s->vm, sizeof s->vm, VM_MAX);
		for (unsigned k = 0; k < n; k++)
			s->vm[dst + k - GCN_SRC_VGPR0] = 0;
	} else if (in->g.fmt == GCN_DS) {
		age(s->lgkm, sizeof s->lgkm, LGKM_MAX);
		for (unsigned k = 0; k < n; k++)
			s->lgkm[dst + k - GCN_SRC_VGPR0] = 0;
	} else if (in->g.fmt == GCN_SMEM) {
		for (unsigned k = 0; k < n; k++)
			s->lgkm_s[dst + k] = 0;
		s->smem = 1;
	} else if (in->g.fmt == GCN_EXP) {
		age(s->exp, sizeof s->exp, EXP_MAX);
		for (unsigned i = MIR_SRC0; i < MIR_OPNDS; i++)
			if (in->opnd[i] != MIR_NONE)
				s->exp[in->opnd[i] - GCN_SRC_VGPR0] = 0;
	}
}

/* --- hazards --- */

static unsigned missing(uint8_t passed, unsigned states)
{
	return passed < states ? states - passed : 0;
}

/* Wait states that must still pass before the instruction. */
static unsigned hazard(const struct state *s, const struct mir_inst *in)
{
	unsigned n = 0, reads = mir_reads(in), writes = mir_writes(in), k;
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		for (unsigned d = 0; (reads >> i & 1) && d < in->dw[i]; d++) {
			unsigned reg = in->opnd[i] + d;
			if (is_vmem(in) && reg < 128 && (k = missing(s->valu_sgpr[reg], VALU_SGPR_VMEM)) > n)
				n = k;
			if (in->g.sub == GCN_SUB_DPP && reg >= GCN_SRC_VGPR0 &&
			    (k = missing(s->valu_vgpr[reg - GCN_SRC_VGPR0], VALU_VGPR_DPP)) > n)
				n = k;
		}
	if (mir_flags(in) & GCN_F_READS_M0 && (k = missing(s->m0, SALU_M0)) > n)
		n = k;
	if (is_valu(in) && s->store_count && writes & 1u << MIR_DST && s->store_age < BIG_STORE) {
		unsigned first = in->opnd[MIR_DST], last = first + in->dw[MIR_DST];
		if (first < s->store_first + s->store_count && s->store_first < last && n < BIG_STORE)
			n = BIG_STORE;
	}
	return n;
}

static void pass_states(struct state *s, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		age(s->valu_sgpr, sizeof s->valu_sgpr, NONE);
		age(s->valu_vgpr, sizeof s->valu_vgpr, NONE);
		age(&s->m0, 1, NONE);
		age(&s->store_age, 1, NONE);
	}
}

/* A store of more than two dwords reads the rest of its data a cycle later. */
static bool is_big_store(const struct mir_inst *in)
{
	return is_vmem(in) && mir_flags(in) & GCN_F_STORE &&
		in->dw[in->g.fmt >= GCN_FLAT ? MIR_SRC1 : MIR_DST] > 2;
}

static void note_hazards(struct state *s, const struct mir_inst *in)
{
	unsigned writes = mir_writes(in);
	pass_states(s, 1);
	for (unsigned i = MIR_DST; i <= MIR_SDST; i++)
		for (unsigned d = 0; (writes >> i & 1) && d < in->dw[i]; d++) {
			unsigned reg = in->opnd[i] + d;
			if (is_valu(in) && reg < 128)
				s->valu_sgpr[reg] = 0;
			else if (is_valu(in) && reg >= GCN_SRC_VGPR0)
				s->valu_vgpr[reg - GCN_SRC_VGPR0] = 0;
			else if (is_salu(in) && reg == GCN_SRC_M0)
				s->m0 = 0;
		}
	if (is_big_store(in)) {
		unsigned i = in->g.fmt >= GCN_FLAT ? MIR_SRC1 : MIR_DST;
		s->store_first = (uint16_t)in->opnd[i];
		s->store_count = in->dw[i];
		s->store_age = 0;
	}
}

/* --- blocks --- */

static void insert_sopp(struct mir_func *m, struct mir_inst *before, unsigned op, unsigned imm)
{
	struct mir_inst *in = mir_inst_new(m, op);
	in->g.offset = (int32_t)imm;
	mir_insert_before(before, in);
}

static unsigned field(unsigned need, unsigned max)
{
	return need > max ? max : need;
}

/* A wait of the program's own (barriers). */
static struct need explicit_wait(const struct mir_inst *in)
{
	unsigned imm = (unsigned)in->g.offset;
	struct need n = { (imm & 15) | (imm >> 14 & 3) << 4, imm >> 4 & 7, imm >> 8 & 15 };
	if (n.exp == EXP_MAX)
		n.exp++;
	return n;
}

static void run_block(struct mir_func *m, struct mir_block *b, struct state *s, bool insert)
{
	for (struct mir_inst *in = b->first; in; in = in->next) {
		if (in->op == GCN_S_WAITCNT) {
			struct need n = explicit_wait(in);
			waited(s, &n);
			pass_states(s, 1);
			continue;
		}
		struct need n = find_need(s, in);
		if (n.vm <= VM_MAX || n.exp <= EXP_MAX || n.lgkm <= LGKM_MAX) {
			if (insert)
				insert_sopp(m, in, GCN_S_WAITCNT,
					gcn_waitcnt(field(n.vm, VM_MAX), field(n.exp, EXP_MAX), field(n.lgkm, LGKM_MAX)));
			waited(s, &n);
			pass_states(s, 1);
		}
		unsigned nops = hazard(s, in);
		if (nops) {
			if (insert)
				insert_sopp(m, in, GCN_S_NOP, nops - 1);
			pass_states(s, nops);
		}
		issue(s, in);
		note_hazards(s, in);
	}
}

bool back_wait(struct mir_func *m)
{
	mir_edges(m);
	struct state *in = malloc((m->block_count + 1) * sizeof *in), *s = malloc(sizeof *s), *before = malloc(sizeof *s);
	bool ok = in && s && before;
	for (uint32_t i = 0; ok && i < m->block_count; i++)
		clear(&in[i]);
	for (bool changed = ok; changed;) {
		changed = false;
		for (struct mir_block *b = m->first; b; b = b->next) {
			*s = in[b->index];
			run_block(m, b, s, false);
			for (int k = 0; k < 2; k++) {
				if (!b->linear[k])
					continue;
				struct state *to = &in[b->linear[k]->index];
				*before = *to;
				join(to, s);
				changed |= memcmp(before, to, sizeof *to) != 0;
			}
		}
	}
	for (struct mir_block *b = m->first; ok && b; b = b->next)
		run_block(m, b, &in[b->index], true);
	free(in);
	free(s);
	free(before);
	return ok && !ir_pool_failed(m->pool);
}
