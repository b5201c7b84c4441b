/* SPDX-License-Identifier: MIT */
/* See gcn_uses.h. */
#include "isa/gcn_uses.h"

#include "isa/gcn_mimg.h"
#include "isa/gcn_tables.h"

enum { DST = 1 << GCN_OPERAND_DST, SDST = 1 << GCN_OPERAND_SDST, SRC0 = 1 << GCN_OPERAND_SRC0 };

const uint8_t gcn_units[GCN_FORMAT_COUNT] = {
	[GCN_SOP2] = GCN_UNIT_SALU, [GCN_SOPK] = GCN_UNIT_SALU, [GCN_SOP1] = GCN_UNIT_SALU,
	[GCN_SOPC] = GCN_UNIT_SALU, [GCN_SOPP] = GCN_UNIT_SALU, [GCN_SMEM] = GCN_UNIT_SMEM,
	[GCN_VOP2] = GCN_UNIT_VALU, [GCN_VOP1] = GCN_UNIT_VALU, [GCN_VOPC] = GCN_UNIT_VALU,
	[GCN_VOP3] = GCN_UNIT_VALU, [GCN_VOP3P] = GCN_UNIT_VALU, [GCN_VINTRP] = GCN_UNIT_VALU,
	[GCN_DS] = GCN_UNIT_LDS, [GCN_MUBUF] = GCN_UNIT_VMEM, [GCN_MTBUF] = GCN_UNIT_VMEM,
	[GCN_MIMG] = GCN_UNIT_VMEM, [GCN_EXP] = GCN_UNIT_EXPORT, [GCN_FLAT] = GCN_UNIT_VMEM,
	[GCN_GLOBAL] = GCN_UNIT_VMEM, [GCN_SCRATCH] = GCN_UNIT_VMEM,
};

/* --- by operand --- */

