/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "icd/device.h"
#include "icd/pipeline.h"
#include "icd/pipeline_state.h"
#include "icd/pm4_build.h"
#include "icd/program.h"
#include "icd/render_pass.h"
#include "icd/stage.h"
#include "isa/gsvs.h"
#include "isa/resource.h"

/* A stage's program, while the pipeline is being made. */
struct part {
	struct compiler_shader shader;
	struct icd_program_id id;
	uint64_t address;
	bool made, inside; /* inside: its code is the first half of the next stage's */
};

/* What a graphics pipeline is made of, while it is being made. */
struct build {
	struct icd_device *device;
	struct icd_pipeline_cache *cache;
	const VkGraphicsPipelineCreateInfo *info;
	const VkAllocationCallbacks *alloc;
	struct icd_target_formats formats;
	uint64_t dynamic; /* states */
	bool discard;     /* whatever commands set */
	bool mesh;        /* primitives are a mesh shader's: there is no vertex input */
	const VkPipelineMultisampleStateCreateInfo *ms; /* NULL if discard */
	uint32_t samples;
	struct part part[COMPILER_STAGES];
	uint64_t begin; /* when it did, ns */
	struct icd_pm4 pm4;
};

static const VkPipelineShaderStageCreateInfo *find_stage(const VkGraphicsPipelineCreateInfo *info,
	enum compiler_stage stage)
{
	for (uint32_t i = 0; i < info->stageCount; i++)
		if (info->pStages[i].stage == icd_stage_bits[stage])
			return &info->pStages[i];
	return NULL;
}

/* Locations and bindings index tables. */
static VkResult check_attributes(const struct build *b)
{
	const VkPipelineVertexInputStateCreateInfo *v = b->info->pVertexInputState;
	for (uint32_t i = 0; i < v->vertexAttributeDescriptionCount; i++) {
		const VkVertexInputAttributeDescription *a = &v->pVertexAttributeDescriptions[i];
		if (a->location >= ICD_MAX_VERTEX_ATTRS || a->binding >= ICD_MAX_VERTEX_BINDINGS)
			return icd_error(b->device->instance, VK_ERROR_UNKNOWN, NULL,
				"vkCreateGraphicsPipelines: vertex attribute %u: of location %u and binding %u one is not below %d",
				i, a->location, a->binding, ICD_MAX_VERTEX_BINDINGS);
	}
	return VK_SUCCESS;
}
static_assert(ICD_MAX_VERTEX_ATTRS == ICD_MAX_VERTEX_BINDINGS, "one number for both");

