/* SPDX-License-Identifier: MIT */
/* What neural networks are made of, as ggml's shaders do it. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

#include "matvec_q8_comp.h"
#include "sgemm_comp.h"

static uint32_t hash(uint32_t x)
{
	x = (x ^ x >> 16) * 0x7feb352du;
	x = (x ^ x >> 15) * 0x846ca68bu;
	return x ^ x >> 16;
}

/* Of -0.5 to 0.5. */
static float small(uint32_t i)
{
	return (float)(int32_t)(hash(i) >> 24) / 256 - 0.5f;
}

static struct vh_buffer smalls(struct bench *b, uint32_t count, uint32_t salt)
{
	struct vh_buffer buffer = vh_make_buffer(&b->vh, count * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	float *data = buffer.map;
	for (uint32_t i = 0; i < count; i++)
		data[i] = small(salt + i);
	return buffer;
}

/* --- matrix by matrix --- */

enum { SIZE = 512, TILE = 64, B_SALT = SIZE * SIZE };

static void sgemm_setup(struct bench *b)
{
	b->buffer[0] = smalls(b, SIZE * SIZE, 0);
	b->buffer[1] = smalls(b, SIZE * SIZE, B_SALT);
	b->result = vh_make_buffer(&b->vh, SIZE * SIZE * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	KERNEL(b, sgemm_comp, 2, sizeof(uint32_t));
}

static void sgemm_record(struct bench *b, VkCommandBuffer commands)
{
	const uint32_t size = SIZE;
	bench_run_kernel(b, commands, SIZE / TILE, SIZE / TILE, &size, sizeof size);
}

static void sgemm_check(const struct bench *b)
{
	const float *got = b->result.map;
	for (uint32_t at = 0; at < SIZE * SIZE; at += 97) {
		const uint32_t column = at / SIZE, row = at % SIZE;
		double sum = 0;
		for (uint32_t k = 0; k < SIZE; k++)
			sum += (double)small(row * SIZE + k) * (double)small(B_SALT + column * SIZE + k);
		if (!(fabs((double)got[at] - sum) < 1e-4))
			vh_fail("wrong result: (%u, %u) is %.6f, not %.6f", row, column, (double)got[at], sum);
	}
}

static const struct vh_wants sgemm_wants = { .version = VK_API_VERSION_1_2 };
const struct bench_scene bench_sgemm = { .name = "sgemm", .unit = "Gflop/s",
	.what = "512x512 by 512x512 floats, tiles of 64x64 in shared memory",
	.wants = &sgemm_wants, .setup = sgemm_setup, .record = sgemm_record,
	.work = 2e-9 * SIZE * SIZE * SIZE, .check = sgemm_check };

/* --- quantised matrix by vector --- */

enum { ROWS = 2048, COLUMNS = 2048, BLOCK = 32, BLOCKS = ROWS * COLUMNS / BLOCK };
struct block_q8 {
	uint16_t scale;
	int8_t weight[BLOCK];
};

/* Powers of 2, from 2^-8 to 2^-5. */
static int scale_of(uint32_t block)
{
	return -8 + (int)(hash(block) >> 30);
}

static int weight_of(uint32_t at)
{
	return (int)(hash(at) >> 24) - 128;
}

static void matvec_setup(struct bench *b)
{
	struct block_q8 *blocks;
	b->buffer[0] = vh_make_buffer(&b->vh, BLOCKS * sizeof *blocks, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	b->buffer[1] = smalls(b, COLUMNS, 0);
	b->result = vh_make_buffer(&b->vh, ROWS * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	blocks = b->buffer[0].map;
	for (uint32_t i = 0; i < BLOCKS; i++) {
		blocks[i].scale = (uint16_t)((scale_of(i) + 15) << 10);
		for (uint32_t k = 0; k < BLOCK; k++)
			blocks[i].weight[k] = (int8_t)weight_of(BLOCK * i + k);
	}
	KERNEL(b, matvec_q8_comp, 2, sizeof(uint32_t));
}

static void matvec_record(struct bench *b, VkCommandBuffer commands)
{
	const uint32_t columns = COLUMNS;
	bench_run_kernel(b, commands, ROWS / 2, 1, &columns, sizeof columns);
}

static void matvec_check(const struct bench *b)
{
	const float *got = b->result.map;
	for (uint32_t row = 0; row < ROWS; row += 5) {
		double sum = 0;
		for (uint32_t k = 0; k < COLUMNS; k++) {
			const uint32_t at = row * COLUMNS + k;
			sum += ldexp(weight_of(at), scale_of(at / BLOCK)) * (double)small(k);
		}
		if (!(fabs((double)got[row] - sum) < 1e-3))
			vh_fail("wrong result: row %u gives %.6f, not %.6f", row, (double)got[row], sum);
	}
}

static const struct vh_wants matvec_wants = { .version = VK_API_VERSION_1_2, .core.shaderInt16 = VK_TRUE,
	.v11.storageBuffer16BitAccess = VK_TRUE, .v12.shaderInt8 = VK_TRUE, .v12.shaderFloat16 = VK_TRUE,
	.names = "shaderInt16, storageBuffer16BitAccess, shaderInt8 and shaderFloat16" };
const struct bench_scene bench_matvec_q8 = { .name = "matvec_q8", .unit = "Gweight/s",
	.what = "2048x2048 weights of 8 bits, a scale for 32, by a vector",
	.wants = &matvec_wants, .setup = matvec_setup, .record = matvec_record, .work = 1e-9 * ROWS * COLUMNS,
	.check = matvec_check };
