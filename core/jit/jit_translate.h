/* SPDX-License-Identifier: MIT */
/* The translator's inner shape.  Private to core/jit/.
 *
 *   jit_emit       bytes, labels, constants; jit_forms how x86 instructions are encoded
 *   jit_analyse    blocks, liveness, what each instruction reads and writes
 *   jit_region     straight runs of vector instructions, done strip by strip, and all
 *                  that is known of one; jit_region_code their code, jit_flow
 *                  branches in them
 *   jit_loop       loops that strips go round by themselves
 *   jit_cut, jit_twins  how more of them are under way at once
 *   jit_regs       VGPRs in vector registers within a region
 *   jit_vector*    vector instructions; jit_math the long ones
 *   jit_memory*    scratch, buffers and LDS
 *   jit_image*     images
 *   jit_fused      instructions that come to one of 64 bits
 *   jit_scalar*    scalar instructions; jit_slice those on lane masks, branches
 *   jit_again      waves one after another in one run
 *   jit_translate  the order of it all; branches, calls of handlers, ends */
#ifndef CORE_JIT_JIT_TRANSLATE_H
#define CORE_JIT_JIT_TRANSLATE_H

#include "core/jit/jit.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_sets.h"
#include "core/tex/mimg.h"

/* Registers that keep their meaning over the whole program. */
#define RB_WAVE ZYDIS_REGISTER_RBX   /* the wave + WAVE_BIAS: SGPRs are near */
#define RB_RECS ZYDIS_REGISTER_R12
#define RB_STRIP ZYDIS_REGISTER_R13  /* within a region: lanes of v0 */
#define RB_SLICE ZYDIS_REGISTER_R14  /* within a region: RB_WAVE + bytes of mask */
#define RB_POOL ZYDIS_REGISTER_R15
#define RB_END ZYDIS_REGISTER_RBP    /* within a region: RB_STRIP behind the last */
#define WAVE_BIAS ((int)offsetof(struct cu_wave, sgpr) + 128)
/* The stack frame, at a multiple of 64 bytes: saved SGPRs, the caller's rsp, for
 * interpolation the primitive of each lane and a table for each parameter; for memory
 * the helpers, a strip's offsets, a slot for each buffer; for FLAT and GLOBAL windows,
 * and where a strip puts what it cannot do (jit_memory_global.c); slots of images, rows
 * of all lanes for each of a group of them, and what a strip keeps for others (jit_image.c). */
enum { FRAME_SP = 512, FRAME_COUNT = 520, FRAME_HELPERS = 528, FRAME_LANES = 576,
	FRAME_IFS = 536, IFS = 16, /* bytes: a strip went into the body */
	FRAME_MOST = 560, FRAME_WAY = 568, /* instructions of the strips that have run most in a loop, and where they left: jit_loop_left */
	FRAME_DECODED = 552, /* cu_tex_cache.decoded with the slots of again_images_label, -1: none, -2: again_apart_label */
	FRAME_PARAMS = FRAME_LANES + 256, PARAMS = 32, FRAME_OFFSETS = FRAME_PARAMS + 64 * PARAMS,
	FRAME_SLOTS = FRAME_OFFSETS + 64, SLOTS = 9, /* and that of scratch: whole lines */
	SCRATCH_SLOT = SLOTS, FRAME_WINDOWS = FRAME_SLOTS + (SLOTS + 1) * (int)sizeof(struct cu_jit_slot), WINDOWS = 4,
	FRAME_MASKS = FRAME_WINDOWS + 2 * WINDOWS * (int)sizeof(struct cu_jit_window), FRAME_NEAR = FRAME_MASKS + 12,
	FRAME_ACCESS = FRAME_MASKS + 64, FRAME_VECTORS = FRAME_ACCESS + (int)sizeof(struct cu_jit_access),
	FRAME_IMAGES = FRAME_VECTORS + 64 * 32, IMAGE_SLOTS = 16, TAPS = 9,
	FRAME_TAPS = FRAME_IMAGES + IMAGE_SLOTS * (int)sizeof(struct cu_mimg_slot), FRAME_SHARES = FRAME_TAPS + 6 * TAPS * 256,
	FRAME_INSIDE = FRAME_SHARES + 4 * TAPS * 64, FRAME_ROWS = FRAME_INSIDE + 64, ROWS = 16,
	FRAME_SCRATCH = FRAME_ROWS + 8 * ROWS, /* FLAT_SCRATCH, cu_wave.scratch and its bytes, of which SCRATCH_SLOT is */
	FRAME_BYTES = FRAME_SCRATCH + 64 };
_Static_assert((FRAME_LANES | FRAME_PARAMS | FRAME_OFFSETS | FRAME_VECTORS | FRAME_IMAGES | FRAME_TAPS | FRAME_SHARES | FRAME_BYTES) % 64 == 0,
	"vectors in the frame");
#define RB_EXPORTS ZYDIS_REGISTER_RSI /* within a region: exports.data + bytes of strip */
#define RB_LANES ZYDIS_REGISTER_R10   /* within a region: rsp + FRAME_LANES + bytes of strip;
	* with region->alone its parameters in LDS */

