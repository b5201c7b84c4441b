/* SPDX-License-Identifier: MIT */
/* The command processor: malformed streams, nesting, memory packets,
 * predication, indirect work, errors. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
#include "front_mock.h"
#include "raster/cp/gpu.h"

static struct mock_stream s;

static uint32_t lo(const void *p) { return (uint32_t)(uintptr_t)p; }
static uint32_t hi(const void *p) { return (uint32_t)((uint64_t)(uintptr_t)p >> 32); }

/* The stream is lost, and the message says all of these. */
static void expect_lost(const uint32_t *ib, size_t n, const char *a, const char *b)
{
	struct rs_gpu *gpu = mock_gpu(2);
	CHECK(rs_gpu_execute(gpu, ib, n) == RS_LOST);
	if (!strstr(rs_gpu_error(gpu), a) || !strstr(rs_gpu_error(gpu), b)) {
		printf("message: %s\nwanted: %s, %s\n", rs_gpu_error(gpu), a, b);
		exit(1);
	}
	CHECK(rs_gpu_execute(gpu, NULL, 0) == RS_LOST);
	rs_gpu_destroy(gpu);
}

static void test_malformed(void)
{
	uint32_t short_packet[] = { pm4_header(PM4_NOP, 1, 0), 0, pm4_header(PM4_WRITE_DATA, 4, 0), 0 };
	expect_lost(short_packet, 4, "WRITE_DATA", "dword 2");
	uint32_t unknown[] = { pm4_header(0x7f, 1, 0), 0 };
	expect_lost(unknown, 2, "0x7f", "dword 0");
	uint32_t type0[] = { 0x00001234, 0 };
	expect_lost(type0, 2, "type 0", "dword 0");
	uint32_t wrong_size[] = { pm4_header(PM4_DRAW_INDEX_AUTO, 3, 0), 0, 0, 0 };
	expect_lost(wrong_size, 4, "DRAW_INDEX_AUTO", "3 payload");
	uint32_t outside[] = { pm4_header(PM4_SET_CONTEXT_REG, 3, 0), REG_CONTEXT_DWORDS - 1, 0, 0 };
	expect_lost(outside, 4, "SET_CONTEXT_REG", "outside");
	uint32_t null_write[] = { pm4_header(PM4_WRITE_DATA, 4, 0), 0, 0, 0, 1 };
	expect_lost(null_write, 5, "WRITE_DATA", "bad address");
	uint32_t no_program[] = { pm4_header(PM4_NUM_INSTANCES, 1, 0), 1,
		pm4_header(PM4_SET_UCONFIG_REG, 2, 0), R_VGT_PRIMITIVE_TYPE, DI_PT_TRILIST,
		pm4_header(PM4_DRAW_INDEX_AUTO, 2, 0), 3, PM4_DI_SRC_AUTO };
	expect_lost(no_program, 8, "DRAW_INDEX_AUTO", "no vertex program");
	uint32_t dma[] = { pm4_header(PM4_QW_COPY_IMAGE, 1, 0), 0 };
	expect_lost(dma, 2, "QW_COPY_IMAGE", "malformed");
}

/* Any opcode of any length, all addresses NULL: an error or success, no crash. */
static void test_random_packets(void)
{
	uint32_t seed = 5;
	struct rs_gpu *gpu = mock_gpu(2);
	for (int i = 0; i < 3000; i++) {
		uint32_t ib[16] = { 0 };
		uint32_t op = (uint32_t)(mock_random(&seed) * 256), n = 1 + (uint32_t)(mock_random(&seed) * 15);
		ib[0] = pm4_header(op, n, 0);
		if (rs_gpu_execute(gpu, ib, 16) == RS_LOST) {
			CHECK(rs_gpu_error(gpu)[0]);
			rs_gpu_destroy(gpu);
			gpu = mock_gpu(1 + i % 2);
		}
	}
	rs_gpu_destroy(gpu);
}

