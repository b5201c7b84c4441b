/* SPDX-License-Identifier: MIT */
/* Variables.  Those of the module are bound when code first names them, so
 * that what an entry point does not use needs no descriptor and no slot. */
#include "compiler/spv/spv_priv.h"

#include "isa/abi.h"

static const struct spv_type *block_type(const struct spv_type *t)
{
	return t->kind == SPV_ARRAY || t->kind == SPV_RUNTIME_ARRAY ? t->elem : t;
}

/* --- descriptors --- */

static bool image_fits(const struct spv_type *t, uint32_t type)
{
	if (t->kind == SPV_SAMPLER)
		return type == COMPILER_DESC_SAMPLER || type == COMPILER_DESC_COMBINED;
	if (t->kind == SPV_SAMPLED_IMAGE) {
		if (t->elem->image.dim == SpvDimBuffer)
			return type == COMPILER_DESC_UNIFORM_TEXEL;
		return type == COMPILER_DESC_COMBINED;
	}
	if (t->kind != SPV_IMAGE)
		return false;
	if (t->image.dim == SpvDimSubpassData)
		return type == COMPILER_DESC_INPUT_ATTACHMENT;
	if (t->image.dim == SpvDimBuffer)
		return type == (t->image.sampled == 1 ? COMPILER_DESC_UNIFORM_TEXEL : COMPILER_DESC_STORAGE_TEXEL);
	if (t->image.sampled == 2)
		return type == COMPILER_DESC_STORAGE_IMAGE;
	return type == COMPILER_DESC_SAMPLED_IMAGE || type == COMPILER_DESC_COMBINED;
}

static bool is_ssbo(const struct spv_var *var)
{
	return var->storage == SpvStorageClassStorageBuffer || block_type(var->type)->buffer_block;
}

static bool fits(const struct spv_var *var, uint32_t type)
{
	if (var->storage == SpvStorageClassUniformConstant)
		return image_fits(block_type(var->type), type);
	if (is_ssbo(var))
		return type == COMPILER_DESC_SSBO || type == COMPILER_DESC_SSBO_DYNAMIC;
	return type == COMPILER_DESC_UBO || type == COMPILER_DESC_UBO_DYNAMIC || type == COMPILER_DESC_INLINE;
}

static uint32_t required(struct spv *s, const struct spv_var *var, uint32_t decoration, const char *name)
{
	const struct spv_decor *d = spv_decoration(spv_id(s, var->id), decoration, -1);
	if (!d)
		spv_invalid(s, "variable %u has no %s", var->id, name);
	return spv_decor_param(s, d);
}

/* A mutable binding, as what the variable is. */
static const struct compiler_binding *as_type(struct spv *s, const struct spv_var *var, const struct compiler_binding *b)
{
	static const uint8_t types[] = { COMPILER_DESC_SAMPLER, COMPILER_DESC_SAMPLED_IMAGE, COMPILER_DESC_COMBINED,
		COMPILER_DESC_STORAGE_IMAGE, COMPILER_DESC_UNIFORM_TEXEL, COMPILER_DESC_STORAGE_TEXEL, COMPILER_DESC_UBO,
		COMPILER_DESC_SSBO, COMPILER_DESC_INPUT_ATTACHMENT };
	struct compiler_binding *as = spv_ir_alloc(s, sizeof *as);
	*as = *b;
	for (size_t i = 0; i < sizeof types; i++) {
		as->type = types[i];
		if (fits(var, as->type))
			return as;
	}
	spv_invalid(s, "variable %u is no descriptor", var->id);
}

static const struct compiler_binding *find_binding(struct spv *s, const struct spv_var *var)
{
	uint32_t set = required(s, var, SpvDecorationDescriptorSet, "DescriptorSet");
	uint32_t binding = required(s, var, SpvDecorationBinding, "Binding");
	for (size_t i = 0; i < s->in->binding_count; i++) {
		const struct compiler_binding *b = &s->in->bindings[i];
		if (b->set != set || b->binding != binding || b->count == 0)
			continue;
		if (b->type == COMPILER_DESC_MUTABLE)
			return as_type(s, var, b);
		if (!fits(var, b->type))
			spv_invalid(s, "variable %u does not fit the descriptor type of set %u binding %u", var->id, set,
				binding);
		return b;
	}
	spv_invalid(s, "variable %u: the pipeline layout has no set %u binding %u", var->id, set, binding);
}

static void bind_descriptor(struct spv *s, struct spv_var *var)
{
	const struct spv_type *t = block_type(var->type);
	if (var->storage != SpvStorageClassUniformConstant && (t->kind != SPV_STRUCT || (!t->block && !t->buffer_block)))
		spv_invalid(s, "variable %u is not a struct with Block or BufferBlock", var->id);
	var->binding = find_binding(s, var);
}

