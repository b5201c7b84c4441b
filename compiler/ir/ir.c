/* SPDX-License-Identifier: MIT */
/* The IR's table, instructions and builder. */
#include "compiler/ir/ir.h"

#include <assert.h>
#include <string.h>

#define P IR_F_PURE
#define C IR_F_COMM
#define D IR_F_DIV
#define U IR_F_UNI
#define W IR_F_EFFECT
#define S IR_F_SCALAR
#define Q IR_F_QUAD
#define X IR_F_DEAR
const struct ir_op_info ir_op_infos[IR_OP_COUNT] = {
#define IR(name, srcs, family, operands, result, flags) \
	[IR_##name] = { #name, srcs, IR_##family##_OP, IR_IN_##operands, IR_OUT_##result, flags },
#include "compiler/ir/ir_ops.def"
#undef IR
};
#undef P
#undef C
#undef D
#undef U
#undef W
#undef S
#undef Q
#undef X

const struct compiler_binding ir_binding_of_place = { .type = COMPILER_DESC_SSBO };
const struct compiler_binding ir_binding_of_table = { .type = COMPILER_DESC_UBO };

/* --- nodes --- */

static void list_append(struct ir_list *list, struct ir_node *node)
{
	node->list = list;
	node->parent = list->owner;
	node->prev = list->last;
	node->next = NULL;
	if (list->last)
		list->last->next = node;
	else
		list->first = node;
	list->last = node;
}

static struct ir_block *block_append(struct ir_func *f, struct ir_list *list)
{
	struct ir_block *block = ir_alloc(f->pool, sizeof *block);
	block->node.kind = IR_NODE_BLOCK;
	list_append(list, &block->node);
	return block;
}

static void cursor_to(struct ir_builder *b, struct ir_node *block)
{
	assert(block->kind == IR_NODE_BLOCK);
	b->block = (struct ir_block *)block;
	b->before = NULL;
}

struct ir_func *ir_func_create(struct ir_pool *pool, enum compiler_stage stage, struct ir_builder *b)
{
	struct ir_func *f = ir_alloc(pool, sizeof *f);
	f->pool = pool;
	f->stage = stage;
	f->float_mode = ISA_FLOAT_PLAIN;
	struct ir_block *first = block_append(f, &f->body);
	if (b)
		*b = (struct ir_builder){ .func = f, .block = first };
	return f;
}

struct ir_if *ir_begin_if(struct ir_builder *b, struct ir_src cond)
{
	assert(!b->block->node.next && cond.inst->bits == 1);
	struct ir_if *nif = ir_alloc(b->func->pool, sizeof *nif);
	struct ir_list *list = b->block->node.list;
	nif->node.kind = IR_NODE_IF;
	nif->cond = cond;
	nif->then_.owner = nif->else_.owner = &nif->node;
	list_append(list, &nif->node);
	block_append(b->func, list);
	block_append(b->func, &nif->else_);
	cursor_to(b, &block_append(b->func, &nif->then_)->node);
	return nif;
}

void ir_begin_else(struct ir_builder *b, struct ir_if *nif)
{
	cursor_to(b, nif->else_.last);
}

void ir_end_if(struct ir_builder *b, struct ir_if *nif)
{
	cursor_to(b, nif->node.next);
}

struct ir_loop *ir_begin_loop(struct ir_builder *b)
{
	assert(!b->block->node.next);
	struct ir_loop *loop = ir_alloc(b->func->pool, sizeof *loop);
	struct ir_list *list = b->block->node.list;
	loop->node.kind = IR_NODE_LOOP;
	loop->body.owner = loop->cont.owner = &loop->node;
	list_append(list, &loop->node);
	block_append(b->func, list);
	block_append(b->func, &loop->cont);
	cursor_to(b, &block_append(b->func, &loop->body)->node);
	return loop;
}

static void insert_node(struct ir_node *node, struct ir_node *after)
{
	node->list = after->list;
	node->parent = after->parent;
	node->prev = after;
	node->next = after->next;
	*(after->next ? &after->next->prev : &after->list->last) = node;
	after->next = node;
}

struct ir_loop *ir_split_loop(struct ir_builder *b)
{
	struct ir_block *block = b->block, *rest = ir_alloc(b->func->pool, sizeof *rest);
	struct ir_loop *loop = ir_alloc(b->func->pool, sizeof *loop);
	loop->node.kind = IR_NODE_LOOP;
	loop->body.owner = loop->cont.owner = &loop->node;
	rest->node.kind = IR_NODE_BLOCK;
	insert_node(&loop->node, &block->node);
	insert_node(&rest->node, &loop->node);
	rest->jump = block->jump;
	block->jump = IR_JUMP_NONE;
	if (b->before) {
		rest->first = b->before;
		rest->last = block->last;
		block->last = b->before->prev;
		*(block->last ? &block->last->next : &block->first) = NULL;
		rest->first->prev = NULL;
		for (struct ir_inst *in = rest->first; in && ir_charge(b->func->pool, 1); in = in->next)
			in->block = rest;
	}
	block_append(b->func, &loop->cont);
	cursor_to(b, &block_append(b->func, &loop->body)->node);
	return loop;
}

void ir_begin_cont(struct ir_builder *b, struct ir_loop *loop)
{
	cursor_to(b, loop->cont.last);
}

void ir_end_loop(struct ir_builder *b, struct ir_loop *loop)
{
	cursor_to(b, loop->node.next);
}

/* Building goes on in a list that hangs nowhere, and so vanishes. */
void ir_jump(struct ir_builder *b, enum ir_jump jump)
{
	b->block->jump = jump;
	struct ir_list *nowhere = ir_alloc(b->func->pool, sizeof *nowhere);
	nowhere->owner = b->block->node.parent;
	cursor_to(b, &block_append(b->func, nowhere)->node);
}

/* --- instructions --- */

struct ir_inst *ir_inst_new(struct ir_func *f, enum ir_op op, unsigned bits, unsigned comps, unsigned srcs)
{
	struct ir_inst *inst = ir_alloc(f->pool, sizeof *inst + (srcs ? srcs : 1) * sizeof inst->src[0]);
	inst->op = (uint16_t)op;
	inst->bits = (uint8_t)bits;
	inst->comps = (uint8_t)comps;
	inst->srcs = (uint16_t)srcs;
	inst->id = f->inst_count++;
	ir_charge(f->pool, 1);
	return inst;
}

void ir_insert(struct ir_builder *b, struct ir_inst *inst)
{
	struct ir_block *block = b->block;
	inst->block = block;
	if (!inst->word)
		inst->word = b->word;
	inst->next = b->before;
	inst->prev = b->before ? b->before->prev : block->last;
	*(inst->prev ? &inst->prev->next : &block->first) = inst;
	*(inst->next ? &inst->next->prev : &block->last) = inst;
}

void ir_remove(struct ir_inst *inst)
{
	struct ir_block *block = inst->block;
	*(inst->prev ? &inst->prev->next : &block->first) = inst->next;
	*(inst->next ? &inst->next->prev : &block->last) = inst->prev;
	inst->prev = inst->next = NULL;
	inst->block = NULL;
}

void ir_become_copy(struct ir_inst *in, struct ir_src value)
{
	in->op = IR_COPY;
	in->srcs = 1;
	in->src[0] = value;
}

void ir_append(struct ir_block *to, struct ir_block *from)
{
	for (struct ir_inst *in = from->first; in; in = in->next)
		in->block = to;
	if (!from->first)
		return;
	from->first->prev = to->last;
	*(to->last ? &to->last->next : &to->first) = from->first;
	to->last = from->last;
	from->first = from->last = NULL;
}

struct ir_src ir_const_of(struct ir_builder *b, unsigned bits, uint64_t value)
{
	struct ir_inst *inst = ir_inst_new(b->func, IR_CONST, bits, 1, 0);
	inst->u.imm = value & ir_ones(bits);
	ir_insert(b, inst);
	return ir_comp(inst, 0);
}

struct ir_src ir_const(struct ir_builder *b, uint32_t value)
{
	return ir_const_of(b, 32, value);
}

struct ir_src ir_constf(struct ir_builder *b, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, 4);
	return ir_const_of(b, 32, bits);
}

