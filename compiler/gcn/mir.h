/* SPDX-License-Identifier: MIT */
/* The machine IR between instruction selection and encoding: gfx9
 * instructions (struct gcn_inst) over virtual registers, in basic blocks.
 *
 * It is not SSA.  A virtual register is a tuple of 1..16 dwords in SGPRs or
 * VGPRs; an operand names one of its dwords, the instruction's width says how
 * many follow.  Lane masks are SGPR pairs.
 *
 * Two control-flow graphs share the blocks.  Scalar registers and EXEC follow
 * the linear one, that of the branch instructions: with divergent control
 * flow both arms of an if run.  A lane's own values follow the logical one,
 * that of the source: a write to a VGPR under a partial EXEC touches only
 * lanes that really go there, so VGPR lifetimes need no more than that. */
#ifndef COMPILER_GCN_MIR_H
#define COMPILER_GCN_MIR_H

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "isa/gcn.h"
#include "isa/gcn_uses.h"

/* An operand: a hardware operand number (isa/gcn.h) or a dword of a virtual
 * register. */
typedef uint32_t mir_opnd;
#define MIR_V_BIT 0x80000000u
enum { MIR_NONE = GCN_SRC_NONE, MIR_SUB_SHIFT = 26, MIR_MAX_TUPLE = 16, MIR_MAX_VREGS = 1 << 26 };
static inline mir_opnd mir_v(uint32_t vreg, unsigned sub) { return MIR_V_BIT | sub << MIR_SUB_SHIFT | vreg; }
static inline bool mir_is_v(mir_opnd o) { return o & MIR_V_BIT; }
static inline uint32_t mir_vreg_of(mir_opnd o) { return o & (MIR_MAX_VREGS - 1); }
static inline unsigned mir_sub_of(mir_opnd o) { return o >> MIR_SUB_SHIFT & 15; }
/* The operand n dwords further on. */
static inline mir_opnd mir_at(mir_opnd o, unsigned n) { return mir_is_v(o) ? o + (n << MIR_SUB_SHIFT) : o + n; }

enum mir_class { MIR_SGPR, MIR_VGPR };
struct mir_vreg {
	uint8_t cls, size;
	uint8_t align;      /* of the first dword's number */
	bool reload;        /* made by spilling, with the shortest life possible: never spilled */
	bool whole;         /* holds spilled SGPRs in its lanes, from end to end */
	uint16_t want;      /* where it is at entry, or MIR_NONE */
	uint16_t reg;       /* after allocation: operand number of the first dword */
};

enum { /* pseudo operations, numbered after enum gcn_op */
	MIR_COPY = GCN_OP_COUNT, /* parallel copy: reads all sources, then defines the destinations whole */
	MIR_UNDEF,               /* dst holds anything from here on */
	MIR_ANCHOR,              /* nothing: a place to insert before */
};

enum { MIR_DST = GCN_OPERAND_DST, MIR_SDST = GCN_OPERAND_SDST, MIR_SRC0 = GCN_OPERAND_SRC0, MIR_SRC1, MIR_SRC2, MIR_SRC3,
	MIR_OPNDS = GCN_OPERANDS };

struct mir_copy { mir_opnd dst, src; uint32_t literal; uint8_t dw; }; /* an immediate source fills each dword */

struct mir_block;
struct mir_inst {
	struct mir_inst *prev, *next;
	struct mir_block *block;
	uint16_t op;                  /* enum gcn_op or MIR_* */
	uint8_t dw[MIR_OPNDS];        /* width of each operand, 0 if absent */
	mir_opnd opnd[MIR_OPNDS];
	bool to_table;                /* its literal is the distance from what follows s_getpc, of which there is one, to the table */
	bool last_use;                /* source 0 is read nowhere else, after allocation too */
	struct mir_block *target;     /* branches */
	struct mir_copy *copies;      /* MIR_COPY */
	uint32_t copy_count;
	uint32_t at;                  /* number in layout order, by ra; address in dwords, by emit */
	uint32_t word;                /* SPIR-V word of what it was made for */
	struct gcn_inst g;            /* all but the register numbers */
};

