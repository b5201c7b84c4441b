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

struct jit_miss {
	uint32_t record;
	int miss, again, done, window;
	struct xo lo, hi, data[4]; /* hi: kind 0 without */
	uint8_t dwords;
	bool store;
};

/* Those of whole addresses come first, those of an SGPR pair and a distance behind. */
static int window_of(struct jit_translator *t, const struct jit_memory *m)
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

/* in = a == b, active lanes (AVX2: all lanes). */
static struct xo equal(struct jit_region *g, struct xo a, struct xo b)
{
	if (g->v4) {
		jit_vxk(g, ZYDIS_MNEMONIC_VPCMPUD, g->full ? 0 : 1, false, 4, (struct xo[]){ R(K7), a, b, jit_x_imm(0) });
		return R(K7);
	}
	struct xo m = jit_r_temp(g);
	X(g->b, VPCMPEQD, m, a, b);
	return m;
}
static void release(struct jit_region *g, struct xo x)
{
	if (!g->v4)
		jit_r_free(g, x);
}

/* at < limit, and `also` (kind 0: none). */
static struct xo below(struct jit_region *g, struct xo at, struct xo limit, struct xo also)
{
	if (g->v4) {
		int by = also.kind ? 7 : g->full ? 0 : 1;
		jit_vxk(g, ZYDIS_MNEMONIC_VPCMPUD, by, false, 4, (struct xo[]){ R(K7), at, limit, jit_x_imm(1) });
		return R(K7);
	}
	struct xo m = jit_r_temp(g);
	X(g->b, VPMINUD, m, at, jit_v_const(g, 0x7fffffff));
	X(g->b, VPCMPGTD, m, limit, m);
	if (also.kind)
		X(g->b, VPAND, m, m, also);
	return m;
}

/* Distances of the lanes' bytes from the window's base, rax; jumps to `miss` where one
 * is outside.  A window of whole addresses has one high half, and is so far from the
 * ends of that that no offset of an instruction comes round (jit_memory_once.c). */
static void distances(struct jit_region *g, uint32_t i, const struct jit_miss *a, const struct jit_memory *m, struct xo at)
{
	int32_t offset = jit_rec(g->t, i)->in->offset;
	struct xo also = { 0 }, x;
	if (m->base < 0) {
		x = jit_v_broadcast(g, WINDOW(a->window, base, 4));
		VX(g, VPSUBD, at, a->lo, x);
		release(g, x);
		x = jit_v_broadcast(g, FRAME(WINDOW_AT(a->window) + 4, 4));
		also = equal(g, a->hi, x);
		release(g, x);
		if (offset)
			VX(g, VPADDD, at, at, jit_v_const(g, (uint32_t)offset));
	} else {
		X(g->b, MOV, R(RCX), jit_sgpr((unsigned)m->base, 8));
		X(g->b, ADD, R(RCX), jit_x_imm(offset));
		X(g->b, SUB, R(RCX), WINDOW(a->window, base, 8));
		X(g->b, CMP, R(RCX), jit_x_imm(0x7fffffff));
		XJ(g->b, JNBE, a->miss);
		X(g->b, MOV, FRAME(FRAME_NEAR, 4), R(ECX));
		VX(g, VPMINUD, at, a->lo, jit_v_const(g, 0x80000000));
		x = jit_v_broadcast(g, FRAME(FRAME_NEAR, 4));
		VX(g, VPADDD, at, at, x);
		release(g, x);
	}
	struct xo limit = jit_v_broadcast(g, WINDOW(a->window, limit[m->dwords - 1], 4)), in = below(g, at, limit, also);
	release(g, limit);
	if (also.kind)
		release(g, also);
	jit_go_on_when(g, in, a->miss);
	release(g, in);
	VXD(g, VPAND, at, at, jit_v_const(g, ~3u));
	X(g->b, MOV, R(RAX), WINDOW(a->window, base, 8));
}

