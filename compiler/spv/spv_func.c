/* SPDX-License-Identifier: MIT */
/* Functions and their blocks; the call graph under the entry point. */
#include "compiler/spv/spv_priv.h"

#include <string.h>

static bool is_terminator(uint32_t op)
{
	switch (op) {
	case SpvOpBranch: case SpvOpBranchConditional: case SpvOpSwitch: case SpvOpKill: case SpvOpReturn:
	case SpvOpReturnValue: case SpvOpUnreachable: case SpvOpTerminateInvocation: case SpvOpEmitMeshTasksEXT:
		return true;
	default:
		return false;
	}
}

static uint32_t block_of(struct spv *s, const struct spv_func *f, uint32_t id)
{
	const struct spv_id *i = spv_id(s, id);
	if (i->kind != SPV_ID_LABEL || i->u.block >= f->block_count || f->blocks[i->u.block].id != id)
		spv_invalid(s, "id %u is not a label of this function", id);
	return i->u.block;
}

/* Counts what is between OpFunction and OpFunctionEnd, and checks the order. */
static void measure(struct spv *s, struct spv_func *f)
{
	bool open = false;
	f->end = 0;
	spv_each(s, op, f->at + s->cur.n, s->count) {
		s->cur = op;
		if (op.op == SpvOpFunctionEnd) {
			f->end = op.at;
			break;
		}
		if (op.op == SpvOpFunction)
			spv_invalid(s, "a function inside a function");
		if (op.op == SpvOpLine || op.op == SpvOpNoLine)
			continue;
		if (op.op == SpvOpFunctionParameter) {
			if (f->block_count)
				spv_invalid(s, "a parameter after the first block");
			f->param_count++;
		} else if (op.op == SpvOpLabel) {
			if (open)
				spv_invalid(s, "the block before has no terminator");
			open = true;
			f->block_count++;
		} else if (!open && op.op != SpvOpExtInst) {
			spv_invalid(s, "outside a block");
		}
		if (is_terminator(op.op))
			open = false;
	}
	if (open || !f->end)
		spv_invalid(s, "the function does not end");
	if (!f->block_count)
		spv_invalid(s, "the function %u has no body", f->id);
}

/* Result ids are those words that define_ids found: kind NONE and no label. */
static void note_definition(struct spv *s, struct spv_func *f, struct spv_op op)
{
	uint32_t id = op.n > 2 ? op.w[2] : 0;
	if (id && id < s->bound && s->dense[id] && s->ids[s->dense[id]].at == op.at)
		f->defs[f->def_count++] = id;
}

static void collect(struct spv *s, struct spv_func *f)
{
	uint32_t params = 0, blocks = 0, defs = 0;
	spv_each(s, op, f->at, f->end)
		defs++;
	f->params = spv_alloc(s, f->param_count, sizeof *f->params);
	f->blocks = spv_alloc(s, f->block_count, sizeof *f->blocks);
	f->defs = spv_alloc(s, defs, sizeof *f->defs);
	struct spv_block *b = NULL;
	spv_each(s, op, f->at + (s->words[f->at] >> 16), f->end) {
		if (op.op == SpvOpLabel) {
			struct spv_id *id = spv_id(s, op.w[1]);
			b = &f->blocks[blocks];
			*b = (struct spv_block){ .id = op.w[1], .at = op.at, .body = op.at + op.n,
				.merge = SPV_NO_BLOCK, .cont = SPV_NO_BLOCK };
			id->kind = SPV_ID_LABEL;
			id->u.block = blocks++;
			continue;
		}
		note_definition(s, f, op);
		if (op.op == SpvOpFunctionParameter)
			f->params[params++] = op.w[2];
		if (b && op.op == SpvOpPhi)
			b->has_phi = true;
		if (b && is_terminator(op.op))
			b->end = op.at;
	}
}

static void add_successor(struct spv *s, struct spv_func *f, struct spv_block *b, uint32_t *seen, uint32_t label)
{
	uint32_t to = block_of(s, f, label), mark = (uint32_t)(b - f->blocks) + 1;
	if (to == 0)
		spv_invalid(s, "a branch to the entry block");
	if (seen[to] != mark)
		b->succ[b->succs++] = to;
	seen[to] = mark;
}

static void successors(struct spv *s, struct spv_func *f, struct spv_block *b, uint32_t *seen)
{
	struct spv_op op = spv_at(s, b->end);
	s->cur = op;
	b->succ = spv_alloc(s, op.n / 2u + 2, sizeof *b->succ);
	switch (op.op) {
	case SpvOpBranch:
		add_successor(s, f, b, seen, op.w[1]);
		break;
	case SpvOpBranchConditional:
		add_successor(s, f, b, seen, op.w[2]);
		add_successor(s, f, b, seen, op.w[3]);
		break;
	case SpvOpSwitch:
		add_successor(s, f, b, seen, op.w[2]);
		for (uint32_t words = spv_literal_words(s, op), i = 3 + words; i < op.n; i += words + 1)
			add_successor(s, f, b, seen, op.w[i]);
		break;
	default:
		break;
	}
}

