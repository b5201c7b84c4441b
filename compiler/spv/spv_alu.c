/* SPDX-License-Identifier: MIT */
/* Arithmetic, bit, relational, logical and derivative instructions.  Integer signedness
 * is the instruction's alone; spv_convert.c has what goes from type to type. */
#include "compiler/spv/spv_priv.h"

#include <math.h>

enum shape { NUM_NUM, NUM_BOOL, BOOL_BOOL }; /* operands to result */
enum { SWAP = 1,                             /* the IR operation takes the operands the other way round */
	SPEC = 2 };                          /* OpSpecConstantOp may have it */

struct row { uint16_t op, ir; uint8_t shape, operands, flags; };
static const struct row rows[] = {
	{ SpvOpQuantizeToF16, IR_QUANTIZE_F16, NUM_NUM, 1, SPEC },
	{ SpvOpFNegate, IR_FNEG, NUM_NUM, 1, 0 }, { SpvOpNot, IR_INOT, NUM_NUM, 1, SPEC },
	{ SpvOpBitReverse, IR_BITREV, NUM_NUM, 1, 0 }, { SpvOpBitCount, IR_BITCOUNT, NUM_NUM, 1, 0 },
	{ SpvOpIAdd, IR_IADD, NUM_NUM, 2, SPEC }, { SpvOpFAdd, IR_FADD, NUM_NUM, 2, 0 },
	{ SpvOpISub, IR_ISUB, NUM_NUM, 2, SPEC }, { SpvOpFSub, IR_FSUB, NUM_NUM, 2, 0 },
	{ SpvOpIMul, IR_IMUL, NUM_NUM, 2, SPEC }, { SpvOpFMul, IR_FMUL, NUM_NUM, 2, 0 },
	{ SpvOpUDiv, IR_UDIV, NUM_NUM, 2, SPEC }, { SpvOpSDiv, IR_SDIV, NUM_NUM, 2, SPEC },
	{ SpvOpUMod, IR_UMOD, NUM_NUM, 2, SPEC }, { SpvOpSRem, IR_SREM, NUM_NUM, 2, SPEC },
	{ SpvOpShiftRightLogical, IR_USHR, NUM_NUM, 2, SPEC }, { SpvOpShiftRightArithmetic, IR_SSHR, NUM_NUM, 2, SPEC },
	{ SpvOpShiftLeftLogical, IR_ISHL, NUM_NUM, 2, SPEC },
	{ SpvOpBitwiseOr, IR_IOR, NUM_NUM, 2, SPEC }, { SpvOpBitwiseXor, IR_IXOR, NUM_NUM, 2, SPEC },
	{ SpvOpBitwiseAnd, IR_IAND, NUM_NUM, 2, SPEC },
	{ SpvOpIEqual, IR_ICMP_EQ, NUM_BOOL, 2, SPEC }, { SpvOpINotEqual, IR_ICMP_NE, NUM_BOOL, 2, SPEC },
	{ SpvOpULessThan, IR_UCMP_LT, NUM_BOOL, 2, SPEC }, { SpvOpUGreaterThan, IR_UCMP_LT, NUM_BOOL, 2, SWAP | SPEC },
	{ SpvOpULessThanEqual, IR_UCMP_LE, NUM_BOOL, 2, SPEC },
	{ SpvOpUGreaterThanEqual, IR_UCMP_LE, NUM_BOOL, 2, SWAP | SPEC },
	{ SpvOpSLessThan, IR_SCMP_LT, NUM_BOOL, 2, SPEC }, { SpvOpSGreaterThan, IR_SCMP_LT, NUM_BOOL, 2, SWAP | SPEC },
	{ SpvOpSLessThanEqual, IR_SCMP_LE, NUM_BOOL, 2, SPEC },
	{ SpvOpSGreaterThanEqual, IR_SCMP_LE, NUM_BOOL, 2, SWAP | SPEC },
	{ SpvOpFOrdEqual, IR_FCMP_EQ, NUM_BOOL, 2, 0 }, { SpvOpFUnordEqual, IR_FCMP_EQU, NUM_BOOL, 2, 0 },
	{ SpvOpFOrdNotEqual, IR_FCMP_NEO, NUM_BOOL, 2, 0 }, { SpvOpFUnordNotEqual, IR_FCMP_NE, NUM_BOOL, 2, 0 },
	{ SpvOpFOrdLessThan, IR_FCMP_LT, NUM_BOOL, 2, 0 }, { SpvOpFUnordLessThan, IR_FCMP_LTU, NUM_BOOL, 2, 0 },
	{ SpvOpFOrdGreaterThan, IR_FCMP_LT, NUM_BOOL, 2, SWAP }, { SpvOpFUnordGreaterThan, IR_FCMP_LTU, NUM_BOOL, 2, SWAP },
	{ SpvOpFOrdLessThanEqual, IR_FCMP_LE, NUM_BOOL, 2, 0 }, { SpvOpFUnordLessThanEqual, IR_FCMP_LEU, NUM_BOOL, 2, 0 },
	{ SpvOpFOrdGreaterThanEqual, IR_FCMP_LE, NUM_BOOL, 2, SWAP },
	{ SpvOpFUnordGreaterThanEqual, IR_FCMP_LEU, NUM_BOOL, 2, SWAP },
	{ SpvOpLogicalOr, IR_BOR, BOOL_BOOL, 2, SPEC }, { SpvOpLogicalAnd, IR_BAND, BOOL_BOOL, 2, SPEC },
	{ SpvOpLogicalNot, IR_BNOT, BOOL_BOOL, 1, SPEC }, { SpvOpLogicalNotEqual, IR_BXOR, BOOL_BOOL, 2, SPEC },
	{ SpvOpDPdx, IR_DDX_FINE, NUM_NUM, 1, 0 }, { SpvOpDPdy, IR_DDY_FINE, NUM_NUM, 1, 0 },
	{ SpvOpDPdxFine, IR_DDX_FINE, NUM_NUM, 1, 0 }, { SpvOpDPdyFine, IR_DDY_FINE, NUM_NUM, 1, 0 },
	{ SpvOpDPdxCoarse, IR_DDX_COARSE, NUM_NUM, 1, 0 }, { SpvOpDPdyCoarse, IR_DDY_COARSE, NUM_NUM, 1, 0 },
};

