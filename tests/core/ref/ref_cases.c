/* SPDX-License-Identifier: MIT */
/* See ref_cases.h. */
#include "ref_cases.h"

enum { NONE = GCN_SRC_NONE, VCC = GCN_SRC_VCC, EXEC = GCN_SRC_EXEC, M0 = GCN_SRC_M0, LITERAL = GCN_SRC_LITERAL };

static uint32_t rnd(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 32);
}
static uint16_t V(unsigned n) { return (uint16_t)(GCN_SRC_VGPR0 + n); }
/* Inline integer -16..64. */
static uint16_t K(int n) { return (uint16_t)(n >= 0 ? 128 + n : 192 - n); }

/* --- operands --- */
uint32_t test_value(uint64_t *seed)
{
	static const uint32_t special[] = { 0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
		0x7fc00000, 0x7f800001, 0xffc12345, 0xff812345, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
		0x00ffffff, 0x7f7fffff, 0xff7fffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x3f000000, 0x3effffff,
		0x7c007c00, 0xfc00fe00, 0x7c01fc01, 0x3c00bc00, 0x00010001, 0x80018001, 0x03ff83ff, 0x04008400,
		0x7bfffbff, 0x7fffffff, 0xffffffff, 31, 32, 63, 64, 0xffff0000, 0x3e800000, 0x7ff00000, 0xfff00000,
		0x7ff80000, 0x7ff00001, 0x000fffff, 0x00100000, 0x7fefffff, 0x3ff00000, 0xbff00000, 0x41dfffff,
		0x41efffff, 0xc1e00000, 0x477fe000, 0x477ff000, 0x33800000, 0x38800000, 0x387fc000 };
	uint32_t r = rnd(seed);
	switch (r & 15) {
	case 0: case 1: case 2: case 3: return special[rnd(seed) % (sizeof(special) / 4)];
	case 4: return rnd(seed) & 63;
	case 5: return 0u - (rnd(seed) & 63);
	case 6: case 7: case 8: /* a float of moderate size */
		return (rnd(seed) & 0x807fffff) | (rnd(seed) % 64 + 96) << 23;
	case 9: /* near the denormals */
		return (rnd(seed) & 0x807fffff) | (rnd(seed) % 30) << 23;
	case 10: /* the high half of a double of moderate size */
		return (rnd(seed) & 0x800fffff) | (rnd(seed) % 128 + 960) << 20;
	case 11: { /* two halves of moderate size */
		uint32_t exponents = (rnd(seed) % 20 + 5) << 10 | (rnd(seed) % 20 + 5) << 26;
		return (rnd(seed) & 0x83ff83ff) | exponents;
	}
	case 12: return special[rnd(seed) % (sizeof(special) / 4)] ^ (1u << rnd(seed) % 32);
	default: return rnd(seed);
	}
}
/* --- instructions --- */
bool test_is_vector(const struct gcn_op_info *info)
{
	return info->fmt >= GCN_VOP2 && info->fmt <= GCN_VINTRP;
}
static bool is_valu(enum gcn_op op)
{
	return cu_level_ops_v3.ops[op]->cls == CU_CLASS_VALU;
}
static unsigned scalar_source(uint64_t *seed, unsigned dwords, bool literal, bool vector)
{
	switch (rnd(seed) % 13) {
	case 12: return vector && dwords == 1 ? LDS_DIRECT : 30;
	case 0: return VCC;
	case 1: return EXEC;
	case 2: return dwords == 1 ? (unsigned)M0 : 10;
	case 3: return GCN_SRC_VCCZ + rnd(seed) % 3;
	case 4: return literal ? (unsigned)LITERAL : 20;
	case 5: case 6: return 128 + rnd(seed) % 81;
	case 7: return 240 + rnd(seed) % 8;
	default: return 2 * (rnd(seed) % 44);
	}
}
static void vector_operands(struct test *t, const struct gcn_op_info *info, uint64_t *seed)
{
	struct gcn_inst *in = &t->in;
	bool scalar_used = false, first_only = in->fmt == GCN_VOP1 || in->fmt == GCN_VOP2 || in->fmt == GCN_VOPC;
	if (info->dst_dw)
		in->dst = info->flags & GCN_F_DST_SGPR ? (uint16_t)(rnd(seed) % 80) : V(rnd(seed) % (VGPRS_USED - 8));
	if (info->sdst_dw)
		in->sdst = in->fmt == GCN_VOP3 || (t->form == SDWA && in->fmt == GCN_VOPC) ?
			(uint16_t)(rnd(seed) % 8 ? 2 * (rnd(seed) % 40) : VCC) : VCC;
	for (int i = 0; i < 3; i++) {
		if (!info->src_dw[i])
			continue;
		bool vgpr = scalar_used || (first_only && i > 0) || t->form == DPP || info->fmt == GCN_VINTRP ||
			info->flags & GCN_F_VOP3_INTERP || rnd(seed) & 1;
		in->src[i] = vgpr ? V(rnd(seed) % (VGPRS_USED - 8)) :
			(uint16_t)scalar_source(seed, info->src_dw[i], first_only && t->form == PLAIN, i == 0);
		scalar_used |= in->src[i] < 128 || in->src[i] >= 249;
		if (in->src[i] >= GCN_SRC_VGPR0)
			scalar_used |= false;
	}
	if (info->src_dw[2] == 2 && info->fmt == GCN_VOP2) /* the mask of v_cndmask and carries */
		in->src[2] = in->fmt == GCN_VOP3 ? (uint16_t)(2 * (rnd(seed) % 40)) : VCC;
	in->literal = test_value(seed);
	if (info->flags & GCN_F_FIXED_LITERAL)
		in->src[info->flags & GCN_F_LITERAL_SRC1 ? 1 : 2] = LITERAL;
	in->attr = rnd(seed) % 4, in->attrchan = rnd(seed) % 4;
}
/* Lane moves take what their encoding lets them. */
static void lane_operands(struct gcn_inst *in, uint64_t *seed)
{
	if (in->op == GCN_V_READLANE_B32 || in->op == GCN_V_READFIRSTLANE_B32)
		in->src[0] = V(rnd(seed) % VGPRS_USED);
	if (in->op == GCN_V_READLANE_B32 || in->op == GCN_V_WRITELANE_B32)
		in->src[1] = (uint16_t)(rnd(seed) & 1 ? 128 + rnd(seed) % 65 : rnd(seed) % 80);
	if (in->op == GCN_V_WRITELANE_B32)
		in->src[0] = in->src[1] < 104 ? (uint16_t)(128 + rnd(seed) % 65) : (uint16_t)(rnd(seed) % 80);
	if (in->op == GCN_V_SWAP_B32 || in->op == GCN_V_MOVRELS_B32 || in->op == GCN_V_MOVRELSD_B32)
		in->src[0] = V(rnd(seed) % 16);
	if (in->op == GCN_V_INTERP_MOV_F32)
		in->src[0] = rnd(seed) % 3;
}
static void modifiers(struct test *t, const struct gcn_op_info *info, uint64_t *seed)
{
	struct gcn_inst *in = &t->in;
	uint8_t mods = info->mods;
	if (rnd(seed) & 1)
		return;
	if (in->fmt == GCN_VOP3 || t->form >= SDWA) {
		in->neg = rnd(seed) & mods & 7;
		in->abs = info->sdst_dw && info->dst_dw ? 0 : rnd(seed) & mods & 7;
	}
	if (in->fmt == GCN_VOP3 || t->form == SDWA) {
		in->clamp = mods & GCN_M_CLAMP ? rnd(seed) & 1 : 0;
		in->omod = mods & GCN_M_OMOD ? rnd(seed) & 3 : 0;
	}
	if (in->fmt == GCN_VOP3 && mods & GCN_M_OP_SEL)
		in->op_sel = rnd(seed) & (info->src_dw[2] ? 15 : info->src_dw[1] ? 11 : 9);
	if (info->flags & GCN_F_VOP3_INTERP)
		in->op_sel = rnd(seed) & 1;
}
static void packed(struct test *t, uint64_t *seed)
{
	struct gcn_inst *in = &t->in;
	in->op_sel = rnd(seed) & 7;
	in->op_sel_hi = rnd(seed) & 7;
	in->neg = rnd(seed) & 7;
	in->neg_hi = rnd(seed) & 7;
	in->clamp = rnd(seed) & 1;
}
static void sub_encoding(struct test *t, const struct gcn_op_info *info, uint64_t *seed)
{
	static const uint16_t ctrl[] = { 0xb1, 0x1b, 0xe4, 0x103, 0x11f, 0x127, 0x130, 0x134, 0x138, 0x13c, 0x140,
		0x141, 0x142, 0x143 };
	struct gcn_inst *in = &t->in;
	if (t->form == SDWA) {
		in->sub = GCN_SUB_SDWA;
		in->dst_sel = info->dst_dw ? rnd(seed) % 7 : 0;
		in->dst_unused = info->dst_dw ? rnd(seed) % 3 : 0;
		in->src_sel[0] = rnd(seed) % 7;
		in->src_sel[1] = info->src_dw[1] ? rnd(seed) % 7 : 0;
		if (!(info->flags & GCN_F_FLOAT))
			in->src_sext = rnd(seed) & (info->src_dw[1] ? 3 : 1);
	}
	if (t->form == DPP) {
		in->sub = GCN_SUB_DPP;
		in->dpp_ctrl = rnd(seed) & 1 ? ctrl[rnd(seed) % 14] : rnd(seed) & 255;
		in->row_mask = rnd(seed) & 1 ? 15 : rnd(seed) & 15;
		in->bank_mask = rnd(seed) & 1 ? 15 : rnd(seed) & 15;
		in->bound_ctrl = rnd(seed) & 1;
	}
}
static void append(struct test *t, enum gcn_op op, unsigned dst, int32_t offset)
{
	struct gcn_inst in;
	const char *why;
	gcn_inst_init(&in, op);
	if (dst < 128)
		in.dst = (uint16_t)dst;
	in.offset = offset;
	t->code.n += gcn_encode(t->gen, &in, t->code.dw + t->code.n, &why);
}
static void index_on(struct test *t, uint64_t *seed)
{
	struct gcn_inst in;
	const char *why;
	gcn_inst_init(&in, GCN_S_SET_GPR_IDX_ON);
	in.src[0] = (uint16_t)K((int)(rnd(seed) % 4));
	in.src[1] = rnd(seed) & 15;
	t->code.n += gcn_encode(t->gen, &in, t->code.dw + t->code.n, &why);
}
static bool make_vector(struct test *t, enum gcn_op op, uint64_t *seed)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	bool small = info->fmt == GCN_VOP1 || info->fmt == GCN_VOP2 || info->fmt == GCN_VOPC;
	bool longer = small || info->fmt == GCN_VINTRP;
	if ((t->form != PLAIN && t->form != INDEXED && !(t->form == LONG ? longer : small)) ||
		(t->form == SDWA && !(info->mods & GCN_M_SDWA)) || (t->form == DPP && !(info->mods & GCN_M_DPP)) ||
		(t->form == INDEXED && (!is_valu(op) || t->gen < GCN_GFX8)))
		return false;
	gcn_inst_init(&t->in, op);
	if (t->form == LONG)
		t->in.fmt = GCN_VOP3;
	vector_operands(t, info, seed);
	lane_operands(&t->in, seed);
	if (t->in.fmt == GCN_VOP3P)
		packed(t, seed);
	else
		modifiers(t, info, seed);
	sub_encoding(t, info, seed);
	return true;
}
static bool make_scalar(struct test *t, enum gcn_op op, uint64_t *seed)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	struct gcn_inst *in = &t->in;
	bool relative = op == GCN_S_MOVRELS_B32 || op == GCN_S_MOVRELS_B64 || op == GCN_S_MOVRELD_B32 ||
		op == GCN_S_MOVRELD_B64;
	if (t->form != PLAIN)
		return false;
	gcn_inst_init(in, op);
	in->literal = test_value(seed);
	if (info->dst_dw)
		in->dst = (uint16_t)(relative || rnd(seed) % 8 ? 2 * (rnd(seed) % 40) : rnd(seed) & 1 ? VCC : EXEC);
	for (int i = 0; i < 2; i++)
		if (info->src_dw[i])
			in->src[i] = (uint16_t)(relative || info->fmt == GCN_SOPK ? 2 * (rnd(seed) % 40) :
				scalar_source(seed, info->src_dw[i], info->fmt == GCN_SOP2 || info->fmt == GCN_SOPC, false));
	in->offset = (int16_t)(rnd(seed) & 1 ? rnd(seed) : rnd(seed) % 32);
	if (info->flags & GCN_F_BRANCH)
		in->offset = 1;
	if (info->flags & GCN_F_NO_IMM)
		in->offset = 0;
	if (op == GCN_S_SETPC_B64 || op == GCN_S_SWAPPC_B64)
		in->src[0] = 92;
	if (op == GCN_S_CBRANCH_G_FORK)
		in->src[1] = 92;
	if (op == GCN_S_CBRANCH_JOIN)
		in->src[0] = K(0);
	if (op == GCN_S_SET_GPR_IDX_ON)
		in->src[1] = rnd(seed) & 15;
	if (op == GCN_S_SET_GPR_IDX_MODE)
		in->offset &= 15;
	if (op == GCN_S_GETREG_B32 || op == GCN_S_SETREG_B32 || op == GCN_S_SETREG_IMM32_B32)
		in->offset = (int16_t)(1 | (rnd(seed) & 31) << 6 | (rnd(seed) & 31) << 11); /* MODE */
	if (op == GCN_S_SETREG_IMM32_B32)
		in->src[0] = LITERAL;
	return true;
}
/* The instruction, two marks of which a jump leaves one out, and the end. */
bool test_make(struct test *t, enum gcn_gen gen, enum gcn_op op, enum form form, uint64_t *seed)
{
	const char *why;
	*t = (struct test){ .gen = gen, .form = form };
	if (!(test_is_vector(gcn_op_info(op)) ? make_vector(t, op, seed) : make_scalar(t, op, seed)))
		return false;
	if (form == INDEXED)
		index_on(t, seed);
	/* A computed jump goes where a branch could have gone: only there is code. */
	bool computed = op == GCN_S_SETPC_B64 || op == GCN_S_SWAPPC_B64 || op == GCN_S_CBRANCH_G_FORK;
	if (computed)
		append(t, GCN_S_CBRANCH_CDBGSYS, NONE, 2);
	unsigned n = gcn_encode(gen, &t->in, t->code.dw + t->code.n, &why);
	if (!n)
		return false;
	t->code.n += n;
	if (form == INDEXED)
		append(t, GCN_S_SET_GPR_IDX_OFF, NONE, 0);
	append(t, GCN_S_MOVK_I32, MARK, 7);
	append(t, GCN_S_MOVK_I32, MARK + 1, 9);
	append(t, GCN_S_ENDPGM, NONE, 0);
	return true;
}
