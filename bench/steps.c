/* SPDX-License-Identifier: MIT */
#include "bench/steps.h"

#include <stddef.h>
#include <math.h>

#include "cover_vert.h"
#include "object_vert.h"
#include "quad_frag.h"

VkShaderModule bench_cover_shader(struct bench *b)
{
	return vh_make_shader(&b->vh, cover_vert, sizeof cover_vert);
}

VkShaderModule bench_texture_shader(struct bench *b)
{
	return vh_make_shader(&b->vh, quad_frag, sizeof quad_frag);
}

VkShaderModule bench_object_shader(struct bench *b)
{
	return vh_make_shader(&b->vh, object_vert, sizeof object_vert);
}

void bench_add_step(struct bench *b, const struct bench_step_info *info)
{
	const VkImageLayout read = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
	const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
		VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	struct bench_step *step = &b->step[b->steps++];
	if (b->steps > BENCH_STEPS)
		vh_fail("more than %d steps", (int)BENCH_STEPS);
	const struct vh_pass_info pass = { .colors = { info->color }, .depth = info->depth,
		.color_layout = info->shown ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : read };
	const struct vh_layout layout = vh_make_layout(&b->vh, &binding, info->sampled ? 1 : 0, 0, 0);
	step->pass = vh_make_pass(&b->vh, &pass);
	step->layout = layout.pipeline;
	if (info->depth && !info->color)
		step->depth = *info->depth;
	if (info->sampled) {
		step->set = vh_make_set(&b->vh, &layout);
		vh_set_image(&b->vh, step->set, 0, binding.descriptorType, info->sampled->view,
			vh_make_sampler(&b->vh, info->sampler), read);
	}
	const struct vh_pipeline_info pipeline = {
		.vertex = info->vertex ? info->vertex : bench_cover_shader(b), .fragment = info->fragment,
		.constants = info->constants, .layout = layout.pipeline, .pass = &step->pass, .blend = info->blend,
		.points = info->points, .depth_test = info->depth_write, .depth_write = info->depth_write };
	step->pipeline = vh_make_pipeline(&b->vh, &pipeline);
	step->vertices = info->vertices ? info->vertices : 3;
	step->instances = info->instances ? info->instances : 1;
}

void bench_record_steps(struct bench *b, VkCommandBuffer commands)
{
	for (uint32_t i = 0; i < b->steps; i++) {
		const struct bench_step *step = &b->step[i];
		vh_begin_pass(commands, &step->pass);
		vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, step->pipeline);
		if (step->set)
			vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, step->layout, 0, 1, &step->set, 0, NULL);
		vkCmdDraw(commands, step->vertices, step->instances, 0, 0);
		vkCmdEndRenderPass(commands);
		if (step->depth.handle) /* a pass leaves depth as it was */
			vh_transition(commands, &step->depth, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
				VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	}
}

