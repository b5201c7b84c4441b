/* SPDX-License-Identifier: MIT */
/* What each vector opcode computes; the table is ref_valu.def. */
#include "ref_float.h"
#include "ref_math.h"
#include "ref_valu.h"

typedef __int128 wide;

/* --- integers --- */
static int64_t s16(uint64_t x) { return (int16_t)x; }
static int64_t s32(uint64_t x) { return (int32_t)x; }
static int64_t s24(uint64_t x) { return (int32_t)((uint32_t)x << 8) >> 8; }
static uint64_t u24(uint64_t x) { return x & 0xffffff; }
static uint64_t bound(int64_t x, int64_t lo, int64_t hi)
{
	return (uint64_t)(x < lo ? lo : x > hi ? hi : x);
}
static int64_t smallest(int64_t a, int64_t b, int64_t c)
{
	int64_t m = a < b ? a : b;
	return m < c ? m : c;
}
static int64_t largest(int64_t a, int64_t b, int64_t c)
{
	int64_t m = a > b ? a : b;
	return m > c ? m : c;
}
static int64_t middle(int64_t a, int64_t b, int64_t c)
{
	return a + b + c - smallest(a, b, c) - largest(a, b, c);
}
static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}
/* An exact result; clamp takes the nearest number of n bits. */
static uint64_t uint_result(const struct lane *x, int n, wide exact)
{
	wide most = ((wide)1 << n) - 1;
	return (uint64_t)(!x->clamp ? exact : exact < 0 ? 0 : exact > most ? most : exact);
}
static uint64_t int_result(const struct lane *x, int n, wide exact)
{
	wide most = ((wide)1 << (n - 1)) - 1;
	return (uint64_t)(!x->clamp ? exact : exact < -most - 1 ? -most - 1 : exact > most ? most : exact);
}
static uint64_t carry_result(struct lane *x, wide exact)
{
	x->out = exact < 0 || exact > 0xffffffff;
	return uint_result(x, 32, exact);
}
static uint64_t mad_u64(struct lane *x, wide exact)
{
	/* The exact sum of a 64-bit product and addend has at most 65 bits. */
	x->out = exact >> 64 != 0;
	return uint_result(x, 64, exact);
}
static uint64_t mad_i64(struct lane *x, wide exact)
{
	x->out = exact != (int64_t)exact;
	return int_result(x, 64, exact);
}
static uint64_t count_ones(uint64_t x)
{
	uint64_t n = 0;
	for (; x; x >>= 1)
		n += x & 1;
	return n;
}
static uint64_t low_mask(int n)
{
	return n <= 0 ? 0 : n >= 32 ? 0xffffffff : (1ull << n) - 1;
}
static uint64_t reverse32(uint64_t x)
{
	uint64_t r = 0;
	for (int i = 0; i < 32; i++)
		r |= (x >> i & 1) << (31 - i);
	return r;
}
/* Steps from bit `from` to the first that is set; -1 for none. */
static uint64_t find_first(uint64_t x, int from, int step)
{
	for (int i = 0; i < 32; i++)
		if (x >> (from + step * i) & 1)
			return (uint64_t)i;
	return ~0ull;
}
static uint64_t bit_field_signed(uint64_t x, uint64_t at, uint64_t width)
{
	if (!width)
		return 0;
	uint64_t field = x >> at & ((1ull << width) - 1);
	return field >> (width - 1) & 1 ? field | ~0ull << width : field;
}
static uint64_t byte(uint64_t x, int i)
{
	return x >> (8 * i) & 255;
}
static uint64_t permute_bytes(uint64_t a, uint64_t b, uint64_t select)
{
	uint64_t all = a << 32 | b, r = 0;
	for (int i = 0; i < 4; i++) {
		uint64_t s = byte(select, i), value;
		if (s >= 13)
			value = 255;
		else if (s == 12)
			value = 0;
		else if (s >= 8) /* the sign of byte 1, 3, 5, 7 */
			value = byte(all, (int)(2 * (s - 8) + 1)) >> 7 ? 255 : 0;
		else
			value = byte(all, (int)s);
		r |= value << (8 * i);
	}
	return r;
}
static uint64_t lerp_bytes(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t r = 0;
	for (int i = 0; i < 4; i++)
		r |= (byte(a, i) + byte(b, i) + (byte(c, i) & 1)) >> 1 << (8 * i);
	return r;
}
/* Masked: bytes whose reference, b's, is 0 do not count. */
static uint64_t sad_bytes(uint64_t a, uint64_t b, bool masked)
{
	uint64_t r = 0;
	for (int i = 0; i < 4; i++)
		if (!masked || byte(b, i))
			r += difference(byte(a, i), byte(b, i));
	return r;
}
static uint64_t quad_sad_halves(struct lane *x, bool masked)
{
	uint64_t r = 0;
	for (int i = 0; i < 4; i++) {
		wide sum = (wide)sad_bytes(x->a >> (8 * i), x->b, masked) + (x->c >> (16 * i) & 0xffff);
		r |= (uint_result(x, 16, sum) & 0xffff) << (16 * i);
	}
	return r;
}
static uint64_t quad_sad_dwords(struct lane *x)
{
	uint64_t r[4];
	for (int i = 0; i < 4; i++) {
		uint64_t add = (i < 2 ? x->c : x->c_high) >> (32 * (i & 1)) & 0xffffffff;
		r[i] = uint_result(x, 32, (wide)sad_bytes(x->a >> (8 * i), x->b, true) + add) & 0xffffffff;
	}
	x->high = r[3] << 32 | r[2];
	return r[1] << 32 | r[0];
}
/* The manual's table of 256 entries: which of four shader engines; by rows. */
static uint64_t screen_partition(uint64_t a)
{
	static const uint8_t table[256] = {
		1, 3, 7, 15, 5, 15, 15, 15, 7, 15, 15, 15, 15, 15, 15, 15,
		15, 2, 6, 14, 15, 10, 15, 15, 15, 11, 15, 15, 15, 15, 15, 15,
		13, 15, 4, 12, 15, 15, 5, 15, 15, 15, 13, 15, 15, 15, 15, 15,
		9, 11, 15, 8, 15, 15, 15, 10, 15, 15, 15, 14, 15, 15, 15, 15,
		15, 15, 15, 15, 4, 12, 13, 15, 6, 15, 15, 15, 14, 15, 15, 15,
		15, 15, 15, 15, 15, 8, 9, 11, 15, 9, 9, 15, 15, 13, 15, 15,
		15, 15, 15, 15, 7, 15, 1, 3, 15, 15, 9, 15, 15, 15, 11, 15,
		15, 15, 15, 15, 6, 14, 15, 2, 6, 15, 15, 6, 15, 15, 15, 7,
		11, 15, 15, 15, 15, 15, 15, 15, 2, 3, 11, 15, 10, 15, 15, 15,
		15, 7, 15, 15, 15, 15, 15, 15, 15, 1, 9, 13, 15, 5, 15, 15,
		15, 15, 14, 15, 15, 15, 15, 15, 14, 15, 8, 12, 15, 15, 10, 15,
		15, 15, 15, 13, 15, 15, 15, 15, 6, 7, 15, 4, 15, 15, 15, 5,
		9, 15, 15, 15, 13, 15, 15, 15, 15, 15, 15, 15, 8, 12, 14, 15,
		15, 6, 6, 15, 15, 14, 15, 15, 15, 15, 15, 15, 15, 4, 6, 7,
		15, 15, 6, 15, 15, 15, 7, 15, 15, 15, 15, 15, 11, 15, 2, 3,
		9, 15, 15, 9, 15, 15, 15, 11, 15, 15, 15, 15, 9, 13, 15, 1,
	};
	return table[a & 255];
}

