/* SPDX-License-Identifier: MIT */
#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(struct module_words *w, uint32_t word)
{
	if (w->count == w->room) {
		w->room = w->room ? 2 * w->room : 256;
		w->at = realloc(w->at, w->room * sizeof *w->at);
		if (!w->at)
			abort();
	}
	w->at[w->count++] = word;
}

uint32_t module_id(struct module *m) { return m->next_id++; }

void module_raw(struct module *m, enum module_part part, unsigned op, const uint32_t *operands, size_t n)
{
	put(&m->part[part], (uint32_t)(n + 1) << 16 | op);
	for (size_t i = 0; i < n; i++)
		put(&m->part[part], operands[i]);
}

uint32_t module_result(struct module *m, enum module_part part, unsigned op, uint32_t type, const uint32_t *operands, size_t n)
{
	uint32_t id = module_id(m);
	put(&m->part[part], (uint32_t)(n + 3) << 16 | op);
	put(&m->part[part], type);
	put(&m->part[part], id);
	for (size_t i = 0; i < n; i++)
		put(&m->part[part], operands[i]);
	return id;
}

uint32_t module_type_op(struct module *m, unsigned op, const uint32_t *operands, size_t n)
{
	uint32_t id = module_id(m);
	put(&m->part[PART_GLOBAL], (uint32_t)(n + 2) << 16 | op);
	put(&m->part[PART_GLOBAL], id);
	for (size_t i = 0; i < n; i++)
		put(&m->part[PART_GLOBAL], operands[i]);
	return id;
}

uint32_t module_const(struct module *m, uint32_t value)
{
	if (value >= MODULE_CONSTS)
		return GLOBAL(m, SpvOpConstant, m->t_uint, value);
	if (!m->consts[value])
		m->consts[value] = GLOBAL(m, SpvOpConstant, m->t_uint, value);
	return m->consts[value];
}

uint32_t module_array(struct module *m, uint32_t element, uint32_t length)
{
	return TYPE(m, SpvOpTypeArray, element, module_const(m, length));
}

uint32_t module_pointer(struct module *m, unsigned storage, uint32_t type)
{
	return TYPE(m, SpvOpTypePointer, storage, type);
}

uint32_t module_variable(struct module *m, unsigned storage, uint32_t type)
{
	uint32_t pointer = storage == SpvStorageClassFunction && type == m->t_uint ? m->t_ptr : module_pointer(m, storage, type);
	uint32_t id = module_result(m, storage == SpvStorageClassFunction ? PART_LOCALS : PART_GLOBAL, SpvOpVariable, pointer,
		&(uint32_t){ storage }, 1);
	if (storage == SpvStorageClassInput || storage == SpvStorageClassOutput)
		m->interface[m->interfaces++] = id;
	return id;
}

uint32_t module_load(struct module *m, uint32_t pointer) { return RES(m, SpvOpLoad, m->t_uint, pointer); }

void module_store(struct module *m, uint32_t pointer, uint32_t value) { OP(m, SpvOpStore, pointer, value); }

static uint32_t buffer_at(struct module *m, uint32_t index)
{
	return RES(m, SpvOpAccessChain, m->t_buffer_ptr, m->buffer, module_const(m, 0), index);
}

uint32_t module_buffer_load(struct module *m, uint32_t index) { return module_load(m, buffer_at(m, index)); }

void module_buffer_store(struct module *m, uint32_t index, uint32_t value)
{
	module_store(m, buffer_at(m, index), value);
}

void module_decorate_binding(struct module *m, uint32_t variable, uint32_t binding, enum compiler_desc type, uint32_t count)
{
	RAW(m, PART_DECOR, SpvOpDecorate, variable, SpvDecorationDescriptorSet, 0);
	RAW(m, PART_DECOR, SpvOpDecorate, variable, SpvDecorationBinding, binding);
	if (m->binding_count == MODULE_BINDINGS)
		abort();
	m->bindings[m->binding_count++] = (struct compiler_binding){ .binding = binding, .type = type, .count = count,
		.offset = 64 * binding, .stride = 64 };
}

uint32_t module_test(struct module *m, uint32_t value, uint32_t bit)
{
	uint32_t masked = RES(m, SpvOpBitwiseAnd, m->t_uint, value, module_const(m, 1u << bit % 32));
	return RES(m, SpvOpINotEqual, m->t_bool, masked, module_const(m, 0));
}

void module_label(struct module *m, uint32_t label) { OP(m, SpvOpLabel, label); }

