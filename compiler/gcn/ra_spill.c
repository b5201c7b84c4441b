/* SPDX-License-Identifier: MIT */
/* Spilling: SGPRs to lanes of VGPRs, VGPRs to scratch, constants to nothing.
 * Each instruction that touches a spilled register gets a short-lived one. */
#include "compiler/gcn/ra.h"

#include <string.h>

struct spill {
	struct ra *r;
	struct mir_func *m;
	uint32_t *slot;       /* of each vreg; SGPR: lane number, VGPR: scratch byte */
	uint32_t vregs;       /* at the start of the round */
	uint32_t *group_reads; /* of each vreg: copies of the group at hand that read it */
	mir_opnd *holders;    /* VGPRs of spilled SGPRs, 64 in each */
};

static bool is_spilled(const struct spill *s, mir_opnd o)
{
	return mir_is_v(o) && mir_vreg_of(o) < s->vregs && s->r->vregs[mir_vreg_of(o)].spill;
}

static mir_opnd reload_reg(struct spill *s, uint32_t vreg, unsigned size)
{
	mir_opnd o = mir_vreg_new(s->m, (enum mir_class)s->m->vregs[vreg].cls, size);
	s->m->vregs[mir_vreg_of(o)].reload = true;
	return o;
}

/* --- slots --- */

/* The VGPR that holds SGPR slot n. */
static mir_opnd lane_holder(const struct spill *s, uint32_t slot)
{
	return s->holders[slot / 64];
}

/* Those of earlier rounds come first in the program's registers. */
static void make_holders(struct spill *s)
{
	struct mir_func *m = s->m;
	uint32_t want = (m->spilled_sgprs + 63) / 64, n = 0;
	s->holders = ir_alloc(s->r->pool, (want + 1) * sizeof *s->holders);
	for (uint32_t v = 0; v < m->vreg_count && n < want; v++)
		if (m->vregs[v].whole)
			s->holders[n++] = mir_v(v, 0);
	for (; n < want; n++) {
		s->holders[n] = mir_vreg_new(m, MIR_VGPR, 1);
		m->vregs[mir_vreg_of(s->holders[n])].whole = true;
	}
}

static void assign_slots(struct spill *s)
{
	for (uint32_t v = 0; v < s->vregs; v++) {
		const struct mir_vreg *reg = &s->m->vregs[v];
		if (!s->r->vregs[v].spill || s->r->vregs[v].def)
			continue;
		if (reg->cls == MIR_SGPR) {
			s->slot[v] = s->m->spilled_sgprs;
			s->m->spilled_sgprs += reg->size;
		} else {
			s->slot[v] = s->m->scratch_bytes;
			s->m->scratch_bytes += 4u * reg->size;
			s->m->spilled_vgprs += reg->size;
		}
	}
}

/* --- moves between registers and slots --- */

static void lane_move(struct spill *s, struct mir_inst *before, uint32_t slot, mir_opnd reg, bool store)
{
	struct mir_inst *in = mir_inst_new(s->m, store ? GCN_V_WRITELANE_B32 : GCN_V_READLANE_B32);
	mir_opnd holder = lane_holder(s, slot);
	uint32_t lane = slot % 64;
	in->opnd[MIR_DST] = store ? holder : reg;
	in->opnd[MIR_SRC0] = store ? reg : holder;
	in->opnd[MIR_SRC1] = GCN_SRC_0 + lane;
	mir_insert_before(before, in);
}

/* VCC's value is never read by the program: it may carry the address. */
static void scratch_move(struct spill *s, struct mir_inst *before, uint32_t byte, mir_opnd reg, bool store)
{
	enum { PAGE = 4096 };
	uint32_t base = byte & ~(uint32_t)(PAGE - 1);
	struct mir_inst *at = mir_inst_new(s->m, GCN_S_MOV_B32);
	at->opnd[MIR_DST] = GCN_SRC_VCC;
	at->opnd[MIR_SRC0] = base ? (mir_opnd)GCN_SRC_LITERAL : (mir_opnd)GCN_SRC_0;
	at->g.literal = base;
	mir_insert_before(before, at);
	struct mir_inst *in = mir_inst_new(s->m, store ? GCN_SCRATCH_STORE_DWORD : GCN_SCRATCH_LOAD_DWORD);
	in->opnd[store ? MIR_SRC1 : MIR_DST] = reg;
	in->opnd[MIR_SRC2] = GCN_SRC_VCC;
	in->g.offset = (int32_t)(byte - base);
	mir_insert_before(before, in);
}

static void remake(struct spill *s, struct mir_inst *before, const struct mir_inst *def, mir_opnd reg)
{
	struct mir_inst *in = mir_inst_new(s->m, def->op);
	in->g = def->g;
	in->opnd[MIR_SRC0] = def->opnd[MIR_SRC0];
	in->opnd[MIR_DST] = reg;
	mir_insert_before(before, in);
}

