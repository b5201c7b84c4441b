/* SPDX-License-Identifier: MIT */
/* Samples to one value a pixel (Vulkan, "Resolving Multisample Images" and
 * VkResolveModeFlagBits): of images by the copy engine, of targets tile by tile. */
#ifndef RASTER_RESOLVE_H
#define RASTER_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>
#include "core/format/format.h"
#include "isa/surface.h"

struct rs_resolve {
	struct surf_plane src, dst;    /* of 2, 4 or 8 samples, of one; the same format */
	uint32_t src_at[3], dst_at[3]; /* x, y, slice */
	uint32_t width, height, depth;
	/* By rs_resolve_init. */
	uint32_t mode;                 /* PM4_RESOLVE_* */
	bool exact;                    /* samples that are all the same give that texel */
	cu_unpack_block_fn unpack;
	cu_pack_block_fn pack;
};

/* After the planes and the box are set; false where they do not fit each other. */
bool rs_resolve_init(struct rs_resolve *r, unsigned mode, const struct cu_formats *formats);
/* Rows of 4x4 blocks of the source in a slice. */
uint32_t rs_resolve_bands(const struct rs_resolve *r);
/* One of them, in slice z of the box. */
void rs_resolve_band(const struct rs_resolve *r, uint32_t band, uint32_t z);

#endif
