/* SPDX-License-Identifier: MIT */
/* Vector arithmetic against scalar C, over corner cases and random operands,
 * and the forms that the walk only compares with themselves: SDWA, DPP,
 * modifiers, lane moves, division. */
#include "interp_harness.h"

static const uint32_t corners[] = { 0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
	0x7fc00000, 0x7f800001, 0xffc12345, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
	0x7f7fffff, 0xff7fffff, 0x3effffff, 0x3f000000, 0xbf000000, 0x4effffff, 0x4f000000, 0xcf000000,
	0xcf000001, 0x4f7fffff, 0x4f800000, 0x40400000, 0xc0400000, 0x477fe000, 0x477ff000, 0x33000000,
	0x7fffffff, 0xffffffff, 31, 32, 0xffff8000, 0x12345678 };
enum { CORNERS = sizeof(corners) / sizeof(corners[0]) };

static uint32_t pick(uint64_t *seed)
{
	uint32_t r = rnd(seed);
	if (r & 1)
		return corners[rnd(seed) % CORNERS];
	return r & 2 ? (rnd(seed) & 0x807fffff) | (rnd(seed) % 64 + 96) << 23 : rnd(seed);
}
static uint32_t canonical(float f)
{
	return f != f ? 0x7fc00000 : float_bits(f);
}

/* --- references --- */
typedef uint32_t (*ref3)(uint32_t a, uint32_t b, uint32_t c);
#define REF(name, expr) \
	static uint32_t name(uint32_t a, uint32_t b, uint32_t c) \
	{ \
		float x = bits_float(a), y = bits_float(b), z = bits_float(c); \
		(void)x, (void)y, (void)z; \
		return (expr); \
	}
static uint32_t fmin_ref(float x, float y)
{
	if (x != x || y != y)
		return canonical(x != x ? y : x);
	return x == y ? float_bits(x) | float_bits(y) : float_bits(x < y ? x : y);
}
static uint32_t fmax_ref(float x, float y)
{
	if (x != x || y != y)
		return canonical(x != x ? y : x);
	return x == y ? float_bits(x) & float_bits(y) : float_bits(x > y ? x : y);
}
static float flushed(float x)
{
	return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}
