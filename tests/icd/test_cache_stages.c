/* SPDX-License-Identifier: MIT */
/* What test_cache_mutants.c does, to programs of the stages around it: halves of merged ones, tessellation, geometry
 * with the tables behind it, captures, task and mesh.  Arguments: rounds for each pipeline, and a seed. */
#include "cache_mutate.h"
#include "state_rig.h"
#include "domain_corners_geom.h"
#include "domain_triangles_tese.h"
#include "feedback_geom.h"
#include "feedback_vert.h"
#include "levels_tesc.h"
#include "levels_vert.h"
#include "mesh_color_frag.h"
#include "meshlets_mesh.h"
#include "meshlets_task.h"
#include "isa/gsvs.h"
#include "isa/strmout.h"

enum { BUFFERS = 4, CAPTURED = 4096 };

/* A pipeline; modules that it has none of are empty. */
struct words { const uint32_t *p; size_t bytes; };
#define WORDS(name) { name, sizeof name }
struct subject {
	const char *name;
	struct words vs, tcs, tes, gs, ts, ms, ps;
	uint32_t programs;
	bool captures;
};

/* levels_vert reads the instance for levels, 4 of them; other shaders do not mind. */
static const struct subject subjects[] = {
	{ .name = "all halves", .vs = WORDS(levels_vert), .tcs = WORDS(levels_tesc), .tes = WORDS(domain_triangles_tese),
		.gs = WORDS(domain_corners_geom), .ps = WORDS(state_frag), .programs = 5, .captures = true },
	{ .name = "tessellation", .vs = WORDS(levels_vert), .tcs = WORDS(levels_tesc), .tes = WORDS(domain_triangles_tese),
		.ps = WORDS(state_frag), .programs = 4, .captures = true },
	{ .name = "geometry", .vs = WORDS(feedback_vert), .gs = WORDS(feedback_geom), .ps = WORDS(state_frag), .programs = 3,
		.captures = true },
	{ .name = "captures", .vs = WORDS(feedback_vert), .ps = WORDS(state_frag), .programs = 2, .captures = true },
	{ .name = "mesh", .ts = WORDS(meshlets_task), .ms = WORDS(meshlets_mesh), .ps = WORDS(mesh_color_frag), .programs = 3 },
};

struct scene {
	const struct subject *subject;
	struct rig r;
	VkShaderModule state_vs, state_ps; /* the rig's own */
	struct vk_buffer captured;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
};

static VkShaderModule make_module(struct vk *vk, struct words w)
{
	return w.bytes ? vk_module(vk, w.p, w.bytes) : VK_NULL_HANDLE;
}

static void make(struct scene *s)
{
	static const char *const extensions[] = { "VK_EXT_transform_feedback", "VK_EXT_mesh_shader" };
	VkPhysicalDeviceMeshShaderFeaturesEXT mesh = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
		.taskShader = VK_TRUE, .meshShader = VK_TRUE };
	const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = { .pNext = &mesh, .geometryStreams = VK_TRUE,
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .transformFeedback = VK_TRUE };
	const struct subject *what = s->subject;
	struct rig *r = &s->r;
	struct vk *vk = &r->vk;
	rig_make(r, extensions, 2, &feedback);
	s->state_vs = r->vs;
	s->state_ps = r->ps;
	r->vs = make_module(vk, what->vs);
	r->tcs = make_module(vk, what->tcs);
	r->tes = make_module(vk, what->tes);
	r->gs = make_module(vk, what->gs);
	r->ts = make_module(vk, what->ts);
	r->ms = make_module(vk, what->ms);
	r->ps = make_module(vk, what->ps);
	s->captured = vk_buffer(vk, BUFFERS * CAPTURED, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
	s->pass = rig_pass(r);
	s->framebuffer = rig_framebuffer(r, s->pass);
}

static void destroy(struct scene *s)
{
	struct vk *vk = &s->r.vk;
	const VkShaderModule modules[] = { s->r.tcs, s->r.tes, s->r.gs, s->r.ts, s->r.ms, s->state_vs, s->state_ps };
	for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
		FN(vk, vkDestroyShaderModule)(vk->device, modules[i], NULL);
	FN(vk, vkDestroyFramebuffer)(vk->device, s->framebuffer, NULL);
	FN(vk, vkDestroyRenderPass)(vk->device, s->pass, NULL);
	vk_buffer_free(vk, &s->captured);
	rig_destroy(&s->r);
}

