/* SPDX-License-Identifier: MIT */
/* Each opcode once with plain operands, then with one thing at its limit. */
#include "tests/isa/cases_int.h"

static bool is_salu(unsigned fmt)
{
	return fmt <= GCN_SOPC;
}

static bool is_vector_alu(unsigned fmt)
{
	return fmt >= GCN_VOP2 && fmt <= GCN_VOP3P;
}

/* VGPRs everywhere in vector instructions, SGPRs elsewhere. */
static void fill_base(struct maker *m, enum gcn_op op)
{
	struct gcn_inst *in = &m->base;
	const struct gcn_op_info *info = m->info;
	gcn_inst_init(in, op);
	in->fmt = (uint8_t)gcn_native_format(m->gen, op);
	bool vector = info->fmt >= GCN_VOP2;
	if (info->dst_dw)
		in->dst = vector && !(info->flags & GCN_F_DST_SGPR) ? 256 + 1 : 8;
	if (info->sdst_dw)
		in->sdst = GCN_SRC_VCC;
	for (int i = 0; i < 4; i++)
		if (info->src_dw[i])
			in->src[i] = (uint16_t)(vector ? 256 + 10 * (i + 1) : 16 + 16 * i);
	if (is_vector_alu(info->fmt) && info->src_dw[2] == 2 && info->fmt == GCN_VOP2)
		in->src[2] = GCN_SRC_VCC;
	if (op == GCN_V_READLANE_B32)
		in->src[1] = 7;
	if (op == GCN_V_WRITELANE_B32)
		in->src[0] = 9, in->src[1] = 128 + 5;
	if (info->flags & GCN_F_FIXED_LITERAL) {
		in->literal = 0x1234;
		in->src[info->fmt == GCN_SOPK ? 0 : info->flags & GCN_F_LITERAL_SRC1 ? 1 : 2] = GCN_SRC_LITERAL;
	}
	in->src_sel[0] = in->src_sel[1] = 0;
}

void isa_cases(enum gcn_gen gen, enum gcn_op op, case_fn fn, void *context)
{
	struct maker m = { gen, gcn_op_mods(gen, op), false, gcn_op_info(op), fn, context, { 0 } };
	if (m.info->opcode[gen] < 0)
		return;
	m.vop3 = gcn_native_format(gen, op) != GCN_VOP3 && isa_op_number(gen, op, GCN_VOP3) >= 0;
	fill_base(&m, op);
	unsigned fmt = m.info->fmt;
	if (fmt == GCN_MUBUF || fmt == GCN_MTBUF) {
		buffer_cases(&m);
		return;
	}
	if (fmt == GCN_MIMG) {
		image_cases(&m);
		return;
	}
	if (fmt == GCN_EXP) {
		export_cases(&m);
		return;
	}
	if (fmt >= GCN_FLAT) {
		flat_cases(&m);
		return;
	}
	if (fmt == GCN_DS) {
		ds_cases(&m);
		return;
	}
	if (fmt == GCN_VINTRP || m.info->flags & GCN_F_VOP3_INTERP) {
		interp_cases(&m);
		return;
	}
	if (fmt == GCN_SMEM) {
		smem_cases(&m);
		return;
	}
	if (!(m.info->flags & GCN_F_RAW_OPERAND))
		emit(&m, &m.base);
	if (fmt == GCN_SOPK || fmt == GCN_SOPP)
		immediate_cases(&m);
	if (is_salu(fmt))
		salu_cases(&m);
	else if (fmt == GCN_VOP3P)
		vop3p_cases(&m);
	else if (is_vector_alu(fmt))
		vop_cases(&m);
}
