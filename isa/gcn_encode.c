/* Encoder: walks the fields of the instruction's encoding (fields.def). */
#include "isa/gcn_forms.h"
#include "isa/gcn_tables.h"

#include <string.h>

void gcn_inst_init(struct gcn_inst *in, enum gcn_op op)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	memset(in, 0, sizeof(*in));
	in->op = (uint16_t)op;
	in->fmt = info->fmt;
	in->dst = in->sdst = GCN_SRC_NONE;
	for (int i = 0; i < 4; i++)
		in->src[i] = GCN_SRC_NONE;
	if (info->fmt == GCN_VOP3P && !(info->flags & GCN_F_MIX))
		in->op_sel_hi = 7;
}

unsigned gcn_mimg_data_dw(const struct gcn_inst *in)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	unsigned count = (unsigned)__builtin_popcount(in->dmask & 15);
	if (info->flags & GCN_F_GATHER4)
		count = 4;
	if (!count)
		count = 1;
	if (in->d16 && !in->d16_unpacked)
		count = (count + 1) / 2;
	return count + (in->tfe ? 1 : 0);
}

static bool is_vop32(unsigned fmt)
{
	return fmt == GCN_VOP1 || fmt == GCN_VOP2 || fmt == GCN_VOPC;
}

static bool is_vop(unsigned fmt)
{
	return is_vop32(fmt) || fmt == GCN_VOP3 || fmt == GCN_VOP3P;
}

/* --- one field --- */

struct encoder {
	enum gcn_gen gen;
	const struct gcn_inst *in;
	const struct gcn_op_info *info;
	const char *why; /* set by the first failure */
};

static unsigned fail(struct encoder *e, const char *why)
{
	if (!e->why)
		e->why = why;
	return 0;
}

static unsigned member(const struct encoder *e, const struct isa_field *f)
{
	const uint8_t *p = (const uint8_t *)e->in + f->member;
	if (f->size == 1)
		return *p;
	uint16_t value;
	memcpy(&value, p, sizeof(value));
	return value;
}

static unsigned vgpr(struct encoder *e, unsigned value)
{
	if (value == GCN_SRC_NONE)
		return 0;
	if (value < 256 || value > 511)
		return fail(e, "the operand must be a VGPR");
	return value - 256;
}

static unsigned sgpr(struct encoder *e, unsigned value, unsigned align)
{
	if (value == GCN_SRC_NONE)
		return 0;
	if (value > 127 || !isa_source_valid(e->gen, value))
		return fail(e, "the operand must be an SGPR");
	if (value % align)
		return fail(e, "SGPR tuple is not aligned");
	return value / align;
}

static unsigned source(struct encoder *e, unsigned value, unsigned limit)
{
	if (value == GCN_SRC_NONE)
		return 0;
	if (value >= limit || !isa_source_valid(e->gen, value))
		return fail(e, "the operand is no source of this encoding");
	return value;
}

static unsigned vop_src0(struct encoder *e, unsigned value)
{
	if (e->in->sub == GCN_SUB_SDWA)
		return ISA_SRC_SDWA;
	if (e->in->sub == GCN_SUB_DPP)
		return ISA_SRC_DPP;
	return source(e, value, 512);
}

static unsigned vsrc1(struct encoder *e, unsigned value)
{
	if (e->info->flags & GCN_F_LITERAL_SRC1)
		value = e->in->src[2];
	if (e->in->sub == GCN_SUB_SDWA && value < 256)
		return e->gen == GCN_GFX9 ? source(e, value, 249) : fail(e, "the operand must be a VGPR");
	if (isa_lane_select(e->in, e->info))
		return value == GCN_SRC_LITERAL ? fail(e, "the lane cannot be a literal") : source(e, value, 256);
	return vgpr(e, value);
}

static unsigned sopk_reg(struct encoder *e)
{
	if (e->info->flags & GCN_F_FIXED_LITERAL)
		return 0;
	return sgpr(e, e->info->dst_dw ? e->in->dst : e->in->src[0], 1);
}

static unsigned offset(struct encoder *e, int64_t low, int64_t high)
{
	int64_t value = e->in->offset;
	if (value < low || value > high)
		return fail(e, "offset or immediate out of range");
	return (unsigned)value;
}

