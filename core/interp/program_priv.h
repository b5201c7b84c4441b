/* SPDX-License-Identifier: MIT */
/* Program creation in steps: program.c follows the code and decodes it,
 * program_records.c makes the records, program_sgprs.c looks at what waves begin with.  Private to them. */
#ifndef CORE_INTERP_PROGRAM_PRIV_H
#define CORE_INTERP_PROGRAM_PRIV_H

#include "core/interp/interp.h"

#define NO_RECORD (~0u)
#define CU_ROOTS 64

/* What a builder needs for a program that is not long: on the stack, where no page is new. */
enum { CU_FIRST_DWORDS = 512, CU_FIRST_FOUND = 128 };
struct cu_first {
	uint8_t state[CU_FIRST_DWORDS];
	uint32_t work[2 * CU_FIRST_DWORDS];
	struct gcn_inst found[CU_FIRST_FOUND];
};

struct cu_builder {
	const struct cu_level_ops *level;
	enum gcn_gen gen;
	const uint32_t *source;
	size_t max;              /* dwords that may be read */
	size_t room;             /* dwords that the arrays by dword have room for */
	struct cu_program *p;
	struct cu_error *err;
	/* By dword: how it was reached. */
	uint8_t *state;
	uint32_t *work;          /* pcs to look at */
	size_t work_count;
	struct gcn_inst *found;  /* instructions in the order in which they are reached; */
	size_t found_room;       /* p->index has their places until records are made */
	struct cu_first *first;  /* where state, work and found begin */
	uint32_t constants;
	uint32_t scalar_memory;  /* such instructions, of those that have their record for any EXEC */
	/* Addresses that the code computes from its own: where calls may go. */
	uint32_t roots[CU_ROOTS];
	unsigned root_count;
	bool jumps_anywhere;     /* s_setpc and the like occur */
};
/* INDEXED, PLAIN: reached with VGPR indexing on, off.  INSIDE: not a first dword. */
enum { REACHED = 1, INDEXED = 2, INSIDE = 4, PLAIN = 8, CLAIMED = 16,
	GUESSED = 32 }; /* reached from a root only: perhaps data */

/* Record i of the array for any or full EXEC, from its decoded instruction and
 * pc.  False with *b->err on an operand or modifier that is not supported. */
bool cu_program_fill(struct cu_builder *b, uint32_t i, bool full);

/* Sets what a program has of the SGPRs that its waves begin with. */
void cu_program_find_sgprs(struct cu_program *p);
enum { CU_SGPR_ROWS = 8 };
_Static_assert(CU_SGPR_ROWS * CU_SGPR_ROW * 4 == sizeof(((struct cu_wave *)0)->sgpr), "whole rows");

#endif
