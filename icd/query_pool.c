/* SPDX-License-Identifier: MIT */
#include "icd/query_pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include "icd/device.h"
#include "isa/pm4.h"

static_assert(VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT == 1 &&
	VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT == 1 << 5 &&
	VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT == 1 << 10 &&
	VK_QUERY_PIPELINE_STATISTIC_TASK_SHADER_INVOCATIONS_BIT_EXT == 1 << 11 &&
	VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT == 1 << 12, "results are in the order of isa_query_stat");

/* Behind what VkQueryPipelineStatisticFlagBits names. */
enum { MESH_PRIMITIVES = VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT << 1 };

/* As isa/query.h names it; -1: there is no such query. */
static int64_t kind_of(const VkQueryPoolCreateInfo *info)
{
	switch (info->queryType) {
	case VK_QUERY_TYPE_OCCLUSION: return PM4_QUERY_OCCLUSION;
	case VK_QUERY_TYPE_TIMESTAMP: return PM4_QUERY_TIMESTAMP;
	case VK_QUERY_TYPE_PIPELINE_STATISTICS: return ISA_QUERY_KIND(PM4_QUERY_STATISTICS, info->pipelineStatistics);
	case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT: return PM4_QUERY_STREAMOUT;
	case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT: return PM4_QUERY_PRIMITIVES;
	case VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT: return ISA_QUERY_KIND(PM4_QUERY_STATISTICS, MESH_PRIMITIVES);
	default: return -1;
	}
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateQueryPool(VkDevice _device,
	const VkQueryPoolCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
	VkQueryPool *pQueryPool)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_query_pool *pool;

	int64_t kind = kind_of(pCreateInfo);
	if (kind < 0)
		return icd_error(device->instance, VK_ERROR_FEATURE_NOT_PRESENT, NULL,
			"vkCreateQueryPool: query type %d is not supported", pCreateInfo->queryType);
	pool = icd_object_alloc(device, pAllocator, sizeof *pool, VK_OBJECT_TYPE_QUERY_POOL);
	if (!pool)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	pool->type = pCreateInfo->queryType;
	pool->kind = (uint32_t)kind;
	pool->count = pCreateInfo->queryCount;
	pool->stride = isa_query_stride(pool->kind);
	pool->slot = icd_gpu_alloc(device, pAllocator, pool->count * pool->stride, 64);
	if (!pool->slot) {
		icd_object_free(device, pAllocator, pool);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	icd_report_binding(&pool->base, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT,
		icd_address(pool->slot), pool->count * pool->stride);
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
		icd_address(pool->slot), pool->count * pool->stride);
	icd_gpu_free(device, pAllocator, pool->slot);
	icd_object_free(device, pAllocator, pool);
}

VKAPI_ATTR void VKAPI_CALL icd_ResetQueryPool(VkDevice device, VkQueryPool queryPool,
	uint32_t firstQuery, uint32_t queryCount)
{
	ICD_FROM_HANDLE(icd_query_pool, pool, queryPool);
	memset(pool->slot + firstQuery * pool->stride, 0, queryCount * pool->stride);
}

static bool is_available(const struct icd_query_pool *pool, const uint8_t *slot)
{
	return __atomic_load_n((const uint64_t *)(slot + isa_query_available(pool->kind)), __ATOMIC_ACQUIRE) != 0;
}

/* Waits for the queue to write the slot: soon in naps, since the CPU may be wanted for what is waited for. */
static VkResult wait_slot(struct icd_device *device, const struct icd_query_pool *pool, const uint8_t *slot)
{
	enum { YIELDS = 50, NAP_NS = 50000 };
	const struct timespec nap = { .tv_nsec = NAP_NS };
	for (unsigned n = 0; !is_available(pool, slot) && !icd_device_is_lost(device); n++) {
		if (n < YIELDS)
			sched_yield();
		else
			nanosleep(&nap, NULL);
	}
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
		const uint8_t *slot = pool->slot + (firstQuery + i) * pool->stride;
		uint8_t *dst = (uint8_t *)pData + i * stride;
		uint64_t value[ISA_QUERY_RESULTS];
		if (flags & VK_QUERY_RESULT_WAIT_BIT && wait_slot(device, pool, slot) != VK_SUCCESS)
			return VK_ERROR_DEVICE_LOST;
		bool available = is_available(pool, slot);
		unsigned n = isa_query_results(pool->kind, slot, available, value);
		if (available || flags & VK_QUERY_RESULT_PARTIAL_BIT)
			for (unsigned k = 0; k < n; k++)
				put(dst, k, value[k], flags);
		else
			result = VK_NOT_READY;
		if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
			put(dst, n, available, flags);
	}
	return result;
}
