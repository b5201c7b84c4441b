/* SPDX-License-Identifier: MIT */
/* A messenger that takes its time.  The message of a loss comes while the queue has
 * signals left to do: the longer it takes, the more an application that knew already
 * could destroy. */
#ifndef TESTS_ICD_LINGER_H
#define TESTS_ICD_LINGER_H

#include <unistd.h>
#include <vulkan/vulkan.h>

static inline VKAPI_ATTR VkBool32 VKAPI_CALL linger(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
	VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
	usleep(5000);
	return VK_FALSE;
}

static const VkDebugUtilsMessengerCreateInfoEXT lingering = {
	.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
	.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
	.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, .pfnUserCallback = linger };

#endif