/* An immediate, or an SGPR in its place, or (gfx9) both. */
static unsigned smem(struct encoder *e, enum isa_field_kind kind)
{
	unsigned reg = e->in->src[1];
	if (!e->info->src_dw[1]) /* no address: s_memtime, s_dcache_inv */
		return 0;
	bool has_reg = reg != GCN_SRC_NONE, imm = !has_reg || e->in->offset;
	bool unsigned_offset = e->info->src_dw[0] == 4 || e->gen != GCN_GFX9;
	if (has_reg && imm && e->gen != GCN_GFX9)
		return fail(e, "an SGPR and an immediate offset at once");
	if (kind == ISA_SMEM_IMM)
		return imm;
	if (kind == ISA_SMEM_SOFFSET_EN)
		return has_reg && imm;
	if (kind == ISA_SMEM_SOFFSET)
		return has_reg && imm ? sgpr(e, reg, 1) : 0;
	if (!imm)
		return sgpr(e, reg, 1);
	return offset(e, unsigned_offset ? 0 : -(1 << 20), (1 << 20) - 1);
}

/* gfx6, gfx7: the immediate counts dwords. */
static unsigned smrd(struct encoder *e, enum isa_field_kind kind)
{
	unsigned reg = e->in->src[1];
	bool imm = reg == GCN_SRC_NONE;
	if (!e->info->src_dw[1])
		return 0;
	if (kind == ISA_SMRD_IMM)
		return imm;
	if (!imm && e->in->offset)
		return fail(e, "an SGPR and an immediate offset at once");
	if (reg == GCN_SRC_LITERAL)
		return e->gen == GCN_GFX7 ? reg : fail(e, "no literal offset in this generation");
	if (!imm)
		return sgpr(e, reg, 1);
	if (e->in->offset & 3)
		return fail(e, "the offset is no multiple of 4");
	return offset(e, 0, 255 * 4) / 4;
}

static unsigned sdwa_field(struct encoder *e, enum isa_field_kind kind, unsigned value)
{
	switch (kind) {
	case ISA_SDWA_SRC0:
		return value < 256 ? source(e, value, 249) : vgpr(e, value);
	case ISA_SDWA_SCALAR:
		return value < 256;
	case ISA_SDWA_SDST:
		return value == GCN_SRC_VCC ? 0 : sgpr(e, value, 2) * 2;
	default:
		return value != GCN_SRC_VCC && value != GCN_SRC_NONE;
	}
}

/* Bits of these members belong to sources; those of a source that the
 * instruction lacks must be 0, whatever the record says. */
static unsigned existing_sources(const struct encoder *e, const struct isa_field *f, unsigned value)
{
	if (f->member != offsetof(struct gcn_inst, op_sel) && f->member != offsetof(struct gcn_inst, neg_hi) &&
			f->member != offsetof(struct gcn_inst, neg))
		return value;
	for (unsigned i = 0; i < 3; i++)
		if (!e->info->src_dw[i])
			value &= ~(1u << i);
	return value;
}

/* The same for SDWA's selection and sign extension. */
static bool selects_nothing(const struct encoder *e, const struct isa_field *f)
{
	for (unsigned i = 0; i < 2; i++) {
		bool of_source = f->member == offsetof(struct gcn_inst, src_sel) + i ||
			(f->member == offsetof(struct gcn_inst, src_sext) && f->kind == (i ? ISA_BIT1 : ISA_BIT0));
		if (of_source)
			return !e->info->src_dw[i];
	}
	return false;
}

