/* SPDX-License-Identifier: MIT */
#include "icd/graphics_state.h"

#include <stddef.h>
#include <string.h>

#define G(name) ICD_GROUP_BIT(name)
#define MEMBER_SIZE(member) sizeof((struct icd_graphics_state *)0)->member
const struct icd_state_row icd_state_rows[ICD_STATE_COUNT] = {
#define GROUP(name)
#define STATE(name, dynamic, member, groups) [ICD_STATE_##name] = \
	{ offsetof(struct icd_graphics_state, member), MEMBER_SIZE(member), groups },
#define ALSO(name, dynamic)
#include "icd/graphics_state.def"
};
static_assert(ICD_STATE_COUNT < 64 && ICD_GROUP_COUNT < 32, "sets are masks");

static const struct { VkDynamicState dynamic; uint8_t state; } by_dynamic[] = {
#define STATIC VK_DYNAMIC_STATE_MAX_ENUM /* which no pipeline names */
#define GROUP(name)
#define STATE(name, dynamic, member, groups) { dynamic, ICD_STATE_##name },
#define ALSO(name, dynamic) { dynamic, ICD_STATE_##name },
#include "icd/graphics_state.def"
};

uint64_t icd_graphics_state_dynamic(const VkPipelineDynamicStateCreateInfo *info)
{
	uint64_t states = 0;
	for (uint32_t i = 0; info && i < info->dynamicStateCount; i++)
		for (size_t r = 0; r < sizeof by_dynamic / sizeof *by_dynamic; r++)
			if (by_dynamic[r].dynamic == info->pDynamicStates[i])
				states |= 1ull << by_dynamic[r].state;
	return states;
}

uint32_t icd_graphics_state_groups(uint64_t states)
{
	uint32_t groups = 0;
	for (; states; states &= states - 1)
		groups |= icd_state_rows[__builtin_ctzll(states)].groups;
	return groups;
}

void icd_graphics_state_take(struct icd_graphics_state *to, const struct icd_graphics_state *from, uint64_t states)
{
	for (; states; states &= states - 1) {
		const struct icd_state_row *row = &icd_state_rows[__builtin_ctzll(states)];
		memcpy((char *)to + row->offset, (const char *)from + row->offset, row->size);
	}
}
