/* SPDX-License-Identifier: MIT */
/* Transform feedback: outputs of every kind to exact buffers, paused and resumed, up to the last
 * primitive that fits; its queries, by host and device; and draws of as many vertices as there are. */
#include "state_rig.h"
#include "feedback_geom.h"
#include "feedback_vert.h"

enum { STRIDE0 = 72, STRIDE1 = 52, ROOM = 64, HOLE = 0x5a, BYTES = ROOM * (STRIDE0 + STRIDE1) };

struct scene {
	struct rig r;
	struct vk_buffer captured, counters, results;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	VkPipeline strip, list, last, geometry;
	VkQueryPool written, primitives;
	uint8_t wanted[BYTES];
};

static VkQueryPool make_pool(struct vk *vk, VkQueryType type)
{
	const VkQueryPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = type,
		.queryCount = 2 };
	VkQueryPool pool;
	OK(FN(vk, vkCreateQueryPool)(vk->device, &info, NULL, &pool));
	return pool;
}

static void make(struct scene *s)
{
	static const char *const extensions[] = { "VK_EXT_transform_feedback", "VK_EXT_primitives_generated_query",
		"VK_EXT_provoking_vertex" };
	const VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT primitives = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
		.primitivesGeneratedQuery = VK_TRUE, .primitivesGeneratedQueryWithRasterizerDiscard = VK_TRUE };
	const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = { .pNext = (void *)&primitives,
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .transformFeedback = VK_TRUE };
	const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT last = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
		.provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT };
	struct rig *r = &s->r;
	struct vk *vk = &r->vk;
	rig_make(r, extensions, 3, &feedback);
	FN(vk, vkDestroyShaderModule)(vk->device, r->vs, NULL);
	r->vs = vk_module(vk, feedback_vert, sizeof feedback_vert);
	s->captured = vk_buffer(vk, BYTES, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
	s->counters = vk_buffer(vk, 64, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
		VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
	s->results = vk_buffer(vk, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	s->pass = rig_pass(r);
	s->framebuffer = rig_framebuffer(r, s->pass);
	struct rig_states states = rig_states();
	states.assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
	s->strip = rig_pipeline(r, &states, s->pass, NULL);
	states.raster.rasterizerDiscardEnable = VK_TRUE;
	states.raster.pNext = &last;
	s->last = rig_pipeline(r, &states, s->pass, NULL);
	states.raster.pNext = NULL;
	states.assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
	s->list = rig_pipeline(r, &states, s->pass, NULL);
	r->gs = vk_module(vk, feedback_geom, sizeof feedback_geom);
	s->geometry = rig_pipeline(r, &states, s->pass, NULL);
	FN(vk, vkDestroyShaderModule)(vk->device, r->gs, NULL);
	s->written = make_pool(vk, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT);
	s->primitives = make_pool(vk, VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT);
}

static void destroy(struct scene *s)
{
	struct vk *vk = &s->r.vk;
	FN(vk, vkDestroyQueryPool)(vk->device, s->written, NULL);
	FN(vk, vkDestroyQueryPool)(vk->device, s->primitives, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, s->strip, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, s->list, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, s->last, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, s->geometry, NULL);
	FN(vk, vkDestroyFramebuffer)(vk->device, s->framebuffer, NULL);
	FN(vk, vkDestroyRenderPass)(vk->device, s->pass, NULL);
	vk_buffer_free(vk, &s->captured);
	vk_buffer_free(vk, &s->counters);
	vk_buffer_free(vk, &s->results);
	rig_destroy(&s->r);
}

/* --- What the shader writes --- */

/* 2 n as an integer, halved. */
static uint16_t half_of(int twice)
{
	unsigned v = (unsigned)(twice < 0 ? -twice : twice), e = 0;
	while (v >> (e + 1))
		e++;
	return (uint16_t)(v ? (twice < 0) << 15 | (14 + e) << 10 | ((v << (10 - e)) & 0x3ff) : (twice < 0) << 15);
}

/* Record i of both buffers. */
static void expect(struct scene *s, unsigned i, int vertex, int instance)
{
	const int n = vertex + 10 * instance;
	const float f = (float)n;
	const float first[12] = { f, f + 0.5f, -f, 1, f + 1, f * 0.25f, f + 2, 0, f, f + 1, f + 2, f + 3 };
	const double wide[2] = { n * 0.25, -(double)n };
	const uint32_t number = (uint32_t)n * 0x01010101u;
	const uint16_t small[5] = { half_of(2 * n), half_of(2 * n + 1), (uint16_t)(half_of(-2 * n) | (n ? 0 : 0x8000)), (uint16_t)n,
		(uint16_t)(3 * n) };
	const float rest[8] = { f, -1, f, -2, f, 1, 2, f };
	uint8_t *at = s->wanted + i * STRIDE0;
	memcpy(at, first, 7 * 4);
	memcpy(at + 32, first + 8, 4 * 4);
	memcpy(at + 48, wide, sizeof wide);
	at = s->wanted + ROOM * STRIDE0 + i * STRIDE1;
	memcpy(at, &number, 4);
	memcpy(at + 4, small, sizeof small);
	memcpy(at + 16, rest, sizeof rest);
}

static void expect_triangle(struct scene *s, unsigned *at, int a, int b, int c, int instance)
{
	expect(s, (*at)++, a, instance);
	expect(s, (*at)++, b, instance);
	expect(s, (*at)++, c, instance);
}

static void check_captured(struct scene *s, const char *what)
{
	const uint8_t *got = s->captured.map;
	for (unsigned i = 0; i < BYTES; i++)
		if (got[i] != s->wanted[i]) {
			EXPECT(false, "%s: byte %u is 0x%02x instead of 0x%02x", what, i, got[i], s->wanted[i]);
			return;
		}
}

/* --- Commands --- */

static void bind(struct scene *s, VkCommandBuffer cmd, VkPipeline pipeline, VkDeviceSize size1)
{
	struct vk *vk = &s->r.vk;
	const VkBuffer buffers[2] = { s->captured.buffer, s->captured.buffer };
	const VkDeviceSize offsets[2] = { 0, ROOM * STRIDE0 }, sizes[2] = { ROOM * STRIDE0, size1 };
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	FN(vk, vkCmdBindTransformFeedbackBuffersEXT)(cmd, 0, 2, buffers, offsets, sizes);
	FN(vk, vkCmdBindVertexBuffers)(cmd, 0, 1, &s->r.vertices.buffer, &(VkDeviceSize){ 0 });
}

static void begin(struct scene *s, VkCommandBuffer cmd, bool resume)
{
	const VkBuffer counters[2] = { s->counters.buffer, s->counters.buffer };
	const VkDeviceSize offsets[2] = { 8, 16 };
	FN(&s->r.vk, vkCmdBeginTransformFeedbackEXT)(cmd, 0, resume ? 2 : 0, counters, offsets);
}

static void end(struct scene *s, VkCommandBuffer cmd)
{
	const VkBuffer counters[2] = { s->counters.buffer, s->counters.buffer };
	const VkDeviceSize offsets[2] = { 8, 16 };
	FN(&s->r.vk, vkCmdEndTransformFeedbackEXT)(cmd, 0, 2, counters, offsets);
}

static void barrier(struct scene *s, VkCommandBuffer cmd)
{
	const VkMemoryBarrier all = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT, .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT };
	FN(&s->r.vk, vkCmdPipelineBarrier)(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
		1, &all, 0, NULL, 0, NULL);
}

static void run(struct scene *s, VkCommandBuffer cmd)
{
	struct vk *vk = &s->r.vk;
	vk_run(vk, cmd);
}

static void clear(struct scene *s)
{
	memset(s->captured.map, HOLE, BYTES);
	memset(s->wanted, HOLE, BYTES);
}

/* A strip of two instances; what is drawn while feedback is paused; and, by a secondary command
 * buffer, a list behind it. */
static void test_resume(struct scene *s)
{
	struct vk *vk = &s->r.vk;
	const VkCommandBufferInheritanceInfo inheritance = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
		.renderPass = s->pass, .framebuffer = s->framebuffer };
	const VkCommandBufferBeginInfo second_info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, .pInheritanceInfo = &inheritance };
	VkCommandBuffer second = rig_begin(&s->r, VK_COMMAND_BUFFER_LEVEL_SECONDARY, &second_info);
	VkCommandBuffer cmd = rig_begin_primary(&s->r);
	unsigned at = 0;
	clear(s);
	rig_begin_pass(&s->r, cmd, s->pass, s->framebuffer);
	bind(s, cmd, s->strip, ROOM * STRIDE1);
	begin(s, cmd, false);
	FN(vk, vkCmdDraw)(cmd, 5, 2, 0, 0);
	end(s, cmd);
	FN(vk, vkCmdDraw)(cmd, 5, 2, 0, 0);
	barrier(s, cmd);
	bind(s, second, s->list, ROOM * STRIDE1);
	begin(s, second, true);
	FN(vk, vkCmdDraw)(second, 3, 1, 20, 0);
	end(s, second);
	OK(FN(vk, vkEndCommandBuffer)(second));
	FN(vk, vkCmdExecuteCommands)(cmd, 1, &second);
	FN(vk, vkCmdEndRenderPass)(cmd);
	run(s, cmd);
	for (int instance = 0; instance < 2; instance++) {
		expect_triangle(s, &at, 0, 1, 2, instance);
		expect_triangle(s, &at, 1, 3, 2, instance);
		expect_triangle(s, &at, 2, 3, 4, instance);
	}
	expect_triangle(s, &at, 20, 21, 22, 0);
	check_captured(s, "resumed");
	const uint32_t *counter = s->counters.map;
	EXPECT(counter[2] == at * STRIDE0 && counter[4] == at * STRIDE1, "counters %u, %u", counter[2], counter[4]);
}

