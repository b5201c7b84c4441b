/* SPDX-License-Identifier: MIT */
/* Cases of scalar instructions. */
#include "tests/isa/cases_int.h"

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

void salu_cases(struct maker *m)
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

void immediate_cases(struct maker *m)
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

void smem_cases(struct maker *m)
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
