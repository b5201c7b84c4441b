/* SPDX-License-Identifier: MIT */
/* What interfaces and editors draw: text out of an atlas, and wireframes. */
#include "bench/steps.h"

#include <math.h>
#include <stdlib.h>

#include "glyph_frag.h"
#include "glyph_vert.h"
#include "wire_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

/* --- text --- */

enum { GLYPH_WIDTH = 10, GLYPH_HEIGHT = 16, COLUMNS = BENCH_WIDTH / GLYPH_WIDTH, ROWS = BENCH_HEIGHT / GLYPH_HEIGHT, PAGES = 2,
	GLYPHS = COLUMNS * ROWS * PAGES, ATLAS = 256, KINDS = (ATLAS / GLYPH_WIDTH) * (ATLAS / GLYPH_HEIGHT) };

struct vertex { float position[2], uv[2]; uint8_t color[4]; };

/* Of the atlas: white, with this alpha. */
static uint8_t ink(uint32_t x, uint32_t y)
{
	const float dx = (float)(x % GLYPH_WIDTH) - 4.5f, dy = (float)(y % GLYPH_HEIGHT) - 7.5f;
	const float ring = fabsf(sqrtf(dx * dx + 0.4f * dy * dy) - 3 - 0.1f * (float)(x / GLYPH_WIDTH % 5));
	return (uint8_t)(255 * fmaxf(1 - ring, 0));
}

static uint32_t kind_of(uint32_t glyph) { return glyph * 2654435761u >> 8; }

static void color_of(uint32_t glyph, uint8_t color[4])
{
	for (unsigned c = 0; c < 3; c++)
		color[c] = (uint8_t)(glyph * 2654435761u >> 8 * c);
	color[3] = 200;
}

/* Texel of the atlas at the glyph's first one. */
static void place_of(uint32_t glyph, uint32_t *u, uint32_t *v)
{
	const uint32_t kind = kind_of(glyph) % KINDS;
	*u = kind % (ATLAS / GLYPH_WIDTH) * GLYPH_WIDTH;
	*v = kind / (ATLAS / GLYPH_WIDTH) * GLYPH_HEIGHT;
}

static void fill_glyphs(struct vertex *v, uint16_t *indices)
{
	static const uint16_t corner[6] = { 0, 1, 2, 0, 2, 3 };
	for (uint32_t i = 0; i < GLYPHS; i++) {
		uint32_t at = i % (COLUMNS * ROWS), u0, v0;
		place_of(i, &u0, &v0);
		for (uint32_t k = 0; k < 4; k++, v++) {
			const uint32_t dx = k == 1 || k == 2 ? GLYPH_WIDTH : 0, dy = k >= 2 ? GLYPH_HEIGHT : 0;
			v->position[0] = (float)(at % COLUMNS * GLYPH_WIDTH + dx);
			v->position[1] = (float)(at / COLUMNS * GLYPH_HEIGHT + dy);
			v->uv[0] = (float)(u0 + dx) / ATLAS;
			v->uv[1] = (float)(v0 + dy) / ATLAS;
			color_of(i, v->color);
		}
		for (uint32_t k = 0; k < 6; k++)
			*indices++ = (uint16_t)(4 * i + corner[k]);
	}
}
_Static_assert(4 * GLYPHS <= 65536, "indices have two bytes");

