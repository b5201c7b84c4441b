/* SPDX-License-Identifier: MIT */
/* Something that happens again and again, and that somebody may look out for before sleeping until it does: to fall asleep
 * and be woken takes longer than a small submission. */
#ifndef ICD_BELL_H
#define ICD_BELL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* rest: looks that are left out, since one was in vain.  worth_it: there is more than one CPU. */
struct icd_bell { _Atomic uint32_t rings, rest; bool worth_it; };

void icd_bell_init(struct icd_bell *b);
/* Once what is to be seen has been written, and its mutex let go. */
void icd_bell_ring(struct icd_bell *b);
/* The caller holds the mutex and has seen nothing; it is let go until the bell rings, or for some 50 microseconds. */
void icd_bell_listen(struct icd_bell *b, pthread_mutex_t *mutex);

#endif