static const struct row *find_row(uint32_t op)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].op == op)
			return &rows[i];
	return NULL;
}

enum ir_op spv_ir_op_of_const(uint32_t op, bool *swap)
{
	const struct row *row = find_row(op);
	*swap = row && row->flags & SWAP;
	return row && row->flags & SPEC ? (enum ir_op)row->ir : IR_OP_COUNT;
}

static const struct spv_type *value_type(struct spv *s, struct spv_op op, bool is_bool)
{
	const struct spv_type *type = spv_result_type(s, op), *scalar = spv_scalar_type(type);
	if (!scalar || (scalar->kind == SPV_BOOL) != is_bool)
		spv_invalid(s, "the result is not of %s", is_bool ? "bools" : "numbers");
	return type;
}

/* Both operands have one width; the count of a shift is a word. */
static struct ir_src second(struct spv *s, const struct row *row, struct ir_src a, struct ir_src b)
{
	if (ir_op_infos[row->ir].operands == IR_IN_SHIFT)
		return b.inst->bits == 32 ? b : ir_convert(&s->b, IR_UCONV, 32, b);
	if (b.inst->bits != a.inst->bits)
		spv_invalid(s, "operands of %u and %u bits", a.inst->bits, b.inst->bits);
	return b;
}

static void by_row(struct spv *s, struct spv_op op, const struct row *row)
{
	const struct spv_type *type = value_type(s, op, row->shape != NUM_NUM);
	uint32_t n = type->leaves;
	const struct ir_src *a, *b = NULL;
	struct ir_src *out = spv_leaf_array(s, n);
	bool word = ir_op_infos[row->ir].flags & IR_F_QUAD || row->ir == IR_QUANTIZE_F16;
	a = row->shape == BOOL_BOOL ? spv_bools(s, op.w[3], n) : word ? spv_numbers(s, op.w[3], n) : spv_operands(s, op.w[3], n);
	if (row->operands == 2)
		b = row->shape == BOOL_BOOL ? spv_bools(s, op.w[4], n) : spv_operands(s, op.w[4], n);
	for (uint32_t i = 0; i < n; i++) {
		if (row->operands == 1)
			out[i] = spv_1(s, (enum ir_op)row->ir, a[i]);
		else if (row->flags & SWAP)
			out[i] = spv_2(s, (enum ir_op)row->ir, second(s, row, a[i], b[i]), a[i]);
		else
			out[i] = spv_2(s, (enum ir_op)row->ir, a[i], second(s, row, a[i], b[i]));
		if (row->ir == IR_BITCOUNT && type->width != 32)
			out[i] = ir_convert(&s->b, IR_UCONV, type->width, out[i]);
	}
	if (ir_op_infos[row->ir].flags & IR_F_QUAD)
		spv_use_quads(s);
	spv_set(s, op, out);
}