static VkResult check(const struct build *b)
{
	struct icd_instance *instance = b->device->instance;
	for (uint32_t i = 0; i < b->info->stageCount; i++)
		if (!(b->info->pStages[i].stage & ICD_GRAPHICS_STAGES))
			return icd_error(instance, VK_ERROR_FEATURE_NOT_PRESENT, NULL,
				"vkCreateGraphicsPipelines: shader stage 0x%x is not supported",
				b->info->pStages[i].stage);
	if (!(b->samples & ICD_SAMPLE_COUNTS) && (b->samples || !b->discard))
		return icd_error(instance, VK_ERROR_FEATURE_NOT_PRESENT, NULL,
			"vkCreateGraphicsPipelines: %u samples are not supported", b->samples);
	if (b->mesh) /* nothing is assembled */
		return VK_SUCCESS;
	if (!find_stage(b->info, COMPILER_VS))
		return icd_error(instance, VK_ERROR_UNKNOWN, NULL,
			"vkCreateGraphicsPipelines: there is neither a vertex shader nor a mesh shader");
	if (!find_stage(b->info, COMPILER_TCS) != !find_stage(b->info, COMPILER_TES))
		return icd_error(instance, VK_ERROR_UNKNOWN, NULL,
			"vkCreateGraphicsPipelines: of the two tessellation shaders there is one");
	if (b->info->pInputAssemblyState->topology > VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
		return icd_error(instance, VK_ERROR_FEATURE_NOT_PRESENT, NULL,
			"vkCreateGraphicsPipelines: topology %d is not supported",
			b->info->pInputAssemblyState->topology);
	return check_attributes(b);
}

static bool is_alpha(VkBlendFactor f)
{
	return f == VK_BLEND_FACTOR_SRC_ALPHA || f == VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA || f == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
}

/* Components of target n that are stored, or that decide what is: the rest need not be computed. */
static uint32_t seen_components(const struct build *b, uint32_t n)
{
	const struct icd_format *f = n < b->formats.color_count ? b->formats.color[n] : NULL;
	const VkPipelineColorBlendStateCreateInfo *blend = f ? b->info->pColorBlendState : NULL;
	const VkPipelineColorBlendAttachmentState *a = blend && blend->pAttachments && n < blend->attachmentCount ? &blend->pAttachments[n] : NULL;
	uint32_t seen = 0;
	for (unsigned c = 0; c < 4; c++)
		seen |= (uint32_t)(f && f->color.sel[c] >= SEL_R) << c;
	if (a && !(b->dynamic & ICD_STATE_BIT(COLOR_WRITE_MASK)))
		seen &= a->colorWriteMask;
	if (!a || b->dynamic & (ICD_STATE_BIT(BLEND_ENABLE) | ICD_STATE_BIT(BLEND_EQUATION)) || (a->blendEnable &&
	    (is_alpha(a->srcColorBlendFactor) || is_alpha(a->dstColorBlendFactor) || is_alpha(a->srcAlphaBlendFactor) ||
	    is_alpha(a->dstAlphaBlendFactor))))
		seen |= seen ? 8 : 0;
	if (n == 0 && (!b->ms || b->ms->alphaToCoverageEnable || b->dynamic & ICD_STATE_BIT(ALPHA_TO_COVERAGE)))
		seen |= 8;
	return seen;
}

/* What the fragment program has to know of its targets, and of the multisample state.  The fraction of
 * minSampleShading is rounded up to all samples. */
static void add_fragment_options(const struct build *b, struct compiler_options *o)
{
	const VkPipelineMultisampleStateCreateInfo *ms = b->ms;
	o->samples = b->samples;
	for (uint32_t n = 0; n < ICD_MAX_COLOR; n++)
		o->unseen |= (~seen_components(b, n) & 15) << 4 * n;
	if (!ms)
		return;
	o->sample_shading = b->samples > 1 && ms->sampleShadingEnable &&
		ms->minSampleShading * (float)b->samples > 1.0f;
	o->alpha_to_mask = ms->alphaToOneEnable &&
		(ms->alphaToCoverageEnable || b->dynamic & ICD_STATE_BIT(ALPHA_TO_COVERAGE));
	for (uint32_t i = 0; ms->alphaToOneEnable && i < b->formats.color_count; i++)
		if (b->formats.color[i] && !icd_format_is_int(&b->formats.color[i]->color))
			o->alpha_to_one |= 1u << i;
}

/* A format of more than 16 bytes goes on in the next location. */
static void fill_rest(const struct icd_format *f, struct icd_pipeline *p)
{
	struct icd_vertex_attr *first = &p->attr[p->attr_count - 1], *rest = first + 1;
	uint32_t v[4] = { 0, 0, 0, first->v3 };
	if (f->color.bytes <= 16)
		return;
	first->bytes = 16;
	if (p->attr_count == ICD_MAX_VERTEX_ATTRS || first->location + 1 >= ICD_MAX_VERTEX_ATTRS)
		return;
	*rest = *first;
	rest->location++;
	rest->offset += 16;
	rest->bytes = (uint8_t)(f->color.bytes - 16);
	if (rest->bytes == 8)
		ISA_SET(v, V_DATA_FORMAT, DFMT_32_32);
	rest->v3 = v[3];
	p->attr_count++;
}

/* The instances that an element of a binding is for; 0: all. */
static uint32_t divisor_of(const VkPipelineVertexInputStateCreateInfo *info, uint32_t binding)
{
	const VkPipelineVertexInputDivisorStateCreateInfoEXT *d = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT);
	for (uint32_t i = 0; d && i < d->vertexBindingDivisorCount; i++)
		if (d->pVertexBindingDivisors[i].binding == binding)
			return d->pVertexBindingDivisors[i].divisor;
	return 1;
}

static void add_instanced(const VkPipelineVertexInputStateCreateInfo *info, const struct icd_vertex_attr *a,
	struct compiler_options *o)
{
	uint32_t divisor = divisor_of(info, a->binding);
	o->instance_attrs |= 1u << a->location;
	o->base_attrs |= (uint32_t)!divisor << a->location;
	o->instance_divisor[a->location] = divisor > 1 ? divisor : 0;
}

