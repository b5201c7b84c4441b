/* SPDX-License-Identifier: MIT */
/* The thread pool: persistent threads that share the indices of one run.
 *
 * A run is open while the caller has indices left to hand out.  Threads join
 * an open run by raising `inside` and looking again whether it is still open;
 * the caller closes the run and waits only for those inside, so a thread that
 * sleeps through a short run costs nothing. */
#define _GNU_SOURCE
#include "raster/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "core/level.h"
#include "raster/rs.h"

#if defined(__x86_64__)
#define cpu_relax() __builtin_ia32_pause()
#else
#define cpu_relax() ((void)0)
#endif

/* A thread without work looks for some so many times before it sleeps: longer
 * where every thread has a CPU, because a wake-up costs more than most pauses
 * between two runs last; where others wait for the CPU it gives it up soon. */
enum { SPINS_OWN_CPU = 2000, SPINS_SHARED_CPU = 300, SPINS_JOIN = 2000 };

struct rs_pool {
	unsigned threads;      /* the caller included */
	pthread_t *thread;
	unsigned started;
	int spins_idle;
	const int *abort;      /* or NULL */

	/* The run; stable while `open` is nonzero or someone is inside. */
	void (*fn)(void *data, uint32_t index, unsigned thread);
	void *data;
	uint32_t count;
	_Alignas(64) _Atomic uint64_t next;
	_Alignas(64) _Atomic uint32_t open;    /* number of the open run, 0: none */
	_Atomic uint32_t inside;
	_Atomic uint32_t sleepers;
	_Atomic bool caller_waits, quit;
	uint32_t runs;
	bool ahead;            /* a run that rs_pool_begin began, the caller's alone to know */

	pthread_mutex_t lock;
	pthread_cond_t wake, done;
};

struct start { struct rs_pool *pool; unsigned index; };

static bool aborted(const struct rs_pool *p)
{
	return p->abort && __atomic_load_n(p->abort, __ATOMIC_RELAXED);
}

static void take_indices(struct rs_pool *p, unsigned thread)
{
	for (;;) {
		uint64_t i = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
		if (i >= p->count || aborted(p))
			return;
		p->fn(p->data, (uint32_t)i, thread);
	}
}

static void leave_run(struct rs_pool *p)
{
	if (atomic_fetch_sub(&p->inside, 1) == 1 && atomic_load(&p->caller_waits)) {
		pthread_mutex_lock(&p->lock); /* whoever asked before waits by now */
		pthread_mutex_unlock(&p->lock);
		pthread_cond_signal(&p->done);
	}
}

/* Returns the number of a run other than `seen`, or 0 to quit. */
static uint32_t await_run(struct rs_pool *p, uint32_t seen)
{
	for (int i = 0; i < p->spins_idle; i++) {
		uint32_t run = atomic_load_explicit(&p->open, memory_order_relaxed);
		if (run && run != seen)
			return run;
		if (atomic_load_explicit(&p->quit, memory_order_relaxed))
			return 0;
		cpu_relax();
	}
	uint32_t run;
	pthread_mutex_lock(&p->lock);
	atomic_fetch_add(&p->sleepers, 1);
	for (;;) {
		run = atomic_load(&p->open);
		if ((run && run != seen) || atomic_load(&p->quit))
			break;
		pthread_cond_wait(&p->wake, &p->lock);
	}
	atomic_fetch_sub(&p->sleepers, 1);
	pthread_mutex_unlock(&p->lock);
	return atomic_load(&p->quit) ? 0 : run;
}

static void *thread_main(void *arg)
{
	struct start start = *(struct start *)arg;
	struct rs_pool *p = start.pool;
	free(arg);
	cu_fp_enter();
	uint32_t seen = 0;
	while ((seen = await_run(p, seen))) {
		atomic_fetch_add(&p->inside, 1);
		if (atomic_load(&p->open) == seen)
			take_indices(p, start.index);
		leave_run(p);
	}
	return NULL;
}

static bool start_thread(struct rs_pool *p, unsigned index)
{
	struct start *s = malloc(sizeof *s);
	if (!s)
		return false;
	*s = (struct start){ p, index };
	if (pthread_create(&p->thread[p->started], NULL, thread_main, s)) {
		free(s);
		return false;
	}
	p->started++;
	return true;
}

