/* SPDX-License-Identifier: MIT */
/* What kernels of the back end need that are called by themselves. */
#ifndef TEST_LONE_WORKER_H
#define TEST_LONE_WORKER_H

#include <stdlib.h>
#include <string.h>
#include "raster/back/worker.h"
#include "test_back_util.h"

/* A worker with a wave and its exports, all zero, for kernels that are called by themselves. */
static inline struct rs_worker *tb_lone_worker(void)
{
	struct cu_exports *e = aligned_alloc(64, (sizeof *e + 63) & ~(size_t)63);
	struct rs_worker *w = aligned_alloc(64, (sizeof *w + 63) & ~(size_t)63);
	struct cu_wave *wave = aligned_alloc(64, (sizeof *wave + 63) & ~(size_t)63);
	CHECK(e && w && wave, "no memory");
	memset(wave, 0, sizeof *wave);
	memset(e, 0, sizeof *e);
	memset(w, 0, sizeof *w);
	w->slot.exports = e;
	w->slot.wave = wave;
	wave->exports = e;
	return w;
}
static inline void tb_free_worker(struct rs_worker *w)
{
	free(w->slot.wave);
	free(w->slot.exports);
	free(w);
}

/* A worker for each kernel level that the machine has. */
static inline void tb_each_level(void (*check)(struct rs_worker *w, enum cu_level level))
{
	for (int level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++) {
		if (level == CU_LEVEL_V4 && !__builtin_cpu_supports("avx512vl"))
			continue;
		struct rs_worker *w = tb_lone_worker();
		check(w, (enum cu_level)level);
		tb_free_worker(w);
	}
}

#endif
