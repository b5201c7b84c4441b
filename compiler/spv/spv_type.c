/* SPDX-License-Identifier: MIT */
/* Types, with the layout decorations of their members. */
#include "compiler/spv/spv_priv.h"

static const struct spv_type *type_operand(struct spv *s, uint32_t id)
{
	const struct spv_id *i = spv_id(s, id);
	if (i->kind != SPV_ID_TYPE)
		spv_invalid(s, "id %u is not a type that stands before", id);
	return i->u.type;
}

const struct spv_type *spv_type(struct spv *s, uint32_t id)
{
	return type_operand(s, id);
}

const struct spv_type *spv_scalar_type(const struct spv_type *t)
{
	if (t->kind == SPV_MATRIX)
		t = t->elem;
	if (t->kind == SPV_VECTOR)
		t = t->elem;
	return t->kind == SPV_BOOL || t->kind == SPV_INT || t->kind == SPV_FLOAT ? t : NULL;
}

uint32_t spv_comps(const struct spv_type *t)
{
	if (t->kind == SPV_VECTOR)
		return t->count;
	return t->kind == SPV_BOOL || t->kind == SPV_INT || t->kind == SPV_FLOAT ? 1 : 0;
}

/* What a leaf lies in: its own type, or an outer one all of whose leaves are as wide. */
static const struct spv_type *around_leaf(const struct spv_type *t, uint32_t leaf, bool own)
{
	while (own ? t->kind == SPV_ARRAY || t->kind == SPV_STRUCT : t->mixed) {
		if (t->kind == SPV_ARRAY) {
			leaf %= t->elem->leaves;
			t = t->elem;
			continue;
		}
		uint32_t m = t->count - 1;
		while (m > 0 && (t->members[m].first_leaf > leaf || t->members[m].type->leaves == 0))
			m--;
		leaf -= t->members[m].first_leaf;
		t = t->members[m].type;
	}
	return t;
}

/* Bits of a leaf, of a bool 1.  The leaf exists. */
unsigned spv_leaf_bits(const struct spv_type *t, uint32_t leaf)
{
	return around_leaf(t, leaf, false)->width;
}

const struct spv_type *spv_leaf_type(const struct spv_type *t, uint32_t leaf)
{
	return spv_scalar_type(around_leaf(t, leaf, true));
}

/* Values of one may stand for the other: same leaves.  Compilers use distinct
 * struct types that differ in decorations only. */
bool spv_same_shape(const struct spv_type *a, const struct spv_type *b)
{
	if (a == b)
		return true;
	if (a->kind != b->kind || a->count != b->count || a->leaves != b->leaves || a->opaque || b->opaque)
		return false;
	if (a->leaves == 0 || a->leaves == UINT32_MAX) /* nothing to differ in, or too much to be a value */
		return a->leaves == 0;
	switch (a->kind) {
	case SPV_POINTER: /* values: others are opaque */
		return a->storage == b->storage;
	case SPV_BOOL: case SPV_INT: case SPV_FLOAT:
		return a->width == b->width;
	case SPV_VECTOR: case SPV_MATRIX: case SPV_ARRAY:
		return spv_same_shape(a->elem, b->elem);
	case SPV_STRUCT:
		for (uint32_t i = 0; i < a->count; i++)
			if (!spv_same_shape(a->members[i].type, b->members[i].type))
				return false;
		return true;
	default:
		return false;
	}
}

/* Interface and memory decorations of an id or a member, as flags. */
uint16_t spv_flags(const struct spv_id *id, int32_t member)
{
	uint16_t flags = 0;
	for (const struct spv_decor *d = id->decor; d; d = d->next) {
		if (d->member != member)
			continue;
		switch (d->decoration) {
		case SpvDecorationFlat: flags |= SPV_FLAT; break;
		case SpvDecorationNoPerspective: flags |= SPV_NOPERSPECTIVE; break;
		case SpvDecorationCentroid: flags |= SPV_CENTROID; break;
		case SpvDecorationSample: flags |= SPV_SAMPLE; break;
		case SpvDecorationPerVertexKHR: flags |= SPV_PER_VERTEX; break;
		case SpvDecorationPatch: flags |= SPV_PATCH; break;
		case SpvDecorationPerPrimitiveEXT: flags |= SPV_PER_PRIMITIVE; break;
		case SpvDecorationCoherent: flags |= SPV_COHERENT; break;
		case SpvDecorationVolatile: flags |= SPV_VOLATILE; break;
		case SpvDecorationRestrict: flags |= SPV_RESTRICT; break;
		case SpvDecorationNonWritable: flags |= SPV_NONWRITABLE; break;
		case SpvDecorationNonUniform: flags |= SPV_NONUNIFORM; break;
		default: break;
		}
	}
	return flags;
}

