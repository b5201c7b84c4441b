/* SPDX-License-Identifier: MIT */
/* Bundles: registers joined by copies that can share one place. */
#include "compiler/gcn/ra.h"

/* Where to begin with two lists: what lies before the later of their starts
 * need not be walked from its beginning. */
static struct ra_seg *begin(const struct ra_segs *of, const struct ra_segs *other)
{
	return of->near && of->near->from <= other->first->from ? of->near : of->first;
}

static bool overlap(struct ra *r, const struct ra_segs *x, const struct ra_segs *y)
{
	if (!x->first || !y->first)
		return false;
	const struct ra_seg *a = begin(x, y), *b = begin(y, x);
	uint32_t steps = 0;
	while (a && b) {
		steps++;
		if (a->to <= b->from)
			a = a->next;
		else if (b->to <= a->from)
			b = b->next;
		else
			break;
	}
	ir_charge(r->pool, steps / 4);
	return a && b;
}

/* They do not overlap. */
static struct ra_segs merge(struct ra *r, const struct ra_segs *x, const struct ra_segs *y)
{
	if (!x->first || !y->first)
		return x->first ? *x : *y;
	bool x_first = x->first->from < y->first->from;
	struct ra_segs to = x_first ? *x : *y;
	struct ra_seg *last = begin(x_first ? x : y, x_first ? y : x), *a = last->next, *b = (x_first ? y : x)->first;
	uint32_t steps = 0;
	for (; a && b; last = last->next, steps++) {
		struct ra_seg **low = a->from < b->from ? &a : &b;
		last->next = *low;
		*low = (*low)->next;
	}
	last->next = a ? a : b;
	to.near = last;
	ir_charge(r->pool, steps / 4);
	return to;
}

static struct ra_seg *copy_segs(struct ra *r, const struct ra_seg *from)
{
	struct ra_seg *first = NULL, **tail = &first;
	for (; from; from = from->next) {
		struct ra_seg *seg = ir_alloc(r->pool, sizeof *seg);
		*seg = (struct ra_seg){ from->from, from->to, NULL };
		*tail = seg;
		tail = &seg->next;
	}
	return first;
}

uint32_t ra_bundle_of(struct ra *r, uint32_t vreg)
{
	if (r->bundle_count == r->bundle_room) {
		uint32_t room = r->bundle_room ? 2 * r->bundle_room : r->m->vreg_count + 16; /* of each register at first */
		struct ra_bundle *grown = ir_realloc(r->pool, r->bundles, room * sizeof *grown);
		if (!grown)
			return RA_NO_BUNDLE;
		r->bundles = grown;
		r->bundle_room = room;
	}
	const struct mir_vreg *v = &r->m->vregs[vreg];
	struct ra_bundle *b = &r->bundles[r->bundle_count];
	*b = (struct ra_bundle){ .first = vreg, .last = vreg, .parent = RA_NO_BUNDLE, .cls = v->cls, .width = v->size, .align = v->align,
		.fixed = v->reload || v->whole, .reg = MIR_NONE, .want = MIR_NONE };
	if (v->whole)
		b->lowest = (uint8_t)r->m->entry_vgprs;
	if (v->want != MIR_NONE)
		b->want = v->want % 256;
	b->segs = ir_alloc(r->pool, v->size * sizeof *b->segs);
	for (unsigned i = 0; i < v->size; i++)
		b->segs[i].first = copy_segs(r, r->unit_segs[r->vregs[vreg].unit + i]);
	r->vregs[vreg].bundle = r->bundle_count;
	r->vregs[vreg].next = RA_NO_BUNDLE;
	r->vregs[vreg].offset = 0;
	return r->bundle_count++;
}

/* --- joining --- */

/* The bundle that a register is in now, and the place of its first dword there. */
static uint32_t bundle_at(struct ra *r, uint32_t vreg, int *offset)
{
	uint32_t root = r->vregs[vreg].bundle, at = root, next;
	int32_t shift = 0;
	for (; r->bundles[root].parent != RA_NO_BUNDLE; root = r->bundles[root].parent)
		shift += r->bundles[root].shift;
	*offset = r->vregs[vreg].offset + shift + r->bundles[root].shift;
	for (; at != root; at = next) { /* the way is shorter next time */
		struct ra_bundle *b = &r->bundles[at];
		int32_t own = b->shift;
		next = b->parent;
		b->parent = root;
		b->shift = shift;
		shift -= own;
	}
	return root;
}

/* Place of b's first dword in the joined bundle when a's is at `at_a`. */
struct join { struct ra_bundle *a, *b; int at_a, at_b; unsigned width; };

static bool alignments_agree(const struct join *j, uint8_t *align, uint8_t *align_at)
{
	/* base + at_a must be align_at of a modulo a's alignment, likewise b. */
	unsigned big = j->a->align > j->b->align ? j->a->align : j->b->align;
	for (unsigned at = 0; at < big; at++)
		if ((at + (unsigned)j->at_a) % j->a->align == j->a->align_at &&
		    (at + (unsigned)j->at_b) % j->b->align == j->b->align_at) {
			*align = (uint8_t)big;
			*align_at = (uint8_t)at;
			return true;
		}
	return false;
}

