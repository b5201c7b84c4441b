/* SPDX-License-Identifier: MIT */
/* Memory of a pass: arenas that take blocks from a pool shared by the threads. */
#ifndef RASTER_ARENA_H
#define RASTER_ARENA_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/level.h"

enum { RS_BLOCK_BYTES = 256 << 10, RS_BLOCKS_KEPT = 192, RS_PASS_BYTES = 16 << 20,
	/* Primitives are read back soon after they are written: less than a pass
	 * may have stays in the threads' caches. */
	RS_THREAD_PASS_BYTES = 2 << 20,
	/* Other threads have read what lay here in an earlier pass: so far ahead it is asked for to write. */
	RS_ARENA_AHEAD = 1024 };

struct rs_block {
	struct rs_block *next;
	size_t bytes;
	alignas(64) uint8_t data[];
};
/* Blocks shared by the arenas of a gpu; `used` counts bytes handed out. */
struct rs_block_pool {
	pthread_mutex_t lock;
	struct rs_block *free;
	unsigned kept;
	_Atomic size_t used;
};
struct rs_arena {
	struct rs_block_pool *pool;
	struct rs_block *blocks;
	uint8_t *at, *end;
	size_t bytes;                /* of all its blocks */
};

bool rs_blocks_init(struct rs_block_pool *p);
void rs_blocks_finish(struct rs_block_pool *p);
/* 16-byte aligned, not zeroed; NULL without memory. */
void *rs_arena_alloc_slow(struct rs_arena *a, size_t bytes);
static inline void *rs_arena_alloc(struct rs_arena *a, size_t bytes)
{
	bytes = (bytes + 15) & ~(size_t)15;
	if ((size_t)(a->end - a->at) < bytes)
		return rs_arena_alloc_slow(a, bytes);
	uint8_t *p = a->at;
	a->at += bytes;
	for (const uint8_t *line = p; line < a->at; line += 64)
		cu_fetch_to_write(line + RS_ARENA_AHEAD);
	return p;
}
void *rs_arena_zalloc(struct rs_arena *a, size_t bytes);
void rs_arena_reset(struct rs_arena *a);

#endif
