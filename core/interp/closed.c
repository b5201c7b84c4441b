/* SPDX-License-Identifier: MIT */
#include "core/interp/closed.h"

#include "core/interp/interp.h"

bool cu_program_is_closed(const struct cu_program *p)
{
	for (uint32_t i = 0; i < p->count; i++) {
		const struct cu_rec *r = &p->recs[i];
		bool jumps = gcn_op_info((enum gcn_op)r->in->op)->flags & GCN_F_BRANCH;
		if (jumps && (!(r->op->flags & CU_OP_JUMPS) || r->in->op == GCN_S_CALL_B64))
			return false;
	}
	return !p->traits;
}
