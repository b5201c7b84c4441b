/* SPDX-License-Identifier: MIT */
/* Multisampled scenes on the bare GPU: targets whose samples are found by the
 * words of isa/surface.h, state, programs, and exact coverage. */
#ifndef TESTS_RASTER_MSAA_SCENE_H
#define TESTS_RASTER_MSAA_SCENE_H

#include "bare_metal.h"
#include "isa/samples.h"
#include "isa/surface.h"

enum { MS_W = 151, MS_H = 93, MS_VERTS = 3 * 256 };

struct plane { uint8_t *mem; size_t bytes; unsigned bpe; };

struct scene {
	unsigned samples, log2;
	struct isa_sample at[8];
	struct plane color, z, stencil;
	unsigned z_format;           /* Z_FORMAT_*; others than Z_FORMAT_32_FLOAT leave z.bpe to be set */
	unsigned dfmt, nfmt;
	float verts[MS_VERTS * 6];   /* window x, y, depth; attribute */
	unsigned count;
	struct code vs, ps;
	struct stream s;
};

static uint64_t random_state = 88172645463325252ull;
static inline uint32_t rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 16);
}

static inline void plane_init(struct plane *p, unsigned dfmt, unsigned samples)
{
	struct surf_plane surf = { .width = MS_W, .height = MS_H, .slices = 1, .tiling = TILING_4X4,
		.samples = (uint8_t)samples, .dfmt = (uint8_t)dfmt };
	surf_init(&surf);
	p->bpe = surf.bpe;
	p->bytes = surf.slice_stride;
	p->mem = aligned_alloc(256, p->bytes);
	CHECK(p->mem);
	memset(p->mem, 0, p->bytes);
}

static inline uint8_t *sample_of(const struct scene *c, const struct plane *p, unsigned x, unsigned y, unsigned k)
{
	size_t columns = (MS_W + 7) / 8 * 2, block = (y / 4 * columns + x / 4) * c->samples + k;
	return p->mem + (block * 16 + x % 2 + y % 2 * 2 + x / 2 % 2 * 4 + y / 2 % 2 * 8) * p->bpe;
}

static inline float float_of(const uint8_t *p)
{
	float f;
	memcpy(&f, p, 4);
	return f;
}

static inline void scene_init(struct scene *c, unsigned samples, unsigned dfmt, unsigned nfmt)
{
	memset(c, 0, sizeof *c);
	c->samples = samples;
	c->log2 = samples == 8 ? 3 : samples / 2;
	c->dfmt = dfmt;
	c->nfmt = nfmt;
	for (unsigned k = 0; k < samples; k++)
		c->at[k] = isa_standard_sample(samples, k);
	plane_init(&c->color, dfmt, samples);
	c->z_format = Z_FORMAT_32_FLOAT;
	plane_init(&c->z, DFMT_32, samples);
	plane_init(&c->stencil, DFMT_8, samples);
	make_vs(&c->vs);
}

static inline void scene_finish(struct scene *c)
{
	free(c->color.mem);
	free(c->z.mem);
	free(c->stencil.mem);
}

static inline void vertex(struct scene *c, float x, float y, float z, float r, float g, float b)
{
	const float v[6] = { x, y, z, r, g, b };
	CHECK(c->count < MS_VERTS);
	memcpy(c->verts + 6 * c->count++, v, sizeof v);
}

static inline void clear(struct scene *c, unsigned targets, uint32_t value)
{
	struct pm4_clear_target t = { .targets = targets, .width = MS_W, .height = MS_H, .slice_count = 1, .value = { value, value } };
	packet(&c->s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&t);
}

static inline void set_samples(struct scene *c)
{
	struct stream *s = &c->s;
	uint32_t locs[2] = { 0 };
	for (unsigned k = 0; k < c->samples; k++)
		locs[k / 4] |= ((uint32_t)c->at[k].x & 15) << 8 * (k % 4) | ((uint32_t)c->at[k].y & 15) << (8 * (k % 4) + 4);
	PACKET(s, SET_CONTEXT_REG, R_PA_SC_AA_CONFIG, REG_SET(PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES, c->log2));
	PACKET(s, SET_CONTEXT_REG, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0, locs[0], locs[1]);
	PACKET(s, SET_CONTEXT_REG, R_PA_SC_AA_MASK_X0Y0_X1Y0, 0xffff);
}

/* Targets, plain state: window coordinates come as positions, everything is
 * written, no test passes judgement. */
