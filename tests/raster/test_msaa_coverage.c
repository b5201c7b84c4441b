/* SPDX-License-Identifier: MIT */
/* Coverage of every sample against exact integer arithmetic: triangles of all
 * sizes, shared edges, points, standard and odd positions.  Colours add up and
 * the stencil counts, so order and packing into waves are checked too; so are
 * occlusion counts, the sample mask and clears of parts. */
#include "msaa_scene.h"

static float place(unsigned range, int grid) { return (float)((int)(rnd() % (range * 256)) / grid * grid) / 256; }

/* Triangles around a point; some vertices on the grid of samples, so that
 * edges run through them. */
static void add_triangles(struct scene *c, unsigned n)
{
	for (unsigned t = 0; t < n; t++) {
		unsigned size = t % 3 == 0 ? 2 : t % 3 == 1 ? 20 : 140;
		int grid = rnd() & 1 ? 1 : 16;
		float x = place(MS_W, grid) - (float)(size / 2), y = place(MS_H, grid) - (float)(size / 2);
		for (unsigned i = 0; i < 3; i++)
			vertex(c, x + place(size, grid), y + place(size, grid), 0.5f, 1.0f / 255, 0, 0);
	}
}

/* A fan whose triangles share edges and a vertex: nothing twice, no hole. */
static void add_fan(struct scene *c)
{
	static const float ring[9][2] = { { 5, 5 }, { 70, 2.5f }, { 140, 9 }, { 147, 50 }, { 139, 88 }, { 66, 91.0625f }, { 8, 80 }, { 3, 40 }, { 5, 5 } };
	for (unsigned i = 0; i < 8; i++) {
		vertex(c, 61.4375f, 44.8125f, 0.5f, 1.0f / 255, 0, 0);
		vertex(c, ring[i][0], ring[i][1], 0.5f, 1.0f / 255, 0, 0);
		vertex(c, ring[i + 1][0], ring[i + 1][1], 0.5f, 1.0f / 255, 0, 0);
	}
}

static void set_counting(struct scene *c)
{
	struct stream *s = &c->s;
	PACKET(s, SET_CONTEXT_REG, R_CB_BLEND_CONTROL, REG_SET(CB_BLEND_CONTROL, ENABLE, 1) |
		REG_SET(CB_BLEND_CONTROL, COLOR_SRCBLEND, 1) | REG_SET(CB_BLEND_CONTROL, COLOR_DESTBLEND, 1));
	PACKET(s, SET_CONTEXT_REG, R_DB_DEPTH_CONTROL, REG_SET(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) |
		REG_SET(DB_DEPTH_CONTROL, STENCILFUNC, 7));
	PACKET(s, SET_CONTEXT_REG, R_DB_STENCIL_CONTROL, REG_SET(DB_STENCIL_CONTROL, STENCILZPASS, 8));
	PACKET(s, SET_CONTEXT_REG, R_DB_STENCILREFMASK, REG_SET(DB_STENCILREFMASK, STENCILMASK, 255) |
		REG_SET(DB_STENCILREFMASK, STENCILWRITEMASK, 255));
	PACKET(s, SET_CONTEXT_REG, R_DB_COUNT_CONTROL, REG_SET(DB_COUNT_CONTROL, ZPASS_ENABLE, 1));
}

/* Compares all samples with the number of triangles that cover them. */
static void check_counts(struct scene *c, const uint64_t *passed, uint32_t mask, const char *what)
{
	uint64_t total = 0;
	for (unsigned y = 0; y < MS_H; y++)
		for (unsigned x = 0; x < MS_W; x++)
			for (unsigned k = 0; k < c->samples; k++) {
				unsigned expect = 0, color = sample_of(c, &c->color, x, y, k)[0], stencil = *sample_of(c, &c->stencil, x, y, k);
				for (unsigned t = 0; mask >> k & 1 && t < c->count / 3; t++)
					expect += covers(c, t, x, y, k);
				total += expect;
				if (color == expect && stencil == expect)
					continue;
				printf("%s, %u samples: sample %u of (%u, %u): color %u, stencil %u, not %u\n", what, c->samples, k, x, y,
					color, stencil, expect);
				exit(1);
			}
	if (passed && *passed != total) {
		printf("%s, %u samples: %llu passed, not %llu\n", what, c->samples, (unsigned long long)*passed, (unsigned long long)total);
		exit(1);
	}
}

