/* SPDX-License-Identifier: MIT */
/* Private to the front end of raster/: command processor, vertex front end,
 * primitive assembly, binning.
 *
 *   cp      walks PM4, keeps registers, collects draws and clears into a pass
 *   vgt     cuts draws into jobs of consecutive primitives, runs vertex waves
 *   pa      assembles, clips, culls, sets up
 *   bin     per-tile lists of a job, their commit in order
 *
 * Draws are not executed when they are read: a pass is a list of entries, and
 * the front end runs many jobs of many draws at once when enough have come
 * together or the pass ends.  Results are committed by job number, so that
 * order does not depend on threads. */
#ifndef RASTER_FRONT_H
#define RASTER_FRONT_H

#include <pthread.h>
#include <stdalign.h>
#include "core/memory.h"
#include "raster/internal.h"
#include "raster/rs.h"

/* --- Memory of a pass (bin_arena.c) --- */

enum { RS_BLOCK_BYTES = 256 << 10, RS_BLOCKS_KEPT = 192, RS_PASS_BYTES = 16 << 20,
	/* Primitives are read back soon after they are written: less than a pass
	 * may have stays in the threads' caches. */
	RS_THREAD_PASS_BYTES = 2 << 20 };

struct rs_block {
	struct rs_block *next;
	size_t bytes;
	alignas(64) uint8_t data[];
};
/* Blocks shared by the arenas of a gpu; `used` counts bytes handed out. */
struct rs_block_pool {
	pthread_mutex_t lock;
	struct rs_block *free;
	unsigned kept;
	_Atomic size_t used;
};
struct rs_arena {
	struct rs_block_pool *pool;
	struct rs_block *blocks;
	uint8_t *at, *end;
	size_t bytes;                /* of all its blocks */
};

bool rs_blocks_init(struct rs_block_pool *p);
void rs_blocks_finish(struct rs_block_pool *p);
/* 16-byte aligned, not zeroed; NULL without memory. */
void *rs_arena_alloc_slow(struct rs_arena *a, size_t bytes);
static inline void *rs_arena_alloc(struct rs_arena *a, size_t bytes)
{
	bytes = (bytes + 15) & ~(size_t)15;
	if ((size_t)(a->end - a->at) < bytes)
		return rs_arena_alloc_slow(a, bytes);
	void *p = a->at;
	a->at += bytes;
	return p;
}
void *rs_arena_zalloc(struct rs_arena *a, size_t bytes);
void rs_arena_reset(struct rs_arena *a);

/* --- Programs (program_cache.c) --- */

enum { RS_PROGRAM_NAME = 96 };
struct rs_program_slot {
	uint64_t address;            /* 0: free */
	struct cu_program *program;  /* NULL: dropped */
	bool verified;
	char name[RS_PROGRAM_NAME];  /* for messages */
};
struct cu_host;
struct rs_program_cache {
	enum cu_level level;
	struct cu_host *host;        /* makes new programs ready */
	const struct cu_memory *memory; /* a program does not go over the end of a range; NULL at first */
	pthread_mutex_t lock;
	struct rs_program_slot *slot;
	size_t slots, count;         /* slots: power of two */
	struct cu_program **stale;   /* replaced while a pass may use them */
	size_t stale_count, stale_cap;
};
/* False without a lock.  The host must outlive the cache. */
bool rs_programs_init(struct rs_program_cache *c, enum cu_level level, struct cu_host *host);
void rs_programs_finish(struct rs_program_cache *c);
/* The program at `address`, made anew if memory changed since it was verified, as
 * `how` says (NULL: nothing special); NULL with *err.  Any thread. */
const struct cu_program *rs_programs_get(struct rs_program_cache *c, uint64_t address,
	const struct rs_prepare *how, struct cu_error *err);
/* Its translation, see rs_gpu_save. */
void *rs_programs_save(struct rs_program_cache *c, uint64_t address, size_t *bytes);
/* Drops the program at `address`, if there is one, when no pass can use it any
 * more.  Any thread. */
void rs_programs_forget(struct rs_program_cache *c, uint64_t address);
/* What messages call it. */
void rs_programs_name(struct rs_program_cache *c, const struct cu_program *program, char name[RS_PROGRAM_NAME]);
void rs_programs_unverify(struct rs_program_cache *c);
void rs_programs_free_stale(struct rs_program_cache *c);

/* --- State of a draw as the front end needs it --- */

