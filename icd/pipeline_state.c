/* SPDX-License-Identifier: MIT */
#include "icd/pipeline_state.h"

#include <string.h>
#include "isa/resource.h"
#include "isa/samples.h"

uint32_t icd_state_dynamic(const VkPipelineDynamicStateCreateInfo *info)
{
	uint32_t mask = 0;
	for (uint32_t i = 0; info && i < info->dynamicStateCount; i++)
		if (info->pDynamicStates[i] <= VK_DYNAMIC_STATE_STENCIL_REFERENCE)
			mask |= 1u << info->pDynamicStates[i];
	return mask;
}
static_assert(ICD_DYN_VIEWPORT == 1 << VK_DYNAMIC_STATE_VIEWPORT &&
	ICD_DYN_SCISSOR == 1 << VK_DYNAMIC_STATE_SCISSOR &&
	ICD_DYN_LINE_WIDTH == 1 << VK_DYNAMIC_STATE_LINE_WIDTH &&
	ICD_DYN_DEPTH_BIAS == 1 << VK_DYNAMIC_STATE_DEPTH_BIAS &&
	ICD_DYN_BLEND_CONSTANTS == 1 << VK_DYNAMIC_STATE_BLEND_CONSTANTS &&
	ICD_DYN_DEPTH_BOUNDS == 1 << VK_DYNAMIC_STATE_DEPTH_BOUNDS &&
	ICD_DYN_STENCIL_COMPARE == 1 << VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK &&
	ICD_DYN_STENCIL_WRITE == 1 << VK_DYNAMIC_STATE_STENCIL_WRITE_MASK &&
	ICD_DYN_STENCIL_REF == 1 << VK_DYNAMIC_STATE_STENCIL_REFERENCE, "bits by Vulkan's numbers");

static struct icd_stencil_values stencil_values(const VkStencilOpState *s)
{
	return (struct icd_stencil_values){ (uint8_t)s->compareMask, (uint8_t)s->writeMask,
		(uint8_t)s->reference };
}

void icd_state_fixed(const VkGraphicsPipelineCreateInfo *info, bool discard, uint32_t dynamic,
	struct icd_dynamic_state *out)
{
	const VkPipelineRasterizationStateCreateInfo *r = info->pRasterizationState;
	const VkPipelineViewportStateCreateInfo *v = discard ? NULL : info->pViewportState;
	const VkPipelineDepthStencilStateCreateInfo *ds = discard ? NULL : info->pDepthStencilState;
	const VkPipelineColorBlendStateCreateInfo *b = discard ? NULL : info->pColorBlendState;

	out->line_width = r->lineWidth;
	out->bias_constant = r->depthBiasConstantFactor;
	out->bias_clamp = r->depthBiasClamp;
	out->bias_slope = r->depthBiasSlopeFactor;
	for (uint32_t i = 0; v && i < v->viewportCount && i < ICD_MAX_VIEWPORTS; i++)
		if (!(dynamic & ICD_DYN_VIEWPORT) && v->pViewports)
			out->viewport[i] = v->pViewports[i];
	for (uint32_t i = 0; v && i < v->scissorCount && i < ICD_MAX_VIEWPORTS; i++)
		if (!(dynamic & ICD_DYN_SCISSOR) && v->pScissors)
			out->scissor[i] = v->pScissors[i];
	if (ds) {
		out->depth_min = ds->minDepthBounds;
		out->depth_max = ds->maxDepthBounds;
		out->stencil[0] = stencil_values(&ds->front);
		out->stencil[1] = stencil_values(&ds->back);
	}
	if (b)
		memcpy(out->blend_constants, b->blendConstants, sizeof out->blend_constants);
}

