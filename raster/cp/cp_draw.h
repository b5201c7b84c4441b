/* SPDX-License-Identifier: MIT */
/* What draws of all kinds have in common. */
#ifndef RASTER_CP_CP_DRAW_H
#define RASTER_CP_CP_DRAW_H

#include <stdbool.h>
#include <stdint.h>

struct rs_gpu;
struct rs_mesh;
struct rs_vdraw;

/* Records of an indirect draw. */
struct rs_records {
	const uint8_t *record;
	uint32_t count, stride;
};

/* A draw of the pass, which is opened if there is none: with its state.  NULL: gpu has failed. */
struct rs_vdraw *rs_cp_begin_draw(struct rs_gpu *gpu);
/* What the tiles need of it; corners: of its primitives.  False: gpu has failed. */
bool rs_cp_describe_pixels(struct rs_gpu *gpu, struct rs_vdraw *v, unsigned corners);
/* Of a packet's addresses (lo, hi; count_address 0: none) and with r->count and r->stride as it
 * says, how many records of so many bytes there are and where.  False: gpu has failed. */
bool rs_cp_read_records(struct rs_gpu *gpu, const uint32_t *address, const uint32_t *count_address, unsigned bytes,
	struct rs_records *r);
/* What a thread has for meshes (raster/front/mesh.h); NULL: nothing. */
void rs_cp_mesh_destroy(struct rs_gpu *gpu, struct rs_mesh *t);

#endif
