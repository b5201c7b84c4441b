/* SPDX-License-Identifier: MIT */
/* Depth, stencil, depth bounds and occlusion counts of random states against a
 * model that goes pixel by pixel and primitive by primitive: both formats, both
 * tilings, early and late, with discard and with depth and stencil exports, with depths that come first, of which the
 * translated program asks (cu_wave.wanted).  Each quarter of a scene has another state than the one before. */
#include "test_back_util.h"

#include "core/jit/jit.h"
#include "core/mode.h"

enum { WIDTH = 72, HEIGHT = 40, COUNT = 60, ROUNDS = 1600 };

/* discards where attr0.x >= 0.5 */
static const uint32_t ps_kill[] = {
	0xbefc0003, 0xd4080000, 0xd4090001, 0xd40c0100, 0xd40d0101, 0xd4100200, 0xd4110201, 0xd4140300, 0xd4150301,
	0x7c8804f0,             /* v_cmp_gt_f32 vcc, 0.5, v2 */
	0x86fe6a7e,             /* s_and_b64 exec, exec, vcc */
	0xc400180f, 0x05040302, 0xbf810000,
};
/* depth = attr0.y, stencil = attr0.z as an integer */
static const uint32_t ps_depth[] = {
	0xbefc0003, 0xd4080000, 0xd4090001, 0xd40c0100, 0xd40d0101, 0xd4100200, 0xd4110201, 0xd4140300, 0xd4150301,
	0x7e080f04,             /* v_cvt_u32_f32 v4, v4 */
	0xc4000083, 0x00000403, /* exp mrtz v3, v4, off, off */
	0xc400180f, 0x05040302, 0xbf810000,
};

/* sample mask = attr0.z as an integer */
static const uint32_t ps_mask[] = {
	0xbefc0003, 0xd4080000, 0xd4090001, 0xd40c0100, 0xd40d0101, 0xd4100200, 0xd4110201, 0xd4140300, 0xd4150301,
	0x7e080f04,
	0xc4000084, 0x00040000, /* exp mrtz off, off, v4, off */
	0xc400180f, 0x05040302, 0xbf810000,
};

/* depth = attr0.y, alone and first */
static const uint32_t ps_first[] = {
	0xbefc0003, 0xd4080000, 0xd4090001, 0xd40c0100, 0xd40d0101, 0xd4100200, 0xd4110201, 0xd4140300, 0xd4150301,
	0xc4000081, 0x00000003, /* exp mrtz v3, off, off, off */
	0xc400180f, 0x05040302, 0xbf810000,
};
/* and then a discard where attr0.x >= 0.5 */
static const uint32_t ps_first_kill[] = {
	0xbefc0003, 0xd4080000, 0xd4090001, 0xd40c0100, 0xd40d0101, 0xd4100200, 0xd4110201, 0xd4140300, 0xd4150301,
	0xc4000081, 0x00000003,
	0x7c8804f0, 0x86fe6a7e,
	0xc400180f, 0x05040302, 0xbf810000,
};

enum shader { SHADER_NONE, SHADER_COLOR, SHADER_KILL, SHADER_DEPTH, SHADER_LATE, SHADER_MASK, SHADER_FIRST, SHADER_FIRST_KILL,
	SHADER_COUNT };
static bool may_kill(enum shader s) { return s == SHADER_KILL || s == SHADER_FIRST_KILL; }
static bool says_depth(enum shader s) { return s == SHADER_DEPTH || s == SHADER_FIRST || s == SHADER_FIRST_KILL; }

struct scene {
	struct tb_vertex vertex[COUNT][3];
	struct rs_prim prim[COUNT];
	unsigned count;
};

struct model {
	float z[HEIGHT][WIDTH];  /* code */
	uint8_t s[HEIGHT][WIDTH];
	uint8_t drawn[HEIGHT][WIDTH];
	uint64_t samples;
};

