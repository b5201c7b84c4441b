/* SPDX-License-Identifier: MIT */
/* Values of ids.
 *
 * A value is an array of scalars, one a leaf of its type.  SPIR-V lets a value
 * be used wherever its definition dominates; in the tree this is plain when the
 * list of the definition is still open.  When it is not (the tree has merged
 * paths with flags), the value goes through a variable that is stored right
 * after the definition: ir_pass_ssa finds the way. */
#include "compiler/spv/spv_priv.h"

#include "compiler/ir/ir_eval.h"

#include <string.h>

struct spv_spill { struct spv_spill *next; struct ir_inst *inst; struct ir_var *vars[4]; };

static bool list_is_open(const struct spv *s, const struct ir_list *list)
{
	const struct ir_node *n = &s->b.block->node;
	while (n->list != list) {
		n = n->list->owner;
		if (!n)
			return false;
	}
	return true;
}

static struct ir_src through_variable(struct spv *s, struct ir_src src)
{
	struct ir_inst *inst = src.inst;
	struct spv_spill *spill = inst->pass;
	if (!spill) {
		spill = spv_alloc(s, 1, sizeof *spill);
		*spill = (struct spv_spill){ .next = s->spills, .inst = inst };
		inst->pass = s->spills = spill;
	}
	struct ir_var **var = &spill->vars[src.comp & 3];
	if (!*var) {
		*var = ir_var_new(s->f, inst->bits, 1, NULL);
		struct ir_builder b = { s->f, inst->block, inst->next, inst->word };
		ir_store_var(&b, *var, 0, src);
	}
	return ir_load_var(&s->b, *var, 0);
}

struct ir_src spv_use(struct spv *s, struct ir_src src)
{
	if (src.inst->block == s->b.block || list_is_open(s, src.inst->block->node.list))
		return src;
	if (src.inst->op == IR_CONST)
		return ir_const_of(&s->b, src.inst->bits, src.inst->u.imm);
	if (src.inst->op == IR_UNDEF)
		return ir_undef(&s->b, src.inst->bits);
	return through_variable(s, src);
}

/* inst->pass belongs to whoever runs next. */
void spv_clear_spills(struct spv *s)
{
	for (struct spv_spill *k = s->spills; k; k = k->next)
		k->inst->pass = NULL;
}

struct ir_src *spv_leaf_array(struct spv *s, uint32_t count)
{
	return spv_alloc(s, count, sizeof(struct ir_src));
}

void spv_undef_leaves(struct spv *s, const struct spv_type *type, struct ir_src *out)
{
	struct ir_src b = { 0 }, n = { 0 };
	if (type->any_bool)
		b = ir_undef(&s->b, 1);
	if (type->width > 1)
		n = ir_undef(&s->b, type->width);
	for (uint32_t i = 0; i < type->leaves; i++) {
		unsigned bits = spv_leaf_bits(type, i);
		out[i] = bits == 1 ? b : bits == type->width ? n : ir_undef(&s->b, bits);
	}
}

static const struct ir_src *const_leaves(struct spv *s, const struct spv_const *c)
{
	struct ir_src *out = spv_leaf_array(s, c->type->leaves);
	if (c->undef) {
		spv_undef_leaves(s, c->type, out);
		return out;
	}
	for (uint32_t i = 0; i < c->type->leaves; i++)
		out[i] = ir_const_of(&s->b, spv_leaf_bits(c->type, i), c->words[i]);
	return out;
}

/* Any id that may be an operand: a constant, a variable's address, a result. */
const struct spv_val *spv_val(struct spv *s, uint32_t id)
{
	const struct spv_id *i = spv_id(s, id);
	struct spv_val *v;
	switch (i->kind) {
	case SPV_ID_VALUE:
		return i->u.val;
	case SPV_ID_CONST:
		v = spv_alloc(s, 1, sizeof *v);
		v->type = i->u.cnst->type;
		if (v->type->leaves > SPV_BIG)
			v->big = spv_big_const(s, i->u.cnst);
		else
			v->src = const_leaves(s, i->u.cnst);
		return v;
	case SPV_ID_VAR:
		v = spv_alloc(s, 1, sizeof *v);
		v->type = spv_type(s, s->words[i->at + 1]);
		v->ptr = spv_var_ptr(s, i->u.var);
		return v;
	default:
		spv_invalid(s, "id %u is not a value that stands before", id);
	}
}

const struct spv_type *spv_type_of(struct spv *s, uint32_t id)
{
	const struct spv_id *i = spv_id(s, id);
	if (i->kind == SPV_ID_VALUE)
		return i->u.val->type;
	if (i->kind == SPV_ID_CONST)
		return i->u.cnst->type;
	return spv_val(s, id)->type;
}

