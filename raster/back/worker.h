/* SPDX-License-Identifier: MIT */
/* A thread's share of the back end: the tile at hand and its open wave. */
#ifndef RASTER_BACK_WORKER_H
#define RASTER_BACK_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include "core/cu.h"
#include "core/launch.h"
#include "raster/back/cb.h"
#include "raster/back/fill.h"
#include "raster/back/hiz.h"
#include "raster/back/ps_state.h"
#include "raster/back/wave.h"
#include "raster/draw.h"
#include "raster/pass.h"
#include "raster/prim.h"

struct rs_back_kernels;
struct cu_formats;

/* Depth and stencil of the tile: DB's.  Others ask which tests there are. */
struct rs_depth {
	struct rs_hiz hiz;
	/* By the state at hand. */
	bool tests;               /* a depth, stencil or bounds test happens */
	bool use_z, use_stencil;  /* tests with a target behind them */
	bool use_hiz;
	bool quick;               /* tests are without bounds, and in 4x4 blocks */
	bool quick_late;          /* and of depth alone, in quads of 16 bytes */
	bool quick_quads;         /* and before the shader */
	uint8_t *z_tile, *stencil_tile; /* then: of the tile's first pixel */
	/* The primitive at hand: z plane's lane offsets, its range in this block. */
	_Alignas(64) double z_lane[8];
	struct rs_z_range range;
	struct rs_z_row row;
	float z_lo, z_hi;         /* codes in the block at hand */
	bool z_plain;             /* nothing there is clamped */
	struct rs_plane z_sample[RS_MAX_SAMPLES]; /* its z plane, moved to each sample */
	_Alignas(64) float z[CU_LANES];  /* clamped z of the running wave */
	/* Codes of blocks that were tested without being written, so that late depth need not find them again: those of the run
	 * (rs_waves), and behind them of the one tested last. */
	_Alignas(64) float code[RS_BLOCKS][CU_LANES];
	const struct rs_prim *code_prim;
	unsigned code_block;
	/* The same of the open wave's quads, while all come from such blocks. */
	_Alignas(64) float quad_code[CU_LANES];
	bool quads_coded;
};

/* Pixel waves of the tile: SPI's.  SC asks which pixels wait in the open one. */
struct rs_waves {
	bool run_ps;              /* the shader must run */
	bool reads;               /* a group reads what the one before it wrote */
	bool numbers;             /* cu_wave.numbers: all targets are normalised */
	struct rs_open_wave open, direct;
	uint64_t occupied[RS_BLOCKS]; /* pixels of the open wave, by block of the tile */
	uint64_t occupied_blocks;
	uint64_t touched;         /* blocks of the tile that waves have been made of, or that may have been cleared */
	const struct rs_prim *lds_prim; /* whose attributes are in LDS, alone */
	const struct rs_prim *lane_prim; /* whose weights' planes have these lane offsets */
	_Alignas(64) double lane[2][8];
	/* Covered blocks of one primitive that are still to be shaded, in one run when it ends (rs_spi_run); runs: they may be. */
	bool runs, running;
	uint8_t run[RS_BLOCKS];
	unsigned run_count, run_at;
	const struct rs_prim *run_prim;
	bool asks;                /* of depths that the shader says before anything else: cu_wave.wanted */
	bool tested;              /* by it, the wave that runs: what passed */
	uint64_t passed;
	const struct rs_open_wave *at_hand; /* the wave that runs */
	bool again;               /* the next one differs from the last in quads alone: cu_launch_again */
};

struct rs_worker {
	const struct rs_back_kernels *k;
	const struct cu_formats *formats;
	/* The tile at hand. */
	struct rs_pass *pass;
	int32_t x, y;             /* first pixel */
	int32_t width, height;    /* of the tile, cut by the targets */
	uint32_t overwritten;     /* color targets whose clears at the beginning nobody would see, in slice: */
	uint32_t overwritten_slice;
	int32_t across;           /* pixels of the tiles that are cleared with it, itself included */
	const struct rs_targets *targets; /* the pass's, or those below */
	struct rs_targets own;    /* some of them in `memory` */
	uint8_t *memory;          /* of tiles, kept for the next one; NULL: none yet */
	size_t memory_bytes;
	/* State of the last draw. */
	const struct rs_draw *draw; /* the quads of the open wave have its use of a program */
	const struct rs_ps_state *state;
	uint8_t order;
	unsigned color_count;
	struct rs_color color[RS_MAX_COLOR];
	struct rs_counter *counter, *stats; /* of the draw */
	uint64_t samples, invocations; /* not yet added to them */
	struct rs_depth depth;
	struct rs_waves waves;
	struct cu_slot slot;      /* of pixel waves */
};

/* Entry points of the per-level code. */
struct rs_back_kernels {
	void (*prim)(struct rs_worker *w, const struct rs_prim *prim, bool full);
	void (*small)(struct rs_worker *w, const struct rs_prim *prim, const struct rs_item *item);
	void (*prim_msaa)(struct rs_worker *w, const struct rs_prim *prim, bool full);
	void (*flush)(struct rs_worker *w);
	rs_fill_fn fill;
};

/* The lanes of a pixel wave's input; NULL: it is not enabled. */
static inline uint32_t *rs_input_row(const struct rs_worker *w, unsigned vgpr)
{
	return vgpr == RS_VGPR_NONE ? NULL : w->slot.wave->vgpr[vgpr];
}

#endif
