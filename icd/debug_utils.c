/* SPDX-License-Identifier: MIT */
/* VK_EXT_debug_utils, and the driver's own messages. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "icd/device.h"

static void send(const VkDebugUtilsMessengerCreateInfoEXT *m,
	VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT type,
	const VkDebugUtilsMessengerCallbackDataEXT *data)
{
	if (m->pfnUserCallback && m->messageSeverity & severity && m->messageType & type)
		m->pfnUserCallback(severity, type, data, m->pUserData);
}

/* To all messengers; those of instance creation count while it is being created. */
static void broadcast(struct icd_instance *instance,
	VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT type,
	const VkDebugUtilsMessengerCallbackDataEXT *data)
{
	pthread_mutex_lock(&instance->messenger_mutex);
	for (const VkBaseInStructure *s = instance->create_chain; s; s = s->pNext)
		if (s->sType == VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT)
			send((const void *)s, severity, type, data);
	for (struct icd_messenger *m = instance->messengers; m; m = m->next) {
		VkDebugUtilsMessengerCreateInfoEXT info = { .messageSeverity = m->severities,
			.messageType = m->types, .pfnUserCallback = m->callback, .pUserData = m->user_data };
		send(&info, severity, type, data);
	}
	pthread_mutex_unlock(&instance->messenger_mutex);
}

static VkDebugUtilsObjectNameInfoEXT name_of(const struct icd_object *about)
{
	return (VkDebugUtilsObjectNameInfoEXT){
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = about ? about->type : VK_OBJECT_TYPE_UNKNOWN,
		.objectHandle = (uint64_t)(uintptr_t)about,
		.pObjectName = about ? about->name : NULL,
	};
}

static void log_va(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
	const struct icd_object *about, const char *format, va_list args)
{
	char text[1024];
	VkDebugUtilsObjectNameInfoEXT object = name_of(about);
	VkDebugUtilsMessengerCallbackDataEXT data = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
		.pMessageIdName = "quadwave",
		.pMessage = text,
		.objectCount = about ? 1 : 0,
		.pObjects = &object,
	};
	vsnprintf(text, sizeof text, format, args);
	if (instance->env.debug)
		fprintf(stderr, "quadwave: %s\n", text);
	broadcast(instance, severity, VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
		VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, &data);
}

void icd_log(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
	const struct icd_object *about, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	log_va(instance, severity, about, format, args);
	va_end(args);
}

void icd_report_binding(const struct icd_object *about, VkDeviceAddressBindingTypeEXT type, uint64_t address,
	uint64_t bytes)
{
	VkDeviceAddressBindingCallbackDataEXT binding = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT,
		.baseAddress = address, .size = bytes, .bindingType = type,
	};
	VkDebugUtilsObjectNameInfoEXT object = name_of(about);
	VkDebugUtilsMessengerCallbackDataEXT data = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
		.pNext = &binding,
		.pMessageIdName = "quadwave",
		.pMessage = type == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT ? "addresses bound" : "addresses unbound",
		.objectCount = 1,
		.pObjects = &object,
	};
	if (about->device->enabled.reportAddressBinding && address)
		broadcast(about->device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
			VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT, &data);
}

