/* SPDX-License-Identifier: MIT */
/* What shaders and tests see of samples: depth at each sample's place, early
 * and late alike; exported sample masks and alpha to mask; one invocation a
 * sample with its number, place and coverage; centroids; and the same bits for
 * every number of threads and kernel level. */
#include <math.h>
#include "msaa_scene.h"

static void interp(struct code *c, unsigned v, unsigned chan, unsigned i)
{
	for (unsigned step = 0; step < 2; step++) {
		struct gcn_inst in;
		gcn_inst_init(&in, step ? GCN_V_INTERP_P2_F32 : GCN_V_INTERP_P1_F32);
		in.dst = (uint16_t)VGPR(v);
		in.src[0] = (uint16_t)VGPR(i + step);
		in.attr = 0;
		in.attrchan = (uint8_t)chan;
		add(c, &in);
	}
}

static void export_some(struct code *c, unsigned target, unsigned v, unsigned en, int done)
{
	struct gcn_inst in;
	gcn_inst_init(&in, GCN_EXPORT);
	for (unsigned i = 0; i < 4; i++)
		in.src[i] = (uint16_t)VGPR(v + i);
	in.exp_target = (uint8_t)target;
	in.en = (uint8_t)en;
	in.done = (uint8_t)done;
	in.vm = (uint8_t)done;
	add(c, &in);
}

static void begin_ps(struct code *c)
{
	memset(c, 0, sizeof *c);
	mov(c, GCN_S_MOV_B32, GCN_SRC_M0, 0);
	plain(c, GCN_S_NOP, 0);
}

static void full_screen(struct scene *c, float z0, float zx, float zy)
{
	static const float corner[3][2] = { { -64, -64 }, { 448, -64 }, { -64, 448 } };
	for (unsigned i = 0; i < 3; i++) {
		float x = corner[i][0], y = corner[i][1];
		vertex(c, x, y, z0 + zx * x + zy * y, x, y, 0);
	}
}

/* --- Depth --- */

/* A depth in memory. */
static double depth_of(const struct scene *c, const uint8_t *p)
{
	uint32_t code = 0;
	memcpy(&code, p, c->z.bpe);
	return c->z_format == Z_FORMAT_32_FLOAT ? (double)float_of(p) : c->z_format == Z_FORMAT_24 ? (code & 0xffffff) / 16777215.0 : code / 65535.0;
}

/* Stencil values of all kinds, and a test that some of them fail. */
static void with_stencil(struct scene *s)
{
	for (unsigned i = 0; i < s->stencil.bytes; i++)
		s->stencil.mem[i] = (uint8_t)(i * 37 >> 2);
	PACKET(&s->s, SET_CONTEXT_REG, R_DB_STENCIL_CONTROL, REG_SET(DB_STENCIL_CONTROL, STENCILFAIL, STENCIL_ADD_WRAP) |
		REG_SET(DB_STENCIL_CONTROL, STENCILZPASS, STENCIL_REPLACE_TEST) | REG_SET(DB_STENCIL_CONTROL, STENCILZFAIL, STENCIL_INVERT));
	PACKET(&s->s, SET_CONTEXT_REG, R_DB_STENCILREFMASK, REG_SET(DB_STENCILREFMASK, STENCILTESTVAL, 0x43) |
		REG_SET(DB_STENCILREFMASK, STENCILMASK, 0x7f) | REG_SET(DB_STENCILREFMASK, STENCILWRITEMASK, 0xfb));
}

/* Shows attribute 0. */
static void depth_scene(struct scene *s, unsigned samples, unsigned format)
{
	scene_init(s, samples, DFMT_32_32_32_32, NFMT_FLOAT);
	s->z_format = format;
	s->z.bpe = format == Z_FORMAT_16 ? 2 : 4;
	begin_ps(&s->ps);
	interp(&s->ps, 2, 0, 0);
	mov(&s->ps, GCN_V_MOV_B32, VGPR(3), VGPR(2));
	export_some(&s->ps, GCN_EXP_MRT0, 2, 15, 1);
	plain(&s->ps, GCN_S_ENDPGM, 0);
}

/* Tests before the shader, before and after it, after it. */
static void set_order(struct scene *s, unsigned order)
{
	PACKET(&s->s, SET_CONTEXT_REG, R_DB_SHADER_CONTROL, REG_SET(DB_SHADER_CONTROL, KILL_ENABLE, order == 1) |
		REG_SET(DB_SHADER_CONTROL, EXEC_ON_NOOP, order == 2));
}

