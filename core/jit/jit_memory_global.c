/* SPDX-License-Identifier: MIT */
/* FLAT and GLOBAL dwords within regions.  The definition is core/mem/flat_kernel.c.
 *
 * Each address operand of the program has a window in the stack frame: a piece of a
 * range that the wave may access, at most 2 GiB.  A strip compares its lanes' addresses
 * with the window and moves their dwords by 32-bit distances; where they follow one
 * another, as a row.  What is not all inside goes behind the code: there the window is
 * moved to the first lane's range, and what is still not inside (lanes in several
 * ranges, apertures of FLAT, no memory at all) is done by the handler, for the strip's
 * lanes alone.  Windows are blank when the wave enters the code and good until it leaves. */
#include <stdlib.h>
#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

#define WINDOW_AT(n) (FRAME_WINDOWS + (int)sizeof(struct cu_jit_window) * (n))
#define WINDOW(n, field, bytes) FRAME(WINDOW_AT(n) + (int)offsetof(struct cu_jit_window, field), bytes)
#define ACCESS(field, bytes) FRAME(FRAME_ACCESS + (int)offsetof(struct cu_jit_access, field), bytes)

struct j_miss {
	uint32_t record;
	int miss, again, done, window;
	struct xo lo, hi, data[4]; /* hi: kind 0 without */
	uint8_t dwords;
	bool store;
};

/* Those of whole addresses come first, those of an SGPR pair and a distance behind. */
static int window_of(struct translator *t, const struct j_memory *m)
{
	bool pair = m->base >= 0;
	int16_t key = pair ? m->base : m->offset, *of = t->windows[pair];
	unsigned *count = &t->window_count[pair], n = 0;
	while (n < *count && of[n] != key)
		n++;
	if (n == *count && n < WINDOWS)
		of[(*count)++] = key;
	return (int)(n % WINDOWS + (pair ? WINDOWS : 0)); /* too many share one */
}

/* Code that goes on where all active lanes are inside; at: their distances. */
static void go_on_when(struct translator *t, struct xo in, int miss)
{
	if (t->v4 && t->full) {
		X(&t->b, KORTESTW, in, in);
		XJ(&t->b, JNB, miss);
	} else if (t->v4) {
		X(&t->b, KXORW, R(K6), in, R(K1));
		X(&t->b, KORTESTW, R(K6), R(K6));
		XJ(&t->b, JNZ, miss);
	} else {
		struct xo all = t->full ? r_temp(t) : j_exec(t);
		if (t->full)
			X(&t->b, VPCMPEQD, all, all, all);
		X(&t->b, VTESTPS, in, all);
		if (t->full)
			r_free(t, all);
		XJ(&t->b, JNB, miss);
	}
}

/* in = a == b, active lanes (AVX2: all lanes). */
static struct xo equal(struct translator *t, struct xo a, struct xo b)
{
	if (t->v4) {
		vxk(t, ZYDIS_MNEMONIC_VPCMPUD, t->full ? 0 : 1, false, 4, (struct xo[]){ R(K7), a, b, x_imm(0) });
		return R(K7);
	}
	struct xo m = r_temp(t);
	X(&t->b, VPCMPEQD, m, a, b);
	return m;
}
static void release(struct translator *t, struct xo x)
{
	if (!t->v4)
		r_free(t, x);
}

/* at < limit, and `also` (kind 0: none). */
static struct xo below(struct translator *t, struct xo at, struct xo limit, struct xo also)
{
	if (t->v4) {
		int by = also.kind ? 7 : t->full ? 0 : 1;
		vxk(t, ZYDIS_MNEMONIC_VPCMPUD, by, false, 4, (struct xo[]){ R(K7), at, limit, x_imm(1) });
		return R(K7);
	}
	struct xo m = r_temp(t);
	X(&t->b, VPMINUD, m, at, v_const(t, 0x7fffffff));
	X(&t->b, VPCMPGTD, m, limit, m);
	if (also.kind)
		X(&t->b, VPAND, m, m, also);
	return m;
}

/* Distances of the lanes' bytes from the window's base, rax; jumps to `miss` where one
 * is outside.  A window of whole addresses has one high half, and is so far from the
 * ends of that that no offset of an instruction comes round (jit_memory_once.c). */
