/* SPDX-License-Identifier: MIT */
/* GCN machine code: the instruction record, encoder, decoder.
 *
 * One record, struct gcn_inst, stands for one machine instruction of any
 * generation.  Operands are those of gcn_operand.h.
 *
 * Opcodes are enum gcn_op, one per row of gcn.def: GCN_S_MOV_B32,
 * GCN_V_ADD_F32, GCN_BUFFER_LOAD_DWORD ...: LLVM's gfx900 mnemonic without an
 * encoding suffix.  The encoding used (VOP2 or VOP3, say) is gcn_inst.fmt.
 *
 * What the generations before gfx9 have otherwise in a record:
 *   - Codes: before gfx8, 102 and 103 are SGPRs, and FLAT_SCRATCH is 104/105
 *     (gfx7; gfx6 has none); gfx8 has no 104/105.  108..111 are TBA and TMA, so
 *     TTMP begins at 112.  235..239 are gfx9's; 248 is missing before gfx8.
 *   - SMEM before gfx8 (SMRD): an immediate counts dwords in machine code and
 *     text; gcn_inst.offset is in bytes all the same.  gfx7's literal form has
 *     src[1] = GCN_SRC_LITERAL, and gcn_inst.literal counts dwords.
 *   - s_waitcnt: see gcn_forms.h, as for offset ranges and modifiers.
 *   - FLAT has no offset before gfx9; GLOBAL, SCRATCH and VOP3P do not exist.
 *   - MIMG: r128 in place of a16; d16 on gfx8 is not packed, see d16_unpacked.
 *   - LDS accesses before gfx9 are clamped by M0.
 */
#ifndef ISA_GCN_H
#define ISA_GCN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "isa/gcn_operand.h"

/* Encodings.  SDWA and DPP are forms of VOP1, VOP2 and VOPC, see gcn_inst. */
enum gcn_format {
	GCN_SOP2, GCN_SOPK, GCN_SOP1, GCN_SOPC, GCN_SOPP, GCN_SMEM,
	GCN_VOP2, GCN_VOP1, GCN_VOPC, GCN_VOP3, GCN_VOP3P, GCN_VINTRP,
	GCN_DS, GCN_MUBUF, GCN_MTBUF, GCN_MIMG, GCN_EXP,
	GCN_FLAT, GCN_GLOBAL, GCN_SCRATCH, GCN_FORMAT_COUNT
};

enum gcn_op {
#define GCN(name, ...) GCN_##name,
#include "isa/gcn.def"
#undef GCN
	GCN_OP_COUNT
};

enum gcn_sub { GCN_SUB_NONE, GCN_SUB_SDWA, GCN_SUB_DPP };

struct gcn_inst {
	uint16_t op;  /* enum gcn_op */
	uint8_t fmt;  /* enum gcn_format: the encoding used */
	uint8_t size; /* bytes, literal included; set by decode and encode */

	/* Operands, GCN_SRC_NONE when absent.
	 * dst: first destination (VGPR or SGPR; data loaded; SMEM sdst).
	 * sdst: second destination (carry-out or compare mask of VOP3B; for
	 *       VOPC in VOP2-size form it is VCC, for VOP3/SDWA any pair).
	 * src[0..2]: sources in assembly order for SOP and VOP.
	 *  SMEM:   src[0] sbase (SGPR number), src[1] soffset SGPR or NONE (the
	 *          immediate is in offset), dst data (load: destination, store: source).
	 *  VINTRP: src[0] VGPR, or for v_interp_mov 0 P10, 1 P20, 2 P0.
	 *  DS:     src[0] address VGPR, src[1] data0, src[2] data1, dst.
	 *  MUBUF/MTBUF: src[0] vaddr, src[1] srsrc (SGPR number), src[2]
	 *          soffset; dst vdata (loaded or stored).
	 *  MIMG:   src[0] vaddr, src[1] srsrc, src[2] ssamp; dst vdata.
	 *  EXP:    src[0..3] the four VGPRs (by mask en), target in exp_target.
	 *  FLAT/GLOBAL/SCRATCH: src[0] vaddr, src[1] data, src[2] saddr or
	 *          NONE ("off"); dst. */
	uint16_t dst, sdst, src[4];
	uint32_t literal; /* when a source is GCN_SRC_LITERAL; also s_setreg_imm32 */
	int32_t offset;   /* DS, SMEM, MUBUF, FLAT..: byte offset; SOPK/SOPP: simm16
	                   * (sign-extended); ds_*2*: offset0 | offset1 << 8 */

