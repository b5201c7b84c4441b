/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "icd/device.h"
#include "icd/pipeline.h"
#include "icd/pm4_build.h"
#include "icd/program.h"

static void bake(struct icd_pm4 *pm4, const struct compiler_shader *cs, uint64_t address)
{
	pm4->count = 0;
	icd_pm4_regs(pm4, PM4_SET_SH_REG, R_COMPUTE_NUM_THREAD_X, cs->workgroup, 3);
	icd_program_emit(pm4, COMPILER_CS, cs, address, icd_program_group_rsrc2(cs));
	icd_pm4_sh(pm4, R_COMPUTE_TMPRING_SIZE, REG_SET(COMPUTE_TMPRING_SIZE, WAVESIZE,
		icd_program_wavesize(cs->scratch_bytes)));
}

static VkResult create(struct icd_device *device, struct icd_pipeline_cache *cache,
	const VkComputePipelineCreateInfo *info, const VkAllocationCallbacks *alloc,
	struct icd_pipeline **out)
{
	struct compiler_shader cs;
	struct icd_program_id id = { .decoded = NULL };
	const struct compiler_shader *shaders[] = { &cs };
	struct icd_program_id *ids[] = { &id };
	struct icd_pipeline *p;
	struct icd_pm4 pm4;
	uint64_t address, begin = icd_feedback_now();
	VkResult result;

	p = icd_pipeline_alloc(device, alloc, VK_PIPELINE_BIND_POINT_COMPUTE, info->layout);
	if (!p)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	result = icd_program_get(device, cache, &info->stage, p->layout, info->flags,
		(struct compiler_options){ 0 }, &cs, &id);
	if (result != VK_SUCCESS)
		goto destroy_pipeline;
	result = icd_pipeline_place_code(p, alloc, cache, shaders, ids, 1, &address);
	rs_gpu_drop(id.decoded);
	if (result != VK_SUCCESS)
		goto finish_shader;
	for (int i = 0; i < 3; i++)
		p->workgroup[i] = cs.workgroup[i];
	bake(&pm4, &cs, address);
	result = icd_pipeline_keep_pm4(p, alloc, &pm4);
	if (result != VK_SUCCESS)
		goto finish_shader;
	compiler_shader_finish(&cs);
	icd_feedback_fill(info->pNext, 1, &info->stage, (struct icd_stage_feedback[]){ id.feedback, { 0 } }, begin);
	*out = p;
	return VK_SUCCESS;

finish_shader:
	compiler_shader_finish(&cs);
destroy_pipeline:
	icd_pipeline_destroy(p, alloc);
	return result;
}

/* All are tried, unless EARLY_RETURN says otherwise; what failed is null. */
VKAPI_ATTR VkResult VKAPI_CALL icd_CreateComputePipelines(VkDevice _device,
	VkPipelineCache pipelineCache, uint32_t createInfoCount,
	const VkComputePipelineCreateInfo *pCreateInfos, const VkAllocationCallbacks *pAllocator,
	VkPipeline *pPipelines)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_pipeline_cache, cache, pipelineCache);
	VkResult first = VK_SUCCESS;
	memset(pPipelines, 0, createInfoCount * sizeof *pPipelines);
	for (uint32_t i = 0; i < createInfoCount; i++) {
		struct icd_pipeline *p = NULL;
		VkResult result = create(device, cache, &pCreateInfos[i], pAllocator, &p);
		pPipelines[i] = icd_pipeline_to_handle(p);
		first = icd_program_merge_results(first, result);
		if (result != VK_SUCCESS &&
			pCreateInfos[i].flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT)
			break;
	}
	return first;
}
