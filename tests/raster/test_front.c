/* SPDX-License-Identifier: MIT */
/* The front end over a mock back end: coverage of shared edges, clipping,
 * topologies, restart, batches, order, queries. */
#include <math.h>
#include "front_mock.h"

static struct mock_stream stream;
static struct rs_gpu *gpu;

static struct mock_vertex at(float x, float y, float z, float w)
{
	return (struct mock_vertex){ .pos = { x * w, y * w, z * w, w }, .dist = { 1, 1, 1, 1 } };
}

/* Pixels covered n times in a rectangle of pixel centres. */
static bool covered(int x0, int y0, int x1, int y1, uint32_t n)
{
	for (int y = y0; y < y1; y++)
		for (int x = x0; x < x1; x++)
			if (mock.count[y][x] != n) {
				printf("pixel %d %d is covered %u times\n", x, y, mock.count[y][x]);
				return false;
			}
	return true;
}

static uint64_t total(void)
{
	uint64_t n = 0;
	for (int y = 0; y < MOCK_H; y++)
		for (int x = 0; x < MOCK_W; x++)
			n += mock.count[y][x];
	return n;
}

enum { GRID = 33 };
static uint32_t grid_index[(GRID - 1) * (GRID - 1) * 6];
static struct mock_vertex grid[GRID * GRID];

/* A jittered grid that reaches beyond the screen; `step` rounds positions. */
static void make_grid(uint32_t seed, float step, float jitter)
{
	uint32_t n = 0;
	for (int j = 0; j < GRID; j++)
		for (int i = 0; i < GRID; i++) {
			float x = -10 + 320.0f * i / (GRID - 1), y = -10 + 220.0f * j / (GRID - 1);
			x += (mock_random(&seed) - 0.5f) * jitter;
			y += (mock_random(&seed) - 0.5f) * jitter;
			float w = 0.5f + mock_random(&seed);
			grid[j * GRID + i] = at(rintf(x / step) * step, rintf(y / step) * step, 0.5f, w);
		}
	for (uint32_t j = 0; j + 1 < GRID; j++)
		for (uint32_t i = 0; i + 1 < GRID; i++) {
			uint32_t a = j * GRID + i, b = a + 1, c = a + GRID, d = c + 1;
			bool flip = mock_random(&seed) < 0.5f;
			uint32_t q[6] = { a, b, flip ? d : c, flip ? a : b, d, c };
			memcpy(grid_index + n, q, sizeof q);
			n += 6;
		}
}

static void test_mesh(void)
{
	for (uint32_t seed = 1; seed < 6; seed++) {
		make_grid(seed, seed & 1 ? 0.5f : 0x1p-8f, 4);
		mock_begin(&stream, grid);
		mock_draw_indexed(&stream, DI_PT_TRILIST, grid_index, sizeof grid_index / 4);
		mock_run(gpu, &stream);
		CHECK(covered(0, 0, MOCK_W, MOCK_H, 1));
	}
}

/* Triangles of a few pixels, some in several tiles, at and beyond the edges of
 * scissors: the vector path and the scalar one, which a viewport index forces,
 * agree in every bit. */
