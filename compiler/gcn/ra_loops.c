/* SPDX-License-Identifier: MIT */
/* What a loop leaves is not where its turns work.  Lanes leave a divergent loop one by one; what they leave with lives along the
 * logical graph from there to the loop's end alone, so that it could share a VGPR with what the lanes that go on compute: a
 * register of which some lanes are a result and others are not.  Hardware does not mind.  Translated code (core/jit) has to keep
 * the lanes that are off at each write, and where they hold integers, arithmetic on them stops for denormals.  While registers
 * are many, a bundle that is made in a loop and lives behind it has its register for all of the loop. */
#include "compiler/gcn/ra.h"

enum { BUNDLES = 1024, LOOPS = 32, VGPRS = 128 };

struct loop { uint32_t from, to; }; /* points */

/* Runs of blocks that are so deep at least. */
static unsigned find_loops(const struct ra *r, struct loop loops[LOOPS])
{
	unsigned n = 0, deepest = 0;
	for (const struct mir_block *b = r->m->first; b; b = b->next)
		deepest = b->depth > deepest ? b->depth : deepest;
	for (unsigned depth = 1; depth <= deepest; depth++)
		for (const struct mir_block *b = r->m->first; b; b = b->next) {
			if (b->depth < depth || (b->prev && b->prev->depth >= depth))
				continue;
			if (n == LOOPS)
				return n;
			const struct mir_block *last = b;
			while (last->next && last->next->depth >= depth)
				last = last->next;
			loops[n++] = (struct loop){ 2 * r->block_at[b->index], 2 * r->block_at[last->index + 1] };
		}
	return n;
}

/* Something begins within the loop, and something lives at its end. */
static bool leaves(const struct ra_segs *segs, struct loop l)
{
	bool begins = false, lives = false;
	for (const struct ra_seg *s = segs->first; s; s = s->next) {
		begins |= s->from > l.from && s->from < l.to;
		lives |= s->from <= l.to && s->to > l.to;
	}
	return begins && lives;
}

/* Segments ascend, and those that meet become one. */
static void add(struct ra *r, struct ra_segs *segs, struct loop l)
{
	struct ra_seg **at = &segs->first;
	while (*at && (*at)->to < l.from)
		at = &(*at)->next;
	struct ra_seg *seg = ir_alloc(r->pool, sizeof *seg), *rest = *at;
	*seg = (struct ra_seg){ l.from, l.to, NULL };
	for (; rest && rest->from <= seg->to; rest = rest->next) {
		seg->from = rest->from < seg->from ? rest->from : seg->from;
		seg->to = rest->to > seg->to ? rest->to : seg->to;
	}
	seg->next = rest;
	*at = seg;
	segs->near = NULL;
}

bool ra_part_lanes(struct ra *r)
{
	struct loop loops[LOOPS];
	const unsigned count = r->roomy && r->bundle_count <= BUNDLES ? find_loops(r, loops) : 0;
	r->roomy = count;
	if (r->roomy && r->limit[MIR_VGPR] > VGPRS)
		r->limit[MIR_VGPR] = VGPRS;
	for (uint32_t i = 0; count && i < r->bundle_count && !ir_pool_failed(r->pool); i++) {
		struct ra_bundle *b = &r->bundles[i];
		if (b->cls != MIR_VGPR || b->first == RA_NO_BUNDLE || b->fixed)
			continue;
		ir_charge(r->pool, 1 + b->width * count / 8);
		for (unsigned k = 0; k < b->width; k++)
			for (unsigned l = 0; l < count; l++)
				if (leaves(&b->segs[k], loops[l]))
					add(r, &b->segs[k], loops[l]);
	}
	return !ir_pool_failed(r->pool);
}
