/* SPDX-License-Identifier: MIT */
/* Sixteen viewports, chosen by the vertex shader: each has its rectangle and its depths. */
#include "state_rig.h"
#include "viewports_vert.h"
#include "viewports_frag.h"

enum { SIDE = 4, COUNT = SIDE * SIDE, PART = RIG_SIZE / SIDE };

/* Viewports begin a pixel into their part, scissors leave out its last row. */
static void set(struct vk *vk, VkCommandBuffer cmd, uint32_t first, uint32_t count)
{
	VkViewport viewport[COUNT];
	VkRect2D scissor[COUNT];
	for (uint32_t i = 0; i < count; i++) {
		uint32_t x = (first + i) % SIDE * PART, y = (first + i) / SIDE * PART;
		viewport[i] = (VkViewport){ (float)(x + 1), (float)y, PART - 1, PART, (float)(first + i) / COUNT, 1 };
		scissor[i] = (VkRect2D){ { (int32_t)x, (int32_t)y }, { PART, PART - 1 } };
	}
	FN(vk, vkCmdSetViewport)(cmd, first, count, viewport);
	FN(vk, vkCmdSetScissor)(cmd, first, count, scissor);
}

static void check(const struct rig_picture *p, const uint8_t clear[4])
{
	for (uint32_t y = 0; y < RIG_SIZE; y++)
		for (uint32_t x = 0; x < RIG_SIZE; x++) {
			const uint8_t *c = p->color[y * RIG_SIZE + x];
			uint32_t part = y / PART * SIDE + x / PART;
			if (x % PART == 0 || y % PART == PART - 1)
				CHECK(!memcmp(c, clear, 4));
			else
				CHECK(c[0] == part + 1 && c[1] == (255 * part + COUNT / 2) / COUNT);
		}
}

int main(void)
{
	static const char *const names[] = { VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME };
	static const VkDynamicState dynamic[] = { VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR };
	static struct rig_picture nothing, got;
	static struct rig r;
	struct vk *vk = &r.vk;
	rig_make(&r, names, 1, NULL);
	FN(vk, vkDestroyShaderModule)(vk->device, r.vs, NULL);
	FN(vk, vkDestroyShaderModule)(vk->device, r.ps, NULL);
	r.vs = vk_module(vk, viewports_vert, sizeof viewports_vert);
	r.ps = vk_module(vk, viewports_frag, sizeof viewports_frag);
	const VkRenderPass pass = rig_pass(&r);
	const VkFramebuffer framebuffer = rig_framebuffer(&r, pass);
	struct rig_states s = rig_states();
	s.viewports = COUNT;
	s.dynamic = (VkPipelineDynamicStateCreateInfo){ .dynamicStateCount = 2, .pDynamicStates = dynamic };
	const VkPipeline pipeline = rig_pipeline(&r, &s, pass, NULL);
	for (int drawn = 0; drawn < 2; drawn++) {
		VkCommandBuffer cmd = rig_begin_primary(&r);
		rig_begin_pass(&r, cmd, pass, framebuffer);
		FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
		set(vk, cmd, 5, COUNT - 5);
		set(vk, cmd, 0, 5);
		if (drawn)
			FN(vk, vkCmdDraw)(cmd, 3, COUNT, 0, 0);
		FN(vk, vkCmdEndRenderPass)(cmd);
		rig_finish(&r, &cmd, 1, drawn ? &got : &nothing);
	}
	check(&got, nothing.color[0]);
	FN(vk, vkDestroyPipeline)(vk->device, pipeline, NULL);
	FN(vk, vkDestroyFramebuffer)(vk->device, framebuffer, NULL);
	FN(vk, vkDestroyRenderPass)(vk->device, pass, NULL);
	rig_destroy(&r);
	return 0;
}
