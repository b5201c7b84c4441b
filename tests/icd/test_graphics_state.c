/* SPDX-License-Identifier: MIT */
/* The rows of graphics_state.def against the registers that are written: a state changes
 * the groups that its row names, and no other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "icd/graphics_state.h"
#include "icd/pm4_build.h"
#include "tests/check.h"

static const char *const states[] = {
#define GROUP(name)
#define STATE(name, dynamic, member, groups) #name,
#define ALSO(name, dynamic)
#include "icd/graphics_state.def"
};
static const char *const groups[] = {
#define GROUP(name) #name,
#define STATE(name, dynamic, member, groups)
#define ALSO(name, dynamic)
#include "icd/graphics_state.def"
};

static uint64_t seed = 88172645463325252u;

static uint32_t below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % n;
}

static float some(void)
{
	return (float)below(200) - 40.5f;
}

/* Any state that can be: booleans and small enumerators everywhere, then what takes more. */
static struct icd_graphics_state any_state(void)
{
	struct icd_graphics_state s;
	for (size_t i = 0; i < sizeof s; i++)
		((uint8_t *)&s)[i] = (uint8_t)below(2);
	s.viewport.count = below(ICD_MAX_VIEWPORTS + 1);
	s.scissor.count = below(ICD_MAX_VIEWPORTS + 1);
	for (int i = 0; i < ICD_MAX_VIEWPORTS; i++) {
		s.viewport.at[i] = (VkViewport){ some(), some(), some(), some(), some(), some() };
		s.scissor.at[i] = (VkRect2D){ { (int32_t)below(50), (int32_t)below(50) }, { 20 + below(90), 20 + below(90) } };
	}
	s.depth_bias = (struct icd_depth_bias){ some(), some(), some() };
	s.tess.topology = (uint8_t)below(4);
	s.line_mode = (uint8_t)below(4);
	s.line_width = (float)below(60);
	s.samples = (uint8_t)(1u << below(4));
	s.depth_aspects = (uint8_t)(below(4) << 1);
	for (int i = 0; i < 2; i++)
		s.depth_bounds[i] = some();
	for (int i = 0; i < 4; i++)
		s.blend_constants[i] = some();
	return s;
}

static bool same(const struct icd_graphics_state *a, const struct icd_graphics_state *b, uint32_t group)
{
	struct icd_pm4 of_a = { .count = 0 }, of_b = { .count = 0 };
	icd_graphics_emit(&of_a, a, 1u << group);
	icd_graphics_emit(&of_b, b, 1u << group);
	return of_a.count == of_b.count && !memcmp(of_a.dw, of_b.dw, of_a.count * sizeof *of_a.dw);
}

static uint32_t changed_by(uint32_t state)
{
	uint32_t changed = 0;
	for (int n = 0; n < 2000; n++) {
		const struct icd_graphics_state a = any_state(), b = any_state();
		struct icd_graphics_state c = a;
		icd_graphics_state_take(&c, &b, 1ull << state);
		for (uint32_t g = 0; g < ICD_GROUP_COUNT; g++)
			if (!same(&a, &c, g))
				changed |= 1u << g;
	}
	return changed;
}

/* Members do not overlap. */
static void check_members(void)
{
	uint8_t owned[sizeof(struct icd_graphics_state)] = { 0 };
	for (uint32_t i = 0; i < ICD_STATE_COUNT; i++)
		for (uint32_t b = 0; b < icd_state_rows[i].size; b++)
			CHECK(!owned[icd_state_rows[i].offset + b]++);
}

static void check_dynamic(void)
{
	const VkDynamicState all[] = { VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_STENCIL_REFERENCE };
	const VkPipelineDynamicStateCreateInfo info = { .dynamicStateCount = 2, .pDynamicStates = all };
	CHECK(icd_graphics_state_dynamic(NULL) == 0);
	CHECK(icd_graphics_state_dynamic(&info) == (ICD_STATE_BIT(VIEWPORT) | ICD_STATE_BIT(STENCIL_REFERENCE)));
	CHECK(icd_graphics_state_groups(ICD_STATE_BIT(VIEWPORT) | ICD_STATE_BIT(STENCIL_REFERENCE)) ==
		(ICD_GROUP_BIT(VIEWPORT) | ICD_GROUP_BIT(SCISSOR) | ICD_GROUP_BIT(STENCIL_REFMASK)));
	CHECK(icd_graphics_state_groups(ICD_STATES_ALL) == ICD_GROUPS_ALL);
}

int main(void)
{
	int wrong = 0;
	check_members();
	check_dynamic();
	for (uint32_t i = 0; i < ICD_STATE_COUNT; i++) {
		uint32_t changed = changed_by(i), rows = icd_state_rows[i].groups & ~ICD_GROUP_BIT(ATTRIBUTES);
		for (uint32_t g = 0; g < ICD_GROUP_COUNT; g++)
			if ((changed ^ rows) >> g & 1)
				fprintf(stderr, "%s: its row says that %s %s on it\n", states[i], groups[g],
					rows >> g & 1 ? "depends" : "does not depend");
		wrong += changed != rows;
	}
	CHECK(!wrong);
	return 0;
}
