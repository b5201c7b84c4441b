/* SPDX-License-Identifier: MIT */
/* Bresenham lines against the diamond-exit rule itself: exact tests of the
 * segment against every pixel's diamond, with the ends displaced by
 * (-e, -e^2), e far below what the coordinates can tell apart. */
#include "test_back_util.h"

enum { WIDTH = 100, HEIGHT = 90, COUNT = 4000 };

typedef __int128 wide;

/* 1/256 pixel is SCALE; e is EPSILON and e^2 is 1. */
#define SCALE ((wide)1 << 50)
#define EPSILON ((wide)1 << 24)

struct point { wide x, y; };

static wide absolute(wide v) { return v < 0 ? -v : v; }

static bool in_diamond(struct point p)
{
	return absolute(p.x) + absolute(p.y) < 128 * SCALE;
}

/* The open diamond around (0, 0) and the segment have a point in common: no
 * axis separates them. */
static bool meets(struct point a, struct point b)
{
	wide h = 128 * SCALE;
	for (int s = -1; s <= 1; s += 2) {
		wide p = a.x + s * a.y, q = b.x + s * b.y;
		if ((p >= h && q >= h) || (p <= -h && q <= -h))
			return false;
	}
	/* The line's own normal separates them unless the corners (+-h, 0), (0, +-h)
	 * lie on both sides: |cross(d, a)| < h max(|dx|, |dy|).  The product has more
	 * than 127 bits: a is cut into high and low 40 bits. */
	wide dx = b.x - a.x, dy = b.y - a.y;
	wide m = absolute(dx) > absolute(dy) ? absolute(dx) : absolute(dy);
	const wide low_part = (wide)1 << 40;
	wide hi_x = a.x >> 40, lo_x = a.x - hi_x * low_part, hi_y = a.y >> 40, lo_y = a.y - hi_y * low_part;
	wide high = dx * hi_y - dy * hi_x, low = dx * lo_y - dy * lo_x;
	wide carry = low >> 40, rest = low - carry * low_part;
	high += carry; /* cross = high 2^40 + rest, 0 <= rest < 2^40 */
	wide magnitude = high >= 0 ? high : -high - (rest != 0);
	return magnitude < m * (h >> 40);
}

static bool covered(const int32_t lx[2], const int32_t ly[2], int x, int y)
{
	struct point p[2];
	for (int i = 0; i < 2; i++) {
		p[i].x = (lx[i] - 256 * x - 128) * SCALE - EPSILON;
		p[i].y = (ly[i] - 256 * y - 128) * SCALE - 1;
	}
	return meets(p[0], p[1]) && !in_diamond(p[1]);
}

static bool expected(const struct rs_prim *p, int x, int y)
{
	int32_t lx[2] = { p->line_x[0], p->line_x[1] }, ly[2] = { p->line_y[0], p->line_y[1] };
	bool x_major = abs(lx[1] - lx[0]) >= abs(ly[1] - ly[0]);
	int width = (int)p->line_width;
	for (int i = 0; i < 2; i++)
		*(x_major ? &ly[i] : &lx[i]) -= (width - 1) * 128;
	for (int k = 0; k < width; k++)
		if (covered(lx, ly, x_major ? x : x - k, x_major ? y - k : y))
			return true;
	return false;
}

static void random_line(struct rs_prim *p, unsigned n, uint64_t *seed)
{
	int size = n % 3 == 0 ? 100 : 12, grid = n % 4 == 0 ? 128 : n % 4 == 1 ? 64 : 1;
	p->line_x[0] = (int32_t)(tb_random(seed) % (WIDTH * 256));
	p->line_y[0] = (int32_t)(tb_random(seed) % (HEIGHT * 256));
	p->line_x[1] = p->line_x[0] + (int32_t)(tb_random(seed) % (unsigned)(size * 512)) - size * 256;
	p->line_y[1] = p->line_y[0] + (int32_t)(tb_random(seed) % (unsigned)(size * 512)) - size * 256;
	if (n % 7 == 0)
		p->line_y[1] = p->line_y[0];
	if (n % 7 == 1)
		p->line_x[1] = p->line_x[0];
	if (n % 7 == 2) /* a diagonal */
		p->line_y[1] = p->line_y[0] + (n & 8 ? 1 : -1) * (p->line_x[1] - p->line_x[0]);
	if (n % 7 == 3) { /* within a pixel or two */
		p->line_x[1] = p->line_x[0] + (int32_t)(tb_random(seed) % 512) - 256;
		p->line_y[1] = p->line_y[0] + (int32_t)(tb_random(seed) % 512) - 256;
	}
	for (int i = 0; i < 2; i++) {
		p->line_x[i] = p->line_x[i] / grid * grid;
		p->line_y[i] = p->line_y[i] / grid * grid;
	}
	p->line_width = n % 5 ? 1 : 1 + tb_random(seed) % 6;
}

