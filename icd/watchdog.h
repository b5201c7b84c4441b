/* SPDX-License-Identifier: MIT */
/* QW_TIMEOUT_MS: a limit on the wall clock time of one submission's work, for
 * those who would rather lose the device than wait.  Off without it, since what
 * it stops depends on the machine. */
#ifndef ICD_WATCHDOG_H
#define ICD_WATCHDOG_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rs_gpu;

/* Zeroed until started; the functions below do nothing to one that is not. */
struct icd_watchdog {
	struct rs_gpu *gpu;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake;       /* CLOCK_MONOTONIC */
	uint64_t nanoseconds;      /* the limit; 0: not started */
	uint64_t deadline;         /* 0: nothing is executing */
	_Atomic bool fired;
	bool stop;
};

/* False without memory or a thread. */
bool icd_watchdog_start(struct icd_watchdog *w, struct rs_gpu *gpu, unsigned milliseconds);
void icd_watchdog_finish(struct icd_watchdog *w);

/* Around the work; disarm says whether it was stopped (rs_gpu_abort), which
 * stays true from then on. */
void icd_watchdog_arm(struct icd_watchdog *w);
bool icd_watchdog_disarm(struct icd_watchdog *w);
/* The same, from any thread, of one that may not be started. */
bool icd_watchdog_fired(struct icd_watchdog *w);

#endif