uint32_t icd_state_vertex(const VkPipelineVertexInputStateCreateInfo *info,
	struct icd_pipeline *pipeline)
{
	uint32_t instanced = 0;
	for (uint32_t i = 0; i < info->vertexAttributeDescriptionCount; i++) {
		const VkVertexInputAttributeDescription *from = &info->pVertexAttributeDescriptions[i];
		const struct icd_format *f = icd_format_get(from->format);
		struct icd_vertex_attr *a;
		uint32_t v[4] = { 0 };
		if (!f || from->location >= ICD_MAX_VERTEX_ATTRS || pipeline->attr_count == ICD_MAX_VERTEX_ATTRS)
			continue;
		a = &pipeline->attr[pipeline->attr_count++];
		a->location = (uint8_t)from->location;
		a->binding = (uint8_t)from->binding;
		a->bytes = f->color.bytes;
		a->offset = from->offset;
		for (int c = 0; c < 4; c++)
			ISA_SET(v, V_DST_SEL(c), f->color.sel[c]);
		ISA_SET(v, V_NUM_FORMAT, f->color.nfmt);
		ISA_SET(v, V_DATA_FORMAT, f->color.dfmt);
		a->v3 = v[3];
		for (uint32_t b = 0; b < info->vertexBindingDescriptionCount; b++) {
			const VkVertexInputBindingDescription *binding = &info->pVertexBindingDescriptions[b];
			if (binding->binding != from->binding)
				continue;
			a->stride = binding->stride;
			a->per_instance = binding->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
		}
		instanced |= (uint32_t)a->per_instance << a->location;
	}
	return instanced;
}

void icd_bake_input(struct icd_pm4 *pm4, const VkPipelineInputAssemblyStateCreateInfo *info)
{
	static const uint8_t types[] = {
		[VK_PRIMITIVE_TOPOLOGY_POINT_LIST] = DI_PT_POINTLIST,
		[VK_PRIMITIVE_TOPOLOGY_LINE_LIST] = DI_PT_LINELIST,
		[VK_PRIMITIVE_TOPOLOGY_LINE_STRIP] = DI_PT_LINESTRIP,
		[VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST] = DI_PT_TRILIST,
		[VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP] = DI_PT_TRISTRIP,
		[VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN] = DI_PT_TRIFAN,
	};
	icd_pm4_uconfig(pm4, R_VGT_PRIMITIVE_TYPE, types[info->topology]);
	icd_pm4_uconfig(pm4, R_VGT_MULTI_PRIM_IB_RESET_EN, info->primitiveRestartEnable);
}

static uint32_t mode_control(const VkPipelineRasterizationStateCreateInfo *r)
{
	uint32_t ptype = r->polygonMode == VK_POLYGON_MODE_POINT ? PTYPE_POINTS :
		r->polygonMode == VK_POLYGON_MODE_LINE ? PTYPE_LINES : PTYPE_TRIANGLES;
	return REG_SET(PA_SU_SC_MODE_CNTL, CULL_FRONT, !!(r->cullMode & VK_CULL_MODE_FRONT_BIT)) |
		REG_SET(PA_SU_SC_MODE_CNTL, CULL_BACK, !!(r->cullMode & VK_CULL_MODE_BACK_BIT)) |
		REG_SET(PA_SU_SC_MODE_CNTL, FACE, r->frontFace == VK_FRONT_FACE_CLOCKWISE ? FACE_CW : FACE_CCW) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLY_MODE, ptype != PTYPE_TRIANGLES) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLYMODE_FRONT_PTYPE, ptype) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLYMODE_BACK_PTYPE, ptype) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLY_OFFSET_FRONT_ENABLE, r->depthBiasEnable) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLY_OFFSET_BACK_ENABLE, r->depthBiasEnable);
}

/* Belongs to VK_EXT_line_rasterization; no pipeline here can be stippled. */
VKAPI_ATTR void VKAPI_CALL icd_CmdSetLineStippleEXT(VkCommandBuffer cmd, uint32_t factor,
	uint16_t pattern)
{
}

