/* SPDX-License-Identifier: MIT */
/* Streamout, bare metal: draws of every topology are captured to three buffers with holes, again
 * from where they stopped, into buffers that run full, and their counters counted; all of it against
 * a list of vertices that is made here, and the same for any number of threads. */
#define BARE_METAL_OWN_SIZE
enum { WIDTH = 64, HEIGHT = 64 };
#include "bare_metal.h"
#include "isa/strmout.h"

enum { VERTICES = 3000, BUFFER_BYTES = 400 << 10, HOLE = 0x5a };

static float verts[VERTICES][6];
static uint8_t buffer[3][BUFFER_BYTES], wanted[3][BUFFER_BYTES];
static struct code vs, ps;

/* Of each vertex: buffer 0 in 32 bytes takes the colour at 4 and the position's x at 24, buffer 1 in
 * 12 the colour, buffer 2 in 8 red as a half at 2 and the low half of green's word at 6. */
static const struct isa_strmout_run table[] = {
	{ .offset = 4, .buffer = 0, .source = 0, .first = 0, .count = 3 },
	{ .offset = 24, .buffer = 0, .source = ISA_STRMOUT_POSITION, .first = 0, .count = 1 },
	{ .offset = 0, .buffer = 1, .source = 0, .first = 0, .count = 2 },
	{ .offset = 8, .buffer = 1, .source = 0, .first = 2, .count = 1 },
	{ .offset = 2, .buffer = 2, .source = 0, .first = 0, .count = 1, .kind = ISA_STRMOUT_HALF },
	{ .offset = 6, .buffer = 2, .source = 0, .first = 1, .count = 1, .kind = ISA_STRMOUT_SHORT },
	{ .count = 0 },
};
static const uint32_t stride[3] = { 32, 12, 8 };

static uint32_t lo(const void *p) { return (uint32_t)(uintptr_t)p; }
static uint32_t hi(const void *p) { return (uint32_t)((uint64_t)(uintptr_t)p >> 32); }

/* --- What is to be captured --- */

/* What is drawn: its vertices in the order of capture, as a list of primitives. */
struct list { uint32_t vertex[40000]; unsigned corners, prims; };

static void take(struct list *l, unsigned corners, const uint32_t *index, uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t at[3] = { a, b, c };
	l->corners = corners;
	for (unsigned i = 0; i < corners; i++)
		l->vertex[l->prims * corners + i] = index ? index[at[i]] : at[i];
	l->prims++;
}

/* Vulkan, "Primitive Topologies": those of positions [first, end). */
static void assemble(struct list *l, unsigned t, bool last, const uint32_t *index, uint32_t first, uint32_t end)
{
	uint32_t n = end - first;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = first + i, odd = i % 2;
		bool every = false;
		switch (t) {
		case DI_PT_POINTLIST: take(l, 1, index, at, 0, 0); break;
		case DI_PT_LINELIST: every = i % 2 == 0 && i + 1 < n; break;
		case DI_PT_LINESTRIP: every = i + 1 < n; break;
		case DI_PT_LINELIST_ADJ:
			if (i % 4 == 0 && i + 3 < n)
				take(l, 2, index, at + 1, at + 2, 0);
			break;
		case DI_PT_LINESTRIP_ADJ:
			if (i + 3 < n)
				take(l, 2, index, at + 1, at + 2, 0);
			break;
		case DI_PT_TRILIST:
			if (i % 3 == 0 && i + 2 < n)
				take(l, 3, index, at, at + 1, at + 2);
			break;
		case DI_PT_TRISTRIP:
			if (i + 2 < n && last)
				take(l, 3, index, at + odd, at + 1 - odd, at + 2);
			else if (i + 2 < n)
				take(l, 3, index, at, at + 1 + odd, at + 2 - odd);
			break;
		case DI_PT_TRIFAN:
			if (i + 2 < n && last)
				take(l, 3, index, first, at + 1, at + 2);
			else if (i + 2 < n)
				take(l, 3, index, at + 1, at + 2, first);
			break;
		case DI_PT_TRILIST_ADJ:
			if (i % 6 == 0 && i + 5 < n)
				take(l, 3, index, at, at + 2, at + 4);
			break;
		}
		if (every)
			take(l, 2, index, at, at + 1, 0);
	}
}