static void record(struct scene *s, VkCommandBuffer cmd, VkPipeline pipeline)
{
	struct vk *vk = &s->r.vk;
	const VkBuffer b = s->captured.buffer, buffers[BUFFERS] = { b, b, b, b };
	const VkDeviceSize offsets[BUFFERS] = { 0, CAPTURED, 2 * CAPTURED, 3 * CAPTURED },
		sizes[BUFFERS] = { CAPTURED, CAPTURED, CAPTURED, CAPTURED };
	rig_begin_pass(&s->r, cmd, s->pass, s->framebuffer);
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	FN(vk, vkCmdBindVertexBuffers)(cmd, 0, 1, &s->r.vertices.buffer, offsets);
	if (s->subject->captures) {
		FN(vk, vkCmdBindTransformFeedbackBuffersEXT)(cmd, 0, BUFFERS, buffers, offsets, sizes);
		FN(vk, vkCmdBeginTransformFeedbackEXT)(cmd, 0, 0, NULL, NULL);
	}
	if (s->subject->ms.bytes)
		FN(vk, vkCmdDrawMeshTasksEXT)(cmd, 2, 2, 1);
	else
		FN(vk, vkCmdDraw)(cmd, 12, 1, 0, 4);
	if (s->subject->captures)
		FN(vk, vkCmdEndTransformFeedbackEXT)(cmd, 0, 0, NULL, NULL);
	FN(vk, vkCmdEndRenderPass)(cmd);
	OK(FN(vk, vkEndCommandBuffer)(cmd));
}

static VkResult draw(struct scene *s, VkPipeline pipeline)
{
	struct vk *vk = &s->r.vk;
	VkCommandBuffer cmd = rig_begin_primary(&s->r);
	const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd };
	record(s, cmd, pipeline);
	VkResult result = FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, VK_NULL_HANDLE);
	if (result == VK_SUCCESS)
		result = FN(vk, vkQueueWaitIdle)(vk->queue);
	FN(vk, vkFreeCommandBuffers)(vk->device, s->r.pool, 1, &cmd);
	return result;
}

static VkResult run(void *context, struct blob b, VkPipelineCreateFlags flags, struct blob *saved)
{
	struct scene *s = context;
	struct vk *vk = &s->r.vk;
	const VkPipelineCacheCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
		.initialDataSize = b.size, .pInitialData = b.p };
	struct rig_states states = rig_states();
	VkPipeline pipeline = VK_NULL_HANDLE;
	OK(FN(vk, vkCreatePipelineCache)(vk->device, &info, NULL, &states.cache));
	states.flags = flags;
	states.patch_points = 1;
	if (s->subject->tes.bytes)
		states.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
	VkResult result = rig_create_pipeline(&s->r, &states, s->pass, NULL, &pipeline);
	if (result == VK_SUCCESS)
		result = draw(s, pipeline);
	if (saved) {
		OK(FN(vk, vkGetPipelineCacheData)(vk->device, states.cache, &saved->size, NULL));
		CHECK((saved->p = malloc(saved->size)));
		OK(FN(vk, vkGetPipelineCacheData)(vk->device, states.cache, &saved->size, saved->p));
	}
	FN(vk, vkDestroyPipeline)(vk->device, pipeline, NULL);
	FN(vk, vkDestroyPipelineCache)(vk->device, states.cache, NULL);
	if (result == VK_ERROR_DEVICE_LOST) {
		destroy(s);
		make(s);
	}
	return result;
}

/* --- one thing at a time --- */

#define N(stage, field, value) MUTATE_NUMBER(m, COMPILER_##stage, field, value)

static int has(const struct mutate *m, uint32_t stage)
{
	for (uint32_t i = 0; i < m->count; i++)
		if (m->stages[i] == stage)
			return 1;
	return 0;
}

/* Behind a first half comes the second. */
static int table_behind_first(const struct mutate *m, uint32_t stage)
{
	struct icd_record r;
	struct blob b = mutate_copy(m);
	const size_t at = mutate_find(b, stage, &r), end = at + r.bytes, more = 4 * ISA_STRMOUT_RUN_DWORDS;
	CHECK(r.shader.first_half && (b.p = realloc(b.p, b.size + more)));
	memmove(b.p + end + more, b.p + end, b.size - end);
	memset(b.p + end, 0, more);
	b.size += more;
	r.bytes += (uint32_t)more;
	r.shader.code_dwords += ISA_STRMOUT_RUN_DWORDS;
	r.shader.capture_dwords = ISA_STRMOUT_RUN_DWORDS;
	memcpy(b.p + at, &r, sizeof r);
	return mutate_must_miss(m, b, "a first half with captures");
}

static int vertex_cases(const struct mutate *m)
{
	struct icd_record r;
	mutate_find(m->good, COMPILER_VS, &r);
	int failed = N(VS, table_dwords, 1) + N(VS, table_dwords, ABI_MAX_TABLE_DWORDS + 1) + N(VS, table_dwords, 0xfffffffe) + N(VS, first_half, 2) + N(VS, strmout_stride[0], 2049) + N(VS, strmout_buffers, 0x10000);
	return failed + (r.shader.first_half ? N(VS, first_half, 0) + table_behind_first(m, COMPILER_VS) : N(VS, first_half, 1));
}

