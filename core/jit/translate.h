/* SPDX-License-Identifier: MIT */
/* The translator's inner shape.  Private to core/jit/.
 *
 *   emit.c      bytes, labels, constants; forms.c how x86 instructions are encoded
 *   analyse.c   blocks, liveness, what each instruction reads and writes
 *   region.c    straight runs of vector instructions, done strip by strip;
 *               region_code.c their code
 *   regs.c      VGPRs in vector registers within a region
 *   vector*.c   vector instructions; math.c the long ones
 *   memory*.c   scratch, buffers and LDS
 *   scalar*.c   scalar instructions; slice.c those on lane masks, branches
 *   translate.c the order of it all; branches, calls of handlers, ends */
#ifndef CORE_JIT_TRANSLATE_H
#define CORE_JIT_TRANSLATE_H

#include "core/jit/emit.h"
#include "core/jit/jit.h"

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
 * the helpers, a strip's offsets, and a slot for each buffer. */
enum { FRAME_SP = 512, FRAME_COUNT = 520, FRAME_HELPERS = 528, FRAME_LANES = 576,
	FRAME_IFS = 536, IFS = 16, /* bytes: a strip went into the body */
	FRAME_PARAMS = FRAME_LANES + 256, PARAMS = 32, FRAME_OFFSETS = FRAME_PARAMS + 64 * PARAMS,
	FRAME_SLOTS = FRAME_OFFSETS + 64, SLOTS = 8,
	FRAME_BYTES = FRAME_SLOTS + SLOTS * (int)sizeof(struct cu_jit_slot) };
#define RB_EXPORTS ZYDIS_REGISTER_RSI /* within a region: exports.data + bytes of strip */
#define RB_LANES ZYDIS_REGISTER_R10   /* within a region: rsp + FRAME_LANES + bytes of strip;
	* with t->alone its parameters in LDS */


struct vset { uint64_t w[4]; };      /* VGPRs */
struct sset { uint64_t lo, hi; };    /* SGPRs by number; SCC as number 125 */
#define S_SCC 125

static inline bool v_in(const struct vset *s, unsigned v) { return s->w[v / 64] >> v % 64 & 1; }
static inline void v_add(struct vset *s, unsigned v) { s->w[v / 64] |= 1ull << v % 64; }
static inline void v_del(struct vset *s, unsigned v) { s->w[v / 64] &= ~(1ull << v % 64); }
static inline void s_add(struct sset *s, unsigned r, unsigned n)
{
	for (unsigned i = r; i < r + n && i < 128; i++)
		*(i < 64 ? &s->lo : &s->hi) |= 1ull << i % 64;
}
static inline bool s_meet(struct sset a, struct sset b) { return (a.lo & b.lo) | (a.hi & b.hi); }
static inline struct sset s_join(struct sset a, struct sset b)
{
	return (struct sset){ a.lo | b.lo, a.hi | b.hi };
}
static inline bool s_has(struct sset s, unsigned r) { return (r < 64 ? s.lo : s.hi) >> r % 64 & 1; }
#define S_EXEC_PAIR ((struct sset){ 0, 3ull << 62 })

/* What a VGPR set means to lanes that are on and to those that are off. */
struct vlive { struct vset on, off; };

enum j_kind { J_CALL, J_NOP, J_VECTOR, J_SCALAR, J_BRANCH, J_END, J_BARRIER };

enum { J_SOURCES = 6 };
struct j_inst {
	uint8_t kind;
	bool leader;         /* a block begins */
	bool scc_live;       /* behind the instruction */
	bool no_if;          /* a region tried to go on over this branch and could not */
	bool off_dead;       /* lanes that are off need not keep the old result */
	bool quads;          /* walk_exec: EXEC has whole quads of what the wave began with */
	uint8_t jumps;       /* here, of which it may know 255 */
	uint8_t role;        /* within a region: ROLE_* */
	/* VGPRs of an inline vector instruction: nvs sources (-1: none), and nvd
	 * results from vd on (-1: none). */
	uint8_t nvs, nvd;
	int16_t vs[J_SOURCES], vd;
	uint16_t next[J_SOURCES + 4]; /* next use within the region, of vs and vd */
};

enum { ROLE_NONE, ROLE_VECTOR, ROLE_SLICE, ROLE_STRIP, ROLE_ONCE, ROLE_BRANCH };
enum { NEXT_NONE = 0xffff, NEXT_KILLED = 0xfffe };
/* LAZY: NaNs of active lanes not canonical.  TURN: whatever the last turn of a
 * loop left, or what was there before the first; it cannot be settled. */
enum nan_state { NAN_RAW, NAN_LAZY, NAN_TURN };

/* What is where in vector registers. */
struct r_state { int16_t vgpr[32]; bool dirty[32], turn[32]; };

/* A body within the region at hand that strips with an empty EXEC skip: of the
 * instructions between `at` and `to`.  SGPRs that such a strip leaves otherwise than
 * the wave would; and those that are 0 in its slice. */
struct j_if {
	uint32_t at, to;
	struct sset changed, zero;
	int label;
	bool full;
	struct r_state state;
};

struct translator {
	struct x_buf b;
	const struct cu_program *p;
	const struct cu_jit_options *o;
	bool v4;
	uint32_t n;
	struct j_inst *in;
	struct vlive *live;   /* behind each instruction */
	int *labels;          /* of leaders */
	int exit_label, pool_label, fault_label;
	struct cu_jit_mark *marks;
	size_t mark_count, mark_cap;
	struct j_slow *slow;  /* handler calls behind the code */
	size_t slow_count, slow_cap;
	uint64_t random;

