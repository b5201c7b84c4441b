/* SPDX-License-Identifier: MIT */
/* Generators of data: variables, composites, constants, resources. */
#include "growth.h"

static uint32_t fold(struct module *m, uint32_t sum, uint32_t value)
{
	return RES(m, SpvOpBitwiseXor, m->t_uint, RES(m, SpvOpIMul, m->t_uint, sum, m->x), value);
}

static uint32_t at(struct module *m, uint32_t pointer_type, uint32_t variable, uint32_t index)
{
	return RES(m, SpvOpAccessChain, pointer_type, variable, index);
}

enum { ARRAY = 1024 };

/* n copies of an array that is indexed dynamically too. */
static uint32_t array_copies(struct module *m, uint32_t n)
{
	uint32_t type = module_array(m, m->t_uint, ARRAY);
	uint32_t a = module_variable(m, SpvStorageClassFunction, type), b = module_variable(m, SpvStorageClassFunction, type);
	module_store(m, at(m, m->t_ptr, a, m->x), m->x);
	for (uint32_t i = 0; i < n; i++) {
		OP(m, SpvOpStore, i % 2 ? a : b, RES(m, SpvOpLoad, type, i % 2 ? b : a));
		module_store(m, at(m, m->t_ptr, i % 2 ? a : b, m->x), m->u);
	}
	return module_load(m, at(m, m->t_ptr, n % 2 ? b : a, m->x));
}

/* One copy of an array of n. */
static uint32_t array_size(struct module *m, uint32_t n)
{
	uint32_t type = module_array(m, m->t_uint, n);
	uint32_t a = module_variable(m, SpvStorageClassFunction, type), b = module_variable(m, SpvStorageClassFunction, type);
	module_store(m, at(m, m->t_ptr, a, m->x), m->x);
	OP(m, SpvOpStore, b, RES(m, SpvOpLoad, type, a));
	return module_load(m, at(m, m->t_ptr, b, m->x));
}

/* n new values of a large array, each with one element changed. */
static uint32_t inserts(struct module *m, uint32_t n)
{
	uint32_t type = module_array(m, m->t_uint, 8192), value = module_result(m, PART_GLOBAL, SpvOpUndef, type, NULL, 0);
	for (uint32_t i = 0; i < n; i++)
		value = RES(m, SpvOpCompositeInsert, type, m->x, value, i * 5 % 8192);
	uint32_t sum = m->x;
	for (uint32_t i = 0; i < n; i++)
		sum = fold(m, sum, RES(m, SpvOpCompositeExtract, m->t_uint, value, i * 5 % 8192));
	return sum;
}

static uint32_t constants(struct module *m, uint32_t n)
{
	uint32_t sum = m->x;
	for (uint32_t i = 0; i < n; i++)
		sum = fold(m, sum, module_const(m, 1000 + i));
	return sum;
}

static uint32_t spec_constants(struct module *m, uint32_t n)
{
	uint32_t sum = m->x;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = GLOBAL(m, SpvOpSpecConstant, m->t_uint, 1000 + i);
		RAW(m, PART_DECOR, SpvOpDecorate, c, SpvDecorationSpecId, i);
		sum = fold(m, sum, c);
	}
	return sum;
}

/* A table of n constants, indexed dynamically. */
static uint32_t constant_array(struct module *m, uint32_t n)
{
	uint32_t type = module_array(m, m->t_uint, n), first = m->next_id, operands[16384];
	m->next_id += n;
	for (uint32_t i = 0; i < n; i++) {
		RAW(m, PART_GLOBAL, SpvOpConstant, m->t_uint, first + i, i * 2654435761u);
		operands[i] = first + i;
	}
	uint32_t table = module_result(m, PART_GLOBAL, SpvOpConstantComposite, type, operands, n);
	uint32_t var = module_variable(m, SpvStorageClassFunction, type);
	OP(m, SpvOpStore, var, table);
	return module_load(m, at(m, m->t_ptr, var, m->x));
}

/* Structs in structs, n deep in all; refused beyond a depth, so several. */
static uint32_t deep_types(struct module *m, uint32_t n)
{
	enum { DEPTH = 32 };
	uint32_t sum = m->x, zero = module_const(m, 0);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t type = m->t_uint, chain[DEPTH + 1];
		for (unsigned i = 0; i < DEPTH; i++) {
			type = TYPE(m, SpvOpTypeStruct, type);
			chain[1 + i] = zero;
		}
		chain[0] = module_variable(m, SpvStorageClassFunction, type);
		uint32_t p = module_result(m, m->into, SpvOpAccessChain, m->t_ptr, chain, DEPTH + 1);
		module_store(m, p, sum);
		sum = fold(m, sum, module_load(m, p));
	}
	return sum;
}