static void make_scene(struct scene *s, const struct rs_draw *draw, uint64_t *seed)
{
	s->count = 0;
	bool coarse = tb_random(seed) & 1; /* equal depths happen */
	for (unsigned n = 0; n < COUNT; n++) {
		float size = n % 4 == 0 ? 120 : n % 4 == 1 ? 30 : n % 4 == 2 ? 8 : 3.5f;
		float cx = tb_unit(seed) * WIDTH, cy = tb_unit(seed) * HEIGHT;
		float z = floorf(tb_unit(seed) * 8) / 8;
		struct tb_vertex *v = s->vertex[s->count];
		for (int i = 0; i < 3; i++) {
			v[i].x = cx + (tb_unit(seed) - 0.5f) * size;
			v[i].y = cy + (tb_unit(seed) - 0.5f) * size;
			v[i].z = coarse ? z : tb_unit(seed) * 1.4f - 0.2f;
			v[i].w = 1;
			v[i].attr[0][0] = tb_unit(seed);
			v[i].attr[0][1] = coarse ? z : tb_unit(seed);
			v[i].attr[0][2] = tb_unit(seed) * 255;
			v[i].attr[0][3] = 1;
		}
		if (tb_triangle(&s->prim[s->count], draw, v, WIDTH, HEIGHT))
			s->count++;
	}
}

/* The arithmetic of raster/back/plane.h. */
static float plane_at(const struct rs_plane *p, int x, int y)
{
	int X = x & ~3, Y = y & ~1;
	return (float)(((p->c + p->dx * X) + p->dy * Y) + (p->dx * (x - X) + p->dy * (y - Y)));
}
static float attr_at(const struct rs_prim *p, int c, int x, int y)
{
	float i = plane_at(&p->b1, x, y), j = plane_at(&p->b2, x, y);
	float p0 = p->attr[0][c], p10 = p->attr[1][c] - p0, p20 = p->attr[2][c] - p0;
	float v = p0 + i * p10;
	return v + j * p20;
}

static bool compare(unsigned func, float a, float b)
{
	switch (func) {
	case 0: return false;
	case 1: return a < b;
	case 2: return a == b;
	case 3: return a <= b;
	case 4: return a > b;
	case 5: return a != b;
	case 6: return a >= b;
	default: return true;
	}
}

static uint8_t apply(unsigned op, uint8_t s, uint8_t ref)
{
	switch (op) {
	case 1: return 0;
	case 2: return 255;
	case 3: return ref;
	case 5: return s < 255 ? s + 1 : 255;
	case 6: return s ? s - 1 : 0;
	case 7: return (uint8_t)~s;
	case 8: return (uint8_t)(s + 1);
	case 9: return (uint8_t)(s - 1);
	default: return s;
	}
}

static bool covered(const struct rs_prim *p, int64_t x, int64_t y)
{
	for (int e = 0; e < p->edges; e++)
		if (p->edge[e].a * (256 * x + 128) + p->edge[e].b * (256 * y + 128) + p->edge[e].c < 0)
			return false;
	return x >= p->x0 && x < p->x1 && y >= p->y0 && y < p->y1;
}

