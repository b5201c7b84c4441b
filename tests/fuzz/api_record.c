/* SPDX-License-Identifier: MIT */
/* Command buffers of the API fuzzer: recorded in one go. */
#include "tests/fuzz/api.h"

/* What is being recorded.  Commands first see that there is room for what they use. */
struct recording {
	struct session *s;
	VkCommandBuffer cmd;
	int object;
	bool endless;
};

static bool room(const struct recording *r, unsigned more)
{
	return r->s->object[r->object].dep_count + more <= MAX_DEPS;
}

static void use(struct recording *r, int object)
{
	add_dep(r->s, r->object, object);
}

static void barrier(struct recording *r)
{
	VkMemoryBarrier all = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT };
	CALL(r->s, vkCmdPipelineBarrier)(r->cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		0, 1, &all, 0, NULL, 0, NULL);
}

/* Everything is used in the general layout, whatever was in it before. */
static void to_general(struct recording *r, int image)
{
	const struct object *o = &r->s->object[image];
	VkImageMemoryBarrier b = { .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.newLayout = VK_IMAGE_LAYOUT_GENERAL, .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED, .image = o->handle,
		.subresourceRange = { o->variant == DEPTH_IMAGE ? VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT :
			VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 } };
	CALL(r->s, vkCmdPipelineBarrier)(r->cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		0, 0, NULL, 0, NULL, 1, &b);
	use(r, image);
}

static void fill(struct recording *r, int buffer, uint32_t value)
{
	CALL(r->s, vkCmdFillBuffer)(r->cmd, HANDLE(r->s, buffer, VkBuffer), 0, VK_WHOLE_SIZE, value);
	use(r, buffer);
	barrier(r);
}

static void record_fill(struct recording *r)
{
	int buffer = choose(r->s, BUFFER, -1);
	if (buffer != NO_OBJECT && room(r, 1))
		fill(r, buffer, input_byte(r->s->in));
}

static void record_copy(struct recording *r)
{
	struct session *s = r->s;
	int from = choose(s, BUFFER, -1), to = choose(s, BUFFER, -1);
	VkBufferCopy copy = { 0, 128, 4 * (1 + input_pick(s->in, 32)) };
	if (from == NO_OBJECT || !room(r, 2))
		return;
	CALL(s, vkCmdCopyBuffer)(r->cmd, HANDLE(s, from, VkBuffer), HANDLE(s, to, VkBuffer), 1, &copy);
	use(r, from);
	use(r, to);
	barrier(r);
}

