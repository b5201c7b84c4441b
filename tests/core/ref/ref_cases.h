/* SPDX-License-Identifier: MIT */
/* Random programs of one instruction for the comparison with the model: operands
 * and modifiers that its form encodes, in each form and generation. */
#ifndef TESTS_CORE_REF_CASES_H
#define TESTS_CORE_REF_CASES_H

#include "core/interp/interp.h"
#include "isa/gcn.h"

enum { VGPRS_USED = 28, LDS_USED = 8192, MARK = 90, LDS_DIRECT = 254 };
enum form { PLAIN, LONG, SDWA, DPP, INDEXED, FORMS };

struct test {
	enum gcn_gen gen;
	struct gcn_inst in;
	enum form form;
	struct { uint32_t dw[64]; size_t n; } code;
};

/* False when the opcode has no such form, or this choice cannot be encoded. */
bool test_make(struct test *t, enum gcn_gen gen, enum gcn_op op, enum form form, uint64_t *seed);
bool test_is_vector(const struct gcn_op_info *info);
/* Any bits, often those where arithmetic has an edge. */
uint32_t test_value(uint64_t *seed);

#endif
