/* SPDX-License-Identifier: MIT */
/* What the hardware blocks of raster/ share: state of a draw, set-up
 * primitives, bins of a pass, workers.
 *
 *   cp -> vgt -> pa    front end: packets, vertex waves, clip, cull, setup, binning
 *   sc -> spi -> db/cb back end: coverage, pixel waves, depth, stencil, colour
 *
 * The front end builds a pass: per 64x64 tile a list of items in primitive
 * order.  When the pass ends (targets change, a barrier, a copy, too much
 * memory) each tile becomes one job: rs_tile_render. */
#ifndef RASTER_INTERNAL_H
#define RASTER_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/cu.h"
#include "isa/pm4.h"
#include "isa/regs.h"

#define RS_TILE 64
#define RS_MAX_COLOR 8
#define RS_MAX_ATTRS 32
#define RS_MAX_SAMPLES 8

/* Context registers of one or more draws, immutable once a draw uses them. */
struct rs_context { uint32_t reg[REG_CONTEXT_DWORDS]; };

/* A query's counter during a pass: tile jobs add to it. */
struct rs_counter { _Atomic uint64_t samples; };

/* Back-end state decoded once per rs_context + PS program; opaque to the front end. */
struct rs_ps_state;

/* One draw as the tiles need it; lives in the pass arena. */
struct rs_draw {
	const struct rs_context *context;
	const struct rs_ps_state *ps;        /* from rs_ps_state_create */
	const struct cu_program *ps_program; /* NULL: no pixel shader */
	uint32_t ps_user[32];
	unsigned ps_user_count;
	uint32_t ps_mode;        /* MODE of its waves */
	uint32_t ps_scratch_bytes;
	unsigned num_interp;
	struct rs_counter *counter;          /* occlusion, or NULL */
};

/* value at the centre of pixel (x, y) = c + dx * x + dy * y, x and y integers. */
struct rs_plane { double c, dx, dy; };

/* Samples a draw has, and their positions in 1/256 pixel from the centre. */
unsigned rs_samples(const struct rs_context *c, int32_t x[RS_MAX_SAMPLES], int32_t y[RS_MAX_SAMPLES]);

/* Edge function in 1/256 pixel units at the centre of pixel (x, y), with
 * X = 256 x + 128 and Y = 256 y + 128: e = a X + b Y + c; inside when e >= 0
 * for every edge.  c includes the top-left rule (minus 1 where the edge does
 * not own its points). |a|, |b| < 2^25. */
struct rs_edge { int64_t c; int32_t a, b; };

enum rs_prim_kind { RS_PRIM_EDGES, RS_PRIM_BRESENHAM };

struct rs_prim {
	const struct rs_draw *draw;
	uint8_t kind, edges;                 /* edges 3 or 4 */
	uint8_t front_facing, viewport, is_point;
	uint16_t layer;                      /* added to SLICE_START */
	struct rs_plane z;                   /* window depth, depth bias included, not clamped */
	struct rs_plane b1, b2;              /* linear weights of vertices 1 and 2 (b0 = 1 - b1 - b2) */
	float inv_w[3];                      /* 1 / w_clip of the vertices */
	const float *attr[3];                /* params of the vertices: param n component c at [4 n + c];
	                                      * attr[0] is the provoking vertex */
	/* Those of RS_ITEM_SMALL end here: what follows is allocated for others only.
	 *
	 * Pixel bounds, x1 and y1 exclusive, already cut by scissors, render area
	 * (PA_SC_SCREEN_SCISSOR) and target size. */
	int32_t x0, y0, x1, y1;
	float z_min, z_max;                  /* over the primitive, bias included; for hierarchical Z */
	struct rs_edge edge[4];
	/* Triangles end here: what follows is allocated for points and lines only. */
	struct rs_plane s, t;                /* points: point coordinates */
	/* Bresenham: end points in 24.8, half width in pixels replicated along the
	 * minor axis. */
	int32_t line_x[2], line_y[2];
	uint32_t line_width;                 /* in pixels, >= 1 */
};
#define RS_PRIM_SMALL_BYTES offsetof(struct rs_prim, x0)
#define RS_PRIM_TRIANGLE_BYTES offsetof(struct rs_prim, s)

/* RS_ITEM_SMALL: a triangle of at most 2x2 quads with its coverage: no edges. */
enum rs_item_kind { RS_ITEM_PRIM, RS_ITEM_CLEAR, RS_ITEM_SMALL };
struct rs_item {
	const void *p;        /* struct rs_prim or struct pm4_clear_target */
	uint8_t kind;
	uint8_t full;         /* a prim that covers the whole tile */
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
	uint8_t *base;               /* slice SLICE_START of the level; NULL: none */
	uint64_t slice_stride;
	uint32_t pitch, width, height, slices; /* slices from SLICE_START to SLICE_MAX */
	uint8_t tiling, bpe, dfmt, nfmt;
	uint8_t samples;             /* more than one: TILING_4X4, isa/surface.h */
	uint8_t sel[4];              /* memory component c takes channel sel[c] */
};
struct rs_pass {
	struct rs_target color[RS_MAX_COLOR], depth, stencil;
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
	const volatile int *abort;
	uint64_t budget;            /* of each wave: cu_wave.budget */
	uint32_t poison;            /* see cu_wave_fresh */
	const struct cu_memory *memory;
	enum cu_level level;
};

/* cp_tiles.c: the pass fails with this message unless it already has one.  what: that
 * failed, static text ("pixel wave"); program: that it ran, or NULL. */
void rs_pass_fail(struct rs_pass *pass, const char *what, const struct cu_program *program, const char *text);

/* Per thread: pixel wave, exports, LDS, scratch, tile caches; made once. */
struct rs_worker;
struct rs_worker *rs_worker_create(enum cu_level level);
void rs_worker_destroy(struct rs_worker *w);

/* Back end (sc.c, spi.c, db.c, cb.c). */

/* Decodes blend, depth, stencil, interpolation and export state; allocated
 * with malloc, freed with rs_ps_state_destroy; NULL without memory. */
struct rs_ps_state *rs_ps_state_create(const struct rs_context *context, const struct cu_program *ps);
void rs_ps_state_destroy(struct rs_ps_state *s);

/* Renders one tile of the pass: all items of its bin in order.  Runs on any
 * thread; a tile has one owner at a time. */
void rs_tile_render(struct rs_worker *w, struct rs_pass *pass, uint32_t tile_x, uint32_t tile_y);

/* Thread pool (pool.c): runs fn(data, index, thread) for index 0..count-1 on all
 * threads, the caller included (thread 0); returns when all are done. */
struct rs_pool;
struct rs_pool *rs_pool_create(unsigned threads);
void rs_pool_destroy(struct rs_pool *pool);
unsigned rs_pool_threads(const struct rs_pool *pool);
void rs_pool_run(struct rs_pool *pool, uint32_t count,
	void (*fn)(void *data, uint32_t index, unsigned thread), void *data);

/* Copy engine (dma.c).  Each takes a packet's payload, uses the pool for large
 * work, and returns false for a malformed one. */
bool rs_dma_copy_buffer(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);
bool rs_dma_fill_buffer(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);
bool rs_dma_copy_image(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);
bool rs_dma_blit_image(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);
bool rs_dma_resolve_image(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);
bool rs_dma_clear_image(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);

#endif
