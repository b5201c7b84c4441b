/* SPDX-License-Identifier: MIT */
/* Scalar loads of neighbouring dwords through one base become one load of up
 * to 16.  Needs selection's output, where each load is its register's only
 * definition. */
#include "compiler/gcn/mir.h"

#include <stdlib.h>

enum { WINDOW = 64, MAX_GROUP = 16 };

/* Where a merged register went: the new one and its first dword there. */
struct merged { uint32_t to; uint8_t sub; bool used; };

static bool is_buffer_load(const struct mir_inst *in)
{
	return in->op == GCN_S_BUFFER_LOAD_DWORD || in->op == GCN_S_BUFFER_LOAD_DWORDX2 || in->op == GCN_S_BUFFER_LOAD_DWORDX4;
}

/* Loads at a constant offset; of pointers' targets only descriptors, which
 * come in fours and are safe to read wherever one of them is. */
static bool is_candidate(const struct mir_inst *in)
{
	return (is_buffer_load(in) || in->op == GCN_S_LOAD_DWORDX4) && in->opnd[MIR_SRC1] == MIR_NONE &&
		mir_is_v(in->opnd[MIR_SRC0]) && mir_is_v(in->opnd[MIR_DST]) && in->g.offset % 4 == 0;
}

static bool same_kind(const struct mir_inst *a, const struct mir_inst *b)
{
	return is_candidate(b) && is_buffer_load(a) == is_buffer_load(b) && a->opnd[MIR_SRC0] == b->opnd[MIR_SRC0];
}

static int compare_offset(const void *a, const void *b)
{
	const struct mir_inst *x = *(struct mir_inst *const *)a, *y = *(struct mir_inst *const *)b;
	if (x->g.offset != y->g.offset)
		return x->g.offset < y->g.offset ? -1 : 1;
	return x->dw[MIR_DST] < y->dw[MIR_DST] ? -1 : x->dw[MIR_DST] > y->dw[MIR_DST];
}

/* Candidates like `first` in the instructions after it; none if its base or a
 * store could come between, which they cannot: bases are single definitions
 * and these loads read what nobody writes. */
static unsigned gather(struct mir_inst *first, struct mir_inst **group)
{
	unsigned n = 0, seen = 0;
	for (struct mir_inst *in = first; in && seen < WINDOW && n < MAX_GROUP; in = in->next, seen++)
		if (same_kind(first, in))
			group[n++] = in;
	return n;
}

static unsigned wide_op(bool buffer, unsigned dwords)
{
	if (dwords == 16)
		return buffer ? GCN_S_BUFFER_LOAD_DWORDX16 : GCN_S_LOAD_DWORDX16;
	return buffer ? GCN_S_BUFFER_LOAD_DWORDX8 : GCN_S_LOAD_DWORDX8;
}

/* Loads group[from..to) lie in [offset, offset + 4 dwords); they become one. */
static void merge(struct mir_func *m, struct merged *map, struct mir_inst *at, struct mir_inst **group,
	unsigned from, unsigned to, unsigned dwords)
{
	int32_t offset = group[from]->g.offset;
	struct mir_inst *wide = mir_inst_new(m, wide_op(is_buffer_load(at), dwords));
	wide->opnd[MIR_DST] = mir_vreg_new(m, MIR_SGPR, dwords);
	wide->opnd[MIR_SRC0] = at->opnd[MIR_SRC0];
	wide->g.offset = offset;
	mir_insert_before(at, wide);
	for (unsigned i = from; i < to; i++) {
		uint32_t old = mir_vreg_of(group[i]->opnd[MIR_DST]);
		map[old] = (struct merged){ mir_vreg_of(wide->opnd[MIR_DST]), (uint8_t)((group[i]->g.offset - offset) / 4), true };
		mir_remove(group[i]);
	}
}

/* The longest run that starts at group[from] and fills 16 or 8 dwords without
 * a gap; *end gets the loads behind it. */
static unsigned run_length(struct mir_inst **group, unsigned n, unsigned from, unsigned *end)
{
	static const unsigned sizes[] = { 16, 8 };
	for (unsigned s = 0; s < 2; s++) {
		int32_t base = group[from]->g.offset, covered = base, limit = base + 4 * (int32_t)sizes[s];
		unsigned i = from;
		for (; i < n && group[i]->g.offset <= covered; i++) {
			int32_t stop = group[i]->g.offset + 4 * group[i]->dw[MIR_DST];
			if (stop > limit)
				break;
			covered = stop > covered ? stop : covered;
		}
		if (covered == limit && i - from > 1) {
			*end = i;
			return sizes[s];
		}
	}
	return 0;
}

static bool merge_from(struct mir_func *m, struct merged *map, struct mir_inst *first)
{
	struct mir_inst *group[MAX_GROUP];
	unsigned n = gather(first, group), end;
	if (n < 2)
		return false;
	qsort(group, n, sizeof *group, compare_offset);
	for (unsigned i = 0; i < n; i++) {
		unsigned dwords = run_length(group, n, i, &end);
		if (!dwords)
			continue;
		/* At the first of them in program order, and only if `first` is one. */
		bool has_first = false;
		for (unsigned k = i; k < end; k++)
			has_first |= group[k] == first;
		if (has_first) {
			merge(m, map, first, group, i, end, dwords);
			return true;
		}
		i = end - 1;
	}
	return false;
}

static mir_opnd renamed(const struct merged *map, uint32_t count, mir_opnd o)
{
	if (!mir_is_v(o) || mir_vreg_of(o) >= count || !map[mir_vreg_of(o)].used)
		return o;
	const struct merged *to = &map[mir_vreg_of(o)];
	return mir_v(to->to, mir_sub_of(o) + to->sub);
}

static void rename_all(struct mir_func *m, const struct merged *map, uint32_t count)
{
	for (struct mir_block *b = m->first; b; b = b->next)
		for (struct mir_inst *in = b->first; in; in = in->next) {
			for (unsigned i = 0; i < MIR_OPNDS; i++)
				in->opnd[i] = renamed(map, count, in->opnd[i]);
			for (uint32_t i = 0; i < in->copy_count; i++)
				in->copies[i].src = renamed(map, count, in->copies[i].src);
		}
}

void mir_merge_loads(struct mir_func *m)
{
	uint32_t count = m->vreg_count;
	struct merged *map = ir_calloc(m->pool, count + 1, sizeof *map);
	bool any = false;
	if (!map)
		return;
	for (struct mir_block *b = m->first; b; b = b->next)
		for (struct mir_inst *in = b->first, *next; in && mir_charge(m, in); in = next) {
			struct mir_inst *prev = in->prev;
			next = in->next;
			if (is_candidate(in) && merge_from(m, map, in)) {
				any = true;
				next = prev ? prev->next : b->first;
				next = next->next; /* past the wide load */
			}
		}
	if (any)
		rename_all(m, map, count);
	ir_free(m->pool, map);
}
