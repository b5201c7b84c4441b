/* SPDX-License-Identifier: MIT */
/* Private to isa/: gcn.def and fields.def as arrays, for encoder, decoder and
 * disassembler.  Nothing outside isa/ includes this, except its tests. */
#ifndef ISA_GCN_TABLES_H
#define ISA_GCN_TABLES_H

#include "isa/gcn.h"

enum isa_enc {
#define ENC(enc, ...) ISA_ENC_##enc,
#define ENC_FIELD(...)
#include "isa/fields.def"
#undef ENC
#undef ENC_FIELD
	ISA_ENC_COUNT
};

/* How a member of struct gcn_inst maps to the bits of a field.  An absent
 * operand (GCN_SRC_NONE) is encoded as 0 unless said otherwise. */
enum isa_field_kind {
	ISA_OP,            /* the opcode's number */
	ISA_RAW,           /* the value itself */
	ISA_BIT0, ISA_BIT1, ISA_BIT2, ISA_BITS01, /* these bits of the value */
	ISA_UNSIGNED, ISA_SIGNED, /* offset */
	ISA_SIMM16,        /* offset: -32768..65535 encodes, decodes sign-extended */
	ISA_SREG,          /* SGPR and the like, number below 128 */
	ISA_SOPK_REG,      /* dst, or src[0] of an instruction without dst */
	ISA_SPAIR,         /* SGPR number / 2 */
	ISA_SQUAD,         /* SGPR number / 4 */
	ISA_SADDR,         /* SGPR, absent is 127 */
	ISA_SSRC,          /* source space without VGPRs */
	ISA_VSRC,          /* whole source space */
	ISA_VOP_SRC0,      /* the same, or the mark of SDWA or DPP */
	ISA_VGPR,          /* VGPR number (v_interp_mov: plain number) */
	ISA_VDST,          /* VGPR number, or SGPR where the row says DST_SGPR */
	ISA_VSRC1,         /* VGPR number: src[1], of v_madmk src[2]; SDWA: low byte */
	ISA_SMEM_SOFFSET, ISA_SMEM_SOFFSET_EN, ISA_SMEM_OFFSET, ISA_SMEM_IMM,
	ISA_SMRD_OFFSET, ISA_SMRD_IMM,
	ISA_SDWA_SRC0,     /* low byte of the source */
	ISA_SDWA_SCALAR,   /* 1: the source is no VGPR */
	ISA_SDWA_SDST, ISA_SDWA_SD, /* SD 0: VCC */
	ISA_IGNORED,       /* reserved: encoded as 0, any value decodes */
	ISA_KIND_COUNT
};

struct isa_field {
	const char *name;
	uint8_t enc, lo, width, kind;
	uint8_t member, size; /* place in struct gcn_inst */
};

struct isa_encoding {
	const char *name;
	uint32_t mask, match;
	uint8_t dwords;
	uint8_t gens; /* GCN_IN_* */
};

extern const struct isa_encoding isa_encodings[ISA_ENC_COUNT];
/* All fields in the order of fields.def; the fields of encoding e are
 * isa_fields[isa_field_first[e]] .. isa_fields[isa_field_first[e + 1] - 1]. */
extern const struct isa_field isa_fields[];
extern const uint16_t isa_field_first[ISA_ENC_COUNT + 1];

/* The opcode of a format's number, GCN_OP_COUNT if there is none.  Numbers are
 * those of the format itself; for GCN_VOP3 the VOP3 number of any row. */
enum gcn_op isa_find_op(enum gcn_gen gen, enum gcn_format format, unsigned number);

/* The number to encode for op in `format`, its native one or GCN_VOP3; -1 if
 * the generation lacks it. */
int isa_op_number(enum gcn_gen gen, enum gcn_op op, enum gcn_format format);

/* Which encoding an instruction of this opcode has in this format. */
enum isa_enc isa_encoding_of(enum gcn_gen gen, enum gcn_op op, enum gcn_format format);

/* The encoding of the SDWA or DPP dword. */
enum isa_enc isa_second_encoding(enum gcn_gen gen, const struct gcn_inst *in);

/* v_readlane and v_writelane as VOP2 (before gfx8): src1 is scalar. */
bool isa_lane_select(const struct gcn_inst *in, const struct gcn_op_info *info);

/* Width of source i in dwords: that of the row, but for the addresses of
 * buffers and GLOBAL, which depend on the record. */
unsigned isa_source_dw(const struct gcn_inst *in, int i);

/* SRC0 of a VOP word that is continued by an SDWA or DPP dword. */
enum { ISA_SRC_SDWA = 249, ISA_SRC_DPP = 250 };

/* True if the operand code names something: 0..511 without the gaps. */
bool isa_source_valid(enum gcn_gen gen, unsigned code);
/* True for a control that gfx8 and gfx9 define. */
bool isa_dpp_ctrl_valid(unsigned ctrl);

#endif
