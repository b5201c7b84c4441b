/* SPDX-License-Identifier: MIT */
/* Values of many scalars: arrays that are copied as a whole, constants, and
 * OpCompositeInsert into them.
 *
 * Such a value is what it came from: a load from a variable, a constant, or
 * another value with a part replaced.  A store of a load becomes one COPY_VAR if
 * the variable has not changed since, of a replaced part that part alone if the
 * rest is there already.  Whoever wants leaves gets those that it names; a load's
 * are then loaded where the OpLoad stood. */
#include "compiler/spv/spv_priv.h"

enum big_kind { BIG_LOAD, BIG_CONST, BIG_INSERT };
struct spv_big {
	uint8_t kind;
	/* BIG_LOAD */
	struct spv_ptr from;
	struct ir_inst *at;            /* marks the place of the OpLoad */
	uint32_t writes;               /* spv.writes then */
	/* BIG_CONST */
	const struct spv_const *cnst;
	/* BIG_INSERT */
	const struct spv_val *base;
	uint32_t first, count, depth;
	const struct ir_src *value;
	uint32_t steps;                /* taken in search of parts: when they are many, all leaves are made */
};

static struct spv_big *new_big(struct spv *s, enum big_kind kind)
{
	struct spv_big *big = spv_alloc(s, 1, sizeof *big);
	big->kind = (uint8_t)kind;
	return big;
}

struct spv_big *spv_big_const(struct spv *s, const struct spv_const *c)
{
	struct spv_big *big = new_big(s, BIG_CONST);
	big->cnst = c;
	return big;
}

void spv_set_load(struct spv *s, struct spv_op op, const struct spv_ptr *from)
{
	struct spv_big *big = new_big(s, BIG_LOAD);
	big->from = *from;
	big->at = ir_undef(&s->b, 32).inst;
	big->writes = s->writes;
	spv_define(s, op, (struct spv_val){ .type = spv_result_type(s, op), .big = big });
}

void spv_set_insert(struct spv *s, struct spv_op op, const struct spv_val *base, uint32_t first, uint32_t count,
	const struct ir_src *value)
{
	struct spv_big *big = new_big(s, BIG_INSERT);
	big->base = base;
	big->first = first;
	big->count = count;
	big->value = value;
	big->depth = base->big && base->big->kind == BIG_INSERT && !base->src ? base->big->depth + 1 : 1;
	spv_define(s, op, (struct spv_val){ .type = spv_result_type(s, op), .big = big });
}

void spv_set_like(struct spv *s, struct spv_op op, const struct spv_val *v)
{
	struct spv_val copy = *v;
	copy.type = spv_result_type(s, op);
	spv_define(s, op, copy);
}

/* --- leaves --- */

static void fill_from_load(struct spv *s, const struct spv_big *big, uint32_t first, uint32_t count, struct ir_src *out)
{
	struct ir_builder here = s->b;
	s->b = (struct ir_builder){ s->f, big->at->block, big->at, big->at->word };
	for (uint32_t i = 0; i < count; i++)
		if (!out[i].inst)
			out[i] = spv_load_leaf(s, &big->from, first + i);
	s->b = here;
}

static void fill_from_const(struct spv *s, const struct spv_const *c, uint32_t first, uint32_t count, struct ir_src *out)
{
	struct ir_src last[2] = { { 0 } }; /* number, bool */
	for (uint32_t i = 0; i < count; i++) {
		unsigned bits = spv_leaf_bits(c->type, first + i);
		struct ir_src *one = &last[bits == 1];
		if (out[i].inst)
			continue;
		if (!one->inst || one->inst->bits != bits || (!c->undef && one->inst->u.imm != c->words[first + i]))
			*one = c->undef ? ir_undef(&s->b, bits) : ir_const_of(&s->b, bits, c->words[first + i]);
		out[i] = *one;
	}
}

static void fill_from_leaves(const struct ir_src *in, uint32_t count, struct ir_src *out)
{
	for (uint32_t i = 0; i < count; i++)
		if (!out[i].inst)
			out[i] = in[i];
}

/* From the newest replaced part to the oldest: the newest that has a leaf wins. */
static void fill(struct spv *s, const struct spv_val *v, uint32_t first, uint32_t count, struct ir_src *out)
{
	for (;; v = v->big->base) {
		const struct spv_big *big = v->big;
		spv_charge(s, 1);
		if (v->src) {
			spv_charge(s, count / 8);
			fill_from_leaves(v->src + first, count, out);
			return;
		}
		if (big->kind == BIG_LOAD) {
			fill_from_load(s, big, first, count, out);
			return;
		}
		if (big->kind == BIG_CONST) {
			fill_from_const(s, big->cnst, first, count, out);
			return;
		}
		uint32_t from = big->first > first ? big->first : first;
		uint32_t end = big->first + big->count < first + count ? big->first + big->count : first + count;
		if (from < end) {
			spv_charge(s, (end - from) / 8);
			fill_from_leaves(big->value + (from - big->first), end - from, out + (from - first));
			if (from == first && end == first + count)
				return;
		}
	}
}

