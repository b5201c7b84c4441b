/* SPDX-License-Identifier: MIT */
/* What graphics and compute pipelines share. */
#include "icd/pipeline.h"

#include <stdlib.h>
#include <string.h>
#include "icd/device.h"
#include "icd/pm4_build.h"
#include "icd/program.h"

struct icd_pipeline *icd_pipeline_alloc(struct icd_device *device,
	const VkAllocationCallbacks *alloc, VkPipelineBindPoint bind_point, VkPipelineLayout layout)
{
	struct icd_pipeline *p = icd_object_alloc(device, alloc, sizeof *p, VK_OBJECT_TYPE_PIPELINE);
	if (!p)
		return NULL;
	p->bind_point = bind_point;
	p->layout = icd_pipeline_layout_from_handle(layout);
	icd_pipeline_layout_ref(p->layout);
	return p;
}

enum { CODE_ALIGNMENT_DWORDS = 64 };

static uint32_t padded(uint32_t dwords)
{
	return (dwords + CODE_ALIGNMENT_DWORDS - 1) / CODE_ALIGNMENT_DWORDS * CODE_ALIGNMENT_DWORDS;
}

/* Now is when an application expects to wait; a program that cannot be made
 * ready is tried again, and complained about, where it is used. */
static void prepare(struct icd_device *device, struct icd_pipeline_cache *cache,
	const uint32_t *code, struct icd_program_id *id)
{
	struct icd_translation *kept = cache ? icd_translations_find(&device->translations, id->key) : NULL;
	struct rs_prepare how = { .name = id->name, .label = id->label, .decoded = id->decoded,
		.saved = kept ? kept->data : NULL, .saved_bytes = kept ? kept->bytes : 0 };
	id->decoded = NULL;
	rs_gpu_prepare(device->gpu, code, &how);
	if (cache && !kept) {
		size_t bytes;
		void *made = rs_gpu_save(device->gpu, code, &bytes);
		if (made)
			icd_translations_insert(&device->translations, id->key, made, bytes);
		free(made);
	}
	icd_translation_unref(kept);
}

VkResult icd_pipeline_place_code(struct icd_pipeline *p, const VkAllocationCallbacks *alloc,
	struct icd_pipeline_cache *cache, const struct compiler_shader *const shaders[], struct icd_program_id *const ids[],
	uint32_t count, uint64_t addresses[])
{
	struct icd_device *device = p->base.device;
	uint32_t dwords = 0, at = 0;
	for (uint32_t i = 0; i < count; i++)
		dwords += padded(shaders[i]->code_dwords);
	p->code = icd_gpu_alloc(device, alloc, (size_t)dwords * 4, CODE_ALIGNMENT_DWORDS * 4);
	if (!p->code)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (uint32_t i = 0; i < count; i++) {
		memcpy(p->code + at, shaders[i]->code, (size_t)shaders[i]->code_dwords * 4);
		p->program[p->program_count++] = p->code + at;
		addresses[i] = icd_address(p->code + at);
		at += padded(shaders[i]->code_dwords);
	}
	atomic_store(&device->programs_changed, true);
	for (uint32_t i = 0; i < p->program_count; i++)
		prepare(device, cache, p->program[i], ids[i]);
	return VK_SUCCESS;
}

VkResult icd_pipeline_keep_pm4(struct icd_pipeline *p, const VkAllocationCallbacks *alloc,
	const struct icd_pm4 *pm4)
{
	p->pm4 = icd_zalloc(icd_alloc_pick(&p->base.device->alloc, alloc), pm4->count * sizeof(uint32_t),
		VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
	if (!p->pm4)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	memcpy(p->pm4, pm4->dw, pm4->count * sizeof(uint32_t));
	p->pm4_dwords = pm4->count;
	return VK_SUCCESS;
}

void icd_pipeline_destroy(struct icd_pipeline *p, const VkAllocationCallbacks *alloc)
{
	struct icd_device *device;
	const VkAllocationCallbacks *a;
	if (!p)
		return;
	device = p->base.device;
	a = icd_alloc_pick(&device->alloc, alloc);
	for (uint32_t i = 0; i < p->program_count; i++)
		rs_gpu_forget(device->gpu, p->program[i]);
	icd_free(a, p->pm4);
	icd_gpu_free(device, alloc, p->code);
	icd_pipeline_layout_unref(device, p->layout);
	icd_object_free(device, alloc, p);
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyPipeline(VkDevice device, VkPipeline pipeline,
	const VkAllocationCallbacks *pAllocator)
{
	icd_pipeline_destroy(icd_pipeline_from_handle(pipeline), pAllocator);
}