enum jit_kind { JIT_CALL, JIT_NOP, JIT_VECTOR, JIT_SCALAR, JIT_BRANCH, JIT_END, JIT_BARRIER };

/* Scalar registers read and written, lane masks (of strips) apart. */
struct jit_s_use { struct sset read, write, mask_read, mask_write; };

enum { JIT_SOURCES = 6 };
struct jit_inst {
	struct jit_s_use scalar;
	uint8_t kind;
	bool leader;         /* a block begins */
	bool scc_live;       /* behind the instruction */
	bool no_if;          /* a region tried to go on over this branch and could not */
	bool no_parts;       /* strips tried to go round this loop by themselves, with too few registers */
	bool off_dead;       /* lanes that are off need not keep the old result */
	bool image;          /* strips may do it, though it is a call elsewhere: jit_image.c */
	bool done;           /* before the code at hand, see jit_translate.c */
	bool quads;          /* walk_exec: EXEC has whole quads of what the wave began with */
	bool narrows;        /* and after it, what the wave began with */
	bool depths;         /* exports what cu_wave.wanted is asked about, behind no branch */
	bool arm, arm_end;   /* some lanes' part begins, and ends with the others going on: note_arm */
	uint8_t jumps;       /* here, of which it may know 255 */
	uint8_t role;        /* within a region: ROLE_* */
	/* VGPRs of an inline vector instruction: nvs sources (-1: none), and nvd
	 * results from vd on (-1: none). */
	uint8_t nvs, nvd;
	int16_t vs[JIT_SOURCES], vd;
	uint16_t next[JIT_SOURCES + 4]; /* next use within the region, of vs and vd */
	uint8_t known;       /* bits: sources that are SGPRs of known value */
	uint64_t known_bits[3];
};

enum { ROLE_NONE, ROLE_VECTOR, ROLE_SLICE, ROLE_STRIP, ROLE_ONCE, ROLE_BRANCH, ROLE_EXIT };
struct jit_translator {
	struct jit_x_buf b;
	const struct cu_program *p;
	const struct cu_jit_options *o;
	bool v4;
	uint32_t n;
	uint32_t limit;       /* where regions end at the latest */
	bool no_images;       /* in regions */
	bool exports;         /* no kernel */
	struct jit_inst *in;
	struct vlive *live;   /* behind each instruction */
	struct vlive *there;  /* of branches: where they go */
	struct vset integers; /* VGPRs that some instruction of the program makes one in */
	struct vset *exact;   /* VGPRs that at an instruction or behind it something reads for which NaNs are not all the same */
	int *labels;          /* of leaders */
	int exit_label, pool_label, fault_label;
	struct cu_jit_mark *marks;
	size_t mark_count, mark_cap;
	struct jit_slow *slow;  /* handler calls behind the code */
	size_t slow_count, slow_cap;
	struct jit_miss *misses; /* of FLAT and GLOBAL, behind the code: jit_memory_global.c */
	size_t miss_count, miss_cap;
	int16_t windows[2][WINDOWS]; /* VGPRs of whole addresses, SGPR pairs: whose window */
	unsigned window_count[2];
	uint64_t random;

	struct jit_region *region; /* the one at hand; see jit_region.h */
	struct sset *s_live;  /* see jit_flow.h */
	struct sset loose;    /* SGPRs that may end otherwise than in the interpreter; nobody reads them */
	uint32_t again_region;
	bool again_asked, again; /* whether the next wave may begin at again_label: jit_again.c */
	int again_label, again_images_label, again_apart_label; /* with the same slots of images; without any; or -1 */
	int unwanted_label;   /* the end of the program, for a wave that nobody wants more of; -1 */
	bool faults;          /* something goes to fault_label */
	uint8_t *blank;       /* while VGPRs' lives are found: as cu_program.blank */
	struct cu_unwritten unwritten; /* what lives before the first, by lanes (core/interp/interp.h) */
};

/* For tests that ask for decisions by a seed. */
static inline uint32_t jit_random(struct jit_translator *t)
{
	t->random = t->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(t->random >> 33);
}

static inline const struct cu_rec *jit_rec(const struct jit_translator *t, uint32_t i)
{
	return &t->p->recs[i];
}

/* The program has what translations cannot do: computed jumps, other MODEs. */
bool jit_refused(const struct cu_program *p, struct cu_error *err);
void jit_single(struct jit_translator *t, uint32_t i);
void jit_mark(struct jit_translator *t, uint32_t i);
void jit_call_handler(struct jit_translator *t, uint32_t i);
/* A conditional jump to a call of the handler behind all code; what it returns
 * is where to go on afterwards, to be bound. */
int jit_slow(struct jit_translator *t, ZydisMnemonic jump, uint32_t i);
/* The same for jumps of the caller's, to *slow. */
int jit_slow_label(struct jit_translator *t, uint32_t i, int *slow);

static inline struct xo jit_wave(size_t offset, unsigned bytes)
{
	return jit_x_mem(RB_WAVE, (int64_t)offset - WAVE_BIAS, bytes);
}
#define JIT_FIELD(f) jit_wave(offsetof(struct cu_wave, f), sizeof(((struct cu_wave *)0)->f))

#endif
