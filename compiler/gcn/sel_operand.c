/* SPDX-License-Identifier: MIT */
/* Operands: constants, copies between the register files, the constant bus
 * rule, tuples, and the cache of values that were made for such needs. */
#include "compiler/gcn/sel.h"

#include <string.h>

/* --- emission --- */

struct mir_inst *sel_emit(struct sel *s, unsigned op)
{
	struct mir_inst *in = mir_inst_new(s->m, op);
	if (s->before)
		mir_insert_before(s->before, in);
	else
		mir_append(s->cur, in);
	return in;
}

struct mir_inst *sel_emit2(struct sel *s, unsigned op, mir_opnd dst, mir_opnd a, mir_opnd b)
{
	struct mir_inst *in = sel_emit(s, op);
	in->opnd[MIR_DST] = dst;
	in->opnd[MIR_SRC0] = a;
	in->opnd[MIR_SRC1] = b;
	return in;
}

mir_opnd sel_new_s(struct sel *s, unsigned size) { return mir_vreg_new(s->m, MIR_SGPR, size); }
mir_opnd sel_new_v(struct sel *s, unsigned size) { return mir_vreg_new(s->m, MIR_VGPR, size); }

/* --- cache --- */

static uint32_t *cache_head(struct sel_cache *c, uint64_t key)
{
	return &c->heads[(key ^ key >> 17 ^ key >> 41) & (c->room - 1)];
}

static void cache_link(struct sel_cache *c, uint32_t i)
{
	uint32_t *head = cache_head(c, c->entries[i].key);
	c->entries[i].chain = *head;
	*head = i;
}

/* Room for entries, a power of two, and as many chains. */
static bool cache_resize(struct sel *s, uint32_t room)
{
	struct sel_cache *c = &s->cache;
	struct sel_cached *entries = ir_realloc(s->m->pool, c->entries, room * sizeof *entries);
	if (!entries)
		return false;
	c->entries = entries;
	uint32_t *heads = ir_realloc(s->m->pool, c->heads, room * sizeof *heads);
	if (!heads)
		return false;
	memset(heads, 0xff, room * sizeof *heads);
	c->heads = heads;
	c->room = room;
	for (uint32_t i = 0; i < c->count; i++)
		cache_link(c, i);
	return true;
}

void sel_cache_finish(struct sel *s)
{
	ir_free(s->m->pool, s->cache.entries);
	ir_free(s->m->pool, s->cache.heads);
}

bool sel_cache_init(struct sel *s)
{
	if (cache_resize(s, 256))
		return true;
	sel_cache_finish(s);
	return false;
}

static bool same_ops(const struct sel_cached *e, const mir_opnd *ops, uint32_t n)
{
	return e->n == n && (!n || !memcmp(e->ops, ops, n * sizeof *ops));
}

static mir_opnd cache_find(struct sel *s, uint64_t key, const mir_opnd *ops, uint32_t n)
{
	struct sel_cache *c = &s->cache;
	for (uint32_t i = *cache_head(c, key); i != ~0u; i = c->entries[i].chain)
		if (c->entries[i].key == key && same_ops(&c->entries[i], ops, n))
			return c->entries[i].value;
	return MIR_NONE;
}

static void cache_add(struct sel *s, struct sel_cached e)
{
	struct sel_cache *c = &s->cache;
	if (c->count == c->room && !cache_resize(s, 2 * c->room))
		return;
	c->entries[c->count] = e;
	cache_link(c, c->count++);
}

mir_opnd sel_cache_find(struct sel *s, uint64_t key)
{
	return cache_find(s, key, NULL, 0);
}

void sel_cache_add_at(struct sel *s, uint64_t key, mir_opnd value, uint32_t level)
{
	cache_add(s, (struct sel_cached){ .key = key, .value = value, .level = level });
}

void sel_cache_add(struct sel *s, uint64_t key, mir_opnd value)
{
	sel_cache_add_at(s, key, value, s->cache.level);
}