/* Dword `sub` of the spilled register, to or from `reg`. */
static void slot_move(struct spill *s, struct mir_inst *before, uint32_t vreg, unsigned sub, mir_opnd reg, bool store)
{
	if (s->m->vregs[vreg].cls == MIR_SGPR)
		lane_move(s, before, s->slot[vreg] + sub, reg, store);
	else
		scratch_move(s, before, s->slot[vreg] + 4 * sub, reg, store);
}

static void load_dwords(struct spill *s, struct mir_inst *before, uint32_t vreg, unsigned sub, unsigned n, mir_opnd reg)
{
	if (s->r->vregs[vreg].def) {
		remake(s, before, s->r->vregs[vreg].def, reg);
		return;
	}
	for (unsigned i = 0; i < n; i++)
		slot_move(s, before, vreg, sub + i, mir_at(reg, i), false);
}

static void store_dwords(struct spill *s, struct mir_inst *before, uint32_t vreg, unsigned sub, unsigned n, mir_opnd reg)
{
	for (unsigned i = 0; i < n && !s->r->vregs[vreg].def; i++)
		slot_move(s, before, vreg, sub + i, mir_at(reg, i), true);
}

/* --- instructions --- */

/* All operands of the instruction that name one spilled register. */
struct touch { unsigned first, last; bool reads, writes; };

static struct touch find_touch(const struct mir_inst *in, uint32_t vreg)
{
	unsigned reads = mir_reads(in), writes = mir_writes(in);
	struct touch t = { MIR_MAX_TUPLE, 0, false, false };
	for (unsigned i = 0; i < MIR_OPNDS; i++) {
		mir_opnd o = in->opnd[i];
		if (!mir_is_v(o) || mir_vreg_of(o) != vreg)
			continue;
		unsigned sub = mir_sub_of(o), end = sub + (in->dw[i] ? in->dw[i] : 1u);
		t.first = sub < t.first ? sub : t.first;
		t.last = end > t.last ? end : t.last;
		t.reads |= reads >> i & 1;
		t.writes |= writes >> i & 1;
	}
	return t;
}

static void rewrite_register(struct spill *s, struct mir_inst *in, struct mir_inst *after, uint32_t vreg)
{
	struct touch t = find_touch(in, vreg);
	/* A constant is made again as a whole. */
	if (s->r->vregs[vreg].def) {
		t.first = 0;
		t.last = s->m->vregs[vreg].size;
	}
	mir_opnd reg = reload_reg(s, vreg, t.last - t.first);
	if (t.reads)
		load_dwords(s, in, vreg, t.first, t.last - t.first, reg);
	unsigned writes = mir_writes(in);
	for (unsigned i = 0; i < MIR_OPNDS; i++) {
		mir_opnd o = in->opnd[i];
		if (!mir_is_v(o) || mir_vreg_of(o) != vreg)
			continue;
		unsigned sub = mir_sub_of(o);
		in->opnd[i] = mir_at(reg, sub - t.first);
		if (writes >> i & 1)
			store_dwords(s, after, vreg, sub, in->dw[i], in->opnd[i]);
	}
}

/* A place to insert before that follows the instruction. */
static struct mir_inst *marker_after(struct spill *s, struct mir_inst *in)
{
	struct mir_inst *mark = mir_inst_new(s->m, MIR_ANCHOR);
	mir_insert_after(in, mark);
	return mark;
}

static void rewrite_inst(struct spill *s, struct mir_inst *in)
{
	bool any = false;
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		any |= is_spilled(s, in->opnd[i]);
	if (!any)
		return;
	if (in->op == MIR_UNDEF) {
		mir_remove(in);
		return;
	}
	if (is_spilled(s, in->opnd[MIR_DST]) && s->r->vregs[mir_vreg_of(in->opnd[MIR_DST])].def == in) {
		mir_remove(in); /* stays readable for remake */
		return;
	}
	struct mir_inst *after = marker_after(s, in);
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		if (is_spilled(s, in->opnd[i]))
			rewrite_register(s, in, after, mir_vreg_of(in->opnd[i]));
	mir_remove(after);
}

/* --- parallel copies --- */

/* How many copies of the group read each register; `add` 0: forgets them. */
static void count_reads(struct spill *s, const struct mir_inst *group, uint32_t add)
{
	for (uint32_t i = 0; i < group->copy_count; i++)
		if (mir_is_v(group->copies[i].src)) {
			uint32_t *n = &s->group_reads[mir_vreg_of(group->copies[i].src)];
			*n = add ? *n + add : 0;
		}
}

/* Does another copy of the group read what c overwrites? */
static bool is_read_by_group(const struct spill *s, const struct mir_copy *c)
{
	bool own = mir_is_v(c->src) && mir_vreg_of(c->src) == mir_vreg_of(c->dst);
	return s->group_reads[mir_vreg_of(c->dst)] > own;
}

