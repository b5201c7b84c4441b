/* SPDX-License-Identifier: MIT */
#include "icd/buffer.h"

#include <string.h>
#include "icd/device.h"
#include "icd/device_memory.h"
#include "isa/resource.h"

enum { BUFFER_ALIGNMENT = 64 };

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateBuffer(VkDevice _device,
	const VkBufferCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
	VkBuffer *pBuffer)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_buffer *buffer;
	if (pCreateInfo->flags & ~(VkFlags)(VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT |
		VK_BUFFER_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT))
		return icd_error(device->instance, VK_ERROR_FEATURE_NOT_PRESENT, NULL,
			"vkCreateBuffer: flags 0x%x (sparse or protected) are not supported", pCreateInfo->flags);
	buffer = icd_object_alloc(device, pAllocator, sizeof *buffer, VK_OBJECT_TYPE_BUFFER);
	if (!buffer)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	buffer->size = pCreateInfo->size;
	buffer->usage = pCreateInfo->usage;
	*pBuffer = icd_buffer_to_handle(buffer);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyBuffer(VkDevice _device, VkBuffer _buffer,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_buffer, buffer, _buffer);
	if (buffer)
		icd_report_binding(&buffer->base, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, buffer->address, buffer->size);
	icd_object_free(device, pAllocator, buffer);
}

static void fill_requirements(uint64_t size, VkMemoryRequirements *p)
{
	p->size = (size + BUFFER_ALIGNMENT - 1) & ~(uint64_t)(BUFFER_ALIGNMENT - 1);
	if (p->size < size)
		p->size = size;
	p->alignment = BUFFER_ALIGNMENT;
	p->memoryTypeBits = (1u << ICD_MEMORY_TYPES) - 1;
}

static void fill_requirements2(uint64_t size, VkMemoryRequirements2 *p)
{
	fill_requirements(size, &p->memoryRequirements);
	icd_no_dedication(p->pNext);
}

void icd_no_dedication(void *chain)
{
	for (VkBaseOutStructure *s = chain; s; s = s->pNext) {
		if (s->sType == VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS) {
			((VkMemoryDedicatedRequirements *)s)->prefersDedicatedAllocation = VK_FALSE;
			((VkMemoryDedicatedRequirements *)s)->requiresDedicatedAllocation = VK_FALSE;
		}
	}
}

VKAPI_ATTR void VKAPI_CALL icd_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
	VkMemoryRequirements *p)
{
	fill_requirements(icd_buffer_from_handle(buffer)->size, p);
}

VKAPI_ATTR void VKAPI_CALL icd_GetBufferMemoryRequirements2(VkDevice device,
	const VkBufferMemoryRequirementsInfo2 *pInfo, VkMemoryRequirements2 *p)
{
	fill_requirements2(icd_buffer_from_handle(pInfo->buffer)->size, p);
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceBufferMemoryRequirements(VkDevice device,
	const VkDeviceBufferMemoryRequirements *pInfo, VkMemoryRequirements2 *p)
{
	fill_requirements2(pInfo->pCreateInfo->size, p);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_BindBufferMemory(VkDevice device, VkBuffer _buffer,
	VkDeviceMemory memory, VkDeviceSize offset)
{
	ICD_FROM_HANDLE(icd_buffer, buffer, _buffer);
	buffer->address = icd_address(icd_device_memory_from_handle(memory)->map) + offset;
	icd_report_binding(&buffer->base, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, buffer->address, buffer->size);
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_BindBufferMemory2(VkDevice device, uint32_t bindInfoCount,
	const VkBindBufferMemoryInfo *pBindInfos)
{
	for (uint32_t i = 0; i < bindInfoCount; i++)
		icd_BindBufferMemory(device, pBindInfos[i].buffer, pBindInfos[i].memory,
			pBindInfos[i].memoryOffset);
	return VK_SUCCESS;
}

/* --- addresses: those of the host, so a captured one is that of the memory (device_memory.c) --- */

VKAPI_ATTR VkDeviceAddress VKAPI_CALL icd_GetBufferDeviceAddress(VkDevice device,
	const VkBufferDeviceAddressInfo *pInfo)
{
	return icd_buffer_from_handle(pInfo->buffer)->address;
}

VKAPI_ATTR uint64_t VKAPI_CALL icd_GetBufferOpaqueCaptureAddress(VkDevice device, const VkBufferDeviceAddressInfo *pInfo)
{
	return icd_buffer_from_handle(pInfo->buffer)->address;
}
