/* SPDX-License-Identifier: MIT */
/* VkImageView: the descriptors and target registers of a range of an image. */
#ifndef ICD_IMAGE_VIEW_H
#define ICD_IMAGE_VIEW_H

#include "icd/image.h"

struct icd_image_view {
	struct icd_object base;
	struct icd_image *image;
	VkImageViewType view_type;
	const struct icd_format *format;      /* the view's, may differ from the image's */
	VkImageSubresourceRange range;        /* resolved: no VK_REMAINING_* */
	VkExtent2D extent;                    /* of the base level */
	uint32_t min_lod;                     /* T_MIN_LOD */
	uint32_t first_slice, slice_count;    /* of a sliced view; 0: it is none */
	uint32_t layers;                      /* as an attachment: layers, or slices of 3D */

	uint32_t sampled_t[8];                /* T# for sampling, with the view's swizzle */
	uint32_t chroma_t[2][8];              /* T#s of the second and third plane, if it is sampled through a
	                                       * conversion; else 0 */
	uint32_t storage_t[8];                /* T# for storage and input attachments: one level,
	                                       * cubes as arrays, identity swizzle */

	/* Values of six consecutive registers from CB_COLOR_BASE + n * STRIDE
	 * (BASE, BASE_EXT, ATTRIB2, VIEW, INFO, ATTRIB).  VIEW covers all layers of
	 * the view; multiview draws add the view number to SLICE_START. */
	uint32_t cb[6];
	/* DB_Z_INFO .. DB_STENCIL_READ_BASE_HI, six consecutive registers; then two more. */
	uint32_t db[6];
	uint32_t db_depth_view, db_depth_size;
};
ICD_OBJECT(icd_image_view, VkImageView, VK_OBJECT_TYPE_IMAGE_VIEW)

/* The base level of one aspect for the copy engine, with the view's format. */
void icd_image_view_surface(const struct icd_image_view *view, VkImageAspectFlags aspect,
	struct pm4_surface *out);

#endif
