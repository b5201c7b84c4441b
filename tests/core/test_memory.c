/* SPDX-License-Identifier: MIT */
/* What a wave remembers of the ranges that it may access: as many as there is room for, wherever
 * they lie, and none that is gone. */
#include "core/memory.h"

#include <string.h>
#include "interp_harness.h"

enum { BYTES = 8192 };
static struct cu_wave w;
static struct cu_spans seen;

static uint64_t place(unsigned shift, unsigned i)
{
	return 0x7f0000001000u + ((uint64_t)i << shift);
}

static const void *pointer(uint64_t a)
{
	return (const void *)(uintptr_t)a;
}

static bool remembers(uint64_t a)
{
	for (unsigned i = 0; i < CU_SPANS; i++)
		if (w.span[i].lo == a && w.span[i].bytes == BYTES)
			return true;
	return false;
}

/* Ranges 2^shift bytes apart. */
static void check_distance(unsigned shift)
{
	struct cu_memory *m = cu_memory_create();
	memset(&w, 0, sizeof w);
	memset(&seen, 0, sizeof seen);
	for (unsigned i = 0; i < CU_SPANS; i++)
		EXPECT(cu_memory_add(m, pointer(place(shift, i)), BYTES), "no memory");
	cu_memory_enter(&w, m, &seen);
	for (unsigned i = 0; i < CU_SPANS; i++) {
		EXPECT(cu_mapped(&w, place(shift, i) + 8, 4), "2^%u: range %u", shift, i);
		for (unsigned k = 0; k <= i; k++)
			EXPECT(remembers(place(shift, k)), "2^%u: range %u is forgotten for range %u", shift, k, i);
		EXPECT(cu_mapped(&w, place(shift, i) + BYTES - 4, 4) && !cu_mapped(&w, place(shift, i) + BYTES - 4, 8) &&
			!cu_mapped(&w, place(shift, i) - 4, 4), "2^%u: ends of range %u", shift, i);
	}
	cu_wave_init(&w, ~0ull, NULL);
	cu_memory_enter(&w, m, &seen);
	EXPECT(remembers(place(shift, 3)), "2^%u: the next wave knows nothing", shift);
	cu_memory_remove(m, pointer(place(shift, 3)));
	cu_wave_init(&w, ~0ull, NULL);
	cu_memory_enter(&w, m, &seen);
	EXPECT(!cu_mapped(&w, place(shift, 3), 4) && cu_mapped(&w, place(shift, 4), 4), "2^%u: a range that is gone", shift);
	cu_memory_destroy(m);
}

/* Of many ranges a thread remembers most, for waves one after another; of those that are gone none. */
static void check_many(void)
{
	enum { RANGES = 200, GONE = 77 };
	struct cu_memory *m = cu_memory_create();
	unsigned known = 0;
	memset(&w, 0, sizeof w);
	memset(&seen, 0, sizeof seen);
	for (unsigned i = 0; i < RANGES; i++)
		EXPECT(cu_memory_add(m, pointer(place(15, i)), BYTES), "no memory");
	for (unsigned wave = 0; wave < 3; wave++) {
		cu_wave_init(&w, ~0ull, NULL);
		cu_memory_enter(&w, m, &seen);
		for (unsigned i = 0; i < RANGES; i++)
			EXPECT(cu_mapped(&w, place(15, i), 4) == (wave < 2 || i != GONE) && !cu_mapped(&w, place(15, i) + BYTES, 1) &&
				!cu_mapped(&w, place(15, i) + 8, BYTES), "wave %u, range %u", wave, i);
		if (wave == 1)
			cu_memory_remove(m, pointer(place(15, GONE)));
	}
	for (unsigned i = 0; i < CU_MANY_SPANS; i++)
		known += seen.many[i].bytes == BYTES;
	EXPECT(known > RANGES / 2, "%u of %d ranges are known", known, RANGES);
	cu_memory_destroy(m);
}

int main(void)
{
	check_many();
	for (unsigned shift = 14; shift < 42; shift++)
		check_distance(shift);
	return finish("test_memory");
}