/* --- what takes more than one operation --- */

/* Within 2.5 ULP: the reciprocal and the product round once each.  Halves are divided in single precision. */
struct ir_src spv_div(struct spv *s, struct ir_src a, struct ir_src b)
{
	if (a.inst->bits != 16)
		return spv_2(s, IR_FMUL, a, spv_1(s, IR_FRCP, b));
	struct ir_src q = spv_div(s, ir_convert(&s->b, IR_FCONV, 32, a), ir_convert(&s->b, IR_FCONV, 32, b));
	return ir_convert(&s->b, IR_FCONV, 16, q);
}

struct ir_src spv_dot(struct spv *s, const struct ir_src *a, const struct ir_src *b, uint32_t n)
{
	struct ir_src sum = spv_2(s, IR_FMUL, a[0], b[0]);
	for (uint32_t i = 1; i < n; i++)
		sum = spv_2(s, IR_FADD, sum, spv_2(s, IR_FMUL, a[i], b[i]));
	return sum;
}

/* x - y * round(x / y) */
static struct ir_src float_remainder(struct spv *s, enum ir_op rounding, struct ir_src x, struct ir_src y)
{
	if (x.inst->bits == 16) {
		x = float_remainder(s, rounding, ir_convert(&s->b, IR_FCONV, 32, x), ir_convert(&s->b, IR_FCONV, 32, y));
		return ir_convert(&s->b, IR_FCONV, 16, x);
	}
	struct ir_src q = spv_1(s, rounding, spv_div(s, x, y));
	return spv_2(s, IR_FSUB, x, spv_2(s, IR_FMUL, y, q));
}

static struct ir_src signed_modulo(struct spv *s, struct ir_src x, struct ir_src y)
{
	const uint64_t sign = 1ull << (y.inst->bits - 1), value = y.inst->op == IR_CONST ? y.inst->u.imm : 0;
	if (value && value < sign && !(value & (value - 1)))
		return spv_2(s, IR_IAND, x, ir_const_of(&s->b, y.inst->bits, value - 1));
	struct ir_src r = spv_2(s, IR_SREM, x, y), zero = spv_i_of(s, x.inst->bits, 0);
	struct ir_src differ = spv_2(s, IR_SCMP_LT, spv_2(s, IR_IXOR, r, y), zero);
	struct ir_src adjust = spv_2(s, IR_BAND, spv_2(s, IR_ICMP_NE, r, zero), differ);
	return spv_3(s, IR_SELECT, adjust, spv_2(s, IR_IADD, r, y), r);
}

static struct ir_src fwidth(struct spv *s, uint32_t op, struct ir_src x)
{
	bool coarse = op == SpvOpFwidthCoarse;
	struct ir_src dx = spv_1(s, IR_FABS, spv_1(s, coarse ? IR_DDX_COARSE : IR_DDX_FINE, x));
	struct ir_src dy = spv_1(s, IR_FABS, spv_1(s, coarse ? IR_DDY_COARSE : IR_DDY_FINE, x));
	return spv_2(s, IR_FADD, dx, dy);
}

static struct ir_src is_inf(struct spv *s, struct ir_src x)
{
	unsigned bits = x.inst->bits;
	struct ir_src magnitude = spv_2(s, IR_IAND, x, ir_const_of(&s->b, bits, ir_ones(bits - 1)));
	return spv_2(s, IR_ICMP_EQ, magnitude, spv_f_of(s, bits, INFINITY));
}