static void test_small(void)
{
	static struct mock_vertex v[3 * 10000];
	static struct mock_screen first;
	uint32_t seed = 11;
	for (int i = 0; i < 10000; i++) {
		float x = 300 * mock_random(&seed), y = 200 * mock_random(&seed), size = 1 + 5 * mock_random(&seed);
		float step = i & 1 ? 0.5f : 0x1p-8f, w = 0.5f + mock_random(&seed);
		for (int k = 0; k < 3; k++) {
			float px = x + size * mock_random(&seed), py = y + size * mock_random(&seed);
			v[3 * i + k] = at(rintf(px / step) * step, rintf(py / step) * step, mock_random(&seed), w);
			v[3 * i + k].param[0] = (float)i;
			v[3 * i + k].param[1] = mock_random(&seed);
		}
	}
	for (int scissor = 0; scissor < 2; scissor++)
		for (int scalar = 0; scalar < 2; scalar++) {
			mock_begin(&stream, v);
			mock_context(&stream, R_PA_SU_SC_MODE_CNTL, REG_SET(PA_SU_SC_MODE_CNTL, POLY_OFFSET_FRONT_ENABLE, 1));
			mock_context(&stream, R_PA_SU_POLY_OFFSET_FRONT_SCALE, mock_bits(0.5f));
			if (scissor) {
				mock_context(&stream, R_PA_SC_VPORT_SCISSOR_TL, 63 | 33 << 16);
				mock_context(&stream, R_PA_SC_VPORT_SCISSOR_BR, 191 | 130 << 16);
			}
			mock_context(&stream, R_PA_CL_VS_OUT_CNTL, scalar ? REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA, 1) |
				REG_SET(PA_CL_VS_OUT_CNTL, USE_VTX_VIEWPORT_INDX, 1) : 0);
			mock_draw(&stream, DI_PT_TRILIST, 3 * 10000);
			mock_run(gpu, &stream);
			CHECK(total() > 2000);
			CHECK(!scalar || !memcmp(first.count, mock.count, sizeof mock.count));
			CHECK(!scalar || !memcmp(first.last, mock.last, sizeof mock.last));
			CHECK(!scalar || !memcmp(first.value, mock.value, sizeof mock.value));
			CHECK(!scalar || !memcmp(first.z, mock.z, sizeof mock.z));
			CHECK(!scalar || !memcmp(first.front, mock.front, sizeof mock.front));
			memcpy(&first, &mock, sizeof first);
		}
}

/* A fan around a point, with rays through pixel centres. */
static void test_fan(void)
{
	static struct mock_vertex v[66];
	for (int k = 0; k < 4; k++) {
		v[0] = at(150.5f, 100.5f - 0.25f * (float)k, 0, 1);
		for (int i = 0; i <= 64; i++) {
			double a = (i & 63) * (2 * 3.14159265358979 / 64);
			v[1 + i] = at((float)(150 + 90 * cos(a)), (float)(100 + 90 * sin(a)), 0, 1);
		}
		mock_begin(&stream, v);
		mock_draw(&stream, DI_PT_TRIFAN, 66);
		mock_run(gpu, &stream);
		CHECK(covered(100, 50, 200, 150, 1));
		for (int y = 0; y < MOCK_H; y++)
			for (int x = 0; x < MOCK_W; x++)
				CHECK(mock.count[y][x] <= 1);
	}
}

/* Two triangles far beyond the guard band cover each pixel once. */
static void test_guard_band(void)
{
	struct mock_vertex v[6] = {
		at(-1e6f, -2e5f, 0, 1), at(1e6f, -2e5f, 0, 1), at(-1e6f, 3e6f, 0, 2),
		at(1e6f, -2e5f, 0, 1), at(1e6f, 3e6f, 0, 1), at(-1e6f, 3e6f, 0, 2),
	};
	mock_begin(&stream, v);
	mock_draw(&stream, DI_PT_TRILIST, 6);
	mock_run(gpu, &stream);
	CHECK(covered(0, 0, MOCK_W, MOCK_H, 1));
}

/* A floor that runs behind the eye: two triangles, one horizon; z clipping off,
 * so that only w cuts. */
static void test_eye_plane(void)
{
	struct mock_vertex v[4];
	for (int i = 0; i < 4; i++) {
		float x = i & 1 ? 40 : -40, depth = i & 2 ? 100 : -5;
		/* y_clip = height / depth below the horizon at 100 */
		v[i] = (struct mock_vertex){ .pos = { 100 * x + 150 * depth, 100 * 4 + 100 * depth, 0, depth },
			.dist = { 1, 1, 1, 1 }, .param = { 7, depth } };
	}
	uint32_t index[6] = { 0, 1, 2, 1, 3, 2 };
	mock_begin(&stream, v);
	mock_context(&stream, R_PA_CL_CLIP_CNTL, REG_SET(PA_CL_CLIP_CNTL, DX_CLIP_SPACE_DEF, 1) |
		REG_SET(PA_CL_CLIP_CNTL, ZCLIP_NEAR_DISABLE, 1) | REG_SET(PA_CL_CLIP_CNTL, ZCLIP_FAR_DISABLE, 1));
	mock_draw_indexed(&stream, DI_PT_TRILIST, index, 6);
	mock_run(gpu, &stream);
	CHECK(covered(140, 112, 160, 200, 1));
	CHECK(covered(0, 0, 300, 100, 0));
	for (int y = 112; y < 200; y++) {
		double depth = 400 / (y + 0.5 - 100);
		CHECK(fabs(mock.value[y][150] - depth) < 0.01 * depth);
		CHECK(mock.last[y][150] == mock_bits(7));
	}
}