static void test_nesting(void)
{
	static uint32_t loop[4];
	loop[0] = pm4_header(PM4_INDIRECT_BUFFER, 3, 0);
	loop[1] = lo(loop);
	loop[2] = hi(loop);
	loop[3] = 4;
	expect_lost(loop, 4, "levels", "buffer level 7");

	static uint32_t value, inner[5], outer[8];
	inner[0] = pm4_header(PM4_WRITE_DATA, 4, 0);
	inner[2] = lo(&value);
	inner[3] = hi(&value);
	inner[4] = 77;
	outer[0] = pm4_header(PM4_INDIRECT_BUFFER, 3, 0);
	outer[1] = lo(inner);
	outer[2] = hi(inner);
	outer[3] = 5;
	struct rs_gpu *gpu = mock_gpu(1);
	CHECK(rs_gpu_execute(gpu, outer, 4) == RS_OK && value == 77);
	rs_gpu_destroy(gpu);
}

static void test_memory(void)
{
	static uint32_t words[4];
	static uint64_t fence, clock[2];
	struct rs_gpu *gpu = mock_gpu(2);
	s.n = 0;
	mock_packet(&s, PM4_WRITE_DATA, 5, (uint32_t[]){ 0, lo(words), hi(words), 1, 2 });
	mock_packet(&s, PM4_WAIT_REG_MEM, 6, (uint32_t[]){ 3, lo(words), hi(words), 1, 0xff, 1 });
	mock_packet(&s, PM4_RELEASE_MEM, 7, (uint32_t[]){ PM4_EVENT_BOTTOM_OF_PIPE, PM4_DATA_SEL_64,
		lo(&fence), hi(&fence), 5, 6, 0 });
	for (int i = 0; i < 2; i++)
		mock_packet(&s, PM4_RELEASE_MEM, 7, (uint32_t[]){ PM4_EVENT_BOTTOM_OF_PIPE, PM4_DATA_SEL_CLOCK,
			lo(&clock[i]), hi(&clock[i]), 0, 0, 0 });
	/* Predication: only packets with the bit are skipped. */
	mock_packet(&s, PM4_SET_PREDICATION, 3, (uint32_t[]){ lo(&words[3]), hi(&words[3]), 1 });
	mock_packet(&s, PM4_WRITE_DATA, 4, (uint32_t[]){ 0, lo(&words[0]), hi(&words[0]), 10 });
	s.dw[s.n - 5] |= 1;
	mock_packet(&s, PM4_WRITE_DATA, 4, (uint32_t[]){ 0, lo(&words[2]), hi(&words[2]), 3 });
	mock_packet(&s, PM4_SET_PREDICATION, 3, (uint32_t[]){ 0, 0, 0 });
	mock_packet(&s, PM4_WRITE_DATA, 4, (uint32_t[]){ 0, lo(&words[1]), hi(&words[1]), 20 });
	s.dw[s.n - 5] |= 1;
	mock_run(gpu, &s);
	CHECK(words[0] == 1 && words[1] == 20 && words[2] == 3 && fence == (6ull << 32 | 5));
	CHECK(clock[0] && clock[1] >= clock[0]);
	rs_gpu_destroy(gpu);
}

