/* SPDX-License-Identifier: MIT */
/* What of a program is translated, and how often each instruction was executed:
 * to see what is worth translating next. */
#ifndef CORE_JIT_JIT_PROFILE_H
#define CORE_JIT_JIT_PROFILE_H

#include "core/jit/jit.h"

struct cu_profile;

/* Of p and its image; NULL without memory.  DIR/NAME.profile gets at destroy,
 * appended, a line for the program and one for each instruction: PC, times it was
 * executed by a wave, and who does it: "region", "inline" (alone), or "handler".
 * tools/jit-profile adds such files up. */
struct cu_profile *cu_profile_create(const char *dir, const char *name, const struct cu_program *p,
	const struct cu_jit_image *image);
void cu_profile_destroy(struct cu_profile *f);

/* The interpreter from w->pc on, each instruction counted.  Any thread. */
enum cu_status cu_profile_run(struct cu_profile *f, struct cu_wave *w);

#endif
