/* SPDX-License-Identifier: MIT */
/* What every object begins with, and the casts between handles and objects.
 * Handles never leave icd/. */
#ifndef ICD_OBJECT_H
#define ICD_OBJECT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include "icd/alloc.h"
#include "icd/vk.h"

struct icd_device;
struct icd_private_data;

struct icd_object {
	VK_LOADER_DATA loader;     /* the loader's word in dispatchable objects: stays first */
	VkObjectType type;
	struct icd_device *device; /* NULL for instance-level objects */
	char *name;                /* from vkSetDebugUtilsObjectNameEXT, or NULL */
	struct icd_private_data *private_data; /* icd/private_data.h */
};

/* Allocates a zeroed object of the device with its base filled; NULL without
 * memory.  icd_object_free accepts NULL. */
void *icd_object_alloc(struct icd_device *device, const VkAllocationCallbacks *a, size_t size,
	VkObjectType type);
void icd_object_free(struct icd_device *device, const VkAllocationCallbacks *a, void *object);
/* For objects that live inside others or below an instance. */
void icd_object_init(struct icd_object *base, struct icd_device *device, VkObjectType type);
void icd_object_finish(struct icd_object *base);

/* struct NAME <-> VkHANDLE: NAME_from_handle, NAME_to_handle. NULL maps to NULL. */
#define ICD_OBJECT(NAME, HANDLE, TYPE) \
	static_assert(offsetof(struct NAME, base) == 0, "the base comes first"); \
	static inline struct NAME *NAME##_from_handle(HANDLE h) \
	{ \
		struct NAME *o = (struct NAME *)(uintptr_t)h; \
		assert(!o || o->base.type == TYPE); \
		return o; \
	} \
	static inline HANDLE NAME##_to_handle(struct NAME *o) { return (HANDLE)(uintptr_t)o; }

/* Opens an entry point: ICD_FROM_HANDLE(icd_buffer, buffer, handle); */
#define ICD_FROM_HANDLE(NAME, var, handle) struct NAME *var = NAME##_from_handle(handle)

/* The first structure of a type in a pNext chain, or NULL. */
static inline const void *icd_find_struct(const void *chain, VkStructureType type)
{
	const VkBaseInStructure *s = chain;
	while (s && s->sType != type)
		s = s->pNext;
	return s;
}

#endif