static void test_dispatch(void)
{
	static uint64_t sum;
	static const uint32_t code[64] __attribute__((aligned(256))) = { 2 };
	static uint32_t counts[3] = { 7, 3, 2 };
	struct rs_gpu *gpu = mock_gpu(3);
	s.n = 0;
	mock_packet(&s, PM4_SET_SH_REG, 3, (uint32_t[]){ R_COMPUTE_PGM_LO, lo(code) >> 8 | hi(code) << 24,
		hi(code) >> 8 });
	mock_packet(&s, PM4_SET_SH_REG, 4, (uint32_t[]){ R_COMPUTE_NUM_THREAD_X, 8, 8, 1 });
	mock_packet(&s, PM4_SET_SH_REG, 4, (uint32_t[]){ R_COMPUTE_START_X, 1, 0, 0 });
	mock_packet(&s, PM4_SET_SH_REG, 2, (uint32_t[]){ R_COMPUTE_PGM_RSRC2, REG_SET(COMPUTE_PGM_RSRC2, USER_SGPR, 2) });
	mock_packet(&s, PM4_SET_SH_REG, 3, (uint32_t[]){ R_COMPUTE_USER_DATA, lo(&sum), hi(&sum) });
	mock_packet(&s, PM4_DISPATCH_DIRECT, 4, (uint32_t[]){ 2, 1, 1, 0 });
	mock_packet(&s, PM4_DISPATCH_INDIRECT, 4, (uint32_t[]){ lo(counts), hi(counts), 0, 0 });
	mock_run(gpu, &s);
	uint64_t want = (1 + 1) + (1 + 2);
	for (uint64_t z = 0; z < 2; z++)
		for (uint64_t y = 0; y < 3; y++)
			for (uint64_t x = 1; x < 8; x++)
				want += 1 + x + 100 * y + 10000 * z;
	CHECK(sum == want);
	rs_gpu_destroy(gpu);
}

/* `count` or, if it is there, *counter records, of which there are two. */
static void indirect(uint32_t count, const uint32_t *counter, unsigned drawn)
{
	static struct mock_vertex v[6];
	static uint32_t auto_record[2][5] = { { 3, 1, 11, 12 }, { 3, 1, 21, 22 } };
	static uint32_t indexed_record[5] = { 3, 1, 3, 31, 32 };
	static uint16_t index[6] = { 0, 1, 2, 3, 4, 5 };
	for (int i = 0; i < 6; i++)
		v[i] = (struct mock_vertex){ .pos = { (float)(i % 3 == 1) * 20 + 30 * (float)(i / 3),
			(float)(i % 3 == 2) * 20, 0, 1 } };
	struct rs_gpu *gpu = mock_gpu(2);
	mock_begin(&s, v);
	mock_uconfig(&s, R_VGT_PRIMITIVE_TYPE, DI_PT_TRILIST);
	mock_uconfig(&s, R_VGT_INDEX_TYPE, 0);
	uint32_t locs = (R_SPI_SHADER_USER_DATA_VS + 4) | (R_SPI_SHADER_USER_DATA_VS + 5) << 16;
	mock_packet(&s, PM4_DRAW_INDIRECT_MULTI, 9, (uint32_t[]){ lo(auto_record), hi(auto_record), locs,
		R_SPI_SHADER_USER_DATA_VS + 6, count, counter ? lo(counter) : 0, counter ? hi(counter) : 0, 20, 0 });
	mock_packet(&s, PM4_DRAW_INDEX_INDIRECT_MULTI, 12, (uint32_t[]){ lo(indexed_record),
		hi(indexed_record), locs, 0, 1, 0, 0, 0, 0, lo(index), hi(index), 6 });
	mock_run(gpu, &s);
	CHECK(mock.count[2][2] == drawn && mock.count[2][32] == 1);
	CHECK(gpu->sh[R_SPI_SHADER_USER_DATA_VS + 4] == 31 && gpu->sh[R_SPI_SHADER_USER_DATA_VS + 5] == 32);
	CHECK(gpu->sh[R_SPI_SHADER_USER_DATA_VS + 6] == (drawn ? drawn - 1 : 0));
	rs_gpu_destroy(gpu);
}

static void test_indirect(void)
{
	static const uint32_t counters[] = { 0, 1, 2, 7 };
	indirect(2, NULL, 2);
	indirect(2, &counters[0], 0);
	indirect(2, &counters[1], 1);
	indirect(9, &counters[2], 2);
	indirect(2, &counters[3], 2);
}