static void store(uint8_t *to, const float *color, const float *pos, unsigned which)
{
	/* Red is a small integer: its half is exact, and easy to make. */
	unsigned red = (unsigned)color[0], e = 0;
	while (red >> (e + 1))
		e++;
	const uint16_t half = (uint16_t)(red ? (15 + e) << 10 | ((red << (10 - e)) & 0x3ff) : 0);
	switch (which) {
	case 0:
		memcpy(to + 4, color, 12);
		memcpy(to + 24, pos, 4);
		break;
	case 1: memcpy(to, color, 12); break;
	case 2:
		memcpy(to + 2, &half, 2);
		memcpy(to + 6, &color[1], 2);
		break;
	}
}

/* Writes what fits behind `filled`; the primitives written. */
static unsigned expect(const struct list *l, const uint32_t bytes[3], uint32_t filled[3])
{
	unsigned written = 0;
	for (; written < l->prims; written++) {
		for (unsigned b = 0; b < 3; b++)
			if (filled[b] + l->corners * stride[b] > bytes[b])
				return written;
		for (unsigned b = 0; b < 3; b++)
			for (unsigned i = 0; i < l->corners; i++, filled[b] += stride[b]) {
				const float *v = verts[l->vertex[written * l->corners + i]];
				store(wanted[b] + filled[b], v + 3, v, b);
			}
	}
	return written;
}

/* --- Packets --- */

struct counts { uint64_t begin[3], end[3]; };
static struct counts counts;
static uint32_t counter[3];

static void update(struct stream *s, unsigned b, uint32_t control, const void *dst, const void *src)
{
	PACKET(s, STRMOUT_BUFFER_UPDATE, control | b << PM4_STRMOUT_BUFFER_LO, lo(dst), hi(dst), lo(src), hi(src));
}

static void begin_stream(struct stream *s, const uint8_t *frame, bool discard)
{
	s->n = 0;
	set_target(s, frame);
	set_geometry(s);
	set_programs(s, &vs, &ps, verts[0], VERTICES);
	if (discard) /* nor does anything read the params */
		PACKET(s, SET_CONTEXT_REG, R_PA_CL_CLIP_CNTL, REG_SET(PA_CL_CLIP_CNTL, DX_RASTERIZATION_KILL, 1));
	if (discard)
		PACKET(s, SET_CONTEXT_REG, R_SPI_PS_IN_CONTROL, 0);
	PACKET(s, SET_CONTEXT_REG, R_QW_STRMOUT_TABLE, lo(table), hi(table));
	PACKET(s, SET_CONTEXT_REG, R_VGT_STRMOUT_BUFFER_CONFIG, 7);
}

static void begin_capture(struct stream *s, const uint32_t bytes[3], bool resume)
{
	for (unsigned b = 0; b < 3; b++) {
		PACKET(s, SET_CONTEXT_REG, R_VGT_STRMOUT_BUFFER_SIZE + b * VGT_STRMOUT_BUFFER_SIZE__STRIDE, bytes[b] / 4);
		PACKET(s, SET_CONTEXT_REG, R_VGT_STRMOUT_VTX_STRIDE + b * VGT_STRMOUT_VTX_STRIDE__STRIDE, stride[b] / 4);
		PACKET(s, SET_CONTEXT_REG, R_QW_STRMOUT_BUFFER_BASE + b * QW_STRMOUT_BUFFER_BASE__STRIDE,
			lo(buffer[b]), hi(buffer[b]));
		update(s, b, resume ? PM4_STRMOUT_FROM_MEMORY : PM4_STRMOUT_FROM_PACKET, NULL, resume ? &counter[b] : NULL);
	}
	PACKET(s, SET_CONTEXT_REG, R_VGT_STRMOUT_CONFIG, REG_SET(VGT_STRMOUT_CONFIG, STREAMOUT_EN, 1));
}

