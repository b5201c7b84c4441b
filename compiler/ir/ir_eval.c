/* SPDX-License-Identifier: MIT */
#include "compiler/ir/ir_eval.h"

#include <math.h>
#include <string.h>
#include "isa/bits.h"
#include "isa/poly.h"

/* --- float --- */

static float as_float(uint64_t v) { return bits_float((uint32_t)v); }
static uint32_t as_bits(float f) { return f != f ? 0x7fc00000u : float_bits(f); }

/* Nearest even. */
static uint32_t to_half(uint32_t v)
{
	uint32_t sign = v >> 16 & 0x8000u, a = v & 0x7fffffffu;
	if (a > 0x7f800000u)
		return 0x7e00u;
	if (a < 0x38800000u) { /* 2^-14: the float adder rounds to multiples of 2^-24 */
		uint32_t r = as_bits(as_float(a) + 0.5f);
		return sign | (r - 0x3f000000u);
	}
	a += 0xfffu + (a >> 13 & 1);
	return sign | (a >= 0x47800000u ? 0x7c00u : (a - 0x38000000u) >> 13); /* 2^16 */
}

static uint32_t from_half(uint32_t h)
{
	uint32_t sign = (h & 0x8000u) << 16, a = h & 0x7fffu;
	if (a >= 0x7c00u)
		return a > 0x7c00u ? 0x7fc00000u : sign | 0x7f800000u;
	if (a < 0x400u)
		return sign | as_bits((float)a * 0x1p-24f);
	return sign | ((a << 13) + 0x38000000u);
}

static uint32_t quantize(uint32_t v)
{
	uint32_t h = to_half(v);
	return (h & 0x7c00u) == 0 ? v & 0x80000000u : from_half(h);
}

/* Of a NaN and a number the number; -0 is less than +0. */
static uint32_t min_max(uint32_t x, uint32_t y, bool max)
{
	float a = as_float(x), b = as_float(y);
	if (a != a || b != b)
		return as_bits(a != a ? b : a);
	if (a == b)
		return max ? x & y : x | y;
	return (a < b) == max ? y : x;
}

static uint32_t to_half_rtz(uint32_t v)
{
	uint32_t h = to_half(v), back = from_half(h);
	bool number = (v & 0x7fffffffu) <= 0x7f7fffffu;
	return number && (back & 0x7fffffffu) > (v & 0x7fffffffu) ? h - 1 : h; /* infinity: the largest number */
}

/* --- transcendentals, step by step as core/interp/math.h has them --- */

static float horner(const float *k, int n, float x)
{
	float p = k[0];
	for (int i = 1; i < n; i++)
		p = fmaf(p, x, k[i]);
	return p;
}

static float pow2i(int n) { return bits_float((uint32_t)(n + 127) << 23); }

static float exp2_of(float x)
{
	if (x != x)
		return x;
	if (x < -126)
		return 0;
	const float y = x > 129 ? 129 : x, n = rintf(y);
	const int k = (int)n, k1 = (k - (k & 1)) / 2; /* rounded down */
	const float p = horner(isa_poly_exp2, ISA_POLY_EXP2, y - n) * pow2i(k1);
	return p * pow2i(k - k1);
}

static float log2_of(float x)
{
	if (!(x > 0) || x == INFINITY)
		return x == 0 ? -INFINITY : x > 0 ? x : NAN;
	const bool tiny = x < 0x1p-126f;
	const uint32_t v = float_bits(tiny ? x * 0x1p24f : x), shifted = v - 0x3f3504f3;
	const int e = (int)(shifted >> 23) - (shifted >> 31 ? 512 : 0);
	const float t = bits_float(v - ((uint32_t)e << 23)) - 1, whole = (float)e - (tiny ? 24.0f : 0.0f);
	return fmaf(t, horner(isa_poly_log2, ISA_POLY_LOG2, t), whole);
}

/* In [0, 1) always. */
static float fract_of(float x)
{
	const float f = x - floorf(x);
	return f > 0x1.fffffep-1f ? 0x1.fffffep-1f : f;
}

/* Of r turns, |r| <= 1/4. */
static float sin_quarter(float r)
{
	const float y = r * horner(isa_poly_sin, ISA_POLY_SIN, r * r);
	return y > 1 ? 1 : y < -1 ? -1 : y;
}

