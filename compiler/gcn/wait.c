/* SPDX-License-Identifier: MIT */
/* s_waitcnt and s_nop, after register allocation.
 *
 * For every register, how many operations of a counter were issued after the
 * one that will deliver (or, exports, read) it: waiting for the counter to
 * reach that number is enough.  VM and LDS operations return in order, scalar
 * loads do not (Vega ISA 4.4).  On gfx9 stores count in vmcnt too.  States of
 * blocks are joined over the linear edges until nothing changes. */
#include "compiler/gcn/back.h"

#include <string.h>

enum { NONE = 255, VM_MAX = 63, LGKM_MAX = 15, EXP_MAX = 7, STATES_MAX = 5 };
enum { VALU_SGPR_VMEM = 5, VALU_VGPR_DPP = 2, SALU_M0 = 1, BIG_STORE = 1 }; /* wait states */

/* At a block's edge: operations or wait states since, up to the maximum that
 * matters, or NONE. */
enum { VM_AT = 0, LGKM_AT = 256, LGKM_S_AT = 512, EXP_AT = 640, VALU_S_AT = 896, VALU_V_AT = 1024, M0_AT = 1280,
	STORE_AT = 1281 /* VGPR data of a big store */, EVENTS = 1537 };
struct state { bool smem; /* scalar loads may be outstanding */ bool seen; uint8_t age[]; /* of the events used */ };

/* Which clock an event goes by. */
enum { VM, LGKM, EXP, STATES, CLOCKS };
static const uint8_t clock_max[CLOCKS] = { VM_MAX, LGKM_MAX, EXP_MAX, STATES_MAX };

/* Inside a block: times.  What happened at or before `done` is over. */
struct run {
	int32_t time[EVENTS], now[CLOCKS], done[CLOCKS];
	bool smem;
	/* Events that the program's registers can have. */
	struct range { uint16_t first, count; uint8_t clock; } used[8];
	unsigned ranges, used_count;
};

static void use(struct run *r, unsigned first, unsigned count, uint8_t clock)
{
	r->used[r->ranges++] = (struct range){ (uint16_t)first, (uint16_t)count, clock };
	r->used_count += count;
}

static void find_used(struct run *r, const struct mir_func *m)
{
	r->ranges = r->used_count = 0;
	for (unsigned i = 0; i < EVENTS; i++)
		r->time[i] = -NONE;
	use(r, VM_AT, m->vgprs, VM);
	use(r, LGKM_AT, m->vgprs, LGKM);
	use(r, LGKM_S_AT, m->sgprs, LGKM);
	use(r, EXP_AT, m->vgprs, EXP);
	use(r, VALU_S_AT, m->sgprs, STATES);
	use(r, VALU_V_AT, m->vgprs, STATES);
	use(r, M0_AT, 1, STATES);
	use(r, STORE_AT, m->vgprs, STATES);
}

static void begin(struct run *r, const struct state *s)
{
	for (unsigned c = 0; c < CLOCKS; c++) {
		r->now[c] = 0;
		r->done[c] = -NONE;
	}
	const uint8_t *age = s->age;
	for (const struct range *u = r->used; u < r->used + r->ranges; u++)
		for (unsigned i = 0; i < u->count; i++)
			r->time[u->first + i] = -(int32_t)*age++;
	r->smem = s->smem;
}

/* NONE if nothing is pending. */
static unsigned age_of(const struct run *r, unsigned event, unsigned clock)
{
	int32_t time = r->time[event], since = r->now[clock] - time;
	if (time <= r->done[clock])
		return NONE;
	return since > clock_max[clock] ? clock == STATES ? (unsigned)NONE : clock_max[clock] : (unsigned)since;
}

/* Joins the run's end into a successor's state; true if that changes it. */
static bool join(struct state *to, const struct run *r)
{
	bool changed = !to->seen || (r->smem && !to->smem);
	to->seen = true;
	to->smem |= r->smem;
	uint8_t *at = to->age;
	for (const struct range *u = r->used; u < r->used + r->ranges; u++)
		for (unsigned i = 0; i < u->count; i++, at++) {
			unsigned age = age_of(r, u->first + i, u->clock);
			changed |= age < *at;
			*at = age < *at ? (uint8_t)age : *at;
		}
	return changed;
}

/* An instruction, and what it is: operands that it reads and writes, as mir_reads has them. */
struct role { const struct mir_inst *in; unsigned reads, writes; enum gcn_unit unit; };

static struct role role_of(const struct mir_inst *in)
{
	return (struct role){ in, mir_reads(in), mir_writes(in), gcn_unit((enum gcn_format)in->g.fmt) };
}

