/* SPDX-License-Identifier: MIT */
/* Scratch, buffers and LDS: what a strip does.  The slots of the frame are full. */
#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

static const uint32_t lane4[16] = { 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60 };

static struct xo mask_of(struct translator *t, struct xo m) /* both levels: what gathers use up */
{
	if (t->v4) {
		X(&t->b, KMOVW, R(K7), m);
		return R(K7);
	}
	struct xo x = r_temp(t);
	v_load(t, x, m);
	return x;
}

/* d = dwords at base + at + disp of the lanes in m, else 0. */
static void gather(struct translator *t, struct xo d, struct xo at, int64_t disp, struct xo m)
{
	struct xo from = x_mem(ZYDIS_REGISTER_RAX, disp, 4), used = mask_of(t, m);
	from.index = at.reg;
	from.scale = 1;
	VXD(t, VPXOR, d, d, d);
	if (t->v4) {
		vxk(t, ZYDIS_MNEMONIC_VPGATHERDD, 7, false, 2, (struct xo[]){ d, from });
	} else {
		X(&t->b, VPGATHERDD, d, from, used);
		r_free(t, used);
	}
}

int32_t j_lane4(struct translator *t)
{
	return x_vector(&t->b, lane4);
}

void j_scatter(struct translator *t, struct xo at, int64_t disp, struct xo m, struct xo data)
{
	struct xo to = x_mem(ZYDIS_REGISTER_RAX, disp, 4);
	if (t->v4) {
		to.index = at.reg;
		to.scale = 1;
		X(&t->b, KMOVW, R(K7), m);
		x_emit(&t->b, ZYDIS_MNEMONIC_VPSCATTERDD, 7, false, 2, (struct xo[]){ to, data });
		return;
	}
	int next = x_label(&t->b), none = x_label(&t->b);
	struct xo lane_at = FRAME(FRAME_OFFSETS, 4), lane = FRAME(FRAME_OFFSETS + 32, 4);
	lane_at.index = lane.index = ZYDIS_REGISTER_RDX;
	lane_at.scale = lane.scale = 4;
	to.index = ZYDIS_REGISTER_R8;
	to.scale = 1;
	X(&t->b, VMOVMSKPS, R(ECX), m);
	X(&t->b, TEST, R(ECX), R(ECX));
	XJ(&t->b, JZ, none);
	X(&t->b, VMOVUPS, FRAME(FRAME_OFFSETS, 32), at);
	X(&t->b, VMOVUPS, FRAME(FRAME_OFFSETS + 32, 32), data);
	x_bind(&t->b, next);
	X(&t->b, TZCNT, R(EDX), R(ECX));
	X(&t->b, MOV, R(R8D), lane_at);
	X(&t->b, MOV, R(R9D), lane);
	X(&t->b, MOV, to, R(R9D));
	X(&t->b, BLSR, R(ECX), R(ECX));
	XJ(&t->b, JNZ, next);
	x_bind(&t->b, none);
}

/* The register that takes dword k, and its merge by EXEC. */
static struct xo begin_result(struct translator *t, uint32_t i, unsigned k, bool keep)
{
	unsigned vd = (unsigned)t->in[i].vd + k;
	return keep ? r_temp(t) : r_def(t, vd, false);
}
static void end_result(struct translator *t, uint32_t i, unsigned k, bool keep, struct xo x)
{
	unsigned vd = (unsigned)t->in[i].vd + k;
	if (keep) {
		struct xo d = r_def(t, vd, true);
		if (t->v4)
			VXK(t, 1, VMOVAPS, d, x);
		else
			X(&t->b, VBLENDVPS, d, d, x, j_exec(t));
		r_free(t, x);
	}
	r_lazy(t, vd, false);
}

/* x = VGPR + constant, in a register that may be changed. */
static struct xo plus(struct translator *t, int vgpr, uint32_t constant)
{
	struct xo x = r_temp(t);
	if (vgpr < 0) {
		v_load(t, x, v_const(t, constant));
		return x;
	}
	r_settle(t, (unsigned)vgpr);
	struct xo v = r_use(t, (unsigned)vgpr);
	if (constant)
		VX(t, VPADDD, x, v, v_const(t, constant));
	else
		VX(t, VMOVAPS, x, v);
	return x;
}

/* --- scratch: a row of 256 bytes for each dword --- */