static void test_query_copy(void)
{
	static uint64_t slots[2][4] = { { 10, 25, 1, 0 }, { 3, 4, 0, 0 } };
	static uint32_t out[8];
	struct pm4_copy_query q = { .src_lo = lo(slots), .src_hi = hi(slots), .count = 2,
		.kind = PM4_QUERY_OCCLUSION, .flags = PM4_QUERY_AVAILABILITY, .dst_lo = lo(out),
		.dst_hi = hi(out), .stride_lo = 16 };
	struct rs_gpu *gpu = mock_gpu(1);
	memset(out, 0xff, sizeof out);
	s.n = 0;
	mock_packet(&s, PM4_QW_COPY_QUERY, PM4_DWORDS(pm4_copy_query), (const uint32_t *)&q);
	mock_run(gpu, &s);
	CHECK(out[0] == 15 && out[1] == 1 && out[2] == ~0u && out[4] == ~0u && out[5] == 0);
	rs_gpu_destroy(gpu);
}

/* A triangle whose vertex program is at `code`; it has been drawn, and its packets are in s. */
static struct rs_gpu *run_program(const uint32_t *code)
{
	static struct mock_vertex v[3] = { { .pos = { 0, 0, 0, 1 } }, { .pos = { 50, 0, 0, 1 } }, { .pos = { 0, 50, 0, 1 } } };
	struct rs_gpu *gpu = mock_gpu(2);
	mock_begin(&s, v);
	mock_packet(&s, PM4_SET_SH_REG, 3, (uint32_t[]){ R_SPI_SHADER_PGM_LO_VS, lo(code) >> 8 | hi(code) << 24,
		hi(code) >> 8 });
	mock_draw(&s, DI_PT_TRILIST, 3);
	mock_run(gpu, &s);
	return gpu;
}

/* A changed program is decoded anew after an instruction cache barrier; a
 * wave that faults loses the gpu with its message. */
static void test_programs(void)
{
	static uint32_t code[64] __attribute__((aligned(256))) = { 1 };
	struct rs_gpu *gpu = run_program(code);
	CHECK(mock.count[5][5] == 1);
	mock_packet(&s, PM4_WRITE_DATA, 4, (uint32_t[]){ 0, lo(code), hi(code), 0xfa });
	mock_packet(&s, PM4_ACQUIRE_MEM, 6, (uint32_t[6]){ PM4_ACQUIRE_ICACHE });
	mock_draw(&s, DI_PT_TRILIST, 3);
	CHECK(rs_gpu_execute(gpu, s.dw, s.n) == RS_LOST);
	CHECK(strstr(rs_gpu_error(gpu), "it broke"));
	rs_gpu_destroy(gpu);
	code[0] = 0xdead;
	expect_lost(s.dw, s.n, "vertex program", "bad instruction");
}

/* Another program at the address of one that was dropped is the next draw's, without any barrier. */
static void test_dropped_program(void)
{
	static uint32_t code[64] __attribute__((aligned(256))) = { 1 };
	struct rs_gpu *gpu = run_program(code);
	code[0] = 0xfa;
	rs_gpu_forget(gpu, code);
	CHECK(rs_gpu_execute(gpu, s.dw, s.n) == RS_LOST);
	CHECK(strstr(rs_gpu_error(gpu), "it broke"));
	rs_gpu_destroy(gpu);
}

