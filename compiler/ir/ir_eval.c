/* SPDX-License-Identifier: MIT */
#include "compiler/ir/ir_eval.h"

#include <math.h>
#include <string.h>

/* --- float --- */

static float as_float(uint64_t v)
{
	uint32_t low = (uint32_t)v;
	float f;
	memcpy(&f, &low, 4);
	return f;
}

static uint32_t as_bits(float f)
{
	uint32_t v;
	memcpy(&v, &f, 4);
	return f != f ? 0x7fc00000u : v;
}

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

static uint32_t to_signed(float f)
{
	return f != f ? 0 : f >= 0x1p31f ? 0x7fffffffu : f <= -0x1p31f ? 0x80000000u : (uint32_t)(int32_t)f;
}

static uint32_t to_unsigned(float f)
{
	return !(f > 0) ? 0 : f >= 0x1p32f ? ~0u : (uint32_t)f;
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
	case IR_I2F: *out = as_bits((float)(int32_t)x); return true;
	case IR_U2F: *out = as_bits((float)x); return true;
	case IR_UBYTE0_TO_F32: *out = as_bits((float)(x & 0xff)); return true;
	case IR_UBYTE1_TO_F32: *out = as_bits((float)(x >> 8 & 0xff)); return true;
	case IR_UBYTE2_TO_F32: *out = as_bits((float)(x >> 16 & 0xff)); return true;
	case IR_UBYTE3_TO_F32: *out = as_bits((float)(x >> 24)); return true;
	case IR_F2I: *out = to_signed(a); return true;
	case IR_F2U: *out = to_unsigned(a); return true;
	case IR_F32_TO_F16: *out = to_half(x); return true;
	case IR_F16_TO_F32: *out = from_half(x & 0xffffu); return true;
	case IR_QUANTIZE_F16: *out = quantize(x); return true;
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
	default: return false;
	}
}

static bool eval_integer(enum ir_op op, unsigned bits, const uint64_t v[3], uint64_t *out)
{
	uint64_t a = v[0], b = v[1];
	int64_t x = sign_extended(a, bits), y = sign_extended(b, bits);
	switch (op) {
	case IR_IADD: *out = a + b; return true;
	case IR_ISUB: *out = a - b; return true;
	case IR_IMUL: *out = a * b; return true;
	case IR_UMULHI: *out = a * b >> (bits & 63); return bits <= 32;
	case IR_IMULHI: *out = (uint64_t)x * (uint64_t)y >> (bits & 63); return bits <= 32;
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

bool ir_eval(enum ir_op op, unsigned bits, unsigned result_bits, const uint64_t v[3], uint64_t *out)
{
	if (!bits) /* no operands */
		return false;
	if (!eval_bits(op, bits, v, out) && !eval_integer(op, bits, v, out) && !(bits == 32 && eval_float(op, v, out)))
		return false;
	*out &= ir_ones(result_bits);
	return true;
}
