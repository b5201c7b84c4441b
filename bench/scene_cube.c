/* SPDX-License-Identifier: MIT */
/* The program that everybody tries first: a turned cube, one pipeline, one
 * texture, 36 vertices in a uniform buffer, 500x500 pixels. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cube_frag.h"
#include "cube_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

enum { SIZE = 500, TEXTURE = 256, BLOCK = 64, FACES = 6, VERTICES = 6 * FACES };
static const float background = 0.2f;

struct cube { /* as cube.vert has it */
	float transform[4][4]; /* columns */
	float position[VERTICES][4], uv[VERTICES][4];
};

/* --- the cube, here and there --- */

/* Turned, five units away, seen through a lens; affine in p. */
static void to_clip(const float p[3], float clip[4])
{
	const float x = 0.8f * p[0] + 0.6f * p[2], z1 = 0.8f * p[2] - 0.6f * p[0];
	const float y = 0.92f * p[1] - 0.392f * z1, z = 0.392f * p[1] + 0.92f * z1, away = 5 - z;
	clip[0] = 2.2f * x;
	clip[1] = -2.2f * y;
	clip[2] = 1.05f * (away - 1);
	clip[3] = away;
}

/* Where a face is at u, v in 0 to 1. */
static void on_face(int face, float u, float v, float p[3])
{
	const int axis = face / 2;
	p[axis] = face & 1 ? 1 : -1;
	p[(axis + 1) % 3] = 2 * u - 1;
	p[(axis + 2) % 3] = 2 * v - 1;
}

static void fill_cube(struct cube *c)
{
	static const float corner[6][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 0, 1 }, { 1, 0 }, { 1, 1 } };
	float zero[4];
	to_clip((float[3]){ 0, 0, 0 }, zero);
	memcpy(c->transform[3], zero, sizeof zero);
	for (int column = 0; column < 3; column++) {
		float unit[3] = { 0, 0, 0 }, at[4];
		unit[column] = 1;
		to_clip(unit, at);
		for (int i = 0; i < 4; i++)
			c->transform[column][i] = at[i] - zero[i];
	}
	for (int i = 0; i < VERTICES; i++) {
		const float *uv = corner[i % 6];
		on_face(i / 6, uv[0], uv[1], c->position[i]);
		c->position[i][3] = 1;
		memcpy(c->uv[i], uv, sizeof corner[0]);
	}
}

static void texel(int x, int y, float rgb[3])
{
	rgb[0] = (float)(255 - 50 * (x / BLOCK)) / 255;
	rgb[1] = (float)(90 + 50 * (y / BLOCK)) / 255;
	rgb[2] = (x / BLOCK + y / BLOCK) & 1 ? 1 : 0.4f;
}

/* --- the picture --- */

/* Where the ray of a pixel meets the plane of a face: u, v and clip space. */
static bool meet(int face, float x, float y, float uv[2], float clip[4])
{
	float p[3], c[4], a[4], b[4];
	on_face(face, 0, 0, p);
	to_clip(p, c);
	on_face(face, 1, 0, p);
	to_clip(p, a);
	on_face(face, 0, 1, p);
	to_clip(p, b);
	for (int i = 0; i < 4; i++) {
		a[i] -= c[i];
		b[i] -= c[i];
	}
	/* x = clip.x / clip.w, y = clip.y / clip.w: linear in u and v. */
	const float ax = a[0] - x * a[3], bx = b[0] - x * b[3], cx = x * c[3] - c[0];
	const float ay = a[1] - y * a[3], by = b[1] - y * b[3], cy = y * c[3] - c[1], det = ax * by - bx * ay;
	if (fabsf(det) < 1e-4f)
		return false;
	uv[0] = (cx * by - bx * cy) / det;
	uv[1] = (ax * cy - cx * ay) / det;
	for (int i = 0; i < 4; i++)
		clip[i] = c[i] + uv[0] * a[i] + uv[1] * b[i];
	return clip[3] > 0;
}

