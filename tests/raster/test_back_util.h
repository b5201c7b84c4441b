/* SPDX-License-Identifier: MIT */
/* What the tests of the back end share: targets, state, primitives set up by
 * hand, and a few pixel shaders. Header only: each test is one program. */
#ifndef TEST_BACK_UTIL_H
#define TEST_BACK_UTIL_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/cu.h"
#include "core/format/format.h"
#include "isa/pm4.h"
#include "isa/regs.h"
#include "isa/resource.h"
#include "isa/surface.h"
#include "raster/back/back.h"
#include "raster/draw.h"
#include "raster/kernels.h"
#include "raster/pass.h"
#include "raster/prim.h"
#include "tests/check.h"

static inline struct rs_worker *test_worker(enum cu_level level)
{
	struct rs_kernels k = rs_kernels_of(level);
	return rs_worker_create(&k);
}

/* xorshift64* */
static inline uint32_t tb_random(uint64_t *s)
{
	*s ^= *s >> 12;
	*s ^= *s << 25;
	*s ^= *s >> 27;
	return (uint32_t)(*s * 0x2545F4914F6CDD1Dull >> 32);
}
static inline float tb_unit(uint64_t *s) { return (float)(tb_random(s) >> 8) * 0x1p-24f; }

static inline uint32_t tb_bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static inline float tb_float(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }

/* --- targets --- */
static inline struct rs_target tb_target(unsigned dfmt, unsigned nfmt, unsigned tiling,
	uint32_t width, uint32_t height, uint32_t slices)
{
	struct rs_target t = { .plane = { .width = width, .height = height, .slices = slices, .samples = 1,
		.tiling = (uint8_t)tiling, .dfmt = (uint8_t)dfmt, .nfmt = (uint8_t)nfmt },
		.sel = { SEL_R, SEL_G, SEL_B, SEL_A } };
	t.code_max = rs_depth_code_max(dfmt, nfmt);
	surf_init(&t.plane);
	t.plane.base = aligned_alloc(256, t.plane.slice_stride * slices);
	CHECK(t.plane.base, "no memory");
	memset(t.plane.base, 0, t.plane.slice_stride * slices);
	return t;
}
static inline uint8_t *tb_texel(const struct rs_target *t, uint32_t x, uint32_t y, uint32_t slice)
{
	return surf_at(&t->plane, x, y, slice);
}
/* Fills with bytes that depend on the position only, not on the tiling. */
static inline void tb_scramble(struct rs_target *t, uint64_t seed)
{
	for (uint32_t s = 0; s < t->plane.slices; s++)
		for (uint32_t y = 0; y < t->plane.height; y++)
			for (uint32_t x = 0; x < t->plane.width; x++)
				for (unsigned b = 0; b < t->plane.bpe; b++)
					tb_texel(t, x, y, s)[b] = (uint8_t)(tb_random(&seed) >> 9);
}
static inline bool tb_same(const struct rs_target *a, const struct rs_target *b, const char *what)
{
	for (uint32_t s = 0; s < a->plane.slices; s++)
		for (uint32_t y = 0; y < a->plane.height; y++)
			for (uint32_t x = 0; x < a->plane.width; x++)
				if (memcmp(tb_texel(a, x, y, s), tb_texel(b, x, y, s), a->plane.bpe)) {
					uint32_t p = 0, q = 0;
					memcpy(&p, tb_texel(a, x, y, s), a->plane.bpe < 4 ? a->plane.bpe : 4);
					memcpy(&q, tb_texel(b, x, y, s), a->plane.bpe < 4 ? a->plane.bpe : 4);
					fprintf(stderr, "%s: (%u, %u) slice %u: %08x, %08x\n", what, x, y, s, p, q);
					return false;
				}
	return true;
}

/* --- pixel shaders (gfx900) --- */
/* mrt0 = attr0, perspective: I, J in v0, v1; prim mask in s3 */
static const uint32_t tb_ps_color[] = {
	0xbefc0003,             /* s_mov_b32 m0, s3 */
	0xd4080000, 0xd4090001, /* v_interp_p1/p2_f32 v2, v0/v1, attr0.x */
	0xd40c0100, 0xd40d0101, /* v3, attr0.y */
	0xd4100200, 0xd4110201, /* v4, attr0.z */
	0xd4140300, 0xd4150301, /* v5, attr0.w */
	0xc400180f, 0x05040302, /* exp mrt0 v2, v3, v4, v5 done vm */
	0xbf810000,             /* s_endpgm */
};

struct tb {
	struct rs_context context;
	struct rs_pass pass;
	struct rs_draw draw;
	struct cu_program *program;
};

static inline void tb_set(struct tb *t, unsigned index, uint32_t value)
{
	t->context.reg[index] = value;
}