static uint32_t mad_ref(float x, float y, float z)
{
	float p = flushed(flushed(x) * flushed(y));
	return canonical(flushed(p + flushed(z)));
}
static uint32_t to_u32(double x)
{
	return !(x > 0) ? 0 : x >= 0x1p32 ? ~0u : (uint32_t)x;
}
static uint32_t to_i32(double x)
{
	return x != x ? 0 : x <= -0x1p31 ? 1u << 31 : x >= 0x1p31 ? 0x7fffffff : (uint32_t)(int32_t)x;
}
static uint32_t frexp_mant_ref(float x)
{
	int e;
	return x == 0 || isinf(x) || x != x ? canonical(x) : float_bits(frexpf(x, &e));
}
static uint32_t frexp_exp_ref(float x)
{
	int e = 0;
	if (x != 0 && !isinf(x) && x == x)
		frexpf(x, &e);
	return (uint32_t)e;
}
static float min86(float x, float y) { return x < y ? x : y; }
static float max86(float x, float y) { return x > y ? x : y; }
static uint32_t med3_ref(float x, float y, float z)
{
	if (x != x || y != y || z != z)
		return fmin_ref(bits_float(fmin_ref(x, y)), z);
	return float_bits(max86(min86(x, y), min86(max86(x, y), z)));
}
static uint32_t bfe_i_ref(uint32_t a, uint32_t offset, uint32_t width)
{
	offset &= 31, width &= 31;
	if (!width)
		return 0;
	uint32_t x = a >> offset & (uint32_t)((1ull << width) - 1);
	return x >> (width - 1) & 1 ? x | ~0u << width : x;
}
REF(r_add, canonical(x + y))
REF(r_sub, canonical(x - y))
REF(r_subrev, canonical(y - x))
REF(r_mul, canonical(x * y))
REF(r_fma, canonical(fmaf(x, y, z)))
REF(r_mad, mad_ref(x, y, z))
REF(r_min, fmin_ref(x, y))
REF(r_max, fmax_ref(x, y))
REF(r_med3, med3_ref(x, y, z))
REF(r_rcp, canonical(1.0f / x))
REF(r_sqrt, canonical(sqrtf(x)))
REF(r_rsq, canonical(1.0f / sqrtf(x)))
REF(r_floor, canonical(floorf(x)))
REF(r_ceil, canonical(ceilf(x)))
REF(r_trunc, canonical(truncf(x)))
REF(r_rndne, canonical(rintf(x)))
REF(r_fract, isfinite(x) ? float_bits(fminf(x - floorf(x), 0x1.fffffep-1f)) : 0x7fc00000)
REF(r_mant, frexp_mant_ref(x))
REF(r_exp, frexp_exp_ref(x))
REF(r_ldexp, canonical(ldexpf(x, (int)((int32_t)b < -1000 ? -1000 : (int32_t)b > 1000 ? 1000 : (int32_t)b))))
REF(r_cvt_u32, to_u32(x))
REF(r_cvt_i32, to_i32(x))
REF(r_cvt_flr, to_i32(floorf(x)))
REF(r_f32_i32, float_bits((float)(int32_t)a))
REF(r_f32_u32, float_bits((float)a))
REF(r_ubyte2, float_bits((float)(a >> 16 & 255)))
REF(r_mul_lo, a * b)
REF(r_mul_hi_u, (uint32_t)((uint64_t)a * b >> 32))
REF(r_mul_hi_i, (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32))
REF(r_mad24, (a & 0xffffff) * (b & 0xffffff) + c)
REF(r_lshl, b << (a & 31))
REF(r_ashr, (uint32_t)((int32_t)b >> (a & 31)))
REF(r_bfe_u, (uint32_t)((uint64_t)a >> (b & 31) & ((1ull << (c & 31)) - 1)))
REF(r_bfe_i, bfe_i_ref(a, b, c))
REF(r_bfi, (a & b) | (~a & c))
REF(r_bcnt, (uint32_t)__builtin_popcount(a) + b)
REF(r_ffbh, a ? (uint32_t)__builtin_clz(a) : ~0u)
REF(r_alignbit, (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31)))
REF(r_add3, a + b + c)
REF(r_min_i, (int32_t)a < (int32_t)b ? a : b)

static const struct { enum gcn_op op; int n; ref3 ref; } table[] = {
	{ GCN_V_ADD_F32, 2, r_add }, { GCN_V_SUB_F32, 2, r_sub }, { GCN_V_SUBREV_F32, 2, r_subrev },
	{ GCN_V_MUL_F32, 2, r_mul }, { GCN_V_FMA_F32, 3, r_fma }, { GCN_V_MAD_F32, 3, r_mad },
	{ GCN_V_MIN_F32, 2, r_min }, { GCN_V_MAX_F32, 2, r_max }, { GCN_V_MED3_F32, 3, r_med3 },
	{ GCN_V_RCP_F32, 1, r_rcp }, { GCN_V_SQRT_F32, 1, r_sqrt }, { GCN_V_RSQ_F32, 1, r_rsq },
	{ GCN_V_FLOOR_F32, 1, r_floor }, { GCN_V_CEIL_F32, 1, r_ceil }, { GCN_V_TRUNC_F32, 1, r_trunc },
	{ GCN_V_RNDNE_F32, 1, r_rndne }, { GCN_V_FRACT_F32, 1, r_fract },
	{ GCN_V_FREXP_MANT_F32, 1, r_mant }, { GCN_V_FREXP_EXP_I32_F32, 1, r_exp },
	{ GCN_V_LDEXP_F32, 2, r_ldexp }, { GCN_V_CVT_U32_F32, 1, r_cvt_u32 },
	{ GCN_V_CVT_I32_F32, 1, r_cvt_i32 }, { GCN_V_CVT_FLR_I32_F32, 1, r_cvt_flr },
	{ GCN_V_CVT_F32_I32, 1, r_f32_i32 }, { GCN_V_CVT_F32_U32, 1, r_f32_u32 },
	{ GCN_V_CVT_F32_UBYTE2, 1, r_ubyte2 }, { GCN_V_MUL_LO_U32, 2, r_mul_lo },
	{ GCN_V_MUL_HI_U32, 2, r_mul_hi_u }, { GCN_V_MUL_HI_I32, 2, r_mul_hi_i },
	{ GCN_V_MAD_U32_U24, 3, r_mad24 }, { GCN_V_LSHLREV_B32, 2, r_lshl },
	{ GCN_V_ASHRREV_I32, 2, r_ashr }, { GCN_V_BFE_U32, 3, r_bfe_u }, { GCN_V_BFE_I32, 3, r_bfe_i },
	{ GCN_V_BFI_B32, 3, r_bfi }, { GCN_V_BCNT_U32_B32, 2, r_bcnt }, { GCN_V_FFBH_U32, 1, r_ffbh },
	{ GCN_V_ALIGNBIT_B32, 3, r_alignbit }, { GCN_V_ADD3_U32, 3, r_add3 }, { GCN_V_MIN_I32, 2, r_min_i },
};

