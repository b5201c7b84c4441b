/* SPDX-License-Identifier: MIT */
/* Pipeline statistics: the exact counts of draws and dispatches that are known, read by the
 * host and by the device. */
#include "state_rig.h"
#include "storage.h"
#include "twice_comp.h"

enum { STATS = 11, SIDE = 16, QUERIES = 5 };
enum { VERTICES, PRIMITIVES, VS, GS, GS_PRIMITIVES, CLIP, CLIPPED, FS, HS, DS, CS };

/* A square of SIDE pixels at the first vertices, as a list and as a strip of indices behind
 * which a vertex is alone; then a triangle beside the picture. */
static void fill_buffers(struct rig *r)
{
	static const uint16_t indices[] = { 0, 1, 2, 5, 0xffff, 4 };
	const float to = 2.0f * SIDE / RIG_SIZE - 1;
	const float at[9][2] = { { -1, -1 }, { to, -1 }, { -1, to }, { -1, to }, { to, -1 }, { to, to },
		{ 2, 0 }, { 3, 0 }, { 2, 1 } };
	float (*vertex)[8] = r->vertices.map;
	for (int i = 0; i < 9; i++) {
		vertex[i][0] = at[i][0];
		vertex[i][1] = at[i][1];
	}
	memcpy(r->indices.map, indices, sizeof indices);
}

struct scene {
	struct rig r;
	struct storage compute;
	struct vk_buffer numbers, results;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	VkPipeline list, strip;
	VkQueryPool queries, few;
};

static VkQueryPool make_pool(struct vk *vk, VkQueryPipelineStatisticFlags wanted)
{
	const VkQueryPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS, .queryCount = QUERIES, .pipelineStatistics = wanted };
	VkQueryPool pool;
	OK(FN(vk, vkCreateQueryPool)(vk->device, &info, NULL, &pool));
	return pool;
}

static void make(struct scene *s)
{
	struct rig *r = &s->r;
	struct vk *vk = &r->vk;
	rig_make(r, NULL, 0, NULL);
	fill_buffers(r);
	s->numbers = vk_buffer(vk, 4 * 64 * 6, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	s->results = vk_buffer(vk, 4096, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	s->compute.binding = 1;
	OK(storage_layouts(vk, twice_comp, sizeof twice_comp, &s->compute));
	OK(storage_pipeline(vk, VK_NULL_HANDLE, &s->compute));
	OK(storage_set(vk, s->numbers.buffer, &s->compute));
	s->pass = rig_pass(r);
	s->framebuffer = rig_framebuffer(r, s->pass);
	struct rig_states states = rig_states();
	s->list = rig_pipeline(r, &states, s->pass, NULL);
	states.assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
	states.assembly.primitiveRestartEnable = VK_TRUE;
	s->strip = rig_pipeline(r, &states, s->pass, NULL);
	s->queries = make_pool(vk, (1u << STATS) - 1);
	s->few = make_pool(vk, 1u << FS | 1u << PRIMITIVES);
}

static void destroy(struct scene *s)
{
	struct vk *vk = &s->r.vk;
	FN(vk, vkDestroyQueryPool)(vk->device, s->queries, NULL);
	FN(vk, vkDestroyQueryPool)(vk->device, s->few, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, s->list, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, s->strip, NULL);
	FN(vk, vkDestroyFramebuffer)(vk->device, s->framebuffer, NULL);
	FN(vk, vkDestroyRenderPass)(vk->device, s->pass, NULL);
	storage_destroy(vk, &s->compute);
	vk_buffer_free(vk, &s->numbers);
	vk_buffer_free(vk, &s->results);
	rig_destroy(&s->r);
}

/* Each with its counts. */
enum action { INSTANCES, RESTART, OUTSIDE, DISPATCH, ACTIONS };
static const uint64_t expected[ACTIONS][STATS] = {
	[INSTANCES] = { [VERTICES] = 12, [PRIMITIVES] = 4, [VS] = 12, [CLIP] = 4, [CLIPPED] = 4, [FS] = 2 * SIDE * SIDE },
	[RESTART] = { [VERTICES] = 5, [PRIMITIVES] = 2, [VS] = 4, [CLIP] = 2, [CLIPPED] = 2, [FS] = SIDE * SIDE },
	[OUTSIDE] = { [VERTICES] = 3, [PRIMITIVES] = 1, [VS] = 3, [CLIP] = 1 },
	[DISPATCH] = { [CS] = 3 * 2 * 64 },
};

static void act(struct scene *s, VkCommandBuffer cmd, enum action a)
{
	struct vk *vk = &s->r.vk;
	if (a == DISPATCH) {
		FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->compute.pipeline);
		FN(vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->compute.layout, 0, 1, &s->compute.set,
			0, NULL);
		FN(vk, vkCmdDispatch)(cmd, 3, 2, 1);
		return;
	}
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, a == RESTART ? s->strip : s->list);
	FN(vk, vkCmdBindIndexBuffer)(cmd, s->r.indices.buffer, 0, VK_INDEX_TYPE_UINT16);
	FN(vk, vkCmdBindVertexBuffers)(cmd, 0, 1, &s->r.vertices.buffer, &(VkDeviceSize){ 0 });
	if (a == RESTART)
		FN(vk, vkCmdDrawIndexed)(cmd, 6, 1, 0, 0, 0);
	else
		FN(vk, vkCmdDraw)(cmd, a == OUTSIDE ? 3 : 6, a == OUTSIDE ? 1 : 2, a == OUTSIDE ? 6 : 0, 0);
}

