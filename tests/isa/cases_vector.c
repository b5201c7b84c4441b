/* SPDX-License-Identifier: MIT */
/* Cases of vector arithmetic. */
#include "tests/isa/cases_int.h"

static const uint16_t vector_sources[] = {
	256, 511, 0, 101, GCN_SRC_VCC, GCN_SRC_M0, GCN_SRC_EXEC, 128, 192, 208,
	240, 241, 242, 243, 244, 245, 246, 247, 248, GCN_SRC_SCC, GCN_SRC_VCCZ, 235, 110, 103, 104,
};

static bool vector_fits(const struct maker *m, uint16_t code, unsigned dw)
{
	if (!isa_source_valid(m->gen, code))
		return false;
	if (code >= 256)
		return code + dw <= 512;
	return dw == 1 || (code % 2 == 0 && code != GCN_SRC_M0) || code >= 128;
}

static bool lane_op(const struct maker *m)
{
	return m->base.op == GCN_V_READLANE_B32 || m->base.op == GCN_V_WRITELANE_B32 ||
		m->base.op == GCN_V_READFIRSTLANE_B32 || m->base.op == GCN_V_SWAP_B32 ||
		m->base.op == GCN_V_MOVRELS_B32 || m->base.op == GCN_V_MOVRELSD_B32;
}

static void source_cases(struct maker *m, const struct gcn_inst *base, int first, int last)
{
	for (int i = first; i <= last; i++)
		for (size_t k = 0; m->info->src_dw[i] && k < sizeof(vector_sources) / 2; k++) {
			struct gcn_inst in = *base;
			if (!vector_fits(m, vector_sources[k], m->info->src_dw[i]) || lane_op(m))
				continue;
			if (m->info->src_dw[i] > 2 && vector_sources[k] < 256)
				continue;
			/* llvm-mc takes it in 32 bits only */
			if (m->gen < GCN_GFX8 && in.op == GCN_V_CVT_F32_F16 && in.fmt == GCN_VOP3 &&
					vector_sources[k] >= 128 && vector_sources[k] < 249)
				continue;
			in.src[i] = vector_sources[k];
			const char *why;
			uint32_t words[4];
			if (gcn_encode(m->gen, &in, words, &why)) /* else the constant bus */
				emit(m, &in);
		}
}

static bool signed_source(const struct maker *m, int i)
{
	return m->mods >> i & 1;
}

/* VOP3B has the carry's SGPR in the place of abs. */
static bool has_abs(const struct maker *m)
{
	return !m->info->sdst_dw || m->info->fmt == GCN_VOPC;
}

static void modifier_cases(struct maker *m, const struct gcn_inst *base)
{
	struct gcn_inst in;
	int count = 0;
	while (count < 3 && m->info->src_dw[count])
		count++;
	for (int i = 0; i < count; i++) {
		if (!signed_source(m, i))
			continue;
		in = *base;
		in.neg = (uint8_t)(1 << i);
		emit(m, &in);
		in.abs = (uint8_t)(1 << i);
		if (has_abs(m))
			emit(m, &in);
		in.neg = 0;
		if (has_abs(m))
			emit(m, &in);
		in.src[i] = GCN_SRC_1F;
		in.abs = 0;
		in.neg = (uint8_t)(1 << i);
		if (m->gen >= GCN_GFX8 || in.op != GCN_V_CVT_F32_F16) /* as above */
			emit(m, &in);
	}
	in = *base;
	in.clamp = 1;
	if (m->mods & GCN_M_CLAMP)
		emit(m, &in);
	for (in = *base, in.omod = 1; m->mods & GCN_M_OMOD && in.omod < 4; in.omod++)
		emit(m, &in);
	if (!(m->mods & GCN_M_OP_SEL))
		return;
	for (in = *base, in.op_sel = 1; in.op_sel < 16; in.op_sel = (uint8_t)(in.op_sel * 2)) {
		struct gcn_inst one = in;
		if (in.op_sel >= 1 << count && in.op_sel != 8)
			continue;
		emit(m, &one);
	}
}

static void vop3_cases(struct maker *m)
{
	struct gcn_inst in = m->base;
	in.fmt = GCN_VOP3;
	emit(m, &in);
	source_cases(m, &in, 0, 2);
	modifier_cases(m, &in);
	if (m->info->sdst_dw) {
		in.sdst = 100;
		emit(m, &in);
		in.sdst = 0;
		emit(m, &in);
		in.sdst = 2;
		if (m->info->src_dw[2] == 2 && m->info->fmt == GCN_VOP2)
			in.src[2] = 4;
		emit(m, &in);
	}
}

