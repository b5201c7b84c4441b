/* One kernel level's opcode table and run loop. */
#include "core/interp_internal.h"

#define REFUSED(NAME, WHY) \
	CU_OPDESC(NAME) = { .cls = CU_CLASS_REFUSED, .why = WHY };
#include "core/refused.def"
#undef REFUSED

#define GCN(NAME, ...) extern CU_OPDESC(NAME);
#include "isa/gcn.def"
#undef GCN

static const struct cu_op *const ops[GCN_OP_COUNT] = {
#define GCN(NAME, ...) [GCN_##NAME] = &CU_FN(cu_op_##NAME),
#include "isa/gcn.def"
#undef GCN
};

#if CU_LEVEL == 3
#define BYTE(n, bit) ((n) >> (bit) & 1 ? 0xffull << 8 * (bit) : 0)
#define BYTES(n) (BYTE(n, 0) | BYTE(n, 1) | BYTE(n, 2) | BYTE(n, 3) | BYTE(n, 4) | BYTE(n, 5) \
	| BYTE(n, 6) | BYTE(n, 7))
#define BYTES4(n) BYTES(n), BYTES((n) + 1), BYTES((n) + 2), BYTES((n) + 3)
#define BYTES16(n) BYTES4(n), BYTES4((n) + 4), BYTES4((n) + 8), BYTES4((n) + 12)
#define BYTES64(n) BYTES16(n), BYTES16((n) + 16), BYTES16((n) + 32), BYTES16((n) + 48)
extern const uint64_t cu_mask_bytes_v3[256];
const uint64_t cu_mask_bytes_v3[256] = { BYTES64(0), BYTES64(64), BYTES64(128), BYTES64(192) };
#endif

/* Around an instruction whose scalar result is EXEC. */
CU_HANDLER(exec_write)
{
	if (r->op->cls == CU_CLASS_VALU)
		CU_FN(cu_valu_general)(w, r);
	else if (r->op->direct(w, r) == CU_STOP(CU_FAULT))
		return CU_STOP(CU_FAULT);
	return cu_next_exec(w, r);
}

const struct cu_level_ops CU_FN(cu_level_ops) = {
	.ops = ops,
	.run = CU_FN(cu_interp_run),
	.valu_general = CU_FN(cu_valu_general),
	.valu_indexed = CU_FN(cu_valu_indexed),
	.exec_write = exec_write,
	.gds_access = CU_FN(cu_gds_access),
	.tfe_access = CU_FN(cu_tfe_access),
};

enum cu_status CU_FN(cu_interp_run)(const struct cu_program *p, struct cu_wave *w)
{
	if (w->pc >= p->dwords || p->index[w->pc] == ~0u) {
		cu_error_at(&w->error, w->pc, NULL, "no instruction of the program");
		return CU_FAULT;
	}
	uint32_t at = p->index[w->pc];
	const struct cu_rec *r = p->recs + at + (cu_exec(w) == ~0ull ? p->count : 0);
	w->instructions -= at; /* see ops_branch.c */
	do
		r = r->fn(w, r);
	while ((uintptr_t)r >= CU_STATUS_END);
	/* The kernel files are compiled without it; the caller is not. */
	__builtin_ia32_vzeroupper();
	return (enum cu_status)(uintptr_t)r;
}
