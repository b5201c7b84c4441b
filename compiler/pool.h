/* SPDX-License-Identifier: MIT */
/* What a compilation may take: memory and work, both counted, both limited.
 *
 * Memory is that of the pools and of ir_calloc, ir_realloc: everything that
 * grows with the shader.  Work is counted in ticks, some 20 ns each: one for an
 * instruction that a pass looks at, or for as much work of another kind.  Where
 * there is more memory than caches hold, each takes longer, and is charged for
 * that: once more for each 32 MiB on the account, up to four times.  Nothing depends on
 * the speed of the machine, so a shader is refused everywhere or nowhere.
 *
 * Failing is a flag, not a jump.  ir_alloc never returns NULL before
 * ir_pool_failed() is true; it then returns memory from a slack, later from a
 * reserve that is used over and over, and the pipeline stops at the next check;
 * objects of more than 128 KiB may be NULL then.  Loops over the whole shader
 * ask ir_charge, and stop when it says no. */
#ifndef COMPILER_POOL_H
#define COMPILER_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ir_fault {
	IR_FAULT_NONE,
	IR_FAULT_NO_MEMORY,    /* the system has none */
	IR_FAULT_MEMORY,       /* memory_limit */
	IR_FAULT_WORK,         /* work_limit */
	IR_FAULT_SCRATCH,      /* ABI_MAX_SCRATCH_BYTES */
};

/* Limits of a compilation: bytes, ticks as they are charged. */
#define IR_MAX_MEMORY (224ull << 20)
#define IR_MAX_WORK 60000000ull
/* What a tick is charged, in parts of a tick: so much, and more by the memory. */
#define IR_TICK 16u
#define IR_TICK_MOST (4 * IR_TICK)
#define IR_TICK_BYTES ((32ull << 20) / IR_TICK)
/* Beyond memory_limit, what is allocated until the next check. */
#define IR_MEMORY_SLACK (8ull << 20)

struct ir_budget {
	uint64_t memory, memory_limit, memory_peak;
	uint64_t work;         /* ticks */
	uint64_t charged, work_limit; /* parts of a tick; ticks */
	uint32_t price;        /* of a tick now, in parts */
	uint64_t scratch;      /* bytes a lane that were asked for */
	enum ir_fault fault;   /* the first */
	const char *pass;      /* what runs, for messages; static text */
	uint32_t word;         /* SPIR-V word of the instruction that is worked on, 0: not known */
};

struct pool_chunk;
struct ir_pool {
	struct ir_budget *budget, own;
	struct pool_chunk *chunks;
	char *reserve;
	size_t reserve_used;
};

/* NULL: no memory. */
struct ir_pool *ir_pool_create(void);
/* A pool for a part of the work, with the budget (and the failure) of `of`. */
struct ir_pool *ir_pool_create_part(struct ir_pool *of);
void ir_pool_empty(struct ir_pool *pool); /* frees what ir_alloc gave */
void ir_pool_destroy(struct ir_pool *pool);
void *ir_alloc(struct ir_pool *pool, size_t size); /* zeroed, 16-byte aligned */
void ir_pool_fail(struct ir_pool *pool); /* a pass ran out of its own memory */

/* Private variables, or spilled registers, need more than ABI_MAX_SCRATCH_BYTES; word: of
 * the variable, 0: not one alone. */
void ir_pool_refuse_scratch(struct ir_pool *pool, uint64_t bytes, uint32_t word);

/* Memory of a pass, on the pool's account: NULL, and the pool has failed, when
 * there is none.  ir_realloc leaves what it adds undefined; NULL leaves `old`. */
void *ir_calloc(struct ir_pool *pool, size_t count, size_t size);
void *ir_realloc(struct ir_pool *pool, void *old, size_t size);
void ir_free(struct ir_pool *pool, void *p);

static inline bool ir_pool_failed(const struct ir_pool *pool)
{
	return pool->budget->fault != IR_FAULT_NONE;
}

/* False: the pool has failed, stop. */
static inline bool ir_charge(struct ir_pool *pool, uint64_t ticks)
{
	struct ir_budget *b = pool->budget;
	b->work += ticks;
	b->charged += ticks * b->price;
	if (b->charged > b->work_limit * IR_TICK && b->fault == IR_FAULT_NONE)
		b->fault = IR_FAULT_WORK;
	return b->fault == IR_FAULT_NONE;
}

/* The same, for work on the instruction of this SPIR-V word (0: go by the last one). */
static inline bool ir_charge_at(struct ir_pool *pool, uint64_t ticks, uint32_t word)
{
	if (word)
		pool->budget->word = word;
	return ir_charge(pool, ticks);
}

#endif
