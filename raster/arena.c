/* SPDX-License-Identifier: MIT */
/* Memory of a pass: arenas that take blocks from a pool shared by the threads. */
#include "raster/arena.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "raster/prim.h"

bool rs_blocks_init(struct rs_block_pool *p)
{
	p->free = NULL;
	p->kept = 0;
	atomic_store(&p->used, 0);
	return !pthread_mutex_init(&p->lock, NULL);
}

void rs_blocks_finish(struct rs_block_pool *p)
{
	while (p->free) {
		struct rs_block *b = p->free;
		p->free = b->next;
		free(b);
	}
	pthread_mutex_destroy(&p->lock);
}

static struct rs_block *take_block(struct rs_block_pool *p, size_t bytes)
{
	struct rs_block *b = NULL;
	if (bytes <= RS_BLOCK_BYTES) {
		bytes = RS_BLOCK_BYTES;
		pthread_mutex_lock(&p->lock);
		if ((b = p->free)) {
			p->free = b->next;
			p->kept--;
		}
		pthread_mutex_unlock(&p->lock);
	}
	if (!b) {
		b = aligned_alloc(64, sizeof *b + ((bytes + 63) & ~(size_t)63));
		if (!b)
			return NULL;
		b->bytes = bytes;
	}
	atomic_fetch_add_explicit(&p->used, b->bytes, memory_order_relaxed);
	return b;
}

void *rs_arena_alloc_slow(struct rs_arena *a, size_t bytes)
{
	/* Whoever copies a whole rs_prim may read past a triangle's end. */
	size_t slack = sizeof(struct rs_prim);
	struct rs_block *b = take_block(a->pool, bytes + slack);
	if (!b)
		return NULL;
	b->next = a->blocks;
	a->blocks = b;
	a->bytes += b->bytes;
	/* A block of its own does not replace one with room left. */
	if (bytes > RS_BLOCK_BYTES / 2 && a->at)
		return b->data;
	a->at = b->data + bytes;
	a->end = b->data + b->bytes - slack;
	return b->data;
}

void *rs_arena_zalloc(struct rs_arena *a, size_t bytes)
{
	void *p = rs_arena_alloc(a, bytes);
	return p ? memset(p, 0, bytes) : NULL;
}

void rs_arena_reset(struct rs_arena *a)
{
	struct rs_block_pool *p = a->pool;
	size_t bytes = 0;
	pthread_mutex_lock(&p->lock);
	while (a->blocks) {
		struct rs_block *b = a->blocks;
		a->blocks = b->next;
		bytes += b->bytes;
		if (b->bytes == RS_BLOCK_BYTES && p->kept < RS_BLOCKS_KEPT) {
			b->next = p->free;
			p->free = b;
			p->kept++;
		} else {
			free(b);
		}
	}
	pthread_mutex_unlock(&p->lock);
	atomic_fetch_sub_explicit(&p->used, bytes, memory_order_relaxed);
	a->at = a->end = NULL;
	a->bytes = 0;
}