struct rs_viewport {
	float scale[3], offset[3];
	int32_t x0, y0, x1, y1;      /* scissors, render area and targets together */
	/* What bounds in 1/256 pixel need before >> 8 to be pixels with a sample
	 * inside: 127 and 128 for pixel centres. */
	int32_t first_x, first_y, end_x, end_y;
};

/* Decoded once per context snapshot and pass (pa_state.c). */
struct rs_pa_state {
	struct rs_viewport vp[16];
	bool kill, clip, near_clip, far_clip, z_symmetric, transform, divide;
	bool misc, ccdist[2], vertex_size, vertex_layer, vertex_viewport;
	uint8_t clip_mask, cull_mask;
	bool cull_front, cull_back, clockwise_front, provoking_last;
	uint8_t ptype[2];            /* of front, back faces: PTYPE_* */
	bool offset[2];
	float offset_slope[2], offset_units[2], offset_clamp;
	bool z_float;
	float z_unit;                /* r of a fixed-point depth buffer */
	float point_size, point_min, point_max, line_width;
	bool rectangular;
	/* More than one sample: positions in 1/256 pixel from the centre, their range. */
	unsigned samples;
	int32_t sample_x[RS_MAX_SAMPLES], sample_y[RS_MAX_SAMPLES];
	int32_t left, right, up, down;
	uint32_t slices;             /* of the targets; primitives on other layers are dropped */
	unsigned params;             /* params the PS reads: 0 .. params - 1 are kept */
	uint32_t flat;               /* bit per param */
	bool small;                  /* one sample: RS_ITEM_SMALL is possible */
};
void rs_pa_state_init(struct rs_pa_state *s, const struct rs_context *c, const struct rs_pass *pass);

struct rs_ps_use {
	const struct cu_program *program;
	struct rs_ps_state *state;
	struct rs_ps_use *next;
};
/* A context snapshot of a pass. */
struct rs_state {
	struct rs_context context;
	struct rs_pa_state pa;
	uint64_t hash;
	struct rs_ps_use *uses;
	struct rs_state *next;
};

/* A run of indices between restarts. */
struct rs_segment {
	uint32_t index;              /* position of its first index */
	uint32_t prim;               /* its first primitive's number in the instance */
};

struct rs_vdraw {
	const struct rs_draw *draw;
	const struct rs_pa_state *pa;
	const struct cu_program *vs;
	uint32_t user[32];
	unsigned user_count;
	uint32_t mode;           /* MODE of its waves */
	uint32_t scratch_bytes;
	unsigned topology;           /* DI_PT_* */
	const uint8_t *index;        /* NULL: indices count up from 0 */
	unsigned index_bytes;
	uint32_t max_index;          /* indices readable */
	uint32_t prims, instances;
	const struct rs_segment *segment;
	uint32_t segments;
};

/* --- Jobs --- */

enum { RS_JOB_PRIMS = 510, RS_BATCH_VERTICES = 256, RS_JOBS_MAX = 256 };

/* What a job contributes to one tile. */
struct rs_tile_list {
	uint32_t tile, items;
	struct rs_item_chunk *first, *last;
};
struct rs_job {
	const struct rs_vdraw *draw; /* NULL: the clear */
	const struct pm4_clear_target *clear;
	uint64_t first;              /* primitive number: instance * prims + n */
	uint32_t count;
	bool done;
	struct rs_tile_list *list;
	uint32_t lists;
};

/* One vertex batch; vertex slots 0 .. count - 1. */
struct rs_batch {
	unsigned count, prims;
	uint32_t vertex[RS_BATCH_VERTICES], instance[RS_BATCH_VERTICES];
	uint8_t prim[3][RS_JOB_PRIMS + 2 + 16];   /* slots, provoking vertex first */
	/* Exports. */
	alignas(64) float pos[4][RS_BATCH_VERTICES];
	alignas(64) float size[RS_BATCH_VERTICES];
	alignas(64) uint32_t layer[RS_BATCH_VERTICES], viewport[RS_BATCH_VERTICES];
	alignas(64) float dist[8][RS_BATCH_VERTICES];
	float *attr;                 /* vertex v has its params at attr + v * stride */
	unsigned stride;
	/* Derived: window coordinates, 24.8 and float, clip codes. */
	alignas(64) int32_t x[RS_BATCH_VERTICES], y[RS_BATCH_VERTICES];
	alignas(64) float win[3][RS_BATCH_VERTICES];
	alignas(64) float inv_w[RS_BATCH_VERTICES];
	alignas(64) uint32_t code[RS_BATCH_VERTICES];
};

