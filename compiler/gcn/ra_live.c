/* SPDX-License-Identifier: MIT */
/* Liveness: the blocks in which a unit is live, then its segments. */
#include "compiler/gcn/ra.h"

/* Visits the units that an instruction reads (write false) or writes. */
typedef void visit_fn(void *ctx, uint32_t unit, const struct mir_inst *in);

static void visit_opnd(struct ra *r, mir_opnd o, unsigned dw, const struct mir_inst *in, visit_fn *fn, void *ctx)
{
	if (!mir_is_v(o))
		return;
	uint32_t v = mir_vreg_of(o);
	for (unsigned i = mir_sub_of(o); i < mir_sub_of(o) + dw && i < r->m->vregs[v].size; i++)
		fn(ctx, r->vregs[v].unit + i, in);
}

static void visit(struct ra *r, const struct mir_inst *in, bool write, visit_fn *fn, void *ctx)
{
	unsigned mask = write ? mir_writes(in) : mir_reads(in);
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		if (mask >> i & 1)
			visit_opnd(r, in->opnd[i], in->dw[i], in, fn, ctx);
	for (uint32_t i = 0; i < in->copy_count; i++)
		visit_opnd(r, write ? in->copies[i].dst : in->copies[i].src, in->copies[i].dw, in, fn, ctx);
}

/* --- where units are live --- */

/* Backward walks from the reads, a unit at a time: the work is that of the
 * blocks in which units are live, not of all blocks times all units. */
struct place { struct place *next; uint32_t block; };
/* At the end of a block a unit becomes live, or at its start it was not before. */
struct event { struct event *next; uint32_t unit; };
struct preds { uint32_t *first, *list; }; /* of block b: list[first[b]..first[b + 1]) */

struct flow {
	struct ra *r;
	uint32_t block;
	/* per unit: blocks that read it before they write it, and that write it, if any reads it so */
	struct place **reads, **writes;
	uint32_t *written;           /* block + 1 in which the unit was written last */
	struct preds linear, logical;
	/* per block: unit + 1 that the walk was last there for */
	uint32_t *in, *out, *def;
	/* Blocks before `until` and not before `block` are passed over. */
	struct reached { uint32_t block, until; } *ins;
	uint32_t *outs, in_count, out_count;
	uint32_t *touched, touched_count; /* blocks that read or write the unit, descending */
	struct ra_regions regions[2];     /* by class */
	struct event **opens, **closes; /* per block */
	/* Neighbours in the layout, by class.  Between arms are blocks that only steer
	 * EXEC: no lane is there, a VGPR lives on behind them as if they were not. */
	uint32_t *before[2], *after[2];
};

static void note_place(struct flow *f, struct place **head)
{
	if (*head && (*head)->block == f->block)
		return;
	struct place *p = ir_alloc(f->r->pool, sizeof *p);
	*p = (struct place){ *head, f->block };
	*head = p;
}

static void flow_read(void *ctx, uint32_t unit, const struct mir_inst *in)
{
	struct flow *f = ctx;
	if (f->written[unit] != f->block + 1)
		note_place(f, &f->reads[unit]);
}

static void flow_write(void *ctx, uint32_t unit, const struct mir_inst *in)
{
	struct flow *f = ctx;
	if (f->written[unit] == f->block + 1)
		return;
	f->written[unit] = f->block + 1;
	note_place(f, &f->writes[unit]);
}

static void scan_blocks(struct flow *f)
{
	for (struct mir_block *b = f->r->m->first; b; b = b->next) {
		f->block = b->index;
		for (struct mir_inst *in = b->first; in && mir_charge(f->r->m, in); in = in->next) {
			visit(f->r, in, false, flow_read, f);
			visit(f->r, in, true, flow_write, f);
		}
	}
}

static void find_preds(struct ra *r, struct preds *p, bool logical)
{
	const struct mir_func *m = r->m;
	p->first = ir_alloc(r->pool, (m->block_count + 2) * sizeof *p->first);
	p->list = ir_alloc(r->pool, (2 * m->block_count + 1) * sizeof *p->list);
	if (ir_pool_failed(r->pool))
		return;
	for (int pass = 0; pass < 2; pass++) {
		for (const struct mir_block *b = m->first; b; b = b->next)
			for (int k = 0; k < 2; k++) {
				const struct mir_block *to = logical ? b->logical[k] : b->linear[k];
				if (to && pass)
					p->list[p->first[to->index + 1]++] = b->index;
				else if (to)
					p->first[to->index + 2]++;
			}
		/* Counts become starts, one place too far on; filling moves them back. */
		for (uint32_t i = 2; !pass && i <= m->block_count + 1; i++)
			p->first[i] += p->first[i - 1];
	}
}

