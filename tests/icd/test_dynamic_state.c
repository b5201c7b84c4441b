/* SPDX-License-Identifier: MIT */
/* VK_EXT_extended_dynamic_state, 2 and 3, VK_EXT_color_write_enable: whatever the state, the same picture if a pipeline
 * fixes it as if commands set it, also between pipelines that fix other parts of it. */
#include "state_rig.h"

/* All state of a pipeline: the rig's, and what comes by structures of extensions. */
struct some_states {
	struct rig_states s;
	VkBool32 clip, symmetric, write;
	VkProvokingVertexModeEXT provoking;
};

/* A state, and where some_states has it: the first member, up to the last. */
struct state { VkDynamicState dynamic; size_t at, bytes, also; };
#define MEMBERS(STATE, first, last) { VK_DYNAMIC_STATE_##STATE, offsetof(struct some_states, s.first), \
	offsetof(struct some_states, s.last) + sizeof((struct some_states *)0)->s.last - offsetof(struct some_states, s.first), 0 }
#define EXTRA(STATE, member) { VK_DYNAMIC_STATE_##STATE, offsetof(struct some_states, member), \
	sizeof((struct some_states *)0)->member, 0 }
#define MEMBER(STATE, member) MEMBERS(STATE, member, member)
#define FACES(STATE, first, last) { VK_DYNAMIC_STATE_##STATE, offsetof(struct some_states, s.depth.front.first), \
	offsetof(VkStencilOpState, last) + 4 - offsetof(VkStencilOpState, first), \
	offsetof(struct some_states, s.depth.back.first) }
static const struct state states[] = {
	MEMBER(VIEWPORT_WITH_COUNT, viewport),
	MEMBER(SCISSOR_WITH_COUNT, scissor),
	MEMBER(CULL_MODE, raster.cullMode),
	MEMBER(FRONT_FACE, raster.frontFace),
	MEMBER(PRIMITIVE_TOPOLOGY, assembly.topology),
	MEMBER(PRIMITIVE_RESTART_ENABLE, assembly.primitiveRestartEnable),
	MEMBER(VERTEX_INPUT_BINDING_STRIDE, binding.stride),
	MEMBER(RASTERIZER_DISCARD_ENABLE, raster.rasterizerDiscardEnable),
	MEMBER(DEPTH_BIAS_ENABLE, raster.depthBiasEnable),
	MEMBER(LINE_WIDTH, raster.lineWidth),
	MEMBERS(DEPTH_BIAS, raster.depthBiasConstantFactor, raster.depthBiasSlopeFactor),
	MEMBER(DEPTH_TEST_ENABLE, depth.depthTestEnable),
	MEMBER(DEPTH_WRITE_ENABLE, depth.depthWriteEnable),
	MEMBER(DEPTH_COMPARE_OP, depth.depthCompareOp),
	MEMBER(DEPTH_BOUNDS_TEST_ENABLE, depth.depthBoundsTestEnable),
	MEMBERS(DEPTH_BOUNDS, depth.minDepthBounds, depth.maxDepthBounds),
	MEMBER(STENCIL_TEST_ENABLE, depth.stencilTestEnable),
	MEMBER(LOGIC_OP_EXT, blend.logicOp),
	FACES(STENCIL_OP, failOp, compareOp),
	FACES(STENCIL_COMPARE_MASK, compareMask, compareMask),
	FACES(STENCIL_WRITE_MASK, writeMask, writeMask),
	FACES(STENCIL_REFERENCE, reference, reference),
	MEMBER(POLYGON_MODE_EXT, raster.polygonMode),
	MEMBER(DEPTH_CLAMP_ENABLE_EXT, raster.depthClampEnable),
	MEMBER(SAMPLE_MASK_EXT, sample_mask),
	MEMBER(LOGIC_OP_ENABLE_EXT, blend.logicOpEnable),
	MEMBER(COLOR_BLEND_ENABLE_EXT, attachment.blendEnable),
	MEMBERS(COLOR_BLEND_EQUATION_EXT, attachment.srcColorBlendFactor, attachment.alphaBlendOp),
	MEMBER(COLOR_WRITE_MASK_EXT, attachment.colorWriteMask),
	EXTRA(COLOR_WRITE_ENABLE_EXT, write),
	EXTRA(DEPTH_CLIP_ENABLE_EXT, clip),
	EXTRA(DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, symmetric),
	EXTRA(PROVOKING_VERTEX_MODE_EXT, provoking),
};
enum { ALL = sizeof states / sizeof *states };
#define EVERY ((1ull << ALL) - 1)