/* --- floats --- */
static uint64_t one(enum rf_format f)
{
	return rf_from_int(f, false, 1, RF_NEAREST);
}
static uint64_t from_int(enum rf_format f, int64_t x, enum rf_round r)
{
	return rf_from_int(f, x < 0, x < 0 ? (uint64_t)-x : (uint64_t)x, r);
}
static uint64_t half_to_float(uint64_t a)
{
	return rf_convert(RF_32, RF_16, a, RF_NEAREST);
}
static uint64_t without(uint64_t a, uint64_t unwanted, uint64_t instead)
{
	return a == unwanted ? instead : a;
}
static uint64_t float_min(const struct lane *x, enum rf_format f, uint64_t a, uint64_t b)
{
	if (x->mode & IEEE && (rf_is_signalling(f, a) || rf_is_signalling(f, b)))
		return rf_nan(f);
	if (rf_is_nan(f, a))
		return rf_canonical(f, b);
	if (rf_is_nan(f, b))
		return a;
	if (rf_is_zero(f, a) && rf_is_zero(f, b))
		return rf_sign(f, a) ? a : b;
	return rf_less(f, a, b) ? a : b;
}
static uint64_t float_max(const struct lane *x, enum rf_format f, uint64_t a, uint64_t b)
{
	if (x->mode & IEEE && (rf_is_signalling(f, a) || rf_is_signalling(f, b)))
		return rf_nan(f);
	if (rf_is_nan(f, a))
		return rf_canonical(f, b);
	if (rf_is_nan(f, b))
		return a;
	if (rf_is_zero(f, a) && rf_is_zero(f, b))
		return rf_sign(f, a) ? b : a;
	return rf_less(f, b, a) ? a : b;
}
static uint64_t second_min(enum rf_format f, uint64_t a, uint64_t b)
{
	return rf_less(f, a, b) ? a : b;
}
static uint64_t second_max(enum rf_format f, uint64_t a, uint64_t b)
{
	return rf_less(f, b, a) ? a : b;
}
static uint64_t float_med3(const struct lane *x, enum rf_format f, uint64_t a, uint64_t b, uint64_t c)
{
	if (rf_is_nan(f, a) || rf_is_nan(f, b) || rf_is_nan(f, c))
		return float_min(x, f, float_min(x, f, a, b), c);
	return second_max(f, second_min(f, a, b), second_min(f, second_max(f, a, b), c));
}
/* a - floor(a), which may round to 1, stays below. */
static uint64_t float_fract(const struct lane *x, enum rf_format f, uint64_t a)
{
	uint64_t r = rf_sub(f, a, rf_integral(f, a, RF_DOWN), x->round), below = one(f) - 1;
	return rf_is_nan(f, r) || rf_less(f, r, below) ? r : below;
}
static uint64_t mad_flushed(const struct lane *x, enum rf_format f, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t p = rf_flush(f, rf_mul(f, rf_flush(f, a), rf_flush(f, b), x->round));
	return rf_flush(f, rf_add(f, p, rf_flush(f, c), x->round));
}
/* 0 times anything is 0. */
static uint64_t mul_legacy(const struct lane *x, uint64_t a, uint64_t b)
{
	return rf_is_zero(RF_32, a) || rf_is_zero(RF_32, b) ? 0 : rf_mul(RF_32, a, b, x->round);
}
static uint64_t mad_legacy(const struct lane *x, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t p = rf_flush(RF_32, mul_legacy(x, rf_flush(RF_32, a), rf_flush(RF_32, b)));
	return rf_flush(RF_32, rf_add(RF_32, p, rf_flush(RF_32, c), x->round));
}
static uint64_t mul_lit(const struct lane *x, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t least = 0xff7fffff;
	bool lit = rf_less(RF_32, least, b) && rf_less(RF_32, 0, c);
	return lit ? mul_legacy(x, a, b) : least;
}
/* A function of single precision; halves go through it and back.  x->round is
 * another direction than nearest only to see whether a half overflows. */