enum { RS_HASH_SLOTS = 512 };
struct rs_hash_entry { uint32_t key; uint16_t generation, slot; };

struct rs_bin_entry { struct rs_item item; uint32_t tile; };

/* One thread's front end. */
struct rs_front {
	struct rs_gpu *gpu;
	struct cu_wave *wave;
	struct cu_spans spans;
	struct cu_tex_cache tex;
	struct cu_exports *exports;
	struct cu_scratch scratch;
	struct rs_arena arena;       /* primitives, params, items */
	const struct rs_vdraw *draw; /* of the running job */
	const struct rs_pa_state *pa;
	struct rs_pass *pass;
	struct rs_batch *batch;
	struct rs_hash_entry hash[RS_HASH_SLOTS];
	uint16_t generation;
	/* Items of the running job in primitive order, and per tile how many. */
	struct rs_bin_entry *entry;
	uint32_t entries, entry_cap;
	uint32_t *tile_items;        /* all zero between jobs */
	uint32_t *tile_used;         /* tiles with items, in order of first use */
	uint32_t tiles_used, tile_cap;
	bool no_memory;
};

/* --- vgt --- */

/* Counts primitives and cuts at restarts; false without memory. */
bool rs_vgt_prepare(struct rs_arena *a, struct rs_vdraw *d, uint32_t indices,
	bool restart, uint32_t restart_index);
void rs_vgt_run(struct rs_front *f, struct rs_job *job);
/* Runs the vertex program for the batch's vertices; false after a fault. */
bool rs_vgt_run_vertices(struct rs_front *f);

/* --- pa --- */

/* Clip codes: outside near, far, guard band left right top bottom, w <= 0;
 * then user planes and cull distances. */
enum { RS_CODE_DROP = 1, RS_CODE_W = 2, RS_CODE_NEAR = 4, RS_CODE_FAR = 8,
	RS_CODE_X0 = 16, RS_CODE_X1 = 32, RS_CODE_Y0 = 64, RS_CODE_Y1 = 128,
	RS_CODE_USER = 1 << 8, RS_CODE_CULL = 1 << 16,
	RS_CODE_CLIP = 0xfffe, RS_CODE_REJECT = 0xfffffe };
#define RS_GUARD 32767.0f

/* Derives the batch's vertices; one viewport. Lanes past count are garbage. */
void rs_pa_vertices_v3(struct rs_batch *b, const struct rs_pa_state *pa);
void rs_pa_vertices_v4(struct rs_batch *b, const struct rs_pa_state *pa);
/* Sets up the batch's triangles; filled, one viewport. */
void rs_pa_triangles_v3(struct rs_front *f);
void rs_pa_triangles_v4(struct rs_front *f);
/* One triangle with all vertices inside. */
void rs_pa_triangle(struct rs_front *f, const unsigned slot[3]);
/* Window coordinates of one clip-space position by a viewport; the kernels'
 * arithmetic, bit for bit. */
void rs_pa_window(const struct rs_pa_state *pa, unsigned viewport, const float pos[4], float win[3]);
int32_t rs_pa_snap(float v);     /* to 1/256, nearest even */
void rs_pa_batch(struct rs_front *f);

/* What the primitives made from one assembled primitive have in common. */
struct rs_prim_common {
	bool front_facing;
	unsigned viewport, layer;
	double z_bias;
	float inv_w[3], z[3];        /* of the vertices; z in the window, without bias */
	const float *attr[3];
};
struct rs_gradients { struct rs_plane z, b1, b2; };

/* Provoking vertex first; false: dropped, its layer does not exist. */
bool rs_pa_common(struct rs_front *f, const unsigned slot[3], struct rs_prim_common *c);

/* Twice the signed area, positive clockwise with y down. */
int64_t rs_pa_area(const int32_t x[3], const int32_t y[3]);
/* Planes from vertices in 1/256 pixels. */
void rs_pa_gradients(struct rs_gradients *g, const double x[3], const double y[3],
	const float z[3], double area);
/* Depth bias of a polygon: Vulkan, "Depth Bias Computation". */
double rs_pa_depth_bias(const struct rs_pa_state *pa, bool front,
	const struct rs_gradients *g, const float z[3]);
/* Pixels whose centres lie in a box in 1/256 pixels, cut by the viewport's; false: none. */
bool rs_pa_bounds(struct rs_prim *p, const struct rs_viewport *vp, int32_t min_x, int32_t min_y,
	int32_t max_x, int32_t max_y);
