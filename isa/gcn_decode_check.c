/* SPDX-License-Identifier: MIT */
/* What a word says that no instruction means: absent operands, modifiers and
 * tuples that do not exist. */
#include "isa/gcn_decode_priv.h"

/* --- fields that mean nothing in this instruction --- */

/* Absent operands.  Their fields must be 0 in some formats and may hold
 * anything in others: as llvm-mc sees it, in place of a manual that says. */
static void drop(struct isa_decoder *d, uint16_t *operand, bool strict)
{
	bool vop3 = d->in->fmt == GCN_VOP3 || d->in->fmt == GCN_VOP3P;
	bool vgpr_field = !vop3 || operand == &d->in->dst; /* of 8 bits, 0 is v0 */
	bool zero = *operand == 0 || (*operand == 256 && vgpr_field) || *operand == GCN_SRC_NONE;
	d->bad |= strict && !zero;
	*operand = GCN_SRC_NONE;
}

static bool unused_is_zero(const struct gcn_inst *in)
{
	return in->fmt == GCN_VOP3 || in->fmt == GCN_VOP3P || in->fmt == GCN_DS || in->fmt == GCN_MIMG;
}

static void drop_operands(struct isa_decoder *d)
{
	struct gcn_inst *in = d->in;
	const struct gcn_op_info *info = d->info;
	bool raw = info->flags & GCN_F_RAW_OPERAND, strict = unused_is_zero(in);
	for (int i = 0; i < 4; i++)
		if (!info->src_dw[i] && !(raw && i == (in->fmt == GCN_SOPC ? 1 : 0)))
			drop(d, &in->src[i], strict);
	if (!info->dst_dw && in->fmt != GCN_MIMG && !(raw && in->fmt == GCN_SMEM))
		drop(d, &in->dst, strict || in->fmt == GCN_VOP1);
	if (in->lds)
		drop(d, &in->dst, false);
	if (in->fmt >= GCN_FLAT && info->flags & GCN_F_ATOMIC && !in->glc)
		drop(d, &in->dst, false);
}

/* Operands that are absent in this form. */
static void drop_by_form(struct isa_decoder *d)
{
	struct gcn_inst *in = d->in;
	switch (in->fmt) {
	case GCN_SMEM:
		if (!d->info->src_dw[1])
			in->offset = 0;
		if (!(d->info->flags & (GCN_F_LOAD | GCN_F_STORE | GCN_F_ATOMIC)))
			in->glc = 0;
		break;
	case GCN_MUBUF: case GCN_MTBUF:
		if (!d->info->src_dw[1]) {
			d->bad |= in->offen | in->idxen | in->glc | in->lds | in->tfe;
			in->offset = in->slc = 0;
		}
		if (!in->offen && !in->idxen && !in->addr64)
			in->src[0] = GCN_SRC_NONE;
		break;
	case GCN_SCRATCH:
		if (in->src[2] != GCN_SRC_NONE)
			in->src[0] = GCN_SRC_NONE;
		break;
	case GCN_EXP:
		for (int i = 0; i < 4; i++)
			if (in->compr ? i > 1 || !(in->en >> 2 * i & 3) : !(in->en >> i & 1))
				in->src[i] = GCN_SRC_NONE;
		break;
	default: break;
	}
}

/* Bit i: source i exists. */
static unsigned source_mask(const struct gcn_op_info *info)
{
	unsigned mask = 0;
	for (unsigned i = 0; i < 3; i++)
		mask |= info->src_dw[i] ? 1u << i : 0;
	return mask;
}

/* Modifiers that the instruction does not take. */
static void check_vop3_modifiers(struct isa_decoder *d, unsigned mods)
{
	struct gcn_inst *in = d->in;
	if (d->info->fmt == GCN_VINTRP)
		d->bad |= in->op_sel != 0; /* "high" is for 16-bit results */
	else if (!(mods & GCN_M_OP_SEL) && !(d->info->flags & GCN_F_VOP3_INTERP))
		in->op_sel = 0;
	unsigned signs = (in->neg | in->abs) & ~mods & 7;
	if (mods & GCN_M_OP_SEL) { /* 16-bit integers: the signs of sources are not looked at */
		d->bad |= ((signs | (in->op_sel & 7)) & ~source_mask(d->info)) != 0;
		in->neg &= (uint8_t)mods;
		in->abs &= (uint8_t)mods;
	} else {
		d->bad |= signs != 0;
	}
	d->bad |= in->clamp && !(mods & GCN_M_CLAMP);
	d->bad |= in->omod && !(mods & GCN_M_OMOD);
}

