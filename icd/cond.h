/* SPDX-License-Identifier: MIT */
/* Condition variables whose timed waits go by CLOCK_MONOTONIC. */
#ifndef ICD_COND_H
#define ICD_COND_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* 0, or an error number and nothing to destroy. */
static inline int icd_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attr;
	int error = pthread_condattr_init(&attr);
	if (error)
		return error;
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	error = pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
	return error;
}

/* The moment `timeout` nanoseconds from now, saturated. */
static inline struct timespec icd_deadline(uint64_t timeout)
{
	struct timespec t;
	uint64_t seconds = timeout / 1000000000u;
	clock_gettime(CLOCK_MONOTONIC, &t);
	if (seconds > INT32_MAX)
		seconds = INT32_MAX;
	t.tv_sec += (time_t)seconds;
	t.tv_nsec += (long)(timeout % 1000000000u);
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

#endif