static uint64_t by_float(const struct lane *x, enum rf_format f, uint64_t (*function)(uint32_t), uint64_t a)
{
	uint64_t r = function((uint32_t)rf_convert(RF_32, f, a, RF_NEAREST));
	if (function == ref_exp2 && x->round == RF_ZERO && rf_is_inf(RF_32, r) && !rf_is_inf(f, a))
		r--; /* the largest that is finite */
	return rf_convert(f, RF_32, r, x->round);
}
static uint64_t rsq32(uint32_t a)
{
	return rf_div(RF_32, one(RF_32), rf_sqrt(RF_32, a, RF_NEAREST), RF_NEAREST);
}
static uint64_t rsq64(uint64_t a)
{
	return rf_div(RF_64, one(RF_64), rf_sqrt(RF_64, a, RF_NEAREST), RF_NEAREST);
}
static uint64_t trig_preop(const struct lane *x, uint64_t a, uint64_t segment)
{
	int exponent = rf_exponent(RF_64, a), shift = (int)(segment & 31) * 53;
	if (exponent > 1077)
		shift += exponent - 1077;
	int scale = -53 - shift + (exponent >= 1968 ? 128 : 0);
	uint64_t digits = rf_from_int(RF_64, false, ref_two_over_pi((unsigned)shift), RF_NEAREST);
	return rf_scale(RF_64, digits, scale, x->round);
}
static unsigned float_class(enum rf_format f, uint64_t a)
{
	bool negative = rf_sign(f, a);
	if (rf_is_nan(f, a))
		return rf_is_signalling(f, a) ? 0 : 1;
	if (rf_is_inf(f, a))
		return negative ? 2 : 9;
	if (rf_is_zero(f, a))
		return negative ? 5 : 6;
	return rf_is_denormal(f, a) ? (negative ? 4 : 7) : negative ? 3 : 8;
}
/* Scaled, rounded to the nearest integer, clamped; NaN is 0. */
static uint64_t normalised(const struct lane *x, uint64_t a, int64_t lo, int64_t hi)
{
	uint64_t most = one(RF_32), least = lo ? most | 0x80000000 : 0;
	if (rf_is_nan(RF_32, a))
		return 0;
	a = rf_less(RF_32, a, least) ? least : rf_less(RF_32, most, a) ? most : a;
	uint64_t scaled = rf_mul(RF_32, a, from_int(RF_32, hi, RF_NEAREST), x->round);
	return (uint64_t)rf_to_int(RF_32, rf_integral(RF_32, scaled, RF_NEAREST), lo, hi) & 0xffff;
}
static uint64_t pack_byte(uint64_t a, uint64_t at, uint64_t old)
{
	uint64_t n = (uint64_t)rf_to_int(RF_32, rf_integral(RF_32, a, RF_NEAREST), 0, 255);
	int shift = 8 * (int)(at & 3);
	return (old & ~(255ull << shift)) | n << shift;
}

