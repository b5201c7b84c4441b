/* SPDX-License-Identifier: MIT */
/* Where a scene's time goes: addresses are sampled while it is measured, in the
 * process that measures it, and told by block, function and shader. */
#ifndef QW_BENCH_PROFILE_H
#define QW_BENCH_PROFILE_H

#include "bench/bench.h"

/* How samples are taken: by perf, which sees the kernel, too; or by a process of our
 * own that traces this one, which needs no tool. */
enum profile_by { PROFILE_PERF, PROFILE_PTRACE };
/* The status of a process in which that way took no samples. */
enum { PROFILE_NOTHING = 75 };

/* Measures the scene and prints the table; the status of this process. */
int profile_run(const struct bench_scene *scene, double seconds, enum profile_by by);

#endif