static void against_c(enum cu_level level)
{
	for (size_t t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
		struct code c = { .n = 0 };
		uint64_t seed = t;
		op3(&c, table[t].op, V(3), V(0), table[t].n > 1 ? V(1) : NONE, table[t].n > 2 ? V(2) : NONE);
		end(&c);
		struct cu_program *p = program(level, &c);
		struct cu_wave *w = wave(~0ull);
		for (int round = 0; round < 200; round++) {
			for (int v = 0; v < 3; v++)
				for (int l = 0; l < 64; l++)
					w->vgpr[v][l] = round < 36 && v == 0 ? corners[round] : pick(&seed);
			w->pc = 0;
			cu_wave_run(p, w);
			for (int l = 0; l < 64; l++) {
				uint32_t a = w->vgpr[0][l], b = w->vgpr[1][l], d = w->vgpr[2][l];
				uint32_t want = table[t].ref(a, b, d);
				EXPECT(w->vgpr[3][l] == want, "%s(0x%08x, 0x%08x, 0x%08x) is 0x%08x, not 0x%08x",
					gcn_op_info(table[t].op)->name, a, b, d, w->vgpr[3][l], want);
			}
		}
		cu_program_destroy(p);
		free(w);
	}
}

/* The IEEE division sequence that compilers emit gives correct rounding. */
static void division(enum cu_level level)
{
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_V_DIV_SCALE_F32); /* v2 = scaled denominator */
	in.dst = V(2), in.sdst = 0, in.src[0] = V(1), in.src[1] = V(1), in.src[2] = V(0);
	put(&c, &in);
	in.dst = V(3), in.sdst = VCC, in.src[0] = V(0); /* v3 = scaled numerator */
	put(&c, &in);
	op1(&c, GCN_V_RCP_F32, V(4), V(2));
	in = inst(GCN_V_FMA_F32); /* e = 1 - d r; r += e r */
	in.dst = V(5), in.src[0] = V(2), in.src[1] = V(4), in.src[2] = GCN_SRC_1F, in.neg = 1;
	put(&c, &in);
	op3(&c, GCN_V_FMA_F32, V(4), V(5), V(4), V(4));
	op2(&c, GCN_V_MUL_F32, V(6), V(3), V(4));
	in.dst = V(7), in.src[0] = V(2), in.src[1] = V(6), in.src[2] = V(3);
	put(&c, &in);
	op3(&c, GCN_V_FMA_F32, V(6), V(7), V(4), V(6));
	in.dst = V(7);
	put(&c, &in);
	op3(&c, GCN_V_DIV_FMAS_F32, V(8), V(7), V(4), V(6));
	op3(&c, GCN_V_DIV_FIXUP_F32, V(9), V(8), V(1), V(0));
	end(&c);
	struct cu_program *p = program(level, &c);
	struct cu_wave *w = wave(~0ull);
	uint64_t seed = 5;
	for (int round = 0; round < 300; round++) {
		for (int l = 0; l < 64; l++) {
			w->vgpr[0][l] = pick(&seed);
			w->vgpr[1][l] = pick(&seed);
		}
		w->pc = 0;
		cu_wave_run(p, w);
		for (int l = 0; l < 64; l++) {
			float n = bits_float(w->vgpr[0][l]), d = bits_float(w->vgpr[1][l]);
			uint32_t want = canonical(n / d);
			EXPECT(w->vgpr[9][l] == want || (fabsf(n / d) < 0x1p-126f && /* double rounding */
				abs((int)(w->vgpr[9][l] - want)) <= 1), "%a / %a is %a, not %a", n, d,
				bits_float(w->vgpr[9][l]), n / d);
		}
	}
	cu_program_destroy(p);
	free(w);
}

