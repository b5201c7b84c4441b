/* SPDX-License-Identifier: MIT */
/* Built-in variables. */
#include "compiler/spv/spv_priv.h"

#include <assert.h>
#include "isa/samples.h"

/* System values are read once, where the shader starts. */
struct ir_src spv_sysval(struct spv *s, enum ir_sysval sys, unsigned comps, unsigned comp)
{
	struct ir_inst **inst = &s->sys[sys];
	if (!*inst) {
		*inst = ir_inst_new(s->f, IR_SYSVAL, 32, comps, 0);
		(*inst)->u.io.mode = (uint8_t)sys;
		ir_insert(&s->prologue, *inst);
	}
	return ir_comp(*inst, comp);
}

void spv_use_quads(struct spv *s)
{
	if (!ir_stage_has(s->f, ISA_QUADS))
		spv_invalid(s, "only for fragment shaders");
	s->f->needs_wqm = true;
}

struct ir_inst *spv_bary(struct spv *s, enum ir_bary bary)
{
	struct ir_inst **inst = &s->bary[bary];
	if (!*inst) {
		*inst = ir_inst_new(s->f, IR_BARY, 32, 2, 0);
		(*inst)->u.io.mode = (uint8_t)bary;
		ir_insert(&s->prologue, *inst);
	}
	return *inst;
}

/* A sample's place in the pixel, 0 to 1, on one axis: the standard sample
 * locations in sixteenths, four bits a sample. */
struct ir_src spv_sample_position(struct spv *s, struct ir_src sample, unsigned axis)
{
	uint32_t samples = s->in->options.samples, places = 0;
	if (samples < 2)
		return spv_f(s, 0.5f);
	if (sample.inst->op == IR_CONST) {
		struct isa_sample at = isa_standard_sample(samples, (uint32_t)sample.inst->u.imm & (samples - 1));
		return spv_f(s, 0.5f + (float)(axis ? at.y : at.x) / 16);
	}
	static_assert(ISA_MAX_SAMPLES * 4 == 32, "a word of places");
	for (unsigned k = 0; k < samples; k++) {
		struct isa_sample at = isa_standard_sample(samples, k);
		places |= (uint32_t)(8 + (axis ? at.y : at.x)) << 4 * k;
	}
	struct ir_src bit = ir_op2(&s->b, IR_ISHL, ir_op2(&s->b, IR_IAND, sample, spv_u(s, samples - 1)), spv_u(s, 2));
	struct ir_src place = ir_op3(&s->b, IR_UBFE, spv_u(s, places), bit, spv_u(s, 4));
	return ir_op2(&s->b, IR_FMUL, ir_op1(&s->b, IR_U2F, place), spv_f(s, 0.0625f));
}

/* SampleId, SamplePosition or an input with Sample in the interface of the
 * fragment shader ask for an invocation a sample ("Sample Shading"). */
bool spv_sample_shading(struct spv *s)
{
	for (uint32_t i = 0; i < s->interface_count; i++) {
		const struct spv_id *id = spv_id(s, s->interface_[i]);
		const struct spv_var *var = id->kind == SPV_ID_VAR ? id->u.var : NULL;
		const struct spv_decor *builtin = spv_decoration(id, SpvDecorationBuiltIn, -1);
		if (!var || var->storage != SpvStorageClassInput)
			continue;
		uint32_t which = builtin && builtin->params ? builtin->param[0] : UINT32_MAX;
		if (which == SpvBuiltInSampleId || which == SpvBuiltInSamplePosition || var->flags & SPV_SAMPLE)
			return true;
		for (uint32_t m = 0; var->type->kind == SPV_STRUCT && m < var->type->count; m++)
			if (var->type->members[m].flags & SPV_SAMPLE)
				return true;
	}
	return false;
}

_Noreturn void spv_refuse_builtin(struct spv *s, uint32_t builtin)
{
	spv_unsupported(s, "built-in %s (%u) in this stage", spv_enum_name(SPV_ENUM_BUILTIN, builtin), builtin);
}

