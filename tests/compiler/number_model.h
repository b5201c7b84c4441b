/* SPDX-License-Identifier: MIT */
/* Test support: what SPIR-V says of one instruction on numbers, in integer arithmetic but for powers; floats
 * by tests/core/ref/ref_float.h, which shares nothing with compiler and core. */
#ifndef NUMBER_MODEL_H
#define NUMBER_MODEL_H

#include <math.h>
#include "../core/ref/ref_float.h"
#include "back_module.h"
#include "isa/bits.h"

/* Operands, denormals flushed where the mode says so; how the result's width rounds. */
struct model_in { const struct number_op *op; uint64_t a, b, c; enum rf_round round; };
/* any: nothing is said of the result.  ulp: how far it may be from `value`; either_zero: of a zero
 * the sign is free; denormals: also of these, where the mode keeps them. */
struct model_out { uint64_t value; bool any, either_zero, denormals; unsigned ulp; };

static inline enum rf_format format_of(unsigned bits) { return bits == 16 ? RF_16 : bits == 32 ? RF_32 : RF_64; }
static inline uint64_t ones(unsigned bits) { return ~0ull >> (64 - bits); }
static inline int64_t sign_extend(uint64_t v, unsigned bits) { return (int64_t)(v << (64 - bits)) >> (64 - bits); }

/* --- floats --- */

static inline struct model_out float_compare(const struct model_in *m)
{
	enum rf_format f = format_of(m->op->in[0].bits);
	bool nan = rf_is_nan(f, m->a) || rf_is_nan(f, m->b), less = rf_less(f, m->a, m->b), equal = rf_equal(f, m->a, m->b);
	bool more = rf_less(f, m->b, m->a), r;
	switch (m->op->op) {
	case SpvOpFOrdEqual: r = equal; break;
	case SpvOpFUnordEqual: r = nan || equal; break;
	case SpvOpFOrdNotEqual: r = !nan && !equal; break;
	case SpvOpFUnordNotEqual: r = nan || !equal; break;
	case SpvOpFOrdLessThan: r = less; break;
	case SpvOpFUnordLessThan: r = nan || less; break;
	case SpvOpFOrdGreaterThan: r = more; break;
	case SpvOpFUnordGreaterThan: r = nan || more; break;
	case SpvOpFOrdLessThanEqual: r = less || equal; break;
	case SpvOpFUnordLessThanEqual: r = nan || less || equal; break;
	case SpvOpFOrdGreaterThanEqual: r = more || equal; break;
	default: r = nan || more || equal; break; /* OpFUnordGreaterThanEqual */
	}
	return (struct model_out){ .value = r };
}

static inline struct model_out min_max_of(const struct model_in *m, uint64_t a, uint64_t b, bool max)
{
	enum rf_format f = format_of(m->op->out.bits);
	bool nan_a = rf_is_nan(f, a), nan_b = rf_is_nan(f, b);
	if (nan_a || nan_b)
		return (struct model_out){ .value = nan_a ? b : a };
	return (struct model_out){ .value = rf_less(f, a, b) == max ? b : a, .either_zero = true };
}

