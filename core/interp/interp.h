/* SPDX-License-Identifier: MIT */
/* The interpreter's inner shape: how a decoded program looks and what an
 * opcode's implementation is.  Private to core/.
 *
 * A program is decoded into two arrays of records, one for waves whose EXEC is
 * all ones and one for any EXEC.  A record names its handler and where its
 * operands lie: byte offsets from the wave for registers, from the program's
 * pool for constants.  A handler does its work and returns the next record, in
 * the array that fits the EXEC it leaves behind, so nothing is tested between
 * instructions.  Each opcode also has an out-of-line form that always works
 * (struct cu_op, cu_valu_general): a JIT can call it for what it lacks. */
#ifndef CORE_INTERP_INTERP_H
#define CORE_INTERP_INTERP_H

#include "core/cu.h"
#include "core/mode.h"
#include "isa/gcn.h"

struct cu_rec;
/* Next record, or an enum cu_status as a pointer (below CU_STATUS_END). */
typedef const struct cu_rec *(*cu_fn)(struct cu_wave *w, const struct cu_rec *r);
#define CU_STATUS_END 3
#define CU_STOP(status) ((const struct cu_rec *)(uintptr_t)(status))

/* What an operand is: decides inline constants and modifiers. */
enum cu_type {
	CU_T_NONE, CU_T_B32, CU_T_F32, CU_T_B16, CU_T_F16, CU_T_B64, CU_T_I64, CU_T_F64,
	CU_T_PKB16, CU_T_PKF16, /* two halves, op_sel picks */
	CU_T_MIX,               /* v_mad_mix: float or half, op_sel_hi picks */
	CU_T_MASK,              /* 64-bit lane mask in SGPRs */
	CU_T_B128,
	CU_T_F16_ATTR,          /* half of a VGPR, picked as the attribute's is */
	CU_T_P0, CU_T_P10, CU_T_P20, /* half parameters in LDS; not encoded operands */
};
static inline bool cu_type_is64(enum cu_type t)
{
	return t == CU_T_B64 || t == CU_T_I64 || t == CU_T_F64;
}
static inline unsigned cu_type_dwords(enum cu_type t)
{
	return t == CU_T_B128 ? 4 : cu_type_is64(t) || t == CU_T_MASK ? 2 : 1;
}
static inline bool cu_type_is_param(enum cu_type t)
{
	return t >= CU_T_P0;
}

/* Operands of a vector kernel: 64 lanes of 32 bits each, wider ones as all low
 * dwords, then all next.  d never overlaps a source. */
struct cu_vop {
	uint32_t *d;
	const uint32_t *s[3];
	uint64_t in;  /* lane mask read (carry, v_cndmask) */
	uint64_t out; /* lane mask made; inactive lanes are cleared by the caller */
	uint32_t mode; /* MODE; MXCSR rounds as it says */
};
typedef void (*cu_kernel)(struct cu_vop *o);

enum cu_class {
	CU_CLASS_REFUSED, /* program creation fails */
	CU_CLASS_DIRECT,  /* `direct` does everything */
	CU_CLASS_VALU,    /* kernel, with fast handlers for plain forms */
};
enum {
	CU_OP_DST_READ = 1,     /* the old destination is source 2 (v_mac) */
	CU_OP_KEEP_HIGH = 2,    /* 16-bit result leaves the high half alone */
	CU_OP_NO_MODS = 4,      /* abs and neg have no meaning */
	CU_OP_ENDS = 8,         /* nothing follows (s_endpgm, s_branch) */
	CU_OP_JUMPS = 16,       /* gcn_inst.offset is a jump target */
	CU_OP_WRITES_EXEC = 32, /* implicitly */
	CU_OP_WRITE_HIGH = 64,  /* 16-bit result goes to the high half */
	CU_OP_READS_VCC = 128,  /* into cu_vop.in, besides its sources (v_div_fmas) */
	/* In cu_op.traits, 8 bits lower: what MODE means to the opcode. */
	CU_OP_NEAREST = 0x100,  /* rounds to nearest even whatever MODE says */
	CU_OP_EXACT = 0x200,    /* moves or classifies bits: denormals stay */
	CU_OP_MINMAX = 0x400,   /* IEEE mode and signalling NaNs */
};