/* --- cube maps: the largest coordinate; z before y before x --- */
static int major_axis(uint64_t x, uint64_t y, uint64_t z)
{
	uint64_t ax = x & 0x7fffffff, ay = y & 0x7fffffff, az = z & 0x7fffffff;
	bool z_x = rf_less(RF_32, ax, az) || rf_equal(RF_32, ax, az);
	bool z_y = rf_less(RF_32, ay, az) || rf_equal(RF_32, ay, az);
	bool y_x = rf_less(RF_32, ax, ay) || rf_equal(RF_32, ax, ay);
	return z_x && z_y ? 2 : y_x ? 1 : 0;
}
static bool below_zero(uint64_t a)
{
	return rf_less(RF_32, a, 0);
}
static uint64_t negated(uint64_t a)
{
	return a ^ 0x80000000;
}
static uint64_t cube_id(uint64_t x, uint64_t y, uint64_t z)
{
	int axis = major_axis(x, y, z);
	bool negative = below_zero(axis == 2 ? z : axis == 1 ? y : x);
	return from_int(RF_32, 2 * axis + negative, RF_NEAREST);
}
static uint64_t cube_sc(uint64_t x, uint64_t y, uint64_t z)
{
	int axis = major_axis(x, y, z);
	uint64_t r = axis == 2 ? (below_zero(z) ? negated(x) : x) : axis == 1 ? x :
		below_zero(x) ? z : negated(z);
	return rf_canonical(RF_32, r);
}
static uint64_t cube_tc(uint64_t x, uint64_t y, uint64_t z)
{
	bool is_y = major_axis(x, y, z) == 1;
	return rf_canonical(RF_32, is_y ? (below_zero(y) ? negated(z) : z) : negated(y));
}
static uint64_t cube_ma(const struct lane *l, uint64_t x, uint64_t y, uint64_t z)
{
	int axis = major_axis(x, y, z);
	return rf_scale(RF_32, axis == 2 ? z : axis == 1 ? y : x, 1, l->round);
}

