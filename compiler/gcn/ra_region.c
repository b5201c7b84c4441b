/* SPDX-License-Identifier: MIT */
/* Regions of the layout that liveness steps over: blocks [head, exit) that are
 * entered from elsewhere at their head alone and left to the exit alone, which is
 * entered from there, or from behind it in a loop.  What is live at the exit and not
 * touched inside is live all through, and at the head.
 * Heads are exits of regions before them; jumps pass over many of those at once. */
#include "compiler/gcn/ra.h"

static void note(struct ra_span *s, uint32_t block)
{
	s->low = block < s->low || s->low == RA_NO_BLOCK ? block : s->low;
	s->high = block > s->high || s->high == RA_NO_BLOCK ? block : s->high;
}

static void find_spans(struct ra_regions *g, const struct mir_func *m, bool logical)
{
	for (uint32_t i = 0; i < m->block_count; i++)
		g->in[i] = g->out[i] = (struct ra_span){ RA_NO_BLOCK, RA_NO_BLOCK };
	for (const struct mir_block *b = m->first; b; b = b->next)
		for (int k = 0; k < 2; k++) {
			const struct mir_block *to = logical ? b->logical[k] : b->linear[k];
			if (!to)
				continue;
			note(&g->out[b->index], to->index);
			note(&g->in[to->index], b->index);
		}
}

static uint32_t lower(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The nearest head of a region that ends before `exit`.  From block to block, or
 * over regions that are known, down to where no edge leads below any more. */
static uint32_t find_head(const struct ra_regions *g, uint32_t exit, uint32_t *steps)
{
	uint32_t at = exit, low = lower(exit, g->in[exit].low);
	for (; *steps; --*steps) {
		if (at != exit) { /* inside, not the head */
			if (g->in[at].low == RA_NO_BLOCK || g->in[at].high >= exit)
				break;
			low = lower(low, g->in[at].low);
		}
		if (at != exit && g->head[at] != RA_NO_BLOCK) {
			at = g->head[at];
		} else {
			at = g->before[at];
			if (at == RA_NO_BLOCK || g->out[at].low == RA_NO_BLOCK || g->out[at].high > exit)
				break;
			low = lower(low, g->out[at].low);
		}
		/* A head that a loop goes back to from behind is no exit of one before. */
		if (low >= at)
			return g->in[at].low == RA_NO_BLOCK || g->in[at].high < exit ? at : RA_NO_BLOCK;
	}
	return RA_NO_BLOCK;
}

/* Of twice as many regions as the jumps that it is made of, or of one. */
static void link_exit(struct ra_regions *g, uint32_t exit, uint32_t head)
{
	g->head[exit] = g->jump[exit] = head;
	if (head == RA_NO_BLOCK)
		return;
	g->depth[exit] = g->depth[head] + 1;
	uint32_t once = g->jump[head], twice = once == RA_NO_BLOCK ? RA_NO_BLOCK : g->jump[once];
	if (twice != RA_NO_BLOCK && g->depth[head] - g->depth[once] == g->depth[once] - g->depth[twice])
		g->jump[exit] = twice;
}

bool ra_regions_find(struct ra *r, struct ra_regions *g, const uint32_t *before, bool logical)
{
	enum { STEPS = 16 }; /* a block; nests and rows need two or three */
	const struct mir_func *m = r->m;
	g->in = ir_alloc(r->pool, (m->block_count + 1) * sizeof *g->in);
	g->out = ir_alloc(r->pool, (m->block_count + 1) * sizeof *g->out);
	g->head = ir_alloc(r->pool, (m->block_count + 1) * sizeof *g->head);
	g->jump = ir_alloc(r->pool, (m->block_count + 1) * sizeof *g->jump);
	g->depth = ir_alloc(r->pool, (m->block_count + 1) * sizeof *g->depth);
	if (ir_pool_failed(r->pool))
		return false;
	g->before = before;
	find_spans(g, m, logical);
	uint32_t all = STEPS * m->block_count, left = all;
	for (uint32_t i = 0; i < m->block_count; i++)
		link_exit(g, i, g->in[i].low == RA_NO_BLOCK ? RA_NO_BLOCK : find_head(g, i, &left));
	return ir_charge(r->pool, (all - left) / 4 + m->block_count / 2);
}

uint32_t ra_region_head(const struct ra_regions *g, uint32_t exit, uint32_t least, uint32_t *steps)
{
	uint32_t at = exit;
	for (; g->head[at] != RA_NO_BLOCK && g->head[at] >= least; ++*steps)
		at = g->jump[at] != RA_NO_BLOCK && g->jump[at] >= least ? g->jump[at] : g->head[at];
	return at;
}
