/* SPDX-License-Identifier: MIT */
/* Instructions that take composites apart and put them together. */
#include "compiler/spv/spv_priv.h"

#include <string.h>

static const struct spv_type *part(struct spv *s, const struct spv_type *type, uint32_t index, uint32_t *leaf)
{
	if (type->kind < SPV_VECTOR || type->kind > SPV_STRUCT || type->kind == SPV_RUNTIME_ARRAY || index >= type->count)
		spv_invalid(s, "index %u is out of range", index);
	if (type->kind == SPV_STRUCT) {
		*leaf += type->members[index].first_leaf;
		return type->members[index].type;
	}
	*leaf += index * type->elem->leaves;
	return type->elem;
}

static void extract(struct spv *s, struct spv_op op)
{
	const struct spv_type *type = spv_type_of(s, op.w[3]);
	const struct spv_val *v = spv_val(s, op.w[3]);
	const struct ir_src *in = NULL;
	uint32_t leaf = 0;
	if (!v->big)
		in = spv_leaves(s, op.w[3], &type);
	for (uint32_t i = 4; i < op.n; i++)
		type = part(s, type, op.w[i], &leaf);
	if (!spv_same_shape(type, spv_result_type(s, op)))
		spv_invalid(s, "the result has another type than the part");
	if (in)
		spv_set(s, op, in + leaf);
	else
		spv_set(s, op, spv_use_all(s, spv_part(s, v, leaf, type->leaves), type->leaves));
}

static void insert(struct spv *s, struct spv_op op)
{
	const struct spv_type *object, *type = spv_type_of(s, op.w[4]), *at;
	const struct ir_src *value = spv_leaves(s, op.w[3], &object), *in = NULL;
	if (type->leaves <= SPV_BIG || type->leaves == UINT32_MAX)
		in = spv_leaves(s, op.w[4], NULL);
	uint32_t leaf = 0;
	at = type;
	for (uint32_t i = 5; i < op.n; i++)
		at = part(s, at, op.w[i], &leaf);
	if (!spv_same_shape(at, object) || !spv_same_shape(type, spv_result_type(s, op)))
		spv_invalid(s, "the object has another type than the part");
	if (!in) {
		spv_set_insert(s, op, spv_val(s, op.w[4]), leaf, object->leaves, value);
		return;
	}
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	memcpy(out, in, type->leaves * sizeof *out);
	memcpy(out + leaf, value, object->leaves * sizeof *out);
	spv_set(s, op, out);
}

/* Vectors may be built of scalars and vectors; others of their parts. */
static void construct(struct spv *s, struct spv_op op)
{
	const struct spv_type *type = spv_result_type(s, op), *from;
	if (type->kind < SPV_VECTOR || type->kind > SPV_STRUCT || type->leaves == UINT32_MAX)
		spv_invalid(s, "the result is not a composite of values");
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	uint32_t leaf = 0;
	if (type->kind != SPV_VECTOR && op.n - 3u != type->count)
		spv_invalid(s, "%u constituents for %u", op.n - 3u, type->count);
	for (uint32_t i = 3; i < op.n; i++) {
		const struct ir_src *in = spv_leaves(s, op.w[i], &from);
		const struct spv_type *want = type->elem;
		if (type->kind == SPV_STRUCT)
			want = type->members[i - 3].type;
		bool vector = type->kind == SPV_VECTOR && from->kind == SPV_VECTOR;
		if (!spv_same_shape(vector ? from->elem : from, want) || from->leaves > type->leaves - leaf)
			spv_invalid(s, "constituent %u has another type", i - 3);
		memcpy(out + leaf, in, from->leaves * sizeof *out);
		leaf += from->leaves;
	}
	if (leaf != type->leaves)
		spv_invalid(s, "%u components for %u", leaf, type->leaves);
	spv_set(s, op, out);
}

