/* SPDX-License-Identifier: MIT */
/* Decoder: the encoder's walk over fields.def, the other way. */
#include "isa/gcn_decode_priv.h"

static void decode_fields(struct isa_decoder *d, enum isa_enc enc, uint64_t word)
{
	uint64_t unused = word & ~(uint64_t)isa_encodings[enc].mask;
	for (unsigned i = isa_field_first[enc]; i < isa_field_first[enc + 1]; i++) {
		const struct isa_field *f = &isa_fields[i];
		uint64_t mask = ((uint64_t)1 << f->width) - 1;
		isa_set_field(d, f, (unsigned)(word >> f->lo & mask));
		unused &= ~(mask << f->lo);
	}
	d->bad |= unused != 0;
}

/* The encoding by its fixed bits, ISA_ENC_COUNT if no row matches. */
static enum isa_enc match_encoding(enum gcn_gen gen, uint32_t word)
{
	for (unsigned e = 0; e < ISA_ENC_COUNT; e++)
		if (isa_encodings[e].gens >> gen & 1 && isa_encodings[e].mask && (word & isa_encodings[e].mask) == isa_encodings[e].match)
			return (enum isa_enc)e;
	return ISA_ENC_COUNT;
}

static enum gcn_format format_of(enum isa_enc enc)
{
	static const uint8_t formats[ISA_ENC_COUNT] = {
#define F(name) [ISA_ENC_##name] = GCN_##name
		F(SOP2), F(SOPK), F(SOP1), F(SOPC), F(SOPP), F(SMEM), F(VOP2), F(VOP1), F(VOPC),
		F(VOP3P), F(VINTRP), F(DS), F(MUBUF), F(MTBUF), F(MIMG), F(EXP), F(FLAT), F(GLOBAL),
		F(SCRATCH),
#undef F
		[ISA_ENC_VOP3A] = GCN_VOP3, [ISA_ENC_VOP3A_OLD] = GCN_VOP3,
		[ISA_ENC_SMRD] = GCN_SMEM, [ISA_ENC_SMEM_GFX8] = GCN_SMEM, [ISA_ENC_VINTRP_OLD] = GCN_VINTRP,
		[ISA_ENC_DS_OLD] = GCN_DS, [ISA_ENC_MUBUF_OLD] = GCN_MUBUF, [ISA_ENC_MTBUF_OLD] = GCN_MTBUF,
		[ISA_ENC_EXP_OLD] = GCN_EXP, [ISA_ENC_FLAT_OLD] = GCN_FLAT,
	};
	return (enum gcn_format)formats[enc];
}

static unsigned op_number(enum isa_enc enc, uint64_t word)
{
	for (unsigned i = isa_field_first[enc]; i < isa_field_first[enc + 1]; i++)
		if (isa_fields[i].kind == ISA_OP)
			return (unsigned)(word >> isa_fields[i].lo & ((1u << isa_fields[i].width) - 1));
	return 0; /* EXP */
}

/* What the 32-bit forms of vector instructions leave unsaid: VCC. */
static void add_implicit(struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (in->fmt != GCN_VOP2 && in->fmt != GCN_VOPC)
		return;
	if (info->sdst_dw && in->sdst == GCN_SRC_NONE)
		in->sdst = GCN_SRC_VCC;
	if (info->src_dw[2] == 2)
		in->src[2] = GCN_SRC_VCC;
}

static bool takes_literal(const struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (info->flags & GCN_F_FIXED_LITERAL)
		return true;
	if (in->fmt == GCN_SMEM)
		return in->src[1] == GCN_SRC_LITERAL;
	bool may = in->fmt <= GCN_SOPC || in->fmt == GCN_VOP1 || in->fmt == GCN_VOP2 || in->fmt == GCN_VOPC;
	return may && (in->src[0] == GCN_SRC_LITERAL || in->src[1] == GCN_SRC_LITERAL);
}

static void name_fixed_literal(struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (info->flags & GCN_F_LITERAL_SRC1)
		in->src[1] = GCN_SRC_LITERAL;
	else
		in->src[in->fmt == GCN_VOP2 ? 2 : 0] = GCN_SRC_LITERAL;
}

/* The SDWA or DPP dword after the VOP word. */
static void decode_second(struct isa_decoder *d, uint32_t word)
{
	struct gcn_inst *in = d->in;
	if (in->sub == GCN_SUB_SDWA) {
		d->bad |= !(gcn_op_mods(d->gen, (enum gcn_op)in->op) & GCN_M_SDWA);
		decode_fields(d, isa_second_encoding(d->gen, in), word);
		d->bad |= in->dst_sel > 6 || in->src_sel[0] > 6 || in->src_sel[1] > 6 || in->dst_unused > 2;
	} else {
		d->bad |= !(gcn_op_mods(d->gen, (enum gcn_op)in->op) & GCN_M_DPP);
		decode_fields(d, ISA_ENC_DPP, word);
		d->bad |= !isa_dpp_ctrl_valid(in->dpp_ctrl);
	}
}

unsigned gcn_decode(enum gcn_gen gen, const uint32_t *code, size_t dwords, struct gcn_inst *out)
{
	if (!dwords)
		return 0;
	enum isa_enc enc = match_encoding(gen, code[0]);
	if (enc == ISA_ENC_COUNT || isa_encodings[enc].dwords > dwords)
		return 0;
	unsigned count = isa_encodings[enc].dwords;
	uint64_t word = code[0];
	if (count == 2)
		word |= (uint64_t)code[1] << 32;
	enum gcn_format format = format_of(enc);
	enum gcn_op op = isa_find_op(gen, format, op_number(enc, word));
	if (op == GCN_OP_COUNT)
		return 0;

	gcn_inst_init(out, op);
	out->fmt = (uint8_t)format;
	out->op_sel_hi = 0;
	struct isa_decoder d = { gen, out, gcn_op_info(op), false };
	decode_fields(&d, isa_encoding_of(gen, op, format), word);
	if (out->sub) {
		if (count == dwords)
			return 0;
		decode_second(&d, code[count++]);
	}
	out->d16_unpacked = out->d16 && gen == GCN_GFX8;
	isa_drop_absent(&d);
	add_implicit(out, d.info);
	isa_check_decoded(&d);
	if (takes_literal(out, d.info)) {
		if (count == dwords)
			return 0;
		out->literal = code[count++];
		if (d.info->flags & GCN_F_FIXED_LITERAL)
			name_fixed_literal(out, d.info);
	}
	out->size = (uint8_t)(4 * count);
	return d.bad ? 0 : count;
}