static uint32_t wide_struct(struct module *m, uint32_t n)
{
	uint32_t members[16384] = { 0 };
	for (uint32_t i = 0; i < n; i++)
		members[i] = m->t_uint;
	uint32_t type = module_type_op(m, SpvOpTypeStruct, members, n), sum = m->x;
	uint32_t a = module_variable(m, SpvStorageClassFunction, type), b = module_variable(m, SpvStorageClassFunction, type);
	for (uint32_t i = 0; i < n; i++)
		module_store(m, at(m, m->t_ptr, a, module_const(m, i)), fold(m, m->x, module_const(m, i)));
	OP(m, SpvOpStore, b, RES(m, SpvOpLoad, type, a));
	for (uint32_t i = 0; i < n; i++)
		sum = fold(m, sum, module_load(m, at(m, m->t_ptr, b, module_const(m, i))));
	return sum;
}

static uint32_t variables(struct module *m, uint32_t n)
{
	uint32_t sum = m->x;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t var = module_variable(m, SpvStorageClassPrivate, m->t_uint);
		module_store(m, var, sum);
		sum = fold(m, sum, module_load(m, var));
	}
	return sum;
}

/* n phis in one block. */
static uint32_t phis(struct module *m, uint32_t n)
{
	uint32_t before = module_id(m), then = module_id(m), merge = module_id(m), test = module_test(m, m->x, 3), sum = m->x;
	OP(m, SpvOpBranch, before);
	module_label(m, before);
	OP(m, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
	OP(m, SpvOpBranchConditional, test, then, merge);
	module_label(m, then);
	uint32_t first = m->next_id, phi = first + n;
	m->next_id += 2 * n;
	for (uint32_t i = 0; i < n; i++)
		OP(m, SpvOpIMul, m->t_uint, first + i, m->x, module_const(m, 2 * i + 65));
	module_end_if(m, merge);
	for (uint32_t i = 0; i < n; i++)
		OP(m, SpvOpPhi, m->t_uint, phi + i, m->x, before, first + i, then);
	for (uint32_t i = 0; i < n; i++)
		sum = fold(m, sum, phi + i);
	return sum;
}

static uint32_t images(struct module *m, uint32_t n)
{
	uint32_t image = TYPE(m, SpvOpTypeImage, m->t_float, SpvDim2D, 0, 0, 0, 1, SpvImageFormatUnknown);
	uint32_t sampled = TYPE(m, SpvOpTypeSampledImage, image), vec2 = TYPE(m, SpvOpTypeVector, m->t_float, 2);
	uint32_t var = module_variable(m, SpvStorageClassUniformConstant, sampled);
	module_decorate_binding(m, var, 1, COMPILER_DESC_COMBINED, 1);
	uint32_t c = RES(m, SpvOpConvertUToF, m->t_float, m->x);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t coord = RES(m, SpvOpCompositeConstruct, vec2, c, c);
		uint32_t texel = RES(m, SpvOpImageSampleImplicitLod, m->t_vec4, RES(m, SpvOpLoad, sampled, var), coord);
		uint32_t a = RES(m, SpvOpCompositeExtract, m->t_float, texel, 0), b = RES(m, SpvOpCompositeExtract, m->t_float, texel, 3);
		c = RES(m, SpvOpFAdd, m->t_float, a, b);
	}
	return RES(m, SpvOpConvertFToU, m->t_uint, c);
}

static uint32_t descriptors(struct module *m, uint32_t n)
{
	uint32_t sum = m->x, zero = module_const(m, 0);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t var = GLOBAL(m, SpvOpVariable, m->t_block_ptr, SpvStorageClassStorageBuffer);
		module_decorate_binding(m, var, 1 + i, COMPILER_DESC_SSBO, 1);
		uint32_t p = RES(m, SpvOpAccessChain, m->t_buffer_ptr, var, zero, sum);
		sum = fold(m, sum, module_load(m, p));
	}
	return sum;
}

/* One block with n values, made of v, that live at once: they spill. */
static uint32_t live_at_once(struct module *m, uint32_t n, uint32_t v)
{
	uint32_t first = m->next_id, sum = v;
	m->next_id += n;
	for (uint32_t i = 0; i < n; i++)
		OP(m, SpvOpIMul, m->t_uint, first + i, i ? first + i - 1 : v, v);
	for (uint32_t i = n; i-- > 0;)
		sum = RES(m, SpvOpBitwiseXor, m->t_uint, RES(m, SpvOpIMul, m->t_uint, sum, v), first + i);
	return sum;
}

