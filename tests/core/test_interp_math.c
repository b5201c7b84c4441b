/* SPDX-License-Identifier: MIT */
/* Error bounds of the transcendentals against the double functions of libm,
 * over a dense sample (with the argument "all", over all 2^32 inputs); over all
 * halves; over random doubles. */
#include "interp_harness.h"

struct bound {
	const char *name;
	enum gcn_op op;
	double (*exact)(double);
	double max_ulp; /* 0: absolute bound instead */
	double max_abs;
	double lo, hi;  /* |x| range that the absolute bound covers */
};
static double exact_rcp(double x) { return 1 / x; }
static double exact_rsq(double x) { return 1 / sqrt(x); }
static double exact_exp2(double x) { return x < -126 ? 0 : exp2(x); }
static double exact_sin(double x) { return sin(2 * M_PI * (x - rint(x))); }
static double exact_cos(double x) { return cos(2 * M_PI * (x - rint(x))); }
static const struct bound bounds[] = {
	{ "v_exp_f32", GCN_V_EXP_F32, exact_exp2, 0.9, 0, 0, 0 },
	{ "v_log_f32", GCN_V_LOG_F32, log2, 1.68, 0, 0, 0 },
	{ "v_sin_f32", GCN_V_SIN_F32, exact_sin, 0, 0x1p-22, 0, INFINITY },
	{ "v_cos_f32", GCN_V_COS_F32, exact_cos, 0, 0x1p-22, 0, INFINITY },
	{ "v_rcp_f32", GCN_V_RCP_F32, exact_rcp, 0.5, 0, 0, 0 },
	{ "v_rsq_f32", GCN_V_RSQ_F32, exact_rsq, 1.5, 0, 0, 0 },
	{ "v_sqrt_f32", GCN_V_SQRT_F32, sqrt, 0.5, 0, 0, 0 },
};

/* Distance in units of the float grid at the exact value. */
static double ulps(float got, double exact)
{
	if (fabs(exact) >= 0x1.ffffffp127)
		return isinf(got) || fabsf(got) >= 0x1.fffffep127f ? 0 : 1e30;
	int e;
	frexp(exact, &e);
	double ulp = ldexp(1, e - 24 < -149 ? -149 : e - 24);
	return fabs(got - exact) / ulp;
}

struct worst { double err; float at, got; };

static void look(const struct bound *b, float x, float got, struct worst *worst)
{
	double exact = b->exact((double)x);
	if (isnan(exact)) {
		EXPECT(float_bits(got) == 0x7fc00000, "%s(%a) is 0x%08x, not NaN", b->name, x, float_bits(got));
		return;
	}
	if (isinf(exact) || exact == 0) {
		bool close = b->max_ulp == 0 && fabs(got - exact) <= b->max_abs;
		EXPECT(got == exact || close, "%s(%a) is %a, not %a", b->name, x, got, exact);
		return;
	}
	double err = b->max_ulp ? ulps(got, exact) : fabs(got - exact);
	if (err > worst->err || isnan(got))
		*worst = (struct worst){ isnan(got) ? INFINITY : err, x, got };
}

static void check(const struct bound *b, enum cu_level level, uint64_t first, uint64_t step)
{
	struct code c = { .n = 0 };
	op1(&c, b->op, V(1), V(0));
	end(&c);
	struct cu_program *p = program(level, &c);
	struct cu_wave *w = wave(~0ull);
	struct worst worst = { 0, 0, 0 };
	for (uint64_t base = first; base < 1ull << 32; base += 64 * step) {
		for (uint64_t l = 0; l < 64; l++)
			w->vgpr[0][l] = (uint32_t)(base + l * step);
		w->pc = 0;
		cu_wave_run(p, w);
		for (int l = 0; l < 64; l++)
			look(b, bits_float(w->vgpr[0][l]), bits_float(w->vgpr[1][l]), &worst);
	}
	double limit = b->max_ulp ? b->max_ulp : b->max_abs;
	printf("%s v%d: worst %g %s at %a (%a)\n", b->name, level, worst.err,
		b->max_ulp ? "ulp" : "absolute", worst.at, worst.got);
	EXPECT(worst.err <= limit, "%s: beyond %g", b->name, limit);
	cu_program_destroy(p);
	free(w);
}

/* --- halves: all 65536, within half an ulp and a little --- */
static double half_value(uint32_t h)
{
	int e = (int)(h >> 10 & 31), m = (int)(h & 0x3ff);
	double x = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(m | 0x400, e - 25) : ldexp(m, -24);
	return h >> 15 ? -x : x;
}
static void check_halves(const struct bound *b, enum gcn_op op, enum cu_level level)
{
	struct code c = { .n = 0 };
	op1(&c, op, V(1), V(0));
	end(&c);
	struct cu_program *p = program(level, &c);
	struct cu_wave *w = wave(~0ull);
	double worst = 0;
	for (uint32_t base = 0; base < 65536; base += 64) {
		for (uint32_t l = 0; l < 64; l++)
			w->vgpr[0][l] = base + l;
		w->pc = 0;
		cu_wave_run(p, w);
		for (uint32_t l = 0; l < 64; l++) {
			double exact = b->exact(half_value(base + l)), got = half_value(w->vgpr[1][l]);
			int e;
			if (isnan(exact) || isinf(exact) || fabs(exact) >= 65520) {
				EXPECT(isnan(exact) ? w->vgpr[1][l] == 0x7e00 : got == copysign(INFINITY, exact),
					"half %s(0x%04x) is 0x%04x", b->name, base + l, w->vgpr[1][l]);
				continue;
			}
			frexp(exact, &e);
			double ulp = ldexp(1, e - 11 < -24 || exact == 0 ? -24 : e - 11);
			double err = (fabs(got - exact) - b->max_abs) / ulp;
			worst = err > worst ? err : worst;
		}
	}
	printf("half %s v%d: worst %g ulp\n", b->name, level, worst);
	EXPECT(worst <= 0.5005, "half %s: beyond half an ulp", b->name);
	cu_program_destroy(p);
	free(w);
}

