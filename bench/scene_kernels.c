/* SPDX-License-Identifier: MIT */
/* Everyday kernels, and copies between buffers and images. */
#include "bench/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_max_comp.h"
#include "histogram_comp.h"
#include "image_blur_comp.h"
#include "scan_comp.h"
#include "texel_buffer_comp.h"

enum { PIXELS = BENCH_WIDTH * BENCH_HEIGHT };

static void make_texels(struct bench *b)
{
	uint32_t random = 1;
	b->texels = malloc(4 * PIXELS);
	if (!b->texels)
		vh_fail("out of memory");
	for (size_t i = 0; i < 4 * PIXELS; i++) {
		random = 1664525 * random + 1013904223;
		b->texels[i] = (uint8_t)(random >> 24);
	}
}

static void texel_of(const struct bench *b, int x, int y, float rgb[3], float weight)
{
	x = x < 0 ? 0 : x < BENCH_WIDTH ? x : BENCH_WIDTH - 1;
	y = y < 0 ? 0 : y < BENCH_HEIGHT ? y : BENCH_HEIGHT - 1;
	for (int c = 0; c < 3; c++)
		rgb[c] += weight * (float)b->texels[4 * (y * BENCH_WIDTH + x) + c] / 255;
}

/* --- an image filter --- */

