/* SPDX-License-Identifier: MIT */
/* One kernel level's opcode table and run loop. */
#include "core/interp/access.h"
#include "core/interp/interp_priv.h"

#define REFUSED(NAME, WHY) \
	CU_OPDESC(NAME) = { .cls = CU_CLASS_REFUSED, .why = WHY };
#include "core/interp/refused.def"
#undef REFUSED

#define GCN(NAME, ...) extern CU_OPDESC(NAME);
#include "isa/gcn.def"
#undef GCN

static const struct cu_op *const ops[GCN_OP_COUNT] = {
#define GCN(NAME, ...) [GCN_##NAME] = &CU_FN(cu_op_##NAME),
#include "isa/gcn.def"
#undef GCN
};

#if CU_LEVEL < 4
#define BYTE(n, bit) ((n) >> (bit) & 1 ? 0xffull << 8 * (bit) : 0)
#define BYTES(n) (BYTE(n, 0) | BYTE(n, 1) | BYTE(n, 2) | BYTE(n, 3) | BYTE(n, 4) | BYTE(n, 5) \
	| BYTE(n, 6) | BYTE(n, 7))
#define BYTES4(n) BYTES(n), BYTES((n) + 1), BYTES((n) + 2), BYTES((n) + 3)
#define BYTES16(n) BYTES4(n), BYTES4((n) + 4), BYTES4((n) + 8), BYTES4((n) + 12)
#define BYTES64(n) BYTES16(n), BYTES16((n) + 16), BYTES16((n) + 32), BYTES16((n) + 48)
extern const uint64_t CU_FN(cu_mask_bytes)[256];
const uint64_t CU_FN(cu_mask_bytes)[256] = { BYTES64(0), BYTES64(64), BYTES64(128), BYTES64(192) };
#endif

/* Around an instruction whose scalar result is EXEC. */
CU_HANDLER(exec_write)
{
	const struct cu_rec *next = r + 1; /* a call goes elsewhere */
	if (r->op->cls == CU_CLASS_VALU)
		CU_FN(cu_valu_moded)(w, r);
	else
		next = r->op->direct(w, r);
	if ((uintptr_t)next < CU_STATUS_END)
		return next;
	return cu_next_exec(w, r) + (next - (r + 1));
}

/* The value of LDS_DIRECT: one value for all lanes.  M0 has its byte address in
 * [15:0] and its type in [18:16]: bytes, words and dwords, the first two also
 * signed.  Out of range it is 0. */
static uint32_t lds_direct(const struct cu_wave *w)
{
	uint32_t x = 0, m0 = w->sgpr[GCN_SRC_M0], at = m0 & 0xffff, type = m0 >> 16 & 7;
	unsigned bits = 8u << (type & 3);
	at &= ~(bits / 8 - 1);
	if ((type & 3) == 3 || type == 6 || at + bits / 8 > w->lds_bytes)
		return 0;
	__builtin_memcpy(&x, w->lds + at, bits / 8);
	return type & 4 ? (uint32_t)((int32_t)(x << (32 - bits)) >> (32 - bits)) : x;
}
/* What a DIRECT record would have as its handler (program_records.c). */
static cu_fn direct_form(const struct cu_wave *w, const struct cu_rec *r)
{
	const struct gcn_inst *in = r->in;
	bool buffer = (in->fmt == GCN_MUBUF || in->fmt == GCN_MTBUF) && in->src[1] != GCN_SRC_NONE;
	if (buffer && in->addr64)
		return CU_FN(cu_addr64_access);
	if (buffer && in->tfe)
		return CU_FN(cu_tfe_access);
	if (in->fmt == GCN_DS && in->gds)
		return CU_FN(cu_gds_access);
	if (in->fmt == GCN_DS && r->pool->program->gen < GCN_GFX9)
		return CU_FN(cu_m0_access);
	if (r->op->modified && cu_is_modified(in))
		return r->op->modified;
	return r->op->moded && !cu_mode_is_plain(w->mode) ? r->op->moded : r->op->direct;
}
/* What is not known before: vector instructions that VSKIP skips or GPR_IDX
 * indexes, and the sources VCCZ, EXECZ, LDS_DIRECT and a 64-bit SCC. */
