/* SPDX-License-Identifier: MIT */
/* Boundary operands of every instruction of a generation, for the tests of isa/. */
#ifndef TESTS_ISA_CASES_H
#define TESTS_ISA_CASES_H

#include "isa/gcn.h"

typedef void (*case_fn)(void *context, const struct gcn_inst *in);

/* Calls fn with each case of one opcode; none if the generation lacks it. */
void isa_cases(enum gcn_gen gen, enum gcn_op op, case_fn fn, void *context);

#endif
