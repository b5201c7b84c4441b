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

static struct xo mask_of(struct jit_region *g, struct xo m) /* both levels: what gathers use up */
{
	if (g->v4) {
		X(g->b, KMOVW, R(K7), m);
		return R(K7);
	}
	struct xo x = jit_r_temp(g);
	jit_v_load(g, x, m);
	return x;
}

/* d = dwords at base + at + disp of the lanes in m, else 0. */
static void gather(struct jit_region *g, struct xo d, struct xo at, int64_t disp, struct xo m)
{
	struct xo from = jit_x_mem(ZYDIS_REGISTER_RAX, disp, 4), used = mask_of(g, m);
	from.index = at.reg;
	from.scale = 1;
	VXD(g, VPXOR, d, d, d);
	if (g->v4) {
		jit_vxk(g, ZYDIS_MNEMONIC_VPGATHERDD, 7, false, 2, (struct xo[]){ d, from });
	} else {
		X(g->b, VPGATHERDD, d, from, used);
		jit_r_free(g, used);
	}
}

int32_t jit_lane4(struct jit_region *g)
{
	return jit_x_vector(g->b, lane4);
}

void jit_scatter(struct jit_region *g, struct xo at, int64_t disp, struct xo m, struct xo data)
{
	struct xo to = jit_x_mem(ZYDIS_REGISTER_RAX, disp, 4);
	if (g->v4) {
		to.index = at.reg;
		to.scale = 1;
		X(g->b, KMOVW, R(K7), m);
		jit_x_emit(g->b, ZYDIS_MNEMONIC_VPSCATTERDD, 7, false, 2, (struct xo[]){ to, data });
		return;
	}
	int next = jit_x_label(g->b), none = jit_x_label(g->b);
	struct xo lane_at = FRAME(FRAME_OFFSETS, 4), lane = FRAME(FRAME_OFFSETS + 32, 4);
	lane_at.index = lane.index = ZYDIS_REGISTER_RDX;
	lane_at.scale = lane.scale = 4;
	to.index = ZYDIS_REGISTER_R8;
	to.scale = 1;
	X(g->b, VMOVMSKPS, R(ECX), m);
	X(g->b, TEST, R(ECX), R(ECX));
	XJ(g->b, JZ, none);
	X(g->b, VMOVUPS, FRAME(FRAME_OFFSETS, 32), at);
	X(g->b, VMOVUPS, FRAME(FRAME_OFFSETS + 32, 32), data);
	jit_x_bind(g->b, next);
	X(g->b, TZCNT, R(EDX), R(ECX));
	X(g->b, MOV, R(R8D), lane_at);
	X(g->b, MOV, R(R9D), lane);
	X(g->b, MOV, to, R(R9D));
	X(g->b, BLSR, R(ECX), R(ECX));
	XJ(g->b, JNZ, next);
	jit_x_bind(g->b, none);
}

/* The register that takes dword k, and its merge by EXEC. */
static struct xo begin_result(struct jit_region *g, uint32_t i, unsigned k, bool keep)
{
	unsigned vd = (unsigned)g->in[i].vd + k;
	return keep ? jit_r_temp(g) : jit_r_def(g, vd, false);
}
static void end_result(struct jit_region *g, uint32_t i, unsigned k, bool keep, struct xo x)
{
	unsigned vd = (unsigned)g->in[i].vd + k;
	if (keep) {
		jit_v_put_active(g, vd, x);
		jit_r_free(g, x);
	}
	jit_r_lazy(g, vd, false);
}

/* x = VGPR + constant, in a register that may be changed. */
static struct xo plus(struct jit_region *g, int vgpr, uint32_t constant)
{
	struct xo x = jit_r_temp(g);
	if (vgpr < 0) {
		jit_v_load(g, x, jit_v_const(g, constant));
		return x;
	}
	jit_r_settle(g, (unsigned)vgpr);
	struct xo v = jit_r_use(g, (unsigned)vgpr);
	if (constant)
		VX(g, VPADDD, x, v, jit_v_const(g, constant));
	else
		VX(g, VMOVAPS, x, v);
	return x;
}

