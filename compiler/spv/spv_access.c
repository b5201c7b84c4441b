/* SPDX-License-Identifier: MIT */
/* Loads and stores of whole values through a pointer, by kind of memory. */
#include "compiler/spv/spv_priv.h"

/* --- buffers, push constants, workgroup memory --- */

static struct ir_src address(struct spv *s, const struct spv_ptr *p, uint32_t extra, uint32_t *align)
{
	uint32_t offset = p->slot + extra, low = offset | 64;
	*align = low & (0u - low);
	if (!p->dynamic.inst)
		return ir_const(&s->b, offset);
	if (p->dynamic_align < *align)
		*align = p->dynamic_align;
	struct ir_src dynamic = spv_use(s, p->dynamic);
	return offset ? ir_op2(&s->b, IR_IADD, dynamic, ir_const(&s->b, offset)) : dynamic;
}

struct ir_inst *spv_mem_inst(struct spv *s, const struct spv_ptr *p, enum ir_op op, unsigned comps, uint32_t extra,
	unsigned data_count, struct ir_src **data)
{
	bool buffer = p->memory == SPV_MEM_UBO || p->memory == SPV_MEM_SSBO, global = p->memory == SPV_MEM_GLOBAL;
	uint32_t align;
	if (buffer && !p->indexed)
		spv_invalid(s, "an array of buffers as a whole");
	struct ir_src at = address(s, p, extra, &align), index = { 0 };
	if (buffer)
		index = p->index.inst ? spv_use(s, p->index) : ir_const(&s->b, 0);
	if (global)
		index = spv_use(s, p->address);
	unsigned bits = comps ? 8 * spv_memory_bytes(p->type) : 0;
	struct ir_inst *inst = ir_inst_new(s->f, op, bits, comps, (buffer || global ? 2 : 1) + data_count);
	inst->u.mem.binding = !buffer ? NULL : p->var ? p->var->binding : &ir_binding_of_place;
	inst->u.mem.align = align;
	inst->u.mem.coherent = p->flags & (SPV_COHERENT | SPV_VOLATILE);
	inst->u.mem.restrict_ = p->flags & SPV_RESTRICT;
	inst->u.mem.readonly = p->memory == SPV_MEM_UBO || p->memory == SPV_MEM_PUSH || (p->memory == SPV_MEM_SSBO &&
		(!s->module_writes || (p->flags & SPV_NONWRITABLE && p->flags & SPV_RESTRICT)));
	struct ir_src *next = inst->src;
	if (buffer || global)
		*next++ = index;
	*next++ = at;
	*data = next;
	return inst;
}

/* Where the index may differ from lane to lane, a loop: each turn takes the first lane's and
 * does the access for all lanes that have the same, which leave.  The access stands before
 * the loop's only way out, so that its result is what comes after. */
void spv_insert_access(struct spv *s, struct ir_inst *inst, unsigned indices, uint16_t flags)
{
	struct ir_src all = { 0 }, of[2];
	struct ir_loop *loop = NULL;
	for (unsigned i = 0; i < indices && flags & SPV_NONUNIFORM; i++) {
		of[i] = inst->src[i];
		if (of[i].inst->op == IR_CONST)
			continue;
		if (!loop)
			loop = ir_begin_loop(&s->b);
		if (i && of[i].inst == of[0].inst && of[i].comp == of[0].comp) {
			inst->src[i] = inst->src[0];
			continue;
		}
		inst->src[i] = ir_op1(&s->b, IR_FIRST_LANE, of[i]);
		struct ir_src same = ir_op2(&s->b, IR_ICMP_EQ, inst->src[i], of[i]);
		all = all.inst ? ir_op2(&s->b, IR_BAND, all, same) : same;
	}
	if (!loop) {
		ir_insert(&s->b, inst);
		return;
	}
	struct ir_if *mine = ir_begin_if(&s->b, all);
	ir_insert(&s->b, inst);
	ir_jump(&s->b, IR_JUMP_BREAK);
	ir_end_if(&s->b, mine);
	ir_begin_cont(&s->b, loop);
	ir_end_loop(&s->b, loop);
}