static bool interfere(struct ra *r, const struct join *j)
{
	for (unsigned i = 0; i < j->width; i++) {
		int ia = (int)i - j->at_a, ib = (int)i - j->at_b;
		if (ia >= 0 && ia < j->a->width && ib >= 0 && ib < j->b->width && overlap(r, &j->a->segs[ia], &j->b->segs[ib]))
			return true;
	}
	return false;
}

static void move_members(struct ra *r, struct join *j)
{
	j->a->shift += j->at_a;
	j->b->shift += j->at_b - j->a->shift;
	j->b->parent = (uint32_t)(j->a - r->bundles);
	r->vregs[j->b->last].next = j->a->first;
	j->a->first = j->b->first;
	j->b->first = RA_NO_BUNDLE;
}

static void join(struct ra *r, struct join *j)
{
	static const struct ra_segs none;
	struct ra_segs *segs = j->width == j->a->width && !j->at_a ? j->a->segs : ir_alloc(r->pool, j->width * sizeof *segs);
	for (unsigned i = 0; i < j->width; i++) {
		int ia = (int)i - j->at_a, ib = (int)i - j->at_b;
		segs[i] = merge(r, ia >= 0 && ia < j->a->width ? &j->a->segs[ia] : &none,
			ib >= 0 && ib < j->b->width ? &j->b->segs[ib] : &none);
	}
	j->a->segs = segs;
	if (j->a->want != MIR_NONE)
		j->a->want = j->a->want >= j->at_a ? (uint16_t)(j->a->want - j->at_a) : (uint16_t)MIR_NONE;
	else if (j->b->want != MIR_NONE && j->b->want >= j->at_b)
		j->a->want = (uint16_t)(j->b->want - j->at_b);
	j->a->width = (uint8_t)j->width;
	move_members(r, j);
}

/* Tries to give dword x of one register and dword y of the other one place. */
static void try_join(struct ra *r, uint32_t x, unsigned sub_x, uint32_t y, unsigned sub_y)
{
	int offset_x, offset_y;
	if (r->m->vregs[x].cls != r->m->vregs[y].cls)
		return;
	uint32_t bx = bundle_at(r, x, &offset_x), by = bundle_at(r, y, &offset_y);
	struct join j = { .a = &r->bundles[bx], .b = &r->bundles[by] };
	if (bx == by || j.a->fixed || j.b->fixed)
		return;
	int shift = (offset_x + (int)sub_x) - (offset_y + (int)sub_y);
	j.at_b = shift > 0 ? shift : 0;
	j.at_a = shift < 0 ? -shift : 0;
	int end_a = j.at_a + j.a->width, end_b = j.at_b + j.b->width;
	j.width = (unsigned)(end_a > end_b ? end_a : end_b);
	uint8_t align, align_at;
	if (j.width > MIR_MAX_TUPLE || !alignments_agree(&j, &align, &align_at) || interfere(r, &j))
		return;
	join(r, &j);
	j.a->align = align;
	j.a->align_at = align_at;
}

static void join_copy(struct ra *r, mir_opnd dst, mir_opnd src)
{
	if (mir_is_v(dst) && mir_is_v(src))
		try_join(r, mir_vreg_of(dst), mir_sub_of(dst), mir_vreg_of(src), mir_sub_of(src));
}

static bool is_move(const struct mir_inst *in)
{
	return (in->op == GCN_V_MOV_B32 || in->op == GCN_S_MOV_B32 || in->op == GCN_S_MOV_B64) && !in->g.sub;
}

/* Copies of inner loops first. */
static void join_depth(struct ra *r, unsigned depth)
{
	for (struct mir_block *b = r->m->first; b; b = b->next) {
		if (b->depth != depth)
			continue;
		for (struct mir_inst *in = b->first; in && mir_charge(r->m, in); in = in->next) {
			for (uint32_t i = 0; i < in->copy_count; i++)
				join_copy(r, in->copies[i].dst, in->copies[i].src);
			if (is_move(in))
				join_copy(r, in->opnd[MIR_DST], in->opnd[MIR_SRC0]);
		}
	}
}

bool ra_coalesce(struct ra *r)
{
	unsigned deepest = 0;
	for (uint32_t v = 0; v < r->m->vreg_count; v++)
		ra_bundle_of(r, v);
	if (ir_pool_failed(r->pool))
		return false;
	for (struct mir_block *b = r->m->first; b; b = b->next)
		deepest = b->depth > deepest ? b->depth : deepest;
	for (unsigned d = deepest + 1; d-- > 0;)
		join_depth(r, d);
	for (uint32_t v = 0; v < r->m->vreg_count; v++) {
		int offset;
		r->vregs[v].bundle = bundle_at(r, v, &offset);
		r->vregs[v].offset = offset;
	}
	return !ir_pool_failed(r->pool);
}
