/* SPDX-License-Identifier: MIT */
#include "icd/wsi/quiet.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

void icd_quiet_begin(struct icd_quiet *q)
{
	sigset_t pipe, pending;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	q->pending = sigismember(&pending, SIGPIPE) == 1;
	pthread_sigmask(SIG_BLOCK, &pipe, &q->old);
}

void icd_quiet_end(const struct icd_quiet *q)
{
	sigset_t pipe;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	if (!q->pending && !sigismember(&q->old, SIGPIPE))
		while (sigtimedwait(&pipe, NULL, &(struct timespec){ 0 }) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &q->old, NULL);
}