static void test_clip_distance(void)
{
	struct mock_vertex v[3] = { at(0, 0, 0, 1), at(400, 0, 0, 1), at(0, 400, 0, 1) };
	v[0].dist[0] = -100; /* x >= 100 remains */
	v[1].dist[0] = 300;
	v[2].dist[0] = -100;
	mock_begin(&stream, v);
	mock_context(&stream, R_PA_CL_VS_OUT_CNTL, REG_SET(PA_CL_VS_OUT_CNTL, CLIP_DIST_ENA, 1) |
		REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA, 1) |
		REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST0_VEC_ENA, 1));
	mock_draw(&stream, DI_PT_TRILIST, 3);
	mock_run(gpu, &stream);
	CHECK(covered(0, 0, 100, 200, 0));
	CHECK(covered(100, 0, 200, 190, 1));
	mock_context(&stream, R_PA_CL_VS_OUT_CNTL, REG_SET(PA_CL_VS_OUT_CNTL, CULL_DIST_ENA, 1) |
		REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA, 1) |
		REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST0_VEC_ENA, 1));
	mock_draw(&stream, DI_PT_TRILIST, 3); /* one vertex inside: not culled */
	v[1].dist[0] = -1;
	mock_run(gpu, &stream);
	CHECK(covered(0, 0, 300, 200, 0));
}

static void test_near_far(void)
{
	/* z runs from -1 to 2 over x: 0 <= z <= 1 is the middle third. */
	struct mock_vertex v[4] = { at(0, 0, -1, 1), at(300, 0, 2, 1), at(0, 200, -1, 1), at(300, 200, 2, 1) };
	mock_begin(&stream, v);
	mock_draw(&stream, DI_PT_TRISTRIP, 4);
	mock_run(gpu, &stream);
	CHECK(covered(0, 0, 100, 200, 0));
	CHECK(covered(100, 0, 200, 200, 1));
	CHECK(covered(200, 0, 300, 200, 0));
	CHECK(fabs(mock.z[50][150] - 0.505) < 1e-6);
}

/* Facing: counter-clockwise in a window with y down is front when FACE is 0. */
static void test_facing(void)
{
	struct mock_vertex v[3] = { at(10, 10, 0, 1), at(10, 100, 0, 1), at(100, 10, 0, 1) };
	for (int face = 0; face < 2; face++)
		for (int cull = 0; cull < 4; cull++) {
			mock_begin(&stream, v);
			mock_context(&stream, R_PA_SU_SC_MODE_CNTL, (uint32_t)cull |
				REG_SET(PA_SU_SC_MODE_CNTL, FACE, face));
			mock_draw(&stream, DI_PT_TRILIST, 3);
			mock_run(gpu, &stream);
			bool front = face == 0, drawn = !(cull & (front ? 1 : 2));
			CHECK((mock.count[30][30] == 1) == drawn);
			CHECK(!drawn || mock.front[30][30] == front);
		}
}

/* Strip, fan and list orders by provoking vertex. */
static void test_provoking(void)
{
	struct mock_vertex v[6];
	for (int i = 0; i < 6; i++) {
		v[i] = at(20 + 40 * (float)(i / 2), i & 1 ? 120 : 20, 0, 1);
		v[i].param[0] = (float)i;
	}
	/* Strip: triangle i is led by vertex i, or i + 2. */
	static const int sample[4][2] = { { 30, 40 }, { 50, 100 }, { 70, 40 }, { 90, 100 } };
	for (int last = 0; last < 2; last++) {
		mock_begin(&stream, v);
		mock_context(&stream, R_PA_SU_SC_MODE_CNTL, REG_SET(PA_SU_SC_MODE_CNTL, PROVOKING_VTX_LAST, last));
		mock_draw(&stream, DI_PT_TRISTRIP, 6);
		mock_run(gpu, &stream);
		for (int i = 0; i < 4; i++) {
			CHECK(mock.last[sample[i][1]][sample[i][0]] == mock_bits((float)(i + 2 * last)));
			/* All of a strip face one way. */
			CHECK(mock.front[sample[i][1]][sample[i][0]] == mock.front[40][30]);
		}
		CHECK(covered(21, 21, 99, 119, 1));
	}
}

