/* SPDX-License-Identifier: MIT */
#include "icd/translations.h"

#include <stdlib.h>
#include <string.h>

bool icd_translations_init(struct icd_translations *t)
{
	memset(t, 0, sizeof *t);
	return !pthread_mutex_init(&t->mutex, NULL);
}

void icd_translations_finish(struct icd_translations *t)
{
	for (struct icd_translation *e = t->oldest, *newer; e; e = newer) {
		newer = e->newer;
		icd_translation_unref(e);
	}
	pthread_mutex_destroy(&t->mutex);
}

/* Where the entry of this key hangs, or would. */
static struct icd_translation **find(struct icd_translations *t, const uint8_t key[ICD_HASH_BYTES])
{
	struct icd_translation **at = &t->bucket[(key[0] | key[1] << 8) % ICD_TRANSLATION_BUCKETS];
	while (*at && memcmp((*at)->key, key, ICD_HASH_BYTES))
		at = &(*at)->next;
	return at;
}

struct icd_translation *icd_translations_find(struct icd_translations *t, const uint8_t key[ICD_HASH_BYTES])
{
	struct icd_translation *e;
	pthread_mutex_lock(&t->mutex);
	e = *find(t, key);
	if (e)
		atomic_fetch_add_explicit(&e->refs, 1, memory_order_relaxed);
	pthread_mutex_unlock(&t->mutex);
	return e;
}

void icd_translation_unref(struct icd_translation *e)
{
	if (e && atomic_fetch_sub_explicit(&e->refs, 1, memory_order_acq_rel) == 1)
		free(e);
}

/* The mutex is held; at: where it hangs. */
static void drop(struct icd_translations *t, struct icd_translation **at)
{
	struct icd_translation *e = *at, *older = NULL;
	for (struct icd_translation *o = t->oldest; o != e; o = o->newer)
		older = o;
	*(older ? &older->newer : &t->oldest) = e->newer;
	if (t->newest == e)
		t->newest = older;
	*at = e->next;
	t->bytes -= e->bytes;
	icd_translation_unref(e);
}

void icd_translations_insert(struct icd_translations *t, const uint8_t key[ICD_HASH_BYTES], const void *data,
	size_t bytes)
{
	struct icd_translation *e, **at;
	if (bytes > ICD_TRANSLATIONS_BYTES)
		return;
	e = malloc(sizeof *e + bytes);
	if (!e)
		return;
	atomic_init(&e->refs, 1);
	memcpy(e->key, key, sizeof e->key);
	memcpy(e->data, data, bytes);
	e->bytes = bytes;
	e->newer = NULL;
	pthread_mutex_lock(&t->mutex);
	at = find(t, key);
	if (*at)
		drop(t, at);
	while (t->bytes + bytes > ICD_TRANSLATIONS_BYTES)
		drop(t, find(t, t->oldest->key));
	at = find(t, key);
	e->next = NULL;
	*at = e;
	*(t->newest ? &t->newest->newer : &t->oldest) = e;
	t->newest = e;
	t->bytes += bytes;
	pthread_mutex_unlock(&t->mutex);
}
