/* SPDX-License-Identifier: MIT */
#include "core/launch.h"

#include <stdlib.h>
#include "core/tex_cache.h"

static void *blank(size_t bytes)
{
	void *p = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	return p ? memset(p, 0, bytes) : NULL;
}

bool cu_slot_init(struct cu_slot *s, unsigned parts)
{
	if (parts & CU_SLOT_WAVE && !(s->wave = blank(sizeof *s->wave)))
		return false;
	if (parts & CU_SLOT_EXPORTS && !(s->exports = blank(sizeof *s->exports)))
		return false;
	return !(parts & CU_SLOT_LDS) || (s->lds = blank(CU_LDS_BYTES));
}

void cu_slot_finish(struct cu_slot *s)
{
	cu_tex_cache_finish(&s->tex);
	cu_scratch_free(&s->scratch);
	free(s->lds);
	free(s->exports);
	free(s->wave);
	*s = (struct cu_slot){ 0 };
}