static void distances(struct translator *t, uint32_t i, const struct j_miss *g, const struct j_memory *m, struct xo at)
{
	int32_t offset = j_rec(t, i)->in->offset;
	struct xo also = { 0 }, x;
	if (m->base < 0) {
		x = v_broadcast(t, WINDOW(g->window, base, 4));
		VX(t, VPSUBD, at, g->lo, x);
		release(t, x);
		x = v_broadcast(t, FRAME(WINDOW_AT(g->window) + 4, 4));
		also = equal(t, g->hi, x);
		release(t, x);
		if (offset)
			VX(t, VPADDD, at, at, v_const(t, (uint32_t)offset));
	} else {
		X(&t->b, MOV, R(RCX), j_sgpr((unsigned)m->base, 8));
		X(&t->b, ADD, R(RCX), x_imm(offset));
		X(&t->b, SUB, R(RCX), WINDOW(g->window, base, 8));
		X(&t->b, CMP, R(RCX), x_imm(0x7fffffff));
		XJ(&t->b, JNBE, g->miss);
		X(&t->b, MOV, FRAME(FRAME_NEAR, 4), R(ECX));
		VX(t, VPMINUD, at, g->lo, v_const(t, 0x80000000));
		x = v_broadcast(t, FRAME(FRAME_NEAR, 4));
		VX(t, VPADDD, at, at, x);
		release(t, x);
	}
	struct xo limit = v_broadcast(t, WINDOW(g->window, limit[m->dwords - 1], 4)), in = below(t, at, limit, also);
	release(t, limit);
	if (also.kind)
		release(t, also);
	go_on_when(t, in, g->miss);
	release(t, in);
	VXD(t, VPAND, at, at, v_const(t, ~3u));
	X(&t->b, MOV, R(RAX), WINDOW(g->window, base, 8));
}

/* The register that holds lanes 0 to 3 of x. */
static struct xo low(const struct translator *t, struct xo x)
{
	return x_reg(ZYDIS_REGISTER_XMM0 + x.reg - (t->v4 ? ZYDIS_REGISTER_ZMM0 : ZYDIS_REGISTER_YMM0));
}

static void load_row(struct translator *t, struct xo d, struct xo from, bool keep)
{
	if (t->full) {
		VX(t, VMOVUPS, d, from);
	} else if (t->v4) {
		vxk(t, ZYDIS_MNEMONIC_VMOVUPS, 1, !keep, 2, (struct xo[]){ d, from });
	} else if (!keep) {
		X(&t->b, VMASKMOVPS, d, j_exec(t), from);
	} else {
		struct xo x = r_temp(t);
		X(&t->b, VMASKMOVPS, x, j_exec(t), from);
		X(&t->b, VBLENDVPS, d, d, x, j_exec(t));
		r_free(t, x);
	}
}
static void store_row(struct translator *t, struct xo to, struct xo x)
{
	if (t->full)
		VX(t, VMOVUPS, to, x);
	else if (t->v4)
		VXK(t, 1, VMOVUPS, to, x);
	else
		X(&t->b, VMASKMOVPS, to, j_exec(t), x);
}

/* Active lanes that follow one another in memory, dword by dword. */
static void row(struct translator *t, const struct j_miss *g, struct xo at, bool keep)
{
	int scattered = x_label(&t->b);
	struct xo next = r_temp(t), to = x_mem(ZYDIS_REGISTER_RAX, 0, t->v4 ? 64 : 32);
	VX(t, VPBROADCASTD, next, low(t, at));
	VX(t, VPADDD, next, next, x_mem(RB_POOL, j_lane4(t), t->v4 ? 64 : 32));
	struct xo in = equal(t, next, at);
	r_free(t, next);
	go_on_when(t, in, scattered);
	release(t, in);
	X(&t->b, VMOVD, R(ECX), low(t, at));
	X(&t->b, MOVSXD, R(RCX), R(ECX)); /* a first lane that is off may be before the window */
	to.index = ZYDIS_REGISTER_RCX;
	to.scale = 1;
	if (g->store)
		store_row(t, to, g->data[0]);
	else
		load_row(t, g->data[0], to, keep);
	XJ(&t->b, JMP, g->done);
	x_bind(&t->b, scattered);
}

/* What gathers use up; scatters of AVX2 as well: active lanes. */
static struct xo active(struct translator *t)
{
	struct xo m = t->v4 ? R(K7) : r_temp(t);
	if (t->v4 && t->full)
		X(&t->b, KXNORW, m, m, m);
	else if (t->v4)
		X(&t->b, KMOVW, m, R(K1));
	else if (t->full)
		X(&t->b, VPCMPEQD, m, m, m);
	else
		VX(t, VMOVAPS, m, j_exec(t));
	return m;
}

static void each(struct translator *t, const struct j_miss *g, struct xo at, bool keep)
{
	for (unsigned k = 0; k < g->dwords; k++) {
		struct xo m, d = g->data[k], from = x_mem(ZYDIS_REGISTER_RAX, 4 * (int64_t)k, 4);
		if (!g->store && !keep) /* nothing to wait for */
			VXD(t, VPXOR, d, d, d);
		m = active(t);
		from.index = at.reg;
		from.scale = 1;
		if (g->store)
			j_scatter(t, at, 0, m, d);
		else if (t->v4)
			vxk(t, ZYDIS_MNEMONIC_VPGATHERDD, 7, false, 2, (struct xo[]){ d, from });
		else
			X(&t->b, VPGATHERDD, d, from, m);
		release(t, m);
	}
}

