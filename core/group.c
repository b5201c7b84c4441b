/* SPDX-License-Identifier: MIT */
/* Workgroups of a compute program: waves share LDS and take turns between
 * barriers, on the calling thread, in order, so that results do not depend on
 * scheduling.  A wave that ended counts as arrived at every barrier. */
#include "core/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WAVES 64 /* 4096 invocations */

/* Of a wave's invocations in their group, by component. */
struct positions { uint32_t lane[3][CU_LANES]; };

struct cu_group_ctx {
	struct cu_slot slot;         /* of all waves; its wave is the one at hand */
	struct cu_wave *waves[MAX_WAVES];
	struct positions *positions[MAX_WAVES]; /* in groups of placed_size, of the first `placed` waves */
	uint32_t placed_size[3], placed;
	bool ended[MAX_WAVES];
	struct cu_inputs inputs;
	bool again;                  /* the next group's waves may be launched again */
};

struct cu_group_ctx *cu_group_ctx_create(void)
{
	return calloc(1, sizeof(struct cu_group_ctx));
}

void cu_group_ctx_destroy(struct cu_group_ctx *ctx)
{
	if (!ctx)
		return;
	for (unsigned i = 0; i < MAX_WAVES; i++) {
		free(ctx->positions[i]);
		free(ctx->waves[i]);
	}
	ctx->slot.wave = NULL;
	cu_slot_finish(&ctx->slot);
	free(ctx);
}

static bool fail(struct cu_error *err, const char *what)
{
	snprintf(err->text, sizeof(err->text), "workgroup: %s", what);
	return false;
}

static struct cu_wave *new_wave(void)
{
	struct cu_slot s = { 0 };
	cu_slot_init(&s, CU_SLOT_WAVE);
	return s.wave;
}

/* Waves, LDS and scratch for the group; kept for the next one. */
static bool reserve(struct cu_group_ctx *ctx, const struct cu_group *g, unsigned waves,
	struct cu_error *err)
{
	if (waves > MAX_WAVES)
		return fail(err, "more than 4096 invocations");
	if (g->lds_bytes > CU_LDS_BYTES)
		return fail(err, "more than 64 KiB of LDS");
	if (g->use.user_count > 16)
		return fail(err, "more than 16 user SGPRs");
	for (unsigned i = 0; i < waves; i++)
		if (!ctx->waves[i] && !(ctx->waves[i] = new_wave()))
			return fail(err, "no memory for a wave");
	if (!ctx->slot.lds && g->lds_bytes && !cu_slot_init(&ctx->slot, CU_SLOT_LDS))
		return fail(err, "no memory for LDS");
	if (!cu_slot_reserve(&ctx->slot, &g->use, waves))
		return fail(err, "no memory for scratch");
	return true;
}

/* x fastest; of wave i. */
static void find_positions(struct positions *p, const uint32_t size[3], unsigned i)
{
	const uint32_t first = i * CU_LANES;
	uint32_t at[3] = { first % size[0], first / size[0] % size[1], first / size[0] / size[1] };
	for (unsigned l = 0; l < CU_LANES; l++) {
		for (unsigned c = 0; c < 3; c++)
			p->lane[c][l] = at[c];
		if (++at[0] < size[0])
			continue;
		at[0] = 0;
		if (++at[1] < size[1])
			continue;
		at[1] = 0;
		at[2]++;
	}
}

/* The positions of all waves, which groups of one size share.  False without memory. */
static bool place(struct cu_group_ctx *ctx, const uint32_t size[3], unsigned waves)
{
	if (memcmp(ctx->placed_size, size, sizeof ctx->placed_size)) {
		memcpy(ctx->placed_size, size, sizeof ctx->placed_size);
		ctx->placed = 0;
	}
	for (; ctx->placed < waves; ctx->placed++) {
		struct positions **p = &ctx->positions[ctx->placed];
		if (!*p && !(*p = malloc(sizeof **p)))
			return false;
		find_positions(*p, size, ctx->placed);
	}
	return true;
}

/* next: the wave ran for the group before. */
static inline void start_wave(struct cu_group_ctx *ctx, const struct cu_group *g, unsigned i, uint32_t total, bool next)
{
	struct cu_wave *w = ctx->slot.wave = ctx->waves[i];
	const uint32_t left = total - i * CU_LANES;
	const uint64_t exec = left >= CU_LANES ? ~0ull : (1ull << left) - 1;
	if (next)
		cu_launch_again(&ctx->slot, &g->use, &ctx->inputs, exec, i);
	else
		cu_launch(&ctx->slot, &g->use, &ctx->inputs, exec, i);
	unsigned s = g->use.user_count;
	for (int c = 0; c < 3; c++)
		if (g->tgid_en[c])
			w->sgpr[s++] = g->tgid[c];
	memcpy(w->vgpr[0], ctx->positions[i]->lane, ctx->inputs.count * sizeof w->vgpr[0]);
	w->lds_bytes = g->lds_bytes;
	ctx->ended[i] = false;
}

static unsigned waves_of(uint32_t total)
{
	return (total + CU_LANES - 1) / CU_LANES;
}

static inline bool run(struct cu_group_ctx *ctx, const struct cu_group *g, bool next, struct cu_error *err)
{
	const uint32_t total = (uint32_t)cu_group_lanes(g);
	const unsigned waves = waves_of(total);
	if (g->lds_bytes)
		cu_fresh_fill(ctx->slot.lds, g->lds_bytes, g->bounds.poison);
	for (unsigned i = 0; i < waves; i++)
		start_wave(ctx, g, i, total, next);
	for (unsigned running = waves; running;) {
		for (unsigned i = 0; i < waves; i++) {
			if (ctx->ended[i])
				continue;
			/* not cu_slot_run: what one saw of memory may be older than another's start */
			enum cu_status s = cu_wave_run(g->use.program, ctx->waves[i]);
			if (s == CU_FAULT) {
				*err = ctx->waves[i]->error;
				ctx->again = false;
				return false;
			}
			if (s == CU_DONE) {
				ctx->ended[i] = true;
				running--;
			}
		}
	}
	return true;
}

bool cu_group_run(struct cu_group_ctx *ctx, const struct cu_group *g, struct cu_error *err)
{
	const uint64_t invocations = cu_group_lanes(g);
	ctx->again = false;
	if (!invocations || invocations > MAX_WAVES * CU_LANES)
		return invocations ? fail(err, "more than 4096 invocations") : true;
	const unsigned waves = waves_of((uint32_t)invocations);
	ctx->slot.bounds = g->bounds;
	if (!reserve(ctx, g, waves, err))
		return false;
	if (!place(ctx, g->size, waves))
		return fail(err, "no memory for positions");
	ctx->inputs = (struct cu_inputs)CU_INPUTS(g->tidig_comp_cnt < 2 ? 1 + g->tidig_comp_cnt : 3, CU_SETS_LANES);
	cu_inputs_list(&ctx->inputs, g->use.program);
	ctx->again = true;
	return run(ctx, g, false, err);
}

bool cu_group_run_next(struct cu_group_ctx *ctx, const struct cu_group *g, struct cu_error *err)
{
	return ctx->again ? run(ctx, g, true, err) : cu_group_run(ctx, g, err);
}
