/* SPDX-License-Identifier: MIT */
/* What the driver has taken: an open hash table, kept out of the leak checker's
 * sight by storing addresses inverted. */
#include <execinfo.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "calls.h"

enum { SLOTS = 1 << 17, FREE = 0, GONE = 1 };
static struct { uintptr_t address; int frames; void *frame[FAIL_FRAMES]; } slot[SLOTS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static size_t live;

static size_t slot_of(uintptr_t key)
{
	return (size_t)((key * 0x9e3779b97f4a7c15u) >> 47);
}

void live_add(const void *p)
{
	uintptr_t key = ~(uintptr_t)p;
	pthread_mutex_lock(&mutex);
	if (live > SLOTS / 2)
		abort();
	size_t s = slot_of(key);
	while (slot[s].address != FREE && slot[s].address != GONE)
		s = (s + 1) % SLOTS;
	slot[s].address = key;
	slot[s].frames = backtrace(slot[s].frame, FAIL_FRAMES);
	live++;
	pthread_mutex_unlock(&mutex);
}

bool live_remove(const void *p)
{
	uintptr_t key = ~(uintptr_t)p;
	pthread_mutex_lock(&mutex);
	size_t s = slot_of(key);
	while (slot[s].address != FREE && slot[s].address != key)
		s = (s + 1) % SLOTS;
	bool found = slot[s].address == key;
	if (found) {
		slot[s].address = GONE;
		live--;
	}
	pthread_mutex_unlock(&mutex);
	return found;
}

size_t fail_live(struct fail_report *report)
{
	for (size_t s = 0; live && s < SLOTS; s++)
		if (slot[s].address != FREE && slot[s].address != GONE) {
			report->leak_frames = slot[s].frames;
			memcpy(report->leak, slot[s].frame, sizeof slot[s].frame);
			break;
		}
	return live;
}
