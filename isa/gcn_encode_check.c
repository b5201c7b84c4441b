/* SPDX-License-Identifier: MIT */
/* What no single field of an instruction can see: operands that are missing,
 * tuples that run over, modifiers and forms that the instruction lacks. */
#include "isa/gcn_encode_priv.h"

#include <string.h>

/* A vector instruction reads one SGPR (or pair) or literal: there is one
 * constant bus (Vega ISA 4.2). */
static bool constant_bus_ok(const struct gcn_inst *in, const struct gcn_op_info *info)
{
	unsigned used = 0; /* number and width */
	bool mask_operand = in->fmt == GCN_VOP3 && info->fmt == GCN_VOP2; /* no longer implicit */
	bool lanes = info->flags & GCN_F_SRC0_LANES;
	for (int i = 0; i < 4; i++) {
		unsigned reg = i < 3 ? in->src[i] : GCN_SRC_NONE;
		unsigned width = info->src_dw[i];
		if (lanes && i == 1 && reg == GCN_SRC_M0)
			continue; /* as a lane select it takes no bus */
		if (i == 3 && info->fmt == GCN_VOP1 && info->flags & GCN_F_READS_M0)
			reg = GCN_SRC_M0, width = 1;
		if (i == 3 && info->flags & GCN_F_READS_VCC && !mask_operand)
			reg = GCN_SRC_VCC, width = 2;
		bool scalar = reg < GCN_SRC_0 || (reg >= GCN_SRC_SHARED_BASE && reg <= GCN_SRC_POPS_EXITING_WAVE_ID) ||
			(reg >= GCN_SRC_VCCZ && reg <= GCN_SRC_SCC) || reg == GCN_SRC_LITERAL;
		if (!scalar)
			continue;
		if (used && used != reg * 4 + width)
			return false;
		used = reg * 4 + width;
	}
	return true;
}

static bool may_be_absent(const struct gcn_inst *in, const struct gcn_op_info *info, int i)
{
	switch (in->fmt) {
	case GCN_VOP1: case GCN_VOP2: case GCN_VOPC:
		return i == 2 && info->src_dw[2] == 2; /* VCC */
	case GCN_SMEM: return i == 1;
	case GCN_MUBUF: case GCN_MTBUF: return i == 0 && !in->offen && !in->idxen && !in->addr64;
	case GCN_GLOBAL: return i == 2;
	case GCN_SCRATCH: return i == 2 || (i == 0 && in->src[2] != GCN_SRC_NONE);
	case GCN_EXP: return in->compr ? i > 1 || !(in->en >> 2 * i & 3) : !(in->en >> i & 1);
	default: return false;
	}
}

static bool may_lack_dst(const struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (in->lds)
		return true;
	return in->fmt >= GCN_FLAT && info->flags & GCN_F_ATOMIC && !in->glc;
}

/* A register tuple must be aligned (scalar instructions) and must not run over
 * the end of its file. */
static void check_tuple(struct isa_encoder *e, unsigned reg, unsigned dw, bool aligned)
{
	if (reg == GCN_SRC_NONE || dw < 2)
		return;
	if (aligned && reg < GCN_SRC_0 && reg % (dw > 2 ? 4 : 2))
		isa_fail(e, "SGPR tuple is not aligned");
	unsigned sgprs = gcn_sgpr_count(e->gen), ttmp = gcn_ttmp_first(e->gen);
	if ((reg < sgprs && reg + dw > sgprs) || (reg >= 256 && reg + dw > 512))
		isa_fail(e, "register tuple runs over the end of the file");
	if (reg == GCN_SRC_M0 || (reg < GCN_SRC_0 && reg >= sgprs && dw > 2 && (reg < ttmp || reg + dw > GCN_SRC_M0)))
		isa_fail(e, "no such register tuple");
}

