/* SPDX-License-Identifier: MIT */
#include "icd/query_pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include "icd/device.h"
#include "isa/pm4.h"

static_assert(sizeof(struct icd_query_slot) == 32, "as QW_COPY_QUERY reads them");

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateQueryPool(VkDevice _device,
	const VkQueryPoolCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
	VkQueryPool *pQueryPool)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_query_pool *pool;

	if (pCreateInfo->queryType != VK_QUERY_TYPE_OCCLUSION &&
		pCreateInfo->queryType != VK_QUERY_TYPE_TIMESTAMP)
		return icd_error(device->instance, VK_ERROR_FEATURE_NOT_PRESENT, NULL,
			"vkCreateQueryPool: query type %d is not supported", pCreateInfo->queryType);
	pool = icd_object_alloc(device, pAllocator, sizeof *pool, VK_OBJECT_TYPE_QUERY_POOL);
	if (!pool)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	pool->type = pCreateInfo->queryType;
	pool->kind = pool->type == VK_QUERY_TYPE_OCCLUSION ? PM4_QUERY_OCCLUSION : PM4_QUERY_TIMESTAMP;
	pool->count = pCreateInfo->queryCount;
	pool->slot = icd_gpu_alloc(device, pAllocator, (size_t)pool->count * sizeof *pool->slot, 64);
	if (!pool->slot) {
		icd_object_free(device, pAllocator, pool);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	icd_report_binding(&pool->base, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT,
		icd_address(pool->slot), (uint64_t)pool->count * sizeof *pool->slot);
	*pQueryPool = icd_query_pool_to_handle(pool);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyQueryPool(VkDevice _device, VkQueryPool queryPool,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_query_pool, pool, queryPool);
	if (!pool)
		return;
	icd_report_binding(&pool->base, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT,
		icd_address(pool->slot), (uint64_t)pool->count * sizeof *pool->slot);
	icd_gpu_free(device, pAllocator, pool->slot);
	icd_object_free(device, pAllocator, pool);
}

VKAPI_ATTR void VKAPI_CALL icd_ResetQueryPool(VkDevice device, VkQueryPool queryPool,
	uint32_t firstQuery, uint32_t queryCount)
{
	ICD_FROM_HANDLE(icd_query_pool, pool, queryPool);
	memset(pool->slot + firstQuery, 0, (size_t)queryCount * sizeof *pool->slot);
}

static bool is_available(const struct icd_query_slot *slot)
{
	return __atomic_load_n(&slot->available, __ATOMIC_ACQUIRE) != 0;
}

/* Waits for the queue to write the slot. */
static VkResult wait_slot(struct icd_device *device, const struct icd_query_slot *slot)
{
	while (!is_available(slot) && !icd_device_is_lost(device))
		sched_yield();
	return icd_device_status(device);
}

static void put(uint8_t *dst, uint32_t index, uint64_t value, VkQueryResultFlags flags)
{
	uint32_t word = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
	if (flags & VK_QUERY_RESULT_64_BIT)
		memcpy(dst + 8 * index, &value, 8);
	else
		memcpy(dst + 4 * index, &word, 4);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetQueryPoolResults(VkDevice _device, VkQueryPool queryPool,
	uint32_t firstQuery, uint32_t queryCount, size_t dataSize, void *pData, VkDeviceSize stride,
	VkQueryResultFlags flags)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_query_pool, pool, queryPool);
	VkResult result = VK_SUCCESS;

	if (icd_device_status(device) != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	for (uint32_t i = 0; i < queryCount; i++) {
		const struct icd_query_slot *slot = &pool->slot[firstQuery + i];
		uint8_t *dst = (uint8_t *)pData + i * stride;
		bool available;
		uint64_t value = 0;
		if (flags & VK_QUERY_RESULT_WAIT_BIT && wait_slot(device, slot) != VK_SUCCESS)
			return VK_ERROR_DEVICE_LOST;
		available = is_available(slot);
		if (available)
			value = slot->end - (pool->kind == PM4_QUERY_OCCLUSION ? slot->begin : 0);
		if (available || flags & VK_QUERY_RESULT_PARTIAL_BIT)
			put(dst, 0, value, flags);
		else
			result = VK_NOT_READY;
		if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
			put(dst, 1, available, flags);
	}
	return result;
}
