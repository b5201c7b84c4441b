/* SPDX-License-Identifier: MIT */
/* The frames of all scenes, a hash each, as Quadwave makes them on every CPU
 * and for every number of threads: lines of a name and 16 digits. */
#ifndef QW_BENCH_HASHES_H
#define QW_BENCH_HASHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HASHES_MOST = 256 };

struct hashes {
	struct {
		char name[40];
		uint64_t hash;
	} row[HASHES_MOST];
	size_t count;
};

/* A file that is not there has none.  False, with a message, for one that is
 * not a record. */
bool hashes_read(struct hashes *h, const char *name);
bool hashes_write(const struct hashes *h, const char *name);
/* NULL: not recorded. */
const uint64_t *hashes_find(const struct hashes *h, const char *name);
/* False when there is no room. */
bool hashes_set(struct hashes *h, const char *name, uint64_t hash);

/* FNV-1a over words of eight bytes, the last filled with zeros; begin with HASH_BEGIN. */
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)
uint64_t hash_bytes(uint64_t hash, const void *data, size_t size);

#endif
