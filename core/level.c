/* SPDX-License-Identifier: MIT */
#include "core/level.h"

#include <stdint.h>
#include <string.h>

static bool has_v3(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
		&& __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
static bool has_v4(void)
{
	return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
		&& __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
		&& __builtin_cpu_supports("avx512vl");
}

bool cu_level_detect(const char *force, enum cu_level *out, const char **why)
{
	bool want_v4 = force && strcmp(force, "v4") == 0;
	if (force && !want_v4 && strcmp(force, "v3") != 0) {
		*why = "unknown CPU level: v3 and v4 exist";
		return false;
	}
	__builtin_cpu_init();
	if (!has_v3()) {
		*why = "this CPU lacks x86-64-v3 (AVX2, FMA, BMI)";
		return false;
	}
	if (want_v4 && !has_v4()) {
		*why = "this CPU lacks x86-64-v4 (AVX-512 F, BW, CD, DQ, VL)";
		return false;
	}
	*out = has_v4() && (!force || want_v4) ? CU_LEVEL_V4 : CU_LEVEL_V3;
	*why = NULL;
	return true;
}

/* All exceptions masked; rounding to nearest, no flush to zero. */
#define MXCSR_GPU 0x1f80u

unsigned cu_fp_enter(void)
{
	unsigned old = __builtin_ia32_stmxcsr();
	if (old != MXCSR_GPU)
		__builtin_ia32_ldmxcsr(MXCSR_GPU);
	return old;
}

void cu_fp_leave(unsigned mxcsr)
{
	__builtin_ia32_ldmxcsr(mxcsr);
}
