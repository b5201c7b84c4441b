/* SPDX-License-Identifier: MIT */
/* The GPU as the driver sees it: a device that executes PM4 streams.  No
 * Vulkan here; packets, registers, descriptors and GCN code are the contract
 * (isa/). */
#ifndef RASTER_RS_H
#define RASTER_RS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/level.h"

struct rs_gpu;
struct cu_program;

struct rs_gpu_info {
	unsigned threads;      /* 0: one per CPU that the process may use */
	const char *level;     /* "v3", "v4" or NULL: best of this CPU */
	bool checked;          /* programs may access only what rs_gpu_add_memory names */
	const char *core;      /* "interp", "jit" or "check"; NULL: jit (core/jit/jit_host.h) */
	const char *jit_faults; /* for tests, see core/jit/jit_host.h; NULL: none */
	bool perf_map;         /* name translated code for Linux perf */
	const char *dump_dir;  /* where each program's code is written; NULL: nowhere */
	uint32_t poison;       /* what waves find where nobody has written, instead of zeros; for tests */
	uint64_t budget;       /* instructions after which a wave in a loop is stopped; 0: RS_BUDGET */
};
/* Some ten seconds of nothing but translated scalar instructions. */
#define RS_BUDGET (1ull << 34)

enum rs_status { RS_OK, RS_LOST };

/* NULL with a static message in *why: CPU too old, a string of info that means
 * nothing; or NULL there too: no memory, no threads. */
struct rs_gpu *rs_gpu_create(const struct rs_gpu_info *info, const char **why);
void rs_gpu_destroy(struct rs_gpu *gpu);
/* One more queue of the same GPU, which executes beside it: registers, threads, errors of
 * its own.  Programs, named memory and rs_gpu_abort are those of all; `gpu` goes last.
 * Streams of one queue see no order with those of another but what their callers make.
 * (QW_CORE=check lets one execute at a time.)  NULL: no memory, no threads. */
struct rs_gpu *rs_gpu_create_queue(const struct rs_gpu *gpu);

/* Executes a stream to its end; every effect is in memory when it returns.
 * One call at a time for a queue.  RS_LOST when a packet, program or wave was bad: the
 * rest of the stream is dropped, rs_gpu_error says what and where, and every
 * later call returns RS_LOST at once. */
enum rs_status rs_gpu_execute(struct rs_gpu *gpu, const uint32_t *ib, size_t dwords);
const char *rs_gpu_error(const struct rs_gpu *gpu);
/* What of it a debugger wants in numbers, if a wave was what failed; zeros where it was not.
 * An image that is not all in the device's memory is reported whole. */
enum rs_access { RS_ACCESS_NONE, RS_ACCESS_READ, RS_ACCESS_WRITE };
struct rs_fault {
	enum rs_access access;
	uint64_t address, bytes; /* of the access, if there is one */
	uint64_t instruction;    /* that the wave was at: its address */
};
struct rs_fault rs_gpu_fault(const struct rs_gpu *gpu);
/* Why programs are interpreted although they should be translated; NULL: they
 * are not. */
const char *rs_gpu_problem(const struct rs_gpu *gpu);

/* Makes the program at `code` (GCN, 256-byte aligned) ready to run, so that the
 * first draw or dispatch does not have to.  Any thread; false when the program
 * is bad or there is no memory: its use in a stream will then say why. */
struct rs_prepare {
	const char *name;      /* in dumps and debuggers; NULL: made up */
	const char *label;     /* in messages, up to 95 characters; NULL: its address */
	const void *saved;     /* what rs_gpu_save gave for the same code, or NULL; */
	size_t saved_bytes;    /* ignored when another build or kernel level made it */
	struct cu_program *decoded; /* what rs_gpu_decode gave for the same code, taken over; or NULL */
};
bool rs_gpu_prepare(struct rs_gpu *gpu, const uint32_t *code, const struct rs_prepare *how);
/* Decodes a program that may be anything, reading no more than `dwords`.  NULL when it
 * would be a bad one, would run on behind its end, computes a jump or changes MODE, or
 * without memory.  For rs_gpu_prepare, or rs_gpu_drop; any thread. */
struct cu_program *rs_gpu_decode(struct rs_gpu *gpu, const uint32_t *code, size_t dwords);
void rs_gpu_drop(struct cu_program *decoded);
/* The prepared program's translation, to be kept in a file; malloc'ed, NULL when
 * there is none.  By the thread that prepared it, before others know of it. */
void *rs_gpu_save(struct rs_gpu *gpu, const uint32_t *code, size_t *bytes);
/* The memory at `code` is about to go away.  Any thread; no stream that uses
 * the program may be executing. */
void rs_gpu_forget(struct rs_gpu *gpu, const uint32_t *code);

/* From another thread: makes waits, endless programs and whatever else takes
 * long end with RS_LOST, on all queues. */
void rs_gpu_abort(struct rs_gpu *gpu);

/* After fork, in the child, for each queue: the GPU's threads are gone, and locks may be held
 * for ever.  Nothing is executed or prepared any more, and destruction leaves
 * the memory as it is. */
void rs_gpu_orphan(struct rs_gpu *gpu);

enum cu_level rs_gpu_level(const struct rs_gpu *gpu);

/* Memory that programs may reach through addresses and descriptors, of a GPU
 * that checks; any thread.  False when there is no memory for the entry.  What
 * the GPU still uses is not removed. */
bool rs_gpu_add_memory(struct rs_gpu *gpu, const void *p, size_t bytes);
void rs_gpu_remove_memory(struct rs_gpu *gpu, const void *p);

/* Bytes of a decoded plane (isa/decoded.h) of so many levels, of an image whose level 0 is *blocks; 0: it has none. */
struct surf_plane;
uint64_t rs_decoded_bytes(const struct surf_plane *blocks, unsigned levels);
/* Whether blocks of a data format decode to the same bytes by either number format. */
bool rs_decodes_alike(unsigned dfmt, unsigned a, unsigned b);

unsigned rs_gpu_threads(const struct rs_gpu *gpu);
/* CPUs that this process may use; at least 1. */
unsigned rs_cpus(void);

#endif
