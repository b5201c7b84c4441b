/* SPDX-License-Identifier: MIT */
/* Runs one scene on the one driver that the loader sees. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/hashes.h"

void bench_make_target(struct bench *b, uint32_t width, uint32_t height, bool depth)
{
	const struct vh_image_info color_info = { .format = VK_FORMAT_R8G8B8A8_UNORM, .width = width,
		.height = height, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT };
	const struct vh_image_info depth_info = { .format = VK_FORMAT_D32_SFLOAT, .width = width, .height = height,
		.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT };
	b->target = vh_make_image(&b->vh, &color_info);
	if (depth && !vh_format_can(&b->vh, VK_FORMAT_D32_SFLOAT, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT))
		vh_lacks("D32_SFLOAT as an attachment");
	if (depth)
		b->depth = vh_make_image(&b->vh, &depth_info);
	const struct vh_pass_info pass = { .colors = { &b->target }, .depth = depth ? &b->depth : NULL };
	b->pass = vh_make_pass(&b->vh, &pass);
	b->layout = vh_make_layout(&b->vh, NULL, 0, 0, 0);
}

void bench_make_kernel(struct bench *b, const uint32_t *words, size_t size, uint32_t count, uint32_t push_size)
{
	enum { BINDINGS = sizeof b->buffer / sizeof *b->buffer + 1 };
	VkDescriptorSetLayoutBinding bindings[BINDINGS];
	const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
	for (uint32_t i = 0; i <= count; i++)
		bindings[i] = (VkDescriptorSetLayoutBinding){ i, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL };
	b->layout = vh_make_layout(&b->vh, bindings, count + 1, VK_SHADER_STAGE_COMPUTE_BIT, push_size);
	b->set = vh_make_set(&b->vh, &b->layout);
	for (uint32_t i = 0; i <= count; i++)
		vh_set_buffer(&b->vh, b->set, i, type, i < count ? &b->buffer[i] : &b->result);
	b->pipeline = vh_make_compute(&b->vh, b->layout.pipeline, vh_make_shader(&b->vh, words, size));
}

void bench_run_kernel(struct bench *b, VkCommandBuffer commands, uint32_t x, uint32_t y, const void *push, uint32_t size)
{
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, b->pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, b->layout.pipeline, 0, 1, &b->set, 0, NULL);
	if (size)
		vkCmdPushConstants(commands, b->layout.pipeline, VK_SHADER_STAGE_COMPUTE_BIT, 0, size, push);
	vkCmdDispatch(commands, x, y, 1);
	vh_barrier(commands);
}

double bench_resident(void)
{
	unsigned long size, pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (!f || fscanf(f, "%lu %lu", &size, &pages) != 2)
		vh_fail("no /proc/self/statm");
	fclose(f);
	return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

/* Seconds of one submission. */
static double time_submissions(struct bench *b, const struct bench_scene *scene, double seconds,
	const struct bench_watch *watch)
{
	enum { MIN_WARM = 2 };
	VkFence fence = vh_make_fence(&b->vh);
	VkCommandBuffer commands = vh_begin(&b->vh, 0);
	const VkCommandBufferBeginInfo begin = { VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	const double warm_until = vh_now() + 0.2 * seconds;
	int warm = 0, count = 0;
	scene->record(b, commands);
	vh_check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
	for (; warm < MIN_WARM || vh_now() < warm_until; warm++)
		vh_run(&b->vh, commands, fence);
	watch->begin(watch->context);
	const double start = vh_now();
	do {
		if (scene->record_each_time) {
			vh_check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
			scene->record(b, commands);
			vh_check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
		}
		vh_run(&b->vh, commands, fence);
		count++;
	} while (vh_now() - start < seconds);
	const double each = (vh_now() - start) / count;
	watch->end(watch->context);
	return each;
}

static void check_picture(struct bench *b, const struct bench_scene *scene, const uint8_t *picture)
{
	enum { STEP_X = 13, STEP_Y = 7 }; /* coprime to the sizes of cells and tiles */
	const uint32_t width = b->target.width, height = b->target.height;
	int probes = 0;
	for (uint32_t y = 3; y < height; y += STEP_Y)
		for (uint32_t x = 5; x < width; x += STEP_X) {
			const uint8_t *p = picture + 4 * ((size_t)y * width + x);
			float rgb[3];
			if (!scene->expect(b, x, y, rgb))
				continue;
			probes++;
			for (int c = 0; c < 3; c++)
				if (fabsf((float)p[c] - 255 * rgb[c]) > (float)scene->tolerance)
					vh_fail("wrong picture: (%u, %u) is %d %d %d, not %.0f %.0f %.0f", x, y, p[0],
						p[1], p[2], 255 * (double)rgb[0], 255 * (double)rgb[1],
						255 * (double)rgb[2]);
		}
	if (probes < 100)
		vh_fail("only %d probes: the scene checks nothing", probes);
}

static void write_picture(const char *name, const uint8_t *picture, uint32_t width, uint32_t height)
{
	FILE *f = fopen(name, "wb");
	if (!f)
		vh_fail("cannot write %s", name);
	fprintf(f, "P6\n%u %u\n255\n", width, height);
	for (size_t i = 0; i < (size_t)width * height; i++)
		fwrite(picture + 4 * i, 1, 3, f);
	if (fclose(f) != 0)
		vh_fail("cannot write %s", name);
}

/* Checks the answer, and returns its hash. */
static uint64_t check_answer(struct bench *b, const struct bench_scene *scene, const char *file)
{
	uint64_t hash = HASH_BEGIN;
	if (scene->expect) {
		const size_t size = 4 * (size_t)b->target.width * b->target.height;
		uint8_t *picture = malloc(size);
		if (!picture)
			vh_fail("out of memory");
		vh_download(&b->vh, &b->target, VK_IMAGE_ASPECT_COLOR_BIT, picture, size);
		if (file)
			write_picture(file, picture, b->target.width, b->target.height);
		check_picture(b, scene, picture);
		hash = hash_bytes(hash, picture, size);
		free(picture);
	}
	if (scene->check) {
		scene->check(b);
		if (b->result.map)
			hash = hash_bytes(hash, b->result.map, b->result.size);
	}
	return hash;
}

void bench_nobody(void *context)
{
	(void)context;
}

struct bench_result bench_measure(const struct bench_scene *scene, double seconds, const struct bench_watch *watch)
{
	static const struct bench_watch unwatched = { bench_nobody, bench_nobody, NULL, NULL };
	struct bench b = { .scene = scene, .seconds = seconds };
	struct bench_result result;
	watch = watch ? watch : &unwatched;
	if (scene->once) {
		watch->begin(watch->context);
		result.value = scene->once(&b);
		watch->end(watch->context);
	} else {
		const struct vh_wants none = { 0 };
		vh_open_wants(&b.vh, "qwbench", scene->wants ? scene->wants : &none);
		scene->setup(&b);
		result.value = scene->work / time_submissions(&b, scene, seconds, watch);
	}
	result.hash = check_answer(&b, scene, watch->picture);
	vh_close(&b.vh);
	free(b.texels);
	free(b.values);
	reference_destroy(b.reference);
	return result;
}
