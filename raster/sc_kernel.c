/* SC: scan conversion of one primitive inside one tile.
 *
 * Edge functions come in 1/256 pixel units at pixel centres, so from pixel to
 * pixel they change by 256 a and 256 b and their low 8 bits never change:
 * e >= 0 exactly when floor(e / 256) >= 0, and the scaled function steps by a
 * and b.  |a|, |b| < 2^25: inside an 8x8 block it changes by less than 2^29.
 * Block origins are int64; only an edge that crosses the block is evaluated by
 * lane, and then its value at the origin is below 2^29 too, so int32 holds. */
#include "raster/back_vec.h"

struct edge_walk {
	int64_t e;            /* scaled, at the first pixel of the tile */
	int32_t a, b;
	int32_t least, most;  /* change inside an 8x8 block, from its first pixel */
	vi lane[RS_VECS];     /* change inside a 4x4 part */
};

struct prim_walk {
	int x0, y0, x1, y1;   /* bounds in tile pixels */
	unsigned edges;
	struct edge_walk edge[4];
};

static inline int32_t least(int32_t v) { return v < 0 ? v : 0; }
static inline int32_t most(int32_t v) { return v > 0 ? v : 0; }

static void edge_begin(struct edge_walk *w, const struct rs_edge *e, int32_t tile_x, int32_t tile_y)
{
	static const int32_t lx[RS_GROUP] = { 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3 };
	static const int32_t ly[RS_GROUP] = { 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3 };
	w->a = e->a;
	w->b = e->b;
	w->e = (e->c + (int64_t)e->a * (256 * (int64_t)tile_x + 128) +
		(int64_t)e->b * (256 * (int64_t)tile_y + 128)) >> 8;
	w->least = 7 * (least(e->a) + least(e->b));
	w->most = 7 * (most(e->a) + most(e->b));
	for (unsigned i = 0; i < RS_VECS; i++)
		w->lane[i] = vi_set(e->a) * vi_load(lx + VW * i) + vi_set(e->b) * vi_load(ly + VW * i);
}

/* The edges that cross block (bx, by). */
struct crossing {
	const struct edge_walk *edge[4];
	int32_t at[4];        /* values at the first pixel */
	unsigned count;
};

/* False when the block is outside an edge. */
static inline bool find_crossing(const struct prim_walk *p, int bx, int by, struct crossing *c)
{
	c->count = 0;
	for (unsigned n = 0; n < p->edges; n++) {
		const struct edge_walk *w = &p->edge[n];
		int64_t e = w->e + (int64_t)w->a * (8 * bx) + (int64_t)w->b * (8 * by);
		if (e + w->most < 0)
			return false;
		if (e + w->least < 0) {
			c->edge[c->count] = w;
			c->at[c->count++] = (int32_t)e;
		}
	}
	return true;
}

/* Lanes of the block inside the edges.  Parts that `within` excludes are not
 * evaluated. */
static inline uint64_t cover(const struct crossing *c, uint64_t within)
{
	uint64_t out = 0;
	for (unsigned p = 0; p < 4; p++) {
		if (!(within >> 16 * p & 0xffff))
			continue;
		struct vi16 outside;
		for (unsigned i = 0; i < RS_VECS; i++)
			outside.v[i] = vi_set(0);
		for (unsigned n = 0; n < c->count; n++) {
			const struct edge_walk *w = c->edge[n];
			int32_t e = c->at[n] + (p & 1 ? 4 * w->a : 0) + (p & 2 ? 4 * w->b : 0);
			for (unsigned i = 0; i < RS_VECS; i++)
				outside.v[i] |= vi_set(e) + w->lane[i];
		}
		out |= (uint64_t)(~vi16_signs(&outside) & 0xffff) << 16 * p;
	}
	return out & within;
}

/* Bounds of the primitive in the tile; false when they are empty. */
static bool walk_begin(struct prim_walk *p, const struct rs_worker *w, const struct rs_prim *prim)
{
	p->x0 = prim->x0 > w->x ? prim->x0 - w->x : 0;
	p->y0 = prim->y0 > w->y ? prim->y0 - w->y : 0;
	p->x1 = prim->x1 - w->x < w->width ? prim->x1 - w->x : w->width;
	p->y1 = prim->y1 - w->y < w->height ? prim->y1 - w->y : w->height;
	return p->x0 < p->x1 && p->y0 < p->y1;
}

/* One 8x8 block of a primitive with these lanes covered (not zero), not
 * rejected by its range of depth: early tests, then into waves. */
void CU_FN(rs_sc_block)(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask)
{
	/* Order by pixel: what is in the open wave comes first.  Early tests and
	 * writes have happened already; a test that is repeated later must see
	 * what is pending, and a block must not overtake the open wave. */
	if (w->order == RS_Z_EARLY_TEST && w->occupied[block] & mask)
		CU_FN(rs_spi_flush)(w);
	if (w->db && w->order != RS_Z_LATE) {
		mask = CU_FN(rs_db_block)(w, prim, block, mask, w->order == RS_Z_EARLY);
		if (!mask)
			return;
	}
	if (w->order == RS_Z_EARLY)
		w->samples += (unsigned)__builtin_popcountll(mask);
	if (!w->run_ps)
		return;
	if (__builtin_popcountll(rs_live_quads(mask)) < 12) {
		CU_FN(rs_spi_append)(w, prim, block, mask);
		return;
	}
	if (w->occupied[block] & mask)
		CU_FN(rs_spi_flush)(w);
	CU_FN(rs_spi_block)(w, prim, block, mask);
}

void CU_FN(rs_sc_prim)(struct rs_worker *w, const struct rs_prim *prim, bool full)
{
	struct prim_walk p;
	if (!walk_begin(&p, w, prim))
		return;
	if (w->db)
		CU_FN(rs_db_begin_prim)(w, prim);
	if (prim->kind == RS_PRIM_BRESENHAM) {
		CU_FN(rs_sc_line)(w, prim);
		return;
	}
	p.edges = full ? 0 : prim->edges;
	for (unsigned n = 0; n < p.edges; n++)
		edge_begin(&p.edge[n], &prim->edge[n], w->x, w->y);
	for (int by = p.y0 >> 3; by <= (p.y1 - 1) >> 3; by++)
		for (int bx = p.x0 >> 3; bx <= (p.x1 - 1) >> 3; bx++) {
			unsigned block = (unsigned)(8 * by + bx);
			struct crossing c;
			if (!find_crossing(&p, bx, by, &c) || (w->use_hiz && CU_FN(rs_db_hiz_reject)(w, prim, block)))
				continue;
			uint64_t mask = rs_lanes_within(bx, by, p.x0, p.y0, p.x1, p.y1);
			if (c.count)
				mask = cover(&c, mask);
			if (mask)
				CU_FN(rs_sc_block)(w, prim, block, mask);
		}
}

const struct rs_kernels CU_FN(rs_kernels) = {
	.prim = CU_FN(rs_sc_prim),
	.flush = CU_FN(rs_spi_flush),
};