struct mir_block {
	struct mir_block *prev, *next; /* layout order */
	struct mir_inst *first, *last;
	struct mir_block *logical[2];
	struct mir_block *linear[2];   /* by mir_edges */
	uint32_t index;                /* by mir_edges */
	uint32_t address;              /* dwords, by emit */
	struct mir_island *islands;    /* on the way to this block, by far */
	uint8_t depth;                 /* of loops */
	bool placed;
};

/* The control blocks of a divergent if, for cleaning up after allocation: what
 * lies between `flip` and `end` is the arm that runs second. */
struct mir_if { struct mir_if *next; struct mir_block *flip, *end; };

struct mir_func {
	struct ir_pool *pool;
	struct mir_vreg *vregs;        /* ir_calloc'ed, see mir_func_finish */
	uint32_t vreg_count, vreg_room;
	struct mir_block *first, *last;
	uint32_t block_count, inst_count;
	struct mir_if *ifs;
	uint32_t entry_vgprs;          /* hold inputs until they are copied: not for what lives throughout */
	uint32_t kept[2];              /* by class: so many registers, from the first on, are not this program's to write */
	uint32_t scratch_bytes;        /* a lane; spilling adds to it */
	uint32_t sgprs, vgprs;         /* used, after allocation */
	uint32_t spilled_sgprs, spilled_vgprs; /* dwords */
	const uint32_t *table;         /* compiler_shader.table_dwords of them; NULL: none */
	const struct isa_gsvs_component *gsvs; /* compiler_shader.gsvs_dwords of them; NULL: none */
	const struct isa_strmout_run *captures; /* compiler_shader.capture_dwords of them; NULL: none */
};

void mir_func_init(struct mir_func *m, struct ir_pool *pool);
void mir_func_finish(struct mir_func *m);

/* A new register of `size` dwords; SGPR tuples get the alignment gfx9 asks for. */
mir_opnd mir_vreg_new(struct mir_func *m, enum mir_class cls, unsigned size);

struct mir_block *mir_block_new(struct mir_func *m, unsigned depth);
void mir_place(struct mir_func *m, struct mir_block *b); /* at the end of the layout */

/* An instruction with no operand but the widths of the table; inserted with
 * mir_append or mir_insert. */
struct mir_inst *mir_inst_new(struct mir_func *m, unsigned op);
void mir_append(struct mir_block *b, struct mir_inst *in);
void mir_insert_before(struct mir_inst *at, struct mir_inst *in);
void mir_insert_after(struct mir_inst *at, struct mir_inst *in);
void mir_remove(struct mir_inst *in);

/* Bits 1 << MIR_DST.. of the operands the instruction reads and writes (isa/gcn_uses.h).
 * MIR_COPY is not covered. */
unsigned mir_reads(const struct mir_inst *in);
unsigned mir_writes(const struct mir_inst *in);
/* A look at an instruction, in ticks.  False: stop, the pool has failed. */
static inline bool mir_charge(struct mir_func *m, const struct mir_inst *in)
{
	return ir_charge_at(m->pool, 1 + in->copy_count / 4, in->word);
}
static inline bool mir_is_pseudo(const struct mir_inst *in) { return in->op >= GCN_OP_COUNT; }
static inline uint32_t mir_flags(const struct mir_inst *in)
{
	return mir_is_pseudo(in) ? 0 : gcn_op_info((enum gcn_op)in->op)->flags;
}

/* Numbers the blocks and finds the linear edges. */
void mir_edges(struct mir_func *m);

/* Removes instructions whose results nobody reads.  Needs selection's output. */
void mir_dce(struct mir_func *m);

/* Neighbouring scalar loads become wide ones.  Needs selection's output. */
void mir_merge_loads(struct mir_func *m);

/* Image instructions that do not wait for one another follow one another.  Needs selection's output. */
void mir_cluster_images(struct mir_func *m);

/* After allocation: drops empty arms, jumps to what follows and skips not worth it. */
void mir_clean(struct mir_func *m);

void mir_print(const struct mir_func *m, FILE *out);

#endif
