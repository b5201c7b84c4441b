/* SPDX-License-Identifier: MIT */
/* The front end from end to end. */
#include "compiler/spv/spv_priv.h"

#include <string.h>

/* Types, constants and variables, in the order of the module. */
static void global_section(struct spv *s)
{
	spv_each(s, op, 5, s->functions) {
		s->cur = op;
		switch (op.op) {
		case SpvOpConstantTrue: case SpvOpConstantFalse: case SpvOpConstant: case SpvOpConstantComposite:
		case SpvOpConstantNull: case SpvOpSpecConstantTrue: case SpvOpSpecConstantFalse: case SpvOpSpecConstant:
		case SpvOpSpecConstantComposite: case SpvOpSpecConstantOp:
			spv_const_op(s, op);
			break;
		case SpvOpUndef:
			if (spv_result_type(s, op)->leaves == UINT32_MAX)
				spv_instruction(s, op); /* an image or sampler */
			else
				spv_const_op(s, op);
			break;
		case SpvOpVariable:
			if (op.w[3] == SpvStorageClassFunction)
				spv_invalid(s, "storage class Function outside a function");
			spv_variable(s, op);
			break;
		case SpvOpExtInst:
			if (spv_id(s, op.w[3])->kind != SPV_ID_NONSEMANTIC)
				spv_invalid(s, "outside a function");
			break;
		default:
			if ((op.op >= SpvOpTypeVoid && op.op <= SpvOpTypeFunction) || (op.op > SpvOpTypeFunction &&
				strncmp(spv_op_name(op.op), "OpType", 6) == 0))
				spv_type_op(s, op);
		}
	}
}

static void workgroup(struct spv *s)
{
	uint64_t total = 1;
	if (!ir_stage_has(s->f, ISA_GROUPS))
		return;
	s->cur = spv_at(s, 5);
	for (int i = 0; i < 3; i++)
		s->f->workgroup[i] = s->local_size_id[i] ? spv_const_scalar(s, s->local_size_id[i]) : s->local_size[i];
	for (int i = 0; i < 3; i++) {
		uint32_t size = s->f->workgroup[i];
		total *= size;
		if (size == 0 || size > 1024 || total > 1024)
			spv_invalid(s, "a workgroup of %u x %u x %u: max%sWorkGroupInvocations is 1024", s->f->workgroup[0],
				s->f->workgroup[1], s->f->workgroup[2], s->f->stage == COMPILER_CS ? "Compute" :
				s->f->stage == COMPILER_MS ? "Mesh" : "Task");
	}
}

static void translate(struct spv *s)
{
	spv_charge(s, 1);
	spv_parse(s);
	spv_module(s);
	global_section(s);
	workgroup(s);
	spv_functions(s);
	s->prologue = s->b;
	struct ir_inst *marker = ir_undef(&s->b, 32).inst;
	s->prologue.before = marker;
	if (s->f->stage == COMPILER_MS)
		spv_mesh_begin(s);
	if (ir_stage_has(s->f, ISA_GROUPS))
		spv_zero_shared(s);
	if (ir_stage_has(s->f, ISA_INTERFACE))
		spv_init_outputs(s);
	if (s->f->stage == COMPILER_GS)
		spv_geometry_begin(s);
	if (s->f->stage == COMPILER_PS)
		s->f->sample_shading = s->in->options.sample_shading || spv_sample_shading(s);
	spv_emit_entry(s, spv_id(s, s->entry)->u.func);
	s->cur = spv_at(s, spv_id(s, s->entry)->at);
	if (s->f->stage == COMPILER_MS)
		spv_mesh_end(s);
	else if (ir_stage_has(s->f, ISA_INTERFACE))
		spv_io_outputs(s);
	spv_clear_spills(s);
	spv_charge(s, 1);
}

/* Frames between this one and spv_fail own nothing. */
static enum compiler_status run(struct spv *s)
{
	if (setjmp(s->fail))
		return s->status;
	translate(s);
	return COMPILER_OK;
}

enum compiler_status spv_to_ir(const struct compiler_input *in, struct ir_pool *pool,
	struct ir_func **out, char *message, size_t size)
{
	char none[1];
	*out = NULL;
	if (!size) {
		message = none;
		size = 1;
	}
	message[0] = 0;
	pool->budget->pass = "front end";
	struct ir_pool *own = ir_pool_create_part(pool);
	struct spv *s = own ? ir_alloc(own, sizeof *s) : NULL;
	if (!s || ir_pool_failed(pool)) {
		ir_pool_destroy(own);
		return spv_budget_message(in, pool->budget, message, size);
	}
	s->in = in;
	s->multiview = in->options.multiview;
	s->pool = own;
	s->words = in->words;
	s->count = in->word_count;
	s->message = message;
	s->message_size = size;
	s->f = ir_func_create(pool, in->stage, &s->b);
	enum compiler_status status = run(s);
	if (status == COMPILER_OK)
		*out = s->f;
	ir_pool_destroy(own);
	return status;
}