struct ir_src ir_bool(struct ir_builder *b, bool value)
{
	return ir_const_of(b, 1, value);
}

struct ir_src ir_undef(struct ir_builder *b, unsigned bits)
{
	struct ir_inst *inst = ir_inst_new(b->func, IR_UNDEF, bits, 1, 0);
	ir_insert(b, inst);
	return ir_comp(inst, 0);
}

static struct ir_src build(struct ir_builder *b, enum ir_op op, unsigned bits, unsigned n, const struct ir_src *src)
{
	assert(ir_op_infos[op].srcs == (int)n);
	struct ir_inst *inst = ir_inst_new(b->func, op, bits, bits ? 1 : 0, n);
	for (unsigned i = 0; i < n; i++)
		inst->src[i] = src[i];
	ir_insert(b, inst);
	return ir_comp(inst, 0);
}

static struct ir_src build_alu(struct ir_builder *b, enum ir_op op, unsigned n, const struct ir_src *src)
{
	const struct ir_op_info *info = &ir_op_infos[op];
	static const uint8_t fixed[] = { [IR_OUT_NONE] = 0, [IR_OUT_BOOL] = 1, [IR_OUT_WORD] = 32 };
	unsigned wide = src[ir_wide_source(info)].inst->bits;
	if (info->result < IR_OUT_SAME)
		wide = fixed[info->result];
	else if (info->result == IR_OUT_TWICE || info->result == IR_OUT_HALF)
		wide = info->result == IR_OUT_TWICE ? 2 * wide : wide / 2;
	return build(b, op, wide, n, src);
}