uint32_t module_if(struct module *m, uint32_t condition)
{
	uint32_t then = module_id(m), merge = module_id(m);
	OP(m, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
	OP(m, SpvOpBranchConditional, condition, then, merge);
	module_label(m, then);
	return merge;
}

void module_end_if(struct module *m, uint32_t merge)
{
	OP(m, SpvOpBranch, merge);
	module_label(m, merge);
}

/* --- the frame --- */

static void base_types(struct module *m)
{
	m->t_void = module_type_op(m, SpvOpTypeVoid, NULL, 0);
	m->t_bool = module_type_op(m, SpvOpTypeBool, NULL, 0);
	m->t_uint = TYPE(m, SpvOpTypeInt, 32, 0);
	m->t_float = TYPE(m, SpvOpTypeFloat, 32);
	m->t_vec4 = TYPE(m, SpvOpTypeVector, m->t_float, 4);
	m->t_func = TYPE(m, SpvOpTypeFunction, m->t_void);
	m->t_ptr = module_pointer(m, SpvStorageClassFunction, m->t_uint);
	m->t_buffer_ptr = module_pointer(m, SpvStorageClassStorageBuffer, m->t_uint);
	uint32_t array = TYPE(m, SpvOpTypeRuntimeArray, m->t_uint);
	m->t_in_block = TYPE(m, SpvOpTypeStruct, array);
	m->t_block_ptr = module_pointer(m, SpvStorageClassStorageBuffer, m->t_in_block);
	RAW(m, PART_DECOR, SpvOpDecorate, array, SpvDecorationArrayStride, 4);
	RAW(m, PART_DECOR, SpvOpDecorate, m->t_in_block, SpvDecorationBlock);
	RAW(m, PART_DECOR, SpvOpMemberDecorate, m->t_in_block, 0, SpvDecorationOffset, 0);
}

static uint32_t lane_number(struct module *m)
{
	uint32_t type = TYPE(m, SpvOpTypeVector, m->t_uint, 3);
	bool cs = m->stage == COMPILER_CS;
	uint32_t var = module_variable(m, SpvStorageClassInput, cs ? type : m->t_vec4);
	RAW(m, PART_DECOR, SpvOpDecorate, var, SpvDecorationBuiltIn,
		cs ? SpvBuiltInGlobalInvocationId : SpvBuiltInFragCoord);
	uint32_t value = RES(m, SpvOpLoad, cs ? type : m->t_vec4, var);
	uint32_t first = RES(m, SpvOpCompositeExtract, cs ? m->t_uint : m->t_float, value, 0);
	return cs ? first : RES(m, SpvOpConvertFToU, m->t_uint, first);
}

void module_init(struct module *m, enum compiler_stage stage)
{
	*m = (struct module){ .next_id = 1, .stage = stage, .into = PART_MAIN };
	base_types(m);
	m->main = module_id(m);
	m->buffer = GLOBAL(m, SpvOpVariable, m->t_block_ptr, SpvStorageClassStorageBuffer);
	module_decorate_binding(m, m->buffer, 0, COMPILER_DESC_SSBO, 1);
	RAW(m, PART_LOCALS, SpvOpFunction, m->t_void, m->main, SpvFunctionControlMaskNone, m->t_func);
	RAW(m, PART_LOCALS, SpvOpLabel, module_id(m));
	m->lane = lane_number(m);
	m->x = module_buffer_load(m, m->lane);
	uint32_t block = TYPE(m, SpvOpTypeStruct, m->t_uint);
	uint32_t var = module_variable(m, SpvStorageClassPushConstant, block);
	uint32_t ptr = module_pointer(m, SpvStorageClassPushConstant, m->t_uint);
	RAW(m, PART_DECOR, SpvOpDecorate, block, SpvDecorationBlock);
	RAW(m, PART_DECOR, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
	m->u = module_load(m, RES(m, SpvOpAccessChain, ptr, var, module_const(m, 0)));
}

static void head(struct module *m)
{
	uint32_t entry[160] = { m->stage == COMPILER_CS ? SpvExecutionModelGLCompute : SpvExecutionModelFragment, m->main,
		0x6e69616d /* "main" */, 0 };
	memcpy(entry + 4, m->interface, m->interfaces * sizeof *entry);
	RAW(m, PART_HEAD, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
	module_raw(m, PART_ENTRY, SpvOpEntryPoint, entry, 4 + m->interfaces);
	if (m->stage == COMPILER_CS)
		RAW(m, PART_MODES, SpvOpExecutionMode, m->main, SpvExecutionModeLocalSize, 64, 1, 1);
	else
		RAW(m, PART_MODES, SpvOpExecutionMode, m->main, SpvExecutionModeOriginUpperLeft);
}

void module_finish(struct module *m, uint32_t result)
{
	module_buffer_store(m, m->lane, result);
	module_raw(m, PART_MAIN, SpvOpReturn, NULL, 0);
	module_raw(m, PART_MAIN, SpvOpFunctionEnd, NULL, 0);
	static const uint32_t capabilities[] = { SpvCapabilityShader, SpvCapabilityGroupNonUniform,
		SpvCapabilityGroupNonUniformArithmetic, SpvCapabilityGroupNonUniformVote };
	struct module_words out = { 0 };
	for (unsigned i = 0; i < 5; i++)
		put(&out, (const uint32_t[]){ SpvMagicNumber, 0x10300, 0, m->next_id, 0 }[i]);
	for (unsigned i = 0; i < sizeof capabilities / 4; i++) {
		put(&out, 2u << 16 | SpvOpCapability);
		put(&out, capabilities[i]);
	}
	head(m);
	for (unsigned p = 0; p < PART_COUNT; p++)
		for (size_t i = 0; i < m->part[p].count; i++)
			put(&out, m->part[p].at[i]);
	m->words = out.at;
	m->word_count = out.count;
}

void module_free(struct module *m)
{
	for (unsigned p = 0; p < PART_COUNT; p++)
		free(m->part[p].at);
	free(m->words);
}
