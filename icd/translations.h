/* SPDX-License-Identifier: MIT */
/* What a device translated for this CPU, by the key of the program: pipelines that are
 * made again need no translation, whatever their cache came from.  Bounded: the oldest
 * go first.  The memory is not the application's callbacks': it belongs to no object of
 * theirs, as that of translated code does not. */
#ifndef ICD_TRANSLATIONS_H
#define ICD_TRANSLATIONS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "icd/hash.h"

enum { ICD_TRANSLATIONS_BYTES = 32 << 20, ICD_TRANSLATION_BUCKETS = 1024 };

/* Never changes; counted, so that it may be dropped from the table while in use. */
struct icd_translation {
	struct icd_translation *next, *newer;
	_Atomic uint32_t refs;
	uint8_t key[ICD_HASH_BYTES];
	size_t bytes;
	uint8_t data[];            /* rs_gpu_save's bytes, a multiple of 4 */
};

struct icd_translations {
	pthread_mutex_t mutex;
	struct icd_translation *bucket[ICD_TRANSLATION_BUCKETS];
	struct icd_translation *oldest, *newest;
	size_t bytes;
};

/* False without a mutex. */
bool icd_translations_init(struct icd_translations *t);
void icd_translations_finish(struct icd_translations *t);

/* NULL if absent; else for icd_translation_unref. */
struct icd_translation *icd_translations_find(struct icd_translations *t, const uint8_t key[ICD_HASH_BYTES]);
void icd_translation_unref(struct icd_translation *e);
/* Copies the bytes, in place of others under this key; without memory, or with too
 * many bytes for the table, they are just not kept. */
void icd_translations_insert(struct icd_translations *t, const uint8_t key[ICD_HASH_BYTES], const void *data,
	size_t bytes);

#endif
