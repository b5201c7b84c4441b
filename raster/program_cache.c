/* Decoded programs by code address.  A program stays while memory still holds
 * its bytes; after an instruction-cache barrier that is looked up again at the
 * next use. */
#include <stdlib.h>
#include "raster/front.h"

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

static bool grow(struct rs_program_cache *c)
{
	if (c->slots && c->count * 2 < c->slots)
		return true;
	struct rs_program_cache bigger = *c;
	bigger.slots = c->slots ? c->slots * 2 : 64;
	bigger.slot = calloc(bigger.slots, sizeof *bigger.slot);
	if (!bigger.slot)
		return false;
	for (size_t i = 0; i < c->slots; i++)
		if (c->slot[i].address)
			*find_slot(&bigger, c->slot[i].address) = c->slot[i];
	free(c->slot);
	*c = bigger;
	return true;
}

/* Keeps a replaced program until no pass can use it. */
static bool retire(struct rs_program_cache *c, struct cu_program *p)
{
	if (c->stale_count == c->stale_cap) {
		size_t cap = c->stale_cap ? c->stale_cap * 2 : 16;
		struct cu_program **bigger = realloc(c->stale, cap * sizeof *bigger);
		if (!bigger)
			return false;
		c->stale = bigger;
		c->stale_cap = cap;
	}
	c->stale[c->stale_count++] = p;
	return true;
}

static void no_memory(struct cu_error *err)
{
	*err = (struct cu_error){ "no memory for a program" };
}

const struct cu_program *rs_programs_get(struct rs_program_cache *c, enum cu_level level,
	uint64_t address, struct cu_error *err)
{
	if (!grow(c)) {
		no_memory(err);
		return NULL;
	}
	const uint32_t *code = (const uint32_t *)(uintptr_t)address;
	struct rs_program_slot *s = find_slot(c, address);
	if (s->program && !s->verified) {
		if (cu_program_matches(s->program, code)) {
			s->verified = true;
		} else {
			if (!retire(c, s->program)) {
				no_memory(err);
				return NULL;
			}
			s->program = NULL;
		}
	}
	if (!s->program) {
		s->program = cu_program_create(level, code, MAX_PROGRAM_DWORDS, err);
		if (!s->program)
			return NULL;
		if (!s->address)
			c->count++;
		s->address = address;
		s->verified = true;
	}
	return s->program;
}

void rs_programs_unverify(struct rs_program_cache *c)
{
	for (size_t i = 0; i < c->slots; i++)
		c->slot[i].verified = false;
}

void rs_programs_free_stale(struct rs_program_cache *c)
{
	for (size_t i = 0; i < c->stale_count; i++)
		cu_program_destroy(c->stale[i]);
	c->stale_count = 0;
}

void rs_programs_finish(struct rs_program_cache *c)
{
	rs_programs_free_stale(c);
	for (size_t i = 0; i < c->slots; i++)
		if (c->slot[i].program)
			cu_program_destroy(c->slot[i].program);
	free(c->slot);
	free(c->stale);
	*c = (struct rs_program_cache){ 0 };
}