static void carries(enum cu_level level)
{
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_V_ADD_CO_U32);
	in.dst = V(4), in.sdst = VCC, in.src[0] = V(0), in.src[1] = V(2);
	put(&c, &in);
	in = inst(GCN_V_ADDC_CO_U32);
	in.dst = V(5), in.sdst = VCC, in.src[0] = V(1), in.src[1] = V(3), in.src[2] = VCC;
	put(&c, &in);
	in = inst(GCN_V_SUB_CO_U32);
	in.dst = V(6), in.sdst = VCC, in.src[0] = V(0), in.src[1] = V(2);
	put(&c, &in);
	in = inst(GCN_V_SUBB_CO_U32);
	in.dst = V(7), in.sdst = VCC, in.src[0] = V(1), in.src[1] = V(3), in.src[2] = VCC;
	put(&c, &in);
	in = inst(GCN_V_MAD_U64_U32);
	in.dst = V(8), in.sdst = 10, in.src[0] = V(0), in.src[1] = V(1), in.src[2] = V(2);
	put(&c, &in);
	end(&c);
	struct cu_wave *w = wave(~0ull);
	uint64_t seed = 9;
	for (int l = 0; l < 64; l++)
		for (int v = 0; v < 4; v++)
			w->vgpr[v][l] = l < 8 ? (l >> v & 1 ? ~0u : 0) : rnd(&seed);
	run(level, &c, w);
	for (int l = 0; l < 64; l++) {
		uint64_t a = (uint64_t)w->vgpr[1][l] << 32 | w->vgpr[0][l];
		uint64_t b = (uint64_t)w->vgpr[3][l] << 32 | w->vgpr[2][l];
		uint64_t sum = (uint64_t)w->vgpr[5][l] << 32 | w->vgpr[4][l];
		uint64_t dif = (uint64_t)w->vgpr[7][l] << 32 | w->vgpr[6][l];
		uint64_t mad = (uint64_t)w->vgpr[9][l] << 32 | w->vgpr[8][l];
		EXPECT(sum == a + b && dif == a - b, "lane %d", l);
		EXPECT((w->sgpr[106 + l / 32] >> l % 32 & 1) == (a < b), "borrow of lane %d", l);
		EXPECT(mad == (uint64_t)w->vgpr[0][l] * w->vgpr[1][l] + b, "mad of lane %d", l);
	}
	free(w);
}