static bool sync_init(struct rs_pool *p)
{
	if (pthread_mutex_init(&p->lock, NULL))
		return false;
	if (pthread_cond_init(&p->wake, NULL))
		goto destroy_lock;
	if (pthread_cond_init(&p->done, NULL))
		goto destroy_wake;
	return true;

destroy_wake:
	pthread_cond_destroy(&p->wake);
destroy_lock:
	pthread_mutex_destroy(&p->lock);
	return false;
}

unsigned rs_cpus(void)
{
	cpu_set_t set;
	const int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
	return n < 1 ? 1 : (unsigned)n;
}

struct rs_pool *rs_pool_create(unsigned threads)
{
	struct rs_pool *p = aligned_alloc(64, (sizeof *p + 63) & ~(size_t)63);
	if (!p)
		return NULL;
	*p = (struct rs_pool){ .threads = threads ? threads : 1,
		.spins_idle = threads <= rs_cpus() ? SPINS_OWN_CPU : SPINS_SHARED_CPU };
	p->thread = calloc(p->threads, sizeof *p->thread);
	if (!p->thread || !sync_init(p)) {
		free(p->thread);
		free(p);
		return NULL;
	}
	/* The application's signals are not for these threads. */
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	bool ok = true;
	for (unsigned i = 1; i < p->threads && ok; i++)
		ok = start_thread(p, i);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ok)
		return p;
	rs_pool_destroy(p);
	return NULL;
}

void rs_pool_destroy(struct rs_pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	atomic_store(&p->quit, true);
	pthread_cond_broadcast(&p->wake);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i < p->started; i++)
		pthread_join(p->thread[i], NULL);
	pthread_cond_destroy(&p->done);
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->lock);
	free(p->thread);
	free(p);
}

void rs_pool_watch(struct rs_pool *p, const int *abort)
{
	p->abort = abort;
}

unsigned rs_pool_threads(const struct rs_pool *p)
{
	return p->threads;
}

static void wake_sleepers(struct rs_pool *p, uint32_t wanted)
{
	if (!atomic_load(&p->sleepers))
		return;
	const bool all = wanted >= p->threads - 1;
	pthread_mutex_lock(&p->lock);
	for (uint32_t i = 0; i < wanted && !all; i++)
		pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	if (all)
		pthread_cond_broadcast(&p->wake);
}

static void await_others(struct rs_pool *p)
{
	for (int i = 0; i < SPINS_JOIN; i++) {
		if (!atomic_load(&p->inside))
			return;
		cpu_relax();
	}
	pthread_mutex_lock(&p->lock);
	atomic_store(&p->caller_waits, true);
	while (atomic_load(&p->inside))
		pthread_cond_wait(&p->done, &p->lock);
	atomic_store(&p->caller_waits, false);
	pthread_mutex_unlock(&p->lock);
}

/* The caller takes none of it yet. */
static void open_run(struct rs_pool *p, uint32_t count, void (*fn)(void *data, uint32_t index, unsigned thread), void *data)
{
	/* Someone who looked at the last run too late may still be leaving. */
	await_others(p);
	p->fn = fn;
	p->data = data;
	p->count = count;
	atomic_store(&p->next, 0);
	if (++p->runs == 0)
		p->runs = 1;
	atomic_store(&p->open, p->runs);
}

static void close_run(struct rs_pool *p)
{
	take_indices(p, 0);
	atomic_store(&p->open, 0);
	await_others(p);
}

void rs_pool_run(struct rs_pool *p, uint32_t count,
	void (*fn)(void *data, uint32_t index, unsigned thread), void *data)
{
	rs_pool_end(p);
	if (count <= 1 || p->threads == 1) {
		for (uint32_t i = 0; i < count && !aborted(p); i++)
			fn(data, i, 0);
		return;
	}
	open_run(p, count, fn, data);
	wake_sleepers(p, count - 1);
	close_run(p);
}

void rs_pool_begin(struct rs_pool *p, uint32_t count,
	void (*fn)(void *data, uint32_t index, unsigned thread), void *data)
{
	rs_pool_end(p);
	open_run(p, count, fn, data);
	p->ahead = true;
	wake_sleepers(p, count);
}

bool rs_pool_is_done(const struct rs_pool *p)
{
	return !p->ahead || (atomic_load_explicit(&p->next, memory_order_relaxed) >= p->count && !atomic_load(&p->inside));
}

void rs_pool_end(struct rs_pool *p)
{
	if (!p->ahead)
		return;
	p->ahead = false;
	close_run(p);
}
