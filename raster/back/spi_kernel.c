/* SPDX-License-Identifier: MIT */
/* SPI: puts quads into waves, launches them and hands what they export on.
 *
 * A block with at least 12 live quads becomes a wave of its own; otherwise its
 * live quads are appended to the open wave, which may hold quads of up to 16
 * primitives.  Both paths compute every lane by the same arithmetic, so what a
 * pixel gets does not depend on its neighbours in the wave. */
#include "raster/back/spi.h"

#include <immintrin.h>
#include <string.h>
#include "core/cu.h"
#include "core/launch.h"
#include "core/level.h"
#include "isa/gcn_operand.h"
#include "isa/stages.h"
#include "raster/back/cb_wave.h"
#include "raster/back/db.h"
#include "raster/back/lanes.h"
#include "raster/back/order.h"
#include "raster/back/ps_state.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"
#include "raster/draw.h"
#include "raster/pass.h"
#include "raster/prim.h"

typedef uint16_t vu16 __attribute__((vector_size(32)));

/* What a block of the tile is written to for the first time, while its wave runs: else stores would wait for it, and what
 * comes behind these for them. */
static __attribute__((noinline)) void fetch_colors(const struct rs_worker *w, const struct rs_prim *prim, unsigned block)
{
	const uint32_t x = (uint32_t)w->x + 8 * (block & 7), y = (uint32_t)w->y + 8 * (block >> 3);
	if (w->state->samples > 1)
		return;
	for (unsigned n = 0; n < w->color_count; n++) {
		const struct surf_plane *p = &w->color[n].target->plane;
		const bool parts = p->tiling == TILING_4X4;
		const uint8_t *row = surf_at(p, x, y, prim->layer);
		for (unsigned r = 0; r < (parts ? 2 : 8); r++, row += p->pitch)
			for (unsigned at = 0; at < (parts ? 32u : 8u) * p->bpe; at += 64)
				cu_fetch_to_write(row + at);
	}
}

/* The wave that a whole block makes. */
static void make_block(struct rs_open_wave *o, struct rs_worker *w,
	const struct rs_prim *prim, unsigned block, uint64_t mask)
{
	const vu16 dx = { 0, 2, 0, 2, 4, 6, 4, 6, 0, 2, 0, 2, 4, 6, 4, 6 };
	const vu16 dy = { 0, 0, 2, 2, 0, 0, 2, 2, 4, 4, 6, 6, 4, 4, 6, 6 };
	vu16 x = dx + (uint16_t)(w->x + 8 * (int)(block & 7)), y = dy + (uint16_t)(w->y + 8 * (int)(block >> 3));
	o->prim[0] = prim;
	o->exec = mask;
	memcpy(o->x, &x, sizeof x);
	memcpy(o->y, &y, sizeof y);
	if (__builtin_expect(!(w->waves.touched >> block & 1), 0)) {
		w->waves.touched |= 1ull << block;
		fetch_colors(w, prim, block);
	}
}

enum { RS_ATTR_BYTES = 48 };

/* Slots of vertices 0, 1 and 2: the provoking vertex has the first.  What a primitive lacks is its last. */
static inline const uint8_t *slots_of(const struct rs_ps_state *s, const struct rs_prim *prim)
{
	static const uint8_t slot[2][4][3] = { { { 0, 1, 2 }, { 0, 0, 0 }, { 0, 1, 1 }, { 0, 1, 2 } },
		{ { 0, 1, 2 }, { 0, 0, 0 }, { 1, 0, 0 }, { 1, 2, 0 } } };
	return slot[s->provoking_last][prim->draw->corners & 3];
}

/* The weights of vertices 0, 1, 2 at the vertex in slot k. */
static inline __m128 weights_at(const struct rs_prim *prim, const uint8_t slot[3], unsigned k)
{
	float w[4] = { 0 };
	for (unsigned n = 0; n < prim->draw->corners; n++)
		w[n] = prim->cut && prim->attr[k] ? RS_WEIGHTS(prim->attr[k])[slot[n]] : slot[n] == k;
	return _mm_loadu_ps(w);
}

/* RS_ATTR_WEIGHTS, RS_ATTR_VERTICES. */
static void write_vertices(__m128 p[3], const struct rs_ps_state *s, const struct rs_attr *a, const struct rs_prim *prim)
{
	const uint8_t *slot = slots_of(s, prim);
	for (unsigned n = 0; n < 3; n++) {
		const float *attr = prim->attr[slot[n]];
		if (a->kind == RS_ATTR_VERTICES)
			p[n] = attr ? _mm_loadu_ps(attr + 4 * a->param) : _mm_setzero_ps();
		else if (n == 0)
			p[n] = weights_at(prim, slot, n);
		else
			p[n] = prim->is_point ? _mm_setzero_ps() : _mm_sub_ps(weights_at(prim, slot, n), p[0]);
	}
}

