/* SPDX-License-Identifier: MIT */
/* GLSL.std.450 on whole vectors and matrices: geometry, determinant, inverse. */
#include <spirv/unified1/GLSL.std.450.h>
#include "compiler/spv/spv_priv.h"

/* --- vectors --- */

static struct ir_src length(struct spv *s, const struct ir_src *v, uint32_t n)
{
	return n == 1 ? spv_1(s, IR_FABS, v[0]) : spv_1(s, IR_FSQRT, spv_dot(s, v, v, n));
}

static void normalize(struct spv *s, const struct ir_src *v, uint32_t n, struct ir_src *out)
{
	struct ir_src k = spv_1(s, IR_FRSQ, spv_dot(s, v, v, n));
	for (uint32_t i = 0; i < n; i++)
		out[i] = spv_2(s, IR_FMUL, v[i], k);
}

static void cross(struct spv *s, const struct ir_src *a, const struct ir_src *b, struct ir_src *out)
{
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
		out[i] = spv_2(s, IR_FSUB, spv_2(s, IR_FMUL, a[j], b[k]), spv_2(s, IR_FMUL, b[j], a[k]));
	}
}

static void reflect(struct spv *s, const struct ir_src *i, const struct ir_src *normal, uint32_t n, struct ir_src *out)
{
	struct ir_src d = spv_dot(s, normal, i, n), twice = spv_2(s, IR_FADD, d, d);
	for (uint32_t k = 0; k < n; k++)
		out[k] = spv_2(s, IR_FSUB, i[k], spv_2(s, IR_FMUL, twice, normal[k]));
}

/* k = 1 - eta^2 (1 - (N.I)^2); k < 0: 0, else eta I - (eta N.I + sqrt k) N */
static void refract(struct spv *s, const struct ir_src *i, const struct ir_src *normal, struct ir_src eta, uint32_t n,
	struct ir_src *out)
{
	struct ir_src d = spv_dot(s, normal, i, n), one = spv_f_of(s, d.inst->bits, 1), zero = spv_f_of(s, d.inst->bits, 0);
	struct ir_src k = spv_2(s, IR_FSUB, one, spv_2(s, IR_FMUL, d, d));
	k = spv_2(s, IR_FSUB, one, spv_2(s, IR_FMUL, spv_2(s, IR_FMUL, eta, eta), k));
	struct ir_src whole = spv_2(s, IR_FCMP_LT, k, zero);
	struct ir_src m = spv_2(s, IR_FADD, spv_2(s, IR_FMUL, eta, d), spv_1(s, IR_FSQRT, k));
	for (uint32_t c = 0; c < n; c++) {
		struct ir_src v = spv_2(s, IR_FSUB, spv_2(s, IR_FMUL, eta, i[c]), spv_2(s, IR_FMUL, m, normal[c]));
		out[c] = spv_3(s, IR_SELECT, whole, zero, v);
	}
}

static void face_forward(struct spv *s, const struct ir_src *normal, const struct ir_src *i, const struct ir_src *ref,
	uint32_t n, struct ir_src *out)
{
	struct ir_src keep = spv_2(s, IR_FCMP_LT, spv_dot(s, ref, i, n), spv_f_of(s, ref[0].inst->bits, 0));
	for (uint32_t k = 0; k < n; k++)
		out[k] = spv_3(s, IR_SELECT, keep, normal[k], spv_1(s, IR_FNEG, normal[k]));
}

static const struct spv_type *vector_result(struct spv *s, struct spv_op op, uint32_t n)
{
	const struct spv_type *type = spv_result_type(s, op);
	if (type->any_bool || spv_comps(type) != n)
		spv_invalid(s, "the result has not %u components", n);
	return type;
}

/* Operands with the width of the result; halves in single precision. */
static const struct ir_src *floats(struct spv *s, uint32_t id, uint32_t n, const struct spv_type *type)
{
	const struct ir_src *v = spv_operands(s, id, n);
	if (v[0].inst->bits != type->width || type->width < 16)
		spv_invalid(s, "operand %u has %u bits, not %u", id, v[0].inst->bits, type->width);
	return type->width == 16 ? spv_singles(s, v, n) : v;
}

/* Of Refract, whose width may be another one. */
static struct ir_src eta_of(struct spv *s, uint32_t id, const struct spv_type *type)
{
	struct ir_src v = spv_operands(s, id, 1)[0];
	unsigned bits = type->width == 64 ? 64 : 32;
	if (v.inst->bits < 16)
		spv_invalid(s, "operand %u has %u bits", id, v.inst->bits);
	return v.inst->bits == bits ? v : ir_convert(&s->b, IR_FCONV, bits, v);
}

