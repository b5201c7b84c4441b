/* SPDX-License-Identifier: MIT */
/* State of primitive assembly, decoded once per context snapshot and pass. */
#ifndef RASTER_FRONT_PA_STATE_H
#define RASTER_FRONT_PA_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include "raster/draw.h"

struct rs_pass;

struct rs_viewport {
	float scale[3], offset[3];
	int32_t x0, y0, x1, y1;      /* scissors, render area and targets together */
	/* What bounds in 1/256 pixel need before >> 8 to be pixels with a sample
	 * inside: 127 and 128 for pixel centres. */
	int32_t first_x, first_y, end_x, end_y;
};

struct rs_pa_state {
	struct rs_viewport vp[16];
	uint8_t rast_stream;         /* whose vertices are rasterized */
	bool kill, clip, near_clip, far_clip, z_symmetric, transform, divide;
	bool misc, ccdist[2], vertex_size, vertex_layer, vertex_viewport;
	uint8_t clip_mask, cull_mask;
	bool cull_front, cull_back, clockwise_front, provoking_last;
	uint8_t ptype[2];            /* of front, back faces: PTYPE_* */
	bool offset[2];
	float offset_slope[2], offset_units[2], offset_clamp;
	bool z_float;
	float z_unit;                /* r of a fixed-point depth buffer */
	float point_size, point_min, point_max, line_width;
	bool rectangular;
	/* More than one sample: positions in 1/256 pixel from the centre, their range. */
	unsigned samples;
	int32_t sample_x[RS_MAX_SAMPLES], sample_y[RS_MAX_SAMPLES];
	int32_t left, right, up, down;
	uint32_t slices;             /* of the targets; primitives on other layers are dropped */
	unsigned params;             /* params the PS reads: 0 .. params - 1 are kept */
	uint32_t flat, vertices;     /* bit per param: FLAT_SHADE, QW_VERTICES */
	bool numbered;               /* the PS tells vertices apart: QW_VERTICES or QW_WEIGHTS */
	bool primitive_id;           /* primitives share no vertices, whose param `id_param` is their number */
	uint8_t id_param;
	bool small;                  /* one sample: RS_ITEM_SMALL is possible */
};
void rs_pa_state_init(struct rs_pa_state *s, const struct rs_context *c, const struct rs_pass *pass);

#endif