/* Implementation of one opcode; CU_FN(cu_op_<MNEMONIC>). */
struct cu_op {
	uint8_t cls;      /* enum cu_class */
	uint8_t flags;
	uint8_t nsrc;
	uint8_t dtype;    /* enum cu_type of the VGPR result, CU_T_NONE without one */
	uint8_t stype[3];
	uint8_t mask_out; /* writes a lane mask to sdst */
	cu_fn direct;
	cu_kernel kernel;
	/* Handlers of the plain form, [EXEC known full][bit i: source i is scalar], as
	 * many as nsrc bits tell apart; NULL, also for all: cu_valu_general. */
	const cu_fn *fast[2];
	/* With abs, neg and clamp as well, any EXEC; NULL: cu_valu_general.
	 * DIRECT: where cu_is_modified, under any MODE; NULL: refused. */
	cu_fn modified;
	const struct cu_op *saturating; /* integer clamp; NULL: refused */
	const char *why;                /* REFUSED: the reason */
	uint8_t traits;                 /* CU_OP_NEAREST and following >> 8 */
	/* DIRECT: the handler under a MODE that is not plain; NULL: direct. */
	cu_fn moded;
};
/* Modifiers that handlers of DIRECT opcodes leave to cu_op.modified. */
static inline bool cu_is_modified(const struct gcn_inst *in)
{
	return in->neg || in->abs || in->clamp || in->omod || in->compr;
}
static inline bool cu_op_has(const struct cu_op *op, unsigned trait)
{
	return (unsigned)op->traits << 8 & trait;
}

struct cu_rec {
	cu_fn fn;
	const struct cu_op *op;
	const struct gcn_inst *in;
	const struct cu_pool *pool;
	uint32_t d, sd;    /* byte offset in the wave of the result, of the mask result */
	int32_t s[3];      /* byte offset of a source, in the wave or the pool */
	uint8_t konst;     /* bit i: source i is in the pool */
	uint8_t scalar;    /* bit i: source i is one value for all lanes */
	uint8_t full;      /* 1 in the array for a full EXEC */
	uint8_t size;      /* instruction dwords */
	union {
		int32_t jump;  /* records to the jump target */
		uint8_t near;  /* of scalar memory: where the wave has the range that it met last (core/memory.h) */
	};
	uint32_t pc;       /* dword index */
};
_Static_assert(sizeof(struct cu_rec) == 64, "a record is a cache line");

/* Constants of a program, 8 bytes each; records refer to them by offset. */
struct cu_pool {
	const struct cu_program *program;
	uint64_t k[];
};

/* VGPRs that waves begin with cleared, by number, the first `inputs` only where nobody
 * sets them; or CU_FRESH_MANY, which only cu_unwritten tells. */
enum { CU_FRESH_LIST = 14, CU_FRESH_MANY };
struct cu_fresh { uint8_t inputs, count, vgpr[CU_FRESH_LIST]; };

/* What runs a program's waves instead of the interpreter. */
struct cu_runner {
	/* As cu_wave_run; only waves with a plain MODE of programs without traits. */
	enum cu_status (*run)(const struct cu_program *p, struct cu_wave *w);
	void (*detach)(struct cu_program *p); /* back to the interpreter; what it has is given back */
};