/* Goes to the fault; ecx says which record, FRAME_OFFSETS where. */
static void fault(struct translator *t, uint32_t i)
{
	t->faults = true;
	X(&t->b, MOV, R(ECX), x_imm((int64_t)sizeof(struct cu_rec) * i));
	XJ(&t->b, JMP, t->fault_label);
}

/* All lanes in one row: rax and up.  Out of range it is the first, of which
 * nothing is used, when EXEC is empty. */
static void scratch_row(struct translator *t, uint32_t i, int slot, unsigned n)
{
	const struct gcn_inst *in = j_rec(t, i)->in;
	int good = x_label(&t->b), none = x_label(&t->b);
	if (in->src[2] < 128) {
		X(&t->b, MOV, R(ECX), j_sgpr(in->src[2], 4));
		X(&t->b, ADD, R(ECX), x_imm(in->offset));
	} else {
		X(&t->b, MOV, R(ECX), x_imm(in->offset));
	}
	X(&t->b, MOV, FRAME(FRAME_OFFSETS, 4), R(ECX));
	X(&t->b, SHR, R(ECX), x_imm(2));
	X(&t->b, CMP, R(ECX), SLOT(slot, limit[n - 1], 4));
	XJ(&t->b, JB, good);
	X(&t->b, CMP, j_slice_of(t, GCN_SRC_EXEC), x_imm(0));
	XJ(&t->b, JZ, none);
	struct xo all = t->v4 ? R(ZMM0) : R(YMM0);
	VX(t, VBROADCASTSS, all, FRAME(FRAME_OFFSETS, 4));
	VX(t, VMOVUPS, FRAME(FRAME_OFFSETS, t->v4 ? 64 : 32), all);
	fault(t, i);
	x_bind(&t->b, none);
	X(&t->b, XOR, R(ECX), R(ECX));
	x_bind(&t->b, good);
	X(&t->b, SHL, R(RCX), x_imm(8));
	X(&t->b, ADD, R(RAX), R(RCX));
}
static void uniform_scratch(struct translator *t, uint32_t i, const struct j_memory *m, int slot)
{
	bool keep = !t->full && !t->in[i].off_dead;
	scratch_row(t, i, slot, m->dwords);
	for (unsigned k = 0; k < m->dwords; k++) {
		struct xo at = x_mem(ZYDIS_REGISTER_RAX, 256 * (int64_t)k, t->v4 ? 64 : 32);
		struct xo x;
		if (m->store) {
			r_settle(t, (unsigned)m->data + k);
			x = r_use(t, (unsigned)m->data + k);
			if (t->full)
				VX(t, VMOVUPS, at, x);
			else if (t->v4)
				VXK(t, 1, VMOVUPS, at, x);
			else
				X(&t->b, VMASKMOVPS, at, j_exec(t), x);
			continue;
		}
		x = begin_result(t, i, k, keep);
		if (t->full)
			VX(t, VMOVUPS, x, at);
		else if (t->v4)
			vxk(t, ZYDIS_MNEMONIC_VMOVUPS, 1, true, 2, (struct xo[]){ x, at });
		else
			X(&t->b, VMASKMOVPS, x, j_exec(t), at);
		end_result(t, i, k, keep, x);
	}
}

/* Byte offsets of the lanes in the strip's part of the rows; faults where an
 * active one is outside. */
static struct xo scratch_offsets(struct translator *t, uint32_t i, const struct j_memory *m, int slot)
{
	int good = x_label(&t->b);
	struct xo o = plus(t, m->offset, (uint32_t)j_rec(t, i)->in->offset), row = r_temp(t);
	struct xo limit = v_broadcast(t, SLOT(slot, limit[m->dwords - 1], 4));
	VX(t, VPSRLD, row, o, x_imm(2));
	if (t->v4) {
		vxk(t, ZYDIS_MNEMONIC_VPCMPUD, t->full ? 0 : 1, false, 4, (struct xo[]){ R(K7), row, limit, x_imm(5) });
		X(&t->b, KORTESTW, R(K7), R(K7));
	} else {
		struct xo in = r_temp(t);
		X(&t->b, VPCMPGTD, in, limit, row);
		/* Carry: all of EXEC, or of ones, is inside. */
		struct xo all = t->full ? r_temp(t) : j_exec(t);
		if (t->full)
			X(&t->b, VPCMPEQD, all, all, all);
		X(&t->b, VTESTPS, in, all);
		r_free(t, in);
		r_free(t, limit);
		if (t->full)
			r_free(t, all);
	}
	x_jump(&t->b, t->v4 ? ZYDIS_MNEMONIC_JZ : ZYDIS_MNEMONIC_JB, good);
	VX(t, VMOVUPS, FRAME(FRAME_OFFSETS, t->v4 ? 64 : 32), o);
	fault(t, i);
	x_bind(&t->b, good);
	VX(t, VPSLLD, row, row, x_imm(8));
	VX(t, VPADDD, row, row, x_mem(RB_POOL, j_lane4(t), t->v4 ? 64 : 32));
	r_free(t, o);
	return row;
}