static void store_setup(struct bench *b)
{
	static const VkDescriptorSetLayoutBinding bindings[] = {
		{ 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL } };
	const struct vh_sampler_info sampler = { .filter = VK_FILTER_NEAREST, .address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE };
	make_texels(b);
	b->texture = bench_make_texture(b, VK_FORMAT_R8G8B8A8_UNORM, BENCH_WIDTH, BENCH_HEIGHT, b->texels, 4 * PIXELS);
	b->target = vh_make_image(&b->vh, &(struct vh_image_info){ .format = VK_FORMAT_R8G8B8A8_UNORM, .width = BENCH_WIDTH, .height = BENCH_HEIGHT,
		.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT });
	b->layout = vh_make_layout(&b->vh, bindings, 2, 0, 0);
	b->set = vh_make_set(&b->vh, &b->layout);
	vh_set_image(&b->vh, b->set, 0, bindings[0].descriptorType, b->texture.view, vh_make_sampler(&b->vh, &sampler),
		VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	vh_set_image(&b->vh, b->set, 1, bindings[1].descriptorType, b->target.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
	b->pipeline = vh_make_compute(&b->vh, b->layout.pipeline, vh_make_shader(&b->vh, image_blur_comp, sizeof image_blur_comp));
}

static void store_record(struct bench *b, VkCommandBuffer commands)
{
	vh_transition(commands, &b->target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
	bench_run_kernel(b, commands, BENCH_WIDTH / 8, BENCH_HEIGHT / 8, NULL, 0);
	vh_transition(commands, &b->target, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

static bool store_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	rgb[0] = rgb[1] = rgb[2] = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			texel_of(b, (int)x + dx, (int)y + dy, rgb, (float)((2 - abs(dx)) * (2 - abs(dy))) / 16);
	return true;
}

const struct bench_scene bench_image_store = { .name = "image_store", .unit = "Mpixel/s",
	.what = "a kernel that fetches 9 texels and stores one, RGBA8, 1280x720",
	.setup = store_setup, .record = store_record, .work = 1e-6 * PIXELS, .expect = store_expect, .tolerance = 1 };

/* --- counting and adding up --- */

enum { VALUES = 1 << 20, COUNTED = 4096, SCANNED = 1024 };

static uint32_t value_at(uint32_t i) { return i * 2654435761u ^ i >> 7; }

static void make_values(struct bench *b)
{
	b->buffer[0] = vh_make_buffer(&b->vh, 4 * VALUES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	for (uint32_t i = 0; i < VALUES; i++)
		((uint32_t *)b->buffer[0].map)[i] = value_at(i);
}

static void histogram_setup(struct bench *b)
{
	make_values(b);
	b->result = vh_make_buffer(&b->vh, 256 * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL);
	KERNEL(b, histogram_comp, 1, 0);
}

static void histogram_record(struct bench *b, VkCommandBuffer commands)
{
	vkCmdFillBuffer(commands, b->result.handle, 0, VK_WHOLE_SIZE, 0);
	vh_barrier(commands);
	bench_run_kernel(b, commands, VALUES / COUNTED, 1, NULL, 0);
}

static void histogram_check(const struct bench *b)
{
	uint32_t count[256] = { 0 };
	for (uint32_t i = 0; i < VALUES; i++)
		for (unsigned n = 0; n < 4; n++)
			count[value_at(i) >> 8 * n & 255]++;
	if (memcmp(count, b->result.map, sizeof count) != 0)
		vh_fail("wrong result: the counts are not those of the values");
}

const struct bench_scene bench_histogram = { .name = "histogram", .unit = "Mvalue/s",
	.what = "4 million bytes counted with atomics in shared memory",
	.setup = histogram_setup, .record = histogram_record, .work = 4e-6 * VALUES, .check = histogram_check };

enum { PLACES = 1 << 18 };

static void most_setup(struct bench *b)
{
	make_values(b);
	b->result = vh_make_buffer(&b->vh, 4 * PLACES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL);
	KERNEL(b, atomic_max_comp, 1, 0);
}

static void most_record(struct bench *b, VkCommandBuffer commands)
{
	vkCmdFillBuffer(commands, b->result.handle, 0, VK_WHOLE_SIZE, 0);
	vh_barrier(commands);
	bench_run_kernel(b, commands, VALUES / 64, 1, NULL, 0);
}

static void most_check(const struct bench *b)
{
	uint32_t *const most = calloc(PLACES, 4);
	if (!most)
		vh_fail("out of memory");
	for (uint32_t i = 0; i < VALUES; i++) {
		const uint32_t v = value_at(i), at = v * 2654435769u >> 14;
		most[at] = v > most[at] ? v : most[at];
	}
	if (memcmp(most, b->result.map, 4 * PLACES) != 0)
		vh_fail("wrong result: these are not the greatest values");
	free(most);
}

const struct bench_scene bench_atomic_max = { .name = "atomic_max", .unit = "Mvalue/s",
	.what = "a million values to 256K places by atomics", .setup = most_setup, .record = most_record, .work = 1e-6 * VALUES,
	.check = most_check };

static void scan_setup(struct bench *b)
{
	make_values(b);
	b->result = vh_make_buffer(&b->vh, 4 * VALUES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	KERNEL(b, scan_comp, 1, 0);
}

static void scan_record(struct bench *b, VkCommandBuffer commands)
{
	bench_run_kernel(b, commands, VALUES / SCANNED, 1, NULL, 0);
}

static void scan_check(const struct bench *b)
{
	const uint32_t *got = b->result.map;
	for (uint32_t i = 0, sum = 0; i < VALUES; sum += value_at(i++)) {
		sum = i % SCANNED ? sum : 0;
		if (got[i] != sum)
			vh_fail("wrong result: sum %u is %u, not %u", i, got[i], sum);
	}
}

const struct bench_scene bench_scan = { .name = "scan", .unit = "Mvalue/s",
	.what = "sums of all values before, in groups of 1,024, by subgroups",
	.wants = &(const struct vh_wants){ .version = VK_API_VERSION_1_2 }, .setup = scan_setup, .record = scan_record, .work = 1e-6 * VALUES, .check = scan_check };

/* --- texels of a buffer --- */

enum { TEXELS = 1 << 16 };

static float texel_at(uint32_t i) { return (float)(value_at(i) >> 12) / (1 << 20); }

static void texels_setup(struct bench *b)
{
	static const VkDescriptorSetLayoutBinding bindings[] = {
		{ 0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL } };
	struct vh *h = &b->vh;
	b->buffer[0] = vh_make_buffer(h, 16 * TEXELS, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, NULL);
	for (uint32_t i = 0; i < 4 * TEXELS; i++)
		((float *)b->buffer[0].map)[i] = texel_at(i);
	b->result = vh_make_buffer(h, 16 * VALUES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	const VkBufferViewCreateInfo info = { VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, .buffer = b->buffer[0].handle,
		.format = VK_FORMAT_R32G32B32A32_SFLOAT, .range = VK_WHOLE_SIZE };
	VkBufferView view;
	vh_check(vkCreateBufferView(h->device, &info, NULL, &view), "vkCreateBufferView");
	vh_keep(h, VK_OBJECT_TYPE_BUFFER_VIEW, (uint64_t)view);
	b->layout = vh_make_layout(h, bindings, 2, 0, 0);
	b->set = vh_make_set(h, &b->layout);
	const VkWriteDescriptorSet write = { VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = b->set, .descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .pTexelBufferView = &view };
	vkUpdateDescriptorSets(h->device, 1, &write, 0, NULL);
	vh_set_buffer(h, b->set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &b->result);
	b->pipeline = vh_make_compute(h, b->layout.pipeline, vh_make_shader(h, texel_buffer_comp, sizeof texel_buffer_comp));
}

static void texels_record(struct bench *b, VkCommandBuffer commands)
{
	bench_run_kernel(b, commands, VALUES / 64, 1, NULL, 0);
}

static void texels_check(const struct bench *b)
{
	for (uint32_t i = 0; i < VALUES; i++)
		for (unsigned c = 0; c < 4; c++) {
			float sum = 0;
			for (uint32_t k = 0; k < 4; k++)
				sum += texel_at((4 * i + k) % TEXELS * 4 + c);
			if (fabsf(((const float *)b->result.map)[4 * i + c] - sum) > 1e-5f)
				vh_fail("wrong result: sum %u", i);
		}
}

const struct bench_scene bench_texel_buffer = { .name = "texel_buffer", .unit = "Mtexel/s",
	.what = "four texels each of a buffer, RGBA32F", .setup = texels_setup, .record = texels_record, .work = 4e-6 * VALUES,
	.check = texels_check };

/* --- copies --- */

enum { COPIES = 8 };

static const VkBufferImageCopy whole = { .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 }, .imageExtent = { BENCH_WIDTH, BENCH_HEIGHT, 1 } };

static void copy_setup(struct bench *b)
{
	make_texels(b);
	b->target = vh_make_image(&b->vh, &(struct vh_image_info){ .format = VK_FORMAT_R8G8B8A8_UNORM, .width = BENCH_WIDTH, .height = BENCH_HEIGHT,
		.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT });
	b->buffer[0] = vh_make_buffer(&b->vh, 4 * PIXELS, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, b->texels);
}

static void upload_record(struct bench *b, VkCommandBuffer commands)
{
	for (int i = 0; i < COPIES; i++) {
		vh_transition(commands, &b->target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
		vkCmdCopyBufferToImage(commands, b->buffer[0].handle, b->target.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &whole);
		vh_transition(commands, &b->target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	}
}

static bool copy_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	rgb[0] = rgb[1] = rgb[2] = 0;
	texel_of(b, (int)x, (int)y, rgb, 1);
	return true;
}

const struct bench_scene bench_upload = { .name = "upload", .unit = "GB/s",
	.what = "copies of a buffer into an image, RGBA8, 1280x720",
	.setup = copy_setup, .record = upload_record, .work = 4e-9 * PIXELS * COPIES, .expect = copy_expect, .tolerance = 0 };

static void readback_setup(struct bench *b)
{
	copy_setup(b);
	vh_upload(&b->vh, &b->target, 0, 0, b->texels, 4 * PIXELS, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	memset(b->buffer[0].map, 0, 4 * PIXELS);
}

static void readback_record(struct bench *b, VkCommandBuffer commands)
{
	for (int i = 0; i < COPIES; i++) {
		vkCmdCopyImageToBuffer(commands, b->target.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, b->buffer[0].handle, 1, &whole);
		vh_barrier(commands);
	}
}

static void readback_check(const struct bench *b)
{
	if (memcmp(b->buffer[0].map, b->texels, 4 * PIXELS) != 0)
		vh_fail("wrong result: what was read back is not what was uploaded");
}

const struct bench_scene bench_readback = { .name = "readback", .unit = "GB/s",
	.what = "copies of an image into a buffer, RGBA8, 1280x720",
	.setup = readback_setup, .record = readback_record, .work = 4e-9 * PIXELS * COPIES, .expect = copy_expect, .tolerance = 0,
	.check = readback_check };
