/* SPDX-License-Identifier: MIT */
#include "icd/process.h"

#include <pthread.h>
#include "icd/device.h"

/* Of the process, not of an instance: hence file statics. */
static struct {
	_Atomic uint64_t memory, decoded;
	pthread_mutex_t mutex;
	struct icd_device *devices;      /* list */
	bool watches_forks;
} process = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static bool take(_Atomic uint64_t *from, uint64_t bytes, uint64_t most)
{
	uint64_t used = atomic_load(from);
	do {
		if (used > most || bytes > most - used)
			return false;
	} while (!atomic_compare_exchange_weak(from, &used, used + bytes));
	return true;
}

bool icd_process_take_memory(uint64_t bytes, uint64_t heap) { return take(&process.memory, bytes, heap); }
bool icd_process_take_decoded(uint64_t bytes, uint64_t most) { return take(&process.decoded, bytes, most); }

void icd_process_give_decoded(uint64_t bytes)
{
	atomic_fetch_sub(&process.decoded, bytes);
}

void icd_process_give_memory(uint64_t bytes)
{
	atomic_fetch_sub(&process.memory, bytes);
}

uint64_t icd_process_memory(void)
{
	return atomic_load(&process.memory);
}

/* With these held nobody is in the middle of something when the child is made. */
static void before_fork(void)
{
	pthread_mutex_lock(&process.mutex);
	for (struct icd_device *d = process.devices; d; d = d->next) {
		icd_queues_lock(d);
		pthread_mutex_lock(&d->sync_mutex);
	}
}

static void unlock_all(void)
{
	for (struct icd_device *d = process.devices; d; d = d->next) {
		pthread_mutex_unlock(&d->sync_mutex);
		icd_queues_unlock(d);
	}
	pthread_mutex_unlock(&process.mutex);
}

static void in_child(void)
{
	for (struct icd_device *d = process.devices; d; d = d->next)
		icd_device_abandon(d);
	unlock_all();
}

bool icd_process_add(struct icd_device *device)
{
	pthread_mutex_lock(&process.mutex);
	if (!process.watches_forks)
		process.watches_forks = pthread_atfork(before_fork, unlock_all, in_child) == 0;
	bool ok = process.watches_forks;
	if (ok) {
		device->next = process.devices;
		process.devices = device;
	}
	pthread_mutex_unlock(&process.mutex);
	return ok;
}

void icd_process_remove(struct icd_device *device)
{
	pthread_mutex_lock(&process.mutex);
	for (struct icd_device **p = &process.devices; *p; p = &(*p)->next) {
		if (*p == device) {
			*p = device->next;
			break;
		}
	}
	pthread_mutex_unlock(&process.mutex);
}
