/* SPDX-License-Identifier: MIT */
/* Every structure of features that the registry knows, asked about and asked for member by
 * member: one answer a feature, by all structures that have it, and what was asked for is kept. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "icd/features.h"
#include "icd/instance.h"
#include "icd/structs.h"
#include "tests/check.h"

enum { MAX_BYTES = 1024, POISON = 0x5a };

static struct icd_physical_device pd = { .base.type = VK_OBJECT_TYPE_PHYSICAL_DEVICE };
static int errors, warnings;
static char said[256];

/* What features.c says would go through an instance's messengers. */
void icd_log(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
	const struct icd_object *about, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(said, sizeof said, format, args);
	va_end(args);
	warnings++;
}

VkResult icd_error(struct icd_instance *instance, VkResult result, const struct icd_object *about,
	const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(said, sizeof said, format, args);
	va_end(args);
	errors++;
	return result;
}

static VkBool32 at(const void *base, uint16_t offset)
{
	VkBool32 value;
	memcpy(&value, (const char *)base + offset, sizeof value);
	return value;
}

static unsigned count(const struct icd_features *f)
{
	unsigned n = 0;
	for (size_t i = 0; i < sizeof *f; i += sizeof(VkBool32))
		n += at(f, (uint16_t)i) != 0;
	return n;
}

static VkBaseOutStructure *begin(void *bytes, const struct icd_struct *s, int fill)
{
	VkBaseOutStructure *head = bytes;
	memset(bytes, fill, MAX_BYTES);
	head->sType = s->type;
	head->pNext = NULL;
	return head;
}

static void ask_about(const struct icd_struct *s)
{
	_Alignas(8) char bytes[MAX_BYTES];
	VkPhysicalDeviceFeatures2 first = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = begin(bytes, s, POISON) };
	icd_GetPhysicalDeviceFeatures2(icd_physical_device_to_handle(&pd), &first);
	for (uint16_t i = 0; i < s->member_count; i++) {
		const struct icd_member *m = &s->members[i];
		VkBool32 want = icd_struct_reported(s, &pd) ? at(&pd.features, m->ours) : VK_FALSE;
		EXPECT(at(bytes, m->theirs) == want, "%s.%s is %x", s->name, m->name, at(bytes, m->theirs));
	}
	const struct icd_member *last = &s->members[s->member_count - 1];
	for (size_t i = last->theirs + last->size; i < MAX_BYTES; i++)
		EXPECT(bytes[i] == POISON, "byte %zu behind %s", i, s->name);
}

/* For this one alone. */
static void ask_for(const struct icd_struct *s, const struct icd_member *m)
{
	_Alignas(8) char bytes[MAX_BYTES];
	const VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = begin(bytes, s, 0) };
	const bool ours = icd_struct_reported(s, &pd), have = ours && at(&pd.features, m->ours);
	struct icd_features enabled;
	char name[128];

	snprintf(name, sizeof name, " %s.%s", s->name, m->name);
	errors = warnings = 0;
	said[0] = 0;
	memcpy(bytes + m->theirs, &(VkBool32){ VK_TRUE }, sizeof(VkBool32));
	VkResult result = icd_features_enable(&pd, &info, &enabled);
	EXPECT(result == (have || !ours ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT), "%s: %d", name, result);
	EXPECT(errors == (ours && !have) && warnings == !ours, "%s", name);
	EXPECT(have ? !said[0] : strstr(said, name) != NULL, "%s: \"%s\"", name, said);
	EXPECT(count(&enabled) == have && at(&enabled, m->ours) == have, "%s", name);
}

/* A feature that no structure of ours tells of would be one in vain. */
static void reachable(void)
{
	struct icd_features told;
	memset(&told, 0, sizeof told);
	for (size_t i = 0; i < icd_feature_structs.count; i++) {
		const struct icd_struct *s = &icd_feature_structs.list[i];
		for (uint16_t k = 0; icd_struct_reported(s, &pd) && k < s->member_count; k++)
			memcpy((char *)&told + s->members[k].ours, (char *)&pd.features + s->members[k].ours,
				sizeof(VkBool32));
	}
	EXPECT(!memcmp(&told, &pd.features, sizeof told), "%u of %u features", count(&told), count(&pd.features));
}

/* By name, and by more than one structure. */
static void chain(void)
{
	const VkPhysicalDeviceFeatures core = { .wideLines = VK_TRUE };
	VkPhysicalDeviceMultiviewFeatures multiview = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
		.multiview = VK_TRUE };
	VkPhysicalDeviceRobustness2FeaturesEXT robustness = {
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, .pNext = &multiview, .nullDescriptor = VK_TRUE };
	const VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &robustness,
		.pEnabledFeatures = &core };
	struct icd_features enabled;
	VkPhysicalDeviceFeatures all;

	EXPECT(icd_features_enable(&pd, &info, &enabled) == VK_SUCCESS, "%s", said);
	EXPECT(enabled.wideLines && enabled.multiview && enabled.nullDescriptor && count(&enabled) == 3, "%u",
		count(&enabled));
	icd_GetPhysicalDeviceFeatures(icd_physical_device_to_handle(&pd), &all);
	EXPECT(all.wideLines && !all.sparseBinding, "as the structure that wraps it");
}

/* The same feature by a version's structure and an older one; and what two authors called the same. */
static void versions(void)
{
	VkPhysicalDeviceVulkan12Features v12 = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.scalarBlockLayout = VK_FALSE };
	VkPhysicalDeviceScalarBlockLayoutFeatures scalar = {
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES, .pNext = &v12 };
	VkPhysicalDeviceFeatures2 first = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &scalar };
	icd_GetPhysicalDeviceFeatures2(icd_physical_device_to_handle(&pd), &first);
	EXPECT(scalar.scalarBlockLayout && v12.scalarBlockLayout, "%u %u", scalar.scalarBlockLayout,
		v12.scalarBlockLayout);
	EXPECT(offsetof(struct icd_features, meshShader) !=
		offsetof(struct icd_features, meshShader_MeshShaderFeaturesNV), "two features");
}

int main(void)
{
	icd_features_init(&pd);
	for (size_t i = 0; i < icd_feature_structs.count; i++) {
		const struct icd_struct *s = &icd_feature_structs.list[i];
		ask_about(s);
		for (uint16_t k = 0; k < s->member_count; k++)
			ask_for(s, &s->members[k]);
	}
	reachable();
	chain();
	versions();
	printf("test_features: %zu structures, %u features of %zu, %s\n", icd_feature_structs.count,
		count(&pd.features), sizeof pd.features / sizeof(VkBool32), failures ? "FAILED" : "ok");
	return failures != 0;
}
