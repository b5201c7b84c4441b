/* SPDX-License-Identifier: MIT */
/* One field of an encoding into the record. */
#include "isa/gcn_decode_priv.h"

#include <string.h>

static void set_member(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	uint8_t *p = (uint8_t *)d->in + f->member;
	if (f->size == 1) {
		*p = (uint8_t)value;
	} else {
		uint16_t half = (uint16_t)value;
		memcpy(p, &half, sizeof(half));
	}
}

static void or_member(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	((uint8_t *)d->in)[f->member] |= (uint8_t)value;
}

static int32_t sign_extend(uint32_t value, unsigned width)
{
	uint32_t sign = 1u << (width - 1);
	return (int32_t)((value ^ sign) - sign);
}

/* Whether the field's operand is absent: then its value does not matter yet. */
static bool is_absent(const struct isa_decoder *d, const struct isa_field *f)
{
	if (d->info->flags & GCN_F_RAW_OPERAND)
		return false;
	for (size_t i = 0; i < 4; i++)
		if (f->member == offsetof(struct gcn_inst, src) + i * sizeof(d->in->src[0]))
			return !d->info->src_dw[i];
	return f->member == offsetof(struct gcn_inst, dst) && !d->info->dst_dw;
}

/* An operand of the source space; a gap in it makes the word undecodable. */
static void set_source(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	d->bad |= !isa_source_valid(d->gen, value) && !is_absent(d, f);
	set_member(d, f, value);
}

static void set_vop_src0(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	if (value == ISA_SRC_SDWA && d->gen >= GCN_GFX8)
		d->in->sub = GCN_SUB_SDWA;
	else if (value == ISA_SRC_DPP && d->gen >= GCN_GFX8)
		d->in->sub = GCN_SUB_DPP;
	else
		set_source(d, f, value);
}

static void set_vsrc1(struct isa_decoder *d, unsigned value)
{
	if (isa_lane_select(d->in, d->info)) {
		d->bad |= !isa_source_valid(d->gen, value) || value == GCN_SRC_LITERAL;
		d->in->src[1] = (uint16_t)value;
		return;
	}
	d->in->src[d->info->flags & GCN_F_LITERAL_SRC1 ? 2 : 1] = (uint16_t)(256 + value);
}

static void set_sopk_reg(struct isa_decoder *d, unsigned value)
{
	if (d->info->flags & GCN_F_FIXED_LITERAL)
		return;
	d->bad |= !isa_source_valid(d->gen, value);
	if (d->info->dst_dw)
		d->in->dst = (uint16_t)value;
	else
		d->in->src[0] = (uint16_t)value;
}

/* Fields come in the order SOFFSET, SOFFSET_EN, OFFSET, IMM; gfx8 lacks the
 * first two, and its offset is unsigned. */
static void set_smem(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	struct gcn_inst *in = d->in;
	enum isa_field_kind kind = (enum isa_field_kind)f->kind;
	switch (kind) {
	case ISA_SMEM_SOFFSET:
		in->src[1] = (uint16_t)value;
		break;
	case ISA_SMEM_SOFFSET_EN:
		if (!value)
			in->src[1] = GCN_SRC_NONE;
		break;
	case ISA_SMEM_OFFSET:
		in->offset = d->gen == GCN_GFX9 ? sign_extend(value, f->width) : (int32_t)value;
		break;
	default:
		d->bad |= value && !d->info->src_dw[1];
		if (!value && in->src[1] == GCN_SRC_NONE)
			in->src[1] = (uint16_t)(in->offset & 127);
		if (!value)
			in->offset = 0;
		if (d->info->src_dw[0] == 4 && in->offset < 0)
			d->bad = true;
		if (d->info->src_dw[1] && in->src[1] != GCN_SRC_NONE)
			d->bad |= !isa_source_valid(d->gen, in->src[1]);
	}
}

/* In the order OFFSET, IMM. */
static void set_smrd(struct isa_decoder *d, enum isa_field_kind kind, unsigned value)
{
	struct gcn_inst *in = d->in;
	if (!d->info->src_dw[1]) {
		d->bad |= value;
	} else if (kind == ISA_SMRD_OFFSET) {
		in->offset = (int32_t)value * 4;
	} else if (!value) {
		in->src[1] = (uint16_t)(in->offset / 4);
		in->offset = 0;
		bool literal = in->src[1] == GCN_SRC_LITERAL && d->gen == GCN_GFX7;
		d->bad |= !literal && (in->src[1] > 127 || !isa_source_valid(d->gen, in->src[1]));
	}
}

