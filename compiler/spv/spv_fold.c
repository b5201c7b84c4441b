/* SPDX-License-Identifier: MIT */
/* The value of one scalar operation on constants, for OpSpecConstantOp. */
#include "compiler/spv/spv_priv.h"

static uint32_t bit_mask(uint32_t offset, uint32_t count)
{
	if (offset >= 32 || count == 0)
		return 0;
	return (count >= 32 ? ~0u : (1u << count) - 1) << offset;
}

static uint32_t signed_divide(uint32_t op, int32_t a, int32_t b)
{
	if (b == 0)
		return op == SpvOpSDiv ? 0xffffffffu : (uint32_t)a; /* undefined; as the lowered code */
	if (b == -1)
		return op == SpvOpSDiv ? 0u - (uint32_t)a : 0;
	int32_t r = a % b;
	if (op == SpvOpSDiv)
		return (uint32_t)(a / b);
	if (op == SpvOpSMod && r != 0 && (r ^ b) < 0)
		r += b;
	return (uint32_t)r;
}

static bool fold_compare(uint32_t op, uint32_t a, uint32_t b, uint32_t *out)
{
	int32_t x = (int32_t)a, y = (int32_t)b;
	switch (op) {
	case SpvOpIEqual: *out = a == b; return true;
	case SpvOpINotEqual: *out = a != b; return true;
	case SpvOpUGreaterThan: *out = a > b; return true;
	case SpvOpUGreaterThanEqual: *out = a >= b; return true;
	case SpvOpULessThan: *out = a < b; return true;
	case SpvOpULessThanEqual: *out = a <= b; return true;
	case SpvOpSGreaterThan: *out = x > y; return true;
	case SpvOpSGreaterThanEqual: *out = x >= y; return true;
	case SpvOpSLessThan: *out = x < y; return true;
	case SpvOpSLessThanEqual: *out = x <= y; return true;
	case SpvOpLogicalEqual: *out = a == b; return true;
	case SpvOpLogicalNotEqual: *out = a != b; return true;
	case SpvOpLogicalOr: *out = a | b; return true;
	case SpvOpLogicalAnd: *out = a & b; return true;
	default: return false;
	}
}

/* To half and back, nearest even, denormals of halves to zero. */
static uint32_t quantize(uint32_t v)
{
	uint32_t sign = v & 0x80000000u, a = v & 0x7fffffffu;
	if (a >= 0x7f800000u) /* infinity, NaN: a quiet one with the bits that a half keeps */
		return a == 0x7f800000u ? v : (v | 0x400000u) & ~0x1fffu;
	a = (a + 0xfffu + (a >> 13 & 1)) & ~0x1fffu;
	if (a >= 0x47800000u) /* 2^16 */
		return sign | 0x7f800000u;
	return a < 0x38800000u ? sign : sign | a; /* 2^-14 */
}

/* Of scalars of 32 bits and bools (0 or 1).  False: not an operation of
 * OpSpecConstantOp under Shader, or one of composites. */
bool spv_fold(uint32_t op, const uint32_t v[3], uint32_t *out)
{
	uint32_t a = v[0], b = v[1], c = v[2], s = b & 31;
	if (fold_compare(op, a, b, out))
		return true;
	switch (op) {
	case SpvOpSConvert: case SpvOpUConvert: case SpvOpFConvert: case SpvOpBitcast: *out = a; return true;
	case SpvOpQuantizeToF16: *out = quantize(a); return true;
	case SpvOpSNegate: *out = 0u - a; return true;
	case SpvOpNot: *out = ~a; return true;
	case SpvOpLogicalNot: *out = !a; return true;
	case SpvOpIAdd: *out = a + b; return true;
	case SpvOpISub: *out = a - b; return true;
	case SpvOpIMul: *out = a * b; return true;
	case SpvOpUDiv: *out = b ? a / b : 0xffffffffu; return true;
	case SpvOpUMod: *out = b ? a % b : a; return true;
	case SpvOpSDiv: case SpvOpSRem: case SpvOpSMod:
		*out = signed_divide(op, (int32_t)a, (int32_t)b);
		return true;
	case SpvOpShiftRightLogical: *out = a >> s; return true;
	case SpvOpShiftRightArithmetic: *out = (a >> s) | (a >> 31 && s ? ~0u << (32 - s) : 0); return true;
	case SpvOpShiftLeftLogical: *out = a << s; return true;
	case SpvOpBitwiseOr: *out = a | b; return true;
	case SpvOpBitwiseXor: *out = a ^ b; return true;
	case SpvOpBitwiseAnd: *out = a & b; return true;
	case SpvOpSelect: *out = a ? b : c; return true;
	case SpvOpBitFieldUExtract: *out = (a >> s) & bit_mask(0, c); return true;
	default: return false;
	}
}