static void text_setup(struct bench *b)
{
	static const VkVertexInputBindingDescription binding = { 0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX };
	static const VkVertexInputAttributeDescription attributes[] = { { 0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, position) },
		{ 1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, uv) }, { 2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(struct vertex, color) } };
	const VkDescriptorSetLayoutBinding texture = { 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	const struct vh_sampler_info sampler = { .filter = VK_FILTER_LINEAR, .address = VK_SAMPLER_ADDRESS_MODE_REPEAT };
	uint8_t *texels = malloc(4 * ATLAS * ATLAS);
	if (!texels)
		vh_fail("out of memory");
	for (uint32_t i = 0; i < ATLAS * ATLAS; i++) {
		texels[4 * i] = texels[4 * i + 1] = texels[4 * i + 2] = 255;
		texels[4 * i + 3] = ink(i % ATLAS, i / ATLAS);
	}
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	b->texture = bench_make_texture(b, VK_FORMAT_R8G8B8A8_UNORM, ATLAS, ATLAS, texels, 4 * ATLAS * ATLAS);
	free(texels);
	b->vertices = vh_make_buffer(&b->vh, 4 * GLYPHS * sizeof(struct vertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, NULL);
	b->indices = vh_make_buffer(&b->vh, 6 * GLYPHS * sizeof(uint16_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT, NULL);
	fill_glyphs(b->vertices.map, b->indices.map);
	b->layout = vh_make_layout(&b->vh, &texture, 1, 0, 0);
	b->set = vh_make_set(&b->vh, &b->layout);
	vh_set_image(&b->vh, b->set, 0, texture.descriptorType, b->texture.view, vh_make_sampler(&b->vh, &sampler),
		VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	b->pipeline = vh_make_pipeline(&b->vh, &(struct vh_pipeline_info){ .vertex = SHADER(&b->vh, glyph_vert),
		.fragment = SHADER(&b->vh, glyph_frag), .layout = b->layout.pipeline, .pass = &b->pass, .bindings = &binding, .binding_count = 1,
		.attributes = attributes, .attribute_count = 3, .blend = &bench_over });
}

static void text_record(struct bench *b, VkCommandBuffer commands)
{
	bench_begin_mesh(b, commands);
	for (uint32_t row = 0; row < ROWS * PAGES; row++) /* a line of text each */
		vkCmdDrawIndexed(commands, 6 * COLUMNS, 1, 6 * COLUMNS * row, 0, 0);
	vkCmdEndRenderPass(commands);
}

static bool text_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	rgb[0] = rgb[1] = rgb[2] = 0;
	for (uint32_t page = 0; page < PAGES; page++) {
		const uint32_t glyph = (page * ROWS + y / GLYPH_HEIGHT) * COLUMNS + x / GLYPH_WIDTH;
		uint32_t u, v;
		uint8_t color[4];
		place_of(glyph, &u, &v);
		color_of(glyph, color);
		const float alpha = (float)ink(u + x % GLYPH_WIDTH, v + y % GLYPH_HEIGHT) / 255 * 200 / 255;
		for (int c = 0; c < 3; c++)
			rgb[c] += alpha * ((float)color[c] / 255 - rgb[c]);
	}
	return true;
}

const struct bench_scene bench_text = { .name = "text", .unit = "Mglyph/s",
	.what = "11,520 glyphs of 10x16 in 90 draws, blended, an RGBA8 atlas, 1280x720",
	.setup = text_setup, .record = text_record, .work = 1e-6 * GLYPHS, .expect = text_expect, .tolerance = 4 };

/* --- wireframes --- */

enum { SIDE = 160, LINES = 3 * SIDE * SIDE };

static void wire_setup(struct bench *b)
{
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, true);
	b->pipeline = vh_make_pipeline(&b->vh, &(struct vh_pipeline_info){ .vertex = SHADER(&b->vh, wire_vert),
		.fragment = bench_layer_shader(b), .layout = b->layout.pipeline, .pass = &b->pass, .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
		.depth_test = true, .depth_write = true });
}

static void wire_record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdDraw(commands, 2 * LINES, 1, 0, 0);
	vkCmdEndRenderPass(commands);
}

/* Where nothing is: which pixels a line has is its driver's to say. */
static bool wire_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	rgb[0] = rgb[1] = rgb[2] = 0;
	return x < BENCH_WIDTH / 50 || x > BENCH_WIDTH - BENCH_WIDTH / 50 || y < BENCH_HEIGHT / 50 || y > BENCH_HEIGHT - BENCH_HEIGHT / 50;
}

const struct bench_scene bench_wire = { .name = "wireframe", .unit = "Mline/s",
	.what = "76,800 lines of a wavy sheet, depth test, 1280x720",
	.setup = wire_setup, .record = wire_record, .work = 1e-6 * LINES, .expect = wire_expect, .tolerance = 0 };
