/* SPDX-License-Identifier: MIT */
/* Integer dot products: of vectors, or of words that hold four bytes.  All is computed in
 * the width of the result, which what comes before the last sum does not exceed. */
#include "compiler/spv/spv_priv.h"

struct kind { uint16_t op; bool a_signed, b_signed, accumulates; };
static const struct kind kinds[] = {
	{ SpvOpSDot, true, true, false }, { SpvOpUDot, false, false, false }, { SpvOpSUDot, true, false, false },
	{ SpvOpSDotAccSat, true, true, true }, { SpvOpUDotAccSat, false, false, true },
	{ SpvOpSUDotAccSat, true, false, true },
};

static const struct kind *kind_of(uint32_t op)
{
	for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i].op == op)
			return &kinds[i];
	return NULL;
}

/* The components of an operand as `bits` bits; n is what it has. */
static const struct ir_src *components(struct spv *s, uint32_t id, bool is_packed, bool is_signed, unsigned bits, uint32_t *n)
{
	const struct spv_type *type = spv_type_of(s, id);
	struct ir_src *out = spv_leaf_array(s, 4);
	if (!spv_scalar_type(type) || spv_scalar_type(type)->kind != SPV_INT || spv_comps(type) > 4 ||
		(is_packed ? type->kind != SPV_INT : type->kind != SPV_VECTOR))
		spv_invalid(s, "operand %u has the wrong type", id);
	if (is_packed) {
		struct ir_src word = spv_number(s, id);
		*n = 4;
		for (uint32_t i = 0; i < 4; i++) {
			out[i] = ir_op3(&s->b, is_signed ? IR_SBFE : IR_UBFE, word, spv_u(s, 8 * i), spv_u(s, 8));
			if (bits != 32)
				out[i] = ir_convert(&s->b, is_signed ? IR_SCONV : IR_UCONV, bits, out[i]);
		}
		return out;
	}
	const struct ir_src *v = spv_operands(s, id, type->leaves);
	*n = type->leaves;
	if (v[0].inst->bits > bits)
		spv_invalid(s, "operand %u has more bits than the result", id);
	for (uint32_t i = 0; i < *n; i++)
		out[i] = v[i].inst->bits == bits ? v[i] : ir_convert(&s->b, is_signed ? IR_SCONV : IR_UCONV, bits, v[i]);
	return out;
}

/* The sum, or the nearest number that there is. */
static struct ir_src add_saturating(struct spv *s, struct ir_src a, struct ir_src b, bool is_signed)
{
	unsigned bits = a.inst->bits;
	struct ir_src sum = ir_op2(&s->b, IR_IADD, a, b);
	if (!is_signed)
		return ir_op3(&s->b, IR_SELECT, ir_op2(&s->b, IR_UCMP_LT, sum, a), spv_i_of(s, bits, -1), sum);
	struct ir_src over = ir_op2(&s->b, IR_IAND, ir_op2(&s->b, IR_IXOR, a, sum), ir_op2(&s->b, IR_IXOR, b, sum));
	struct ir_src limit = ir_op2(&s->b, IR_IXOR, ir_op2(&s->b, IR_SSHR, a, spv_u(s, bits - 1)),
		ir_const_of(&s->b, bits, ir_ones(bits - 1)));
	return ir_op3(&s->b, IR_SELECT, ir_op2(&s->b, IR_SCMP_LT, over, spv_i_of(s, bits, 0)), limit, sum);
}

bool spv_integer_dot(struct spv *s, struct spv_op op)
{
	const struct kind *k = kind_of(op.op);
	if (!k)
		return false;
	const struct spv_type *type = spv_result_type(s, op);
	uint32_t format = 5u + k->accumulates, n, m;
	bool is_packed = op.n > format;
	if (type->kind != SPV_INT)
		spv_invalid(s, "the result is not an integer");
	if (is_packed && op.w[format] != SpvPackedVectorFormatPackedVectorFormat4x8Bit)
		spv_unsupported(s, "packed vector format %u", op.w[format]);
	const struct ir_src *a = components(s, op.w[3], is_packed, k->a_signed, type->width, &n);
	const struct ir_src *b = components(s, op.w[4], is_packed, k->b_signed, type->width, &m);
	if (n != m)
		spv_invalid(s, "vectors of %u and %u components", n, m);
	struct ir_src *out = spv_leaf_array(s, 1);
	out[0] = ir_op2(&s->b, IR_IMUL, a[0], b[0]);
	for (uint32_t i = 1; i < n; i++)
		out[0] = ir_op2(&s->b, IR_IADD, out[0], ir_op2(&s->b, IR_IMUL, a[i], b[i]));
	if (k->accumulates) {
		struct ir_src before = spv_operands(s, op.w[5], 1)[0];
		if (before.inst->bits != type->width)
			spv_invalid(s, "operand %u has %u bits, not %u", op.w[5], before.inst->bits, type->width);
		out[0] = add_saturating(s, before, out[0], k->a_signed);
	}
	spv_set(s, op, out);
	return true;
}