	uint8_t neg, abs;        /* VOP3/SDWA/DPP: bit i for src[i]; VOP3P: neg_lo */
	uint8_t neg_hi;          /* VOP3P; v_mad_mix: abs */
	uint8_t op_sel, op_sel_hi; /* VOP3: op_sel bits 0-2 sources, 3 destination; of
	                          * VOP3 interpolation bit 0 is "high" */
	uint8_t clamp, omod;     /* omod: 0 none, 1 *2, 2 *4, 3 /2 */

	uint8_t sub;             /* enum gcn_sub */
	uint8_t dst_sel, dst_unused, src_sel[2], src_sext; /* SDWA; sext bit i */
	uint16_t dpp_ctrl;
	uint8_t row_mask, bank_mask, bound_ctrl; /* DPP */

	uint8_t attr, attrchan;  /* VINTRP */
	uint8_t gds;             /* DS */
	uint8_t glc, slc, tfe, lds, idxen, offen; /* MUBUF, MTBUF, SMEM, FLAT */
	uint8_t addr64;          /* MUBUF and MTBUF before gfx8: vaddr is a 64-bit address */
	uint8_t dfmt, nfmt;      /* MTBUF */
	uint8_t dmask, unorm, da, lwe, d16; /* MIMG */
	uint8_t r128_a16;        /* MIMG: r128 (T# of 128 bits) before gfx9, a16 on gfx9 */
	uint8_t d16_unpacked;    /* MIMG d16 of gfx8: one component a dword; set by decode and encode */
	uint8_t exp_target, en, done, compr, vm; /* EXP */
};

/* Operand kinds of gcn.def rows, for generic walkers (liveness, waits). */
struct gcn_op_info {
	const char *name;       /* mnemonic, lower case; by generation: gcn_op_name */
	uint8_t fmt;            /* native encoding */
	int16_t opcode[GCN_GEN_COUNT]; /* -1: the generation lacks it */
	uint8_t dst_dw, sdst_dw; /* width in dwords; MIMG/EXP 0: from the record */
	uint8_t src_dw[4];
	uint32_t flags;
	uint8_t mods;           /* GCN_M_*: modifiers that vector instructions take */
};
enum {
	GCN_M_SRC0 = 1, GCN_M_SRC1 = 2, GCN_M_SRC2 = 4, /* the source takes abs and neg */
	GCN_M_CLAMP = 8, GCN_M_OMOD = 16, GCN_M_OP_SEL = 32, /* of the 64-bit form */
	GCN_M_SDWA = 64, GCN_M_DPP = 128, /* the form exists */
};
enum {
	GCN_F_READS_SCC = 1 << 0, GCN_F_WRITES_SCC = 1 << 1,
	GCN_F_READS_VCC = 1 << 2, GCN_F_WRITES_VCC = 1 << 3, /* implicit */
	GCN_F_READS_EXEC = 1 << 4, GCN_F_WRITES_EXEC = 1 << 5,
	GCN_F_READS_M0 = 1 << 6, GCN_F_DST_READ = 1 << 7, /* dst is also a source (mac, writelane) */
	GCN_F_BRANCH = 1 << 8, GCN_F_TERMINATES = 1 << 9,
	GCN_F_LOAD = 1 << 10, GCN_F_STORE = 1 << 11, GCN_F_ATOMIC = 1 << 12,
	GCN_F_SRC0_LANES = 1 << 13, /* crosses lanes (readlane, permute..) */
	GCN_F_FLOAT = 1 << 14,      /* abs/neg/clamp/omod have float meaning */
	GCN_F_WRITES_M0 = 1 << 15,
	GCN_F_PAIR_OFFSET = 1 << 16,   /* DS: two 8-bit offsets, see gcn_inst.offset */
	GCN_F_FIXED_LITERAL = 1 << 17, /* a literal dword always follows (madmk, setreg_imm32) */
	GCN_F_GATHER4 = 1 << 18,
	GCN_F_NO_VOP3 = 1 << 19,       /* has no 64-bit form */
	GCN_F_VOP3_INTERP = 1 << 20,   /* VOP3 with VINTRP's attribute in place of src0 */
	GCN_F_MIX = 1 << 21,           /* v_mad_mix: op_sel_hi 0 by default, 1 selects f16 */
	GCN_F_GDS_ONLY = 1 << 22,
	GCN_F_DST_SGPR = 1 << 23,      /* vector instruction with a scalar result (readlane) */
	GCN_F_LITERAL_SRC1 = 1 << 24,  /* madmk: the fixed literal is src[1], else the last source */
	GCN_F_RAW_OPERAND = 1 << 25,   /* an operand is a plain number, see gcn.def */
	GCN_F_NO_IMM = 1 << 26,        /* SOPP without an immediate */
	GCN_F_MAY_LDS = 1 << 27,       /* MUBUF, GLOBAL, SCRATCH: the form to LDS exists */
	GCN_F_MAY_D16 = 1 << 28,       /* MIMG: has d16 */
	GCN_F_16BIT = 1 << 29,         /* VOP1, VOP2, VOPC: src0 has 16 bits, so has a literal */
	GCN_F_REGISTER_ONLY = 1 << 30, /* SOP1, SOP2: sources are registers, no constants */
};
const struct gcn_op_info *gcn_op_info(enum gcn_op op);

