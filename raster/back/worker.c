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

static void *allocate(size_t bytes)
{
	void *p = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	if (p)
		memset(p, 0, bytes);
	return p;
}

struct rs_worker *rs_worker_create(const struct rs_kernels *k)
{
	struct rs_worker *w = allocate(sizeof *w);
	if (!w)
		return NULL;
	w->k = k->back;
	w->formats = k->formats;
	w->wave = allocate(sizeof *w->wave);
	w->exports = allocate(sizeof *w->exports);
	w->lds = allocate(CU_LDS_BYTES);
	if (!w->wave || !w->exports || !w->lds) {
		rs_worker_destroy(w);
		return NULL;
	}
	w->direct.block = true;
	w->direct.quads = RS_WAVE_QUADS;
	w->direct.prims = 1;
	return w;
}

void rs_worker_destroy(struct rs_worker *w)
{
	if (!w)
		return;
	free(w->tex.set);
	cu_scratch_free(&w->scratch);
	free(w->lds);
	free(w->exports);
	free(w->wave);
	free(w);
}