static void record_image_copy(struct recording *r)
{
	struct session *s = r->s;
	int image = choose(s, IMAGE, -1), buffer = choose(s, BUFFER, -1);
	if (image == NO_OBJECT || buffer == NO_OBJECT || !room(r, 2))
		return;
	const struct object *o = &s->object[image];
	if (o->samples > 1 || s->object[buffer].size < 4ull * o->width * o->height)
		return;
	VkBufferImageCopy copy = { .imageSubresource = { o->variant == DEPTH_IMAGE ? VK_IMAGE_ASPECT_DEPTH_BIT :
		VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 }, .imageExtent = { o->width, o->height, 1 } };
	to_general(r, image);
	use(r, buffer);
	if (o->variant != DEPTH_IMAGE && input_pick(s->in, 2))
		CALL(s, vkCmdCopyBufferToImage)(r->cmd, HANDLE(s, buffer, VkBuffer), o->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
	else
		CALL(s, vkCmdCopyImageToBuffer)(r->cmd, o->handle, VK_IMAGE_LAYOUT_GENERAL, HANDLE(s, buffer, VkBuffer), 1, &copy);
	barrier(r);
}

static void record_clear(struct recording *r)
{
	struct session *s = r->s;
	int image = choose(s, IMAGE, -1);
	if (image == NO_OBJECT || !room(r, 1))
		return;
	const struct object *o = &s->object[image];
	VkClearColorValue color = { .uint32 = { input_byte(s->in) } };
	VkClearDepthStencilValue depth = { 0.5f, 1 };
	VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
	to_general(r, image);
	if (o->variant == DEPTH_IMAGE) {
		range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
		CALL(s, vkCmdClearDepthStencilImage)(r->cmd, o->handle, VK_IMAGE_LAYOUT_GENERAL, &depth, 1, &range);
	} else {
		CALL(s, vkCmdClearColorImage)(r->cmd, o->handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
	}
	barrier(r);
}

static void record_resolve(struct recording *r)
{
	struct session *s = r->s;
	int from = choose(s, IMAGE, COLOR_IMAGE), to = choose(s, IMAGE, COLOR_IMAGE);
	if (from == NO_OBJECT || from == to || !room(r, 2))
		return;
	const struct object *a = &s->object[from], *b = &s->object[to];
	uint32_t width = a->width < b->width ? a->width : b->width, height = a->height < b->height ? a->height : b->height;
	const VkImageSubresourceLayers layers = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 };
	if (b->samples > 1)
		return;
	to_general(r, from);
	to_general(r, to);
	if (a->samples > 1) {
		VkImageResolve resolve = { .srcSubresource = layers, .dstSubresource = layers, .extent = { width, height, 1 } };
		CALL(s, vkCmdResolveImage)(r->cmd, a->handle, VK_IMAGE_LAYOUT_GENERAL, b->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &resolve);
	} else {
		VkImageBlit blit = { .srcSubresource = layers, .dstSubresource = layers,
			.srcOffsets = { { 0, 0, 0 }, { (int32_t)a->width, (int32_t)a->height, 1 } },
			.dstOffsets = { { 0, 0, 0 }, { (int32_t)b->width, (int32_t)b->height, 1 } } };
		CALL(s, vkCmdBlitImage)(r->cmd, a->handle, VK_IMAGE_LAYOUT_GENERAL, b->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &blit,
			VK_FILTER_LINEAR);
	}
	barrier(r);
}

/* A set that was written and fits the pipeline's layout; binds both. */
static int bind(struct recording *r, int pipeline, VkPipelineBindPoint point)
{
	struct session *s = r->s;
	int layout = s->object[pipeline].deps[0].object, set = choose(s, SET, (int)s->object[layout].variant);
	const uint32_t offset = 0;
	const float scale = input_byte(s->in) / 64.0f;
	if (set == NO_OBJECT || !s->object[set].state)
		return NO_OBJECT;
	if (s->object[set].variant && s->object[layout].deps[0].object != (int)s->object[set].size)
		return NO_OBJECT;
	for (int v = 2; v <= 3; v++) /* the sampled and the storage image, behind their views */
		to_general(r, s->object[s->object[set].deps[v].object].deps[0].object);
	CALL(s, vkCmdBindPipeline)(r->cmd, point, HANDLE(s, pipeline, VkPipeline));
	CALL(s, vkCmdBindDescriptorSets)(r->cmd, point, HANDLE(s, layout, VkPipelineLayout), 0, 1,
		&(VkDescriptorSet){ HANDLE(s, set, VkDescriptorSet) }, 1, &offset);
	CALL(s, vkCmdPushConstants)(r->cmd, HANDLE(s, layout, VkPipelineLayout),
		VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4, &scale);
	use(r, pipeline);
	use(r, set);
	return set;
}

static void record_dispatch(struct recording *r)
{
	struct session *s = r->s;
	int pipeline = choose(s, PIPELINE, WORK_SHADER), indirect = input_pick(s->in, 3) ? NO_OBJECT : choose(s, BUFFER, -1);
	if (pipeline == NO_OBJECT || !room(r, 5) || bind(r, pipeline, VK_PIPELINE_BIND_POINT_COMPUTE) == NO_OBJECT)
		return;
	s->reached[DISPATCHES]++;
	if (indirect == NO_OBJECT) {
		CALL(s, vkCmdDispatch)(r->cmd, input_pick(s->in, 8), 1 + input_pick(s->in, 2), 1);
	} else {
		fill(r, indirect, input_pick(s->in, 4));
		CALL(s, vkCmdDispatchIndirect)(r->cmd, HANDLE(s, indirect, VkBuffer), 0);
	}
	barrier(r);
}

static void record_endless(struct recording *r)
{
	struct session *s = r->s;
	int pipeline = choose(s, PIPELINE, ENDLESS_SHADER);
	if (pipeline == NO_OBJECT || !room(r, 5))
		return;
	int set = bind(r, pipeline, VK_PIPELINE_BIND_POINT_COMPUTE);
	if (set == NO_OBJECT)
		return;
	fill(r, s->object[set].deps[1].object, 0);
	CALL(s, vkCmdDispatch)(r->cmd, 1 + input_pick(s->in, 4), 1, 1);
	r->endless = true;
	barrier(r);
}

static void record_event(struct recording *r)
{
	struct session *s = r->s;
	int event = choose(s, EVENT, -1);
	if (event == NO_OBJECT || !room(r, 1))
		return;
	VkEvent handle = HANDLE(s, event, VkEvent);
	CALL(s, vkCmdSetEvent)(r->cmd, handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
	CALL(s, vkCmdWaitEvents)(r->cmd, 1, &handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		0, NULL, 0, NULL, 0, NULL);
	if (input_pick(s->in, 2))
		CALL(s, vkCmdResetEvent)(r->cmd, handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
	use(r, event);
}

static void record_timestamp(struct recording *r)
{
	struct session *s = r->s;
	int queries = choose(s, QUERIES, 0), buffer = choose(s, BUFFER, -1);
	if (queries == NO_OBJECT || buffer == NO_OBJECT || !room(r, 2))
		return;
	VkQueryPool pool = HANDLE(s, queries, VkQueryPool);
	CALL(s, vkCmdResetQueryPool)(r->cmd, pool, 0, QUERY_COUNT);
	for (uint32_t i = 0; i < QUERY_COUNT; i++)
		CALL(s, vkCmdWriteTimestamp)(r->cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, i);
	CALL(s, vkCmdCopyQueryPoolResults)(r->cmd, pool, 0, QUERY_COUNT, HANDLE(s, buffer, VkBuffer), 0, 8,
		VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
	use(r, queries);
	use(r, buffer);
	barrier(r);
}

static void draw(struct recording *r, int vertices)
{
	struct session *s = r->s;
	VkDeviceSize zero = 0;
	s->reached[DRAWS]++;
	CALL(s, vkCmdBindVertexBuffers)(r->cmd, 0, 1, &(VkBuffer){ HANDLE(s, vertices, VkBuffer) }, &zero);
	if (input_pick(s->in, 2)) {
		CALL(s, vkCmdDraw)(r->cmd, input_pick(s->in, 16), 1 + input_pick(s->in, 3), input_pick(s->in, 4), 0);
	} else {
		CALL(s, vkCmdBindIndexBuffer)(r->cmd, HANDLE(s, vertices, VkBuffer), 0, VK_INDEX_TYPE_UINT16);
		CALL(s, vkCmdDrawIndexed)(r->cmd, input_pick(s->in, 16), 1 + input_pick(s->in, 3), 0, 0, 0);
	}
}

static void record_pass(struct recording *r)
{
	struct session *s = r->s;
	int framebuffer = choose(s, FRAMEBUFFER, -1), pass = choose(s, PASS, -1), pipeline = choose(s, PIPELINE, GRAPHICS);
	int vertices = choose(s, BUFFER, -1), queries = choose(s, QUERIES, 1);
	if (framebuffer == NO_OBJECT || pass == NO_OBJECT || !room(r, 12))
		return;
	const struct object *f = &s->object[framebuffer], *p = &s->object[pass];
	if (p->variant != f->variant || p->samples != f->samples)
		return;
	const VkRect2D all = { { 0, 0 }, { f->width, f->height } };
	const VkViewport viewport = { 0, 0, (float)f->width, (float)f->height, 0, 1 };
	const VkClearValue clear[2] = { { .color = { .float32 = { 0.25f } } }, { .depthStencil = { 1, 0 } } };
	VkRenderPassBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = p->handle,
		.framebuffer = f->handle, .renderArea = all, .clearValueCount = 2, .pClearValues = clear };
	for (unsigned i = 0; i < f->dep_count; i++)
		to_general(r, s->object[f->deps[i].object].deps[0].object);
	/* Its set is bound before: layouts cannot change inside. */
	int target = s->object[f->deps[0].object].deps[0].object, set = NO_OBJECT;
	if (pipeline != NO_OBJECT && vertices != NO_OBJECT && s->object[pipeline].samples == f->samples &&
		s->object[pipeline].state == f->variant)
		set = bind(r, pipeline, VK_PIPELINE_BIND_POINT_GRAPHICS);
	bool sampled = set != NO_OBJECT && s->object[s->object[set].deps[2].object].deps[0].object == target;
	if (queries != NO_OBJECT)
		CALL(s, vkCmdResetQueryPool)(r->cmd, HANDLE(s, queries, VkQueryPool), 0, QUERY_COUNT);
	CALL(s, vkCmdBeginRenderPass)(r->cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
	CALL(s, vkCmdSetViewport)(r->cmd, 0, 1, &viewport);
	CALL(s, vkCmdSetScissor)(r->cmd, 0, 1, &all);
	if (queries != NO_OBJECT)
		CALL(s, vkCmdBeginQuery)(r->cmd, HANDLE(s, queries, VkQueryPool), 1, VK_QUERY_CONTROL_PRECISE_BIT);
	for (uint32_t i = set == NO_OBJECT || sampled ? 0 : 1 + input_pick(s->in, 4); i; i--)
		draw(r, vertices);
	if (queries != NO_OBJECT)
		CALL(s, vkCmdEndQuery)(r->cmd, HANDLE(s, queries, VkQueryPool), 1);
	CALL(s, vkCmdEndRenderPass)(r->cmd);
	use(r, framebuffer);
	use(r, pass);
	if (vertices != NO_OBJECT)
		use(r, vertices);
	if (queries != NO_OBJECT)
		use(r, queries);
	barrier(r);
}

/* A command buffer that may begin: implicitly reset if its pool allows that. */
static int choose_cmd(struct session *s)
{
	int found[MAX_OBJECTS], count = 0;
	for (int i = 0; i < s->objects; i++) {
		const struct object *o = &s->object[i];
		if (o->kind != CMD || !o->handle || busy(s, i))
			continue;
		if (o->state == INITIAL || (o->state != RECORDING &&
			s->object[o->owner].flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT))
			found[count++] = i;
	}
	return count ? found[input_pick(s->in, count < 256 ? (uint32_t)count : 256)] : NO_OBJECT;
}

void record(struct session *s)
{
	static void (*const commands[])(struct recording *) = { record_fill, record_copy, record_image_copy, record_clear,
		record_resolve, record_dispatch, record_dispatch, record_event, record_timestamp, record_pass, record_pass,
		record_pass };
	enum { COMMANDS = sizeof commands / sizeof *commands };
	static const VkCommandBufferUsageFlags usages[] = { 0, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
		VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT };
	int i = choose_cmd(s);
	if (i == NO_OBJECT)
		return;
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = usages[input_pick(s->in, 3)] };
	struct recording r = { s, s->object[i].handle, i, false };
	s->object[i].dep_count = 0;
	s->object[i].flags = begin.flags;
	expect(s, CALL(s, vkBeginCommandBuffer)(r.cmd, &begin), "vkBeginCommandBuffer");
	s->object[i].state = RECORDING;
	for (uint32_t n = input_pick(s->in, 8); n; n--) {
		uint8_t op = input_byte(s->in);
		if (op >= 252)
			record_endless(&r);
		else
			commands[op % COMMANDS](&r);
	}
	s->object[i].size = r.endless;
	if (input_pick(s->in, 32) == 1)
		return; /* somebody forgot it: only reset and destruction are left */
	expect(s, CALL(s, vkEndCommandBuffer)(r.cmd), "vkEndCommandBuffer");
	s->object[i].state = EXECUTABLE;
}
