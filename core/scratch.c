/* SPDX-License-Identifier: MIT */
/* Scratch of waves, and blank memory for them. */
#include <string.h>
#include <sys/mman.h>
#include "core/cu.h"

enum { PAGE = 4096 };

void cu_fresh_fill(void *p, size_t bytes, uint32_t poison)
{
	if (!poison) {
		memset(p, 0, bytes);
		return;
	}
	for (size_t at = 0; at + sizeof(poison) <= bytes; at += sizeof(poison))
		memcpy((uint8_t *)p + at, &poison, sizeof(poison));
}

void cu_scratch_free(struct cu_scratch *s)
{
	if (s->base)
		munmap(s->base, s->bytes);
	*s = (struct cu_scratch){ 0 };
}

bool cu_scratch_reserve(struct cu_scratch *s, size_t bytes)
{
	if (bytes <= s->bytes)
		return true;
	cu_scratch_free(s);
	bytes = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return false;
	*s = (struct cu_scratch){ .base = p, .bytes = bytes };
	return true;
}

void cu_wave_scratch_some(struct cu_wave *w, struct cu_scratch *s, size_t at, uint32_t bytes, uint32_t poison)
{
	const size_t n = bytes ? at / bytes : 0;
	size_t stale = bytes;
	if (at + bytes > s->bytes)
		return;
	if (s->part != bytes || s->poison != poison)
		memset(s->of, 0, sizeof s->of);
	s->part = bytes;
	s->poison = poison;
	w->scratch = s->base + at;
	w->scratch_bytes = bytes;
	if (n < CU_SCRATCH_PARTS) {
		if (s->of[n] == w && w->scratch_last == w->scratch && cu_scratch_extent(w) < bytes)
			stale = cu_scratch_extent(w);
		s->of[n] = w;
	}
	cu_fresh_fill(w->scratch, stale, poison);
	memset(w->scratch_high, 0, sizeof w->scratch_high);
	w->scratch_last = w->scratch;
	w->sgpr[GCN_SRC_FLAT_SCRATCH] = (uint32_t)(uintptr_t)w->scratch;
	w->sgpr[GCN_SRC_FLAT_SCRATCH + 1] = (uint32_t)((uint64_t)(uintptr_t)w->scratch >> 32);
}