const struct ir_src *spv_use_all(struct spv *s, const struct ir_src *in, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (in[i].inst->block == s->b.block || list_is_open(s, in[i].inst->block->node.list))
			continue;
		struct ir_src *out = spv_leaf_array(s, count);
		memcpy(out, in, i * sizeof *out);
		for (; i < count; i++)
			out[i] = spv_use(s, in[i]);
		return out;
	}
	return in;
}

const struct ir_src *spv_leaves(struct spv *s, uint32_t id, const struct spv_type **type)
{
	const struct spv_val *v = spv_val(s, id);
	if (v->ptr && spv_is_address(v->type)) {
		struct ir_src *out = spv_leaf_array(s, 1);
		out[0] = spv_address_of(s, v->ptr);
		if (type)
			*type = v->type;
		return out;
	}
	if (!v->src && !v->big)
		spv_invalid(s, "id %u is not a number or a composite of numbers", id);
	if (type)
		*type = v->type;
	if (v->type->leaves > SPV_BIG)
		spv_charge(s, v->type->leaves / 8);
	return spv_use_all(s, v->src ? v->src : spv_part(s, v, 0, v->type->leaves), v->type->leaves);
}

static const struct ir_src *checked(struct spv *s, uint32_t id, uint32_t count, bool is_bool, unsigned bits)
{
	const struct spv_type *type;
	const struct ir_src *leaves = spv_leaves(s, id, &type);
	const struct spv_type *scalar = spv_scalar_type(type);
	if (!scalar || (scalar->kind == SPV_BOOL) != is_bool)
		spv_invalid(s, "operand %u is not of %s", id, is_bool ? "bools" : "numbers");
	if (type->leaves != count)
		spv_invalid(s, "operand %u has %u components, not %u", id, type->leaves, count);
	if (bits && scalar->width != bits)
		spv_invalid(s, "operand %u has %u bits, not %u", id, scalar->width, bits);
	return leaves;
}

const struct ir_src *spv_numbers(struct spv *s, uint32_t id, uint32_t count)
{
	return checked(s, id, count, false, 32);
}

const struct ir_src *spv_operands(struct spv *s, uint32_t id, uint32_t count)
{
	return checked(s, id, count, false, 0);
}

const struct ir_src *spv_bools(struct spv *s, uint32_t id, uint32_t count)
{
	return checked(s, id, count, true, 1);
}

struct ir_src spv_number(struct spv *s, uint32_t id)
{
	return spv_numbers(s, id, 1)[0];
}

struct ir_src spv_index(struct spv *s, uint32_t id)
{
	struct ir_src v = spv_operands(s, id, 1)[0];
	if (spv_type_of(s, id)->kind != SPV_INT)
		spv_invalid(s, "the index %u is no integer", id);
	return v.inst->bits == 32 ? v : ir_convert(&s->b, spv_type_of(s, id)->is_signed ? IR_SCONV : IR_UCONV, 32, v);
}

/* --- results --- */

const struct spv_type *spv_result_type(struct spv *s, struct spv_op op)
{
	return spv_type(s, op.w[1]);
}

void spv_define(struct spv *s, struct spv_op op, struct spv_val v)
{
	struct spv_id *id = spv_id(s, op.w[2]);
	struct spv_val *val = spv_alloc(s, 1, sizeof *val);
	*val = v;
	id->kind = SPV_ID_VALUE;
	id->u.val = val;
}

void spv_set(struct spv *s, struct spv_op op, const struct ir_src *leaves)
{
	const struct spv_type *type = spv_result_type(s, op);
	if (type->leaves == UINT32_MAX)
		spv_unsupported(s, "a result of this type or size");
	for (uint32_t i = 0; i < type->leaves; i++)
		if (leaves[i].inst->bits != (type->mixed ? spv_leaf_bits(type, i) : type->width))
			spv_invalid(s, "the result has numbers of %u bits, not %u", spv_leaf_bits(type, i), leaves[i].inst->bits);
	spv_define(s, op, (struct spv_val){ .type = type, .src = leaves });
}

static uint16_t non_uniform(struct spv *s, struct spv_op op)
{
	return spv_flags(spv_id(s, op.w[2]), -1) & SPV_NONUNIFORM;
}

/* A result that is NonUniform is so whatever it was made of. */
void spv_set_ptr(struct spv *s, struct spv_op op, const struct spv_ptr *ptr)
{
	if (non_uniform(s, op) & ~ptr->flags) {
		struct spv_ptr *marked = spv_alloc(s, 1, sizeof *marked);
		*marked = *ptr;
		marked->flags |= SPV_NONUNIFORM;
		ptr = marked;
	}
	spv_define(s, op, (struct spv_val){ .type = spv_result_type(s, op), .ptr = ptr });
}