static void test_restart(void)
{
	make_grid(3, 0x1p-8f, 2);
	static uint32_t strip[(GRID - 1) * (2 * GRID + 1)];
	uint32_t n = 0;
	for (uint32_t j = 0; j + 1 < GRID; j++) {
		for (uint32_t i = 0; i < GRID; i++) {
			strip[n++] = j * GRID + i;
			strip[n++] = (j + 1) * GRID + i;
		}
		strip[n++] = ~0u;
	}
	mock_begin(&stream, grid);
	mock_context(&stream, R_VGT_MULTI_PRIM_IB_RESET_INDX, ~0u);
	mock_uconfig(&stream, R_VGT_MULTI_PRIM_IB_RESET_EN, 1);
	mock_draw_indexed(&stream, DI_PT_TRISTRIP, strip, n);
	mock_run(gpu, &stream);
	CHECK(covered(0, 0, MOCK_W, MOCK_H, 1));
	uint8_t front = mock.front[0][0];
	for (int y = 0; y < MOCK_H; y++)
		for (int x = 0; x < MOCK_W; x++)
			CHECK(mock.front[y][x] == front);
}

static void test_instances(void)
{
	struct mock_vertex v[4] = { at(0, 0, 0, 1), at(16, 0, 0, 1), at(0, 200, 0, 1), at(16, 200, 0, 1) };
	mock_begin(&stream, v);
	mock_packet(&stream, PM4_NUM_INSTANCES, 1, (uint32_t[]){ 1000 });
	mock_draw(&stream, DI_PT_TRISTRIP, 4);
	mock_run(gpu, &stream);
	CHECK(covered(0, 0, MOCK_W, MOCK_H, 1));
}

static void test_points(void)
{
	struct mock_vertex v[2] = { at(50.5f, 60.5f, 0, 1), at(100, 100, 0, 1) };
	v[0].misc[0] = 5;
	v[1].misc[0] = 4;
	mock_begin(&stream, v);
	mock_context(&stream, R_PA_CL_VS_OUT_CNTL, REG_SET(PA_CL_VS_OUT_CNTL, USE_VTX_POINT_SIZE, 1) |
		REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA, 1));
	mock_context(&stream, R_PA_SU_POINT_MINMAX, REG_SET(PA_SU_POINT_MINMAX, MAX_SIZE, 64 * 8));
	mock_context(&stream, R_PA_CL_CLIP_CNTL, REG_SET(PA_CL_CLIP_CNTL, CLIP_DISABLE, 1));
	mock_draw(&stream, DI_PT_POINTLIST, 2);
	mock_run(gpu, &stream);
	CHECK(covered(48, 58, 53, 63, 1));
	CHECK(covered(98, 98, 102, 102, 1));
	CHECK(total() == 25 + 16);
}

static void test_lines(void)
{
	struct mock_vertex v[4] = { at(10, 20.5f, 0, 1), at(50, 20.5f, 0, 1), at(80.5f, 90, 0, 1),
		at(80.5f, 30, 0, 1) };
	for (int i = 0; i < 4; i++)
		v[i].param[1] = v[i].param[0] = (float)i;
	mock_begin(&stream, v);
	mock_context(&stream, R_PA_SU_LINE_CNTL, 3 * 8);
	mock_context(&stream, R_PA_SC_LINE_CNTL, REG_SET(PA_SC_LINE_CNTL, PERPENDICULAR_ENDCAP_ENA, 1));
	mock_draw(&stream, DI_PT_LINELIST, 4);
	mock_run(gpu, &stream);
	CHECK(covered(10, 19, 50, 22, 1));
	CHECK(covered(79, 30, 82, 90, 1));
	CHECK(total() == 40 * 3 + 60 * 3);
	CHECK(fabsf(mock.value[20][29] - 29.5f / 40 + 10.0f / 40) < 1e-5f);
	CHECK(fabsf(mock.value[40][80] - (2 + 49.5f / 60)) < 1e-5f);
}

