/* SPDX-License-Identifier: MIT */
/* What a shader has not written itself: private arrays of all stages and shared
 * memory show nothing of another pipeline, nor of a device that is no more.  A
 * pipeline that leaves its traces runs before one that shows what it finds; with
 * QW_POISON it finds the pattern. */
#include <sys/wait.h>
#include <unistd.h>
#include "harness.h"
#include "fresh_comp.h"
#include "fresh_vert.h"
#include "fresh_frag.h"

enum { SIZE = 8, WORDS = 16384, COMPUTE_WORDS = 8192 + 4096 };
static const uint32_t trace = 0xc0ffee00, poison = 0x7fedbad1;

struct rig {
	struct vk vk;
	VkShaderModule shaders[3];
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	VkPipeline compute[2], graphics[2]; /* [1] leaves traces */
	struct vk_buffer data;
	VkDescriptorPool sets;
	VkDescriptorSet set;
	VkCommandPool commands;
};

static void make_modules(struct rig *r)
{
	const struct { const uint32_t *words; size_t size; } code[3] = { { fresh_comp, sizeof fresh_comp },
		{ fresh_vert, sizeof fresh_vert }, { fresh_frag, sizeof fresh_frag } };
	for (int i = 0; i < 3; i++) {
		VkShaderModuleCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
			.codeSize = code[i].size, .pCode = code[i].words };
		OK(FN(&r->vk, vkCreateShaderModule)(r->vk.device, &info, NULL, &r->shaders[i]));
	}
}

static void make_layouts(struct rig *r)
{
	struct vk *vk = &r->vk;
	VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL };
	VkDescriptorSetLayoutCreateInfo sets = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1, .pBindings = &binding };
	VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = &r->set_layout };
	VkSubpassDescription subpass = { 0 };
	VkRenderPassCreateInfo pass = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1,
		.pSubpasses = &subpass };
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &sets, NULL, &r->set_layout));
	OK(FN(vk, vkCreatePipelineLayout)(vk->device, &layout, NULL, &r->layout));
	OK(FN(vk, vkCreateRenderPass)(vk->device, &pass, NULL, &r->pass));
	VkFramebufferCreateInfo framebuffer = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .renderPass = r->pass,
		.width = SIZE, .height = SIZE, .layers = 1 };
	OK(FN(vk, vkCreateFramebuffer)(vk->device, &framebuffer, NULL, &r->framebuffer));
}

static void make_pipelines(struct rig *r, uint32_t leaves)
{
	struct vk *vk = &r->vk;
	VkSpecializationMapEntry entry = { 0, 0, 4 };
	VkSpecializationInfo special = { 1, &entry, 4, &leaves };
	VkPipelineShaderStageCreateInfo stages[3];
	for (int i = 0; i < 3; i++)
		stages[i] = (VkPipelineShaderStageCreateInfo){ .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			.stage = i == 0 ? VK_SHADER_STAGE_COMPUTE_BIT : i == 1 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT,
			.module = r->shaders[i], .pName = "main", .pSpecializationInfo = &special };
	VkComputePipelineCreateInfo compute = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = stages[0],
		.layout = r->layout };
	OK(FN(vk, vkCreateComputePipelines)(vk->device, VK_NULL_HANDLE, 1, &compute, NULL, &r->compute[leaves]));
	VkPipelineVertexInputStateCreateInfo input = { .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO };
	VkPipelineInputAssemblyStateCreateInfo assembly = { .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST };
	VkViewport viewport = { 0, 0, SIZE, SIZE, 0, 1 };
	VkRect2D scissor = { { 0, 0 }, { SIZE, SIZE } };
	VkPipelineViewportStateCreateInfo viewports = { .viewportCount = 1, .pViewports = &viewport, .scissorCount = 1,
		.pScissors = &scissor };
	VkPipelineRasterizationStateCreateInfo raster = { .lineWidth = 1 };
	VkPipelineMultisampleStateCreateInfo samples = { .rasterizationSamples = 1 };
	VkGraphicsPipelineCreateInfo graphics = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .stageCount = 2,
		.pStages = stages + 1, .pVertexInputState = &input, .pInputAssemblyState = &assembly,
		.pViewportState = &viewports, .pRasterizationState = &raster, .pMultisampleState = &samples,
		.layout = r->layout, .renderPass = r->pass };
	OK(FN(vk, vkCreateGraphicsPipelines)(vk->device, VK_NULL_HANDLE, 1, &graphics, NULL, &r->graphics[leaves]));
}

static void make_data(struct rig *r)
{
	struct vk *vk = &r->vk;
	VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
	VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 1, .pPoolSizes = &size };
	OK(FN(vk, vkCreateDescriptorPool)(vk->device, &pool, NULL, &r->sets));
	VkDescriptorSetAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = r->sets, .descriptorSetCount = 1, .pSetLayouts = &r->set_layout };
	OK(FN(vk, vkAllocateDescriptorSets)(vk->device, &info, &r->set));
	r->data = vk_buffer(vk, 4 * (1 + WORDS), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	VkDescriptorBufferInfo data = { r->data.buffer, 0, VK_WHOLE_SIZE };
	VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = r->set, .descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &data };
	FN(vk, vkUpdateDescriptorSets)(vk->device, 1, &write, 0, NULL);
	VkCommandPoolCreateInfo commands = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	OK(FN(vk, vkCreateCommandPool)(vk->device, &commands, NULL, &r->commands));
}