static unsigned field_value(struct encoder *e, const struct isa_field *f)
{
	if (selects_nothing(e, f))
		return 0;
	unsigned value = f->kind == ISA_OP || f->kind == ISA_IGNORED ? 0 : member(e, f);
	int64_t limit = (int64_t)1 << f->width;
	switch ((enum isa_field_kind)f->kind) {
	case ISA_OP: {
		int number = isa_op_number(e->gen, (enum gcn_op)e->in->op, (enum gcn_format)e->in->fmt);
		return number < 0 ? fail(e, "the instruction has no such encoding") : (unsigned)number;
	}
	case ISA_RAW:
		value = existing_sources(e, f, value);
		return value < limit ? value : fail(e, "modifier out of range");
	case ISA_BIT0: return value & 1;
	case ISA_BIT1: return value >> 1 & 1;
	case ISA_BIT2: return value >> 2 & 1;
	case ISA_BITS01: return value & 3;
	case ISA_UNSIGNED: return offset(e, 0, limit - 1);
	case ISA_SIGNED: return offset(e, -limit / 2, limit / 2 - 1);
	case ISA_SIMM16: return offset(e, -0x8000, 0xffff);
	case ISA_SREG:
		if (e->info->flags & GCN_F_RAW_OPERAND)
			return value == GCN_SRC_NONE || value > 127 ? fail(e, "operand out of range") : value;
		return sgpr(e, value, 1);
	case ISA_SOPK_REG: return sopk_reg(e);
	case ISA_SPAIR: return sgpr(e, value, 2);
	case ISA_SQUAD: return sgpr(e, value, 4);
	case ISA_SADDR: return value == GCN_SRC_NONE ? 127 : sgpr(e, value, 1);
	case ISA_SSRC:
		if (f->member == offsetof(struct gcn_inst, src[1]) && e->info->flags & GCN_F_RAW_OPERAND)
			return value < 16 ? value : fail(e, "operand out of range");
		if (e->info->flags & GCN_F_REGISTER_ONLY)
			return sgpr(e, value, 1);
		if (value == GCN_SRC_LDS_DIRECT)
			return fail(e, "scalar instructions do not read LDS");
		if (value == GCN_SRC_LITERAL && e->in->fmt > GCN_SOPC)
			return fail(e, "the offset cannot be a literal");
		return source(e, value, 256);
	case ISA_VSRC:
		if (value == GCN_SRC_LITERAL)
			return fail(e, "VOP3 takes no literal");
		return source(e, value, 512);
	case ISA_VOP_SRC0: return vop_src0(e, value);
	case ISA_VGPR:
		if (e->info->flags & GCN_F_RAW_OPERAND)
			return value < 3 ? value : fail(e, "operand out of range");
		return vgpr(e, value);
	case ISA_VDST:
		return e->info->flags & GCN_F_DST_SGPR ? sgpr(e, value, 1) : vgpr(e, value);
	case ISA_VSRC1: return vsrc1(e, value);
	case ISA_SMEM_SOFFSET: case ISA_SMEM_SOFFSET_EN: case ISA_SMEM_OFFSET: case ISA_SMEM_IMM:
		return smem(e, (enum isa_field_kind)f->kind);
	case ISA_SMRD_OFFSET: case ISA_SMRD_IMM: return smrd(e, (enum isa_field_kind)f->kind);
	case ISA_SDWA_SRC0: case ISA_SDWA_SCALAR: case ISA_SDWA_SDST: case ISA_SDWA_SD:
		return sdwa_field(e, (enum isa_field_kind)f->kind, value);
	case ISA_IGNORED: return 0;
	case ISA_KIND_COUNT: break;
	}
	return fail(e, "unknown field kind");
}

static uint64_t encode_fields(struct encoder *e, enum isa_enc enc)
{
	uint64_t word = isa_encodings[enc].match;
	for (unsigned i = isa_field_first[enc]; i < isa_field_first[enc + 1]; i++) {
		const struct isa_field *f = &isa_fields[i];
		uint64_t mask = ((uint64_t)1 << f->width) - 1;
		word |= (field_value(e, f) & mask) << f->lo;
	}
	return word;
}

/* --- what no single field can see --- */

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
		bool scalar = reg < 128 || (reg >= 235 && reg <= 239) || (reg >= 251 && reg <= 253) ||
			reg == GCN_SRC_LITERAL;
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
static void check_tuple(struct encoder *e, unsigned reg, unsigned dw, bool aligned)
{
	if (reg == GCN_SRC_NONE || dw < 2)
		return;
	if (aligned && reg < 128 && reg % (dw > 2 ? 4 : 2))
		fail(e, "SGPR tuple is not aligned");
	unsigned sgprs = gcn_sgpr_count(e->gen), ttmp = gcn_ttmp_first(e->gen);
	if ((reg < sgprs && reg + dw > sgprs) || (reg >= 256 && reg + dw > 512))
		fail(e, "register tuple runs over the end of the file");
	if (reg == 124 || (reg < 128 && reg >= sgprs && dw > 2 && (reg < ttmp || reg + dw > 124)))
		fail(e, "no such register tuple");
}

