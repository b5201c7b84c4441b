/* SPDX-License-Identifier: MIT */
/* What an instruction reads and writes: one answer for the compiler (liveness,
 * waits), the translator (liveness) and whoever else walks over code.
 *
 * It follows from the row of gcn.def and from the modifiers in the record; what
 * the manuals say of a single opcode stands in its row's flags, or by name in
 * gcn_uses.c.  tests/core/test_uses.c holds it against the interpreter. */
#ifndef ISA_GCN_USES_H
#define ISA_GCN_USES_H

#include "isa/gcn.h"

/* The operands of a record, in an order of their own. */
enum gcn_operand {
	GCN_OPERAND_DST, GCN_OPERAND_SDST, GCN_OPERAND_SRC0, GCN_OPERAND_SRC1, GCN_OPERAND_SRC2, GCN_OPERAND_SRC3,
	GCN_OPERANDS
};

/* Bits 1 << GCN_OPERAND_* by enum gcn_op: what the row says that it reads and writes. */
struct gcn_roles { uint8_t read, written; };
extern const struct gcn_roles gcn_roles[GCN_OP_COUNT];
/* The same with the modifiers of the record; `written`: of an instruction with glc or lds. */
unsigned gcn_modified_reads(const struct gcn_inst *in);
unsigned gcn_modified_writes(const struct gcn_inst *in);

/* Operands that are registers and that the instruction reads and writes, if it has them: an
 * operand of the record may be absent, or not be filled in yet. */
static inline unsigned gcn_operands_read(const struct gcn_inst *in)
{
	return in->sub | in->op_sel ? gcn_modified_reads(in) : gcn_roles[in->op].read;
}
static inline unsigned gcn_operands_written(const struct gcn_inst *in)
{
	return in->glc | in->lds ? gcn_modified_writes(in) : gcn_roles[in->op].written;
}

/* Registers by operand number: SGPRs, VCC, M0, EXEC .. and VGPRs from 256; SCC as GCN_SRC_SCC.
 * lanes: a bit a lane, so a part of the wave needs that part of it only. */
struct gcn_span { uint16_t first; uint8_t dwords, lanes; };

enum { GCN_USES_MAX = 10 };
struct gcn_uses {
	uint8_t reads, writes;      /* how many spans; none twice but where an operand is */
	bool exec;                  /* in the lanes of EXEC only (EXEC as a value is a span) */
	struct gcn_span read[GCN_USES_MAX], written[4];
};
/* A register that keeps a part of itself in lanes that are on (16-bit results, v_mac) is read. */
void gcn_uses(enum gcn_gen gen, const struct gcn_inst *in, struct gcn_uses *u);

/* Whether it may leave its result as it was, by SCC. */
static inline bool gcn_writes_maybe(unsigned op) { return op == GCN_S_CMOV_B32 || op == GCN_S_CMOV_B64 || op == GCN_S_CMOVK_I32; }

/* What else it does, besides what its registers tell. */
enum {
	GCN_READS_MEMORY = 1, GCN_WRITES_MEMORY = 2, /* scalar, buffer, image, flat */
	GCN_READS_LDS = 4, GCN_WRITES_LDS = 8,       /* and GDS */
	GCN_EXPORTS = 16, GCN_JUMPS = 32, GCN_ENDS = 64,
	GCN_CHANGES_STATE = 128,  /* MODE, VGPR indexing, caches, messages, barriers, waits */
	GCN_READS_STATE = 256,    /* MODE, clocks, PC */
	GCN_ANY_VGPR = 512, GCN_ANY_SGPR = 1024, /* M0 says which: its operands are not all it touches */
};
unsigned gcn_effects(const struct gcn_inst *in);

/* Which part of the compute unit executes it: what s_waitcnt's counters and hazards go by. */
enum gcn_unit { GCN_UNIT_SALU, GCN_UNIT_SMEM, GCN_UNIT_VALU, GCN_UNIT_LDS, GCN_UNIT_VMEM, GCN_UNIT_EXPORT };
extern const uint8_t gcn_units[GCN_FORMAT_COUNT];
static inline enum gcn_unit gcn_unit(enum gcn_format format) { return (enum gcn_unit)gcn_units[format]; }

#endif
