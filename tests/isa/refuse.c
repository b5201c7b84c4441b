/* SPDX-License-Identifier: MIT */
/* What the encoder must refuse, and why; what the decoder must refuse. */
#include <stdio.h>
#include <string.h>

#include "isa/gcn.h"
#include "isa/text/gcn_disasm.h"

static int failures;

static void refused_by(enum gcn_gen gen, struct gcn_inst in, const char *expected)
{
	uint32_t words[4];
	const char *why = "(encoded)";
	if (gcn_encode(gen, &in, words, &why) || strcmp(why, expected)) {
		char text[256];
		gcn_disasm(gen, &in, 0, text, sizeof(text));
		fprintf(stderr, "%s: %s, expected: %s\n", text, why, expected);
		failures++;
	}
}

static void refused(struct gcn_inst in, const char *expected)
{
	refused_by(GCN_GFX9, in, expected);
}

static struct gcn_inst vop(enum gcn_op op, unsigned dst, unsigned a, unsigned b, unsigned c)
{
	struct gcn_inst in;
	gcn_inst_init(&in, op);
	in.dst = (uint16_t)dst;
	in.src[0] = (uint16_t)a;
	in.src[1] = (uint16_t)b;
	in.src[2] = (uint16_t)c;
	return in;
}

enum { V0 = 256, NONE = GCN_SRC_NONE, LITERAL = GCN_SRC_LITERAL };

static void vector_refusals(void)
{
	struct gcn_inst in = vop(GCN_V_ADD_F32, V0, 1, 2, NONE);
	refused(in, "more than one scalar operand");
	in = vop(GCN_V_ADD_F32, V0, V0, 2, NONE);
	refused(in, "the operand must be a VGPR");
	in = vop(GCN_V_ADD_F32, 3, V0, V0, NONE);
	refused(in, "the operand must be a VGPR");
	in = vop(GCN_V_ADD_F32, V0, V0, NONE, NONE);
	refused(in, "a source operand is missing");
	in = vop(GCN_V_ADD_F32, NONE, V0, V0, NONE);
	refused(in, "the destination is missing");
	in = vop(GCN_V_ADD_F32, V0, 125, V0, NONE);
	refused(in, "the operand is no source of this encoding");
	in = vop(GCN_V_ADD_F32, V0, V0, V0, NONE);
	in.neg = 1;
	refused(in, "modifiers need the 64-bit form");
	in.fmt = GCN_VOP3;
	in.op_sel = 1;
	refused(in, "the instruction takes no op_sel");
	in = vop(GCN_V_FMA_F32, V0, V0, LITERAL, V0);
	refused(in, "VOP3 takes no literal");
	in = vop(GCN_V_FMA_F64, V0, V0 + 255, V0, V0);
	refused(in, "register tuple runs over the end of the file");
	in = vop(GCN_V_AND_B32, V0, V0, V0, NONE);
	in.fmt = GCN_VOP3;
	in.abs = 1;
	refused(in, "a source that takes no abs or neg");
	in.abs = 0;
	in.omod = 1;
	refused(in, "the instruction takes no omod");
	in = vop(GCN_V_CNDMASK_B32, V0, V0, V0, 4);
	refused(in, "the 32-bit form reads VCC only");
	in.fmt = GCN_VOP3;
	in.src[2] = 5;
	refused(in, "the mask must be an aligned SGPR pair");
	in = vop(GCN_V_ADD_CO_U32, V0, V0, V0, NONE);
	in.sdst = 4;
	refused(in, "the 32-bit form writes VCC only");
	in = vop(GCN_V_MADMK_F32, V0, V0, LITERAL, V0);
	in.fmt = GCN_VOP3;
	refused(in, "the instruction has no such encoding");
	in = vop(GCN_V_MADAK_F32, V0, V0, V0, V0);
	refused(in, "the constant must be a literal");
	in = vop(GCN_V_ADD_F64, V0, V0, V0, NONE);
	in.sub = GCN_SUB_SDWA;
	refused(in, "SDWA and DPP are forms of VOP1, VOP2 and VOPC");
	in = vop(GCN_V_CVT_F64_I32, V0, V0, NONE, NONE);
	in.sub = GCN_SUB_DPP;
	refused(in, "the instruction has no DPP form");
	in = vop(GCN_V_MOV_B32, V0, V0, NONE, NONE);
	in.sub = GCN_SUB_DPP;
	in.dpp_ctrl = 0x110;
	refused(in, "unknown DPP control");
	in.sub = GCN_SUB_SDWA;
	in.dst_sel = 7;
	refused(in, "unknown SDWA selection");
}