static uint64_t any_set(struct rig *r)
{
	return ((uint64_t)rig_below(r, 1u << 20) << 20 | rig_below(r, 1u << 20)) & EVERY;
}

static VkStencilOpState any_face(struct rig *r)
{
	return (VkStencilOpState){ (VkStencilOp)rig_below(r, 8), (VkStencilOp)rig_below(r, 8), (VkStencilOp)rig_below(r, 8),
		(VkCompareOp)rig_below(r, 8), rig_below(r, 256), rig_below(r, 256), rig_below(r, 256) };
}

static struct rig_states any_rig_states(struct rig *r)
{
	struct rig_states s = rig_states();
	const int32_t x = (int32_t)rig_below(r, 12), y = (int32_t)rig_below(r, 12);
	s.binding.stride = rig_below(r, 4) ? RIG_STRIDE : RIG_STRIDE / 2;
	s.viewport = (VkViewport){ rig_unit(r) * 8, rig_unit(r) * 8, 20 + rig_unit(r) * 20, 20 + rig_unit(r) * 20, 0.1f, 0.9f };
	s.scissor = (VkRect2D){ { x, y }, { 30 + rig_below(r, 6), 30 + rig_below(r, 6) } };
	s.assembly.topology = (VkPrimitiveTopology)rig_below(r, 6);
	s.assembly.primitiveRestartEnable = rig_below(r, 2);
	s.raster.cullMode = rig_below(r, 3);
	s.raster.frontFace = (VkFrontFace)rig_below(r, 2);
	s.raster.rasterizerDiscardEnable = rig_below(r, 8) == 0;
	s.raster.depthBiasEnable = rig_below(r, 2);
	s.raster.depthBiasConstantFactor = 1e5f * rig_unit(r);
	s.raster.depthBiasSlopeFactor = rig_unit(r);
	s.depth.depthTestEnable = rig_below(r, 4) != 0;
	s.depth.depthWriteEnable = rig_below(r, 2);
	s.depth.depthCompareOp = (VkCompareOp)rig_below(r, 8);
	s.depth.depthBoundsTestEnable = rig_below(r, 2);
	s.depth.minDepthBounds = 0.25f * rig_unit(r);
	s.depth.maxDepthBounds = 1 - 0.5f * rig_unit(r);
	s.depth.stencilTestEnable = rig_below(r, 4) != 0;
	s.depth.front = any_face(r);
	s.depth.back = any_face(r);
	s.blend.logicOpEnable = rig_below(r, 2);
	s.blend.logicOp = (VkLogicOp)rig_below(r, 16);
	s.raster.polygonMode = (VkPolygonMode)rig_below(r, 3);
	s.raster.depthClampEnable = rig_below(r, 2);
	s.sample_mask = rig_below(r, 8) != 0;
	s.attachment = (VkPipelineColorBlendAttachmentState){ rig_below(r, 2), (VkBlendFactor)rig_below(r, 10),
		(VkBlendFactor)rig_below(r, 10), (VkBlendOp)rig_below(r, 5), (VkBlendFactor)rig_below(r, 10),
		(VkBlendFactor)rig_below(r, 10), (VkBlendOp)rig_below(r, 5), rig_below(r, 4) ? 15 : rig_below(r, 16) };
	return s;
}

static struct some_states any_states(struct rig *r)
{
	struct some_states s = { .s = any_rig_states(r) };
	s.clip = rig_below(r, 2);
	s.symmetric = rig_below(r, 2);
	s.write = rig_below(r, 4) != 0;
	s.provoking = (VkProvokingVertexModeEXT)rig_below(r, 2);
	return s;
}

static void copy_state(const struct state *which, struct some_states *to, const struct some_states *from)
{
	memcpy((char *)to + which->at, (const char *)from + which->at, which->bytes);
	if (which->also)
		memcpy((char *)to + which->also, (const char *)from + which->also, which->bytes);
}

