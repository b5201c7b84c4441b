/* SPDX-License-Identifier: MIT */
/* What Vulkan 1.1, 1.2 and 1.3 require of every device, what the Roadmap 2022 profile and the LunarG
 * desktop baseline of 2024 require beside that: required.def, against what the device tells.  What a
 * profile asks for and is not there stands in required_missing.def, and nothing else does. */
#include <math.h>
#include "format_letters.h"
#include "harness.h"
#include "icd/structs.h"

/* Who asks. */
enum { V10 = 1, V11 = 2, V12 = 4, V13 = 8, R22 = 16, L24 = 32, VULKAN = V10 | V11 | V12 | V13 };
static const struct { unsigned who; const char *name; } askers[] = {
	{ VULKAN, "Vulkan" }, { R22, "Roadmap 2022" }, { L24, "LunarG 2024" },
};

/* What may miss: a name, or how names begin, and what brings it. */
static const struct { const char *name, *subject; } excused[] = {
#define MISSING(name, subject) { #name, subject },
#define MISSING_ALL(name, subject) { #name "*", subject },
#include "required_missing.def"
};
enum { EXCUSED = sizeof excused / sizeof excused[0] };
static unsigned met[EXCUSED], missed[EXCUSED];
static int wrong;

static bool names(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);
	return pattern[n - 1] == '*' ? !strncmp(pattern, name, n - 1) : !strcmp(pattern, name);
}

/* `lack`: who asked for it in vain. */
static void judge(const char *name, unsigned lack)
{
	int listed = -1;
	for (int i = 0; i < EXCUSED && listed < 0; i++)
		if (names(excused[i].name, name))
			listed = i;
	if (listed >= 0)
		(lack ? missed : met)[listed]++;
	if (!lack || (listed >= 0 && !(lack & VULKAN)))
		return;
	for (size_t i = 0; i < sizeof askers / sizeof askers[0]; i++)
		if (lack & askers[i].who)
			fprintf(stderr, "%s is required by %s\n", name, askers[i].name);
	wrong++;
}

/* --- features and properties: by name, from whatever structure has it --- */

enum { MAX_BYTES = 2048 };

/* False where no structure has the name; *value is the largest that some structure says. */
static bool find(struct vk *vk, const struct icd_structs *structs, const char *name, double *value)
{
	bool found = false;
	*value = 0;
	for (size_t i = 0; i < structs->count; i++) {
		const struct icd_struct *s = &structs->list[i];
		for (uint16_t k = 0; k < s->member_count; k++) {
			_Alignas(8) uint8_t bytes[MAX_BYTES] = { 0 };
			const struct icd_member *m = &s->members[k];
			VkBaseOutStructure *head = (VkBaseOutStructure *)bytes;
			VkPhysicalDeviceProperties2 p = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, bytes };
			VkPhysicalDeviceFeatures2 f = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, bytes };
			uint64_t wide = 0;
			if (strcmp(m->name, name) || m->size > sizeof wide)
				continue;
			head->sType = s->type;
			if (structs == &icd_property_structs)
				IFN(vk, vkGetPhysicalDeviceProperties2)(vk->physical, &p);
			else
				IFN(vk, vkGetPhysicalDeviceFeatures2)(vk->physical, &f);
			memcpy(&wide, bytes + m->theirs, m->size);
			found = true;
			*value = (double)wide > *value ? (double)wide : *value;
		}
	}
	return found;
}

static void feature(struct vk *vk, const char *name, unsigned who)
{
	double value;
	bool found = find(vk, &icd_feature_structs, name, &value);
	CHECK(found, "no structure has the feature %s", name);
	judge(name, value != 0 ? 0 : who);
}

enum how { LEAST, MOST, BITS };
#define NONE NAN

static void compare(const char *name, enum how how, double is, const double want[3])
{
	unsigned lack = 0;
	for (int i = 0; i < 3; i++) {
		bool ok = isnan(want[i]) || (how == LEAST ? is >= want[i] : how == MOST ? is <= want[i] :
			((uint64_t)is & (uint64_t)want[i]) == (uint64_t)want[i]);
		lack |= ok ? 0 : askers[i].who;
	}
	judge(name, lack);
}