/* --- scratch: a row of 256 bytes for each dword --- */

/* Goes to the fault; ecx says which record, FRAME_OFFSETS where. */
static void fault(struct jit_region *g, uint32_t i)
{
	g->t->faults = true;
	X(g->b, MOV, R(ECX), jit_x_imm((int64_t)sizeof(struct cu_rec) * i));
	XJ(g->b, JMP, g->t->fault_label);
}

/* All lanes in one row: rax and up.  Out of range it is the first, of which
 * nothing is used, when EXEC is empty. */
static void scratch_row(struct jit_region *g, uint32_t i, int slot, unsigned n)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	int good = jit_x_label(g->b), none = jit_x_label(g->b);
	if (in->src[2] < 128) {
		X(g->b, MOV, R(ECX), jit_sgpr(in->src[2], 4));
		X(g->b, ADD, R(ECX), jit_x_imm(in->offset));
	} else {
		X(g->b, MOV, R(ECX), jit_x_imm(in->offset));
	}
	X(g->b, MOV, FRAME(FRAME_OFFSETS, 4), R(ECX));
	X(g->b, SHR, R(ECX), jit_x_imm(2));
	X(g->b, CMP, R(ECX), SLOT(slot, limit[n - 1], 4));
	XJ(g->b, JB, good);
	X(g->b, CMP, jit_slice_of(g->t, GCN_SRC_EXEC), jit_x_imm(0));
	XJ(g->b, JZ, none);
	struct xo all = g->v4 ? R(ZMM0) : R(YMM0);
	VX(g, VBROADCASTSS, all, FRAME(FRAME_OFFSETS, 4));
	VX(g, VMOVUPS, FRAME(FRAME_OFFSETS, g->v4 ? 64 : 32), all);
	fault(g, i);
	jit_x_bind(g->b, none);
	X(g->b, XOR, R(ECX), R(ECX));
	jit_x_bind(g->b, good);
	X(g->b, SHL, R(RCX), jit_x_imm(8));
	X(g->b, ADD, R(RAX), R(RCX));
}

/* In the wave's scratch_high: n rows from ecx on, bytes, all lanes'. */
static void note_row(struct jit_region *g, unsigned n)
{
	const struct xo high = jit_wave(offsetof(struct cu_wave, scratch_high), 4);
	int known = jit_x_label(g->b);
	X(g->b, ADD, R(ECX), jit_x_imm(CU_SCRATCH_ROW * (int64_t)(n - 1)));
	X(g->b, CMP, R(ECX), high);
	XJ(g->b, JBE, known);
	X(g->b, MOV, high, R(ECX));
	jit_x_bind(g->b, known);
}

/* The same from where lanes are, those of mask. */
static void note_rows(struct jit_region *g, struct xo at, struct xo mask, unsigned n)
{
	const struct xo high = jit_wave(offsetof(struct cu_wave, scratch_high), g->v4 ? 64 : 32), x = jit_r_temp(g);
	if (n > 1)
		VX(g, VPADDD, x, at, jit_v_const(g, CU_SCRATCH_ROW * (n - 1)));
	else
		VX(g, VMOVAPS, x, at);
	if (g->v4)
		jit_vxk(g, ZYDIS_MNEMONIC_VMOVAPS, (int)(mask.reg - ZYDIS_REGISTER_K0), true, 2, (struct xo[]){ x, x });
	else
		X(g->b, VPAND, x, x, mask);
	VX(g, VPMAXUD, x, x, high);
	VX(g, VMOVAPS, high, x);
	jit_r_free(g, x);
}

