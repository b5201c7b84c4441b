/* SPDX-License-Identifier: MIT */
/* A shader that never ends: its wave is stopped, the device is lost, and the
 * message says where; by the interpreter, translated and checked. */
#include <unistd.h>
#include "child.h"
#include "messages.h"
#include "storage.h"
#include "endless_comp.h"

static int child(const char *core, unsigned variant)
{
	struct vk vk;
	struct heard heard = { 0 };
	struct storage s = { 0 };
	setenv("QW_CORE", core, 1);
	setenv("QW_BUDGET", "200000", 1);
	VkDebugUtilsMessengerEXT messenger = open_hearing(&vk, &heard);
	OK(vk_device(&vk, NULL));
	struct vk_buffer data = vk_buffer(&vk, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	memset(data.map, 0, 1024);
	OK(storage_layouts(&vk, endless_comp, sizeof endless_comp, &s));
	OK(storage_pipeline(&vk, VK_NULL_HANDLE, &s));
	OK(storage_set(&vk, data.buffer, &s));
	OK(storage_begin(&vk, 0, &s));
	OK(storage_end(&vk, 1, &s));
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &s.cmd };
	OK(FN(&vk, vkQueueSubmit)(vk.queue, 1, &submit, VK_NULL_HANDLE));
	CHECK(FN(&vk, vkQueueWaitIdle)(vk.queue) == VK_ERROR_DEVICE_LOST);
	printf("%s: %s", core, heard.text);
	CHECK(heard.count == 1 && strstr(heard.text, "device lost"));
	CHECK(strstr(heard.text, "pc 0x") && strstr(heard.text, "(s_") && strstr(heard.text, "stopped after"));
	CHECK(((const uint32_t *)data.map)[1] > 100); /* it did go on */
	CHECK(FN(&vk, vkQueueSubmit)(vk.queue, 1, &submit, VK_NULL_HANDLE) == VK_ERROR_DEVICE_LOST);
	storage_destroy(&vk, &s);
	vk_buffer_free(&vk, &data);
	IFN(&vk, vkDestroyDebugUtilsMessengerEXT)(vk.instance, messenger, NULL);
	vk_stop(&vk);
	return 0;
}

int main(void)
{
	on_every_core(child, 1);
	return 0;
}
