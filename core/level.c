/* SPDX-License-Identifier: MIT */
#include "core/level.h"

#include <immintrin.h>
#include <pthread.h>
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

bool cu_quick_gathers;

enum { TIMED_ROWS = 64 };

/* A table's entries by the bytes of dwords, as kernels look them up: by gathers, by loads.  Returns the sum of all. */
__attribute__((target("avx2"), noinline))
static __m256i look_up_by_gathers(const uint32_t *table, const __m256i *rows)
{
	__m256i sum = _mm256_setzero_si256();
	for (unsigned r = 0; r < TIMED_ROWS; r++)
		for (int byte = 0; byte < 4; byte++) {
			const __m256i index = _mm256_and_si256(_mm256_srli_epi32(_mm256_load_si256(rows + r), 8 * byte), _mm256_set1_epi32(255));
			sum = _mm256_add_epi32(sum, _mm256_i32gather_epi32((const int *)table, index, 4));
		}
	return sum;
}

__attribute__((target("avx2"), noinline))
static __m256i look_up_by_loads(const uint32_t *table, const __m256i *rows)
{
	__m256i sum = _mm256_setzero_si256();
	for (unsigned r = 0; r < TIMED_ROWS; r++)
		for (unsigned byte = 0; byte < 4; byte++) {
			__m128i line[2];
			for (unsigned i = 0; i < 2; i++) {
				const uint8_t *of = (const uint8_t *)(rows + r) + 16 * i + byte;
				line[i] = _mm_set_epi32((int)table[of[12]], (int)table[of[8]], (int)table[of[4]], (int)table[of[0]]);
			}
			sum = _mm256_add_epi32(sum, _mm256_inserti128_si256(_mm256_castsi128_si256(line[0]), line[1], 1));
		}
	return sum;
}

/* The least of a few times counts: what is in the way of one is not of all. */
__attribute__((target("avx2")))
static void measure_gathers(void)
{
	enum { TIMES = 8 };
	static const uint32_t table[256] = { 0 };
	uint64_t gathers = UINT64_MAX, loads = UINT64_MAX;
	__m256i rows[TIMED_ROWS], sum = _mm256_setzero_si256();
	uint32_t random = 1;
	for (size_t i = 0; i < sizeof rows; i++) {
		random = 1664525 * random + 1013904223;
		((uint8_t *)rows)[i] = (uint8_t)(random >> 24);
	}
	for (unsigned i = 0; i < TIMES; i++) {
		const uint64_t start = __rdtsc();
		sum = _mm256_add_epi32(sum, look_up_by_gathers(table, rows));
		const uint64_t between = __rdtsc();
		sum = _mm256_add_epi32(sum, look_up_by_loads(table, rows));
		const uint64_t end = __rdtsc();
		gathers = between - start < gathers ? between - start : gathers;
		loads = end - between < loads ? end - between : loads;
	}
	cu_quick_gathers = gathers < loads && _mm256_testz_si256(sum, sum);
}

bool cu_level_detect(const char *force, enum cu_level *out, const char **why)
{
	static pthread_once_t measured = PTHREAD_ONCE_INIT;
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
	pthread_once(&measured, measure_gathers);
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