static void set_one(struct vk *vk, VkCommandBuffer cmd, VkDynamicState which, const struct some_states *all)
{
	const struct rig_states *s = &all->s;
	const VkPipelineColorBlendAttachmentState *a = &s->attachment;
	const VkColorBlendEquationEXT equation = { a->srcColorBlendFactor, a->dstColorBlendFactor, a->colorBlendOp,
		a->srcAlphaBlendFactor, a->dstAlphaBlendFactor, a->alphaBlendOp };
	const VkStencilFaceFlags front = VK_STENCIL_FACE_FRONT_BIT, back = VK_STENCIL_FACE_BACK_BIT;
	const VkStencilOpState *f = &s->depth.front, *b = &s->depth.back;
#define SET(STATE, name, ...) case VK_DYNAMIC_STATE_##STATE: FN(vk, vkCmdSet##name)(cmd, __VA_ARGS__); break
#define SET_FACES(STATE, name, member) case VK_DYNAMIC_STATE_##STATE: \
	FN(vk, vkCmdSet##name)(cmd, front, f->member); FN(vk, vkCmdSet##name)(cmd, back, b->member); break
	switch (which) {
	SET(VIEWPORT_WITH_COUNT, ViewportWithCountEXT, 1, &s->viewport);
	SET(SCISSOR_WITH_COUNT, ScissorWithCountEXT, 1, &s->scissor);
	SET(CULL_MODE, CullModeEXT, s->raster.cullMode);
	SET(FRONT_FACE, FrontFaceEXT, s->raster.frontFace);
	SET(PRIMITIVE_TOPOLOGY, PrimitiveTopologyEXT, s->assembly.topology);
	SET(PRIMITIVE_RESTART_ENABLE, PrimitiveRestartEnableEXT, s->assembly.primitiveRestartEnable);
	SET(RASTERIZER_DISCARD_ENABLE, RasterizerDiscardEnableEXT, s->raster.rasterizerDiscardEnable);
	SET(DEPTH_BIAS_ENABLE, DepthBiasEnableEXT, s->raster.depthBiasEnable);
	SET(LINE_WIDTH, LineWidth, s->raster.lineWidth);
	SET(DEPTH_BIAS, DepthBias, s->raster.depthBiasConstantFactor, 0, s->raster.depthBiasSlopeFactor);
	SET(DEPTH_TEST_ENABLE, DepthTestEnableEXT, s->depth.depthTestEnable);
	SET(DEPTH_WRITE_ENABLE, DepthWriteEnableEXT, s->depth.depthWriteEnable);
	SET(DEPTH_COMPARE_OP, DepthCompareOpEXT, s->depth.depthCompareOp);
	SET(DEPTH_BOUNDS_TEST_ENABLE, DepthBoundsTestEnableEXT, s->depth.depthBoundsTestEnable);
	SET(DEPTH_BOUNDS, DepthBounds, s->depth.minDepthBounds, s->depth.maxDepthBounds);
	SET(STENCIL_TEST_ENABLE, StencilTestEnableEXT, s->depth.stencilTestEnable);
	SET(LOGIC_OP_EXT, LogicOpEXT, s->blend.logicOp);
	SET(POLYGON_MODE_EXT, PolygonModeEXT, s->raster.polygonMode);
	SET(DEPTH_CLAMP_ENABLE_EXT, DepthClampEnableEXT, s->raster.depthClampEnable);
	SET(SAMPLE_MASK_EXT, SampleMaskEXT, VK_SAMPLE_COUNT_1_BIT, &s->sample_mask);
	SET(LOGIC_OP_ENABLE_EXT, LogicOpEnableEXT, s->blend.logicOpEnable);
	SET(COLOR_BLEND_ENABLE_EXT, ColorBlendEnableEXT, 0, 1, &a->blendEnable);
	SET(COLOR_BLEND_EQUATION_EXT, ColorBlendEquationEXT, 0, 1, &equation);
	SET(COLOR_WRITE_MASK_EXT, ColorWriteMaskEXT, 0, 1, &a->colorWriteMask);
	SET(COLOR_WRITE_ENABLE_EXT, ColorWriteEnableEXT, 1, &all->write);
	SET(DEPTH_CLIP_ENABLE_EXT, DepthClipEnableEXT, all->clip);
	SET(DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, DepthClipNegativeOneToOneEXT, all->symmetric);
	SET(PROVOKING_VERTEX_MODE_EXT, ProvokingVertexModeEXT, all->provoking);
	SET_FACES(STENCIL_COMPARE_MASK, StencilCompareMask, compareMask);
	SET_FACES(STENCIL_WRITE_MASK, StencilWriteMask, writeMask);
	SET_FACES(STENCIL_REFERENCE, StencilReference, reference);
	case VK_DYNAMIC_STATE_STENCIL_OP:
		FN(vk, vkCmdSetStencilOpEXT)(cmd, front, f->failOp, f->passOp, f->depthFailOp, f->compareOp);
		FN(vk, vkCmdSetStencilOpEXT)(cmd, back, b->failOp, b->passOp, b->depthFailOp, b->compareOp);
		break;
	default: break; /* VERTEX_INPUT_BINDING_STRIDE comes with the buffer */
	}
#undef SET
#undef SET_FACES
}

enum { DRAWS = 4, ROUNDS = 60, WAYS = 3, RUNS = 40 };

/* A draw: its state, which of it is another than the draw's before, and pipelines that
 * leave nothing, some, and all of it to commands.  Sets are masks by states[]. */
struct try {
	struct some_states s;
	uint64_t changed, dynamic[WAYS];
	VkPipeline pipeline[WAYS];
};

/* What the create info says of dynamic state does not count. */
static VkPipeline make_pipeline(struct rig *r, struct some_states s, uint64_t dynamic, VkRenderPass pass)
{
	const struct some_states anything = any_states(r);
	VkDynamicState list[ALL];
	uint32_t n = 0;
	for (uint32_t i = 0; i < ALL; i++)
		if (dynamic >> i & 1) {
			list[n++] = states[i].dynamic;
			copy_state(&states[i], &s, &anything);
		}
	const VkPipelineRasterizationDepthClipStateCreateInfoEXT clip = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT, .depthClipEnable = s.clip };
	const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT, .pNext = &clip,
		.provokingVertexMode = s.provoking };
	const VkPipelineViewportDepthClipControlCreateInfoEXT control = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT, .negativeOneToOne = s.symmetric };
	const VkPipelineColorWriteCreateInfoEXT write = { .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
		.attachmentCount = 1, .pColorWriteEnables = &s.write };
	s.s.raster.pNext = &provoking;
	s.s.blend.pNext = &write;
	s.s.viewport_next = &control;
	s.s.dynamic = (VkPipelineDynamicStateCreateInfo){ .dynamicStateCount = n, .pDynamicStates = list };
	s.s.no_raster = dynamic == EVERY;
	if (dynamic & 3)
		s.s.viewports = (dynamic & 3) == 3 ? 0 : 1;
	return rig_pipeline(r, &s.s, pass, NULL);
}