static void end_capture(struct stream *s)
{
	for (unsigned b = 0; b < 3; b++)
		update(s, b, PM4_STRMOUT_STORE | PM4_STRMOUT_KEEP, &counter[b], NULL);
	PACKET(s, SET_CONTEXT_REG, R_VGT_STRMOUT_CONFIG, 0);
}

static void draw(struct stream *s, unsigned topology, bool last, const uint32_t *index, uint32_t n, uint32_t instances)
{
	PACKET(s, SET_CONTEXT_REG, R_PA_SU_SC_MODE_CNTL, REG_SET(PA_SU_SC_MODE_CNTL, PROVOKING_VTX_LAST, last));
	PACKET(s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, topology);
	PACKET(s, SET_UCONFIG_REG, R_VGT_INDEX_TYPE, VGT_INDEX_32);
	PACKET(s, SET_UCONFIG_REG, R_VGT_MULTI_PRIM_IB_RESET_EN, index != NULL);
	PACKET(s, SET_CONTEXT_REG, R_VGT_MULTI_PRIM_IB_RESET_INDX, UINT32_MAX);
	PACKET(s, NUM_INSTANCES, instances);
	if (index)
		PACKET(s, DRAW_INDEX_2, n, lo(index), hi(index), n, 0);
	else
		PACKET(s, DRAW_INDEX_AUTO, n, PM4_DI_SRC_AUTO);
}

static void sample(struct stream *s, const uint64_t *to)
{
	PACKET(s, EVENT_WRITE, PM4_EVENT_SAMPLE_STREAMOUTSTATS, lo(to), hi(to));
}

/* --- Cases --- */

static void run(struct rs_gpu *gpu, struct stream *s)
{
	if (rs_gpu_execute(gpu, s->dw, s->n) == RS_OK)
		return;
	printf("lost: %s\n", rs_gpu_error(gpu));
	exit(1);
}

static void check_buffers(const char *what, unsigned topology)
{
	for (unsigned b = 0; b < 3; b++)
		for (unsigned i = 0; i < BUFFER_BYTES && memcmp(buffer[b], wanted[b], BUFFER_BYTES); i++)
			if (buffer[b][i] != wanted[b][i]) {
				printf("%s, topology %u: buffer %u, byte %u: 0x%02x instead of 0x%02x\n", what, topology, b, i,
					buffer[b][i], wanted[b][i]);
				exit(1);
			}
}

static void check_counts(const struct counts *c, uint64_t written, uint64_t needed, uint64_t generated)
{
	CHECK(c->end[PM4_STREAM_WRITTEN] - c->begin[PM4_STREAM_WRITTEN] == written);
	CHECK(c->end[PM4_STREAM_NEEDED] - c->begin[PM4_STREAM_NEEDED] == needed);
	CHECK(c->end[PM4_STREAM_GENERATED] - c->begin[PM4_STREAM_GENERATED] == generated);
}

static void clear_buffers(void)
{
	memset(buffer, HOLE, sizeof buffer);
	memset(wanted, HOLE, sizeof wanted);
}

static struct stream s;
static struct list list;
static uint32_t indices[VERTICES];

/* Runs of indices of growing length, with restarts between them. */
static unsigned make_indices(unsigned topology, bool last, unsigned n)
{
	uint32_t at = 0;
	for (unsigned length = 0; at + length + 1 < n; length++) {
		for (unsigned i = 0; i < length; i++)
			indices[at + i] = (at * 7 + i * 3) % VERTICES;
		assemble(&list, topology, last, indices, at, at + length);
		indices[at + length] = UINT32_MAX;
		at += length + 1;
	}
	return at;
}