static void test_triangles(unsigned samples, unsigned round)
{
	static struct scene c;
	uint64_t passed = 0, a = (uint64_t)(uintptr_t)&passed;
	uint32_t mask = round % 4 == 3 ? 1 + rnd() % 255 : 0xffff;
	scene_init(&c, samples, DFMT_8_8_8_8, NFMT_UNORM);
	for (unsigned k = 0; round % 2 && k < samples; k++) /* anywhere, corners included */
		c.at[k] = (struct isa_sample){ (int8_t)(rnd() % 16) - 8, (int8_t)(rnd() % 16) - 8 };
	make_ps(&c.ps);
	if (round % 3 == 2)
		add_fan(&c);
	else
		add_triangles(&c, 60);
	begin(&c);
	set_counting(&c);
	PACKET(&c.s, SET_CONTEXT_REG, R_PA_SC_AA_MASK_X0Y0_X1Y0, mask);
	/* a lane a pixel, or a lane a sample */
	PACKET(&c.s, SET_CONTEXT_REG, R_PA_SC_MODE_CNTL_1, REG_SET(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, round / 6 % 2));
	/* early tests, tests repeated after the shader, tests after it alone */
	PACKET(&c.s, SET_CONTEXT_REG, R_DB_SHADER_CONTROL, REG_SET(DB_SHADER_CONTROL, KILL_ENABLE, round / 2 % 3 == 1) |
		REG_SET(DB_SHADER_CONTROL, EXEC_ON_NOOP, round / 2 % 3 == 2));
	clear(&c, PM4_CLEAR_COLOR0, 0);
	clear(&c, PM4_CLEAR_STENCIL, 0);
	draw(&c);
	PACKET(&c.s, EVENT_WRITE, PM4_EVENT_ZPASS_DONE, (uint32_t)a, (uint32_t)(a >> 32));
	run(&c);
	check_counts(&c, &passed, mask, round % 3 == 2 ? "fan" : "triangles");
	scene_finish(&c);
}

/* A point covers the samples in its square, upper and left edges included. */
static void test_points(unsigned samples)
{
	static struct scene c;
	scene_init(&c, samples, DFMT_8_8_8_8, NFMT_UNORM);
	make_ps(&c.ps);
	vertex(&c, 20.5f, 30.25f, 0.5f, 1, 0, 0);
	vertex(&c, 70.0625f, 41.9375f, 0.5f, 1, 0, 0);
	begin(&c);
	PACKET(&c.s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, 1);
	PACKET(&c.s, SET_CONTEXT_REG, R_PA_SU_POINT_SIZE, 20 << 16 | 20, 8000u << 16); /* 2.5 pixels across */
	clear(&c, PM4_CLEAR_COLOR0, 0);
	draw(&c);
	run(&c);
	for (unsigned y = 0; y < MS_H; y++)
		for (unsigned x = 0; x < MS_W; x++)
			for (unsigned k = 0; k < samples; k++) {
				int px = 256 * (int)x + 128 + 16 * c.at[k].x, py = 256 * (int)y + 128 + 16 * c.at[k].y;
				bool in = false;
				for (unsigned i = 0; i < 2; i++) {
					int cx = (int)(c.verts[6 * i] * 256), cy = (int)(c.verts[6 * i + 1] * 256);
					in |= px >= cx - 320 && px < cx + 320 && py >= cy - 320 && py < cy + 320;
				}
				if (sample_of(&c, &c.color, x, y, k)[0] != (in ? 255 : 0)) {
					printf("point, %u samples: sample %u of (%u, %u)\n", samples, k, x, y);
					exit(1);
				}
			}
	scene_finish(&c);
}

/* An axis-aligned rectangular line covers a rectangle; a Bresenham line covers
 * every sample of its pixels. */
