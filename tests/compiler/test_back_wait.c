/* SPDX-License-Identifier: MIT */
/* Wait counts and wait states of hand-written programs. */
#include "compiler/gcn/back.h"
#include "tests/check.h"

#include <stdio.h>

static struct ir_pool *pool;

enum { V = GCN_SRC_VGPR0 };

static struct mir_inst *add(struct mir_func *m, struct mir_block *b, unsigned op, mir_opnd dst, mir_opnd s0, mir_opnd s1,
	mir_opnd s2)
{
	struct mir_inst *in = mir_inst_new(m, op);
	in->opnd[MIR_DST] = dst;
	in->opnd[MIR_SRC0] = s0;
	in->opnd[MIR_SRC1] = s1;
	in->opnd[MIR_SRC2] = s2;
	mir_append(b, in);
	return in;
}

static struct mir_block *start(struct mir_func *m)
{
	mir_func_init(m, pool);
	m->sgprs = 32;
	m->vgprs = 32;
	struct mir_block *b = mir_block_new(m, 0);
	mir_place(m, b);
	return b;
}

/* The s_waitcnt or s_nop before the instruction, or -1. */
static int before(const struct mir_inst *in, unsigned op)
{
	for (const struct mir_inst *p = in->prev; p && (p->op == GCN_S_WAITCNT || p->op == GCN_S_NOP); p = p->prev)
		if (p->op == op)
			return p->g.offset;
	return -1;
}

static struct mir_inst *buffer_load(struct mir_func *m, struct mir_block *b, mir_opnd dst)
{
	struct mir_inst *in = add(m, b, GCN_BUFFER_LOAD_DWORD, dst, V, 4, GCN_SRC_0);
	in->g.offen = 1;
	return in;
}

static void check_counts(void)
{
	struct mir_func m;
	struct mir_block *b = start(&m);
	add(&m, b, GCN_S_LOAD_DWORDX4, 4, 0, MIR_NONE, MIR_NONE);
	struct mir_inst *first = buffer_load(&m, b, V + 1);
	buffer_load(&m, b, V + 2);
	buffer_load(&m, b, V + 3);
	struct mir_inst *use1 = add(&m, b, GCN_V_MOV_B32, V + 5, V + 1, MIR_NONE, MIR_NONE);
	struct mir_inst *use3 = add(&m, b, GCN_V_ADD_F32, V + 5, V + 3, V + 5, MIR_NONE);
	struct mir_inst *use2 = add(&m, b, GCN_V_ADD_F32, V + 5, V + 2, V + 5, MIR_NONE);
	EXPECT(back_wait(&m));
	EXPECT(before(first, GCN_S_WAITCNT) == gcn_waitcnt(63, 7, 0));
	EXPECT(before(use1, GCN_S_WAITCNT) == gcn_waitcnt(2, 7, 15));
	EXPECT(before(use3, GCN_S_WAITCNT) == gcn_waitcnt(0, 7, 15));
	EXPECT(before(use2, GCN_S_WAITCNT) == -1);
	mir_func_finish(&m);
}

/* A load at the end of a loop is waited for at its head. */
static void check_loop(void)
{
	struct mir_func m;
	struct mir_block *b = start(&m), *head = mir_block_new(&m, 1);
	add(&m, b, GCN_V_MOV_B32, V + 1, GCN_SRC_0, MIR_NONE, MIR_NONE);
	mir_place(&m, head);
	struct mir_inst *use = add(&m, head, GCN_V_MOV_B32, V + 2, V + 1, MIR_NONE, MIR_NONE);
	buffer_load(&m, head, V + 1);
	add(&m, head, GCN_S_BRANCH, MIR_NONE, MIR_NONE, MIR_NONE, MIR_NONE)->target = head;
	EXPECT(back_wait(&m));
	EXPECT(before(use, GCN_S_WAITCNT) == gcn_waitcnt(0, 7, 15));
	mir_func_finish(&m);
}

static void check_lds_and_exports(void)
{
	struct mir_func m;
	struct mir_block *b = start(&m);
	add(&m, b, GCN_DS_READ_B32, V + 1, V, MIR_NONE, MIR_NONE);
	add(&m, b, GCN_DS_READ_B32, V + 2, V, MIR_NONE, MIR_NONE);
	struct mir_inst *ordered = add(&m, b, GCN_V_MOV_B32, V + 3, V + 1, MIR_NONE, MIR_NONE);
	add(&m, b, GCN_S_LOAD_DWORD, 8, 0, MIR_NONE, MIR_NONE);
	struct mir_inst *mixed = add(&m, b, GCN_V_MOV_B32, V + 3, V + 2, MIR_NONE, MIR_NONE);
	struct mir_inst *export = add(&m, b, GCN_EXPORT, MIR_NONE, V + 3, V + 3, V + 3);
	export->opnd[MIR_SRC3] = V + 3;
	struct mir_inst *overwrite = add(&m, b, GCN_V_MOV_B32, V + 3, GCN_SRC_0, MIR_NONE, MIR_NONE);
	EXPECT(back_wait(&m));
	EXPECT(before(ordered, GCN_S_WAITCNT) == gcn_waitcnt(63, 7, 1));
	EXPECT(before(mixed, GCN_S_WAITCNT) == gcn_waitcnt(63, 7, 0));
	EXPECT(before(overwrite, GCN_S_WAITCNT) == gcn_waitcnt(63, 0, 15));
	mir_func_finish(&m);
}

static void check_hazards(void)
{
	struct mir_func m;
	struct mir_block *b = start(&m);
	add(&m, b, GCN_V_READFIRSTLANE_B32, 4, V, MIR_NONE, MIR_NONE);
	struct mir_inst *load = buffer_load(&m, b, V + 9);
	add(&m, b, GCN_V_MOV_B32, V + 1, GCN_SRC_0, MIR_NONE, MIR_NONE);
	struct mir_inst *dpp = add(&m, b, GCN_V_MOV_B32, V + 2, V + 1, MIR_NONE, MIR_NONE);
	dpp->g.sub = GCN_SUB_DPP;
	add(&m, b, GCN_S_MOV_B32, GCN_SRC_M0, 3, MIR_NONE, MIR_NONE);
	struct mir_inst *interp = add(&m, b, GCN_V_INTERP_P1_F32, V + 3, V, MIR_NONE, MIR_NONE);
	struct mir_inst *store = add(&m, b, GCN_BUFFER_STORE_DWORDX4, V + 20, V, 12, GCN_SRC_0);
	store->g.offen = 1;
	struct mir_inst *overwrite = add(&m, b, GCN_V_MOV_B32, V + 22, GCN_SRC_0, MIR_NONE, MIR_NONE);
	struct mir_inst *later = add(&m, b, GCN_V_MOV_B32, V + 23, GCN_SRC_0, MIR_NONE, MIR_NONE);
	EXPECT(back_wait(&m));
	EXPECT(before(load, GCN_S_NOP) == 4);
	EXPECT(before(dpp, GCN_S_NOP) == 1);
	EXPECT(before(interp, GCN_S_NOP) == 0);
	EXPECT(before(overwrite, GCN_S_NOP) == 0);
	EXPECT(before(later, GCN_S_NOP) == -1);
	mir_func_finish(&m);
}

int main(void)
{
	pool = ir_pool_create();
	check_counts();
	check_loop();
	check_lds_and_exports();
	check_hazards();
	ir_pool_destroy(pool);
	return failures != 0;
}