static void inherit(struct spv_type *t, const struct spv_type *of)
{
	t->any_bool |= of->any_bool;
	t->mixed |= of->mixed || (t->width && of->width && t->width != of->width);
	t->width = t->width > of->width ? t->width : of->width;
	t->opaque |= of->opaque;
	if (of->depth + 1 > SPV_MAX_TYPE_DEPTH)
		t->depth = SPV_MAX_TYPE_DEPTH + 1;
	else if (of->depth + 1 > t->depth)
		t->depth = (uint8_t)(of->depth + 1);
}

static void set_leaves(struct spv_type *t, uint64_t leaves)
{
	t->leaves = leaves > SPV_MAX_LEAVES || t->opaque ? UINT32_MAX : (uint32_t)leaves;
}

/* Size and alignment where nobody has laid it out: as the widest scalar asks for. */
static void pack(struct spv_type *t, uint64_t bytes, uint8_t align)
{
	t->packed_align = align ? align : 1;
	bytes = (bytes + t->packed_align - 1) & ~(uint64_t)(t->packed_align - 1);
	t->packed = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

static void scalar(struct spv *s, struct spv_type *t, struct spv_op op)
{
	t->leaves = 1;
	t->count = 1;
	t->any_bool = t->kind == SPV_BOOL;
	if (t->kind == SPV_FLOAT && op.n > 3)
		spv_unsupported(s, "floats of encoding %u", op.w[3]);
	if (!t->any_bool && op.w[2] != 16 && op.w[2] != 32 && op.w[2] != 64 && (op.w[2] != 8 || t->kind == SPV_FLOAT))
		spv_unsupported(s, "%u-bit numbers", op.w[2]);
	t->width = t->any_bool ? 1 : (uint8_t)op.w[2];
	pack(t, spv_memory_bytes(t), (uint8_t)spv_memory_bytes(t));
	if (t->kind == SPV_INT)
		t->is_signed = op.w[3] != 0;
}

static void vector(struct spv *s, struct spv_type *t, struct spv_op op)
{
	t->elem = type_operand(s, op.w[2]);
	t->count = op.w[3];
	uint8_t k = t->elem->kind;
	if (t->kind == SPV_VECTOR ? k != SPV_BOOL && k != SPV_INT && k != SPV_FLOAT :
		k != SPV_VECTOR || t->elem->elem->kind != SPV_FLOAT)
		spv_invalid(s, "the component type %u is wrong", op.w[2]);
	if (t->count < 2 || t->count > 4)
		spv_invalid(s, "%u components are not 2, 3 or 4", t->count);
	inherit(t, t->elem);
	t->leaves = t->count * t->elem->leaves;
	pack(t, (uint64_t)t->count * t->elem->packed, t->elem->packed_align);
}

static void array(struct spv *s, struct spv_type *t, struct spv_op op)
{
	t->elem = type_operand(s, op.w[2]);
	if (t->elem->kind == SPV_VOID || t->elem->kind == SPV_FUNCTION || t->elem->kind == SPV_RUNTIME_ARRAY)
		spv_invalid(s, "elements of type %u", op.w[2]);
	inherit(t, t->elem);
	if (t->kind == SPV_ARRAY) {
		t->count = spv_const_scalar(s, op.w[3]);
		if (t->count == 0 || t->count > INT32_MAX)
			spv_invalid(s, "the length %u is not positive", t->count);
	} else {
		t->opaque = true;
	}
	set_leaves(t, (uint64_t)t->count * t->elem->leaves);
	pack(t, (uint64_t)t->count * t->elem->packed, t->elem->packed_align);
	const struct spv_decor *d = spv_decoration(spv_id(s, t->id), SpvDecorationArrayStride, -1);
	if (d)
		t->stride = spv_decor_param(s, d);
}

static int32_t member_param(struct spv *s, const struct spv_id *id, uint32_t decoration, uint32_t m)
{
	const struct spv_decor *d = spv_decoration(id, decoration, (int32_t)m);
	return d ? (int32_t)(spv_decor_param(s, d) & INT32_MAX) : -1;
}

/* The members' decorations, each member's by itself: else looking them up one by
 * one is quadratic. */
static struct spv_id *split_by_member(struct spv *s, const struct spv_id *id, uint32_t count)
{
	struct spv_id *parts = spv_alloc(s, count, sizeof *parts);
	struct spv_decor ***end = spv_alloc(s, count, sizeof *end);
	for (uint32_t i = 0; i < count; i++)
		end[i] = &parts[i].decor;
	for (const struct spv_decor *d = id->decor; d; d = d->next) {
		if (d->member < 0 || (uint32_t)d->member >= count)
			continue;
		struct spv_decor *copy = spv_alloc(s, 1, sizeof *copy);
		*copy = *d;
		copy->next = NULL;
		*end[d->member] = copy;
		end[d->member] = &copy->next;
	}
	return parts;
}

static void structure(struct spv *s, struct spv_type *t, struct spv_op op)
{
	const struct spv_id *id = spv_id(s, t->id);
	uint64_t leaves = 0, bytes = 0;
	uint8_t align = 1;
	t->count = op.n - 2u;
	t->members = spv_alloc(s, t->count, sizeof *t->members);
	const struct spv_id *parts = split_by_member(s, id, t->count);
	t->block = spv_decoration(id, SpvDecorationBlock, -1);
	t->buffer_block = spv_decoration(id, SpvDecorationBufferBlock, -1);
	for (uint32_t i = 0; i < t->count; i++) {
		struct spv_member *m = &t->members[i];
		m->type = type_operand(s, op.w[2 + i]);
		if (m->type->kind == SPV_VOID || m->type->kind == SPV_FUNCTION)
			spv_invalid(s, "member %u has no value", i);
		if (m->type->kind == SPV_RUNTIME_ARRAY && i + 1 != t->count)
			spv_invalid(s, "member %u is a runtime array but not the last", i);
		inherit(t, m->type);
		m->first_leaf = leaves > SPV_MAX_LEAVES ? UINT32_MAX : (uint32_t)leaves;
		leaves += m->type->leaves;
		if (m->type->packed_align > 1)
			bytes = (bytes + m->type->packed_align - 1) & ~(uint64_t)(m->type->packed_align - 1);
		m->packed_offset = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
		bytes += m->type->packed;
		align = m->type->packed_align > align ? m->type->packed_align : align;
		int32_t offset = member_param(s, &parts[i], SpvDecorationOffset, i);
		int32_t stride = member_param(s, &parts[i], SpvDecorationMatrixStride, i);
		m->has_offset = offset >= 0;
		m->offset = offset < 0 ? 0 : (uint32_t)offset;
		m->matrix_stride = stride < 0 ? 0 : (uint32_t)stride;
		m->row_major = spv_decoration(&parts[i], SpvDecorationRowMajor, (int32_t)i);
		m->location = member_param(s, &parts[i], SpvDecorationLocation, i);
		m->component = member_param(s, &parts[i], SpvDecorationComponent, i);
		m->builtin = member_param(s, &parts[i], SpvDecorationBuiltIn, i);
		m->stream = member_param(s, &parts[i], SpvDecorationStream, i);
		m->flags = spv_flags(&parts[i], (int32_t)i);
	}
	set_leaves(t, leaves);
	pack(t, bytes, align);
}

static void image(struct spv *s, struct spv_type *t, struct spv_op op)
{
	t->elem = type_operand(s, op.w[2]);
	if (t->elem->kind != SPV_FLOAT && t->elem->kind != SPV_INT)
		spv_invalid(s, "the sampled type %u is no number", op.w[2]);
	if (t->elem->width != 32 && (t->elem->width != 64 || t->elem->kind != SPV_INT || op.w[7] != 2 || op.w[3] == SpvDimSubpassData))
		spv_unsupported(s, "images of %u-bit numbers that are no storage images of integers", t->elem->width);
	t->image.dim = (uint8_t)(op.w[3] > 255 ? 255 : op.w[3]);
	t->image.depth = op.w[4] == 1;
	t->image.arrayed = op.w[5] != 0;
	t->image.ms = op.w[6] != 0;
	t->image.sampled = (uint8_t)op.w[7];
	t->image.format = op.w[8];
	if (op.w[7] != 1 && op.w[7] != 2)
		spv_invalid(s, "Sampled is %u, not 1 or 2", op.w[7]);
	if (op.w[3] == SpvDimRect || op.w[3] > SpvDimSubpassData)
		spv_unsupported(s, "dimension %u", op.w[3]);
	if (op.w[3] == SpvDimSubpassData && op.w[7] != 2)
		spv_invalid(s, "a subpass input with Sampled 1");
	if ((t->image.ms && op.w[3] != SpvDim2D && op.w[3] != SpvDimSubpassData) ||
		(t->image.arrayed && (op.w[3] == SpvDim3D || op.w[3] == SpvDimBuffer)))
		spv_invalid(s, "dimension %u has no arrays or samples", op.w[3]);
	t->opaque = true;
	t->leaves = UINT32_MAX;
}

static void function(struct spv *s, struct spv_type *t, struct spv_op op)
{
	t->elem = type_operand(s, op.w[2]);
	t->count = op.n - 3u;
	t->params = spv_alloc(s, t->count, sizeof *t->params);
	for (uint32_t i = 0; i < t->count; i++)
		t->params[i] = type_operand(s, op.w[3 + i]);
	t->opaque = true;
	t->leaves = UINT32_MAX;
}

static uint8_t kind_of(uint32_t op)
{
	switch (op) {
	case SpvOpTypeVoid: return SPV_VOID;
	case SpvOpTypeBool: return SPV_BOOL;
	case SpvOpTypeInt: return SPV_INT;
	case SpvOpTypeFloat: return SPV_FLOAT;
	case SpvOpTypeVector: return SPV_VECTOR;
	case SpvOpTypeMatrix: return SPV_MATRIX;
	case SpvOpTypeArray: return SPV_ARRAY;
	case SpvOpTypeRuntimeArray: return SPV_RUNTIME_ARRAY;
	case SpvOpTypeStruct: return SPV_STRUCT;
	case SpvOpTypePointer: return SPV_POINTER;
	case SpvOpTypeImage: return SPV_IMAGE;
	case SpvOpTypeSampler: return SPV_SAMPLER;
	case SpvOpTypeSampledImage: return SPV_SAMPLED_IMAGE;
	case SpvOpTypeFunction: return SPV_FUNCTION;
	default: return UINT8_MAX;
	}
}

/* An address is a number of its own kind, whatever it points to. */
static void address(struct spv_type *t, uint8_t bits)
{
	t->leaves = 1;
	t->count = 1;
	t->width = bits;
	pack(t, bits / 8u, bits / 8u);
}

/* The pointer's OpTypePointer follows: its pointee is not known yet. */
static void forward_pointer(struct spv *s, struct spv_op op)
{
	struct spv_id *id = spv_id(s, op.w[1]);
	struct spv_type *t = spv_alloc(s, 1, sizeof *t);
	if (op.w[2] != SpvStorageClassPhysicalStorageBuffer || id->kind != SPV_ID_NONE || id->op != SpvOpTypePointer)
		spv_invalid(s, "id %u is no pointer of PhysicalStorageBuffer that follows", op.w[1]);
	t->kind = SPV_POINTER;
	t->id = op.w[1];
	t->storage = op.w[2];
	address(t, 64);
	id->kind = SPV_ID_TYPE;
	id->u.type = t;
}

static void pointer(struct spv *s, struct spv_type *t, struct spv_op op)
{
	const struct spv_decor *d = spv_decoration(spv_id(s, t->id), SpvDecorationArrayStride, -1);
	t->storage = op.w[2];
	t->elem = type_operand(s, op.w[3]);
	t->stride = d ? spv_decor_param(s, d) : 0;
	if (t->storage == SpvStorageClassPhysicalStorageBuffer ||
		(t->storage == SpvStorageClassStorageBuffer && s->storage_pointers)) {
		address(t, 64);
		return;
	}
	if (t->storage == SpvStorageClassWorkgroup && s->shared_pointers) {
		address(t, 32);
		return;
	}
	inherit(t, t->elem);
	t->opaque = true;
	t->leaves = UINT32_MAX;
}

void spv_type_op(struct spv *s, struct spv_op op)
{
	struct spv_type *t = spv_alloc(s, 1, sizeof *t);
	if (op.op == SpvOpTypeForwardPointer) {
		forward_pointer(s, op);
		return;
	}
	const struct spv_id *known = spv_id(s, op.w[1]);
	if (known->kind == SPV_ID_TYPE) /* by an OpTypeForwardPointer */
		t = (struct spv_type *)known->u.type;
	t->kind = kind_of(op.op);
	if (t->kind == UINT8_MAX)
		spv_unsupported(s, "this type");
	t->id = op.w[1];
	switch (t->kind) {
	case SPV_BOOL: case SPV_INT: case SPV_FLOAT: scalar(s, t, op); break;
	case SPV_VECTOR: case SPV_MATRIX: vector(s, t, op); break;
	case SPV_ARRAY: case SPV_RUNTIME_ARRAY: array(s, t, op); break;
	case SPV_STRUCT: structure(s, t, op); break;
	case SPV_IMAGE: image(s, t, op); break;
	case SPV_FUNCTION: function(s, t, op); break;
	case SPV_POINTER: pointer(s, t, op); break;
	case SPV_SAMPLED_IMAGE:
		t->elem = type_operand(s, op.w[2]);
		if (t->elem->kind != SPV_IMAGE || t->elem->image.dim == SpvDimSubpassData)
			spv_invalid(s, "type %u cannot be sampled", op.w[2]);
		break;
	default: break;
	}
	if (t->kind == SPV_SAMPLER || t->kind == SPV_SAMPLED_IMAGE) {
		t->opaque = true;
		t->leaves = UINT32_MAX;
	}
	if (t->kind == SPV_VOID)
		t->opaque = true;
	if (t->depth > SPV_MAX_TYPE_DEPTH)
		spv_unsupported(s, "types nest deeper than %d", SPV_MAX_TYPE_DEPTH);
	struct spv_id *id = spv_id(s, t->id);
	id->kind = SPV_ID_TYPE;
	id->u.type = t;
}
