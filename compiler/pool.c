/* SPDX-License-Identifier: MIT */
/* Memory of a compilation, freed at once, and its account. */
#include "compiler/pool.h"

#include <stdlib.h>
#include <string.h>

enum { POOL_CHUNK = 64 * 1024, POOL_BIG = POOL_CHUNK / 4, POOL_RESERVE = 128 * 1024 };

/* The reserve is what a pass goes on with until it sees that memory ran out;
 * untouched, it costs an address range. */
struct pool_chunk { struct pool_chunk *next; size_t used, size; max_align_t data[]; };
struct heap_block { _Alignas(16) size_t size; max_align_t data[]; };

static void fault(struct ir_budget *b, enum ir_fault why)
{
	if (b->fault == IR_FAULT_NONE)
		b->fault = why;
}

static void set_price(struct ir_budget *b)
{
	uint64_t price = IR_TICK + b->memory / IR_TICK_BYTES;
	b->price = price < IR_TICK_MOST ? (uint32_t)price : IR_TICK_MOST;
}

/* malloc or calloc of the account's: NULL without memory, or too far over the limit. */
static void *take(struct ir_budget *b, size_t size, bool zero)
{
	if (size > UINT64_MAX - b->memory || b->memory + size > b->memory_limit) {
		fault(b, IR_FAULT_MEMORY);
		if (size > IR_MEMORY_SLACK || b->memory + size > b->memory_limit + IR_MEMORY_SLACK)
			return NULL;
	}
	void *p = zero ? calloc(1, size) : malloc(size);
	if (!p) {
		fault(b, IR_FAULT_NO_MEMORY);
		return NULL;
	}
	b->memory += size;
	set_price(b);
	if (b->memory > b->memory_peak)
		b->memory_peak = b->memory;
	return p;
}

static void give(struct ir_budget *b, void *p, size_t size)
{
	free(p);
	b->memory -= size;
	set_price(b);
}

/* --- pools --- */

static struct ir_pool *create(struct ir_budget *budget)
{
	struct ir_pool *pool = calloc(1, sizeof *pool);
	if (!pool)
		return NULL;
	pool->reserve = malloc(POOL_RESERVE);
	if (!pool->reserve) {
		free(pool);
		return NULL;
	}
	pool->budget = budget ? budget : &pool->own;
	return pool;
}

struct ir_pool *ir_pool_create(void)
{
	struct ir_pool *pool = create(NULL);
	if (pool)
		pool->own = (struct ir_budget){ .memory_limit = IR_MAX_MEMORY, .work_limit = IR_MAX_WORK, .price = IR_TICK };
	return pool;
}

struct ir_pool *ir_pool_create_part(struct ir_pool *of)
{
	struct ir_pool *pool = create(of->budget);
	if (!pool)
		ir_pool_fail(of);
	return pool;
}

void ir_pool_empty(struct ir_pool *pool)
{
	for (struct pool_chunk *c = pool->chunks, *next; c; c = next) {
		next = c->next;
		give(pool->budget, c, sizeof *c + c->size);
	}
	pool->chunks = NULL;
}

void ir_pool_destroy(struct ir_pool *pool)
{
	if (!pool)
		return;
	ir_pool_empty(pool);
	free(pool->reserve);
	free(pool);
}

void ir_pool_fail(struct ir_pool *pool)
{
	fault(pool->budget, IR_FAULT_NO_MEMORY);
}

void ir_pool_refuse_scratch(struct ir_pool *pool, uint64_t bytes, uint32_t word)
{
	if (pool->budget->fault != IR_FAULT_NONE)
		return;
	fault(pool->budget, IR_FAULT_SCRATCH);
	pool->budget->scratch = bytes;
	pool->budget->word = word;
}

/* Starts over when a pass used all of it: then only the failure is true. */
static void *from_reserve(struct ir_pool *pool, size_t size)
{
	if (size > POOL_RESERVE)
		return NULL;
	if (size > POOL_RESERVE - pool->reserve_used)
		pool->reserve_used = 0;
	void *p = memset(pool->reserve + pool->reserve_used, 0, size);
	pool->reserve_used += size;
	return p;
}

/* A big object has a chunk of its own, behind the one that is being filled. */
static struct pool_chunk *add_chunk(struct ir_pool *pool, size_t size)
{
	bool big = size >= POOL_BIG && pool->chunks;
	size_t want = big || size > POOL_CHUNK ? size : POOL_CHUNK;
	struct pool_chunk *c = take(pool->budget, sizeof *c + want, false);
	if (!c)
		return NULL;
	struct pool_chunk **at = big ? &pool->chunks->next : &pool->chunks;
	*c = (struct pool_chunk){ .next = *at, .size = want };
	*at = c;
	return c;
}

void *ir_alloc(struct ir_pool *pool, size_t size)
{
	if (size > SIZE_MAX / 2) {
		fault(pool->budget, IR_FAULT_MEMORY);
		return NULL;
	}
	size = (size + 15) & ~(size_t)15;
	struct pool_chunk *c = pool->chunks;
	if (!c || c->size - c->used < size) {
		c = add_chunk(pool, size);
		if (!c)
			return from_reserve(pool, size);
	}
	/* Piece by piece: of most chunks little is used. */
	void *p = memset((char *)c->data + c->used, 0, size);
	c->used += size;
	return p;
}

/* --- memory of a pass --- */

void *ir_calloc(struct ir_pool *pool, size_t count, size_t size)
{
	if (count && size > SIZE_MAX / 2 / count) {
		fault(pool->budget, IR_FAULT_MEMORY);
		return NULL;
	}
	struct heap_block *block = take(pool->budget, sizeof *block + count * size, true);
	if (!block)
		return NULL;
	block->size = count * size;
	return block->data;
}

static struct heap_block *block_of(void *p)
{
	return (struct heap_block *)((char *)p - offsetof(struct heap_block, data));
}

void *ir_realloc(struct ir_pool *pool, void *old, size_t size)
{
	if (size > SIZE_MAX / 2) {
		fault(pool->budget, IR_FAULT_MEMORY);
		return NULL;
	}
	struct heap_block *block = take(pool->budget, sizeof *block + size, false);
	if (!block)
		return NULL;
	block->size = size;
	if (old) {
		size_t had = block_of(old)->size;
		memcpy(block->data, old, had < size ? had : size);
		ir_free(pool, old);
	}
	return block->data;
}

void ir_free(struct ir_pool *pool, void *p)
{
	if (p)
		give(pool->budget, block_of(p), sizeof(struct heap_block) + block_of(p)->size);
}