static uint32_t pressure(struct module *m, uint32_t n)
{
	return live_at_once(m, n, m->x);
}

/* The same in SGPRs. */
static uint32_t pressure_scalar(struct module *m, uint32_t n)
{
	return live_at_once(m, n, m->u);
}

static uint32_t inputs(struct module *m, uint32_t n)
{
	uint32_t sum = m->x;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t in = module_variable(m, SpvStorageClassInput, m->t_vec4);
		RAW(m, PART_DECOR, SpvOpDecorate, in, SpvDecorationLocation, i);
		uint32_t value = RES(m, SpvOpLoad, m->t_vec4, in);
		uint32_t f = RES(m, SpvOpDot, m->t_float, value, value);
		sum = fold(m, sum, RES(m, SpvOpConvertFToU, m->t_uint, f));
	}
	return sum;
}

static uint32_t selects(struct module *m, uint32_t n)
{
	uint32_t v = m->x;
	for (uint32_t i = 0; i < n; i++)
		v = RES(m, SpvOpSelect, m->t_uint, module_test(m, v, i), fold(m, v, module_const(m, i % 61)), m->lane);
	return v;
}

static uint32_t subgroups(struct module *m, uint32_t n)
{
	uint32_t v = m->x, scope = module_const(m, SpvScopeSubgroup);
	for (uint32_t i = 0; i < n; i++)
		v = RES(m, SpvOpGroupNonUniformIAdd, m->t_uint, scope, SpvGroupOperationReduce, fold(m, v, m->lane));
	return v;
}

/* Stores and loads at constant places of one buffer. */
static uint32_t buffers(struct module *m, uint32_t n)
{
	uint32_t sum = m->x;
	for (uint32_t i = 0; i < n; i++) {
		sum = fold(m, sum, module_buffer_load(m, module_const(m, 4 * i + 100)));
		module_buffer_store(m, module_const(m, 4 * i + 101), sum);
	}
	return sum;
}

static uint32_t chains(struct module *m, uint32_t n)
{
	uint32_t inner = module_array(m, m->t_uint, 16), middle = TYPE(m, SpvOpTypeStruct, m->t_uint, inner);
	uint32_t outer = module_array(m, middle, 16), sum = m->x, var = module_variable(m, SpvStorageClassFunction, outer);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t p = RES(m, SpvOpAccessChain, m->t_ptr, var, module_const(m, i % 16), module_const(m, 1), module_const(m, i / 16 % 16));
		module_store(m, p, sum);
		sum = fold(m, sum, module_load(m, p));
	}
	return sum;
}

/* Elements of a small array with a dynamic index: selects. */
static uint32_t small_arrays(struct module *m, uint32_t n)
{
	uint32_t var = module_variable(m, SpvStorageClassFunction, module_array(m, m->t_uint, 8)), v = m->x;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t index = RES(m, SpvOpBitwiseAnd, m->t_uint, v, module_const(m, 7));
		module_store(m, at(m, m->t_ptr, var, module_const(m, i % 8)), v);
		v = fold(m, v, module_load(m, at(m, m->t_ptr, var, index)));
	}
	return v;
}

const struct growth_case growth_data[] = {
	{ "array_copies", array_copies, 10, COMPILER_CS, false },
	{ "array_size", array_size, 2000, COMPILER_CS, false },
	{ "inserts", inserts, 100, COMPILER_CS, false },
	{ "constants", constants, 5000, COMPILER_CS, false },
	{ "spec_constants", spec_constants, 4000, COMPILER_CS, false },
	{ "constant_array", constant_array, 2000, COMPILER_CS, false },
	{ "deep_types", deep_types, 200, COMPILER_CS, false },
	{ "wide_struct", wide_struct, 2000, COMPILER_CS, false },
	{ "variables", variables, 2000, COMPILER_CS, false },
	{ "phis", phis, 600, COMPILER_CS, false },
	{ "images", images, 600, COMPILER_PS, false },
	{ "descriptors", descriptors, 500, COMPILER_CS, false },
	{ "pressure", pressure, 800, COMPILER_CS, false },
	{ "pressure_scalar", pressure_scalar, 800, COMPILER_CS, false },
	{ "inputs", inputs, 8, COMPILER_PS, false },
	{ "selects", selects, 3000, COMPILER_CS, false },
	{ "subgroups", subgroups, 150, COMPILER_CS, false },
	{ "buffers", buffers, 2000, COMPILER_CS, false },
	{ "chains", chains, 3000, COMPILER_CS, false },
	{ "small_arrays", small_arrays, 1000, COMPILER_CS, false },
	{ NULL, NULL, 0, COMPILER_CS, false },
};
