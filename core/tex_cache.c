/* SPDX-License-Identifier: MIT */
#include "core/tex_cache.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16 };
struct chunk { struct chunk *older; _Alignas(64) unsigned char places[]; };

/* A chunk of places; NULL without memory. */
static struct chunk *chunk_create(size_t bytes, struct chunk *older)
{
	const size_t size = (sizeof(struct chunk) + CHUNK * bytes + 63) & ~(size_t)63;
	struct chunk *k = aligned_alloc(64, size);
	if (!k)
		return NULL;
	memset(k, 0, size);
	k->older = older;
	return k;
}

void *cu_tex_place(struct cu_tex_cache *c, unsigned hash, size_t bytes)
{
	bytes = (bytes + 63) & ~(size_t)63;
	if (!c->set && !(c->set = calloc(1, sizeof *c->set)))
		return NULL;
	struct cu_tex_set *set = c->set;
	if (set->place[hash])
		return set->place[hash];
	if (!set->left) {
		struct chunk *k = chunk_create(bytes, set->chunks);
		if (!k)
			return NULL;
		set->chunks = k;
		set->left = CHUNK;
	}
	return set->place[hash] = ((struct chunk *)set->chunks)->places + --set->left * bytes;
}

void cu_tex_cache_finish(struct cu_tex_cache *c)
{
	for (struct chunk *k = c->set ? c->set->chunks : NULL, *older; k; k = older) {
		older = k->older;
		free(k);
	}
	free(c->set);
	free(c->blocks);
	free(c->tiles);
	free(c->texels);
	*c = (struct cu_tex_cache){ 0 };
}