static void check_buffer(struct encoder *e)
{
	const struct gcn_inst *in = e->in;
	if (in->lds && !(e->info->flags & GCN_F_MAY_LDS))
		fail(e, "the instruction has no lds form");
	if (in->op == GCN_BUFFER_STORE_LDS_DWORD && !in->lds)
		fail(e, "the instruction has the lds form only");
	if (in->fmt == GCN_MUBUF && in->tfe && e->info->flags & (GCN_F_STORE | GCN_F_ATOMIC))
		fail(e, "tfe is of loads");
	if (in->lds && in->tfe)
		fail(e, "lds and tfe exclude each other");
	if (in->src[0] != GCN_SRC_NONE && !in->idxen && !in->offen && !in->addr64)
		fail(e, "an address without idxen, offen or addr64");
	if (in->op == GCN_BUFFER_STORE_LDS_DWORD && (in->idxen || in->offen))
		fail(e, "the instruction takes no address");
	if (in->addr64 && e->gen >= GCN_GFX8)
		fail(e, "addr64 is of gfx6 and gfx7");
	if (in->addr64 && (in->idxen || in->offen))
		fail(e, "addr64 excludes idxen and offen");
}

static void check_image(struct encoder *e)
{
	const struct gcn_inst *in = e->in;
	unsigned flags = e->info->flags, mask = in->dmask;
	if (in->d16 && (e->gen < GCN_GFX8 || !(flags & GCN_F_MAY_D16)))
		fail(e, "the instruction has no d16 form");
	if (flags & GCN_F_GATHER4 && (!mask || mask & (mask - 1)))
		fail(e, "dmask of gather4 must have one bit");
	bool compare = in->op == GCN_IMAGE_ATOMIC_CMPSWAP || in->op == GCN_IMAGE_ATOMIC_FCMPSWAP;
	if (flags & GCN_F_ATOMIC && mask != 3 && mask != (compare ? 15 : 1))
		fail(e, "dmask of an atomic must be that of one or two dwords, doubled for a comparison");
}

static void check_operands(struct encoder *e)
{
	const struct gcn_inst *in = e->in;
	const struct gcn_op_info *info = e->info;
	bool scalar = in->fmt <= GCN_SMEM;
	for (int i = 0; i < 4; i++) {
		if (info->src_dw[i] && in->src[i] == GCN_SRC_NONE && !may_be_absent(in, info, i))
			fail(e, "a source operand is missing");
		check_tuple(e, in->src[i], isa_source_dw(in, i), scalar);
	}
	if ((info->dst_dw || in->fmt == GCN_MIMG) && in->dst == GCN_SRC_NONE && !may_lack_dst(in, info))
		fail(e, "the destination is missing");
	unsigned dst_dw = in->fmt == GCN_MIMG ? gcn_mimg_data_dw(in) : info->dst_dw;
	check_tuple(e, in->dst, dst_dw + (in->fmt != GCN_MIMG && in->tfe), scalar);
	if (in->fmt == GCN_FLAT && in->offset && e->gen < GCN_GFX9)
		fail(e, "FLAT has no offset before gfx9");
	if (in->fmt >= GCN_FLAT && in->lds && !(info->flags & GCN_F_MAY_LDS))
		fail(e, "the instruction has no lds form");
	if (in->fmt == GCN_DS && in->gds && ((info->flags & GCN_F_SRC0_LANES && info->src_dw[1]) || in->op == GCN_DS_NOP))
		fail(e, "the instruction is for LDS only");
	if (in->fmt == GCN_SMEM && in->glc && !(info->flags & (GCN_F_LOAD | GCN_F_STORE | GCN_F_ATOMIC)))
		fail(e, "the instruction takes no glc");
	if (in->op == GCN_DS_NOP && in->offset)
		fail(e, "offset or immediate out of range");
	if (info->flags & GCN_F_GDS_ONLY && !in->gds)
		fail(e, "the instruction is for GDS only");
	if (in->fmt == GCN_MUBUF || in->fmt == GCN_MTBUF)
		check_buffer(e);
	if (in->fmt == GCN_MIMG)
		check_image(e);
	if (in->fmt == GCN_SOPP && info->flags & GCN_F_NO_IMM && in->op != GCN_S_ENDPGM && in->offset)
		fail(e, "the instruction takes no immediate");
	if (in->op == GCN_S_SET_GPR_IDX_MODE && in->offset & ~15)
		fail(e, "offset or immediate out of range");
	if (in->op == GCN_S_CBRANCH_G_FORK && (in->src[0] == GCN_SRC_LITERAL || in->src[1] == GCN_SRC_LITERAL))
		fail(e, "the instruction takes no literal");
	if (in->fmt == GCN_SMEM && in->dst != GCN_SRC_NONE && in->dst >= GCN_SRC_M0 && in->dst < 128 &&
			!(info->flags & GCN_F_RAW_OPERAND))
		fail(e, "M0 and EXEC cannot be memory data");
}

