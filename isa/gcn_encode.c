/* SPDX-License-Identifier: MIT */
/* Encoder: walks the fields of the instruction's encoding (fields.def). */
#include "isa/gcn_encode_priv.h"

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

/* --- one field --- */

static unsigned member(const struct isa_encoder *e, const struct isa_field *f)
{
	const uint8_t *p = (const uint8_t *)e->in + f->member;
	if (f->size == 1)
		return *p;
	uint16_t value;
	memcpy(&value, p, sizeof(value));
	return value;
}

static unsigned vgpr(struct isa_encoder *e, unsigned value)
{
	if (value == GCN_SRC_NONE)
		return 0;
	if (value < 256 || value > 511)
		return isa_fail(e, "the operand must be a VGPR");
	return value - 256;
}

static unsigned sgpr(struct isa_encoder *e, unsigned value, unsigned align)
{
	if (value == GCN_SRC_NONE)
		return 0;
	if (value > 127 || !isa_source_valid(e->gen, value))
		return isa_fail(e, "the operand must be an SGPR");
	if (value % align)
		return isa_fail(e, "SGPR tuple is not aligned");
	return value / align;
}

static unsigned source(struct isa_encoder *e, unsigned value, unsigned limit)
{
	if (value == GCN_SRC_NONE)
		return 0;
	if (value >= limit || !isa_source_valid(e->gen, value))
		return isa_fail(e, "the operand is no source of this encoding");
	return value;
}

static unsigned vop_src0(struct isa_encoder *e, unsigned value)
{
	if (e->in->sub == GCN_SUB_SDWA)
		return ISA_SRC_SDWA;
	if (e->in->sub == GCN_SUB_DPP)
		return ISA_SRC_DPP;
	return source(e, value, 512);
}

static unsigned vsrc1(struct isa_encoder *e, unsigned value)
{
	if (e->info->flags & GCN_F_LITERAL_SRC1)
		value = e->in->src[2];
	if (e->in->sub == GCN_SUB_SDWA && value < 256)
		return e->gen == GCN_GFX9 ? source(e, value, GCN_SRC_SCC + 1) : isa_fail(e, "the operand must be a VGPR");
	if (isa_lane_select(e->in, e->info))
		return value == GCN_SRC_LITERAL ? isa_fail(e, "the lane cannot be a literal") : source(e, value, 256);
	return vgpr(e, value);
}

static unsigned sopk_reg(struct isa_encoder *e)
{
	if (e->info->flags & GCN_F_FIXED_LITERAL)
		return 0;
	return sgpr(e, e->info->dst_dw ? e->in->dst : e->in->src[0], 1);
}

static unsigned offset(struct isa_encoder *e, int64_t low, int64_t high)
{
	int64_t value = e->in->offset;
	if (value < low || value > high)
		return isa_fail(e, "offset or immediate out of range");
	return (unsigned)value;
}