/* --- the other storage classes --- */

/* Of a constant, or of the address of a global variable. */
static const struct spv_type *initialiser_type(struct spv *s, uint32_t init)
{
	const struct spv_id *id = spv_id(s, init);
	return id->kind == SPV_ID_VAR ? spv_type(s, s->words[id->at + 1]) : spv_const(s, init)->type;
}

/* Global initialisers run before everything. */
static void initialise(struct spv *s, struct spv_var *var)
{
	if (!var->init)
		return;
	if (!spv_same_shape(initialiser_type(s, var->init), var->type))
		spv_invalid(s, "the initialiser of variable %u has another type", var->id);
	struct ir_builder here = s->b;
	if (var->storage != SpvStorageClassFunction)
		s->b = s->prologue;
	spv_put_all(s, var->ir, var->type, spv_leaves(s, var->init, NULL));
	if (var->storage != SpvStorageClassFunction)
		s->b = here;
	for (uint32_t i = 0; var->io && i < var->type->leaves; i++)
		var->io[i].written = true;
}

static void initialise_rows(struct spv *s, struct spv_var *var)
{
	if (!var->init)
		return;
	if (!spv_same_shape(initialiser_type(s, var->init), var->type))
		spv_invalid(s, "the initialiser of variable %u has another type", var->id);
	struct ir_builder here = s->b;
	s->b = s->prologue;
	spv_rows_store(s, spv_var_ptr(s, var), spv_leaves(s, var->init, NULL));
	s->b = here;
}

/* Bytes from where the type begins to its end, by its Offset, ArrayStride and MatrixStride. */
uint64_t spv_laid_out_bytes(const struct spv_type *t, const struct spv_member *m)
{
	uint64_t end = 0;
	switch (t->kind) {
	case SPV_ARRAY: return t->stride * (t->count - 1ull) + spv_laid_out_bytes(t->elem, m);
	case SPV_MATRIX: {
		uint32_t lines = m && m->row_major ? t->elem->count : t->count;
		return (m ? m->matrix_stride : 0) * (lines - 1ull) + 4ull * spv_memory_bytes(t);
	}
	case SPV_STRUCT:
		for (uint32_t i = 0; i < t->count; i++) {
			uint64_t bytes = t->members[i].offset + spv_laid_out_bytes(t->members[i].type, &t->members[i]);
			end = bytes > end ? bytes : end;
		}
		return end;
	default: return t->packed;
	}
}

static void reserve_shared(struct spv *s, uint64_t bytes)
{
	if (bytes > 65536)
		spv_unsupported(s, "%llu bytes of workgroup memory", (unsigned long long)bytes);
	bytes = (bytes + 3) & ~3ull;
	s->f->shared_bytes = bytes > s->f->shared_bytes ? (uint32_t)bytes : s->f->shared_bytes;
}

static void bind_shared(struct spv *s, struct spv_var *var)
{
	if (!ir_stage_has(s->f, ISA_GROUPS))
		spv_invalid(s, "workgroup memory outside compute, task and mesh shaders");
	if (var->type->leaves == UINT32_MAX)
		spv_unsupported(s, "workgroup memory of this type or size");
	if (var->type->block) { /* all such variables are the same memory */
		reserve_shared(s, spv_laid_out_bytes(var->type, NULL));
		return;
	}
	var->shared_offset = (s->f->shared_bytes + 15) & ~15u;
	reserve_shared(s, (uint64_t)var->shared_offset + var->type->packed);
}

static bool in_interface(const struct spv *s, const struct spv_var *var)
{
	bool listed = var->storage == SpvStorageClassInput || var->storage == SpvStorageClassOutput;
	if (s->words[1] < 0x00010400 && !listed) /* older modules list only inputs and outputs */
		return true;
	for (uint32_t i = 0; i < s->interface_count; i++)
		if (s->interface_[i] == var->id)
			return true;
	return false;
}

static void check_null(struct spv *s, const struct spv_var *var)
{
	const struct spv_const *c = spv_const(s, var->init);
	if (!spv_same_shape(c->type, var->type))
		spv_invalid(s, "the initialiser of variable %u has another type", var->id);
	for (uint32_t i = 0; i < c->type->leaves; i++)
		if (c->words[i])
			spv_unsupported(s, "workgroup memory that is initialised to other than null");
}

static void bind(struct spv *s, struct spv_var *var);

/* At the start of a compute shader: the workgroup's lanes clear what is between
 * the first and the last variable with an initialiser, and wait for each other. */
