/* SPDX-License-Identifier: MIT */
/* Workgroups of a compute program: waves share LDS and take turns between
 * barriers, on the calling thread, in order, so that results do not depend on
 * scheduling.  A wave that ended counts as arrived at every barrier. */
#include "core/cu.h"
#include "isa/abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WAVES 64 /* 4096 invocations */

struct cu_group_ctx {
	struct cu_wave *waves[MAX_WAVES];
	uint8_t *lds;
	struct cu_scratch scratch;
	bool ended[MAX_WAVES];
	struct cu_tex_cache tex;
};

struct cu_group_ctx *cu_group_ctx_create(void)
{
	return calloc(1, sizeof(struct cu_group_ctx));
}

void cu_group_ctx_destroy(struct cu_group_ctx *ctx)
{
	if (!ctx)
		return;
	for (unsigned i = 0; i < MAX_WAVES; i++)
		free(ctx->waves[i]);
	free(ctx->tex.set);
	free(ctx->lds);
	cu_scratch_free(&ctx->scratch);
	free(ctx);
}

static bool fail(struct cu_error *err, const char *what)
{
	snprintf(err->text, sizeof(err->text), "workgroup: %s", what);
	return false;
}

static struct cu_wave *new_wave(void)
{
	struct cu_wave *w = aligned_alloc(64, sizeof(struct cu_wave));
	if (w)
		memset(w, 0, sizeof(*w));
	return w;
}

/* Waves, LDS and scratch for the group; kept for the next one. */
static bool reserve(struct cu_group_ctx *ctx, const struct cu_group *g, unsigned waves,
	struct cu_error *err)
{
	if (waves > MAX_WAVES)
		return fail(err, "more than 4096 invocations");
	if (g->lds_bytes > CU_LDS_BYTES)
		return fail(err, "more than 64 KiB of LDS");
	if (g->user_sgprs > 16)
		return fail(err, "more than 16 user SGPRs");
	for (unsigned i = 0; i < waves; i++)
		if (!ctx->waves[i] && !(ctx->waves[i] = new_wave()))
			return fail(err, "no memory for a wave");
	if (!ctx->lds && g->lds_bytes && !(ctx->lds = aligned_alloc(64, CU_LDS_BYTES)))
		return fail(err, "no memory for LDS");
	if (!cu_scratch_reserve(&ctx->scratch, (size_t)g->scratch_bytes * waves))
		return fail(err, "no memory for scratch");
	return true;
}

/* v0.. the invocation's position in the group, x fastest. */
static void set_positions(struct cu_wave *w, const struct cu_group *g, unsigned first)
{
	uint32_t x = first % g->size[0], y = first / g->size[0] % g->size[1];
	uint32_t z = first / g->size[0] / g->size[1];
	for (unsigned l = 0; l < CU_LANES; l++) {
		w->vgpr[0][l] = x;
		if (g->tidig_comp_cnt >= 1)
			w->vgpr[1][l] = y;
		if (g->tidig_comp_cnt >= 2)
			w->vgpr[2][l] = z;
		if (++x == g->size[0]) {
			x = 0;
			if (++y == g->size[1]) {
				y = 0;
				z++;
			}
		}
	}
}

static void start_wave(struct cu_group_ctx *ctx, const struct cu_group *g, unsigned i, uint32_t total)
{
	struct cu_wave *w = ctx->waves[i];
	uint32_t left = total - i * CU_LANES;
	cu_wave_init(w, left >= CU_LANES ? ~0ull : (1ull << left) - 1, NULL);
	cu_wave_fresh(w, g->program, 1 + g->tidig_comp_cnt, CU_SETS_LANES, g->poison);
	if (g->set_mode)
		w->mode = g->mode;
	if (g->user_sgprs)
		memcpy(w->sgpr, g->user_data, g->user_sgprs * 4);
	unsigned s = g->user_sgprs;
	for (int c = 0; c < 3; c++)
		if (g->tgid_en[c])
			w->sgpr[s++] = g->tgid[c];
	set_positions(w, g, i * CU_LANES);
	w->lds = ctx->lds;
	w->lds_bytes = g->lds_bytes;
	w->abort = g->abort;
	w->budget = g->budget;
	w->memory = g->memory;
	w->tex = &ctx->tex;
	cu_wave_scratch(w, &ctx->scratch, (size_t)g->scratch_bytes * i, g->scratch_bytes, g->poison);
	ctx->ended[i] = false;
}

bool cu_group_run(struct cu_group_ctx *ctx, const struct cu_group *g, struct cu_error *err)
{
	uint64_t invocations = (uint64_t)g->size[0] * g->size[1] * g->size[2];
	if (!invocations || invocations > MAX_WAVES * CU_LANES)
		return invocations ? fail(err, "more than 4096 invocations") : true;
	uint32_t total = (uint32_t)invocations;
	unsigned waves = (total + CU_LANES - 1) / CU_LANES;
	if (!reserve(ctx, g, waves, err))
		return false;
	if (g->lds_bytes)
		cu_fresh_fill(ctx->lds, g->lds_bytes, g->poison);
	for (unsigned i = 0; i < waves; i++)
		start_wave(ctx, g, i, total);
	for (unsigned running = waves; running;) {
		for (unsigned i = 0; i < waves; i++) {
			if (ctx->ended[i])
				continue;
			enum cu_status s = cu_wave_run(g->program, ctx->waves[i]);
			if (s == CU_FAULT) {
				*err = ctx->waves[i]->error;
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