/* An immediate, or an SGPR in its place, or (gfx9) both. */
static unsigned smem(struct isa_encoder *e, enum isa_field_kind kind)
{
	unsigned reg = e->in->src[1];
	if (!e->info->src_dw[1]) /* no address: s_memtime, s_dcache_inv */
		return 0;
	bool has_reg = reg != GCN_SRC_NONE, imm = !has_reg || e->in->offset;
	bool unsigned_offset = e->info->src_dw[0] == 4 || e->gen != GCN_GFX9;
	if (has_reg && imm && e->gen != GCN_GFX9)
		return isa_fail(e, "an SGPR and an immediate offset at once");
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
static unsigned smrd(struct isa_encoder *e, enum isa_field_kind kind)
{
	unsigned reg = e->in->src[1];
	bool imm = reg == GCN_SRC_NONE;
	if (!e->info->src_dw[1])
		return 0;
	if (kind == ISA_SMRD_IMM)
		return imm;
	if (!imm && e->in->offset)
		return isa_fail(e, "an SGPR and an immediate offset at once");
	if (reg == GCN_SRC_LITERAL)
		return e->gen == GCN_GFX7 ? reg : isa_fail(e, "no literal offset in this generation");
	if (!imm)
		return sgpr(e, reg, 1);
	if (e->in->offset & 3)
		return isa_fail(e, "the offset is no multiple of 4");
	return offset(e, 0, 255 * 4) / 4;
}

static unsigned sdwa_field(struct isa_encoder *e, enum isa_field_kind kind, unsigned value)
{
	switch (kind) {
	case ISA_SDWA_SRC0:
		return value < 256 ? source(e, value, GCN_SRC_SCC + 1) : vgpr(e, value);
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
static unsigned existing_sources(const struct isa_encoder *e, const struct isa_field *f, unsigned value)
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
static bool selects_nothing(const struct isa_encoder *e, const struct isa_field *f)
{
	for (unsigned i = 0; i < 2; i++) {
		bool of_source = f->member == offsetof(struct gcn_inst, src_sel) + i ||
			(f->member == offsetof(struct gcn_inst, src_sext) && f->kind == (i ? ISA_BIT1 : ISA_BIT0));
		if (of_source)
			return !e->info->src_dw[i];
	}
	return false;
}

static unsigned field_value(struct isa_encoder *e, const struct isa_field *f)
{
	if (selects_nothing(e, f))
		return 0;
	unsigned value = f->kind == ISA_OP || f->kind == ISA_IGNORED ? 0 : member(e, f);
	int64_t limit = (int64_t)1 << f->width;
	switch ((enum isa_field_kind)f->kind) {
	case ISA_OP: {
		int number = isa_op_number(e->gen, (enum gcn_op)e->in->op, (enum gcn_format)e->in->fmt);
		return number < 0 ? isa_fail(e, "the instruction has no such encoding") : (unsigned)number;
	}
	case ISA_RAW:
		value = existing_sources(e, f, value);
		return value < limit ? value : isa_fail(e, "modifier out of range");
	case ISA_BIT0: return value & 1;
	case ISA_BIT1: return value >> 1 & 1;
	case ISA_BIT2: return value >> 2 & 1;
	case ISA_BITS01: return value & 3;
	case ISA_UNSIGNED: return offset(e, 0, limit - 1);
	case ISA_SIGNED: return offset(e, -limit / 2, limit / 2 - 1);
	case ISA_SIMM16: return offset(e, -0x8000, 0xffff);
	case ISA_SREG:
		if (e->info->flags & GCN_F_RAW_OPERAND)
			return value == GCN_SRC_NONE || value > 127 ? isa_fail(e, "operand out of range") : value;
		return sgpr(e, value, 1);
	case ISA_SOPK_REG: return sopk_reg(e);
	case ISA_SPAIR: return sgpr(e, value, 2);
	case ISA_SQUAD: return sgpr(e, value, 4);
	case ISA_SADDR: return value == GCN_SRC_NONE ? 127 : sgpr(e, value, 1);
	case ISA_SSRC:
		if (f->member == offsetof(struct gcn_inst, src[1]) && e->info->flags & GCN_F_RAW_OPERAND)
			return value < 16 ? value : isa_fail(e, "operand out of range");
		if (e->info->flags & GCN_F_REGISTER_ONLY)
			return sgpr(e, value, 1);
		if (value == GCN_SRC_LDS_DIRECT)
			return isa_fail(e, "scalar instructions do not read LDS");
		if (value == GCN_SRC_LITERAL && e->in->fmt > GCN_SOPC)
			return isa_fail(e, "the offset cannot be a literal");
		return source(e, value, 256);
	case ISA_VSRC:
		if (value == GCN_SRC_LITERAL)
			return isa_fail(e, "VOP3 takes no literal");
		return source(e, value, 512);
	case ISA_VOP_SRC0: return vop_src0(e, value);
	case ISA_VGPR:
		if (e->info->flags & GCN_F_RAW_OPERAND)
			return value < 3 ? value : isa_fail(e, "operand out of range");
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
	return isa_fail(e, "unknown field kind");
}

static uint64_t encode_fields(struct isa_encoder *e, enum isa_enc enc)
{
	uint64_t word = isa_encodings[enc].match;
	for (unsigned i = isa_field_first[enc]; i < isa_field_first[enc + 1]; i++) {
		const struct isa_field *f = &isa_fields[i];
		uint64_t mask = ((uint64_t)1 << f->width) - 1;
		word |= (field_value(e, f) & mask) << f->lo;
	}
	return word;
}

/* --- the instruction --- */

static bool has_literal(const struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (info->flags & GCN_F_FIXED_LITERAL)
		return true;
	if (in->fmt == GCN_SMEM)
		return in->src[1] == GCN_SRC_LITERAL;
	if (in->fmt > GCN_SOPC && !isa_is_vop32(in->fmt))
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
	struct isa_encoder e = { gen, in, gcn_op_info((enum gcn_op)in->op), NULL };
	uint64_t word = 0;
	unsigned count = 0;
	in->d16_unpacked = in->fmt == GCN_MIMG && in->d16 && gen == GCN_GFX8;
	if (isa_op_number(gen, (enum gcn_op)in->op, (enum gcn_format)in->fmt) < 0) {
		isa_fail(&e, "the instruction has no such encoding");
	} else {
		enum isa_enc enc = isa_encoding_of(gen, (enum gcn_op)in->op, (enum gcn_format)in->fmt);
		isa_check(&e);
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
