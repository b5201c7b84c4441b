/* SPDX-License-Identifier: MIT */
/* Counts and sizes at and beyond the limits: refused where sums would wrap, not
 * touched before use, and one memory budget for all devices of the process. */
#include <time.h>
#include "fail_each.h"

enum { QUERIES = ASAN || TSAN ? 15000000 : 150000000, SETS = ASAN || TSAN ? 2000000 : 20000000, DEVICES = 3, GROWTH_KB = 32 << 10, SECONDS = 5 };

static long resident_kb(void)
{
	long kb = -1;
	char line[256];
	FILE *f = fopen("/proc/self/status", "r");
	CHECK(f);
	while (fgets(line, sizeof line, f))
		if (sscanf(line, "VmRSS: %ld", &kb) == 1)
			break;
	fclose(f);
	CHECK(kb > 0);
	return kb;
}

static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Of a huge pool: memory and time since it was not there yet. */
struct cost { long kb; double seconds; };

static struct cost start_cost(void)
{
	return (struct cost){ resident_kb(), cpu_seconds() };
}

/* Made or refused, and used a little: it has touched hardly any memory. */
static void check_memory(const struct cost *before, int count, const char *what, VkResult result)
{
	long grown = resident_kb() - before->kb;
	printf("%d %s: %d, %ld KiB\n", count, what, result, grown);
	CHECK(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
	CHECK(TSAN || grown < GROWTH_KB); /* its calloc writes zeros */
}

static void check_time(const struct cost *before)
{
	CHECK(cpu_seconds() - before->seconds < SECONDS);
}

static void query_pool(struct vk *vk)
{
	VkQueryPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = QUERIES };
	VkQueryPool pool;
	struct cost before = start_cost();
	VkResult result = FN(vk, vkCreateQueryPool)(vk->device, &info, NULL, &pool);
	check_memory(&before, QUERIES, "queries", result);
	if (result == VK_SUCCESS)
		FN(vk, vkDestroyQueryPool)(vk->device, pool, NULL);
	check_time(&before);
}

static VkDescriptorSetLayout set_layout(struct vk *vk, VkDescriptorType type, uint32_t count)
{
	VkDescriptorSetLayoutBinding binding = { 0, type, count, VK_SHADER_STAGE_COMPUTE_BIT, NULL };
	VkDescriptorSetLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1, .pBindings = &binding };
	VkDescriptorSetLayout layout;
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &info, NULL, &layout));
	return layout;
}

static VkResult allocate(struct vk *vk, VkDescriptorPool pool, VkDescriptorSetLayout layout, VkDescriptorSet *set)
{
	VkDescriptorSetAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = pool, .descriptorSetCount = 1, .pSetLayouts = &layout };
	return FN(vk, vkAllocateDescriptorSets)(vk->device, &info, set);
}

/* Huge and hardly used; resetting it is as cheap. */
static void descriptor_pool(struct vk *vk)
{
	VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SETS };
	VkDescriptorPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = SETS,
		.poolSizeCount = 1, .pPoolSizes = &size };
	VkDescriptorSetLayout layout = set_layout(vk, size.type, 1);
	VkDescriptorPool pool;
	VkDescriptorSet set[3];
	struct cost before = start_cost();
	VkResult result = FN(vk, vkCreateDescriptorPool)(vk->device, &info, NULL, &pool);
	for (int i = 0; i < 10 && result == VK_SUCCESS; i++) {
		for (int n = 0; n < 3; n++)
			OK(allocate(vk, pool, layout, &set[n]));
		OK(FN(vk, vkResetDescriptorPool)(vk->device, pool, 0));
	}
	check_memory(&before, SETS, "sets", result);
	if (result == VK_SUCCESS)
		FN(vk, vkDestroyDescriptorPool)(vk->device, pool, NULL);
	check_time(&before);
	FN(vk, vkDestroyDescriptorSetLayout)(vk->device, layout, NULL);
}

/* Set structs that were never used and such as were freed: no more than maxSets. */
static void set_counts(struct vk *vk)
{
	enum { MAX = 5 };
	VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 100 };
	VkDescriptorPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT, .maxSets = MAX, .poolSizeCount = 1, .pPoolSizes = &size };
	VkDescriptorSetLayout layout = set_layout(vk, size.type, 1);
	VkDescriptorPool pool;
	VkDescriptorSet set[MAX], extra;
	OK(FN(vk, vkCreateDescriptorPool)(vk->device, &info, NULL, &pool));
	for (int round = 0; round < 4; round++) {
		for (int n = 0; n < MAX; n++) {
			OK(allocate(vk, pool, layout, &set[n]));
			for (int i = 0; i < n; i++)
				CHECK(set[i] != set[n]);
		}
		CHECK(allocate(vk, pool, layout, &extra) == VK_ERROR_OUT_OF_POOL_MEMORY);
		OK(FN(vk, vkFreeDescriptorSets)(vk->device, pool, 2, &set[round % 3]));
		OK(allocate(vk, pool, layout, &set[round % 3]));
		OK(allocate(vk, pool, layout, &set[round % 3 + 1]));
		CHECK(allocate(vk, pool, layout, &extra) == VK_ERROR_OUT_OF_POOL_MEMORY);
		OK(FN(vk, vkResetDescriptorPool)(vk->device, pool, 0));
	}
	FN(vk, vkDestroyDescriptorPool)(vk->device, pool, NULL);
	FN(vk, vkDestroyDescriptorSetLayout)(vk->device, layout, NULL);
}

