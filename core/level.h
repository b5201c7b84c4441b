/* SPDX-License-Identifier: MIT */
/* Kernel levels: one source compiled for x86-64-v3 (AVX2, FMA) and x86-64-v4
 * (AVX-512 F/BW/DQ/VL), chosen at run time.  A kernel source is named *_kernel.c, is
 * compiled once per level with CU_LEVEL defined, and names what it exports with CU_FN(). */
#ifndef CORE_LEVEL_H
#define CORE_LEVEL_H

#include <stdbool.h>

enum cu_level { CU_LEVEL_V3 = 3, CU_LEVEL_V4 = 4 };

#ifdef CU_LEVEL
#define CU_FN__(name, level) name##_v##level
#define CU_FN_(name, level) CU_FN__(name, level)
#define CU_FN(name) CU_FN_(name, CU_LEVEL)
#endif

/* A part's kernels are a struct of functions that each level fills, CU_FN(name).  Its
 * instances, and the one of a level, which is chosen once a device or program and kept.
 * What there are of levels stands here, in level.c and in qw_kernels (CMakeLists.txt). */
#define CU_TABLES(type, name) extern const type name##_v3, name##_v4
#define CU_TABLE(name, level) ((level) >= CU_LEVEL_V4 ? &name##_v4 : &name##_v3)

/* Best level of this CPU, or what `force` ("v3", "v4", NULL) asks for.
 * Returns false when the CPU lacks x86-64-v3 or the forced level; *why says so. */
bool cu_level_detect(const char *force, enum cu_level *out, const char **why);

/* Whether this CPU's gathers are faster than as many loads, which differs by more than vendors: cu_level_detect has measured
 * it once, in some microseconds, and kernels that can do either ask.  What they make is the same. */
extern bool cu_quick_gathers;

/* Asks for the line at p, which will be written: as this core's own, where it knows how to say so.  The compiler's builtin asks
 * for a line to read where a level lacks the instruction; another core that has read the line is waited for all the same. */
static inline void cu_fetch_to_write(const void *p)
{
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)p));
}

/* MXCSR for all GPU work: round to nearest even, denormals kept, no traps.
 * Returns the former value for cu_fp_leave. */
unsigned cu_fp_enter(void);
void cu_fp_leave(unsigned mxcsr);

#endif