static bool bresenham(const VkPipelineRasterizationStateCreateInfo *r)
{
	const VkPipelineRasterizationLineStateCreateInfoEXT *line = icd_find_struct(r->pNext,
		VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
	return line && line->lineRasterizationMode == VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
}

void icd_bake_setup(struct icd_pm4 *pm4, const VkGraphicsPipelineCreateInfo *info)
{
	const VkPipelineRasterizationStateCreateInfo *r = info->pRasterizationState;

	icd_pm4_context(pm4, R_PA_SU_SC_MODE_CNTL, mode_control(r));
	icd_pm4_context(pm4, R_PA_CL_CLIP_CNTL,
		REG_SET(PA_CL_CLIP_CNTL, DX_CLIP_SPACE_DEF, 1) |
		REG_SET(PA_CL_CLIP_CNTL, DX_RASTERIZATION_KILL, r->rasterizerDiscardEnable) |
		REG_SET(PA_CL_CLIP_CNTL, ZCLIP_NEAR_DISABLE, r->depthClampEnable) |
		REG_SET(PA_CL_CLIP_CNTL, ZCLIP_FAR_DISABLE, r->depthClampEnable));
	icd_pm4_context(pm4, R_PA_CL_VTE_CNTL,
		REG_SET(PA_CL_VTE_CNTL, VPORT_X_SCALE_ENA, 1) | REG_SET(PA_CL_VTE_CNTL, VPORT_X_OFFSET_ENA, 1) |
		REG_SET(PA_CL_VTE_CNTL, VPORT_Y_SCALE_ENA, 1) | REG_SET(PA_CL_VTE_CNTL, VPORT_Y_OFFSET_ENA, 1) |
		REG_SET(PA_CL_VTE_CNTL, VPORT_Z_SCALE_ENA, 1) | REG_SET(PA_CL_VTE_CNTL, VPORT_Z_OFFSET_ENA, 1) |
		REG_SET(PA_CL_VTE_CNTL, VTX_W0_FMT, 1));
	/* Half sizes in sixteenths: a point without PointSize has size 1. */
	icd_pm4_context(pm4, R_PA_SU_POINT_SIZE,
		REG_SET(PA_SU_POINT_SIZE, HEIGHT, 8) | REG_SET(PA_SU_POINT_SIZE, WIDTH, 8));
	icd_pm4_context(pm4, R_PA_SU_POINT_MINMAX, REG_SET(PA_SU_POINT_MINMAX, MIN_SIZE, 8) |
		REG_SET(PA_SU_POINT_MINMAX, MAX_SIZE, ICD_MAX_POINT_SIZE * 8));
	icd_pm4_context(pm4, R_PA_SC_LINE_CNTL,
		REG_SET(PA_SC_LINE_CNTL, PERPENDICULAR_ENDCAP_ENA, !bresenham(r)));
}

void icd_bake_samples(struct icd_pm4 *pm4, const VkPipelineMultisampleStateCreateInfo *ms, uint32_t samples,
	bool once_a_sample)
{
	const uint32_t places[2] = { isa_sample_locs(samples, 0), isa_sample_locs(samples, 1) };
	bool iterate = once_a_sample && samples > 1;
	static_assert(ISA_MAX_SAMPLES == 8, "two registers of places");
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0, places, 2);
	icd_pm4_context(pm4, R_PA_SC_MODE_CNTL_1, REG_SET(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, iterate));
	icd_pm4_context(pm4, R_SPI_BARYC_CNTL, REG_SET(SPI_BARYC_CNTL, POS_FLOAT_LOCATION,
		iterate ? POS_FLOAT_SAMPLE : POS_FLOAT_CENTER));
	icd_pm4_context(pm4, R_PA_SC_AA_MASK_X0Y0_X1Y0, REG_SET(PA_SC_AA_MASK_X0Y0_X1Y0, AA_MASK_X0Y0,
		ms && ms->pSampleMask ? ms->pSampleMask[0] & 0xffff : 0xffff));
	icd_pm4_context(pm4, R_DB_ALPHA_TO_MASK, REG_SET(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_ENABLE,
		ms && ms->alphaToCoverageEnable));
}
static_assert(PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0__STRIDE == 1, "set as a run");