static void insert_memory(struct spv *s, const struct spv_ptr *p, struct ir_inst *inst)
{
	bool buffer = p->memory == SPV_MEM_UBO || p->memory == SPV_MEM_SSBO;
	spv_insert_access(s, inst, buffer ? 1 : 0, p->flags);
}

static enum ir_op load_op(const struct spv_ptr *p)
{
	static const uint16_t ops[] = { [SPV_MEM_UBO] = IR_LOAD_UBO, [SPV_MEM_SSBO] = IR_LOAD_SSBO,
		[SPV_MEM_PUSH] = IR_LOAD_PUSH, [SPV_MEM_SHARED] = IR_LOAD_SHARED, [SPV_MEM_GLOBAL] = IR_LOAD_GLOBAL };
	return ops[p->memory];
}

/* Scalars that one instruction moves (see ir_check.c): 16 bytes of words, or one that is smaller. */
static unsigned at_once(const struct spv_ptr *p)
{
	uint32_t bytes = spv_memory_bytes(p->type);
	return bytes < 4 ? 1 : 16 / bytes;
}

/* n scalars in a row, to out[0], out[stride], ... */
static void load_scalars(struct spv *s, const struct spv_ptr *p, uint32_t extra, unsigned n, struct ir_src *out,
	uint32_t stride)
{
	struct ir_src *data;
	struct ir_inst *inst = spv_mem_inst(s, p, load_op(p), n, extra, 0, &data);
	insert_memory(s, p, inst);
	for (unsigned i = 0; i < n; i++)
		out[i * stride] = spv_as(s, ir_comp(inst, i), p->type->width);
}

static void store_scalars(struct spv *s, const struct spv_ptr *p, uint32_t extra, unsigned n,
	const struct ir_src *value, uint32_t stride)
{
	struct ir_src *data, words[4];
	for (unsigned i = 0; i < n; i++)
		words[i] = spv_as(s, value[i * stride], 8 * spv_memory_bytes(p->type));
	enum ir_op op = p->memory == SPV_MEM_SSBO ? IR_STORE_SSBO : p->memory == SPV_MEM_GLOBAL ? IR_STORE_GLOBAL :
		IR_STORE_SHARED;
	struct ir_inst *inst = spv_mem_inst(s, p, op, 0, extra, n, &data);
	for (unsigned i = 0; i < n; i++)
		data[i] = words[i];
	insert_memory(s, p, inst);
}

/* One visitor for both directions: value is read if `storing`, else written. */
static void transfer(struct spv *s, const struct spv_ptr *p, struct ir_src *value, bool storing);

/* How many scalars of 8 or 16 bits from `extra` on fill whole words: these move as words.  The
 * buffer's own alignment has to be known. */
static unsigned in_words(const struct spv_ptr *p, uint32_t extra, unsigned n)
{
	uint32_t bytes = spv_memory_bytes(p->type), low = (p->slot + extra) | 64, align = low & (0u - low);
	if (p->dynamic.inst && p->dynamic_align < align)
		align = p->dynamic_align;
	return bytes >= 4 || align < 4 || p->memory == SPV_MEM_GLOBAL ? 0 : n * bytes / 4 * 4 / bytes;
}

/* The same memory, as words. */
static struct spv_ptr as_words(const struct spv_ptr *p)
{
	static const struct spv_type word = { .kind = SPV_INT, .width = 32, .leaves = 1, .count = 1 };
	struct spv_ptr q = *p;
	q.type = &word;
	return q;
}