bool spv_glsl_geometric(struct spv *s, struct spv_op op)
{
	uint32_t inst = op.w[4];
	if (inst < GLSLstd450Length || inst > GLSLstd450Refract)
		return false;
	uint32_t n = spv_comps(spv_type_of(s, op.w[5]));
	if (!n || (inst == GLSLstd450Cross && n != 3))
		spv_invalid(s, "the operand is not a vector, or of the wrong size");
	const struct spv_type *type = vector_result(s, op, inst == GLSLstd450Length || inst == GLSLstd450Distance ? 1 : n);
	const struct ir_src *a = floats(s, op.w[5], n, type), *b = NULL;
	struct ir_src *out = spv_leaf_array(s, n), difference[4];
	if (inst != GLSLstd450Length && inst != GLSLstd450Normalize)
		b = floats(s, op.w[6], n, type);
	switch (inst) {
	case GLSLstd450Length:
		out[0] = length(s, a, n);
		break;
	case GLSLstd450Distance:
		for (uint32_t i = 0; i < n; i++)
			difference[i] = spv_2(s, IR_FSUB, a[i], b[i]);
		out[0] = length(s, difference, n);
		break;
	case GLSLstd450Cross: cross(s, a, b, out); break;
	case GLSLstd450Normalize: normalize(s, a, n, out); break;
	case GLSLstd450FaceForward: face_forward(s, a, b, floats(s, op.w[7], n, type), n, out); break;
	case GLSLstd450Reflect: reflect(s, a, b, n, out); break;
	default: refract(s, a, b, eta_of(s, op.w[7], type), n, out);
	}
	spv_from_singles(s, type->width, out, type->leaves);
	spv_set(s, op, out);
	return true;
}

/* --- matrices --- */

/* Of the n x n part with these rows and columns of a matrix of `size` rows, by
 * its first row.  Equal minors are merged by value numbering. */
static struct ir_src determinant(struct spv *s, const struct ir_src *m, uint32_t size, uint32_t n,
	const uint32_t *row, const uint32_t *column)
{
	if (n == 1)
		return m[column[0] * size + row[0]];
	struct ir_src sum = { 0 };
	for (uint32_t c = 0; c < n; c++) {
		uint32_t others[4], k = 0;
		for (uint32_t i = 0; i < n; i++)
			if (i != c)
				others[k++] = column[i];
		struct ir_src minor = determinant(s, m, size, n - 1, row + 1, others);
		struct ir_src term = spv_2(s, IR_FMUL, m[column[c] * size + row[0]], minor);
		sum = c == 0 ? term : spv_2(s, c & 1 ? IR_FSUB : IR_FADD, sum, term);
	}
	return sum;
}

static void inverse(struct spv *s, const struct ir_src *m, uint32_t n, struct ir_src *out)
{
	static const uint32_t all[] = { 0, 1, 2, 3 };
	struct ir_src scale = spv_1(s, IR_FRCP, determinant(s, m, n, n, all, all));
	for (uint32_t c = 0; c < n; c++)
		for (uint32_t r = 0; r < n; r++) {
			/* Element (r, c) is the cofactor of (c, r). */
			uint32_t rows[4], columns[4], i = 0, k = 0;
			for (uint32_t x = 0; x < n; x++) {
				if (x != c)
					rows[i++] = x;
				if (x != r)
					columns[k++] = x;
			}
			struct ir_src v = determinant(s, m, n, n - 1, rows, columns);
			if ((r + c) & 1)
				v = spv_1(s, IR_FNEG, v);
			out[c * n + r] = spv_2(s, IR_FMUL, v, scale);
		}
}

bool spv_glsl_matrix(struct spv *s, struct spv_op op)
{
	static const uint32_t all[] = { 0, 1, 2, 3 };
	uint32_t inst = op.w[4];
	if (inst != GLSLstd450Determinant && inst != GLSLstd450MatrixInverse)
		return false;
	const struct spv_type *type = spv_type_of(s, op.w[5]), *result = spv_result_type(s, op);
	if (type->kind != SPV_MATRIX || type->count != type->elem->count)
		spv_invalid(s, "the operand is not a square matrix");
	const struct ir_src *m = floats(s, op.w[5], type->leaves, type);
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	bool is_inverse = inst == GLSLstd450MatrixInverse;
	if (is_inverse ? !spv_same_shape(type, result) : spv_comps(result) != 1 || result->any_bool)
		spv_invalid(s, "the result has the wrong type");
	if (is_inverse)
		inverse(s, m, type->count, out);
	else
		out[0] = determinant(s, m, type->count, type->count, all, all);
	spv_from_singles(s, type->width, out, result->leaves);
	spv_set(s, op, out);
	return true;
}
