/* SPDX-License-Identifier: MIT */
/* What an assembler asks the instruction table: which encodings a mnemonic of a
 * generation has, which modifiers each takes, how registers are called.
 *
 * Names, numbers and modifiers come from gcn.def; this is a view of it by
 * generation.  The syntax meant is LLVM's, whose assembler is the judge. */
#ifndef ISA_GCN_FORMS_H
#define ISA_GCN_FORMS_H

#include "isa/gcn.h"

/* An opcode in one of its encodings. */
struct gcn_form {
	uint16_t op;      /* enum gcn_op */
	uint8_t fmt, sub; /* enum gcn_format, enum gcn_sub: as in struct gcn_inst */
};
enum { GCN_MAX_FORMS = 6 };

/* The forms of a mnemonic in the generation, the smallest first: 32-bit,
 * 64-bit, SDWA, DPP.  The name may end in _e32, _e64, _sdwa or _dpp, which
 * leaves that form only.  Returns their number: 0 when the generation has no
 * such mnemonic (or no such form of it). */
unsigned gcn_find_mnemonic(enum gcn_gen gen, const char *name, size_t length,
	struct gcn_form forms[GCN_MAX_FORMS]);

/* Whether any generation has the mnemonic: tells "unknown" from "not here". */
bool gcn_mnemonic_exists(const char *name, size_t length);

/* The mnemonic without suffix; NULL when the generation lacks the opcode. */
const char *gcn_op_name(enum gcn_gen gen, enum gcn_op op);

/* The smallest encoding of op: that of gcn_op_info, but for a few that are
 * VOP2 before gfx8 and VOP3 since (v_readlane_b32, v_bfm_b32 ..). */
enum gcn_format gcn_native_format(enum gcn_gen gen, enum gcn_op op);

/* gcn_op_info()->mods as far as the generation has them. */
unsigned gcn_op_mods(enum gcn_gen gen, enum gcn_op op);

/* Modifiers of assembly text, one bit each. */
enum gcn_modifier {
#define GCN_MODIFIERS(X) \
	X(OFFSET, "offset") X(OFFSET0, "offset0") X(OFFSET1, "offset1") X(GDS, "gds") \
	X(IDXEN, "idxen") X(OFFEN, "offen") X(ADDR64, "addr64") X(GLC, "glc") X(SLC, "slc") \
	X(LDS, "lds") X(TFE, "tfe") X(FORMAT, "format") X(DFMT, "dfmt") X(NFMT, "nfmt") \
	X(DMASK, "dmask") X(UNORM, "unorm") X(DA, "da") X(R128, "r128") X(A16, "a16") \
	X(LWE, "lwe") X(D16, "d16") X(DONE, "done") X(COMPR, "compr") X(VM, "vm") \
	X(HIGH, "high") X(ABS, "abs") X(NEG, "neg") X(SEXT, "sext") X(CLAMP, "clamp") X(OMOD, "omod") \
	X(OP_SEL, "op_sel") X(OP_SEL_HI, "op_sel_hi") X(NEG_LO, "neg_lo") X(NEG_HI, "neg_hi") \
	X(DPP_CTRL, "dpp_ctrl") X(ROW_MASK, "row_mask") X(BANK_MASK, "bank_mask") \
	X(BOUND_CTRL, "bound_ctrl") X(DST_SEL, "dst_sel") X(DST_UNUSED, "dst_unused") \
	X(SRC0_SEL, "src0_sel") X(SRC1_SEL, "src1_sel")
#define X(name, text) GCN_MOD_##name,
	GCN_MODIFIERS(X)
#undef X
	GCN_MOD_COUNT
};
/* LLVM's spelling; OMOD stands for mul:2, mul:4, div:2, and DPP_CTRL for
 * quad_perm and the row_ and wave_ controls. */
const char *gcn_modifier_name(enum gcn_modifier modifier);

/* Set of (uint64_t)1 << enum gcn_modifier that the form takes. */
uint64_t gcn_form_modifiers(enum gcn_gen gen, const struct gcn_form *form);

/* Limits of gcn_inst.offset in the form, in bytes (immediates of SOPK and SOPP:
 * in their own units); unit is what it must be a multiple of.  False when
 * the form has no offset. */
bool gcn_form_offset_range(enum gcn_gen gen, const struct gcn_form *form, int32_t *low,
	int32_t *high, unsigned *unit);

/* Named registers and constants of the source space (vcc, m0, exec_lo,
 * flat_scratch, ttmp0 .., src_shared_base): code and width in dwords.  False
 * when the generation has no such name.  s and v registers are not names. */
bool gcn_find_register(enum gcn_gen gen, const char *name, size_t length, unsigned *code,
	unsigned *dwords);
/* The other way; NULL without a name. */
const char *gcn_register_name(enum gcn_gen gen, unsigned code, unsigned dwords);

/* SGPRs s0 .. that the generation addresses: 104 before gfx8, then 102. */
unsigned gcn_sgpr_count(enum gcn_gen gen);
/* Code of ttmp0 and number of ttmp registers. */
unsigned gcn_ttmp_first(enum gcn_gen gen);
unsigned gcn_ttmp_count(enum gcn_gen gen);

/* The counters of s_waitcnt: bits of the immediate and largest value. */
struct gcn_waitcnt_field {
	uint8_t low, width;           /* of the low part */
	uint8_t high_low, high_width; /* of the high part, width 0 without one */
};
enum gcn_wait_counter { GCN_WAIT_VM, GCN_WAIT_EXP, GCN_WAIT_LGKM, GCN_WAIT_COUNT };
const struct gcn_waitcnt_field *gcn_waitcnt_layout(enum gcn_gen gen, enum gcn_wait_counter counter);

#endif
