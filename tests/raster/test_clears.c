/* SPDX-License-Identifier: MIT */
/* Clears that a pass begins with: left out where the first primitive writes all of a tile, made where anything of them
 * can be seen; tiles that are only cleared are cleared with those beside them. */
#include "msaa_scene.h"

enum { POISON = 0xa5 };
enum variant { PLAIN, BLENDED, PARTIAL, LOGIC, DEPTH, BOUNDS, STENCIL, SCISSOR, SMALL_FIRST, CUT_FIRST, CLEARED_AGAIN, PART_CLEAR,
	NO_SAMPLES, OTHER_SLICE, BOTH_SLICES, VARIANTS };

static void add_triangle(struct scene *c, float size, float red)
{
	const float at[3][2] = { { 0, 0 }, { size, 0 }, { 0, size } };
	for (unsigned i = 0; i < 3; i++)
		vertex(c, at[i][0], at[i][1], 0.5f, red, 0.5f, 0.25f);
}

/* Slices [first, end). */
static void clear_slices(struct scene *c, uint32_t targets, uint32_t first, uint32_t end, const uint32_t rect[4], float value)
{
	struct pm4_clear_target t = { .targets = targets, .x = rect[0], .y = rect[1], .width = rect[2], .height = rect[3],
		.first_slice = first, .slice_count = end - first, .value = { bits(value), bits(value), bits(value), bits(value) } };
	packet(&c->s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&t);
}

static void put_clear(struct scene *c, uint32_t targets, uint32_t x, uint32_t y, uint32_t width, uint32_t height, float value)
{
	clear_slices(c, targets, 0, 1, (const uint32_t[]){ x, y, width, height }, value);
}

/* The color target gets a second slice. */
static void add_slice(struct scene *c)
{
	free(c->color.mem);
	c->color.bytes *= 2;
	c->color.mem = aligned_alloc(256, c->color.bytes);
	CHECK(c->color.mem);
}

static void set_variant(struct scene *c, enum variant v)
{
	struct stream *s = &c->s;
	const uint32_t compare = COMPARE_LESS;
	uint32_t depth = 0;
	if (v == BLENDED)
		PACKET(s, SET_CONTEXT_REG, R_CB_BLEND_CONTROL, REG_SET(CB_BLEND_CONTROL, ENABLE, 1) |
			REG_SET(CB_BLEND_CONTROL, COLOR_SRCBLEND, BLEND_ONE) | REG_SET(CB_BLEND_CONTROL, COLOR_DESTBLEND, BLEND_ONE));
	if (v == PARTIAL)
		PACKET(s, SET_CONTEXT_REG, R_CB_TARGET_MASK, 7);
	if (v == LOGIC)
		PACKET(s, SET_CONTEXT_REG, R_CB_COLOR_CONTROL, REG_SET(CB_COLOR_CONTROL, MODE, 1) | REG_SET(CB_COLOR_CONTROL, ROP3, 0x66));
	if (v == DEPTH) /* depth is cleared to 0.25: nothing passes */
		depth = REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, 1) | REG_SET(DB_DEPTH_CONTROL, ZFUNC, compare);
	if (v == BOUNDS)
		depth = REG_SET(DB_DEPTH_CONTROL, DEPTH_BOUNDS_ENABLE, 1);
	if (v == STENCIL)
		depth = REG_SET(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) | REG_SET(DB_DEPTH_CONTROL, STENCILFUNC, COMPARE_NEVER);
	PACKET(s, SET_CONTEXT_REG, R_DB_DEPTH_CONTROL, depth);
	PACKET(s, SET_CONTEXT_REG, R_DB_DEPTH_BOUNDS_MIN, bits(0.75f), bits(1));
	if (v == SCISSOR)
		PACKET(s, SET_CONTEXT_REG, R_PA_SC_SCREEN_SCISSOR_TL, 0, (MS_H - 1) << 16 | 100);
	if (v == OTHER_SLICE || v == BOTH_SLICES)
		PACKET(s, SET_CONTEXT_REG, R_CB_COLOR_VIEW, REG_SET(CB_COLOR_VIEW, SLICE_MAX, 1));
	if (v == NO_SAMPLES)
		PACKET(s, SET_CONTEXT_REG, R_PA_SC_AA_MASK_X0Y0_X1Y0, 0);
}

