/* SPDX-License-Identifier: MIT */
/* Weights and values of vertices: interpolation in the shader gives what the rasteriser does,
 * for every topology, polygon mode and provoking vertex, clipped behind the eye or not. */
#include "state_rig.h"
#include "barycentric_frag.h"

/* Vertex i has i / 8 in the components that the shader reads; the last two lie behind the eye. */
static void fill_vertices(struct rig *r)
{
	static const float at[8][4] = { { -0.9f, -0.9f, 0, 1 }, { 0.9f, -0.8f, 0, 1 }, { -0.8f, 0.9f, 0, 1 },
		{ 1.2f, 1.4f, 0, 2 }, { -0.5f, 0.1f, 0, 1 }, { 0.3f, 0.1f, 0, 0.5f }, { 0.1f, 2.0f, 0.1f, -0.5f },
		{ 0.3f, -2.0f, 0.1f, -0.25f } };
	float (*vertex)[8] = r->vertices.map;
	for (int i = 0; i < 8; i++)
		for (int c = 0; c < 4; c++) {
			vertex[i][c] = at[i][c];
			vertex[i][4 + c] = (float)i / 8;
		}
}

static bool near_to(unsigned a, unsigned b)
{
	return a <= b + 1 && b <= a + 1;
}

/* Pixels drawn; of each the two interpolations agree, and vertex 0 is what `first` says it is. */
static unsigned check(const struct rig_picture *p, const char *what, uint32_t first)
{
	unsigned drawn = 0;
	for (int i = 0; i < RIG_TEXELS; i++) {
		const uint8_t *c = p->color[i];
		if (!memcmp(c, (const uint8_t[4]){ 64, 128, 191, 255 }, 4)) /* rig_clear */
			continue;
		drawn++;
		EXPECT(near_to(c[0], c[1]), "%s: texel %d: %u by the rasteriser, %u by the shader", what, i, c[0], c[1]);
		EXPECT(near_to(c[3], 255 * first / 8), "%s: texel %d: vertex 0 has %u", what, i, c[3]);
	}
	return drawn;
}

/* The points of a triangle have the values of its vertices, each its own. */
static void check_points(const struct rig_picture *p, uint32_t first)
{
	for (uint32_t v = first; v < first + 3; v++) {
		bool found = false;
		for (int i = 0; i < RIG_TEXELS; i++)
			found |= p->color[i][3] != 255 && near_to(p->color[i][0], 255 * v / 8);
		EXPECT(found, "no point has the value of vertex %u", v);
	}
}

static void draw(struct rig *r, const struct rig_states *s, VkRenderPass pass, VkFramebuffer framebuffer, uint32_t first,
	uint32_t count, struct rig_picture *out)
{
	struct vk *vk = &r->vk;
	const VkPipeline pipeline = rig_pipeline(r, s, pass, NULL);
	VkCommandBuffer cmd = rig_begin_primary(r);
	rig_begin_pass(r, cmd, pass, framebuffer);
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	FN(vk, vkCmdBindVertexBuffers)(cmd, 0, 1, &r->vertices.buffer, &(VkDeviceSize){ 0 });
	FN(vk, vkCmdDraw)(cmd, count, 1, first, 0);
	FN(vk, vkCmdEndRenderPass)(cmd);
	rig_finish(r, &cmd, 1, out);
	FN(vk, vkDestroyPipeline)(vk->device, pipeline, NULL);
}

int main(void)
{
	static const char *const names[] = { VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME,
		VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME };
	static const struct { const char *name; VkPrimitiveTopology topology; uint32_t first, count; unsigned least; } shapes[] = {
		{ "points", VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 4, 1, 9 },
		{ "a line", VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 1, 2, 30 },
		{ "a line that is cut", VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 5, 2, 10 },
		{ "a triangle", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0, 3, 400 },
		{ "a triangle in perspective", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 3, 3, 100 },
		{ "a triangle with a vertex behind the eye", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 4, 3, 100 },
		{ "a triangle with two", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 5, 3, 20 },
		{ "a strip of one", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 1, 3, 100 },
	};
	const VkPhysicalDeviceProvokingVertexFeaturesEXT provoking = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT, .provokingVertexLast = VK_TRUE };
	const VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR,
		.pNext = (void *)(uintptr_t)&provoking, .fragmentShaderBarycentric = VK_TRUE };
	static struct rig_picture got;
	static struct rig r;
	rig_make(&r, names, 2, &features);
	const VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof barycentric_frag, .pCode = barycentric_frag };
	FN(&r.vk, vkDestroyShaderModule)(r.vk.device, r.ps, NULL);
	OK(FN(&r.vk, vkCreateShaderModule)(r.vk.device, &code, NULL, &r.ps));
	fill_vertices(&r);
	const VkRenderPass pass = rig_pass(&r);
	const VkFramebuffer framebuffer = rig_framebuffer(&r, pass);
	for (unsigned k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
		for (int way = 0; way < 6; way++) {
			const VkPolygonMode mode = way >> 1 ? (way >> 1 == 1 ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_POINT) : VK_POLYGON_MODE_FILL;
			const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT last = {
				.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
				.provokingVertexMode = way & 1 ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT };
			struct rig_states s = rig_states();
			s.assembly.topology = shapes[k].topology;
			s.raster.pNext = &last;
			s.raster.polygonMode = mode;
			draw(&r, &s, pass, framebuffer, shapes[k].first, shapes[k].count, &got);
			unsigned drawn = check(&got, shapes[k].name, shapes[k].first);
			if (mode == VK_POLYGON_MODE_POINT && shapes[k].first == 0)
				check_points(&got, 0);
			EXPECT(mode != VK_POLYGON_MODE_FILL || drawn >= shapes[k].least, "%s: %u pixels", shapes[k].name, drawn);
		}
	FN(&r.vk, vkDestroyFramebuffer)(r.vk.device, framebuffer, NULL);
	FN(&r.vk, vkDestroyRenderPass)(r.vk.device, pass, NULL);
	rig_destroy(&r);
	return failures != 0;
}