uint32_t sel_scope_begin(struct sel *s)
{
	s->cache.level++;
	return s->cache.count;
}

/* Forgets what was made in this scope; what was put before an outer loop stays. */
void sel_scope_end(struct sel *s, uint32_t mark)
{
	struct sel_cache *c = &s->cache;
	uint32_t level = --c->level, end = c->count;
	for (uint32_t i = end; i-- > mark;)
		*cache_head(c, c->entries[i].key) = c->entries[i].chain;
	c->count = mark;
	for (uint32_t i = mark; i < end; i++)
		if (c->entries[i].level <= level) {
			c->entries[c->count] = c->entries[i];
			cache_link(c, c->count++);
		}
}

/* --- where values are --- */

bool sel_const(struct ir_src v, uint32_t *value)
{
	if (v.inst->op != IR_CONST && v.inst->op != IR_UNDEF)
		return false;
	*value = v.inst->op == IR_CONST ? (uint32_t)v.inst->u.imm : 0;
	return true;
}

static unsigned inline_code(uint32_t value)
{
	unsigned code = gcn_inline_int((int32_t)value);
	return code != GCN_SRC_LITERAL ? code : gcn_inline_float(GCN_GFX9, 32, value);
}

struct sel_opnd sel_inline(struct sel *s, uint32_t value)
{
	unsigned code = inline_code(value);
	if (code != GCN_SRC_LITERAL)
		return sel_reg(SEL_B_INLINE, code);
	return (struct sel_opnd){ .op = GCN_SRC_LITERAL, .literal = value, .bank = SEL_B_LITERAL };
}

struct sel_opnd sel_src(struct sel *s, struct ir_src v)
{
	uint32_t value;
	if (sel_const(v, &value))
		return sel_inline(s, value);
	const struct sel_value *at = sel_value(v.inst);
	return sel_reg(at->kind == SEL_VGPR ? SEL_B_V : SEL_B_S, at->op[v.comp]);
}

struct sel_opnd sel_dword(struct sel *s, struct ir_src v, unsigned n)
{
	if (v.inst->op == IR_CONST || v.inst->op == IR_UNDEF)
		return sel_inline(s, v.inst->op == IR_CONST ? (uint32_t)(v.inst->u.imm >> 32 * n) : 0);
	const struct sel_value *at = sel_value(v.inst);
	return sel_reg(at->kind == SEL_VGPR ? SEL_B_V : SEL_B_S, mir_at(at->op[v.comp], n));
}

/* An absolute value that several read: the core of a CPU has no such modifier and would find it for each of them. */
static bool is_shared_abs(const struct ir_inst *in)
{
	return in->op == IR_FABS && in->bits == 32 && sel_value(in)->uses > 1 && sel_value(in)->kind == SEL_VGPR;
}

struct sel_opnd sel_float(struct sel *s, struct ir_src v)
{
	bool neg = false, abs = false;
	for (; (v.inst->op == IR_FNEG || v.inst->op == IR_FABS) && !is_shared_abs(v.inst); v = v.inst->src[0]) {
		if (v.inst->op == IR_FABS)
			abs = true;
		else if (!abs)
			neg = !neg;
	}
	struct sel_opnd o = v.inst->bits > 32 ? sel_wide_source(s, v) : sel_src(s, v);
	uint32_t value;
	if (v.inst->bits == 16 && sel_const(v, &value) && gcn_inline_float(GCN_GFX9, 16, value) != GCN_SRC_LITERAL)
		o = sel_reg(SEL_B_INLINE, gcn_inline_float(GCN_GFX9, 16, value));
	o.neg = neg;
	o.abs = abs;
	return o;
}

/* --- constants and copies --- */

enum { HOIST_LIMIT = 64 };