/* Two planes that cross behind a triangle: at every sample the nearest wins, with
 * the depth that its plane has there.  The same whether tests are early, late or both; with a
 * stencil test that is all that is known. */
static void test_depth(unsigned samples, unsigned format, bool stencil)
{
	static struct scene c[3];
	for (unsigned order = 0; order < 3; order++) {
		struct scene *s = &c[order];
		depth_scene(s, samples, format);
		vertex(s, 3, 2, 0.125f, 0, 0, 0);
		vertex(s, 40, 9, 0.125f, 0, 0, 0);
		vertex(s, 5, 30, 0.125f, 0, 0, 0);
		full_screen(s, 0.25f, 0x1p-10f, 0x1p-11f);
		full_screen(s, 0.4375f, -0x1p-10f, -0x1p-12f);
		for (unsigned i = 0; i < 9; i++)
			s->verts[6 * i + 3] = i < 3 ? 3 : i < 6 ? 1 : 2;
		begin(s);
		PACKET(&s->s, SET_CONTEXT_REG, R_DB_DEPTH_CONTROL, REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
			REG_SET(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, 1) | REG_SET(DB_DEPTH_CONTROL, ZFUNC, COMPARE_LESS) |
			REG_SET(DB_DEPTH_CONTROL, STENCIL_ENABLE, stencil) | REG_SET(DB_DEPTH_CONTROL, STENCILFUNC, COMPARE_LEQUAL));
		set_order(s, order);
		if (stencil)
			with_stencil(s);
		clear(s, PM4_CLEAR_COLOR0, 0);
		clear(s, PM4_CLEAR_DEPTH, bits(1));
		draw(s);
		run_on(s, 2, samples == 4 ? "v3" : NULL);
		CHECK(order == 0 || !memcmp(c[0].color.mem, s->color.mem, s->color.bytes));
		CHECK(order == 0 || !memcmp(c[0].z.mem, s->z.mem, s->z.bytes));
		CHECK(order == 0 || !memcmp(c[0].stencil.mem, s->stencil.mem, s->stencil.bytes));
	}
	const double slack = format == Z_FORMAT_16 ? 0x1p-16 : 0x1p-24;
	for (unsigned y = 0; y < MS_H && !stencil; y++)
		for (unsigned x = 0; x < MS_W; x++)
			for (unsigned k = 0; k < samples; k++) {
				double px = x + 0.5 + c->at[k].x / 16.0, py = y + 0.5 + c->at[k].y / 16.0;
				double a = 0.25 + px * 0x1p-10 + py * 0x1p-11, b = 0.4375 - px * 0x1p-10 - py * 0x1p-12;
				double expect = b < a ? b : a, z = depth_of(c, sample_of(c, &c->z, x, y, k));
				float color = float_of(sample_of(c, &c->color, x, y, k));
				if (color == 3) /* test_msaa_coverage knows where */
					expect = a = b = 0.125;
				if (z < expect - slack || z > expect + slack || (fabs(a - b) > 2 * slack && color != (b < a ? 2.0f : 1.0f))) {
					printf("depth %u, %u samples: sample %u of (%u, %u): %.9g not %.9g, color %g\n", format, samples, k, x, y, z,
						expect, (double)color);
					exit(1);
				}
			}
	for (unsigned i = 0; i < 3; i++)
		scene_finish(&c[i]);
}

/* Small triangles in waves of several: each sample gets the nearest, then of some the farthest, whether the first tests are
 * early, late or both. */