/* --- inputs --- */

static bool vertex_input(uint32_t builtin, enum ir_sysval *sys)
{
	switch (builtin) {
	case SpvBuiltInVertexIndex: *sys = IR_SYS_VERTEX_INDEX; return true;
	case SpvBuiltInInstanceIndex: *sys = IR_SYS_INSTANCE_INDEX; return true;
	case SpvBuiltInBaseVertex: *sys = IR_SYS_BASE_VERTEX; return true;
	case SpvBuiltInBaseInstance: *sys = IR_SYS_BASE_INSTANCE; return true;
	case SpvBuiltInDrawIndex: *sys = IR_SYS_DRAW_INDEX; return true;
	default: return false;
	}
}

static struct ir_src interpolated(struct spv *s, enum ir_op op, unsigned comp, struct ir_inst *bary)
{
	struct ir_inst *inst = ir_inst_new(s->f, op, 32, 1, 2);
	inst->u.io.comp = (uint8_t)comp;
	inst->src[0] = ir_comp(bary, 0);
	inst->src[1] = ir_comp(bary, 1);
	ir_insert(&s->b, inst);
	return ir_comp(inst, 0);
}

struct ir_src spv_weight(struct spv *s, unsigned vertex, struct ir_inst *bary)
{
	return interpolated(s, IR_LOAD_WEIGHT, vertex < 3 ? vertex : 2, bary);
}

bool spv_is_weight(const struct spv_io *io)
{
	return io->builtin && (io->slot == SpvBuiltInBaryCoordKHR || io->slot == SpvBuiltInBaryCoordNoPerspKHR);
}

uint16_t spv_weight_flags(const struct spv_io *io)
{
	return (uint16_t)(io->flags | (io->slot == SpvBuiltInBaryCoordNoPerspKHR ? SPV_NOPERSPECTIVE : 0));
}

static struct ir_src fragment_input(struct spv *s, const struct spv_io *io)
{
	unsigned comp = io->comp;
	switch (io->slot) {
	case SpvBuiltInFragCoord:
		return spv_sysval(s, IR_SYS_FRAG_COORD, 4, comp & 3);
	case SpvBuiltInFrontFacing:
		return ir_op2(&s->b, IR_ICMP_NE, spv_sysval(s, IR_SYS_FRONT_FACE, 1, 0), ir_const(&s->b, 0));
	case SpvBuiltInPointCoord:
		return interpolated(s, IR_LOAD_POINT_COORD, comp & 1, spv_bary(s, IR_BARY_PERSP_CENTER));
	case SpvBuiltInBaryCoordKHR: case SpvBuiltInBaryCoordNoPerspKHR:
		return spv_weight(s, comp, spv_bary(s, spv_bary_of(spv_weight_flags(io))));
	case SpvBuiltInLayer:
		return spv_sysval(s, IR_SYS_LAYER, 1, 0);
	case SpvBuiltInSampleId:
		return spv_sysval(s, IR_SYS_SAMPLE_ID, 1, 0);
	case SpvBuiltInSamplePosition:
		return spv_sample_position(s, spv_sysval(s, IR_SYS_SAMPLE_ID, 1, 0), comp & 1);
	case SpvBuiltInSampleMask:
		return comp ? spv_u(s, 0) : spv_sysval(s, IR_SYS_SAMPLE_MASK_IN, 1, 0);
	case SpvBuiltInHelperInvocation: {
		struct ir_inst *inst = ir_inst_new(s->f, IR_IS_HELPER, 1, 1, 0);
		ir_insert(&s->b, inst);
		return ir_comp(inst, 0);
	}
	default:
		spv_refuse_builtin(s, io->slot);
	}
}

static struct ir_src local_id(struct spv *s, unsigned comp)
{
	return spv_sysval(s, IR_SYS_LOCAL_ID, 3, comp);
}

