/* SPDX-License-Identifier: MIT */
#include "ref_float.h"

typedef unsigned __int128 wide;

static const struct format { int exponent, mantissa; } formats[] = {
	[RF_16] = { 5, 10 }, [RF_32] = { 8, 23 }, [RF_64] = { 11, 52 },
};
static int bias(enum rf_format f)
{
	return (1 << (formats[f].exponent - 1)) - 1;
}
static uint64_t bits(int n)
{
	return ((uint64_t)1 << n) - 1;
}

/* --- what a pattern is --- */
uint64_t rf_sign_bit(enum rf_format f)
{
	return (uint64_t)1 << (formats[f].exponent + formats[f].mantissa);
}
uint64_t rf_inf(enum rf_format f)
{
	return bits(formats[f].exponent) << formats[f].mantissa;
}
uint64_t rf_nan(enum rf_format f)
{
	return rf_inf(f) | (uint64_t)1 << (formats[f].mantissa - 1);
}
int rf_exponent(enum rf_format f, uint64_t a)
{
	return (int)(a >> formats[f].mantissa & bits(formats[f].exponent));
}
static uint64_t fraction(enum rf_format f, uint64_t a)
{
	return a & bits(formats[f].mantissa);
}
bool rf_sign(enum rf_format f, uint64_t a)
{
	return a & rf_sign_bit(f);
}
static bool top_exponent(enum rf_format f, uint64_t a)
{
	return rf_exponent(f, a) == (int)bits(formats[f].exponent);
}
bool rf_is_nan(enum rf_format f, uint64_t a)
{
	return top_exponent(f, a) && fraction(f, a);
}
bool rf_is_signalling(enum rf_format f, uint64_t a)
{
	return rf_is_nan(f, a) && !(a >> (formats[f].mantissa - 1) & 1);
}
bool rf_is_inf(enum rf_format f, uint64_t a)
{
	return top_exponent(f, a) && !fraction(f, a);
}
bool rf_is_zero(enum rf_format f, uint64_t a)
{
	return !rf_exponent(f, a) && !fraction(f, a);
}
bool rf_is_denormal(enum rf_format f, uint64_t a)
{
	return !rf_exponent(f, a) && fraction(f, a);
}
uint64_t rf_canonical(enum rf_format f, uint64_t a)
{
	return rf_is_nan(f, a) ? rf_nan(f) : a;
}
uint64_t rf_flush(enum rf_format f, uint64_t a)
{
	return rf_is_denormal(f, a) ? a & rf_sign_bit(f) : a;
}

/* --- finite numbers: +-m 2^e --- */
struct number { bool negative; wide m; int e; };

static struct number unpack(enum rf_format f, uint64_t a)
{
	int e = rf_exponent(f, a);
	struct number n = { rf_sign(f, a), fraction(f, a), (e ? e : 1) - bias(f) - formats[f].mantissa };
	if (e)
		n.m |= (wide)1 << formats[f].mantissa;
	return n;
}
static int top_bit(wide m)
{
	int n = -1;
	while (m) {
		m >>= 1;
		n++;
	}
	return n;
}
static uint64_t overflow(enum rf_format f, bool negative, enum rf_round r)
{
	uint64_t sign = negative ? rf_sign_bit(f) : 0;
	bool finite = r == RF_ZERO || (r == RF_UP && negative) || (r == RF_DOWN && !negative);
	return sign | (rf_inf(f) - finite);
}
/* The number, and a little more of its magnitude if sticky, rounded. */
static uint64_t pack(enum rf_format f, struct number n, bool sticky, enum rf_round r)
{
	uint64_t sign = n.negative ? rf_sign_bit(f) : 0;
	if (!n.m)
		return sign;
	int precision = formats[f].mantissa + 1, least = 1 - bias(f);
	int exponent = n.e + top_bit(n.m);
	int quantum = (exponent < least ? least : exponent) - (precision - 1), shift = quantum - n.e;
	wide kept = n.m;
	bool half = false, rest = sticky;
	if (shift > 127) {
		kept = 0;
		rest = true;
	} else if (shift > 0) {
		kept = n.m >> shift;
		half = n.m >> (shift - 1) & 1;
		rest |= (n.m & (((wide)1 << (shift - 1)) - 1)) != 0;
	} else {
		kept = n.m << -shift;
	}
	bool inexact = half || rest;
	if (r == RF_NEAREST ? half && (rest || (kept & 1)) : r == RF_UP ? inexact && !n.negative :
		r == RF_DOWN ? inexact && n.negative : false)
		kept++;
	if (kept >> precision) {
		kept >>= 1;
		quantum++;
	}
	int field = quantum + precision - 1 + bias(f);
	if (!(kept >> (precision - 1)))
		return sign | (uint64_t)kept; /* denormal */
	if (field >= (int)bits(formats[f].exponent))
		return overflow(f, n.negative, r);
	return sign | (uint64_t)field << formats[f].mantissa | fraction(f, (uint64_t)kept);
}

