/* Liveness: data flow over blocks, then segments per unit. */
#include "ra.h"

#include <stdlib.h>
#include <string.h>

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

/* --- data flow --- */

struct flow {
	struct ra *r;
	uint32_t *global;     /* unit -> bit + 1, for units read before written in some block */
	uint32_t globals, words;
	uint64_t *use, *def, *in, *vector; /* vector: bits of VGPR units */
	uint8_t *written;     /* in the block being scanned */
	uint32_t *written_list, written_count;
	uint32_t block;
	bool counting;
};

static void flow_read(void *ctx, uint32_t unit, const struct mir_inst *in)
{
	struct flow *f = ctx;
	if (f->written[unit])
		return;
	if (f->counting) {
		if (!f->global[unit])
			f->global[unit] = ++f->globals;
	} else if (f->global[unit]) {
		uint32_t bit = f->global[unit] - 1;
		f->use[(size_t)f->block * f->words + bit / 64] |= 1ull << bit % 64;
	}
}

static void flow_write(void *ctx, uint32_t unit, const struct mir_inst *in)
{
	struct flow *f = ctx;
	if (!f->written[unit]) {
		f->written[unit] = 1;
		f->written_list[f->written_count++] = unit;
	}
	if (!f->counting && f->global[unit]) {
		uint32_t bit = f->global[unit] - 1;
		f->def[(size_t)f->block * f->words + bit / 64] |= 1ull << bit % 64;
	}
}

static void scan_blocks(struct flow *f, bool counting)
{
	f->counting = counting;
	for (struct mir_block *b = f->r->m->first; b; b = b->next) {
		f->block = b->index;
		for (struct mir_inst *in = b->first; in; in = in->next) {
			visit(f->r, in, false, flow_read, f);
			visit(f->r, in, true, flow_write, f);
		}
		while (f->written_count)
			f->written[f->written_list[--f->written_count]] = 0;
	}
}

static uint64_t live_out(const struct flow *f, const struct mir_block *b, uint32_t w)
{
	uint64_t linear = 0, logical = 0;
	for (int k = 0; k < 2; k++) {
		if (b->linear[k])
			linear |= f->in[(size_t)b->linear[k]->index * f->words + w];
		if (b->logical[k])
			logical |= f->in[(size_t)b->logical[k]->index * f->words + w];
	}
	return (linear & ~f->vector[w]) | (logical & f->vector[w]);
}

static void solve(struct flow *f)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (struct mir_block *b = f->r->m->last; b; b = b->prev)
			for (uint32_t w = 0; w < f->words; w++) {
				size_t at = (size_t)b->index * f->words + w;
				uint64_t in = f->use[at] | (live_out(f, b, w) & ~f->def[at]);
				changed |= in != f->in[at];
				f->in[at] = in;
			}
	}
}

/* --- segments --- */

struct segments { struct ra *r; uint32_t *end; /* 0: not live */ uint32_t *live, live_count; uint32_t *live_at; };

static void open_segment(struct segments *s, uint32_t unit, uint32_t end)
{
	if (s->end[unit])
		return;
	s->end[unit] = end;
	s->live_at[unit] = s->live_count;
	s->live[s->live_count++] = unit;
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
	uint32_t at = s->live_at[unit], last = s->live[--s->live_count];
	s->live[at] = last;
	s->live_at[last] = at;
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

static void build_segments(struct ra *r, const struct flow *f, struct segments *s, const uint32_t *unit_of_bit,
	const uint32_t *block_at)
{
	for (struct mir_block *b = r->m->last; b; b = b->prev) {
		uint32_t from = 2 * block_at[b->index], to = 2 * block_at[b->index + 1];
		for (uint32_t w = 0; w < f->words; w++)
			for (uint64_t out = live_out(f, b, w); out; out &= out - 1)
				open_segment(s, unit_of_bit[w * 64 + (uint32_t)__builtin_ctzll(out)], to);
		for (struct mir_inst *in = b->last; in; in = in->prev) {
			visit(r, in, true, segment_write, s);
			visit(r, in, false, segment_read, s);
		}
		while (s->live_count)
			close_segment(s, s->live[s->live_count - 1], from);
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
	r->vregs = calloc(m->vreg_count + 1, sizeof *r->vregs);
	if (!r->vregs)
		return false;
	r->units = 0;
	for (uint32_t v = 0; v < m->vreg_count; v++) {
		r->vregs[v].unit = r->units;
		r->vregs[v].bundle = RA_NO_BUNDLE;
		r->units += m->vregs[v].size;
	}
	r->unit_segs = calloc(r->units + 1, sizeof *r->unit_segs);
	return r->unit_segs != NULL;
}

static bool flow_alloc(struct flow *f)
{
	size_t n = (size_t)f->r->m->block_count * f->words + 1;
	f->use = calloc(n, sizeof *f->use);
	f->def = calloc(n, sizeof *f->def);
	f->in = calloc(n, sizeof *f->in);
	f->vector = calloc(f->words + 1, sizeof *f->vector);
	return f->use && f->def && f->in && f->vector;
}

static void mark_vectors(struct flow *f, uint32_t *unit_of_bit)
{
	const struct mir_func *m = f->r->m;
	for (uint32_t v = 0; v < m->vreg_count; v++)
		for (unsigned i = 0; i < m->vregs[v].size; i++) {
			uint32_t unit = f->r->vregs[v].unit + i, bit = f->global[unit] - 1;
			if (!f->global[unit])
				continue;
			unit_of_bit[bit] = unit;
			if (m->vregs[v].cls == MIR_VGPR)
				f->vector[bit / 64] |= 1ull << bit % 64;
		}
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
	uint32_t *unit_of_bit = NULL, *block_at = NULL;
	bool ok = false;
	mir_edges(r->m);
	if (!setup(r))
		return false;
	f.global = calloc(r->units + 1, sizeof *f.global);
	f.written = calloc(r->units + 1, 1);
	f.written_list = calloc(r->units + 1, sizeof *f.written_list);
	s.end = calloc(r->units + 1, sizeof *s.end);
	s.live = calloc(r->units + 1, sizeof *s.live);
	s.live_at = calloc(r->units + 1, sizeof *s.live_at);
	block_at = calloc(r->m->block_count + 1, sizeof *block_at);
	if (!f.global || !f.written || !f.written_list || !s.end || !s.live || !s.live_at || !block_at)
		goto out;
	scan_blocks(&f, true);
	f.words = (f.globals + 63) / 64;
	unit_of_bit = calloc(f.globals + 1, sizeof *unit_of_bit);
	if (!flow_alloc(&f) || !unit_of_bit)
		goto out;
	mark_vectors(&f, unit_of_bit);
	scan_blocks(&f, false);
	solve(&f);
	number(r, block_at);
	build_segments(r, &f, &s, unit_of_bit, block_at);
	whole_program(r);
	weigh(r);
	ok = !ir_pool_failed(r->pool);
out:
	free(f.global); free(f.written); free(f.written_list); free(f.use); free(f.def); free(f.in); free(f.vector);
	free(s.end); free(s.live); free(s.live_at);
	free(unit_of_bit); free(block_at);
	return ok;
}