static void move_to(struct spill *s, struct mir_inst *before, const struct mir_copy *c, mir_opnd dst)
{
	bool vector = s->m->vregs[mir_vreg_of(dst)].cls == MIR_VGPR;
	for (unsigned i = 0; i < c->dw; i++) {
		struct mir_inst *in = mir_inst_new(s->m, vector ? GCN_V_MOV_B32 : GCN_S_MOV_B32);
		in->opnd[MIR_DST] = mir_at(dst, i);
		bool reg = mir_is_v(c->src) || c->src < GCN_SRC_0 || c->src >= GCN_SRC_VGPR0;
		in->opnd[MIR_SRC0] = reg ? mir_at(c->src, i) : c->src;
		in->g.literal = c->literal;
		mir_insert_before(before, in);
	}
}

/* The value of c's source in registers of dst's class, at `before`. */
static mir_opnd source_value(struct spill *s, struct mir_inst *before, const struct mir_copy *c)
{
	uint32_t dst = mir_vreg_of(c->dst);
	enum mir_class cls = (enum mir_class)s->m->vregs[dst].cls;
	mir_opnd from = c->src;
	if (is_spilled(s, c->src)) {
		uint32_t v = mir_vreg_of(c->src);
		bool whole = s->r->vregs[v].def;
		mir_opnd reg = reload_reg(s, v, whole ? s->m->vregs[v].size : c->dw);
		load_dwords(s, before, v, whole ? 0 : mir_sub_of(c->src), c->dw, reg);
		from = whole ? mir_at(reg, mir_sub_of(c->src)) : reg;
	}
	if (mir_is_v(from) && s->m->vregs[mir_vreg_of(from)].cls == cls)
		return from;
	mir_opnd reg = reload_reg(s, dst, c->dw);
	struct mir_copy move = *c;
	move.src = from;
	move_to(s, before, &move, reg);
	return reg;
}

/* Registers at entry are not known to be in use before the group. */
static bool is_hardware(mir_opnd o)
{
	return !mir_is_v(o) && (o < GCN_SRC_0 || o >= GCN_SRC_VGPR0);
}

/* In turn: stores to slots that the group does not read; the copies left;
 * loads from slots; stores to slots that the group reads. */
static void rewrite_group(struct spill *s, struct mir_inst *group)
{
	bool any = false;
	for (uint32_t i = 0; i < group->copy_count; i++)
		any |= is_spilled(s, group->copies[i].dst) || is_spilled(s, group->copies[i].src);
	if (!any)
		return;
	struct mir_inst *loads = marker_after(s, group), *stores = marker_after(s, loads);
	struct mir_copy *kept = ir_alloc(s->m->pool, group->copy_count * sizeof *kept);
	uint32_t n = 0;
	count_reads(s, group, 1);
	for (uint32_t i = 0; i < group->copy_count; i++) {
		const struct mir_copy *c = &group->copies[i];
		bool to_slot = is_spilled(s, c->dst), from_slot = is_spilled(s, c->src);
		uint32_t dst = mir_vreg_of(c->dst);
		if (!to_slot && !from_slot) {
			kept[n++] = *c;
		} else if (to_slot && !is_read_by_group(s, c) && !is_hardware(c->src)) {
			store_dwords(s, group, dst, mir_sub_of(c->dst), c->dw, source_value(s, group, c));
		} else if (to_slot) {
			mir_opnd reg = reload_reg(s, dst, c->dw);
			if (from_slot)
				move_to(s, loads, &(struct mir_copy){ reg, source_value(s, loads, c), 0, c->dw }, reg);
			else
				kept[n++] = (struct mir_copy){ reg, c->src, c->literal, c->dw };
			store_dwords(s, stores, dst, mir_sub_of(c->dst), c->dw, reg);
		} else {
			move_to(s, loads, &(struct mir_copy){ c->dst, source_value(s, loads, c), 0, c->dw }, c->dst);
		}
	}
	count_reads(s, group, 0);
	group->copies = kept;
	group->copy_count = n;
	mir_remove(loads);
	mir_remove(stores);
	if (!n)
		mir_remove(group);
}

void ra_spill(struct ra *r)
{
	struct spill s = { .r = r, .m = r->m, .vregs = r->m->vreg_count };
	s.slot = ir_alloc(r->pool, (s.vregs + 1) * sizeof *s.slot);
	s.group_reads = ir_alloc(r->pool, (s.vregs + 1) * sizeof *s.group_reads);
	if (ir_pool_failed(r->pool))
		return;
	assign_slots(&s);
	make_holders(&s);
	if (ir_pool_failed(r->pool) || ir_pool_failed(r->m->pool))
		return;
	for (struct mir_block *b = r->m->first; b; b = b->next)
		for (struct mir_inst *in = b->first, *next; in && mir_charge(r->m, in); in = next) {
			next = in->next;
			if (in->op == MIR_COPY)
				rewrite_group(&s, in);
			else
				rewrite_inst(&s, in);
			if (ir_pool_failed(r->m->pool))
				return;
		}
}