/* Fills p->attr, and of o what attributes step by. */
static void fill_attributes(const VkPipelineVertexInputStateCreateInfo *info, struct icd_pipeline *p,
	struct compiler_options *o)
{
	for (uint32_t i = 0; i < info->vertexAttributeDescriptionCount; i++) {
		const VkVertexInputAttributeDescription *from = &info->pVertexAttributeDescriptions[i];
		const struct icd_format *f = icd_format_get(from->format);
		struct icd_vertex_attr *a;
		uint32_t v[4] = { 0 };
		if (!f || p->attr_count == ICD_MAX_VERTEX_ATTRS)
			continue;
		a = &p->attr[p->attr_count++];
		a->location = (uint8_t)from->location;
		a->binding = (uint8_t)from->binding;
		a->bytes = f->color.bytes;
		a->offset = from->offset;
		for (int c = 0; c < 4; c++)
			ISA_SET(v, V_DST_SEL(c), f->color.sel[c]);
		ISA_SET(v, V_NUM_FORMAT, f->color.nfmt);
		v_set_dfmt(v, f->color.dfmt);
		a->v3 = v[3];
		for (uint32_t b = 0; b < info->vertexBindingDescriptionCount; b++)
			if (info->pVertexBindingDescriptions[b].binding == from->binding)
				a->per_instance = info->pVertexBindingDescriptions[b].inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
		fill_rest(f, p);
		for (; a < p->attr + p->attr_count; a++)
			if (a->per_instance)
				add_instanced(info, a, o);
	}
}

/* The stage whose vertices are assembled. */
static enum compiler_stage last_vertex_stage(const struct build *b)
{
	return b->mesh ? COMPILER_MS : find_stage(b->info, COMPILER_GS) ? COMPILER_GS :
		find_stage(b->info, COMPILER_TES) ? COMPILER_TES : COMPILER_VS;
}

/* The stage that a stage's program is merged with, or COMPILER_STAGES. */
static enum compiler_stage second_half(const struct build *b, enum compiler_stage stage)
{
	if (stage == COMPILER_VS && find_stage(b->info, COMPILER_TCS))
		return COMPILER_TCS;
	bool last = stage == COMPILER_TES || (stage == COMPILER_VS && !find_stage(b->info, COMPILER_TES));
	return last && find_stage(b->info, COMPILER_GS) ? COMPILER_GS : COMPILER_STAGES;
}

/* What a stage's program has to know; input: what fill_attributes says. */
static struct compiler_options options_of(const struct build *b, enum compiler_stage stage,
	const struct compiler_options *input)
{
	static const struct compiler_options none;
	struct compiler_options o = stage == COMPILER_VS ? *input : none;
	o.multiview = b->formats.view_mask != 0;
	o.device_views = !!(b->info->flags & VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT);
	if (stage == COMPILER_PS)
		add_fragment_options(b, &o);
	enum compiler_stage second = second_half(b, stage);
	if (second != COMPILER_STAGES) {
		o.first_half = second == COMPILER_TCS ? COMPILER_LS : COMPILER_ES;
		memcpy(o.linked, b->part[second].shader.reads, sizeof o.linked);
	}
	return o;
}

static VkResult compile_stage(struct build *b, struct icd_pipeline *p, enum compiler_stage stage,
	const struct compiler_options *input)
{
	const VkPipelineShaderStageCreateInfo *info = find_stage(b->info, stage);
	struct part *part = &b->part[stage];
	VkResult result;
	if (!info || (stage == COMPILER_PS && b->discard))
		return VK_SUCCESS;
	result = icd_program_get(b->device, b->cache, info, p->layout, b->info->flags,
		options_of(b, stage, input), &part->shader, &part->id);
	part->made = result == VK_SUCCESS;
	return result;
}

/* A first half is made for what the second reads. */
static VkResult compile(struct build *b, struct icd_pipeline *p, const struct compiler_options *input)
{
	static const enum compiler_stage order[] = { COMPILER_GS, COMPILER_TCS, COMPILER_TES, COMPILER_VS,
		COMPILER_TS, COMPILER_MS, COMPILER_PS };
	VkResult result = VK_SUCCESS;
	for (unsigned i = 0; i < sizeof order / sizeof *order && result == VK_SUCCESS; i++)
		result = compile_stage(b, p, order[i], input);
	return result;
}