static void scalar_refusals(void)
{
	struct gcn_inst in = vop(GCN_S_MOV_B64, 8, 3, NONE, NONE);
	refused(in, "SGPR tuple is not aligned");
	in = vop(GCN_S_MOV_B32, 8, V0, NONE, NONE);
	refused(in, "the operand is no source of this encoding");
	in = vop(GCN_S_MOVK_I32, 8, NONE, NONE, NONE);
	in.offset = 0x10000;
	refused(in, "offset or immediate out of range");
	in = vop(GCN_S_LOAD_DWORDX4, 6, 2, NONE, NONE);
	refused(in, "SGPR tuple is not aligned");
	in = vop(GCN_S_LOAD_DWORDX8, 96, 2, NONE, NONE);
	refused(in, "register tuple runs over the end of the file");
	in = vop(GCN_S_BUFFER_LOAD_DWORD, 6, 2, NONE, NONE);
	refused(in, "SGPR tuple is not aligned");
	in = vop(GCN_S_BUFFER_LOAD_DWORD, 6, 4, NONE, NONE);
	in.offset = -4;
	refused(in, "offset or immediate out of range");
}

static void memory_refusals(void)
{
	struct gcn_inst in = vop(GCN_BUFFER_LOAD_DWORD, V0, V0, 8, 128);
	refused(in, "an address without idxen, offen or addr64");
	in.idxen = 1;
	in.offset = 4096;
	refused(in, "offset or immediate out of range");
	in = vop(GCN_BUFFER_LOAD_DWORD, V0, NONE, 10, 128);
	refused(in, "SGPR tuple is not aligned");
	in = vop(GCN_GLOBAL_LOAD_DWORDX2, V0, V0, NONE, NONE);
	in.offset = 4096;
	refused(in, "offset or immediate out of range");
	in.offset = 0;
	in.lds = 1;
	refused(in, "the instruction has no lds form");
	in = vop(GCN_FLAT_LOAD_DWORD, V0, V0, NONE, NONE);
	in.offset = -1;
	refused(in, "offset or immediate out of range");
	in = vop(GCN_DS_GWS_INIT, NONE, V0, NONE, NONE);
	refused(in, "the instruction is for GDS only");
	in = vop(GCN_V_INTERP_MOV_F32, V0, 3, NONE, NONE);
	refused(in, "operand out of range");
	in = vop(GCN_V_INTERP_P1_F32, V0, V0, NONE, NONE);
	in.attr = 64;
	refused(in, "modifier out of range");
}