enum { CU_FIRST_LOADS = 4 };
struct cu_program {
	enum cu_level level;
	const struct cu_level_ops *kernels; /* of this level */
	uint32_t count;          /* instructions; recs has twice as many */
	uint32_t dwords;         /* code covers [0, dwords) */
	uint64_t address;        /* of the first, as s_getpc tells it: cu_program_place */
	uint32_t *code;          /* copy; unreachable dwords are 0 */
	uint32_t *reached;       /* bit per dword */
	uint32_t *index;         /* record of a pc, ~0 without one */
	struct gcn_inst *insts;
	struct cu_rec *recs;     /* [0, count) any EXEC, [count, 2 count) full EXEC */
	struct cu_pool *pool;
	struct cu_runner *runner; /* of translated code (core/jit); NULL: interpreted */
	/* Records, as in recs, for waves whose MODE is not plain (core/mode.h).
	 * Made when first needed, by any thread: see cu_program_moded. */
	struct cu_rec *_Atomic moded;
	/* Whether instructions between which a wave can change its MODE are part of
	 * it.  A translator must leave such programs, and waves that start with
	 * another MODE than a plain one, to the interpreter. */
	uint32_t traits;
	enum gcn_gen gen;
	uint8_t sgpr_rows;       /* of 16 SGPRs, a bit each: what it may read unwritten from s32 on */
	uint32_t initial;        /* of s0 to s31, a bit each: what it may read of what a wave begins with */
	/* Lines of memory that it loads scalars from, at so many bytes from the address in two of these. */
	struct cu_first_load { uint8_t sgpr; int32_t line; } first_load[CU_FIRST_LOADS];
	unsigned first_loads;
	/* Bit n % 64 of word n / 64: vn may be read before it is written, in lanes that are on
	 * when a wave starts; in others of quads where one is on; in quads that are off.
	 * Generous: every VGPR until cu_jit_unwritten or cu_jit_attach knows better.
	 * blank: what `blank` below names, which need not be cleared but for who sets single lanes of it.
	 * Set by cu_program_unwritten alone. */
	struct cu_unwritten { uint64_t on[CU_VGPRS / 64], quad[CU_VGPRS / 64], off[CU_VGPRS / 64], blank[CU_VGPRS / 64]; } unwritten;
	/* By instruction, a bit each: VGPRs behind the address that an image of two dimensions has (isa/gcn.h), which nothing
	 * has written when the wave comes there; they read as zeros where whoever starts it does not set them.  NULL: none. */
	uint8_t *blank;
	/* The same for cu_wave_fresh, by which lanes of a wave are set by who starts it. */
	struct cu_fresh fresh[CU_LANES_SET];
};
enum {
	CU_PROGRAM_SETS_MODE = 1, /* what CU_MODE_FLOAT has */
	CU_PROGRAM_SKIPS = 2,     /* VSKIP: vector instructions test it */
	CU_PROGRAM_INDEXES = 4,   /* GPR_IDX by s_setreg: vector opcodes test it */
	CU_PROGRAM_FORKS = 8,     /* s_cbranch_*_fork */
};

/* Sets p->unwritten, p->fresh and p->blank: before p runs.  NULL: every VGPR. */
void cu_program_unwritten(struct cu_program *p, const struct cu_unwritten *u);
/* What p->blank may be, to be freed.  NULL also without memory. */
uint8_t *cu_program_find_blank(const struct cu_program *p);
/* Moves between VGPRs that M0 names. */
static inline bool cu_is_relative(const struct gcn_inst *in)
{
	return in->fmt >= GCN_VOP2 && in->fmt <= GCN_VOP3 && gcn_op_info((enum gcn_op)in->op)->flags & GCN_F_READS_M0;
}
/* What VSKIP skips: the formats of vector instructions. */
static inline bool cu_is_vector(const struct gcn_inst *in)
{
	return in->fmt >= GCN_VOP2;
}
_Static_assert(GCN_SOPP < GCN_VOP2 && GCN_SMEM < GCN_VOP2, "scalar formats come first");
/* The second set of records; NULL without memory. */
const struct cu_rec *cu_program_moded(const struct cu_program *p);
/* Which instruction r is, in whichever array it lies. */
uint32_t cu_rec_index(const struct cu_rec *r);

/* What a kernel level brings. */
struct cu_level_ops {
	const struct cu_op *const *ops; /* by enum gcn_op */
	enum cu_status (*run)(const struct cu_program *p, struct cu_wave *w);
	bool (*step)(const struct cu_program *p, struct cu_wave *w, enum cu_status *status);
	/* Any vector opcode; the same under VGPR indexing; around results in EXEC. */
	cu_fn valu_general, valu_indexed, exec_write;
	cu_fn gds_access; /* any DS opcode with gds */
	cu_fn m0_access;  /* any DS opcode before gfx9 */
	cu_fn tfe_access; /* any buffer load with tfe */
	cu_fn addr64_access; /* any buffer opcode with addr64 */
	/* Any vector opcode, as MODE says; what needs a test of MODE or of
	 * VCC and EXEC before each execution. */
	cu_fn valu_moded, special;
	cu_fn unsupported; /* faults */
};
CU_TABLES(struct cu_level_ops, cu_level_ops);

