/* SPDX-License-Identifier: MIT */
/* A connection to a dead display server raises SIGPIPE in whoever writes to it, and
 * its default is to end the application.  Between begin and end, on one thread, the
 * write only fails. */
#ifndef ICD_WSI_QUIET_H
#define ICD_WSI_QUIET_H

#include <signal.h>
#include <stdbool.h>

struct icd_quiet {
	sigset_t old;
	bool pending; /* already before: not ours to swallow */
};

void icd_quiet_begin(struct icd_quiet *q);
void icd_quiet_end(const struct icd_quiet *q);

#endif