/* As the back end does it, of the fraction of a turn (compiler/gcn/sel_alu.c). */
static float sin_of(float x)
{
	const float f = fract_of(x), r = f - rintf(f);
	return sin_quarter(fabsf(r) > 0.25f ? copysignf(0.5f, r) - r : r);
}

static float cos_of(float x)
{
	const float f = fract_of(x);
	return sin_quarter(0.25f - fabsf(f - rintf(f)));
}

/* Of 32 bits. */
static bool eval_float(enum ir_op op, const uint64_t v[3], uint64_t *out)
{
	float a = as_float(v[0]), b = as_float(v[1]), c = as_float(v[2]);
	uint32_t x = (uint32_t)v[0], y = (uint32_t)v[1];
	switch (op) {
	case IR_FADD: *out = as_bits(a + b); return true;
	case IR_FSUB: *out = as_bits(a - b); return true;
	case IR_FMUL: *out = as_bits(a * b); return true;
	case IR_FFMA: *out = as_bits(fmaf(a, b, c)); return true;
	case IR_FMIN: *out = min_max(x, y, false); return true;
	case IR_FMAX: *out = min_max(x, y, true); return true;
	case IR_FNEG: *out = x ^ 0x80000000u; return true;
	case IR_FABS: *out = x & 0x7fffffffu; return true;
	case IR_FRCP: *out = as_bits(1.0f / a); return true;
	case IR_FSQRT: *out = as_bits(sqrtf(a)); return true;
	case IR_FRSQ: *out = as_bits(1.0f / sqrtf(a)); return true;
	case IR_FEXP2: *out = as_bits(exp2_of(a)); return true;
	case IR_FLOG2: *out = as_bits(log2_of(a)); return true;
	case IR_FSIN: *out = as_bits(sin_of(a)); return true;
	case IR_FCOS: *out = as_bits(cos_of(a)); return true;
	case IR_FFRACT: *out = as_bits(fract_of(a)); return true;
	case IR_FRNDNE: *out = as_bits(rintf(a)); return true;
	case IR_FFLOOR: *out = as_bits(floorf(a)); return true;
	case IR_FCEIL: *out = as_bits(ceilf(a)); return true;
	case IR_FTRUNC: *out = as_bits(truncf(a)); return true;
	case IR_FCMP_EQ: *out = a == b; return true;
	case IR_FCMP_NE: *out = a != b; return true;
	case IR_FCMP_LT: *out = a < b; return true;
	case IR_FCMP_LE: *out = a <= b; return true;
	case IR_FCMP_LTU: *out = !(a >= b); return true;
	case IR_FCMP_LEU: *out = !(a > b); return true;
	case IR_FCMP_EQU: *out = !(a < b || a > b); return true;
	case IR_FCMP_NEO: *out = a < b || a > b; return true;
	case IR_UBYTE0_TO_F32: *out = as_bits((float)(x & 0xff)); return true;
	case IR_UBYTE1_TO_F32: *out = as_bits((float)(x >> 8 & 0xff)); return true;
	case IR_UBYTE2_TO_F32: *out = as_bits((float)(x >> 16 & 0xff)); return true;
	case IR_UBYTE3_TO_F32: *out = as_bits((float)(x >> 24)); return true;
	case IR_F32_TO_F16: *out = to_half(x); return true;
	case IR_F32_TO_F16_RTZ: *out = to_half_rtz(x); return true;
	case IR_F16_TO_F32: *out = from_half(x & 0xffffu); return true;
	case IR_QUANTIZE_F16: *out = quantize(x); return true;
	default: return false;
	}
}

/* --- floats of 16 and 64 bits --- */

static double as_double(uint64_t v)
{
	double d;
	memcpy(&d, &v, 8);
	return d;
}

static uint64_t as_wide_bits(double d)
{
	uint64_t v;
	memcpy(&v, &d, 8);
	return d != d ? 0x7ff8000000000000ull : v;
}

/* Rounded once: to single precision with the last bit odd where something was lost. */
static uint32_t double_to_half(double d)
{
	float f = (float)d;
	uint32_t v = as_bits(f);
	if (d == d && (double)f != d) {
		v -= fabs((double)f) > fabs(d);
		v |= 1;
	}
	return to_half(v);
}

