/* SPDX-License-Identifier: MIT */
/* Disassembler.  The text follows LLVM's syntax for the generation, so that
 * llvm-mc assembles it to the same bytes. */
#include "isa/text/gcn_disasm.h"

#include "isa/gcn_forms.h"
#include "isa/gcn_tables.h"
#include "isa/text/gcn_names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text of unlimited length into a buffer of limited size. */
struct text {
	char *buf;
	size_t size, len;
	unsigned operands;
	enum gcn_gen gen;
};

__attribute__((format(printf, 2, 3)))
static void put(struct text *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	size_t room = t->len < t->size ? t->size - t->len : 0;
	int n = vsnprintf(room ? t->buf + t->len : NULL, room, format, args);
	va_end(args);
	if (n > 0)
		t->len += (size_t)n;
}

/* Starts the next operand: a blank after the mnemonic, commas after. */
static void next(struct text *t)
{
	put(t, t->operands++ ? ", " : " ");
}

static void put_flag(struct text *t, unsigned on, const char *name)
{
	if (on)
		put(t, " %s", name);
}

/* --- operands --- */

static const char *constant_name(enum gcn_gen gen, unsigned code, unsigned dw)
{
	static const char *const floats[] = { "0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0" };
	if (code >= GCN_SRC_HALF && code < GCN_SRC_INV_2PI)
		return floats[code - GCN_SRC_HALF];
	if (code == GCN_SRC_INV_2PI)
		return dw == 2 ? "0.15915494309189532" : "0.15915494";
	return gcn_register_name(gen, code, dw);
}

static void put_range(struct text *t, const char *file, unsigned first, unsigned dw)
{
	if (dw <= 1)
		put(t, "%s%u", file, first);
	else
		put(t, "%s[%u:%u]", file, first, first + dw - 1);
}

static void put_operand(struct text *t, unsigned reg, unsigned dw, uint32_t literal)
{
	const char *name = reg < 256 ? constant_name(t->gen, reg, dw) : NULL;
	unsigned ttmp = gcn_ttmp_first(t->gen);
	if (reg == GCN_SRC_NONE)
		put(t, "off");
	else if (name)
		put(t, "%s", name);
	else if (reg >= 256)
		put_range(t, "v", reg - 256, dw);
	else if (reg < gcn_sgpr_count(t->gen))
		put_range(t, "s", reg, dw);
	else if (reg >= ttmp && reg < GCN_SRC_M0)
		put_range(t, "ttmp", reg - ttmp, dw);
	else if (reg == GCN_SRC_LITERAL)
		put(t, "0x%x", literal);
	else if (reg >= 128 && reg <= 192)
		put(t, "%u", reg - 128);
	else if (reg > 192 && reg <= 208)
		put(t, "-%u", reg - 192);
	else
		put(t, "reserved_%u", reg);
}

static void operand(struct text *t, unsigned reg, unsigned dw, uint32_t literal)
{
	next(t);
	put_operand(t, reg, dw, literal);
}

/* Source i of a vector instruction with its sign modifiers. */
static void source(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info, int i)
{
	bool mix = info->flags & GCN_F_MIX;
	bool modifiers = in->fmt != GCN_VOP3P || mix;
	bool neg = modifiers && in->neg >> i & 1;
	bool abs = modifiers && (mix ? in->neg_hi : in->abs) >> i & 1;
	bool sext = in->sub == GCN_SUB_SDWA && i < 2 && in->src_sext >> i & 1;
	bool constant = in->src[i] >= 128 && in->src[i] < 256;
	const char *open = neg ? constant && !abs ? "neg(" : "-" : "";
	next(t);
	put(t, "%s%s%s", sext ? "sext(" : "", open, abs ? "|" : "");
	put_operand(t, in->src[i], info->src_dw[i], info->flags & GCN_F_16BIT ? in->literal & 0xffff : in->literal);
	put(t, "%s%s%s", abs ? "|" : "", neg && constant && !abs ? ")" : "", sext ? ")" : "");
}

/* " name:[a,b,c]" of the low bits. */
static void put_bits(struct text *t, const char *name, unsigned bits, unsigned count)
{
	put(t, " %s:[", name);
	for (unsigned i = 0; i < count; i++)
		put(t, "%s%u", i ? "," : "", bits >> i & 1);
	put(t, "]");
}

