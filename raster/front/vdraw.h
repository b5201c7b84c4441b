/* SPDX-License-Identifier: MIT */
/* One draw as the front end needs it. */
#ifndef RASTER_FRONT_VDRAW_H
#define RASTER_FRONT_VDRAW_H

#include <stdint.h>
#include "core/launch.h"

struct rs_draw;
struct rs_pa_state;

/* A run of indices between restarts. */
struct rs_segment {
	uint32_t index;              /* position of its first index */
	uint32_t prim;               /* its first primitive's number in the instance */
};

struct rs_vdraw {
	const struct rs_draw *draw;
	const struct rs_pa_state *pa;
	struct cu_program_use vs;
	unsigned topology;           /* DI_PT_* */
	unsigned corners;            /* of a primitive; by rs_vgt_prepare, likewise prims, vertices and segments */
	const uint8_t *index;        /* NULL: indices count up from 0 */
	unsigned index_bytes;
	uint32_t max_index;          /* indices readable */
	uint32_t prims, vertices, instances; /* vertices: indices but restarts */
	const struct rs_segment *segment;
	uint32_t segments;
};

#endif