/* Formats whose first operand is the data of a store. */
#define DATA_IN_DST(fmt) ((fmt) == GCN_MUBUF || (fmt) == GCN_MTBUF || (fmt) == GCN_MIMG || (fmt) == GCN_SMEM)
#define STORES_DST(fmt, flags) (DATA_IN_DST(fmt) && (flags) & (GCN_F_STORE | GCN_F_ATOMIC))
#define BIT(there, bit) ((there) ? (bit) : 0)
#define GCN(NAME, mnemonic, fmt, g6, g7, g8, g9, dst, sdst, s0, s1, s2, s3, flags, mods) [GCN_##NAME] = { \
	BIT(s0, SRC0) | BIT(s1, SRC0 << 1) | BIT(s2, SRC0 << 2) | BIT(s3, SRC0 << 3) | \
		BIT((flags) & GCN_F_DST_READ || STORES_DST(GCN_##fmt, flags), DST), \
	BIT(((dst) || GCN_##fmt == GCN_MIMG) && !STORES_DST(GCN_##fmt, flags), DST) | BIT(sdst, SDST) | \
		BIT(GCN_##NAME == GCN_V_SWAP_B32, SRC0) },
const struct gcn_roles gcn_roles[GCN_OP_COUNT] = {
#include "isa/gcn.def"
};
#undef GCN

/* The result leaves bits of its register alone, in lanes that are on. */
static bool keeps_a_part(const struct gcn_inst *in)
{
	enum { PRESERVE = 2, WHOLE = 6, ALL = 15 };
	if (in->sub == GCN_SUB_SDWA)
		return in->dst_unused == PRESERVE && in->dst_sel != WHOLE;
	if (in->sub == GCN_SUB_DPP)
		return !in->bound_ctrl || (in->row_mask & in->bank_mask) != ALL;
	return in->op_sel & 8;
}

unsigned gcn_modified_reads(const struct gcn_inst *in)
{
	bool vector = in->fmt >= GCN_VOP2 && in->fmt <= GCN_VINTRP;
	return gcn_roles[in->op].read | BIT(vector && keeps_a_part(in), DST);
}

unsigned gcn_modified_writes(const struct gcn_inst *in)
{
	uint32_t flags = gcn_op_info((enum gcn_op)in->op)->flags;
	if (in->lds && flags & GCN_F_MAY_LDS)
		return gcn_roles[in->op].written & ~(unsigned)DST;
	return gcn_roles[in->op].written | BIT(in->glc && flags & GCN_F_ATOMIC && DATA_IN_DST(in->fmt), DST);
}

/* --- widths --- */

#define PARTS(name, parts) [GCN_IMAGE_##name] = (parts),
static const uint16_t address_parts[GCN_OP_COUNT] = {
	GCN_MIMG_LOADS(PARTS) GCN_MIMG_STORES(PARTS) GCN_MIMG_ATOMICS(PARTS) GCN_MIMG_SAMPLES(PARTS) GCN_MIMG_GATHERS(PARTS)
};
#undef PARTS

unsigned gcn_mimg_address_dw(const struct gcn_inst *in)
{
	enum { DIMENSIONS = 3 };
	bool sampled = gcn_op_info((enum gcn_op)in->op)->src_dw[2] != 0;
	unsigned parts = address_parts[in->op];
	if (in->op == GCN_IMAGE_GET_RESINFO)
		return 1;
	return DIMENSIONS + !sampled /* a sample's number */ + (parts & GCN_MIMG_D ? 2 * DIMENSIONS : 0) +
		(unsigned)__builtin_popcount(parts & GCN_MIMG_DWORDS);
}

unsigned gcn_mimg_flat_address_dw(const struct gcn_inst *in)
{
	enum { DIMENSIONS = 2 };
	const unsigned parts = address_parts[in->op];
	if (in->op == GCN_IMAGE_GET_RESINFO)
		return 1;
	return DIMENSIONS + !!in->da + (parts & GCN_MIMG_D ? 2 * DIMENSIONS : 0) + (unsigned)__builtin_popcount(parts & GCN_MIMG_DWORDS);
}

/* Where the row does not tell. */
static unsigned source_dw(const struct gcn_inst *in, const struct gcn_op_info *info, int n)
{
	if (n == 0 && in->fmt == GCN_MIMG)
		return gcn_mimg_address_dw(in);
	return n == 0 && in->fmt >= GCN_MUBUF ? isa_source_dw(in, n) : info->src_dw[n];
}
static unsigned dst_dw(const struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (in->fmt == GCN_MIMG)
		return gcn_mimg_data_dw(in);
	return info->dst_dw + (in->tfe && (in->fmt == GCN_MUBUF || in->fmt == GCN_MTBUF));
}

/* --- by register --- */

static void reads(struct gcn_uses *u, unsigned first, unsigned dwords, bool lanes)
{
	u->read[u->reads++] = (struct gcn_span){ (uint16_t)first, (uint8_t)dwords, lanes };
}
static void writes(struct gcn_uses *u, unsigned first, unsigned dwords, bool lanes)
{
	u->written[u->writes++] = (struct gcn_span){ (uint16_t)first, (uint8_t)dwords, lanes };
}

static void read_operand(struct gcn_uses *u, unsigned code, unsigned dwords, bool lanes)
{
	if (code >= GCN_SRC_VGPR0 || code < GCN_SRC_0) {
		if (dwords) /* the address of a buffer, without idxen and offen, has none */
			reads(u, code, dwords, lanes);
	} else if (code < GCN_SRC_VCCZ) { /* a constant */
	} else if (code == GCN_SRC_VCCZ) {
		reads(u, GCN_SRC_VCC, 2, false);
	} else if (code == GCN_SRC_EXECZ) {
		reads(u, GCN_SRC_EXEC, 2, false);
	} else if (code == GCN_SRC_SCC) {
		reads(u, GCN_SRC_SCC, 1, false);
	} else if (code == GCN_SRC_LDS_DIRECT) {
		reads(u, GCN_SRC_M0, 1, false);
	}
}

static void operands(struct gcn_uses *u, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	unsigned read = gcn_operands_read(in), written = gcn_operands_written(in), sources = read / SRC0;
	bool mask_in_2 = info->fmt == GCN_VOP2 && info->src_dw[2] == 2;
	for (int n = 0; sources; n++, sources >>= 1)
		if (sources & 1 && in->src[n] != GCN_SRC_NONE)
			read_operand(u, in->src[n], source_dw(in, info, n), mask_in_2 && n == 2);
	if (in->dst != GCN_SRC_NONE && (read | written) & DST) {
		unsigned dw = dst_dw(in, info);
		if (read & DST)
			reads(u, in->dst, dw, false);
		if (written & DST)
			writes(u, in->dst, dw, false);
	}
	if (written & SDST)
		writes(u, in->sdst == GCN_SRC_NONE ? GCN_SRC_VCC : in->sdst, 2, true);
	if (written & SRC0)
		writes(u, in->src[0], 1, false);
}

/* Registers that no operand names. */
static void implicit(enum gcn_gen gen, struct gcn_uses *u, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	uint32_t flags = info->flags;
	enum { SCALARS = GCN_F_WRITES_EXEC | GCN_F_READS_VCC | GCN_F_READS_SCC | GCN_F_WRITES_SCC | GCN_F_READS_M0 |
		GCN_F_WRITES_M0 };
	bool vector = in->fmt >= GCN_VOP2, mask_operand = in->fmt == GCN_VOP3 || in->src[2] != GCN_SRC_NONE;
	u->exec = vector && flags & GCN_F_READS_EXEC;
	if (in->fmt <= GCN_VINTRP && !(flags & (vector ? SCALARS : SCALARS | GCN_F_READS_EXEC))) /* most */
		return;
	if (!vector && flags & GCN_F_READS_EXEC)
		reads(u, GCN_SRC_EXEC, 2, false);
	if (flags & GCN_F_WRITES_EXEC)
		writes(u, GCN_SRC_EXEC, 2, vector);
	if (flags & GCN_F_READS_VCC && (info->fmt != GCN_VOP2 || !mask_operand))
		reads(u, GCN_SRC_VCC, 2, vector);
	if (flags & GCN_F_READS_SCC)
		reads(u, GCN_SRC_SCC, 1, false);
	if (flags & GCN_F_WRITES_SCC)
		writes(u, GCN_SRC_SCC, 1, false);
	if (flags & GCN_F_READS_M0 || (vector && in->lds) || (in->fmt == GCN_DS && (in->gds || gen < GCN_GFX9)))
		reads(u, GCN_SRC_M0, 1, false);
	if (flags & GCN_F_WRITES_M0)
		writes(u, GCN_SRC_M0, 1, false);
	if (in->fmt == GCN_FLAT || in->fmt == GCN_SCRATCH)
		reads(u, GCN_SRC_FLAT_SCRATCH, 2, false);
}

void gcn_uses(enum gcn_gen gen, const struct gcn_inst *in, struct gcn_uses *u)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	u->reads = u->writes = 0;
	operands(u, in, info);
	implicit(gen, u, in, info);
}

/* --- effects --- */

static unsigned unit_effects(const struct gcn_inst *in, const struct gcn_op_info *info)
{
	uint32_t flags = info->flags;
	bool interpolates = info->fmt == GCN_VINTRP || flags & GCN_F_VOP3_INTERP;
	bool loads = flags & (GCN_F_LOAD | GCN_F_ATOMIC), stores = flags & (GCN_F_STORE | GCN_F_ATOMIC);
	bool lds = in->lds && flags & GCN_F_MAY_LDS;
	switch (gcn_unit((enum gcn_format)in->fmt)) {
	case GCN_UNIT_LDS:
		return (loads ? GCN_READS_LDS : 0u) | (stores ? GCN_WRITES_LDS : 0u);
	case GCN_UNIT_SMEM:
	case GCN_UNIT_VMEM:
		return (loads ? GCN_READS_MEMORY : 0u) | (stores ? GCN_WRITES_MEMORY : 0u) |
			(lds ? loads ? GCN_WRITES_LDS : GCN_READS_LDS : 0u) |
			(in->fmt == GCN_FLAT ? (loads ? GCN_READS_LDS : 0u) | (stores ? GCN_WRITES_LDS : 0u) : 0u);
	case GCN_UNIT_EXPORT:
		return GCN_EXPORTS;
	case GCN_UNIT_VALU:
		return interpolates ? GCN_READS_LDS : 0u;
	default:
		return 0;
	}
}

static unsigned op_effects(const struct gcn_inst *in)
{
	switch (in->op) {
	case GCN_S_GETREG_B32: case GCN_S_GETPC_B64: case GCN_S_SWAPPC_B64: case GCN_S_CALL_B64: case GCN_S_MEMTIME:
	case GCN_S_MEMREALTIME:
		return GCN_READS_STATE;
	case GCN_S_SETREG_B32: case GCN_S_SETREG_IMM32_B32: case GCN_S_SET_GPR_IDX_ON: case GCN_S_SETVSKIP:
	case GCN_S_SET_GPR_IDX_IDX: case GCN_V_CLREXCP: case GCN_DS_GWS_INIT: case GCN_DS_GWS_SEMA_V: case GCN_DS_GWS_SEMA_BR:
	case GCN_DS_GWS_SEMA_P: case GCN_DS_GWS_SEMA_RELEASE_ALL: case GCN_DS_GWS_BARRIER:
		return GCN_CHANGES_STATE;
	case GCN_S_CBRANCH_G_FORK: case GCN_S_CBRANCH_I_FORK: case GCN_S_CBRANCH_JOIN: /* their stack */
		return GCN_CHANGES_STATE | GCN_READS_STATE | GCN_ANY_SGPR;
	case GCN_S_MOVRELS_B32: case GCN_S_MOVRELS_B64: case GCN_S_MOVRELD_B32: case GCN_S_MOVRELD_B64:
		return GCN_ANY_SGPR;
	case GCN_V_MOVRELD_B32: case GCN_V_MOVRELS_B32: case GCN_V_MOVRELSD_B32:
		return GCN_ANY_VGPR;
	default:
		return 0;
	}
}

unsigned gcn_effects(const struct gcn_inst *in)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	uint32_t flags = info->flags;
	unsigned e = unit_effects(in, info) | op_effects(in);
	bool touches = info->dst_dw || info->sdst_dw || flags & (GCN_F_LOAD | GCN_F_STORE | GCN_F_ATOMIC);
	if ((in->fmt == GCN_SOPP && !(flags & (GCN_F_BRANCH | GCN_F_TERMINATES))) ||
		(!touches && (in->fmt == GCN_SMEM || in->fmt == GCN_MUBUF)))
		e |= GCN_CHANGES_STATE; /* caches, waits, barriers */
	if (in->fmt >= GCN_VOP2 && in->fmt <= GCN_VOP3P && in->src[0] == GCN_SRC_LDS_DIRECT)
		e |= GCN_READS_LDS;
	return e | (flags & GCN_F_BRANCH ? GCN_JUMPS : 0u) |
		(flags & GCN_F_TERMINATES && !(flags & GCN_F_BRANCH) ? GCN_ENDS : 0u);
}