/* Behind the code of the region nobody can give out registers: all are taken here. */
static struct xo take_all(struct translator *t, uint32_t i, struct j_miss *g, const struct j_memory *m, bool keep)
{
	enum { TEMPS = 4 }; /* at once, in what follows */
	struct xo at, temp[TEMPS];
	r_settle(t, (unsigned)m->offset);
	g->lo = r_use(t, (unsigned)m->offset);
	if (m->index >= 0) {
		r_settle(t, (unsigned)m->index);
		g->hi = r_use(t, (unsigned)m->index);
	}
	for (unsigned k = 0; k < m->dwords && m->store; k++) {
		r_settle(t, (unsigned)m->data + k);
		g->data[k] = r_use(t, (unsigned)m->data + k);
	}
	for (unsigned k = 0; k < m->dwords && !m->store; k++)
		g->data[k] = r_def(t, (unsigned)t->in[i].vd + k, keep);
	at = r_temp(t);
	for (int k = 0; k < TEMPS; k++)
		temp[k] = r_temp(t);
	for (int k = 0; k < TEMPS; k++)
		r_free(t, temp[k]);
	return at;
}

static void add_miss(struct translator *t, const struct j_miss *g)
{
	if (t->miss_count == t->miss_cap) {
		size_t cap = t->miss_cap ? 2 * t->miss_cap : 16;
		struct j_miss *miss = realloc(t->misses, cap * sizeof(*miss));
		if (!miss) {
			t->b.failed = "no memory";
			return;
		}
		t->misses = miss;
		t->miss_cap = cap;
	}
	t->misses[t->miss_count++] = *g;
}

void j_memory_global(struct translator *t, uint32_t i, const struct j_memory *m)
{
	bool keep = !t->full && !t->in[i].off_dead;
	struct j_miss g = { .record = i, .miss = x_label(&t->b), .again = x_label(&t->b), .done = x_label(&t->b),
		.window = window_of(t, m), .dwords = m->dwords, .store = m->store };
	struct xo at = take_all(t, i, &g, m, keep);
	X(&t->b, XOR, R(R8D), R(R8D)); /* tries */
	x_bind(&t->b, g.again);
	distances(t, i, &g, m, at);
	if (m->dwords == 1)
		row(t, &g, at, keep);
	each(t, &g, at, keep);
	x_bind(&t->b, g.done);
	for (unsigned k = 0; k < m->dwords && !m->store; k++)
		r_lazy(t, (unsigned)t->in[i].vd + k, false);
	add_miss(t, &g);
}

/* --- behind the code --- */

static void move_row(struct translator *t, struct xo to, struct xo from)
{
	struct xo *memory = to.kind == XO_MEM ? &to : &from;
	memory->size = t->v4 ? 64 : 32;
	VX(t, VMOVUPS, to, from);
}

static void miss(struct translator *t, const struct j_miss *g, int common)
{
	int back = x_label(&t->b);
	j_mark(t, g->record);
	x_bind(&t->b, g->miss);
	move_row(t, ACCESS(lo, 64), g->lo);
	if (g->hi.kind)
		move_row(t, ACCESS(hi, 64), g->hi);
	for (unsigned k = 0; k < g->dwords; k++)
		move_row(t, ACCESS(data[k], 64), g->data[k]);
	X(&t->b, MOV, R(EAX), x_imm((int64_t)sizeof(struct cu_rec) * g->record));
	X(&t->b, MOV, R(ECX), x_imm(WINDOW_AT(g->window)));
	x_lea_label(&t->b, ZYDIS_REGISTER_R9, g->again);
	x_lea_label(&t->b, ZYDIS_REGISTER_R11, back);
	XJ(&t->b, JMP, common);
	x_bind(&t->b, back);
	for (unsigned k = 0; k < g->dwords && !g->store; k++)
		move_row(t, g->data[k], ACCESS(data[k], 64));
	XJ(&t->b, JMP, g->done);
}