/* A draw of two instances, one that is not captured, and one of indices that goes on after a pause. */
static void test_topology(struct rs_gpu *gpu, const uint8_t *frame, unsigned topology, bool last, bool discard)
{
	const uint32_t bytes[3] = { BUFFER_BYTES, BUFFER_BYTES, BUFFER_BYTES };
	uint32_t filled[3] = { 0 };
	clear_buffers();
	list.prims = 0;
	begin_stream(&s, frame, discard);
	begin_capture(&s, bytes, false);
	for (unsigned i = 0; i < 2; i++)
		assemble(&list, topology, last, NULL, 0, 1501);
	draw(&s, topology, last, NULL, 1501, 2);
	end_capture(&s);
	draw(&s, topology, last, NULL, 300, 1);
	if (last) /* or within a pass */
		PACKET(&s, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0);
	begin_capture(&s, bytes, true);
	draw(&s, topology, last, indices, make_indices(topology, last, 1000), 1);
	end_capture(&s);
	run(gpu, &s);
	expect(&list, bytes, filled);
	check_buffers(discard ? "discarded" : "drawn", topology);
	for (unsigned b = 0; b < 3; b++)
		CHECK(counter[b] == filled[b]);
}

/* Buffer 1 has room for 1000 triangles and a part of one; counted as well is what is not captured. */
static void test_full(struct rs_gpu *gpu, const uint8_t *frame)
{
	const uint32_t bytes[3] = { BUFFER_BYTES, 1000 * 36 + 32, BUFFER_BYTES };
	uint32_t filled[3] = { 0 };
	clear_buffers();
	list.prims = 0;
	begin_stream(&s, frame, true);
	sample(&s, counts.begin);
	PACKET(&s, EVENT_WRITE, PM4_EVENT_QW_PRIMITIVES_START);
	begin_capture(&s, bytes, false);
	for (unsigned i = 0; i < 3; i++)
		assemble(&list, DI_PT_TRISTRIP, false, NULL, 0, 800);
	draw(&s, DI_PT_TRISTRIP, false, NULL, 800, 3);
	end_capture(&s);
	draw(&s, DI_PT_TRILIST, false, NULL, 30, 1);
	PACKET(&s, EVENT_WRITE, PM4_EVENT_QW_PRIMITIVES_STOP);
	draw(&s, DI_PT_TRILIST, false, NULL, 60, 1);
	sample(&s, counts.end);
	run(gpu, &s);
	CHECK(expect(&list, bytes, filled) == 1000);
	check_buffers("full", DI_PT_TRISTRIP);
	check_counts(&counts, 1000, 3 * 798, 3 * 798 + 10);
}

/* As many vertices as were captured, without their number: what is behind the offset. */
static void test_opaque(struct rs_gpu *gpu, const uint8_t *frame)
{
	const uint32_t bytes[3] = { BUFFER_BYTES, BUFFER_BYTES, BUFFER_BYTES };
	begin_stream(&s, frame, true);
	begin_capture(&s, bytes, false);
	draw(&s, DI_PT_LINESTRIP, false, NULL, 101, 1); /* 200 vertices of 12 bytes */
	end_capture(&s);
	PACKET(&s, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0);
	sample(&s, counts.begin);
	PACKET(&s, EVENT_WRITE, PM4_EVENT_QW_PRIMITIVES_START);
	PACKET(&s, COPY_DATA, PM4_COPY_DATA_MEM_TO_REG, lo(&counter[1]), hi(&counter[1]),
		R_VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE, 0);
	PACKET(&s, SET_CONTEXT_REG, R_VGT_STRMOUT_DRAW_OPAQUE_OFFSET, 120);
	PACKET(&s, SET_CONTEXT_REG, R_VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE, 12);
	PACKET(&s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, DI_PT_POINTLIST);
	PACKET(&s, DRAW_INDEX_AUTO, 0, PM4_DI_SRC_AUTO | PM4_DI_USE_OPAQUE);
	PACKET(&s, EVENT_WRITE, PM4_EVENT_QW_PRIMITIVES_STOP);
	sample(&s, counts.end);
	run(gpu, &s);
	CHECK(counter[1] == 2400);
	check_counts(&counts, 0, 0, 190);
}

