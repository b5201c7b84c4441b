/* SPDX-License-Identifier: MIT */
/* What the files of images share.  In a strip rax is the descriptors' struct cu_mimg_lanes, rcx the image's first texel,
 * r11 the distance of the strip's first lane in a row of the frame, less WAVE_BIAS; rdx, r8, r9 and rdi are used up. */
#ifndef CORE_JIT_JIT_IMAGE_PRIV_H
#define CORE_JIT_JIT_IMAGE_PRIV_H

#include "core/jit/jit_emit.h"
#include "core/jit/jit_image.h"
#include "core/jit/jit_later.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_region.h"

enum { IMAGE_LANES = CU_MIMG_LANES };
/* Rows of a tap: offsets of texels, of which more than the first are used if four are; of image_load, instead of the second,
 * lanes within the image; positions, whose lowest bytes are weights.  Of the slice behind, in three dimensions: offsets, the
 * position along the third axis, bytes from slice to slice. */
enum { ROW_AT, ROW_IN = 1, ROW_X = 4, ROW_Y, TAP_ROWS, ROW_STEP = ROW_Y };

/* Of what all lanes have the same of: an operand of dwords, where jit_v_const may be one. */
#define OF(field) jit_image_of(g, offsetof(struct cu_mimg_lanes, field))
#define FLAG(field) jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_mimg_lanes, field), 1)

unsigned jit_image_lanes(const struct jit_region *g);                            /* of a strip */
struct xo jit_image_row(unsigned row, unsigned lane, unsigned bytes);
void jit_image_store_row(struct jit_region *g, unsigned row, struct xo x);
void jit_image_base(struct jit_region *g);                                       /* to rcx */
/* Whether the image instruction at hand may find a tile; its slot in the frame then says so. */
bool jit_image_may_tile(const struct jit_region *g);
#define IMAGE_SLOT(g, field, bytes) FRAME(FRAME_IMAGES + jit_image_slot(g, (g)->at) * (int)sizeof(struct cu_mimg_slot) + \
	(int)offsetof(struct cu_mimg_slot, field), bytes)
struct xo jit_image_texel(struct jit_region *g, unsigned row, unsigned l, unsigned bytes); /* in memory, of lane l */

struct xo jit_image_of(const struct jit_region *g, size_t field);
/* x = what eight lanes have of the field, which is that of the other eight as well. */
void jit_image_load_of(struct jit_region *g, struct xo x, size_t field);
/* The same as an operand of bytes: AVX-512 has it in x.  And bits in each dword. */
struct xo jit_image_bytes_of(struct jit_region *g, size_t field, struct xo x);
struct xo jit_image_bytes(struct jit_region *g, uint32_t bits);

/* A register that nothing keeps, its lowest four lanes, and these as the n-th four of x; eight lanes of x. */
struct xo jit_image_spare(const struct jit_region *g);
struct xo jit_image_line(const struct jit_region *g);
void jit_image_insert(struct jit_region *g, struct xo x, unsigned n);
void jit_image_insert_line(struct jit_region *g, struct xo x, struct xo line, unsigned n); /* of another one */
struct xo jit_image_half(const struct jit_region *g, struct xo x);

/* x = v as an integer, the next lower one or the nearest, quietly. */
enum { JIT_NEAREST = 8, JIT_FLOOR };
void jit_image_round(struct jit_region *g, struct xo x, struct xo v, int mode);
/* x = beyond where x > limit, an operand of OF; uses up k or k7. */
void jit_image_put_greater(struct jit_region *g, struct xo x, struct xo limit, struct xo beyond, struct xo k);
/* A coordinate's part behind the integers, where it repeats; and into [0, limit] of the axis; nearest: below the limit. */
void jit_image_repeat(struct jit_region *g, struct xo v, unsigned axis, struct xo x);
void jit_image_fold(struct jit_region *g, struct xo v, unsigned axis, bool nearest, struct xo x);

/* The texels and the channel of image_gather4: jit_image_linear.c. */
void jit_gather_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap);
void jit_gather_read(struct jit_region *g, const struct jit_read *r, unsigned channel);
/* jit_image_read.c.  What a lane's dword is put together of, from its lowest bits on; the rest is 0: `count` parts of so many
 * bytes, each where a row says, which is `rows` behind the last one's. */
