/* SPDX-License-Identifier: MIT */
/* Formats: what VkFormat means to the GPU and what it may be used for. */
#ifndef ICD_FORMAT_H
#define ICD_FORMAT_H

#include <stdbool.h>
#include "icd/vk.h"
#include "isa/surface.h"

struct icd_instance;

/* One plane as the hardware reads it. */
struct icd_plane_format {
	uint8_t dfmt, nfmt;        /* DFMT_*, NFMT_* */
	uint8_t bytes;             /* an element, as isa/formats.def has it */
	uint8_t sel[4];            /* SEL_*: channel R G B A takes this memory component */
};

struct icd_format {
	VkFormat format;
	VkImageAspectFlags aspects;
	struct icd_plane_format color;   /* of the color or depth plane */
	struct icd_plane_format stencil; /* of the stencil plane; dfmt 0: none */
	VkFormatFeatureFlags optimal, linear, buffer;
};

/* NULL when the format is not supported at all. */
const struct icd_format *icd_format_get(VkFormat format);

/* The plane of one aspect (color, depth or stencil). */
const struct icd_plane_format *icd_format_plane(const struct icd_format *f,
	VkImageAspectFlags aspect);

/* Answers VkImageCompressionPropertiesEXT in a chain: no image is compressed. */
void icd_no_compression(void *chain);

/* What remains of a usage or of create flags without bits that only extensions of
 * other devices define; a warning names those, once an instance. */
VkImageUsageFlags icd_known_image_usage(struct icd_instance *instance, VkImageUsageFlags usage);
VkImageCreateFlags icd_known_image_flags(struct icd_instance *instance, VkImageCreateFlags flags);

/* Compressed: an element is a block of texels. */
static inline bool icd_format_is_block(const struct icd_plane_format *p)
{
	return surf_dfmt_block(p->dfmt) != (1 | 1 << 8);
}

static inline bool icd_format_is_int(const struct icd_plane_format *p)
{
	return p->nfmt == NFMT_UINT || p->nfmt == NFMT_SINT;
}

#endif