static struct ir_src local_index(struct spv *s)
{
	const uint32_t *size = s->f->workgroup;
	struct ir_src z = ir_op2(&s->b, IR_IMUL, local_id(s, 2), spv_u(s, size[1]));
	struct ir_src y = ir_op2(&s->b, IR_IADD, local_id(s, 1), z);
	y = ir_op2(&s->b, IR_IMUL, y, spv_u(s, size[0]));
	return ir_op2(&s->b, IR_IADD, local_id(s, 0), y);
}

static struct ir_src compute_input(struct spv *s, const struct spv_io *io)
{
	unsigned comp = io->comp < 3 ? io->comp : 2;
	struct ir_src group;
	switch (io->slot) {
	case SpvBuiltInNumWorkgroups:
		return spv_sysval(s, IR_SYS_NUM_WORKGROUPS, 3, comp);
	case SpvBuiltInWorkgroupId:
		return spv_sysval(s, IR_SYS_WORKGROUP_ID, 3, comp);
	case SpvBuiltInLocalInvocationId:
		return local_id(s, comp);
	case SpvBuiltInGlobalInvocationId:
		group = spv_sysval(s, IR_SYS_WORKGROUP_ID, 3, comp);
		group = ir_op2(&s->b, IR_IMUL, group, spv_u(s, s->f->workgroup[comp]));
		return ir_op2(&s->b, IR_IADD, group, local_id(s, comp));
	case SpvBuiltInLocalInvocationIndex:
		return local_index(s);
	case SpvBuiltInWorkgroupSize:
		return spv_u(s, s->f->workgroup[comp]);
	case SpvBuiltInSubgroupId:
		return spv_sysval(s, IR_SYS_SUBGROUP_ID, 1, 0);
	case SpvBuiltInNumSubgroups:
		return spv_sysval(s, IR_SYS_NUM_SUBGROUPS, 1, 0);
	case SpvBuiltInDrawIndex:
		if (ir_stage_has(s->f, ISA_GRAPHICS))
			return spv_sysval(s, IR_SYS_DRAW_INDEX, 1, 0);
		spv_refuse_builtin(s, io->slot);
	default:
		spv_refuse_builtin(s, io->slot);
	}
}

static struct ir_src geometry_input(struct spv *s, const struct spv_io *io)
{
	switch (io->slot) {
	case SpvBuiltInPrimitiveId: return spv_sysval(s, IR_SYS_PRIMITIVE_ID, 1, 0);
	case SpvBuiltInInvocationId: return spv_sysval(s, IR_SYS_INVOCATION_ID, 1, 0);
	default: spv_refuse_builtin(s, io->slot);
	}
}

/* Subgroup masks: 64 bits in the first two components. */
static struct ir_src subgroup_mask(struct spv *s, const struct spv_io *io)
{
	if (io->comp > 1)
		return spv_u(s, 0);
	struct ir_src lane = spv_sysval(s, IR_SYS_LANE, 1, 0), low = spv_u(s, io->comp * 32);
	struct ir_src bit = ir_op2(&s->b, IR_ISUB, lane, low); /* in 0..31: the lane's bit is in this word */
	struct ir_src inside = ir_op2(&s->b, IR_UCMP_LT, bit, spv_u(s, 32));
	struct ir_src below = ir_op2(&s->b, IR_SCMP_LT, bit, spv_u(s, 0)); /* the lane is in an earlier word */
	struct ir_src eq = ir_op2(&s->b, IR_ISHL, spv_u(s, 1), bit);
	struct ir_src ge = ir_op2(&s->b, IR_ISHL, spv_u(s, ~0u), bit);
	eq = ir_op3(&s->b, IR_SELECT, inside, eq, spv_u(s, 0));
	ge = ir_op3(&s->b, IR_SELECT, inside, ge, ir_op3(&s->b, IR_SELECT, below, spv_u(s, ~0u), spv_u(s, 0)));
	switch (io->slot) {
	case SpvBuiltInSubgroupEqMask: return eq;
	case SpvBuiltInSubgroupGeMask: return ge;
	case SpvBuiltInSubgroupGtMask: return ir_op2(&s->b, IR_IXOR, ge, eq);
	case SpvBuiltInSubgroupLtMask: return ir_op1(&s->b, IR_INOT, ge);
	default: return ir_op2(&s->b, IR_IOR, ir_op1(&s->b, IR_INOT, ge), eq);
	}
}