static void put_output_modifiers(struct text *t, const struct gcn_inst *in)
{
	static const char *const omods[] = { "", " mul:2", " mul:4", " div:2" };
	put_flag(t, in->clamp, "clamp");
	put(t, "%s", omods[in->omod & 3]);
}

/* --- scalar formats --- */

static void disasm_waitcnt(struct text *t, uint16_t imm)
{
	static const char *const names[GCN_WAIT_COUNT] = { "vmcnt", "expcnt", "lgkmcnt" };
	unsigned value[GCN_WAIT_COUNT], most[GCN_WAIT_COUNT], known = 0;
	bool all = true; /* counters are at their limits: nothing would be left to print */
	for (int i = 0; i < GCN_WAIT_COUNT; i++) {
		const struct gcn_waitcnt_field *f = gcn_waitcnt_layout(t->gen, (enum gcn_wait_counter)i);
		unsigned low = (1u << f->width) - 1, high = (1u << f->high_width) - 1;
		value[i] = (imm >> f->low & low) | (imm >> f->high_low & high) << f->width;
		most[i] = low | high << f->width;
		known |= low << f->low | high << f->high_low;
		all &= value[i] == most[i];
	}
	if (imm & ~known) {
		put(t, " 0x%x", imm);
		return;
	}
	for (int i = 0; i < GCN_WAIT_COUNT; i++)
		if (value[i] != most[i] || all)
			put(t, " %s(%u)", names[i], value[i]);
}

static void put_target(struct text *t, const struct gcn_inst *in, uint64_t pc)
{
	next(t);
	put(t, "%d // 0x%llx", in->offset,
		(unsigned long long)(pc + 4 + (uint64_t)((int64_t)in->offset * 4)));
}

static void disasm_sopp(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info, uint64_t pc)
{
	uint16_t imm = (uint16_t)in->offset;
	char text[ISA_IMM_TEXT];
	if (in->op == GCN_S_WAITCNT)
		disasm_waitcnt(t, imm);
	else if (info->flags & GCN_F_BRANCH)
		put_target(t, in, pc);
	else if (in->op == GCN_S_SENDMSG || in->op == GCN_S_SENDMSGHALT)
		isa_message_text(t->gen, imm, text), put(t, " %s", text);
	else if (in->op == GCN_S_SET_GPR_IDX_MODE)
		isa_gpr_idx_text(imm, text), put(t, " %s", text);
	else if (!(info->flags & GCN_F_NO_IMM) || (in->op == GCN_S_ENDPGM && imm))
		put(t, " 0x%x", imm);
}

static void disasm_sopk(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info, uint64_t pc)
{
	uint16_t imm = (uint16_t)in->offset;
	char text[ISA_IMM_TEXT];
	bool set = in->op == GCN_S_SETREG_B32 || in->op == GCN_S_SETREG_IMM32_B32;
	if (info->dst_dw)
		operand(t, in->dst, info->dst_dw, 0);
	else if (!set)
		operand(t, in->src[0], info->src_dw[0], 0);
	if (info->flags & GCN_F_BRANCH) {
		put_target(t, in, pc);
	} else if (set || in->op == GCN_S_GETREG_B32) {
		next(t);
		isa_hwreg_text(t->gen, imm, text);
		put(t, "%s", text);
	} else {
		next(t);
		put(t, "0x%x", imm);
	}
	if (set)
		operand(t, in->src[0], 1, in->literal);
}

static void disasm_sop(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (info->dst_dw)
		operand(t, in->dst, info->dst_dw, 0);
	for (int i = 0; i < 2; i++)
		if (info->src_dw[i])
			operand(t, in->src[i], info->src_dw[i], in->literal);
	if (in->fmt == GCN_SOPC && info->flags & GCN_F_RAW_OPERAND) {
		static const char *const names[] = { "SRC0", "SRC1", "SRC2", "DST" };
		put(t, ", gpr_idx(");
		const char *comma = "";
		for (int i = 0; i < 4; i++)
			if (in->src[1] >> i & 1) {
				put(t, "%s%s", comma, names[i]);
				comma = ",";
			}
		put(t, ")");
	}
}