/* Active lanes that follow one another in memory, dword by dword. */
static void row(struct jit_region *g, const struct jit_miss *a, struct xo at, bool keep)
{
	int scattered = jit_x_label(g->b);
	struct xo next = jit_r_temp(g), to = jit_x_mem(ZYDIS_REGISTER_RAX, 0, g->v4 ? 64 : 32);
	VX(g, VPBROADCASTD, next, jit_low(g, at));
	VX(g, VPADDD, next, next, jit_x_mem(RB_POOL, jit_lane4(g), g->v4 ? 64 : 32));
	struct xo in = equal(g, next, at);
	jit_r_free(g, next);
	jit_go_on_when(g, in, scattered);
	release(g, in);
	X(g->b, VMOVD, R(ECX), jit_low(g, at));
	X(g->b, MOVSXD, R(RCX), R(ECX)); /* a first lane that is off may be before the window */
	to.index = ZYDIS_REGISTER_RCX;
	to.scale = 1;
	if (a->store)
		jit_store_row(g, to, a->data[0]);
	else
		jit_load_row(g, a->data[0], to, keep);
	XJ(g->b, JMP, a->done);
	jit_x_bind(g->b, scattered);
}

/* What gathers use up; scatters of AVX2 as well: active lanes. */
static struct xo active(struct jit_region *g)
{
	struct xo m = g->v4 ? R(K7) : jit_r_temp(g);
	if (g->v4 && g->full)
		X(g->b, KXNORW, m, m, m);
	else if (g->v4)
		X(g->b, KMOVW, m, R(K1));
	else if (g->full)
		X(g->b, VPCMPEQD, m, m, m);
	else
		VX(g, VMOVAPS, m, jit_exec(g));
	return m;
}

static void each(struct jit_region *g, const struct jit_miss *a, struct xo at, bool keep)
{
	if (g->full && !a->store) {
		jit_load_each(g, a->data, a->dwords, at, (const int64_t[]){ 0, 4, 8, 12 });
		return;
	}
	if (a->store && a->dwords > 1) {
		if (g->full) {
			jit_store_each(g, a->data, a->dwords, at, 0);
		} else {
			X(g->b, MOVZX, R(ECX), jit_slice_of(g->t, GCN_SRC_EXEC));
			jit_store_lanes(g, a->data, a->dwords, at, 0, false);
		}
		return;
	}
	for (unsigned k = 0; k < a->dwords; k++) {
		struct xo m, d = a->data[k], from = jit_x_mem(ZYDIS_REGISTER_RAX, 4 * (int64_t)k, 4);
		if (!a->store && !keep) /* nothing to wait for */
			VXD(g, VPXOR, d, d, d);
		m = active(g);
		from.index = at.reg;
		from.scale = 1;
		if (a->store)
			jit_scatter(g, at, 0, m, d);
		else if (g->v4)
			jit_vxk(g, ZYDIS_MNEMONIC_VPGATHERDD, 7, false, 2, (struct xo[]){ d, from });
		else
			X(g->b, VPGATHERDD, d, from, m);
		release(g, m);
	}
}

/* Behind the code of the region nobody can give out registers: all are taken here. */
static struct xo take_all(struct jit_region *g, uint32_t i, struct jit_miss *a, const struct jit_memory *m, bool keep)
{
	enum { TEMPS = STORE_TEMPS }; /* at once, in what follows */
	struct xo at, temp[TEMPS];
	jit_r_settle(g, (unsigned)m->offset);
	a->lo = jit_r_use(g, (unsigned)m->offset);
	if (m->index >= 0) {
		jit_r_settle(g, (unsigned)m->index);
		a->hi = jit_r_use(g, (unsigned)m->index);
	}
	if (m->store)
		jit_r_settle_run(g, (unsigned)m->data, m->dwords);
	for (unsigned k = 0; k < m->dwords && m->store; k++)
		a->data[k] = jit_r_use(g, (unsigned)m->data + k);
	for (unsigned k = 0; k < m->dwords && !m->store; k++)
		a->data[k] = jit_r_def(g, (unsigned)g->in[i].vd + k, keep);
	at = jit_r_temp(g);
	for (int k = 0; k < TEMPS; k++)
		temp[k] = jit_r_temp(g);
	for (int k = 0; k < TEMPS; k++)
		jit_r_free(g, temp[k]);
	return at;
}

