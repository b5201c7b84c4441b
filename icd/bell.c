/* SPDX-License-Identifier: MIT */
#include "icd/bell.h"

#include "raster/rs.h"

/* LONG_ENOUGH: ticks of the time stamp counter, some 50 microseconds, in which an idle CPU wakes up and a small submission is
 * done, so that both sides soon find each other awake. */
enum { LONG_ENOUGH = 150000, REST = 32 };

void icd_bell_init(struct icd_bell *b)
{
	atomic_init(&b->rings, 0);
	atomic_init(&b->rest, 0);
	b->worth_it = rs_cpus() > 1;
}

void icd_bell_ring(struct icd_bell *b) { atomic_fetch_add(&b->rings, 1); }

static void look_out(struct icd_bell *b, uint32_t rings)
{
	if (!b->worth_it)
		return;
	const uint32_t rest = atomic_load_explicit(&b->rest, memory_order_relaxed);
	if (rest) {
		atomic_store_explicit(&b->rest, rest - 1, memory_order_relaxed);
		return;
	}
	for (const uint64_t begin = __builtin_ia32_rdtsc(); __builtin_ia32_rdtsc() - begin < LONG_ENOUGH;) {
		if (atomic_load(&b->rings) != rings)
			return;
		__builtin_ia32_pause();
	}
	atomic_store_explicit(&b->rest, REST, memory_order_relaxed);
}

void icd_bell_listen(struct icd_bell *b, pthread_mutex_t *mutex)
{
	const uint32_t rings = atomic_load(&b->rings);
	pthread_mutex_unlock(mutex);
	look_out(b, rings);
	pthread_mutex_lock(mutex);
}
