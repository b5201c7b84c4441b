/* Each opcode once with plain operands, then with one thing at its limit. */
#include "tests/isa/cases.h"

#include "isa/gcn_forms.h"
#include "isa/gcn_tables.h"

struct maker {
	enum gcn_gen gen;
	unsigned mods; /* GCN_M_* that the generation has */
	bool vop3;     /* a 64-bit form besides the native one */
	const struct gcn_op_info *info;
	case_fn fn;
	void *context;
	struct gcn_inst base;
};

static void emit(const struct maker *m, const struct gcn_inst *in)
{
	m->fn(m->context, in);
}

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

/* --- scalar --- */

static const uint16_t scalar_sources[] = {
	0, 100, GCN_SRC_VCC, 108, GCN_SRC_EXEC, 128, 129, 192, 193, 208,
	240, 241, 242, 243, 244, 245, 246, 247, 248, GCN_SRC_VCCZ, GCN_SRC_EXECZ, GCN_SRC_SCC,
	GCN_SRC_LITERAL, GCN_SRC_FLAT_SCRATCH, GCN_SRC_M0, 101, 235, 238, 103, 104, 112,
};

static bool scalar_fits(const struct maker *m, uint16_t code, unsigned dw)
{
	if (!isa_source_valid(m->gen, code))
		return false;
	return dw == 1 || (code % 2 == 0 && code != GCN_SRC_M0) || code >= 128;
}

static void salu_cases(struct maker *m)
{
	struct gcn_inst in;
	/* llvm-mc has no constants in s_cbranch_join */
	bool registers = m->info->flags & GCN_F_REGISTER_ONLY || m->base.op == GCN_S_CBRANCH_JOIN;
	for (int i = 0; i < 2; i++)
		for (size_t k = 0; m->info->src_dw[i] && k < sizeof(scalar_sources) / 2; k++) {
			in = m->base;
			in.src[1] = m->info->flags & GCN_F_RAW_OPERAND ? 9 : in.src[1];
			if (registers && scalar_sources[k] > 127)
				continue;
			if (in.op == GCN_S_CBRANCH_G_FORK && scalar_sources[k] == GCN_SRC_LITERAL)
				continue;
			if (!scalar_fits(m, scalar_sources[k], m->info->src_dw[i]) || m->info->fmt == GCN_SOPK)
				continue;
			in.src[i] = scalar_sources[k];
			in.literal = 0x89abcdef;
			emit(m, &in);
		}
	static const uint16_t dsts[] = { 0, 100, 101, GCN_SRC_VCC, GCN_SRC_EXEC, GCN_SRC_M0, 107, 120, 102,
		103, 104 };
	for (size_t k = 0; k < sizeof(dsts) / 2; k++) {
		in = m->base;
		if (!scalar_fits(m, dsts[k], m->info->dst_dw) || !m->info->dst_dw)
			continue;
		in.dst = dsts[k];
		emit(m, &in);
	}
	for (unsigned raw = 0; m->info->flags & GCN_F_RAW_OPERAND && raw < 16; raw++) {
		in = m->base;
		in.src[1] = (uint16_t)raw;
		emit(m, &in);
	}
}

static void immediate_cases(struct maker *m)
{
	static const int32_t values[] = { 1, 127, 0x7fff, -1, -0x8000, 0x1234 };
	struct gcn_inst in;
	bool set_or_get = m->base.op == GCN_S_GETREG_B32 || m->base.op == GCN_S_SETREG_B32 ||
		m->base.op == GCN_S_SETREG_IMM32_B32;
	for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
		in = m->base;
		in.offset = values[k];
		if (m->info->flags & GCN_F_NO_IMM && m->base.op != GCN_S_ENDPGM)
			continue;
		if (set_or_get) /* hwreg(id, first, count): the fields must make sense */
			in.offset = (int16_t)(k << 11 | k << 6 | (k + 1));
		if (m->base.op == GCN_S_WAITCNT)
			in.offset = (int16_t)gcn_waitcnt((m->gen == GCN_GFX9 ? 63u : 15u) >> k, 7u >> k, 15u >> k);
		if (m->base.op == GCN_S_SET_GPR_IDX_MODE)
			in.offset = values[k] & 15;
		in.literal = 0x89abcdef;
		emit(m, &in);
	}
}