const struct ir_src *spv_part(struct spv *s, const struct spv_val *v, uint32_t first, uint32_t count)
{
	if (!v->src && v->big->kind == BIG_INSERT && count < v->type->leaves) {
		v->big->steps += v->big->depth;
		if (v->big->steps > v->type->leaves / 8)
			((struct spv_val *)v)->src = spv_part(s, v, 0, v->type->leaves);
	}
	if (v->src)
		return v->src + first;
	struct ir_src *out = spv_leaf_array(s, count);
	fill(s, v, first, count, out);
	if (count == v->type->leaves)
		((struct spv_val *)v)->src = out;
	return out;
}

/* --- stores --- */

static bool unchanged(const struct spv *s, const struct spv_big *big)
{
	return big->at->block == s->b.block && big->from.var->ir->written <= big->writes;
}

static bool same_place(const struct spv_ptr *a, const struct spv_ptr *b)
{
	return a->var->ir == b->var->ir && a->slot == b->slot && !a->dynamic.inst && !b->dynamic.inst;
}

static bool can_copy(const struct spv *s, const struct spv_val *v, const struct spv_ptr *p)
{
	return !v->src && v->big->kind == BIG_LOAD && unchanged(s, v->big) && v->big->from.var->ir->bits == p->var->ir->bits;
}

static void copy_variable(struct spv *s, const struct spv_ptr *from, const struct spv_ptr *to)
{
	bool dynamic[2] = { from->dynamic.inst, to->dynamic.inst };
	struct ir_copy *copy = spv_ir_alloc(s, sizeof *copy);
	*copy = (struct ir_copy){ from->var->ir, to->var->ir, from->slot, to->slot, to->type->leaves, dynamic[0], dynamic[1] };
	struct ir_src at[2] = { { 0 }, { 0 } };
	if (dynamic[0])
		at[0] = spv_use(s, from->dynamic);
	if (dynamic[1])
		at[1] = spv_use(s, to->dynamic);
	struct ir_inst *inst = ir_inst_new(s->f, IR_COPY_VAR, 0, 0, dynamic[0] + dynamic[1]);
	inst->u.copy = copy;
	for (unsigned i = 0, n = 0; i < 2; i++)
		if (dynamic[i])
			inst->src[n++] = at[i];
	ir_insert(&s->b, inst);
	spv_note_store(s, to);
}

static void store_leaves(struct spv *s, const struct spv_ptr *p, bool is_volatile, const struct spv_val *v)
{
	spv_store(s, p, is_volatile, spv_use_all(s, spv_part(s, v, 0, v->type->leaves), v->type->leaves));
}

/* v is what *p has now with some parts replaced, or a copy with some. */
static bool store_parts(struct spv *s, const struct spv_ptr *p, const struct spv_val *v)
{
	const struct spv_val *base = v;
	uint32_t depth = 0;
	for (; !base->src && base->big->kind == BIG_INSERT; base = base->big->base)
		depth++;
	if (p->dynamic.inst || !can_copy(s, base, p))
		return false;
	const struct spv_val **parts = spv_alloc(s, depth, sizeof *parts);
	spv_charge(s, depth);
	for (uint32_t i = depth; i-- > 0; v = v->big->base)
		parts[i] = v;
	if (!same_place(&base->big->from, p))
		copy_variable(s, &base->big->from, p);
	for (uint32_t i = 0; i < depth; i++) {
		const struct spv_big *part = parts[i]->big;
		for (uint32_t k = 0; k < part->count; k++)
			spv_put(s, p->var->ir, p->slot + part->first + k, spv_use(s, part->value[k]));
	}
	spv_note_store(s, p);
	return true;
}

void spv_store_value(struct spv *s, const struct spv_ptr *p, bool is_volatile, uint32_t id)
{
	const struct spv_val *v = spv_val(s, id);
	if (!v->big) {
		spv_store(s, p, is_volatile, spv_leaves(s, id, NULL));
		return;
	}
	if (p->kind == SPV_PTR_VAR && can_copy(s, v, p))
		copy_variable(s, &v->big->from, p);
	else if (p->kind != SPV_PTR_VAR || v->src || !store_parts(s, p, v))
		store_leaves(s, p, is_volatile, v);
}