static void test_small(unsigned samples, unsigned format)
{
	static struct scene c[3];
	const uint32_t control = REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, 1) | REG_SET(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, 1);
	const uint64_t seed = random_state;
	for (unsigned order = 0; order < 3; order++) {
		struct scene *s = &c[order];
		depth_scene(s, samples, format);
		random_state = seed;
		for (unsigned t = 0; t < MS_VERTS / 3; t++) {
			const float x = (float)(rnd() % (MS_W * 8)) / 8, y = (float)(rnd() % (MS_H * 8)) / 8, color = (float)(1 + rnd() % 999);
			for (unsigned i = 0; i < 3; i++)
				vertex(s, x + (float)(rnd() % 160) / 8, y + (float)(rnd() % 160) / 8, (float)(rnd() % 1024) / 1023, color, 0, 0);
		}
		begin(s);
		PACKET(&s->s, SET_CONTEXT_REG, R_DB_DEPTH_CONTROL, control | REG_SET(DB_DEPTH_CONTROL, ZFUNC, COMPARE_LESS));
		set_order(s, order);
		clear(s, PM4_CLEAR_COLOR0, 0);
		clear(s, PM4_CLEAR_DEPTH, bits(1));
		draw(s);
		PACKET(&s->s, SET_CONTEXT_REG, R_DB_DEPTH_CONTROL, control | REG_SET(DB_DEPTH_CONTROL, ZFUNC, COMPARE_GREATER));
		PACKET(&s->s, SET_CONTEXT_REG, R_DB_SHADER_CONTROL, 0);
		PACKET(&s->s, DRAW_INDEX_AUTO, MS_VERTS / 6, PM4_DI_SRC_AUTO); /* some, so that the rest still shows what the first tests left */
		run_on(s, 2, samples == 4 ? "v3" : NULL);
		CHECK(order == 0 || !memcmp(c[0].color.mem, s->color.mem, s->color.bytes));
		CHECK(order == 0 || !memcmp(c[0].z.mem, s->z.mem, s->z.bytes));
	}
	for (unsigned i = 0; i < 3; i++)
		scene_finish(&c[i]);
}

/* --- Masks --- */

/* mrtz.z = mask, an inline constant; alpha 0.5. */
static void mask_ps(struct code *c, unsigned mask)
{
	begin_ps(c);
	mov(c, GCN_V_MOV_B32, VGPR(2), GCN_SRC_1F);
	mov(c, GCN_V_MOV_B32, VGPR(3), (uint16_t)(GCN_SRC_0 + mask));
	mov(c, GCN_V_MOV_B32, VGPR(5), 240 /* 0.5 */);
	mov(c, GCN_V_MOV_B32, VGPR(4), VGPR(3));
	export_some(c, GCN_EXP_MRTZ, 2, 4, 0);
	export_some(c, GCN_EXP_MRT0, 2, 15, 1);
	plain(c, GCN_S_ENDPGM, 0);
}

static void test_masks(unsigned samples, unsigned mask, bool exported, bool alpha, bool iterate)
{
	static struct scene c;
	uint32_t expect = exported ? mask : ~0u;
	uint64_t passed = 0, a = (uint64_t)(uintptr_t)&passed, count = 0;
	scene_init(&c, samples, DFMT_8_8_8_8, NFMT_UNORM);
	mask_ps(&c.ps, mask);
	full_screen(&c, 0.5f, 0, 0);
	begin(&c);
	PACKET(&c.s, SET_CONTEXT_REG, R_PA_SC_MODE_CNTL_1, REG_SET(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, iterate));
	PACKET(&c.s, SET_CONTEXT_REG, R_DB_SHADER_CONTROL, REG_SET(DB_SHADER_CONTROL, MASK_EXPORT_ENABLE, exported));
	PACKET(&c.s, SET_CONTEXT_REG, R_DB_ALPHA_TO_MASK, REG_SET(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_ENABLE, alpha));
	PACKET(&c.s, SET_CONTEXT_REG, R_DB_COUNT_CONTROL, REG_SET(DB_COUNT_CONTROL, ZPASS_ENABLE, 1));
	clear(&c, PM4_CLEAR_COLOR0, 0);
	draw(&c);
	PACKET(&c.s, EVENT_WRITE, PM4_EVENT_ZPASS_DONE, (uint32_t)a, (uint32_t)(a >> 32));
	run(&c);
	for (unsigned k = 0; alpha && k < samples; k++) /* alpha 0.5 has the first half */
		if (k >= samples / 2)
			expect &= ~(1u << k);
	for (unsigned y = 0; y < MS_H; y++)
		for (unsigned x = 0; x < MS_W; x++)
			for (unsigned k = 0; k < samples; k++) {
				CHECK(sample_of(&c, &c.color, x, y, k)[0] == (expect >> k & 1 ? 255 : 0));
				count += expect >> k & 1;
			}
	CHECK(passed == count);
	scene_finish(&c);
}

/* --- Inputs --- */

static bool near(float a, double b) { return (double)a > b - 1e-4 && (double)a < b + 1e-4; }

