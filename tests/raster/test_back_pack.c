/* SPDX-License-Identifier: MIT */
/* Wave packing: an image drawn with quads of many primitives in a wave equals,
 * bit for bit, the one drawn with a flush after every primitive; float targets,
 * perspective, flat and smooth attributes, small and large triangles, depth. */
#include "test_back_util.h"

enum { WIDTH = 130, HEIGHT = 100, COUNT = 3000 };

struct scene {
	struct tb_vertex vertex[COUNT][3];
	struct rs_prim prim[COUNT];
	unsigned count;
};

static void make_scene(struct scene *s, const struct rs_draw *draw, uint64_t seed)
{
	s->count = 0;
	for (unsigned n = 0; n < COUNT; n++) {
		float size = n % 64 == 0 ? 90 : n % 8 < 3 ? 9 : 3;
		float cx = tb_unit(&seed) * WIDTH, cy = tb_unit(&seed) * HEIGHT;
		struct tb_vertex *v = s->vertex[s->count];
		for (int i = 0; i < 3; i++) {
			v[i].x = cx + (tb_unit(&seed) - 0.5f) * size;
			v[i].y = cy + (tb_unit(&seed) - 0.5f) * size;
			v[i].z = tb_unit(&seed);
			v[i].w = n % 3 ? 0.2f + tb_unit(&seed) : 1.0f;
			for (int c = 0; c < 8; c++)
				v[i].attr[c / 4][c % 4] = tb_unit(&seed) * 100 - 50;
		}
		struct rs_prim *p = &s->prim[s->count];
		if (tb_triangle(p, draw, v, WIDTH, HEIGHT))
			s->count++;
	}
}

static void draw_scene(struct tb *t, const struct scene *s, struct rs_worker *w, bool one_by_one)
{
	struct pm4_clear_target clear = { .targets = PM4_CLEAR_DEPTH, .width = WIDTH, .height = HEIGHT,
		.slice_count = 1, .value = { 0x3f800000 } };
	t->pass.targets.color[0] = tb_target(DFMT_32_32_32_32, NFMT_FLOAT, TILING_4X4, WIDTH, HEIGHT, 1);
	t->pass.targets.depth = tb_target(DFMT_32, NFMT_FLOAT, TILING_4X4, WIDTH, HEIGHT, 1);
	tb_clear(t, &clear);
	for (unsigned n = 0; n < s->count; n++) {
		tb_prim(t, &s->prim[n]);
		if (one_by_one)
			tb_render(t, w);
	}
	tb_render(t, w);
}

static void compare(struct tb *t, const struct scene *s, struct rs_worker *w, const char *what)
{
	draw_scene(t, s, w, false);
	struct rs_target color = t->pass.targets.color[0], depth = t->pass.targets.depth;
	draw_scene(t, s, w, true);
	CHECK(tb_same(&color, &t->pass.targets.color[0], what), "colour differs");
	CHECK(tb_same(&depth, &t->pass.targets.depth, what), "depth differs");
	free(color.plane.base);
	free(depth.plane.base);
	free(t->pass.targets.color[0].plane.base);
	free(t->pass.targets.depth.plane.base);
}

int main(void)
{
	static struct tb t;
	static struct scene s;
	tb_begin(&t);
	tb_program(&t, tb_ps_color, sizeof tb_ps_color / 4);
	tb_pass(&t, WIDTH, HEIGHT);
	struct rs_worker *w = test_worker(CU_LEVEL_V3);
	CHECK(w, "no memory");
	make_scene(&s, &t.draw, 77);
	tb_state(&t);
	compare(&t, &s, w, "smooth");
	tb_set(&t, R_DB_DEPTH_CONTROL, REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
		REG_SET(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, 1) | REG_SET(DB_DEPTH_CONTROL, ZFUNC, 1));
	tb_state(&t);
	compare(&t, &s, w, "depth");
	tb_set(&t, R_DB_SHADER_CONTROL, REG_SET(DB_SHADER_CONTROL, EXEC_ON_NOOP, 1));
	tb_state(&t);
	compare(&t, &s, w, "late depth");
	tb_set(&t, R_SPI_PS_INPUT_CNTL, REG_SET(SPI_PS_INPUT_CNTL, FLAT_SHADE, 1) |
		REG_SET(SPI_PS_INPUT_CNTL, OFFSET, 1));
	tb_state(&t);
	compare(&t, &s, w, "flat");
	tb_set(&t, R_SPI_PS_INPUT_CNTL, 0);
	tb_set(&t, R_CB_BLEND_CONTROL, REG_SET(CB_BLEND_CONTROL, ENABLE, 1) |
		REG_SET(CB_BLEND_CONTROL, COLOR_SRCBLEND, 4) | REG_SET(CB_BLEND_CONTROL, COLOR_DESTBLEND, 1));
	tb_set(&t, R_SPI_PS_INPUT_ENA, REG_SET(SPI_PS_INPUT_ENA, LINEAR_CENTER_ENA, 1));
	tb_state(&t);
	compare(&t, &s, w, "blend");
	if (__builtin_cpu_supports("avx512vl")) { /* both levels give the same image */
		struct rs_worker *w4 = test_worker(CU_LEVEL_V4);
		CHECK(w4, "no memory");
		draw_scene(&t, &s, w, false);
		struct rs_target color = t.pass.targets.color[0], depth = t.pass.targets.depth;
		draw_scene(&t, &s, w4, false);
		CHECK(tb_same(&color, &t.pass.targets.color[0], "levels"), "colour differs");
		CHECK(tb_same(&depth, &t.pass.targets.depth, "levels"), "depth differs");
		rs_worker_destroy(w4);
		free(color.plane.base);
		free(depth.plane.base);
		free(t.pass.targets.color[0].plane.base);
		free(t.pass.targets.depth.plane.base);
	}
	rs_worker_destroy(w);
	tb_end(&t);
	return 0;
}