static void check_buffer(struct isa_encoder *e)
{
	const struct gcn_inst *in = e->in;
	if (in->lds && !(e->info->flags & GCN_F_MAY_LDS))
		isa_fail(e, "the instruction has no lds form");
	if (in->op == GCN_BUFFER_STORE_LDS_DWORD && !in->lds)
		isa_fail(e, "the instruction has the lds form only");
	if (in->fmt == GCN_MUBUF && in->tfe && e->info->flags & (GCN_F_STORE | GCN_F_ATOMIC))
		isa_fail(e, "tfe is of loads");
	if (in->lds && in->tfe)
		isa_fail(e, "lds and tfe exclude each other");
	if (in->src[0] != GCN_SRC_NONE && !in->idxen && !in->offen && !in->addr64)
		isa_fail(e, "an address without idxen, offen or addr64");
	if (in->op == GCN_BUFFER_STORE_LDS_DWORD && (in->idxen || in->offen))
		isa_fail(e, "the instruction takes no address");
	if (in->addr64 && e->gen >= GCN_GFX8)
		isa_fail(e, "addr64 is of gfx6 and gfx7");
	if (in->addr64 && (in->idxen || in->offen))
		isa_fail(e, "addr64 excludes idxen and offen");
}

static void check_image(struct isa_encoder *e)
{
	const struct gcn_inst *in = e->in;
	unsigned flags = e->info->flags, mask = in->dmask;
	if (in->d16 && (e->gen < GCN_GFX8 || !(flags & GCN_F_MAY_D16)))
		isa_fail(e, "the instruction has no d16 form");
	if (flags & GCN_F_GATHER4 && (!mask || mask & (mask - 1)))
		isa_fail(e, "dmask of gather4 must have one bit");
	bool compare = in->op == GCN_IMAGE_ATOMIC_CMPSWAP || in->op == GCN_IMAGE_ATOMIC_FCMPSWAP;
	if (flags & GCN_F_ATOMIC && mask != 3 && mask != (compare ? 15 : 1))
		isa_fail(e, "dmask of an atomic must be that of one or two dwords, doubled for a comparison");
}

static void check_operands(struct isa_encoder *e)
{
	const struct gcn_inst *in = e->in;
	const struct gcn_op_info *info = e->info;
	bool scalar = in->fmt <= GCN_SMEM;
	for (int i = 0; i < 4; i++) {
		if (info->src_dw[i] && in->src[i] == GCN_SRC_NONE && !may_be_absent(in, info, i))
			isa_fail(e, "a source operand is missing");
		check_tuple(e, in->src[i], isa_source_dw(in, i), scalar);
	}
	if ((info->dst_dw || in->fmt == GCN_MIMG) && in->dst == GCN_SRC_NONE && !may_lack_dst(in, info))
		isa_fail(e, "the destination is missing");
	unsigned dst_dw = in->fmt == GCN_MIMG ? gcn_mimg_data_dw(in) : info->dst_dw;
	check_tuple(e, in->dst, dst_dw + (in->fmt != GCN_MIMG && in->tfe), scalar);
}

/* Forms and immediates of the scalar formats. */
static void check_scalar(struct isa_encoder *e)
{
	const struct gcn_inst *in = e->in;
	unsigned flags = e->info->flags;
	if (in->fmt == GCN_SOPP && flags & GCN_F_NO_IMM && in->op != GCN_S_ENDPGM && in->offset)
		isa_fail(e, "the instruction takes no immediate");
	if (in->op == GCN_S_SET_GPR_IDX_MODE && in->offset & ~15)
		isa_fail(e, "offset or immediate out of range");
	if (in->op == GCN_S_CBRANCH_G_FORK && (in->src[0] == GCN_SRC_LITERAL || in->src[1] == GCN_SRC_LITERAL))
		isa_fail(e, "the instruction takes no literal");
	if (in->fmt != GCN_SMEM)
		return;
	if (in->glc && !(flags & (GCN_F_LOAD | GCN_F_STORE | GCN_F_ATOMIC)))
		isa_fail(e, "the instruction takes no glc");
	if (in->dst != GCN_SRC_NONE && in->dst >= GCN_SRC_M0 && in->dst < 128 && !(flags & GCN_F_RAW_OPERAND))
		isa_fail(e, "M0 and EXEC cannot be memory data");
}

