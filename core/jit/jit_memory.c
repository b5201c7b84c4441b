/* SPDX-License-Identifier: MIT */
/* Scratch, buffers and LDS within regions: dwords, and narrower loads of buffers.  The definitions are in
 * core/mem/flat_kernel.c, core/mem/buffer_kernel.c and core/mem/lds_kernel.c.
 *
 * What is the same for all strips (where a buffer lies, how large it is, whether
 * the wave may access it) is found out once before them by a function of
 * jit_memory_once.c and noted in a slot of the stack frame.  If that function says
 * no, handlers do the whole region. */
#include "core/jit/jit_memory.h"

#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_translate.h"
#include "isa/gcn.h"

bool jit_memory_op(const struct jit_translator *t, uint32_t i, struct jit_memory *m)
{
	const struct gcn_inst *in = jit_rec(t, i)->in;
	static const struct { uint16_t op; uint8_t unit, dwords, store, narrow; } ops[] = {
		{ GCN_SCRATCH_LOAD_DWORD, UNIT_SCRATCH, 1, 0 }, { GCN_SCRATCH_LOAD_DWORDX2, UNIT_SCRATCH, 2, 0 },
		{ GCN_SCRATCH_LOAD_DWORDX3, UNIT_SCRATCH, 3, 0 }, { GCN_SCRATCH_LOAD_DWORDX4, UNIT_SCRATCH, 4, 0 },
		{ GCN_SCRATCH_STORE_DWORD, UNIT_SCRATCH, 1, 1 }, { GCN_SCRATCH_STORE_DWORDX2, UNIT_SCRATCH, 2, 1 },
		{ GCN_SCRATCH_STORE_DWORDX3, UNIT_SCRATCH, 3, 1 }, { GCN_SCRATCH_STORE_DWORDX4, UNIT_SCRATCH, 4, 1 },
		{ GCN_BUFFER_LOAD_DWORD, UNIT_BUFFER, 1, 0 }, { GCN_BUFFER_LOAD_DWORDX2, UNIT_BUFFER, 2, 0 },
		{ GCN_BUFFER_LOAD_DWORDX3, UNIT_BUFFER, 3, 0 }, { GCN_BUFFER_LOAD_DWORDX4, UNIT_BUFFER, 4, 0 },
		{ GCN_BUFFER_STORE_DWORD, UNIT_BUFFER, 1, 1 }, { GCN_BUFFER_STORE_DWORDX2, UNIT_BUFFER, 2, 1 },
		{ GCN_BUFFER_STORE_DWORDX3, UNIT_BUFFER, 3, 1 }, { GCN_BUFFER_STORE_DWORDX4, UNIT_BUFFER, 4, 1 },
		{ GCN_DS_READ_B32, UNIT_LDS, 1, 0 }, { GCN_DS_READ_B64, UNIT_LDS, 2, 0 },
#define DWORDS(KIND, OP, STORE) \
		{ GCN_##KIND##_##OP##_DWORD, UNIT_GLOBAL, 1, STORE }, { GCN_##KIND##_##OP##_DWORDX2, UNIT_GLOBAL, 2, STORE }, \
		{ GCN_##KIND##_##OP##_DWORDX3, UNIT_GLOBAL, 3, STORE }, { GCN_##KIND##_##OP##_DWORDX4, UNIT_GLOBAL, 4, STORE }
#define NARROW(KIND, UNIT) \
		{ GCN_##KIND##_LOAD_UBYTE, UNIT, 1, 0, NARROW_UBYTE }, { GCN_##KIND##_LOAD_SBYTE, UNIT, 1, 0, NARROW_SBYTE }, \
		{ GCN_##KIND##_LOAD_USHORT, UNIT, 1, 0, NARROW_USHORT }, { GCN_##KIND##_LOAD_SSHORT, UNIT, 1, 0, NARROW_SSHORT }
		NARROW(BUFFER, UNIT_BUFFER),
		DWORDS(FLAT, LOAD, 0), DWORDS(GLOBAL, LOAD, 0), DWORDS(FLAT, STORE, 1), DWORDS(GLOBAL, STORE, 1),
		{ GCN_DS_READ_B96, UNIT_LDS, 3, 0 }, { GCN_DS_READ_B128, UNIT_LDS, 4, 0 },
		{ GCN_DS_READ2_B32, UNIT_LDS, 2, 0 }, { GCN_DS_WRITE_B32, UNIT_LDS, 1, 1 }, { GCN_DS_WRITE_B64, UNIT_LDS, 2, 1 },
		{ GCN_DS_WRITE_B96, UNIT_LDS, 3, 1 }, { GCN_DS_WRITE_B128, UNIT_LDS, 4, 1 },
	};
	if (in->fmt != GCN_MUBUF && in->fmt != GCN_DS && in->fmt != GCN_FLAT && in->fmt != GCN_GLOBAL && in->fmt != GCN_SCRATCH)
		return false;
	for (unsigned k = 0; k < sizeof(ops) / sizeof(ops[0]); k++)
		if (in->op == ops[k].op) {
			*m = (struct jit_memory){ .unit = ops[k].unit, .dwords = ops[k].dwords, .store = ops[k].store,
				.narrow = ops[k].narrow };
			unsigned vaddr = in->src[0] & 255;
			bool has = in->src[0] >= GCN_SRC_VGPR0 && in->src[0] < GCN_SRC_VGPR0 + CU_VGPRS;
			m->index = m->offset = m->data = m->base = -1;
			if (m->unit == UNIT_GLOBAL) {
				m->base = in->src[2] < 128 ? (int16_t)in->src[2] : -1;
				if (!has || (m->base < 0 && vaddr + 1 == CU_VGPRS))
					return false;
				m->offset = (int16_t)vaddr;
				m->index = m->base < 0 ? (int16_t)(vaddr + 1) : -1;
			} else if (m->unit != UNIT_BUFFER) {
				bool saddr = m->unit == UNIT_SCRATCH && in->src[2] < 128;
				m->offset = has && !saddr ? (int16_t)vaddr : -1;
			} else {
				m->index = in->idxen ? (int16_t)vaddr : -1;
				m->offset = in->offen ? (int16_t)((vaddr + (in->idxen ? 1 : 0)) & 255) : -1;
			}
			m->data = (int16_t)((m->store ? in->src[1] : in->dst) & 255);
			if (m->unit == UNIT_BUFFER && m->store)
				m->data = (int16_t)(in->dst & 255);
			return true;
		}
	return false;
}

bool jit_memory_known(const struct jit_translator *t, uint32_t i)
{
	struct jit_memory m;
	const struct cu_rec *r = jit_rec(t, i);
	if (!jit_memory_op(t, i, &m) || r->fn != r->op->direct || r->in->lds)
		return false;
	return m.data + m.dwords <= CU_VGPRS;
}

void jit_memory_vgprs(const struct jit_translator *t, uint32_t i, struct jit_inst *j)
{
	struct jit_memory m;
	if (!jit_memory_op(t, i, &m))
		return;
	j->nvs = 2;
	j->vs[0] = m.index;
	j->vs[1] = m.offset;
	for (unsigned k = 0; k < m.dwords && m.store; k++)
		j->vs[j->nvs++] = (int16_t)(m.data + (int)k);
	if (!m.store) {
		j->vd = m.data;
		j->nvd = m.dwords;
	}
}

/* --- before the strips --- */

int jit_memory_slot(struct jit_region *g, uint32_t i)
{
	struct jit_memory m;
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	if (!jit_memory_op(g->t, i, &m))
		return -1;
	if (m.unit == UNIT_SCRATCH)
		return SCRATCH_SLOT;
	const struct jit_slot key = { m.unit, m.index >= 0, in->src[1], in->src[2], in->literal };
	for (unsigned k = 0; k < g->slot_count; k++)
		if (!memcmp(&g->slots[k], &key, sizeof(key)))
			return (int)k;
	if (g->slot_count == SLOTS)
		return -1;
	g->slots[g->slot_count++] = key;
	return (int)g->slot_count - 1;
}

/* Fills slot n by a function. */
static void ask(struct jit_region *g, uint32_t i, int n, size_t function, int no)
{
	jit_mark(g->t, i);
	X(g->b, LEA, R(RDI), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(g->b, LEA, R(RSI), jit_x_mem(RB_RECS, (int64_t)sizeof(struct cu_rec) * i, 8));
	struct xo slot = SLOT(n, base, 8);
	X(g->b, LEA, R(RDX), slot);
	X(g->b, MOV, R(RAX), FRAME(FRAME_HELPERS, 8));
	X(g->b, CALL, jit_x_mem(ZYDIS_REGISTER_RAX, (int64_t)function, 8));
	X(g->b, TEST, R(EAX), R(EAX));
	XJ(g->b, JZ, no);
}

/* The slot of scratch is the same as long as these are. */
enum { PARTS = 3 };
static struct xo part(unsigned k, bool frame)
{
	const unsigned bytes = k < 2 ? 8 : 4;
	const struct xo wave[PARTS] = { jit_sgpr(GCN_SRC_FLAT_SCRATCH, 8), JIT_FIELD(scratch), JIT_FIELD(scratch_bytes) };
	return frame ? FRAME(FRAME_SCRATCH + 8 * (int)k, bytes) : wave[k];
}

static void ask_scratch(struct jit_region *g, uint32_t i, int no)
{
	const int other = jit_x_label(g->b), there = jit_x_label(g->b);
	for (unsigned k = 0; k < PARTS; k++) {
		X(g->b, MOV, k < 2 ? R(RAX) : R(EAX), part(k, false));
		X(g->b, CMP, k < 2 ? R(RAX) : R(EAX), part(k, true));
		XJ(g->b, JNZ, other);
	}
	XJ(g->b, JMP, there);
	jit_x_bind(g->b, other);
	ask(g, i, SCRATCH_SLOT, offsetof(struct cu_jit_helpers, scratch), no);
	for (unsigned k = 0; k < PARTS; k++) {
		X(g->b, MOV, k < 2 ? R(RAX) : R(EAX), part(k, false));
		X(g->b, MOV, part(k, true), k < 2 ? R(RAX) : R(EAX));
	}
	/* Where it begins behind the wave's, the function has to note that each time. */
	X(g->b, LEA, R(RAX), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(g->b, ADD, R(RAX), SLOT(SCRATCH_SLOT, base, 8));
	X(g->b, CMP, R(RAX), JIT_FIELD(scratch));
	XJ(g->b, JZ, there);
	X(g->b, MOV, part(1, true), jit_x_imm(-1));
	jit_x_bind(g->b, there);
}

int jit_memory_row(const struct jit_region *g, uint32_t i)
{
	struct jit_memory m;
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	if (!jit_memory_op(g->t, i, &m) || m.unit != UNIT_SCRATCH || m.offset >= 0)
		return -1;
	for (unsigned k = 0; k < g->row_count; k++)
		if (g->rows[k].soffset == in->src[2] && g->rows[k].offset == in->offset && g->rows[k].dwords == m.dwords)
			return (int)k;
	return -1;
}

/* All lanes' row of scratch, where nothing of its address changes: it is found, and noted as written, once.  If it is outside,
 * handlers know whether any lane has it. */
static void find_row(struct jit_region *g, uint32_t i, const struct jit_memory *m, int no)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	const int row = jit_memory_row(g, i), known = jit_x_label(g->b);
	const struct xo high = jit_wave(offsetof(struct cu_wave, scratch_high), 4);
	const unsigned n = row < 0 ? g->row_count : (unsigned)row;
	if (m->offset >= 0 || n == ROWS || (in->src[2] < 128 && s_has(g->e.written, in->src[2])))
		return;
	if (row < 0)
		g->rows[g->row_count++] = (struct jit_row){ in->src[2], m->dwords, in->offset, false };
	else if (!m->store || g->rows[n].noted)
		return;
	g->rows[n].noted = m->store;
	X(g->b, MOV, R(ECX), jit_x_imm(in->offset));
	if (in->src[2] < 128)
		X(g->b, ADD, R(ECX), jit_sgpr(in->src[2], 4));
	X(g->b, SHR, R(ECX), jit_x_imm(2));
	X(g->b, CMP, R(ECX), SLOT(SCRATCH_SLOT, limit[m->dwords - 1], 4));
	XJ(g->b, JNB, no);
	X(g->b, SHL, R(RCX), jit_x_imm(8));
	if (row < 0) {
		X(g->b, MOV, R(RAX), SLOT(SCRATCH_SLOT, base, 8));
		X(g->b, ADD, R(RAX), R(RCX));
		X(g->b, MOV, FRAME(FRAME_ROWS + 8 * (int)n, 8), R(RAX));
	}
	if (m->store) {
		X(g->b, ADD, R(ECX), jit_x_imm(CU_SCRATCH_ROW * (int64_t)(m->dwords - 1)));
		X(g->b, CMP, R(ECX), high);
		XJ(g->b, JBE, known);
		X(g->b, MOV, high, R(ECX));
	}
	jit_x_bind(g->b, known);
}

void jit_memory_once(struct jit_region *g, uint32_t i, int no)
{
	struct jit_memory m;
	if (!jit_memory_op(g->t, i, &m) || m.unit == UNIT_LDS || m.unit == UNIT_GLOBAL)
		return;
	int n = jit_memory_slot(g, i);
	if (n < 0)
		return;
	if (!(g->slots_ready >> n & 1)) {
		if (n == SCRATCH_SLOT)
			ask_scratch(g, i, no);
		else
			ask(g, i, n, offsetof(struct cu_jit_helpers, buffer), no);
	}
	g->slots_ready |= 1u << n;
	if (n == SCRATCH_SLOT)
		find_row(g, i, &m, no);
}

void jit_memory_begin(struct jit_translator *t)
{
	X(&t->b, MOV, part(1, true), jit_x_imm(-1)); /* no scratch is there */
}

void jit_memory_handlers(struct jit_region *g, uint32_t first, uint32_t end, int slow)
{
	uint64_t skip[8] = { 0 }, quiet[8] = { 0 };
	jit_x_bind(g->b, slow);
	for (uint32_t i = first; i < end; i++) {
		uint64_t bit = 1ull << (i - first) % 64;
		if (g->in[i].role == ROLE_ONCE || g->in[i].done)
			skip[(i - first) / 64 % 8] |= bit;
		/* SCC may be one that was made before the strips. */
		if (g->in[i].role == ROLE_SLICE && !g->in[i].scc_live)
			quiet[(i - first) / 64 % 8] |= bit;
	}
	X(g->b, LEA, R(RDI), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(g->b, LEA, R(RSI), jit_x_mem(RB_RECS, (int64_t)sizeof(struct cu_rec) * first, 8));
	X(g->b, MOV, R(EDX), jit_x_imm(end - first));
	X(g->b, LEA, R(RCX), jit_x_mem(RB_POOL, jit_x_vector(g->b, skip), 8));
	X(g->b, LEA, R(R8), jit_x_mem(RB_POOL, jit_x_vector(g->b, quiet), 8));
	X(g->b, MOV, R(RAX), FRAME(FRAME_HELPERS, 8));
	X(g->b, CALL, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_jit_helpers, handlers), 8));
	X(g->b, CMP, R(EAX), jit_x_imm(CU_STATUS_END));
	XJ(g->b, JB, g->t->exit_label);
}

void jit_memory_fault(struct jit_translator *t)
{
	jit_x_bind(&t->b, t->fault_label);
	X(&t->b, MOVZX, R(EDX), jit_slice_of(t, GCN_SRC_EXEC));
	X(&t->b, LEA, R(RSI), jit_x_mem(RB_RECS, 0, 8));
	X(&t->b, ADD, R(RSI), R(RCX));
	X(&t->b, LEA, R(RDI), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(&t->b, LEA, R(RCX), FRAME(FRAME_OFFSETS, 8));
	X(&t->b, MOV, R(RAX), FRAME(FRAME_HELPERS, 8));
	X0(&t->b, VZEROUPPER);
	X(&t->b, CALL, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_jit_helpers, scratch_fault), 8));
	XJ(&t->b, JMP, t->exit_label);
}