/* Constants inside loops are made before the outermost one. */
static mir_opnd make_const(struct sel *s, enum sel_cache_kind kind, uint32_t value)
{
	uint64_t key = sel_key(kind, 0, value);
	mir_opnd found = sel_cache_find(s, key);
	if (found != MIR_NONE)
		return found;
	bool hoist = s->anchor && s->hoisted < HOIST_LIMIT;
	struct mir_inst *before = s->before;
	if (hoist) {
		s->before = s->anchor;
		s->hoisted++;
	}
	bool vector = kind == SEL_C_CONST_V;
	struct sel_opnd o = sel_inline(s, value);
	struct mir_inst *in = sel_emit(s, vector ? GCN_V_MOV_B32 : GCN_S_MOV_B32);
	in->opnd[MIR_DST] = vector ? sel_new_v(s, 1) : sel_new_s(s, 1);
	in->opnd[MIR_SRC0] = o.op;
	in->g.literal = o.literal;
	s->before = before;
	cache_add(s, (struct sel_cached){ .key = key, .value = in->opnd[MIR_DST],
		.level = hoist ? s->anchor_level : s->cache.level });
	return in->opnd[MIR_DST];
}

mir_opnd sel_const_s(struct sel *s, uint32_t value) { return make_const(s, SEL_C_CONST_S, value); }
mir_opnd sel_const_v(struct sel *s, uint32_t value) { return make_const(s, SEL_C_CONST_V, value); }

mir_opnd sel_to_v(struct sel *s, struct sel_opnd o)
{
	if (o.bank == SEL_B_V)
		return o.op;
	if (o.bank == SEL_B_LITERAL)
		return sel_const_v(s, o.literal);
	if (o.bank == SEL_B_INLINE)
		return sel_const_v(s, (uint32_t)gcn_inline_constant(o.op, 32));
	uint64_t key = sel_key(SEL_C_COPY_V, mir_sub_of(o.op) << 8 | mir_is_v(o.op), mir_vreg_of(o.op));
	mir_opnd found = mir_is_v(o.op) ? sel_cache_find(s, key) : MIR_NONE;
	if (found != MIR_NONE)
		return found;
	mir_opnd v = sel_new_v(s, 1);
	sel_emit2(s, GCN_V_MOV_B32, v, o.op, MIR_NONE);
	if (mir_is_v(o.op))
		sel_cache_add(s, key, v);
	return v;
}

mir_opnd sel_to_s(struct sel *s, struct sel_opnd o)
{
	if (o.bank == SEL_B_S)
		return o.op;
	return sel_const_s(s, o.bank == SEL_B_LITERAL ? o.literal : (uint32_t)gcn_inline_constant(o.op, 32));
}

mir_opnd sel_vgpr(struct sel *s, struct ir_src v) { return sel_to_v(s, sel_src(s, v)); }

mir_opnd sel_sgpr(struct sel *s, struct ir_src v)
{
	uint32_t value;
	if (sel_const(v, &value))
		return sel_const_s(s, value);
	struct sel_opnd o = sel_src(s, v);
	if (o.bank == SEL_B_S)
		return o.op;
	uint64_t key = sel_key(SEL_C_FIRST_LANE, mir_sub_of(o.op), mir_vreg_of(o.op));
	mir_opnd found = v.inst->divergent ? MIR_NONE : sel_cache_find(s, key);
	if (found != MIR_NONE)
		return found;
	mir_opnd r = sel_new_s(s, 1);
	sel_emit2(s, GCN_V_READFIRSTLANE_B32, r, o.op, MIR_NONE);
	if (!v.inst->divergent)
		sel_cache_add(s, key, r);
	return r;
}

mir_opnd sel_mask(struct sel *s, struct ir_src v)
{
	uint32_t value;
	if (sel_const(v, &value))
		return value ? GCN_SRC_NEG1 : GCN_SRC_0;
	return sel_value(v.inst)->op[v.comp];
}

