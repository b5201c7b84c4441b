/* Register allocation.
 *
 * Lifetimes are kept per dword of a virtual register ("unit") as segments of
 * program points; SGPRs live along the linear control-flow graph, VGPRs along
 * the logical one (mir.h).  Registers that copies join and that never live at
 * the same time form a bundle, which gets one place; bundles are placed in
 * maps of program points, one a hardware register; lighter ones are evicted,
 * bundles are taken apart, and at last registers are spilled: SGPRs to lanes
 * of VGPRs, VGPRs to scratch.  Then all begins anew. */
#ifndef COMPILER_RA_H
#define COMPILER_RA_H

#include "mir.h"

/* [from, to): instruction i reads at 2 i and writes at 2 i + 1. */
struct ra_seg { uint32_t from, to; struct ra_seg *next; };
/* Ascending; `near` is one of them (or NULL), where segments were joined last:
 * joining goes on not far from there. */
struct ra_segs { struct ra_seg *first, *near; };

enum { RA_SGPRS = 102, RA_VGPRS = 256, RA_NO_BUNDLE = ~0u };

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
	struct ra_segs *segs;     /* one a dword */
};

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
	/* placement */
	uint64_t *map[2];         /* by class: register * words + point / 64 */
	uint32_t words;
	struct ra_placed { uint32_t *list, count, room; } *placed[2];
};

bool ra_live(struct ra *r);      /* vregs, unit_segs, points, weights; false: no memory */
bool ra_coalesce(struct ra *r);  /* bundles */
bool ra_place(struct ra *r);     /* reg of each vreg, or spill marks and r->spilled */
void ra_spill(struct ra *r);     /* rewrites the program for the marks */
uint32_t ra_bundle_of(struct ra *r, uint32_t vreg); /* a bundle of this register alone */
void ra_lower_copies(struct mir_func *m); /* parallel copies to moves */

/* Limits: registers that may be used, at most RA_SGPRS and RA_VGPRS; tests ask
 * for less.  False when memory or all attempts fail. */
bool ra_run(struct mir_func *m, unsigned sgprs, unsigned vgprs);

#endif
