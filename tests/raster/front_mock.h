/* SPDX-License-Identifier: MIT */
/* The front end without the rest of the GPU: compute units whose "programs"
 * are C, and a back end that covers pixels by brute force. */
#ifndef TESTS_RASTER_FRONT_MOCK_H
#define TESTS_RASTER_FRONT_MOCK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "isa/pm4.h"
#include "isa/regs.h"
#include "isa/resource.h"
#include "raster/pool.h"
#include "raster/prim.h"
#include "raster/rs.h"
#include "tests/check.h"

enum { MOCK_W = 300, MOCK_H = 200, MOCK_TILES_X = 5, MOCK_TILES_Y = 4 };

/* What s[2:3] of a mock vertex program points to. */
struct mock_vertex { float pos[4], misc[4], dist[4], param[4]; };

/* What the mock back end saw. */
struct mock_screen {
	uint32_t count[MOCK_H][MOCK_W];  /* times covered */
	uint32_t last[MOCK_H][MOCK_W];   /* param 0 x of the last provoking vertex, as bits */
	float value[MOCK_H][MOCK_W];     /* param 0 y, interpolated */
	double z[MOCK_H][MOCK_W];
	uint8_t front[MOCK_H][MOCK_W];
	uint64_t order[MOCK_TILES_Y][MOCK_TILES_X]; /* hash of the sequence of primitives */
	_Atomic uint32_t clears;
	/* Of tile 0, 0: a letter an item, c or p, and a / after each pass. */
	char items[256];
	unsigned item_count;
	_Atomic uint32_t lost_pixels;    /* covered, but in a tile without the primitive: never */
};
extern struct mock_screen mock;

/* Command stream being written. */
struct mock_stream { uint32_t dw[65536]; size_t n; };
void mock_packet(struct mock_stream *s, enum pm4_op op, unsigned n, const uint32_t *payload);
void mock_context(struct mock_stream *s, unsigned index, uint32_t value);
void mock_uconfig(struct mock_stream *s, unsigned index, uint32_t value);
/* A 300x200 target, identity-like viewport in pixels (x, y as given, w divides),
 * program and vertices. */
void mock_begin(struct mock_stream *s, const struct mock_vertex *v);
void mock_draw(struct mock_stream *s, unsigned topology, uint32_t count);
void mock_draw_indexed(struct mock_stream *s, unsigned topology, const uint32_t *index, uint32_t count);
/* Executes and starts a new screen before; fails the test when lost. */
void mock_run(struct rs_gpu *gpu, struct mock_stream *s);
struct rs_gpu *mock_gpu(unsigned threads);
uint32_t mock_bits(float v);
float mock_random(uint32_t *seed); /* 0 .. 1 */

#endif
