/* SPDX-License-Identifier: MIT */
/* The texture unit's door: one MIMG instruction for one wave.
 *
 * Reads address VGPRs from in->src[0] on (layout: offset, bias, compare,
 * derivatives, body, clamp, lod, as the memory handling document lists), the
 * T# and S# given, data VGPRs from in->dst for stores and atomics, and writes
 * the result VGPRs, for the lanes of EXEC.  LOD is computed per quad from the
 * coordinates of all four lanes, whether or not EXEC has them.  Out-of-range
 * texels read zero (or border colour) and are not written.  s may be NULL for
 * instructions without a sampler.
 *
 * a16: half floats (sampling) or 16-bit integers, two a VGPR; d16: data
 * likewise, on gfx8 one a VGPR; tfe, lwe: a status dword after the data, always
 * 0: everything is resident and no LOD is warned of.
 *
 * Returns false, with w->error, for an instruction that the unit does not know
 * and for an image that is not in w->memory. */
#ifndef CORE_TEX_MIMG_H
#define CORE_TEX_MIMG_H

#include <stdbool.h>
#include <stdint.h>
#include "core/level.h"

struct cu_rec;
struct cu_wave;
struct gcn_inst;

typedef bool cu_mimg_fn(struct cu_wave *w, const struct gcn_inst *in, const uint32_t t[8], const uint32_t s[4]);
#ifdef CU_LEVEL
cu_mimg_fn CU_FN(cu_mimg_exec);
cu_mimg_fn CU_FN(cu_mimg_exec_unpacked); /* with the d16 of gfx8 */
/* The same of the first of `count` instructions that follow one another, and of those behind it that ask the same of the
 * same descriptors, if there is nothing about them that might be refused.  Returns how many were done, maybe none.  loose:
 * VGPRs of results may get anything in lanes that are off. */
unsigned CU_FN(cu_mimg_exec_plain)(struct cu_wave *w, const struct gcn_inst *in, unsigned count, const uint32_t t[8],
	const uint32_t s[4], bool loose);
struct cu_mimg_slot;
struct cu_mimg_taps;
int CU_FN(cu_mimg_slots)(struct cu_wave *w, const struct cu_rec *r, struct cu_mimg_slot *slots, unsigned n);
void CU_FN(cu_mimg_tile)(struct cu_wave *w, struct cu_mimg_slot *slot, uint32_t (*rows)[64], const struct cu_mimg_taps *taps);
#endif

/* What translated code of strips does by itself (core/jit/jit_image.c): texels around coordinates, or at integer ones, of
 * an image of two or three dimensions and one level, in rows or in parts, whose texels are, by enum cu_mimg_way.
 * Constants for eight lanes, which the code has as operands: AVX-512 of the first one, or twice. */
