/* SPDX-License-Identifier: MIT */
/* Flowers: task groups leave petals out, mesh groups make those that are left, with colours of
 * primitives, some of which are culled.  A driver without mesh shaders draws the same triangles by
 * a vertex shader. */
#include "tests/render/scene.h"

#include "mesh_color_frag.h"
#include "meshlets_mesh.h"
#include "meshlets_task.h"
#include "petals_frag.h"
#include "petals_vert.h"

enum { GRID = 8, VERTICES = GRID * GRID * 16 * 6 };

static VkPipeline make_pipeline(struct vh *h, const struct stage *stage, VkPipelineLayout layout)
{
	struct vh_pipeline_info info = { .layout = layout, .pass = &stage->pass, .depth_test = true, .depth_write = true };
	if (h->mesh) {
		info.task = SHADER(h, meshlets_task);
		info.mesh = SHADER(h, meshlets_mesh);
		info.fragment = SHADER(h, mesh_color_frag);
	} else {
		info.vertex = SHADER(h, petals_vert);
		info.fragment = SHADER(h, petals_frag);
	}
	return vh_make_pipeline(h, &info);
}

static void draw(struct vh *h, struct output *out)
{
	struct stage stage = stage_make(h, VK_FORMAT_D32_SFLOAT);
	stage.pass.clear[0] = (VkClearValue){ .color.float32 = { 0.1f, 0.1f, 0.15f, 1 } };
	stage.pass.clear[1] = (VkClearValue){ .depthStencil = { 1, 0 } };
	const struct vh_layout layout = vh_make_layout(h, NULL, 0, 0, 0);
	const VkPipeline pipeline = make_pipeline(h, &stage, layout.pipeline);
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &stage.pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	if (h->mesh)
		vh_draw_mesh(h, commands, GRID, GRID, 1);
	else
		vkCmdDraw(commands, VERTICES, 1, 0, 0);
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
}

const struct scene scene_meshlets = { .name = "meshlets", .mesh = true, .features.geometryShader = VK_TRUE, .draw = draw,
	.max_rmse = 0.5, .max_pixels = 0.1 };
