/* SPDX-License-Identifier: MIT */
/* Pointers: access chains, and the instructions that load and store through
 * them. */
#include "compiler/spv/spv_priv.h"

#include "isa/abi.h"

/* A value that is an address, as a pointer. */
static const struct spv_ptr *pointer_to(struct spv *s, uint32_t id, const struct spv_val *v)
{
	struct spv_ptr *p = spv_alloc(s, 1, sizeof *p);
	struct ir_src value = spv_use(s, v->src[0]);
	p->kind = SPV_PTR_MEMORY;
	p->type = v->type->elem;
	p->dynamic_align = 64;
	p->indexed = true;
	if (!p->type)
		spv_invalid(s, "a pointer of type %u, which has no pointee", v->type->id);
	switch (v->type->storage) {
	case SpvStorageClassPhysicalStorageBuffer:
		p->memory = SPV_MEM_GLOBAL;
		p->address = value;
		return p;
	case SpvStorageClassStorageBuffer:
		p->memory = SPV_MEM_SSBO;
		p->dynamic = ir_convert(&s->b, IR_UCONV, 32, value);
		p->index = ir_op1(&s->b, IR_HIGH, value);
		p->flags = s->shared_pointers ? SPV_NONUNIFORM : spv_flags(spv_id(s, id), -1) & SPV_NONUNIFORM;
		break;
	default:
		p->memory = SPV_MEM_SHARED;
		p->dynamic = ir_op2(&s->b, IR_IXOR, value, spv_u(s, 1u << SPV_SHARED_POINTER_BIT));
		p->packed = !s->shared_layout;
	}
	p->dynamic_align = 1; /* of what it came from nothing is known but what its type needs */
	if (spv_scalar_type(p->type))
		p->dynamic_align = spv_memory_bytes(spv_scalar_type(p->type));
	return p;
}

/* From an element to the next one; of a pointer that came from no array, its pointee's bytes. */
uint32_t spv_element_bytes(struct spv *s, const struct spv_type *pointer, uint32_t known)
{
	bool packed = pointer->storage == SpvStorageClassWorkgroup && !s->shared_layout;
	uint64_t bytes = packed ? pointer->elem->packed : known ? known : pointer->stride ? pointer->stride :
		spv_laid_out_bytes(pointer->elem, NULL);
	if (!bytes || bytes > UINT32_MAX)
		spv_invalid(s, "elements of type %u have no size", pointer->elem->id);
	return (uint32_t)bytes;
}

/* Of a storage buffer where its descriptor is. */
static struct ir_src place_of(struct spv *s, const struct spv_ptr *p)
{
	if (!p->var)
		return spv_use(s, p->index);
	const struct compiler_binding *b = p->var->binding;
	bool dynamic = b->type == COMPILER_DESC_SSBO_DYNAMIC;
	uint32_t first = dynamic ? ABI_ROOT_DYNAMIC + ABI_DESC_BUFFER_BYTES * b->dynamic : b->offset;
	uint32_t stride = dynamic ? ABI_DESC_BUFFER_BYTES : b->stride;
	if (first + (uint64_t)stride * b->count > 1u << IR_PLACE_SHIFT)
		spv_unsupported(s, "a pointer to a buffer of set %u binding %u as a value", b->set, b->binding);
	first |= (dynamic ? IR_PLACE_ROOT : b->set + 1) << IR_PLACE_SHIFT;
	if (!p->index.inst)
		return spv_u(s, first);
	return ir_op2(&s->b, IR_IADD, spv_u(s, first), ir_op2(&s->b, IR_IMUL, spv_use(s, p->index), spv_u(s, stride)));
}

struct ir_src spv_address_of(struct spv *s, const struct spv_ptr *p)
{
	if (!p->indexed)
		spv_unsupported(s, "a pointer to an array of buffers as a value");
	if (p->memory != SPV_MEM_GLOBAL) {
		struct ir_src offset = spv_u(s, p->slot);
		if (p->dynamic.inst)
			offset = ir_op2(&s->b, IR_IADD, spv_use(s, p->dynamic), offset);
		return p->memory == SPV_MEM_SSBO ? ir_op2(&s->b, IR_PACK, offset, place_of(s, p)) :
			ir_op2(&s->b, IR_IXOR, offset, spv_u(s, 1u << SPV_SHARED_POINTER_BIT));
	}
	struct ir_src at = spv_use(s, p->address);
	if (p->dynamic.inst)
		at = ir_op2(&s->b, IR_IADD, at, ir_convert(&s->b, IR_UCONV, 64, spv_use(s, p->dynamic)));
	return p->slot ? ir_op2(&s->b, IR_IADD, at, ir_const_of(&s->b, 64, p->slot)) : at;
}