/* Plain state: no tests, all channels of target 0 written, attr0 smooth. */
static inline void tb_begin(struct tb *t)
{
	memset(t, 0, sizeof *t);
	tb_set(t, R_PA_SC_AA_MASK_X0Y0_X1Y0, 0xffff);
	tb_set(t, R_CB_TARGET_MASK, 0xf);
	tb_set(t, R_CB_SHADER_MASK, 0xf);
	tb_set(t, R_CB_COLOR_CONTROL, REG_SET(CB_COLOR_CONTROL, MODE, 1) | REG_SET(CB_COLOR_CONTROL, ROP3, 0xcc));
	tb_set(t, R_SPI_PS_INPUT_ENA, REG_SET(SPI_PS_INPUT_ENA, PERSP_CENTER_ENA, 1));
	tb_set(t, R_SPI_PS_IN_CONTROL, REG_SET(SPI_PS_IN_CONTROL, NUM_INTERP, 1));
	for (unsigned i = 0; i < RS_MAX_ATTRS; i++)
		tb_set(t, R_SPI_PS_INPUT_CNTL + i, REG_SET(SPI_PS_INPUT_CNTL, OFFSET, i));
	for (unsigned v = 0; v < 16; v++)
		tb_set(t, R_PA_SC_VPORT_ZMAX + v * PA_SC_VPORT_ZMAX__STRIDE, tb_bits(1));
	t->draw.context = &t->context;
	t->draw.ps.user_count = 3;
}

static inline void tb_program(struct tb *t, const uint32_t *code, size_t dwords)
{
	struct cu_error err = { { 0 } };
	t->program = cu_program_create(CU_LEVEL_V3, code, dwords, &err);
	CHECK(t->program, "program: %s", err.text);
	t->draw.ps.program = t->program;
}

/* After the registers are set; again after they changed. */
static inline void tb_state(struct tb *t)
{
	rs_ps_state_destroy((struct rs_ps_state *)t->draw.state);
	t->draw.state = rs_ps_state_create(&t->context, t->draw.ps.program);
	CHECK(t->draw.state, "no memory");
}

static inline void tb_pass(struct tb *t, uint32_t width, uint32_t height)
{
	struct rs_pass *p = &t->pass;
	p->width = width;
	p->height = height;
	p->tiles_x = (width + RS_TILE - 1) / RS_TILE;
	p->tiles_y = (height + RS_TILE - 1) / RS_TILE;
	p->bin = calloc(p->tiles_x * p->tiles_y, sizeof *p->bin);
	CHECK(p->bin, "no memory");
}

static inline void tb_put(struct rs_bin *bin, const void *item, enum rs_item_kind kind, bool full)
{
	if (!bin->last || bin->last->count == 62) {
		struct rs_item_chunk *c = calloc(1, sizeof *c);
		CHECK(c, "no memory");
		if (bin->last)
			bin->last->next = c;
		else
			bin->first = c;
		bin->last = c;
	}
	bin->last->item[bin->last->count++] = (struct rs_item){ .p = item, .kind = (uint8_t)kind, .full = full };
}

/* Inside all edges and the bounds? */
static inline bool tb_inside(const struct rs_prim *p, int x, int y)
{
	for (unsigned i = 0; i < p->edges; i++)
		if ((int64_t)p->edge[i].a * (256 * x + 128) + (int64_t)p->edge[i].b * (256 * y + 128) + p->edge[i].c < 0)
			return false;
	return x >= p->x0 && x < p->x1 && y >= p->y0 && y < p->y1;
}

/* The part of 2x2 quads that lies in one tile, as RS_ITEM_SMALL. */
static inline void tb_small(struct tb *t, const struct rs_prim *prim, int32_t tx, int32_t ty)
{
	int32_t x = prim->x0 & ~1, y = prim->y0 & ~1;
	x = x < tx * RS_TILE ? tx * RS_TILE : x;
	y = y < ty * RS_TILE ? ty * RS_TILE : y;
	struct rs_item item = { .p = prim, .kind = RS_ITEM_SMALL, .qx = (uint8_t)(x % RS_TILE / 2),
		.qy = (uint8_t)(y % RS_TILE / 2) };
	for (int l = 0; l < 16; l++) {
		int32_t px = x + (l & 1) + (l >> 2 & 1) * 2, py = y + (l >> 1 & 1) + (l >> 3) * 2;
		if (px / RS_TILE == tx && py / RS_TILE == ty && tb_inside(prim, px, py))
			item.mask |= (uint16_t)(1u << l);
	}
	if (!item.mask)
		return;
	struct rs_bin *bin = &t->pass.bin[(uint32_t)ty * t->pass.tiles_x + (uint32_t)tx];
	tb_put(bin, prim, RS_ITEM_SMALL, false);
	bin->last->item[bin->last->count - 1] = item;
}

