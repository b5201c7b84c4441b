/* SPDX-License-Identifier: MIT */
/* How a wave is started, whatever it is for: where a thread runs it, what a draw or
 * dispatch makes of its program, what bounds it.
 *
 *   slot->bounds = ..., cu_slot_reserve(slot, use, 1);  rarely
 *   cu_launch(slot, use, inputs, exec, 0);
 *   ... VGPRs, further SGPRs, w->lds_bytes ...
 *   status = cu_slot_run(slot, use); */
#ifndef CORE_LAUNCH_H
#define CORE_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "core/cu.h"
#include "core/memory.h"

/* What holds for all waves of a device: see cu_wave and cu_wave_fresh. */
struct cu_bounds {
	const volatile int *abort;
	uint64_t budget;
	const struct cu_memory *memory;
	uint32_t poison;
	uint64_t border_colors;
};

/* Where a thread runs its waves, one after another; all zero at first. */
struct cu_slot {
	struct cu_bounds bounds;     /* of its waves */
	struct cu_wave *wave;
	struct cu_exports *exports;  /* NULL: none */
	uint8_t *lds;                /* CU_LDS_BYTES; NULL: none */
	struct cu_scratch scratch;
	struct cu_spans spans;
	struct cu_tex_cache tex;
	unsigned blank_rows;         /* of SGPRs, for the waves of cu_launch: cu_blank_rows */
};
/* Parts of a slot, blank. */
enum { CU_SLOT_WAVE = 1, CU_SLOT_EXPORTS = 2, CU_SLOT_LDS = 4 };
/* False without memory; cu_slot_finish is due even so. */
bool cu_slot_init(struct cu_slot *s, unsigned parts);
void cu_slot_finish(struct cu_slot *s);

/* A program as a draw or dispatch uses it. */
struct cu_program_use {
	const struct cu_program *program; /* NULL: none */
	uint32_t user[32];       /* user SGPRs, from s0 on */
	unsigned user_count;
	uint32_t mode;           /* MODE of its waves */
	uint32_t scratch_bytes;  /* of each wave */
};
/* Waves of both may share what was set up for one. */
static inline bool cu_use_is(const struct cu_program_use *a, const struct cu_program_use *b)
{
	return a->program == b->program && a->mode == b->mode && a->scratch_bytes == b->scratch_bytes &&
		a->user_count == b->user_count && !memcmp(a->user, b->user, a->user_count * sizeof a->user[0]);
}

/* VGPRs that the caller sets, as for cu_wave_fresh, and what that leaves to clear, if
 * somebody has made the lists: [1] for waves whose lanes are all on. */
struct cu_inputs {
	unsigned count;
	enum cu_lanes_set set;
	struct cu_fresh_list list[2];
	unsigned sgprs; /* behind the user SGPRs that the caller sets, too */
};
#define CU_INPUTS(count, set) { count, set, { { CU_FRESH_UNLISTED }, { CU_FRESH_UNLISTED } } }
static inline void cu_inputs_list(struct cu_inputs *in, const struct cu_program *p)
{
	cu_fresh_list(&in->list[0], p, in->count, in->set);
	cu_fresh_list(&in->list[1], p, in->count, CU_SETS_ALL);
}

/* Scratch for so many waves that share the slot: before the first of them. */
static inline bool cu_slot_reserve(struct cu_slot *s, const struct cu_program_use *u, unsigned waves)
{
	return !u->scratch_bytes || cu_scratch_reserve(&s->scratch, (size_t)u->scratch_bytes * waves);
}

/* Whether list says what a new wave's VGPRs need; then it is done. */
static inline __attribute__((always_inline)) bool cu_clear_listed(struct cu_wave *w, const struct cu_fresh_list *list)
{
	if (list->count == CU_FRESH_UNLISTED)
		return false;
	for (unsigned i = 0; i < list->count; i++)
		cu_clear(w->vgpr[list->vgpr[i]], CU_LANES);
	return true;
}

static inline __attribute__((always_inline)) void cu_set_user(struct cu_wave *w, const struct cu_program_use *u)
{
	unsigned k = 0;
	for (; k + 4 <= u->user_count; k += 4)
		memcpy(w->sgpr + k, u->user + k, 16);
	if (u->user_count & 2)
		memcpy(w->sgpr + k, u->user + k, 8);
	if (u->user_count & 1)
		w->sgpr[u->user_count - 1] = u->user[u->user_count - 1];
}

/* What nobody sets, and scratch, as a new wave finds them. */
static inline __attribute__((always_inline)) void cu_clear_unset(struct cu_slot *s, const struct cu_program_use *u,
	const struct cu_inputs *in, uint64_t exec, unsigned n)
{
	const uint32_t poison = s->bounds.poison;
	if (poison || !cu_clear_listed(s->wave, &in->list[exec == ~0ull]))
		cu_wave_fresh(s->wave, u->program, in->count, in->set, poison);
	cu_wave_scratch(s->wave, &s->scratch, (size_t)u->scratch_bytes * n, u->scratch_bytes, poison);
}

/* The slot's wave at its first instruction, with these lanes; n: of the waves that share
 * the slot, for scratch. */
static inline __attribute__((always_inline)) void cu_launch(struct cu_slot *s, const struct cu_program_use *u,
	const struct cu_inputs *in, uint64_t exec, unsigned n)
{
	const struct cu_bounds *b = &s->bounds;
	struct cu_wave *w = s->wave;
	s->blank_rows = cu_blank_rows(u->program, u->user_count + in->sgprs);
	cu_wave_init_rows(w, s->blank_rows, exec, s->exports);
	w->inputs = (uint16_t)in->count;
	cu_clear_unset(s, u, in, exec, n);
	w->mode = u->mode;
	cu_set_user(w, u);
	w->lds = s->lds;
	w->abort = b->abort;
	w->budget = b->budget;
	w->tex = &s->tex;
	w->border_colors = b->border_colors;
	cu_memory_enter(w, b->memory, &s->spans);
}

/* As cu_launch, for the next wave after one that it started: only what a program that has ended may have changed is set.
 * The slot's bounds and all arguments but exec are as they were. */
static inline __attribute__((always_inline)) void cu_launch_again(struct cu_slot *s, const struct cu_program_use *u,
	const struct cu_inputs *in, uint64_t exec, unsigned n)
{
	struct cu_wave *w = s->wave;
	cu_wave_begin(w, s->blank_rows, exec);
	cu_clear_unset(s, u, in, exec, n);
	w->mode = u->mode;
	cu_set_user(w, u);
	cu_memory_enter(w, s->bounds.memory, &s->spans);
}

/* The same for cu_wave.next, all lanes on, and whether it may be. */
static inline bool cu_may_launch_next(const struct cu_slot *s, const struct cu_program_use *u, const struct cu_inputs *in)
{
	return !s->bounds.poison && !u->scratch_bytes && in->list[1].count != CU_FRESH_UNLISTED;
}
static inline __attribute__((always_inline)) void cu_launch_next(struct cu_slot *s, const struct cu_inputs *in)
{
	s->wave->stays = 0;
	cu_exports_begin(s->exports);
	cu_clear_listed(s->wave, &in->list[1]);
}

/* As cu_wave_run. */
static inline enum cu_status cu_slot_run(struct cu_slot *s, const struct cu_program_use *u)
{
	return cu_wave_run(u->program, s->wave);
}

#endif