/* Leafwise, numbers to numbers: one or two operands. */
static bool numbers_op(struct spv *s, struct spv_op op)
{
	switch (op.op) {
	case SpvOpFDiv: case SpvOpFMod: case SpvOpFRem: case SpvOpSMod: case SpvOpSNegate:
	case SpvOpFwidth: case SpvOpFwidthFine: case SpvOpFwidthCoarse:
		break;
	default:
		return false;
	}
	uint32_t n = value_type(s, op, false)->leaves;
	const struct ir_src *a = spv_operands(s, op.w[3], n), *b = op.n > 4 ? spv_operands(s, op.w[4], n) : NULL;
	struct ir_src *out = spv_leaf_array(s, n);
	if (b && b[0].inst->bits != a[0].inst->bits)
		spv_invalid(s, "operands of %u and %u bits", a[0].inst->bits, b[0].inst->bits);
	if (op.op == SpvOpFwidth || op.op == SpvOpFwidthFine || op.op == SpvOpFwidthCoarse) {
		spv_numbers(s, op.w[3], n);
		spv_use_quads(s);
	}
	for (uint32_t i = 0; i < n; i++)
		switch (op.op) {
		case SpvOpFDiv: out[i] = spv_div(s, a[i], b[i]); break;
		case SpvOpFMod: out[i] = float_remainder(s, IR_FFLOOR, a[i], b[i]); break;
		case SpvOpFRem: out[i] = float_remainder(s, IR_FTRUNC, a[i], b[i]); break;
		case SpvOpSMod: out[i] = signed_modulo(s, a[i], b[i]); break;
		case SpvOpSNegate: out[i] = spv_2(s, IR_ISUB, spv_i_of(s, a[i].inst->bits, 0), a[i]); break;
		default: out[i] = fwidth(s, op.op, a[i]);
		}
	spv_set(s, op, out);
	return true;
}

static bool bools_op(struct spv *s, struct spv_op op)
{
	if (op.op != SpvOpIsNan && op.op != SpvOpIsInf && op.op != SpvOpLogicalEqual)
		return false;
	uint32_t n = value_type(s, op, true)->leaves;
	struct ir_src *out = spv_leaf_array(s, n);
	if (op.op == SpvOpLogicalEqual) {
		const struct ir_src *a = spv_bools(s, op.w[3], n), *b = spv_bools(s, op.w[4], n);
		for (uint32_t i = 0; i < n; i++)
			out[i] = spv_1(s, IR_BNOT, spv_2(s, IR_BXOR, a[i], b[i]));
	} else {
		const struct ir_src *a = spv_operands(s, op.w[3], n);
		for (uint32_t i = 0; i < n; i++)
			out[i] = op.op == SpvOpIsNan ? spv_2(s, IR_FCMP_NE, a[i], a[i]) : is_inf(s, a[i]);
	}
	spv_set(s, op, out);
	return true;
}

static void any_all(struct spv *s, struct spv_op op)
{
	const struct spv_type *from = spv_type_of(s, op.w[3]);
	const struct ir_src *a = spv_bools(s, op.w[3], from->leaves);
	struct ir_src *out = spv_leaf_array(s, 1);
	if (value_type(s, op, true)->leaves != 1)
		spv_invalid(s, "the result is not a bool");
	out[0] = a[0];
	for (uint32_t i = 1; i < from->leaves; i++)
		out[0] = spv_2(s, op.op == SpvOpAny ? IR_BOR : IR_BAND, out[0], a[i]);
	spv_set(s, op, out);
}

static void select(struct spv *s, struct spv_op op)
{
	const struct spv_type *type = spv_result_type(s, op), *a_type, *b_type;
	if (spv_val(s, op.w[4])->ptr && type->opaque)
		spv_unsupported(s, "selection of pointers");
	uint32_t conds = spv_type_of(s, op.w[3])->leaves;
	const struct ir_src *cond = spv_bools(s, op.w[3], conds);
	const struct ir_src *a = spv_leaves(s, op.w[4], &a_type), *b = spv_leaves(s, op.w[5], &b_type);
	if (!spv_same_shape(a_type, type) || !spv_same_shape(b_type, type) ||
		(conds != 1 && conds != type->leaves))
		spv_invalid(s, "the operands differ in type or size");
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	for (uint32_t i = 0; i < type->leaves; i++)
		out[i] = spv_3(s, IR_SELECT, cond[conds == 1 ? 0 : i], a[i], b[i]);
	spv_set(s, op, out);
}

