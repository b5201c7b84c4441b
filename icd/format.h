/* SPDX-License-Identifier: MIT */
/* Formats: what VkFormat means to the GPU and what it may be used for. */
#ifndef ICD_FORMAT_H
#define ICD_FORMAT_H

#include <stdbool.h>
#include "icd/vk.h"
#include "isa/abi.h"
#include "isa/surface.h"

struct icd_instance;

/* One plane as the hardware reads it. */
struct icd_plane_format {
	uint8_t dfmt, nfmt;        /* DFMT_*, NFMT_* */
	uint8_t bytes;             /* an element, as isa/formats.def has it */
	uint8_t sel[4];            /* SEL_*: channel R G B A takes this memory component */
};

/* What a format has that needs a sampler Y'CbCr conversion: luma, then chroma. */
struct icd_ycbcr_format {
	uint8_t planes;                  /* of memory; 1: texels of 4:2:2, or all components of a texel, together */
	uint8_t views;                   /* T#s that see them, also of one plane of memory */
	uint8_t half;                    /* chroma has half of 1: the columns, 2: the rows */
	uint8_t bits;                    /* of a component */
	struct icd_plane_format view[3]; /* of each T#: G; B; R, or B and R; or all of it */
};

struct icd_format {
	VkFormat format;
	VkImageAspectFlags aspects;
	struct icd_plane_format color;   /* of the color or depth plane, or the first of several */
	struct icd_plane_format stencil; /* of the stencil plane; dfmt 0: none */
	VkFormatFeatureFlags optimal, linear, buffer;
	const struct icd_ycbcr_format *ycbcr; /* NULL: one plane, which can be sampled as it is */
};

/* NULL when the format is not supported at all. */
const struct icd_format *icd_format_get(VkFormat format);

/* The plane of one aspect (color, depth, stencil, or plane 0, 1, 2 of several). */
const struct icd_plane_format *icd_format_plane(const struct icd_format *f,
	VkImageAspectFlags aspect);

/* Answers VkImageCompressionPropertiesEXT in a chain: no image is compressed. */
void icd_no_compression(void *chain);

/* What remains of a usage or of create flags without bits that only extensions of
 * other devices define; a warning names those, once an instance. */
VkImageUsageFlags icd_known_image_usage(struct icd_instance *instance, VkImageUsageFlags usage);
VkImageCreateFlags icd_known_image_flags(struct icd_instance *instance, VkImageCreateFlags flags);

/* Planes of memory that colour is in. */
static inline uint32_t icd_format_planes(const struct icd_format *f)
{
	return f->ycbcr ? f->ycbcr->planes : 1;
}

/* Combined image samplers that a conversion of the format counts as in a pool; NULL: 1. */
static inline uint32_t icd_format_descriptors(const struct icd_format *f)
{
	return f && f->ycbcr && f->ycbcr->views > 1 ? ABI_DESC_YCBCR_BYTES / ABI_DESC_COMBINED_BYTES : 1;
}

/* Compressed, or texels of 4:2:2: an element is a block of texels. */
static inline bool icd_format_is_block(const struct icd_plane_format *p)
{
	return surf_dfmt_block(p->dfmt) != (1 | 1 << 8);
}

static inline bool icd_format_is_int(const struct icd_plane_format *p)
{
	return p->nfmt == NFMT_UINT || p->nfmt == NFMT_SINT;
}

#endif