/* x + y; sign of an exact zero by the direction. */
static uint64_t sum(enum rf_format f, struct number x, struct number y, enum rf_round r)
{
	if (!x.m && !y.m) {
		x.negative = x.negative == y.negative ? x.negative : r == RF_DOWN;
		return pack(f, x, false, r);
	}
	if (!x.m || (y.m && x.e + top_bit(x.m) < y.e + top_bit(y.m))) {
		struct number t = x;
		x = y;
		y = t;
	}
	int up = 124 - top_bit(x.m); /* x's leading bit goes to bit 124 */
	x.m <<= up;
	x.e -= up;
	int by = y.e - x.e;
	bool sticky = false;
	if (by >= 0) {
		y.m <<= y.m ? by : 0;
	} else {
		sticky = -by > 127 ? y.m != 0 : (y.m & (((wide)1 << -by) - 1)) != 0;
		y.m = -by > 127 ? 0 : y.m >> -by;
	}
	if (x.negative == y.negative)
		x.m += y.m;
	else if (y.m > x.m) {
		x.m = y.m - x.m;
		x.negative = y.negative;
	} else {
		x.m -= y.m + (sticky ? 1 : 0);
		if (!x.m && !sticky)
			x.negative = r == RF_DOWN;
	}
	return pack(f, x, sticky, r);
}
static struct number product(enum rf_format f, uint64_t a, uint64_t b)
{
	struct number x = unpack(f, a), y = unpack(f, b);
	return (struct number){ x.negative != y.negative, x.m * y.m, x.e + y.e };
}
static bool special(enum rf_format f, uint64_t a)
{
	return top_exponent(f, a);
}
uint64_t rf_add(enum rf_format f, uint64_t a, uint64_t b, enum rf_round r)
{
	if (rf_is_nan(f, a) || rf_is_nan(f, b))
		return rf_nan(f);
	if (rf_is_inf(f, a))
		return rf_is_inf(f, b) && rf_sign(f, a) != rf_sign(f, b) ? rf_nan(f) : a;
	return rf_is_inf(f, b) ? b : sum(f, unpack(f, a), unpack(f, b), r);
}
uint64_t rf_sub(enum rf_format f, uint64_t a, uint64_t b, enum rf_round r)
{
	return rf_add(f, a, b ^ rf_sign_bit(f), r);
}
uint64_t rf_mul(enum rf_format f, uint64_t a, uint64_t b, enum rf_round r)
{
	uint64_t sign = (a ^ b) & rf_sign_bit(f);
	if (rf_is_nan(f, a) || rf_is_nan(f, b))
		return rf_nan(f);
	if (special(f, a) || special(f, b))
		return rf_is_zero(f, a) || rf_is_zero(f, b) ? rf_nan(f) : rf_inf(f) | sign;
	return pack(f, product(f, a, b), false, r);
}
uint64_t rf_fma(enum rf_format f, uint64_t a, uint64_t b, uint64_t c, enum rf_round r)
{
	if (rf_is_nan(f, c))
		return rf_nan(f);
	if (special(f, a) || special(f, b) || special(f, c)) {
		/* No rounding matters any more. */
		uint64_t p = rf_mul(f, a, b, r);
		bool finite = !special(f, a) && !special(f, b);
		return finite ? c : rf_add(f, p, c, r);
	}
	return sum(f, product(f, a, b), unpack(f, c), r);
}
uint64_t rf_div(enum rf_format f, uint64_t a, uint64_t b, enum rf_round r)
{
	uint64_t sign = (a ^ b) & rf_sign_bit(f);
	if (rf_is_nan(f, a) || rf_is_nan(f, b) || (rf_is_zero(f, a) && rf_is_zero(f, b)) ||
		(rf_is_inf(f, a) && rf_is_inf(f, b)))
		return rf_nan(f);
	if (rf_is_inf(f, a) || rf_is_zero(f, b))
		return rf_inf(f) | sign;
	if (rf_is_inf(f, b) || rf_is_zero(f, a))
		return sign;
	struct number x = unpack(f, a), y = unpack(f, b);
	int up = 126 - top_bit(x.m);
	x.m <<= up;
	struct number q = { sign != 0, x.m / y.m, x.e - up - y.e };
	return pack(f, q, x.m % y.m != 0, r);
}
uint64_t rf_sqrt(enum rf_format f, uint64_t a, enum rf_round r)
{
	if (rf_is_nan(f, a) || rf_is_zero(f, a))
		return rf_canonical(f, a);
	if (rf_sign(f, a))
		return rf_nan(f);
	if (rf_is_inf(f, a))
		return a;
	struct number x = unpack(f, a);
	int up = 124 - top_bit(x.m);
	up -= (x.e - up) & 1; /* an even exponent */
	x.m <<= up;
	x.e -= up;
	wide root = 0;
	for (int i = 62; i >= 0; i--) {
		wide next = root | (wide)1 << i;
		if (next * next <= x.m)
			root = next;
	}
	struct number n = { false, root, x.e / 2 };
	return pack(f, n, root * root != x.m, r);
}

