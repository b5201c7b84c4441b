/* SPDX-License-Identifier: MIT */
#include "icd/pipeline_state.h"

#include <string.h>

/* What is ignored without tessellation; how patches are cut is in the shaders. */
static void fill_tessellation(const VkPipelineTessellationStateCreateInfo *t, struct icd_graphics_state *out)
{
	const VkPipelineTessellationDomainOriginStateCreateInfo *origin = icd_find_struct(t ? t->pNext : NULL,
		VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO);
	out->patch_points = (uint8_t)(t ? t->patchControlPoints : 0);
	out->domain_lower = origin && origin->domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
}

static void fill_input(const VkGraphicsPipelineCreateInfo *info, struct icd_graphics_state *out)
{
	const VkPipelineVertexInputStateCreateInfo *v = info->pVertexInputState;
	out->topology = (uint8_t)info->pInputAssemblyState->topology;
	out->primitive_restart = info->pInputAssemblyState->primitiveRestartEnable;
	fill_tessellation(info->pTessellationState, out);
	for (uint32_t i = 0; i < v->vertexBindingDescriptionCount; i++) {
		const VkVertexInputBindingDescription *b = &v->pVertexBindingDescriptions[i];
		if (b->binding < ICD_MAX_VERTEX_BINDINGS)
			out->stride[b->binding] = (uint16_t)b->stride;
	}
}

static void fill_viewport(const VkPipelineViewportStateCreateInfo *v, uint64_t dynamic, struct icd_graphics_state *out)
{
	const VkPipelineViewportDepthClipControlCreateInfoEXT *control = icd_find_struct(v ? v->pNext : NULL,
		VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT);
	out->depth_symmetric = control && control->negativeOneToOne;
	for (uint32_t i = 0; v && i < v->viewportCount && i < ICD_MAX_VIEWPORTS; i++)
		if (!(dynamic & ICD_STATE_BIT(VIEWPORT)) && v->pViewports)
			out->viewport.at[out->viewport.count++] = v->pViewports[i];
	for (uint32_t i = 0; v && i < v->scissorCount && i < ICD_MAX_VIEWPORTS; i++)
		if (!(dynamic & ICD_STATE_BIT(SCISSOR)) && v->pScissors)
			out->scissor.at[out->scissor.count++] = v->pScissors[i];
}

