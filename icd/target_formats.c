/* SPDX-License-Identifier: MIT */
#include "icd/target_formats.h"

#include <string.h>

void icd_target_formats_init(struct icd_target_formats *f, uint32_t view_mask, uint32_t count, const VkFormat *color,
	VkFormat depth, VkFormat stencil)
{
	memset(f, 0, sizeof *f);
	f->view_mask = view_mask;
	f->color_count = count < ICD_MAX_COLOR ? count : ICD_MAX_COLOR;
	for (uint32_t i = 0; i < f->color_count; i++)
		f->color[i] = icd_format_get(color[i]);
	icd_target_depth(f, icd_format_get(depth), icd_format_get(stencil));
}