/* All 65536 halves to float and back; pairs of arithmetic. */
static void halves(enum cu_level level)
{
	struct code c = { .n = 0 };
	op1(&c, GCN_V_CVT_F32_F16, V(1), V(0));
	op1(&c, GCN_V_CVT_F16_F32, V(2), V(1));
	op2(&c, GCN_V_ADD_F16, V(3), V(0), V(4));
	op3(&c, GCN_V_FMA_LEGACY_F16, V(5), V(0), V(4), V(6));
	end(&c);
	struct cu_program *p = program(level, &c);
	struct cu_wave *w = wave(~0ull);
	uint64_t seed = 3;
	for (uint32_t h = 0; h < 65536; h += 64) {
		for (uint32_t l = 0; l < 64; l++) {
			w->vgpr[0][l] = h + l;
			w->vgpr[4][l] = rnd(&seed) & 0xffff;
			w->vgpr[6][l] = rnd(&seed) & 0xffff;
		}
		w->pc = 0;
		cu_wave_run(p, w);
		for (uint32_t l = 0; l < 64; l++) {
			uint32_t x = h + l, m = x & 0x3ff, e = x >> 10 & 31;
			bool nan = e == 31 && m;
			float f = e == 31 ? INFINITY : e ? ldexpf((float)(m | 0x400), (int)e - 25)
				: ldexpf((float)m, -24);
			uint32_t want = nan ? 0x7fc00000 : float_bits(x >> 15 ? -f : f);
			EXPECT(w->vgpr[1][l] == want, "half 0x%04x is 0x%08x", x, w->vgpr[1][l]);
			EXPECT(w->vgpr[2][l] == (nan ? 0x7e00 : x), "half 0x%04x returns as 0x%04x", x,
				w->vgpr[2][l]);
			EXPECT(w->vgpr[3][l] < 65536 && w->vgpr[5][l] < 65536, "high half");
		}
	}
	cu_program_destroy(p);
	free(w);
}

static void modifiers(enum cu_level level)
{
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_V_ADD_F32);
	in.fmt = GCN_VOP3;
	in.dst = V(1), in.src[0] = V(0), in.src[1] = GCN_SRC_1F, in.neg = 1, in.abs = 1;
	put(&c, &in); /* 1 - |x| */
	in.dst = V(2), in.neg = 0, in.omod = 1, in.clamp = 1;
	put(&c, &in); /* clamp(2 (1 + |x|)) */
	in = inst(GCN_V_ADD_U32);
	in.fmt = GCN_VOP3;
	in.dst = V(3), in.src[0] = V(0), in.src[1] = V(0), in.clamp = 1;
	put(&c, &in);
	end(&c);
	struct cu_wave *w = wave(~0ull);
	for (int l = 0; l < 64; l++)
		w->vgpr[0][l] = float_bits((float)l - 32);
	w->vgpr[0][5] = 0x7fc00000;
	run(level, &c, w);
	for (int l = 0; l < 64; l++) {
		float x = bits_float(w->vgpr[0][l]);
		EXPECT(w->vgpr[1][l] == canonical(1 - fabsf(x)), "abs and neg, lane %d", l);
		EXPECT(w->vgpr[2][l] == (x != x ? 0 : float_bits(1)), "clamp, lane %d: %a", l, bits_float(w->vgpr[2][l]));
		uint64_t sum = 2 * (uint64_t)w->vgpr[0][l];
		EXPECT(w->vgpr[3][l] == (sum > ~0u ? ~0u : (uint32_t)sum), "saturation, lane %d", l);
	}
	free(w);
}

static void sdwa_dpp(enum cu_level level)
{
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_V_ADD_U32);
	in.sub = GCN_SUB_SDWA; /* byte 1 of v2 = byte 2 of v0 + signed byte 0 of v1 */
	in.dst = V(2), in.src[0] = V(0), in.src[1] = V(1);
	in.src_sel[0] = 2, in.src_sel[1] = 0, in.src_sext = 2, in.dst_sel = 1, in.dst_unused = 2;
	put(&c, &in);
	in = inst(GCN_V_MOV_B32);
	in.sub = GCN_SUB_DPP; /* row_shr:1, absent lanes keep v3 */
	in.dst = V(3), in.src[0] = V(0), in.dpp_ctrl = 0x111, in.row_mask = 15, in.bank_mask = 15;
	put(&c, &in);
	in.dst = V(4), in.bound_ctrl = 1;
	put(&c, &in);
	in.dst = V(5), in.dpp_ctrl = 0xb1, in.row_mask = 5; /* quad_perm:[1,0,3,2] in rows 0, 2 */
	put(&c, &in);
	in.dst = V(6), in.dpp_ctrl = 0x143, in.row_mask = 15; /* row_bcast:31 */
	put(&c, &in);
	end(&c);
	struct cu_wave *w = wave(~0ull);
	for (uint32_t l = 0; l < 64; l++) {
		w->vgpr[0][l] = l << 16 | 0x100;
		w->vgpr[1][l] = 0xff;
		w->vgpr[2][l] = 0xaabbccdd;
		w->vgpr[3][l] = 77;
		w->vgpr[5][l] = 99;
	}
	run(level, &c, w);
	for (uint32_t l = 0; l < 64; l++) {
		const uint32_t *v0 = w->vgpr[0];
		uint32_t before = l & 15 ? v0[l - 1] : 77;
		EXPECT(w->vgpr[2][l] == (0xaabb00dd | ((l - 1) & 255) << 8), "sdwa lane %u: 0x%08x", l,
			w->vgpr[2][l]);
		EXPECT(w->vgpr[3][l] == before, "row_shr lane %u", l);
		EXPECT(w->vgpr[4][l] == (l & 15 ? v0[l - 1] : 0), "row_shr bound_ctrl lane %u", l);
		EXPECT(w->vgpr[5][l] == ((l >> 4) & 1 ? 99 : v0[l ^ 1]), "quad_perm lane %u", l);
		EXPECT(w->vgpr[6][l] == (l >= 32 ? v0[31] : 0), "row_bcast31 lane %u", l);
	}
	free(w);
}