/* One letter a packet: d draw, i indirect draw, c clear, b barrier, w write. */
static void expect_items(const char *packets, const char *items)
{
	static struct mock_vertex v[3] = { { .pos = { 0, 0, 0, 1 } }, { .pos = { 50, 0, 0, 1 } },
		{ .pos = { 0, 50, 0, 1 } } };
	static uint32_t record[4] = { 3, 1, 0, 0 }, word;
	static const struct pm4_clear_target all = { .targets = PM4_CLEAR_COLOR0, .width = MOCK_W, .height = MOCK_H,
		.slice_count = 1 };
	uint32_t loc = R_SPI_SHADER_USER_DATA_VS + 8;
	struct rs_gpu *gpu = mock_gpu(2);
	mock_begin(&s, v);
	for (const char *p = packets; *p; p++)
		switch (*p) {
		case 'd': mock_draw(&s, DI_PT_TRILIST, 3); break;
		case 'i': mock_packet(&s, PM4_DRAW_INDIRECT_MULTI, 9, (uint32_t[]){ lo(record), hi(record),
				loc | loc << 16, loc, 1, 0, 0, 16, 0 }); break;
		case 'c': mock_packet(&s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&all);
			break;
		case 'b': mock_packet(&s, PM4_ACQUIRE_MEM, 6, (uint32_t[6]){ 0 }); break;
		case 'w': mock_packet(&s, PM4_WRITE_DATA, 4, (uint32_t[]){ 0, lo(&word), hi(&word), 1 }); break;
		}
	mock_run(gpu, &s);
	if (strcmp(mock.items, items)) {
		printf("%s gave %s instead of %s\n", packets, mock.items, items);
		exit(1);
	}
	rs_gpu_destroy(gpu);
}

/* What a barrier protects is done when the next packet can see it: clears of
 * the same targets cannot, draws and their indirect records can. */
static void test_barriers(void)
{
	expect_items("cbcbc", "ccc/");
	expect_items("dbd", "p/p/");
	expect_items("cddbcd", "cpp/cp/");
	expect_items("dbbcbcbd", "p/ccp/");
	expect_items("dbcwc", "pc/c/");
	expect_items("dbi", "p/p/");
	expect_items("dbcib", "p/cp/");
	/* Many clears are a pass of their own. */
	expect_items("dbccccccccccccccccccccd", "pcccccccccccccccccccc/p/");
}

static void *abort_later(void *gpu)
{
	usleep(20000);
	rs_gpu_abort(gpu);
	return NULL;
}

static void test_abort(void)
{
	static uint32_t word;
	struct rs_gpu *gpu = mock_gpu(2);
	s.n = 0;
	mock_packet(&s, PM4_WAIT_REG_MEM, 6, (uint32_t[]){ 3, lo(&word), hi(&word), 1, 1, 1 });
	pthread_t t;
	pthread_create(&t, NULL, abort_later, gpu);
	CHECK(rs_gpu_execute(gpu, s.dw, s.n) == RS_LOST);
	CHECK(strstr(rs_gpu_error(gpu), "aborted"));
	pthread_join(t, NULL);
	rs_gpu_destroy(gpu);
}

static void count_index(void *data, uint32_t index, unsigned thread)
{
	_Atomic uint32_t *seen = data;
	atomic_fetch_add(&seen[index], 1);
}

/* Each index once, for runs of any length in quick succession and after pauses. */
static void test_pool(void)
{
	static _Atomic uint32_t seen[512];
	struct rs_pool *pool = rs_pool_create(5);
	CHECK(pool && rs_pool_threads(pool) == 5);
	uint32_t seed = 3, runs[512] = { 0 };
	for (int i = 0; i < 20000; i++) {
		uint32_t n = (uint32_t)(mock_random(&seed) * mock_random(&seed) * 512);
		rs_pool_run(pool, n, count_index, seen);
		for (uint32_t k = 0; k < n; k++)
			runs[k]++;
		if (i % 500 == 0)
			usleep(2000);
	}
	for (int k = 0; k < 512; k++)
		CHECK(seen[k] == runs[k]);
	rs_pool_destroy(pool);
}

int main(void)
{
	test_malformed();
	test_random_packets();
	test_nesting();
	test_memory();
	test_dispatch();
	test_indirect();
	test_query_copy();
	test_programs();
	test_dropped_program();
	test_barriers();
	test_abort();
	test_pool();
	return 0;
}