/* The program becomes a part of the one that it is merged with. */
static VkResult link_program(struct part *first, struct part *second)
{
	struct compiler_shader both;
	struct icd_hash h;
	if (compiler_link(&first->shader, &second->shader, &both) != COMPILER_OK)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	compiler_shader_finish(&second->shader);
	second->shader = both;
	first->inside = true;
	rs_gpu_drop(second->id.decoded);
	second->id.decoded = NULL;
	icd_hash_init(&h, "quadwave merged program");
	icd_hash_digest(&h, first->id.key);
	icd_hash_digest(&h, second->id.key);
	icd_hash_finish(&h, second->id.key);
	return VK_SUCCESS;
}

static VkResult link_programs(struct build *b)
{
	VkResult result = VK_SUCCESS;
	for (enum compiler_stage stage = 0; stage < COMPILER_STAGES && result == VK_SUCCESS; stage++) {
		enum compiler_stage second = second_half(b, stage);
		if (b->part[stage].made && second != COMPILER_STAGES)
			result = link_program(&b->part[stage], &b->part[second]);
	}
	return result;
}

static VkResult place(struct build *b, struct icd_pipeline *p)
{
	const struct compiler_shader *shaders[COMPILER_STAGES];
	struct icd_program_id *ids[COMPILER_STAGES];
	uint64_t addresses[COMPILER_STAGES] = { 0 };
	uint32_t n = 0, at = 0;
	for (struct part *part = b->part; part < b->part + COMPILER_STAGES; part++)
		if (part->made && !part->inside) {
			shaders[n] = &part->shader;
			ids[n++] = &part->id;
		}
	VkResult result = icd_pipeline_place_code(p, b->alloc, b->cache, shaders, ids, n, addresses);
	for (struct part *part = b->part; part < b->part + COMPILER_STAGES; part++)
		if (part->made && !part->inside)
			part->address = addresses[at++];
	return result;
}

/* Its primitives have the numbers that the shader gives them. */
static bool numbers_its_own(enum compiler_stage stage)
{
	return stage == COMPILER_GS || stage == COMPILER_MS;
}

/* Does the GPU number primitives for the fragment shader? */
static bool numbers_primitives(const struct build *b)
{
	const struct compiler_shader *ps = &b->part[COMPILER_PS].shader;
	bool reads = false;
	for (uint32_t i = 0; i < ps->num_interp; i++)
		reads |= ps->interp[i].kind == COMPILER_INTERP_FLAT && ps->interp[i].slot == COMPILER_SLOT_PRIMITIVE_ID;
	return reads && !numbers_its_own(last_vertex_stage(b));
}

/* Which param each attribute of the PS reads; one that the stage before does not write is 0, one
 * of a mesh's primitive is the same everywhere.  The GPU puts the number of the primitive behind the VS's. */
static uint32_t input_control(const struct compiler_shader *vs, const struct compiler_interp *in)
{
	bool flat = in->kind == COMPILER_INTERP_FLAT;
	bool is_param = in->kind < COMPILER_INTERP_POINT_COORD;
	uint32_t param = is_param ? vs->param_of_slot[in->slot] : COMPILER_NO_PARAM;
	if (is_param && in->slot == COMPILER_SLOT_PRIMITIVE_ID && !numbers_its_own(vs->stage) && vs->param_count < 32)
		param = vs->param_count;
	if (vs->stage == COMPILER_MS && is_param && param != COMPILER_NO_PARAM && param >= vs->vertex_params)
		flat = true;
	return REG_SET(SPI_PS_INPUT_CNTL, OFFSET, param == COMPILER_NO_PARAM ? 0x20 : param) |
		REG_SET(SPI_PS_INPUT_CNTL, FLAT_SHADE, flat) |
		REG_SET(SPI_PS_INPUT_CNTL, QW_VERTICES, in->kind == COMPILER_INTERP_VERTICES) |
		REG_SET(SPI_PS_INPUT_CNTL, PT_SPRITE_TEX, in->kind == COMPILER_INTERP_POINT_COORD) |
		REG_SET(SPI_PS_INPUT_CNTL, QW_WEIGHTS, in->kind == COMPILER_INTERP_WEIGHTS);
}