static void smem_cases(struct maker *m)
{
	static const int32_t offsets[] = { 4, 0xff, 0x12345, 0xfffff, -4, -0x100000, 255 * 4 };
	static const uint16_t regs[] = { 0, 101, GCN_SRC_M0, GCN_SRC_VCC };
	const struct gcn_form form = { m->base.op, GCN_SMEM, GCN_SUB_NONE };
	int32_t low = 0, high = 0;
	unsigned unit = 1;
	gcn_form_offset_range(m->gen, &form, &low, &high, &unit);
	struct gcn_inst in = m->base;
	if (m->info->flags & GCN_F_RAW_OPERAND)
		m->base.dst = 7;
	m->base.src[1] = GCN_SRC_NONE;
	emit(m, &m->base);
	for (size_t k = 0; m->info->src_dw[0] && k < sizeof(offsets) / sizeof(offsets[0]); k++) {
		in = m->base;
		in.offset = offsets[k];
		if (in.offset >= low && in.offset <= high && in.offset % (int32_t)unit == 0)
			emit(m, &in);
		in.src[1] = regs[k % 4];
		if (m->gen == GCN_GFX9 && in.offset >= low && in.offset <= high)
			emit(m, &in);
		in.offset = 0;
		emit(m, &in);
	}
	in = m->base;
	in.src[1] = GCN_SRC_LITERAL;
	in.literal = 0x12345678;
	if (m->gen == GCN_GFX7 && m->info->src_dw[1])
		emit(m, &in);
	in = m->base;
	in.glc = 1;
	if (m->gen >= GCN_GFX8 && m->info->flags & (GCN_F_LOAD | GCN_F_STORE | GCN_F_ATOMIC))
		emit(m, &in);
	for (uint16_t dst = 0; m->info->dst_dw && dst <= 96; dst += 48) {
		in = m->base;
		in.dst = dst + m->info->dst_dw > 102 ? 80 : dst;
		in.src[0] = (uint16_t)(m->info->src_dw[0] ? 96 - dst : GCN_SRC_NONE);
		emit(m, &in);
	}
}

/* --- vector arithmetic --- */

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

static void vop_cases(struct maker *m)
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

static void vop3p_cases(struct maker *m)
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

static void interp_cases(struct maker *m)
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

/* --- memory --- */

static void ds_cases(struct maker *m)
{
	static const int32_t offsets[] = { 0, 1, 0x100, 0x7f80, 0xffff };
	bool lanes = m->info->flags & GCN_F_SRC0_LANES; /* ds_permute: not in GDS */
	for (size_t k = 0; k < sizeof(offsets) / sizeof(offsets[0]); k++) {
		struct gcn_inst in = m->base;
		in.offset = offsets[k];
		in.gds = lanes ? 0 : m->info->flags & GCN_F_GDS_ONLY ? 1 : k == 3;
		for (int i = 0; i < 3; i++)
			if (m->info->src_dw[i] && k > 2)
				in.src[i] = (uint16_t)(512 - 8 * (i + 1));
		if (m->base.op == GCN_DS_NOP)
			in.offset = 0, in.gds = 0;
		emit(m, &in);
	}
}

static void flag_cases(struct maker *m, uint8_t *(*flag)(struct gcn_inst *, int))
{
	for (int i = 0;; i++) {
		struct gcn_inst in = m->base;
		uint8_t *f = flag(&in, i);
		if (!f)
			return;
		*f = 1;
		emit(m, &in);
	}
}

static uint8_t *buffer_flag(struct gcn_inst *in, int i)
{
	uint8_t *flags[] = { &in->glc, &in->slc, &in->tfe, NULL };
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	bool tfe = in->fmt == GCN_MUBUF && info->flags & GCN_F_LOAD;
	return i == 2 && !tfe ? NULL : flags[i];
}

static void buffer_cases(struct maker *m)
{
	if (!m->info->src_dw[1]) {
		emit(m, &m->base);
		return;
	}
	struct gcn_inst in;
	m->base.src[1] = 8;
	m->base.src[2] = 128;
	if (m->base.op == GCN_BUFFER_STORE_LDS_DWORD) {
		in = m->base, in.lds = 1;
		emit(m, &in);
		return;
	}
	m->base.dfmt = 4;
	m->base.nfmt = 7;
	uint16_t vaddr = m->base.src[0];
	m->base.src[0] = GCN_SRC_NONE;
	flag_cases(m, buffer_flag);
	m->base.src[0] = vaddr;
	m->base.idxen = 1;
	static const uint16_t soffsets[] = { 0, 101, GCN_SRC_M0, 129, 208, GCN_SRC_VCC };
	for (int k = 0; k < 6; k++) {
		in = m->base;
		in.src[2] = soffsets[k];
		in.src[1] = (uint16_t)(k * 16);
		in.offset = k * 819;
		in.offen = k & 1;
		in.src[0] = (uint16_t)(510 - k);
		in.dst = (uint16_t)(512 - m->info->dst_dw - k);
		in.dfmt = (uint8_t)(k * 3);
		in.nfmt = (uint8_t)k;
		emit(m, &in);
		in.idxen = in.offen = 0;
		in.addr64 = 1;
		if (m->gen < GCN_GFX8)
			emit(m, &in);
	}
	in = m->base, in.lds = 1;
	if (m->info->flags & GCN_F_MAY_LDS)
		in.dst = GCN_SRC_NONE, emit(m, &in);
}

