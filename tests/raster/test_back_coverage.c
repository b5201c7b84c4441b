/* SPDX-License-Identifier: MIT */
/* Coverage of random triangles against a brute-force int64 evaluation, and the
 * image of both tilings and both levels: every pixel gets the colour of the
 * last triangle that covers it; with alpha to coverage, of the last opaque one. */
#include "test_back_util.h"

enum { WIDTH = 150, HEIGHT = 139, COUNT = 400 };

struct scene {
	struct tb_vertex vertex[COUNT][3];
	struct rs_prim prim[COUNT];
	unsigned count;
};

static void make_scene(struct scene *s, const struct rs_draw *draw, uint64_t seed)
{
	s->count = 0;
	for (unsigned n = 0; n < COUNT; n++) {
		float size = n % 8 == 0 ? 400 : n % 8 < 3 ? 40 : 6;
		float cx = tb_unit(&seed) * WIDTH, cy = tb_unit(&seed) * HEIGHT;
		struct tb_vertex *v = s->vertex[s->count];
		for (int i = 0; i < 3; i++) {
			memset(&v[i], 0, sizeof v[i]);
			v[i].x = cx + (tb_unit(&seed) - 0.5f) * size;
			v[i].y = cy + (tb_unit(&seed) - 0.5f) * size;
			if (n % 5 == 0) { /* on pixel centres and corners */
				v[i].x = floorf(v[i].x * 2) / 2;
				v[i].y = floorf(v[i].y * 2) / 2;
			}
			v[i].w = 1;
			for (int c = 0; c < 3; c++)
				v[i].attr[0][c] = (float)(s->count >> 4 * c & 15) / 15;
			v[i].attr[0][3] = s->count & 1 ? 0.5f : 0.49f;
		}
		if (tb_triangle(&s->prim[s->count], draw, v, WIDTH, HEIGHT))
			s->count++;
	}
}

static bool covered(const struct rs_prim *p, int64_t x, int64_t y)
{
	for (int e = 0; e < p->edges; e++)
		if (p->edge[e].a * (256 * x + 128) + p->edge[e].b * (256 * y + 128) + p->edge[e].c < 0)
			return false;
	return x >= p->x0 && x < p->x1 && y >= p->y0 && y < p->y1;
}

static void check_scene(const struct scene *s, const struct rs_target *t, bool opaque_only)
{
	for (uint32_t y = 0; y < HEIGHT; y++)
		for (uint32_t x = 0; x < WIDTH; x++) {
			unsigned want = 0xffff;
			for (unsigned n = 0; n < s->count; n++)
				if (covered(&s->prim[n], x, y) && (n & 1 || !opaque_only))
					want = n;
			const uint8_t *p = tb_texel(t, x, y, 0);
			unsigned got = want == 0xffff ? (p[0] | p[1] | p[2] | p[3] ? 0 : 0xffff) :
				p[0] / 17u | p[1] / 17u << 4 | p[2] / 17u << 8;
			CHECK(got == want, "(%u, %u): triangle %u, expected %u", x, y, got, want);
		}
}

int main(void)
{
	static struct tb t;
	static struct scene s;
	static const unsigned tilings[2] = { TILING_4X4, TILING_LINEAR };
	enum cu_level levels[2] = { CU_LEVEL_V3, CU_LEVEL_V4 };
	tb_begin(&t);
	tb_program(&t, tb_ps_color, sizeof tb_ps_color / 4);
	tb_pass(&t, WIDTH, HEIGHT);
	make_scene(&s, &t.draw, 0x1234567);
	for (int l = 0; l < (__builtin_cpu_supports("avx512vl") ? 2 : 1); l++) {
		struct rs_worker *w = test_worker(levels[l]);
		CHECK(w, "no memory");
		for (int i = 0; i < 4; i++) {
			tb_set(&t, R_DB_ALPHA_TO_MASK, REG_SET(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_ENABLE, i >= 2));
			tb_state(&t);
			t.pass.targets.color[0] = tb_target(DFMT_8_8_8_8, NFMT_UNORM, tilings[i & 1], WIDTH, HEIGHT, 1);
			for (unsigned n = 0; n < s.count; n++)
				tb_prim(&t, &s.prim[n]);
			tb_render(&t, w);
			check_scene(&s, &t.pass.targets.color[0], i >= 2);
			free(t.pass.targets.color[0].plane.base);
		}
		rs_worker_destroy(w);
	}
	tb_end(&t);
	return 0;
}
