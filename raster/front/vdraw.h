/* SPDX-License-Identifier: MIT */
/* One draw as the front end needs it. */
#ifndef RASTER_FRONT_VDRAW_H
#define RASTER_FRONT_VDRAW_H

#include <stddef.h>
#include <stdint.h>
#include "core/launch.h"
#include "isa/gsvs.h"
#include "isa/strmout.h"
#include "raster/front/tess.h"

struct rs_counter;
struct rs_draw;
struct rs_mesh_draw;
struct rs_pa_state;
struct rs_strmout;

/* A run of indices between restarts. */
struct rs_segment {
	uint32_t index;              /* position of its first index */
	uint32_t prim;               /* its first primitive's number in the instance */
};

/* A geometry program behind the vertex program, in one with it. */
struct rs_gs_state {
	unsigned invocations;        /* of a primitive */
	unsigned max_vertices;       /* of an invocation */
	unsigned item_dwords;        /* of a vertex */
	const struct isa_gsvs_component *component; /* what these are */
	unsigned components;
	unsigned out_corners;        /* of the primitives that its strips are cut into */
	uint32_t lds_bytes;
	/* Where vertices of a stream begin in the ring, dwords of a lane; of others than the first 0:
	 * there are none.  And the dwords of all. */
	uint32_t stream_at[ISA_STREAMS], ring_dwords;
};

/* Primitives of a wave: as many as there are lanes for all invocations of. */
static inline unsigned rs_gs_room(const struct rs_gs_state *s)
{
	return s->invocations < CU_LANES ? CU_LANES / s->invocations : 1;
}

/* Tessellation: a hull program, in one with the vertex program, and the tessellator; rs_vdraw.vs is of the domain. */
struct rs_tess_state {
	struct cu_program_use hs;
	uint32_t lds_bytes;
	unsigned vertices_in, vertices_out; /* of a patch */
	unsigned patches;            /* of a group at most */
	struct rs_tess_mode mode;
	unsigned corners;            /* of its primitives */
	float max_level;
};

/* Of n records, `step` dwords apart, whose first numbers ascend: the one that has number `at`. */
static inline uint32_t rs_find_run(const uint32_t *first, size_t step, uint32_t n, uint32_t at)
{
	uint32_t lo = 0, hi = n;
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (first[mid * step] <= at)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

struct rs_vdraw {
	const struct rs_draw *draw;
	const struct rs_pa_state *pa;
	const struct rs_strmout *strmout; /* NULL: nothing is captured */
	struct rs_counter *streams;  /* primitives of each stream; NULL: nobody asks */
	struct cu_program_use vs;    /* or what is merged of it and others */
	const struct rs_gs_state *gs; /* NULL: there is none */
	const struct rs_tess_state *tess; /* likewise */
	unsigned topology;           /* DI_PT_* */
	unsigned corners;            /* of a primitive; by rs_vgt_prepare, likewise prims, vertices and segments */
	const uint8_t *index;        /* NULL: indices count up from 0 */
	unsigned index_bytes;
	uint32_t max_index;          /* indices readable */
	uint32_t prims, vertices, instances; /* vertices: indices but restarts */
	const struct rs_segment *segment;
	uint32_t segments;
	uint32_t job_prims;          /* in one job at most */
	/* If there are more than one, jobs number parts of patches: primitive * parts + part.  A part is so many of the
	 * primitives that a patch is cut into. */
	uint32_t parts, part_prims;
	uint64_t serial;             /* of draws with parts, none has that of another */
	const struct rs_mesh_draw *mesh; /* its primitives are groups of a mesh program (raster/front/mesh.h); NULL: as above */
	const struct rs_vdraw *next; /* what follows it in the pass, if that is a draw; not for others than draws of one job */
};

/* What jobs number: primitives of all instances, or their parts. */
static inline uint64_t rs_vdraw_units(const struct rs_vdraw *d)
{
	return (uint64_t)d->prims * d->instances * (d->parts > 1 ? d->parts : 1);
}

#endif