/* One attribute of one primitive: P0, P10, P20 as VINTRP reads them. */
static inline void write_attr(float *lds, const struct rs_ps_state *s, const struct rs_attr *a, const struct rs_prim *prim)
{
	__m128 p0 = _mm_setzero_ps(), p10 = p0, p20 = p0;
	if (a->kind == RS_ATTR_DEFAULT) {
		p0 = _mm_loadu_ps(a->value);
	} else if (a->kind == RS_ATTR_POINT) {
		p0 = _mm_set_ps(1, 0, 0, 0); /* I and J of a point are s and t */
		if (prim->is_point) {
			p10 = _mm_set_ps(0, 0, 0, 1);
			p20 = _mm_set_ps(0, 0, 1, 0);
		}
	} else if (a->kind >= RS_ATTR_WEIGHTS) {
		__m128 p[3];
		write_vertices(p, s, a, prim);
		p0 = p[0];
		p10 = p[1];
		p20 = p[2];
	} else {
		p0 = _mm_loadu_ps(prim->attr[0] + 4 * a->param);
		if (a->kind == RS_ATTR_SMOOTH && !prim->is_point) {
			if (prim->attr[1])
				p10 = _mm_sub_ps(_mm_loadu_ps(prim->attr[1] + 4 * a->param), p0);
			if (prim->attr[2])
				p20 = _mm_sub_ps(_mm_loadu_ps(prim->attr[2] + 4 * a->param), p0);
		}
	}
	_mm_storeu_ps(lds, _mm_unpacklo_ps(p0, p10));
	_mm_storeu_ps(lds + 4, _mm_unpackhi_ps(p0, p10));
	_mm_storeu_ps(lds + 8, p20);
}

static void write_attrs(struct rs_worker *w, const struct rs_open_wave *o)
{
	const struct rs_ps_state *s = w->state;
	if (o->prims == 1 && w->waves.lds_prim == o->prim[0])
		return;
	w->waves.lds_prim = o->prims == 1 ? o->prim[0] : NULL;
	float *lds = (float *)w->slot.lds;
	for (unsigned n = 0; n < s->num_interp; n++)
		for (unsigned p = 0; p < o->prims; p++, lds += RS_ATTR_BYTES / 4)
			write_attr(lds, s, &s->attr[n], o->prim[p]);
}

static __attribute__((noinline)) void start_anew(struct rs_worker *w, const struct rs_open_wave *o)
{
	cu_launch(&w->slot, &w->draw->ps, &w->state->inputs, o->exec, 0);
	w->waves.again = true;
}

static inline void init_wave(struct rs_worker *w, const struct rs_open_wave *o)
{
	const struct rs_ps_state *s = w->state;
	const struct cu_program_use *use = &w->draw->ps;
	struct cu_wave *wave = w->slot.wave;
	if (w->waves.again)
		cu_launch_again(&w->slot, use, &s->inputs, o->exec, 0);
	else
		start_anew(w, o);
	wave->sgpr[use->user_count] = o->new_prim >> 1 << 16;
	wave->lds_bytes = s->num_interp * o->prims * RS_ATTR_BYTES;
	wave->may_stay = 1;
	wave->quiet = !s->side_effects;
	wave->numbers = w->waves.numbers;
}

/* Depths that the shader says first are tested first: the late test, or, where it may yet discard, another one in front of it. */
static bool is_wanted(struct cu_wave *wave)
{
	struct rs_worker *w = wave->owner;
	struct rs_waves *v = &w->waves;
	const bool final = !w->state->kill;
	v->passed = CU_FN(rs_db_wave)(w, v->at_hand, v->at_hand->exec, final);
	v->tested = final || !v->passed;
	return v->passed && (w->color_count || !final);
}