/* One leaf of a built-in input. */
struct ir_src spv_builtin(struct spv *s, const struct spv_io *io)
{
	enum ir_sysval sys;
	switch (io->slot) {
	case SpvBuiltInDeviceIndex: return spv_u(s, 0);
	case SpvBuiltInSubgroupSize: return spv_u(s, 64);
	case SpvBuiltInSubgroupLocalInvocationId: return spv_sysval(s, IR_SYS_LANE, 1, 0);
	case SpvBuiltInSubgroupEqMask: case SpvBuiltInSubgroupGeMask: case SpvBuiltInSubgroupGtMask:
	case SpvBuiltInSubgroupLeMask: case SpvBuiltInSubgroupLtMask:
		return subgroup_mask(s, io);
	case SpvBuiltInViewIndex:
		if (!ir_stage_has(s->f, ISA_GRAPHICS))
			spv_refuse_builtin(s, io->slot);
		return s->in->options.device_views ? spv_u(s, 0) : spv_sysval(s, IR_SYS_VIEW_INDEX, 1, 0);
	default: break;
	}
	if (s->f->stage == COMPILER_PS)
		return fragment_input(s, io);
	if (s->f->stage == COMPILER_GS)
		return geometry_input(s, io);
	if (s->f->stage == COMPILER_TCS || s->f->stage == COMPILER_TES)
		return spv_tess_input(s, io);
	if (ir_stage_has(s->f, ISA_GROUPS))
		return compute_input(s, io);
	if (!vertex_input(io->slot, &sys))
		spv_refuse_builtin(s, io->slot);
	return spv_sysval(s, sys, 1, 0);
}

/* --- outputs --- */

static uint32_t vertex_slot(struct spv *s, const struct spv_io *io)
{
	switch (io->slot) {
	case SpvBuiltInPosition: return IR_SLOT_POSITION;
	case SpvBuiltInPointSize: return IR_SLOT_POINT_SIZE;
	case SpvBuiltInLayer: return IR_SLOT_LAYER;
	case SpvBuiltInPrimitiveId: return COMPILER_SLOT_PRIMITIVE_ID;
	case SpvBuiltInViewportIndex: return IR_SLOT_VIEWPORT;
	case SpvBuiltInClipDistance: return COMPILER_SLOT_CLIP0 + io->comp / 4u;
	case SpvBuiltInCullDistance: return COMPILER_SLOT_CULL0 + io->comp / 4u;
	default: spv_refuse_builtin(s, io->slot);
	}
}

static uint32_t fragment_slot(struct spv *s, const struct spv_io *io)
{
	switch (io->slot) {
	case SpvBuiltInFragDepth: return IR_SLOT_DEPTH;
	case SpvBuiltInSampleMask: return IR_SLOT_SAMPLE_MASK;
	default: spv_refuse_builtin(s, io->slot);
	}
}

/* Slot and component of a written leaf of an output. */
uint32_t spv_output_slot(struct spv *s, const struct spv_var *var, const struct spv_io *io, uint8_t *comp)
{
	bool vertex = ir_stage_has(s->f, ISA_VERTICES);
	*comp = io->comp & 3;
	if (io->builtin) {
		if (!ir_stage_has(s->f, ISA_INTERFACE) || io->comp > 7)
			spv_refuse_builtin(s, io->slot);
		if (!vertex && io->comp)
			spv_unsupported(s, "more than 32 samples");
		return vertex ? vertex_slot(s, io) : fragment_slot(s, io);
	}
	if (vertex)
		return io->slot;
	if (io->slot >= (var->has_index ? 1 : 8))
		spv_unsupported(s, "variable %u: fragment output location %u", var->id, io->slot);
	return var->has_index ? IR_SLOT_MRT0_SRC1 : IR_SLOT_MRT0 + io->slot;
}