static void make_try(struct rig *r, struct try *t, const struct try *before, VkRenderPass pass)
{
	const struct some_states fresh = any_states(r);
	t->s = before ? before->s : fresh;
	t->changed = any_set(r) & any_set(r);
	t->dynamic[0] = 0;
	t->dynamic[1] = any_set(r) & ~3ull; /* viewports and scissors are counted together */
	t->dynamic[2] = EVERY;
	if (rig_below(r, 2))
		t->dynamic[1] |= 3;
	for (uint32_t i = 0; i < ALL; i++)
		if (t->changed >> i & 1)
			copy_state(&states[i], &t->s, &fresh);
	for (uint32_t i = 0; i < ALL; i++)
		if (states[i].dynamic == VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE)
			t->changed |= 1ull << i;
	/* Only strips and fans can be restarted. */
	if (t->s.s.assembly.topology != VK_PRIMITIVE_TOPOLOGY_LINE_STRIP &&
		t->s.s.assembly.topology < VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP)
		t->s.s.assembly.primitiveRestartEnable = VK_FALSE;
	for (int way = 0; way < WAYS; way++)
		t->pipeline[way] = make_pipeline(r, t->s, t->dynamic[way], pass);
}

/* Commands set what is dynamic, unless that was done before, and no pipeline since fixes it. */
static void draw(struct rig *r, VkCommandBuffer cmd, const struct try *t, int way, bool set_first, uint64_t *known)
{
	struct vk *vk = &r->vk;
	const VkDeviceSize zero = 0, stride = t->s.s.binding.stride, wrong = 4, size = RIG_VERTICES * RIG_STRIDE;
	const uint64_t dynamic = t->dynamic[way], set = dynamic & ~(*known & ~t->changed);
	bool has_stride = false;
	if (!set_first)
		FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, t->pipeline[way]);
	for (uint32_t i = 0; i < ALL; i++) {
		has_stride |= dynamic >> i & 1 && states[i].dynamic == VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
		if (set >> i & 1)
			set_one(vk, cmd, states[i].dynamic, &t->s);
	}
	if (set_first)
		FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, t->pipeline[way]);
	if (has_stride)
		FN(vk, vkCmdBindVertexBuffers2EXT)(cmd, 0, 1, &r->vertices.buffer, &zero, &size, &stride);
	else if (way)
		FN(vk, vkCmdBindVertexBuffers2EXT)(cmd, 0, 1, &r->vertices.buffer, &zero, &size, &wrong);
	else
		FN(vk, vkCmdBindVertexBuffers)(cmd, 0, 1, &r->vertices.buffer, &zero);
	rig_draw(r, cmd);
	*known = dynamic;
}

