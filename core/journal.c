/* SPDX-License-Identifier: MIT */
/* Undoing what a wave wrote, see journal.h. */
#include "core/journal.h"

#include <stdlib.h>
#include <string.h>

void cu_journal_add(struct cu_journal *j, uint32_t pc, void *at, size_t bytes)
{
	for (uint8_t *p = at; bytes;) {
		size_t n = bytes < 16 ? bytes : 16;
		if (j->count == j->capacity) {
			size_t capacity = j->capacity ? j->capacity * 2 : 256;
			struct cu_journal_entry *entry = realloc(j->entry, capacity * sizeof(*entry));
			if (!entry) {
				j->failed = true;
				return;
			}
			j->entry = entry;
			j->capacity = capacity;
		}
		struct cu_journal_entry *e = &j->entry[j->count++];
		*e = (struct cu_journal_entry){ .at = p, .bytes = (uint32_t)n, .pc = pc };
		memcpy(e->old, p, n);
		p += n;
		bytes -= n;
	}
}

void cu_journal_add_lanes(struct cu_journal *j, uint32_t pc, char *base, const uint32_t offset[CU_LANES],
	uint32_t add, uint64_t mask)
{
	for (; mask; mask &= mask - 1)
		cu_journal_add(j, pc, base + (uint64_t)offset[__builtin_ctzll(mask)] + add, 4);
}

/* Last first, so that a place written twice gets its first content. */
void cu_journal_restore(const struct cu_journal *j)
{
	for (size_t i = j->count; i--;)
		memcpy(j->entry[i].at, j->entry[i].old, j->entry[i].bytes);
}

void cu_journal_undo(struct cu_journal *j)
{
	for (size_t i = 0; i < j->count; i++)
		memcpy(j->entry[i].now, j->entry[i].at, j->entry[i].bytes);
	cu_journal_restore(j);
}

const struct cu_journal_entry *cu_journal_difference(const struct cu_journal *j)
{
	for (size_t i = 0; i < j->count; i++)
		if (memcmp(j->entry[i].at, j->entry[i].now, j->entry[i].bytes))
			return &j->entry[i];
	return NULL;
}