static void set_sdwa_scalar(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	unsigned i = f->member == offsetof(struct gcn_inst, src[0]) ? 0 : 1;
	unsigned reg = d->in->src[i];
	if (!d->info->src_dw[i])
		d->bad |= value;
	if (reg == GCN_SRC_NONE)
		return;
	d->in->src[i] = (uint16_t)((reg & 255) + (value ? 0 : 256));
	d->bad |= value && ((reg & 255) > GCN_SRC_SCC || !isa_source_valid(d->gen, reg & 255));
}

/* An SGPR, or in its place a plain number. */
static void set_sreg(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	d->bad |= value > 127;
	if (d->info->flags & GCN_F_RAW_OPERAND)
		set_member(d, f, value);
	else
		set_source(d, f, value);
}

/* A scalar source of 8 bits. */
static void set_ssrc(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	if (d->info->flags & GCN_F_RAW_OPERAND && f->member == offsetof(struct gcn_inst, src[1]))
		d->bad |= value > 15, set_member(d, f, value);
	else
		set_source(d, f, value);
	d->bad |= !is_absent(d, f) && (value == GCN_SRC_LDS_DIRECT ||
		(value == GCN_SRC_LITERAL && d->in->fmt > GCN_SOPC));
	d->bad |= value > 127 && d->info->flags & GCN_F_REGISTER_ONLY;
}

/* A vector source of 9 bits. */
static void set_vsrc(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	d->bad |= value == GCN_SRC_LITERAL;
	d->bad |= value > 2 && d->info->flags & GCN_F_RAW_OPERAND && f->member == offsetof(struct gcn_inst, src[0]);
	set_source(d, f, value);
}

static void set_vgpr(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	bool raw = d->info->flags & GCN_F_RAW_OPERAND;
	d->bad |= raw && value > 2;
	set_member(d, f, raw ? value : 256 + value);
}

static void set_vdst(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	if (d->info->flags & GCN_F_DST_SGPR)
		set_source(d, f, value < 128 ? value : 125);
	else
		set_member(d, f, 256 + value);
}

void isa_set_field(struct isa_decoder *d, const struct isa_field *f, unsigned value)
{
	switch ((enum isa_field_kind)f->kind) {
	case ISA_OP: case ISA_IGNORED: case ISA_KIND_COUNT: break;
	case ISA_RAW: set_member(d, f, value); break;
	case ISA_BIT0: case ISA_BITS01: or_member(d, f, value); break;
	case ISA_BIT1: or_member(d, f, value << 1); break;
	case ISA_BIT2: or_member(d, f, value << 2); break;
	case ISA_UNSIGNED: d->in->offset = (int32_t)value; break;
	case ISA_SIGNED: case ISA_SIMM16: d->in->offset = sign_extend(value, f->width); break;
	case ISA_SREG: set_sreg(d, f, value); break;
	case ISA_SOPK_REG: set_sopk_reg(d, value); break;
	case ISA_SPAIR: set_source(d, f, value * 2); break;
	case ISA_SQUAD: set_source(d, f, value * 4); break;
	case ISA_SADDR:
		if (value != 127)
			set_source(d, f, value);
		break;
	case ISA_SSRC: set_ssrc(d, f, value); break;
	case ISA_VSRC: set_vsrc(d, f, value); break;
	case ISA_VOP_SRC0: set_vop_src0(d, f, value); break;
	case ISA_VGPR: set_vgpr(d, f, value); break;
	case ISA_VDST: set_vdst(d, f, value); break;
	case ISA_VSRC1: set_vsrc1(d, value); break;
	case ISA_SMEM_SOFFSET: case ISA_SMEM_SOFFSET_EN: case ISA_SMEM_OFFSET: case ISA_SMEM_IMM:
		set_smem(d, f, value);
		break;
	case ISA_SMRD_OFFSET: case ISA_SMRD_IMM: set_smrd(d, (enum isa_field_kind)f->kind, value); break;
	case ISA_SDWA_SRC0: set_member(d, f, value); break;
	case ISA_SDWA_SCALAR: set_sdwa_scalar(d, f, value); break;
	case ISA_SDWA_SDST: set_source(d, f, value); break;
	case ISA_SDWA_SD:
		if (!value)
			set_member(d, f, GCN_SRC_VCC);
		break;
	}
}