static void uniform_scratch(struct jit_region *g, uint32_t i, const struct jit_memory *m, int slot)
{
	const bool keep = !g->full && !g->in[i].off_dead;
	const int row = jit_memory_row(g, i);
	if (row < 0) {
		X(g->b, MOV, R(RAX), SLOT(slot, base, 8));
		X(g->b, ADD, R(RAX), jit_x_reg(RB_STRIP));
		scratch_row(g, i, slot, m->dwords);
		if (m->store)
			note_row(g, m->dwords);
	} else {
		X(g->b, MOV, R(RAX), FRAME(FRAME_ROWS + 8 * row, 8));
	}
	if (m->store)
		jit_r_settle_run(g, (unsigned)m->data, m->dwords);
	for (unsigned k = 0; k < m->dwords; k++) {
		struct xo at = jit_x_mem(ZYDIS_REGISTER_RAX, 256 * (int64_t)k, g->v4 ? 64 : 32);
		at.index = row < 0 ? 0 : RB_STRIP;
		at.scale = row < 0 ? 0 : 1;
		struct xo x;
		if (m->store) {
			x = jit_r_use(g, (unsigned)m->data + k);
			jit_store_own_row(g, at, x);
			continue;
		}
		x = begin_result(g, i, k, keep);
		if (g->full)
			VX(g, VMOVUPS, x, at);
		else if (g->v4)
			jit_vxk(g, ZYDIS_MNEMONIC_VMOVUPS, 1, true, 2, (struct xo[]){ x, at });
		else
			X(g->b, VMASKMOVPS, x, jit_exec(g), at);
		end_result(g, i, k, keep, x);
	}
}

/* Byte offsets of the lanes in the strip's part of the rows; faults where an
 * active one is outside. */
static struct xo scratch_offsets(struct jit_region *g, uint32_t i, const struct jit_memory *m, int slot)
{
	int good = jit_x_label(g->b);
	struct xo o = plus(g, m->offset, (uint32_t)jit_rec(g->t, i)->in->offset), row = jit_r_temp(g);
	struct xo limit = jit_v_broadcast(g, SLOT(slot, limit[m->dwords - 1], 4));
	VX(g, VPSRLD, row, o, jit_x_imm(2));
	if (g->v4) {
		jit_vxk(g, ZYDIS_MNEMONIC_VPCMPUD, g->full ? 0 : 1, false, 4, (struct xo[]){ R(K7), row, limit, jit_x_imm(5) });
		X(g->b, KORTESTW, R(K7), R(K7));
	} else {
		struct xo in = jit_r_temp(g);
		X(g->b, VPCMPGTD, in, limit, row);
		/* Carry: all of EXEC, or of ones, is inside. */
		struct xo all = g->full ? jit_r_temp(g) : jit_exec(g);
		if (g->full)
			X(g->b, VPCMPEQD, all, all, all);
		X(g->b, VTESTPS, in, all);
		jit_r_free(g, in);
		jit_r_free(g, limit);
		if (g->full)
			jit_r_free(g, all);
	}
	jit_x_jump(g->b, g->v4 ? ZYDIS_MNEMONIC_JZ : ZYDIS_MNEMONIC_JB, good);
	VX(g, VMOVUPS, FRAME(FRAME_OFFSETS, g->v4 ? 64 : 32), o);
	fault(g, i);
	jit_x_bind(g->b, good);
	VX(g, VPSLLD, row, row, jit_x_imm(8));
	VX(g, VPADDD, row, row, jit_x_mem(RB_POOL, jit_lane4(g), g->v4 ? 64 : 32));
	jit_r_free(g, o);
	return row;
}

