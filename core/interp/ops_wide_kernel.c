/* SPDX-License-Identifier: MIT */
/* Vector opcodes with 64-bit operands: integers, doubles, division steps. */
#include "core/interp/valu.h"

#define WIDE_DESC(NAME, N, D, A, B, C, ...) \
	CU_OPDESC(NAME) = { .cls = CU_CLASS_VALU, .nsrc = N, .dtype = CU_T_##D, \
		.stype = { CU_T_##A, CU_T_##B, CU_T_##C }, .kernel = k_##NAME, __VA_ARGS__ }

/* Loads of lane l by operand type. */
static inline double lane_f64(const uint32_t *s, int l)
{
	uint64_t x = lane64(s, l);
	double d;
	__builtin_memcpy(&d, &x, 8);
	return d;
}
static inline float lane_f32(const uint32_t *s, int l)
{
	float f;
	__builtin_memcpy(&f, &s[l], 4);
	return f;
}
static inline uint64_t bits64(double d)
{
	uint64_t x;
	__builtin_memcpy(&x, &d, 8);
	return d != d ? 0x7ff8000000000000 : x;
}
static inline uint32_t bits32(float f)
{
	uint32_t x;
	__builtin_memcpy(&x, &f, 4);
	return f != f ? QNAN32 : x;
}
static inline double from64(uint64_t x)
{
	double d;
	__builtin_memcpy(&d, &x, 8);
	return d;
}

/* One line per opcode: RES (64 or 32 bits) of sources by load expressions. */
#define PUT_64(l, x) put64(o->d, l, x)
#define PUT_32(l, x) (o->d[l] = (x))
#define WIDE(NAME, N, D, A, B, C, PUT, EXPR) WIDE_(NAME, 0, N, D, A, B, C, PUT, EXPR)
#define WIDE_(NAME, TRAITS, N, D, A, B, C, PUT, EXPR) \
	static void k_##NAME(struct cu_vop *o) \
	{ \
		const uint32_t *a = o->s[0], *b = o->s[1], *c = o->s[2]; \
		(void)b, (void)c; \
		for (int l = 0; l < 64; l++) \
			PUT(l, EXPR); \
	} \
	WIDE_DESC(NAME, N, D, A, B, C, .traits = (TRAITS) >> 8)

WIDE(V_LSHLREV_B64, 2, B64, B32, B64, NONE, PUT_64, lane64(b, l) << (a[l] & 63));
WIDE(V_LSHRREV_B64, 2, B64, B32, B64, NONE, PUT_64, lane64(b, l) >> (a[l] & 63));
WIDE(V_ASHRREV_I64, 2, I64, B32, I64, NONE, PUT_64,
	(uint64_t)((int64_t)lane64(b, l) >> (a[l] & 63)));

/* Product plus 64-bit addend, with the carry or overflow out. */
static inline void mad_u64(struct cu_vop *o, bool clamp)
{
	o->out = 0;
	for (int l = 0; l < 64; l++) {
		uint64_t c = lane64(o->s[2], l);
		uint64_t r = (uint64_t)o->s[0][l] * o->s[1][l] + c;
		o->out |= (uint64_t)(r < c) << l;
		put64(o->d, l, clamp && r < c ? ~0ull : r);
	}
}
static inline void mad_i64(struct cu_vop *o, bool clamp)
{
	o->out = 0;
	for (int l = 0; l < 64; l++) {
		int64_t p = (int64_t)(int32_t)o->s[0][l] * (int32_t)o->s[1][l], r;
		bool over = __builtin_add_overflow(p, (int64_t)lane64(o->s[2], l), &r);
		o->out |= (uint64_t)over << l;
		put64(o->d, l, (uint64_t)(clamp && over ? p < 0 ? INT64_MIN : INT64_MAX : r));
	}
}
#define MAD64(NAME, T, CALL) \
	static void k_##NAME##_CLAMP(struct cu_vop *o) { CALL(o, true); } \
	WIDE_DESC(NAME##_CLAMP, 3, T, B32, B32, T, .mask_out = 1); \
	static void k_##NAME(struct cu_vop *o) { CALL(o, false); } \
	WIDE_DESC(NAME, 3, T, B32, B32, T, .mask_out = 1, .saturating = &CU_FN(cu_op_##NAME##_CLAMP))
MAD64(V_MAD_U64_U32, B64, mad_u64);
MAD64(V_MAD_I64_I32, I64, mad_i64);

/* --- doubles --- */
#define D_(s) lane_f64(s, l)
static inline double dmin(double a, double b)
{
	if (a != a || b != b)
		return a != a ? b : a;
	return a < b || (a == b && bits64(a) >> 63) ? a : b;
}
static inline double dmax(double a, double b)
{
	if (a != a || b != b)
		return a != a ? b : a;
	return a > b || (a == b && !(bits64(a) >> 63)) ? a : b;
}
/* 2^n in two factors, so that the result is rounded once. */
static inline double dldexp(double a, int32_t n)
{
	n = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
	while (n > 1000) {
		a *= 0x1p1000;
		n -= 1000;
	}
	/* Far below: keep the value normal until the last step. */
	while (n < -1000 && (a >= 0x1p-20 || a <= -0x1p-20)) {
		a *= 0x1p-1000;
		n += 1000;
	}
	if (n < -1000)
		n = n < -1021 - 60 ? -1021 - 60 : n;
	if (n < -1021)
		return a * 0x1p-60 * from64((uint64_t)(1023 + n + 60) << 52);
	return a * from64((uint64_t)(1023 + n) << 52);
}
static inline double dfract(double a)
{
	double f = a - __builtin_floor(a);
	return f < 0x1.fffffffffffffp-1 || f != f ? f : 0x1.fffffffffffffp-1;
}
/* Whatever MXCSR says. */
static inline double dnearest(double a)
{
	__m128d x = _mm_set_sd(a);
	return _mm_cvtsd_f64(_mm_round_sd(x, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
static inline bool dexpless(double a) /* zero, infinity, NaN */
{
	return a == 0 || a != a || a - a != 0;
}
static inline uint64_t dmant(double a)
{
	if (dexpless(a))
		return bits64(a);
	if (__builtin_fabs(a) < 0x1p-1022)
		a *= 0x1p54;
	return (bits64(a) & 0x800fffffffffffff) | 0x3fe0000000000000;
}
static inline uint32_t dexp(double a)
{
	int shift = 0;
	if (dexpless(a))
		return 0;
	if (__builtin_fabs(a) < 0x1p-1022) {
		a *= 0x1p54;
		shift = 54;
	}
	return (uint32_t)((int)(bits64(a) >> 52 & 2047) - 1022 - shift);
}
WIDE(V_FMA_F64, 3, F64, F64, F64, F64, PUT_64, bits64(__builtin_fma(D_(a), D_(b), D_(c))));
WIDE(V_ADD_F64, 2, F64, F64, F64, NONE, PUT_64, bits64(D_(a) + D_(b)));
WIDE(V_MUL_F64, 2, F64, F64, F64, NONE, PUT_64, bits64(D_(a) * D_(b)));
WIDE_(V_MIN_F64, CU_OP_MINMAX, 2, F64, F64, F64, NONE, PUT_64, bits64(dmin(D_(a), D_(b))));
WIDE_(V_MAX_F64, CU_OP_MINMAX, 2, F64, F64, F64, NONE, PUT_64, bits64(dmax(D_(a), D_(b))));
WIDE(V_LDEXP_F64, 2, F64, F64, B32, NONE, PUT_64, bits64(dldexp(D_(a), (int32_t)b[l])));
WIDE_(V_RCP_F64, CU_OP_NEAREST, 1, F64, F64, NONE, NONE, PUT_64, bits64(1.0 / D_(a)));
WIDE_(V_RSQ_F64, CU_OP_NEAREST, 1, F64, F64, NONE, NONE, PUT_64, bits64(1.0 / __builtin_sqrt(D_(a))));
WIDE_(V_SQRT_F64, CU_OP_NEAREST, 1, F64, F64, NONE, NONE, PUT_64, bits64(__builtin_sqrt(D_(a))));
WIDE(V_TRUNC_F64, 1, F64, F64, NONE, NONE, PUT_64, bits64(__builtin_trunc(D_(a))));
WIDE(V_CEIL_F64, 1, F64, F64, NONE, NONE, PUT_64, bits64(__builtin_ceil(D_(a))));
WIDE(V_RNDNE_F64, 1, F64, F64, NONE, NONE, PUT_64, bits64(dnearest(D_(a))));
WIDE(V_FLOOR_F64, 1, F64, F64, NONE, NONE, PUT_64, bits64(__builtin_floor(D_(a))));
WIDE(V_FRACT_F64, 1, F64, F64, NONE, NONE, PUT_64, bits64(dfract(D_(a))));
WIDE(V_FREXP_MANT_F64, 1, F64, F64, NONE, NONE, PUT_64, dmant(D_(a)));
WIDE(V_FREXP_EXP_I32_F64, 1, B32, F64, NONE, NONE, PUT_32, dexp(D_(a)));

/* Before gfx9: shifts with the value first, reciprocals without infinity. */
WIDE(V_LSHL_B64, 2, B64, B64, B32, NONE, PUT_64, lane64(a, l) << (b[l] & 63));
WIDE(V_LSHR_B64, 2, B64, B64, B32, NONE, PUT_64, lane64(a, l) >> (b[l] & 63));
WIDE(V_ASHR_I64, 2, I64, I64, B32, NONE, PUT_64,
	(uint64_t)((int64_t)lane64(a, l) >> (b[l] & 63)));
static inline uint64_t finite64(double d, bool both_signs)
{
	const double most = 0x1.fffffffffffffp1023;
	if (d > most)
		d = most;
	return bits64(both_signs && d < -most ? -most : d);
}
WIDE_(V_RCP_CLAMP_F64, CU_OP_NEAREST, 1, F64, F64, NONE, NONE, PUT_64, finite64(1.0 / D_(a), true));
WIDE_(V_RSQ_CLAMP_F64, CU_OP_NEAREST, 1, F64, F64, NONE, NONE, PUT_64,
	finite64(1.0 / __builtin_sqrt(D_(a)), false));

static inline uint32_t d2i(double a)
{
	if (a != a)
		return 0;
	return a <= -0x1p31 ? 0x80000000u : a >= 0x1p31 ? 0x7fffffff : (uint32_t)(int32_t)a;
}
static inline uint32_t d2u(double a)
{
	return !(a > 0) ? 0 : a >= 0x1p32 ? ~0u : (uint32_t)a;
}
WIDE(V_CVT_I32_F64, 1, B32, F64, NONE, NONE, PUT_32, d2i(D_(a)));
WIDE(V_CVT_U32_F64, 1, B32, F64, NONE, NONE, PUT_32, d2u(D_(a)));
WIDE(V_CVT_F64_I32, 1, F64, B32, NONE, NONE, PUT_64, bits64((double)(int32_t)a[l]));
WIDE(V_CVT_F64_U32, 1, F64, B32, NONE, NONE, PUT_64, bits64((double)a[l]));
WIDE(V_CVT_F32_F64, 1, F32, F64, NONE, NONE, PUT_32, bits32((float)D_(a)));
WIDE(V_CVT_F64_F32, 1, F64, F32, NONE, NONE, PUT_64, bits64((double)lane_f32(a, l)));

/* --- division steps, as the manual's pseudo-code; s0 quotient, numerator or
 * denominator, s1 denominator, s2 numerator.  Two corrections without which
 * the sequence that compilers emit does not divide: a huge denominator is
 * scaled down (the manual has the direction wrong), and a NaN quotient of
 * numbers is an overflow --- */
static inline bool denorm32(float x)
{
	return x != 0 && __builtin_fabsf(x) < 0x1p-126f;
}
static inline bool denorm64(double x)
{
	return x != 0 && __builtin_fabs(x) < 0x1p-1022;
}
static inline int exponent32(float x)
{
	return (int)(bits32(x) >> 23 & 255);
}
static inline int exponent64(double x)
{
	return (int)(bits64(x) >> 52 & 2047);
}

#define DIV_SCALE(T, R, BITS, SPAN, BIG, SMALL, LEAST) \
	static R div_scale##T(R s0, R s1, R s2, bool *vcc) \
	{ \
		bool tiny_rcp = denorm##T((R)1 / s1), tiny = denorm##T(s2 / s1); \
		*vcc = false; \
		if (s1 == 0 || s2 == 0) \
			return (R)__builtin_nan(""); \
		if (exponent##T(s2) - exponent##T(s1) >= SPAN) { \
			*vcc = true; \
			return BITS(s0) == BITS(s1) ? s0 * BIG : s0; \
		} \
		if (denorm##T(s1)) \
			return s0 * BIG; \
		if (tiny_rcp && tiny) { \
			*vcc = true; \
			return BITS(s0) == BITS(s1) ? s0 * SMALL : s0; \
		} \
		if (tiny_rcp) \
			return s0 * SMALL; \
		if (tiny) { \
			*vcc = true; \
			return BITS(s0) == BITS(s2) ? s0 * BIG : s0; \
		} \
		return exponent##T(s2) <= LEAST ? s0 * BIG : s0; \
	}
DIV_SCALE(32, float, bits32, 96, 0x1p64f, 0x1p-64f, 23)
DIV_SCALE(64, double, bits64, 768, 0x1p128, 0x1p-128, 53)

static inline uint64_t div_fixup(bool neg, bool n_nan, bool d_nan, bool n_zero, bool d_zero,
	bool n_inf, bool d_inf, int exp_diff, int underflow, bool d_max,
	uint64_t nan, uint64_t inf, uint64_t least, uint64_t most, uint64_t sign, uint64_t q)
{
	uint64_t r;
	if (n_nan || d_nan || (n_zero && d_zero) || (n_inf && d_inf))
		return nan;
	if (d_zero || n_inf)
		r = inf;
	else if (d_inf || n_zero)
		r = 0;
	else if (exp_diff < underflow)
		r = least;
	else if (d_max)
		r = most;
	else
		r = (q & ~sign) > inf ? inf : q & ~sign;
	return r | (neg ? sign : 0);
}
static inline uint32_t div_fixup32(float q, float d, float n)
{
	uint32_t db = bits32(d), nb = bits32(n);
	return (uint32_t)div_fixup((db ^ nb) >> 31, n != n, d != d, n == 0, d == 0,
		(nb & 0x7fffffff) == 0x7f800000, (db & 0x7fffffff) == 0x7f800000,
		exponent32(n) - exponent32(d), -150, exponent32(d) == 255,
		QNAN32, 0x7f800000, 0, 0x7f800000, 0x80000000u, bits32(q));
}
static inline uint64_t div_fixup64(double q, double d, double n)
{
	uint64_t db = bits64(d), nb = bits64(n), top = 1ull << 63;
	return div_fixup((db ^ nb) >> 63, n != n, d != d, n == 0, d == 0,
		(nb & ~top) == 0x7ff0000000000000, (db & ~top) == 0x7ff0000000000000,
		exponent64(n) - exponent64(d), -1075, exponent64(d) == 2047,
		0x7ff8000000000000, 0x7ff0000000000000, 0, 0x7ff0000000000000, top, bits64(q));
}

static void k_V_DIV_SCALE_F32(struct cu_vop *o)
{
	o->out = 0;
	for (int l = 0; l < 64; l++) {
		bool vcc;
		o->d[l] = bits32(div_scale32(lane_f32(o->s[0], l), lane_f32(o->s[1], l),
			lane_f32(o->s[2], l), &vcc));
		o->out |= (uint64_t)vcc << l;
	}
}
static void k_V_DIV_SCALE_F64(struct cu_vop *o)
{
	o->out = 0;
	for (int l = 0; l < 64; l++) {
		bool vcc;
		put64(o->d, l, bits64(div_scale64(lane_f64(o->s[0], l), lane_f64(o->s[1], l),
			lane_f64(o->s[2], l), &vcc)));
		o->out |= (uint64_t)vcc << l;
	}
}
WIDE_DESC(V_DIV_SCALE_F32, 3, F32, F32, F32, F32, .mask_out = 1);
WIDE_DESC(V_DIV_SCALE_F64, 3, F64, F64, F64, F64, .mask_out = 1);

/* The scale that v_div_scale announced in VCC is undone: its direction shows
 * in the addend's exponent. */
static void k_V_DIV_FMAS_F32(struct cu_vop *o)
{
	for (int l = 0; l < 64; l++) {
		float c = lane_f32(o->s[2], l);
		float r = __builtin_fmaf(lane_f32(o->s[0], l), lane_f32(o->s[1], l), c);
		if (o->in >> l & 1)
			r *= exponent32(c) > 127 ? 0x1p64f : 0x1p-64f;
		o->d[l] = bits32(r);
	}
}
static void k_V_DIV_FMAS_F64(struct cu_vop *o)
{
	for (int l = 0; l < 64; l++) {
		double c = lane_f64(o->s[2], l);
		double r = __builtin_fma(lane_f64(o->s[0], l), lane_f64(o->s[1], l), c);
		if (o->in >> l & 1)
			r *= exponent64(c) > 1023 ? 0x1p128 : 0x1p-128;
		put64(o->d, l, bits64(r));
	}
}
WIDE_DESC(V_DIV_FMAS_F32, 3, F32, F32, F32, F32, .flags = CU_OP_READS_VCC);
WIDE_DESC(V_DIV_FMAS_F64, 3, F64, F64, F64, F64, .flags = CU_OP_READS_VCC);
#define S_(s) lane_f32(s, l)
WIDE(V_DIV_FIXUP_F32, 3, F32, F32, F32, F32, PUT_32, div_fixup32(S_(a), S_(b), S_(c)));
WIDE(V_DIV_FIXUP_F64, 3, F64, F64, F64, F64, PUT_64, div_fixup64(D_(a), D_(b), D_(c)));
