/* SPDX-License-Identifier: MIT */
/* Inside the vector part of the model: ref_ops.c computes, ref_valu.c fetches
 * operands and writes results. */
#ifndef TESTS_CORE_REF_VALU_H
#define TESTS_CORE_REF_VALU_H

#include "ref.h"
#include "ref_float.h"

enum ref_type { NONE, B16, B32, B64, B128, I64, F16, F32, F64, PB, PF, MIX, MASK, ATTR, P0, P10, P20 };
enum { /* flags of an opcode */
	KEEP = 1,     /* 16-bit result leaves the high half */
	HIGH = 2,     /* goes to the high half */
	NEAREST = 4,  /* rounds to nearest even */
	EXACT = 8,    /* bits: denormals stay */
	DST_READ = 16, /* source 2 is the old destination */
	VCC_IN = 32,  /* x->in is the lane's bit of VCC */
	TO_EXEC = 64, /* the mask goes to EXEC, too */
};
enum { IEEE = 1 << 9, DX10_CLAMP = 1 << 8, FP16_OVFL = 1 << 23, GPR_IDX = 1 << 27 };

/* One lane of one instruction. */
struct lane {
	uint64_t a, b, c, c_high; /* sources; c_high: the upper half of 128 bits */
	bool in, out, clamp;
	int lane;
	enum rf_round round;
	uint32_t mode;
	uint64_t high; /* upper half of a 128-bit result */
};

struct ref_op {
	uint64_t (*compute)(struct lane *x);
	uint8_t result, source[3], flags; /* enum ref_type; see above */
};
extern const struct ref_op ref_ops[GCN_OP_COUNT];

#endif