const struct spv_ptr *spv_pointer(struct spv *s, uint32_t id)
{
	const struct spv_val *v = spv_val(s, id);
	if (!v->ptr && v->src && spv_is_address(v->type))
		return pointer_to(s, id, v);
	if (!v->ptr)
		spv_invalid(s, "id %u is not a pointer", id);
	return v->ptr;
}

/* --- one step of an access chain --- */

/* A constant index, or a value; stride is in leaves or bytes. */
struct step { bool dynamic; uint32_t index; struct ir_src value; };

static uint32_t low_bit(uint32_t v)
{
	v |= 64;
	return v & (0u - v);
}

static void advance(struct spv *s, struct spv_ptr *p, struct step at, uint32_t stride, uint32_t count)
{
	if (p->kind == SPV_PTR_ROWS) {
		spv_rows_advance(s, p, at.value, at.dynamic ? stride : at.index < count ? at.index * stride : (count - 1) * stride,
			count);
		return;
	}
	if (!at.dynamic) {
		/* Out of range is undefined, not invalid: stay inside. */
		if (count && at.index >= count)
			at.index = count - 1;
		p->slot += at.index * stride;
		return;
	}
	struct ir_src term = at.value;
	if (p->kind == SPV_PTR_MESH)
		stride = count > 1 ? (uint32_t)spv_mesh_distance(s, p->var, p->slot, p->slot + stride) : 0;
	if (stride != 1)
		term = ir_op2(&s->b, IR_IMUL, term, ir_const(&s->b, stride));
	if (!p->dynamic.inst && (p->kind == SPV_PTR_VAR || p->kind == SPV_PTR_INPUT || p->kind == SPV_PTR_MESH)) {
		p->span_first = p->slot;
		p->span = p->type->leaves;
	}
	if (p->dynamic.inst)
		term = ir_op2(&s->b, IR_IADD, spv_use(s, p->dynamic), term);
	p->dynamic = term;
	if (low_bit(stride) < p->dynamic_align)
		p->dynamic_align = low_bit(stride);
}

/* Into an array of descriptors.  The index is kept inside the binding, since
 * what lies beyond it is no descriptor. */
static void step_binding(struct spv *s, struct spv_ptr *p, struct step at)
{
	uint32_t count = p->var->binding->count;
	if (!at.dynamic && at.index >= count)
		at.index = count - 1;
	p->index = at.dynamic ? ir_op2(&s->b, IR_UMIN, at.value, ir_const(&s->b, count - 1)) :
		at.index ? ir_const(&s->b, at.index) : (struct ir_src){ 0 };
	p->type = p->type->elem;
	p->indexed = true;
}

static void step_struct(struct spv *s, struct spv_ptr *p, struct step at)
{
	const struct spv_type *t = p->type;
	if (at.dynamic || at.index >= t->count)
		spv_invalid(s, "the index of a struct is not a constant below %u", t->count);
	const struct spv_member *m = &t->members[at.index];
	p->flags |= m->flags;
	p->type = m->type;
	p->stride = 0;
	if (p->kind != SPV_PTR_MEMORY) {
		p->slot += m->first_leaf;
	} else if (p->packed) {
		p->slot += m->packed_offset;
	} else {
		if (!m->has_offset)
			spv_invalid(s, "member %u has no Offset", at.index);
		p->slot += m->offset;
		p->matrix_stride = m->matrix_stride;
		p->row_major = m->row_major;
	}
}

static void step_matrix(struct spv *s, struct spv_ptr *p, struct step at)
{
	const struct spv_type *t = p->type;
	uint32_t stride = t->elem->leaves;
	if (p->kind == SPV_PTR_MEMORY && p->packed) {
		stride = t->elem->packed;
	} else if (p->kind == SPV_PTR_MEMORY) {
		if (!p->matrix_stride)
			spv_invalid(s, "a matrix without MatrixStride");
		stride = p->row_major ? spv_memory_bytes(t) : p->matrix_stride;
		if (p->row_major)
			p->comp_stride = p->matrix_stride;
	}
	advance(s, p, at, stride, t->count);
	p->type = t->elem;
}

static void step_array(struct spv *s, struct spv_ptr *p, struct step at)
{
	const struct spv_type *t = p->type;
	if (spv_rows_vertex(s, p, at.value, at.index))
		return;
	uint32_t stride = t->elem->leaves;
	if (p->kind == SPV_PTR_MEMORY)
		stride = p->packed ? t->elem->packed : t->stride;
	if (p->kind == SPV_PTR_MEMORY && !stride)
		spv_invalid(s, "an array without ArrayStride");
	advance(s, p, at, stride, t->kind == SPV_ARRAY ? t->count : 0);
	p->type = t->elem;
	p->stride = stride;
}

