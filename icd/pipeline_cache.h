/* VkPipelineCache: compiled programs, and what they were translated to for this
 * CPU, by the hash of everything they depend on. */
#ifndef ICD_PIPELINE_CACHE_H
#define ICD_PIPELINE_CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include "compiler/compiler.h"
#include "core/level.h"
#include "icd/object.h"

struct icd_cache_entry {
	struct icd_cache_entry *next;
	uint8_t key[16];
	struct compiler_shader shader; /* code points into this allocation; of a translation
	                                * nothing but code and its size */
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
 * False if absent or without memory.  cache may be NULL. */
bool icd_pipeline_cache_find(struct icd_pipeline_cache *cache, const uint8_t key[16],
	struct compiler_shader *out);
/* The same for a program's translation to the CPU's code: rs_gpu_save's bytes, for
 * a kernel level.  The copy is malloc'ed; NULL if absent or without memory. */
void *icd_pipeline_cache_find_translation(struct icd_pipeline_cache *cache, const uint8_t key[16],
	enum cu_level level, size_t *bytes);
/* bytes: a multiple of 4. */
void icd_pipeline_cache_insert_translation(struct icd_pipeline_cache *cache, const uint8_t key[16],
	enum cu_level level, const void *data, size_t bytes);
/* Best effort: without memory the program is just not kept. */
void icd_pipeline_cache_insert(struct icd_pipeline_cache *cache, const uint8_t key[16],
	const struct compiler_shader *shader);

#endif