static void render(struct rig *r, const struct try t[DRAWS], const int way[DRAWS], VkRenderPass pass,
	VkFramebuffer framebuffer, struct rig_picture *out)
{
	VkCommandBuffer cmd = rig_begin_primary(r);
	uint64_t known = 0;
	rig_begin_pass(r, cmd, pass, framebuffer);
	for (int i = 0; i < DRAWS; i++)
		draw(r, cmd, &t[i], way[i], i % 2, &known);
	FN(&r->vk, vkCmdEndRenderPass)(cmd);
	rig_finish(r, &cmd, 1, out);
}

static bool is_clear(const struct rig_picture *p)
{
	for (int i = 0; i < RIG_TEXELS; i++)
		if (memcmp(p->color[i], p->color[0], 4) || p->stencil[i] != 100)
			return false;
	return true;
}

static void run(struct rig *r, VkRenderPass pass, VkFramebuffer framebuffer)
{
	static struct rig_picture want, got;
	int empty = 0;
	for (int round = 0; round < ROUNDS; round++) {
		struct try t[DRAWS];
		for (int i = 0; i < DRAWS; i++)
			make_try(r, &t[i], i ? &t[i - 1] : NULL, pass);
		for (int n = 0; n < RUNS; n++) {
			int way[DRAWS];
			for (int i = 0; i < DRAWS; i++)
				way[i] = n ? (int)rig_below(r, WAYS) : 0;
			render(r, t, way, pass, framebuffer, n ? &got : &want);
			if (n && memcmp(&want, &got, sizeof got))
				fprintf(stderr, "round %d: another picture by ways %d, %d, %d, %d\n", round, way[0], way[1], way[2], way[3]);
			CHECK(!n || !memcmp(&want, &got, sizeof got));
		}
		empty += is_clear(&want);
		for (int i = 0; i < DRAWS; i++)
			for (int way = 0; way < WAYS; way++)
				FN(&r->vk, vkDestroyPipeline)(r->vk.device, t[i].pipeline[way], NULL);
	}
	CHECK(empty < ROUNDS / 2);
}

int main(void)
{
	static const char *const names[] = { VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME,
		VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME, VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
		VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME, VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME,
		VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME, VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME };
	VkPhysicalDeviceExtendedDynamicStateFeaturesEXT one = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT, .extendedDynamicState = VK_TRUE };
	const VkPhysicalDeviceExtendedDynamicState2FeaturesEXT two = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, .pNext = &one,
		.extendedDynamicState2 = VK_TRUE, .extendedDynamicState2LogicOp = VK_TRUE };
	VkPhysicalDeviceExtendedDynamicState3FeaturesEXT three = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, .pNext = (void *)&two,
		.extendedDynamicState3PolygonMode = VK_TRUE, .extendedDynamicState3DepthClampEnable = VK_TRUE,
		.extendedDynamicState3SampleMask = VK_TRUE, .extendedDynamicState3LogicOpEnable = VK_TRUE,
		.extendedDynamicState3ColorBlendEnable = VK_TRUE, .extendedDynamicState3ColorBlendEquation = VK_TRUE,
		.extendedDynamicState3ColorWriteMask = VK_TRUE, .extendedDynamicState3DepthClipEnable = VK_TRUE,
		.extendedDynamicState3DepthClipNegativeOneToOne = VK_TRUE,
		.extendedDynamicState3ProvokingVertexMode = VK_TRUE };
	VkPhysicalDeviceColorWriteEnableFeaturesEXT write = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT, .pNext = &three,
		.colorWriteEnable = VK_TRUE };
	VkPhysicalDeviceDepthClipEnableFeaturesEXT clip = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT, .pNext = &write,
		.depthClipEnable = VK_TRUE };
	VkPhysicalDeviceDepthClipControlFeaturesEXT control = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT, .pNext = &clip,
		.depthClipControl = VK_TRUE };
	const VkPhysicalDeviceProvokingVertexFeaturesEXT provoking = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT, .pNext = &control,
		.provokingVertexLast = VK_TRUE };
	static struct rig r;
	rig_make(&r, names, sizeof names / sizeof *names, &provoking);
	const VkRenderPass pass = rig_pass(&r);
	const VkFramebuffer framebuffer = rig_framebuffer(&r, pass);
	run(&r, pass, framebuffer);
	FN(&r.vk, vkDestroyFramebuffer)(r.vk.device, framebuffer, NULL);
	FN(&r.vk, vkDestroyRenderPass)(r.vk.device, pass, NULL);
	rig_destroy(&r);
	return 0;
}
