/* SPDX-License-Identifier: MIT */
/* Targets that a pass clears and nobody reads afterwards: what is kept is the same as ever, what is discarded is not
 * written where its tiles were cleared first, and is where a tile was not or where something still reads it. */
#include "msaa_scene.h"

enum { POISON = 0xa5, LOW_HALF = 30, NO_TARGET = 1 << 20 };
enum variant { KEEP, DROP_DEPTH, DROP_ALL, DROP_PART, DROP_RIGHT, LATE_CLEAR, PART_CLEAR, RIGHT_CLEAR, DRAWN_AFTER,
	OTHER_TARGETS, VARIANTS };

static uint8_t resolved[2][MS_W * MS_H * 4 + 64 * MS_H];
enum { PITCH = (MS_W * 4 + 63) & ~63 };

static void poison(struct plane *p) { memset(p->mem, POISON, p->bytes); }

static void add_triangles(struct scene *c, unsigned n)
{
	for (unsigned t = 0; t < n; t++) {
		unsigned size = t % 3 == 0 ? 4 : t % 3 == 1 ? 30 : 160;
		float x = (float)(rnd() % MS_W) - (float)(size / 2), y = (float)(rnd() % MS_H) - (float)(size / 2);
		for (unsigned i = 0; i < 3; i++)
			vertex(c, x + (float)(rnd() % (16 * size)) / 16, y + (float)(rnd() % (16 * size)) / 16,
				(float)(rnd() % 1024) / 1024, (float)(rnd() % 256) / 255, (float)(rnd() % 256) / 255, 0.25f);
	}
}

/* Depth decides, the stencil counts what it turns away, colours are blended. */
static void set_tests(struct stream *s)
{
	PACKET(s, SET_CONTEXT_REG, R_CB_BLEND_CONTROL, REG_SET(CB_BLEND_CONTROL, ENABLE, 1) |
		REG_SET(CB_BLEND_CONTROL, COLOR_SRCBLEND, BLEND_ONE) | REG_SET(CB_BLEND_CONTROL, COLOR_DESTBLEND, BLEND_SRC_COLOR));
	PACKET(s, SET_CONTEXT_REG, R_DB_DEPTH_CONTROL, REG_SET(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) |
		REG_SET(DB_DEPTH_CONTROL, STENCILFUNC, COMPARE_ALWAYS) | REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
		REG_SET(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, 1) | REG_SET(DB_DEPTH_CONTROL, ZFUNC, COMPARE_LESS));
	PACKET(s, SET_CONTEXT_REG, R_DB_STENCIL_CONTROL, REG_SET(DB_STENCIL_CONTROL, STENCILZFAIL, 8));
	PACKET(s, SET_CONTEXT_REG, R_DB_STENCILREFMASK, REG_SET(DB_STENCILREFMASK, STENCILMASK, 255) |
		REG_SET(DB_STENCILREFMASK, STENCILWRITEMASK, 255));
}

static void clear_all(struct scene *c, uint32_t x, uint32_t width, uint32_t height)
{
	const uint32_t targets[3] = { PM4_CLEAR_COLOR0, PM4_CLEAR_DEPTH, PM4_CLEAR_STENCIL };
	for (unsigned i = 0; i < 3; i++) {
		struct pm4_clear_target t = { .targets = targets[i] | NO_TARGET, .x = x, .width = width, .height = height, .slice_count = 1,
			.value = { bits(i ? 0.75f : 0.125f), 7 } };
		packet(&c->s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&t);
	}
}

static void discard(struct scene *c, uint32_t targets, uint32_t x, uint32_t height)
{
	PACKET(&c->s, QW_DISCARD_TARGET, targets | NO_TARGET, x, 0, MS_W - x, height);
}

static struct pm4_surface linear(uint8_t *mem)
{
	return (struct pm4_surface){ .base_lo = (uint32_t)(uintptr_t)mem, .base_hi = (uint32_t)((uint64_t)(uintptr_t)mem >> 32),
		.width = MS_W, .height = MS_H, .slices = 1, .tiling = TILING_LINEAR, .samples = 1, .dfmt = DFMT_8_8_8_8,
		.nfmt = NFMT_UNORM };
}

