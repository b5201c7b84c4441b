/* SPDX-License-Identifier: MIT */
/* What a thread's waves keep of the texture unit's work (struct cu_tex_cache). */
#ifndef CORE_TEX_CACHE_H
#define CORE_TEX_CACHE_H

#include <stddef.h>
#include "core/cu.h"

/* Places of decoded descriptors, one for each hash, made when it is first asked for. */
enum { CU_TEX_PLACE_BITS = 12, CU_TEX_PLACES = 1 << CU_TEX_PLACE_BITS };
struct cu_tex_set {
	void *place[CU_TEX_PLACES]; /* or NULL */
	void *chunks;               /* of which places are parts */
	unsigned left;              /* places of the last chunk that nobody has */
};

/* The place of a hash, `bytes` of zeros at first; NULL when there is no memory for it. */
void *cu_tex_place(struct cu_tex_cache *c, unsigned hash, size_t bytes);
void cu_tex_cache_finish(struct cu_tex_cache *c);

#endif