/* --- doubles: a sample, against the 64-bit mantissas of long double --- */
static void check_doubles(enum gcn_op op, long double (*exact)(long double), double max_ulp, enum cu_level level)
{
	struct code c = { .n = 0 };
	op1(&c, op, V(2), V(0));
	end(&c);
	struct cu_program *p = program(level, &c);
	struct cu_wave *w = wave(~0ull);
	uint64_t seed = 17;
	double worst = 0;
	for (int round = 0; round < 2000; round++) {
		for (int l = 0; l < 64; l++) {
			w->vgpr[0][l] = rnd(&seed);
			w->vgpr[1][l] = (rnd(&seed) & 0xfffff) | (rnd(&seed) % 1900 + 60) << 20;
		}
		w->pc = 0;
		cu_wave_run(p, w);
		for (int l = 0; l < 64; l++) {
			uint64_t x = (uint64_t)w->vgpr[1][l] << 32 | w->vgpr[0][l];
			uint64_t y = (uint64_t)w->vgpr[3][l] << 32 | w->vgpr[2][l];
			double from, got;
			int e;
			memcpy(&from, &x, 8);
			memcpy(&got, &y, 8);
			long double want = exact(from);
			frexpl(want, &e);
			double err = (double)(fabsl(got - want) / ldexpl(1, e - 53));
			worst = err > worst ? err : worst;
		}
	}
	printf("%s v%d: worst %g ulp\n", gcn_op_info(op)->name, level, worst);
	EXPECT(worst <= max_ulp, "%s: beyond %g ulp", gcn_op_info(op)->name, max_ulp);
	cu_program_destroy(p);
	free(w);
}
static long double long_rcp(long double x) { return 1 / x; }
static long double long_rsq(long double x) { return 1 / sqrtl(x); }

/* Exact values. */
static void points(enum cu_level level)
{
	static const struct { enum gcn_op op; float x, want; } t[] = {
		{ GCN_V_EXP_F32, 0, 1 }, { GCN_V_EXP_F32, 10, 1024 }, { GCN_V_EXP_F32, -126, 0x1p-126f },
		{ GCN_V_EXP_F32, -0x1.f80002p+6f, 0 }, { GCN_V_EXP_F32, -149, 0 }, { GCN_V_EXP_F32, 127, 0x1p127f },
		{ GCN_V_EXP_F32, 128, INFINITY }, { GCN_V_EXP_F32, -INFINITY, 0 },
		{ GCN_V_EXP_F32, INFINITY, INFINITY },
		{ GCN_V_LOG_F32, 1, 0 }, { GCN_V_LOG_F32, 1024, 10 }, { GCN_V_LOG_F32, 0x1p-149f, -149 },
		{ GCN_V_LOG_F32, 0, -INFINITY }, { GCN_V_LOG_F32, -0.0f, -INFINITY },
		{ GCN_V_LOG_F32, INFINITY, INFINITY },
		{ GCN_V_SIN_F32, 0, 0 }, { GCN_V_SIN_F32, 0.25f, 1 }, { GCN_V_SIN_F32, -0.25f, -1 },
		{ GCN_V_SIN_F32, 0.5f, 0 }, { GCN_V_COS_F32, 0, 1 }, { GCN_V_COS_F32, 0.5f, -1 },
		{ GCN_V_COS_F32, 0.25f, 0 }, { GCN_V_RCP_F32, -0.0f, -INFINITY }, { GCN_V_RSQ_F32, 4, 0.5f },
	};
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct code c = { .n = 0 };
		op1(&c, t[i].op, V(1), V(0));
		end(&c);
		struct cu_wave *w = wave(1);
		w->vgpr[0][0] = float_bits(t[i].x);
		run(level, &c, w);
		EXPECT(bits_float(w->vgpr[1][0]) == t[i].want, "%s(%g) is %a", gcn_op_info(t[i].op)->name,
			t[i].x, bits_float(w->vgpr[1][0]));
		free(w);
	}
}

int main(int argc, char **argv)
{
	bool all = argc > 1 && strcmp(argv[1], "all") == 0;
	unsigned mxcsr = cu_fp_enter();
	for (int level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++) {
		if (!has_level((enum cu_level)level))
			continue;
		points((enum cu_level)level);
		for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
			check(&bounds[i], (enum cu_level)level, 0, all ? 1 : 1009);
		static const enum gcn_op halves[] = { GCN_V_EXP_F16, GCN_V_LOG_F16, GCN_V_SIN_F16,
			GCN_V_COS_F16, GCN_V_RCP_F16, GCN_V_RSQ_F16, GCN_V_SQRT_F16 };
		for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
			check_halves(&bounds[i], halves[i], (enum cu_level)level);
		check_doubles(GCN_V_RCP_F64, long_rcp, 0.501, (enum cu_level)level);
		check_doubles(GCN_V_RSQ_F64, long_rsq, 1.5, (enum cu_level)level);
		check_doubles(GCN_V_SQRT_F64, sqrtl, 0.501, (enum cu_level)level);
	}
	cu_fp_leave(mxcsr);
	return finish("test_interp_math");
}