/* --- counters --- */

struct need { unsigned count[STATES]; };

static void need_event(const struct run *r, unsigned event, unsigned clock, struct need *n)
{
	unsigned age = age_of(r, event, clock);
	if (age == NONE)
		return;
	if (clock == LGKM && r->smem) /* returned in any order */
		age = 0;
	n->count[clock] = age < n->count[clock] ? age : n->count[clock];
}

static void need_register(const struct run *r, unsigned reg, bool written, struct need *n)
{
	if (reg >= GCN_SRC_VGPR0) {
		unsigned v = reg - GCN_SRC_VGPR0;
		need_event(r, VM_AT + v, VM, n);
		need_event(r, LGKM_AT + v, LGKM, n);
		if (written)
			need_event(r, EXP_AT + v, EXP, n);
	} else if (reg < 128) {
		need_event(r, LGKM_S_AT + reg, LGKM, n);
	}
}

static struct need find_need(const struct run *r, const struct role *o)
{
	struct need n = { { NONE, NONE, NONE } };
	const struct mir_inst *in = o->in;
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		if ((o->reads | o->writes) >> i & 1)
			for (unsigned k = 0; k < in->dw[i]; k++)
				need_register(r, in->opnd[i] + k, o->writes >> i & 1, &n);
	return n;
}

static void waited(struct run *r, const struct need *n)
{
	for (unsigned c = 0; c < STATES; c++)
		if (n->count[c] != NONE && r->now[c] - (int32_t)n->count[c] > r->done[c])
			r->done[c] = r->now[c] - (int32_t)n->count[c];
	if (n->count[LGKM] == 0)
		r->smem = false;
}

static void issue(struct run *r, const struct role *o)
{
	const struct mir_inst *in = o->in;
	unsigned dst = in->opnd[MIR_DST], n = o->writes & 1u << MIR_DST ? in->dw[MIR_DST] : 0;
	switch (o->unit) {
	case GCN_UNIT_VMEM:
		r->now[VM]++;
		for (unsigned k = 0; k < n; k++)
			r->time[VM_AT + dst + k - GCN_SRC_VGPR0] = r->now[VM];
		break;
	case GCN_UNIT_LDS:
		r->now[LGKM]++;
		for (unsigned k = 0; k < n; k++)
			r->time[LGKM_AT + dst + k - GCN_SRC_VGPR0] = r->now[LGKM];
		break;
	case GCN_UNIT_SMEM:
		r->now[LGKM]++;
		for (unsigned k = 0; k < n; k++)
			r->time[LGKM_S_AT + dst + k] = r->now[LGKM];
		r->smem = true;
		break;
	case GCN_UNIT_EXPORT:
		r->now[EXP]++;
		for (unsigned i = MIR_SRC0; i < MIR_OPNDS; i++)
			if (in->opnd[i] != MIR_NONE)
				r->time[EXP_AT + in->opnd[i] - GCN_SRC_VGPR0] = r->now[EXP];
		break;
	case GCN_UNIT_VALU:
	case GCN_UNIT_SALU:
		break;
	}
}

/* --- hazards --- */

static void missing(const struct run *r, unsigned event, unsigned states, unsigned *nops)
{
	unsigned passed = age_of(r, event, STATES);
	if (passed != NONE && passed < states && states - passed > *nops)
		*nops = states - passed;
}

/* Wait states that must still pass before the instruction. */
static unsigned hazard(const struct run *r, const struct role *o)
{
	const struct mir_inst *in = o->in;
	unsigned n = 0;
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		for (unsigned d = 0; (o->reads >> i & 1) && d < in->dw[i]; d++) {
			unsigned reg = in->opnd[i] + d;
			if (o->unit == GCN_UNIT_VMEM && reg < 128)
				missing(r, VALU_S_AT + reg, VALU_SGPR_VMEM, &n);
			if (in->g.sub == GCN_SUB_DPP && reg >= GCN_SRC_VGPR0)
				missing(r, VALU_V_AT + reg - GCN_SRC_VGPR0, VALU_VGPR_DPP, &n);
		}
	if (mir_flags(in) & GCN_F_READS_M0)
		missing(r, M0_AT, SALU_M0, &n);
	for (unsigned d = 0; o->unit == GCN_UNIT_VALU && (o->writes & 1u << MIR_DST) && d < in->dw[MIR_DST]; d++)
		if (in->opnd[MIR_DST] >= GCN_SRC_VGPR0)
			missing(r, STORE_AT + in->opnd[MIR_DST] + d - GCN_SRC_VGPR0, BIG_STORE, &n);
	return n;
}

