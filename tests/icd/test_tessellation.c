/* SPDX-License-Identifier: MIT */
/* Tessellation: what transform feedback captures of points, lines and triangles that the tessellator makes, and of what a
 * geometry shader makes of them, in order, many patches and one that several jobs share; and how much memory one patch
 * takes of which a geometry shader makes a million vertices.  Also the state of patches that commands set. */
#include "state_rig.h"
#include "domain_corners_geom.h"
#include "domain_lines_tese.h"
#include "domain_many_geom.h"
#include "domain_points_tese.h"
#include "domain_quads_tese.h"
#include "domain_triangles_tese.h"
#include "levels_tesc.h"
#include "levels_vert.h"

enum { ROOM = 16384, BYTES = ROOM * 12 };

struct scene {
	struct rig r;
	struct vk_buffer captured;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	uint32_t points;             /* of a patch, and its domain seen from below, both set by commands; 0: as pipelines say */
	float wanted[ROOM][3];
	unsigned count;
};

#define MODULE(vk, words) vk_module(vk, words, sizeof words)

static void make(struct scene *s)
{
	static const char *const extensions[] = { "VK_EXT_transform_feedback", "VK_EXT_extended_dynamic_state2",
		"VK_EXT_extended_dynamic_state3" };
	VkPhysicalDeviceExtendedDynamicState2FeaturesEXT two = { .extendedDynamicState2PatchControlPoints = VK_TRUE,
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT };
	VkPhysicalDeviceExtendedDynamicState3FeaturesEXT three = { .extendedDynamicState3TessellationDomainOrigin = VK_TRUE,
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, .pNext = &two };
	const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = { .pNext = &three,
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .transformFeedback = VK_TRUE };
	struct rig *r = &s->r;
	rig_make(r, extensions, 3, &feedback);
	FN(&r->vk, vkDestroyShaderModule)(r->vk.device, r->vs, NULL);
	r->vs = MODULE(&r->vk, levels_vert);
	r->tcs = MODULE(&r->vk, levels_tesc);
	s->captured = vk_buffer(&r->vk, BYTES, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
	s->pass = rig_pass(r);
	s->framebuffer = rig_framebuffer(r, s->pass);
}

static void destroy(struct scene *s)
{
	struct vk *vk = &s->r.vk;
	FN(vk, vkDestroyShaderModule)(vk->device, s->r.tcs, NULL);
	FN(vk, vkDestroyFramebuffer)(vk->device, s->framebuffer, NULL);
	FN(vk, vkDestroyRenderPass)(vk->device, s->pass, NULL);
	vk_buffer_free(vk, &s->captured);
	rig_destroy(&s->r);
}

/* With this evaluation shader, and geometry shader if there is one, both of which it destroys. */
static VkPipeline make_pipeline(struct scene *s, VkShaderModule tes, VkShaderModule gs, bool discard)
{
	struct rig *r = &s->r;
	static const VkDynamicState dynamic[] = { VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT,
		VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT };
	struct rig_states states = rig_states();
	states.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
	states.patch_points = 1;
	states.raster.rasterizerDiscardEnable = discard;
	states.dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
	states.dynamic.dynamicStateCount = s->points ? 2 : 0;
	states.dynamic.pDynamicStates = dynamic;
	r->tes = tes;
	r->gs = gs;
	const VkPipeline pipeline = rig_pipeline(r, &states, s->pass, NULL);
	FN(&r->vk, vkDestroyShaderModule)(r->vk.device, tes, NULL);
	FN(&r->vk, vkDestroyShaderModule)(r->vk.device, gs, NULL);
	r->tes = r->gs = VK_NULL_HANDLE;
	return pipeline;
}

static void draw(struct scene *s, VkPipeline pipeline, uint32_t patches, uint32_t level, bool capture)
{
	struct vk *vk = &s->r.vk;
	VkCommandBuffer cmd = rig_begin_primary(&s->r);
	const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd };
	const VkDeviceSize zero = 0, size = BYTES;
	rig_begin_pass(&s->r, cmd, s->pass, s->framebuffer);
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	FN(vk, vkCmdBindVertexBuffers)(cmd, 0, 1, &s->r.vertices.buffer, &zero);
	if (s->points) {
		FN(vk, vkCmdSetPatchControlPointsEXT)(cmd, s->points);
		FN(vk, vkCmdSetTessellationDomainOriginEXT)(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
	}
	if (capture) {
		FN(vk, vkCmdBindTransformFeedbackBuffersEXT)(cmd, 0, 1, &s->captured.buffer, &zero, &size);
		FN(vk, vkCmdBeginTransformFeedbackEXT)(cmd, 0, 0, NULL, NULL);
	}
	FN(vk, vkCmdDraw)(cmd, patches * (s->points ? s->points : 1), 1, 0, level);
	if (capture)
		FN(vk, vkCmdEndTransformFeedbackEXT)(cmd, 0, 0, NULL, NULL);
	FN(vk, vkCmdEndRenderPass)(cmd);
	OK(FN(vk, vkEndCommandBuffer)(cmd));
	OK(FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, VK_NULL_HANDLE));
	OK(FN(vk, vkQueueWaitIdle)(vk->queue));
}

/* --- transform feedback --- */