const struct cu_rec *CU_FN(cu_special)(struct cu_wave *w, const struct cu_rec *r)
{
	const struct cu_rec *next = r + 1;
	if (w->mode & CU_MODE_VSKIP && cu_is_vector(r->in))
		return next;
	w->special[0] = !cu_load64(&w->sgpr[GCN_SRC_VCC]);
	w->special[2] = !cu_load64(&w->sgpr[GCN_SRC_EXEC]);
	w->special[4] = w->scc;
	for (int n = 0; n < 3; n++)
		if (r->in->src[n] == GCN_SRC_LDS_DIRECT)
			w->special[6] = lds_direct(w);
	if (r->op->cls != CU_CLASS_VALU)
		next = direct_form(w, r)(w, r);
	else if (w->mode & CU_MODE_GPR_IDX)
		next = CU_FN(cu_valu_indexed)(w, r);
	else
		CU_FN(cu_valu_moded)(w, r);
	if ((uintptr_t)next < CU_STATUS_END)
		return next;
	return next == r + 1 ? cu_next_exec(w, r) : next;
}

/* False when the wave is to stop; else sets when to ask again. */
bool CU_FN(cu_poll)(struct cu_wave *w)
{
	enum { INTERVAL = 1 << 20 };
	if ((w->abort && __atomic_load_n(w->abort, __ATOMIC_RELAXED)) || (w->budget && w->instructions >= w->budget))
		return false;
	w->next_poll = w->instructions + INTERVAL;
	if (w->budget && w->next_poll > w->budget)
		w->next_poll = w->budget;
	return true;
}

CU_HANDLER(unsupported)
{
	return cu_fault(w, r, "this form is not supported");
}

static bool step(const struct cu_program *p, struct cu_wave *w, enum cu_status *status)
{
	if (w->pc >= p->dwords || p->index[w->pc] == ~0u) {
		cu_error_at(&w->error, w->pc, NULL, "no instruction of the program");
		*status = CU_FAULT;
		return false;
	}
	const struct cu_rec *r = p->recs + p->index[w->pc] + (cu_exec(w) == ~0ull ? p->count : 0);
	r = r->fn(w, r);
	__builtin_ia32_vzeroupper();
	if ((uintptr_t)r < CU_STATUS_END) {
		*status = (enum cu_status)(uintptr_t)r;
		return false;
	}
	w->pc = r->pc;
	return true;
}

static enum cu_status run(const struct cu_program *p, struct cu_wave *w)
{
	if (w->pc >= p->dwords || p->index[w->pc] == ~0u) {
		cu_error_at(&w->error, w->pc, NULL, "no instruction of the program");
		return CU_FAULT;
	}
	uint32_t at = p->index[w->pc];
	const struct cu_rec *recs = cu_mode_is_plain(w->mode) ? p->recs : cu_program_moded(p);
	if (!recs) {
		cu_error_at(&w->error, w->pc, NULL, "no memory for records of another MODE");
		return CU_FAULT;
	}
	const struct cu_rec *r = recs + at + (cu_exec(w) == ~0ull ? p->count : 0);
	CU_FN(cu_poll)(w);
	w->instructions -= at; /* see ops_branch_kernel.c */
	do
		r = r->fn(w, r);
	while ((uintptr_t)r >= CU_STATUS_END);
	/* The kernel files are compiled without it; the caller is not. */
	__builtin_ia32_vzeroupper();
	return (enum cu_status)(uintptr_t)r;
}

const struct cu_level_ops CU_FN(cu_level_ops) = {
	.ops = ops,
	.run = run,
	.step = step,
	.valu_general = CU_FN(cu_valu_general),
	.valu_indexed = CU_FN(cu_valu_indexed),
	.exec_write = exec_write,
	.gds_access = CU_FN(cu_gds_access),
	.m0_access = CU_FN(cu_m0_access),
	.addr64_access = CU_FN(cu_addr64_access),
	.tfe_access = CU_FN(cu_tfe_access),
	.valu_moded = CU_FN(cu_valu_moded),
	.special = CU_FN(cu_special),
	.unsupported = unsupported,
};