/* The product of two halves is exact in double precision; of its sum with a third what is
 * lost makes the last bit odd. */
static uint32_t half_fma(double a, double b, double c)
{
	double p = a * b, sum = p + c, t = sum - p, lost = (p - (sum - t)) + (c - t);
	uint64_t v = as_wide_bits(sum);
	if (lost != 0 && lost == lost && !(v & 1)) /* by one away from zero or towards it */
		v += (lost < 0) == (sum < 0) ? 1 : ~0ull;
	return double_to_half(as_double(v));
}

static uint64_t double_min_max(uint64_t x, uint64_t y, bool max)
{
	double a = as_double(x), b = as_double(y);
	if (a != a || b != b)
		return as_wide_bits(a != a ? b : a);
	if (a == b)
		return max ? x & y : x | y;
	return (a < b) == max ? y : x;
}

/* By way of single precision: 24 bits are more than 2 * 11 + 1, so both roundings together are one. */
static bool eval_half(enum ir_op op, const uint64_t v[3], uint64_t *out)
{
	uint64_t wide[3] = { from_half((uint32_t)v[0]), from_half((uint32_t)v[1]), from_half((uint32_t)v[2]) };
	switch (op) {
	case IR_FNEG: *out = v[0] ^ 0x8000u; return true;
	case IR_FABS: *out = v[0] & 0x7fffu; return true;
	case IR_FFMA:
		*out = half_fma((double)as_float(wide[0]), (double)as_float(wide[1]), (double)as_float(wide[2]));
		return true;
	case IR_FFRACT: { /* below 1 still */
		const float f = fract_of(as_float(wide[0]));
		*out = f > 0x1.ffcp-1f ? 0x3bffu : to_half(as_bits(f));
		return true;
	}
	default: break;
	}
	if (ir_op_infos[op].operands != IR_IN_FLOAT || !eval_float(op, wide, out))
		return false;
	if (ir_op_infos[op].result == IR_OUT_SAME)
		*out = to_half((uint32_t)*out);
	return true;
}

static bool eval_double(enum ir_op op, const uint64_t v[3], uint64_t *out)
{
	double a = as_double(v[0]), b = as_double(v[1]), c = as_double(v[2]);
	switch (op) {
	case IR_FADD: *out = as_wide_bits(a + b); return true;
	case IR_FSUB: *out = as_wide_bits(a - b); return true;
	case IR_FMUL: *out = as_wide_bits(a * b); return true;
	case IR_FFMA: *out = as_wide_bits(fma(a, b, c)); return true;
	case IR_FMIN: *out = double_min_max(v[0], v[1], false); return true;
	case IR_FMAX: *out = double_min_max(v[0], v[1], true); return true;
	case IR_FNEG: *out = v[0] ^ 1ull << 63; return true;
	case IR_FABS: *out = v[0] & ~0ull >> 1; return true;
	case IR_FRCP: *out = as_wide_bits(1.0 / a); return true;
	case IR_FSQRT: *out = as_wide_bits(sqrt(a)); return true;
	case IR_FFLOOR: *out = as_wide_bits(floor(a)); return true;
	case IR_FCEIL: *out = as_wide_bits(ceil(a)); return true;
	case IR_FTRUNC: *out = as_wide_bits(trunc(a)); return true;
	case IR_FCMP_EQ: *out = a == b; return true;
	case IR_FCMP_NE: *out = a != b; return true;
	case IR_FCMP_LT: *out = a < b; return true;
	case IR_FCMP_LE: *out = a <= b; return true;
	case IR_FCMP_LTU: *out = !(a >= b); return true;
	case IR_FCMP_LEU: *out = !(a > b); return true;
	case IR_FCMP_EQU: *out = !(a < b || a > b); return true;
	case IR_FCMP_NEO: *out = a < b || a > b; return true;
	default: return false;
	}
}

/* --- integer --- */

static int64_t sign_extended(uint64_t v, unsigned bits)
{
	uint64_t sign = 1ull << (bits - 1);
	return (int64_t)((v ^ sign) - sign);
}

static uint64_t divide(enum ir_op op, uint64_t a, uint64_t b, unsigned bits)
{
	int64_t x = sign_extended(a, bits), y = sign_extended(b, bits);
	switch (op) {
	case IR_UDIV: return b ? a / b : ~0ull;
	case IR_UMOD: return b ? a % b : a;
	case IR_SDIV: return !y ? ~0ull : y == -1 ? 0 - a : (uint64_t)(x / y);
	default: return !y ? a : y == -1 ? 0 : (uint64_t)(x % y); /* SREM */
	}
}