void spv_zero_shared(struct spv *s)
{
	uint32_t first = UINT32_MAX, end = 0;
	for (uint32_t i = 0; i < s->id_count; i++) {
		struct spv_var *var = s->ids[i].kind == SPV_ID_VAR ? s->ids[i].u.var : NULL;
		if (!var || var->storage != SpvStorageClassWorkgroup || !var->init || !in_interface(s, var))
			continue;
		check_null(s, var);
		bind(s, var);
		first = var->shared_offset < first ? var->shared_offset : first;
		end = s->f->shared_bytes;
	}
	if (!end)
		return;
	struct spv_io index = { .builtin = true, .slot = SpvBuiltInLocalInvocationIndex };
	const uint32_t *size = s->f->workgroup;
	struct ir_var *at = ir_var_new(s->f, 32, 1, "zero");
	struct ir_src start = ir_op2(&s->b, IR_ISHL, spv_builtin(s, &index), spv_u(s, 2));
	ir_store_var(&s->b, at, 0, ir_op2(&s->b, IR_IADD, start, spv_u(s, first)));
	struct ir_loop *loop = ir_begin_loop(&s->b);
	struct ir_src here = ir_load_var(&s->b, at, 0);
	struct ir_if *done = ir_begin_if(&s->b, ir_op2(&s->b, IR_UCMP_LE, spv_u(s, end), here));
	ir_jump(&s->b, IR_JUMP_BREAK);
	ir_end_if(&s->b, done);
	struct ir_inst *store = ir_inst_new(s->f, IR_STORE_SHARED, 0, 0, 2);
	store->src[0] = here;
	store->src[1] = spv_u(s, 0);
	store->u.mem.align = 4;
	ir_insert(&s->b, store);
	ir_store_var(&s->b, at, 0, ir_op2(&s->b, IR_IADD, here, spv_u(s, size[0] * size[1] * size[2] * 4)));
	ir_begin_cont(&s->b, loop);
	ir_end_loop(&s->b, loop);
	ir_insert(&s->b, ir_inst_new(s->f, IR_BARRIER, 0, 0, 0));
}

static void bind_mesh_output(struct spv *s, struct spv_var *var)
{
	spv_io_layout(s, var);
	if (var->init)
		spv_unsupported(s, "variable %u: an output of a mesh shader with an initialiser", var->id);
}

static void bind_payload(struct spv *s, struct spv_var *var)
{
	if (s->f->stage != COMPILER_TS && s->f->stage != COMPILER_MS)
		spv_invalid(s, "a payload outside task and mesh shaders");
	if (var->type->leaves == UINT32_MAX || var->type->packed > ABI_TASK_MAX_PAYLOAD)
		spv_unsupported(s, "a payload of %u bytes: maxTaskPayloadSize is %d", var->type->packed, ABI_TASK_MAX_PAYLOAD);
	s->f->mesh.payload_bytes = (var->type->packed + 3) & ~3u;
}

static void bind(struct spv *s, struct spv_var *var)
{
	var->ready = true;
	switch (var->storage) {
	case SpvStorageClassPrivate:
		var->ir = spv_cell(s, var->type, NULL);
		var->ir->word = spv_id(s, var->id)->at;
		initialise(s, var);
		break;
	case SpvStorageClassOutput:
		if (s->f->stage == COMPILER_MS) {
			bind_mesh_output(s, var);
			break;
		}
		var->rows = spv_rows_of(s, var);
		if (var->rows) {
			spv_io_layout(s, var);
			initialise_rows(s, var);
			break;
		}
		var->ir = spv_cell(s, var->type, NULL);
		var->ir->word = spv_id(s, var->id)->at;
		spv_io_layout(s, var);
		initialise(s, var);
		var->next = s->outputs;
		s->outputs = var;
		break;
	case SpvStorageClassInput:
		var->rows = spv_rows_of(s, var);
		spv_io_layout(s, var);
		break;
	case SpvStorageClassUniform: case SpvStorageClassStorageBuffer: case SpvStorageClassUniformConstant:
		bind_descriptor(s, var);
		break;
	case SpvStorageClassPushConstant:
		if (var->type->kind != SPV_STRUCT)
			spv_invalid(s, "push constants that are not a struct");
		break;
	case SpvStorageClassWorkgroup:
		bind_shared(s, var);
		break;
	case SpvStorageClassTaskPayloadWorkgroupEXT:
		bind_payload(s, var);
		break;
	default:
		break;
	}
}

/* An output that has an initialiser is written, even if nothing names it.  What a geometry
 * shader writes may be named behind the vertex that it is for. */
void spv_init_outputs(struct spv *s)
{
	bool all = s->f->stage == COMPILER_GS;
	for (uint32_t i = 0; i < s->id_count; i++) {
		struct spv_var *var = s->ids[i].kind == SPV_ID_VAR ? s->ids[i].u.var : NULL;
		if (var && var->storage == SpvStorageClassOutput && (var->init || all) && !var->ready && in_interface(s, var))
			bind(s, var);
	}
}