static void add_miss(struct jit_translator *t, const struct jit_miss *a)
{
	if (t->miss_count == t->miss_cap) {
		size_t cap = t->miss_cap ? 2 * t->miss_cap : 16;
		struct jit_miss *miss = realloc(t->misses, cap * sizeof(*miss));
		if (!miss) {
			t->b.failed = "no memory";
			return;
		}
		t->misses = miss;
		t->miss_cap = cap;
	}
	t->misses[t->miss_count++] = *a;
}

void jit_memory_global(struct jit_region *g, uint32_t i, const struct jit_memory *m)
{
	bool keep = !g->full && !g->in[i].off_dead;
	struct jit_miss a = { .record = i, .miss = jit_x_label(g->b), .again = jit_x_label(g->b), .done = jit_x_label(g->b),
		.window = window_of(g->t, m), .dwords = m->dwords, .store = m->store };
	struct xo at = take_all(g, i, &a, m, keep);
	X(g->b, XOR, R(R8D), R(R8D)); /* tries */
	jit_x_bind(g->b, a.again);
	distances(g, i, &a, m, at);
	if (m->dwords == 1)
		row(g, &a, at, keep);
	each(g, &a, at, keep);
	jit_x_bind(g->b, a.done);
	for (unsigned k = 0; k < m->dwords && !m->store; k++)
		jit_r_lazy(g, (unsigned)g->in[i].vd + k, false);
	add_miss(g->t, &a);
}

/* --- behind the code --- */

static void move_row(struct jit_translator *t, struct xo to, struct xo from)
{
	struct xo *memory = to.kind == XO_MEM ? &to : &from;
	memory->size = t->v4 ? 64 : 32;
	jit_x_emit(&t->b, ZYDIS_MNEMONIC_VMOVUPS, t->v4 ? 0 : -1, false, 2, (struct xo[]){ to, from });
}

static void miss(struct jit_translator *t, const struct jit_miss *a, int common)
{
	int back = jit_x_label(&t->b);
	jit_mark(t, a->record);
	jit_x_bind(&t->b, a->miss);
	move_row(t, JIT_ACCESS(lo, 64), a->lo);
	if (a->hi.kind)
		move_row(t, JIT_ACCESS(hi, 64), a->hi);
	for (unsigned k = 0; k < a->dwords; k++)
		move_row(t, JIT_ACCESS(data[k], 64), a->data[k]);
	X(&t->b, MOV, R(EAX), jit_x_imm((int64_t)sizeof(struct cu_rec) * a->record));
	X(&t->b, MOV, R(ECX), jit_x_imm(WINDOW_AT(a->window)));
	jit_x_lea_label(&t->b, ZYDIS_REGISTER_R9, a->again);
	jit_x_lea_label(&t->b, ZYDIS_REGISTER_R11, back);
	XJ(&t->b, JMP, common);
	jit_x_bind(&t->b, back);
	for (unsigned k = 0; k < a->dwords && !a->store; k++)
		move_row(t, a->data[k], JIT_ACCESS(data[k], 64));
	XJ(&t->b, JMP, a->done);
}

/* Vector and mask registers, but those of an instruction alone. */
static void save(struct jit_translator *t, bool restore)
{
	for (int n = 0; n < (t->v4 ? 32 : 16); n++) {
		struct xo at = FRAME(FRAME_VECTORS + 64 * n, 64);
		struct xo r = jit_x_reg((t->v4 ? ZYDIS_REGISTER_ZMM0 : ZYDIS_REGISTER_YMM0) + (unsigned)n);
		move_row(t, restore ? r : at, restore ? at : r);
	}
	for (int n = 1; n < 6 && t->v4; n++) {
		struct xo at = FRAME(FRAME_MASKS + 2 * n, 2), k = jit_x_reg(ZYDIS_REGISTER_K0 + (unsigned)n);
		X(&t->b, KMOVW, restore ? k : at, restore ? at : k);
	}
}
static void keep_pointers(struct jit_translator *t, bool restore)
{
	static const uint16_t reg[] = { RB_EXPORTS, RB_LANES };
	for (int n = 0; n < 2; n++) {
		struct xo at = JIT_ACCESS(kept[n], 8);
		X(&t->b, MOV, restore ? jit_x_reg(reg[n]) : at, restore ? at : jit_x_reg(reg[n]));
	}
}