static inline struct model_out float_glsl(const struct model_in *m)
{
	enum rf_format f = format_of(m->op->out.kind == 'f' ? m->op->out.bits : 32);
	uint64_t one = f == RF_16 ? 0x3c00 : f == RF_32 ? 0x3f800000 : 0x3ffull << 52, sign = rf_sign_bit(f), whole, less_one;
	bool nan = rf_is_nan(f, m->a) || rf_is_nan(f, m->b), inf = rf_is_inf(f, m->a);
	struct model_out low, r;
	switch (m->op->op) {
	case GLSLstd450Round: case GLSLstd450RoundEven: return (struct model_out){ .value = rf_integral(f, m->a, RF_NEAREST) };
	case GLSLstd450Trunc: return (struct model_out){ .value = rf_integral(f, m->a, RF_ZERO) };
	case GLSLstd450Floor: return (struct model_out){ .value = rf_integral(f, m->a, RF_DOWN) };
	case GLSLstd450Ceil: return (struct model_out){ .value = rf_integral(f, m->a, RF_UP) };
	case GLSLstd450FAbs: return (struct model_out){ .value = m->a & ~sign };
	case GLSLstd450FSign: /* of NaN nothing is said */
		return (struct model_out){ .value = rf_is_zero(f, m->a) ? 0 : one | (m->a & sign), .any = rf_is_nan(f, m->a) };
	case GLSLstd450Fract:
		whole = rf_sub(f, m->a, rf_integral(f, m->a, RF_DOWN), m->round);
		less_one = rf_less(f, whole, one) ? whole : one - 1;
		return (struct model_out){ .value = less_one, .any = inf || nan, .either_zero = true };
	case GLSLstd450FMin: case GLSLstd450NMin: return min_max_of(m, m->a, m->b, false);
	case GLSLstd450FMax: case GLSLstd450NMax: return min_max_of(m, m->a, m->b, true);
	case GLSLstd450FClamp: case GLSLstd450NClamp:
		low = min_max_of(m, m->a, m->b, true);
		r = min_max_of(m, low.value, m->c, false);
		r.any = nan || rf_is_nan(f, m->c) || rf_less(f, m->c, m->b);
		return r;
	case GLSLstd450Step: return (struct model_out){ .value = rf_less(f, m->b, m->a) ? 0 : one, .any = nan };
	case GLSLstd450Fma: return (struct model_out){ .value = rf_fma(f, m->a, m->b, m->c, m->round) };
	case GLSLstd450Sqrt: return (struct model_out){ .value = rf_sqrt(f, m->a, RF_NEAREST), .ulp = 2 };
	case GLSLstd450InverseSqrt:
		return (struct model_out){ .value = rf_div(f, one, rf_sqrt(f, m->a, RF_NEAREST), RF_NEAREST), .ulp = 2,
			.any = rf_is_zero(f, m->a) };
	case GLSLstd450Exp2:
		return (struct model_out){ .value = float_bits((float)exp2(bits_float((uint32_t)m->a))), .ulp = 2, .denormals = true };
	case GLSLstd450Ldexp:
		r.value = rf_scale(f, m->a, sign_extend(m->b, 32), RF_NEAREST);
		return (struct model_out){ .value = r.value, .any = rf_is_inf(f, r.value) || rf_exponent(f, r.value) <= 1 };
	case GLSLstd450ModfStruct:
		whole = rf_integral(f, m->a, RF_ZERO);
		return (struct model_out){ .value = m->op->member ? whole : rf_sub(f, m->a, whole, m->round), .any = inf,
			.either_zero = true };
	default: /* FrexpStruct */
		return (struct model_out){ .value = m->op->member ? (uint32_t)rf_frexp(f, m->a) : rf_mantissa(f, m->a),
			.any = inf || rf_is_nan(f, m->a) };
	}
}

static inline struct model_out float_core(const struct model_in *m)
{
	enum rf_format f = format_of(m->op->in[0].bits), to = format_of(m->op->out.bits);
	uint64_t h;
	enum rf_round r = m->op->rounding == SpvFPRoundingModeRTZ ? RF_ZERO : m->op->rounding >= 0 ? RF_NEAREST : m->round;
	switch (m->op->op) {
	case SpvOpFAdd: return (struct model_out){ .value = rf_add(f, m->a, m->b, r) };
	case SpvOpFSub: return (struct model_out){ .value = rf_sub(f, m->a, m->b, r) };
	case SpvOpFMul: return (struct model_out){ .value = rf_mul(f, m->a, m->b, r) };
	case SpvOpFNegate: return (struct model_out){ .value = m->a ^ rf_sign_bit(f) };
	case SpvOpFConvert: return (struct model_out){ .value = rf_convert(to, f, m->a, r) };
	case SpvOpIsNan: return (struct model_out){ .value = rf_is_nan(f, m->a) };
	case SpvOpIsInf: return (struct model_out){ .value = rf_is_inf(f, m->a) };
	case SpvOpQuantizeToF16:
		h = rf_flush(RF_16, rf_convert(RF_16, RF_32, m->a, RF_NEAREST));
		return (struct model_out){ .value = rf_convert(RF_32, RF_16, h, RF_NEAREST) };
	case SpvOpFDiv: /* 2.5 ULP where the divisor is neither tiny nor huge ("Precision of core SPIR-V Instructions") */
		h = (uint64_t)rf_exponent(f, m->b);
		return (struct model_out){ .value = rf_div(f, m->a, m->b, RF_NEAREST), .ulp = 3,
			.any = rf_is_nan(f, m->a) || h <= 2 || h >= (rf_inf(f) >> (f == RF_16 ? 10 : f == RF_32 ? 23 : 52)) - 3 };
	default: return float_compare(m);
	}
}

