/* SPDX-License-Identifier: MIT */
/* Running every wave twice, to prove that the translation has the
 * interpreter's bits. */
#ifndef CORE_JIT_JIT_CHECK_H
#define CORE_JIT_JIT_CHECK_H

#include "core/jit/jit_profile.h"

struct cu_check {
	char *name;
	struct cu_profile *profile; /* counts the interpreter's instructions; may be NULL */
	uint64_t loose[2];          /* cu_jit_image.loose */
	/* What the program has: VGPRs from v0 on, export targets.  Set by cu_check_scan. */
	unsigned vgprs;
	uint64_t targets;
	bool lds;                   /* may write it */
	void *_Atomic spare;        /* room for a wave; free it at the end */
};

void cu_check_scan(const struct cu_program *p, struct cu_check *how);

/* Runs w in the interpreter, undoes what it wrote, runs it again through
 * `translated`, and compares status, PC, registers, LDS, exports and every
 * place in memory that the first run wrote.  At the first difference: CU_FAULT
 * with w->error naming the program, the PC of the instruction that made the
 * value, the lane and both values.  For images made with keep_all.  Other
 * threads must not write what the wave reads meanwhile. */
enum cu_status cu_check_run(const struct cu_program *p, struct cu_wave *w, struct cu_check *how,
	enum cu_status (*translated)(const struct cu_program *p, struct cu_wave *w));

#endif