static void scratch(struct jit_region *g, uint32_t i, const struct jit_memory *m, int slot)
{
	bool keep = !g->full && !g->in[i].off_dead;
	if (m->offset < 0) {
		uniform_scratch(g, i, m, slot);
		return;
	}
	X(g->b, MOV, R(RAX), SLOT(slot, base, 8));
	X(g->b, ADD, R(RAX), jit_x_reg(RB_STRIP));
	struct xo at = scratch_offsets(g, i, m, slot), mask = jit_exec(g);
	if (g->full && g->v4) {
		X(g->b, KXNORW, R(K6), R(K6), R(K6));
		mask = R(K6);
	} else if (g->full) {
		mask = jit_r_temp(g);
		X(g->b, VPCMPEQD, mask, mask, mask);
	}
	if (m->store)
		note_rows(g, at, mask, m->dwords);
	for (unsigned k = 0; k < m->dwords; k++) {
		if (m->store) {
			jit_r_settle(g, (unsigned)m->data + k);
			jit_scatter(g, at, 256 * (int64_t)k, mask, jit_r_use(g, (unsigned)m->data + k));
			continue;
		}
		struct xo x = begin_result(g, i, k, keep);
		gather(g, x, at, 256 * (int64_t)k, mask);
		end_result(g, i, k, keep, x);
	}
}

/* --- lanes in a row --- */

void jit_go_on_when(struct jit_region *g, struct xo in, int other)
{
	if (g->v4 && g->full) {
		X(g->b, KORTESTW, in, in);
		XJ(g->b, JNB, other);
	} else if (g->v4) {
		X(g->b, KXORW, R(K7), in, R(K1));
		X(g->b, KORTESTW, R(K7), R(K7));
		XJ(g->b, JNZ, other);
	} else if (g->full) {
		X(g->b, VMOVMSKPS, R(EDX), in);
		X(g->b, CMP, R(EDX), jit_x_imm(255));
		XJ(g->b, JNZ, other);
	} else {
		X(g->b, VTESTPS, in, jit_exec(g));
		XJ(g->b, JNB, other);
	}
}

struct xo jit_low(const struct jit_region *g, struct xo x)
{
	return jit_x_reg(ZYDIS_REGISTER_XMM0 + x.reg - (g->v4 ? ZYDIS_REGISTER_ZMM0 : ZYDIS_REGISTER_YMM0));
}

void jit_load_row(struct jit_region *g, struct xo d, struct xo from, bool keep)
{
	if (g->full) {
		VX(g, VMOVUPS, d, from);
	} else if (g->v4) {
		jit_vxk(g, ZYDIS_MNEMONIC_VMOVUPS, 1, !keep, 2, (struct xo[]){ d, from });
	} else if (!keep) {
		X(g->b, VMASKMOVPS, d, jit_exec(g), from);
	} else {
		struct xo x = jit_r_temp(g);
		X(g->b, VMASKMOVPS, x, jit_exec(g), from);
		X(g->b, VBLENDVPS, d, d, x, jit_exec(g));
		jit_r_free(g, x);
	}
}

void jit_store_row(struct jit_region *g, struct xo to, struct xo x)
{
	if (g->full)
		VX(g, VMOVUPS, to, x);
	else if (g->v4)
		VXK(g, 1, VMOVUPS, to, x);
	else
		X(g->b, VMASKMOVPS, to, jit_exec(g), x);
}

/* VMASKMOVPS to memory takes twelve cycles and more on many CPUs. */
void jit_store_own_row(struct jit_region *g, struct xo to, struct xo x)
{
	if (g->full || g->v4) {
		jit_store_row(g, to, x);
		return;
	}
	struct xo all = jit_r_temp(g);
	X(g->b, VMOVUPS, all, to);
	X(g->b, VBLENDVPS, all, all, x, jit_exec(g));
	X(g->b, VMOVUPS, to, all);
	jit_r_free(g, all);
}

/* --- buffers and LDS: lanes that are out of range read 0 --- */

/* Unsigned: a < limit, which is below 2^31; and EXEC, and `also` (none: kind 0).
 * The result is k6, or a temporary. */
