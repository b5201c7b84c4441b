/* SPDX-License-Identifier: MIT */
/* A pass: its targets, and per 64x64 tile a list of items in primitive order.
 * When it ends (targets change, a barrier, a copy, too much memory) each tile
 * becomes one job: rs_tile_render. */
#ifndef RASTER_PASS_H
#define RASTER_PASS_H

#include <stdatomic.h>
#include <stdint.h>
#include "core/cu.h"
#include "core/format/format_layout.h"
#include "core/launch.h"
#include "isa/surface.h"
#include "raster/draw.h"
#include "raster/resolve.h"

#define RS_TILE 64

/* RS_ITEM_SMALL: a triangle of at most 2x2 quads with its coverage: no edges. */
enum rs_item_kind { RS_ITEM_PRIM, RS_ITEM_CLEAR, RS_ITEM_SMALL, RS_ITEM_RESOLVE };
struct rs_item {
	const void *p;        /* struct rs_prim, struct pm4_clear_target, struct rs_target_resolve */
	uint8_t kind;
	uint8_t full;         /* a prim no edge of which cuts the tile: it covers what its bounds have of it */
	/* Small: the first quad, in quads of the tile, and the lanes covered, quads
	 * in rows and lanes of a quad together, as in a 4x4 part. */
	uint8_t qx, qy;
	uint16_t mask;
	uint16_t unused;      /* without holes an item is built in registers */
};
struct rs_item_chunk {
	struct rs_item_chunk *next;
	unsigned count;
	struct rs_item item[62];
};
struct rs_bin { struct rs_item_chunk *first, *last; };

/* The targets of a pass, decoded from its first draw's or clear's registers. */
struct rs_target {
	struct surf_plane plane;     /* its slices from SLICE_START to SLICE_MAX; base NULL: none */
	uint32_t code_max;           /* of depth: the largest integer, 0: floats */
	uint8_t sel[4];              /* memory component c takes channel sel[c] */
};
/* rs_target.code_max of a depth format. */
static inline uint32_t rs_depth_code_max(unsigned dfmt, unsigned nfmt)
{
	return nfmt == NFMT_UNORM ? (1u << cu_format_layout(dfmt).bits[0]) - 1 : 0;
}
struct rs_targets { struct rs_target color[RS_MAX_COLOR], depth, stencil; };
/* A rectangle of a target to an image of one sample. */
struct rs_target_resolve { unsigned color; struct rs_resolve r; };
/* Pixels of targets (PM4_CLEAR_*) that nobody reads when the pass is over. */
struct rs_discard { uint32_t targets, x, y, width, height; };
struct rs_pass {
	struct rs_targets targets;
	struct rs_discard discard;
	uint32_t width, height;      /* smallest of the bound targets' */
	uint32_t tiles_x, tiles_y;
	unsigned samples;            /* of the targets; 0: there are none */
	struct rs_bin *bin;          /* [tiles_y * tiles_x] */
	_Atomic int failed;          /* by rs_pass_fail, whose arguments these are */
	struct cu_error error;
	const char *what;
	const struct cu_program *program;
	/* Where tiles found themselves aborted: the pixel program of one, for the message. */
	const struct cu_program *_Atomic aborted;
	struct cu_bounds bounds;    /* of each wave */
};

/* The pass fails with this message unless it already has one.  what: that
 * failed, static text ("pixel wave"); program: that it ran, or NULL; error: of its wave, or
 * a text alone. */
void rs_pass_fail(struct rs_pass *pass, const char *what, const struct cu_program *program, const struct cu_error *error);

#endif