static const uint8_t stencil_ops[] = {
	[VK_STENCIL_OP_KEEP] = STENCIL_KEEP, [VK_STENCIL_OP_ZERO] = STENCIL_ZERO,
	[VK_STENCIL_OP_REPLACE] = STENCIL_REPLACE_TEST, [VK_STENCIL_OP_INVERT] = STENCIL_INVERT,
	[VK_STENCIL_OP_INCREMENT_AND_CLAMP] = STENCIL_ADD_CLAMP,
	[VK_STENCIL_OP_DECREMENT_AND_CLAMP] = STENCIL_SUB_CLAMP,
	[VK_STENCIL_OP_INCREMENT_AND_WRAP] = STENCIL_ADD_WRAP,
	[VK_STENCIL_OP_DECREMENT_AND_WRAP] = STENCIL_SUB_WRAP,
};
static_assert(COMPARE_NEVER == (int)VK_COMPARE_OP_NEVER && COMPARE_LESS == (int)VK_COMPARE_OP_LESS &&
	COMPARE_EQUAL == (int)VK_COMPARE_OP_EQUAL && COMPARE_LEQUAL == (int)VK_COMPARE_OP_LESS_OR_EQUAL &&
	COMPARE_GREATER == (int)VK_COMPARE_OP_GREATER && COMPARE_NOTEQUAL == (int)VK_COMPARE_OP_NOT_EQUAL &&
	COMPARE_GEQUAL == (int)VK_COMPARE_OP_GREATER_OR_EQUAL && COMPARE_ALWAYS == (int)VK_COMPARE_OP_ALWAYS,
	"compare functions have Vulkan's numbers, here and in samplers");

void icd_bake_depth(struct icd_pm4 *pm4, const VkPipelineDepthStencilStateCreateInfo *info,
	const struct icd_format *format)
{
	uint32_t control = 0, ops = 0;
	bool has_depth = format && format->aspects & VK_IMAGE_ASPECT_DEPTH_BIT;
	bool has_stencil = format && format->aspects & VK_IMAGE_ASPECT_STENCIL_BIT;

	if (info && has_depth && info->depthTestEnable)
		control |= REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
			REG_SET(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, info->depthWriteEnable) |
			REG_SET(DB_DEPTH_CONTROL, ZFUNC, info->depthCompareOp);
	if (info && has_depth)
		control |= REG_SET(DB_DEPTH_CONTROL, DEPTH_BOUNDS_ENABLE, info->depthBoundsTestEnable);
	if (info && has_stencil && info->stencilTestEnable) {
		control |= REG_SET(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) |
			REG_SET(DB_DEPTH_CONTROL, BACKFACE_ENABLE, 1) |
			REG_SET(DB_DEPTH_CONTROL, STENCILFUNC, info->front.compareOp) |
			REG_SET(DB_DEPTH_CONTROL, STENCILFUNC_BF, info->back.compareOp);
		ops = REG_SET(DB_STENCIL_CONTROL, STENCILFAIL, stencil_ops[info->front.failOp]) |
			REG_SET(DB_STENCIL_CONTROL, STENCILZPASS, stencil_ops[info->front.passOp]) |
			REG_SET(DB_STENCIL_CONTROL, STENCILZFAIL, stencil_ops[info->front.depthFailOp]) |
			REG_SET(DB_STENCIL_CONTROL, STENCILFAIL_BF, stencil_ops[info->back.failOp]) |
			REG_SET(DB_STENCIL_CONTROL, STENCILZPASS_BF, stencil_ops[info->back.passOp]) |
			REG_SET(DB_STENCIL_CONTROL, STENCILZFAIL_BF, stencil_ops[info->back.depthFailOp]);
	}
	icd_pm4_context(pm4, R_DB_DEPTH_CONTROL, control);
	icd_pm4_context(pm4, R_DB_STENCIL_CONTROL, ops);
}