static void bake_mesh(struct build *b)
{
	const struct part *ms = &b->part[COMPILER_MS], *ts = &b->part[COMPILER_TS];
	const uint32_t output[2] = { ms->shader.mesh_output, ms->shader.mesh_cntl };
	icd_program_emit(&b->pm4, COMPILER_MS, &ms->shader, ms->address, icd_program_group_rsrc2(&ms->shader));
	icd_pm4_regs(&b->pm4, PM4_SET_SH_REG, R_QW_NUM_THREAD_X_MS, ms->shader.workgroup, 3);
	icd_pm4_regs(&b->pm4, PM4_SET_SH_REG, R_QW_MESH_OUTPUT, output, 2);
	static_assert(R_QW_MESH_CNTL == R_QW_MESH_OUTPUT + 1, "set as a run");
	icd_pm4_context(&b->pm4, R_PA_CL_VS_OUT_CNTL, ms->shader.pa_cl_vs_out_cntl);
	icd_pm4_context(&b->pm4, R_VGT_PRIMITIVEID_EN, 0); /* primitives have the numbers that the shader gives them */
	icd_program_emit(&b->pm4, COMPILER_TS, &ts->shader, ts->address, icd_program_group_rsrc2(&ts->shader));
	if (!ts->made)
		return;
	icd_pm4_regs(&b->pm4, PM4_SET_SH_REG, R_QW_NUM_THREAD_X_TS, ts->shader.workgroup, 3);
	icd_pm4_sh(&b->pm4, R_QW_TASK_PAYLOAD, ts->shader.payload_bytes > ms->shader.payload_bytes ?
		ts->shader.payload_bytes : ms->shader.payload_bytes);
}

/* The tables behind a program. */
static uint64_t vertex_table(const struct part *p)
{
	return p->address + 4 * (uint64_t)compiler_gsvs_at(&p->shader);
}

static uint64_t capture_table(const struct part *p)
{
	return vertex_table(p) + 4 * (uint64_t)p->shader.gsvs_dwords;
}

static void bake_geometry(struct icd_pm4 *pm4, const struct part *part)
{
	const struct compiler_shader *gs = &part->shader;
	const uint64_t table = vertex_table(part);
	icd_pm4_context(pm4, R_VGT_GS_MODE, REG_SET(VGT_GS_MODE, MODE, 3));
	icd_pm4_context(pm4, R_VGT_GS_OUT_PRIM_TYPE, REG_SET(VGT_GS_OUT_PRIM_TYPE, OUTPRIM_TYPE, gs->gs_out_type));
	icd_pm4_context(pm4, R_VGT_GS_MAX_VERT_OUT, REG_SET(VGT_GS_MAX_VERT_OUT, MAX_VERT_OUT, gs->gs_vertices_out));
	icd_pm4_context(pm4, R_VGT_GS_VERT_ITEMSIZE, REG_SET(VGT_GS_VERT_ITEMSIZE, ITEMSIZE, gs->gs_item_dwords));
	for (unsigned i = 1; i < ISA_STREAMS; i++)
		icd_pm4_context(pm4, R_VGT_GSVS_RING_OFFSET_1 + (i - 1) * VGT_GSVS_RING_OFFSET_1__STRIDE,
			i < gs->gs_streams ? i * gs->gs_vertices_out * gs->gs_item_dwords : 0);
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_QW_GSVS_TABLE, &table, 2);
	icd_pm4_context(pm4, R_QW_GSVS_COMPONENTS, gs->gsvs_dwords / ISA_GSVS_COMPONENT_DWORDS);
	icd_pm4_context(pm4, R_VGT_GS_INSTANCE_CNT, REG_SET(VGT_GS_INSTANCE_CNT, ENABLE, 1) |
		REG_SET(VGT_GS_INSTANCE_CNT, CNT, gs->gs_invocations));
}

/* What either of the two shaders says. */
static struct icd_tess tess_of(const struct build *b)
{
	const struct compiler_tess *c = &b->part[COMPILER_TCS].shader.tess, *e = &b->part[COMPILER_TES].shader.tess;
	uint32_t domain = c->domain | e->domain, spacing = c->spacing | e->spacing, order = c->order | e->order;
	struct icd_tess t = { .vertices = (uint8_t)(c->vertices | e->vertices) };
	t.type = (uint8_t)(domain ? domain - 1 : TESS_TRIANGLE);
	t.partitioning = (uint8_t)(spacing ? spacing - 1 : PART_INTEGER);
	t.topology = (uint8_t)(c->points | e->points ? OUTPUT_POINT : t.type == TESS_ISOLINE ? OUTPUT_LINE :
		order ? order : OUTPUT_TRIANGLE_CCW);
	return t;
}