static void resolve(struct scene *c, bool of_target, uint8_t *to)
{
	struct pm4_resolve_target t = { .target = PM4_CLEAR_COLOR0, .x = 3, .y = 5, .width = MS_W - 4, .height = MS_H - 5,
		.slice_count = 1, .dst = linear(to) };
	struct pm4_resolve_image i = { .src = linear(c->color.mem), .dst = linear(to), .src_x = 3, .src_y = 5, .dst_x = 3,
		.dst_y = 5, .width = MS_W - 4, .height = MS_H - 5, .depth = 1, .mode = PM4_RESOLVE_AVERAGE };
	i.src.tiling = TILING_4X4;
	i.src.samples = c->samples;
	if (c->samples == 1)
		return;
	if (of_target)
		packet(&c->s, PM4_QW_RESOLVE_TARGET, PM4_DWORDS(pm4_resolve_target), (const uint32_t *)&t);
	else
		packet(&c->s, PM4_QW_RESOLVE_IMAGE, PM4_DWORDS(pm4_resolve_image), (const uint32_t *)&i);
}

/* The frame: KEEP is what all others are measured by. */
static void make(struct scene *c, enum variant v, uint8_t *to)
{
	const uint32_t depth = PM4_CLEAR_DEPTH | PM4_CLEAR_STENCIL, all = depth | PM4_CLEAR_COLOR0;
	begin(c);
	set_tests(&c->s);
	if (v == LATE_CLEAR)
		draw(c); /* what it draws is cleared again */
	clear_all(c, 0, v == RIGHT_CLEAR ? 1 : MS_W, MS_H);
	if (v == RIGHT_CLEAR)
		clear_all(c, 1, MS_W - 1, MS_H);
	if (v == PART_CLEAR)
		clear_all(c, 0, MS_W, LOW_HALF);
	draw(c);
	if (v == DRAWN_AFTER)
		discard(c, all, 0, MS_H);
	draw(c);
	resolve(c, v != KEEP, to);
	if (v == DROP_DEPTH)
		discard(c, depth, 0, MS_H);
	else if (v == DROP_PART)
		discard(c, all, 0, 64 + LOW_HALF / 2);
	else if (v == DROP_RIGHT)
		discard(c, all, 1, MS_H);
	else if (v == OTHER_TARGETS)
		PACKET(&c->s, SET_CONTEXT_REG, R_DB_DEPTH_VIEW, REG_SET(DB_DEPTH_VIEW, SLICE_MAX, 1));
	if (v == DROP_ALL || v == LATE_CLEAR || v == PART_CLEAR || v == RIGHT_CLEAR || v == OTHER_TARGETS)
		discard(c, all, 0, MS_H);
}

/* Pixels from (x0, y0) to (x1, y1). */
struct area { unsigned x0, y0, x1, y1; };
static const struct area whole = { 0, 0, MS_W, MS_H }, upper = { 0, 0, MS_W, 64 }, lower = { 0, 64, MS_W, MS_H },
	left = { 0, 0, 64, MS_H }, right = { 64, 0, MS_W, MS_H };

static bool untouched(const struct scene *c, const struct plane *p, struct area a)
{
	for (unsigned y = a.y0; y < a.y1; y++)
		for (unsigned x = a.x0; x < a.x1; x++)
			for (unsigned k = 0; k < c->samples; k++)
				for (unsigned b = 0; b < p->bpe; b++)
					if (sample_of(c, p, x, y, k)[b] != POISON)
						return false;
	return true;
}

static bool same(const struct scene *c, const struct plane *a, const struct plane *b, struct area in)
{
	for (unsigned y = in.y0; y < in.y1; y++)
		for (unsigned x = in.x0; x < in.x1; x++)
			for (unsigned k = 0; k < c->samples; k++)
				if (memcmp(sample_of(c, a, x, y, k), sample_of(c, b, x, y, k), a->bpe))
					return false;
	return true;
}

/* A tile that the discarded rectangle has only a part of keeps all of it. */
static void check(const struct scene *c, const struct scene *kept, enum variant v)
{
	const struct plane *p[3] = { &c->color, &c->z, &c->stencil }, *q[3] = { &kept->color, &kept->z, &kept->stencil };
	for (unsigned i = 0; i < 3; i++) {
		const bool dropped = v == DROP_ALL || v == PART_CLEAR || (v == DROP_DEPTH && i);
		if (dropped)
			CHECK(untouched(c, p[i], whole), "target %u, variant %d: written", i, v);
		else if (v == DROP_PART)
			CHECK(untouched(c, p[i], upper) && same(c, p[i], q[i], lower), "target %u: not by tiles", i);
		else if (v == DROP_RIGHT || v == RIGHT_CLEAR)
			CHECK(untouched(c, p[i], right) && same(c, p[i], q[i], left), "target %u, variant %d: not by tiles", i, v);
		else
			CHECK(same(c, p[i], q[i], whole), "target %u, variant %d: other than kept", i, v);
	}
	CHECK(!memcmp(resolved[0], resolved[1], sizeof resolved[0]), "variant %d: resolved otherwise", v);
}