/* What vkGetDescriptorSetLayoutSupport refuses cannot be created. */
static void set_layouts(struct vk *vk)
{
	static const struct { VkDescriptorType type[2]; uint32_t count[2]; } cases[] = {
		{ { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLER }, { 67108865, 1 } },
		{ { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER }, { 0x08000000, 0x08000000 } },
		{ { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC }, { 1u << 31, 1u << 31 } },
		{ { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_SAMPLER }, { UINT32_MAX, UINT32_MAX } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		VkDescriptorSetLayoutBinding bindings[2] = {
			{ 0, cases[i].type[0], cases[i].count[0], VK_SHADER_STAGE_COMPUTE_BIT, NULL },
			{ 1, cases[i].type[1], cases[i].count[1], VK_SHADER_STAGE_COMPUTE_BIT, NULL } };
		VkDescriptorSetLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
			.bindingCount = 2, .pBindings = bindings };
		VkDescriptorSetLayoutSupport support = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT };
		VkDescriptorSetLayout layout;
		FN(vk, vkGetDescriptorSetLayoutSupport)(vk->device, &info, &support);
		CHECK(!support.supported);
		CHECK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &info, NULL, &layout) == VK_ERROR_OUT_OF_HOST_MEMORY);
	}
}

static void push_range(struct vk *vk)
{
	VkPushConstantRange push = { VK_SHADER_STAGE_COMPUTE_BIT, 0xfffffff0, 0x20 };
	VkPipelineLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.pushConstantRangeCount = 1, .pPushConstantRanges = &push };
	VkPipelineLayout layout;
	CHECK(FN(vk, vkCreatePipelineLayout)(vk->device, &info, NULL, &layout) != VK_SUCCESS);
}

/* Each device alone could have more than a third of the heap, twice. */
static void memory(struct vk *vk)
{
	VkPhysicalDeviceMemoryProperties p;
	VkMemoryAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	struct vk other[DEVICES];
	VkDeviceMemory m[DEVICES], more;
	IFN(vk, vkGetPhysicalDeviceMemoryProperties)(vk->physical, &p);
	info.allocationSize = p.memoryHeaps[0].size / DEVICES;
	for (int i = 0; i < DEVICES; i++) {
		other[i] = *vk;
		OK(vk_device(&other[i], NULL));
		OK(FN(&other[i], vkAllocateMemory)(other[i].device, &info, NULL, &m[i]));
	}
	for (int i = 0; i < DEVICES; i++)
		CHECK(FN(&other[i], vkAllocateMemory)(other[i].device, &info, NULL, &more) == VK_ERROR_OUT_OF_DEVICE_MEMORY);
	FN(&other[1], vkFreeMemory)(other[1].device, m[1], NULL);
	OK(FN(&other[0], vkAllocateMemory)(other[0].device, &info, NULL, &m[1]));
	FN(&other[0], vkFreeMemory)(other[0].device, m[1], NULL);
	FN(&other[0], vkFreeMemory)(other[0].device, m[0], NULL);
	FN(&other[2], vkFreeMemory)(other[2].device, m[2], NULL);
	for (int i = 0; i < DEVICES; i++)
		FN(&other[i], vkDestroyDevice)(other[i].device, NULL);
	info.allocationSize = p.memoryHeaps[0].size;
	OK(FN(vk, vkAllocateMemory)(vk->device, &info, NULL, &more));
	FN(vk, vkFreeMemory)(vk->device, more, NULL);
}

/* The application's callbacks are asked for pools, too. */
static VkResult make_queries(struct vk *vk, const VkAllocationCallbacks *a)
{
	VkQueryPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1000 };
	VkQueryPool pool;
	VkResult result = FN(vk, vkCreateQueryPool)(vk->device, &info, a, &pool);
	if (result == VK_SUCCESS)
		FN(vk, vkDestroyQueryPool)(vk->device, pool, a);
	return result;
}

int main(void)
{
	struct vk vk;
	vk_start(&vk);
	set_layouts(&vk);
	push_range(&vk);
	set_counts(&vk);
	fail_each(&vk, "queries", make_queries);
	query_pool(&vk);
	descriptor_pool(&vk);
	memory(&vk);
	vk_stop(&vk);
	return 0;
}