static void put_signed_hex(struct text *t, int32_t value)
{
	if (value < 0)
		put(t, "-0x%x", 0u - (uint32_t)value);
	else
		put(t, "0x%x", (uint32_t)value);
}

static void disasm_smem(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (info->flags & GCN_F_RAW_OPERAND) {
		next(t);
		put(t, "%u", in->dst);
	} else if (info->dst_dw) {
		operand(t, in->dst, info->dst_dw, 0);
	}
	if (!info->src_dw[0])
		return;
	operand(t, in->src[0], info->src_dw[0], 0);
	if (in->src[1] == GCN_SRC_NONE) {
		next(t);
		put_signed_hex(t, t->gen < GCN_GFX8 ? in->offset / 4 : in->offset);
	} else {
		operand(t, in->src[1], 1, in->literal);
		if (in->offset) {
			put(t, " offset:");
			put_signed_hex(t, in->offset);
		}
	}
	put_flag(t, in->glc, "glc");
}

/* --- vector formats --- */

static void put_sdwa(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	static const char *const sel[] = {
		"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "reserved_sel",
	};
	static const char *const unused[] = {
		"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "reserved_unused",
	};
	put_output_modifiers(t, in);
	if (info->fmt != GCN_VOPC && info->dst_dw)
		put(t, " dst_sel:%s dst_unused:%s", sel[in->dst_sel & 7], unused[in->dst_unused & 3]);
	for (int i = 0; i < 2; i++)
		if (info->src_dw[i])
			put(t, " src%d_sel:%s", i, sel[in->src_sel[i] & 7]);
}

static void put_dpp(struct text *t, const struct gcn_inst *in)
{
	static const char *const rows[] = { "row_shl", "row_shr", "row_ror" };
	static const char *const waves[] = { "wave_shl", "wave_rol", "wave_shr", "wave_ror" };
	static const char *const whole[] = { "row_mirror", "row_half_mirror", "row_bcast:15", "row_bcast:31" };
	unsigned c = in->dpp_ctrl;
	if (c < 0x100)
		put(t, " quad_perm:[%u,%u,%u,%u]", c & 3, c >> 2 & 3, c >> 4 & 3, c >> 6 & 3);
	else if (c < 0x130)
		put(t, " %s:%u", rows[(c >> 4) - 0x10], c & 15);
	else if (c < 0x140)
		put(t, " %s:1", waves[c >> 2 & 3]);
	else
		put(t, " %s", whole[c & 3]);
	put(t, " row_mask:0x%x bank_mask:0x%x", in->row_mask, in->bank_mask);
	put_flag(t, in->bound_ctrl, "bound_ctrl:1");
}

static void put_vop3_selects(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	unsigned sources = 0;
	while (sources < 3 && info->src_dw[sources])
		sources++;
	if (in->fmt == GCN_VOP3) {
		if (in->op_sel)
			put_bits(t, "op_sel", (in->op_sel & ((1u << sources) - 1)) | (unsigned)(in->op_sel >> 3) << sources,
				sources + 1);
		return;
	}
	unsigned all = (1u << sources) - 1, usual = info->flags & GCN_F_MIX ? 0 : all;
	if (in->op_sel & all)
		put_bits(t, "op_sel", in->op_sel, sources);
	if ((in->op_sel_hi & all) != usual)
		put_bits(t, "op_sel_hi", in->op_sel_hi, sources);
	if (!(info->flags & GCN_F_MIX)) {
		if (in->neg & all)
			put_bits(t, "neg_lo", in->neg, sources);
		if (in->neg_hi & all)
			put_bits(t, "neg_hi", in->neg_hi, sources);
	}
}

static void disasm_vop(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (info->dst_dw)
		operand(t, in->dst, info->dst_dw, 0);
	if (info->sdst_dw)
		operand(t, in->sdst == GCN_SRC_NONE ? GCN_SRC_VCC : in->sdst, 2, 0);
	for (int i = 0; i < 3; i++) {
		if (!info->src_dw[i])
			continue;
		if (i == 2 && info->src_dw[2] == 2 && in->src[2] == GCN_SRC_NONE)
			operand(t, GCN_SRC_VCC, 2, 0);
		else
			source(t, in, info, i);
	}
	if (in->sub == GCN_SUB_SDWA) {
		put_sdwa(t, in, info);
	} else if (in->sub == GCN_SUB_DPP) {
		put_dpp(t, in);
	} else if (in->fmt == GCN_VOP3 || in->fmt == GCN_VOP3P) {
		put_vop3_selects(t, in, info);
		put_output_modifiers(t, in);
	}
}