static uint8_t *image_flag(struct gcn_inst *in, int i)
{
	uint8_t *flags[] = { &in->unorm, &in->glc, &in->slc, &in->tfe, &in->lwe, &in->da,
		&in->r128_a16, NULL };
	return flags[i];
}

static void d16_cases(struct maker *m)
{
	struct gcn_inst in = m->base;
	in.d16 = 1;
	if (m->gen < GCN_GFX8 || !(m->info->flags & GCN_F_MAY_D16))
		return;
	emit(m, &in);
	in.dmask = m->info->flags & GCN_F_GATHER4 ? 8 : 7;
	emit(m, &in);
}

static void image_cases(struct maker *m)
{
	bool gather = m->info->flags & GCN_F_GATHER4, atomic = m->info->flags & GCN_F_ATOMIC;
	m->base.dst = 256 + 100;
	m->base.src[1] = 8;
	m->base.src[2] = m->info->src_dw[2] ? 16 : GCN_SRC_NONE;
	m->base.dmask = m->base.op == GCN_IMAGE_ATOMIC_CMPSWAP || m->base.op == GCN_IMAGE_ATOMIC_FCMPSWAP ? 3 : 1;
	m->base.unorm = !m->info->src_dw[2];
	emit(m, &m->base);
	for (unsigned mask = 1; mask < 16; mask++) {
		struct gcn_inst in = m->base;
		if (gather ? mask & (mask - 1) : atomic && mask != (m->base.dmask == 1 ? 3 : 15))
			continue;
		in.dmask = (uint8_t)mask;
		in.src[1] = (uint16_t)(mask * 4);
		if (m->info->src_dw[2])
			in.src[2] = (uint16_t)(96 - mask * 4);
		in.dst = (uint16_t)(512 - gcn_mimg_data_dw(&in));
		in.src[0] = (uint16_t)(512 - m->info->src_dw[0]);
		emit(m, &in);
	}
	flag_cases(m, image_flag);
	d16_cases(m);
}

static void export_cases(struct maker *m)
{
	static const uint8_t targets[] = { 0, 7, GCN_EXP_MRTZ, GCN_EXP_NULL, 12, 15, 32, 63 };
	for (int k = 0; k < 8; k++)
		for (uint8_t en = 0; en < 16; en++) {
			struct gcn_inst in = m->base;
			in.exp_target = targets[k];
			in.en = en;
			in.done = k & 1;
			in.vm = en & 1;
			for (int i = 0; i < 4; i++)
				if (!(en >> i & 1))
					in.src[i] = GCN_SRC_NONE;
			emit(m, &in);
			in = m->base;
			in.compr = 1;
			in.exp_target = targets[k];
			in.en = (uint8_t)((en & 1) * 3 + (en >> 1 & 1) * 12);
			in.src[2] = in.src[3] = GCN_SRC_NONE;
			for (int i = 0; i < 2; i++)
				if (!(in.en >> 2 * i & 3))
					in.src[i] = GCN_SRC_NONE;
			if (en < 4)
				emit(m, &in);
		}
}

static void flat_cases(struct maker *m)
{
	bool flat = m->info->fmt == GCN_FLAT, atomic = m->info->flags & GCN_F_ATOMIC;
	m->base.src[2] = GCN_SRC_NONE;
	if (atomic)
		m->base.dst = GCN_SRC_NONE;
	for (int k = 0; k < 6; k++) {
		static const int32_t offsets[] = { 0, 1, 4095, -1, -4096, 2048 };
		struct gcn_inst in = m->base;
		in.offset = m->gen < GCN_GFX9 ? 0 : flat && offsets[k] < 0 ? 7 : offsets[k];
		in.slc = k & 1;
		in.glc = k >> 1 & 1;
		if (atomic && in.glc)
			in.dst = 256 + 77;
		if (!flat && k >= 3) {
			in.src[2] = (uint16_t)(k == 3 ? 0 : k == 4 ? 100 : GCN_SRC_VCC);
			if (m->info->fmt == GCN_SCRATCH)
				in.src[0] = GCN_SRC_NONE;
		}
		emit(m, &in);
		in.lds = 1;
		in.dst = GCN_SRC_NONE;
		if (m->info->flags & GCN_F_MAY_LDS)
			emit(m, &in);
	}
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