enum cu_mimg_way { CU_MIMG_NONE, CU_MIMG_UNORM8, CU_MIMG_FLOAT16, CU_MIMG_DWORD, CU_MIMG_SRGB8, CU_MIMG_FLOAT32, CU_MIMG_R8, CU_MIMG_RG8 };
/* Weights are 256ths, of UNORM8, or floats, of FLOAT16, FLOAT32, R8, RG8 and of DWORD that is one. */
enum cu_mimg_linear { CU_MIMG_NEAREST, CU_MIMG_BYTES, CU_MIMG_FLOATS };
/* What most samples are, by what is done for them: texels of a tile, the nearest texel, or four of bytes. */
enum cu_mimg_common { CU_MIMG_OTHER, CU_MIMG_TILE, CU_MIMG_ONE, CU_MIMG_FOUR };
enum { CU_MIMG_LANES = 8 };
/* Of core/tex/tex_bytes.h: what rows of bytes are weighed to, and 1 / (255 * 256 * it) as a float's bits. */
enum { CU_MIMG_SUM_Y = 256 * 96, CU_MIMG_SUM_UNIT = 0x302b5601 };
struct cu_mimg_lanes {
	_Alignas(64) uint32_t wrap[3][CU_MIMG_LANES]; /* along each axis: ones where coordinates repeat, else they are clamped */
	float limit[3][CU_MIMG_LANES], below[3][CU_MIMG_LANES]; /* what they are at most, and the number below it */
	float scale[3][CU_MIMG_LANES], scale256[3][CU_MIMG_LANES]; /* that times 256 */
	float inverse[2][CU_MIMG_LANES];              /* of scale: what an offset's texel is */
	int32_t last[3][CU_MIMG_LANES];               /* texel; and what stands for those behind it and before the first */
	int32_t within[2][CU_MIMG_LANES];             /* of gathers: bits of texels where coordinates repeat, else all */
	int32_t beyond[3][CU_MIMG_LANES], before[3][CU_MIMG_LANES];
	uint32_t shift[CU_MIMG_LANES];                /* of columns; and what is added by column and row, 0 in rows */
	int32_t part_x[CU_MIMG_LANES], part_y[CU_MIMG_LANES], pitch[CU_MIMG_LANES], stride[CU_MIMG_LANES];
	int32_t next[CU_MIMG_LANES];                  /* bytes from a texel to the one behind it */
	float last_layer[CU_MIMG_LANES];
	int32_t last_index[CU_MIMG_LANES];            /* of layers, as an integer; -1 of an image without any */
	uint32_t order[CU_MIMG_LANES];                /* bytes of four texels, by channel */
	uint32_t flip[2 * CU_MIMG_LANES];             /* what makes them signed; of alpha that is 1, whose bytes are 0, also 255 */
	uint32_t weight[4][CU_MIMG_LANES];            /* by channel: of bytes in a dword, which come to words */
	float unit[4][CU_MIMG_LANES];                 /* what those are times it */
	uint32_t takes[4][CU_MIMG_LANES], adds[4][CU_MIMG_LANES]; /* bits that channels have of a dword, and besides; of bytes: alpha */
	uint32_t takes_second[4][CU_MIMG_LANES];      /* of RG8: of the second component */
	float one[CU_MIMG_LANES];                     /* what the dword is where a comparison passes; else 0 */
	uint32_t passes[4][CU_MIMG_LANES];            /* where it is below, equal, above, or one is NaN */
	const uint8_t *base;
	const uint32_t *srgb;                         /* linear values of bytes, as floats */
	uint8_t way[4];                               /* of image_sample, image_sample_c, image_load, image_gather4_lz */
	bool parts;
	uint8_t linear;                               /* an enum cu_mimg_linear: four texels */
	bool volume;                                  /* three dimensions: slices are `stride` apart */
	bool ramp;                                    /* four texels of UNORM8 of one row, in two dimensions and no parts */
	bool ends;                                    /* of R8 and RG8: in rows, of two texels at least */
	uint8_t find, read;                           /* not of a tile: four are found in rows alone, and read of a slice, UNORM8 */
	bool tiles, swapped;                          /* SRGB8 of the nearest texel, flat: may be read of a tile; red is its third */
	int32_t same;                                 /* of UNORM8 that is filtered, which translated code changes: how often lanes'
	                                               * four texels were all the same of late; below 0: strips until it looks again */
};
/* Where samples of a group are read of: memory; a tile of four floats a texel; a tile in planes, of CU_MIMG_PLANE_BYTES, four
 * of which are a row: then all strips' texels lie as pixels of a block do, from that of the strip's first lane on. */
enum cu_mimg_tiled { CU_MIMG_NO_TILE, CU_MIMG_TEXELS, CU_MIMG_PLANES };
enum { CU_MIMG_PLANE_BYTES = 528 };
/* How texels of eight lanes may lie: in a row, as those of an image in parts or a kernel's lanes; in two rows, as pixels of two
 * quads. */
enum cu_mimg_lie { CU_MIMG_APART, CU_MIMG_IN_ROW, CU_MIMG_IN_QUADS };
/* A place in the stack frame of translated code: of an instruction's descriptors, and of the instruction. */
struct cu_mimg_slot {
	const struct cu_mimg_lanes *lanes;
	const struct cu_rec *record;
	const float *texels; /* of a tile, where the group's samples are `tiled` */
	uint8_t tiled;        /* an enum cu_mimg_tiled */
	uint8_t find, read;   /* an enum cu_mimg_common each, that of lanes; but _TILE where a group's rows are for `tile`, and are planes' */
	uint8_t lie;          /* an enum cu_mimg_lie, which translated code changes */
};

/* Samples of a group: their own rows and those of their axes, which others may have as well; bits of all rows of an axis. */
enum { CU_MIMG_TAPS = 9 };
struct cu_mimg_taps { uint64_t rows[2]; uint8_t count, own[CU_MIMG_TAPS], axis[2][CU_MIMG_TAPS]; };

struct cu_mimg_ops {
	/* What the handlers of `count` records do one after the other, loosely or not; what the last of them returns. */
	const struct cu_rec *(*run)(struct cu_wave *w, const struct cu_rec *r, unsigned count, bool loose);
	/* Fills slots[n] for the record, image_load, image_gather4_lz or image_sample without anything that is added to coordinates, the n
	 * before it being filled.  0: its descriptors are not for strips, or those of one before it are gone. */
	int (*slot)(struct cu_wave *w, const struct cu_rec *r, struct cu_mimg_slot *slots, unsigned n);
	/* Of samples of a slot that finds tiles, whose coordinates of all lanes the rows of their axes have.  Of planes, these become
	 * bytes from slot->texels, of the first lane of each eight; else the samples' rows do: from there, of texels; or from the
	 * image's first texel, where they are too far apart for a tile.  What w->tex->call has not changed since is what memory
	 * holds. */
	void (*tile)(struct cu_wave *w, struct cu_mimg_slot *slot, uint32_t (*rows)[64], const struct cu_mimg_taps *taps);
};
CU_TABLES(struct cu_mimg_ops, cu_mimg_ops);

#endif
