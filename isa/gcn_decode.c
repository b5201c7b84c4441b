/* Decoder: the encoder's walk over fields.def, the other way. */
#include "isa/gcn_forms.h"
#include "isa/gcn_tables.h"

#include <string.h>

struct decoder {
	enum gcn_gen gen;
	struct gcn_inst *in;
	const struct gcn_op_info *info;
	bool bad;
};

static void set_member(struct decoder *d, const struct isa_field *f, unsigned value)
{
	uint8_t *p = (uint8_t *)d->in + f->member;
	if (f->size == 1) {
		*p = (uint8_t)value;
	} else {
		uint16_t half = (uint16_t)value;
		memcpy(p, &half, sizeof(half));
	}
}

static void or_member(struct decoder *d, const struct isa_field *f, unsigned value)
{
	((uint8_t *)d->in)[f->member] |= (uint8_t)value;
}

static int32_t sign_extend(uint32_t value, unsigned width)
{
	uint32_t sign = 1u << (width - 1);
	return (int32_t)((value ^ sign) - sign);
}

/* Whether the field's operand is absent: then its value does not matter yet. */
static bool is_absent(const struct decoder *d, const struct isa_field *f)
{
	if (d->info->flags & GCN_F_RAW_OPERAND)
		return false;
	for (size_t i = 0; i < 4; i++)
		if (f->member == offsetof(struct gcn_inst, src) + i * sizeof(d->in->src[0]))
			return !d->info->src_dw[i];
	return f->member == offsetof(struct gcn_inst, dst) && !d->info->dst_dw;
}

/* An operand of the source space; a gap in it makes the word undecodable. */
static void set_source(struct decoder *d, const struct isa_field *f, unsigned value)
{
	d->bad |= !isa_source_valid(d->gen, value) && !is_absent(d, f);
	set_member(d, f, value);
}

static void set_vop_src0(struct decoder *d, const struct isa_field *f, unsigned value)
{
	if (value == ISA_SRC_SDWA && d->gen >= GCN_GFX8)
		d->in->sub = GCN_SUB_SDWA;
	else if (value == ISA_SRC_DPP && d->gen >= GCN_GFX8)
		d->in->sub = GCN_SUB_DPP;
	else
		set_source(d, f, value);
}

static void set_vsrc1(struct decoder *d, unsigned value)
{
	if (isa_lane_select(d->in, d->info)) {
		d->bad |= !isa_source_valid(d->gen, value) || value == GCN_SRC_LITERAL;
		d->in->src[1] = (uint16_t)value;
		return;
	}
	d->in->src[d->info->flags & GCN_F_LITERAL_SRC1 ? 2 : 1] = (uint16_t)(256 + value);
}

static void set_sopk_reg(struct decoder *d, unsigned value)
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
static void set_smem(struct decoder *d, const struct isa_field *f, unsigned value)
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
static void set_smrd(struct decoder *d, enum isa_field_kind kind, unsigned value)
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

static void set_sdwa_scalar(struct decoder *d, const struct isa_field *f, unsigned value)
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