/* Resets *in to op in its native encoding, all operands absent, modifiers 0
 * except op_sel_hi of packed instructions: all ones, the usual selection. */
void gcn_inst_init(struct gcn_inst *in, enum gcn_op op);

/* Encodes *in (for VOP1/VOP2/VOPC set in->fmt = GCN_VOP3 to force the 64-bit
 * form).  Writes at most 4 dwords; returns their number, 0 when the record
 * cannot be encoded (then *why, if not NULL, is a static message). */
unsigned gcn_encode(enum gcn_gen gen, struct gcn_inst *in, uint32_t out[4], const char **why);

/* Decodes one instruction of at most `dwords` dwords.  Returns the dwords
 * consumed, 0 for an undecodable or truncated word. */
unsigned gcn_decode(enum gcn_gen gen, const uint32_t *code, size_t dwords, struct gcn_inst *out);

/* Inline constants: operand codes 128..208 and 240..248.  The value of such a
 * code in an operand of 16, 32 or 64 bits: integers with their sign in all 64
 * bits, floats as bits of that width. */
static inline bool gcn_is_inline_constant(unsigned code)
{
	return (code >= GCN_SRC_0 && code < GCN_SRC_NEG1 + 16) || (code >= GCN_SRC_HALF && code <= GCN_SRC_INV_2PI);
}
uint64_t gcn_inline_constant(unsigned code, unsigned width);
/* And back: the code of an integer, or of a float's bits; GCN_SRC_LITERAL where
 * there is none. */
unsigned gcn_inline_int(int64_t value);
unsigned gcn_inline_float(enum gcn_gen gen, unsigned width, uint64_t bits);

/* Number of VGPRs a MIMG instruction loads or stores; of its address for an image of three dimensions (or two and samples),
 * the most that it may look at; and for one of two dimensions without samples, with layers or faces if it says so (da). */
unsigned gcn_mimg_data_dw(const struct gcn_inst *in);
unsigned gcn_mimg_address_dw(const struct gcn_inst *in);
unsigned gcn_mimg_flat_address_dw(const struct gcn_inst *in);

/* s_waitcnt immediate of gfx9 (older ones lack vmcnt beyond 15): vmcnt 0..63, expcnt 0..7, lgkmcnt 0..15. */
static inline uint16_t gcn_waitcnt(unsigned vm, unsigned exp, unsigned lgkm)
{
	return (uint16_t)((vm & 15) | (exp & 7) << 4 | (lgkm & 15) << 8 | (vm >> 4 & 3) << 14);
}

#endif