static struct xo inside(struct jit_region *g, struct xo a, struct xo limit, struct xo also)
{
	if (g->v4) {
		unsigned by = also.kind ? also.reg - ZYDIS_REGISTER_K0 : g->full ? 0 : 1;
		jit_vxk(g, ZYDIS_MNEMONIC_VPCMPUD, (int)by, false, 4, (struct xo[]){ R(K6), a, limit, jit_x_imm(1) });
		return R(K6);
	}
	struct xo m = jit_r_temp(g);
	X(g->b, VPMINUD, m, a, jit_v_const(g, 0x7fffffff));
	X(g->b, VPCMPGTD, m, limit, m);
	if (also.kind)
		X(g->b, VPAND, m, m, also);
	else if (!g->full)
		X(g->b, VPAND, m, m, jit_exec(g));
	return m;
}

/* A strip's access: byte offsets from rax, of each dword what is added to them, and what
 * is loaded or stored.  done: behind the moves. */
struct strip { struct xo at, x[4]; int64_t disp[4]; unsigned dwords; bool store; int done; };

static bool keeps(const struct jit_region *g, uint32_t i)
{
	return !g->full && !g->in[i].off_dead;
}

/* All registers are given out before the first branch: what would go back to the wave in
 * one of them would not in others. */
static void begin_strip(struct jit_region *g, uint32_t i, const struct jit_memory *m, struct strip *s)
{
	enum { TEMPS = 4 }; /* at once, in what follows */
	const int temps = m->store && m->dwords > 1 ? STORE_TEMPS : TEMPS;
	struct xo temp[STORE_TEMPS];
	jit_r_release(g);
	if (m->store)
		jit_r_settle_run(g, (unsigned)m->data, m->dwords);
	for (unsigned k = 0; k < m->dwords; k++)
		if (m->store) {
			s->x[k] = jit_r_use(g, (unsigned)m->data + k);
		} else {
			s->x[k] = begin_result(g, i, k, keeps(g, i));
		}
	for (int k = 0; k < temps; k++)
		temp[k] = jit_r_temp(g);
	for (int k = 0; k < temps; k++)
		jit_r_free(g, temp[k]);
	s->done = jit_x_label(g->b);
}

/* Goes on where all active lanes are in the mask and have at == like, else to `other`. */
static void go_on_where(struct jit_region *g, struct xo like, const struct strip *s, struct xo mask, int other)
{
	struct xo in = g->v4 ? R(K7) : like;
	if (g->v4) {
		jit_vxk(g, ZYDIS_MNEMONIC_VPCMPUD, mask.reg - ZYDIS_REGISTER_K0, false, 4,
			(struct xo[]){ in, like, s->at, jit_x_imm(0) });
	} else {
		X(g->b, VPCMPEQD, in, like, s->at);
		X(g->b, VPAND, in, in, mask);
	}
	jit_go_on_when(g, in, other);
}

/* One row of memory from [rax + rcx + disp] on. */
static void move_row(struct jit_region *g, const struct strip *s)
{
	struct xo row = jit_x_mem(ZYDIS_REGISTER_RAX, s->disp[0], g->v4 ? 64 : 32);
	row.index = ZYDIS_REGISTER_RCX;
	row.scale = 1;
	if (s->store)
		jit_store_row(g, row, s->x[0]);
	else
		jit_load_row(g, s->x[0], row, false);
}

/* Lanes that follow one another dword by dword, and loads of one address; mask: those
 * whose dwords are all inside.  What is neither goes on behind. */