/* Lines that go behind what is there: a depth of 0.5. */
static void check_depths(struct rs_worker *w)
{
	static struct tb t;
	static float attr[4] = { 1, 1, 1, 1 };
	const float old = 0.5f;
	uint64_t seed = 7;
	tb_begin(&t);
	tb_set(&t, R_DB_DEPTH_CONTROL, REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, 1) | REG_SET(DB_DEPTH_CONTROL, ZFUNC, COMPARE_LESS));
	tb_program(&t, tb_ps_color, sizeof tb_ps_color / 4);
	tb_state(&t);
	tb_pass(&t, WIDTH, HEIGHT);
	t.pass.targets.color[0] = tb_target(DFMT_8, NFMT_UNORM, TILING_4X4, WIDTH, HEIGHT, 1);
	t.pass.targets.depth = tb_target(DFMT_32, NFMT_FLOAT, TILING_4X4, WIDTH, HEIGHT, 1);
	for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
		memcpy(tb_texel(&t.pass.targets.depth, i % WIDTH, i / WIDTH, 0), &old, 4);
	for (unsigned n = 0; n < 300; n++) {
		struct rs_prim p = { .draw = &t.draw, .kind = RS_PRIM_BRESENHAM, .x1 = WIDTH, .y1 = HEIGHT,
			.attr = { attr, attr, attr }, .inv_w = { 1, 1, 1 }, .z_max = 1 };
		random_line(&p, n, &seed);
		p.z.dy = n & 1 ? 1.0 / HEIGHT : -1.0 / HEIGHT;
		p.z.c = n & 1 ? 0 : 1;
		memset(t.pass.targets.color[0].plane.base, 0, t.pass.targets.color[0].plane.slice_stride);
		tb_prim(&t, &p);
		tb_render(&t, w);
		for (int y = 0; y < HEIGHT; y++)
			for (int x = 0; x < WIDTH; x++) {
				const bool got = *tb_texel(&t.pass.targets.color[0], (uint32_t)x, (uint32_t)y, 0);
				const bool near = p.z.c + p.z.dy * y < 0.5 - 1e-6;
				CHECK(got == (near && expected(&p, x, y)), "line %u with a depth: pixel (%d, %d) is %d", n, x, y, got);
			}
	}
	free(t.pass.targets.color[0].plane.base);
	free(t.pass.targets.depth.plane.base);
	tb_end(&t);
}

int main(void)
{
	static struct tb t;
	static float attr[4] = { 1, 1, 1, 1 };
	uint64_t seed = 99;
	tb_begin(&t);
	tb_program(&t, tb_ps_color, sizeof tb_ps_color / 4);
	tb_state(&t);
	tb_pass(&t, WIDTH, HEIGHT);
	t.pass.targets.color[0] = tb_target(DFMT_8, NFMT_UNORM, TILING_4X4, WIDTH, HEIGHT, 1);
	struct rs_worker *w = test_worker(CU_LEVEL_V3);
	CHECK(w, "no memory");
	for (unsigned n = 0; n < COUNT; n++) {
		struct rs_prim p = { .draw = &t.draw, .kind = RS_PRIM_BRESENHAM, .x1 = WIDTH, .y1 = HEIGHT,
			.attr = { attr, attr, attr }, .inv_w = { 1, 1, 1 } };
		random_line(&p, n, &seed);
		memset(t.pass.targets.color[0].plane.base, 0, t.pass.targets.color[0].plane.slice_stride);
		tb_prim(&t, &p);
		tb_render(&t, w);
		for (int y = 0; y < HEIGHT; y++)
			for (int x = 0; x < WIDTH; x++) {
				bool got = *tb_texel(&t.pass.targets.color[0], (uint32_t)x, (uint32_t)y, 0);
				CHECK(got == expected(&p, x, y), "line %u (%d, %d)-(%d, %d) width %u: pixel (%d, %d) is %d", n,
					p.line_x[0], p.line_y[0], p.line_x[1], p.line_y[1], p.line_width, x, y, got);
			}
	}
	check_depths(w);
	rs_worker_destroy(w);
	free(t.pass.targets.color[0].plane.base);
	tb_end(&t);
	return 0;
}
