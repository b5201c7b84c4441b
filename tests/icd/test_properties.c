/* SPDX-License-Identifier: MIT */
/* Every structure of properties that the registry knows: those of our version and extensions
 * are written whole and tell the same as each other, the rest is left alone. */
#include "harness.h"
#include "icd/structs.h"

enum { MAX_BYTES = 2048 };

static VkPhysicalDeviceProperties core;
static VkExtensionProperties extensions[256];
static uint32_t extension_count = 256;

/* By what the device lists, not by what its tables say. */
static bool reported(const struct icd_struct *s)
{
	if (s->version && s->version <= core.apiVersion)
		return true;
	for (uint16_t i = 0; i < s->extension_count; i++)
		for (uint32_t k = 0; k < extension_count; k++)
			if (!strcmp(icd_extension_infos[s->extensions[i]].name, extensions[k].extensionName))
				return true;
	return false;
}

static void query(struct vk *vk, const struct icd_struct *s, uint8_t *bytes, int poison)
{
	VkBaseOutStructure *head = (VkBaseOutStructure *)bytes;
	VkPhysicalDeviceProperties2 first = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = head };
	memset(bytes, poison, MAX_BYTES);
	head->sType = s->type;
	head->pNext = NULL;
	IFN(vk, vkGetPhysicalDeviceProperties2)(vk->physical, &first);
	CHECK(!memcmp(&first.properties.limits, &core.limits, sizeof core.limits));
}

static bool all_are(const uint8_t *p, const uint8_t *end, int value)
{
	while (p < end && *p == value)
		p++;
	return p == end;
}

/* `told` and `known`: what other structures told, where there is a byte of 1. */
static void ask(struct vk *vk, const struct icd_struct *s, uint8_t *told, uint8_t *known)
{
	_Alignas(8) static uint8_t a[MAX_BYTES], b[MAX_BYTES];
	const struct icd_member *last = &s->members[s->member_count - 1];
	query(vk, s, a, 0xa5);
	query(vk, s, b, 0x5a);
	CHECK(all_are(a + last->theirs + last->size, a + MAX_BYTES, 0xa5));
	if (!reported(s))
		CHECK(all_are(a + sizeof(VkBaseOutStructure), a + MAX_BYTES, 0xa5));
	for (uint16_t i = 0; reported(s) && i < s->member_count; i++) {
		const struct icd_member *m = &s->members[i];
		bool whole = m->size <= sizeof(uint64_t) || !strstr(m->name, "limits"); /* which has holes */
		bool same = !known[m->ours] || !memcmp(told + m->ours, a + m->theirs, m->size);
		if (whole && memcmp(a + m->theirs, b + m->theirs, m->size))
			fprintf(stderr, "%s.%s is not written\n", s->name, m->name);
		CHECK(!whole || !memcmp(a + m->theirs, b + m->theirs, m->size));
		CHECK(same);
		memcpy(told + m->ours, a + m->theirs, m->size);
		known[m->ours] = 1;
	}
}

/* By hand, with what a structure calls otherwise than we do. */
static void values(struct vk *vk)
{
	VkPhysicalDeviceMultiviewProperties views = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES };
	VkPhysicalDeviceSubgroupProperties subgroup = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
		.pNext = &views };
	VkPhysicalDeviceProperties2 first = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroup };
	IFN(vk, vkGetPhysicalDeviceProperties2)(vk->physical, &first);
	CHECK(subgroup.subgroupSize == 64 && subgroup.quadOperationsInAllStages);
	CHECK(subgroup.supportedStages == (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT |
		VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT));
	CHECK(subgroup.supportedOperations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT);
	CHECK(views.maxMultiviewViewCount == 8);
	CHECK(first.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU);
}

int main(void)
{
	static uint8_t told[sizeof(struct icd_properties)], known[sizeof(struct icd_properties)];
	unsigned ours = 0;
	struct vk vk;
	vk_open(&vk);
	OK(vk_instance(&vk, NULL));
	IFN(&vk, vkGetPhysicalDeviceProperties)(vk.physical, &core);
	OK(IFN(&vk, vkEnumerateDeviceExtensionProperties)(vk.physical, NULL, &extension_count, extensions));
	for (size_t i = 0; i < icd_property_structs.count; i++) {
		ask(&vk, &icd_property_structs.list[i], told, known);
		ours += reported(&icd_property_structs.list[i]);
	}
	values(&vk);
	printf("test_properties: %u of %zu structures\n", ours, icd_property_structs.count);
	IFN(&vk, vkDestroyInstance)(vk.instance, NULL);
	dlclose(vk.library);
	return 0;
}