VkResult icd_error(struct icd_instance *instance, VkResult result, const struct icd_object *about,
	const char *format, ...)
{
	va_list args;
	va_start(args, format);
	log_va(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, about, format, args);
	va_end(args);
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDebugUtilsMessengerEXT(VkInstance _instance,
	const VkDebugUtilsMessengerCreateInfoEXT *pCreateInfo,
	const VkAllocationCallbacks *pAllocator, VkDebugUtilsMessengerEXT *pMessenger)
{
	ICD_FROM_HANDLE(icd_instance, instance, _instance);
	struct icd_messenger *m = icd_zalloc(icd_alloc_pick(&instance->alloc, pAllocator), sizeof *m,
		VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
	if (!m)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	icd_object_init(&m->base, NULL, VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT);
	m->severities = pCreateInfo->messageSeverity;
	m->types = pCreateInfo->messageType;
	m->callback = pCreateInfo->pfnUserCallback;
	m->user_data = pCreateInfo->pUserData;
	pthread_mutex_lock(&instance->messenger_mutex);
	m->next = instance->messengers;
	instance->messengers = m;
	pthread_mutex_unlock(&instance->messenger_mutex);
	*pMessenger = icd_messenger_to_handle(m);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDebugUtilsMessengerEXT(VkInstance _instance,
	VkDebugUtilsMessengerEXT messenger, const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_instance, instance, _instance);
	ICD_FROM_HANDLE(icd_messenger, m, messenger);
	if (!m)
		return;
	pthread_mutex_lock(&instance->messenger_mutex);
	for (struct icd_messenger **p = &instance->messengers; *p; p = &(*p)->next) {
		if (*p == m) {
			*p = m->next;
			break;
		}
	}
	pthread_mutex_unlock(&instance->messenger_mutex);
	icd_free(icd_alloc_pick(&instance->alloc, pAllocator), m);
}

VKAPI_ATTR void VKAPI_CALL icd_SubmitDebugUtilsMessageEXT(VkInstance _instance,
	VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
	const VkDebugUtilsMessengerCallbackDataEXT *pCallbackData)
{
	ICD_FROM_HANDLE(icd_instance, instance, _instance);
	broadcast(instance, severity, types, pCallbackData);
}

static bool is_device_child(VkObjectType type)
{
	return type != VK_OBJECT_TYPE_UNKNOWN && type != VK_OBJECT_TYPE_INSTANCE &&
		type != VK_OBJECT_TYPE_PHYSICAL_DEVICE && type != VK_OBJECT_TYPE_SURFACE_KHR &&
		type != VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT && type != VK_OBJECT_TYPE_DEVICE;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_SetDebugUtilsObjectNameEXT(VkDevice _device,
	const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_object *object = (struct icd_object *)(uintptr_t)pNameInfo->objectHandle;
	size_t length = pNameInfo->pObjectName ? strlen(pNameInfo->pObjectName) : 0;
	char *name = NULL;
	if (!object || !is_device_child(pNameInfo->objectType) || object->type != pNameInfo->objectType)
		return VK_SUCCESS;
	if (length) {
		name = icd_zalloc(&device->alloc, length + 1, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
		if (!name)
			return VK_ERROR_OUT_OF_HOST_MEMORY;
		memcpy(name, pNameInfo->pObjectName, length);
	}
	icd_free(&device->alloc, object->name);
	object->name = name;
	return VK_SUCCESS;
}

/* Tags are for tools between us and the application. */
VKAPI_ATTR VkResult VKAPI_CALL icd_SetDebugUtilsObjectTagEXT(VkDevice device,
	const VkDebugUtilsObjectTagInfoEXT *pTagInfo)
{
	return VK_SUCCESS;
}

/* Labels, too. */
VKAPI_ATTR void VKAPI_CALL icd_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer cmd,
	const VkDebugUtilsLabelEXT *pLabelInfo)
{
}

VKAPI_ATTR void VKAPI_CALL icd_CmdEndDebugUtilsLabelEXT(VkCommandBuffer cmd)
{
}

VKAPI_ATTR void VKAPI_CALL icd_CmdInsertDebugUtilsLabelEXT(VkCommandBuffer cmd,
	const VkDebugUtilsLabelEXT *pLabelInfo)
{
}

VKAPI_ATTR void VKAPI_CALL icd_QueueBeginDebugUtilsLabelEXT(VkQueue queue,
	const VkDebugUtilsLabelEXT *pLabelInfo)
{
}

VKAPI_ATTR void VKAPI_CALL icd_QueueEndDebugUtilsLabelEXT(VkQueue queue)
{
}

VKAPI_ATTR void VKAPI_CALL icd_QueueInsertDebugUtilsLabelEXT(VkQueue queue,
	const VkDebugUtilsLabelEXT *pLabelInfo)
{
}