static void test_lines(unsigned samples, bool rectangular)
{
	static struct scene c;
	scene_init(&c, samples, DFMT_8_8_8_8, NFMT_UNORM);
	make_ps(&c.ps);
	vertex(&c, 10.25f, 30.375f, 0.5f, 1, 0, 0);
	vertex(&c, 120.125f, 30.375f, 0.5f, 1, 0, 0);
	begin(&c);
	PACKET(&c.s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, 2);
	PACKET(&c.s, SET_CONTEXT_REG, R_PA_SU_LINE_CNTL, rectangular ? 12 : 8); /* 1.5 or 1 pixel wide */
	PACKET(&c.s, SET_CONTEXT_REG, R_PA_SC_LINE_CNTL, REG_SET(PA_SC_LINE_CNTL, PERPENDICULAR_ENDCAP_ENA, rectangular));
	clear(&c, PM4_CLEAR_COLOR0, 0);
	draw(&c);
	run(&c);
	for (unsigned y = 0; y < MS_H; y++)
		for (unsigned x = 0; x < MS_W; x++)
			for (unsigned k = 0; k < samples; k++) {
				int px = 256 * (int)x + 128 + 16 * c.at[k].x, py = 256 * (int)y + 128 + 16 * c.at[k].y;
				int cx = (int)(30.375f * 256);
				bool in = px >= 2624 && px < 30752 && py >= cx - 192 && py < cx + 192;
				if (!rectangular)
					in = x >= 10 && x < 120 && y == 30;
				if (sample_of(&c, &c.color, x, y, k)[0] != (in ? 255 : 0)) {
					printf("line, %u samples: sample %u of (%u, %u) %d\n", samples, k, x, y, in);
					exit(1);
				}
			}
	scene_finish(&c);
}

/* A clear of a rectangle reaches all samples of its pixels and no others. */
static void test_clear(unsigned samples)
{
	static struct scene c;
	scene_init(&c, samples, DFMT_8_8_8_8, NFMT_UNORM);
	make_ps(&c.ps);
	struct pm4_clear_target part = { .targets = PM4_CLEAR_COLOR0, .x = 13, .y = 6, .width = 77, .height = 71, .slice_count = 1,
		.value = { bits(1) } };
	begin(&c);
	clear(&c, PM4_CLEAR_COLOR0, 0);
	packet(&c.s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&part);
	part.targets = PM4_CLEAR_STENCIL;
	part.value[1] = 255;
	packet(&c.s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&part);
	run(&c);
	for (unsigned y = 0; y < MS_H; y++)
		for (unsigned x = 0; x < MS_W; x++)
			for (unsigned k = 0; k < samples; k++) {
				bool in = x >= 13 && x < 90 && y >= 6 && y < 77;
				CHECK(sample_of(&c, &c.color, x, y, k)[0] == (in ? 255 : 0));
				CHECK(*sample_of(&c, &c.stencil, x, y, k) == (in ? 255 : 0));
			}
	scene_finish(&c);
}

/* Counts that do not match are refused with words. */
static void test_refusals(void)
{
	static struct scene c;
	const char *why = "";
	scene_init(&c, 4, DFMT_8_8_8_8, NFMT_UNORM);
	make_ps(&c.ps);
	add_fan(&c);
	for (unsigned k = 0; k < 3; k++) {
		struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ .threads = 1 }, &why);
		CHECK(gpu);
		begin(&c);
		if (k == 0)
			PACKET(&c.s, SET_CONTEXT_REG, R_PA_SC_AA_CONFIG, 1);
		else if (k == 1)
			PACKET(&c.s, SET_CONTEXT_REG, R_DB_Z_INFO, REG_SET(DB_Z_INFO, FORMAT, 3) |
				REG_SET(DB_Z_INFO, NUM_SAMPLES, 1) | REG_SET(DB_Z_INFO, TILE_MODE_INDEX, TILING_4X4));
		else
			PACKET(&c.s, SET_CONTEXT_REG, R_CB_COLOR_ATTRIB, REG_SET(CB_COLOR_ATTRIB, TILE_MODE_INDEX, TILING_LINEAR) |
				REG_SET(CB_COLOR_ATTRIB, NUM_SAMPLES, 2));
		draw(&c);
		CHECK(rs_gpu_execute(gpu, c.s.dw, c.s.n) == RS_LOST && strstr(rs_gpu_error(gpu), "sample"));
		rs_gpu_destroy(gpu);
	}
	scene_finish(&c);
}

int main(void)
{
	for (unsigned samples = 2; samples <= 8; samples *= 2) {
		for (unsigned round = 0; round < 12; round++)
			test_triangles(samples, round);
		test_points(samples);
		test_lines(samples, true);
		test_lines(samples, false);
		test_clear(samples);
	}
	test_refusals();
	return 0;
}