static void check_ds(struct isa_encoder *e)
{
	const struct gcn_inst *in = e->in;
	unsigned flags = e->info->flags;
	bool permute = flags & GCN_F_SRC0_LANES && e->info->src_dw[1];
	if (in->gds && (permute || in->op == GCN_DS_NOP))
		isa_fail(e, "the instruction is for LDS only");
	if (flags & GCN_F_GDS_ONLY && !in->gds)
		isa_fail(e, "the instruction is for GDS only");
	if (in->op == GCN_DS_NOP && in->offset)
		isa_fail(e, "offset or immediate out of range");
}

static void check_flat(struct isa_encoder *e)
{
	const struct gcn_inst *in = e->in;
	if (in->fmt == GCN_FLAT && in->offset && e->gen < GCN_GFX9)
		isa_fail(e, "FLAT has no offset before gfx9");
	if (in->lds && !(e->info->flags & GCN_F_MAY_LDS))
		isa_fail(e, "the instruction has no lds form");
}

static void check_format(struct isa_encoder *e)
{
	switch (e->in->fmt) {
	case GCN_DS: check_ds(e); break;
	case GCN_MUBUF: case GCN_MTBUF: check_buffer(e); break;
	case GCN_MIMG: check_image(e); break;
	case GCN_FLAT: case GCN_GLOBAL: case GCN_SCRATCH: check_flat(e); break;
	default: check_scalar(e);
	}
}

/* Modifiers of the 64-bit form, and of SDWA and DPP. */
static void check_modifiers(struct isa_encoder *e)
{
	const struct gcn_inst *in = e->in;
	unsigned mods = gcn_op_mods(e->gen, (enum gcn_op)in->op);
	unsigned signs = in->fmt == GCN_VOP3P ? 0 : in->neg | in->abs;
	if (e->info->flags & GCN_F_MIX)
		signs = in->neg | in->neg_hi;
	if (signs & ~mods & 7)
		isa_fail(e, "a source that takes no abs or neg");
	/* SDWA clamps integers too. */
	if (in->clamp && !(mods & GCN_M_CLAMP) && in->sub != GCN_SUB_SDWA)
		isa_fail(e, "the instruction takes no clamp");
	if (in->omod && (!(mods & GCN_M_OMOD) || (in->sub == GCN_SUB_SDWA && e->gen < GCN_GFX9)))
		isa_fail(e, "the instruction takes no omod");
	if (in->op_sel && in->fmt == GCN_VOP3 && !(mods & GCN_M_OP_SEL) &&
			!(e->info->flags & GCN_F_VOP3_INTERP))
		isa_fail(e, "the instruction takes no op_sel");
	if (in->sub == GCN_SUB_SDWA && in->src_sext & mods & 3)
		isa_fail(e, "sext of a float source");
}

/* Which register file a source must be in. */
static void check_files(struct isa_encoder *e)
{
	const struct gcn_inst *in = e->in;
	bool lane_read = e->info->flags & GCN_F_DST_SGPR;
	bool vgpr_only = in->op == GCN_V_SWAP_B32 || in->op == GCN_V_MOVRELS_B32 ||
		in->op == GCN_V_MOVRELSD_B32 || (lane_read && in->src[0] != GCN_SRC_LDS_DIRECT);
	if (vgpr_only && in->src[0] < 256)
		isa_fail(e, "the operand must be a VGPR");
	bool select = e->info->flags & GCN_F_SRC0_LANES && e->info->src_dw[1];
	if ((in->op == GCN_V_WRITELANE_B32 && in->src[0] > 255) || (select && in->src[1] > 255))
		isa_fail(e, "the operand must be scalar");
	bool interp = e->info->fmt == GCN_VINTRP || e->info->flags & GCN_F_VOP3_INTERP;
	for (int i = 0; i < 3; i++)
		if ((e->info->src_dw[i] > 2 || (interp && e->info->src_dw[i])) && in->src[i] < 256 &&
				!(e->info->flags & GCN_F_RAW_OPERAND))
			isa_fail(e, "the operand must be a VGPR");
	/* v_movreld_b32 has another use for M0, which addresses LDS_DIRECT. */
	bool other = in->op == GCN_V_MOVRELD_B32 || (in->op == GCN_V_WRITELANE_B32 && e->gen >= GCN_GFX8) ||
		(e->info->src_dw[1] && strstr(e->info->name, "rev_"));
	if (other && in->src[0] == GCN_SRC_LDS_DIRECT)
		isa_fail(e, "LDS_DIRECT cannot be the first source here");
}