/* Modifiers of the 64-bit form, and of SDWA and DPP. */
static void check_modifiers(struct encoder *e)
{
	const struct gcn_inst *in = e->in;
	unsigned mods = gcn_op_mods(e->gen, (enum gcn_op)in->op);
	unsigned signs = in->fmt == GCN_VOP3P ? 0 : in->neg | in->abs;
	if (e->info->flags & GCN_F_MIX)
		signs = in->neg | in->neg_hi;
	if (signs & ~mods & 7)
		fail(e, "a source that takes no abs or neg");
	/* SDWA clamps integers too. */
	if (in->clamp && !(mods & GCN_M_CLAMP) && in->sub != GCN_SUB_SDWA)
		fail(e, "the instruction takes no clamp");
	if (in->omod && (!(mods & GCN_M_OMOD) || (in->sub == GCN_SUB_SDWA && e->gen < GCN_GFX9)))
		fail(e, "the instruction takes no omod");
	if (in->op_sel && in->fmt == GCN_VOP3 && !(mods & GCN_M_OP_SEL) &&
			!(e->info->flags & GCN_F_VOP3_INTERP))
		fail(e, "the instruction takes no op_sel");
	if (in->sub == GCN_SUB_SDWA && in->src_sext & mods & 3)
		fail(e, "sext of a float source");
	bool lane_read = e->info->flags & GCN_F_DST_SGPR;
	bool vgpr_only = in->op == GCN_V_SWAP_B32 || in->op == GCN_V_MOVRELS_B32 ||
		in->op == GCN_V_MOVRELSD_B32 || (lane_read && in->src[0] != GCN_SRC_LDS_DIRECT);
	if (vgpr_only && in->src[0] < 256)
		fail(e, "the operand must be a VGPR");
	bool select = e->info->flags & GCN_F_SRC0_LANES && e->info->src_dw[1];
	if ((in->op == GCN_V_WRITELANE_B32 && in->src[0] > 255) || (select && in->src[1] > 255))
		fail(e, "the operand must be scalar");
	bool interp = e->info->fmt == GCN_VINTRP || e->info->flags & GCN_F_VOP3_INTERP;
	for (int i = 0; i < 3; i++)
		if ((e->info->src_dw[i] > 2 || (interp && e->info->src_dw[i])) && in->src[i] < 256 &&
				!(e->info->flags & GCN_F_RAW_OPERAND))
			fail(e, "the operand must be a VGPR");
	/* v_movreld_b32 has another use for M0, which addresses LDS_DIRECT. */
	bool reversed = e->info->src_dw[1] && strstr(e->info->name, "rev_");
	if ((reversed || in->op == GCN_V_MOVRELD_B32) && in->src[0] == GCN_SRC_LDS_DIRECT)
		fail(e, "LDS_DIRECT cannot be the first source here");
}

static void check_vector(struct encoder *e)
{
	const struct gcn_inst *in = e->in;
	const struct gcn_op_info *info = e->info;
	if (info->flags & GCN_F_FIXED_LITERAL &&
			in->src[info->flags & GCN_F_LITERAL_SRC1 ? 1 : 2] != GCN_SRC_LITERAL)
		fail(e, "the constant must be a literal");
	if (in->fmt == GCN_VOP3 && info->sdst_dw && (in->sdst == GCN_SRC_NONE || in->sdst % 2))
		fail(e, "the mask destination is missing or not aligned");
	if (in->fmt == GCN_VOP3 && info->src_dw[2] == 2 && info->fmt == GCN_VOP2 &&
			(in->src[2] > 127 || in->src[2] % 2))
		fail(e, "the mask must be an aligned SGPR pair");
	if (in->src[1] == GCN_SRC_LDS_DIRECT || in->src[2] == GCN_SRC_LDS_DIRECT)
		fail(e, "LDS_DIRECT can be the first source only");
	if (!is_vop32(in->fmt))
		return;
	bool sdwab = in->sub == GCN_SUB_SDWA && info->fmt == GCN_VOPC && e->gen == GCN_GFX9;
	if (info->sdst_dw && !sdwab && in->sdst != GCN_SRC_NONE && in->sdst != GCN_SRC_VCC)
		fail(e, "the 32-bit form writes VCC only");
	if (info->src_dw[2] == 2 && in->src[2] != GCN_SRC_NONE && in->src[2] != GCN_SRC_VCC)
		fail(e, "the 32-bit form reads VCC only");
	if (in->sub == GCN_SUB_NONE && (in->neg | in->abs | in->clamp | in->omod | in->op_sel))
		fail(e, "modifiers need the 64-bit form");
}