/* Color: FragCoord.x, .y, number of the sample, coverage. */
static void test_inputs(unsigned samples, bool iterate)
{
	static struct scene c;
	const uint32_t ena = REG_SET(SPI_PS_INPUT_ENA, PERSP_CENTER_ENA, 1) | REG_SET(SPI_PS_INPUT_ENA, POS_X_FLOAT_ENA, 1) |
		REG_SET(SPI_PS_INPUT_ENA, POS_Y_FLOAT_ENA, 1) | REG_SET(SPI_PS_INPUT_ENA, ANCILLARY_ENA, 1) |
		REG_SET(SPI_PS_INPUT_ENA, SAMPLE_COVERAGE_ENA, 1);
	scene_init(&c, samples, DFMT_32_32_32_32, NFMT_FLOAT);
	begin_ps(&c.ps); /* v0, v1 I and J; v2 x, v3 y, v4 ancillary, v5 coverage */
	mov(&c.ps, GCN_V_CVT_F32_UBYTE1, VGPR(4), VGPR(4));
	mov(&c.ps, GCN_V_CVT_F32_U32, VGPR(5), VGPR(5));
	export_some(&c.ps, GCN_EXP_MRT0, 2, 15, 1);
	plain(&c.ps, GCN_S_ENDPGM, 0);
	for (unsigned i = 0; i < 3; i++)
		vertex(&c, (float[]){ 20, 140, 55 }[i], (float[]){ 7, 30.5f, 85.25f }[i], 0.5f, 0, 0, 0);
	begin(&c);
	PACKET(&c.s, SET_CONTEXT_REG, R_SPI_PS_INPUT_ENA, ena, ena);
	PACKET(&c.s, SET_CONTEXT_REG, R_SPI_BARYC_CNTL, REG_SET(SPI_BARYC_CNTL, POS_FLOAT_LOCATION, 2));
	PACKET(&c.s, SET_CONTEXT_REG, R_PA_SC_MODE_CNTL_1, REG_SET(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, iterate));
	clear(&c, PM4_CLEAR_COLOR0, 0);
	draw(&c);
	run(&c);
	for (unsigned y = 0; y < MS_H; y++)
		for (unsigned x = 0; x < MS_W; x++) {
			unsigned all = 0;
			for (unsigned k = 0; k < samples; k++)
				all |= (unsigned)covers(&c, 0, x, y, k) << k;
			for (unsigned k = 0; k < samples; k++) {
				const uint8_t *p = sample_of(&c, &c.color, x, y, k);
				float e[4] = { (float)x + 0.5f, (float)y + 0.5f, 0, (float)all };
				if (iterate) {
					e[0] += (float)c.at[k].x / 16;
					e[1] += (float)c.at[k].y / 16;
					e[2] = (float)k;
					e[3] = (float)(1u << k);
				}
				for (unsigned i = 0; i < 4; i++)
					if (float_of(p + 4 * i) != (all >> k & 1 ? e[i] : 0)) {
						printf("inputs, %u samples, iterate %d: sample %u of (%u, %u), channel %u: %g not %g\n", samples, iterate, k,
							x, y, i, (double)float_of(p + 4 * i), (double)e[i]);
						exit(1);
					}
			}
		}
	scene_finish(&c);
}

/* Attributes that are the place they are taken at: centroid, centre, sample. */
static void test_places(unsigned samples, unsigned place, bool perspective, bool iterate)
{
	static struct scene c;
	const uint32_t ena = perspective ? 1u << (place == 0 ? 1 : place == 1 ? 2 : 0) : 16u << (place == 0 ? 1 : place == 1 ? 2 : 0);
	scene_init(&c, samples, DFMT_32_32_32_32, NFMT_FLOAT);
	begin_ps(&c.ps);
	interp(&c.ps, 2, 0, 0);
	interp(&c.ps, 3, 1, 0);
	export_some(&c.ps, GCN_EXP_MRT0, 2, 15, 1);
	plain(&c.ps, GCN_S_ENDPGM, 0);
	for (unsigned i = 0; i < 3; i++) {
		float x = (float[]){ 20, 140, 55 }[i], y = (float[]){ 7, 30.5f, 85.25f }[i];
		vertex(&c, x, y, 0.5f, x, y, 0);
	}
	begin(&c);
	PACKET(&c.s, SET_CONTEXT_REG, R_SPI_PS_INPUT_ENA, ena, ena);
	PACKET(&c.s, SET_CONTEXT_REG, R_PA_SC_MODE_CNTL_1, REG_SET(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, iterate));
	clear(&c, PM4_CLEAR_COLOR0, 0);
	draw(&c);
	run(&c);
	for (unsigned y = 0; y < MS_H; y++)
		for (unsigned x = 0; x < MS_W; x++) {
			unsigned all = 0, first = 0;
			for (unsigned k = samples; k-- > 0;)
				if (covers(&c, 0, x, y, k)) {
					all |= 1u << k;
					first = k;
				}
			for (unsigned k = 0; k < samples; k++) {
				const uint8_t *p = sample_of(&c, &c.color, x, y, k);
				double ex = x + 0.5, ey = y + 0.5;
				unsigned from = iterate ? k : first;
				bool off = (place == 2 && iterate) || (place == 1 && (iterate || all != (1u << samples) - 1));
				if (off) {
					ex += c.at[from].x / 16.0;
					ey += c.at[from].y / 16.0;
				}
				if (all >> k & 1 && (!near(float_of(p), ex) || !near(float_of(p + 4), ey))) {
					printf("place %u, %u samples, iterate %d: sample %u of (%u, %u): %g %g not %g %g\n", place, samples, iterate, k,
						x, y, (double)float_of(p), (double)float_of(p + 4), ex, ey);
					exit(1);
				}
			}
		}
	scene_finish(&c);
}