static void disasm_interp(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	static const char *const params[] = { "p10", "p20", "p0", "invalid_param" };
	operand(t, in->dst, 1, 0);
	if (info->flags & GCN_F_RAW_OPERAND) {
		next(t);
		put(t, "%s", params[in->src[0] & 3]);
	} else {
		source(t, in, info, 0);
	}
	put(t, ", attr%u.%c", in->attr, "xyzw"[in->attrchan & 3]);
	if (info->src_dw[2])
		source(t, in, info, 2);
	if (in->fmt == GCN_VOP3) {
		put_flag(t, in->op_sel & 1, "high");
		put_output_modifiers(t, in);
	}
}

/* --- memory --- */

static void disasm_ds(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (info->dst_dw)
		operand(t, in->dst, info->dst_dw, 0);
	for (int i = 0; i < 3; i++)
		if (info->src_dw[i])
			operand(t, in->src[i], info->src_dw[i], 0);
	if (info->flags & GCN_F_PAIR_OFFSET) {
		if (in->offset & 255)
			put(t, " offset0:%d", in->offset & 255);
		if (in->offset >> 8)
			put(t, " offset1:%d", in->offset >> 8 & 255);
	} else if (in->offset && in->op == GCN_DS_SWIZZLE_B32) {
		char text[ISA_IMM_TEXT];
		isa_swizzle_text((uint16_t)in->offset, text);
		put(t, " offset:%s", text);
	} else if (in->offset) {
		put(t, " offset:%d", in->offset);
	}
	put_flag(t, in->gds, "gds");
}

static void disasm_buffer(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (!info->src_dw[1]) /* buffer_wbinvl1 */
		return;
	if (info->dst_dw && !in->lds)
		operand(t, in->dst, info->dst_dw + (in->tfe ? 1u : 0), 0);
	if (info->src_dw[0])
		operand(t, in->src[0], isa_source_dw(in, 0), 0);
	operand(t, in->src[1], 4, 0);
	operand(t, in->src[2], 1, 0);
	if (in->fmt == GCN_MTBUF) {
		char text[ISA_IMM_TEXT];
		isa_format_text(t->gen, in->dfmt, in->nfmt, text);
		put(t, " format:%s", text);
	}
	put_flag(t, in->idxen, "idxen");
	put_flag(t, in->offen, "offen");
	put_flag(t, in->addr64, "addr64");
	if (in->offset)
		put(t, " offset:%d", in->offset);
	bool lds_first = in->op == GCN_BUFFER_STORE_LDS_DWORD; /* llvm-mc insists */
	put_flag(t, in->lds && lds_first, "lds");
	put_flag(t, in->glc, "glc");
	put_flag(t, in->slc, "slc");
	put_flag(t, in->tfe, "tfe");
	put_flag(t, in->lds && !lds_first, "lds");
}

static void disasm_mimg(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	operand(t, in->dst, gcn_mimg_data_dw(in), 0);
	operand(t, in->src[0], info->src_dw[0], 0);
	operand(t, in->src[1], 8, 0);
	if (info->src_dw[2])
		operand(t, in->src[2], 4, 0);
	if (in->dmask)
		put(t, " dmask:0x%x", in->dmask);
	put_flag(t, in->unorm, "unorm");
	put_flag(t, in->glc, "glc");
	put_flag(t, in->slc, "slc");
	put_flag(t, in->r128_a16, t->gen == GCN_GFX9 ? "a16" : "r128");
	put_flag(t, in->tfe, "tfe");
	put_flag(t, in->lwe, "lwe");
	put_flag(t, in->da, "da");
	put_flag(t, in->d16, "d16");
}