/* --- bit fields and wide results --- */

/* The hardware takes counts modulo 32, so 32 needs a select unless it cannot be. */
static struct ir_src unless_whole(struct spv *s, uint32_t count_id, struct ir_src whole, struct ir_src part)
{
	uint32_t known;
	if (spv_is_const(s, count_id, &known))
		return known >= 32 ? whole : part;
	struct ir_src is_part = spv_2(s, IR_UCMP_LT, spv_index(s, count_id), spv_u(s, 32));
	return spv_3(s, IR_SELECT, is_part, part, whole);
}

static void bit_field(struct spv *s, struct spv_op op)
{
	uint32_t n = value_type(s, op, false)->leaves;
	const struct ir_src *base = spv_numbers(s, op.w[3], n);
	struct ir_src *out = spv_leaf_array(s, n);
	if (op.op == SpvOpBitFieldInsert) {
		const struct ir_src *insert = spv_numbers(s, op.w[4], n);
		struct ir_src offset = spv_index(s, op.w[5]), count = spv_index(s, op.w[6]);
		struct ir_src mask = unless_whole(s, op.w[6], spv_u(s, ~0u), spv_2(s, IR_BFM, count, offset));
		for (uint32_t i = 0; i < n; i++)
			out[i] = spv_3(s, IR_BFI, mask, spv_2(s, IR_ISHL, insert[i], offset), base[i]);
	} else {
		enum ir_op ir = op.op == SpvOpBitFieldSExtract ? IR_SBFE : IR_UBFE;
		struct ir_src offset = spv_index(s, op.w[4]), count = spv_index(s, op.w[5]);
		for (uint32_t i = 0; i < n; i++)
			out[i] = unless_whole(s, op.w[5], base[i], spv_3(s, ir, base[i], offset, count));
	}
	spv_set(s, op, out);
}

static void wide(struct spv *s, struct spv_op op)
{
	static const uint16_t ops[][2] = {
		[SpvOpIAddCarry - SpvOpIAddCarry] = { IR_IADD, IR_UADD_CARRY },
		[SpvOpISubBorrow - SpvOpIAddCarry] = { IR_ISUB, IR_USUB_BORROW },
		[SpvOpUMulExtended - SpvOpIAddCarry] = { IR_IMUL, IR_UMULHI },
		[SpvOpSMulExtended - SpvOpIAddCarry] = { IR_IMUL, IR_IMULHI },
	};
	const struct spv_type *type = spv_result_type(s, op);
	if (type->kind != SPV_STRUCT || type->count != 2 || !spv_comps(type->members[0].type) ||
		!spv_same_shape(type->members[0].type, type->members[1].type) || type->any_bool)
		spv_invalid(s, "the result is not a struct of two numbers");
	uint32_t n = type->members[0].type->leaves;
	const struct ir_src *a = spv_operands(s, op.w[3], n), *b = spv_operands(s, op.w[4], n);
	struct ir_src *out = spv_leaf_array(s, 2 * n);
	if (b[0].inst->bits != a[0].inst->bits)
		spv_invalid(s, "operands of %u and %u bits", a[0].inst->bits, b[0].inst->bits);
	for (uint32_t i = 0; i < 2 * n; i++)
		out[i] = spv_2(s, (enum ir_op)ops[op.op - SpvOpIAddCarry][i / n], a[i % n], b[i % n]);
	spv_set(s, op, out);
}

/* --- vectors and matrices --- */

static const struct spv_type *matrix_operand(struct spv *s, uint32_t id)
{
	const struct spv_type *type = spv_type_of(s, id);
	if (type->kind != SPV_MATRIX)
		spv_invalid(s, "operand %u is not a matrix", id);
	return type;
}

/* a: columns x rows; b: `wide` columns of `columns` rows. */
static void multiply(struct spv *s, const struct ir_src *a, uint32_t columns, uint32_t rows_, const struct ir_src *b,
	uint32_t wide_, struct ir_src *out)
{
	for (uint32_t c = 0; c < wide_; c++)
		for (uint32_t r = 0; r < rows_; r++) {
			struct ir_src line[4];
			for (uint32_t k = 0; k < columns; k++)
				line[k] = a[k * rows_ + r];
			out[c * rows_ + r] = spv_dot(s, line, b + c * columns, columns);
		}
}