static bool names_vgpr(const struct mir_func *m, mir_opnd o)
{
	return mir_is_v(o) && m->vregs[mir_vreg_of(o)].cls == MIR_VGPR && !m->vregs[mir_vreg_of(o)].whole;
}

static bool has_vgprs(const struct mir_func *m, const struct mir_block *b)
{
	for (const struct mir_inst *in = b->first; in; in = in->next) {
		for (unsigned i = 0; i < MIR_OPNDS; i++)
			if (names_vgpr(m, in->opnd[i]))
				return true;
		for (uint32_t i = 0; i < in->copy_count; i++)
			if (names_vgpr(m, in->copies[i].dst) || names_vgpr(m, in->copies[i].src))
				return true;
	}
	return false;
}

static void find_neighbours(struct flow *f)
{
	const struct mir_func *m = f->r->m;
	const struct preds *p = &f->logical;
	for (int cls = 0; cls < 2; cls++) {
		uint32_t last = RA_NO_BLOCK;
		for (const struct mir_block *b = m->first; b; b = b->next) {
			bool lanes = b->logical[0] || b->logical[1] || p->first[b->index] != p->first[b->index + 1];
			if (cls == MIR_VGPR && !lanes && !has_vgprs(m, b))
				continue;
			f->before[cls][b->index] = last;
			f->after[cls][b->index] = RA_NO_BLOCK;
			if (last != RA_NO_BLOCK)
				f->after[cls][last] = b->index;
			last = b->index;
		}
	}
}

static void reach(struct flow *f, uint32_t unit, uint32_t block, uint32_t until)
{
	if (f->in[block] == unit + 1)
		return;
	f->in[block] = unit + 1;
	f->ins[f->in_count++] = (struct reached){ block, until };
}

/* Merges two lists that descend. */
static void list_touched(struct flow *f, uint32_t unit)
{
	const struct place *read = f->reads[unit], *write = f->writes[unit];
	uint32_t n = 0;
	while (read || write) {
		const struct place **last = !write || (read && read->block > write->block) ? &read : &write;
		if (!n || f->touched[n - 1] != (*last)->block)
			f->touched[n++] = (*last)->block;
		*last = (*last)->next;
	}
	f->touched_count = n;
}

/* The first block from which on none before `block` touches the unit. */
static uint32_t untouched_since(const struct flow *f, uint32_t block)
{
	uint32_t low = 0, high = f->touched_count;
	while (low < high) {
		uint32_t mid = (low + high) / 2;
		if (f->touched[mid] >= block)
			low = mid + 1;
		else
			high = mid;
	}
	return low < f->touched_count ? f->touched[low] + 1 : 0;
}

/* From block ins[i], over a region or to what comes before. */
static void walk_from(struct flow *f, uint32_t unit, uint32_t i, const struct preds *preds, enum mir_class cls)
{
	uint32_t b = f->ins[i].block, until = f->ins[i].until, steps = 1;
	uint32_t head = ra_region_head(&f->regions[cls], b, untouched_since(f, b), &steps);
	ir_charge(f->r->pool, steps);
	if (head != b) {
		f->out[f->before[cls][b]] = unit + 1;
		reach(f, unit, head, b);
	}
	for (uint32_t k = preds->first[b]; k < preds->first[b + 1]; k++) {
		uint32_t from = preds->list[k];
		if ((from >= b && from < until) || (from >= head && from < b) || f->out[from] == unit + 1)
			continue;
		f->out[from] = unit + 1;
		f->outs[f->out_count++] = from;
		if (f->def[from] != unit + 1)
			reach(f, unit, from, from);
	}
}

/* The blocks at whose start or end the unit is live, except regions that it is live
 * all through: of those the head's start. */
static void walk_back(struct flow *f, uint32_t unit, enum mir_class cls)
{
	const struct preds *preds = cls == MIR_VGPR ? &f->logical : &f->linear;
	f->in_count = f->out_count = 0;
	list_touched(f, unit);
	for (const struct place *p = f->writes[unit]; p; p = p->next)
		f->def[p->block] = unit + 1;
	for (const struct place *p = f->reads[unit]; p; p = p->next)
		reach(f, unit, p->block, p->block);
	for (uint32_t i = 0; i < f->in_count; i++)
		walk_from(f, unit, i, preds, cls);
	ir_charge(f->r->pool, (f->out_count + f->touched_count) / 2);
}

static void note_event(struct flow *f, struct event **head, uint32_t unit)
{
	struct event *e = ir_alloc(f->r->pool, sizeof *e);
	*e = (struct event){ *head, unit };
	*head = e;
}