static void note_hazards(struct run *r, const struct role *o)
{
	const struct mir_inst *in = o->in;
	unsigned data = in->g.fmt >= GCN_FLAT ? MIR_SRC1 : MIR_DST;
	int32_t now = ++r->now[STATES];
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		for (unsigned d = 0; (o->writes >> i & 1) && d < in->dw[i]; d++) {
			unsigned reg = in->opnd[i] + d;
			if (o->unit == GCN_UNIT_VALU && reg < 128)
				r->time[VALU_S_AT + reg] = now;
			else if (o->unit == GCN_UNIT_VALU && reg >= GCN_SRC_VGPR0)
				r->time[VALU_V_AT + reg - GCN_SRC_VGPR0] = now;
			else if (o->unit == GCN_UNIT_SALU && reg == GCN_SRC_M0)
				r->time[M0_AT] = now;
		}
	/* A store of more than two dwords reads the rest of its data a cycle later. */
	if (o->unit == GCN_UNIT_VMEM && mir_flags(in) & GCN_F_STORE && in->dw[data] > 2)
		for (unsigned d = 0; d < in->dw[data]; d++)
			r->time[STORE_AT + in->opnd[data] + d - GCN_SRC_VGPR0] = now;
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
	struct need n = { { (imm & 15) | (imm >> 14 & 3) << 4, imm >> 8 & 15, imm >> 4 & 7 } };
	for (unsigned c = 0; c < STATES; c++)
		if (n.count[c] == clock_max[c])
			n.count[c] = NONE;
	return n;
}

static void run_block(struct mir_func *m, struct mir_block *b, struct run *r, bool insert)
{
	ir_charge(m->pool, r->used_count / 8);
	for (struct mir_inst *in = b->first; in && mir_charge(m, in); in = in->next) {
		if (in->op == GCN_S_WAITCNT) {
			struct need n = explicit_wait(in);
			waited(r, &n);
			r->now[STATES]++;
			continue;
		}
		const struct role o = role_of(in);
		struct need n = find_need(r, &o);
		if (n.count[VM] != NONE || n.count[EXP] != NONE || n.count[LGKM] != NONE) {
			if (insert)
				insert_sopp(m, in, GCN_S_WAITCNT, gcn_waitcnt(field(n.count[VM], VM_MAX),
					field(n.count[EXP], EXP_MAX), field(n.count[LGKM], LGKM_MAX)));
			waited(r, &n);
			r->now[STATES]++;
		}
		unsigned nops = hazard(r, &o);
		if (nops && insert)
			insert_sopp(m, in, GCN_S_NOP, nops - 1);
		r->now[STATES] += (int32_t)nops;
		issue(r, &o);
		note_hazards(r, &o);
	}
}

/* At the blocks' entries. */
struct states { uint8_t *at; size_t size; };

static struct state *state_of(const struct states *s, const struct mir_block *b)
{
	return (struct state *)(s->at + b->index * s->size);
}

/* Blocks are run until no block's state at entry changes any more. */
static void settle(struct mir_func *m, struct states *in, struct run *r, uint8_t *dirty)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (struct mir_block *b = m->first; b; b = b->next) {
			if (!dirty[b->index] || !ir_charge(m->pool, 1))
				continue;
			dirty[b->index] = 0;
			begin(r, state_of(in, b));
			run_block(m, b, r, false);
			for (int k = 0; k < 2; k++)
				if (b->linear[k] && join(state_of(in, b->linear[k]), r))
					dirty[b->linear[k]->index] = changed = true;
		}
	}
}

bool back_wait(struct mir_func *m)
{
	mir_edges(m);
	struct run *r = ir_realloc(m->pool, NULL, sizeof *r); /* find_used and begin fill it */
	uint8_t *dirty = ir_calloc(m->pool, m->block_count + 1, 1);
	struct states in = { 0 };
	if (r) {
		find_used(r, m);
		in.size = sizeof(struct state) + r->used_count;
		in.at = ir_calloc(m->pool, m->block_count + 1, in.size);
	}
	if (in.at && dirty) {
		for (struct mir_block *b = m->first; b; b = b->next)
			memset(state_of(&in, b)->age, NONE, r->used_count);
		dirty[0] = 1;
		settle(m, &in, r, dirty);
		for (struct mir_block *b = m->first; b && !ir_pool_failed(m->pool); b = b->next) {
			begin(r, state_of(&in, b));
			run_block(m, b, r, true);
		}
	}
	ir_free(m->pool, in.at);
	ir_free(m->pool, r);
	ir_free(m->pool, dirty);
	return !ir_pool_failed(m->pool);
}
