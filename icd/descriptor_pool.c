/* SPDX-License-Identifier: MIT */
#include "icd/descriptor_pool.h"

#include <string.h>
#include "icd/buffer.h"
#include "icd/device.h"
#include "isa/abi.h"

enum { SET_ALIGNMENT = 32 };

static uint32_t align_set(uint64_t bytes)
{
	return (uint32_t)((bytes + SET_ALIGNMENT - 1) & ~(uint64_t)(SET_ALIGNMENT - 1));
}

static uint32_t set_bytes(const struct icd_descriptor_set_layout *layout)
{
	return align_set(layout->bytes + (uint64_t)layout->dynamic_count *
		sizeof(struct icd_dynamic_buffer));
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

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDescriptorPool(VkDevice _device,
	const VkDescriptorPoolCreateInfo *info, const VkAllocationCallbacks *pAllocator,
	VkDescriptorPool *pDescriptorPool)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_descriptor_pool *pool;
	const VkDescriptorPoolInlineUniformBlockCreateInfo *blocks = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO);
	uint64_t bytes = (uint64_t)info->maxSets * SET_ALIGNMENT;

	for (uint32_t i = 0; i < info->poolSizeCount; i++) {
		const VkDescriptorPoolSize *s = &info->pPoolSizes[i];
		bytes += icd_is_dynamic(s->type) ? (uint64_t)s->descriptorCount * sizeof(struct icd_dynamic_buffer) :
			icd_binding_bytes(s->type, s->descriptorCount);
	}
	/* Each block begins and ends at 16 bytes. */
	if (blocks)
		bytes += (uint64_t)blocks->maxInlineUniformBlockBindings * 2 * ICD_INLINE_DATA;
	if (bytes > INT32_MAX)
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
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

static void write_immutable(struct icd_descriptor_set *set)
{
	for (uint32_t i = 0; i < set->layout->binding_count; i++) {
		const struct icd_binding *b = &set->layout->binding[i];
		uint32_t skip = b->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ?
			ABI_DESC_COMBINED_SAMPLER : 0;
		for (uint32_t n = 0; b->immutable && n < b->count; n++)
			memcpy(set->memory + b->offset + n * b->stride + skip, b->immutable[n],
				sizeof b->immutable[n]);
	}
}

static void write_inline(struct icd_descriptor_set *set)
{
	for (uint32_t i = 0; i < set->layout->binding_count; i++) {
		const struct icd_binding *b = &set->layout->binding[i];
		uint8_t *at = set->memory + b->offset;
		uint32_t v[4];
		if (!icd_is_inline(b->type))
			continue;
		icd_raw_v(icd_address(at + ICD_INLINE_DATA), b->count, v);
		memcpy(at, v, sizeof v);
	}
}

static VkResult allocate(struct icd_descriptor_pool *pool,
	struct icd_descriptor_set_layout *layout, struct icd_descriptor_set **out)
{
	struct icd_descriptor_set *set, *after;
	uint32_t bytes = set_bytes(layout);
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
	set->dynamic = (void *)(at + layout->bytes);
	link_after(pool, set, after);
	pool->live++;
	memset(at, 0, bytes);
	write_immutable(set);
	write_inline(set);
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

VKAPI_ATTR VkResult VKAPI_CALL icd_AllocateDescriptorSets(VkDevice device,
	const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *pDescriptorSets)
{
	ICD_FROM_HANDLE(icd_descriptor_pool, pool, info->descriptorPool);
	for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
		struct icd_descriptor_set *set;
		VkResult result = allocate(pool,
			icd_descriptor_set_layout_from_handle(info->pSetLayouts[i]), &set);
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
