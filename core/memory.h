/* SPDX-License-Identifier: MIT */
/* What addresses a device may touch: ranges of host memory that its owner has
 * named.  Waves look them up before they access memory through an address of
 * their own, so a wild one ends the wave instead of the process.
 *
 * Ranges may be added and removed while waves run; a range in use by a wave
 * is not removed (memory that the GPU still uses is not freed). */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include "core/cu.h"

#define CU_LOWEST 4096 /* the first page never holds data */

/* NULL when there is no memory for it. */
struct cu_memory *cu_memory_create(void);
void cu_memory_destroy(struct cu_memory *m);
/* [p, p + bytes) becomes accessible.  Ranges do not overlap; an access does
 * not go over two of them.  False when there is no memory for the entry. */
bool cu_memory_add(struct cu_memory *m, const void *p, size_t bytes);
/* The range added at p; NULL and unknown addresses are ignored. */
void cu_memory_remove(struct cu_memory *m, const void *p);

/* The range of m that holds address a; bytes 0 when none does. */
struct cu_span cu_memory_find(const struct cu_memory *m, uint64_t a);
/* cu_mapped's slow half: asks w->memory and remembers. */
bool cu_memory_look_up(struct cu_wave *w, uint64_t a, uint64_t bytes);

/* Counts changes to the ranges, twice each; odd while one is under way. */
uint64_t cu_memory_sequence(const struct cu_memory *m);

/* Ranges that waves of one thread saw, for programs of many buffers; all zero at first. */
struct cu_spans {
	uint64_t sequence;       /* of changes to the ranges */
	struct cu_span many[CU_MANY_SPANS];
};
/* After cu_wave_init: the wave may access m (NULL: see cu_wave).  It knows the ranges that it saw
 * when it ran before, unless some changed meanwhile, and refers to `seen` as long as it runs.  A
 * wave's memory is all zero before the first time. */
void cu_memory_enter(struct cu_wave *w, const struct cu_memory *m, struct cu_spans *seen);

/* A range's place: the highest bits of the product of an address's bits 16 to 47.  Buffers often
 * lie a power of two apart, so all of these take part.  Of the thread's many ranges, which may be small,
 * the bits from 12 on. */
#define CU_SPAN_HASH 0x9E3779B1u
enum { CU_SPAN_SHIFT = 27, CU_MANY_SHIFT = 24 };
_Static_assert(CU_SPANS == 1 << (32 - CU_SPAN_SHIFT) && CU_MANY_SPANS == 1 << (32 - CU_MANY_SHIFT),
	"as many places as there are hashes");
#define CU_SPAN_PLACE(a) ((uint32_t)((a) >> 16) * CU_SPAN_HASH >> CU_SPAN_SHIFT)
static inline struct cu_span *cu_span_of(struct cu_wave *w, uint64_t a) { return &w->span[CU_SPAN_PLACE(a)]; }
/* Whether [a, a + bytes) is part of it, bytes > 0. */
static inline bool cu_span_holds(const struct cu_span *s, uint64_t a, uint64_t bytes)
{
	const uint64_t at = a - s->lo;
	return at < s->bytes && bytes <= s->bytes - at;
}
/* True when the wave may access [a, a + bytes), bytes > 0. */
static inline bool cu_mapped(struct cu_wave *w, uint64_t a, uint64_t bytes)
{
	if (__builtin_expect(cu_span_holds(cu_span_of(w, a), a, bytes), 1))
		return true;
	return cu_memory_look_up(w, a, bytes);
}
/* The same for a scalar load, which mostly finds what it reads where it did before: w->near[at], whatever the hashes of
 * other ranges are. */
bool cu_memory_look_near(struct cu_wave *w, unsigned at, uint64_t a, uint64_t bytes);
static inline bool cu_mapped_near(struct cu_wave *w, unsigned at, uint64_t a, uint64_t bytes)
{
	if (__builtin_expect(cu_span_holds(&w->near[at], a, bytes), 1))
		return true;
	return cu_memory_look_near(w, at, a, bytes);
}

#endif