static void check_vector(struct isa_encoder *e)
{
	const struct gcn_inst *in = e->in;
	const struct gcn_op_info *info = e->info;
	if (info->flags & GCN_F_FIXED_LITERAL &&
			in->src[info->flags & GCN_F_LITERAL_SRC1 ? 1 : 2] != GCN_SRC_LITERAL)
		isa_fail(e, "the constant must be a literal");
	if (in->fmt == GCN_VOP3 && info->sdst_dw && (in->sdst == GCN_SRC_NONE || in->sdst % 2))
		isa_fail(e, "the mask destination is missing or not aligned");
	if (in->fmt == GCN_VOP3 && info->src_dw[2] == 2 && info->fmt == GCN_VOP2 &&
			(in->src[2] > 127 || in->src[2] % 2))
		isa_fail(e, "the mask must be an aligned SGPR pair");
	if (in->src[1] == GCN_SRC_LDS_DIRECT || in->src[2] == GCN_SRC_LDS_DIRECT)
		isa_fail(e, "LDS_DIRECT can be the first source only");
	if (!isa_is_vop32(in->fmt))
		return;
	bool sdwab = in->sub == GCN_SUB_SDWA && info->fmt == GCN_VOPC && e->gen == GCN_GFX9;
	if (info->sdst_dw && !sdwab && in->sdst != GCN_SRC_NONE && in->sdst != GCN_SRC_VCC)
		isa_fail(e, "the 32-bit form writes VCC only");
	if (info->src_dw[2] == 2 && in->src[2] != GCN_SRC_NONE && in->src[2] != GCN_SRC_VCC)
		isa_fail(e, "the 32-bit form reads VCC only");
	if (in->sub == GCN_SUB_NONE && (in->neg | in->abs | in->clamp | in->omod | in->op_sel))
		isa_fail(e, "modifiers need the 64-bit form");
}

static void check_sub(struct isa_encoder *e)
{
	const struct gcn_inst *in = e->in;
	if (in->sub == GCN_SUB_NONE)
		return;
	if (!isa_is_vop32(in->fmt))
		isa_fail(e, "SDWA and DPP are forms of VOP1, VOP2 and VOPC");
	if (in->sub == GCN_SUB_SDWA) {
		if (!(gcn_op_mods(e->gen, (enum gcn_op)in->op) & GCN_M_SDWA))
			isa_fail(e, "the instruction has no SDWA form");
		if (in->dst_sel > 6 || in->src_sel[0] > 6 || in->src_sel[1] > 6 || in->dst_unused > 2)
			isa_fail(e, "unknown SDWA selection");
		if ((in->op == GCN_V_MAC_F32 || in->op == GCN_V_MAC_F16) && in->dst_sel != 6)
			isa_fail(e, "v_mac writes a whole dword");
	} else {
		if (!(gcn_op_mods(e->gen, (enum gcn_op)in->op) & GCN_M_DPP))
			isa_fail(e, "the instruction has no DPP form");
		if (!isa_dpp_ctrl_valid(in->dpp_ctrl))
			isa_fail(e, "unknown DPP control");
		if (in->clamp | in->omod)
			isa_fail(e, "DPP has no clamp or omod");
	}
}

void isa_check(struct isa_encoder *e)
{
	unsigned fmt = e->in->fmt;
	check_operands(e);
	check_format(e);
	if (isa_is_vop32(fmt) || fmt == GCN_VOP3 || fmt == GCN_VOP3P) {
		check_vector(e);
		check_modifiers(e);
		check_files(e);
		if (!constant_bus_ok(e->in, e->info))
			isa_fail(e, "more than one scalar operand");
	}
	check_sub(e);
}