static void model_pixel(struct model *m, const struct tb *t, const struct rs_prim *p, enum shader shader,
	uint32_t max, int x, int y)
{
	const uint32_t *r = t->context.reg;
	uint32_t dc = r[R_DB_DEPTH_CONTROL], sc = r[R_DB_STENCIL_CONTROL];
	bool early = REG_GET(r[R_DB_SHADER_CONTROL], DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER);
	bool back = !p->front_facing && REG_GET(dc, DB_DEPTH_CONTROL, BACKFACE_ENABLE);
	uint32_t rm = r[back ? R_DB_STENCILREFMASK_BF : R_DB_STENCILREFMASK];
	uint8_t ref = (uint8_t)REG_GET(rm, DB_STENCILREFMASK, STENCILTESTVAL);
	uint8_t mask = (uint8_t)REG_GET(rm, DB_STENCILREFMASK, STENCILMASK);
	uint8_t wmask = (uint8_t)REG_GET(rm, DB_STENCILREFMASK, STENCILWRITEMASK);
	float z = plane_at(&p->z, x, y);
	bool killed = may_kill(shader) && !(0.5f > attr_at(p, 0, x, y));
	if (shader == SHADER_MASK)
		killed = !((uint32_t)fmaxf(attr_at(p, 2, x, y), 0) & 1);
	if (says_depth(shader) && !early)
		z = attr_at(p, 1, x, y);
	if (shader == SHADER_DEPTH && !early) {
		float s = attr_at(p, 2, x, y);
		ref = (uint8_t)(s > 0 ? (uint32_t)s : 0);
	}
	if (killed && !early)
		return;
	z = z > 0.0625f ? z : 0.0625f;
	z = z < 0.875f ? z : 0.875f;
	if (max)
		z = (float)rint((double)z * max);
	float old = m->z[y][x], stored = max ? old / (float)max : old;
	if (REG_GET(dc, DB_DEPTH_CONTROL, DEPTH_BOUNDS_ENABLE) &&
	    !(stored >= tb_float(r[R_DB_DEPTH_BOUNDS_MIN]) && stored <= tb_float(r[R_DB_DEPTH_BOUNDS_MAX])))
		return;
	bool zpass = !REG_GET(dc, DB_DEPTH_CONTROL, Z_ENABLE) || compare(REG_GET(dc, DB_DEPTH_CONTROL, ZFUNC), z, old);
	bool spass = true;
	if (REG_GET(dc, DB_DEPTH_CONTROL, STENCIL_ENABLE)) {
		uint8_t *s = &m->s[y][x];
		unsigned func = back ? REG_GET(dc, DB_DEPTH_CONTROL, STENCILFUNC_BF) : REG_GET(dc, DB_DEPTH_CONTROL, STENCILFUNC);
		unsigned shift = back ? 12 : 0;
		spass = compare(func, ref & mask, *s & mask);
		unsigned op = sc >> shift >> (!spass ? 0 : zpass ? 4 : 8) & 15;
		*s = (uint8_t)((*s & ~wmask) | (apply(op, *s, ref) & wmask));
	}
	if (!spass || !zpass)
		return;
	if (REG_GET(dc, DB_DEPTH_CONTROL, Z_ENABLE) && REG_GET(dc, DB_DEPTH_CONTROL, Z_WRITE_ENABLE))
		m->z[y][x] = z;
	m->samples++;
	if (!killed)
		m->drawn[y][x] = 1;
}

static unsigned random_op(uint64_t *seed)
{
	static const uint8_t op[9] = { 0, 1, 2, 3, 5, 6, 7, 8, 9 };
	return tb_random(seed) % 3 ? op[tb_random(seed) % 9] : 0;
}

static void random_state(struct tb *t, enum shader shader, uint64_t *seed)
{
	uint32_t bits = tb_random(seed), f = tb_random(seed);
	tb_set(t, R_DB_DEPTH_CONTROL, REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, (bits & 7) != 0) |
		REG_SET(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, (bits >> 3 & 3) != 0) |
		REG_SET(DB_DEPTH_CONTROL, STENCIL_ENABLE, bits >> 5 & 1) |
		REG_SET(DB_DEPTH_CONTROL, DEPTH_BOUNDS_ENABLE, (bits >> 6 & 3) == 0) |
		REG_SET(DB_DEPTH_CONTROL, BACKFACE_ENABLE, bits >> 8 & 1) |
		REG_SET(DB_DEPTH_CONTROL, ZFUNC, f) | REG_SET(DB_DEPTH_CONTROL, STENCILFUNC, f >> 3) |
		REG_SET(DB_DEPTH_CONTROL, STENCILFUNC_BF, f >> 6));
	uint32_t ops = 0;
	bool failing = bits >> 9 & 1;
	for (unsigned i = 0; i < 24; i += 4)
		ops |= (failing || i % 12 == 4 ? random_op(seed) : 0) << i;
	tb_set(t, R_DB_STENCIL_CONTROL, ops);
	tb_set(t, R_DB_STENCILREFMASK, tb_random(seed) | (bits >> 10 & 1 ? 0xffff00 : 0));
	tb_set(t, R_DB_STENCILREFMASK_BF, tb_random(seed) | (bits >> 11 & 1 ? 0xffff00 : 0));
	tb_set(t, R_DB_DEPTH_BOUNDS_MIN, tb_bits(0.25f));
	tb_set(t, R_DB_DEPTH_BOUNDS_MAX, tb_bits(0.75f));
	tb_set(t, R_PA_SC_VPORT_ZMIN, tb_bits(0.0625f));
	tb_set(t, R_PA_SC_VPORT_ZMAX, tb_bits(0.875f));
	tb_set(t, R_DB_SHADER_CONTROL, REG_SET(DB_SHADER_CONTROL, KILL_ENABLE, may_kill(shader)) |
		REG_SET(DB_SHADER_CONTROL, MASK_EXPORT_ENABLE, shader == SHADER_MASK) |
		REG_SET(DB_SHADER_CONTROL, Z_EXPORT_ENABLE, says_depth(shader)) |
		REG_SET(DB_SHADER_CONTROL, STENCIL_TEST_VAL_EXPORT_ENABLE, shader == SHADER_DEPTH) |
		REG_SET(DB_SHADER_CONTROL, EXEC_ON_NOOP, shader == SHADER_LATE) |
		REG_SET(DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER, (bits >> 12 & 3) == 0));
}

