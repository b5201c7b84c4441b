/* SPDX-License-Identifier: MIT */
/* test_icd_stress [SECONDS]: eight threads make devices, pipelines, commands,
 * submit, wait and destroy, and some lose their device on purpose; half of them
 * share one device, its queue under a lock, and a pipeline cache.  For the
 * sanitizers, which see more the longer it runs. */
#include <pthread.h>
#include <time.h>
#include "work.h"
#include "endless_comp.h"

enum { THREADS = 8, SHARING = 4, BLOB_BYTES = 1 << 20 };

struct shared {
	struct vk vk;                  /* library and instance; the sharing threads' device */
	VkPipelineCache cache;
	pthread_mutex_t queue;         /* external synchronization of its queue */
	pthread_mutex_t blob_lock;
	uint8_t *blob;                 /* a pipeline cache's data, for everybody */
	size_t blob_bytes;
	uint64_t end;
};

struct thread { pthread_t id; struct shared *shared; unsigned number, rounds, losses; uint32_t seed; };

static uint64_t milliseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static uint32_t pick(struct thread *t, uint32_t n)
{
	t->seed = t->seed * 1664525u + 1013904223u;
	return (t->seed >> 8) % n;
}

/* Leaves the blob of `cache` for others, now and then. */
static void keep_blob(struct thread *t, struct vk *vk, VkPipelineCache cache)
{
	struct shared *s = t->shared;
	uint8_t *data = malloc(BLOB_BYTES);
	size_t size = BLOB_BYTES;
	CHECK(data);
	OK(FN(vk, vkGetPipelineCacheData)(vk->device, cache, &size, data));
	pthread_mutex_lock(&s->blob_lock);
	memcpy(s->blob, data, size);
	s->blob_bytes = size;
	pthread_mutex_unlock(&s->blob_lock);
	free(data);
}

/* A copy of the blob; the caller frees it. */
static void *take_blob(struct thread *t, size_t *size)
{
	struct shared *s = t->shared;
	pthread_mutex_lock(&s->blob_lock);
	*size = s->blob_bytes;
	void *data = malloc(*size + 1);
	CHECK(data);
	memcpy(data, s->blob, *size);
	pthread_mutex_unlock(&s->blob_lock);
	return data;
}

static VkPipeline compute(struct vk *vk, VkPipelineCache cache, VkPipelineLayout layout, VkShaderModule module)
{
	VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = layout,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.module = module, .pName = "main" } };
	VkPipeline p;
	OK(FN(vk, vkCreateComputePipelines)(vk->device, cache, 1, &info, NULL, &p));
	return p;
}

/* The whole picture on a device of the thread's own, perhaps with a blob. */
static void own_device(struct thread *t)
{
	struct vk vk = t->shared->vk;
	struct work w;
	size_t size = 0;
	void *blob = pick(t, 2) ? take_blob(t, &size) : NULL;
	OK(vk_device(&vk, NULL));
	memset(&w, 0, sizeof w);
	w.cache_data = blob;
	w.cache_size = size;
	OK(work_make(&vk, NULL, &w));
	for (uint32_t i = pick(t, 4); i--;)
		OK(work_submit(&vk, &w));
	if (!pick(t, 4))
		keep_blob(t, &vk, w.cache);
	work_destroy(&vk, NULL, &w);
	FN(&vk, vkDestroyDevice)(vk.device, NULL);
	free(blob);
}

