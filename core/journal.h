/* SPDX-License-Identifier: MIT */
/* What a wave writes to memory, so that it can be undone: for running a wave
 * twice and comparing (core/jit/jit_check.h).  Handlers that store to memory, LDS
 * apart, note each place before they write it. */
#ifndef CORE_JOURNAL_H
#define CORE_JOURNAL_H

#include "core/cu.h"

struct cu_journal_entry {
	uint8_t *at;
	uint32_t bytes;          /* 16 at most */
	uint32_t pc;             /* of the instruction, in dwords */
	uint8_t old[16], now[16];
};
struct cu_journal {
	struct cu_journal_entry *entry;
	size_t count, capacity;
	bool failed;             /* no memory: entries are missing */
};

void cu_journal_add(struct cu_journal *j, uint32_t pc, void *at, size_t bytes);
/* Dwords at base + offset[lane] + add of the lanes in mask. */
void cu_journal_add_lanes(struct cu_journal *j, uint32_t pc, char *base, const uint32_t offset[CU_LANES],
	uint32_t add, uint64_t mask);

/* Keeps what is there now in `now` and puts back what was there before. */
void cu_journal_undo(struct cu_journal *j);
/* Puts back what was there before, again. */
void cu_journal_restore(const struct cu_journal *j);
/* The first entry where memory does not hold `now`; NULL without one. */
const struct cu_journal_entry *cu_journal_difference(const struct cu_journal *j);

/* For handlers: `bytes` at `at` are about to be written. */
static inline void cu_note_store(struct cu_wave *w, uint32_t pc, void *at, size_t bytes)
{
	if (__builtin_expect(w->journal != NULL, 0))
		cu_journal_add(w->journal, pc, at, bytes);
}
static inline void cu_note_lanes(struct cu_wave *w, uint32_t pc, char *base, const void *offset,
	uint32_t add, uint64_t mask)
{
	if (__builtin_expect(w->journal != NULL, 0))
		cu_journal_add_lanes(w->journal, pc, base, offset, add, mask);
}

#endif