static inline struct model_out to_integer(const struct model_in *m)
{
	enum rf_format f = format_of(m->op->in[0].bits);
	unsigned bits = m->op->out.bits;
	bool is_signed = m->op->op == SpvOpConvertFToS;
	int64_t hi = bits == 64 ? INT64_MAX : (int64_t)ones(bits - is_signed), lo = is_signed ? -hi - 1 : 0;
	int64_t v = rf_to_int(f, m->a, lo, hi);
	return (struct model_out){ .value = (uint64_t)v & ones(bits), .any = rf_is_nan(f, m->a) || v == lo || v == hi };
}

static inline struct model_out from_integer(const struct model_in *m)
{
	unsigned bits = m->op->in[0].bits;
	int64_t v = sign_extend(m->a, bits);
	bool negative = m->op->op == SpvOpConvertSToF && v < 0;
	return (struct model_out){ .value = rf_from_int(format_of(m->op->out.bits), negative,
		negative ? 0 - (uint64_t)v : m->a, m->round) };
}

/* --- integers --- */

static inline struct model_out divided(uint32_t op, uint64_t a, uint64_t b, unsigned bits)
{
	int64_t x = sign_extend(a, bits), y = sign_extend(b, bits), r;
	if (!b || (y == -1 && (uint64_t)x == ~ones(bits - 1)))
		return (struct model_out){ .any = true };
	switch (op) {
	case SpvOpUDiv: return (struct model_out){ .value = a / b };
	case SpvOpUMod: return (struct model_out){ .value = a % b };
	case SpvOpSDiv: return (struct model_out){ .value = (uint64_t)(x / y) };
	case SpvOpSRem: return (struct model_out){ .value = (uint64_t)(x % y) };
	default: /* OpSMod: the sign of y */
		r = x % y;
		return (struct model_out){ .value = (uint64_t)(r && (r < 0) != (y < 0) ? r + y : r) };
	}
}

/* Pairs: the first member, or the second. */
static inline struct model_out extended(uint32_t op, uint64_t a, uint64_t b, unsigned bits, bool high)
{
	__int128 p = op == SpvOpUMulExtended ? (__int128)((unsigned __int128)a * b) :
		(__int128)sign_extend(a, bits) * sign_extend(b, bits);
	switch (op) {
	case SpvOpIAddCarry: return (struct model_out){ .value = high ? ((unsigned __int128)a + b) >> bits & 1 : a + b };
	case SpvOpISubBorrow: return (struct model_out){ .value = high ? a < b : a - b };
	default: return (struct model_out){ .value = (uint64_t)((unsigned __int128)p >> (high ? bits : 0)) };
	}
}

static inline uint64_t bits_of(uint32_t op, uint64_t a, unsigned bits)
{
	uint64_t n = 0;
	for (unsigned i = 0; i < bits; i++)
		n += op == SpvOpBitCount ? a >> i & 1 : (a >> i & 1) << (bits - 1 - i);
	return n;
}

static inline struct model_out field(const struct model_in *m)
{
	uint64_t v = m->b < 32 ? m->a >> m->b : 0;
	bool any = m->b + m->c > 32;
	v = m->c ? v & ones(m->c > 32 ? 32 : (unsigned)m->c) : 0;
	if (m->op->op == SpvOpBitFieldSExtract && m->c && !any)
		v = (uint64_t)sign_extend(v, (unsigned)m->c);
	return (struct model_out){ .value = v, .any = any };
}

static inline uint64_t integer_core(const struct model_in *m)
{
	unsigned bits = m->op->in[0].bits;
	uint64_t a = m->a, b = m->b;
	int64_t x = sign_extend(a, bits), y = sign_extend(b, bits);
	switch (m->op->op) {
	case SpvOpIAdd: return a + b;
	case SpvOpISub: return a - b;
	case SpvOpIMul: return a * b;
	case SpvOpSNegate: return 0 - a;
	case SpvOpNot: return ~a;
	case SpvOpBitwiseAnd: return a & b;
	case SpvOpBitwiseOr: return a | b;
	case SpvOpBitwiseXor: return a ^ b;
	case SpvOpShiftLeftLogical: return a << b;
	case SpvOpShiftRightLogical: return a >> b;
	case SpvOpShiftRightArithmetic: return (uint64_t)(x >> b);
	case SpvOpUConvert: return a;
	case SpvOpSConvert: return (uint64_t)x;
	case SpvOpIEqual: return a == b;
	case SpvOpINotEqual: return a != b;
	case SpvOpULessThan: return a < b;
	case SpvOpULessThanEqual: return a <= b;
	case SpvOpUGreaterThan: return a > b;
	case SpvOpUGreaterThanEqual: return a >= b;
	case SpvOpSLessThan: return x < y;
	case SpvOpSLessThanEqual: return x <= y;
	case SpvOpSGreaterThan: return x > y;
	case SpvOpSGreaterThanEqual: return x >= y;
	case SpvOpSelect: return a & 1 ? b : m->c;
	default: return bits_of(m->op->op, a, bits);
	}
}