static void run(struct scene *s, VkCommandBuffer cmd)
{
	struct vk *vk = &s->r.vk;
	vk_run(vk, cmd);
	FN(vk, vkFreeCommandBuffers)(vk->device, s->r.pool, 1, &cmd);
}

/* A query for each action, with all actions between them uncounted; the last query has two of
 * them, and the render pass around them. */
static void record(struct scene *s, VkQueryPool pool)
{
	struct vk *vk = &s->r.vk;
	VkCommandBuffer cmd = rig_begin_primary(&s->r);
	FN(vk, vkCmdResetQueryPool)(cmd, pool, 0, QUERIES);
	rig_begin_pass(&s->r, cmd, s->pass, s->framebuffer);
	for (uint32_t a = 0; a < DISPATCH; a++) {
		FN(vk, vkCmdBeginQuery)(cmd, pool, a, 0);
		act(s, cmd, a);
		FN(vk, vkCmdEndQuery)(cmd, pool, a);
		act(s, cmd, INSTANCES);
	}
	FN(vk, vkCmdEndRenderPass)(cmd);
	FN(vk, vkCmdBeginQuery)(cmd, pool, DISPATCH, 0);
	act(s, cmd, DISPATCH);
	FN(vk, vkCmdEndQuery)(cmd, pool, DISPATCH);
	act(s, cmd, DISPATCH);
	FN(vk, vkCmdBeginQuery)(cmd, pool, QUERIES - 1, 0);
	rig_begin_pass(&s->r, cmd, s->pass, s->framebuffer);
	act(s, cmd, RESTART);
	act(s, cmd, INSTANCES);
	FN(vk, vkCmdEndRenderPass)(cmd);
	FN(vk, vkCmdEndQuery)(cmd, pool, QUERIES - 1);
	FN(vk, vkCmdCopyQueryPoolResults)(cmd, pool, 0, QUERIES, s->results.buffer, 0, 8 * (STATS + 1),
		VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
	run(s, cmd);
}

static uint64_t wanted(unsigned query, unsigned stat)
{
	return query < ACTIONS ? expected[query][stat] : expected[RESTART][stat] + expected[INSTANCES][stat];
}

static void check_all(struct scene *s)
{
	struct vk *vk = &s->r.vk;
	static uint64_t host[QUERIES][STATS + 1];
	uint64_t (*device)[STATS + 1] = s->results.map;
	OK(FN(vk, vkGetQueryPoolResults)(vk->device, s->queries, 0, QUERIES, sizeof host, host, sizeof host[0],
		VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
	for (unsigned q = 0; q < QUERIES; q++) {
		for (unsigned i = 0; i < STATS; i++)
			EXPECT(host[q][i] == wanted(q, i) && device[q][i] == wanted(q, i), "query %u, statistic %u: %llu and %llu instead of %llu",
				q, i, (unsigned long long)host[q][i], (unsigned long long)device[q][i], (unsigned long long)wanted(q, i));
		CHECK(host[q][STATS] == 1 && device[q][STATS] == 1);
	}
}

/* Two of the statistics, 32 bits each, in the order of their bits. */
static void check_few(struct scene *s)
{
	struct vk *vk = &s->r.vk;
	uint32_t host[QUERIES][2];
	OK(FN(vk, vkGetQueryPoolResults)(vk->device, s->few, 0, QUERIES, sizeof host, host, sizeof host[0], 0));
	for (unsigned q = 0; q < QUERIES; q++)
		CHECK(host[q][0] == wanted(q, PRIMITIVES) && host[q][1] == wanted(q, FS));
}

/* A query that was reset is not there; what it has so far is nothing. */
static void check_reset(struct scene *s)
{
	struct vk *vk = &s->r.vk;
	uint32_t host[3] = { 7, 7, 7 };
	VkCommandBuffer cmd = rig_begin_primary(&s->r);
	FN(vk, vkCmdResetQueryPool)(cmd, s->few, 1, 1);
	run(s, cmd);
	CHECK(FN(vk, vkGetQueryPoolResults)(vk->device, s->few, 1, 1, 8, host, 8, 0) == VK_NOT_READY && host[0] == 7);
	OK(FN(vk, vkGetQueryPoolResults)(vk->device, s->few, 0, 1, 8, host, 8, 0));
	CHECK(host[0] == 4 && host[1] == 2 * SIDE * SIDE && host[2] == 7);
	CHECK(FN(vk, vkGetQueryPoolResults)(vk->device, s->few, 1, 1, sizeof host, host, sizeof host,
		VK_QUERY_RESULT_PARTIAL_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) == VK_SUCCESS);
	CHECK(!host[0] && !host[1] && !host[2]);
}

int main(void)
{
	static struct scene s;
	make(&s);
	record(&s, s.queries);
	check_all(&s);
	record(&s, s.few);
	check_few(&s);
	check_reset(&s);
	destroy(&s);
	return failures != 0;
}
