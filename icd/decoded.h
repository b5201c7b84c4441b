/* SPDX-License-Identifier: MIT */
/* Decoded planes of compressed images (isa/decoded.h): the texture unit's room for their texels, beside VkDeviceMemory and not
 * counted there, of pages that are nothing until the unit writes to them. */
#ifndef ICD_DECODED_H
#define ICD_DECODED_H

#include "icd/image.h"

struct icd_command_buffer;

/* For an image that has been bound: image->decoded, which stays 0 where it is of no use, where others than copies may write to the
 * image, and where it would be too much memory. */
void icd_decoded_create(struct icd_image *image);
void icd_decoded_destroy(struct icd_image *image);
/* Says so in the T# of a view in that format, if it reads such texels. */
void icd_decoded_describe(const struct icd_image *image, const struct icd_plane_format *f, uint32_t t[8]);
/* Behind every packet that writes to a level. */
void icd_decoded_written(struct icd_command_buffer *cmd, const struct icd_image *image, uint32_t level);

#endif