static uint64_t reverse(uint64_t v, unsigned bits)
{
	uint64_t r = 0;
	for (unsigned i = 0; i < bits; i++)
		r |= (v >> i & 1) << (bits - 1 - i);
	return r;
}

static uint64_t top_bit(uint64_t v)
{
	return v ? 63u - (unsigned)__builtin_clzll(v) : ~0ull;
}

static uint64_t field(uint64_t v, unsigned bits, uint64_t offset, uint64_t count, bool is_signed)
{
	unsigned wide = bits < 32 ? 32 : bits;
	offset &= wide - 1;
	if (count == 0)
		return 0;
	v = is_signed ? (uint64_t)(sign_extended(v, bits) >> offset) : v >> offset;
	if (count >= wide)
		return v;
	v &= ir_ones((unsigned)count);
	return is_signed ? (uint64_t)sign_extended(v, (unsigned)count) : v;
}

static bool eval_bits(enum ir_op op, unsigned bits, const uint64_t v[3], uint64_t *out)
{
	uint64_t a = v[0], b = v[1];
	unsigned count = (unsigned)(b & (bits > 32 ? 63 : 31));
	switch (op) {
	case IR_IAND: case IR_BAND: *out = a & b; return true;
	case IR_IOR: case IR_BOR: *out = a | b; return true;
	case IR_IXOR: case IR_BXOR: *out = a ^ b; return true;
	case IR_INOT: *out = ~a; return true;
	case IR_BNOT: *out = !a; return true;
	case IR_ISHL: *out = a << count; return true;
	case IR_USHR: *out = a >> count; return true;
	case IR_SSHR: *out = (uint64_t)(sign_extended(a, bits) >> count); return true;
	case IR_UBFE: *out = field(a, bits, b, v[2], false); return true;
	case IR_SBFE: *out = field(a, bits, b, v[2], true); return true;
	case IR_BFI: *out = (a & b) | (~a & v[2]); return true;
	case IR_BFM: *out = ((1ull << (a & 31)) - 1) << (b & 31); return true;
	case IR_BITREV: *out = reverse(a, bits); return true;
	case IR_BITCOUNT: *out = (uint64_t)__builtin_popcountll(a); return true;
	case IR_FIND_LSB: *out = a ? (uint64_t)__builtin_ctzll(a) : ~0ull; return true;
	case IR_UFIND_MSB: *out = top_bit(a); return true;
	case IR_SFIND_MSB: *out = top_bit(a >> (bits - 1) ? ~a & ir_ones(bits) : a); return true;
	case IR_SELECT: *out = a ? b : v[2]; return true;
	case IR_B2I: case IR_COPY: case IR_UCONV: *out = a; return true;
	case IR_SCONV: *out = (uint64_t)sign_extended(a, bits); return true;
	case IR_PACK: *out = bits > 32 ? 0 : a | b << bits; return true;
	case IR_HIGH: *out = a >> bits / 2; return true;
	default: return false;
	}
}

static uint64_t high_product(uint64_t a, uint64_t b)
{
	uint64_t low = (a & 0xffffffffu) * (b & 0xffffffffu), x = (a >> 32) * (b & 0xffffffffu) + (low >> 32);
	uint64_t y = (a & 0xffffffffu) * (b >> 32) + (x & 0xffffffffu);
	return (a >> 32) * (b >> 32) + (x >> 32) + (y >> 32);
}

static uint64_t high_half(enum ir_op op, uint64_t a, uint64_t b, unsigned bits)
{
	int64_t x = sign_extended(a, bits), y = sign_extended(b, bits);
	if (bits < 64)
		return (op == IR_UMULHI ? a * b : (uint64_t)x * (uint64_t)y) >> bits;
	return high_product(a, b) - (op == IR_UMULHI ? 0 : (x < 0 ? b : 0) + (y < 0 ? a : 0));
}

