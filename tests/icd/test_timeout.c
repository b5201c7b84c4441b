/* SPDX-License-Identifier: MIT */
/* QW_TIMEOUT_MS ends whatever takes long: many small workgroups, one wave, many
 * draws, many copies.  The message says so once and names the program. */
#include <time.h>
#include <unistd.h>
#include "child.h"
#include "messages.h"
#include "work.h"
#include "spin_comp.h"
#include "spin_vert.h"
#include "spin_frag.h"

enum { LIMIT_MS = 200, FILL_BYTES = 1 << 26, FILLS = 40000, PASSES = 200000 };

struct scene {
	const char *name, *core, *limit, *says;
	void (*record)(struct vk *vk, struct work *w, VkBuffer big, VkCommandBuffer cmd);
};

static void dispatch(struct vk *vk, struct work *w, VkCommandBuffer cmd, uint32_t groups)
{
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, w->compute);
	FN(vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &w->set, 0, NULL);
	FN(vk, vkCmdDispatch)(cmd, groups, groups, groups);
}

static void record_small(struct vk *vk, struct work *w, VkBuffer big, VkCommandBuffer cmd)
{
	dispatch(vk, w, cmd, 2);
}

static void record_groups(struct vk *vk, struct work *w, VkBuffer big, VkCommandBuffer cmd)
{
	dispatch(vk, w, cmd, 65535);
}

/* In place of *module; the name is what messages call it. */
static void replace(struct vk *vk, VkShaderModule *module, const uint32_t *words, size_t bytes, const char *called)
{
	VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes,
		.pCode = words };
	VkDebugUtilsObjectNameInfoEXT name = { .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = VK_OBJECT_TYPE_SHADER_MODULE, .pObjectName = called };
	FN(vk, vkDestroyShaderModule)(vk->device, *module, NULL);
	OK(FN(vk, vkCreateShaderModule)(vk->device, &code, NULL, module));
	name.objectHandle = (uint64_t)(uintptr_t)*module;
	OK(FN(vk, vkSetDebugUtilsObjectNameEXT)(vk->device, &name));
}

static void make_pipelines_again(struct vk *vk, struct work *w)
{
	for (int i = 0; i < 2; i++)
		FN(vk, vkDestroyPipeline)(vk->device, w->pipelines[i], NULL);
	FN(vk, vkDestroyPipeline)(vk->device, w->compute, NULL);
	FN(vk, vkDestroyPipelineCache)(vk->device, w->cache, NULL);
	OK(work_pipelines(vk, NULL, w));
}

static void record_endless(struct vk *vk, struct work *w, VkBuffer big, VkCommandBuffer cmd)
{
	replace(vk, &w->cs, spin_comp, sizeof spin_comp, "goes on and on");
	make_pipelines_again(vk, w);
	dispatch(vk, w, cmd, 1);
}

static void begin_pass(struct vk *vk, struct work *w, VkCommandBuffer cmd)
{
	static const float vertices[6] = { -0.9f, -0.8f, 0.8f, -0.5f, 0.1f, 0.9f };
	VkClearValue clear = { 0 };
	VkDeviceSize zero = 0;
	VkRenderPassBeginInfo pass = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = w->pass,
		.framebuffer = w->framebuffer, .renderArea = { { 0, 0 }, { WORK_SIZE, WORK_SIZE } }, .clearValueCount = 1,
		.pClearValues = &clear };
	VkMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, .dstAccessMask = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT };
	FN(vk, vkCmdUpdateBuffer)(cmd, w->buffer, 0, sizeof vertices, vertices);
	FN(vk, vkCmdPipelineBarrier)(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, 0,
		1, &barrier, 0, NULL, 0, NULL);
	FN(vk, vkCmdBeginRenderPass)(cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, w->pipelines[1]);
	FN(vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, w->layout, 0, 1, &w->set, 0, NULL);
	FN(vk, vkCmdBindVertexBuffers)(cmd, 0, 1, &w->buffer, &zero);
}

/* So many triangles of each of `draws` draws. */
static void draw(struct vk *vk, struct work *w, VkCommandBuffer cmd, int draws, uint32_t triangles)
{
	begin_pass(vk, w, cmd);
	for (int i = 0; i < draws; i++)
		FN(vk, vkCmdDraw)(cmd, 3, triangles, 0, 0);
	FN(vk, vkCmdEndRenderPass)(cmd);
}

static void record_draws(struct vk *vk, struct work *w, VkBuffer big, VkCommandBuffer cmd)
{
	draw(vk, w, cmd, 8, 0x7fffffff);
}

/* Each pass by itself is short. */
static void record_passes(struct vk *vk, struct work *w, VkBuffer big, VkCommandBuffer cmd)
{
	for (int i = 0; i < PASSES; i++)
		draw(vk, w, cmd, 1, 1);
}

