/* SPDX-License-Identifier: MIT */
/* One instruction of a block: the few that have no topic of their own, and the
 * way to the rest. */
#include "compiler/spv/spv_priv.h"

/* An address of memory that nobody else has. */
static void undef_pointer(struct spv *s, struct spv_op op, const struct spv_type *type)
{
	struct spv_var *var = spv_alloc(s, 1, sizeof *var);
	if (type->storage != SpvStorageClassFunction && type->storage != SpvStorageClassPrivate)
		spv_unsupported(s, "an undefined pointer of this storage class");
	*var = (struct spv_var){ .id = op.w[2], .type = type->elem, .storage = SpvStorageClassFunction, .ready = true };
	var->ir = spv_cell(s, var->type, NULL);
	spv_set_ptr(s, op, spv_var_ptr(s, var));
}

static void undef(struct spv *s, struct spv_op op)
{
	const struct spv_type *type = spv_result_type(s, op);
	if (type->kind == SPV_POINTER && type->opaque) {
		undef_pointer(s, op, type);
		return;
	}
	if (type->opaque || type->kind == SPV_RUNTIME_ARRAY) { /* refused where it is used */
		spv_set_handle(s, op, spv_alloc(s, 1, sizeof(struct spv_handle)));
		return;
	}
	if (type->leaves == UINT32_MAX)
		spv_unsupported(s, "an undefined value of this type or size");
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	spv_undef_leaves(s, type, out);
	spv_set(s, op, out);
}

static void copy_object(struct spv *s, struct spv_op op)
{
	const struct spv_val *v = spv_val(s, op.w[3]);
	const struct spv_type *type = spv_result_type(s, op);
	if (type != v->type && !spv_same_shape(type, v->type))
		spv_invalid(s, "the result has another type");
	if (v->ptr)
		spv_set_ptr(s, op, v->ptr);
	else if (v->handle)
		spv_set_handle(s, op, v->handle);
	else
		spv_set_like(s, op, v);
}

static void simple(struct spv *s, enum ir_op op)
{
	ir_insert(&s->b, ir_inst_new(s->f, op, 0, 0, 0));
}

static void control_barrier(struct spv *s, struct spv_op op)
{
	uint32_t scope = spv_const_scalar(s, op.w[1]);
	if (scope == SpvScopeSubgroup) {
		simple(s, IR_MEM_BARRIER);
		return;
	}
	if (scope != SpvScopeWorkgroup)
		spv_unsupported(s, "execution scope %u", scope);
	if (s->f->stage == COMPILER_TCS) { /* all of its patch are in the same wave */
		simple(s, IR_MEM_BARRIER);
		return;
	}
	if (!ir_stage_has(s->f, ISA_GROUPS))
		spv_invalid(s, "a workgroup barrier outside compute, task and mesh shaders");
	simple(s, IR_BARRIER);
}

static void demote(struct spv *s)
{
	struct ir_inst *inst = ir_inst_new(s->f, IR_DEMOTE, 0, 0, 1);
	if (s->f->stage != COMPILER_PS)
		spv_invalid(s, "only for fragment shaders");
	inst->src[0] = ir_bool(&s->b, true);
	ir_insert(&s->b, inst);
	s->f->uses_demote = true;
}

static void is_helper(struct spv *s, struct spv_op op)
{
	struct ir_src *out = spv_leaf_array(s, 1);
	struct ir_inst *inst = ir_inst_new(s->f, IR_IS_HELPER, 1, 1, 0);
	if (spv_result_type(s, op)->kind != SPV_BOOL)
		spv_invalid(s, "the result is not a bool");
	ir_insert(&s->b, inst);
	out[0] = ir_comp(inst, 0);
	spv_set(s, op, out);
}

static void extended(struct spv *s, struct spv_op op)
{
	const struct spv_id *set = spv_id(s, op.w[3]);
	if (set->kind == SPV_ID_NONSEMANTIC)
		return;
	if (set->kind != SPV_ID_GLSL)
		spv_invalid(s, "id %u is not an instruction set", op.w[3]);
	spv_glsl(s, op);
}

static bool general(struct spv *s, struct spv_op op)
{
	switch (op.op) {
	case SpvOpNop: case SpvOpLine: case SpvOpNoLine: case SpvOpSelectionMerge: case SpvOpLoopMerge:
		return true;
	case SpvOpUndef: undef(s, op); return true;
	case SpvOpCopyObject: case SpvOpCopyLogical: case SpvOpExpectKHR: copy_object(s, op); return true;
	case SpvOpAssumeTrueKHR: return true;
	case SpvOpFunctionCall: spv_call(s, op); return true;
	case SpvOpExtInst: extended(s, op); return true;
	case SpvOpExtInstWithForwardRefsKHR: return true; /* of sets that mean nothing here */
	case SpvOpControlBarrier: control_barrier(s, op); return true;
	case SpvOpMemoryBarrier: simple(s, IR_MEM_BARRIER); return true;
	case SpvOpDemoteToHelperInvocation: demote(s); return true;
	case SpvOpIsHelperInvocationEXT: is_helper(s, op); return true;
	default: return false;
	}
}

void spv_instruction(struct spv *s, struct spv_op op)
{
	s->precise = false;
	if (op.n > 2 && op.w[2] < s->bound && s->dense[op.w[2]] && s->ids[s->dense[op.w[2]]].at == op.at)
		s->precise = s->ids[s->dense[op.w[2]]].precise;
	if (!general(s, op) && !spv_memory_op(s, op) && !spv_composite(s, op) && !spv_alu(s, op) && !spv_convert(s, op) &&
		!spv_image(s, op) && !spv_image_storage(s, op) && !spv_atomic(s, op) && !spv_subgroup(s, op) && !spv_reduce(s, op) && !spv_integer_dot(s, op) &&
		!spv_geometry(s, op) && !spv_mesh_op(s, op))
		spv_unsupported(s, "not an instruction of shaders that the driver supports");
	s->precise = false;
}