static void test_polygon_lines(void)
{
	struct mock_vertex v[3] = { at(20, 20, 0, 1), at(20, 120, 0, 1), at(120, 20, 0, 1) };
	v[0].param[0] = 5;
	mock_begin(&stream, v);
	mock_context(&stream, R_PA_SU_LINE_CNTL, 8);
	mock_context(&stream, R_PA_SC_LINE_CNTL, REG_SET(PA_SC_LINE_CNTL, PERPENDICULAR_ENDCAP_ENA, 1));
	mock_context(&stream, R_PA_SU_SC_MODE_CNTL, REG_SET(PA_SU_SC_MODE_CNTL, POLY_MODE, 1) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLYMODE_FRONT_PTYPE, 1) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLYMODE_BACK_PTYPE, 1));
	mock_draw(&stream, DI_PT_TRILIST, 3);
	mock_run(gpu, &stream);
	CHECK(mock.count[60][19] + mock.count[60][20] == 1 && mock.count[19][60] + mock.count[20][60] == 1);
	CHECK(mock.count[50][50] == 0);
	CHECK(mock.last[69][70] == mock_bits(5)); /* the edge without the provoking vertex */
}

/* Bias: slope 2 and 3 units of D16, as a polygon with dz/dx = 1/512. */
static void test_depth_bias(void)
{
	struct mock_vertex v[3] = { at(0, 0, 0, 1), at(256, 0, 0.5f, 1), at(0, 128, 0, 1) };
	mock_begin(&stream, v);
	mock_context(&stream, R_PA_SU_SC_MODE_CNTL, REG_SET(PA_SU_SC_MODE_CNTL, POLY_OFFSET_FRONT_ENABLE, 1) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLY_OFFSET_BACK_ENABLE, 1));
	for (unsigned face = 0; face < 2; face++) {
		mock_context(&stream, R_PA_SU_POLY_OFFSET_FRONT_SCALE + face * 2, mock_bits(2));
		mock_context(&stream, R_PA_SU_POLY_OFFSET_FRONT_OFFSET + face * 2, mock_bits(3));
	}
	mock_context(&stream, R_DB_Z_INFO, REG_SET(DB_Z_INFO, FORMAT, 1) |
		REG_SET(DB_Z_INFO, TILE_MODE_INDEX, TILING_LINEAR));
	mock_context(&stream, R_DB_DEPTH_SIZE, (MOCK_W - 1) | (MOCK_H - 1) << 16);
	mock_context(&stream, R_DB_Z_READ_BASE, 1);
	mock_draw(&stream, DI_PT_TRILIST, 3);
	mock_run(gpu, &stream);
	double want = 10.5 / 512 + 2.0 / 512 + 3.0 / 65536;
	CHECK(fabs(mock.z[10][10] - want) < 1e-9);
}

/* The order of primitives in each tile is that of the draws, for any number
 * of threads and however often the pass was cut. */
static void test_order(void)
{
	enum { N = 60000 };
	static struct mock_vertex v[3 * N];
	uint32_t seed = 9;
	for (int i = 0; i < N; i++) {
		float x = 300 * mock_random(&seed), y = 200 * mock_random(&seed);
		for (int k = 0; k < 3; k++) {
			v[3 * i + k] = at(x + 3 * mock_random(&seed), y + 3 * mock_random(&seed), 0.5f, 1);
			v[3 * i + k].param[0] = (float)i;
		}
	}
	static uint64_t order[MOCK_TILES_Y][MOCK_TILES_X];
	static const unsigned threads[] = { 1, 2, 7 };
	for (unsigned i = 0; i < 3; i++) {
		struct rs_gpu *g = mock_gpu(threads[i]);
		mock_begin(&stream, v);
		mock_draw(&stream, DI_PT_TRILIST, 3 * N);
		for (uint32_t j = 0; j < 300; j++)
			mock_draw(&stream, DI_PT_TRILIST, 3 * (j + 1));
		mock_run(g, &stream);
		if (i == 0)
			memcpy(order, mock.order, sizeof order);
		CHECK(!memcmp(order, mock.order, sizeof order));
		rs_gpu_destroy(g);
	}
}