static void step(struct spv *s, struct spv_ptr *p, struct step at)
{
	if (!p->indexed && p->kind == SPV_PTR_MESH) {
		spv_mesh_element(s, p, at.dynamic ? at.value : spv_u(s, at.index));
		return;
	}
	if (!p->indexed) {
		step_binding(s, p, at);
		return;
	}
	switch (p->type->kind) {
	case SPV_STRUCT:
		step_struct(s, p, at);
		break;
	case SPV_MATRIX:
		step_matrix(s, p, at);
		break;
	case SPV_VECTOR: {
		const struct spv_type *t = p->type;
		uint32_t stride = p->comp_stride ? p->comp_stride : spv_memory_bytes(t);
		advance(s, p, at, p->kind == SPV_PTR_MEMORY ? stride : 1, t->count);
		p->type = t->elem;
		break;
	}
	case SPV_ARRAY: case SPV_RUNTIME_ARRAY:
		step_array(s, p, at);
		break;
	default:
		spv_invalid(s, "too many indices");
	}
}

/* The part of *p with a constant index. */
struct spv_ptr spv_ptr_at(struct spv *s, const struct spv_ptr *p, uint32_t index)
{
	struct spv_ptr q = *p;
	step(s, &q, (struct step){ .index = index });
	return q;
}

/* The pointer, as an element of an array, some elements on. */
static void step_pointer(struct spv *s, struct spv_ptr *p, uint32_t pointer, uint32_t id)
{
	const struct spv_type *type = spv_type_of(s, pointer);
	struct ir_src by = spv_operands(s, id, 1)[0];
	if (!spv_is_address(type))
		spv_unsupported(s, "pointers of this storage class that count elements");
	uint32_t stride = p->packed ? type->elem->packed : type->stride;
	if (!stride)
		spv_invalid(s, "the pointer type %u has no ArrayStride", type->id);
	if (p->memory != SPV_MEM_GLOBAL) {
		by = ir_op2(&s->b, IR_IMUL, spv_index(s, id), spv_u(s, stride));
		p->dynamic = p->dynamic.inst ? ir_op2(&s->b, IR_IADD, spv_use(s, p->dynamic), by) : by;
		if (low_bit(stride) < p->dynamic_align)
			p->dynamic_align = low_bit(stride);
		return;
	}
	if (by.inst->bits < 64)
		by = ir_convert(&s->b, spv_type_of(s, id)->is_signed ? IR_SCONV : IR_UCONV, 64, by);
	by = ir_op2(&s->b, IR_IMUL, by, ir_const_of(&s->b, 64, type->stride));
	p->address = ir_op2(&s->b, IR_IADD, spv_address_of(s, p), by);
	p->slot = 0;
	p->dynamic = (struct ir_src){ 0 };
}

void spv_access_chain(struct spv *s, struct spv_op op)
{
	struct spv_ptr *p = spv_alloc(s, 1, sizeof *p);
	const struct spv_type *type = spv_result_type(s, op);
	bool counts = op.op == SpvOpPtrAccessChain || op.op == SpvOpInBoundsPtrAccessChain;
	*p = *spv_pointer(s, op.w[3]);
	if (p->kind == SPV_PTR_TEXEL)
		spv_invalid(s, "into a texel");
	if (counts)
		step_pointer(s, p, op.w[3], op.w[4]);
	for (uint32_t i = counts ? 5 : 4; i < op.n; i++) {
		struct step at = { 0 };
		if (!spv_is_const(s, op.w[i], &at.index)) {
			at.dynamic = true;
			at.value = spv_index(s, op.w[i]);
			if (!p->indexed)
				p->flags |= spv_flags(spv_id(s, op.w[i]), -1) & SPV_NONUNIFORM;
		}
		step(s, p, at);
	}
	if (type->kind != SPV_POINTER || type->elem != p->type)
		spv_invalid(s, "the result type %u is not a pointer to type %u", op.w[1], p->type->id);
	spv_set_ptr(s, op, p);
}

/* --- instructions --- */

static bool is_volatile(struct spv_op op, uint32_t mask_word)
{
	return op.n > mask_word && (op.w[mask_word] & SpvMemoryAccessVolatileMask);
}

static bool holds_handle(const struct spv_type *t)
{
	return t->kind == SPV_IMAGE || t->kind == SPV_SAMPLER || t->kind == SPV_SAMPLED_IMAGE;
}

static struct ir_src array_index(struct spv *s, const struct spv_ptr *p)
{
	return p->index.inst ? spv_use(s, p->index) : (struct ir_src){ 0 };
}

