/* SPDX-License-Identifier: MIT */
#include "icd/device_memory.h"

#include <string.h>
#include <sys/mman.h>
#include "icd/device.h"
#include "icd/process.h"

enum { PAGE = 4096, TAIL = 64 };

/* Takes bytes out of the process's budget; false when they are not there. */
static bool take(struct icd_device *device, uint64_t bytes)
{
	const struct icd_physical_device *pd = device->physical_device;
	if (atomic_load(&device->memory_count) >= pd->properties.limits.maxMemoryAllocationCount ||
		!icd_process_take_memory(bytes, pd->heap_size))
		return false;
	atomic_fetch_add(&device->memory_count, 1);
	return true;
}

static void give_back(struct icd_device *device, uint64_t bytes)
{
	icd_process_give_memory(bytes);
	atomic_fetch_sub(&device->memory_count, 1);
}

/* Pages of their own; where they were when they were captured, if `at` is not 0. */
static uint8_t *map_pages(size_t bytes, uint64_t at)
{
	void *hint = (void *)(uintptr_t)at;
	void *map = mmap(hint, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
	if (map == MAP_FAILED)
		return NULL;
	if (at && map != hint) { /* a kernel that does not know the flag */
		munmap(map, bytes);
		return NULL;
	}
	return map;
}

/* Memory whose address somebody may ask for again goes where neither the kernel nor the C library
 * puts anything, one piece behind the other, from a start that differs between processes. */
static uint8_t *map_replayable(size_t bytes)
{
	static const uint64_t first = 0x110000000000, span = 1ull << 43, grain = 1 << 16;
	static _Atomic uint64_t used;
	const uint64_t start = (uint64_t)(uintptr_t)&used / PAGE * grain, room = (bytes + grain - 1) & ~(grain - 1);
	uint8_t *map = NULL;
	for (int tries = 0; !map && tries < 64 && room < span; tries++)
		map = map_pages(bytes, first + (start + atomic_fetch_add(&used, room)) % (span - room) / grain * grain);
	return map ? map : map_pages(bytes, 0);
}

static void poison_memory(struct icd_device_memory *memory, uint32_t poison)
{
	for (size_t at = 0; at < memory->map_bytes; at += sizeof poison)
		memcpy(memory->map + at, &poison, sizeof poison);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_AllocateMemory(VkDevice _device,
	const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *pAllocator,
	VkDeviceMemory *pMemory)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_device_memory *memory;
	VkResult result;

	if (info->memoryTypeIndex >= ICD_MEMORY_TYPES || !take(device, info->allocationSize))
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	memory = icd_object_alloc(device, pAllocator, sizeof *memory, VK_OBJECT_TYPE_DEVICE_MEMORY);
	if (!memory) {
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
		goto give_back;
	}
	memory->size = info->allocationSize;
	memory->map_bytes = (size_t)((info->allocationSize + TAIL + PAGE - 1) & ~(uint64_t)(PAGE - 1));
	const VkMemoryOpaqueCaptureAddressAllocateInfo *captured = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO);
	uint64_t at = captured ? captured->opaqueCaptureAddress : 0;
	const VkMemoryAllocateFlagsInfo *flags = icd_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
	bool replayable = !at && flags && flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
	memory->map = replayable ? map_replayable(memory->map_bytes) : map_pages(memory->map_bytes, at);
	if (!memory->map) {
		result = at ? VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
		goto free_object;
	}
	if (!rs_gpu_add_memory(device->gpu, memory->map, memory->map_bytes)) {
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
		goto unmap;
	}
	/* new pages are zeros, so who asked for zeros has them */
	if (device->physical_device->instance->env.poison &&
		!(flags && flags->flags & VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT))
		poison_memory(memory, device->physical_device->instance->env.poison);
	icd_report_binding(&memory->base, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, icd_address(memory->map), memory->size);
	*pMemory = icd_device_memory_to_handle(memory);
	return VK_SUCCESS;

unmap:
	munmap(memory->map, memory->map_bytes);
free_object:
	icd_object_free(device, pAllocator, memory);
give_back:
	give_back(device, info->allocationSize);
	return result;
}

VKAPI_ATTR void VKAPI_CALL icd_FreeMemory(VkDevice _device, VkDeviceMemory _memory,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_device_memory, memory, _memory);
	if (!memory)
		return;
	icd_report_binding(&memory->base, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, icd_address(memory->map), memory->size);
	rs_gpu_remove_memory(device->gpu, memory->map);
	munmap(memory->map, memory->map_bytes);
	give_back(device, memory->size);
	icd_object_free(device, pAllocator, memory);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_MapMemory(VkDevice device, VkDeviceMemory memory,
	VkDeviceSize offset, VkDeviceSize size, VkMemoryMapFlags flags, void **ppData)
{
	*ppData = icd_device_memory_from_handle(memory)->map + offset;
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_UnmapMemory(VkDevice device, VkDeviceMemory memory)
{
}

VKAPI_ATTR VkResult VKAPI_CALL icd_MapMemory2KHR(VkDevice device, const VkMemoryMapInfoKHR *info, void **data)
{
	return icd_MapMemory(device, info->memory, info->offset, info->size, info->flags, data);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_UnmapMemory2KHR(VkDevice device, const VkMemoryUnmapInfoKHR *info)
{
	return VK_SUCCESS;
}

/* All memory is coherent. */
VKAPI_ATTR VkResult VKAPI_CALL icd_FlushMappedMemoryRanges(VkDevice device, uint32_t count,
	const VkMappedMemoryRange *ranges)
{
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_InvalidateMappedMemoryRanges(VkDevice device, uint32_t count,
	const VkMappedMemoryRange *ranges)
{
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceMemoryCommitment(VkDevice device, VkDeviceMemory memory,
	VkDeviceSize *pCommittedMemoryInBytes)
{
	*pCommittedMemoryInBytes = icd_device_memory_from_handle(memory)->size;
}

VKAPI_ATTR uint64_t VKAPI_CALL icd_GetDeviceMemoryOpaqueCaptureAddress(VkDevice device,
	const VkDeviceMemoryOpaqueCaptureAddressInfo *pInfo)
{
	return icd_address(icd_device_memory_from_handle(pInfo->memory)->map);
}

/* Everything stays where it is: there is nothing to choose from. */
VKAPI_ATTR void VKAPI_CALL icd_SetDeviceMemoryPriorityEXT(VkDevice device, VkDeviceMemory memory, float priority)
{
}
