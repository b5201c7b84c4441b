/* SPDX-License-Identifier: MIT */
/* Every VGPR that SPI_PS_INPUT_ENA can ask for, for triangles and points in
 * two layers: exported to six float targets and compared with a model. */
#include "test_back_util.h"

enum { WIDTH = 70, HEIGHT = 50, COUNT = 300, TARGETS = 6 };

/* mrt n = v[4 n] .. v[4 n + 3] */
static const uint32_t ps_inputs[] = {
	0xc400000f, 0x03020100, 0xc400001f, 0x07060504, 0xc400002f, 0x0b0a0908,
	0xc400003f, 0x0f0e0d0c, 0xc400004f, 0x13121110, 0xc400185f, 0x17161514, /* done vm */
	0xbf810000,
};

struct scene {
	struct tb_vertex vertex[COUNT][3];
	struct rs_prim prim[COUNT];
	unsigned count;
};

static void make_point(struct rs_prim *p, const struct tb_vertex *v)
{
	float size = 9;
	p->is_point = 1;
	p->edges = 4;
	p->edge[0] = (struct rs_edge){ -(int64_t)(v->x * 256), 1, 0 };
	p->edge[1] = (struct rs_edge){ (int64_t)((v->x + size) * 256) - 1, -1, 0 };
	p->edge[2] = (struct rs_edge){ -(int64_t)(v->y * 256), 0, 1 };
	p->edge[3] = (struct rs_edge){ (int64_t)((v->y + size) * 256) - 1, 0, -1 };
	p->x0 = 0;
	p->y0 = 0;
	p->x1 = WIDTH;
	p->y1 = HEIGHT;
	p->b1 = (struct rs_plane){ (0.5 - v->x) / size, 1.0 / size, 0 };
	p->b2 = (struct rs_plane){ (0.5 - v->y) / size, 0, 1.0 / size };
	p->z = (struct rs_plane){ v->z, 0, 0 };
	p->attr[1] = p->attr[2] = NULL;
}

static void make_scene(struct scene *s, const struct rs_draw *draw, uint64_t seed)
{
	s->count = 0;
	for (unsigned n = 0; n < COUNT; n++) {
		struct tb_vertex *v = s->vertex[s->count];
		float size = n % 9 ? 10 : 90, cx = tb_unit(&seed) * WIDTH, cy = tb_unit(&seed) * HEIGHT;
		for (int i = 0; i < 3; i++) {
			v[i].x = cx + (tb_unit(&seed) - 0.5f) * size;
			v[i].y = cy + (tb_unit(&seed) - 0.5f) * size;
			v[i].z = tb_unit(&seed);
			v[i].w = n % 4 ? 0.3f + tb_unit(&seed) * 3 : 2;
		}
		struct rs_prim *p = &s->prim[s->count];
		if (!tb_triangle(p, draw, v, WIDTH, HEIGHT))
			continue;
		if (n % 5 == 0)
			make_point(p, v);
		p->layer = n & 1;
		p->viewport = n % 16;
		s->count++;
	}
}

static float plane_at(const struct rs_plane *p, int x, int y)
{
	int X = x & ~3, Y = y & ~1;
	return (float)(((p->c + p->dx * X) + p->dy * Y) + (p->dx * (x - X) + p->dy * (y - Y)));
}

static void model(const struct rs_prim *p, int x, int y, uint32_t v[24])
{
	float b1 = plane_at(&p->b1, x, y), b2 = plane_at(&p->b2, x, y);
	float w0 = p->inv_w[0], w1 = p->is_point ? w0 : p->inv_w[1], w2 = p->is_point ? w0 : p->inv_w[2];
	float b0 = 1 - b1;
	b0 -= b2;
	float n1 = b1 * w1, n2 = b2 * w2, sum = b0 * w0;
	sum += n1;
	sum += n2;
	if (w0 == w1 && w0 == w2)
		sum = w0;
	float r = 1 / sum, i = n1 * r, j = n2 * r;
	if (w0 == w1 && w0 == w2)
		i = b1, j = b2;
	double exact = (1.0 - b1 - b2) * w0 + (double)b1 * w1 + (double)b2 * w2;
	CHECK(fabs(i - (double)b1 * w1 / exact) < 1e-4 * (1 + fabs(i)), "the model itself is off");
	for (int k = 0; k < 6; k += 2) {
		v[k] = tb_bits(i);
		v[k + 1] = tb_bits(j);
		v[9 + k] = tb_bits(b1);
		v[9 + k + 1] = tb_bits(b2);
	}
	v[6] = tb_bits(n1);
	v[7] = tb_bits(n2);
	v[8] = tb_bits(sum);
	v[15] = 0;
	v[16] = tb_bits((float)x + 0.5f);
	v[17] = tb_bits((float)y + 0.5f);
	v[18] = tb_bits(plane_at(&p->z, x, y));
	v[19] = tb_bits(sum);
	v[20] = p->front_facing ? ~0u : 0;
	v[21] = (uint32_t)p->layer << 16 | (uint32_t)p->viewport << 28;
	v[22] = 1;
	v[23] = (uint32_t)x | (uint32_t)y << 16;
}