/* Into all tiles that its bounds touch; triangles that can be, as RS_ITEM_SMALL. */
static inline void tb_prim(struct tb *t, const struct rs_prim *prim)
{
	bool small = prim->kind == RS_PRIM_EDGES && prim->edges == 3 && !prim->is_point &&
		prim->x1 - (prim->x0 & ~1) <= 4 && prim->y1 - (prim->y0 & ~1) <= 4;
	if (small) {
		for (int32_t y = prim->y0 / RS_TILE; y * RS_TILE < prim->y1; y++)
			for (int32_t x = prim->x0 / RS_TILE; x * RS_TILE < prim->x1; x++)
				tb_small(t, prim, x, y);
		return;
	}
	for (int32_t y = prim->y0 / RS_TILE; y * RS_TILE < prim->y1; y++)
		for (int32_t x = prim->x0 / RS_TILE; x * RS_TILE < prim->x1; x++)
			tb_put(&t->pass.bin[(uint32_t)y * t->pass.tiles_x + (uint32_t)x], prim, RS_ITEM_PRIM, false);
}
static inline void tb_clear(struct tb *t, const struct pm4_clear_target *c)
{
	for (uint32_t i = 0; i < t->pass.tiles_x * t->pass.tiles_y; i++)
		tb_put(&t->pass.bin[i], c, RS_ITEM_CLEAR, false);
}

/* Renders all tiles and empties the bins. */
static inline void tb_render(struct tb *t, struct rs_worker *w)
{
	for (uint32_t y = 0; y < t->pass.tiles_y; y++)
		for (uint32_t x = 0; x < t->pass.tiles_x; x++) {
			struct rs_bin *bin = &t->pass.bin[y * t->pass.tiles_x + x];
			rs_tile_render(w, &t->pass, x, y, 1);
			while (bin->first) {
				struct rs_item_chunk *c = bin->first;
				bin->first = c->next;
				free(c);
			}
			bin->last = NULL;
		}
	CHECK(!t->pass.failed, "pass failed: %s", t->pass.error.text);
}

/* Frees what tb_program, tb_state and tb_pass made. */
static inline void tb_end(struct tb *t)
{
	free(t->pass.bin);
	rs_ps_state_destroy((struct rs_ps_state *)t->draw.state);
	cu_program_destroy(t->program);
}

/* --- primitives --- */
struct tb_vertex {
	float x, y, z, w;        /* window x, y, z; clip w */
	float attr[8][4];
};

static inline struct rs_plane tb_plane(const double x[3], const double y[3], const double v[3])
{
	double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
	struct rs_plane p;
	p.dx = ((v[1] - v[0]) * (y[2] - y[0]) - (v[2] - v[0]) * (y[1] - y[0])) / area;
	p.dy = ((v[2] - v[0]) * (x[1] - x[0]) - (v[1] - v[0]) * (x[2] - x[0])) / area;
	p.c = v[0] - p.dx * (x[0] - 0.5) - p.dy * (y[0] - 0.5);
	return p;
}

/* A triangle clipped to [0, width) x [0, height); false when its area is zero.
 * The vertices must outlive it. */
static inline bool tb_triangle(struct rs_prim *p, const struct rs_draw *draw,
	const struct tb_vertex v[3], uint32_t width, uint32_t height)
{
	int64_t X[3], Y[3];
	double x[3], y[3], z[3];
	memset(p, 0, sizeof *p);
	for (int i = 0; i < 3; i++) {
		X[i] = lrint(v[i].x * 256.0);
		Y[i] = lrint(v[i].y * 256.0);
		x[i] = (double)X[i] / 256;
		y[i] = (double)Y[i] / 256;
		z[i] = v[i].z;
		p->inv_w[i] = 1.0f / v[i].w;
		p->attr[i] = v[i].attr[0];
	}
	int64_t area = (X[1] - X[0]) * (Y[2] - Y[0]) - (X[2] - X[0]) * (Y[1] - Y[0]);
	if (!area)
		return false;
	p->draw = draw;
	p->edges = 3;
	p->front_facing = area > 0;
	int64_t sign = area > 0 ? 1 : -1;
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3;
		int64_t a = sign * (Y[i] - Y[j]), b = sign * (X[j] - X[i]);
		bool top_left = a > 0 || (a == 0 && b > 0);
		p->edge[i] = (struct rs_edge){ -(a * X[i] + b * Y[i]) - !top_left, (int32_t)a, (int32_t)b };
	}
	p->z = tb_plane(x, y, z);
	p->b1 = tb_plane(x, y, (double[]){ 0, 1, 0 });
	p->b2 = tb_plane(x, y, (double[]){ 0, 0, 1 });
	double lx = fmin(x[0], fmin(x[1], x[2])), hx = fmax(x[0], fmax(x[1], x[2]));
	double ly = fmin(y[0], fmin(y[1], y[2])), hy = fmax(y[0], fmax(y[1], y[2]));
	p->x0 = (int32_t)fmax(floor(lx), 0);
	p->y0 = (int32_t)fmax(floor(ly), 0);
	p->x1 = (int32_t)fmin(floor(hx) + 1, width);
	p->y1 = (int32_t)fmin(floor(hy) + 1, height);
	p->z_min = fminf(v[0].z, fminf(v[1].z, v[2].z));
	p->z_max = fmaxf(v[0].z, fmaxf(v[1].z, v[2].z));
	return p->x0 < p->x1 && p->y0 < p->y1;
}

#endif