/* next: as cu_wave.next, or NULL. */
static void launch(struct rs_worker *w, const struct rs_open_wave *o, bool (*next)(struct cu_wave *wave))
{
	w->invocations += (unsigned)__builtin_popcountll(o->exec);
	write_attrs(w, o);
	init_wave(w, o);
	w->slot.wave->next = next;
	w->slot.wave->wanted = w->waves.asks ? is_wanted : NULL;
	w->slot.wave->owner = w;
	w->waves.at_hand = o;
	w->waves.tested = false;
	CU_FN(rs_spi_inputs)(w, o);
	enum cu_status status;
	do
		status = cu_slot_run(&w->slot, &w->draw->ps);
	while (status == CU_BARRIER); /* one wave: nobody to wait for */
	if (status == CU_FAULT) {
		w->waves.again = false;
		rs_pass_fail(w->pass, isa_hw_stages[ISA_HW_PS].wave, w->draw->ps.program, &w->slot.wave->error);
		return;
	}
	if (w->state->samples > 1)
		CU_FN(rs_spi_finish_msaa)(w, o);
	else
		rs_order_wave(w, o, false);
}

/* --- covered blocks of a primitive, in one run if the program can (cu_wave.next) --- */

static bool next_block(struct cu_wave *wave)
{
	struct rs_worker *w = wave->owner;
	struct rs_waves *v = &w->waves;
	struct rs_open_wave *o = &v->direct;
	if (v->run_at + 1 == v->run_count)
		return false;
	rs_order_wave(w, o, false);
	make_block(o, w, v->run_prim, v->run[++v->run_at], ~0ull);
	w->invocations += CU_LANES;
	cu_launch_next(&w->slot, &w->state->inputs);
	wave->may_stay = 1;
	CU_FN(rs_spi_inputs)(w, o);
	return true;
}

void CU_FN(rs_spi_run)(struct rs_worker *w)
{
	struct rs_waves *v = &w->waves;
	const bool follow = cu_may_launch_next(&w->slot, &w->draw->ps, &w->state->inputs);
	v->running = true;
	for (v->run_at = 0; v->run_at < v->run_count; v->run_at++) {
		make_block(&v->direct, w, v->run_prim, v->run[v->run_at], ~0ull);
		launch(w, &v->direct, follow ? next_block : NULL);
	}
	v->running = false;
	v->run_count = 0;
}

void CU_FN(rs_spi_block)(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask)
{
	struct rs_waves *v = &w->waves;
	if (mask == ~0ull && v->runs) {
		v->run_prim = prim;
		v->run[v->run_count++] = (uint8_t)block;
		return;
	}
	make_block(&v->direct, w, prim, block, mask);
	launch(w, &v->direct, NULL);
}

void CU_FN(rs_spi_flush)(struct rs_worker *w)
{
	struct rs_open_wave *o = &w->waves.open;
	if (!o->quads)
		return;
	launch(w, o, NULL);
	o->quads = o->prims = 0;
	o->new_prim = 0;
	o->exec = 0;
	for (uint64_t b = w->waves.occupied_blocks; b; b &= b - 1)
		w->waves.occupied[__builtin_ctzll(b)] = 0;
	w->waves.occupied_blocks = 0;
}

/* They are read when the wave is launched. */
static inline void prefetch_attrs(const struct rs_ps_state *s, const struct rs_prim *prim)
{
	for (unsigned v = 0; v < 3; v++)
		for (unsigned n = 0; n < s->num_interp && prim->attr[v]; n += 4)
			__builtin_prefetch(prim->attr[v] + 4 * s->attr[n].param);
}

/* The four quads of a group are tested and blended at once: they must not share
 * a pixel when one reads what the other writes.  Groups go in order. */
static inline bool clashes(const struct rs_open_wave *o, unsigned x, unsigned y, uint64_t quad)
{
	for (unsigned q = o->quads & ~3u; q < o->quads; q++)
		if (o->x[q] == x && o->y[q] == y && o->exec >> 4 * q & quad & 15)
			return true;
	return false;
}

/* Whether all of the group that is being filled is of the primitive that came last: its quads share no pixel. */
static inline bool is_alone(const struct rs_open_wave *o, const struct rs_prim *prim)
{
	return o->quads && o->prim[o->prims - 1] == prim && 31u - (unsigned)__builtin_clz(o->new_prim | 1) <= (o->quads & ~3u);
}

/* The primitive of the next quads. */
static inline void begin_prim(struct rs_worker *w, const struct rs_prim *prim)
{
	struct rs_open_wave *o = &w->waves.open;
	if (o->quads && o->prim[o->prims - 1] == prim)
		return;
	o->new_prim |= 1u << o->quads;
	o->prim[o->prims++] = prim;
	prefetch_attrs(w->state, prim);
}