static void disasm_exp(struct text *t, const struct gcn_inst *in)
{
	unsigned target = in->exp_target;
	if (target < 8)
		put(t, " mrt%u", target);
	else if (target == GCN_EXP_MRTZ)
		put(t, " mrtz");
	else if (target == GCN_EXP_NULL)
		put(t, " null");
	else if (target >= GCN_EXP_POS0 && target < GCN_EXP_POS0 + 4)
		put(t, " pos%u", target - GCN_EXP_POS0);
	else if (target >= GCN_EXP_PARAM0)
		put(t, " param%u", target - GCN_EXP_PARAM0);
	else
		put(t, " invalid_target_%u", target);
	for (int i = 0; i < 4; i++) {
		put(t, i ? ", " : " ");
		put_operand(t, in->en >> i & 1 ? in->src[in->compr ? i / 2 : i] : GCN_SRC_NONE, 1, 0);
	}
	put_flag(t, in->done, "done");
	put_flag(t, in->compr, "compr");
	put_flag(t, in->vm, "vm");
}

static void disasm_flat(struct text *t, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	bool atomic = info->flags & GCN_F_ATOMIC;
	if (info->dst_dw && !in->lds && (!atomic || in->glc))
		operand(t, in->dst, info->dst_dw, 0);
	operand(t, in->src[0], isa_source_dw(in, 0), 0);
	if (info->src_dw[1])
		operand(t, in->src[1], info->src_dw[1], 0);
	if (in->fmt != GCN_FLAT)
		operand(t, in->src[2], info->src_dw[2], 0);
	if (in->offset)
		put(t, " offset:%d", in->offset);
	put_flag(t, in->glc, "glc");
	put_flag(t, in->slc, "slc");
	put_flag(t, in->lds, "lds");
}

static const char *suffix(enum gcn_gen gen, const struct gcn_inst *in, const struct gcn_op_info *info)
{
	unsigned native = gcn_native_format(gen, (enum gcn_op)in->op);
	if (in->sub)
		return in->sub == GCN_SUB_SDWA ? "_sdwa" : "_dpp";
	if (info->flags & GCN_F_NO_VOP3)
		return "";
	bool vop32 = native == GCN_VOP1 || native == GCN_VOP2 || native == GCN_VOPC ||
		(native == GCN_VINTRP && gen >= GCN_GFX8);
	return !vop32 ? "" : in->fmt == GCN_VOP3 ? "_e64" : "_e32";
}

int gcn_disasm(enum gcn_gen gen, const struct gcn_inst *in, uint64_t pc, char *buf, size_t size)
{
	struct text t = { buf, size, 0, 0, gen };
	if (size)
		buf[0] = 0;
	if (in->op >= GCN_OP_COUNT) {
		put(&t, "invalid_opcode_%u", in->op);
		return (int)t.len;
	}
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	const char *name = gcn_op_name(gen, (enum gcn_op)in->op);
	put(&t, "%s%s", name ? name : info->name, suffix(gen, in, info));
	switch ((enum gcn_format)in->fmt) {
	case GCN_SOP2: case GCN_SOP1: case GCN_SOPC: disasm_sop(&t, in, info); break;
	case GCN_SOPK: disasm_sopk(&t, in, info, pc); break;
	case GCN_SOPP: disasm_sopp(&t, in, info, pc); break;
	case GCN_SMEM: disasm_smem(&t, in, info); break;
	case GCN_VOP2: case GCN_VOP1: case GCN_VOPC: case GCN_VOP3: case GCN_VOP3P: case GCN_VINTRP:
		if (info->fmt == GCN_VINTRP || info->flags & GCN_F_VOP3_INTERP)
			disasm_interp(&t, in, info);
		else
			disasm_vop(&t, in, info);
		break;
	case GCN_DS: disasm_ds(&t, in, info); break;
	case GCN_MUBUF: case GCN_MTBUF: disasm_buffer(&t, in, info); break;
	case GCN_MIMG: disasm_mimg(&t, in, info); break;
	case GCN_EXP: disasm_exp(&t, in); break;
	case GCN_FLAT: case GCN_GLOBAL: case GCN_SCRATCH: disasm_flat(&t, in, info); break;
	case GCN_FORMAT_COUNT: break;
	}
	return (int)t.len;
}