static void shuffle(struct spv *s, struct spv_op op)
{
	const struct spv_type *a_type, *b_type, *type = spv_result_type(s, op);
	const struct ir_src *a = spv_leaves(s, op.w[3], &a_type), *b = spv_leaves(s, op.w[4], &b_type);
	if (a_type->kind != SPV_VECTOR || b_type->kind != SPV_VECTOR || type->kind != SPV_VECTOR ||
		!spv_same_shape(a_type->elem, type->elem) || !spv_same_shape(b_type->elem, type->elem))
		spv_invalid(s, "operands are not vectors of one component type");
	if (op.n - 5u != type->count)
		spv_invalid(s, "%u components for %u", op.n - 5u, type->count);
	struct ir_src *out = spv_leaf_array(s, type->count);
	for (uint32_t i = 0; i < type->count; i++) {
		uint32_t k = op.w[5 + i], n = a_type->count;
		if (k != UINT32_MAX && k >= n + b_type->count)
			spv_invalid(s, "component %u is out of range", k);
		out[i] = k == UINT32_MAX ? ir_undef(&s->b, type->width) : k < n ? a[k] : b[k - n];
	}
	spv_set(s, op, out);
}

static struct ir_src is_index(struct spv *s, struct ir_src index, uint32_t i)
{
	return ir_op2(&s->b, IR_ICMP_EQ, index, ir_const(&s->b, i));
}

static void extract_dynamic(struct spv *s, struct spv_op op)
{
	const struct spv_type *type;
	const struct ir_src *in = spv_leaves(s, op.w[3], &type);
	struct ir_src index = spv_index(s, op.w[4]), *out = spv_leaf_array(s, 1);
	if (type->kind != SPV_VECTOR || !spv_same_shape(type->elem, spv_result_type(s, op)))
		spv_invalid(s, "not a component of a vector");
	out[0] = in[type->count - 1];
	for (uint32_t i = type->count - 1; i-- > 0;)
		out[0] = ir_op3(&s->b, IR_SELECT, is_index(s, index, i), in[i], out[0]);
	spv_set(s, op, out);
}

static void insert_dynamic(struct spv *s, struct spv_op op)
{
	const struct spv_type *type, *object;
	const struct ir_src *in = spv_leaves(s, op.w[3], &type), *value = spv_leaves(s, op.w[4], &object);
	struct ir_src index = spv_index(s, op.w[5]), *out = spv_leaf_array(s, type->leaves);
	if (type->kind != SPV_VECTOR || !spv_same_shape(type->elem, object) ||
		!spv_same_shape(type, spv_result_type(s, op)))
		spv_invalid(s, "not a component of a vector");
	for (uint32_t i = 0; i < type->count; i++)
		out[i] = ir_op3(&s->b, IR_SELECT, is_index(s, index, i), value[0], in[i]);
	spv_set(s, op, out);
}

static void transpose(struct spv *s, struct spv_op op)
{
	const struct spv_type *from, *to = spv_result_type(s, op);
	const struct ir_src *in = spv_leaves(s, op.w[3], &from);
	if (from->kind != SPV_MATRIX || to->kind != SPV_MATRIX || from->count != to->elem->count ||
		from->elem->count != to->count)
		spv_invalid(s, "not matrices of transposed sizes");
	struct ir_src *out = spv_leaf_array(s, to->leaves);
	for (uint32_t c = 0; c < from->count; c++)
		for (uint32_t r = 0; r < to->count; r++)
			out[r * from->count + c] = in[c * to->count + r];
	spv_set(s, op, out);
}

bool spv_composite(struct spv *s, struct spv_op op)
{
	switch (op.op) {
	case SpvOpCompositeExtract: extract(s, op); return true;
	case SpvOpCompositeInsert: insert(s, op); return true;
	case SpvOpCompositeConstruct: construct(s, op); return true;
	case SpvOpVectorShuffle: shuffle(s, op); return true;
	case SpvOpVectorExtractDynamic: extract_dynamic(s, op); return true;
	case SpvOpVectorInsertDynamic: insert_dynamic(s, op); return true;
	case SpvOpTranspose: transpose(s, op); return true;
	default: return false;
	}
}
