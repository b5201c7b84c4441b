/* SPDX-License-Identifier: MIT */
/* Generations, and the numbers of operands and of export targets: what waves are made
 * of for those who neither read nor write instructions.
 *
 * Operands use the hardware's 9-bit source space throughout:
 *   0..101 SGPR, 102/103 FLAT_SCRATCH, 104/105 XNACK_MASK, 106/107 VCC,
 *   108..123 TTMP, 124 M0, 126/127 EXEC, 128 the constant 0, 129..192 the
 *   integers 1..64, 193..208 -1..-16, 235..239 apertures, 240..247 the floats
 *   0.5 -0.5 1 -1 2 -2 4 -4, 248 1/(2*pi), 251 VCCZ, 252 EXECZ, 253 SCC,
 *   254 LDS_DIRECT, 255 a literal dword, 256..511 VGPR 0..255.
 * A destination VGPR n is therefore 256 + n, in every format. */
#ifndef ISA_GCN_OPERAND_H
#define ISA_GCN_OPERAND_H

/* gfx600, gfx700, gfx803, gfx900. */
enum gcn_gen { GCN_GFX6, GCN_GFX7, GCN_GFX8, GCN_GFX9, GCN_GEN_COUNT };
enum { GCN_IN_GFX6 = 1, GCN_IN_GFX7 = 2, GCN_IN_GFX8 = 4, GCN_IN_GFX9 = 8 }; /* sets of them */

enum {
	GCN_SRC_FLAT_SCRATCH = 102, GCN_SRC_XNACK_MASK = 104, GCN_SRC_VCC = 106, GCN_SRC_TTMP0 = 108, GCN_SRC_M0 = 124,
	/* Until gfx8; the TTMPs begin behind these there. */
	GCN_SRC_FLAT_SCRATCH_GFX7 = 104, GCN_SRC_TBA = 108, GCN_SRC_TMA = 110, GCN_SRC_TTMP0_GFX6 = 112,
	GCN_SRC_EXEC = 126, GCN_SRC_0 = 128, GCN_SRC_NEG1 = 193,
	GCN_SRC_HALF = 240, GCN_SRC_1F = 242, GCN_SRC_NEG1F = 243,
	GCN_SRC_2F = 244, GCN_SRC_4F = 246, GCN_SRC_INV_2PI = 248,
	/* Apertures, gfx9: isa/abi.h. */
	GCN_SRC_SHARED_BASE = 235, GCN_SRC_SHARED_LIMIT = 236, GCN_SRC_PRIVATE_BASE = 237, GCN_SRC_PRIVATE_LIMIT = 238,
	GCN_SRC_POPS_EXITING_WAVE_ID = 239,
	GCN_SRC_VCCZ = 251, GCN_SRC_EXECZ = 252, GCN_SRC_SCC = 253,
	GCN_SRC_LDS_DIRECT = 254,
	GCN_SRC_LITERAL = 255, GCN_SRC_VGPR0 = 256,
	GCN_SRC_NONE = 0xffff, /* the operand is absent ("off") */
};

/* EXP targets. */
enum { GCN_EXP_MRT0 = 0, GCN_EXP_MRTZ = 8, GCN_EXP_NULL = 9,
	GCN_EXP_POS0 = 12, GCN_EXP_PARAM0 = 32 };

#endif
