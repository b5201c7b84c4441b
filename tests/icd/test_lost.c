/* A shader that never ends: its wave is stopped, the device is lost, and the
 * message says where; by the interpreter, translated and checked. */
#include <sys/wait.h>
#include <unistd.h>
#include "harness.h"
#include "endless_comp.h"

struct heard { unsigned count; char text[512]; };

static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
	VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
	struct heard *h = user;
	if (strstr(data->pMessage, "device lost")) {
		h->count++;
		snprintf(h->text, sizeof h->text, "%s", data->pMessage);
	}
	return VK_FALSE;
}

static VkDebugUtilsMessengerEXT open_device(struct vk *vk, struct heard *h)
{
	const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1 };
	VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app,
		.enabledExtensionCount = 1, .ppEnabledExtensionNames = &extension };
	VkDebugUtilsMessengerCreateInfoEXT messenger = { .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
		.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
		.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
		.pfnUserCallback = hear, .pUserData = h };
	VkDebugUtilsMessengerEXT made;
	uint32_t one = 1;
	vk_open(vk);
	OK(IFN(vk, vkCreateInstance)(&info, NULL, &vk->instance));
	OK(IFN(vk, vkEnumeratePhysicalDevices)(vk->instance, &one, &vk->physical));
	OK(IFN(vk, vkCreateDebugUtilsMessengerEXT)(vk->instance, &messenger, NULL, &made));
	OK(vk_device(vk, NULL));
	return made;
}

static VkPipeline make_pipeline(struct vk *vk, VkPipelineLayout *layout, VkDescriptorSetLayout *set)
{
	VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof endless_comp, .pCode = endless_comp };
	VkShaderModule module;
	VkPipeline pipeline;
	VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL };
	VkDescriptorSetLayoutCreateInfo sets = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1, .pBindings = &binding };
	VkPipelineLayoutCreateInfo layouts = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = set };
	OK(FN(vk, vkCreateShaderModule)(vk->device, &code, NULL, &module));
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &sets, NULL, set));
	OK(FN(vk, vkCreatePipelineLayout)(vk->device, &layouts, NULL, layout));
	VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = *layout,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.module = module, .pName = "main" } };
	OK(FN(vk, vkCreateComputePipelines)(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
	FN(vk, vkDestroyShaderModule)(vk->device, module, NULL);
	return pipeline;
}

static VkDescriptorSet make_set(struct vk *vk, VkDescriptorSetLayout layout, VkBuffer buffer, VkDescriptorPool *pool)
{
	VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
	VkDescriptorPoolCreateInfo pools = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 1, .pPoolSizes = &size };
	VkDescriptorSet set;
	OK(FN(vk, vkCreateDescriptorPool)(vk->device, &pools, NULL, pool));
	VkDescriptorSetAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = *pool,
		.descriptorSetCount = 1, .pSetLayouts = &layout };
	OK(FN(vk, vkAllocateDescriptorSets)(vk->device, &info, &set));
	VkDescriptorBufferInfo data = { buffer, 0, VK_WHOLE_SIZE };
	VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set, .descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &data };
	FN(vk, vkUpdateDescriptorSets)(vk->device, 1, &write, 0, NULL);
	return set;
}

static int child(const char *core)
{
	struct vk vk;
	struct heard heard = { 0, "" };
	VkPipelineLayout layout;
	VkDescriptorSetLayout set_layout;
	VkDescriptorPool sets;
	VkCommandPool pool;
	VkCommandBuffer cmd;
	setenv("QW_CORE", core, 1);
	setenv("QW_BUDGET", "200000", 1);
	VkDebugUtilsMessengerEXT messenger = open_device(&vk, &heard);
	VkPipeline pipeline = make_pipeline(&vk, &layout, &set_layout);
	struct vk_buffer data = vk_buffer(&vk, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	memset(data.map, 0, 1024);
	VkDescriptorSet set = make_set(&vk, set_layout, data.buffer, &sets);
	VkCommandPoolCreateInfo pools = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	OK(FN(&vk, vkCreateCommandPool)(vk.device, &pools, NULL, &pool));
	VkCommandBufferAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool,
		.commandBufferCount = 1 };
	OK(FN(&vk, vkAllocateCommandBuffers)(vk.device, &alloc, &cmd));
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	OK(FN(&vk, vkBeginCommandBuffer)(cmd, &begin));
	FN(&vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
	FN(&vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
	FN(&vk, vkCmdDispatch)(cmd, 1, 1, 1);
	OK(FN(&vk, vkEndCommandBuffer)(cmd));
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd };
	OK(FN(&vk, vkQueueSubmit)(vk.queue, 1, &submit, VK_NULL_HANDLE));
	CHECK(FN(&vk, vkQueueWaitIdle)(vk.queue) == VK_ERROR_DEVICE_LOST);
	printf("%s: %s\n", core, heard.text);
	CHECK(heard.count == 1 && strstr(heard.text, "pc 0x") && strstr(heard.text, "(s_") && strstr(heard.text, "stopped after"));
	CHECK(((const uint32_t *)data.map)[1] > 100); /* it did go on */
	CHECK(FN(&vk, vkQueueSubmit)(vk.queue, 1, &submit, VK_NULL_HANDLE) == VK_ERROR_DEVICE_LOST);
	FN(&vk, vkDestroyCommandPool)(vk.device, pool, NULL);
	FN(&vk, vkDestroyDescriptorPool)(vk.device, sets, NULL);
	FN(&vk, vkDestroyPipeline)(vk.device, pipeline, NULL);
	FN(&vk, vkDestroyPipelineLayout)(vk.device, layout, NULL);
	FN(&vk, vkDestroyDescriptorSetLayout)(vk.device, set_layout, NULL);
	vk_buffer_free(&vk, &data);
	IFN(&vk, vkDestroyDebugUtilsMessengerEXT)(vk.instance, messenger, NULL);
	vk_stop(&vk);
	return 0;
}

int main(void)
{
	static const char *const cores[] = { "interp", "jit", "check" };
	for (int i = 0; i < 3; i++) {
		int status = 1;
		fflush(stdout);
		pid_t pid = fork();
		if (pid == 0)
			exit(child(cores[i]));
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	return 0;
}