mir_opnd sel_mask_s(struct sel *s, struct ir_src v)
{
	mir_opnd mask = sel_mask(s, v);
	if (mir_is_v(mask))
		return mask;
	mir_opnd r = sel_new_s(s, 2);
	sel_emit2(s, GCN_S_MOV_B64, r, mask, MIR_NONE);
	return r;
}

/* --- vector instructions --- */

/* The operation with sources 0 and 1 exchanged. */
static unsigned reversed(unsigned op)
{
	switch (op) {
	case GCN_V_ADD_F32: case GCN_V_MUL_F32: case GCN_V_MIN_F32: case GCN_V_MAX_F32: case GCN_V_ADD_U32:
	case GCN_V_AND_B32: case GCN_V_OR_B32: case GCN_V_XOR_B32: case GCN_V_MIN_I32: case GCN_V_MAX_I32:
	case GCN_V_MIN_U32: case GCN_V_MAX_U32:
		return op;
	case GCN_V_SUB_F32: return GCN_V_SUBREV_F32;
	case GCN_V_SUB_U32: return GCN_V_SUBREV_U32;
	default: return 0;
	}
}

/* One scalar register or literal at most; no literal in the 64-bit form. */
static void obey_constant_bus(struct sel *s, unsigned n, struct sel_opnd *o, bool small)
{
	mir_opnd bus = MIR_NONE;
	for (unsigned i = n; i-- > 0;) /* the mask of v_cndmask, last, has no other place */
		if (o[i].bank == SEL_B_S) {
			if (bus == MIR_NONE || bus == o[i].op) {
				bus = o[i].op;
			} else {
				o[i].op = sel_to_v(s, o[i]);
				o[i].bank = SEL_B_V;
			}
		}
	uint32_t in_s = 0;
	bool have = false;
	for (unsigned i = 0; i < n; i++) {
		if (o[i].bank != SEL_B_LITERAL)
			continue;
		if (small && i == 0 && bus == MIR_NONE) {
			bus = GCN_SRC_LITERAL;
		} else if (bus == MIR_NONE || (have && in_s == o[i].literal)) {
			in_s = o[i].literal;
			have = true;
			o[i].op = bus = sel_const_s(s, in_s);
			o[i].bank = SEL_B_S;
		} else {
			o[i].op = sel_const_v(s, o[i].literal);
			o[i].bank = SEL_B_V;
		}
	}
}

static mir_opnd valu(struct sel *s, unsigned op, mir_opnd dst, unsigned n, const struct sel_opnd *src, bool clamp)
{
	struct sel_opnd o[3];
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)op);
	bool modified = clamp;
	for (unsigned i = 0; i < n; i++) {
		o[i] = src[i];
		modified |= o[i].neg | o[i].abs;
	}
	if (info->fmt == GCN_VOP2 && n == 2 && o[1].bank != SEL_B_V && o[0].bank == SEL_B_V && reversed(op)) {
		struct sel_opnd t = o[0];
		o[0] = o[1];
		o[1] = t;
		op = reversed(op);
	}
	bool small = !modified && (info->fmt == GCN_VOP1 || (info->fmt == GCN_VOP2 && n == 2 && o[1].bank == SEL_B_V &&
		!info->sdst_dw));
	obey_constant_bus(s, n, o, small);
	struct mir_inst *in = sel_emit(s, op);
	if (info->dst_dw)
		in->opnd[MIR_DST] = dst != MIR_NONE ? dst : sel_new_v(s, info->dst_dw);
	if (info->sdst_dw)
		in->opnd[MIR_SDST] = dst != MIR_NONE && !info->dst_dw ? dst : sel_new_s(s, info->sdst_dw);
	for (unsigned i = 0; i < n; i++) {
		in->opnd[MIR_SRC0 + i] = o[i].op;
		if (o[i].bank == SEL_B_LITERAL)
			in->g.literal = o[i].literal;
		in->g.neg |= (uint8_t)(o[i].neg << i);
		in->g.abs |= (uint8_t)(o[i].abs << i);
	}
	in->g.clamp = clamp;
	return info->dst_dw ? in->opnd[MIR_DST] : in->opnd[MIR_SDST];
}