static void expect(struct scene *s, float u, float v, unsigned third)
{
	const float place[3] = { u, v, (float)third };
	memcpy(s->wanted[s->count++], place, sizeof place);
}

static void check_captured(struct scene *s, const char *what, VkPipeline pipeline, uint32_t patches, uint32_t level)
{
	float (*got)[3] = s->captured.map;
	memset(got, 0xff, BYTES);
	memset(s->wanted[s->count], 0xff, BYTES - s->count * sizeof *s->wanted);
	draw(s, pipeline, patches, level, true);
	FN(&s->r.vk, vkDestroyPipeline)(s->r.vk.device, pipeline, NULL);
	for (unsigned i = 0; i < ROOM; i++)
		if (memcmp(got[i], s->wanted[i], sizeof *got)) {
			EXPECT(false, "%s: vertex %u is (%g, %g, %g) instead of (%g, %g, %g)", what, i, (double)got[i][0],
				(double)got[i][1], (double)got[i][2], (double)s->wanted[i][0], (double)s->wanted[i][1],
				(double)s->wanted[i][2]);
			break;
		}
	s->count = 0;
}

static void expect_lines(struct scene *s, unsigned patches, unsigned level)
{
	for (unsigned p = 0; p < patches; p++)
		for (unsigned line = 0; line < level; line++)
			for (unsigned i = 0; i < level; i++) {
				expect(s, (float)i / (float)level, (float)line / (float)level, p);
				expect(s, (float)(i + 1) / (float)level, (float)line / (float)level, p);
			}
}

static void test_feedback(struct scene *s)
{
	enum { PATCHES = 50 };
	struct vk *vk = &s->r.vk;
	for (unsigned p = 0; p < PATCHES; p++) {
		expect(s, 0, 0, p);
		expect(s, 1, 0, p);
		expect(s, 1, 1, p);
		expect(s, 0, 1, p);
	}
	check_captured(s, "points", make_pipeline(s, MODULE(vk, domain_points_tese), VK_NULL_HANDLE, true), PATCHES, 1);
	for (unsigned p = 0; p < PATCHES; p++) {
		expect(s, 0, 0, p);
		expect(s, 1, 0, p);
		expect(s, 0, 1, p);
	}
	check_captured(s, "triangles", make_pipeline(s, MODULE(vk, domain_triangles_tese), VK_NULL_HANDLE, true), PATCHES, 1);
	for (unsigned p = 0; p < PATCHES; p++) {
		expect(s, 0, 1, p + 100);
		expect(s, 1, 0, p + 100);
		expect(s, 0, 0, p + 100);
	}
	check_captured(s, "geometry", make_pipeline(s, MODULE(vk, domain_triangles_tese), MODULE(vk, domain_corners_geom), true),
		PATCHES, 1);
	expect_lines(s, PATCHES, 4);
	check_captured(s, "lines", make_pipeline(s, MODULE(vk, domain_lines_tese), VK_NULL_HANDLE, true), PATCHES, 4);
	expect_lines(s, 1, 64);
	check_captured(s, "one patch", make_pipeline(s, MODULE(vk, domain_lines_tese), VK_NULL_HANDLE, true), 1, 64);
}

/* Patches of three vertices in a pipeline that says one, and triangles from the other side. */
static void test_dynamic(struct scene *s)
{
	enum { PATCHES = 50 };
	s->points = 3;
	for (unsigned p = 0; p < PATCHES; p++) {
		expect(s, 0, 0, p);
		expect(s, 0, 1, p);
		expect(s, 1, 0, p);
	}
	check_captured(s, "dynamic", make_pipeline(s, MODULE(&s->r.vk, domain_triangles_tese), VK_NULL_HANDLE, true), PATCHES, 1);
	s->points = 0;
}

/* --- memory --- */

static long memory_kib(const char *which)
{
	char line[256];
	long kib = -1;
	FILE *f = fopen("/proc/self/status", "r");
	CHECK(f);
	while (kib < 0 && fgets(line, sizeof line, f))
		if (!strncmp(line, which, strlen(which)))
			kib = atol(line + strlen(which));
	fclose(f);
	return kib;
}

/* A patch of 8,192 triangles, of each of which a geometry shader makes 111. */
static void test_memory(struct scene *s)
{
	struct vk *vk = &s->r.vk;
	const VkPipeline pipeline = make_pipeline(s, MODULE(vk, domain_quads_tese), MODULE(vk, domain_many_geom), false);
	draw(s, pipeline, 1, 1, false);
	FILE *f = fopen("/proc/self/clear_refs", "w");
	bool forgotten = f && fputs("5", f) > 0; /* the peak */
	if (f)
		forgotten &= fclose(f) == 0;
	const long before = memory_kib("VmHWM:");
	draw(s, pipeline, 1, 64, false);
	const long grown = memory_kib("VmHWM:") - before;
	printf("a patch of 909,312 triangles: %ld KiB\n", grown);
	EXPECT(ASAN || TSAN || !forgotten || grown < 64 << 10, "memory grew by %ld KiB", grown);
	FN(vk, vkDestroyPipeline)(vk->device, pipeline, NULL);
}

int main(void)
{
	static struct scene s;
	setenv("QW_THREADS", "4", 0); /* each has some memory */
	make(&s);
	test_feedback(&s);
	test_dynamic(&s);
	test_memory(&s);
	destroy(&s);
	return failures != 0;
}
