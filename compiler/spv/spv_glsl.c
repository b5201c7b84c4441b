/* SPDX-License-Identifier: MIT */
/* GLSL.std.450: the instructions that work leaf by leaf, and the way to the
 * others (spv_glsl_*.c). */
#include <spirv/unified1/GLSL.std.450.h>
#include "compiler/spv/spv_priv.h"

#include <string.h>
#include "isa/bits.h"

struct row { uint16_t inst, ir; };

static const struct row unary_rows[] = {
	{ GLSLstd450Round, IR_FRNDNE }, { GLSLstd450RoundEven, IR_FRNDNE }, { GLSLstd450Trunc, IR_FTRUNC },
	{ GLSLstd450FAbs, IR_FABS }, { GLSLstd450Floor, IR_FFLOOR }, { GLSLstd450Ceil, IR_FCEIL },
	{ GLSLstd450Fract, IR_FFRACT }, { GLSLstd450Log2, IR_FLOG2 },
	{ GLSLstd450Sqrt, IR_FSQRT }, { GLSLstd450InverseSqrt, IR_FRSQ }, { GLSLstd450FindILsb, IR_FIND_LSB },
	{ GLSLstd450FindSMsb, IR_SFIND_MSB }, { GLSLstd450FindUMsb, IR_UFIND_MSB },
};
static const struct row binary_rows[] = {
	{ GLSLstd450FMin, IR_FMIN }, { GLSLstd450UMin, IR_UMIN }, { GLSLstd450SMin, IR_SMIN },
	{ GLSLstd450FMax, IR_FMAX }, { GLSLstd450UMax, IR_UMAX }, { GLSLstd450SMax, IR_SMAX },
	{ GLSLstd450NMin, IR_FMIN }, { GLSLstd450NMax, IR_FMAX }, { GLSLstd450Ldexp, IR_FLDEXP },
};

static const struct row *find(const struct row *rows, size_t count, uint32_t inst)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].inst == inst)
			return &rows[i];
	return NULL;
}
#define FIND(rows, inst) find(rows, sizeof rows / sizeof rows[0], inst)

/* --- one operand --- */

static struct ir_src float_sign(struct spv *s, struct ir_src x)
{
	unsigned bits = x.inst->bits;
	struct ir_src zero = spv_f_of(s, bits, 0);
	struct ir_src negative = spv_3(s, IR_SELECT, spv_2(s, IR_FCMP_LT, x, zero), spv_f_of(s, bits, -1), zero);
	return spv_3(s, IR_SELECT, spv_2(s, IR_FCMP_LT, zero, x), spv_f_of(s, bits, 1), negative);
}

static struct ir_src int_sign(struct spv *s, struct ir_src x)
{
	unsigned bits = x.inst->bits;
	return spv_2(s, IR_SMAX, spv_2(s, IR_SMIN, x, spv_i_of(s, bits, 1)), spv_i_of(s, bits, -1));
}

static bool unary(struct spv *s, uint32_t inst, struct ir_src x, struct ir_src *out)
{
	const struct row *row = FIND(unary_rows, inst);
	if (row) {
		*out = spv_1(s, (enum ir_op)row->ir, x);
		return true;
	}
	switch (inst) {
	case GLSLstd450Exp2: *out = spv_exp2(s, x); return true;
	case GLSLstd450SAbs: *out = spv_2(s, IR_SMAX, x, spv_2(s, IR_ISUB, spv_i_of(s, x.inst->bits, 0), x)); return true;
	case GLSLstd450FSign: *out = float_sign(s, x); return true;
	case GLSLstd450SSign: *out = int_sign(s, x); return true;
	case GLSLstd450Radians: *out = spv_2(s, IR_FMUL, x, spv_f_of(s, x.inst->bits, 0.01745329251994329577f)); return true;
	case GLSLstd450Degrees: *out = spv_2(s, IR_FMUL, x, spv_f_of(s, x.inst->bits, 57.2957795130823208768f)); return true;
	default: return spv_glsl_transcendental(s, inst, x, out);
	}
}

/* --- two and three operands --- */

