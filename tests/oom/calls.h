/* SPDX-License-Identifier: MIT */
/* The calls of calls.def that need more than a value to fail with. */
#ifndef TESTS_OOM_CALLS_H
#define TESTS_OOM_CALLS_H

#include "fail.h"

/* The function that stands in for a WRAP of calls.def. */
void *calls_wrapper(enum fail_call call);
/* Remembers what the driver took; forgets what it gave back (true: it was there). */
void live_add(const void *p);
bool live_remove(const void *p);

#endif
