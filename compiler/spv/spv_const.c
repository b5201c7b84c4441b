/* SPDX-License-Identifier: MIT */
/* Constants and specialisation constants: every one becomes an array of words of 64
 * bits, one a leaf of its type, without bits beyond its width. */
#include "compiler/spv/spv_priv.h"

#include <string.h>

const struct spv_const *spv_const(struct spv *s, uint32_t id)
{
	const struct spv_id *i = spv_id(s, id);
	if (i->kind != SPV_ID_CONST)
		spv_invalid(s, "id %u is not a constant that stands before", id);
	return i->u.cnst;
}

/* Of an integer the low 32 bits, with its sign. */
static uint32_t low_word(const struct spv_const *c)
{
	uint64_t sign = c->type->is_signed && c->type->width < 32 ? 1ull << (c->type->width - 1) : 0;
	return (uint32_t)((c->words[0] ^ sign) - sign);
}

uint32_t spv_const_scalar(struct spv *s, uint32_t id)
{
	const struct spv_const *c = spv_const(s, id);
	if (c->type->kind != SPV_INT && c->type->kind != SPV_BOOL)
		spv_invalid(s, "id %u is not an integer constant", id);
	return low_word(c);
}

bool spv_is_const(struct spv *s, uint32_t id, uint32_t *value)
{
	const struct spv_id *i = spv_id(s, id);
	if (i->kind != SPV_ID_CONST || i->u.cnst->type->leaves != 1)
		return false;
	*value = low_word(i->u.cnst);
	return true;
}

static uint64_t *new_words(struct spv *s, const struct spv_type *type)
{
	if (type->leaves == UINT32_MAX)
		spv_unsupported(s, "a constant of this type");
	return spv_alloc(s, type->leaves, sizeof(uint64_t));
}

static bool specialise(struct spv *s, const struct spv_id *id, const struct spv_type *type, uint64_t *value)
{
	const struct spv_decor *d = spv_decoration(id, SpvDecorationSpecId, -1);
	if (!d)
		return false;
	uint32_t spec_id = spv_decor_param(s, d);
	for (size_t i = 0; i < s->in->spec_count; i++) {
		const struct compiler_spec *spec = &s->in->spec[i];
		if (spec->id != spec_id)
			continue;
		if (spec->size != spv_memory_bytes(type))
			spv_invalid(s, "specialisation constant %u has %u bytes, not %u", spec_id, spec->size,
				spv_memory_bytes(type));
		*value = 0;
		memcpy(value, spec->data, spec->size); /* little endian */
		if (type->kind == SPV_BOOL)
			*value = *value != 0;
		return true;
	}
	return false;
}

static void scalar_const(struct spv *s, struct spv_op op, const struct spv_type *type, uint64_t *words)
{
	bool is_bool = op.op == SpvOpConstantTrue || op.op == SpvOpConstantFalse ||
		op.op == SpvOpSpecConstantTrue || op.op == SpvOpSpecConstantFalse;
	if (is_bool != (type->kind == SPV_BOOL) || (!is_bool && type->kind != SPV_INT && type->kind != SPV_FLOAT))
		spv_invalid(s, "the type %u does not fit", op.w[1]);
	if (!is_bool && op.n != (type->width > 32 ? 5 : 4))
		spv_invalid(s, "%u words for a number of %u bits", op.n, type->width);
	words[0] = is_bool ? op.op == SpvOpConstantTrue || op.op == SpvOpSpecConstantTrue :
		(op.w[3] | (op.n > 4 ? (uint64_t)op.w[4] << 32 : 0)) & ir_ones(type->width);
	if (op.op >= SpvOpSpecConstantTrue && op.op <= SpvOpSpecConstant)
		specialise(s, spv_id(s, op.w[2]), type, words);
}

static const struct spv_type *part_type(const struct spv_type *type, uint32_t index)
{
	return type->kind == SPV_STRUCT ? type->members[index].type : type->elem;
}

static void composite_const(struct spv *s, struct spv_op op, const struct spv_type *type, uint64_t *words)
{
	if (type->kind < SPV_VECTOR || type->kind > SPV_STRUCT)
		spv_invalid(s, "the type %u is no composite", op.w[1]);
	if (op.n - 3u != type->count)
		spv_invalid(s, "%u constituents for %u", op.n - 3u, type->count);
	for (uint32_t i = 0; i < type->count; i++) {
		const struct spv_const *c = spv_const(s, op.w[3 + i]);
		if (!spv_same_shape(c->type, part_type(type, i)))
			spv_invalid(s, "constituent %u has another type", i);
		memcpy(words, c->words, c->type->leaves * sizeof *words);
		words += c->type->leaves;
	}
}

/* --- OpSpecConstantOp: op.w[3] is the operation, op.w[4...] its operands --- */

/* Walks literal indices from op.w[at]; the leaf offset of what they name. */
static const struct spv_type *walk(struct spv *s, struct spv_op op, uint32_t at, const struct spv_type *type, uint32_t *leaf)
{
	*leaf = 0;
	for (; at < op.n; at++) {
		uint32_t index = op.w[at];
		if (type->kind < SPV_VECTOR || type->kind > SPV_STRUCT || index >= type->count)
			spv_invalid(s, "index %u is out of range", index);
		*leaf += type->kind == SPV_STRUCT ? type->members[index].first_leaf : index * type->elem->leaves;
		type = part_type(type, index);
	}
	return type;
}