static bool eval_integer(enum ir_op op, unsigned bits, const uint64_t v[3], uint64_t *out)
{
	uint64_t a = v[0], b = v[1];
	int64_t x = sign_extended(a, bits), y = sign_extended(b, bits);
	switch (op) {
	case IR_IADD: *out = a + b; return true;
	case IR_ISUB: *out = a - b; return true;
	case IR_IMUL: *out = a * b; return true;
	case IR_UMULHI: case IR_IMULHI: *out = high_half(op, a, b, bits); return true;
	case IR_UDIV: case IR_UMOD: case IR_SDIV: case IR_SREM: *out = divide(op, a, b, bits); return true;
	case IR_SMIN: *out = x < y ? a : b; return true;
	case IR_SMAX: *out = x > y ? a : b; return true;
	case IR_UMIN: *out = a < b ? a : b; return true;
	case IR_UMAX: *out = a > b ? a : b; return true;
	case IR_ICMP_EQ: *out = a == b; return true;
	case IR_ICMP_NE: *out = a != b; return true;
	case IR_SCMP_LT: *out = x < y; return true;
	case IR_SCMP_LE: *out = x <= y; return true;
	case IR_UCMP_LT: *out = a < b; return true;
	case IR_UCMP_LE: *out = a <= b; return true;
	case IR_UADD_CARRY: *out = ((a + b) & ir_ones(bits)) < a; return true;
	case IR_USUB_BORROW: *out = a < b; return true;
	default: return false;
	}
}

/* --- between numbers --- */

static uint64_t from_double(double d, unsigned bits)
{
	return bits == 64 ? as_wide_bits(d) : bits == 32 ? as_bits((float)d) : double_to_half(d);
}

/* To 64 bits only what is in range. */
static bool float_to_integer(double d, bool is_signed, unsigned bits, uint64_t *out)
{
	if (bits <= 32) {
		d = d != d ? 0 : d;
		*out = is_signed ? (uint64_t)(int64_t)(d > 0x7fffffff ? 0x7fffffff : d < -0x1p31 ? -0x1p31 : d) :
			(uint64_t)(d > 0xffffffffu ? 0xffffffffu : d < 0 ? 0 : d);
		return true;
	}
	if (!(is_signed ? d > -0x1p63 && d < 0x1p63 : d > -1 && d < 0x1p64))
		return false;
	*out = is_signed ? (uint64_t)(int64_t)d : (uint64_t)d;
	return true;
}

static uint64_t integer_to_float(uint64_t a, unsigned bits, bool is_signed, unsigned result_bits)
{
	int64_t x = sign_extended(a, bits);
	if (result_bits == 64)
		return as_wide_bits(is_signed ? (double)x : (double)a);
	uint32_t f = as_bits(is_signed ? (float)x : (float)a);
	return result_bits == 32 ? f : to_half(f); /* what single precision has no bits for is infinite */
}

static bool eval_conversion(enum ir_op op, unsigned bits, unsigned result_bits, uint64_t v, uint64_t *out)
{
	if (op == IR_I2F || op == IR_U2F) {
		*out = integer_to_float(v, bits, op == IR_I2F, result_bits);
		return result_bits >= 16;
	}
	if (bits < 16 || (op != IR_F2I && op != IR_F2U && op != IR_FCONV))
		return false;
	double d = bits == 64 ? as_double(v) : (double)as_float(bits == 32 ? v : from_half((uint32_t)v));
	if (op != IR_FCONV)
		return float_to_integer(d, op == IR_F2I, result_bits, out);
	*out = from_double(d, result_bits);
	return result_bits >= 16;
}

bool ir_eval(enum ir_op op, unsigned bits, unsigned result_bits, const uint64_t v[3], uint64_t *out)
{
	if (!bits) /* no operands */
		return false;
	if (!eval_bits(op, bits, v, out) && !eval_integer(op, bits, v, out) &&
		!eval_conversion(op, bits, result_bits, v[0], out) && !(bits == 32 && eval_float(op, v, out)) &&
		!(bits == 16 && eval_half(op, v, out)) && !(bits == 64 && eval_double(op, v, out)))
		return false;
	*out &= ir_ones(result_bits);
	return true;
}

bool ir_by_mode(const struct ir_inst *in)
{
	switch (in->op) {
	case IR_I2F: case IR_U2F: case IR_FLDEXP: case IR_F16_TO_F32: return true;
	default: return ir_info(in)->operands == IR_IN_FLOAT;
	}
}