/* The first of some live quads of a block, as many as the open wave has room for; what is left of them.  Where lanes read
 * what is there, the group that is being filled has no quads of others that share a pixel with these. */
static inline uint64_t append_quads(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask,
	uint64_t live)
{
	static const uint8_t quad_x[16] = { 0, 2, 0, 2, 4, 6, 4, 6, 0, 2, 0, 2, 4, 6, 4, 6 };
	static const uint8_t quad_y[16] = { 0, 0, 2, 2, 0, 0, 2, 2, 4, 4, 6, 6, 4, 4, 6, 6 };
	struct rs_open_wave *o = &w->waves.open;
	const unsigned x = (unsigned)w->x + 8 * (block & 7), y = (unsigned)w->y + 8 * (block >> 3);
	const float *code = w->depth.code_prim == prim && w->depth.code_block == block ? w->depth.code[w->waves.run_count] : NULL;
	uint64_t exec = o->exec, lanes = 0;
	unsigned n = o->quads;
	begin_prim(w, prim);
	w->depth.quads_coded = code && (!n || w->depth.quads_coded);
	for (const uint8_t p = (uint8_t)(o->prims - 1); live && n < RS_WAVE_QUADS; live &= live - 1, n++) {
		const unsigned lane = (unsigned)__builtin_ctzll(live);
		const uint64_t quad = mask >> lane & 15;
		o->quad_prim[n] = p;
		o->x[n] = (uint16_t)(x + quad_x[lane / 4]);
		o->y[n] = (uint16_t)(y + quad_y[lane / 4]);
		if (code)
			_mm_store_ps(w->depth.quad_code + 4 * n, _mm_load_ps(code + lane));
		exec |= quad << 4 * n;
		lanes |= quad << lane;
	}
	o->exec = exec;
	o->quads = n;
	w->waves.occupied[block] |= lanes;
	w->waves.occupied_blocks |= 1ull << block;
	if (n == RS_WAVE_QUADS)
		CU_FN(rs_spi_flush)(w);
	return live;
}

void CU_FN(rs_spi_append)(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask)
{
	const struct rs_open_wave *o = &w->waves.open;
	const unsigned x = (unsigned)w->x + 8 * (block & 7), y = (unsigned)w->y + 8 * (block >> 3);
	for (uint64_t live = rs_live_quads(mask); live;) {
		if (!w->waves.reads || !(o->quads & 3) || is_alone(o, prim)) {
			live = append_quads(w, prim, block, mask, live);
			continue;
		}
		const unsigned lane = (unsigned)__builtin_ctzll(live);
		if (clashes(o, x + rs_lane_x(lane), y + rs_lane_y(lane), mask >> lane))
			CU_FN(rs_spi_flush)(w);
		append_quads(w, prim, block, mask, live & -live);
		live &= live - 1;
	}
}

/* One quad at (x, y), from `lane` of its block on: few of them are worth no loop. */
static inline void append_quad(struct rs_worker *w, const struct rs_prim *prim, unsigned block, unsigned lane,
	unsigned x, unsigned y, uint64_t quad)
{
	struct rs_open_wave *o = &w->waves.open;
	if (w->waves.reads && !is_alone(o, prim) && clashes(o, x, y, quad))
		CU_FN(rs_spi_flush)(w);
	begin_prim(w, prim);
	const unsigned n = o->quads;
	o->quad_prim[n] = (uint8_t)(o->prims - 1);
	o->x[n] = (uint16_t)x;
	o->y[n] = (uint16_t)y;
	o->exec |= quad << 4 * n;
	w->waves.occupied[block] |= quad << lane;
	w->waves.occupied_blocks |= 1ull << block;
	o->quads = n + 1;
	if (o->quads == RS_WAVE_QUADS)
		CU_FN(rs_spi_flush)(w);
}

/* 2x2 quads from quad (qx, qy) of the tile. */
void CU_FN(rs_spi_append_small)(struct rs_worker *w, const struct rs_prim *prim, unsigned qx, unsigned qy,
	uint32_t mask)
{
	for (uint64_t live = rs_live_quads(mask); live; live &= live - 1) {
		unsigned lane = (unsigned)__builtin_ctzll(live);
		unsigned x = qx + (lane >> 2 & 1), y = qy + (lane >> 3);
		unsigned at = 4 * ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2);
		append_quad(w, prim, (y >> 2) * 8 + (x >> 2), at, (unsigned)w->x + 2 * x, (unsigned)w->y + 2 * y,
			mask >> lane & 15);
	}
}