/* Vector and mask registers, but those of an instruction alone. */
static void save(struct translator *t, bool restore)
{
	for (int n = 0; n < (t->v4 ? 32 : 16); n++) {
		struct xo at = FRAME(FRAME_VECTORS + 64 * n, 64);
		struct xo r = x_reg((t->v4 ? ZYDIS_REGISTER_ZMM0 : ZYDIS_REGISTER_YMM0) + (unsigned)n);
		move_row(t, restore ? r : at, restore ? at : r);
	}
	for (int n = 1; n < 6 && t->v4; n++) {
		struct xo at = FRAME(FRAME_MASKS + 2 * n, 2), k = x_reg(ZYDIS_REGISTER_K0 + (unsigned)n);
		X(&t->b, KMOVW, restore ? k : at, restore ? at : k);
	}
}
static void keep_pointers(struct translator *t, bool restore)
{
	static const uint16_t reg[] = { RB_EXPORTS, RB_LANES };
	for (int n = 0; n < 2; n++) {
		struct xo at = ACCESS(kept[n], 8);
		X(&t->b, MOV, restore ? x_reg(reg[n]) : at, restore ? at : x_reg(reg[n]));
	}
}

/* rax: the record; rcx: its window; r8: whether that was moved already; r9, r11: where to
 * go when it has been moved, and when the lanes are done. */
static void common_miss(struct translator *t)
{
	int lanes = x_label(&t->b), none = x_label(&t->b);
	keep_pointers(t, false);
	X(&t->b, LEA, R(RAX), (struct xo){ .kind = XO_MEM, .reg = RB_RECS, .index = ZYDIS_REGISTER_RAX, .scale = 1, .size = 8 });
	X(&t->b, MOV, ACCESS(record, 8), R(RAX));
	X(&t->b, MOV, ACCESS(again, 8), R(R9));
	X(&t->b, MOV, ACCESS(done, 8), R(R11));
	X(&t->b, MOVZX, R(EAX), j_slice_of(t, GCN_SRC_EXEC));
	X(&t->b, MOV, ACCESS(mask, 4), R(EAX));
	X(&t->b, TEST, R(EAX), R(EAX));
	XJ(&t->b, JZ, none);
	X(&t->b, LEA, R(RAX), x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(&t->b, MOV, R(RDX), x_reg(RB_STRIP));
	X(&t->b, SUB, R(RDX), R(RAX));
	X(&t->b, MOV, ACCESS(strip, 4), R(EDX));
	X(&t->b, TEST, R(R8D), R(R8D));
	XJ(&t->b, JNZ, lanes);
	X(&t->b, MOV, R(RDI), R(RAX));
	X(&t->b, LEA, R(RSI), ACCESS(lo, 8));
	X(&t->b, LEA, R(RDX), (struct xo){ .kind = XO_MEM, .reg = ZYDIS_REGISTER_RSP, .index = ZYDIS_REGISTER_RCX, .scale = 1, .size = 8 });
	X(&t->b, MOV, R(RAX), FRAME(FRAME_HELPERS, 8));
	X(&t->b, CALL, x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_jit_helpers, window), 8));
	X(&t->b, TEST, R(EAX), R(EAX));
	XJ(&t->b, JZ, lanes);
	keep_pointers(t, true);
	X(&t->b, MOV, R(R8D), x_imm(1));
	X(&t->b, MOV, R(RAX), ACCESS(again, 8));
	X(&t->b, JMP, R(RAX));
	x_bind(&t->b, lanes);
	save(t, false);
	X(&t->b, LEA, R(RDI), x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(&t->b, LEA, R(RSI), ACCESS(lo, 8));
	X(&t->b, MOV, R(RAX), FRAME(FRAME_HELPERS, 8));
	X0(&t->b, VZEROUPPER);
	X(&t->b, CALL, x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_jit_helpers, lanes), 8));
	X(&t->b, CMP, R(EAX), x_imm(CU_STATUS_END));
	XJ(&t->b, JB, t->exit_label);
	save(t, true);
	keep_pointers(t, true);
	x_bind(&t->b, none);
	X(&t->b, MOV, R(RAX), ACCESS(done, 8));
	X(&t->b, JMP, R(RAX));
}

void j_memory_misses(struct translator *t)
{
	int common = x_label(&t->b);
	if (!t->miss_count)
		return;
	for (size_t k = 0; k < t->miss_count; k++)
		miss(t, &t->misses[k], common);
	x_bind(&t->b, common);
	common_miss(t);
}

void j_memory_windows(struct translator *t)
{
	struct j_memory m;
	bool any = false;
	for (uint32_t i = 0; i < t->n && !any; i++)
		any = t->in[i].kind == J_VECTOR && j_memory_op(t, i, &m) && m.unit == UNIT_GLOBAL;
	if (!any)
		return;
	X(&t->b, XOR, R(EAX), R(EAX));
	for (int n = 0; n < 2 * WINDOWS; n++) {
		X(&t->b, MOV, WINDOW(n, base, 8), R(RAX));
		for (int k = 0; k < 4; k += 2)
			X(&t->b, MOV, WINDOW(n, limit[k], 8), R(RAX));
	}
}