struct jit_parts { unsigned bytes, count, rows; };
/* x = those of all lanes, which uses up what jit_image_line has. */
void jit_image_load(struct jit_region *g, unsigned row, struct jit_parts parts, struct xo x);
/* The same of one part, which may lie as eight lanes do: then it is quicker.  k is used up as well. */
void jit_image_load_in_rows(struct jit_region *g, unsigned row, unsigned bytes, struct xo x, struct xo k);
/* x = channel c of dwords, which may be x, over 255: the byte that the descriptor names. */
void jit_image_unorm8(struct jit_region *g, unsigned c, struct xo x, struct xo dwords, struct xo spare);
/* x = those that a byte of dwords, weighed, comes to; uses up spare. */
void jit_image_weighed(struct jit_region *g, unsigned c, struct xo x, struct xo spare);
/* x = 0 where image_load reads beyond the image. */
void jit_image_keep_inside(struct jit_region *g, const struct jit_read *r, struct xo x);
void jit_image_read_colours(struct jit_region *g, const struct jit_read *r);
void jit_image_read_compared(struct jit_region *g, const struct jit_read *r, struct xo ref);

/* Bytes from an axis's first texel that a tap keeps for others, of its first texels or of the second ones. */
static inline struct xo jit_image_kept(const struct jit_region *g, unsigned tap, unsigned axis, unsigned second)
{
	return FRAME(FRAME_SHARES + 64 * (int)(4 * tap + 2 * axis + second), 4 * jit_image_lanes(g));
}

/* Makes texels a and b, or a alone, of a coordinate; a weight goes to the row, k is used up. */
typedef void jit_image_axis_fn(struct jit_region *g, struct xo v, unsigned axis, unsigned row, struct xo a, struct xo b, struct xo k);
/* i = bytes from the first texel along both axes, of so many texels each (2: i[0] and i[1], i[2] and i[3]; 1: i[0], i[2]): of
 * the tap's own ones, or those that another keeps. */
void jit_image_axes(struct jit_region *g, const struct xo from[OPERANDS], const struct xo i[4], unsigned texels, unsigned tap,
	struct xo k, jit_image_axis_fn *find);

/* Of a group's tap: its texels, which others share, are such as need nothing of ends. */
static inline struct xo jit_image_inside(unsigned tap) { return FRAME(FRAME_INSIDE + (int)tap, 1); }

/* jit_image_linear.c: 8_8_8_8 UNORM of four texels, and floats.  z: what a layer adds, or kind 0.  Bytes that are in rows, away
 * from the ends of the image, find_inside finds; where they are not, it goes on at the label, for find_any. */
void jit_bytes_find_inside(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap,
	struct xo z, int ends);
void jit_bytes_find_any(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z);
/* The same of an image of one row: `ramp`. */
void jit_ramp_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z);
void jit_ramp_read(struct jit_region *g, const struct jit_read *r);
void jit_floats_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z);
/* t[0] = dwords that are floats, filtered. */
void jit_linear_read_floats(struct jit_region *g, const struct jit_read *r);
/* To the label unless all weights of both rows, floats that are 0 or more, count; x is used up. */
void jit_image_go_unless_weighed(struct jit_region *g, struct xo x, const unsigned row[2], int label);
/* jit_image_lines.c.  Where weights are not 0: in m, or k7; and a = a + weight (b - a) there: b, which is used up, may be infinite
 * elsewhere. */
void jit_image_find_weighed(struct jit_region *g, struct xo weight, struct xo m);
void jit_image_mix(struct jit_region *g, struct xo a, struct xo b, struct xo weight, struct xo m);
/* t[l], l < 4: lines of lanes l, l + 4 and on, filtered, a lane's four components in each. */
void jit_linear_read_lines(struct jit_region *g, const struct jit_read *r, bool halves);
/* x = those lines of the texels that a row has, halves or singles; spare is used up. */
typedef void jit_image_lines_fn(struct jit_region *g, unsigned row, unsigned l, struct xo x, struct xo spare);
jit_image_lines_fn jit_image_load_halves, jit_image_load_singles;
/* Texels of one or two bytes: jit_image_narrow.c. */
void jit_narrow_read(struct jit_region *g, const struct jit_read *r, unsigned bytes);
/* The same in three dimensions: z is the coordinate, which is used up; rows of the slice behind are the next tap's. */
void jit_volume_find(struct jit_region *g, const struct xo from[OPERANDS], const struct xo t[FIND_SPARES], unsigned tap, struct xo z);
/* one: where the first texel alone is read, if that is all; look: where jit_linear_read_same is, for strips whose lanes may have four
 * texels that are all the same; differ: where it goes on for others. */
void jit_linear_read(struct jit_region *g, const struct jit_read *r, int one, int look, int differ);
void jit_linear_read_same(struct jit_region *g, const struct jit_read *r, int differ, int done);
/* The same of two slices: the first one's channels go to rows where its offsets were. */
void jit_linear_read_slices(struct jit_region *g, const struct jit_read *r, const struct jit_read *far, int one);

#endif