struct ir_src ir_convert(struct ir_builder *b, enum ir_op op, unsigned bits, struct ir_src a)
{
	return build(b, op, bits, 1, &a);
}

struct ir_src ir_op1(struct ir_builder *b, enum ir_op op, struct ir_src a)
{
	return build_alu(b, op, 1, &a);
}

struct ir_src ir_op2(struct ir_builder *b, enum ir_op op, struct ir_src a, struct ir_src c)
{
	return build_alu(b, op, 2, (struct ir_src[]){ a, c });
}

struct ir_src ir_op3(struct ir_builder *b, enum ir_op op, struct ir_src a, struct ir_src c, struct ir_src d)
{
	return build_alu(b, op, 3, (struct ir_src[]){ a, c, d });
}

/* --- variables --- */

struct ir_var *ir_var_new(struct ir_func *f, unsigned bits, uint32_t slots, const char *name)
{
	struct ir_var *v = ir_alloc(f->pool, sizeof *v);
	v->bits = (uint8_t)bits;
	v->slots = slots;
	v->name = name;
	v->index = f->var_count++;
	v->next = f->vars;
	f->vars = v;
	return v;
}

static struct ir_src build_load(struct ir_builder *b, struct ir_var *v, uint32_t slot, const struct ir_src *index)
{
	struct ir_inst *inst = ir_inst_new(b->func, IR_LOAD_VAR, v->bits, 1, index ? 1 : 0);
	inst->u.var.var = v;
	inst->u.var.slot = slot;
	if (index) {
		inst->src[0] = *index;
		v->indirect = true;
	}
	ir_insert(b, inst);
	return ir_comp(inst, 0);
}

static void build_store(struct ir_builder *b, struct ir_var *v, uint32_t slot, struct ir_src value,
	const struct ir_src *index)
{
	assert(value.inst->bits == v->bits);
	struct ir_inst *inst = ir_inst_new(b->func, IR_STORE_VAR, 0, 0, index ? 2 : 1);
	inst->u.var.var = v;
	inst->u.var.slot = slot;
	inst->src[0] = value;
	if (index) {
		inst->src[1] = *index;
		v->indirect = true;
	}
	ir_insert(b, inst);
}

struct ir_src ir_load_var(struct ir_builder *b, struct ir_var *v, uint32_t slot)
{
	return build_load(b, v, slot, NULL);
}

void ir_store_var(struct ir_builder *b, struct ir_var *v, uint32_t slot, struct ir_src value)
{
	build_store(b, v, slot, value, NULL);
}

struct ir_src ir_load_var_at(struct ir_builder *b, struct ir_var *v, uint32_t slot, struct ir_src index)
{
	return build_load(b, v, slot, &index);
}

void ir_store_var_at(struct ir_builder *b, struct ir_var *v, uint32_t slot, struct ir_src index, struct ir_src value)
{
	build_store(b, v, slot, value, &index);
}