static void property(struct vk *vk, const char *name, enum how how, const double want[3])
{
	double value;
	bool found = find(vk, &icd_property_structs, name, &value);
	CHECK(found, "no structure has the property %s", name);
	compare(name, how, value, want);
}

/* --- extensions, formats --- */

static void extension(const VkExtensionProperties *list, uint32_t count, const char *name, unsigned who)
{
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(list[i].extensionName, name))
			who = 0;
	judge(name, who);
}

#define SAMPLED (P | Q | S | Z)
#define FILTERED (SAMPLED | L)
#define INT_TARGET (SAMPLED | C | Y)
#define TARGET (FILTERED | B | C | Y)

static void format(struct vk *vk, const char *name, VkFormat f, VkFormatFeatureFlags optimal, VkFormatFeatureFlags linear,
	VkFormatFeatureFlags buffer)
{
	VkFormatProperties p;
	IFN(vk, vkGetPhysicalDeviceFormatProperties)(vk->physical, f, &p);
	VkFormatFeatureFlags o = optimal & ~p.optimalTilingFeatures, l = linear & ~p.linearTilingFeatures,
		b = buffer & ~p.bufferFeatures;
	if (o | l | b)
		printf("format %s lacks 0x%x in optimal images, 0x%x in linear ones, 0x%x in buffers\n", name, o, l, b);
	judge(name, o | l | b ? L24 : 0);
}

/* --- what is neither --- */

/* An extension without a feature structure is a bit of the version's. */
static void promoted(struct vk *vk, const VkExtensionProperties *list, uint32_t count)
{
	static const struct { const char *extension, *feature; } same[] = {
		{ "VK_KHR_draw_indirect_count", "drawIndirectCount" },
		{ "VK_KHR_sampler_mirror_clamp_to_edge", "samplerMirrorClampToEdge" },
		{ "VK_EXT_shader_viewport_index_layer", "shaderOutputViewportIndex" },
		{ "VK_EXT_shader_viewport_index_layer", "shaderOutputLayer" },
		{ "VK_EXT_sampler_filter_minmax", "samplerFilterMinmax" },
		{ "VK_EXT_descriptor_indexing", "descriptorIndexing" },
	};
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		double value;
		bool listed = false, found = find(vk, &icd_feature_structs, same[i].feature, &value);
		for (uint32_t k = 0; k < count; k++)
			listed |= !strcmp(list[k].extensionName, same[i].extension);
		EXPECT(found && listed == (value != 0), "%s and %s", same[i].extension, same[i].feature);
	}
}

static void everything(struct vk *vk)
{
	static VkExtensionProperties list[256];
	uint32_t count = 256;
	VkPhysicalDeviceProperties core;
	OK(IFN(vk, vkEnumerateDeviceExtensionProperties)(vk->physical, NULL, &count, list));
	IFN(vk, vkGetPhysicalDeviceProperties)(vk->physical, &core);
	CHECK(core.apiVersion >= VK_API_VERSION_1_3);
	promoted(vk, list, count);
#define FEATURE(name, who) feature(vk, #name, who);
#define EXTENSION(name, who) extension(list, count, #name, who);
#define LIMIT(name, how, v, r, l) compare(#name, how, (double)core.limits.name, (const double[3]){ v, r, l });
#define PROPERTY(name, how, v, r, l) property(vk, #name, how, (const double[3]){ v, r, l });
#define FORMAT(name, optimal, linear, buffer) format(vk, #name, VK_FORMAT_##name, optimal, linear, buffer);
#include "required.def"
}

int main(void)
{
	struct vk vk;
	vk_start(&vk);
	everything(&vk);
	for (int i = 0; i < EXCUSED; i++) {
		EXPECT(!met[i], "%s is listed as missing (%s), and there now", excused[i].name, excused[i].subject);
		EXPECT(missed[i], "%s is listed as missing, and nobody asks for it", excused[i].name);
	}
	vk_stop(&vk);
	return wrong || failures;
}