static void load_handle(struct spv *s, struct spv_op op, const struct spv_ptr *p)
{
	struct spv_handle *h = spv_alloc(s, 1, sizeof *h);
	if (p->kind != SPV_PTR_HANDLE || !p->indexed)
		spv_invalid(s, "not an image or sampler");
	h->flags = p->flags;
	if (p->type->kind != SPV_SAMPLER) {
		h->image = p->type->kind == SPV_IMAGE ? p->type : p->type->elem;
		h->texture = p->var->binding;
		h->texture_index = array_index(s, p);
	}
	if (p->type->kind != SPV_IMAGE) {
		h->sampler = p->var->binding;
		h->sampler_index = array_index(s, p);
	}
	spv_set_handle(s, op, h);
}

static void load(struct spv *s, struct spv_op op)
{
	const struct spv_ptr *p = spv_pointer(s, op.w[3]);
	const struct spv_type *type = spv_result_type(s, op);
	if (type != p->type && !spv_same_shape(type, p->type))
		spv_invalid(s, "the result type %u is not the pointer's", op.w[1]);
	if (holds_handle(type)) {
		load_handle(s, op, p);
		return;
	}
	if (type->leaves == UINT32_MAX)
		spv_unsupported(s, "a load of this type or size");
	if (p->kind == SPV_PTR_VAR && type->leaves > SPV_BIG) {
		spv_set_load(s, op, p);
		return;
	}
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	spv_load(s, p, is_volatile(op, 4), out);
	spv_set(s, op, out);
}

static void store(struct spv *s, struct spv_op op)
{
	const struct spv_ptr *p = spv_pointer(s, op.w[1]);
	if (!spv_same_shape(spv_type_of(s, op.w[2]), p->type))
		spv_invalid(s, "the object has another type than the pointer");
	spv_store_value(s, p, is_volatile(op, 3), op.w[2]);
}

static void copy_memory(struct spv *s, struct spv_op op)
{
	const struct spv_ptr *to = spv_pointer(s, op.w[1]), *from = spv_pointer(s, op.w[2]);
	if (!spv_same_shape(to->type, from->type) || to->type->leaves == UINT32_MAX)
		spv_invalid(s, "the pointers differ in type, or it has no values");
	struct ir_src *leaves = spv_leaf_array(s, from->type->leaves);
	spv_load(s, from, is_volatile(op, 3), leaves);
	spv_store(s, to, is_volatile(op, 3), leaves);
}

static void array_length(struct spv *s, struct spv_op op)
{
	const struct spv_ptr *p = spv_pointer(s, op.w[3]);
	if (p->kind != SPV_PTR_MEMORY || p->memory != SPV_MEM_SSBO || p->type->kind != SPV_STRUCT ||
		op.w[4] >= p->type->count)
		spv_invalid(s, "not a storage buffer's struct");
	if (!p->var)
		spv_unsupported(s, "the length of an array behind a variable pointer");
	struct spv_ptr q = spv_ptr_at(s, p, op.w[4]);
	if (q.type->kind != SPV_RUNTIME_ARRAY || !q.type->stride || q.dynamic.inst)
		spv_invalid(s, "member %u is not a runtime array with a stride", op.w[4]);
	struct ir_inst *size = ir_inst_new(s->f, IR_SSBO_SIZE, 32, 1, 1);
	size->u.mem.binding = p->var->binding;
	size->src[0] = p->index.inst ? spv_use(s, p->index) : ir_const(&s->b, 0);
	spv_insert_access(s, size, 1, p->flags);
	struct ir_src *out = spv_leaf_array(s, 1);
	/* A buffer may end before the array; a null descriptor has no bytes. */
	struct ir_src start = ir_const(&s->b, q.slot), bytes = ir_comp(size, 0);
	struct ir_src rest = q.slot ? ir_op2(&s->b, IR_ISUB, ir_op2(&s->b, IR_UMAX, bytes, start), start) : bytes;
	uint32_t stride = q.type->stride;
	if (stride & (stride - 1))
		out[0] = ir_op2(&s->b, IR_UDIV, rest, ir_const(&s->b, stride));
	else
		out[0] = ir_op2(&s->b, IR_USHR, rest, ir_const(&s->b, (uint32_t)__builtin_ctz(stride)));
	if (spv_result_type(s, op)->kind != SPV_INT)
		spv_invalid(s, "the result is not an integer");
	spv_set(s, op, out);
}

bool spv_memory_op(struct spv *s, struct spv_op op)
{
	switch (op.op) {
	case SpvOpVariable: spv_function_variable(s, op); return true;
	case SpvOpAccessChain: case SpvOpInBoundsAccessChain: case SpvOpPtrAccessChain: case SpvOpInBoundsPtrAccessChain:
		spv_access_chain(s, op);
		return true;
	case SpvOpLoad: load(s, op); return true;
	case SpvOpStore: store(s, op); return true;
	case SpvOpCopyMemory: copy_memory(s, op); return true;
	case SpvOpArrayLength: array_length(s, op); return true;
	default: return false;
	}
}