static void move_words(struct spv *s, const struct spv_ptr *p, uint32_t extra, unsigned n, struct ir_src *value,
	uint32_t stride, bool storing)
{
	struct spv_ptr q = as_words(p);
	struct ir_src words[4], parts[16];
	unsigned count = n * spv_memory_bytes(p->type) / 4;
	if (storing) {
		for (unsigned i = 0; i < n; i++)
			parts[i] = value[i * stride];
		spv_regroup(s, parts, n, 32, words);
		store_scalars(s, &q, extra, count, words, 1);
		return;
	}
	load_scalars(s, &q, extra, count, words, 1);
	spv_regroup(s, words, count, p->type->width, parts);
	for (unsigned i = 0; i < n; i++)
		value[i * stride] = parts[i];
}

static void transfer_scalars(struct spv *s, const struct spv_ptr *p, uint32_t extra, unsigned n, struct ir_src *value,
	uint32_t stride, bool storing)
{
	unsigned step = at_once(p), done = in_words(p, extra, n);
	if (done)
		move_words(s, p, extra, done, value, stride, storing);
	for (unsigned i = done; i < n; i += step) {
		uint32_t at = extra + i * spv_memory_bytes(p->type);
		unsigned some = n - i < step ? n - i : step;
		if (storing)
			store_scalars(s, p, at, some, value + i * stride, stride);
		else
			load_scalars(s, p, at, some, value + i * stride, stride);
	}
}

static void transfer_matrix(struct spv *s, const struct spv_ptr *p, struct ir_src *value, bool storing)
{
	uint32_t columns = p->type->count, rows = p->type->elem->count;
	if (!p->row_major || p->packed) {
		for (uint32_t c = 0; c < columns; c++) {
			struct spv_ptr column = spv_ptr_at(s, p, c);
			transfer(s, &column, value + c * rows, storing);
		}
		return;
	}
	if (!p->matrix_stride)
		spv_invalid(s, "a matrix without MatrixStride");
	for (uint32_t r = 0; r < rows; r++)
		transfer_scalars(s, p, r * p->matrix_stride, columns, value + r, rows, storing);
}

static void transfer(struct spv *s, const struct spv_ptr *p, struct ir_src *value, bool storing)
{
	const struct spv_type *t = p->type;
	if (!t->leaves) /* structs of nothing, as many as there may be */
		return;
	switch (t->kind) {
	case SPV_BOOL: case SPV_INT: case SPV_FLOAT: case SPV_VECTOR: case SPV_POINTER: {
		uint32_t n = t->kind == SPV_POINTER ? 1 : spv_comps(t);
		if (p->memory != SPV_MEM_SHARED && !p->packed && t->any_bool)
			spv_invalid(s, "a bool in a buffer");
		if (!p->comp_stride || p->comp_stride == spv_memory_bytes(t))
			transfer_scalars(s, p, 0, n, value, 1, storing);
		else
			for (uint32_t i = 0; i < n; i++)
				transfer_scalars(s, p, i * p->comp_stride, 1, value + i, 1, storing);
		break;
	}
	case SPV_MATRIX:
		transfer_matrix(s, p, value, storing);
		break;
	case SPV_ARRAY: case SPV_STRUCT:
		if (!p->indexed)
			spv_invalid(s, "an array of buffers as a whole");
		for (uint32_t i = 0; i < t->count; i++) {
			struct spv_ptr part = spv_ptr_at(s, p, i);
			transfer(s, &part, value, storing);
			value += part.type->leaves;
		}
		break;
	default:
		spv_invalid(s, "no value can be loaded or stored here");
	}
}

/* --- variables --- */

static struct ir_src get_at(struct spv *s, const struct spv_ptr *p, struct ir_var *cell, uint32_t leaf)
{
	unsigned bits = spv_leaf_bits(p->type, leaf);
	if (!p->dynamic.inst)
		return spv_get(s, cell, p->slot + leaf, bits);
	return spv_as(s, ir_load_var_at(&s->b, cell, p->slot + leaf, spv_use(s, p->dynamic)), bits);
}

