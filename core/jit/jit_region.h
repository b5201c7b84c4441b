/* SPDX-License-Identifier: MIT */
/* Regions: straight runs of vector instructions, done strip by strip; see jit_region.c.
 * What means something within one only is here: functions that make code of strips take
 * the region, and it knows its translator. */
#ifndef CORE_JIT_JIT_REGION_H
#define CORE_JIT_JIT_REGION_H

#include <stdbool.h>
#include <stdint.h>
#include "core/jit/jit_later.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"

enum { NEXT_NONE = 0xffff, NEXT_KILLED = 0xfffe };
/* LAZY: NaNs of active lanes not canonical.  TURN: whatever the last turn of a
 * loop left, or what was there before the first; it cannot be settled. */
enum nan_state { NAN_RAW, NAN_LAZY, NAN_TURN };

/* What a register has of its VGPR: the lanes' words; the single that the half in them is,
 * whose upper half is 0; with the VGPR before or behind it, lanes 0, 1, 4, 5, .. (even) and
 * 2, 3, 6, 7, .. (odd) of a pair's 64 bits.  A half that is not dirty is one of a word that
 * may have more bits in its home.  Only words are merged by EXEC. */
enum reg_form { FORM_WORDS, FORM_HALF, FORM_EVEN, FORM_ODD };

/* What is where in vector registers. */
struct jit_r_state { int16_t vgpr[32]; uint8_t form[32]; bool dirty[32], active_only[32], turn[32]; };

/* A body within the region at hand that strips with an empty EXEC skip: of the
 * instructions between `at` and `to`.  SGPRs that such a strip leaves otherwise than
 * the wave would; and those that are 0 in its slice. */
struct jit_if {
	uint32_t at, to;
	struct sset changed, zero;
	int label;
	bool full;
	struct jit_r_state state;
};

enum { REGION_BITS = 512 }; /* instructions of a region with memory */
/* Which instructions, and what they do together: grows with them, and goes back to what
 * it was where one turns out not to fit. */
struct jit_extent {
	uint32_t first, end;
	struct sset sliced;      /* lane masks written by strips */
	struct sset read;        /* by strips, as a whole or a slice */
	struct sset whole;       /* by strips, as a whole */
	struct sset written;     /* by strips, as a whole */
	struct sset saved;       /* read before written, by strips */
	struct sset before;      /* read before the strips, for buffers */
	uint32_t vectors, images; /* of all of them, images */
	int scc_pair;            /* SCC says at the end whether this pair is not 0; -1 */
	bool exec_written, exports, interpolates, m0_written;
	unsigned effects;        /* of gcn_effects: memory and LDS, as strips come to it */
	bool memory;             /* through slots */
	unsigned if_count;       /* of ifs */
	struct sset loose;       /* see struct jit_translator */
	bool loop;               /* `end` - 1 is the branch back to `first`, done by each strip */
	bool parts;              /* which strips leave at different turns, by an EXEC that they change: jit_loop.c */
	struct sset asked;       /* SGPRs written by these strips as a whole that are read behind the loop */
	bool narrows;            /* AVX2: and lanes that are off stay so, but for arms of those that leave (jit_inst.arm) */
	bool skips;              /* strips without lanes may be left out, */
	struct sset skipped;     /* when these masks are 0 in theirs */
};

enum { CUTS = 32, LATER = 2 * TAPS + 1 };
struct jit_region {
	struct jit_translator *t;
	struct jit_x_buf *b;         /* the translator's, as are the next two */
	struct jit_inst *in;
	bool v4;
	struct jit_extent e;
	struct jit_if ifs[IFS];
	struct { uint8_t attr, dword; } params[PARAMS]; /* in the frame */
	unsigned param_count;
	struct jit_slot { uint16_t unit, indexed, v, soffset; uint32_t literal; } slots[SLOTS];
	unsigned slot_count;
	struct jit_row { uint16_t soffset, dwords; int32_t offset; bool noted; } rows[ROWS]; /* of scratch, all lanes in one, found once: FRAME_ROWS */
	unsigned row_count;
	struct jit_image_slot { uint16_t op, image, sampler; bool da, unorm; } image_slots[IMAGE_SLOTS];
	unsigned image_slot_count;
	int tiled_slot;          /* so many samples of the group are of it that it may be worth a tile; -1: none */
	/* Of the group of images at hand, by axis: the first tap with this coordinate, and whether others have it as well. */
	struct jit_share { uint8_t tap; bool kept; } shares[TAPS][2];
	struct jit_later later[LATER];
	unsigned later_count;
	int apart;               /* label: where its images are not for strips */
	uint32_t cuts[CUTS];     /* instructions, ascending, before which strips stop: jit_cut.c */
	unsigned cut_count;
	uint32_t slots_ready;    /* bits: code that fills the slot has been made */