/* max: the largest code, 0: floats. */
static void init_targets(struct tb *t, struct model *m, uint32_t max, unsigned tiling, uint64_t seed)
{
	t->pass.targets.depth = tb_target(max == 65535 ? DFMT_16 : max ? DFMT_8_24 : DFMT_32, max ? NFMT_UNORM : NFMT_FLOAT, tiling, WIDTH, HEIGHT, 1);
	t->pass.targets.stencil = tb_target(DFMT_8, NFMT_UINT, tiling, WIDTH, HEIGHT, 1);
	t->pass.targets.color[0] = tb_target(DFMT_8_8_8_8, NFMT_UNORM, tiling, WIDTH, HEIGHT, 1);
	memset(m, 0, sizeof *m);
	bool flat = tb_random(&seed) & 1;
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			float z = flat ? 0.5f : floorf(tb_unit(&seed) * 8) / 8;
			uint32_t code = (uint32_t)rint((double)z * max);
			m->z[y][x] = max ? (float)code : z;
			m->s[y][x] = (uint8_t)(tb_random(&seed) >> 7 & 3);
			if (max == 0xffffff)
				code |= 0xa5000000; /* nobody's bits */
			if (max)
				memcpy(tb_texel(&t->pass.targets.depth, (uint32_t)x, (uint32_t)y, 0), &code, t->pass.targets.depth.plane.bpe);
			else
				memcpy(tb_texel(&t->pass.targets.depth, (uint32_t)x, (uint32_t)y, 0), &z, 4);
			*tb_texel(&t->pass.targets.stencil, (uint32_t)x, (uint32_t)y, 0) = m->s[y][x];
		}
}

static void check_targets(const struct tb *t, const struct model *m, uint32_t max, enum shader shader, unsigned round)
{
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			float z = 0;
			uint32_t code = 0;
			memcpy(&z, tb_texel(&t->pass.targets.depth, (uint32_t)x, (uint32_t)y, 0), max ? 0 : 4);
			memcpy(&code, tb_texel(&t->pass.targets.depth, (uint32_t)x, (uint32_t)y, 0), t->pass.targets.depth.plane.bpe);
			z = max ? (float)(code & max) : z;
			uint8_t s = *tb_texel(&t->pass.targets.stencil, (uint32_t)x, (uint32_t)y, 0);
			const uint8_t *c = tb_texel(&t->pass.targets.color[0], (uint32_t)x, (uint32_t)y, 0);
			CHECK(z == m->z[y][x], "round %u shader %d (%d, %d): depth %g, expected %g", round, shader,
				x, y, z, m->z[y][x]);
			CHECK(s == m->s[y][x], "round %u shader %d (%d, %d): stencil %u, expected %u", round, shader, x, y, s, m->s[y][x]);
			if (shader != SHADER_NONE)
				CHECK((c[3] == 255) == m->drawn[y][x], "round %u shader %d (%d, %d): drawn %u, expected %u", round, shader,
					x, y, c[3], m->drawn[y][x]);
		}
}