static inline void begin(struct scene *c)
{
	struct stream *s = &c->s;
	s->n = 0;
	set_geometry(s);
	PACKET(s, SET_CONTEXT_REG, R_CB_COLOR_BASE, address_lo(c->color.mem), address_hi(c->color.mem),
		REG_SET(CB_COLOR_ATTRIB2, MIP0_WIDTH, MS_W - 1) | REG_SET(CB_COLOR_ATTRIB2, MIP0_HEIGHT, MS_H - 1), 0,
		REG_SET(CB_COLOR_INFO, FORMAT, c->dfmt) | REG_SET(CB_COLOR_INFO, NUMBER_TYPE, c->nfmt),
		REG_SET(CB_COLOR_ATTRIB, TILE_MODE_INDEX, TILING_4X4) | REG_SET(CB_COLOR_ATTRIB, NUM_SAMPLES, c->log2) |
		REG_SET(CB_COLOR_ATTRIB, SEL_X, SEL_R) | REG_SET(CB_COLOR_ATTRIB, SEL_Y, SEL_G) |
		REG_SET(CB_COLOR_ATTRIB, SEL_Z, SEL_B) | REG_SET(CB_COLOR_ATTRIB, SEL_W, SEL_A));
	PACKET(s, SET_CONTEXT_REG, R_CB_TARGET_MASK, 15, 15);
	PACKET(s, SET_CONTEXT_REG, R_CB_COLOR_CONTROL, REG_SET(CB_COLOR_CONTROL, MODE, 1) | REG_SET(CB_COLOR_CONTROL, ROP3, 0xcc));
	PACKET(s, SET_CONTEXT_REG, R_SPI_SHADER_COL_FORMAT, 9);
	PACKET(s, SET_CONTEXT_REG, R_PA_CL_VTE_CNTL, 0);
	PACKET(s, SET_CONTEXT_REG, R_PA_SC_VPORT_ZMIN, 0, bits(1));
	PACKET(s, SET_CONTEXT_REG, R_DB_DEPTH_SIZE, REG_SET(DB_DEPTH_SIZE, X_MAX, MS_W - 1) | REG_SET(DB_DEPTH_SIZE, Y_MAX, MS_H - 1));
	PACKET(s, SET_CONTEXT_REG, R_DB_Z_INFO, REG_SET(DB_Z_INFO, FORMAT, c->z_format) | REG_SET(DB_Z_INFO, NUM_SAMPLES, c->log2) |
		REG_SET(DB_Z_INFO, TILE_MODE_INDEX, TILING_4X4),
		REG_SET(DB_STENCIL_INFO, FORMAT, 1) | REG_SET(DB_STENCIL_INFO, TILE_MODE_INDEX, TILING_4X4));
	PACKET(s, SET_CONTEXT_REG, R_DB_Z_READ_BASE, address_lo(c->z.mem), address_hi(c->z.mem),
		address_lo(c->stencil.mem), address_hi(c->stencil.mem));
	set_samples(c);
	set_programs(s, &c->vs, &c->ps, c->verts, MS_VERTS);
	PACKET(s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, 4);
	PACKET(s, NUM_INSTANCES, 1);
}

/* All vertices. */
static inline void draw(struct scene *c)
{
	PACKET(&c->s, DRAW_INDEX_AUTO, c->count, PM4_DI_SRC_AUTO);
}

static inline void run_on(struct scene *c, unsigned threads, const char *level)
{
	const char *why = "";
	struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ .threads = threads, .level = level }, &why);
	CHECK(gpu);
	if (rs_gpu_execute(gpu, c->s.dw, c->s.n) != RS_OK) {
		printf("lost: %s\n", rs_gpu_error(gpu));
		exit(1);
	}
	rs_gpu_destroy(gpu);
}
static inline void run(struct scene *c) { run_on(c, 2, NULL); }

/* --- Exact coverage, in 1/256 pixel --- */

static inline int64_t fixed(float v)
{
	int64_t i = (int64_t)(v * 256);
	CHECK((float)i == v * 256); /* tests use such positions only */
	return i;
}

/* Sample k of pixel (x, y) in triangle number `t` of the vertices.  A sample on
 * an edge belongs to the triangle if the edge is a left or a top one. */
static inline bool covers(const struct scene *c, unsigned t, unsigned x, unsigned y, unsigned k)
{
	int64_t px = 256 * (int64_t)x + 128 + 16 * c->at[k].x, py = 256 * (int64_t)y + 128 + 16 * c->at[k].y, vx[3], vy[3];
	for (unsigned i = 0; i < 3; i++) {
		vx[i] = fixed(c->verts[(3 * t + i) * 6]);
		vy[i] = fixed(c->verts[(3 * t + i) * 6 + 1]);
	}
	int64_t area = (vx[1] - vx[0]) * (vy[2] - vy[0]) - (vx[2] - vx[0]) * (vy[1] - vy[0]);
	if (!area)
		return false;
	for (unsigned i = 0; i < 3; i++) {
		/* walk clockwise, y down: the inside is on the right */
		unsigned a = area > 0 ? i : (i + 1) % 3, b = area > 0 ? (i + 1) % 3 : i;
		int64_t dx = vx[b] - vx[a], dy = vy[b] - vy[a], e = dx * (py - vy[a]) - dy * (px - vx[a]);
		bool top_left = dy < 0 || (dy == 0 && dx > 0);
		if (e < 0 || (e == 0 && !top_left))
			return false;
	}
	return true;
}

#endif