/* Where a unit is live at one side of a block's edge in the layout only. */
static void note_edges(struct flow *f, uint32_t unit, enum mir_class cls)
{
	for (uint32_t i = 0; i < f->out_count; i++) {
		uint32_t b = f->outs[i], next = f->after[cls][b];
		if (next == RA_NO_BLOCK || f->in[next] != unit + 1)
			note_event(f, &f->opens[b], unit);
	}
	for (uint32_t i = 0; i < f->in_count; i++) {
		uint32_t b = f->ins[i].block, prev = f->before[cls][b];
		if (prev == RA_NO_BLOCK || f->out[prev] != unit + 1)
			note_event(f, &f->closes[b], unit);
	}
}

static void walk_all(struct flow *f)
{
	const struct mir_func *m = f->r->m;
	for (uint32_t v = 0; v < m->vreg_count && !ir_pool_failed(f->r->pool); v++)
		for (uint32_t i = 0; i < m->vregs[v].size; i++) {
			uint32_t unit = f->r->vregs[v].unit + i;
			if (!f->reads[unit] || m->vregs[v].whole)
				continue;
			walk_back(f, unit, (enum mir_class)m->vregs[v].cls);
			note_edges(f, unit, (enum mir_class)m->vregs[v].cls);
		}
}

/* --- segments --- */

struct segments { struct ra *r; uint32_t *end; /* per unit; 0: not live */ };

static void open_segment(struct segments *s, uint32_t unit, uint32_t end)
{
	if (!s->end[unit])
		s->end[unit] = end;
}

static void add_segment(struct segments *s, uint32_t unit, uint32_t from, uint32_t to)
{
	struct ra_seg **head = &s->r->unit_segs[unit];
	if (*head && (*head)->from <= to) { /* joined with what follows */
		(*head)->from = from;
		return;
	}
	struct ra_seg *seg = ir_alloc(s->r->pool, sizeof *seg);
	*seg = (struct ra_seg){ from, to, *head };
	*head = seg;
}

static void close_segment(struct segments *s, uint32_t unit, uint32_t from)
{
	add_segment(s, unit, from, s->end[unit]);
	s->end[unit] = 0;
}

static void segment_write(void *ctx, uint32_t unit, const struct mir_inst *in)
{
	struct segments *s = ctx;
	if (s->end[unit])
		close_segment(s, unit, 2 * in->at + 1);
	else
		add_segment(s, unit, 2 * in->at + 1, 2 * in->at + 2);
}

static void segment_read(void *ctx, uint32_t unit, const struct mir_inst *in)
{
	open_segment(ctx, unit, 2 * in->at + 1);
}

static void build_segments(struct ra *r, const struct flow *f, struct segments *s, const uint32_t *block_at)
{
	for (struct mir_block *b = r->m->last; b; b = b->prev) {
		uint32_t from = 2 * block_at[b->index], to = 2 * block_at[b->index + 1];
		for (const struct event *e = f->opens[b->index]; e; e = e->next)
			open_segment(s, e->unit, to);
		for (struct mir_inst *in = b->last; in; in = in->prev) {
			visit(r, in, true, segment_write, s);
			visit(r, in, false, segment_read, s);
		}
		for (const struct event *e = f->closes[b->index]; e; e = e->next)
			close_segment(s, e->unit, from);
	}
}

/* --- numbering and weights --- */

static void number(struct ra *r, uint32_t *block_at)
{
	uint32_t at = 1;
	for (struct mir_block *b = r->m->first; b; b = b->next) {
		block_at[b->index] = at++;
		for (struct mir_inst *in = b->first; in; in = in->next)
			in->at = at++;
	}
	block_at[r->m->block_count] = at;
	r->points = 2 * at;
}

static float depth_weight(unsigned depth)
{
	float w = 1;
	for (; depth && w < 1e6f; depth--)
		w *= 10;
	return w;
}

static void add_weight(struct ra *r, mir_opnd o, float w)
{
	if (mir_is_v(o))
		r->vregs[mir_vreg_of(o)].weight += w;
}

static bool is_constant_move(const struct mir_inst *in)
{
	return (in->op == GCN_V_MOV_B32 || in->op == GCN_S_MOV_B32 || in->op == GCN_S_MOV_B64) && !in->g.sub &&
		!mir_is_v(in->opnd[MIR_SRC0]) && in->opnd[MIR_SRC0] >= GCN_SRC_0 && in->opnd[MIR_SRC0] <= GCN_SRC_LITERAL &&
		mir_is_v(in->opnd[MIR_DST]) && !mir_sub_of(in->opnd[MIR_DST]);
}