static void test(unsigned samples, unsigned threads, const char *level)
{
	static struct scene kept, c;
	scene_init(&kept, samples, DFMT_8_8_8_8, NFMT_UNORM);
	make_ps(&kept.ps);
	add_triangles(&kept, 90);
	memset(resolved, POISON, sizeof resolved);
	make(&kept, KEEP, resolved[0]);
	run_on(&kept, threads, level);
	for (enum variant v = KEEP + 1; v < VARIANTS; v++) {
		scene_init(&c, samples, DFMT_8_8_8_8, NFMT_UNORM);
		make_ps(&c.ps);
		memcpy(c.verts, kept.verts, sizeof c.verts);
		c.count = kept.count;
		poison(&c.color);
		poison(&c.z);
		poison(&c.stencil);
		memset(resolved[1], POISON, sizeof resolved[1]);
		make(&c, v, resolved[1]);
		run_on(&c, threads, level);
		check(&c, &kept, v);
		scene_finish(&c);
	}
	scene_finish(&kept);
}

/* More primitives than a pass holds: what tiles have drawn by then is read again. */
static void test_long(unsigned threads, uint32_t instances)
{
	static struct scene c[2];
	for (unsigned i = 0; i < 2; i++) {
		random_state = 88172645463325252ull;
		scene_init(&c[i], 4, DFMT_8_8_8_8, NFMT_UNORM);
		make_ps(&c[i].ps);
		add_triangles(&c[i], 90);
		poison(&c[i].color);
		memset(resolved[i], POISON, sizeof resolved[i]);
		begin(&c[i]);
		set_tests(&c[i].s);
		clear_all(&c[i], 0, MS_W, MS_H);
		PACKET(&c[i].s, NUM_INSTANCES, instances);
		draw(&c[i]);
		resolve(&c[i], i, resolved[i]);
		if (i)
			discard(&c[i], PM4_CLEAR_COLOR0 | PM4_CLEAR_DEPTH | PM4_CLEAR_STENCIL, 0, MS_H);
		run_on(&c[i], threads, NULL);
	}
	CHECK(instances < 3000 || !untouched(&c[1], &c[1].color, whole), "the pass was not long");
	CHECK(!memcmp(resolved[0], resolved[1], sizeof resolved[0]), "resolved otherwise");
	scene_finish(&c[0]);
	scene_finish(&c[1]);
}

/* Targets that are none, formats that differ, a place outside: refused with words. */
static void test_refusals(void)
{
	for (unsigned k = 0; k < 4; k++) {
		static struct scene c;
		const char *why = "";
		struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ .threads = 1 }, &why);
		CHECK(gpu);
		scene_init(&c, 4, DFMT_8_8_8_8, NFMT_UNORM);
		begin(&c);
		struct pm4_resolve_target t = { .target = k == 0 ? PM4_CLEAR_DEPTH : k == 1 ? PM4_CLEAR_COLOR0 << 1 : PM4_CLEAR_COLOR0,
			.width = k == 2 ? MS_W + 1 : MS_W, .height = MS_H, .slice_count = 1, .dst = linear(resolved[0]) };
		t.dst.nfmt = k == 3 ? NFMT_SRGB : NFMT_UNORM;
		packet(&c.s, PM4_QW_RESOLVE_TARGET, PM4_DWORDS(pm4_resolve_target), (const uint32_t *)&t);
		CHECK(rs_gpu_execute(gpu, c.s.dw, c.s.n) == RS_LOST && strstr(rs_gpu_error(gpu), "resolve"), "case %u", k);
		rs_gpu_destroy(gpu);
		scene_finish(&c);
	}
}

int main(void)
{
	_Static_assert(sizeof resolved[0] >= PITCH * MS_H, "rows of the image fit");
	for (unsigned samples = 1; samples <= 8; samples *= 2) {
		test(samples, 1, "v3");
		test(samples, 3, NULL);
	}
	for (uint32_t instances = 1000; instances <= 3000; instances += 1000)
		test_long(1, instances);
	test_long(3, 3000);
	test_refusals();
	return 0;
}