/* Room for two triangles and a part of one; the last vertices are the provoking ones.  Then a draw of
 * as many vertices as were written. */
static void test_full(struct scene *s)
{
	struct vk *vk = &s->r.vk;
	VkCommandBuffer cmd = rig_begin_primary(&s->r);
	unsigned at = 0;
	clear(s);
	memset(s->results.map, HOLE, 256);
	FN(vk, vkCmdResetQueryPool)(cmd, s->written, 0, 2);
	FN(vk, vkCmdResetQueryPool)(cmd, s->primitives, 0, 2);
	rig_begin_pass(&s->r, cmd, s->pass, s->framebuffer);
	bind(s, cmd, s->last, 8 * STRIDE1);
	FN(vk, vkCmdBeginQueryIndexedEXT)(cmd, s->written, 0, 0, 0);
	FN(vk, vkCmdBeginQuery)(cmd, s->primitives, 0, 0);
	begin(s, cmd, false);
	FN(vk, vkCmdDraw)(cmd, 6, 1, 0, 0);
	end(s, cmd);
	FN(vk, vkCmdDraw)(cmd, 3, 1, 0, 0);
	FN(vk, vkCmdEndQueryIndexedEXT)(cmd, s->written, 0, 0);
	FN(vk, vkCmdEndQuery)(cmd, s->primitives, 0);
	barrier(s, cmd);
	FN(vk, vkCmdBeginQueryIndexedEXT)(cmd, s->primitives, 1, 0, 0);
	/* (6 * 52 - 52) / 10 vertices in a strip */
	FN(vk, vkCmdDrawIndirectByteCountEXT)(cmd, 1, 0, s->counters.buffer, 16, STRIDE1, 10);
	FN(vk, vkCmdEndQueryIndexedEXT)(cmd, s->primitives, 1, 0);
	FN(vk, vkCmdEndRenderPass)(cmd);
	FN(vk, vkCmdCopyQueryPoolResults)(cmd, s->written, 0, 1, s->results.buffer, 0, 12,
		VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
	FN(vk, vkCmdCopyQueryPoolResults)(cmd, s->primitives, 0, 2, s->results.buffer, 16, 8, VK_QUERY_RESULT_64_BIT);
	run(s, cmd);
	expect_triangle(s, &at, 0, 1, 2, 0);
	expect_triangle(s, &at, 2, 1, 3, 0);
	check_captured(s, "full");
	const uint32_t *device = s->results.map;
	uint64_t host[3];
	OK(FN(vk, vkGetQueryPoolResults)(vk->device, s->written, 0, 1, sizeof host, host, sizeof host,
		VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
	EXPECT(host[0] == 2 && host[1] == 4 && host[2] == 1, "%u written of %u", (unsigned)host[0], (unsigned)host[1]);
	EXPECT(device[0] == 2 && device[1] == 4 && device[2] == 1, "%u copied of %u", device[0], device[1]);
	EXPECT(device[4] == 5 && device[6] == 24, "primitives: %u, then %u", device[4], device[6]);
	CHECK(device[5] == 0 && device[3] == 0x5a5a5a5a);
}

/* What the geometry shader emits to streams 0 and 2: what is written of stream 0 depends on the room for an
 * output that the shader never writes, and nothing of stream 2 does. */
static void test_streams(struct scene *s)
{
	enum { TRIANGLES = 30, ROOM0 = 20, AT1 = 1024, AT2 = 2048 };
	struct vk *vk = &s->r.vk;
	const VkBuffer buffers[3] = { s->captured.buffer, s->captured.buffer, s->captured.buffer };
	const VkDeviceSize offsets[3] = { 0, AT1, AT2 }, sizes[3] = { AT1, 4 * ROOM0, BYTES - AT2 };
	VkCommandBuffer cmd = rig_begin_primary(&s->r);
	unsigned points[2] = { 0, 0 };
	uint64_t host[2][2];
	clear(s);
	memset(s->wanted + AT1, 0, 4 * ROOM0);
	for (int t = 0; t < TRIANGLES; t++)
		for (int i = 0; i <= t % 3; i++) {
			const float one = (float)(100 * t + i), pair[2] = { (float)t, (float)i };
			memcpy(s->wanted + AT2 + 12 * points[1]++ + 4, &one, 4);
			if (i < 2 && points[0]++ < ROOM0)
				memcpy(s->wanted + 8 * (points[0] - 1), pair, 8);
		}
	FN(vk, vkCmdResetQueryPool)(cmd, s->written, 0, 2);
	rig_begin_pass(&s->r, cmd, s->pass, s->framebuffer);
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->geometry);
	FN(vk, vkCmdBindTransformFeedbackBuffersEXT)(cmd, 0, 3, buffers, offsets, sizes);
	FN(vk, vkCmdBindVertexBuffers)(cmd, 0, 1, &s->r.vertices.buffer, &(VkDeviceSize){ 0 });
	for (uint32_t i = 0; i < 2; i++)
		FN(vk, vkCmdBeginQueryIndexedEXT)(cmd, s->written, i, 0, 2 * i);
	begin(s, cmd, false);
	FN(vk, vkCmdDraw)(cmd, 3 * TRIANGLES, 1, 0, 0);
	FN(vk, vkCmdEndTransformFeedbackEXT)(cmd, 0, 0, NULL, NULL);
	for (uint32_t i = 0; i < 2; i++)
		FN(vk, vkCmdEndQueryIndexedEXT)(cmd, s->written, i, 2 * i);
	FN(vk, vkCmdEndRenderPass)(cmd);
	run(s, cmd);
	check_captured(s, "streams");
	OK(FN(vk, vkGetQueryPoolResults)(vk->device, s->written, 0, 2, sizeof host, host, sizeof host[0], VK_QUERY_RESULT_64_BIT));
	EXPECT(host[0][0] == ROOM0 && host[0][1] == points[0] && host[1][0] == points[1] && host[1][1] == points[1],
		"%u of %u, %u of %u", (unsigned)host[0][0], (unsigned)host[0][1], (unsigned)host[1][0], (unsigned)host[1][1]);
}

int main(void)
{
	static struct scene s;
	make(&s);
	test_resume(&s);
	test_full(&s);
	test_streams(&s);
	destroy(&s);
	return failures != 0;
}