/* Stops with a message that says so. */
static void test_bad(const uint8_t *frame, const struct isa_strmout_run *bad, uint32_t vtx_stride, const char *message)
{
	const uint32_t bytes[3] = { 64, 64, 64 };
	const char *why = "";
	struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ 1 }, &why);
	CHECK(gpu);
	begin_stream(&s, frame, true);
	begin_capture(&s, bytes, false);
	PACKET(&s, SET_CONTEXT_REG, R_QW_STRMOUT_TABLE, lo(bad), hi(bad));
	PACKET(&s, SET_CONTEXT_REG, R_VGT_STRMOUT_VTX_STRIDE, vtx_stride);
	draw(&s, DI_PT_POINTLIST, false, NULL, 1, 1);
	CHECK(rs_gpu_execute(gpu, s.dw, s.n) == RS_LOST);
	EXPECT(strstr(rs_gpu_error(gpu), message), "%s, not %s", rs_gpu_error(gpu), message);
	rs_gpu_destroy(gpu);
}

static void test_all_bad(const uint8_t *frame)
{
	static struct isa_strmout_run endless[ISA_STRMOUT_RUNS + 1];
	for (unsigned i = 0; i <= ISA_STRMOUT_RUNS; i++)
		endless[i] = (struct isa_strmout_run){ .offset = (uint16_t)(4 * i), .count = 1 };
	test_bad(frame, endless, 512, "has no end");
	test_bad(frame, endless, 8, "ends behind its vertex");
	test_bad(frame, table, 513, "more than 2048 bytes");
	test_bad(frame, (const struct isa_strmout_run[]){ { .count = 2, .first = 3 }, { 0 } }, 8, "does not exist");
	test_bad(frame, (const struct isa_strmout_run[]){ { .count = 1, .source = 40 }, { 0 } }, 8, "does not exist");
	test_bad(frame, (const struct isa_strmout_run[]){ { .buffer = 1, .count = 1 }, { .count = 1 }, { 0 } }, 8,
		"order of buffers");
	test_bad(frame, (const void *)((const uint8_t *)table + 1), 8, "not aligned");
}

int main(void)
{
	static const unsigned threads[] = { 1, 2, 7 };
	static const char *const cores[] = { "jit", "interp" };
	static const uint8_t topologies[] = { DI_PT_POINTLIST, DI_PT_LINELIST, DI_PT_LINESTRIP, DI_PT_TRILIST,
		DI_PT_TRISTRIP, DI_PT_TRIFAN, DI_PT_LINELIST_ADJ, DI_PT_LINESTRIP_ADJ, DI_PT_TRILIST_ADJ };
	static _Alignas(256) uint8_t frame[WIDTH * HEIGHT * 4];
	for (unsigned i = 0; i < VERTICES; i++)
		for (unsigned c = 0; c < 6; c++)
			verts[i][c] = c == 3 ? (float)(i % 2000) : (float)(i * 8 + c) * 0.37f;
	make_vs(&vs);
	make_ps(&ps);
	for (unsigned i = 0; i < 6; i++) {
		const char *why = "";
		struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ .threads = threads[i / 2], .core = cores[i % 2] }, &why);
		CHECK(gpu);
		for (unsigned k = 0; k < 4 * sizeof topologies; k++)
			test_topology(gpu, frame, topologies[k / 4], k & 1, k & 2);
		test_full(gpu, frame);
		test_opaque(gpu, frame);
		rs_gpu_destroy(gpu);
	}
	test_all_bad(frame);
	return failures != 0;
}