static void note_def(struct ra *r, mir_opnd o, struct mir_inst *in)
{
	if (!mir_is_v(o))
		return;
	struct ra_vreg *v = &r->vregs[mir_vreg_of(o)];
	v->def = v->single_def || !in || !is_constant_move(in) ? NULL : in;
	v->single_def = true; /* seen once; a second definition clears def */
}

static void weigh(struct ra *r)
{
	for (struct mir_block *b = r->m->first; b; b = b->next) {
		float w = depth_weight(b->depth);
		for (struct mir_inst *in = b->first; in; in = in->next) {
			unsigned reads = mir_reads(in), writes = mir_writes(in);
			for (unsigned i = 0; i < MIR_OPNDS; i++) {
				add_weight(r, in->opnd[i], w * (float)((reads >> i & 1) + (writes >> i & 1)));
				if (writes >> i & 1)
					note_def(r, in->opnd[i], in);
			}
			for (uint32_t i = 0; i < in->copy_count; i++) {
				add_weight(r, in->copies[i].src, w);
				add_weight(r, in->copies[i].dst, w);
				note_def(r, in->copies[i].dst, NULL);
			}
		}
	}
}

/* --- */

static bool setup(struct ra *r)
{
	struct mir_func *m = r->m;
	r->vregs = ir_calloc(r->pool, m->vreg_count + 1, sizeof *r->vregs);
	if (!r->vregs)
		return false;
	r->units = 0;
	for (uint32_t v = 0; v < m->vreg_count; v++) {
		r->vregs[v].unit = r->units;
		r->vregs[v].bundle = RA_NO_BUNDLE;
		r->units += m->vregs[v].size;
	}
	r->unit_segs = ir_calloc(r->pool, r->units + 1, sizeof *r->unit_segs);
	return r->unit_segs != NULL;
}

static bool flow_alloc(struct flow *f)
{
	struct ir_pool *pool = f->r->pool;
	size_t units = f->r->units + 1, blocks = f->r->m->block_count + 1;
	f->reads = ir_alloc(pool, units * sizeof *f->reads);
	f->writes = ir_alloc(pool, units * sizeof *f->writes);
	f->written = ir_alloc(pool, units * sizeof *f->written);
	f->in = ir_alloc(pool, blocks * sizeof *f->in);
	f->out = ir_alloc(pool, blocks * sizeof *f->out);
	f->def = ir_alloc(pool, blocks * sizeof *f->def);
	f->ins = ir_alloc(pool, blocks * sizeof *f->ins);
	f->outs = ir_alloc(pool, blocks * sizeof *f->outs);
	f->touched = ir_alloc(pool, blocks * sizeof *f->touched);
	f->opens = ir_alloc(pool, blocks * sizeof *f->opens);
	f->closes = ir_alloc(pool, blocks * sizeof *f->closes);
	for (int cls = 0; cls < 2; cls++) {
		f->before[cls] = ir_alloc(pool, blocks * sizeof **f->before);
		f->after[cls] = ir_alloc(pool, blocks * sizeof **f->after);
	}
	find_preds(f->r, &f->linear, false);
	find_preds(f->r, &f->logical, true);
	return !ir_pool_failed(pool);
}

/* Registers that keep spilled SGPRs hold their lanes from end to end. */
static void whole_program(struct ra *r)
{
	for (uint32_t v = 0; v < r->m->vreg_count; v++)
		if (r->m->vregs[v].whole) {
			struct ra_seg *seg = ir_alloc(r->pool, sizeof *seg);
			*seg = (struct ra_seg){ 0, r->points, NULL };
			r->unit_segs[r->vregs[v].unit] = seg;
		}
}

bool ra_live(struct ra *r)
{
	struct flow f = { .r = r };
	struct segments s = { .r = r };
	mir_edges(r->m);
	if (!setup(r) || !flow_alloc(&f))
		return false;
	uint32_t *block_at = ir_alloc(r->pool, (r->m->block_count + 1) * sizeof *block_at);
	s.end = ir_alloc(r->pool, (r->units + 1) * sizeof *s.end);
	if (ir_pool_failed(r->pool))
		return false;
	find_neighbours(&f);
	for (int cls = 0; cls < 2; cls++)
		if (!ra_regions_find(r, &f.regions[cls], f.before[cls], cls == MIR_VGPR))
			return false;
	scan_blocks(&f);
	walk_all(&f);
	number(r, block_at);
	r->block_at = block_at;
	if (!ir_pool_failed(r->pool))
		build_segments(r, &f, &s, block_at);
	whole_program(r);
	weigh(r);
	return !ir_pool_failed(r->pool);
}