static void make(struct scene *c, enum variant v, bool unread, const uint8_t *poison)
{
	const uint32_t color = PM4_CLEAR_COLOR0 | (unread ? PM4_CLEAR_UNREAD : 0);
	memcpy(c->color.mem, poison, c->color.bytes);
	begin(c);
	set_variant(c, v);
	const uint32_t rect[4] = { 0, 0, MS_W, v == PART_CLEAR ? 40 : MS_H };
	clear_slices(c, color, 0, v == BOTH_SLICES ? 2 : 1, rect, 0.125f);
	put_clear(c, PM4_CLEAR_DEPTH, 0, 0, MS_W, MS_H, 0.25f);
	if (v == OTHER_SLICE)
		clear_slices(c, color, 1, 2, rect, 0.5f);
	draw(c);
	if (v == CLEARED_AGAIN) {
		put_clear(c, color, 0, 0, MS_W, MS_H, 0.75f);
		draw(c);
		put_clear(c, color, 10, 10, 70, 70, 0.5f);
	}
}

static void test_overwritten(unsigned samples, unsigned threads, const char *level)
{
	static struct scene made[2];
	static uint8_t poison[1 << 20];
	memset(poison, POISON, sizeof poison);
	for (enum variant v = 0; v < VARIANTS; v++) {
		for (unsigned i = 0; i < 2; i++) {
			struct scene *c = &made[i];
			scene_init(c, samples, DFMT_8_8_8_8, NFMT_UNORM);
			make_ps(&c->ps);
			if (v == OTHER_SLICE || v == BOTH_SLICES)
				add_slice(c);
			CHECK(c->color.bytes <= sizeof poison);
			if (v == SMALL_FIRST)
				add_triangle(c, 30, 0.75f);
			add_triangle(c, v == CUT_FIRST ? 170 : 1024, 1);
			make(c, v, i, poison);
			run_on(c, threads, level);
		}
		CHECK(memcmp(made[0].color.mem, poison, made[0].color.bytes), "variant %d: nothing is drawn", v);
		CHECK(!memcmp(made[0].color.mem, made[1].color.mem, made[0].color.bytes), "variant %d, %u samples: a clear is missed", v,
			samples);
		scene_finish(&made[0]);
		scene_finish(&made[1]);
	}
}

/* Clears alone, and what comes of them by a model; of what is discarded nothing is asked. */
static void test_alone(unsigned samples, unsigned threads, unsigned seed)
{
	static struct scene c;
	static uint8_t want[MS_H][MS_W];
	scene_init(&c, samples, DFMT_8_8_8_8, NFMT_UNORM);
	make_ps(&c.ps);
	memset(c.color.mem, POISON, c.color.bytes);
	memset(want, POISON, sizeof want);
	begin(&c);
	random_state = 88172645463325252ull + seed;
	for (unsigned n = 1 + rnd() % 4; n; n--) {
		const bool rows = rnd() % 2; /* the same for tiles beside one another */
		const uint32_t x = rows ? 0 : rnd() % MS_W, y = rnd() % MS_H, width = rows ? MS_W : rnd() % MS_W, height = rnd() % MS_H;
		const uint8_t value = (uint8_t)rnd();
		put_clear(&c, PM4_CLEAR_COLOR0 | (rnd() % 2 ? PM4_CLEAR_UNREAD : 0), x, y, width, height, (float)value / 255);
		for (uint32_t j = y; j < y + height && j < MS_H; j++)
			for (uint32_t i = x; i < x + width && i < MS_W; i++)
				want[j][i] = value;
	}
	const struct pm4_discard_target d = { .targets = rnd() % 2 ? PM4_CLEAR_COLOR0 : 0, .x = 64 * (rnd() % 3),
		.width = 64 * (1 + rnd() % 2), .height = MS_H };
	packet(&c.s, PM4_QW_DISCARD_TARGET, PM4_DWORDS(pm4_discard_target), (const uint32_t *)&d);
	run_on(&c, threads, NULL);
	for (unsigned y = 0; y < MS_H; y++)
		for (unsigned x = 0; x < MS_W; x++)
			for (unsigned k = 0; k < samples && !(d.targets && x >= d.x && x < d.x + d.width); k++)
				for (unsigned b = 0; b < 4; b++)
					CHECK(sample_of(&c, &c.color, x, y, k)[b] == want[y][x], "seed %u: pixel %u %u", seed, x, y);
	scene_finish(&c);
}

int main(void)
{
	for (unsigned samples = 1; samples <= 4; samples *= 4) {
		test_overwritten(samples, 1, "v3");
		test_overwritten(samples, 3, NULL);
		for (unsigned seed = 0; seed < 40; seed++)
			test_alone(samples, 1 + seed % 3, seed);
	}
	return 0;
}
