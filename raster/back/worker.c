/* SPDX-License-Identifier: MIT */
/* A thread's share of the back end: wave, exports, LDS, scratch. */
#include "raster/back/worker.h"

#include <stdlib.h>
#include <string.h>
#include "core/cu.h"
#include "core/level.h"
#include "raster/back/back.h"
#include "raster/back/wave.h"
#include "raster/kernels.h"

struct rs_worker *rs_worker_create(const struct rs_kernels *k)
{
	struct rs_worker *w = aligned_alloc(64, (sizeof *w + 63) & ~(size_t)63);
	if (!w)
		return NULL;
	memset(w, 0, sizeof *w);
	w->k = k->back;
	w->formats = k->formats;
	if (!cu_slot_init(&w->slot, CU_SLOT_WAVE | CU_SLOT_EXPORTS | CU_SLOT_LDS)) {
		rs_worker_destroy(w);
		return NULL;
	}
	w->waves.direct.block = true;
	w->waves.direct.quads = RS_WAVE_QUADS;
	w->waves.direct.prims = 1;
	return w;
}

void rs_worker_destroy(struct rs_worker *w)
{
	if (!w)
		return;
	cu_slot_finish(&w->slot);
	free(w->memory);
	free(w);
}
