/* SPDX-License-Identifier: MIT */
/* The same kernels on buffers by descriptors (ssbo) and by addresses (bda). */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chase_bda_comp.h"
#include "chase_ssbo_comp.h"
#include "stream_bda_comp.h"
#include "stream_ssbo_comp.h"

static const struct vh_wants bda_wants = { .version = VK_API_VERSION_1_2, .core.shaderInt64 = VK_TRUE,
	.v12.bufferDeviceAddress = VK_TRUE, .names = "bufferDeviceAddress and shaderInt64" };
static const struct vh_wants ssbo_wants = { .version = VK_API_VERSION_1_2 };

/* Buffers with addresses where the scene wants them. */
static struct vh_buffer make(struct bench *b, bool bda, VkDeviceSize size, const void *data, VkDeviceAddress *address)
{
	if (bda)
		return vh_make_addressed(&b->vh, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, data, address);
	return vh_make_buffer(&b->vh, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, data);
}

/* --- stream --- */

enum { STREAM_GROUPS = 1024, ELEMENTS = 1024 * STREAM_GROUPS, SUBMIT_ELEMENTS = 1024 };

static float stream_a(uint32_t i)
{
	return (float)(i & 0xfff);
}

static float stream_b(uint32_t i)
{
	return (float)(i >> 12);
}

static void stream_setup(struct bench *b, bool bda, uint32_t elements)
{
	float *data = malloc(elements * sizeof *data);
	if (!data)
		vh_fail("out of memory");
	for (int k = 0; k < 2; k++) {
		for (uint32_t i = 0; i < elements; i++)
			data[i] = k ? stream_b(i) : stream_a(i);
		b->buffer[k] = make(b, bda, elements * sizeof *data, data, &b->address[k]);
	}
	b->result = make(b, bda, elements * sizeof *data, NULL, &b->result_address);
	if (bda)
		KERNEL(b, stream_bda_comp, 2, 3 * sizeof(VkDeviceAddress));
	else
		KERNEL(b, stream_ssbo_comp, 2, 0);
	free(data);
}

static void bda_stream_setup(struct bench *b)
{
	stream_setup(b, true, ELEMENTS);
}

static void ssbo_stream_setup(struct bench *b)
{
	stream_setup(b, false, ELEMENTS);
}

static void submit_setup(struct bench *b)
{
	stream_setup(b, false, SUBMIT_ELEMENTS);
}

static void bda_stream_record(struct bench *b, VkCommandBuffer commands)
{
	const VkDeviceAddress push[] = { b->address[0], b->address[1], b->result_address };
	bench_run_kernel(b, commands, STREAM_GROUPS, 1, push, sizeof push);
}

static void ssbo_stream_record(struct bench *b, VkCommandBuffer commands)
{
	bench_run_kernel(b, commands, STREAM_GROUPS, 1, NULL, 0);
}

static void submit_record(struct bench *b, VkCommandBuffer commands)
{
	bench_run_kernel(b, commands, 1, 1, NULL, 0);
}

static void stream_check(const struct bench *b)
{
	const float *got = b->result.map;
	for (uint32_t i = 0; i < b->result.size / sizeof *got; i++) {
		const float want = 0.75f * stream_a(i) + stream_b(i); /* exact */
		if (fabsf(got[i] - want) > 0)
			vh_fail("wrong result: element %u is %g, not %g", i, (double)got[i], (double)want);
	}
}

const struct bench_scene bench_ssbo_stream = { .name = "ssbo_stream", .unit = "GB/s",
	.what = "a sum of two arrays of 4 MiB, by descriptors",
	.wants = &ssbo_wants, .setup = ssbo_stream_setup, .record = ssbo_stream_record, .work = 12e-9 * ELEMENTS,
	.check = stream_check };
const struct bench_scene bench_bda_stream = { .name = "bda_stream", .unit = "GB/s",
	.what = "the same by device addresses",
	.wants = &bda_wants, .setup = bda_stream_setup, .record = bda_stream_record, .work = 12e-9 * ELEMENTS,
	.check = stream_check };

const struct bench_scene bench_submit = { .name = "submit", .unit = "ksubmit/s",
	.what = "1,024 elements of that sum by one group, by descriptors, submitted and waited for",
	.wants = &ssbo_wants, .setup = submit_setup, .record = submit_record, .work = 1e-3,
	.check = stream_check };

/* --- chase --- */

enum { NODES = 1 << 16, NODE_BYTES = 16, CHASE_GROUPS = 256, CHASES = 64 * CHASE_GROUPS, HOPS = 64 };

/* A walk over all nodes. */
static uint32_t next_of(uint32_t node)
{
	return (node * 40949 + 12345) & (NODES - 1);
}

static uint32_t value_of(uint32_t node)
{
	return node * 0x9e3779b1u >> 7;
}

static void chase_setup(struct bench *b, bool bda)
{
	uint32_t *nodes;
	b->buffer[0] = make(b, bda, NODES * NODE_BYTES, NULL, &b->address[0]);
	b->result = make(b, bda, CHASES * sizeof(uint32_t), NULL, &b->result_address);
	nodes = b->buffer[0].map;
	for (uint32_t i = 0; i < NODES; i++) {
		const uint64_t next = bda ? b->address[0] + NODE_BYTES * (uint64_t)next_of(i) : next_of(i);
		memcpy(nodes + 4 * (size_t)i, &next, sizeof next);
		nodes[4 * (size_t)i + 2] = value_of(i);
	}
	if (bda)
		KERNEL(b, chase_bda_comp, 1, 24);
	else
		KERNEL(b, chase_ssbo_comp, 1, sizeof(uint32_t));
}

static void bda_chase_setup(struct bench *b)
{
	chase_setup(b, true);
}

static void ssbo_chase_setup(struct bench *b)
{
	chase_setup(b, false);
}

static void bda_chase_record(struct bench *b, VkCommandBuffer commands)
{
	const VkDeviceAddress push[] = { b->address[0], b->result_address, HOPS };
	bench_run_kernel(b, commands, CHASE_GROUPS, 1, push, sizeof push);
}

static void ssbo_chase_record(struct bench *b, VkCommandBuffer commands)
{
	const uint32_t hops = HOPS;
	bench_run_kernel(b, commands, CHASE_GROUPS, 1, &hops, sizeof hops);
}

static void chase_check(const struct bench *b)
{
	const uint32_t *got = b->result.map;
	for (uint32_t i = 0; i < CHASES; i += 7) {
		uint32_t node = i, sum = 0;
		for (int k = 0; k < HOPS; k++, node = next_of(node))
			sum = 3 * sum + value_of(node);
		if (got[i] != sum)
			vh_fail("wrong result: invocation %u gives %u, not %u", i, got[i], sum);
	}
}

const struct bench_scene bench_ssbo_chase = { .name = "ssbo_chase", .unit = "Mhop/s",
	.what = "16,384 invocations follow 64 links through 1 MiB, by indices",
	.wants = &ssbo_wants, .setup = ssbo_chase_setup, .record = ssbo_chase_record, .work = 1e-6 * CHASES * HOPS,
	.check = chase_check };
const struct bench_scene bench_bda_chase = { .name = "bda_chase", .unit = "Mhop/s",
	.what = "the same by device addresses",
	.wants = &bda_wants, .setup = bda_chase_setup, .record = bda_chase_record, .work = 1e-6 * CHASES * HOPS,
	.check = chase_check };
