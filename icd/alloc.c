/* SPDX-License-Identifier: MIT */
#include "icd/alloc.h"

#include <stdlib.h>
#include <string.h>

static VKAPI_ATTR void *VKAPI_CALL default_alloc(void *user, size_t size, size_t align,
	VkSystemAllocationScope scope)
{
	void *p;
	if (align <= _Alignof(max_align_t))
		return malloc(size);
	return posix_memalign(&p, align, size) ? NULL : p;
}

/* Only the contract's completeness asks for this one: the driver never reallocates. */
static VKAPI_ATTR void *VKAPI_CALL default_realloc(void *user, void *original, size_t size,
	size_t align, VkSystemAllocationScope scope)
{
	if (align <= _Alignof(max_align_t))
		return realloc(original, size);
	return NULL;
}

static VKAPI_ATTR void VKAPI_CALL default_free(void *user, void *p)
{
	free(p);
}

const VkAllocationCallbacks icd_default_alloc = {
	.pfnAllocation = default_alloc,
	.pfnReallocation = default_realloc,
	.pfnFree = default_free,
};

void *icd_zalloc_aligned(const VkAllocationCallbacks *a, size_t size, size_t align,
	VkSystemAllocationScope scope)
{
	void *p;
	if (!size)
		size = 1;
	/* calloc knows which memory is zero already, and leaves it untouched. */
	if (a->pfnAllocation == default_alloc && align <= _Alignof(max_align_t))
		return calloc(1, size);
	p = a->pfnAllocation(a->pUserData, size, align, scope);
	if (p)
		memset(p, 0, size);
	return p;
}

void *icd_zalloc(const VkAllocationCallbacks *a, size_t size, VkSystemAllocationScope scope)
{
	return icd_zalloc_aligned(a, size, 16, scope);
}

void *icd_zalloc_big(const VkAllocationCallbacks *a, size_t size, size_t align,
	VkSystemAllocationScope scope)
{
	if (a->pfnAllocation != default_alloc)
		return icd_zalloc_aligned(a, size, align, scope);
	if (size > SIZE_MAX - align - sizeof(void *))
		return NULL;
	void *block = calloc(1, size + align + sizeof(void *));
	if (!block)
		return NULL;
	/* In front of the result lies what is to be freed. */
	uintptr_t p = ((uintptr_t)block + sizeof(void *) + align - 1) & ~(uintptr_t)(align - 1);
	((void **)p)[-1] = block;
	return (void *)p;
}

void icd_free_big(const VkAllocationCallbacks *a, void *p)
{
	if (p && a->pfnAllocation == default_alloc)
		p = ((void **)p)[-1];
	icd_free(a, p);
}

void icd_free(const VkAllocationCallbacks *a, void *p)
{
	if (p)
		a->pfnFree(a->pUserData, p);
}