static void bake_tessellation(struct build *b)
{
	const struct part *hs = &b->part[COMPILER_TCS];
	const float levels[2] = { 64, 0 };
	icd_program_emit(&b->pm4, COMPILER_TCS, &hs->shader, hs->address,
		REG_SET(SPI_SHADER_PGM_RSRC2_HS, LDS_SIZE, (hs->shader.lds_bytes + 511) / 512));
	icd_pm4_regs(&b->pm4, PM4_SET_CONTEXT_REG, R_VGT_HOS_MAX_TESS_LEVEL, levels, 2);
}
static_assert(R_VGT_HOS_MIN_TESS_LEVEL == R_VGT_HOS_MAX_TESS_LEVEL + 1, "set as a run");

/* The stages before primitives are assembled. */
static void bake_vertices(struct build *b)
{
	enum compiler_stage stage = last_vertex_stage(b);
	const struct part *last = &b->part[stage];
	bool gs = stage == COMPILER_GS, tess = find_stage(b->info, COMPILER_TES);
	icd_program_emit(&b->pm4, stage, &last->shader, last->address,
		gs ? REG_SET(SPI_SHADER_PGM_RSRC2_GS, LDS_SIZE, (last->shader.lds_bytes + 511) / 512) : 0);
	icd_pm4_context(&b->pm4, R_PA_CL_VS_OUT_CNTL, last->shader.pa_cl_vs_out_cntl);
	icd_pm4_context(&b->pm4, R_VGT_SHADER_STAGES_EN, REG_SET(VGT_SHADER_STAGES_EN, LS_EN, tess) |
		REG_SET(VGT_SHADER_STAGES_EN, HS_EN, tess) | REG_SET(VGT_SHADER_STAGES_EN, ES_EN, !gs ? 0 : tess ? 1 : 2) |
		REG_SET(VGT_SHADER_STAGES_EN, GS_EN, gs) | REG_SET(VGT_SHADER_STAGES_EN, VS_EN, gs ? 2 : tess));
	icd_pm4_context(&b->pm4, R_VGT_PRIMITIVEID_EN, numbers_primitives(b) ?
		REG_SET(VGT_PRIMITIVEID_EN, PRIMITIVEID_EN, 1) | REG_SET(VGT_PRIMITIVEID_EN, QW_PARAM, last->shader.param_count) : 0);
	if (gs)
		bake_geometry(&b->pm4, last);
	if (tess)
		bake_tessellation(b);
}

/* What transform feedback captures; pipelines that it does not use leave it alone. */
static void bake_captures(struct build *b)
{
	const struct part *last = &b->part[last_vertex_stage(b)];
	const uint64_t table = capture_table(last);
	if (!last->shader.capture_dwords)
		return;
	icd_pm4_regs(&b->pm4, PM4_SET_CONTEXT_REG, R_QW_STRMOUT_TABLE, &table, 2);
	icd_pm4_context(&b->pm4, R_VGT_STRMOUT_BUFFER_CONFIG, last->shader.strmout_buffers);
	for (unsigned i = 0; i < ISA_STRMOUT_BUFFERS; i++)
		icd_pm4_context(&b->pm4, R_VGT_STRMOUT_VTX_STRIDE + i * VGT_STRMOUT_VTX_STRIDE__STRIDE,
			last->shader.strmout_stride[i] / 4u);
}

/* A shader that can read the depth or stencil that it is tested against runs
 * before the tests, as one with side effects does. */
static uint32_t shader_control(const struct build *b)
{
	const struct part *ps = &b->part[COMPILER_PS];
	return ps->shader.db_shader_control |
		REG_SET(DB_SHADER_CONTROL, EXEC_ON_NOOP, ps->made && b->formats.depth_is_input);
}

