/* SPDX-License-Identifier: MIT */
/* What games draw most of: textured, lit triangles of 8 to 32 pixels that hide one another; leaves with holes, too. */
#include "bench/steps.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "surface_frag.h"
#include "surface_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

enum { SHEETS = 4, TEXTURE = 256, LEVELS = 9, LEAVES = 6 };

struct surface {
	unsigned columns, rows, samples;
	bool holes, covers, each; /* each: its samples are shaded one by one */
};
struct vertex { float position[3], normal[3], uv[2]; };
struct push { float view[4][4], tint[4]; };

static struct reference *drawn[SHEETS];

static const struct surface *of(const struct bench *b) { return b->scene->how; }
static unsigned vertices_of(const struct surface *s) { return (s->columns + 1) * (s->rows + 1); }

/* --- the sheets --- */

static float depth_at(int sheet, float x, float y)
{
	const float turn = 1.7f * (float)sheet;
	return 3 + 0.5f * sinf(2.1f * x + turn) * cosf(1.7f * y - turn) + 0.06f * sinf(9 * x + 5 * y + turn) + 0.12f * ((float)sheet - 1.5f);
}

static void make_vertex(struct vertex *v, int sheet, float s, float t)
{
	const float bent = 0.03f * sinf(17 * t + (float)sheet), x = 6.2f * (s + bent - 0.5f), y = 3.6f * (t + 0.02f * sinf(13 * s) - 0.5f);
	const float step = 0.01f, z = depth_at(sheet, x, y);
	const float dx = (depth_at(sheet, x + step, y) - z) / step, dy = (depth_at(sheet, x, y + step) - z) / step;
	const float scale = 1 / sqrtf(1 + dx * dx + dy * dy);
	*v = (struct vertex){ { x, y, z }, { dx * scale, dy * scale, -scale }, { 3 * s + 0.1f * (float)sheet, 2 * t } };
}

static void make_mesh(struct bench *b)
{
	const struct surface *s = of(b);
	const unsigned count = vertices_of(s), quads = s->columns * s->rows;
	struct vertex *vertices = malloc(sizeof *vertices * SHEETS * count);
	uint16_t *indices = malloc(sizeof *indices * 6 * quads);
	if (!vertices || !indices)
		vh_fail("out of memory");
	for (unsigned i = 0; i < SHEETS * count; i++)
		make_vertex(&vertices[i], (int)(i / count), (float)(i % count % (s->columns + 1)) / (float)s->columns,
			(float)(i % count / (s->columns + 1)) / (float)s->rows);
	for (unsigned i = 0; i < 6 * quads; i++) {
		static const int corner[6] = { 0, 1, 2, 2, 1, 3 };
		const unsigned quad = i / 6, c = (unsigned)corner[i % 6];
		indices[i] = (uint16_t)(quad / s->columns * (s->columns + 1) + quad % s->columns + (c & 1) + (c >> 1) * (s->columns + 1));
	}
	b->vertices = vh_make_buffer(&b->vh, sizeof *vertices * SHEETS * count, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, vertices);
	b->indices = vh_make_buffer(&b->vh, sizeof *indices * 6 * quads, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);
	free(vertices);
	free(indices);
}

static struct push push_of(int sheet)
{
	struct push p = { .tint = { 0.5f + 0.15f * (float)(sheet % 4), 1 - 0.2f * (float)(sheet % 3), 0.4f + 0.25f * (float)(sheet % 2), 1 } };
	reference_view(p.view, (float[3]){ 0, 0, 0 }, 0);
	return p;
}

/* --- the texture --- */

static float colour_at(float u, float v, int c)
{
	return 0.6f + 0.3f * sinf(6.2831853f * (u * (float)(c == 0) + v * (float)(c == 1) + (u + v) * (float)(c == 2)));
}

/* Beyond 0 on a leaf; 1 is a step of the texture's side. */
static float leaf_at(float u, float v)
{
	const float x = u * LEAVES - floorf(u * LEAVES) - 0.5f, y = v * LEAVES - floorf(v * LEAVES) - 0.5f;
	return (0.45f - sqrtf(x * x + 0.8f * y * y)) / LEAVES;
}