struct vh_image bench_make_attachment(struct bench *b, VkFormat format)
{
	const struct vh_image_info info = { .format = format, .width = BENCH_WIDTH, .height = BENCH_HEIGHT,
		.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT };
	if (!vh_format_can(&b->vh, format, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT |
		VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
		vh_lacks("format %d as an attachment that is blended and sampled", (int)format);
	return vh_make_image(&b->vh, &info);
}

void bench_make_samples_target(struct bench *b, VkFormat depth, unsigned samples)
{
	b->target = vh_make_image(&b->vh, &(struct vh_image_info){ .format = VK_FORMAT_R8G8B8A8_UNORM, .width = BENCH_WIDTH, .height = BENCH_HEIGHT,
		.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT });
	b->depth = vh_make_image(&b->vh, &(struct vh_image_info){ .format = depth, .width = BENCH_WIDTH, .height = BENCH_HEIGHT,
		.samples = samples, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT });
	struct vh_pass_info pass = { .colors = { &b->target }, .depth = &b->depth };
	struct vh_image many;
	if (samples > 1) {
		many = vh_make_image(&b->vh, &(struct vh_image_info){ .format = VK_FORMAT_R8G8B8A8_UNORM, .width = BENCH_WIDTH, .height = BENCH_HEIGHT,
			.samples = samples, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT });
		pass.colors[0] = &many;
		pass.resolve = &b->target;
	}
	b->pass = vh_make_pass(&b->vh, &pass);
}

void bench_begin_mesh(struct bench *b, VkCommandBuffer commands)
{
	const VkDeviceSize zero = 0;
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	if (b->set)
		vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->layout.pipeline, 0, 1, &b->set, 0, NULL);
	vkCmdBindVertexBuffers(commands, 0, 1, &b->vertices.handle, &zero);
	vkCmdBindIndexBuffer(commands, b->indices.handle, 0, VK_INDEX_TYPE_UINT16);
}

void bench_make_mesh_pipeline(struct bench *b, VkShaderModule vertex, VkShaderModule fragment, VkFrontFace front_face)
{
	static const VkVertexInputBindingDescription binding = { 0, sizeof(struct bench_vertex), VK_VERTEX_INPUT_RATE_VERTEX };
	static const VkVertexInputAttributeDescription attributes[4] = {
		{ 0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct bench_vertex, position) },
		{ 1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct bench_vertex, normal) },
		{ 2, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct bench_vertex, tangent) },
		{ 3, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct bench_vertex, uv) } };
	b->pipeline = vh_make_pipeline(&b->vh, &(struct vh_pipeline_info){ .vertex = vertex, .fragment = fragment,
		.layout = b->layout.pipeline, .pass = &b->pass, .bindings = &binding, .binding_count = 1, .attributes = attributes,
		.attribute_count = 4, .depth_test = true, .depth_write = true, .cull = VK_CULL_MODE_BACK_BIT, .front_face = front_face });
}

void bench_draw_object(struct bench *b, VkCommandBuffer commands, const void *push, uint32_t size, uint32_t count, int32_t first_vertex)
{
	vkCmdPushConstants(commands, b->layout.pipeline, VK_SHADER_STAGE_VERTEX_BIT, 0, size, push);
	vkCmdDrawIndexed(commands, count, 1, 0, first_vertex, 0);
}

void bench_show(struct bench *b, VkCommandBuffer commands, const struct vh_image *image, VkImageLayout layout)
{
	const VkImageSubresourceLayers all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 };
	const VkOffset3D end = { (int32_t)b->target.width, (int32_t)b->target.height, 1 };
	const VkImageBlit whole = { all, { { 0, 0, 0 }, end }, all, { { 0, 0, 0 }, end } };
	vh_transition(commands, &b->target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdBlitImage(commands, image->handle, layout, b->target.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &whole, VK_FILTER_NEAREST);
	vh_transition(commands, &b->target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

struct vh_image bench_make_texture(struct bench *b, VkFormat format, uint32_t width, uint32_t height, const uint8_t *texels,
	size_t size)
{
	const struct vh_image_info info = { .format = format, .width = width, .height = height,
		.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	const struct vh_image image = vh_make_image(&b->vh, &info);
	vh_upload(&b->vh, &image, 0, 0, texels, size, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	return image;
}

float bench_linear_of_srgb(float c)
{
	return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

float bench_srgb_of_linear(float c)
{
	return c <= 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1 / 2.4f) - 0.055f;
}

float bench_bilinear(const uint8_t *texels, unsigned size, float u, float v, int c, bool srgb)
{
	const float tu = (float)size * u - 0.5f, tv = (float)size * v - 0.5f, u0 = floorf(tu), v0 = floorf(tv);
	float sum = 0;
	for (int i = 0; i < 4; i++) {
		const unsigned x = (unsigned)((int)u0 + (i & 1)) % size, y = (unsigned)((int)v0 + (i >> 1)) % size;
		const float weight = (i & 1 ? tu - u0 : 1 - tu + u0) * (i >> 1 ? tv - v0 : 1 - tv + v0);
		const float value = (float)texels[4 * (y * size + x) + (unsigned)c] / 255;
		sum += weight * (srgb ? bench_linear_of_srgb(value) : value);
	}
	return sum;
}