/* The number that a constant of 32 bits is, if it is one of those that products are made for; 0: it is not. */
static unsigned small_exponent(struct ir_src y)
{
	enum { MOST = 32 };
	for (unsigned n = 1; n <= MOST && y.inst->op == IR_CONST && y.inst->bits == 32; n++)
		if (y.inst->u.imm == float_bits((float)n))
			return n;
	return 0;
}

/* x to the n by squares, n being at least 1: n - 1 halves of a unit off at most. */
static struct ir_src product(struct spv *s, struct ir_src x, unsigned n)
{
	struct ir_src p = x;
	while (n % 2 == 0) {
		p = x = spv_2(s, IR_FMUL, x, x);
		n /= 2;
	}
	for (n /= 2; n; n /= 2) {
		x = spv_2(s, IR_FMUL, x, x);
		if (n & 1)
			p = spv_2(s, IR_FMUL, p, x);
	}
	return p;
}

/* exp2(y log2 x), which is undefined of numbers below 0, or what is nearer to it and sooner there; an exponent of 0 gives 1, where
 * log2 would make 0 times infinity. */
static struct ir_src power(struct spv *s, struct ir_src x, struct ir_src y)
{
	const unsigned n = small_exponent(y);
	if (n)
		return product(s, x, n);
	struct ir_src p = spv_exp2(s, spv_2(s, IR_FMUL, y, spv_1(s, IR_FLOG2, x)));
	return spv_3(s, IR_SELECT, spv_2(s, IR_FCMP_EQ, y, spv_f(s, 0)), spv_f(s, 1), p);
}

static bool binary(struct spv *s, uint32_t inst, struct ir_src x, struct ir_src y, struct ir_src *out)
{
	const struct row *row = FIND(binary_rows, inst);
	if (row) {
		*out = inst == GLSLstd450NMin || inst == GLSLstd450NMax ? spv_exact_2(s, (enum ir_op)row->ir, x, y) :
			spv_2(s, (enum ir_op)row->ir, x, y);
		return true;
	}
	switch (inst) {
	case GLSLstd450Atan2: *out = spv_atan2(s, x, y); return true;
	case GLSLstd450Pow: *out = power(s, x, y); return true;
	case GLSLstd450Step:
		*out = spv_3(s, IR_SELECT, spv_2(s, IR_FCMP_LT, y, x), spv_f_of(s, x.inst->bits, 0), spv_f_of(s, x.inst->bits, 1));
		return true;
	default: return false;
	}
}

static bool is_one(struct ir_src v)
{
	unsigned bits = v.inst->bits;
	return v.inst->op == IR_CONST && v.inst->u.imm == (bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : 0x3ffull << 52);
}

static struct ir_src clamp(struct spv *s, bool exact, struct ir_src x, struct ir_src low, struct ir_src high)
{
	if (low.inst->op == IR_CONST && low.inst->u.imm == 0 && is_one(high))
		return spv_1(s, IR_FSAT, x);
	struct ir_src (*const both)(struct spv *, enum ir_op, struct ir_src, struct ir_src) = exact ? spv_exact_2 : spv_2;
	return both(s, IR_FMIN, both(s, IR_FMAX, x, low), high);
}

static struct ir_src smooth_step(struct spv *s, struct ir_src low, struct ir_src high, struct ir_src x)
{
	struct ir_src t = spv_div(s, spv_2(s, IR_FSUB, x, low), spv_2(s, IR_FSUB, high, low));
	t = spv_1(s, IR_FSAT, t);
	unsigned bits = x.inst->bits;
	struct ir_src k = spv_2(s, IR_FSUB, spv_f_of(s, bits, 3), spv_2(s, IR_FMUL, spv_f_of(s, bits, 2), t));
	return spv_2(s, IR_FMUL, spv_2(s, IR_FMUL, t, t), k);
}

