/* SPDX-License-Identifier: MIT */
#include "icd/descriptor_pool.h"

#include <string.h>
#include "icd/device.h"
#include "isa/abi.h"

enum { SET_ALIGNMENT = 32 };

static uint32_t align_set(uint64_t bytes)
{
	return (uint32_t)((bytes + SET_ALIGNMENT - 1) & ~(uint64_t)(SET_ALIGNMENT - 1));
}

/* Descriptors of a set with so many in a binding that is variable. */
static uint32_t descriptor_bytes(const struct icd_descriptor_set_layout *layout, uint32_t variable)
{
	if (!layout->variable)
		return layout->bytes;
	const struct icd_binding *last = &layout->binding[layout->binding_count - 1];
	return layout->bytes - (uint32_t)(icd_binding_bytes(last, last->count) - icd_binding_bytes(last, variable));
}

/* A set struct that is not in use; NULL when all are. */
static struct icd_descriptor_set *take_struct(struct icd_descriptor_pool *pool)
{
	struct icd_descriptor_set *set = pool->free;
	if (set)
		pool->free = set->next;
	else if (pool->fresh < pool->max_sets)
		set = &pool->sets[pool->fresh++];
	return set;
}

/* What sets of so many descriptors can need. */
static uint64_t pool_bytes(const VkDescriptorPoolCreateInfo *info)
{
	const VkDescriptorPoolInlineUniformBlockCreateInfo *blocks =
		icd_find_struct(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO);
	uint64_t bytes = (uint64_t)info->maxSets * SET_ALIGNMENT;
	if (blocks) /* a V# each, and up to the next one */
		bytes += (uint64_t)blocks->maxInlineUniformBlockBindings * 2 * ABI_DESC_BUFFER_BYTES;
	for (uint32_t i = 0; i < info->poolSizeCount; i++) {
		const VkDescriptorPoolSize *s = &info->pPoolSizes[i];
		bytes += (uint64_t)s->descriptorCount * (icd_is_dynamic(s->type) ? sizeof(struct icd_dynamic_buffer) :
			icd_descriptor_bytes(s->type, icd_mutable_list(info->pNext, i)));
	}
	return bytes;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDescriptorPool(VkDevice _device,
	const VkDescriptorPoolCreateInfo *info, const VkAllocationCallbacks *pAllocator,
	VkDescriptorPool *pDescriptorPool)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_descriptor_pool *pool;
	const uint64_t bytes = pool_bytes(info);

	if (bytes > INT32_MAX)
		return icd_error(device->instance, VK_ERROR_OUT_OF_DEVICE_MEMORY, NULL,
			"vkCreateDescriptorPool: descriptors of %llu bytes, a pool has room for 2 GiB", (unsigned long long)bytes);
	pool = icd_object_alloc(device, pAllocator,
		sizeof *pool + (size_t)info->maxSets * sizeof *pool->sets, VK_OBJECT_TYPE_DESCRIPTOR_POOL);
	if (!pool)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	pool->flags = info->flags;
	pool->sets = (void *)(pool + 1);
	pool->max_sets = info->maxSets;
	pool->bytes = (uint32_t)bytes;
	pool->memory = icd_gpu_alloc(device, pAllocator, pool->bytes, 64);
	if (!pool->memory) {
		icd_object_free(device, pAllocator, pool);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	icd_report_binding(&pool->base, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT,
		icd_address(pool->memory), pool->bytes);
	*pDescriptorPool = icd_descriptor_pool_to_handle(pool);
	return VK_SUCCESS;
}

static void release(struct icd_descriptor_pool *pool, struct icd_descriptor_set *set)
{
	icd_descriptor_set_layout_unref(pool->base.device, set->layout);
	icd_object_finish(&set->base);
	memset(set, 0, sizeof *set);
	pool->live--;
}

static void reset(struct icd_descriptor_pool *pool)
{
	while (pool->first) {
		struct icd_descriptor_set *set = pool->first;
		pool->first = set->next;
		release(pool, set);
	}
	pool->last = NULL;
	pool->used = 0;
	pool->free = NULL;
	pool->fresh = 0;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDescriptorPool(VkDevice _device,
	VkDescriptorPool descriptorPool, const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_descriptor_pool, pool, descriptorPool);
	if (!pool)
		return;
	reset(pool);
	icd_report_binding(&pool->base, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT,
		icd_address(pool->memory), pool->bytes);
	icd_gpu_free(device, pAllocator, pool->memory);
	icd_object_free(device, pAllocator, pool);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_ResetDescriptorPool(VkDevice device,
	VkDescriptorPool descriptorPool, VkDescriptorPoolResetFlags flags)
{
	reset(icd_descriptor_pool_from_handle(descriptorPool));
	return VK_SUCCESS;
}

/* Finds room for `bytes`: *after is the live set to put it behind (NULL: in
 * front of all), the result its address; NULL when there is no such gap. */
static uint8_t *find_gap(const struct icd_descriptor_pool *pool, uint32_t bytes,
	struct icd_descriptor_set **after)
{
	uint8_t *end = pool->last ? pool->last->memory + pool->last->bytes : pool->memory;
	*after = pool->last;
	if ((size_t)(pool->memory + pool->bytes - end) >= bytes)
		return end;
	*after = NULL;
	end = pool->memory;
	for (struct icd_descriptor_set *set = pool->first; set; set = set->next) {
		if ((size_t)(set->memory - end) >= bytes)
			return end;
		end = set->memory + set->bytes;
		*after = set;
	}
	return NULL;
}

static void link_after(struct icd_descriptor_pool *pool, struct icd_descriptor_set *set,
	struct icd_descriptor_set *after)
{
	set->prev = after;
	set->next = after ? after->next : pool->first;
	*(set->next ? &set->next->prev : &pool->last) = set;
	*(after ? &after->next : &pool->first) = set;
	pool->used += set->bytes;
}

static void unlink_set(struct icd_descriptor_pool *pool, struct icd_descriptor_set *set)
{
	*(set->prev ? &set->prev->next : &pool->first) = set->next;
	*(set->next ? &set->next->prev : &pool->last) = set->prev;
	pool->used -= set->bytes;
}

/* variable: the count of the layout's binding that is variable, if it has one. */
static VkResult allocate(struct icd_descriptor_pool *pool, struct icd_descriptor_set_layout *layout,
	uint32_t variable, struct icd_descriptor_set **out)
{
	struct icd_descriptor_set *set, *after;
	const uint32_t descriptors = descriptor_bytes(layout, variable);
	const uint32_t bytes = align_set(descriptors + (uint64_t)layout->dynamic_count * sizeof *set->dynamic);
	uint8_t *at;

	if (pool->live == pool->max_sets)
		return VK_ERROR_OUT_OF_POOL_MEMORY;
	at = find_gap(pool, bytes, &after);
	if (!at)
		return bytes <= pool->bytes - pool->used ? VK_ERROR_FRAGMENTED_POOL : VK_ERROR_OUT_OF_POOL_MEMORY;
	set = take_struct(pool);
	icd_object_init(&set->base, pool->base.device, VK_OBJECT_TYPE_DESCRIPTOR_SET);
	set->layout = layout;
	icd_descriptor_set_layout_ref(layout);
	set->pool = pool;
	set->memory = at;
	set->bytes = bytes;
	set->variable_count = variable;
	set->dynamic = (void *)(at + descriptors);
	link_after(pool, set, after);
	pool->live++;
	memset(at, 0, bytes);
	icd_descriptor_set_write_fixed(set);
	*out = set;
	return VK_SUCCESS;
}

static void free_set(struct icd_descriptor_pool *pool, struct icd_descriptor_set *set)
{
	if (!set)
		return;
	unlink_set(pool, set);
	release(pool, set);
	set->next = pool->free;
	pool->free = set;
}

/* The count of the i-th set's variable binding: what is not said is 0, and no layout has
 * room for more than it says. */
static uint32_t variable_count(const VkDescriptorSetAllocateInfo *info, uint32_t i,
	const struct icd_descriptor_set_layout *layout)
{
	const VkDescriptorSetVariableDescriptorCountAllocateInfo *counts =
		icd_find_struct(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
	if (!layout->variable || !counts || i >= counts->descriptorSetCount)
		return 0;
	const uint32_t most = layout->binding[layout->binding_count - 1].count;
	return counts->pDescriptorCounts[i] < most ? counts->pDescriptorCounts[i] : most;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_AllocateDescriptorSets(VkDevice device,
	const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *pDescriptorSets)
{
	ICD_FROM_HANDLE(icd_descriptor_pool, pool, info->descriptorPool);
	for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
		ICD_FROM_HANDLE(icd_descriptor_set_layout, layout, info->pSetLayouts[i]);
		struct icd_descriptor_set *set;
		VkResult result = allocate(pool, layout, variable_count(info, i, layout), &set);
		if (result != VK_SUCCESS) {
			while (i--)
				free_set(pool, icd_descriptor_set_from_handle(pDescriptorSets[i]));
			memset(pDescriptorSets, 0, info->descriptorSetCount * sizeof *pDescriptorSets);
			return result;
		}
		pDescriptorSets[i] = icd_descriptor_set_to_handle(set);
	}
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_FreeDescriptorSets(VkDevice device,
	VkDescriptorPool descriptorPool, uint32_t count, const VkDescriptorSet *pDescriptorSets)
{
	ICD_FROM_HANDLE(icd_descriptor_pool, pool, descriptorPool);
	for (uint32_t i = 0; i < count; i++)
		free_set(pool, icd_descriptor_set_from_handle(pDescriptorSets[i]));
	return VK_SUCCESS;
}