static void need_words(struct spv *s, struct spv_op op, uint32_t n)
{
	if (op.n < n)
		spv_invalid(s, "too few operands: %u words", op.n);
}

static void fold_extract(struct spv *s, struct spv_op op, const struct spv_type *type, uint64_t *words)
{
	uint32_t leaf;
	need_words(s, op, 6);
	const struct spv_const *c = spv_const(s, op.w[4]);
	if (!spv_same_shape(walk(s, op, 5, c->type, &leaf), type))
		spv_invalid(s, "the part has another type");
	memcpy(words, c->words + leaf, type->leaves * sizeof *words);
}

static void fold_insert(struct spv *s, struct spv_op op, const struct spv_type *type, uint64_t *words)
{
	uint32_t leaf;
	need_words(s, op, 7);
	const struct spv_const *part = spv_const(s, op.w[4]), *c = spv_const(s, op.w[5]);
	if (!spv_same_shape(c->type, type) || !spv_same_shape(walk(s, op, 6, c->type, &leaf), part->type))
		spv_invalid(s, "the part has another type");
	memcpy(words, c->words, type->leaves * sizeof *words);
	memcpy(words + leaf, part->words, part->type->leaves * sizeof *words);
}

static void fold_shuffle(struct spv *s, struct spv_op op, const struct spv_type *type, uint64_t *words)
{
	need_words(s, op, 6);
	const struct spv_const *a = spv_const(s, op.w[4]), *b = spv_const(s, op.w[5]);
	if (a->type->kind != SPV_VECTOR || b->type->kind != SPV_VECTOR || type->kind != SPV_VECTOR ||
		op.n - 6u != type->count)
		spv_invalid(s, "operands are not vectors");
	for (uint32_t i = 0; i < type->count; i++) {
		uint32_t k = op.w[6 + i], n = a->type->count;
		if (k != UINT32_MAX && k >= n + b->type->count)
			spv_invalid(s, "component %u is out of range", k);
		words[i] = k == UINT32_MAX ? 0 : k < n ? a->words[k] : b->words[k - n];
	}
}

static void fold_scalars(struct spv *s, struct spv_op op, const struct spv_type *type, uint64_t *words)
{
	const struct spv_const *c[3] = { NULL };
	uint32_t n = op.n - 4u;
	if (!spv_comps(type) || n < 1 || n > 3)
		spv_invalid(s, "%u operands", n);
	for (uint32_t i = 0; i < n; i++) {
		c[i] = spv_const(s, op.w[4 + i]);
		if (!spv_comps(c[i]->type))
			spv_invalid(s, "operand %u is no number or vector", i);
		if (c[i]->type->leaves != type->leaves && !(op.w[3] == SpvOpSelect && i == 0 && c[i]->type->leaves == 1))
			spv_invalid(s, "operand %u has another size", i);
	}
	for (uint32_t k = 0; k < type->leaves; k++) {
		uint64_t v[3] = { 0 }, value;
		for (uint32_t i = 0; i < n; i++)
			v[i] = c[i]->words[c[i]->type->leaves == 1 ? 0 : k];
		if (!spv_fold(op.w[3], s->f->float_mode, c[n > 2]->type->width, type->width, v, &value))
			spv_unsupported(s, "operation %s on constants", spv_op_name(op.w[3]));
		words[k] = value & ir_ones(type->width);
	}
}

static void fold(struct spv *s, struct spv_op op, const struct spv_type *type, uint64_t *words)
{
	switch (op.w[3]) {
	case SpvOpCompositeExtract: fold_extract(s, op, type, words); break;
	case SpvOpCompositeInsert: fold_insert(s, op, type, words); break;
	case SpvOpVectorShuffle: fold_shuffle(s, op, type, words); break;
	default: fold_scalars(s, op, type, words);
	}
}

void spv_const_op(struct spv *s, struct spv_op op)
{
	const struct spv_type *type = spv_type(s, op.w[1]);
	struct spv_const *c = spv_alloc(s, 1, sizeof *c);
	uint64_t *words = new_words(s, type);
	c->type = type;
	c->words = words;
	switch (op.op) {
	case SpvOpConstantComposite: case SpvOpSpecConstantComposite:
		composite_const(s, op, type, words);
		break;
	case SpvOpSpecConstantOp:
		fold(s, op, type, words);
		break;
	case SpvOpConstantNull:
		break;
	case SpvOpUndef:
		c->undef = true;
		break;
	default:
		scalar_const(s, op, type, words);
	}
	struct spv_id *id = spv_id(s, op.w[2]);
	id->kind = SPV_ID_CONST;
	id->u.cnst = c;
	const struct spv_decor *d = spv_decoration(id, SpvDecorationBuiltIn, -1);
	if (d && spv_decor_param(s, d) == SpvBuiltInWorkgroupSize) {
		if (type->leaves != 3 || type->width != 32)
			spv_invalid(s, "WorkgroupSize is not a vector of three integers of 32 bits");
		for (unsigned i = 0; i < 3; i++)
			s->local_size[i] = (uint32_t)words[i];
		memset(s->local_size_id, 0, sizeof s->local_size_id);
	}
}
