/* SPDX-License-Identifier: MIT */
/* Register allocation.
 *
 * Lifetimes are kept per dword of a virtual register ("unit") as segments of
 * program points; SGPRs live along the linear control-flow graph, VGPRs along
 * the logical one (mir.h).  Registers that copies join and that never live at
 * the same time form a bundle, which gets one place; bundles are placed in
 * maps of program points, one a hardware register; lighter ones are evicted,
 * bundles are taken apart, and at last registers are spilled: SGPRs to lanes
 * of VGPRs, VGPRs to scratch.  Then all begins anew. */
#ifndef COMPILER_GCN_RA_H
#define COMPILER_GCN_RA_H

#include "compiler/gcn/mir.h"

/* [from, to): instruction i reads at 2 i and writes at 2 i + 1. */
struct ra_seg { uint32_t from, to; struct ra_seg *next; };
/* Ascending; `near` is one of them (or NULL), where segments were joined last:
 * joining goes on not far from there. */
struct ra_segs { struct ra_seg *first, *near; };

enum { RA_SGPRS = GCN_SRC_FLAT_SCRATCH, RA_VGPRS = 256, RA_NO_BUNDLE = ~0u };

struct ra_vreg {
	uint32_t unit;            /* of its first dword */
	uint32_t bundle, next;    /* next member of the bundle */
	int32_t offset;           /* dwords from the bundle's first */
	float weight;             /* reads and writes, by loop depth */
	bool spill, single_def;
	struct mir_inst *def;     /* of a constant that can be made again */
};

struct ra_bundle {
	uint32_t first, last;     /* members */
	uint32_t parent;          /* while joining: the bundle that this one became part of, or RA_NO_BUNDLE */
	int32_t shift;            /* to be added to the members' offsets; in the parent's terms if there is one */
	uint8_t cls, width, align, align_at; /* base % align == align_at */
	uint8_t lowest;           /* register */
	bool fixed;               /* holds a reload: is never evicted or spilled */
	uint16_t want, reg;       /* number within the class, or MIR_NONE */
	float weight;             /* per program point */
	uint32_t start, length;
	uint32_t stamp;           /* of the last visit, ra_taken_visit */
	uint32_t turn;            /* when it was placed */
	struct ra_segs *segs;     /* one a dword */
};

/* Program points at which registers of a class are taken (ra_map.c), by words of 64. */
enum { RA_MAP_SETS = RA_VGPRS / 64 };
struct ra_map {
	uint32_t words;
	uint64_t *points;         /* register * words + point / 64 */
	/* by word: registers that are taken at some of its points, and at all */
	struct ra_map_sets { uint64_t some[RA_MAP_SETS], all[RA_MAP_SETS]; } *taken;
};

struct ra_taken;

struct ra {
	struct mir_func *m;
	struct ir_pool *pool;     /* of one round */
	struct ra_vreg *vregs;
	uint32_t units, points;
	struct ra_seg **unit_segs;
	struct ra_bundle *bundles;
	uint32_t bundle_count, bundle_room;
	unsigned limit[2];        /* registers by class */
	bool spilled;
	bool roomy;               /* VGPRs: lanes do not share one within a loop, see ra_loops.c; nothing is spilled then */
	uint32_t *block_at;       /* numbers of blocks' beginnings, and of the end */
	/* placement */
	struct ra_map map[2];     /* by class */
	struct ra_taken *taken[2];
	bool in_turn;             /* SGPRs: */
	unsigned next_sgpr;       /* where the next bundle of them is looked for */
	uint32_t stamp, turn, looks; /* looks: at what is in the way */
};

#define RA_NO_BLOCK UINT32_MAX
/* Of edges: the blocks at their other ends; both RA_NO_BLOCK: there are none. */
struct ra_span { uint32_t low, high; };
/* Parts of a control-flow graph that are entered and left at one place each
 * (ra_region.c); arrays by block. */
struct ra_regions {
	struct ra_span *in, *out;
	const uint32_t *before;   /* the block before in the layout, of those that count */
	uint32_t *head;           /* of the smallest region that ends before the block */
	uint32_t *jump;           /* the head of one of those, or of several in a row */
	uint32_t *depth;          /* regions in the row */
};
bool ra_regions_find(struct ra *r, struct ra_regions *g, const uint32_t *before, bool logical);
/* The head of the largest row of regions before `exit` that begins at `least` or
 * later; `exit` itself if there is none. */
uint32_t ra_region_head(const struct ra_regions *g, uint32_t exit, uint32_t least, uint32_t *steps);

bool ra_live(struct ra *r);      /* vregs, unit_segs, points, weights; false: no memory */
bool ra_coalesce(struct ra *r);  /* bundles */
bool ra_part_lanes(struct ra *r); /* of bundles, if r->roomy, and there are loops and few of them, else not r->roomy; false: no memory */
bool ra_place(struct ra *r);     /* reg of each vreg, or spill marks and r->spilled */

bool ra_map_init(struct ra_map *map, struct ir_pool *pool, unsigned registers, uint32_t points); /* false: the pool failed */
void ra_map_finish(struct ra_map *map, struct ir_pool *pool);
/* Takes the points of b at its register, or gives them back. */
void ra_map_flip(struct ra *r, const struct ra_bundle *b);
/* The lowest of first, first + b's alignment.. before `end` where b has room to
 * the end of its width, or MIR_NONE. */
unsigned ra_map_find(struct ra *r, const struct ra_bundle *b, unsigned first, unsigned end);

/* Which bundles have registers when (ra_taken.c), from the first build of a class
 * until the round ends: each bundle that is placed, or taken away, is told. */
bool ra_taken_build(struct ra *r, unsigned cls); /* false: the pool failed */
void ra_taken_put(struct ra *r, uint32_t bundle);
void ra_taken_remove(struct ra *r, uint32_t bundle);
/* Calls fn once for each placed bundle that is in b's way at reg, until it returns
 * false; then, and when the pool failed, the result is false. */
typedef bool ra_taken_fn(void *ctx, uint32_t bundle);
bool ra_taken_visit(struct ra *r, const struct ra_bundle *b, unsigned reg, ra_taken_fn *fn, void *ctx);

void ra_spill(struct ra *r);     /* rewrites the program for the marks */
uint32_t ra_bundle_of(struct ra *r, uint32_t vreg); /* a bundle of this register alone */
void ra_lower_copies(struct mir_func *m); /* parallel copies to moves */

/* Limits: registers that may be used, at most RA_SGPRS and RA_VGPRS; tests ask
 * for less.  False when memory or all attempts fail. */
bool ra_run(struct mir_func *m, unsigned sgprs, unsigned vgprs);

#endif