	/* While code of the strips is made. */
	int next;                /* label: the next strip; -1 */
	bool full;               /* EXEC is known to be all ones */
	bool twins;              /* two strips at a time: jit_twins.c */
	bool alone;              /* and the wave to have one primitive */
	uint32_t primitives_for; /* instruction for which r8 and r9 have primitives of quads: jit_pixel.c */
	uint32_t at;             /* instruction */
	uint32_t reached;        /* the last one that strips have come to: images let others ahead */
	struct vlive *live_out;
	int16_t reg_of[CU_VGPRS]; /* vector register, -1: in the wave */
	uint16_t next_of[CU_VGPRS];
	struct jit_reg {
		int16_t vgpr;        /* -1: free, -2: a temporary */
		bool dirty;
		bool active_only;    /* AVX2: lanes that are off are those in the wave, whatever is here */
		bool of_arm;         /* of e.narrows: it may be for lanes of the arm alone, where active_only */
		uint8_t nan, form;
	} regs[32];
	struct vset constants;   /* VGPRs that are a constant, and not stored */
	uint32_t constant_of[CU_VGPRS];
	uint8_t order[32];       /* in which registers are tried */
	unsigned reg_count;
	bool in_arm;
	uint32_t pinned, temps;  /* bits: registers that the instruction at hand needs; that are or were its temporaries */
	/* v4: k2..k5; v3: a vector register.  until: its last reader, before which it is nowhere else; 0: it is in the wave, too.
	 * off_free: lanes that are off may be anything. */
	struct jit_mask { int16_t pair; int8_t reg; bool off_free; uint32_t until; } masks[4];
	unsigned mask_next;
	uint32_t masks_until;    /* the last of all */
	int mask_held;           /* a pair: what is kept next does not take its mask's place; -1 */
	struct { int32_t key; int8_t reg; } uniforms[8]; /* AVX2: what all lanes have, see jit_r_uniform */
	unsigned uniform_next;
	struct vset settled;     /* VGPRs that are settled before each turn of a loop */
	struct vset pairs, halves; /* that are these between its turns: of pairs, the first */
	struct vset words;       /* that are neither */
	struct vlive behind;     /* what lives behind a loop, or after any of its branches */
	int left;                /* label: behind the loop, with all VGPRs in the wave */
	bool again;              /* these sets were not what they should have been */
};

/* How far the translation has come, to go back to. */
struct jit_made { size_t code, fixes, marks, slow, misses; };
struct jit_made jit_made(const struct jit_region *g);
void jit_unmake(struct jit_region *g, const struct jit_made *m);

/* An instruction of the region that grows; false where it does not fit. */
bool jit_region_vector(struct jit_region *g, uint32_t i);
bool jit_region_slices(struct jit_region *g, const struct jit_s_use *u); /* lane masks that it reads and writes */
bool jit_region_whole(struct jit_region *g, struct sset read);           /* SGPRs that it reads as numbers */

uint32_t jit_region(struct jit_translator *t, uint32_t i); /* the instruction behind it, or i: none */
/* Scalar handlers without any effect beside their operands. */
bool jit_is_pure(const struct cu_rec *r);
/* Strips come to the instruction. */
static inline void jit_reach(struct jit_region *g, uint32_t i) { g->reached = i > g->reached ? i : g->reached; }
/* Keeps the SGPRs that each strip changes, or puts them back. */
void jit_region_save(struct jit_region *g, bool restore);
/* What strips do from the region's first instruction to its last; top: where a strip begins, which images may change. */
void jit_region_body(struct jit_region *g, int *top);
/* Where EXEC is not full: what instruction i makes replaces the old values. */
bool jit_region_replaces(const struct jit_region *g, uint32_t i);
/* All strips; full: EXEC is all ones; twins: two at a time (jit_twins.c), if there are registers enough.  False, and nothing made,
 * where there are not and strips part. */
bool jit_region_strips(struct jit_region *g, bool full, bool twins);

#endif
