/* SPDX-License-Identifier: MIT */
/* Decoded programs by code address.  A program stays while memory still holds
 * its bytes; after an instruction-cache barrier that is looked up again at the
 * next use.  Programs may be made ahead of their use and dropped after it by
 * other threads than the one that executes streams; the lock keeps the table,
 * and is not held while a program is made. */
#include "raster/program_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/cu.h"
#include "core/jit/jit_host.h"
#include "core/level.h"
#include "core/memory.h"
#include "raster/rs.h"

enum { MAX_PROGRAM_DWORDS = 1 << 20 };

static struct rs_program_slot *find_slot(const struct rs_program_cache *c, uint64_t address)
{
	size_t i = (size_t)((address >> 8) * 0x9E3779B97F4A7C15ull >> 20);
	for (;; i++) {
		struct rs_program_slot *s = &c->slot[i & (c->slots - 1)];
		if (!s->address || s->address == address)
			return s;
	}
}

/* Room for one more.  Slots whose program was dropped are not carried over. */
static bool grow(struct rs_program_cache *c)
{
	if (c->slots && c->count * 2 < c->slots)
		return true;
	size_t live = 0;
	for (size_t i = 0; i < c->slots; i++)
		live += c->slot[i].program != NULL;
	struct rs_program_cache bigger = { .slots = c->slots ? c->slots : 64 };
	while (live * 4 >= bigger.slots)
		bigger.slots *= 2;
	bigger.slot = calloc(bigger.slots, sizeof *bigger.slot);
	if (!bigger.slot)
		return false;
	for (size_t i = 0; i < c->slots; i++)
		if (c->slot[i].program)
			*find_slot(&bigger, c->slot[i].address) = c->slot[i];
	free(c->slot);
	c->slot = bigger.slot;
	c->slots = bigger.slots;
	c->count = live;
	return true;
}

/* Keeps a replaced program until no pass can use it. */
static bool retire(struct rs_program_cache *c, struct cu_program *p)
{
	if (c->stale_count == c->stale_cap) {
		size_t cap = c->stale_cap ? c->stale_cap * 2 : 16;
		struct rs_program_stale *bigger = realloc(c->stale, cap * sizeof *bigger);
		if (!bigger)
			return false;
		c->stale = bigger;
		c->stale_cap = cap;
	}
	c->stale[c->stale_count++] = (struct rs_program_stale){ p, ++c->dropped };
	c->changes++;
	return true;
}

static void no_memory(struct cu_error *err)
{
	*err = (struct cu_error){ "no memory for a program" };
}

/* The program of the slot if memory still holds its bytes; else the slot is
 * emptied.  NULL then, or with *err without memory. */
static struct cu_program *current(struct rs_program_cache *c, struct rs_program_slot *s,
	const uint32_t *code, struct cu_error *err)
{
	if (!s->program || s->verified)
		return s->program;
	if (cu_program_matches(s->program, code)) {
		s->verified = true;
	} else if (retire(c, s->program)) {
		s->program = NULL;
	} else {
		no_memory(err);
		return NULL;
	}
	return s->program;
}

/* Puts a new program at its address; one that another thread put there first
 * wins.  NULL without memory; `program` is then destroyed. */
static struct cu_program *put(struct rs_program_cache *c, uint64_t address, struct cu_program *program,
	const struct rs_prepare *how, struct cu_error *err)
{
	struct cu_program *there = NULL;
	pthread_mutex_lock(&c->lock);
	if (grow(c)) {
		struct rs_program_slot *s = find_slot(c, address);
		there = s->program;
		if (!there) {
			c->count += !s->address;
			*s = (struct rs_program_slot){ .address = address, .program = program, .verified = true };
			if (how && how->label)
				snprintf(s->name, sizeof s->name, "%s", how->label);
			else
				snprintf(s->name, sizeof s->name, "at 0x%llx", (unsigned long long)address);
			there = program;
		}
	} else {
		no_memory(err);
	}
	pthread_mutex_unlock(&c->lock);
	if (there != program)
		cu_program_destroy(program);
	return there;
}

/* Dwords that may be read at `address`: to the end of the memory that it lies in, if
 * that has a name. */
static size_t readable(const struct rs_program_cache *c, uint64_t address)
{
	struct cu_span s = c->memory ? cu_memory_find(c->memory, address) : (struct cu_span){ 0, 0 };
	size_t dwords = (s.lo + s.bytes - address) / 4;
	return s.bytes && dwords < MAX_PROGRAM_DWORDS ? dwords : MAX_PROGRAM_DWORDS;
}

static struct cu_program *make(struct rs_program_cache *c, uint64_t address,
	const struct rs_prepare *how, struct cu_error *err)
{
	static const struct rs_prepare nothing = { 0 };
	char own[32];
	how = how ? how : &nothing;
	struct cu_program *p = how->decoded ? how->decoded : cu_program_create(c->level,
		(const uint32_t *)(uintptr_t)address, readable(c, address), err);
	if (!p)
		return NULL;
	cu_program_place(p, address);
	snprintf(own, sizeof own, "gcn_%llx", (unsigned long long)address);
	cu_host_add(c->host, p, how->name ? how->name : own,
		(struct cu_host_blob){ how->saved, how->saved_bytes });
	return p;
}