static void fill_raster(const VkPipelineRasterizationStateCreateInfo *r, struct icd_graphics_state *out)
{
	const VkPipelineRasterizationLineStateCreateInfoEXT *line = icd_find_struct(r->pNext,
		VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
	const VkPipelineRasterizationDepthClipStateCreateInfoEXT *clip = icd_find_struct(r->pNext,
		VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
	const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT *provoking = icd_find_struct(r->pNext,
		VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
	const VkPipelineRasterizationStateStreamCreateInfoEXT *stream = icd_find_struct(r->pNext,
		VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT);
	out->rasterization_stream = (uint8_t)(stream ? stream->rasterizationStream : 0);
	if (clip)
		out->depth_clip = clip->depthClipEnable ? ICD_CLIP_ON : ICD_CLIP_OFF;
	out->provoking_last = provoking && provoking->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
	out->rasterizer_discard = r->rasterizerDiscardEnable;
	out->depth_clamp = r->depthClampEnable;
	out->depth_bias_enable = r->depthBiasEnable;
	out->polygon_mode = (uint8_t)r->polygonMode;
	out->cull_mode = (uint8_t)r->cullMode;
	out->front_face = (uint8_t)r->frontFace;
	out->line_mode = (uint8_t)(line ? line->lineRasterizationMode : VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT);
	out->depth_bias = (struct icd_depth_bias){ r->depthBiasConstantFactor, r->depthBiasClamp, r->depthBiasSlopeFactor };
	out->line_width = r->lineWidth;
}

static void fill_stencil(const VkStencilOpState *from, int face, struct icd_graphics_state *out)
{
	out->stencil_op[face] = (struct icd_stencil_op){ (uint8_t)from->failOp, (uint8_t)from->passOp,
		(uint8_t)from->depthFailOp, (uint8_t)from->compareOp };
	out->stencil_compare_mask[face] = (uint8_t)from->compareMask;
	out->stencil_write_mask[face] = (uint8_t)from->writeMask;
	out->stencil_reference[face] = (uint8_t)from->reference;
}

static void fill_depth(const VkPipelineDepthStencilStateCreateInfo *ds, struct icd_graphics_state *out)
{
	out->depth_test = ds->depthTestEnable;
	out->depth_write = ds->depthWriteEnable;
	out->depth_compare = (uint8_t)ds->depthCompareOp;
	out->depth_bounds_test = ds->depthBoundsTestEnable;
	out->depth_bounds[0] = ds->minDepthBounds;
	out->depth_bounds[1] = ds->maxDepthBounds;
	out->stencil_test = ds->stencilTestEnable;
	fill_stencil(&ds->front, ICD_FRONT, out);
	fill_stencil(&ds->back, ICD_BACK, out);
}

/* Targets that the create info does not speak of are masked. */
static void fill_blend(const VkPipelineColorBlendStateCreateInfo *b, struct icd_graphics_state *out)
{
	const VkPipelineColorWriteCreateInfoEXT *write = icd_find_struct(b->pNext,
		VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
	for (uint32_t i = 0; write && i < write->attachmentCount && i < ICD_MAX_COLOR; i++)
		out->color_write_enable[i] = write->pColorWriteEnables ? write->pColorWriteEnables[i] : true;
	out->logic_op_enable = b->logicOpEnable;
	out->logic_op = (uint8_t)b->logicOp;
	memcpy(out->blend_constants, b->blendConstants, sizeof out->blend_constants);
	for (uint32_t i = 0; b->pAttachments && i < b->attachmentCount && i < ICD_MAX_COLOR; i++) {
		const VkPipelineColorBlendAttachmentState *a = &b->pAttachments[i];
		out->color_write_mask[i] = a->colorWriteMask & 0xf;
		out->blend_enable[i] = a->blendEnable;
		out->blend_equation[i] = (struct icd_blend_equation){
			(uint8_t)a->srcColorBlendFactor, (uint8_t)a->dstColorBlendFactor, (uint8_t)a->colorBlendOp,
			(uint8_t)a->srcAlphaBlendFactor, (uint8_t)a->dstAlphaBlendFactor, (uint8_t)a->alphaBlendOp };
	}
}

void icd_graphics_state_fill(const struct icd_state_source *from, struct icd_graphics_state *out)
{
	const VkGraphicsPipelineCreateInfo *info = from->info;
	const VkPipelineMultisampleStateCreateInfo *ms = from->discard ? NULL : info->pMultisampleState;

	memset(out, 0, sizeof *out);
	out->samples = from->samples;
	out->depth_unrestricted = from->depth_unrestricted;
	memset(out->color_write_enable, true, sizeof out->color_write_enable);
	out->sample_mask = ms && ms->pSampleMask ? ms->pSampleMask[0] & 0xffff : 0xffff;
	out->alpha_to_coverage = ms && ms->alphaToCoverageEnable;
	out->depth_aspects = (uint8_t)icd_target_aspects(from->formats);
	for (uint32_t i = 0; i < from->formats->color_count; i++)
		out->color_targets |= (uint8_t)((from->formats->color[i] != NULL) << i);
	if (!from->mesh)
		fill_input(info, out);
	/* Without one (VK_EXT_extended_dynamic_state3) all of it is dynamic. */
	static const VkPipelineRasterizationStateCreateInfo dynamic_raster = {
		VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1 };
	fill_raster(info->pRasterizationState ? info->pRasterizationState : &dynamic_raster, out);
	if (from->discard)
		return;
	fill_viewport(info->pViewportState, from->dynamic, out);
	if (out->depth_aspects && info->pDepthStencilState)
		fill_depth(info->pDepthStencilState, out);
	if (out->color_targets && info->pColorBlendState)
		fill_blend(info->pColorBlendState, out);
}
