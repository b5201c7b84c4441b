/* SPDX-License-Identifier: MIT */
/* The device: its registers, its threads and what they have, the pass under construction.
 * Each queue has one; what they share is struct rs_shared. */
#ifndef RASTER_CP_GPU_H
#define RASTER_CP_GPU_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include "core/cu.h"
#include "core/launch.h"
#include "isa/pm4.h"
#include "isa/regs.h"
#include "raster/arena.h"
#include "raster/cp/build.h"
#include "raster/draw.h"
#include "raster/kernels.h"
#include "raster/program_cache.h"
#include "raster/rs.h"

struct rs_front;
struct rs_pool;
struct rs_worker;

struct rs_shared {
	int abort;                   /* atomic access only */
	struct cu_memory *memory;    /* what waves may access; NULL: not checked */
	struct rs_program_cache programs;
	bool in_turn;                /* queues execute one at a time, under the lock */
	pthread_mutex_t turn;
};
struct rs_gpu {
	struct rs_shared *shared;
	bool owner;                  /* of what is shared */
	enum cu_level level;
	struct rs_kernels kernels;   /* of this level */
	struct rs_pool *pool;
	unsigned threads;
	struct cu_bounds bounds;     /* of each wave */
	bool lost, located;
	bool orphan;                 /* see rs_gpu_orphan */
	char error[400];
	struct rs_fault fault;       /* of a wave */
	/* Registers. */
	uint32_t sh[REG_SH_DWORDS], uconfig[REG_UCONFIG_DWORDS];
	struct rs_context context;
	bool context_dirty;
	uint64_t context_hash;
	bool skip;                   /* SET_PREDICATION: predicated packets are skipped */
	unsigned depth;              /* of indirect buffers */
	uint64_t samples, stat[PM4_STATS]; /* that passed, and PM4_STAT_*, so far */
	unsigned stats;              /* PIPELINESTAT_START without a _STOP yet: statistics are counted */
	uint64_t stream[ISA_STREAMS][PM4_STREAM_COUNTS]; /* primitives, so far */
	bool primitives;             /* all of them are counted */
	uint64_t filled[ISA_STRMOUT_BUFFERS]; /* bytes of streamout's buffers */
	uint64_t divided_draws;      /* rs_vdraw.serial of the last */
	const struct cu_program *program; /* of the stream's last draw or dispatch; may be gone */
	struct rs_program_cache *programs; /* of shared */
	struct rs_program_reader reader;
	struct rs_block_pool blocks;
	size_t pass_bytes;           /* of primitives, params and bins before tiles are rendered */
	struct rs_front *front;      /* per thread, likewise the next two */
	struct rs_worker **worker;
	struct cu_group_ctx **group;
	struct rs_build build;
};

/* Records the first error; returns false. */
bool rs_gpu_fail(struct rs_gpu *gpu, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a wave of `what` ("compute wave") of a program, or NULL; rs_gpu_fault tells of it. */
bool rs_gpu_fail_wave(struct rs_gpu *gpu, const char *what, const struct cu_program *program,
	const struct cu_error *error);
bool rs_gpu_aborted(struct rs_gpu *gpu);
/* Around what is executed, if queues take turns. */
void rs_gpu_begin_turn(struct rs_gpu *gpu);
void rs_gpu_end_turn(struct rs_gpu *gpu);
/* Fails with "aborted", `where` behind it, and the name of gpu->program. */
bool rs_gpu_stopped(struct rs_gpu *gpu, const char *where);

#endif
