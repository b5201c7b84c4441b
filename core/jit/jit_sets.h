/* SPDX-License-Identifier: MIT */
/* Sets of registers. */
#ifndef CORE_JIT_JIT_SETS_H
#define CORE_JIT_JIT_SETS_H

#include <stdbool.h>
#include <stdint.h>

struct vset { uint64_t w[4]; };      /* VGPRs */
struct sset { uint64_t lo, hi; };    /* SGPRs by number; SCC as number 125 */
#define S_SCC 125

static inline bool v_in(const struct vset *s, unsigned v) { return s->w[v / 64] >> v % 64 & 1; }
static inline void v_add(struct vset *s, unsigned v) { s->w[v / 64] |= 1ull << v % 64; }
static inline void v_del(struct vset *s, unsigned v) { s->w[v / 64] &= ~(1ull << v % 64); }
static inline void s_add(struct sset *s, unsigned r, unsigned n)
{
	for (unsigned i = r; i < r + n && i < 128; i++)
		*(i < 64 ? &s->lo : &s->hi) |= 1ull << i % 64;
}
static inline bool s_meet(struct sset a, struct sset b) { return (a.lo & b.lo) | (a.hi & b.hi); }
static inline struct sset s_join(struct sset a, struct sset b)
{
	return (struct sset){ a.lo | b.lo, a.hi | b.hi };
}
static inline bool s_none(struct sset s) { return !(s.lo | s.hi); }
static inline bool s_has(struct sset s, unsigned r) { return (r < 64 ? s.lo : s.hi) >> r % 64 & 1; }
/* Takes the least one out of a set that is not empty. */
static inline unsigned s_take(struct sset *s)
{
	uint64_t *w = s->lo ? &s->lo : &s->hi;
	const unsigned r = (unsigned)__builtin_ctzll(*w) + (w == &s->hi ? 64 : 0);
	*w &= *w - 1;
	return r;
}
#define S_EXEC_PAIR ((struct sset){ 0, 3ull << 62 })

/* What a VGPR set means to lanes that are on and to those that are off. */
struct vlive { struct vset on, off; };

#endif
