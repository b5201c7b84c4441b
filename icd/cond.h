/* SPDX-License-Identifier: MIT */
/* Condition variables whose timed waits go by CLOCK_MONOTONIC. */
#ifndef ICD_COND_H
#define ICD_COND_H

#include <pthread.h>
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

#endif