static void merge_of(struct spv *s, struct spv_func *f, struct spv_block *b)
{
	spv_each(s, op, b->body, b->end) {
		if (op.op != SpvOpSelectionMerge && op.op != SpvOpLoopMerge)
			continue;
		s->cur = op;
		if (op.at + op.n != b->end)
			spv_invalid(s, "not the last but one instruction of its block");
		b->merge = block_of(s, f, op.w[1]);
		b->loop_merge = op.op == SpvOpLoopMerge;
		if (b->loop_merge)
			b->cont = block_of(s, f, op.w[2]);
	}
}

static void read_function(struct spv *s, struct spv_func *f)
{
	s->cur = spv_at(s, f->at);
	measure(s, f);
	collect(s, f);
	uint32_t *seen = spv_alloc(s, f->block_count, sizeof *seen);
	for (uint32_t i = 0; i < f->block_count; i++) {
		merge_of(s, f, &f->blocks[i]);
		successors(s, f, &f->blocks[i], seen);
	}
	s->cur = spv_at(s, f->at);
	if (f->type->count != f->param_count)
		spv_invalid(s, "%u parameters for %u", f->param_count, f->type->count);
	for (uint32_t i = 0; i < f->param_count; i++)
		if (spv_type(s, spv_at(s, spv_id(s, f->params[i])->at).w[1]) != f->type->params[i])
			spv_invalid(s, "parameter %u differs from the function type", i);
}

static bool function_op(struct spv *s, struct spv_op op, struct spv_func *f)
{
	if (op.op == SpvOpKill || op.op == SpvOpTerminateInvocation)
		f->kills = true;
	return op.op == SpvOpFunctionCall;
}

/* Depth first; refuses recursion and sums up what callees do. */
static void walk_calls(struct spv *s, struct spv_func *f, uint32_t depth)
{
	f->state = 1;
	for (uint32_t i = 0; i < f->block_count; i++)
		f->loops |= f->blocks[i].loop_merge;
	spv_each(s, op, f->at, f->end) {
		if (!function_op(s, op, f))
			continue;
		const struct spv_id *id = spv_id(s, op.w[3]);
		s->cur = op;
		if (id->kind != SPV_ID_FUNC)
			spv_invalid(s, "id %u is not a function", op.w[3]);
		struct spv_func *to = id->u.func;
		if (to->state == 1)
			spv_invalid(s, "recursion");
		if (depth >= SPV_MAX_CALLS)
			spv_unsupported(s, "calls nest deeper than %d", SPV_MAX_CALLS);
		if (to->state == 0)
			walk_calls(s, to, depth + 1);
		f->kills |= to->kills;
		f->loops |= to->loops;
	}
	f->state = 2;
}

static void register_functions(struct spv *s)
{
	uint32_t count = 0;
	spv_each(s, op, s->functions, s->count)
		count += op.op == SpvOpFunction;
	s->funcs = spv_alloc(s, count, sizeof *s->funcs);
	uint32_t end = s->functions;
	spv_each(s, op, s->functions, s->count) {
		s->cur = op;
		if (op.op == SpvOpFunctionEnd)
			end = op.at + op.n;
		if (op.op != SpvOpFunction) {
			if (op.at >= end && op.op != SpvOpLine && op.op != SpvOpNoLine && op.op != SpvOpExtInst)
				spv_invalid(s, "outside a function");
			continue;
		}
		struct spv_func *f = &s->funcs[s->func_count++];
		struct spv_id *id = spv_id(s, op.w[2]);
		f->id = op.w[2];
		f->at = op.at;
		f->type = spv_type(s, op.w[4]);
		if (f->type->kind != SPV_FUNCTION || f->type->elem != spv_type(s, op.w[1]))
			spv_invalid(s, "the function type %u does not fit", op.w[4]);
		id->kind = SPV_ID_FUNC;
		id->u.func = f;
		end = UINT32_MAX;
	}
}

/* Reads all functions, walks the calls from the entry point and plans what is
 * reached. */
void spv_functions(struct spv *s)
{
	register_functions(s);
	for (uint32_t i = 0; i < s->func_count; i++)
		read_function(s, &s->funcs[i]);
	const struct spv_id *id = spv_id(s, s->entry);
	s->cur = spv_at(s, id->at);
	if (id->kind != SPV_ID_FUNC || id->u.func->param_count || id->u.func->type->elem->kind != SPV_VOID)
		spv_invalid(s, "the entry point is not a function void()");
	walk_calls(s, id->u.func, 0);
	s->kill_is_demote = s->f->stage == COMPILER_PS && !id->u.func->loops && !s->subgroups;
	for (uint32_t i = 0; i < s->func_count; i++)
		if (s->funcs[i].state == 2)
			spv_plan(s, &s->funcs[i]);
}