static bool ternary(struct spv *s, uint32_t inst, struct ir_src x, struct ir_src y, struct ir_src z, struct ir_src *out)
{
	switch (inst) {
	case GLSLstd450FClamp: case GLSLstd450NClamp:
		*out = clamp(s, inst == GLSLstd450NClamp, x, y, z);
		return true;
	case GLSLstd450UClamp: *out = spv_2(s, IR_UMIN, spv_2(s, IR_UMAX, x, y), z); return true;
	case GLSLstd450SClamp: *out = spv_2(s, IR_SMIN, spv_2(s, IR_SMAX, x, y), z); return true;
	case GLSLstd450FMix:
		*out = spv_2(s, IR_FMUL, x, spv_2(s, IR_FSUB, spv_f_of(s, x.inst->bits, 1), z));
		*out = spv_2(s, IR_FADD, *out, spv_2(s, IR_FMUL, y, z));
		return true;
	case GLSLstd450SmoothStep: *out = smooth_step(s, x, y, z); return true;
	case GLSLstd450Fma: *out = spv_3(s, IR_FFMA, x, y, z); return true;
	default: return false;
	}
}

/* --- two results: the second through a pointer or in a struct --- */

static void split(struct spv *s, uint32_t inst, struct ir_src x, struct ir_src *a, struct ir_src *b)
{
	if (inst == GLSLstd450Modf || inst == GLSLstd450ModfStruct) {
		*b = spv_1(s, IR_FTRUNC, x);
		*a = spv_2(s, IR_FSUB, x, *b);
	} else {
		*a = spv_1(s, IR_FREXP_MANT, x);
		*b = spv_1(s, IR_FREXP_EXP, x);
	}
}

static bool two_results(struct spv *s, struct spv_op op)
{
	const struct spv_type *type = spv_result_type(s, op);
	uint32_t inst = op.w[4];
	bool is_struct = inst == GLSLstd450ModfStruct || inst == GLSLstd450FrexpStruct;
	if (!is_struct && inst != GLSLstd450Modf && inst != GLSLstd450Frexp)
		return false;
	if (is_struct && (type->kind != SPV_STRUCT || type->count != 2 || !spv_comps(type->members[0].type) ||
		spv_comps(type->members[1].type) != spv_comps(type->members[0].type) || type->any_bool))
		spv_invalid(s, "the result is not a struct of two numbers");
	uint32_t n = is_struct ? type->leaves / 2 : type->leaves;
	if (!is_struct && (!spv_comps(type) || type->any_bool))
		spv_invalid(s, "the result is not of numbers");
	const struct ir_src *x = spv_operands(s, op.w[5], n);
	struct ir_src *out = spv_leaf_array(s, 2 * n);
	if (x[0].inst->bits < 16)
		spv_invalid(s, "a float of 8 bits");
	for (uint32_t i = 0; i < n; i++)
		split(s, inst, x[i], &out[i], &out[n + i]);
	if (!is_struct) {
		const struct spv_ptr *p = spv_pointer(s, op.w[6]);
		if (spv_comps(p->type) != n || p->type->any_bool)
			spv_invalid(s, "the pointer has another type than the operand");
		for (uint32_t i = n; i < 2 * n; i++)
			out[i] = spv_as(s, out[i], p->type->width);
		spv_store(s, p, false, out + n);
	}
	spv_set(s, op, out);
	return true;
}

/* --- all --- */

static const struct spv_op_info *info_of(uint32_t inst)
{
	for (unsigned i = 0; i < spv_glsl_info_count; i++)
		if (spv_glsl_infos[i].opcode == inst)
			return &spv_glsl_infos[i];
	return NULL;
}

/* Works in words, or in numbers of any width that the table says? */
enum { IN_WORDS, IN_ANY, IN_SINGLES };
static int width_of(uint32_t inst, const struct spv_type *type)
{
	const struct row *row = FIND(unary_rows, inst);
	row = row ? row : FIND(binary_rows, inst);
	bool is_float = spv_scalar_type(type)->kind == SPV_FLOAT;
	switch (inst) {
	case GLSLstd450FindILsb: case GLSLstd450FindSMsb: case GLSLstd450FindUMsb: return IN_WORDS;
	case GLSLstd450SAbs: case GLSLstd450SSign: case GLSLstd450UClamp: case GLSLstd450SClamp: case GLSLstd450FSign:
	case GLSLstd450FClamp: case GLSLstd450NClamp: case GLSLstd450Step: case GLSLstd450Fma:
		return IN_ANY;
	case GLSLstd450Radians: case GLSLstd450Degrees: return type->width == 16 ? IN_ANY : IN_WORDS;
	case GLSLstd450FMix: case GLSLstd450SmoothStep: return type->width == 64 ? IN_ANY : IN_SINGLES;
	default: break;
	}
	if (row && row->ir != IR_FLOG2)
		return IN_ANY;
	return is_float && type->width == 16 ? IN_SINGLES : IN_WORDS;
}

