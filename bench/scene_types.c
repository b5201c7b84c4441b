/* SPDX-License-Identifier: MIT */
/* Arithmetic in other types than 32 bits. */
#include "bench/bench.h"

#include <math.h>

#include "fma16_comp.h"
#include "fma64_comp.h"
#include "mix64_comp.h"

enum { GROUP = 64, GROUPS = 1024, INVOCATIONS = GROUP * GROUPS, ROUNDS = 16 };

static void setup(struct bench *b, const uint32_t *words, size_t size, size_t element)
{
	b->result = vh_make_buffer(&b->vh, INVOCATIONS * element, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	bench_make_kernel(b, words, size, 0, sizeof(uint32_t));
}

static void record(struct bench *b, VkCommandBuffer commands)
{
	const uint32_t rounds = ROUNDS;
	bench_run_kernel(b, commands, GROUPS, 1, &rounds, sizeof rounds);
}

/* Four chains towards a point, in doubles; the result of invocation i. */
static double chains(uint32_t i, int steps, const double *scale, const double *add)
{
	const double s = (double)i / 131072;
	double v[4] = { s, 0.5 + s, 1 - s, 2 * s };
	for (int k = 0; k < steps; k++)
		for (int c = 0; c < 4; c++)
			v[c] = fma(v[c], scale[c], add[c]);
	return v[0] + v[1] + v[2] + v[3];
}

/* --- halves --- */

enum { STEPS = 16 * ROUNDS };

static void fp16_setup(struct bench *b)
{
	setup(b, fma16_comp, sizeof fma16_comp, sizeof(float));
}

static void fp16_check(const struct bench *b)
{
	static const double scale[4] = { 0.75, -0.5, 0.625, -0.875 }, add[4] = { 0.25, 1.5, 0.375, 1.875 };
	const float *got = b->result.map;
	for (uint32_t i = 0; i < INVOCATIONS; i += 37) {
		const double sum = chains(i, STEPS, scale, add);
		if (!(fabs((double)got[i] - sum) < 0.02))
			vh_fail("wrong result: invocation %u gives %.6f, not %.6f", i, (double)got[i], sum);
	}
}

static const struct vh_wants fp16_wants = { .version = VK_API_VERSION_1_2, .v12.shaderFloat16 = VK_TRUE,
	.names = "shaderFloat16" };
const struct bench_scene bench_fp16_fma = { .name = "fp16_fma", .unit = "Gflop/s",
	.what = "65,536 invocations of 1,024 FMA of halves in four chains",
	.wants = &fp16_wants, .setup = fp16_setup, .record = record, .work = 2e-9 * INVOCATIONS * STEPS * 4,
	.check = fp16_check };

/* --- doubles --- */

static void float64_setup(struct bench *b)
{
	setup(b, fma64_comp, sizeof fma64_comp, sizeof(double));
}

static void float64_check(const struct bench *b)
{
	/* As in the shader, whose literals are doubles. */
	static const double scale[4] = { 0.985, -0.98, 0.975, -0.99 }, add[4] = { 0.009, 0.7, 0.012, 1.1 };
	const double *got = b->result.map;
	for (uint32_t i = 0; i < INVOCATIONS; i += 37) {
		const double sum = chains(i, STEPS, scale, add);
		if (!(fabs(got[i] - sum) < 1e-12))
			vh_fail("wrong result: invocation %u gives %.15f, not %.15f", i, got[i], sum);
	}
}

static const struct vh_wants float64_wants = { .version = VK_API_VERSION_1_2, .core.shaderFloat64 = VK_TRUE,
	.names = "shaderFloat64" };
const struct bench_scene bench_float64 = { .name = "float64", .unit = "Gflop/s",
	.what = "65,536 invocations of 1,024 FMA of doubles in four chains",
	.wants = &float64_wants, .setup = float64_setup, .record = record, .work = 2e-9 * INVOCATIONS * STEPS * 4,
	.check = float64_check };

/* --- 64-bit integers --- */

enum { MIXES = 4 * ROUNDS, MIX_OPS = 10 };

static void int64_setup(struct bench *b)
{
	setup(b, mix64_comp, sizeof mix64_comp, sizeof(uint64_t));
}

static void int64_check(const struct bench *b)
{
	const uint64_t *got = b->result.map;
	for (uint32_t i = 0; i < INVOCATIONS; i += 37) {
		uint64_t x = (uint64_t)i << 29, sum = 0;
		for (int k = 0; k < MIXES; k++) {
			x += 0x9e3779b97f4a7c15;
			uint64_t z = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
			z = (z ^ z >> 27) * 0x94d049bb133111eb;
			sum += z ^ z >> 31;
		}
		if (got[i] != sum)
			vh_fail("wrong result: invocation %u gives 0x%llx, not 0x%llx", i, (unsigned long long)got[i],
				(unsigned long long)sum);
	}
}

static const struct vh_wants int64_wants = { .version = VK_API_VERSION_1_2, .core.shaderInt64 = VK_TRUE,
	.names = "shaderInt64" };
const struct bench_scene bench_int64 = { .name = "int64", .unit = "Gop/s",
	.what = "65,536 invocations of 64 steps of a hash of 64 bits",
	.wants = &int64_wants, .setup = int64_setup, .record = record, .work = 1e-9 * INVOCATIONS * MIXES * MIX_OPS,
	.check = int64_check };