/* What one generation has and another lacks. */
static void generation_refusals(void)
{
	struct gcn_inst in = vop(GCN_V_ADD_U32, V0, V0, V0, NONE);
	refused_by(GCN_GFX8, in, "the instruction has no such encoding");
	in = vop(GCN_V_LSHL_B32, V0, V0, V0, NONE);
	refused_by(GCN_GFX9, in, "the instruction has no such encoding");
	in = vop(GCN_V_MOV_B32, V0, V0, NONE, NONE);
	in.sub = GCN_SUB_DPP;
	refused_by(GCN_GFX7, in, "the instruction has no DPP form");
	in = vop(GCN_V_MOV_B32, V0, 4, NONE, NONE);
	in.sub = GCN_SUB_SDWA;
	refused_by(GCN_GFX8, in, "the operand must be a VGPR");
	in = vop(GCN_V_ADD_F32, V0, GCN_SRC_INV_2PI, V0, NONE);
	refused_by(GCN_GFX7, in, "the operand is no source of this encoding");
	refused_by(GCN_GFX6, vop(GCN_S_MOV_B32, 104, 0, NONE, NONE), "the operand must be an SGPR");
	refused_by(GCN_GFX8, vop(GCN_S_MOV_B32, 104, 0, NONE, NONE), "the operand must be an SGPR");
	in = vop(GCN_V_ADD_CO_U32, V0, V0, V0, NONE);
	in.fmt = GCN_VOP3;
	in.sdst = 4;
	in.clamp = 1;
	refused_by(GCN_GFX7, in, "the instruction takes no clamp");
	in = vop(GCN_V_MIN_F16, V0, V0, V0, NONE);
	in.fmt = GCN_VOP3;
	in.op_sel = 1;
	refused_by(GCN_GFX8, in, "the instruction takes no op_sel");
	in = vop(GCN_V_READLANE_B32, 4, V0, 1, NONE);
	in.fmt = GCN_VOP3;
	refused_by(GCN_GFX6, in, "the instruction has no such encoding");
	in = vop(GCN_V_MOVRELS_B32, V0, 4, NONE, NONE);
	refused_by(GCN_GFX8, in, "the operand must be a VGPR");
	in = vop(GCN_V_MOVRELD_B32, V0, 4, NONE, NONE);
	refused_by(GCN_GFX8, in, "more than one scalar operand");
}

/* Operands and values that llvm-mc refuses too. */
static void operand_refusals(void)
{
	struct gcn_inst in = vop(GCN_V_WRITELANE_B32, V0, V0, 4, NONE);
	refused(in, "the operand must be scalar");
	in = vop(GCN_V_WRITELANE_B32, V0, 4, 5, NONE);
	refused(in, "more than one scalar operand");
	in = vop(GCN_V_READLANE_B32, 4, 5, 6, NONE);
	refused(in, "the operand must be a VGPR");
	in = vop(GCN_V_MQSAD_U32_U8, V0, V0, V0, 8);
	refused(in, "the operand must be a VGPR");
	in = vop(GCN_V_LSHLREV_B32, V0, GCN_SRC_LDS_DIRECT, V0, NONE);
	refused(in, "LDS_DIRECT cannot be the first source here");
	in = vop(GCN_V_WRITELANE_B32, V0, GCN_SRC_LDS_DIRECT, 4, NONE);
	refused(in, "LDS_DIRECT cannot be the first source here");
	in = vop(GCN_V_ADD_U32, V0, V0, GCN_SRC_LDS_DIRECT, NONE);
	in.sub = GCN_SUB_SDWA;
	refused(in, "LDS_DIRECT can be the first source only");
	in = vop(GCN_V_FMA_F32, V0, V0, GCN_SRC_LDS_DIRECT, V0);
	refused(in, "LDS_DIRECT can be the first source only");
	refused(vop(GCN_S_MOV_B32, 4, GCN_SRC_LDS_DIRECT, NONE, NONE), "scalar instructions do not read LDS");
	refused(vop(GCN_S_SETPC_B64, NONE, GCN_SRC_1F, NONE, NONE), "the operand must be an SGPR");
	in = vop(GCN_S_CBRANCH_G_FORK, NONE, 4, LITERAL, NONE);
	refused(in, "the instruction takes no literal");
	refused(vop(GCN_S_LOAD_DWORD, GCN_SRC_M0, 4, NONE, NONE), "M0 and EXEC cannot be memory data");
	in = vop(GCN_S_BARRIER, NONE, NONE, NONE, NONE);
	in.offset = 1;
	refused(in, "the instruction takes no immediate");
}