static void run_round(struct rs_worker *w[2], struct cu_program *const program[SHADER_COUNT], unsigned round)
{
	static struct tb t, later; /* the first and third quarter of the primitives, and the rest */
	static struct scene s;
	static struct model m;
	static struct rs_counter counter;
	uint64_t seed = 0x9e3779b97f4a7c15ull * (round + 1);
	enum shader shader = round % SHADER_COUNT;
	static const uint32_t codes[4] = { 0, 65535, 0xffffff, 0xffffff };
	uint32_t max = codes[tb_random(&seed) & 3];
	unsigned tiling = tb_random(&seed) & 1 ? TILING_LINEAR : TILING_4X4;
	for (unsigned i = 0; i < 2; i++) {
		struct tb *of = i ? &later : &t;
		tb_begin(of);
		random_state(of, shader, &seed);
		of->draw.ps.program = program[shader];
		of->draw.ps.mode = CU_MODE_PLAIN; /* that of translated code */
		tb_state(of);
	}
	tb_pass(&t, WIDTH, HEIGHT);
	init_targets(&t, &m, max, tiling, seed);
	make_scene(&s, &t.draw, &seed);
	counter.samples = 0;
	t.draw.counter = later.draw.counter = &counter;
	for (unsigned n = 0; n < s.count; n++) {
		const struct tb *of = 4 * n / s.count & 1 ? &later : &t;
		s.prim[n].draw = &of->draw;
		tb_prim(&t, &s.prim[n]);
		for (int y = s.prim[n].y0; y < s.prim[n].y1; y++)
			for (int x = s.prim[n].x0; x < s.prim[n].x1; x++)
				if (covered(&s.prim[n], x, y))
					model_pixel(&m, of, &s.prim[n], shader, max, x, y);
	}
	tb_render(&t, w[tb_random(&seed) & 1]);
	check_targets(&t, &m, max, shader, round);
	CHECK(counter.samples == m.samples, "round %u shader %d: %llu samples, expected %llu", round, shader,
		(unsigned long long)counter.samples, (unsigned long long)m.samples);
	free(t.pass.targets.depth.plane.base);
	free(t.pass.targets.stencil.plane.base);
	free(t.pass.targets.color[0].plane.base);
	tb_end(&t);
	tb_end(&later);
}

static struct cu_program *translated(struct cu_exec_heap *heap, struct tb *t, const uint32_t *code, unsigned dwords)
{
	struct cu_jit_image image;
	struct cu_error err = { "" };
	tb_program(t, code, dwords);
	bool ok = cu_jit_translate(t->program, NULL, &image, &err) && cu_jit_attach(t->program, heap, &image, &err);
	CHECK(ok, "%s", err.text);
	cu_jit_image_free(&image);
	return t->program;
}

int main(void)
{
	struct tb t[6];
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	tb_program(&t[0], tb_ps_color, sizeof tb_ps_color / 4);
	tb_program(&t[1], ps_kill, sizeof ps_kill / 4);
	tb_program(&t[2], ps_depth, sizeof ps_depth / 4);
	tb_program(&t[3], ps_mask, sizeof ps_mask / 4);
	struct cu_program *const program[SHADER_COUNT] = { NULL, t[0].program, t[1].program, t[2].program, t[0].program,
		t[3].program, translated(heap, &t[4], ps_first, sizeof ps_first / 4),
		translated(heap, &t[5], ps_first_kill, sizeof ps_first_kill / 4) };
	struct rs_worker *w[2] = { test_worker(CU_LEVEL_V3), NULL };
	w[1] = __builtin_cpu_supports("avx512vl") ? test_worker(CU_LEVEL_V4) : w[0];
	CHECK(w[0] && w[1], "no memory");
	for (unsigned round = 0; round < ROUNDS; round++)
		run_round(w, program, round);
	if (w[1] != w[0])
		rs_worker_destroy(w[1]);
	rs_worker_destroy(w[0]);
	for (int i = 0; i < 6; i++)
		cu_program_destroy(t[i].program);
	cu_exec_heap_destroy(heap);
	return 0;
}