	/* Within a region. */
	bool full;            /* EXEC is known to be all ones */
	bool alone;           /* and the wave to have one primitive */
	uint32_t at;          /* instruction */
	struct vlive *live_out;
	int16_t reg_of[CU_VGPRS];  /* vector register, -1: in the wave */
	uint16_t next_of[CU_VGPRS];
	struct {
		int16_t vgpr;     /* -1: free, -2: a temporary */
		bool dirty, pinned;
		uint8_t nan;
	} regs[32];
	uint8_t order[32];    /* in which registers are tried */
	unsigned reg_count;
	struct { int16_t pair; } masks[4]; /* v4: k2..k5; v3: one in a vector register */
	unsigned mask_next;
	struct vset settled;  /* VGPRs that are settled before each turn of a loop */
	bool unsettled;       /* one that should have been */
	struct { uint8_t attr, dword; } params[PARAMS]; /* of the region, in the frame */
	unsigned param_count;
	struct j_slot { uint16_t unit, indexed, v, soffset; uint32_t literal; } slots[SLOTS];
	unsigned slot_count;
	uint32_t slots_ready; /* bits: code that fills the slot has been made */
	struct j_if ifs[IFS];
	struct sset *s_live;  /* see flow.h */
	struct sset loose;    /* SGPRs that may end otherwise than in the interpreter; nobody reads them */
	bool faults;          /* something goes to fault_label */
	struct cu_unwritten unwritten; /* what lives before the first, by lanes (core/interp/interp.h) */
};

static inline const struct cu_rec *j_rec(const struct translator *t, uint32_t i)
{
	return &t->p->recs[i];
}

/* --- analyse.c --- */
bool j_analyse(struct translator *t);
/* Scalar registers read and written, lane masks (of strips) apart. */
struct s_use { struct sset read, write, mask_read, mask_write; };
void j_scalar_use(const struct translator *t, uint32_t i, struct s_use *u);

/* --- scalar.c --- */
bool j_scalar_known(const struct translator *t, uint32_t i);
bool j_is_load(const struct translator *t, uint32_t i);
void j_scalar(struct translator *t, uint32_t i);
/* 64-bit logic that may be done a slice at a time. */
bool j_slice_known(const struct translator *t, uint32_t i);
void j_slice(struct translator *t, uint32_t i);
void j_branch(struct translator *t, uint32_t i);
struct xo j_sgpr(unsigned n, unsigned bytes);
struct xo j_slice_of(const struct translator *t, unsigned pair);

/* --- regs.c --- */
void r_begin(struct translator *t);
struct xo r_use(struct translator *t, unsigned vgpr);            /* its value, pinned */
struct xo r_def(struct translator *t, unsigned vgpr, bool keep); /* keep: old value is needed */
struct xo r_temp(struct translator *t);
void r_free(struct translator *t, struct xo temp);
bool r_is_temp(const struct translator *t, struct xo x);
void r_settle(struct translator *t, unsigned vgpr);  /* NaNs canonical from here on */
void r_settle_all(struct translator *t);
void r_done(struct translator *t, uint32_t i);       /* behind an instruction */
void r_end(struct translator *t);                    /* live values to the wave */
/* For loops: unpins all; makes a resident value one to be stored; notes what is
 * where, and brings it about again. */
void r_release(struct translator *t);
void r_soil(struct translator *t, unsigned vgpr);
void r_keep_state(struct translator *t, struct r_state *s);
void r_note_state(const struct translator *t, struct r_state *s); /* without loops */
void r_restore_state(struct translator *t, const struct r_state *s);
bool r_resident(const struct translator *t, unsigned vgpr);
void r_lazy(struct translator *t, unsigned vgpr, bool lazy);
bool r_inherit(struct translator *t, unsigned from, unsigned to);

/* --- vector.c --- */
bool j_vector_known(const struct translator *t, uint32_t i);
void j_vector(struct translator *t, uint32_t i);
struct xo j_exec(struct translator *t);
void j_load_exec(struct translator *t);
void j_forget_masks(struct translator *t);

/* --- pixel.c --- */
/* Which table of the frame holds a parameter of the region; -1: no room. */
int j_param(struct translator *t, unsigned attr, unsigned dword);
bool j_params_fit(struct translator *t, uint32_t i);
void j_check_params(struct translator *t, uint32_t i); /* in LDS, else to the interpreter */
void j_load_params(struct translator *t);
void j_export_once(struct translator *t, uint32_t i);  /* what is not lanes' data */
void j_export(struct translator *t, uint32_t i);
void j_interp_p1(struct translator *t, uint32_t i);
void j_interp_p2(struct translator *t, uint32_t i);
void j_interp_mov(struct translator *t, uint32_t i);

/* --- region.c --- */
uint32_t j_region(struct translator *t, uint32_t i); /* the instruction behind it, or i: none */

/* --- translate.c --- */
/* The program has what translations cannot do: computed jumps, other MODEs. */
bool j_refused(const struct cu_program *p, struct cu_error *err);
void j_single(struct translator *t, uint32_t i);
void j_mark(struct translator *t, uint32_t i);
void j_call_handler(struct translator *t, uint32_t i);
/* A conditional jump to a call of the handler behind all code; what it returns
 * is where to go on afterwards, to be bound. */
int j_slow(struct translator *t, ZydisMnemonic jump, uint32_t i);
/* The same for jumps of the caller's, to *slow. */
int j_slow_label(struct translator *t, uint32_t i, int *slow);

static inline struct xo j_wave(size_t offset, unsigned bytes)
{
	return x_mem(RB_WAVE, (int64_t)offset - WAVE_BIAS, bytes);
}
#define J_FIELD(f) j_wave(offsetof(struct cu_wave, f), sizeof(((struct cu_wave *)0)->f))

#endif
