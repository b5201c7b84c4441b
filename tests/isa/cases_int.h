/* SPDX-License-Identifier: MIT */
/* Inside the maker of cases: one opcode of one generation, and what makes the
 * cases of each kind of format. */
#ifndef TESTS_ISA_CASES_INT_H
#define TESTS_ISA_CASES_INT_H

#include "isa/gcn_forms.h"
#include "isa/gcn_tables.h"
#include "tests/isa/cases.h"

struct maker {
	enum gcn_gen gen;
	unsigned mods; /* GCN_M_* that the generation has */
	bool vop3;     /* a 64-bit form besides the native one */
	const struct gcn_op_info *info;
	case_fn fn;
	void *context;
	struct gcn_inst base;
};

static inline void emit(const struct maker *m, const struct gcn_inst *in)
{
	m->fn(m->context, in);
}

/* cases_scalar.c */
void salu_cases(struct maker *m);
void immediate_cases(struct maker *m); /* SOPK, SOPP */
void smem_cases(struct maker *m);
/* cases_vector.c: VOP1, VOP2, VOPC, VOP3 with SDWA and DPP; VOP3P; interpolation */
void vop_cases(struct maker *m);
void vop3p_cases(struct maker *m);
void interp_cases(struct maker *m);
/* cases_memory.c */
void ds_cases(struct maker *m);
void buffer_cases(struct maker *m);
void image_cases(struct maker *m);
void export_cases(struct maker *m);
void flat_cases(struct maker *m); /* GLOBAL and SCRATCH too */

#endif