static void scratch(struct translator *t, uint32_t i, const struct j_memory *m, int slot)
{
	bool keep = !t->full && !t->in[i].off_dead;
	X(&t->b, MOV, R(RAX), SLOT(slot, base, 8));
	X(&t->b, ADD, R(RAX), x_reg(RB_STRIP));
	if (m->offset < 0) {
		uniform_scratch(t, i, m, slot);
		return;
	}
	struct xo at = scratch_offsets(t, i, m, slot), mask = j_exec(t);
	if (t->full && t->v4) {
		X(&t->b, KXNORW, R(K6), R(K6), R(K6));
		mask = R(K6);
	} else if (t->full) {
		mask = r_temp(t);
		X(&t->b, VPCMPEQD, mask, mask, mask);
	}
	for (unsigned k = 0; k < m->dwords; k++) {
		if (m->store) {
			r_settle(t, (unsigned)m->data + k);
			j_scatter(t, at, 256 * (int64_t)k, mask, r_use(t, (unsigned)m->data + k));
			continue;
		}
		struct xo x = begin_result(t, i, k, keep);
		gather(t, x, at, 256 * (int64_t)k, mask);
		end_result(t, i, k, keep, x);
	}
}

/* --- buffers and LDS: lanes that are out of range read 0 --- */

/* Unsigned: a < limit, which is below 2^31; and EXEC, and `also` (none: kind 0).
 * The result is k6, or a temporary. */
static struct xo inside(struct translator *t, struct xo a, struct xo limit, struct xo also)
{
	if (t->v4) {
		unsigned by = also.kind ? also.reg - ZYDIS_REGISTER_K0 : t->full ? 0 : 1;
		vxk(t, ZYDIS_MNEMONIC_VPCMPUD, (int)by, false, 4, (struct xo[]){ R(K6), a, limit, x_imm(1) });
		return R(K6);
	}
	struct xo m = r_temp(t);
	X(&t->b, VPMINUD, m, a, v_const(t, 0x7fffffff));
	X(&t->b, VPCMPGTD, m, limit, m);
	if (also.kind)
		X(&t->b, VPAND, m, m, also);
	else if (!t->full)
		X(&t->b, VPAND, m, m, j_exec(t));
	return m;
}

static void access(struct translator *t, uint32_t i, const struct j_memory *m, unsigned k, struct xo at,
	int64_t disp, struct xo mask)
{
	bool keep = !t->full && !t->in[i].off_dead;
	if (m->store) {
		r_settle(t, (unsigned)m->data + k);
		j_scatter(t, at, disp, mask, r_use(t, (unsigned)m->data + k));
		return;
	}
	struct xo x = begin_result(t, i, k, keep);
	gather(t, x, at, disp, mask);
	end_result(t, i, k, keep, x);
}

/* One address for all lanes. */
static void uniform_buffer(struct translator *t, uint32_t i, const struct j_memory *m, int slot)
{
	bool keep = !t->full && !t->in[i].off_dead;
	int64_t offset = j_rec(t, i)->in->offset;
	for (unsigned k = 0; k < m->dwords; k++) {
		int outside = x_label(&t->b);
		struct xo x = begin_result(t, i, k, keep);
		VXD(t, VPXOR, x, x, x);
		X(&t->b, CMP, SLOT(slot, limit[k], 4), x_imm(offset));
		XJ(&t->b, JBE, outside);
		VX(t, VBROADCASTSS, x, x_mem(ZYDIS_REGISTER_RAX, (offset & ~3ll) + 4 * (int64_t)k, 4));
		x_bind(&t->b, outside);
		end_result(t, i, k, keep, x);
	}
}