/* Without a pixel shader the program address is 0 and nothing is exported. */
static void bake_ps(struct build *b)
{
	const struct compiler_shader *ps = &b->part[COMPILER_PS].shader;
	uint32_t inputs[32], count = ps->num_interp < 32 ? ps->num_interp : 32;

	icd_program_emit(&b->pm4, COMPILER_PS, ps, b->part[COMPILER_PS].address, 0);
	for (uint32_t i = 0; i < count; i++)
		inputs[i] = input_control(&b->part[last_vertex_stage(b)].shader, &ps->interp[i]);
	if (count)
		icd_pm4_regs(&b->pm4, PM4_SET_CONTEXT_REG, R_SPI_PS_INPUT_CNTL, inputs, count);
	icd_pm4_context(&b->pm4, R_SPI_PS_INPUT_ENA, ps->ps_input_ena);
	icd_pm4_context(&b->pm4, R_SPI_PS_INPUT_ADDR, ps->ps_input_ena);
	icd_pm4_context(&b->pm4, R_SPI_PS_IN_CONTROL, REG_SET(SPI_PS_IN_CONTROL, NUM_INTERP, count));
	icd_pm4_context(&b->pm4, R_SPI_SHADER_Z_FORMAT, ps->z_format);
	icd_pm4_context(&b->pm4, R_SPI_SHADER_COL_FORMAT, ps->col_format);
	icd_pm4_context(&b->pm4, R_CB_SHADER_MASK, ps->cb_shader_mask);
	icd_pm4_context(&b->pm4, R_DB_SHADER_CONTROL, shader_control(b));
}
static_assert(SPI_PS_INPUT_CNTL__STRIDE == 1, "set as a run");

/* What no state changes. */
static void bake_constants(struct icd_pm4 *pm4)
{
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
}

static void bake(struct build *b, const struct icd_pipeline *p)
{
	uint32_t scratch = 0;
	for (unsigned i = 0; i < COMPILER_STAGES; i++)
		if (b->part[i].shader.scratch_bytes > scratch)
			scratch = b->part[i].shader.scratch_bytes;
	icd_graphics_emit(&b->pm4, &p->state, p->baked);
	bake_constants(&b->pm4);
	if (b->mesh) {
		bake_mesh(b);
	} else {
		bake_vertices(b);
		bake_captures(b);
	}
	bake_ps(b);
	icd_pm4_context(&b->pm4, R_SPI_TMPRING_SIZE,
		REG_SET(SPI_TMPRING_SIZE, WAVESIZE, icd_program_wavesize(scratch)));
}

static void fill_state(const struct build *b, struct icd_pipeline *p)
{
	const struct icd_state_source from = { .info = b->info, .dynamic = p->dynamic, .discard = b->discard,
		.mesh = b->mesh, .formats = &b->formats, .samples = (uint8_t)b->samples,
		.depth_unrestricted = b->device->extensions.has[ICD_EXT_EXT_depth_range_unrestricted] };
	uint32_t dynamic = icd_graphics_state_groups(p->dynamic);
	icd_graphics_state_fill(&from, &p->state);
	/* The table of attributes is the draws'. */
	p->baked = ICD_GROUPS_ALL & ~dynamic & ~ICD_GROUP_BIT(ATTRIBUTES);
	p->mixed = (icd_graphics_state_groups(ICD_STATES_ALL & ~p->dynamic) & dynamic) | ICD_GROUP_BIT(ATTRIBUTES);
}

static VkResult fill(struct build *b, struct icd_pipeline *p)
{
	struct compiler_options input = { 0 };
	VkResult result;

	p->dynamic = b->dynamic;
	fill_state(b, p);
	if (!b->mesh)
		fill_attributes(b->info->pVertexInputState, p, &input);
	enum compiler_stage last = last_vertex_stage(b), second = second_half(b, COMPILER_VS);
	p->vertex_hw = (uint8_t)isa_hw_of(COMPILER_VS, second == COMPILER_STAGES ? COMPILER_VS : second);
	p->hw_stages = 1u << isa_stages[last].hw | 1u << ISA_HW_PS | (b->mesh ? 0 : 1u << p->vertex_hw) |
		(uint32_t)(find_stage(b->info, COMPILER_TS) != NULL) << ISA_HW_TS;
	result = compile(b, p, &input);
	if (result == VK_SUCCESS)
		result = link_programs(b);
	if (result == VK_SUCCESS)
		result = place(b, p);
	if (result != VK_SUCCESS)
		return result;
	p->state.once_a_sample = b->part[COMPILER_PS].shader.sample_shading;
	if (b->part[COMPILER_TES].made)
		p->state.tess = tess_of(b);
	bake(b, p);
	return icd_pipeline_keep_pm4(p, b->alloc, &b->pm4);
}