static void move_alike(struct jit_region *g, const struct strip *s, struct xo mask)
{
	struct xo first = jit_r_temp(g), like = jit_r_temp(g), low = jit_low(g, s->at);
	int apart = jit_x_label(g->b);
	/* Two lanes tell most that are neither. */
	X(g->b, VMOVQ, R(RDX), low);
	X(g->b, VMOVD, R(ECX), low);
	X(g->b, SHR, R(RDX), jit_x_imm(32));
	X(g->b, SUB, R(EDX), R(ECX));
	X(g->b, TEST, R(EDX), jit_x_imm(~4));
	XJ(g->b, JNZ, apart);
	VX(g, VPBROADCASTD, first, low);
	X(g->b, MOVSXD, R(RCX), R(ECX)); /* a first lane that is off may be before the buffer */
	if (s->dwords == 1) {
		int other = jit_x_label(g->b);
		VX(g, VPADDD, like, first, jit_x_mem(RB_POOL, jit_lane4(g), g->v4 ? 64 : 32));
		go_on_where(g, like, s, mask, other);
		move_row(g, s);
		XJ(g->b, JMP, s->done);
		jit_x_bind(g->b, other);
	}
	if (!s->store) {
		int other = jit_x_label(g->b);
		VX(g, VMOVAPS, like, first);
		go_on_where(g, like, s, mask, other);
		if (!g->full && g->v4)
			X(g->b, KORTESTW, R(K1), R(K1));
		if (!g->full) /* without active lanes rcx may be anything; AVX2: VTESTPS */
			XJ(g->b, JZ, other);
		for (unsigned k = 0; k < s->dwords; k++) {
			struct xo from = jit_x_mem(ZYDIS_REGISTER_RAX, s->disp[k], 4);
			from.index = ZYDIS_REGISTER_RCX;
			from.scale = 1;
			VX(g, VBROADCASTSS, s->x[k], from);
		}
		XJ(g->b, JMP, s->done);
		jit_x_bind(g->b, other);
	}
	jit_x_bind(g->b, apart);
	jit_r_free(g, first);
	jit_r_free(g, like);
}

static void go_on_when_all(struct jit_region *g, struct xo mask, int other)
{
	if (g->v4) {
		X(g->b, KORTESTW, mask, mask);
		XJ(g->b, JNB, other);
	} else {
		X(g->b, VMOVMSKPS, R(EDX), mask);
		X(g->b, CMP, R(EDX), jit_x_imm(255));
		XJ(g->b, JNZ, other);
	}
}

/* Loads of all lanes, whose dwords are all inside.  What is neither goes on behind. */
static void load_apart(struct jit_region *g, const struct strip *s, struct xo mask)
{
	int other = jit_x_label(g->b);
	if (s->store)
		return;
	go_on_when_all(g, mask, other);
	jit_load_each(g, s->x, s->dwords, s->at, s->disp);
	XJ(g->b, JMP, s->done);
	jit_x_bind(g->b, other);
}

static void move_each(struct jit_region *g, const struct strip *s, unsigned k, struct xo mask)
{
	if (s->store)
		jit_scatter(g, s->at, s->disp[k], mask, s->x[k]);
	else
		gather(g, s->x[k], s->at, s->disp[k], mask);
}

static void move_all(struct jit_region *g, const struct strip *s, struct xo mask)
{
	move_alike(g, s, mask);
	load_apart(g, s, mask);
}

static void end_strip(struct jit_region *g, uint32_t i, const struct strip *s)
{
	for (unsigned k = 0; k < s->dwords && !s->store; k++)
		end_result(g, i, k, keeps(g, i), s->x[k]);
}

/* Bits that an address of a byte or short has within its dword. */
static uint32_t odd_bits(const struct jit_memory *m)
{
	return m->narrow >= NARROW_USHORT ? 2 : 3;
}
/* Of a dword that is shifted right already. */
static void narrow(struct jit_region *g, const struct jit_memory *m, struct xo x)
{
	int left = m->narrow >= NARROW_USHORT ? 16 : 24;
	if (m->narrow == NARROW_UBYTE || m->narrow == NARROW_USHORT) {
		VXD(g, VPAND, x, x, jit_v_const(g, ~0u >> left));
	} else {
		VX(g, VPSLLD, x, x, jit_x_imm(left));
		VX(g, VPSRAD, x, x, jit_x_imm(left));
	}
}