static void buffer(struct translator *t, uint32_t i, const struct j_memory *m, int slot)
{
	X(&t->b, MOV, R(RAX), SLOT(slot, base, 8));
	if (m->offset < 0 && m->index < 0 && !m->store) {
		uniform_buffer(t, i, m, slot);
		return;
	}
	struct xo o = plus(t, m->offset, (uint32_t)j_rec(t, i)->in->offset), at = o, also = { 0 };
	if (m->index >= 0) {
		struct xo index, last = v_broadcast(t, SLOT(slot, last, 4));
		r_settle(t, (unsigned)m->index);
		index = r_use(t, (unsigned)m->index);
		at = r_temp(t);
		if (t->v4) {
			also = R(K7);
			vxk(t, ZYDIS_MNEMONIC_VPCMPUD, t->full ? 0 : 1, false, 4,
				(struct xo[]){ R(K7), index, last, x_imm(2) });
			/* k7 is what gathers use up. */
			X(&t->b, KMOVW, x_reg(ZYDIS_REGISTER_K2 + t->mask_next % 4), R(K7));
			also = x_reg(ZYDIS_REGISTER_K2 + t->mask_next % 4);
			t->masks[t->mask_next++ % 4].pair = -1;
		} else {
			also = r_temp(t);
			X(&t->b, VPMINUD, also, index, last);
			X(&t->b, VPCMPEQD, also, also, index);
			if (!t->full)
				X(&t->b, VPAND, also, also, j_exec(t));
			r_free(t, last);
		}
		VX(t, VPMULLD, at, index, v_broadcast(t, SLOT(slot, stride, 4)));
		VX(t, VPADDD, at, at, o);
	}
	struct xo round = at;
	if (m->index >= 0 || m->dwords > 1)
		round = at.reg == o.reg ? r_temp(t) : at;
	else if (m->dwords == 1)
		round = r_temp(t);
	VXD(t, VPAND, round, at, v_const(t, ~3u));
	for (unsigned k = 0; k < m->dwords; k++) {
		struct xo limit = v_broadcast(t, SLOT(slot, limit[k], 4)), mask = inside(t, o, limit, also);
		access(t, i, m, k, round, 4 * (int64_t)k, mask);
		if (!t->v4) {
			r_free(t, limit);
			r_free(t, mask);
		}
	}
}

static void lds(struct translator *t, uint32_t i, const struct j_memory *m)
{
	const struct gcn_inst *in = j_rec(t, i)->in;
	bool pair = in->op == GCN_DS_READ2_B32;
	uint32_t offset = pair ? 0 : (uint32_t)in->offset;
	struct xo at = plus(t, m->offset, 0), end = r_temp(t);
	X(&t->b, MOV, R(RAX), J_FIELD(lds));
	/* What is far outside stays there without wrapping. */
	VX(t, VPMINUD, at, at, v_const(t, 0x10000000));
	if (offset & 3)
		VX(t, VPADDD, at, at, v_const(t, offset & 3));
	VXD(t, VPAND, at, at, v_const(t, ~3u));
	for (unsigned k = 0; k < m->dwords; k++) {
		uint32_t add = pair ? ((uint32_t)in->offset >> 8 * k & 255) * 4 : (offset & ~3u) + 4 * k;
		VX(t, VPADDD, end, at, v_const(t, add + 3));
		struct xo limit = v_broadcast(t, J_FIELD(lds_bytes)), mask = inside(t, end, limit, (struct xo){ 0 });
		access(t, i, m, k, at, add, mask);
		if (!t->v4) {
			r_free(t, limit);
			r_free(t, mask);
		}
	}
}

void j_memory(struct translator *t, uint32_t i)
{
	struct j_memory m;
	if (!j_memory_op(t, i, &m))
		return;
	int slot = m.unit == UNIT_GLOBAL ? -1 : j_memory_slot(t, i);
	if (m.unit == UNIT_SCRATCH)
		scratch(t, i, &m, slot);
	else if (m.unit == UNIT_BUFFER)
		buffer(t, i, &m, slot);
	else if (m.unit == UNIT_GLOBAL)
		j_memory_global(t, i, &m);
	else
		lds(t, i, &m);
}