static const uint8_t blend_factors[] = {
#define F(name) [VK_BLEND_FACTOR_##name] = BLEND_##name
	F(ZERO), F(ONE), F(SRC_COLOR), F(ONE_MINUS_SRC_COLOR), F(DST_COLOR), F(ONE_MINUS_DST_COLOR),
	F(SRC_ALPHA), F(ONE_MINUS_SRC_ALPHA), F(DST_ALPHA), F(ONE_MINUS_DST_ALPHA),
	F(CONSTANT_COLOR), F(ONE_MINUS_CONSTANT_COLOR), F(CONSTANT_ALPHA), F(ONE_MINUS_CONSTANT_ALPHA),
	F(SRC_ALPHA_SATURATE), F(SRC1_COLOR), F(ONE_MINUS_SRC1_COLOR), F(SRC1_ALPHA), F(ONE_MINUS_SRC1_ALPHA),
#undef F
};
static const uint8_t blend_ops[] = {
	[VK_BLEND_OP_ADD] = COMB_ADD, [VK_BLEND_OP_SUBTRACT] = COMB_SUBTRACT,
	[VK_BLEND_OP_REVERSE_SUBTRACT] = COMB_REVERSE_SUBTRACT,
	[VK_BLEND_OP_MIN] = COMB_MIN, [VK_BLEND_OP_MAX] = COMB_MAX,
};
static const uint8_t rop3[] = {
#define OP(name) [VK_LOGIC_OP_##name] = ROP3_##name
	OP(CLEAR), OP(AND), OP(AND_REVERSE), OP(COPY), OP(AND_INVERTED), OP(NO_OP), OP(XOR), OP(OR), OP(NOR),
	OP(EQUIVALENT), OP(INVERT), OP(OR_REVERSE), OP(COPY_INVERTED), OP(OR_INVERTED), OP(NAND), OP(SET),
#undef OP
};

static uint32_t blend_control(const VkPipelineColorBlendAttachmentState *a)
{
	if (!a->blendEnable)
		return 0;
	return REG_SET(CB_BLEND_CONTROL, ENABLE, 1) | REG_SET(CB_BLEND_CONTROL, SEPARATE_ALPHA_BLEND, 1) |
		REG_SET(CB_BLEND_CONTROL, COLOR_SRCBLEND, blend_factors[a->srcColorBlendFactor]) |
		REG_SET(CB_BLEND_CONTROL, COLOR_DESTBLEND, blend_factors[a->dstColorBlendFactor]) |
		REG_SET(CB_BLEND_CONTROL, COLOR_COMB_FCN, blend_ops[a->colorBlendOp]) |
		REG_SET(CB_BLEND_CONTROL, ALPHA_SRCBLEND, blend_factors[a->srcAlphaBlendFactor]) |
		REG_SET(CB_BLEND_CONTROL, ALPHA_DESTBLEND, blend_factors[a->dstAlphaBlendFactor]) |
		REG_SET(CB_BLEND_CONTROL, ALPHA_COMB_FCN, blend_ops[a->alphaBlendOp]);
}

void icd_bake_blend(struct icd_pm4 *pm4, const VkPipelineColorBlendStateCreateInfo *info,
	const struct icd_render_pass *pass, const struct icd_subpass *subpass)
{
	uint32_t control[ICD_MAX_COLOR] = { 0 }, mask = 0, rop = ROP3_COPY;
	for (uint32_t i = 0; info && i < info->attachmentCount && i < subpass->color_count; i++) {
		if (subpass->color[i] == VK_ATTACHMENT_UNUSED)
			continue;
		mask |= (info->pAttachments[i].colorWriteMask & 0xf) << 4 * i;
		/* A logic op takes the place of blending (section "Logical Operations"). */
		if (!info->logicOpEnable)
			control[i] = blend_control(&info->pAttachments[i]);
	}
	if (info && info->logicOpEnable)
		rop = rop3[info->logicOp];
	icd_pm4_context(pm4, R_CB_TARGET_MASK, mask);
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_CB_BLEND_CONTROL, control, ICD_MAX_COLOR);
	icd_pm4_context(pm4, R_CB_COLOR_CONTROL, REG_SET(CB_COLOR_CONTROL, MODE, mask ? CB_MODE_NORMAL : CB_MODE_DISABLE) |
		REG_SET(CB_COLOR_CONTROL, ROP3, rop));
}
static_assert(CB_BLEND_CONTROL__STRIDE == 1 && SPI_PS_INPUT_CNTL__STRIDE == 1, "set as runs");