struct ir_src spv_load_leaf(struct spv *s, const struct spv_ptr *p, uint32_t leaf)
{
	return get_at(s, p, p->var->ir, leaf);
}

static void put_at(struct spv *s, const struct spv_ptr *p, uint32_t leaf, struct ir_src value)
{
	struct ir_var *cell = p->var->ir;
	if (!p->dynamic.inst) {
		spv_put(s, cell, p->slot + leaf, value);
		return;
	}
	value = spv_as(s, value, cell->bits);
	cell->written = ++s->writes;
	ir_store_var_at(&s->b, cell, p->slot + leaf, spv_use(s, p->dynamic), value);
}

static struct ir_src input_leaf(struct spv *s, const struct spv_var *var, uint32_t leaf)
{
	return spv_io_load(s, &var->io[leaf]);
}

/* Inputs with a dynamic index are copied to a variable where the shader starts. */
static struct ir_var *input_cell(struct spv *s, struct spv_var *var)
{
	if (var->ir)
		return var->ir;
	var->ir = spv_cell(s, var->type, NULL);
	struct ir_builder here = s->b;
	s->b = s->prologue;
	for (uint32_t i = 0; i < var->type->leaves; i++)
		spv_put(s, var->ir, i, input_leaf(s, var, i));
	s->b = here;
	return var->ir;
}

static void mark_written(const struct spv_ptr *p)
{
	uint32_t first = p->dynamic.inst ? p->span_first : p->slot;
	uint32_t count = p->dynamic.inst ? p->span : p->type->leaves;
	for (uint32_t i = first; i < first + count && i < p->var->type->leaves; i++)
		p->var->io[i].written = true;
}

void spv_note_store(struct spv *s, const struct spv_ptr *p)
{
	p->var->ir->written = ++s->writes;
	if (p->var->io)
		mark_written(p);
}

/* out: p->type->leaves of them.  The type has values. */
void spv_load(struct spv *s, const struct spv_ptr *p, bool is_volatile, struct ir_src *out)
{
	struct spv_ptr q = *p;
	q.flags |= is_volatile ? SPV_VOLATILE : 0;
	switch (p->kind) {
	case SPV_PTR_VAR:
		for (uint32_t i = 0; i < p->type->leaves; i++)
			out[i] = get_at(s, p, p->var->ir, i);
		break;
	case SPV_PTR_INPUT:
		for (uint32_t i = 0; i < p->type->leaves; i++)
			out[i] = p->dynamic.inst ? get_at(s, p, input_cell(s, p->var), i) :
				input_leaf(s, p->var, p->slot + i);
		break;
	case SPV_PTR_MEMORY:
		transfer(s, &q, out, false);
		break;
	case SPV_PTR_ROWS:
		spv_rows_load(s, p, out);
		break;
	case SPV_PTR_MESH:
		spv_mesh_load(s, p, out);
		break;
	default:
		spv_invalid(s, "no value can be loaded here");
	}
}

void spv_store(struct spv *s, const struct spv_ptr *p, bool is_volatile, const struct ir_src *value)
{
	struct spv_ptr q = *p;
	q.flags |= is_volatile ? SPV_VOLATILE : 0;
	if (p->kind == SPV_PTR_VAR) {
		for (uint32_t i = 0; i < p->type->leaves; i++)
			put_at(s, p, i, value[i]);
		spv_note_store(s, p);
		return;
	}
	if (p->kind == SPV_PTR_ROWS) {
		spv_rows_store(s, p, value);
		return;
	}
	if (p->kind == SPV_PTR_MESH) {
		spv_mesh_store(s, p, value);
		return;
	}
	if (p->kind != SPV_PTR_MEMORY || p->memory == SPV_MEM_UBO || p->memory == SPV_MEM_PUSH)
		spv_invalid(s, "a store to memory that is read only");
	if (p->memory != SPV_MEM_SHARED)
		s->f->has_effects = true;
	transfer(s, &q, (struct ir_src *)value, true); /* only read: storing */
}