static void sdwa_cases(struct maker *m)
{
	struct gcn_inst base = m->base, in;
	base.sub = GCN_SUB_SDWA;
	base.dst_sel = m->info->dst_dw ? 6 : 0;
	base.src_sel[0] = m->info->src_dw[0] ? 6 : 0;
	base.src_sel[1] = m->info->src_dw[1] ? 6 : 0;
	emit(m, &base);
	for (unsigned sel = 0; sel < 6 && m->info->src_dw[0]; sel++) {
		in = base;
		bool whole = in.op == GCN_V_MAC_F32 || in.op == GCN_V_MAC_F16; /* adds to its destination */
		if (m->info->fmt != GCN_VOPC && !whole) {
			in.dst_sel = (uint8_t)sel;
			in.dst_unused = (uint8_t)(sel % 3);
		}
		in.src_sel[0] = (uint8_t)(5 - sel);
		emit(m, &in);
	}
	for (int i = 0; i < 2 && m->info->src_dw[i]; i++) {
		in = base;
		in.src_sel[i] = 1;
		in.src[i] = 256 + 255;
		emit(m, &in);
		in.src[i] = 5;
		/* VCC is a scalar operand already; gfx8 has VGPRs only. */
		bool scalar = m->gen == GCN_GFX9 && m->info->src_dw[2] != 2;
		if (scalar)
			emit(m, &in);
		in.src[i] = GCN_SRC_SCC;
		if (scalar)
			emit(m, &in);
		in.src[i] = 256 + 3;
		in.neg = (uint8_t)(1 << i);
		if (signed_source(m, i))
			emit(m, &in);
		in.abs = (uint8_t)(1 << i);
		if (signed_source(m, i))
			emit(m, &in);
		in.abs = in.neg = 0;
		in.src_sext = (uint8_t)(1 << i);
		if (!(m->info->flags & GCN_F_FLOAT))
			emit(m, &in);
	}
	in = base;
	if (m->info->fmt == GCN_VOPC) {
		in.sdst = m->gen == GCN_GFX9 ? 100 : in.sdst;
		in.clamp = m->gen == GCN_GFX8;
		emit(m, &in);
	} else if (m->info->dst_dw) {
		in.clamp = 1;
		if (m->mods & GCN_M_CLAMP)
			emit(m, &in);
		in.clamp = 0;
		in.omod = 2;
		if (m->gen == GCN_GFX9 && m->mods & GCN_M_OMOD)
			emit(m, &in);
	}
}

static void dpp_cases(struct maker *m)
{
	static const uint16_t controls[] = {
		0x00, 0xe4, 0xff, 0x101, 0x10f, 0x111, 0x11f, 0x121, 0x12f, 0x130, 0x134, 0x138, 0x13c,
		0x140, 0x141, 0x142, 0x143,
	};
	struct gcn_inst base = m->base, in;
	base.sub = GCN_SUB_DPP;
	base.row_mask = base.bank_mask = 15;
	for (size_t k = 0; k < sizeof(controls) / 2; k++) {
		in = base;
		in.dpp_ctrl = controls[k];
		if (k & 1)
			in.bound_ctrl = 1;
		else
			in.row_mask = (uint8_t)(k & 15), in.bank_mask = (uint8_t)(15 - (k & 15));
		emit(m, &in);
	}
	for (int i = 0; i < 2; i++) {
		if (!signed_source(m, i))
			continue;
		in = base;
		in.neg = (uint8_t)(1 << i);
		emit(m, &in);
		in.abs = (uint8_t)(1 << i);
		emit(m, &in);
	}
}

void vop_cases(struct maker *m)
{
	struct gcn_inst in = m->base;
	const struct gcn_op_info *info = m->info;
	if (m->base.fmt == GCN_VOP3) {
		vop3_cases(m);
		return;
	}
	source_cases(m, &m->base, 0, 0);
	in.src[1] = info->src_dw[1] && !(info->flags & GCN_F_FIXED_LITERAL) ? 256 + 255 : in.src[1];
	in.dst = in.dst < 256 || in.dst == GCN_SRC_NONE ? in.dst : (uint16_t)(512 - info->dst_dw);
	if (info->src_dw[1] > 1)
		in.src[1]--;
	if (isa_lane_select(&m->base, info)) {
		in.src[1] = GCN_SRC_M0;
		emit(m, &in);
		in.src[1] = m->base.src[0] < 256 ? m->base.src[0] : 103;
	}
	emit(m, &in);
	in = m->base;
	in.src[0] = info->src_dw[0] ? GCN_SRC_LITERAL : GCN_SRC_NONE;
	in.literal = 0x5678;
	if (!(info->flags & (GCN_F_FIXED_LITERAL | GCN_F_READS_M0)) && info->src_dw[0] &&
			info->src_dw[2] != 2 && !lane_op(m))
		emit(m, &in);
	if (m->vop3)
		vop3_cases(m);
	if (m->mods & GCN_M_SDWA)
		sdwa_cases(m);
	if (m->mods & GCN_M_DPP)
		dpp_cases(m);
}

void vop3p_cases(struct maker *m)
{
	struct gcn_inst in;
	source_cases(m, &m->base, 0, 2);
	for (unsigned bit = 0; bit < 3 && m->info->src_dw[bit]; bit++) {
		uint8_t one = (uint8_t)(1 << bit);
		in = m->base, in.op_sel = one;
		emit(m, &in);
		in = m->base, in.op_sel_hi ^= one;
		emit(m, &in);
		in = m->base, in.neg = one;
		if (m->info->flags & GCN_F_FLOAT)
			emit(m, &in);
		in = m->base, in.neg_hi = one;
		if (m->info->flags & GCN_F_FLOAT)
			emit(m, &in);
	}
	in = m->base, in.clamp = 1;
	emit(m, &in);
}

void interp_cases(struct maker *m)
{
	for (unsigned k = 0; k < 8; k++) {
		struct gcn_inst in = m->base;
		in.attr = (uint8_t)(k == 7 ? 32 : k * 5);
		in.attrchan = k & 3;
		in.dst = (uint16_t)(256 + 36 * k);
		in.src[0] = (uint16_t)(m->info->flags & GCN_F_RAW_OPERAND ? k % 3 : 511 - 36 * k);
		emit(m, &in);
		if (m->info->fmt == GCN_VINTRP && !m->vop3)
			continue;
		if (m->info->fmt == GCN_VINTRP) {
			in.fmt = GCN_VOP3;
			emit(m, &in);
			in.omod = k & 3;
		}
		if (m->info->flags & GCN_F_VOP3_INTERP)
			in.op_sel = k & 1;
		in.clamp = k >> 1 & 1;
		in.neg = m->info->flags & GCN_F_RAW_OPERAND ? 0 : (k & 1) | (m->info->src_dw[2] ? k & 4 : 0);
		emit(m, &in);
	}
}