static bool covered(const struct rs_prim *p, int64_t x, int64_t y)
{
	for (int e = 0; e < p->edges; e++)
		if (p->edge[e].a * (256 * x + 128) + p->edge[e].b * (256 * y + 128) + p->edge[e].c < 0)
			return false;
	return x >= p->x0 && x < p->x1 && y >= p->y0 && y < p->y1;
}

static void check(const struct tb *t, const struct scene *s)
{
	for (unsigned layer = 0; layer < 2; layer++)
		for (int y = 0; y < HEIGHT; y++)
			for (int x = 0; x < WIDTH; x++) {
				uint32_t want[24] = { 0 }, got[24];
				for (unsigned n = s->count; n-- > 0;)
					if (s->prim[n].layer == layer && covered(&s->prim[n], x, y)) {
						model(&s->prim[n], x, y, want);
						break;
					}
				for (unsigned i = 0; i < TARGETS; i++)
					memcpy(got + 4 * i, tb_texel(&t->pass.targets.color[i], (uint32_t)x, (uint32_t)y, layer), 16);
				for (unsigned i = 0; i < 24; i++)
					CHECK(got[i] == want[i], "(%d, %d) layer %u: v%u is %08x (%g), expected %08x (%g)", x, y, layer, i,
						got[i], tb_float(got[i]), want[i], tb_float(want[i]));
			}
}

/* Points read their coordinates through v_interp, defaults and flat attributes
 * come as SPI_PS_INPUT_CNTL says. */
static void check_attributes(struct rs_worker *w)
{
	static struct tb t;
	static struct scene s;
	static const struct { uint32_t cntl; float add[4]; } c[] = {
		{ REG_SET(SPI_PS_INPUT_CNTL, PT_SPRITE_TEX, 1), { 0, 0, 0, 1 } },
		{ REG_SET(SPI_PS_INPUT_CNTL, OFFSET, 32) | REG_SET(SPI_PS_INPUT_CNTL, DEFAULT_VAL, 2), { 1, 1, 1, 0 } },
	};
	for (unsigned k = 0; k < 2; k++) {
		tb_begin(&t);
		tb_program(&t, tb_ps_color, sizeof tb_ps_color / 4);
		tb_set(&t, R_SPI_PS_INPUT_CNTL, c[k].cntl);
		tb_state(&t);
		tb_pass(&t, WIDTH, HEIGHT);
		t.pass.targets.color[0] = tb_target(DFMT_32_32_32_32, NFMT_FLOAT, TILING_LINEAR, WIDTH, HEIGHT, 2);
		make_scene(&s, &t.draw, 11);
		for (unsigned n = 0; n < s.count; n += 5)
			if (s.prim[n].is_point) {
				tb_prim(&t, &s.prim[n]);
				tb_render(&t, w);
				for (int y = 0; y < HEIGHT; y++)
					for (int x = 0; x < WIDTH; x++) {
						float got[4];
						if (!covered(&s.prim[n], x, y))
							continue;
						memcpy(got, tb_texel(&t.pass.targets.color[0], (uint32_t)x, (uint32_t)y, s.prim[n].layer), 16);
						float coord[4] = { plane_at(&s.prim[n].b1, x, y), plane_at(&s.prim[n].b2, x, y), 0, 0 };
						for (int i = 0; i < 4; i++)
							CHECK(got[i] == (k ? 0 : coord[i]) + c[k].add[i], "attribute kind %u component %d: %g", k, i, got[i]);
					}
			}
		free(t.pass.targets.color[0].plane.base);
		tb_end(&t);
	}
}

int main(void)
{
	static struct tb t;
	static struct scene s;
	tb_begin(&t);
	tb_program(&t, ps_inputs, sizeof ps_inputs / 4);
	tb_set(&t, R_SPI_PS_INPUT_ENA, 0xffff);
	tb_set(&t, R_CB_TARGET_MASK, 0xffffff);
	tb_set(&t, R_CB_SHADER_MASK, 0xffffff);
	tb_state(&t);
	tb_pass(&t, WIDTH, HEIGHT);
	make_scene(&s, &t.draw, 3);
	enum cu_level levels[2] = { CU_LEVEL_V3, CU_LEVEL_V4 };
	for (int l = 0; l < (__builtin_cpu_supports("avx512vl") ? 2 : 1); l++) {
		struct rs_worker *w = test_worker(levels[l]);
		CHECK(w, "no memory");
		for (unsigned i = 0; i < TARGETS; i++)
			t.pass.targets.color[i] = tb_target(DFMT_32_32_32_32, NFMT_FLOAT, TILING_4X4, WIDTH, HEIGHT, 2);
		for (unsigned n = 0; n < s.count; n++)
			tb_prim(&t, &s.prim[n]);
		tb_render(&t, w);
		check(&t, &s);
		for (unsigned i = 0; i < TARGETS; i++)
			free(t.pass.targets.color[i].plane.base);
		check_attributes(w);
		rs_worker_destroy(w);
	}
	tb_end(&t);
	return 0;
}