/* --- others --- */
uint64_t rf_scale(enum rf_format f, uint64_t a, int64_t n, enum rf_round r)
{
	if (special(f, a))
		return rf_canonical(f, a);
	struct number x = unpack(f, a);
	x.e += (int)(n < -5000 ? -5000 : n > 5000 ? 5000 : n);
	return pack(f, x, false, r);
}
uint64_t rf_convert(enum rf_format to, enum rf_format from, uint64_t a, enum rf_round r)
{
	uint64_t sign = rf_sign(from, a) ? rf_sign_bit(to) : 0;
	if (special(from, a))
		return rf_is_nan(from, a) ? rf_nan(to) : rf_inf(to) | sign;
	return pack(to, unpack(from, a), false, r);
}
uint64_t rf_from_int(enum rf_format f, bool negative, uint64_t magnitude, enum rf_round r)
{
	return pack(f, (struct number){ negative && magnitude, magnitude, 0 }, false, r);
}
uint64_t rf_integral(enum rf_format f, uint64_t a, enum rf_round r)
{
	if (special(f, a))
		return rf_canonical(f, a);
	struct number x = unpack(f, a);
	if (x.e >= 0)
		return a;
	int shift = -x.e;
	wide kept = shift > 127 ? 0 : x.m >> shift;
	bool half = shift <= 127 && (x.m >> (shift - 1) & 1);
	bool rest = shift > 127 ? x.m != 0 : (x.m & (((wide)1 << (shift - 1)) - 1)) != 0;
	if (r == RF_NEAREST ? half && (rest || (kept & 1)) : r == RF_UP ? (half || rest) && !x.negative :
		r == RF_DOWN ? (half || rest) && x.negative : false)
		kept++;
	return pack(f, (struct number){ x.negative, kept, 0 }, false, r);
}
int64_t rf_to_int(enum rf_format f, uint64_t a, int64_t lo, int64_t hi)
{
	if (rf_is_nan(f, a))
		return 0;
	struct number x = unpack(f, a);
	if (rf_is_inf(f, a) || x.e + top_bit(x.m) > 60)
		return x.negative ? lo : hi;
	int64_t n = (int64_t)(x.e >= 0 ? x.m << x.e : -x.e > 127 ? 0 : x.m >> -x.e);
	n = x.negative ? -n : n;
	return n < lo ? lo : n > hi ? hi : n;
}
/* An order of all patterns but NaN, zeros alike. */
static int64_t rank(enum rf_format f, uint64_t a)
{
	int64_t magnitude = (int64_t)(a & ~rf_sign_bit(f));
	return rf_sign(f, a) ? -magnitude : magnitude;
}
bool rf_less(enum rf_format f, uint64_t a, uint64_t b)
{
	return !rf_is_nan(f, a) && !rf_is_nan(f, b) && rank(f, a) < rank(f, b);
}
bool rf_equal(enum rf_format f, uint64_t a, uint64_t b)
{
	return !rf_is_nan(f, a) && !rf_is_nan(f, b) && rank(f, a) == rank(f, b);
}
int rf_frexp(enum rf_format f, uint64_t a)
{
	if (special(f, a) || rf_is_zero(f, a))
		return 0;
	struct number x = unpack(f, a);
	return x.e + top_bit(x.m) + 1;
}
uint64_t rf_mantissa(enum rf_format f, uint64_t a)
{
	if (special(f, a) || rf_is_zero(f, a))
		return rf_canonical(f, a);
	return rf_scale(f, a, -rf_frexp(f, a), RF_NEAREST);
}