/* Fills w->error ("pc 0x40: v_foo ..: message"), sets w->pc, gives CU_FAULT. */
__attribute__((format(printf, 3, 4)))
const struct cu_rec *cu_fault(struct cu_wave *w, const struct cu_rec *r, const char *fmt, ...);
/* The same for an access of the instruction to `bytes` from an address that the device does not have. */
const struct cu_rec *cu_fault_access(struct cu_wave *w, const struct cu_rec *r, uint64_t address, uint64_t bytes);
/* What is said of the access, besides the text. */
void cu_error_access(struct cu_error *err, const struct gcn_inst *in, uint64_t address, uint64_t bytes);
/* "pc 0x40 (s_foo ..): " then the message. */
__attribute__((format(printf, 4, 5)))
void cu_error_at(struct cu_error *err, uint32_t pc, const struct gcn_inst *in, const char *fmt, ...);

/* --- for handlers --- */

#ifdef CU_LEVEL

#define CU_OPDESC(NAME) const struct cu_op CU_FN(cu_op_##NAME)
#define CU_HANDLER(name) static const struct cu_rec *name(struct cu_wave *w, const struct cu_rec *r)

/* Where a source's bytes are. */
static inline const void *cu_src(const struct cu_wave *w, const struct cu_rec *r, int i)
{
	const char *base = r->konst >> i & 1 ? (const char *)r->pool : (const char *)w;
	return base + r->s[i];
}
static inline uint32_t cu_src32(const struct cu_wave *w, const struct cu_rec *r, int i)
{
	return *(const uint32_t *)cu_src(w, r, i);
}
static inline uint64_t cu_load64(const void *p)
{
	uint64_t x;
	__builtin_memcpy(&x, p, 8);
	return x;
}
static inline void cu_store64(void *p, uint64_t x)
{
	__builtin_memcpy(p, &x, 8);
}
static inline uint64_t cu_src64(const struct cu_wave *w, const struct cu_rec *r, int i)
{
	return cu_load64(cu_src(w, r, i));
}
static inline uint32_t *cu_dst(struct cu_wave *w, const struct cu_rec *r)
{
	return (uint32_t *)((char *)w + r->d);
}
static inline void *cu_mask_dst(struct cu_wave *w, const struct cu_rec *r)
{
	return (char *)w + r->sd;
}
/* The record after r, once EXEC may have changed. */
static inline const struct cu_rec *cu_next_exec(const struct cu_wave *w, const struct cu_rec *r)
{
	int full = cu_exec(w) == ~0ull;
	return r + 1 + (full - r->full) * (int32_t)r->pool->program->count;
}

/* A statement for each lane l of a mask; `continue` goes to the next, `break`
 * does not leave. */
#define CU_EACH(l, mask) \
	for (uint64_t m_ = (mask); m_; m_ &= m_ - 1) \
		for (int l = __builtin_ctzll(m_), once_ = 1; once_; once_ = 0)

/* Of cu_op.fast: N handlers, those that are not named are NULL. */
#define CU_FAST(N, ...) (const cu_fn[N]){ __VA_ARGS__ }
/* A DIRECT opcode whose handler is h_<NAME>. */
#define CU_DIRECT(NAME, ...) \
	CU_OPDESC(NAME) = { .cls = CU_CLASS_DIRECT, .direct = h_##NAME, __VA_ARGS__ }
/* And its handler: an expression of the wave w and the record r. */
#define CU_DIRECT_CALL(NAME, CALL) \
	CU_HANDLER(h_##NAME) \
	{ \
		return CALL; \
	} \
	CU_DIRECT(NAME)

#endif
#endif