static void rig_make(struct rig *r)
{
	OK(vk_device(&r->vk, NULL));
	make_modules(r);
	make_layouts(r);
	make_pipelines(r, 0);
	make_pipelines(r, 1);
	make_data(r);
}

static void rig_destroy(struct rig *r)
{
	struct vk *vk = &r->vk;
	for (int i = 0; i < 2; i++) {
		FN(vk, vkDestroyPipeline)(vk->device, r->compute[i], NULL);
		FN(vk, vkDestroyPipeline)(vk->device, r->graphics[i], NULL);
	}
	for (int i = 0; i < 3; i++)
		FN(vk, vkDestroyShaderModule)(vk->device, r->shaders[i], NULL);
	FN(vk, vkDestroyCommandPool)(vk->device, r->commands, NULL);
	FN(vk, vkDestroyDescriptorPool)(vk->device, r->sets, NULL);
	FN(vk, vkDestroyFramebuffer)(vk->device, r->framebuffer, NULL);
	FN(vk, vkDestroyRenderPass)(vk->device, r->pass, NULL);
	FN(vk, vkDestroyPipelineLayout)(vk->device, r->layout, NULL);
	FN(vk, vkDestroyDescriptorSetLayout)(vk->device, r->set_layout, NULL);
	vk_buffer_free(vk, &r->data);
	FN(vk, vkDestroyDevice)(vk->device, NULL);
}

static void record(struct rig *r, VkCommandBuffer cmd, bool draws, int leaves)
{
	struct vk *vk = &r->vk;
	VkPipelineBindPoint point = draws ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE;
	VkRenderPassBeginInfo pass = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = r->pass,
		.framebuffer = r->framebuffer, .renderArea = { { 0, 0 }, { SIZE, SIZE } } };
	FN(vk, vkCmdBindPipeline)(cmd, point, draws ? r->graphics[leaves] : r->compute[leaves]);
	FN(vk, vkCmdBindDescriptorSets)(cmd, point, r->layout, 0, 1, &r->set, 0, NULL);
	if (draws) {
		FN(vk, vkCmdBeginRenderPass)(cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
		FN(vk, vkCmdDraw)(cmd, 63, 1, 0, 0);
		FN(vk, vkCmdEndRenderPass)(cmd);
	} else {
		FN(vk, vkCmdDispatch)(cmd, 1, 1, 1);
	}
}

/* Runs one of the pipelines; data then has what it found, or left. */
static void run(struct rig *r, bool draws, int leaves)
{
	struct vk *vk = &r->vk;
	VkCommandBuffer cmd;
	VkCommandBufferAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = r->commands, .commandBufferCount = 1 };
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	OK(FN(vk, vkAllocateCommandBuffers)(vk->device, &info, &cmd));
	OK(FN(vk, vkBeginCommandBuffer)(cmd, &begin));
	record(r, cmd, draws, leaves);
	memset(r->data.map, 0x55, 4 * (1 + WORDS));
	memset(r->data.map, 0, 4);
	vk_run(vk, cmd);
}

/* The words that a pipeline has written: traces, and others than `blank`. */
static bool look(const struct rig *r, bool draws, uint32_t blank, const char *when)
{
	const uint32_t *data = (const uint32_t *)r->data.map + 1;
	uint32_t traces = 0, others = 0, seen = 0;
	for (uint32_t i = 0; i < WORDS; i++) {
		if (draws ? i >= 63 * 128 && i < 8192 : i >= COMPUTE_WORDS)
			continue;
		seen++;
		if ((data[i] & ~127u) == trace)
			traces++;
		else if (data[i] != blank)
			others++;
	}
	printf("%s, %s: %u of %u words are another pipeline's, %u are neither those nor %x\n", when,
		draws ? "graphics" : "compute", traces, seen, others, blank);
	return !traces && !others;
}

static int cases(const char *core, bool poisoned)
{
	struct rig r;
	bool good = true;
	uint32_t blank = poisoned ? poison : 0;
	setenv("QW_CORE", core, 1);
	setenv("QW_POISON", poisoned ? "1" : "0", 1);
	setenv("QW_THREADS", "1", 1); /* one thread's waves meet */
	vk_open(&r.vk);
	OK(vk_instance(&r.vk, NULL));
	for (int draws = 0; draws < 2; draws++) {
		rig_make(&r);
		for (uint32_t i = 0; poisoned && i < 64; i++)
			good &= ((const uint32_t *)r.data.map)[i] == poison;
		run(&r, draws, 1);
		CHECK((((const uint32_t *)r.data.map)[1 + 127] & ~127u) == trace);
		run(&r, draws, 0);
		good &= look(&r, draws, blank, "the same device");
		run(&r, draws, 1);
		rig_destroy(&r);
		rig_make(&r);
		run(&r, draws, 0);
		good &= look(&r, draws, blank, "a new device");
		rig_destroy(&r);
	}
	IFN(&r.vk, vkDestroyInstance)(r.vk.instance, NULL);
	dlclose(r.vk.library);
	return !good;
}

int main(void)
{
	static const char *const cores[] = { "interp", "jit", "check" };
	int failures = 0;
	for (int i = 0; i < 6; i++) {
		int status = 1;
		fflush(stdout);
		pid_t pid = fork();
		if (pid == 0)
			exit(cases(cores[i / 2], i & 1));
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
		failures += status != 0;
		printf("%s%s: %s\n", cores[i / 2], i & 1 ? ", poisoned" : "", status ? "FAIL" : "ok");
	}
	return failures != 0;
}