static void record_vertex(struct vk *vk, struct work *w, VkBuffer big, VkCommandBuffer cmd)
{
	replace(vk, &w->vs, spin_vert, sizeof spin_vert, "turns corners");
	make_pipelines_again(vk, w);
	draw(vk, w, cmd, 1, 1);
}

static void record_fragment(struct vk *vk, struct work *w, VkBuffer big, VkCommandBuffer cmd)
{
	replace(vk, &w->ps, spin_frag, sizeof spin_frag, "never shaded");
	make_pipelines_again(vk, w);
	draw(vk, w, cmd, 2, 3);
}

static void record_fills(struct vk *vk, struct work *w, VkBuffer big, VkCommandBuffer cmd)
{
	for (uint32_t i = 0; i < FILLS; i++)
		FN(vk, vkCmdFillBuffer)(cmd, big, 0, VK_WHOLE_SIZE, i);
}

static uint64_t milliseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void check_lost(struct vk *vk, const struct scene *s, const struct heard *heard, VkCommandBuffer cmd)
{
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd };
	uint64_t start = milliseconds(), took;
	OK(FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, VK_NULL_HANDLE));
	VkResult result = FN(vk, vkQueueWaitIdle)(vk->queue);
	took = milliseconds() - start;
	printf("%s, %s: %d after %u ms: %s\n", s->name, s->core, result, (unsigned)took, heard->text);
	if (!s->says) {
		CHECK(result == VK_SUCCESS && heard->count == 0);
		return;
	}
	CHECK(result == VK_ERROR_DEVICE_LOST && took >= LIMIT_MS);
	CHECK(heard->count == 1 && strstr(heard->text, "device lost"));
	CHECK(strstr(heard->text, "QW_TIMEOUT_MS") && strstr(heard->text, s->says));
	CHECK(FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, VK_NULL_HANDLE) == VK_ERROR_DEVICE_LOST);
}

/* All but the submission, which may take long on a slow machine. */
static VkResult make(struct vk *vk, struct work *w)
{
	TRY(work_shaders(vk, NULL, w));
	TRY(work_layouts(vk, NULL, w));
	TRY(work_buffer(vk, NULL, w));
	TRY(work_targets(vk, NULL, w));
	TRY(work_pipelines(vk, NULL, w));
	TRY(work_descriptors(vk, NULL, w));
	return work_record(vk, NULL, w);
}

static int child(const struct scene *s)
{
	struct vk vk;
	struct work w;
	struct heard heard = { 0 };
	VkCommandBuffer cmd;
	memset(&w, 0, sizeof w);
	setenv("QW_CORE", s->core, 1);
	setenv("QW_TIMEOUT_MS", s->limit, 1);
	VkDebugUtilsMessengerEXT messenger = open_hearing(&vk, &heard);
	OK(vk_device(&vk, NULL));
	OK(make(&vk, &w));
	struct vk_buffer big = vk_buffer(&vk, FILL_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	VkCommandBufferAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = w.commands, .commandBufferCount = 1 };
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	OK(FN(&vk, vkAllocateCommandBuffers)(vk.device, &alloc, &cmd));
	OK(FN(&vk, vkBeginCommandBuffer)(cmd, &begin));
	s->record(&vk, &w, big.buffer, cmd);
	OK(FN(&vk, vkEndCommandBuffer)(cmd));
	check_lost(&vk, s, &heard, cmd);
	vk_buffer_free(&vk, &big);
	work_destroy(&vk, NULL, &w);
	IFN(&vk, vkDestroyDebugUtilsMessengerEXT)(vk.instance, messenger, NULL);
	vk_stop(&vk);
	CHECK(heard.count == (s->says ? 1 : 0));
	return 0;
}

static const struct scene scenes[] = {
	{ "small", "jit", "600000", NULL, record_small },
	{ "groups", "jit", "200", "_cs (main, ", record_groups },
	{ "groups", "interp", "200", "_cs (main, ", record_groups },
	{ "endless", "jit", "200", "goes on and on)", record_endless },
	{ "endless", "interp", "200", "goes on and on)", record_endless },
	{ "vertex", "jit", "200", ", turns corners)", record_vertex },
	{ "vertex", "interp", "200", ", turns corners)", record_vertex },
	{ "fragment", "jit", "200", ", never shaded)", record_fragment },
	{ "fragment", "interp", "200", ", never shaded)", record_fragment },
	{ "draws", "jit", "200", "s (main, ", record_draws },
	{ "passes", "jit", "200", "s (main, ", record_passes },
	{ "fills", "jit", "200", "aborted at dword ", record_fills },
};

int main(void)
{
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
		pid_t pid = child_start();
		if (pid == 0) {
			alarm(300); /* what does not end, dies */
			exit(child(&scenes[i]));
		}
		child_ends_well(pid);
	}
	return 0;
}
