/* SPDX-License-Identifier: MIT */
/* Clears of rectangles and slices in order with draws, all target kinds and
 * tilings; hierarchical Z must follow them. */
#include "test_back_util.h"

enum { WIDTH = 100, HEIGHT = 75, SLICES = 3, ROUNDS = 300 };

struct model {
	uint32_t color[SLICES][HEIGHT][WIDTH];
	float z[SLICES][HEIGHT][WIDTH];
	uint8_t s[SLICES][HEIGHT][WIDTH];
};

static void apply_clear(struct model *m, const struct pm4_clear_target *c, bool d16)
{
	for (uint32_t l = c->first_slice; l < c->first_slice + c->slice_count && l < SLICES; l++)
		for (uint32_t y = c->y; y < c->y + c->height && y < HEIGHT; y++)
			for (uint32_t x = c->x; x < c->x + c->width && x < WIDTH; x++) {
				if (c->targets & PM4_CLEAR_COLOR0) {
					uint8_t t[4];
					for (int i = 0; i < 4; i++)
						t[i] = (uint8_t)lrintf(tb_float(c->value[(const int[]){ 2, 1, 0, 3 }[i]]) * 255);
					memcpy(&m->color[l][y][x], t, 4);
				}
				if (c->targets & PM4_CLEAR_DEPTH) {
					float z = tb_float(c->value[0]);
					m->z[l][y][x] = d16 ? rintf(z * 65535) : z;
				}
				if (c->targets & PM4_CLEAR_STENCIL)
					m->s[l][y][x] = (uint8_t)c->value[1];
			}
}

static void random_clear(struct pm4_clear_target *c, uint64_t *seed)
{
	memset(c, 0, sizeof *c);
	unsigned kind = tb_random(seed) % 4;
	c->targets = kind == 0 ? PM4_CLEAR_COLOR0 : kind == 1 ? PM4_CLEAR_DEPTH : kind == 2 ? PM4_CLEAR_STENCIL :
		PM4_CLEAR_DEPTH | PM4_CLEAR_STENCIL;
	c->x = tb_random(seed) % WIDTH;
	c->y = tb_random(seed) % HEIGHT;
	c->width = tb_random(seed) % WIDTH;
	c->height = tb_random(seed) % HEIGHT;
	if (tb_random(seed) % 3 == 0) {
		c->x = c->y = 0;
		c->width = c->height = 16384;
	}
	c->first_slice = tb_random(seed) % SLICES;
	c->slice_count = 1 + tb_random(seed) % SLICES;
	for (int i = 0; i < 4; i++)
		c->value[i] = tb_bits((float)(tb_random(seed) % 256) / 255);
	if (c->targets & PM4_CLEAR_STENCIL)
		c->value[1] = tb_random(seed);
}

/* A rectangle at constant depth. */
static void random_rect(struct rs_prim *p, const struct rs_draw *draw, uint64_t *seed)
{
	memset(p, 0, sizeof *p);
	p->draw = draw;
	p->layer = (uint16_t)(tb_random(seed) % SLICES);
	p->x0 = (int32_t)(tb_random(seed) % WIDTH);
	p->y0 = (int32_t)(tb_random(seed) % HEIGHT);
	p->x1 = p->x0 + 1 + (int32_t)(tb_random(seed) % (uint32_t)(WIDTH - p->x0));
	p->y1 = p->y0 + 1 + (int32_t)(tb_random(seed) % (uint32_t)(HEIGHT - p->y0));
	p->z.c = p->z_min = p->z_max = (float)(tb_random(seed) % 256) / 255;
}

static void draw_rect(struct model *m, const struct rs_prim *p, bool d16)
{
	for (int y = p->y0; y < p->y1; y++)
		for (int x = p->x0; x < p->x1; x++) {
			float z = d16 ? rintf((float)p->z.c * 65535) : (float)p->z.c;
			if (z < m->z[p->layer][y][x])
				m->z[p->layer][y][x] = z;
		}
}

static void run_round(struct rs_worker *w, uint64_t seed)
{
	static struct tb t;
	static struct model m;
	struct pm4_clear_target clear[12];
	struct rs_prim rect[12];
	bool d16 = tb_random(&seed) & 1;
	unsigned tiling = tb_random(&seed) & 1 ? TILING_LINEAR : TILING_4X4;
	memset(&m, 0, sizeof m);
	tb_begin(&t);
	tb_set(&t, R_DB_DEPTH_CONTROL, REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
		REG_SET(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, 1) | REG_SET(DB_DEPTH_CONTROL, ZFUNC, 1));
	tb_state(&t);
	tb_pass(&t, WIDTH, HEIGHT);
	t.pass.targets.color[0] = tb_target(DFMT_8_8_8_8, NFMT_UNORM, tiling, WIDTH, HEIGHT, SLICES);
	t.pass.targets.color[0].sel[0] = SEL_B;
	t.pass.targets.color[0].sel[2] = SEL_R;
	t.pass.targets.depth = tb_target(d16 ? DFMT_16 : DFMT_32, d16 ? NFMT_UNORM : NFMT_FLOAT, tiling, WIDTH, HEIGHT, SLICES);
	t.pass.targets.stencil = tb_target(DFMT_8, NFMT_UINT, tiling, WIDTH, HEIGHT, SLICES);
	for (int i = 0; i < 12; i++) {
		random_clear(&clear[i], &seed);
		tb_clear(&t, &clear[i]);
		apply_clear(&m, &clear[i], d16);
		random_rect(&rect[i], &t.draw, &seed);
		tb_prim(&t, &rect[i]);
		draw_rect(&m, &rect[i], d16);
	}
	tb_render(&t, w);
	for (uint32_t l = 0; l < SLICES; l++)
		for (uint32_t y = 0; y < HEIGHT; y++)
			for (uint32_t x = 0; x < WIDTH; x++) {
				float z = 0;
				uint16_t code = 0;
				memcpy(&z, tb_texel(&t.pass.targets.depth, x, y, l), d16 ? 0 : 4);
				memcpy(&code, tb_texel(&t.pass.targets.depth, x, y, l), 2);
				CHECK((d16 ? code : z) == m.z[l][y][x], "(%u, %u) slice %u: depth %g, expected %g", x, y, l,
					d16 ? code : z, m.z[l][y][x]);
				CHECK(!memcmp(tb_texel(&t.pass.targets.color[0], x, y, l), &m.color[l][y][x], 4), "(%u, %u) slice %u: colour", x, y, l);
				CHECK(*tb_texel(&t.pass.targets.stencil, x, y, l) == m.s[l][y][x], "(%u, %u) slice %u: stencil", x, y, l);
			}
	free(t.pass.targets.color[0].plane.base);
	free(t.pass.targets.depth.plane.base);
	free(t.pass.targets.stencil.plane.base);
	tb_end(&t);
}

int main(void)
{
	struct rs_worker *w = test_worker(CU_LEVEL_V3);
	CHECK(w, "no memory");
	for (unsigned round = 0; round < ROUNDS; round++)
		run_round(w, 0x9e3779b97f4a7c15ull * (round + 1));
	rs_worker_destroy(w);
	return 0;
}
