/* SPDX-License-Identifier: MIT */
/* Cases of memory instructions and exports. */
#include "tests/isa/cases_int.h"

void ds_cases(struct maker *m)
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

void buffer_cases(struct maker *m)
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

void image_cases(struct maker *m)
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

void export_cases(struct maker *m)
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

void flat_cases(struct maker *m)
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