/* One address for all lanes. */
static void uniform_buffer(struct jit_region *g, uint32_t i, const struct jit_memory *m, int slot)
{
	bool keep = !g->full && !g->in[i].off_dead;
	int64_t offset = jit_rec(g->t, i)->in->offset;
	for (unsigned k = 0; k < m->dwords; k++) {
		int outside = jit_x_label(g->b);
		struct xo x = begin_result(g, i, k, keep);
		VXD(g, VPXOR, x, x, x);
		X(g->b, CMP, SLOT(slot, limit[k], 4), jit_x_imm(offset));
		XJ(g->b, JBE, outside);
		VX(g, VBROADCASTSS, x, jit_x_mem(ZYDIS_REGISTER_RAX, (offset & ~3ll) + 4 * (int64_t)k, 4));
		jit_x_bind(g->b, outside);
		if (m->narrow) {
			VX(g, VPSRLD, x, x, jit_x_imm(8 * (offset & odd_bits(m))));
			narrow(g, m, x);
		}
		end_result(g, i, k, keep, x);
	}
}

/* What says where a strip's dwords are inside: offsets from the beginning of a buffer or a record; of LDS (slot -1) a
 * temporary. */
struct bounds { struct xo offset, also; int slot; };

/* Lanes whose dword k is. */
static struct xo inside_of(struct jit_region *g, const struct strip *s, const struct bounds *b, unsigned k)
{
	if (b->slot < 0)
		VX(g, VPADDD, b->offset, s->at, jit_v_const(g, (uint32_t)s->disp[k] + 3));
	struct xo limit = jit_v_broadcast(g, b->slot < 0 ? JIT_FIELD(lds_bytes) : SLOT(b->slot, limit[k], 4));
	struct xo mask = inside(g, b->offset, limit, b->also);
	if (!g->v4)
		jit_r_free(g, limit);
	return mask;
}

/* Two dwords and more a lane, one behind the other, each of which is inside or not by itself, but the later ones only where
 * the earlier ones are. */
static void store_wide(struct jit_region *g, const struct strip *s, const struct bounds *b)
{
	int other = jit_x_label(g->b);
	struct xo mask = inside_of(g, s, b, s->dwords - 1);
	go_on_when_all(g, mask, other);
	if (!g->v4)
		jit_r_free(g, mask);
	jit_store_each(g, s->x, s->dwords, s->at, s->disp[0]);
	XJ(g->b, JMP, s->done);
	jit_x_bind(g->b, other);
	for (unsigned k = s->dwords; k-- > 0;) {
		mask = inside_of(g, s, b, k);
		if (g->v4)
			X(g->b, KMOVW, R(ECX), mask);
		else
			X(g->b, VMOVMSKPS, R(ECX), mask);
		if (k)
			X(g->b, MOV, JIT_ACCESS(hi[k], 4), R(ECX));
		if (!g->v4)
			jit_r_free(g, mask);
	}
	jit_store_lanes(g, s->x, s->dwords, s->at, s->disp[0], true);
}

static void move_where(struct jit_region *g, const struct strip *s, unsigned k, struct xo mask)
{
	move_each(g, s, k, mask);
	if (!g->v4)
		jit_r_free(g, mask);
}

/* Where the dword that is farthest is inside, all of a lane's are. */
static void move(struct jit_region *g, const struct strip *s, const struct bounds *b)
{
	unsigned far = 0;
	if (s->store && s->dwords > 1) {
		store_wide(g, s, b);
		return;
	}
	for (unsigned k = 1; k < s->dwords; k++)
		far = s->disp[k] > s->disp[far] ? k : far;
	struct xo mask = inside_of(g, s, b, far);
	move_all(g, s, mask);
	move_where(g, s, far, mask);
	for (unsigned k = 0; k < s->dwords; k++)
		if (k != far)
			move_where(g, s, k, inside_of(g, s, b, k));
}