/* rax: the record; rcx: its window; r8: whether that was moved already; r9, r11: where to
 * go when it has been moved, and when the lanes are done. */
static void common_miss(struct jit_translator *t)
{
	int lanes = jit_x_label(&t->b), none = jit_x_label(&t->b);
	keep_pointers(t, false);
	X(&t->b, LEA, R(RAX), (struct xo){ .kind = XO_MEM, .reg = RB_RECS, .index = ZYDIS_REGISTER_RAX, .scale = 1, .size = 8 });
	X(&t->b, MOV, JIT_ACCESS(record, 8), R(RAX));
	X(&t->b, MOV, JIT_ACCESS(again, 8), R(R9));
	X(&t->b, MOV, JIT_ACCESS(done, 8), R(R11));
	X(&t->b, MOVZX, R(EAX), jit_slice_of(t, GCN_SRC_EXEC));
	X(&t->b, MOV, JIT_ACCESS(mask, 4), R(EAX));
	X(&t->b, TEST, R(EAX), R(EAX));
	XJ(&t->b, JZ, none);
	X(&t->b, LEA, R(RAX), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(&t->b, MOV, R(RDX), jit_x_reg(RB_STRIP));
	X(&t->b, SUB, R(RDX), R(RAX));
	X(&t->b, MOV, JIT_ACCESS(strip, 4), R(EDX));
	X(&t->b, TEST, R(R8D), R(R8D));
	XJ(&t->b, JNZ, lanes);
	X(&t->b, MOV, R(RDI), R(RAX));
	X(&t->b, LEA, R(RSI), JIT_ACCESS(lo, 8));
	X(&t->b, LEA, R(RDX), (struct xo){ .kind = XO_MEM, .reg = ZYDIS_REGISTER_RSP, .index = ZYDIS_REGISTER_RCX, .scale = 1, .size = 8 });
	X(&t->b, MOV, R(RAX), FRAME(FRAME_HELPERS, 8));
	X(&t->b, CALL, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_jit_helpers, window), 8));
	X(&t->b, TEST, R(EAX), R(EAX));
	XJ(&t->b, JZ, lanes);
	keep_pointers(t, true);
	X(&t->b, MOV, R(R8D), jit_x_imm(1));
	X(&t->b, MOV, R(RAX), JIT_ACCESS(again, 8));
	X(&t->b, JMP, R(RAX));
	jit_x_bind(&t->b, lanes);
	save(t, false);
	X(&t->b, LEA, R(RDI), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(&t->b, LEA, R(RSI), JIT_ACCESS(lo, 8));
	X(&t->b, MOV, R(RAX), FRAME(FRAME_HELPERS, 8));
	X0(&t->b, VZEROUPPER);
	X(&t->b, CALL, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_jit_helpers, lanes), 8));
	X(&t->b, CMP, R(EAX), jit_x_imm(CU_STATUS_END));
	XJ(&t->b, JB, t->exit_label);
	save(t, true);
	keep_pointers(t, true);
	jit_x_bind(&t->b, none);
	X(&t->b, MOV, R(RAX), JIT_ACCESS(done, 8));
	X(&t->b, JMP, R(RAX));
}

void jit_memory_misses(struct jit_translator *t)
{
	int common = jit_x_label(&t->b);
	if (!t->miss_count)
		return;
	for (size_t k = 0; k < t->miss_count; k++)
		miss(t, &t->misses[k], common);
	jit_x_bind(&t->b, common);
	common_miss(t);
}

void jit_memory_windows(struct jit_translator *t)
{
	struct jit_memory m;
	bool any = false;
	for (uint32_t i = 0; i < t->n && !any; i++)
		any = t->in[i].kind == JIT_VECTOR && jit_memory_op(t, i, &m) && m.unit == UNIT_GLOBAL;
	if (!any)
		return;
	X(&t->b, XOR, R(EAX), R(EAX));
	for (int n = 0; n < 2 * WINDOWS; n++) {
		X(&t->b, MOV, WINDOW(n, base, 8), R(RAX));
		for (int k = 0; k < 4; k += 2)
			X(&t->b, MOV, WINDOW(n, limit[k], 8), R(RAX));
	}
}