/* --- division: a quotient, numerator or denominator, b denominator, c numerator.
 * As the manual's pseudo-code but for a denominator whose reciprocal is
 * denormal, which is scaled down (the manual says up), and an exponent field
 * that is taken of NaN as of numbers --- */
static uint64_t div_scale(struct lane *x, enum rf_format f, uint64_t a, uint64_t b, uint64_t c)
{
	int power = f == RF_32 ? 64 : 128, span = f == RF_32 ? 96 : 768, least = f == RF_32 ? 23 : 53;
	/* A NaN has the exponent of the canonical one, without its sign. */
	bool same_b = rf_canonical(f, a) == rf_canonical(f, b), same_c = rf_canonical(f, a) == rf_canonical(f, c);
	uint64_t up = rf_scale(f, a, power, x->round), down = rf_scale(f, a, -power, x->round);
	a = rf_canonical(f, a);
	x->out = false;
	if (rf_is_zero(f, b) || rf_is_zero(f, c))
		return rf_nan(f);
	bool tiny_reciprocal = rf_is_denormal(f, rf_div(f, one(f), b, x->round));
	bool tiny_quotient = rf_is_denormal(f, rf_div(f, c, b, x->round));
	if (rf_exponent(f, c) - rf_exponent(f, b) >= span) {
		x->out = true;
		return same_b ? up : a;
	}
	if (rf_is_denormal(f, b))
		return up;
	if (tiny_reciprocal && tiny_quotient) {
		x->out = true;
		return same_b ? down : a;
	}
	if (tiny_reciprocal)
		return down;
	if (tiny_quotient) {
		x->out = true;
		return same_c ? up : a;
	}
	return rf_exponent(f, c) <= least ? up : a;
}
static uint64_t div_fmas(const struct lane *x, enum rf_format f, uint64_t a, uint64_t b, uint64_t c)
{
	int power = f == RF_32 ? 64 : 128, middle_exponent = f == RF_32 ? 127 : 1023;
	uint64_t r = rf_fma(f, a, b, c, x->round);
	if (!x->in)
		return r;
	return rf_scale(f, r, rf_exponent(f, c) > middle_exponent ? power : -power, x->round);
}
static uint64_t div_fixup(enum rf_format f, uint64_t q, uint64_t d, uint64_t n)
{
	uint64_t sign = (d ^ n) & rf_sign_bit(f);
	if (rf_is_nan(f, n) || rf_is_nan(f, d) || (rf_is_zero(f, n) && rf_is_zero(f, d)) ||
		(rf_is_inf(f, n) && rf_is_inf(f, d)))
		return rf_nan(f);
	if (rf_is_zero(f, d) || rf_is_inf(f, n))
		return rf_inf(f) | sign;
	if (rf_is_inf(f, d) || rf_is_zero(f, n))
		return sign;
	int least = f == RF_32 ? -150 : -1075;
	if (f != RF_16 && rf_exponent(f, n) - rf_exponent(f, d) < least)
		return sign;
	/* A quotient that is NaN though both are numbers has overflowed. */
	q &= ~rf_sign_bit(f);
	return (rf_is_nan(f, q) ? rf_inf(f) : q) | sign;
}
static uint64_t interp_half(const struct lane *x, uint64_t i, uint64_t slope, uint64_t base)
{
	return rf_add(RF_32, base, rf_mul(RF_32, half_to_float(slope), i, x->round), x->round);
}

/* --- the table --- */
#define OP(NAME, D, A, B, C, FLAGS, ...) \
	static uint64_t op_##NAME(struct lane *x) \
	{ \
		uint64_t a = x->a, b = x->b, c = x->c; \
		(void)a, (void)b, (void)c; \
		return (uint64_t)(__VA_ARGS__); \
	}
#include "ref_valu.def"
#undef OP

const struct ref_op ref_ops[GCN_OP_COUNT] = {
#define OP(NAME, D, A, B, C, FLAGS, ...) [GCN_##NAME] = { op_##NAME, D, { A, B, C }, FLAGS },
#include "ref_valu.def"
#undef OP
};