static void buffer(struct jit_region *g, uint32_t i, const struct jit_memory *m, int slot)
{
	X(g->b, MOV, R(RAX), SLOT(slot, base, 8));
	if (m->offset < 0 && m->index < 0 && !m->store) {
		uniform_buffer(g, i, m, slot);
		return;
	}
	struct xo o = plus(g, m->offset, (uint32_t)jit_rec(g->t, i)->in->offset), at = o, also = { 0 };
	if (m->index >= 0) {
		struct xo index, last = jit_v_broadcast(g, SLOT(slot, last, 4));
		jit_r_settle(g, (unsigned)m->index);
		index = jit_r_use(g, (unsigned)m->index);
		at = jit_r_temp(g);
		if (g->v4) {
			also = R(K7);
			jit_vxk(g, ZYDIS_MNEMONIC_VPCMPUD, g->full ? 0 : 1, false, 4,
				(struct xo[]){ R(K7), index, last, jit_x_imm(2) });
			/* k7 is what gathers use up. */
			X(g->b, KMOVW, jit_x_reg(ZYDIS_REGISTER_K2 + g->mask_next % 4), R(K7));
			also = jit_x_reg(ZYDIS_REGISTER_K2 + g->mask_next % 4);
			g->masks[g->mask_next++ % 4].pair = -1;
		} else {
			also = jit_r_temp(g);
			X(g->b, VPMINUD, also, index, last);
			X(g->b, VPCMPEQD, also, also, index);
			if (!g->full)
				X(g->b, VPAND, also, also, jit_exec(g));
			jit_r_free(g, last);
		}
		VX(g, VPMULLD, at, index, jit_v_broadcast(g, SLOT(slot, stride, 4)));
		VX(g, VPADDD, at, at, o);
	}
	struct strip s = { .at = at.reg == o.reg ? jit_r_temp(g) : at, .disp = { 0, 4, 8, 12 }, .dwords = m->dwords,
		.store = m->store };
	struct xo shift = { 0 };
	if (m->narrow) {
		shift = jit_r_temp(g);
		VXD(g, VPAND, shift, at, jit_v_const(g, odd_bits(m)));
		VX(g, VPSLLD, shift, shift, jit_x_imm(3));
	}
	VXD(g, VPAND, s.at, at, jit_v_const(g, ~3u));
	begin_strip(g, i, m, &s);
	move(g, &s, &(struct bounds){ o, also, slot });
	jit_x_bind(g->b, s.done);
	if (m->narrow) {
		VX(g, VPSRLVD, s.x[0], s.x[0], shift);
		narrow(g, m, s.x[0]);
	}
	end_strip(g, i, &s);
}

static void lds(struct jit_region *g, uint32_t i, const struct jit_memory *m)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	bool pair = in->op == GCN_DS_READ2_B32;
	uint32_t offset = pair ? 0 : (uint32_t)in->offset;
	struct strip s = { .at = plus(g, m->offset, 0), .dwords = m->dwords, .store = m->store };
	struct xo end = jit_r_temp(g);
	X(g->b, MOV, R(RAX), JIT_FIELD(lds));
	/* What is far outside stays there without wrapping. */
	VX(g, VPMINUD, s.at, s.at, jit_v_const(g, 0x10000000));
	if (offset & 3)
		VX(g, VPADDD, s.at, s.at, jit_v_const(g, offset & 3));
	VXD(g, VPAND, s.at, s.at, jit_v_const(g, ~3u));
	for (unsigned k = 0; k < m->dwords; k++)
		s.disp[k] = pair ? ((uint32_t)in->offset >> 8 * k & 255) * 4 : (offset & ~3u) + 4 * k;
	begin_strip(g, i, m, &s);
	move(g, &s, &(struct bounds){ .offset = end, .slot = -1 });
	jit_x_bind(g->b, s.done);
	end_strip(g, i, &s);
}

void jit_memory(struct jit_region *g, uint32_t i)
{
	struct jit_memory m;
	if (!jit_memory_op(g->t, i, &m))
		return;
	int slot = m.unit == UNIT_GLOBAL ? -1 : jit_memory_slot(g, i);
	if (m.unit == UNIT_SCRATCH)
		scratch(g, i, &m, slot);
	else if (m.unit == UNIT_BUFFER)
		buffer(g, i, &m, slot);
	else if (m.unit == UNIT_GLOBAL)
		jit_memory_global(g, i, &m);
	else
		lds(g, i, &m);
}
