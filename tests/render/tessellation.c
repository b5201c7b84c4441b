/* SPDX-License-Identifier: MIT */
/* Tessellation: patches of each domain with levels that differ from edge to edge, as quads, triangles, lines and
 * points, and quads and triangles once more through a geometry shader. */
#include "tests/render/scene.h"

#include "tess_frag.h"
#include "tess_lines_tese.h"
#include "tess_points_tese.h"
#include "tess_quads_tese.h"
#include "tess_turn_geom.h"
#include "tess_tesc.h"
#include "tess_triangles_tese.h"
#include "tess_vert.h"

enum { COLUMNS = 5, KINDS = 6, POINTS = 4, VERTICES = KINDS * COLUMNS * POINTS };

struct vertex {
	float position[2], color[3], levels[2];
};

/* A row of patches a kind. */
static void make_vertices(struct vertex v[VERTICES])
{
	static const float corner[POINTS][2] = { { 0, 0 }, { 1, 0.1f }, { 0.9f, 1 }, { 0.05f, 0.9f } };
	static const float levels[COLUMNS] = { 1, 2.3f, 4, 7.6f, 13 };
	for (int i = 0; i < VERTICES; i++) {
		const int p = i % POINTS, column = i / POINTS % COLUMNS, row = i / POINTS / COLUMNS;
		v[i] = (struct vertex){ { -0.97f + 0.39f * (float)column + 0.36f * corner[p][0],
			-0.97f + 0.325f * (float)row + 0.3f * corner[p][1] },
			{ (float)(p % 2), (float)(p / 2), 0.2f + 0.15f * (float)column },
			{ levels[(column + p) % COLUMNS], levels[(column + 2 * p) % COLUMNS] } };
	}
	v[VERTICES - 1].levels[0] = 0; /* of quads alone: triangles have three */
	v[COLUMNS * POINTS - 1].levels[0] = -1; /* a quad that is discarded */
}

static void make_pipelines(struct vh *h, const struct stage *stage, VkPipelineLayout layout, VkPipeline out[KINDS])
{
	static const VkVertexInputBindingDescription binding = { 0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX };
	static const VkVertexInputAttributeDescription attributes[3] = {
		{ 0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, position) },
		{ 1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, color) },
		{ 2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, levels) },
	};
	const VkShaderModule quads = SHADER(h, tess_quads_tese), triangles = SHADER(h, tess_triangles_tese);
	const VkShaderModule turn = SHADER(h, tess_turn_geom);
	const struct { VkShaderModule evaluation, geometry; VkCullModeFlags cull; } kinds[KINDS] = {
		{ quads, VK_NULL_HANDLE, VK_CULL_MODE_BACK_BIT }, { quads, turn, 0 },
		{ triangles, VK_NULL_HANDLE, VK_CULL_MODE_FRONT_BIT }, { triangles, turn, 0 },
		{ SHADER(h, tess_lines_tese), VK_NULL_HANDLE, 0 }, { SHADER(h, tess_points_tese), VK_NULL_HANDLE, 0 } };
	struct vh_pipeline_info info = { .vertex = SHADER(h, tess_vert), .control = SHADER(h, tess_tesc),
		.fragment = SHADER(h, tess_frag), .layout = layout, .pass = &stage->pass, .patch_points = POINTS,
		.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, .front_face = VK_FRONT_FACE_CLOCKWISE,
		.bindings = &binding, .binding_count = 1, .attributes = attributes, .attribute_count = 3 };
	for (int i = 0; i < KINDS; i++) {
		info.evaluation = kinds[i].evaluation;
		info.geometry = kinds[i].geometry;
		info.cull = kinds[i].cull;
		out[i] = vh_make_pipeline(h, &info);
	}
}

static void draw(struct vh *h, struct output *out)
{
	const struct stage stage = stage_make(h, VK_FORMAT_UNDEFINED);
	const struct vh_layout layout = vh_make_layout(h, NULL, 0, 0, 0);
	const VkDeviceSize offset = 0;
	VkPipeline pipelines[KINDS];
	struct vertex v[VERTICES];
	make_pipelines(h, &stage, layout.pipeline, pipelines);
	make_vertices(v);
	const struct vh_buffer vertices = vh_make_buffer(h, sizeof v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, v);
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &stage.pass);
	vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
	for (uint32_t i = 0; i < KINDS; i++) {
		vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
		vkCmdDraw(commands, COLUMNS * POINTS, 1, i * COLUMNS * POINTS, 0);
	}
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
}

const struct scene scene_tessellation = { .name = "tessellation",
	.features = { .tessellationShader = VK_TRUE, .geometryShader = VK_TRUE,
		.shaderTessellationAndGeometryPointSize = VK_TRUE },
	.draw = draw, .max_rmse = 2, .max_pixels = 1 };