static void lanes(enum cu_level level)
{
	struct code c = { .n = 0 };
	op1(&c, GCN_V_READFIRSTLANE_B32, 4, V(0));
	op2(&c, GCN_V_READLANE_B32, 5, V(0), K(40));
	op2(&c, GCN_V_WRITELANE_B32, V(1), K(-7), K(3));
	op2(&c, GCN_V_MBCNT_LO_U32_B32, V(2), K(-1), K(0));
	op2(&c, GCN_V_MBCNT_HI_U32_B32, V(2), K(-1), V(2));
	op1(&c, GCN_V_SWAP_B32, V(3), V(4));
	end(&c);
	struct cu_wave *w = wave(0xffffffffffffff00);
	for (uint32_t l = 0; l < 64; l++) {
		w->vgpr[0][l] = 1000 + l;
		w->vgpr[3][l] = 3;
		w->vgpr[4][l] = 4;
	}
	run(level, &c, w);
	EXPECT(w->sgpr[4] == 1008 && w->sgpr[5] == 1040, "s4 %u s5 %u", w->sgpr[4], w->sgpr[5]);
	EXPECT(w->vgpr[1][3] == (uint32_t)-7 && w->vgpr[1][9] == 0, "writelane");
	for (uint32_t l = 8; l < 64; l++)
		EXPECT(w->vgpr[2][l] == l, "mbcnt lane %u: %u", l, w->vgpr[2][l]);
	EXPECT(w->vgpr[3][7] == 3 && w->vgpr[3][8] == 4 && w->vgpr[4][8] == 3, "swap");
	free(w);
}

static void classes(enum cu_level level)
{
	static const uint32_t of[10] = { 0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001,
		0x80000000, 0, 1, 0x3f800000, 0x7f800000 };
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_V_CMP_CLASS_F32);
	in.src[0] = V(0), in.src[1] = V(1);
	put(&c, &in);
	end(&c);
	struct cu_wave *w = wave((1ull << 40) - 1);
	for (uint32_t l = 0; l < 64; l++) {
		w->vgpr[0][l] = of[l % 10];
		w->vgpr[1][l] = l < 20 ? 1u << l % 10 : ~(1u << l % 10);
	}
	run(level, &c, w);
	uint64_t vcc = (uint64_t)w->sgpr[107] << 32 | w->sgpr[106];
	EXPECT(vcc == 0xfffff, "class mask 0x%llx", (unsigned long long)vcc);
	free(w);
}

int main(void)
{
	unsigned mxcsr = cu_fp_enter();
	for (int level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++) {
		enum cu_level l = (enum cu_level)level;
		if (!has_level(l))
			continue;
		against_c(l);
		division(l);
		carries(l);
		halves(l);
		modifiers(l);
		sdwa_dpp(l);
		lanes(l);
		classes(l);
	}
	cu_fp_leave(mxcsr);
	return finish("test_interp_valu");
}
