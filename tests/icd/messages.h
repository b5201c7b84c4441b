/* SPDX-License-Identifier: MIT */
/* What the driver says: a messenger that keeps the text, and stderr in a file. */
#ifndef TESTS_ICD_MESSAGES_H
#define TESTS_ICD_MESSAGES_H

#include <unistd.h>
#include "harness.h"

struct heard {
	unsigned count, warnings, errors;
	char text[4096]; /* all messages, a line each */
};

static inline VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
	VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
	struct heard *h = user;
	size_t n = strlen(h->text);
	h->count++;
	h->warnings += severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
	h->errors += severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
	snprintf(h->text + n, sizeof h->text - n, "%s\n", data->pMessage);
	return VK_FALSE;
}

static inline VkDebugUtilsMessengerCreateInfoEXT hearing(struct heard *h)
{
	return (VkDebugUtilsMessengerCreateInfoEXT){
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
		.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
			VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
		.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
			VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
		.pfnUserCallback = hear, .pUserData = h };
}

/* An instance with this messenger. */
static inline VkDebugUtilsMessengerEXT open_with_messenger(struct vk *vk, uint32_t api,
	const VkDebugUtilsMessengerCreateInfoEXT *messenger)
{
	const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = api };
	VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app,
		.enabledExtensionCount = 1, .ppEnabledExtensionNames = &extension };
	VkDebugUtilsMessengerEXT made;
	uint32_t one = 1;
	vk_open(vk);
	OK(IFN(vk, vkCreateInstance)(&info, NULL, &vk->instance));
	OK(IFN(vk, vkEnumeratePhysicalDevices)(vk->instance, &one, &vk->physical));
	OK(IFN(vk, vkCreateDebugUtilsMessengerEXT)(vk->instance, messenger, NULL, &made));
	return made;
}

/* One that fills *h from now on. */
static inline VkDebugUtilsMessengerEXT open_hearing(struct vk *vk, struct heard *h)
{
	VkDebugUtilsMessengerCreateInfoEXT messenger = hearing(h);
	return open_with_messenger(vk, VK_API_VERSION_1_1, &messenger);
}

/* From here on stderr goes to a file; the file, and the stderr to put back. */
struct captured { FILE *file; int old; };

static inline struct captured capture_stderr(void)
{
	struct captured c = { tmpfile(), dup(2) };
	CHECK(c.file && c.old >= 0 && dup2(fileno(c.file), 2) == 2);
	return c;
}

/* Puts stderr back and copies what was written into `text`. */
static inline void end_capture(struct captured *c, char *text, size_t size)
{
	fflush(stderr);
	dup2(c->old, 2);
	close(c->old);
	rewind(c->file);
	text[fread(text, 1, size - 1, c->file)] = 0;
	fclose(c->file);
}

#endif
