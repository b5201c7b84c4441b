/* SPDX-License-Identifier: MIT */
#include "core/jit/jit_later.h"

#include "core/jit/jit_image_priv.h"

struct jit_later *jit_later(struct jit_region *g, void (*make)(struct jit_region *g, const struct jit_later *l))
{
	struct jit_later *l = &g->later[g->later_count];
	*l = (struct jit_later){ .make = make, .at = g->at, .tiles = jit_image_may_tile(g),
		.begin = jit_x_label(g->b), .aside = jit_x_label(g->b), .look = jit_x_label(g->b), .weigh = jit_x_label(g->b), .done = jit_x_label(g->b) };
	if (g->later_count + 1 < LATER)
		g->later_count++;
	else
		g->b->failed = "too many images between the ends of strips"; /* two groups are all that meet there */
	return l;
}

void jit_later_make(struct jit_region *g)
{
	const int behind = jit_x_label(g->b);
	const uint32_t at = g->at;
	if (!g->later_count)
		return;
	XJ(g->b, JMP, behind);
	for (unsigned n = 0; n < g->later_count; n++) {
		const struct jit_later *l = &g->later[n];
		g->at = l->at;
		jit_mark(g->t, l->at);
		jit_x_bind(g->b, l->begin);
		l->make(g, l);
	}
	g->later_count = 0;
	g->at = at;
	jit_x_bind(g->b, behind);
}