/* By VK_EXT_attachment_feedback_loop_layout, now or when a command says so. */
static bool reads_tested_depth(const VkGraphicsPipelineCreateInfo *info)
{
	const VkPipelineDynamicStateCreateInfo *d = info->pDynamicState;
	bool loop = info->flags & VK_PIPELINE_CREATE_DEPTH_STENCIL_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
	for (uint32_t i = 0; d && i < d->dynamicStateCount; i++)
		loop |= d->pDynamicStates[i] == VK_DYNAMIC_STATE_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT;
	return loop;
}

/* Of a subpass, or, without a render pass, as the create info lists them. */
static VkResult find_formats(struct build *b)
{
	const VkGraphicsPipelineCreateInfo *info = b->info;
	ICD_FROM_HANDLE(icd_render_pass, pass, info->renderPass);
	const VkPipelineRenderingCreateInfo *list = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
	if (pass ? info->subpass >= pass->subpass_count : !b->device->enabled.dynamicRendering)
		return icd_error(b->device->instance, VK_ERROR_FEATURE_NOT_PRESENT, NULL,
			"vkCreateGraphicsPipelines: there is no render pass with subpass %u", info->subpass);
	if (pass)
		b->formats = pass->subpass[info->subpass].formats;
	else if (list)
		icd_target_formats_init(&b->formats, list->viewMask, list->colorAttachmentCount,
			list->pColorAttachmentFormats, list->depthAttachmentFormat, list->stencilAttachmentFormat);
	b->formats.depth_is_input |= reads_tested_depth(info);
	return VK_SUCCESS;
}

/* Where the stages' programs came from. */
static void tell(const struct build *b)
{
	struct icd_stage_feedback made[COMPILER_STAGES + 1] = { { 0 } };
	unsigned count = 0;
	for (unsigned i = 0; i < COMPILER_STAGES; i++)
		if (b->part[i].made)
			made[count++] = b->part[i].id.feedback;
	icd_feedback_fill(b->info->pNext, b->info->stageCount, b->info->pStages, made, b->begin);
}

static VkResult create(struct icd_device *device, struct icd_pipeline_cache *cache,
	const VkGraphicsPipelineCreateInfo *info, const VkAllocationCallbacks *alloc,
	struct icd_pipeline **out)
{
	struct build b = { .device = device, .cache = cache, .info = info, .alloc = alloc,
		.dynamic = icd_graphics_state_dynamic(info->pDynamicState), .begin = icd_feedback_now() };
	struct icd_pipeline *p = NULL;
	VkResult result = find_formats(&b);

	if (result != VK_SUCCESS)
		return result;
	b.mesh = find_stage(info, COMPILER_MS);
	b.discard = info->pRasterizationState && info->pRasterizationState->rasterizerDiscardEnable &&
		!(b.dynamic & ICD_STATE_BIT(RASTERIZER_DISCARD));
	b.ms = b.discard ? NULL : info->pMultisampleState;
	b.samples = b.ms ? b.ms->rasterizationSamples : b.formats.samples;
	result = check(&b);
	if (result != VK_SUCCESS)
		return result;
	p = icd_pipeline_alloc(device, alloc, VK_PIPELINE_BIND_POINT_GRAPHICS, info->layout);
	if (!p)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	result = fill(&b, p);
	for (unsigned i = 0; i < COMPILER_STAGES; i++) {
		rs_gpu_drop(b.part[i].id.decoded);
		if (b.part[i].made)
			compiler_shader_finish(&b.part[i].shader);
	}
	if (result != VK_SUCCESS) {
		icd_pipeline_destroy(p, alloc);
		return result;
	}
	tell(&b);
	*out = p;
	return VK_SUCCESS;
}

/* All are tried, unless EARLY_RETURN says otherwise; what failed is null. */
VKAPI_ATTR VkResult VKAPI_CALL icd_CreateGraphicsPipelines(VkDevice _device,
	VkPipelineCache pipelineCache, uint32_t createInfoCount,
	const VkGraphicsPipelineCreateInfo *pCreateInfos, const VkAllocationCallbacks *pAllocator,
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