static float face_light(int face, float x, float y)
{
	static const float light[3] = { 0.48f, 0.60f, 0.64f };
	float uv[2], at[3][4], n[3], dot = 0, length = 0;
	if (!meet(face, x, y, uv, at[0]) || !meet(face, x + 0.01f, y, uv, at[1]) || !meet(face, x, y + 0.01f, uv, at[2]))
		return 0;
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		n[i] = (at[1][j] - at[0][j]) * (at[2][k] - at[0][k]) - (at[1][k] - at[0][k]) * (at[2][j] - at[0][j]);
		dot += light[i] * n[i];
		length += n[i] * n[i];
	}
	return fabsf(dot) / sqrtf(length);
}

/* Of edges, of faces and of the texture's blocks, nothing is said. */
static bool cube_expect(const struct bench *b, uint32_t px, uint32_t py, float rgb[3])
{
	enum { MARGIN = 4 };
	const float x = 2 * ((float)px + 0.5f) / SIZE - 1, y = 2 * ((float)py + 0.5f) / SIZE - 1;
	float nearest = 1e9f, uv[2], clip[4], at[2] = { 0, 0 };
	int hit = -1;
	rgb[0] = rgb[1] = rgb[2] = background;
	for (int face = 0; face < FACES; face++) {
		if (!meet(face, x, y, uv, clip) || fabsf(uv[0] - 0.5f) > 0.52f || fabsf(uv[1] - 0.5f) > 0.52f)
			continue;
		if (clip[2] / clip[3] < nearest) {
			nearest = clip[2] / clip[3];
			hit = face;
			memcpy(at, uv, sizeof at);
		}
	}
	if (hit < 0)
		return true;
	const int u = (int)(TEXTURE * at[0] + TEXTURE) - TEXTURE, v = (int)(TEXTURE * at[1] + TEXTURE) - TEXTURE;
	const int bu = (u + TEXTURE) % BLOCK, bv = (v + TEXTURE) % BLOCK;
	if (bu < MARGIN || bu >= BLOCK - MARGIN || bv < MARGIN || bv >= BLOCK - MARGIN || u < 0 || v < 0 ||
		u >= TEXTURE || v >= TEXTURE)
		return false;
	const float light = face_light(hit, x, y);
	texel(u, v, rgb);
	for (int c = 0; c < 3; c++)
		rgb[c] = fminf(light * rgb[c], 1);
	return true;
}

/* --- the program --- */