static void test_clear(void)
{
	struct mock_vertex v[1] = { { { 0 } } };
	struct pm4_clear_target c = { .targets = 1, .x = 60, .y = 60, .width = 5, .height = 1000, .slice_count = 1 };
	mock_begin(&stream, v);
	mock_packet(&stream, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&c);
	mock_run(gpu, &stream);
	CHECK(mock.clears == 2 * 4);
}

static void test_queries(void)
{
	static uint64_t value[4];
	struct mock_vertex v[4] = { at(0, 0, 0, 1), at(10, 0, 0, 1), at(0, 10, 0, 1), at(10, 10, 0, 1) };
	struct rs_gpu *g = mock_gpu(2);
	mock_begin(&stream, v);
	for (unsigned i = 0; i < 4; i++) {
		uint64_t a = (uint64_t)(uintptr_t)&value[i];
		mock_context(&stream, R_DB_COUNT_CONTROL, i != 2);
		if (i)
			mock_draw(&stream, DI_PT_TRISTRIP, 4);
		mock_packet(&stream, PM4_EVENT_WRITE, 3,
			(uint32_t[]){ PM4_EVENT_ZPASS_DONE, (uint32_t)a, (uint32_t)(a >> 32) });
	}
	mock_run(g, &stream);
	CHECK(value[0] == 0 && value[1] == 100 && value[2] == 100 && value[3] == 200);
	rs_gpu_destroy(g);
}

/* Topologies with adjacent vertices draw what is left without those. */
static void test_adjacency(void)
{
	static const struct { unsigned topology, like; uint32_t count, left[24]; } cases[] = {
		{ DI_PT_LINELIST_ADJ, DI_PT_LINELIST, 4, { 1, 2, 5, 6 } },
		{ DI_PT_LINESTRIP_ADJ, DI_PT_LINESTRIP, 10, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 } },
		{ DI_PT_TRILIST_ADJ, DI_PT_TRILIST, 6, { 0, 2, 4, 6, 8, 10 } },
		{ DI_PT_TRISTRIP_ADJ, DI_PT_TRISTRIP, 5, { 0, 2, 4, 6, 8 } },
	};
	/* 11 or 12 vertices: what is left over makes no primitive */
	static const uint32_t given[] = { 11, 12, 13, 11 };
	static struct mock_screen like;
	struct mock_vertex v[13];
	uint32_t seed = 7, all[13];
	for (uint32_t i = 0; i < 13; i++) {
		v[i] = at(mock_random(&seed) * MOCK_W, mock_random(&seed) * MOCK_H, 0, 1);
		v[i].param[0] = (float)i;
		all[i] = i;
	}
	for (unsigned k = 0; k < 4; k++)
		for (unsigned last = 0; last < 2; last++)
			for (unsigned drawn = 0; drawn < 2; drawn++) {
				mock_begin(&stream, v);
				mock_context(&stream, R_PA_SU_SC_MODE_CNTL, REG_SET(PA_SU_SC_MODE_CNTL, PROVOKING_VTX_LAST, last));
				mock_draw_indexed(&stream, drawn ? cases[k].topology : cases[k].like, drawn ? all : cases[k].left,
					drawn ? given[k] : cases[k].count);
				mock_run(gpu, &stream);
				if (!drawn)
					like = mock;
				CHECK(!memcmp(mock.count, like.count, sizeof like.count) && !memcmp(mock.last, like.last, sizeof like.last) &&
					!memcmp(mock.front, like.front, sizeof like.front));
			}
}

int main(void)
{
	gpu = mock_gpu(3);
	test_adjacency();
	test_mesh();
	test_small();
	test_fan();
	test_guard_band();
	test_eye_plane();
	test_clip_distance();
	test_near_far();
	test_facing();
	test_provoking();
	test_restart();
	test_instances();
	test_points();
	test_lines();
	test_polygon_lines();
	test_depth_bias();
	test_order();
	test_clear();
	test_queries();
	rs_gpu_destroy(gpu);
	return 0;
}
