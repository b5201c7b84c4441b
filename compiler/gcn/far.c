/* SPDX-License-Identifier: MIT */
/* Branches that reach further than their 16 bits (Vega ISA 12.3 SOPP: 32767
 * dwords): they go by way of islands.  An island is an s_branch of its own that
 * the code around it jumps over; one stands for every far target at each site,
 * and sites stand close enough for a branch to reach the next.  Neither
 * registers nor SCC are needed, and every target stays known to who reads the
 * code.  Programs whose branches all reach are left alone. */
#include "compiler/gcn/back.h"

enum { REACH = 32767, SPACING = 12288, FAR = 20480 /* these take islands in a program that needs some */,
	/* Islands a site: two sites may lie in a branch that takes none.  More targets than the front end's
	 * SPV_MAX_LISTS allows: each construct around a site has three at the most, a loop's head, continue and exit. */
	MOST = (REACH - FAR) / 2 - 8 };

#define NOWHERE UINT32_MAX /* number of an island's block */

/* Between two instructions; `over` is the code that goes on behind it. */
struct site { struct mir_block *over; uint32_t islands; };
struct mir_island { struct mir_island *next; uint32_t site; struct mir_block *block; };

struct far {
	struct mir_func *m;
	struct site *sites;
	uint32_t count;
};

static bool any_far(const struct mir_func *m)
{
	for (const struct mir_block *b = m->first; b; b = b->next)
		for (const struct mir_inst *in = b->first; in; in = in->next) {
			int64_t span = in->target ? (int64_t)in->target->address - in->at : 0;
			if (span > REACH || span < -REACH)
				return true;
		}
	return false;
}

static void insert_block(struct mir_func *m, struct mir_block *before, struct mir_block *b)
{
	b->placed = true;
	b->next = before;
	b->prev = before->prev;
	*(before->prev ? &before->prev->next : &m->first) = b;
	before->prev = b;
}

static struct mir_inst *jump_in(struct mir_func *m, struct mir_block *b, struct mir_block *to)
{
	struct mir_inst *in = mir_inst_new(m, GCN_S_BRANCH);
	in->target = to;
	mir_append(b, in);
	return in;
}

/* What begins with `in` becomes the code behind a new site. */
static struct mir_block *cut(struct far *f, struct mir_block *b, struct mir_inst *in)
{
	struct mir_block *over = mir_block_new(f->m, b->depth);
	over->prev = b;
	over->next = b->next;
	*(b->next ? &b->next->prev : &f->m->last) = over;
	b->next = over;
	over->placed = true;
	over->address = in->at;
	over->first = in;
	over->last = b->last;
	b->last = in->prev;
	*(in->prev ? &in->prev->next : &b->first) = NULL;
	in->prev = NULL;
	jump_in(f->m, b, over)->at = in->at;
	f->sites[f->count++] = (struct site){ over, 0 };
	return over;
}

/* Sites; blocks are numbered by how many lie before them. */
static void cut_all(struct far *f)
{
	uint32_t next = SPACING;
	for (struct mir_block *b = f->m->first; b; b = b->next) {
		b->index = f->count;
		for (struct mir_inst *in = b->first; in; in = in->next) {
			if (in->at >= next && !ir_pool_failed(f->m->pool)) {
				b = cut(f, b, in);
				b->index = f->count;
				next = in->at + SPACING;
			}
			in->block = b;
		}
	}
}

/* The island for `to` at a site, which is found or made; made, it still leads nowhere. */
static struct mir_island *island_at(struct far *f, struct mir_block *to, uint32_t site, bool *made)
{
	uint32_t steps = 1;
	for (struct mir_island *i = to->islands; i; i = i->next, steps++)
		if (i->site == site) {
			*made = false;
			return i;
		}
	ir_charge(f->m->pool, steps);
	struct mir_island *i = ir_alloc(f->m->pool, sizeof *i);
	*i = (struct mir_island){ to->islands, site, mir_block_new(f->m, 0) };
	i->block->index = NOWHERE;
	insert_block(f->m, f->sites[site].over, i->block);
	f->sites[site].islands++;
	to->islands = i;
	*made = true;
	return i;
}

/* From site to site until one is there already, or the target is near. */
static void route(struct far *f, struct mir_inst *in)
{
	struct mir_block *to = in->target;
	bool forward = to->index > in->block->index, made = true;
	uint32_t site = forward ? in->block->index : in->block->index - 1;
	struct mir_inst *from = in;
	while (made && !ir_pool_failed(f->m->pool)) {
		struct mir_island *i = island_at(f, to, site, &made);
		from->target = i->block;
		if (made)
			from = jump_in(f->m, i->block, to);
		if (site == (forward ? to->index - 1 : to->index))
			break;
		site = forward ? site + 1 : site - 1;
	}
}

static bool is_far(const struct mir_inst *in)
{
	if (!in->target)
		return false;
	int64_t span = (int64_t)in->target->address - in->at;
	return (span > FAR || span < -FAR) && in->target->index != in->block->index;
}

bool back_far(struct mir_func *m, uint32_t dwords, bool *moved, char *message, size_t message_size)
{
	*moved = dwords > REACH && any_far(m);
	if (!*moved)
		return true;
	struct far f = { .m = m, .sites = ir_alloc(m->pool, (dwords / SPACING + 2) * sizeof *f.sites) };
	if (ir_pool_failed(m->pool))
		return false;
	cut_all(&f);
	for (struct mir_block *b = m->first; b && !ir_pool_failed(m->pool); b = b->next)
		for (struct mir_inst *in = b->first; in; in = in->next)
			if (b->index != NOWHERE && is_far(in))
				route(&f, in);
	for (uint32_t i = 0; i < f.count; i++)
		if (f.sites[i].islands > MOST) {
			snprintf(message, message_size, "the shader is too long: more than %d far branches cross one place", MOST);
			return false;
		}
	return !ir_pool_failed(m->pool);
}