static void make_texture(struct bench *b)
{
	static uint8_t texels[TEXTURE * TEXTURE * 4];
	b->texture = vh_make_image(&b->vh, &(struct vh_image_info){ .format = VK_FORMAT_R8G8B8A8_UNORM, .width = TEXTURE, .height = TEXTURE,
		.levels = LEVELS, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT });
	for (unsigned level = 0; level < LEVELS; level++) {
		const unsigned size = TEXTURE >> level;
		for (unsigned i = 0; i < size * size; i++) {
			const float u = ((float)(i % size) + 0.5f) / (float)size, v = ((float)(i / size) + 0.5f) / (float)size;
			for (int c = 0; c < 3; c++)
				texels[4 * i + (unsigned)c] = (uint8_t)(255 * colour_at(u, v, c) + 0.5f);
			texels[4 * i + 3] = leaf_at(u, v) > 0 ? 255 : 0;
		}
		vh_upload(&b->vh, &b->texture, level, 0, texels, (size_t)size * size * 4, VK_IMAGE_LAYOUT_UNDEFINED,
			VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	}
}

/* --- the picture --- */

static void make_reference(struct bench *b)
{
	const struct surface *s = of(b);
	const struct vertex *vertex = b->vertices.map;
	for (int sheet = 0; sheet < SHEETS; sheet++) {
		const struct push push = push_of(sheet);
		drawn[sheet] = reference_create(BENCH_WIDTH, BENCH_HEIGHT);
		reference_draw(drawn[sheet], (uint32_t)sheet, push.view, vertex[(size_t)sheet * vertices_of(s)].position,
			sizeof *vertex / sizeof(float), NULL, b->indices.map, 6 * s->columns * s->rows);
	}
}

static void normalize(float v[3])
{
	const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	for (int c = 0; c < 3; c++)
		v[c] /= length;
}

/* surface.frag. */
static void shade(const struct bench *b, const struct reference_hit *hit, float rgb[3], float uv[2])
{
	static const float sun[3] = { 0.48f, 0.64f, -0.6f };
	const struct vertex *vertex = (const struct vertex *)b->vertices.map + (size_t)hit->draw * vertices_of(of(b));
	const struct push push = push_of((int)hit->draw);
	float n[3] = { 0 }, toward[3] = { 0 }, light = 0, shine = 0;
	uv[0] = uv[1] = 0;
	for (int i = 0; i < 3; i++) {
		const struct vertex *v = &vertex[hit->vertex[i]];
		for (int c = 0; c < 3; c++) {
			n[c] += hit->weight[i] * v->normal[c];
			toward[c] -= hit->weight[i] * v->position[c];
		}
		uv[0] += hit->weight[i] * v->uv[0];
		uv[1] += hit->weight[i] * v->uv[1];
	}
	normalize(n);
	normalize(toward);
	for (int c = 0; c < 3; c++)
		toward[c] += sun[c];
	normalize(toward);
	for (int c = 0; c < 3; c++) {
		light += n[c] * sun[c];
		shine += n[c] * toward[c];
	}
	for (int c = 0; c < 3; c++)
		rgb[c] = colour_at(uv[0], uv[1], c) * push.tint[c] * (0.25f + 0.6f * fmaxf(light, 0)) + 0.15f * powf(fmaxf(shine, 0), 16);
}

/* Which sheet a pixel shows, SHEETS: none; -1 where that is up to rounding. */
static int shown(const struct bench *b, size_t pixel, float rgb[3])
{
	float nearest = 1e9f, next = 1e9f, uv[2], color[3];
	int best = SHEETS;
	for (int sheet = 0; sheet < SHEETS; sheet++) {
		const struct reference_hit *hit = &drawn[sheet]->hit[pixel];
		if (hit->w == 0)
			return -1;
		shade(b, hit, color, uv);
		if (of(b)->holes || of(b)->covers) {
			const float leaf = leaf_at(uv[0], uv[1]) * TEXTURE;
			if (fabsf(leaf) < 2)
				return -1;
			if (leaf < 0)
				continue;
		}
		next = fminf(next, fmaxf(nearest, hit->w));
		if (hit->w < nearest) {
			nearest = hit->w;
			best = sheet;
			for (int c = 0; c < 3; c++)
				rgb[c] = color[c];
		}
	}
	return next - nearest < 0.04f ? -1 : best;
}

/* Where sheets meet or fold, which of them a pixel or its samples show is up to rounding. */
static bool expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	float near[3];
	if (x == 0 || y == 0 || x + 1 == BENCH_WIDTH || y + 1 == BENCH_HEIGHT)
		return false;
	rgb[0] = rgb[1] = rgb[2] = 0;
	const int sheet = shown(b, (size_t)y * BENCH_WIDTH + x, rgb);
	for (uint32_t i = 0; i < 9 && sheet >= 0; i++) {
		near[0] = near[1] = near[2] = 0;
		if (shown(b, (size_t)(y + i / 3 - 1) * BENCH_WIDTH + x + i % 3 - 1, near) != sheet)
			return false;
		for (int c = 0; c < 3; c++)
			if (fabsf(near[c] - rgb[c]) > 0.02f)
				return false;
	}
	return sheet >= 0;
}