static inline struct model_out integer_glsl(const struct model_in *m)
{
	unsigned bits = m->op->out.bits;
	uint64_t a = m->a, b = m->b, r;
	int64_t x = sign_extend(a, bits), y = sign_extend(b, bits), z = sign_extend(m->c, bits);
	switch (m->op->op) {
	case GLSLstd450SAbs: return (struct model_out){ .value = x < 0 ? 0 - a : a };
	case GLSLstd450SSign: return (struct model_out){ .value = (uint64_t)((x > 0) - (x < 0)) };
	case GLSLstd450UMin: return (struct model_out){ .value = a < b ? a : b };
	case GLSLstd450UMax: return (struct model_out){ .value = a < b ? b : a };
	case GLSLstd450SMin: return (struct model_out){ .value = x < y ? a : b };
	case GLSLstd450SMax: return (struct model_out){ .value = x < y ? b : a };
	case GLSLstd450UClamp: return (struct model_out){ .value = a < b ? b : a > m->c ? m->c : a, .any = b > m->c };
	case GLSLstd450SClamp: return (struct model_out){ .value = x < y ? b : x > z ? m->c : a, .any = y > z };
	case GLSLstd450FindILsb: return (struct model_out){ .value = a ? (uint64_t)__builtin_ctzll(a) : ~0ull };
	default: /* FindSMsb, FindUMsb */
		r = m->op->op == GLSLstd450FindSMsb && x < 0 ? ~a & ones(bits) : a;
		return (struct model_out){ .value = r ? 63u - (unsigned)__builtin_clzll(r) : ~0ull };
	}
}

static inline struct model_out integer_model(const struct model_in *m)
{
	unsigned bits = m->op->in[0].bits;
	switch (m->op->op) {
	case SpvOpUDiv: case SpvOpUMod: case SpvOpSDiv: case SpvOpSRem: case SpvOpSMod: return divided(m->op->op, m->a, m->b, bits);
	case SpvOpIAddCarry: case SpvOpISubBorrow: case SpvOpUMulExtended: case SpvOpSMulExtended:
		return extended(m->op->op, m->a, m->b, bits, m->op->member);
	case SpvOpBitFieldUExtract: case SpvOpBitFieldSExtract: return field(m);
	default: return (struct model_out){ .value = integer_core(m) };
	}
}

/* --- all; v: as they are in memory --- */

static inline struct model_out number_model(const struct number_op *op, const struct number_mode *mode, const uint64_t v[3])
{
	uint64_t w[3];
	for (unsigned k = 0; k < 3; k++) {
		struct number_type t = op->in[k];
		bool flush = k < op->operands && t.kind == 'f' && mode->flush[width_index(t.bits)];
		w[k] = flush ? rf_flush(format_of(t.bits), v[k]) : v[k];
	}
	struct number_type out = op->member > 0 ? op->second : op->out;
	struct model_in m = { op, w[0], w[1], w[2], RF_NEAREST };
	bool reads_floats = op->in[0].kind == 'f' || op->op == SpvOpConvertSToF || op->op == SpvOpConvertUToF;
	if (out.kind == 'f')
		m.round = mode->to_zero[width_index(out.bits)] ? RF_ZERO : RF_NEAREST;
	struct model_out r;
	if (!reads_floats)
		r = op->glsl ? integer_glsl(&m) : integer_model(&m);
	else if (op->glsl)
		r = float_glsl(&m);
	else if (op->op == SpvOpConvertFToS || op->op == SpvOpConvertFToU)
		r = to_integer(&m);
	else
		r = op->in[0].kind == 'i' ? from_integer(&m) : float_core(&m);
	if (out.kind == 'f' && mode->flush[width_index(out.bits)] && reads_floats)
		r.value = rf_flush(format_of(out.bits), r.value);
	r.value &= out.kind == 'b' ? 1 : ones(out.bits);
	return r;
}

#endif