static void set_field(struct decoder *d, const struct isa_field *f, unsigned value)
{
	switch ((enum isa_field_kind)f->kind) {
	case ISA_OP: case ISA_IGNORED: break;
	case ISA_RAW: set_member(d, f, value); break;
	case ISA_BIT0: case ISA_BITS01: or_member(d, f, value); break;
	case ISA_BIT1: or_member(d, f, value << 1); break;
	case ISA_BIT2: or_member(d, f, value << 2); break;
	case ISA_UNSIGNED: d->in->offset = (int32_t)value; break;
	case ISA_SIGNED: case ISA_SIMM16: d->in->offset = sign_extend(value, f->width); break;
	case ISA_SREG:
		d->bad |= value > 127;
		if (d->info->flags & GCN_F_RAW_OPERAND)
			set_member(d, f, value);
		else
			set_source(d, f, value);
		break;
	case ISA_SOPK_REG: set_sopk_reg(d, value); break;
	case ISA_SPAIR: set_source(d, f, value * 2); break;
	case ISA_SQUAD: set_source(d, f, value * 4); break;
	case ISA_SADDR:
		if (value != 127)
			set_source(d, f, value);
		break;
	case ISA_SSRC:
		if (d->info->flags & GCN_F_RAW_OPERAND && f->member == offsetof(struct gcn_inst, src[1]))
			d->bad |= value > 15, set_member(d, f, value);
		else
			set_source(d, f, value);
		d->bad |= !is_absent(d, f) && (value == GCN_SRC_LDS_DIRECT ||
			(value == GCN_SRC_LITERAL && d->in->fmt > GCN_SOPC));
		d->bad |= value > 127 && d->info->flags & GCN_F_REGISTER_ONLY;
		break;
	case ISA_VSRC:
		d->bad |= value == GCN_SRC_LITERAL;
		d->bad |= value > 2 && d->info->flags & GCN_F_RAW_OPERAND && f->member == offsetof(struct gcn_inst, src[0]);
		set_source(d, f, value);
		break;
	case ISA_VOP_SRC0: set_vop_src0(d, f, value); break;
	case ISA_VGPR:
		if (d->info->flags & GCN_F_RAW_OPERAND) {
			d->bad |= value > 2;
			set_member(d, f, value);
		} else {
			set_member(d, f, 256 + value);
		}
		break;
	case ISA_VDST:
		if (d->info->flags & GCN_F_DST_SGPR)
			set_source(d, f, value < 128 ? value : 125);
		else
			set_member(d, f, 256 + value);
		break;
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
	case ISA_KIND_COUNT: break;
	}
}

static void decode_fields(struct decoder *d, enum isa_enc enc, uint64_t word)
{
	uint64_t unused = word & ~(uint64_t)isa_encodings[enc].mask;
	for (unsigned i = isa_field_first[enc]; i < isa_field_first[enc + 1]; i++) {
		const struct isa_field *f = &isa_fields[i];
		uint64_t mask = ((uint64_t)1 << f->width) - 1;
		set_field(d, f, (unsigned)(word >> f->lo & mask));
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

/* --- fields that mean nothing in this instruction --- */

/* Absent operands.  Their fields must be 0 in some formats and may hold
 * anything in others: as llvm-mc sees it, in place of a manual that says. */
static void drop(struct decoder *d, uint16_t *operand, bool strict)
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

static void drop_operands(struct decoder *d)
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
static void drop_by_form(struct decoder *d)
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
static void check_vop3_modifiers(struct decoder *d, unsigned mods)
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

static void check_sdwa_modifiers(struct decoder *d, unsigned mods)
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

static void check_modifiers(struct decoder *d)
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

static void check_memory(struct decoder *d)
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
	if (*reg < sgprs || (*reg >= ttmp && *reg < 124)) {
		*reg = (uint16_t)(*reg & ~(align - 1));
		return *reg + dw <= (*reg < sgprs ? sgprs : 124);
	}
	return dw == 2 && *reg % 2 == 0 && *reg != GCN_SRC_M0;
}

static void check_tuple(struct decoder *d, uint16_t *reg, unsigned dw)
{
	if (*reg == GCN_SRC_NONE || dw < 2)
		return;
	d->bad |= *reg == GCN_SRC_LDS_DIRECT;
	if (*reg >= 256)
		d->bad |= *reg + dw > 512;
	else if (*reg < 128)
		d->bad |= !align_tuple(d->gen, reg, dw);
}

static void check_tuples(struct decoder *d)
{
	struct gcn_inst *in = d->in;
	unsigned dst_dw = in->fmt == GCN_MIMG ? gcn_mimg_data_dw(in) : d->info->dst_dw + in->tfe;
	check_tuple(d, &in->dst, dst_dw);
	check_tuple(d, &in->sdst, d->info->sdst_dw);
	for (int i = 0; i < 4; i++)
		check_tuple(d, &in->src[i], isa_source_dw(in, i));
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
static void decode_second(struct decoder *d, uint32_t word)
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
	struct decoder d = { gen, out, gcn_op_info(op), false };
	decode_fields(&d, isa_encoding_of(gen, op, format), word);
	if (out->sub) {
		if (count == dwords)
			return 0;
		decode_second(&d, code[count++]);
	}
	out->d16_unpacked = out->d16 && gen == GCN_GFX8;
	drop_operands(&d);
	drop_by_form(&d);
	check_modifiers(&d);
	check_memory(&d);
	add_implicit(out, d.info);
	check_tuples(&d);
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
