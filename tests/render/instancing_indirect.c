/* SPDX-License-Identifier: MIT */
/* Indirect draws and an indirect dispatch: a compute shader, dispatched
 * indirectly, writes the per-instance data and the arguments of two indexed
 * draws with their own first index, vertex offset and first instance. */
#include "tests/render/scene.h"

#include "instance_comp.h"
#include "instance_frag.h"
#include "instance_vert.h"

enum { INSTANCES = 100, SHAPES = 2, VERTICES = 6 + 10, INDICES = 12 + 24 };

struct instance {
	float offset[2], turn[2], color[4];
};

/* A hexagon of four triangles and a star of eight: indices from 0 in both. */
static struct vh_buffer make_vertices(struct vh *h)
{
	static const float v[VERTICES][2] = {
		{ 1, 0 }, { 0.5f, 0.866f }, { -0.5f, 0.866f }, { -1, 0 }, { -0.5f, -0.866f }, { 0.5f, -0.866f },
		{ 0, 0 }, { 1, 0 }, { 0.3f, 0.3f }, { 0, 1 }, { -0.3f, 0.3f }, { -1, 0 }, { -0.3f, -0.3f }, { 0, -1 },
		{ 0.3f, -0.3f }, { 1, 0 },
	};
	return vh_make_buffer(h, sizeof v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, v);
}

static struct vh_buffer make_indices(struct vh *h)
{
	uint32_t indices[INDICES];
	for (uint32_t i = 0; i < 4; i++) {
		indices[3 * i] = 0;
		indices[3 * i + 1] = i + 1;
		indices[3 * i + 2] = i + 2;
	}
	for (uint32_t i = 0; i < 8; i++) {
		indices[12 + 3 * i] = 0;
		indices[12 + 3 * i + 1] = i + 1;
		indices[12 + 3 * i + 2] = i + 2;
	}
	return vh_make_buffer(h, sizeof indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);
}

static VkPipeline make_pipeline(struct vh *h, const struct stage *stage, VkPipelineLayout layout)
{
	static const VkVertexInputBindingDescription bindings[2] = {
		{ 0, 2 * sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX },
		{ 1, sizeof(struct instance), VK_VERTEX_INPUT_RATE_INSTANCE },
	};
	static const VkVertexInputAttributeDescription attributes[4] = {
		{ 0, 0, VK_FORMAT_R32G32_SFLOAT, 0 },
		{ 1, 1, VK_FORMAT_R32G32_SFLOAT, offsetof(struct instance, offset) },
		{ 2, 1, VK_FORMAT_R32G32_SFLOAT, offsetof(struct instance, turn) },
		{ 3, 1, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct instance, color) },
	};
	const struct vh_pipeline_info info = { .vertex = SHADER(h, instance_vert),
		.fragment = SHADER(h, instance_frag), .layout = layout, .pass = &stage->pass, .bindings = bindings,
		.binding_count = 2, .attributes = attributes, .attribute_count = 4 };
	return vh_make_pipeline(h, &info);
}

struct buffers {
	struct vh_buffer vertices, indices, instances, draws, groups;
};

static struct buffers make_buffers(struct vh *h)
{
	const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
	static const VkDispatchIndirectCommand groups = { 2, 1, 1 };
	return (struct buffers){ make_vertices(h), make_indices(h),
		vh_make_buffer(h, INSTANCES * sizeof(struct instance), storage | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, NULL),
		vh_make_buffer(h, SHAPES * sizeof(VkDrawIndexedIndirectCommand),
			storage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, NULL),
		vh_make_buffer(h, sizeof groups, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, &groups) };
}

static void record_draws(VkCommandBuffer commands, const struct stage *stage, VkPipeline pipeline,
	const struct buffers *b)
{
	const VkBuffer vertex_buffers[2] = { b->vertices.handle, b->instances.handle };
	const VkDeviceSize offsets[2] = { 0, 0 };
	vh_begin_pass(commands, &stage->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	vkCmdBindVertexBuffers(commands, 0, 2, vertex_buffers, offsets);
	vkCmdBindIndexBuffer(commands, b->indices.handle, 0, VK_INDEX_TYPE_UINT32);
	vkCmdDrawIndexedIndirect(commands, b->draws.handle, 0, SHAPES, sizeof(VkDrawIndexedIndirectCommand));
	vkCmdEndRenderPass(commands);
}

static void draw(struct vh *h, struct output *out)
{
	static const VkDescriptorSetLayoutBinding bindings[2] = {
		{ 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
	};
	struct stage stage = stage_make(h, VK_FORMAT_UNDEFINED);
	stage.pass.clear[0] = (VkClearValue){ .color.float32 = { 0.1f, 0.1f, 0.15f, 1 } };
	const struct vh_layout layout = vh_make_layout(h, bindings, 2, 0, 0);
	const struct buffers b = make_buffers(h);
	const VkDescriptorSet set = vh_make_set(h, &layout);
	vh_set_buffer(h, set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &b.instances);
	vh_set_buffer(h, set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &b.draws);
	const VkPipeline fill = vh_make_compute(h, layout.pipeline, SHADER(h, instance_comp));
	const VkPipeline pipeline = make_pipeline(h, &stage, layout.pipeline);
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, fill);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.pipeline, 0, 1, &set, 0, NULL);
	vkCmdDispatchIndirect(commands, b.groups.handle, 0);
	vh_barrier(commands);
	record_draws(commands, &stage, pipeline, &b);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
}

const struct scene scene_instancing_indirect = { .name = "instancing_indirect",
	.features = { .multiDrawIndirect = VK_TRUE, .drawIndirectFirstInstance = VK_TRUE }, .draw = draw,
	.max_rmse = 0.5, .max_pixels = 0.1 };