void spv_set_handle(struct spv *s, struct spv_op op, const struct spv_handle *handle)
{
	if (non_uniform(s, op) & ~handle->flags) {
		struct spv_handle *marked = spv_alloc(s, 1, sizeof *marked);
		*marked = *handle;
		marked->flags |= SPV_NONUNIFORM;
		handle = marked;
	}
	spv_define(s, op, (struct spv_val){ .type = spv_result_type(s, op), .handle = handle });
}

/* --- cells: variables for values of a type, as wide as its widest leaf.  Bools alone
 * stay bools; among numbers they are 0 or 1. --- */

struct ir_var *spv_cell(struct spv *s, const struct spv_type *type, const char *name)
{
	if (type->leaves == UINT32_MAX)
		spv_unsupported(s, "a variable of this type or size");
	return ir_var_new(s->f, type->width ? type->width : 32, type->leaves, name);
}

/* The value in so many bits: a number that is not zero is true, true is 1. */
struct ir_src spv_as(struct spv *s, struct ir_src value, unsigned bits)
{
	unsigned from = value.inst->bits;
	if (from == bits)
		return value;
	if (bits == 1)
		return ir_op2(&s->b, IR_ICMP_NE, value, ir_const_of(&s->b, from, 0));
	if (from == 1)
		value = ir_op1(&s->b, IR_B2I, value);
	return value.inst->bits == bits ? value : ir_convert(&s->b, IR_UCONV, bits, value);
}

void spv_put(struct spv *s, struct ir_var *cell, uint32_t slot, struct ir_src value)
{
	value = spv_as(s, value, cell->bits);
	cell->written = ++s->writes;
	ir_store_var(&s->b, cell, slot, value);
}

struct ir_src spv_get(struct spv *s, struct ir_var *cell, uint32_t slot, unsigned bits)
{
	return spv_as(s, ir_load_var(&s->b, cell, slot), bits);
}

void spv_put_all(struct spv *s, struct ir_var *cell, const struct spv_type *type, const struct ir_src *leaves)
{
	for (uint32_t i = 0; i < type->leaves; i++)
		spv_put(s, cell, i, leaves[i]);
}

const struct ir_src *spv_get_all(struct spv *s, struct ir_var *cell, const struct spv_type *type)
{
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	for (uint32_t i = 0; i < type->leaves; i++)
		out[i] = spv_get(s, cell, i, spv_leaf_bits(type, i));
	return out;
}

/* --- building --- */

struct ir_src spv_1(struct spv *s, enum ir_op op, struct ir_src a)
{
	struct ir_src r = ir_op1(&s->b, op, a);
	r.inst->precise = s->precise;
	return r;
}

struct ir_src spv_2(struct spv *s, enum ir_op op, struct ir_src a, struct ir_src b)
{
	struct ir_src r = ir_op2(&s->b, op, a, b);
	r.inst->precise = s->precise;
	return r;
}

struct ir_src spv_exact_2(struct spv *s, enum ir_op op, struct ir_src a, struct ir_src b)
{
	struct ir_src r = ir_op2(&s->b, op, a, b);
	r.inst->precise = true;
	return r;
}

struct ir_src spv_3(struct spv *s, enum ir_op op, struct ir_src a, struct ir_src b, struct ir_src c)
{
	struct ir_src r = ir_op3(&s->b, op, a, b, c);
	r.inst->precise = s->precise;
	return r;
}

struct ir_src spv_f(struct spv *s, float value)
{
	return ir_constf(&s->b, value);
}

struct ir_src spv_f_of(struct spv *s, unsigned bits, float value)
{
	uint32_t word;
	uint64_t v[3] = { 0 };
	memcpy(&word, &value, sizeof word);
	v[0] = word;
	ir_eval(IR_FCONV, 32, bits, v, &v[1]);
	return ir_const_of(&s->b, bits, v[1]);
}

struct ir_src spv_i_of(struct spv *s, unsigned bits, int64_t value)
{
	return ir_const_of(&s->b, bits, (uint64_t)value);
}

const struct ir_src *spv_singles(struct spv *s, const struct ir_src *v, uint32_t n)
{
	struct ir_src *out = spv_leaf_array(s, n);
	for (uint32_t i = 0; i < n; i++)
		out[i] = v[i].inst->bits == 32 ? v[i] : ir_convert(&s->b, IR_FCONV, 32, v[i]);
	return out;
}

void spv_from_singles(struct spv *s, unsigned bits, struct ir_src *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (v[i].inst->bits != bits)
			v[i] = ir_convert(&s->b, IR_FCONV, bits, v[i]);
}

struct ir_src spv_u(struct spv *s, uint32_t value)
{
	return ir_const(&s->b, value);
}
