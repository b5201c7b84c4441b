/* SPDX-License-Identifier: MIT */
/* Which program points of a hardware register are taken: where a bundle finds room.
 *
 * A register's points are bits of a row.  Above the rows are two sets for each
 * word of 64 points: registers that are taken at some of them, and at all.  A
 * look at one of these answers for the whole file, so a search costs by the
 * length of what is placed, not by that times the number of registers.  Words
 * that a segment takes from end to end are noted in the sets alone. */
#include "compiler/gcn/ra.h"

enum { SETS = RA_MAP_SETS, CHECK = 16 /* words between two looks at what is left */ };

/* The points [from, to) as words of a row: bits of the first and of the last, all between. */
struct part { uint32_t first, last; uint64_t head, tail; };

static struct part part_of(uint32_t from, uint32_t to)
{
	struct part p = { from / 64, (to - 1) / 64, ~0ull << from % 64, ~0ull >> (63 - (to - 1) % 64) };
	if (p.first == p.last)
		p.head = p.tail = p.head & p.tail;
	return p;
}

static uint64_t *row_of(const struct ra_map *map, unsigned reg) { return map->points + (size_t)reg * map->words; }

bool ra_map_init(struct ra_map *map, struct ir_pool *pool, unsigned registers, uint32_t points)
{
	map->words = points / 64 + 1;
	map->points = ir_calloc(pool, (size_t)registers * map->words, sizeof *map->points);
	map->taken = ir_calloc(pool, map->words, sizeof *map->taken);
	return map->points && map->taken;
}

void ra_map_finish(struct ra_map *map, struct ir_pool *pool)
{
	ir_free(pool, map->points);
	ir_free(pool, map->taken);
}

/* --- taking and giving back --- */

static void put_bit(uint64_t *set, uint64_t bit, bool on)
{
	*set = on ? *set | bit : *set & ~bit;
}

static void flip_word(struct ra_map *map, unsigned reg, uint32_t w, uint64_t bits)
{
	uint64_t *word = &row_of(map, reg)[w], bit = 1ull << reg % 64;
	*word ^= bits;
	put_bit(&map->taken[w].some[reg / 64], bit, *word);
	put_bit(&map->taken[w].all[reg / 64], bit, !~*word);
}

static uint32_t flip(struct ra_map *map, unsigned reg, const struct ra_seg *s)
{
	struct part p = part_of(s->from, s->to);
	uint64_t bit = 1ull << reg % 64;
	flip_word(map, reg, p.first, p.head);
	if (p.first == p.last)
		return 1;
	for (uint32_t w = p.first + 1; w < p.last; w++) {
		map->taken[w].some[reg / 64] ^= bit;
		map->taken[w].all[reg / 64] ^= bit;
	}
	flip_word(map, reg, p.last, p.tail);
	return 2 + (p.last - p.first) / 4;
}

void ra_map_flip(struct ra *r, const struct ra_bundle *b)
{
	uint32_t steps = 0;
	for (unsigned i = 0; i < b->width; i++)
		for (const struct ra_seg *s = b->segs[i].first; s; s = s->next)
			steps += flip(&r->map[b->cls], b->reg + i, s);
	ir_charge(r->pool, steps / 8);
}

/* --- finding room --- */

/* Of a set of first registers, those whose i-th next one is in `taken` are no good. */
static void strike(uint64_t bases[SETS], const uint64_t taken[SETS], unsigned i)
{
	for (unsigned k = 0; k < SETS; k++)
		bases[k] &= ~(taken[k] >> i | (i && k + 1 < SETS ? taken[k + 1] << (64 - i) : 0));
}

static bool any_of(const uint64_t set[SETS])
{
	uint64_t any = 0;
	for (unsigned k = 0; k < SETS; k++)
		any |= set[k];
	return any;
}

/* Strikes what the sets say about a segment; false: nothing is left. */
static bool strike_segment(const struct ra_map *map, const struct ra_seg *s, unsigned i, uint64_t bases[SETS], uint64_t *steps)
{
	struct part p = part_of(s->from, s->to);
	uint64_t taken[SETS];
	for (unsigned k = 0; k < SETS; k++)
		taken[k] = map->taken[p.first].all[k] | map->taken[p.last].all[k];
	for (uint32_t w = p.first + 1; w < p.last;) {
		uint32_t end = p.last - w > CHECK ? w + CHECK : p.last;
		*steps += end - w;
		for (; w < end; w++)
			for (unsigned k = 0; k < SETS; k++)
				taken[k] |= map->taken[w].some[k];
		strike(bases, taken, i);
		if (!any_of(bases))
			return false;
	}
	strike(bases, taken, i);
	++*steps;
	return any_of(bases);
}

/* The words at the ends of segments, where only some points count. */
static bool ends_fit(const struct ra_map *map, const struct ra_bundle *b, unsigned reg, uint64_t *steps)
{
	for (unsigned i = 0; i < b->width; i++) {
		const uint64_t *row = row_of(map, reg + i);
		for (const struct ra_seg *s = b->segs[i].first; s; s = s->next) {
			struct part p = part_of(s->from, s->to);
			++*steps;
			if ((row[p.first] & p.head) || (row[p.last] & p.tail))
				return false;
		}
	}
	return true;
}

static unsigned first_of(uint64_t bases[SETS], const struct ra_map *map, const struct ra_bundle *b, uint64_t *steps)
{
	for (unsigned i = 0; i < b->width; i++)
		for (const struct ra_seg *s = b->segs[i].first; s; s = s->next)
			if (!strike_segment(map, s, i, bases, steps))
				return MIR_NONE;
	for (unsigned k = 0; k < SETS; k++)
		for (uint64_t left = bases[k]; left; left &= left - 1) {
			unsigned reg = 64 * k + (unsigned)__builtin_ctzll(left);
			if (ends_fit(map, b, reg, steps))
				return reg;
		}
	return MIR_NONE;
}

/* Every `align`-th register (a power of two up to 16) from first on, before end. */
static void set_bases(uint64_t bases[SETS], unsigned first, unsigned end, unsigned align)
{
	static const uint64_t every[] = { ~0ull, 0x5555555555555555, 0x1111111111111111, 0x0101010101010101,
		0x0001000100010001 };
	uint64_t pattern = every[__builtin_ctz(align)] << first % align;
	for (unsigned k = 0; k < SETS; k++) {
		unsigned from = first > 64 * k ? first - 64 * k : 0, to = end > 64 * k ? end - 64 * k : 0;
		uint64_t below = to > 63 ? ~0ull : (1ull << to) - 1;
		bases[k] = from > 63 ? 0 : pattern & below & ~0ull << from;
	}
}

unsigned ra_map_find(struct ra *r, const struct ra_bundle *b, unsigned first, unsigned end)
{
	uint64_t bases[SETS] = { 0 }, steps = 0;
	if (first + b->width <= end)
		set_bases(bases, first, end - b->width + 1, b->align);
	unsigned reg = first_of(bases, &r->map[b->cls], b, &steps);
	ir_charge(r->pool, 1 + steps / 16);
	return reg;
}