/* --- Determinism --- */

static void test_determinism(unsigned samples, bool iterate)
{
	static const char *const levels[2] = { "v3", "v4" };
	static const unsigned threads[3] = { 1, 2, 7 };
	static struct scene c;
	uint64_t first = 0;
	scene_init(&c, samples, DFMT_8_8_8_8, NFMT_UNORM);
	make_ps(&c.ps);
	for (unsigned i = 0; i < MS_VERTS; i++)
		vertex(&c, (float)(rnd() % 60000) / 200 - 70, (float)(rnd() % 60000) / 300 - 50, (float)(rnd() % 1000) / 1000,
			(float)(rnd() % 100) / 100, (float)(rnd() % 100) / 100, (float)(rnd() % 100) / 100);
	begin(&c);
	PACKET(&c.s, SET_CONTEXT_REG, R_SPI_PS_INPUT_ENA, 4, 4); /* PERSP_CENTROID */
	PACKET(&c.s, SET_CONTEXT_REG, R_PA_SC_MODE_CNTL_1, REG_SET(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, iterate));
	PACKET(&c.s, SET_CONTEXT_REG, R_CB_BLEND_ALPHA, bits(0.75f));
	PACKET(&c.s, SET_CONTEXT_REG, R_CB_BLEND_CONTROL, REG_SET(CB_BLEND_CONTROL, ENABLE, 1) |
		REG_SET(CB_BLEND_CONTROL, COLOR_SRCBLEND, 19) | REG_SET(CB_BLEND_CONTROL, COLOR_DESTBLEND, 20));
	PACKET(&c.s, SET_CONTEXT_REG, R_DB_DEPTH_CONTROL, REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
		REG_SET(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, 1) | REG_SET(DB_DEPTH_CONTROL, ZFUNC, 3));
	clear(&c, PM4_CLEAR_COLOR0, 0);
	clear(&c, PM4_CLEAR_DEPTH, bits(1));
	draw(&c);
	for (unsigned i = 0; i < 6; i++) {
		if (i % 2 && !__builtin_cpu_supports("avx512f"))
			continue;
		memset(c.color.mem, 0x55, c.color.bytes);
		memset(c.z.mem, 0x55, c.z.bytes);
		run_on(&c, threads[i / 2], levels[i % 2]);
		uint64_t h = hash(c.color.mem, c.color.bytes) ^ 3 * hash(c.z.mem, c.z.bytes);
		first = i ? first : h;
		CHECK(h == first);
	}
	scene_finish(&c);
}

int main(void)
{
	for (unsigned samples = 2; samples <= 8; samples *= 2) {
		for (unsigned format = Z_FORMAT_16; format <= Z_FORMAT_32_FLOAT; format++)
			for (unsigned stencil = 0; stencil < 2; stencil++)
				test_depth(samples, format, stencil);
		for (unsigned format = Z_FORMAT_16; format <= Z_FORMAT_32_FLOAT; format++)
			test_small(samples, format);
		for (unsigned k = 0; k < 16; k++)
			test_masks(samples, k * 3 % 16, k & 1, k & 2, k & 4);
		for (unsigned iterate = 0; iterate < 2; iterate++) {
			test_inputs(samples, iterate);
			for (unsigned k = 0; k < 6; k++)
				test_places(samples, k % 3, k / 3, iterate);
			test_determinism(samples, iterate);
		}
	}
	return 0;
}