mir_opnd sel_valu(struct sel *s, unsigned op, mir_opnd dst, unsigned n, const struct sel_opnd *o)
{
	return valu(s, op, dst, n, o, false);
}

mir_opnd sel_valu_clamp(struct sel *s, unsigned op, unsigned n, const struct sel_opnd *o, bool clamp)
{
	return valu(s, op, MIR_NONE, n, o, clamp);
}

/* --- scalar instructions --- */

static void place_scalar(struct sel *s, struct mir_inst *in, unsigned n, const struct sel_opnd *o)
{
	bool literal = false;
	for (unsigned i = 0; i < n; i++) {
		mir_opnd op = o[i].op;
		if (o[i].bank == SEL_B_LITERAL) {
			if (literal && in->g.literal != o[i].literal) {
				struct mir_inst *before = s->before;
				s->before = in;
				op = sel_const_s(s, o[i].literal);
				s->before = before;
			} else {
				in->g.literal = o[i].literal;
				literal = true;
			}
		}
		in->opnd[MIR_SRC0 + i] = op;
	}
}

void sel_salu_to(struct sel *s, unsigned op, mir_opnd dst, unsigned n, const struct sel_opnd *o)
{
	struct mir_inst *in = sel_emit(s, op);
	place_scalar(s, in, n, o);
	in->opnd[MIR_DST] = dst;
}

mir_opnd sel_salu(struct sel *s, unsigned op, unsigned size, unsigned n, const struct sel_opnd *o)
{
	struct mir_inst *in = sel_emit(s, op);
	place_scalar(s, in, n, o);
	return in->opnd[MIR_DST] = sel_new_s(s, size);
}

void sel_scmp(struct sel *s, unsigned op, struct sel_opnd a, struct sel_opnd b)
{
	struct mir_inst *in = sel_emit(s, op);
	place_scalar(s, in, 2, (struct sel_opnd[]){ a, b });
}

/* --- tuples --- */

/* Dwords that lie side by side in one register already. */
static bool adjacent(unsigned n, const struct sel_opnd *o)
{
	for (unsigned i = 0; i < n; i++)
		if (o[i].bank != SEL_B_V || !mir_is_v(o[i].op) || o[i].op != mir_at(o[0].op, i))
			return false;
	return true;
}

static struct mir_inst *copy_new(struct sel *s, unsigned n)
{
	struct mir_inst *in = sel_emit(s, MIR_COPY);
	in->copies = ir_alloc(s->m->pool, n * sizeof *in->copies);
	in->copy_count = n;
	return in;
}

mir_opnd sel_tuple(struct sel *s, unsigned n, const struct sel_opnd *o, bool tied)
{
	if (!tied && adjacent(n, o))
		return o[0].op;
	mir_opnd *ops = ir_alloc(s->m->pool, 2 * n * sizeof *ops);
	uint32_t hash = n;
	for (unsigned i = 0; i < n; i++) {
		ops[2 * i] = o[i].op;
		ops[2 * i + 1] = o[i].literal;
		hash = hash * 0x9e3779b1u + o[i].op + o[i].literal * 31;
	}
	uint64_t key = sel_key(SEL_C_TUPLE, n, hash);
	mir_opnd found = tied ? MIR_NONE : cache_find(s, key, ops, 2 * n);
	if (found != MIR_NONE)
		return found;
	struct mir_inst *in = copy_new(s, n);
	mir_opnd t = sel_new_v(s, n);
	for (unsigned i = 0; i < n; i++)
		in->copies[i] = (struct mir_copy){ mir_at(t, i), o[i].op, o[i].literal, 1 };
	if (!tied)
		cache_add(s, (struct sel_cached){ .key = key, .value = t, .ops = ops, .n = 2 * n, .level = s->cache.level });
	return t;
}
