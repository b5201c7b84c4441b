/* SPDX-License-Identifier: MIT */
/* Decoded programs by code address; see program_cache.c. */
#ifndef RASTER_PROGRAM_CACHE_H
#define RASTER_PROGRAM_CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include "core/cu.h"

enum { RS_PROGRAM_NAME = 96 };
struct rs_program_slot {
	uint64_t address;            /* 0: free */
	struct cu_program *program;  /* NULL: dropped */
	bool verified;
	char name[RS_PROGRAM_NAME];  /* for messages */
};
/* Programs that nobody gets any more, the n-th of them. */
struct rs_program_stale { struct cu_program *program; uint64_t number; };
/* Who uses programs, a queue each.  It has none of those that were dropped until `since`. */
enum { RS_PROGRAMS_RECENT = 16 };
struct rs_program_reader {
	struct rs_program_reader *next;
	uint64_t since;
	/* What it got of late, by address; as long as the cache has `changes`. */
	struct rs_program_recent { uint64_t address; const struct cu_program *program; } recent[RS_PROGRAMS_RECENT][2]; /* the newer one first */
	uint64_t changes;
};
#define RS_READS_NONE UINT64_MAX
struct cu_host;
struct rs_prepare;
struct rs_program_cache {
	enum cu_level level;
	struct cu_host *host;        /* makes new programs ready */
	const struct cu_memory *memory; /* a program does not go over the end of a range; NULL at first */
	pthread_mutex_t lock;
	struct rs_program_slot *slot;
	size_t slots, count;         /* slots: power of two */
	struct rs_program_stale *stale; /* replaced while a pass may use them */
	size_t stale_count, stale_cap;
	uint64_t dropped;            /* so far */
	_Atomic uint64_t changes;    /* programs dropped, or no longer known to be what memory holds, so far */
	struct rs_program_reader *readers;
};
/* False without a lock.  The host must outlive the cache. */
bool rs_programs_init(struct rs_program_cache *c, enum cu_level level, struct cu_host *host);
void rs_programs_finish(struct rs_program_cache *c);
/* The program at `address`, made anew if memory changed since it was verified, as
 * `how` says (NULL: nothing special); NULL with *err.  Any thread. */
const struct cu_program *rs_programs_get(struct rs_program_cache *c, uint64_t address,
	const struct rs_prepare *how, struct cu_error *err);
/* The same for a reader between rs_programs_enter and _leave, which remembers it. */
const struct cu_program *rs_programs_read(struct rs_program_cache *c, struct rs_program_reader *r, uint64_t address,
	struct cu_error *err);
/* Its translation, see rs_gpu_save. */
void *rs_programs_save(struct rs_program_cache *c, uint64_t address, size_t *bytes);
/* Drops the program at `address`, if there is one, when no pass can use it any
 * more.  Any thread. */
void rs_programs_forget(struct rs_program_cache *c, uint64_t address);
/* What messages call it; gives its address, 0 if it was dropped. */
uint64_t rs_programs_name(struct rs_program_cache *c, const struct cu_program *program, char name[RS_PROGRAM_NAME]);
void rs_programs_unverify(struct rs_program_cache *c);
/* A reader for as long as the cache or until it is removed; it reads nothing at first.  Any thread. */
void rs_programs_add_reader(struct rs_program_cache *c, struct rs_program_reader *r);
void rs_programs_remove_reader(struct rs_program_cache *c, struct rs_program_reader *r);
/* Around an execution: what the reader gets in between stays. */
void rs_programs_enter(struct rs_program_cache *c, struct rs_program_reader *r);
void rs_programs_leave(struct rs_program_cache *c, struct rs_program_reader *r);
/* The reader has let go of all it got: frees what no reader can have any more. */
void rs_programs_free_stale(struct rs_program_cache *c, struct rs_program_reader *r);

#endif
