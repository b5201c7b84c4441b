/* SPDX-License-Identifier: MIT */
/* VkPipelineCache: compiled programs by the digest of everything they depend on.  What
 * they were translated to for this CPU is the device's (translations.h) and in a cache's
 * bytes only with QW_CACHE=native. */
#ifndef ICD_PIPELINE_CACHE_H
#define ICD_PIPELINE_CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include "compiler/compiler.h"
#include "icd/hash.h"
#include "icd/object.h"

struct icd_cache_entry {
	struct icd_cache_entry *next;
	uint8_t key[ICD_HASH_BYTES];
	bool foreign;                  /* from bytes that anyone may have made */
	bool rejected;                 /* and is not fit to run: as if it were not there */
	struct compiler_shader shader; /* code points into this allocation */
	uint32_t code[];
};

struct icd_pipeline_cache {
	struct icd_object base;
	VkAllocationCallbacks alloc;
	pthread_mutex_t mutex;
	uint32_t entry_count, bucket_count;
	struct icd_cache_entry **bucket;
};
ICD_OBJECT(icd_pipeline_cache, VkPipelineCache, VK_OBJECT_TYPE_PIPELINE_CACHE)

/* Copies the entry's program to *out (code malloc'ed, for compiler_shader_finish).
 * *foreign: its numbers are in bounds and it is what some file said, no more is known;
 * who finds the code unfit calls reject.  False if absent or without memory.  cache may
 * be NULL. */
bool icd_pipeline_cache_find(struct icd_pipeline_cache *cache, const uint8_t key[ICD_HASH_BYTES],
	struct compiler_shader *out, bool *foreign);
void icd_pipeline_cache_reject(struct icd_pipeline_cache *cache, const uint8_t key[ICD_HASH_BYTES]);
/* Best effort: without memory the program is just not kept. */
void icd_pipeline_cache_insert(struct icd_pipeline_cache *cache, const uint8_t key[ICD_HASH_BYTES],
	const struct compiler_shader *shader);

#endif
