/* SPDX-License-Identifier: MIT */
/* A thread pool for the lifetime of a GPU. */
#ifndef RASTER_POOL_H
#define RASTER_POOL_H

#include <stdbool.h>
#include <stdint.h>

struct rs_pool;
struct rs_pool *rs_pool_create(unsigned threads);
void rs_pool_destroy(struct rs_pool *pool);
unsigned rs_pool_threads(const struct rs_pool *pool);
/* Runs fn(data, index, thread) for index 0..count-1 on all threads, the caller
 * included (thread 0); returns when all are done. */
void rs_pool_run(struct rs_pool *pool, uint32_t count,
	void (*fn)(void *data, uint32_t index, unsigned thread), void *data);
/* The same, but the caller goes on while the other threads are at it: until rs_pool_end, which helps with what is left, or
 * the next run, which begins with that. */
void rs_pool_begin(struct rs_pool *pool, uint32_t count,
	void (*fn)(void *data, uint32_t index, unsigned thread), void *data);
void rs_pool_end(struct rs_pool *pool);
/* Whether all of it has been done, so that nobody waits for threads at its end. */
bool rs_pool_is_done(const struct rs_pool *pool);
/* Once *abort is nonzero, runs leave out the indices that nobody has
 * taken yet. */
void rs_pool_watch(struct rs_pool *pool, const int *abort);

#endif