/* --- the scenes --- */

static void make_set(struct bench *b)
{
	const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	const struct vh_sampler_info sampler = { .filter = VK_FILTER_LINEAR, .mipmap = VK_SAMPLER_MIPMAP_MODE_LINEAR, .max_lod = LEVELS };
	b->layout = vh_make_layout(&b->vh, &binding, 1, VK_SHADER_STAGE_VERTEX_BIT, sizeof(struct push));
	b->set = vh_make_set(&b->vh, &b->layout);
	vh_set_image(&b->vh, b->set, 0, binding.descriptorType, b->texture.view, vh_make_sampler(&b->vh, &sampler),
		VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

static void setup(struct bench *b)
{
	static const VkVertexInputBindingDescription binding = { 0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX };
	static const VkVertexInputAttributeDescription attributes[3] = {
		{ 0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, position) },
		{ 1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, normal) },
		{ 2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, uv) } };
	static const VkSpecializationMapEntry entries[2] = { { 0, 0, 4 }, { 1, 4, 4 } };
	const struct surface *s = of(b);
	const VkBool32 values[2] = { s->holes, s->covers };
	const VkSpecializationInfo constants = { 2, entries, sizeof values, values };
	const VkPipelineMultisampleStateCreateInfo samples = { VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
		.rasterizationSamples = (VkSampleCountFlagBits)s->samples, .sampleShadingEnable = s->each, .minSampleShading = 1,
		.alphaToCoverageEnable = s->covers };
	bench_make_samples_target(b, VK_FORMAT_D32_SFLOAT, s->samples);
	make_mesh(b);
	make_texture(b);
	make_reference(b);
	make_set(b);
	b->pipeline = vh_make_pipeline(&b->vh, &(struct vh_pipeline_info){ .vertex = SHADER(&b->vh, surface_vert),
		.fragment = SHADER(&b->vh, surface_frag), .constants = &constants, .layout = b->layout.pipeline, .pass = &b->pass,
		.bindings = &binding, .binding_count = 1, .attributes = attributes, .attribute_count = 3, .depth_test = true,
		.depth_write = true, .multisample = &samples });
}

static void record(struct bench *b, VkCommandBuffer commands)
{
	const struct surface *s = of(b);
	bench_begin_mesh(b, commands);
	for (int sheet = 0; sheet < SHEETS; sheet++) {
		const struct push push = push_of(sheet);
		bench_draw_object(b, commands, &push, sizeof push, 6 * s->columns * s->rows, sheet * (int32_t)vertices_of(s));
	}
	vkCmdEndRenderPass(commands);
}

static const struct vh_wants wants = { .core = { .sampleRateShading = VK_TRUE } };

#define SURFACE(scene, text, ...) { .name = "surface_" scene, .unit = "frame/s", .what = "four sheets of lit triangles " text, \
	.setup = setup, .record = record, .work = 1, .expect = expect, .tolerance = 4, .wants = &wants, .how = &(const struct surface){ __VA_ARGS__ } }

const struct bench_scene bench_surfaces[BENCH_SURFACES] = {
	SURFACE("lit", "of 32 pixels", 190, 107, 1),
	SURFACE("fine", "of 8 pixels", 345, 188, 1),
	SURFACE("msaa4", "of 32 pixels, four samples", 190, 107, 4),
	SURFACE("sampled", "of 32 pixels, each of four samples by itself", 190, 107, 4, .each = true),
	SURFACE("cutout", "of 32 pixels with holes", 190, 107, 1, .holes = true),
	SURFACE("coverage", "of 32 pixels, alpha to coverage of four samples", 190, 107, 4, .covers = true),
};