/* Edge from point 0 to point 1 with the inside on its right (y down), or on
 * its left with flip; top-left rule included. */
void rs_pa_edge(struct rs_edge *e, int32_t x0, int32_t y0, int32_t x1, int32_t y1, bool flip);
/* Fills in all but bounds, edges and planes. */
void rs_pa_fill_prim(struct rs_front *f, struct rs_prim *p, const struct rs_prim_common *c);
/* Sets up and bins a triangle with snapped vertices and nonzero area. */
void rs_pa_emit_triangle(struct rs_front *f, const struct rs_prim_common *c,
	const int32_t x[3], const int32_t y[3], int64_t area, const struct rs_gradients *g);
/* Face test: false when culled. */
bool rs_pa_facing(const struct rs_pa_state *pa, int64_t area, bool *front);

/* --- Clipping, in double: pa_clip.c --- */

struct rs_clip_vertex {
	double p[4], dist[8];
	double weight[3];            /* of the primitive's vertices, linear in clip space */
	int vertex;                  /* 0..2 when it is one of them, else -1 */
};
void rs_clip_load(const struct rs_front *f, unsigned slot, unsigned vertex, struct rs_clip_vertex *v);
/* Distance to the plane of a code bit, inside >= 0. */
double rs_clip_distance(const struct rs_pa_state *pa, const struct rs_viewport *vp,
	const struct rs_clip_vertex *v, uint32_t code);
/* The point where the way from `in` to `out` leaves the plane. */
void rs_clip_cross(struct rs_clip_vertex *r, const struct rs_clip_vertex *in,
	const struct rs_clip_vertex *out, double d_in, double d_out);
/* Planes to clip against for these or-ed codes. */
uint32_t rs_clip_planes(uint32_t codes);
/* Window coordinates; exactly the vertex stage's for unclipped vertices. */
void rs_clip_window(const struct rs_front *f, unsigned viewport, const unsigned slot[3],
	const struct rs_clip_vertex *v, double win[3]);
/* A window coordinate of a clipped primitive kept on the guard band, off which
 * rounding or infinities may have thrown it. */
double rs_clip_guard(double v);
/* Weighted params, flat ones from attr[0]; NULL without memory. */
const float *rs_clip_attr(struct rs_front *f, const float *const attr[3], const double weight[3]);

/* Slow path: triangles that need clipping, polygon modes, mixed viewports. */
void rs_pa_clip_triangle(struct rs_front *f, const unsigned slot[3]);

/* Line and point between vertices of a primitive: which[] index slot[] and the
 * common part's arrays. */
void rs_pa_line(struct rs_front *f, const struct rs_prim_common *c, const unsigned slot[3],
	unsigned from, unsigned to);
void rs_pa_point(struct rs_front *f, const struct rs_prim_common *c, const unsigned slot[3],
	unsigned which);

/* --- bin --- */

bool rs_bin_reserve(struct rs_front *f, uint32_t tiles);
/* Adds the primitive of 2x2 quads at (x, y), both even, to every tile it touches. */
void rs_bin_small(struct rs_front *f, const struct rs_prim *prim, int32_t x, int32_t y, uint32_t mask);
/* Adds the primitive to every tile it may touch. */
void rs_bin_prim(struct rs_front *f, const struct rs_prim *prim);
/* Ends a job: turns its entries into per-tile lists. */
void rs_bin_finish_job(struct rs_front *f, struct rs_job *job);

/* --- The pass under construction (cp_pass.c) --- */

struct rs_entry {
	struct rs_vdraw *draw;
	struct pm4_clear_target *clear;
	struct rs_entry *next;
};
/* A counter, and where the running total goes when it ends (0: nowhere). */
struct rs_counter_node {
	struct rs_counter counter;
	uint64_t address;
	struct rs_counter_node *next;
};
enum { RS_TARGET_KEY = RS_MAX_COLOR * 6 + 8 };
struct rs_build {
	bool open;
	struct rs_pass pass;
	uint32_t key[RS_TARGET_KEY];
	uint32_t *tile_items;        /* per tile, for order */
	bool backwards;              /* order of the tiles, in turn */
	struct rs_arena arena;       /* draws, states, counters: until the pass ends */
	struct rs_state *states[64], *state;
	struct rs_draw *last_draw;
	struct rs_entry *first, *last;
	/* A barrier came; only clears came after it, and wait here. */
	bool barrier;
	struct rs_entry *late, *late_last;
	uint64_t next_prim;          /* of *first: where the next job starts */
	uint64_t pending;            /* jobs not yet run */
	struct rs_job job[RS_JOBS_MAX];
	unsigned jobs;
	bool limit;                  /* jobs stop when memory runs over */
	/* All of the pass, the last, and the one that counts now (NULL: none yet). */
	struct rs_counter_node *counters, *counter_last, *counter;
};