/* An exponent as a word; of 64 bits the nearest one. */
static struct ir_src exponent_word(struct spv *s, struct ir_src e)
{
	if (e.inst->bits == 32)
		return e;
	if (e.inst->bits < 32)
		return ir_convert(&s->b, IR_SCONV, 32, e);
	struct ir_src low = ir_convert(&s->b, IR_UCONV, 32, e), high = ir_op1(&s->b, IR_HIGH, e), sign = spv_u(s, 31);
	struct ir_src fits = ir_op2(&s->b, IR_ICMP_EQ, high, ir_op2(&s->b, IR_SSHR, low, sign));
	struct ir_src end = ir_op2(&s->b, IR_IXOR, ir_op2(&s->b, IR_SSHR, high, sign), spv_u(s, INT32_MAX));
	return ir_op3(&s->b, IR_SELECT, fits, low, end);
}

/* Operands as wide as the result; the exponent of Ldexp is a word. */
static const struct ir_src *operand(struct spv *s, struct spv_op op, uint32_t i, const struct spv_type *type, int width)
{
	uint32_t n = type->leaves;
	if (width == IN_WORDS)
		return spv_numbers(s, op.w[5 + i], n);
	const struct ir_src *v = spv_operands(s, op.w[5 + i], n);
	bool exponent = op.w[4] == GLSLstd450Ldexp && i == 1;
	if (!exponent && v[0].inst->bits != type->width)
		spv_invalid(s, "operand %u has %u bits, not %u", op.w[5 + i], v[0].inst->bits, type->width);
	if (!exponent)
		return width == IN_SINGLES ? spv_singles(s, v, n) : v;
	struct ir_src *words = spv_leaf_array(s, n);
	for (uint32_t k = 0; k < n; k++)
		words[k] = exponent_word(s, v[k]);
	return words;
}

static void leafwise(struct spv *s, struct spv_op op, const char *name)
{
	const struct spv_type *type = spv_result_type(s, op);
	uint32_t inst = op.w[4], operands = op.n - 5u, n = type->leaves;
	if (!spv_comps(type) || type->any_bool)
		spv_invalid(s, "%s: the result is not of numbers", name);
	const struct ir_src *v[3] = { NULL };
	int width = width_of(inst, type);
	if (spv_scalar_type(type)->kind != SPV_FLOAT && width == IN_SINGLES)
		spv_invalid(s, "%s: the result is not of floats", name);
	for (uint32_t i = 0; i < operands && i < 3; i++)
		v[i] = operand(s, op, i, type, width);
	struct ir_src *out = spv_leaf_array(s, n);
	bool known = operands >= 1 && operands <= 3;
	for (uint32_t i = 0; i < n && known; i++)
		known = operands == 1 ? unary(s, inst, v[0][i], &out[i]) :
			operands == 2 ? binary(s, inst, v[0][i], v[1][i], &out[i]) :
			ternary(s, inst, v[0][i], v[1][i], v[2][i], &out[i]);
	if (!known)
		spv_unsupported(s, "%s", name);
	if (width == IN_SINGLES)
		spv_from_singles(s, type->width, out, n);
	spv_set(s, op, out);
}

void spv_glsl(struct spv *s, struct spv_op op)
{
	const struct spv_op_info *info = info_of(op.w[4]);
	if (!info)
		spv_invalid(s, "instruction %u is not in GLSL.std.450", op.w[4]);
	if (op.n - 5u != strlen(info->operands))
		spv_invalid(s, "%s: %u operands", info->name, op.n - 5u);
	if (!two_results(s, op) && !spv_glsl_geometric(s, op) && !spv_glsl_matrix(s, op) && !spv_glsl_pack(s, op) &&
		!spv_glsl_interpolate(s, op))
		leafwise(s, op, info->name);
}