/* The address of the variable, bound if it is not yet. */
const struct spv_ptr *spv_var_ptr(struct spv *s, struct spv_var *var)
{
	if (!var->ready)
		bind(s, var);
	struct spv_ptr *p = spv_alloc(s, 1, sizeof *p);
	p->type = var->type;
	p->var = var;
	p->flags = var->flags;
	p->dynamic_align = 64;
	p->indexed = var->type->kind != SPV_ARRAY && var->type->kind != SPV_RUNTIME_ARRAY;
	switch (var->storage) {
	case SpvStorageClassOutput:
		p->kind = s->f->stage == COMPILER_MS ? SPV_PTR_MESH : var->rows ? SPV_PTR_ROWS : SPV_PTR_VAR;
		p->indexed = p->kind != SPV_PTR_MESH;
		break;
	case SpvStorageClassTaskPayloadWorkgroupEXT:
		p->kind = SPV_PTR_MEMORY;
		p->memory = SPV_MEM_GLOBAL;
		p->address = spv_payload_address(s);
		p->indexed = p->packed = true;
		break;
	case SpvStorageClassInput:
		p->kind = var->rows ? SPV_PTR_ROWS : SPV_PTR_INPUT;
		p->indexed = true;
		break;
	case SpvStorageClassUniformConstant: p->kind = SPV_PTR_HANDLE; break;
	case SpvStorageClassUniform: case SpvStorageClassStorageBuffer:
		p->kind = SPV_PTR_MEMORY;
		p->memory = is_ssbo(var) ? SPV_MEM_SSBO : SPV_MEM_UBO;
		break;
	case SpvStorageClassPushConstant:
		p->kind = SPV_PTR_MEMORY;
		p->memory = SPV_MEM_PUSH;
		p->indexed = true;
		break;
	case SpvStorageClassWorkgroup:
		p->kind = SPV_PTR_MEMORY;
		p->memory = SPV_MEM_SHARED;
		p->slot = var->shared_offset;
		p->indexed = true;
		p->packed = !var->type->block;
		break;
	default:
		p->kind = var->rows ? SPV_PTR_ROWS : SPV_PTR_VAR;
		p->indexed = true;
	}
	return p;
}

static bool known_storage(uint32_t storage)
{
	switch (storage) {
	case SpvStorageClassFunction: case SpvStorageClassPrivate: case SpvStorageClassInput: case SpvStorageClassOutput:
	case SpvStorageClassUniform: case SpvStorageClassStorageBuffer: case SpvStorageClassUniformConstant:
	case SpvStorageClassPushConstant: case SpvStorageClassWorkgroup: case SpvStorageClassTaskPayloadWorkgroupEXT:
		return true;
	default:
		return false;
	}
}

/* OpVariable, in the module or in a function: defines the id. */
struct spv_var *spv_variable(struct spv *s, struct spv_op op)
{
	struct spv_id *id = spv_id(s, op.w[2]);
	const struct spv_type *type = spv_type(s, op.w[1]);
	struct spv_var *var = spv_alloc(s, 1, sizeof *var);
	if (type->kind != SPV_POINTER || type->storage != op.w[3])
		spv_invalid(s, "the type %u is not a pointer of this storage class", op.w[1]);
	if (!known_storage(op.w[3]))
		spv_unsupported(s, "storage class %s (%u)", spv_enum_name(SPV_ENUM_STORAGE, op.w[3]), op.w[3]);
	var->id = op.w[2];
	var->type = type->elem;
	var->storage = op.w[3];
	var->flags = spv_flags(id, -1);
	s->shared_layout |= var->storage == SpvStorageClassWorkgroup && var->type->block; /* one has, so all have */
	var->init = op.n > 4 ? op.w[4] : 0;
	id->kind = SPV_ID_VAR;
	id->u.var = var;
	return var;
}

/* In an inlined function the variable is undefined again at every call; saying
 * so keeps values from flowing around loops of the caller. */
void spv_function_variable(struct spv *s, struct spv_op op)
{
	struct spv_var *var = spv_variable(s, op);
	if (var->storage != SpvStorageClassFunction)
		spv_invalid(s, "a variable of this storage class in a function");
	var->ready = true;
	var->ir = spv_cell(s, var->type, NULL);
	var->ir->word = op.at;
	if (var->init)
		initialise(s, var);
	else if (var->type->leaves <= 64)
		for (uint32_t i = 0; i < var->type->leaves; i++)
			ir_store_var(&s->b, var->ir, i, ir_undef(&s->b, var->ir->bits));
}