/* Endless work, seen lost in one of several ways, and all destroyed at once. */
static void lose_device(struct thread *t)
{
	struct vk vk = t->shared->vk;
	VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL };
	VkDescriptorSetLayoutCreateInfo sets = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1, .pBindings = &binding };
	VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof endless_comp, .pCode = endless_comp };
	VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkFence f;
	struct work w;
	memset(&w, 0, sizeof w);
	OK(vk_device(&vk, NULL));
	OK(work_buffer(&vk, NULL, &w));
	OK(FN(&vk, vkCreateDescriptorSetLayout)(vk.device, &sets, NULL, &w.set_layout));
	VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = &w.set_layout };
	OK(FN(&vk, vkCreatePipelineLayout)(vk.device, &layout, NULL, &w.layout));
	OK(FN(&vk, vkCreateShaderModule)(vk.device, &code, NULL, &w.cs));
	w.compute = compute(&vk, VK_NULL_HANDLE, w.layout, w.cs);
	VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
	VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 1, .pPoolSizes = &size };
	OK(FN(&vk, vkCreateDescriptorPool)(vk.device, &pool, NULL, &w.sets));
	VkDescriptorSetAllocateInfo set = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = w.sets, .descriptorSetCount = 1, .pSetLayouts = &w.set_layout };
	OK(FN(&vk, vkAllocateDescriptorSets)(vk.device, &set, &w.set));
	VkDescriptorBufferInfo data = { w.buffer, 0, VK_WHOLE_SIZE };
	VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = w.set, .descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &data };
	FN(&vk, vkUpdateDescriptorSets)(vk.device, 1, &write, 0, NULL);
	VkCommandPoolCreateInfo commands = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	OK(FN(&vk, vkCreateCommandPool)(vk.device, &commands, NULL, &w.commands));
	VkCommandBufferAllocateInfo one = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = w.commands, .commandBufferCount = 1 };
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	OK(FN(&vk, vkAllocateCommandBuffers)(vk.device, &one, &w.primary));
	OK(FN(&vk, vkBeginCommandBuffer)(w.primary, &begin));
	FN(&vk, vkCmdBindPipeline)(w.primary, VK_PIPELINE_BIND_POINT_COMPUTE, w.compute);
	FN(&vk, vkCmdBindDescriptorSets)(w.primary, VK_PIPELINE_BIND_POINT_COMPUTE, w.layout, 0, 1, &w.set, 0, NULL);
	FN(&vk, vkCmdDispatch)(w.primary, 1, 1, 1);
	OK(FN(&vk, vkEndCommandBuffer)(w.primary));
	OK(FN(&vk, vkCreateFence)(vk.device, &fence, NULL, &f));
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &w.primary };
	OK(FN(&vk, vkQueueSubmit)(vk.queue, 1, &submit, f));
	if (pick(t, 2))
		CHECK(FN(&vk, vkWaitForFences)(vk.device, 1, &f, VK_TRUE, UINT64_MAX) == VK_ERROR_DEVICE_LOST);
	else
		CHECK(FN(&vk, vkDeviceWaitIdle)(vk.device) == VK_ERROR_DEVICE_LOST);
	FN(&vk, vkDestroyFence)(vk.device, f, NULL);
	work_destroy(&vk, NULL, &w);
	FN(&vk, vkDestroyDevice)(vk.device, NULL);
	t->losses++;
}

/* Objects of the thread's own on the shared device, through the shared cache. */
static void shared_device(struct thread *t)
{
	struct shared *s = t->shared;
	struct vk *vk = &s->vk;
	struct work w;
	VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkFence fence;
	memset(&w, 0, sizeof w);
	OK(work_shaders(vk, NULL, &w));
	OK(work_layouts(vk, NULL, &w));
	OK(work_buffer(vk, NULL, &w));
	OK(work_targets(vk, NULL, &w));
	OK(work_pipelines(vk, NULL, &w));
	FN(vk, vkDestroyPipeline)(vk->device, w.compute, NULL);
	w.compute = compute(vk, s->cache, w.layout, w.cs);
	OK(work_descriptors(vk, NULL, &w));
	OK(work_record(vk, NULL, &w));
	OK(FN(vk, vkCreateFence)(vk->device, &info, NULL, &fence));
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &w.primary };
	pthread_mutex_lock(&s->queue);
	OK(FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, fence));
	pthread_mutex_unlock(&s->queue);
	OK(FN(vk, vkWaitForFences)(vk->device, 1, &fence, VK_TRUE, UINT64_MAX));
	if (!pick(t, 4))
		keep_blob(t, vk, s->cache);
	FN(vk, vkDestroyFence)(vk->device, fence, NULL);
	work_destroy(vk, NULL, &w);
}

static void *run(void *data)
{
	struct thread *t = data;
	do {
		if (t->number < SHARING)
			shared_device(t);
		else if (pick(t, 3))
			own_device(t);
		else
			lose_device(t);
		t->rounds++;
	} while (milliseconds() < t->shared->end);
	return NULL;
}

int main(int argc, char **argv)
{
	struct shared s = { .queue = PTHREAD_MUTEX_INITIALIZER, .blob_lock = PTHREAD_MUTEX_INITIALIZER };
	struct thread thread[THREADS];
	VkPipelineCacheCreateInfo cache = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
	unsigned rounds = 0, losses = 0;
	setenv("QW_BUDGET", "20000", 0);
	setenv("QW_THREADS", "2", 0);
	vk_start(&s.vk);
	OK(FN(&s.vk, vkCreatePipelineCache)(s.vk.device, &cache, NULL, &s.cache));
	s.blob = malloc(BLOB_BYTES);
	CHECK(s.blob);
	s.end = milliseconds() + 1000 * (uint64_t)(argc > 1 ? atoi(argv[1]) : 3);
	for (unsigned i = 0; i < THREADS; i++) {
		thread[i] = (struct thread){ .shared = &s, .number = i, .seed = i };
		CHECK(!pthread_create(&thread[i].id, NULL, run, &thread[i]));
	}
	for (unsigned i = 0; i < THREADS; i++) {
		CHECK(!pthread_join(thread[i].id, NULL));
		rounds += thread[i].rounds;
		losses += thread[i].losses;
	}
	printf("%u rounds, %u devices lost\n", rounds, losses);
	free(s.blob);
	FN(&s.vk, vkDestroyPipelineCache)(s.vk.device, s.cache, NULL);
	vk_stop(&s.vk);
	return 0;
}