struct rs_gpu {
	enum cu_level level;
	struct rs_pool *pool;
	unsigned threads;
	int abort;                   /* atomic access only */
	uint64_t budget;             /* of each wave: cu_wave.budget */
	uint32_t poison;             /* see cu_wave_fresh */
	struct cu_memory *memory;    /* what waves may access; NULL: not checked */
	bool lost, located;
	bool orphan;                 /* see rs_gpu_orphan */
	char error[400];
	/* Registers. */
	uint32_t sh[REG_SH_DWORDS], uconfig[REG_UCONFIG_DWORDS];
	struct rs_context context;
	bool context_dirty;
	uint64_t context_hash;
	bool skip;                   /* SET_PREDICATION: predicated packets are skipped */
	unsigned depth;              /* of indirect buffers */
	uint64_t samples;            /* passed so far */
	const struct cu_program *program; /* of the stream's last draw or dispatch; may be gone */
	struct rs_program_cache programs;
	struct rs_block_pool blocks;
	size_t pass_bytes;           /* of primitives, params and bins before tiles are rendered */
	struct rs_front *front;      /* per thread, likewise the next two */
	struct rs_worker **worker;
	struct cu_group_ctx **group;
	struct rs_build build;
};

/* Records the first error; returns false. */
bool rs_gpu_fail(struct rs_gpu *gpu, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool rs_gpu_aborted(struct rs_gpu *gpu);
/* Fails with "aborted", `where` behind it, and the name of gpu->program. */
bool rs_gpu_stopped(struct rs_gpu *gpu, const char *where);

/* pool.c: once *abort is nonzero, runs leave out the indices that nobody has
 * taken yet. */
void rs_pool_watch(struct rs_pool *pool, const int *abort);

/* Opens a pass for the current targets if none fits, and snapshots the context. */
bool rs_pass_prepare(struct rs_gpu *gpu);
/* Whatever comes next may see what the pass leaves in memory.  Clears of its own
 * targets do not: the pass ends before the next packet that is none. */
void rs_pass_barrier(struct rs_gpu *gpu);
/* Renders what came before a barrier, for packets that may read memory. */
bool rs_pass_settle(struct rs_gpu *gpu);
bool rs_pass_add_draw(struct rs_gpu *gpu, struct rs_vdraw *d);
bool rs_pass_add_clear(struct rs_gpu *gpu, const struct pm4_clear_target *c);
/* cp_tiles.c: false, with the message, when a wave faulted or the gpu was aborted. */
bool rs_pass_check(struct rs_gpu *gpu);
/* Renders the bins and empties them. */
bool rs_pass_render(struct rs_gpu *gpu);
/* Renders everything collected; false after a fault. */
bool rs_pass_flush(struct rs_gpu *gpu);
/* The counter for draws from now on; NULL without memory. */
struct rs_counter *rs_pass_counter(struct rs_gpu *gpu);
bool rs_pass_zpass(struct rs_gpu *gpu, uint64_t address);
/* Frees what a flush leaves; for destroy. */
void rs_pass_discard(struct rs_gpu *gpu);
bool rs_targets_decode(struct rs_gpu *gpu, struct rs_pass *pass);
void rs_targets_key(const struct rs_context *c, uint32_t key[RS_TARGET_KEY]);

/* --- cp --- */

bool rs_cp_stream(struct rs_gpu *gpu, const uint32_t *ib, size_t dwords);
/* Handlers: payload of n dwords, n within pm4.def's limits; false: gpu has failed. */
#define PM4(name, packet, op, min, max, payload) bool rs_cp_##name(struct rs_gpu *gpu, const uint32_t *p, uint32_t n);
#include "isa/pm4.def"

static inline void *rs_pointer(uint32_t lo, uint32_t hi)
{
	return (void *)(uintptr_t)((uint64_t)hi << 32 | lo);
}

/* A memory operand of a packet; fails when NULL or not aligned. */
bool rs_cp_address(struct rs_gpu *gpu, const uint32_t *p, unsigned align, void *out);

#endif