static void form_refusals(void)
{
	struct gcn_inst in = vop(GCN_BUFFER_STORE_DWORD, V0, NONE, 8, 128);
	in.tfe = 1;
	refused(in, "tfe is of loads");
	in = vop(GCN_BUFFER_LOAD_DWORD, V0, NONE, 8, LITERAL);
	refused(in, "the offset cannot be a literal");
	in = vop(GCN_BUFFER_STORE_LDS_DWORD, NONE, NONE, 8, 128);
	refused(in, "the instruction has the lds form only");
	in = vop(GCN_DS_PERMUTE_B32, V0, V0, V0, NONE);
	in.gds = 1;
	refused(in, "the instruction is for LDS only");
	in = vop(GCN_S_DCACHE_DISCARD, NONE, 4, NONE, NONE);
	in.glc = 1;
	refused(in, "the instruction takes no glc");
	in = vop(GCN_IMAGE_GATHER4, V0, V0, 8, 16);
	in.dmask = 3;
	refused(in, "dmask of gather4 must have one bit");
	in = vop(GCN_IMAGE_ATOMIC_CMPSWAP, V0, V0, 8, NONE);
	in.dmask = 1;
	refused(in, "dmask of an atomic must be that of one or two dwords, doubled for a comparison");
}

static void generation_memory_refusals(void)
{
	struct gcn_inst in = vop(GCN_S_LOAD_DWORD, 6, 2, NONE, NONE);
	in.offset = 2;
	refused_by(GCN_GFX6, in, "the offset is no multiple of 4");
	in.offset = 1024;
	refused_by(GCN_GFX7, in, "offset or immediate out of range");
	in.offset = -4;
	refused_by(GCN_GFX8, in, "offset or immediate out of range");
	in.src[1] = 4;
	in.offset = 4;
	refused_by(GCN_GFX8, in, "an SGPR and an immediate offset at once");
	refused_by(GCN_GFX6, in, "an SGPR and an immediate offset at once");
	in.offset = 0;
	in.src[1] = LITERAL;
	refused_by(GCN_GFX6, in, "no literal offset in this generation");
	in = vop(GCN_BUFFER_LOAD_DWORD, V0, V0, 8, 128);
	in.addr64 = 1;
	refused_by(GCN_GFX8, in, "addr64 is of gfx6 and gfx7");
	in.idxen = 1;
	refused_by(GCN_GFX7, in, "addr64 excludes idxen and offen");
	in = vop(GCN_BUFFER_LOAD_DWORDX2, NONE, NONE, 8, 128);
	in.lds = 1;
	refused_by(GCN_GFX9, in, "the instruction has no lds form");
	in = vop(GCN_FLAT_LOAD_DWORD, V0, V0, NONE, NONE);
	refused_by(GCN_GFX6, in, "the instruction has no such encoding");
	in.offset = 4;
	refused_by(GCN_GFX8, in, "FLAT has no offset before gfx9");
	in = vop(GCN_IMAGE_LOAD, V0, V0, 8, NONE);
	in.dmask = in.d16 = 1;
	refused_by(GCN_GFX7, in, "the instruction has no d16 form");
	in = vop(GCN_IMAGE_ATOMIC_ADD, V0, V0, 8, NONE);
	in.dmask = in.d16 = 1;
	refused_by(GCN_GFX9, in, "the instruction has no d16 form");
}

static void decode_refusals(void)
{
	static const uint32_t words[][2] = {
		{ 0x8000007d, 0 }, /* s_add_u32 with source 125 */
		{ 0x9b000000, 0 }, /* no such SOP2 opcode */
		{ 0xd1010000, 0x000000ff }, /* literal in VOP3 */
		{ 0x020000fa, 0x00011000 }, /* DPP control 0x110 */
		{ 0x2e0000f9, 0x00000700 }, /* SDWA of v_madmk_f32 */
		{ 0xbf9f0000, 0 }, { 0x7e00a100, 0 }, { 0xc8000000, 0 }, { 0xf8000000, 0 },
	};
	struct gcn_inst in;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (gcn_decode(GCN_GFX9, words[i], 2, &in)) {
			fprintf(stderr, "%08x decodes as %s\n", words[i][0], gcn_op_info((enum gcn_op)in.op)->name);
			failures++;
		}
	if (gcn_decode(GCN_GFX9, words[0], 0, &in))
		failures++;
}

int main(void)
{
	vector_refusals();
	scalar_refusals();
	memory_refusals();
	operand_refusals();
	form_refusals();
	generation_refusals();
	generation_memory_refusals();
	decode_refusals();
	return failures ? 1 : 0;
}
