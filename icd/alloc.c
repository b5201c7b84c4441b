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
	p = a->pfnAllocation(a->pUserData, size, align, scope);
	if (p)
		memset(p, 0, size);
	return p;
}

void *icd_zalloc(const VkAllocationCallbacks *a, size_t size, VkSystemAllocationScope scope)
{
	return icd_zalloc_aligned(a, size, 16, scope);
}

void icd_free(const VkAllocationCallbacks *a, void *p)
{
	if (p)
		a->pfnFree(a->pUserData, p);
}
