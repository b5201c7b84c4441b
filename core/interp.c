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
