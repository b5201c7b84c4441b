/* SPDX-License-Identifier: MIT */
#include "icd/watchdog.h"

#include <signal.h>
#include <time.h>
#include "icd/cond.h"
#include "raster/rs.h"

enum { SECOND = 1000000000 };

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static void *watchdog_main(void *data)
{
	struct icd_watchdog *w = data;
	pthread_mutex_lock(&w->mutex);
	while (!w->stop && !w->fired) {
		if (!w->deadline) {
			pthread_cond_wait(&w->wake, &w->mutex);
			continue;
		}
		struct timespec until = { (time_t)(w->deadline / SECOND), (long)(w->deadline % SECOND) };
		if (now() < w->deadline) {
			pthread_cond_timedwait(&w->wake, &w->mutex, &until);
			continue;
		}
		w->fired = true;
		rs_gpu_abort(w->gpu);
	}
	pthread_mutex_unlock(&w->mutex);
	return NULL;
}

bool icd_watchdog_start(struct icd_watchdog *w, struct rs_gpu *gpu, unsigned milliseconds)
{
	sigset_t all, old;
	int failed;

	w->gpu = gpu;
	if (pthread_mutex_init(&w->mutex, NULL))
		return false;
	if (icd_cond_init(&w->wake))
		goto destroy_mutex;
	/* The application's signals are not for this thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	failed = pthread_create(&w->thread, NULL, watchdog_main, w);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (failed)
		goto destroy_cond;
	w->nanoseconds = (uint64_t)milliseconds * 1000000;
	return true;

destroy_cond:
	pthread_cond_destroy(&w->wake);
destroy_mutex:
	pthread_mutex_destroy(&w->mutex);
	return false;
}

void icd_watchdog_finish(struct icd_watchdog *w)
{
	if (!w->nanoseconds)
		return;
	pthread_mutex_lock(&w->mutex);
	w->stop = true;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->mutex);
	pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->mutex);
}

void icd_watchdog_arm(struct icd_watchdog *w)
{
	if (!w->nanoseconds)
		return;
	pthread_mutex_lock(&w->mutex);
	w->deadline = now() + w->nanoseconds;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->mutex);
}

bool icd_watchdog_disarm(struct icd_watchdog *w)
{
	bool fired;
	if (!w->nanoseconds)
		return false;
	pthread_mutex_lock(&w->mutex);
	w->deadline = 0;
	fired = w->fired;
	pthread_mutex_unlock(&w->mutex);
	return fired;
}

bool icd_watchdog_fired(struct icd_watchdog *w)
{
	return atomic_load(&w->fired);
}