static void check_sub(struct encoder *e)
{
	const struct gcn_inst *in = e->in;
	if (in->sub == GCN_SUB_NONE)
		return;
	if (!is_vop32(in->fmt))
		fail(e, "SDWA and DPP are forms of VOP1, VOP2 and VOPC");
	if (in->sub == GCN_SUB_SDWA) {
		if (!(gcn_op_mods(e->gen, (enum gcn_op)in->op) & GCN_M_SDWA))
			fail(e, "the instruction has no SDWA form");
		if (in->dst_sel > 6 || in->src_sel[0] > 6 || in->src_sel[1] > 6 || in->dst_unused > 2)
			fail(e, "unknown SDWA selection");
		if ((in->op == GCN_V_MAC_F32 || in->op == GCN_V_MAC_F16) && in->dst_sel != 6)
			fail(e, "v_mac writes a whole dword");
	} else {
		if (!(gcn_op_mods(e->gen, (enum gcn_op)in->op) & GCN_M_DPP))
			fail(e, "the instruction has no DPP form");
		if (!isa_dpp_ctrl_valid(in->dpp_ctrl))
			fail(e, "unknown DPP control");
		if (in->clamp | in->omod)
			fail(e, "DPP has no clamp or omod");
	}
}

static bool has_literal(const struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (info->flags & GCN_F_FIXED_LITERAL)
		return true;
	if (in->fmt == GCN_SMEM)
		return in->src[1] == GCN_SRC_LITERAL;
	if (in->fmt > GCN_SOPC && !is_vop32(in->fmt))
		return false;
	for (int i = 0; i < 3; i++)
		if (in->src[i] == GCN_SRC_LITERAL && !(info->flags & GCN_F_RAW_OPERAND && i))
			return in->sub == GCN_SUB_NONE;
	return false;
}


unsigned gcn_encode(enum gcn_gen gen, struct gcn_inst *in, uint32_t out[4], const char **why)
{
	static const char *const unknown = "no such opcode";
	if (in->op >= GCN_OP_COUNT) {
		if (why)
			*why = unknown;
		return 0;
	}
	struct encoder e = { gen, in, gcn_op_info((enum gcn_op)in->op), NULL };
	uint64_t word = 0;
	unsigned count = 0;
	in->d16_unpacked = in->fmt == GCN_MIMG && in->d16 && gen == GCN_GFX8;
	if (isa_op_number(gen, (enum gcn_op)in->op, (enum gcn_format)in->fmt) < 0) {
		fail(&e, "the instruction has no such encoding");
	} else {
		enum isa_enc enc = isa_encoding_of(gen, (enum gcn_op)in->op, (enum gcn_format)in->fmt);
		check_operands(&e);
		if (is_vop(in->fmt)) {
			check_vector(&e);
			check_modifiers(&e);
			if (!constant_bus_ok(in, e.info))
				fail(&e, "more than one scalar operand");
		}
		check_sub(&e);
		word = encode_fields(&e, enc);
		count = isa_encodings[enc].dwords;
	}
	out[0] = (uint32_t)word;
	if (count == 2)
		out[1] = (uint32_t)(word >> 32);
	if (!e.why && in->sub)
		out[count++] = (uint32_t)encode_fields(&e, isa_second_encoding(gen, in));
	if (!e.why && has_literal(in, e.info))
		out[count++] = in->literal;
	if (e.why) {
		if (why)
			*why = e.why;
		return 0;
	}
	in->size = (uint8_t)(4 * count);
	return count;
}
