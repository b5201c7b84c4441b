/* SPDX-License-Identifier: MIT */
/* GCN and the x86 code made of it, side by side. */
#ifndef CORE_JIT_JIT_DUMP_H
#define CORE_JIT_JIT_DUMP_H

#include "core/jit/jit.h"

/* Writes DIR/NAME.x86: each GCN instruction followed by the x86 instructions
 * that its record became, with offsets.  Nothing happens when the file cannot
 * be written. */
void cu_jit_dump(const char *dir, const char *name, const struct cu_program *p,
	const struct cu_jit_image *image);

#endif