const struct cu_program *rs_programs_get(struct rs_program_cache *c, uint64_t address,
	const struct rs_prepare *how, struct cu_error *err)
{
	const uint32_t *code = (const uint32_t *)(uintptr_t)address;
	struct cu_program *p = NULL;
	err->text[0] = 0;
	pthread_mutex_lock(&c->lock);
	if (c->slots)
		p = current(c, find_slot(c, address), code, err);
	pthread_mutex_unlock(&c->lock);
	if (p || err->text[0]) {
		cu_program_destroy(how ? how->decoded : NULL);
		return p;
	}
	p = make(c, address, how, err);
	return p ? put(c, address, p, how, err) : NULL;
}

/* No lock where nothing has changed: what the reader got stays until it has let go of it, and by then the drop that
 * destroys it has been counted. */
const struct cu_program *rs_programs_read(struct rs_program_cache *c, struct rs_program_reader *r, uint64_t address,
	struct cu_error *err)
{
	const uint64_t changes = c->changes;
	if (r->changes != changes) {
		memset(r->recent, 0, sizeof r->recent);
		r->changes = changes;
	}
	/* Two of a place: a draw's programs come in turn, wherever they are. */
	struct rs_program_recent *const at = r->recent[(uint32_t)(address >> 8) * 0x9e3779b1u / (UINT32_MAX / RS_PROGRAMS_RECENT + 1)];
	for (unsigned k = 0; k < 2; k++)
		if (at[k].address == address)
			return at[k].program;
	const struct cu_program *p = rs_programs_get(c, address, NULL, err);
	if (p) {
		at[1] = at[0];
		at[0] = (struct rs_program_recent){ address, p };
	}
	return p;
}

void *rs_programs_save(struct rs_program_cache *c, uint64_t address, size_t *bytes)
{
	const struct cu_program *p = NULL;
	pthread_mutex_lock(&c->lock);
	if (c->slots)
		p = find_slot(c, address)->program;
	pthread_mutex_unlock(&c->lock);
	/* Nobody drops it meanwhile: see rs_gpu_save. */
	return p ? cu_host_save(c->host, p, bytes) : NULL;
}

void rs_programs_forget(struct rs_program_cache *c, uint64_t address)
{
	pthread_mutex_lock(&c->lock);
	if (c->slots) {
		struct rs_program_slot *s = find_slot(c, address);
		if (s->program && retire(c, s->program))
			s->program = NULL;
	}
	pthread_mutex_unlock(&c->lock);
}

uint64_t rs_programs_name(struct rs_program_cache *c, const struct cu_program *program, char name[RS_PROGRAM_NAME])
{
	uint64_t address = 0;
	snprintf(name, RS_PROGRAM_NAME, "(unknown)");
	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->slots; i++)
		if (c->slot[i].program == program) {
			memcpy(name, c->slot[i].name, RS_PROGRAM_NAME);
			address = c->slot[i].address;
		}
	pthread_mutex_unlock(&c->lock);
	return address;
}

void rs_programs_unverify(struct rs_program_cache *c)
{
	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->slots; i++)
		c->slot[i].verified = false;
	c->changes++;
	pthread_mutex_unlock(&c->lock);
}

void rs_programs_add_reader(struct rs_program_cache *c, struct rs_program_reader *r)
{
	pthread_mutex_lock(&c->lock);
	*r = (struct rs_program_reader){ .next = c->readers, .since = RS_READS_NONE };
	c->readers = r;
	pthread_mutex_unlock(&c->lock);
}

void rs_programs_remove_reader(struct rs_program_cache *c, struct rs_program_reader *r)
{
	pthread_mutex_lock(&c->lock);
	for (struct rs_program_reader **p = &c->readers; *p; p = &(*p)->next) {
		if (*p == r) {
			*p = r->next;
			break;
		}
	}
	pthread_mutex_unlock(&c->lock);
}

/* Destroys what was dropped before each reader last had nothing. */
static void free_stale(struct rs_program_cache *c)
{
	uint64_t since = RS_READS_NONE;
	size_t kept = 0;
	for (const struct rs_program_reader *r = c->readers; r; r = r->next)
		since = r->since < since ? r->since : since;
	for (size_t i = 0; i < c->stale_count; i++)
		if (c->stale[i].number <= since)
			cu_program_destroy(c->stale[i].program);
		else
			c->stale[kept++] = c->stale[i];
	c->stale_count = kept;
}

void rs_programs_enter(struct rs_program_cache *c, struct rs_program_reader *r)
{
	pthread_mutex_lock(&c->lock);
	r->since = c->dropped;
	pthread_mutex_unlock(&c->lock);
}

void rs_programs_leave(struct rs_program_cache *c, struct rs_program_reader *r)
{
	pthread_mutex_lock(&c->lock);
	r->since = RS_READS_NONE;
	free_stale(c);
	pthread_mutex_unlock(&c->lock);
}

void rs_programs_free_stale(struct rs_program_cache *c, struct rs_program_reader *r)
{
	pthread_mutex_lock(&c->lock);
	if (r->since != RS_READS_NONE)
		r->since = c->dropped;
	free_stale(c);
	pthread_mutex_unlock(&c->lock);
}

bool rs_programs_init(struct rs_program_cache *c, enum cu_level level, struct cu_host *host)
{
	*c = (struct rs_program_cache){ .level = level, .host = host };
	return !pthread_mutex_init(&c->lock, NULL);
}

void rs_programs_finish(struct rs_program_cache *c)
{
	free_stale(c);
	for (size_t i = 0; i < c->slots; i++)
		if (c->slot[i].program)
			cu_program_destroy(c->slot[i].program);
	free(c->slot);
	free(c->stale);
	pthread_mutex_destroy(&c->lock);
}