/* Operands with the width of the result. */
static const struct ir_src *floats(struct spv *s, uint32_t id, uint32_t count, const struct spv_type *type)
{
	const struct ir_src *v = spv_operands(s, id, count);
	if (v[0].inst->bits != type->width)
		spv_invalid(s, "operand %u has %u bits, not %u", id, v[0].inst->bits, type->width);
	return v;
}

static void linear(struct spv *s, struct spv_op op)
{
	const struct spv_type *type = value_type(s, op, false), *m;
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	uint32_t n = type->leaves;
	switch (op.op) {
	case SpvOpVectorTimesScalar: case SpvOpMatrixTimesScalar: {
		const struct ir_src *v = floats(s, op.w[3], n, type);
		struct ir_src k = floats(s, op.w[4], 1, type)[0];
		for (uint32_t i = 0; i < n; i++)
			out[i] = spv_2(s, IR_FMUL, v[i], k);
		break;
	}
	case SpvOpVectorTimesMatrix: {
		m = matrix_operand(s, op.w[4]);
		uint32_t rows_ = m->elem->count;
		if (n != m->count)
			spv_invalid(s, "the result has %u components, not %u", n, m->count);
		const struct ir_src *v = floats(s, op.w[3], rows_, type), *a = floats(s, op.w[4], m->leaves, type);
		for (uint32_t c = 0; c < n; c++)
			out[c] = spv_dot(s, v, a + c * rows_, rows_);
		break;
	}
	case SpvOpMatrixTimesVector: case SpvOpMatrixTimesMatrix: {
		m = matrix_operand(s, op.w[3]);
		uint32_t wide_ = op.op == SpvOpMatrixTimesVector ? 1 : matrix_operand(s, op.w[4])->count;
		if (n != wide_ * m->elem->count)
			spv_invalid(s, "the result has %u components, not %u", n, wide_ * m->elem->count);
		multiply(s, floats(s, op.w[3], m->leaves, type), m->count, m->elem->count,
			floats(s, op.w[4], wide_ * m->count, type), wide_, out);
		break;
	}
	default: { /* OpOuterProduct */
		if (type->kind != SPV_MATRIX)
			spv_invalid(s, "the result is not a matrix");
		uint32_t rows_ = type->elem->count;
		const struct ir_src *a = floats(s, op.w[3], rows_, type), *b = floats(s, op.w[4], type->count, type);
		for (uint32_t i = 0; i < n; i++)
			out[i] = spv_2(s, IR_FMUL, a[i % rows_], b[i / rows_]);
	}
	}
	spv_set(s, op, out);
}

static void dot(struct spv *s, struct spv_op op)
{
	uint32_t n = spv_type_of(s, op.w[3])->leaves;
	struct ir_src *out = spv_leaf_array(s, 1);
	const struct spv_type *type = value_type(s, op, false);
	if (type->leaves != 1 || n > 4)
		spv_invalid(s, "not vectors and a scalar");
	out[0] = spv_dot(s, floats(s, op.w[3], n, type), floats(s, op.w[4], n, type), n);
	spv_set(s, op, out);
}

bool spv_alu(struct spv *s, struct spv_op op)
{
	const struct row *row = find_row(op.op);
	if (row) {
		by_row(s, op, row);
		return true;
	}
	switch (op.op) {
	case SpvOpSelect: select(s, op); return true;
	case SpvOpAny: case SpvOpAll: any_all(s, op); return true;
	case SpvOpBitFieldInsert: case SpvOpBitFieldSExtract: case SpvOpBitFieldUExtract:
		bit_field(s, op);
		return true;
	case SpvOpIAddCarry: case SpvOpISubBorrow: case SpvOpUMulExtended: case SpvOpSMulExtended:
		wide(s, op);
		return true;
	case SpvOpVectorTimesScalar: case SpvOpMatrixTimesScalar: case SpvOpVectorTimesMatrix:
	case SpvOpMatrixTimesVector: case SpvOpMatrixTimesMatrix: case SpvOpOuterProduct:
		linear(s, op);
		return true;
	case SpvOpDot: dot(s, op); return true;
	default: return numbers_op(s, op) || bools_op(s, op);
	}
}