static int tessellation_cases(const struct mutate *m)
{
	struct icd_record r;
	mutate_find(m->good, COMPILER_TES, &r);
	int failed = N(TCS, tess.domain, 4) + N(TCS, tess.spacing, 5) + N(TCS, tess.order, 4) + N(TCS, tess.points, 2) +
		N(TCS, tess.vertices, 33) + N(TCS, first_half, 1) + N(TCS, lds_bytes, 65537) + N(TES, tess.domain, 4) +
		N(TES, tess.spacing, 5) + N(TES, tess.order, 4) + N(TES, tess.points, 2) + N(TES, tess.vertices, 33) +
		N(TES, param_count, 33) + N(TES, first_half, 2);
	return failed + (r.shader.first_half ? N(TES, first_half, 0) + table_behind_first(m, COMPILER_TES) : N(TES, first_half, 1));
}

static int geometry_cases(const struct mutate *m)
{
	struct icd_record r;
	mutate_find(m->good, COMPILER_GS, &r);
	CHECK(r.shader.gsvs_dwords);
	return N(GS, gs_vertices_out, 257) + N(GS, gs_invocations, 128) + N(GS, gs_out_type, 3) + N(GS, gs_streams, 5) +
		N(GS, first_half, 1) + N(GS, param_count, 33) + N(GS, strmout_stride[1], 2049 << 16) +
		N(GS, gs_item_dwords, 0) + N(GS, gs_item_dwords, r.shader.gs_item_dwords - 1) + N(GS, gsvs_dwords, 4) +
		N(GS, gsvs_dwords, ISA_GSVS_COMPONENTS * ISA_GSVS_COMPONENT_DWORDS + 8) + N(GS, gsvs_dwords, 0xfffffff8) +
		mutate_dword(m, COMPILER_GS, 0, r.shader.gs_item_dwords, "a dword behind a vertex in GSVS");
}

/* Of the stage that has captures. */
static int capture_cases(const struct mutate *m, uint32_t stage)
{
	struct icd_record r;
	mutate_find(m->good, stage, &r);
	CHECK(r.shader.capture_dwords);
	const int end = (int)(r.shader.gsvs_dwords + r.shader.capture_dwords) - 1;
	return MUTATE_NUMBER(m, stage, capture_dwords, 1) +
		MUTATE_NUMBER(m, stage, capture_dwords, (ISA_STRMOUT_RUNS + 2) * ISA_STRMOUT_RUN_DWORDS) +
		MUTATE_NUMBER(m, stage, capture_dwords, 0xfffffffe) +
		mutate_dword(m, stage, end, 0x00010000, "captures without an end");
}

static int mesh_cases(const struct mutate *m)
{
	return N(TS, workgroup[0], 0) + N(TS, workgroup[1], 1025) + N(TS, tgid_en, 8) + N(TS, tidig_comp_cnt, 3) +
		N(TS, payload_bytes, 16385) + N(TS, lds_bytes, 65537) + N(MS, workgroup[0], 0) + N(MS, workgroup[2], 0x10001) +
		N(MS, payload_bytes, 16385) + N(MS, param_count, 33) + N(MS, vertex_params, 33) + N(MS, vertex_params, 0) +
		N(MS, mesh_output, 0) + N(MS, mesh_output, 0xffffffff) + N(MS, mesh_cntl, 0) + N(MS, mesh_cntl, 63);
}

static int cases(const struct mutate *m)
{
	const uint32_t last = has(m, COMPILER_GS) ? COMPILER_GS : has(m, COMPILER_TES) ? COMPILER_TES : COMPILER_VS;
	return mutate_code_cases(m) + (has(m, COMPILER_VS) ? vertex_cases(m) + capture_cases(m, last) : mesh_cases(m)) +
		(has(m, COMPILER_TES) ? tessellation_cases(m) : 0) + (has(m, COMPILER_GS) ? geometry_cases(m) : 0);
}

int main(int argc, char **argv)
{
	uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 100;
	int failed = 0;
	setenv("QW_BUDGET", "20000", 1);
	setenv("QW_THREADS", "1", 1);
	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
		static struct scene s;
		s = (struct scene){ .subject = &subjects[i] };
		make(&s);
		struct mutate m = mutate_start(run, &s, subjects[i].programs, argc > 2 ? strtoull(argv[2], NULL, 0) : 1);
		failed += cases(&m);
		mutate_rounds(&m, rounds, subjects[i].name);
		free(m.good.p);
		destroy(&s);
	}
	return failed != 0;
}