static void check_sdwa_modifiers(struct isa_decoder *d, unsigned mods)
{
	struct gcn_inst *in = d->in;
	unsigned sources = source_mask(d->info) & 3;
	unsigned floats = mods & (GCN_M_SRC0 | GCN_M_SRC1);
	d->bad |= ((in->neg | in->abs) & ~mods & 3) != 0;
	d->bad |= (in->src_sext & (floats | ~sources)) != 0;
	d->bad |= in->omod && !(mods & GCN_M_OMOD);
	for (int i = 0; i < 2; i++)
		d->bad |= in->src_sel[i] && !(sources >> i & 1);
}

static void check_modifiers(struct isa_decoder *d)
{
	struct gcn_inst *in = d->in;
	unsigned mods = gcn_op_mods(d->gen, (enum gcn_op)in->op);
	if (in->fmt == GCN_VOP3)
		check_vop3_modifiers(d, mods);
	else if (in->fmt == GCN_VOP3P)
		d->bad |= ((in->neg | in->neg_hi | in->op_sel) & ~source_mask(d->info)) != 0;
	else if (in->sub == GCN_SUB_SDWA)
		check_sdwa_modifiers(d, mods);
	else if (in->sub == GCN_SUB_DPP)
		d->bad |= ((in->neg | in->abs) & ~mods & 3) != 0;
	if (in->fmt == GCN_SOPP && d->info->flags & GCN_F_NO_IMM && in->op != GCN_S_ENDPGM)
		d->bad |= in->offset != 0;
}

static void check_memory(struct isa_decoder *d)
{
	struct gcn_inst *in = d->in;
	unsigned flags = d->info->flags;
	d->bad |= in->lds && !(flags & GCN_F_MAY_LDS);
	d->bad |= in->op == GCN_BUFFER_STORE_LDS_DWORD && (!in->lds || in->offen || in->idxen);
	d->bad |= flags & GCN_F_GDS_ONLY && !in->gds;
	d->bad |= in->op == GCN_DS_NOP && (in->offset || in->gds);
	d->bad |= in->d16 && (!(flags & GCN_F_MAY_D16) || d->gen < GCN_GFX8);
	d->bad |= in->fmt == GCN_MUBUF && in->tfe && (in->lds || flags & GCN_F_ATOMIC);
	d->bad |= in->addr64 && (in->idxen || in->offen);
	d->bad |= in->fmt == GCN_DS && in->gds && flags & GCN_F_SRC0_LANES && d->info->src_dw[1];
}

/* A scalar tuple begins at a multiple of its size, at most of 4: the low bits
 * of its number do not count.  False when there is no such tuple. */
static bool align_tuple(enum gcn_gen gen, uint16_t *reg, unsigned dw)
{
	unsigned align = dw > 2 ? 4 : 2, ttmp = gcn_ttmp_first(gen), sgprs = gcn_sgpr_count(gen);
	if (*reg < sgprs || (*reg >= ttmp && *reg < GCN_SRC_M0)) {
		*reg = (uint16_t)(*reg & ~(align - 1));
		return *reg + dw <= (*reg < sgprs ? sgprs : GCN_SRC_M0);
	}
	return dw == 2 && *reg % 2 == 0 && *reg != GCN_SRC_M0;
}

static void check_tuple(struct isa_decoder *d, uint16_t *reg, unsigned dw)
{
	if (*reg == GCN_SRC_NONE || dw < 2)
		return;
	d->bad |= *reg == GCN_SRC_LDS_DIRECT;
	if (*reg >= 256)
		d->bad |= *reg + dw > 512;
	else if (*reg < 128)
		d->bad |= !align_tuple(d->gen, reg, dw);
}

static void check_tuples(struct isa_decoder *d)
{
	struct gcn_inst *in = d->in;
	unsigned dst_dw = in->fmt == GCN_MIMG ? gcn_mimg_data_dw(in) : d->info->dst_dw + in->tfe;
	check_tuple(d, &in->dst, dst_dw);
	check_tuple(d, &in->sdst, d->info->sdst_dw);
	for (int i = 0; i < 4; i++)
		check_tuple(d, &in->src[i], isa_source_dw(in, i));
}

void isa_drop_absent(struct isa_decoder *d)
{
	drop_operands(d);
	drop_by_form(d);
}

void isa_check_decoded(struct isa_decoder *d)
{
	check_modifiers(d);
	check_memory(d);
	check_tuples(d);
}
