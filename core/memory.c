/* SPDX-License-Identifier: MIT */
/* Ranges in a sorted table.  Readers take no lock: a sequence number, odd
 * while the table changes, tells them to look again.  A table that became too
 * small stays until the end, for readers that still look at it. */
#include "core/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct table {
	struct table *older;
	size_t capacity, count;
	struct cu_span span[];
};
struct cu_memory {
	pthread_mutex_t lock; /* of writers */
	uint64_t sequence; /* no other memory of the process has had it */
	struct table *table;
};

#define LOAD(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define STORE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)

static struct table *table_create(size_t capacity, struct table *older)
{
	struct table *t = calloc(1, sizeof(*t) + capacity * sizeof(t->span[0]));
	if (t) {
		t->capacity = capacity;
		t->older = older;
	}
	return t;
}
struct cu_memory *cu_memory_create(void)
{
	static uint64_t born;
	struct cu_memory *m = calloc(1, sizeof(*m));
	if (!m || !(m->table = table_create(64, NULL)) || pthread_mutex_init(&m->lock, NULL)) {
		if (m)
			free(m->table);
		free(m);
		return NULL;
	}
	m->sequence = __atomic_add_fetch(&born, 1, __ATOMIC_RELAXED) << 32;
	return m;
}
void cu_memory_destroy(struct cu_memory *m)
{
	if (!m)
		return;
	for (struct table *t = m->table, *older; t; t = older) {
		older = t->older;
		free(t);
	}
	pthread_mutex_destroy(&m->lock);
	free(m);
}

static void write_begin(struct cu_memory *m)
{
	STORE(m->sequence, m->sequence + 1);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}
static void write_end(struct cu_memory *m)
{
	__atomic_store_n(&m->sequence, m->sequence + 1, __ATOMIC_RELEASE);
}
static void put(struct table *t, size_t i, struct cu_span s)
{
	STORE(t->span[i].lo, s.lo);
	STORE(t->span[i].bytes, s.bytes);
}
/* Number of ranges that begin at or below a. */
static size_t position(const struct table *t, uint64_t a)
{
	size_t lo = 0, hi = LOAD(t->count);
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (LOAD(t->span[mid].lo) <= a)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool grow(struct cu_memory *m)
{
	struct table *old = m->table, *t = table_create(2 * old->capacity, old);
	if (!t)
		return false;
	for (size_t i = 0; i < old->count; i++)
		t->span[i] = old->span[i];
	t->count = old->count;
	__atomic_store_n(&m->table, t, __ATOMIC_RELEASE);
	return true;
}
bool cu_memory_add(struct cu_memory *m, const void *p, size_t bytes)
{
	bool ok = true;
	if (!bytes)
		return true;
	pthread_mutex_lock(&m->lock);
	if (m->table->count == m->table->capacity)
		ok = grow(m);
	if (ok) {
		struct table *t = m->table;
		size_t at = position(t, (uintptr_t)p);
		write_begin(m);
		for (size_t i = t->count; i > at; i--)
			put(t, i, t->span[i - 1]);
		put(t, at, (struct cu_span){ (uintptr_t)p, bytes });
		STORE(t->count, t->count + 1);
		write_end(m);
	}
	pthread_mutex_unlock(&m->lock);
	return ok;
}
void cu_memory_remove(struct cu_memory *m, const void *p)
{
	pthread_mutex_lock(&m->lock);
	struct table *t = m->table;
	size_t at = position(t, (uintptr_t)p);
	if (p && at && t->span[at - 1].lo == (uintptr_t)p) {
		write_begin(m);
		for (size_t i = at; i < t->count; i++)
			put(t, i - 1, t->span[i]);
		STORE(t->count, t->count - 1);
		write_end(m);
	}
	pthread_mutex_unlock(&m->lock);
}

struct cu_span cu_memory_find(const struct cu_memory *m, uint64_t a)
{
	for (;;) {
		uint64_t before = __atomic_load_n(&m->sequence, __ATOMIC_ACQUIRE);
		const struct table *t = __atomic_load_n(&m->table, __ATOMIC_ACQUIRE);
		struct cu_span s = { 0, 0 };
		size_t at = position(t, a);
		if (at) {
			s.lo = LOAD(t->span[at - 1].lo);
			s.bytes = LOAD(t->span[at - 1].bytes);
		}
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (before & 1 || LOAD(m->sequence) != before)
			continue;
		return a - s.lo < s.bytes ? s : (struct cu_span){ 0, 0 };
	}
}

uint64_t cu_memory_sequence(const struct cu_memory *m)
{
	return __atomic_load_n(&m->sequence, __ATOMIC_ACQUIRE);
}

static void forget_ranges(struct cu_wave *w)
{
	memset(w->span, 0, sizeof w->span);
	memset(w->near, 0, sizeof w->near);
}

void cu_memory_enter(struct cu_wave *w, const struct cu_memory *m, struct cu_spans *seen)
{
	w->memory = m;
	if (!m)
		return;
	/* Odd or old: the ranges seen may be gone. */
	const uint64_t sequence = cu_memory_sequence(m);
	w->many = seen->many;
	if (w->span_sequence != sequence || sequence & 1)
		forget_ranges(w);
	w->span_sequence = sequence;
	if (seen->sequence != sequence || sequence & 1)
		memset(seen->many, 0, sizeof seen->many);
	seen->sequence = sequence;
}

/* The range of a, by what the thread has seen before. */
static struct cu_span find(const struct cu_wave *w, uint64_t a, uint64_t bytes)
{
	struct cu_span *known = w->many ? &w->many[(uint32_t)(a >> 12) * CU_SPAN_HASH >> CU_MANY_SHIFT] : NULL;
	if (known && cu_span_holds(known, a, bytes))
		return *known;
	const struct cu_span s = cu_memory_find(w->memory, a);
	if (known && s.bytes)
		*known = s;
	return s;
}

bool cu_memory_look_up(struct cu_wave *w, uint64_t a, uint64_t bytes)
{
	if (!w->memory)
		return a >= CU_LOWEST && a < 1ull << 47 && bytes <= (1ull << 47) - a;
	struct cu_span *slot = cu_span_of(w, a);
	for (int i = 0; i < CU_SPANS; i++)
		if (cu_span_holds(&w->span[i], a, bytes)) {
			/* Another of its pages was met first: code looks in this one's place alone. */
			if (!slot->bytes)
				*slot = w->span[i];
			return true;
		}
	struct cu_span s = find(w, a, bytes);
	if (!cu_span_holds(&s, a, bytes))
		return false;
	/* Who was here is still found by looking everywhere: where nobody is, or else next to it. */
	size_t at = (size_t)(slot - w->span), to = at + 1;
	for (size_t i = at; i < at + CU_SPANS; i++)
		if (!w->span[i & (CU_SPANS - 1)].bytes) {
			to = i;
			break;
		}
	w->span[to & (CU_SPANS - 1)] = *slot;
	*slot = s;
	return true;
}

bool cu_memory_look_near(struct cu_wave *w, unsigned at, uint64_t a, uint64_t bytes)
{
	if (!cu_mapped(w, a, bytes))
		return false;
	const struct cu_span *s = cu_span_of(w, a), *end = w->span + CU_SPANS;
	if (!cu_span_holds(s, a, bytes))
		for (s = w->span; s < end && !cu_span_holds(s, a, bytes);)
			s++;
	if (s < end)
		w->near[at] = *s;
	return true;
}