static struct vh_image make_texture(struct vh *h)
{
	static uint8_t texels[TEXTURE][TEXTURE][4];
	const struct vh_image_info info = { .format = VK_FORMAT_R8G8B8A8_UNORM, .width = TEXTURE, .height = TEXTURE,
		.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	for (int y = 0; y < TEXTURE; y++)
		for (int x = 0; x < TEXTURE; x++) {
			float rgb[3];
			texel(x, y, rgb);
			for (int c = 0; c < 3; c++)
				texels[y][x][c] = (uint8_t)lrintf(255 * rgb[c]);
			texels[y][x][3] = 255;
		}
	const struct vh_image image = vh_make_image(h, &info);
	vh_upload(h, &image, 0, 0, texels, sizeof texels, VK_IMAGE_LAYOUT_UNDEFINED,
		VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	return image;
}

static void make_set(struct bench *b)
{
	static const VkDescriptorSetLayoutBinding bindings[2] = {
		{ 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL },
	};
	const struct vh_sampler_info sampler = { .filter = VK_FILTER_LINEAR,
		.address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE };
	struct cube cube = { 0 };
	fill_cube(&cube);
	const struct vh_buffer uniform = vh_make_buffer(&b->vh, sizeof cube, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, &cube);
	b->layout = vh_make_layout(&b->vh, bindings, 2, 0, 0);
	b->set = vh_make_set(&b->vh, &b->layout);
	vh_set_buffer(&b->vh, b->set, 0, bindings[0].descriptorType, &uniform);
	vh_set_image(&b->vh, b->set, 1, bindings[1].descriptorType, b->texture.view,
		vh_make_sampler(&b->vh, &sampler), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

static void open_cube(struct bench *b)
{
	vh_open(&b->vh, "qwbench", NULL);
	bench_make_target(b, SIZE, SIZE, true);
	for (int c = 0; c < 3; c++)
		b->pass.clear[0].color.float32[c] = background;
	b->texture = make_texture(&b->vh);
	make_set(b);
}

static void first_frame(struct bench *b, VkShaderModule vertex, VkShaderModule fragment, VkPipelineCache cache)
{
	const struct vh_pipeline_info info = { .vertex = vertex, .fragment = fragment, .layout = b->layout.pipeline,
		.pass = &b->pass, .depth_test = true, .depth_write = true, .cache = cache };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
	VkCommandBuffer commands = vh_begin(&b->vh, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->layout.pipeline, 0, 1, &b->set, 0, NULL);
	vkCmdDraw(commands, VERTICES, 1, 0, 0);
	vkCmdEndRenderPass(commands);
	vh_finish(&b->vh, commands);
}

static double first_cube_once(struct bench *b)
{
	open_cube(b);
	VkShaderModule vertex = SHADER(&b->vh, cube_vert), fragment = SHADER(&b->vh, cube_frag);
	const double start = vh_now();
	first_frame(b, vertex, fragment, VK_NULL_HANDLE);
	return 1e3 * (vh_now() - start);
}

/* What a process finds that another had left in a file: one device fills a cache, another has its data. */
static double first_cube_warm_once(struct bench *b)
{
	VkPipelineCacheCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
	VkPipelineCache cache;
	open_cube(b);
	vh_check(vkCreatePipelineCache(b->vh.device, &info, NULL, &cache), "vkCreatePipelineCache");
	first_frame(b, SHADER(&b->vh, cube_vert), SHADER(&b->vh, cube_frag), cache);
	void *data = vh_cache_data(&b->vh, cache, &info.initialDataSize);
	vkDestroyPipelineCache(b->vh.device, cache, NULL);
	vh_close(&b->vh);
	*b = (struct bench){ 0 };
	open_cube(b);
	VkShaderModule vertex = SHADER(&b->vh, cube_vert), fragment = SHADER(&b->vh, cube_frag);
	info.pInitialData = data;
	const double start = vh_now();
	vh_check(vkCreatePipelineCache(b->vh.device, &info, NULL, &cache), "vkCreatePipelineCache");
	first_frame(b, vertex, fragment, cache);
	const double seconds = vh_now() - start;
	vkDestroyPipelineCache(b->vh.device, cache, NULL);
	free(data);
	return 1e3 * seconds;
}

static double memory_cube_once(struct bench *b)
{
	const double before = bench_resident();
	open_cube(b);
	first_frame(b, SHADER(&b->vh, cube_vert), SHADER(&b->vh, cube_frag), VK_NULL_HANDLE);
	return bench_resident() - before;
}

const struct bench_scene bench_first_cube = { .name = "first_cube", .unit = "ms", .lower_wins = true,
	.what = "a textured, lit cube, 500x500: its pipeline and the first frame, nothing cached",
	.once = first_cube_once, .expect = cube_expect, .tolerance = 3 };

const struct bench_scene bench_first_cube_warm = { .name = "first_cube_warm", .unit = "ms", .lower_wins = true,
	.what = "the same on a new device, of a VkPipelineCache that another device had saved",
	.once = first_cube_warm_once, .expect = cube_expect, .tolerance = 3 };

const struct bench_scene bench_memory_cube = { .name = "memory_cube", .unit = "MiB", .lower_wins = true,
	.what = "resident memory that the cube's program gains from vkCreateInstance to its first frame",
	.once = memory_cube_once, .expect = cube_expect, .tolerance = 3 };
