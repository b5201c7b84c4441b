/* SPDX-License-Identifier: MIT */
/* Task and mesh groups, bare metal: programs and packets by hand.  Two task groups launch two mesh
 * groups each, which draw a triangle in the colour of the primitive, a column each; the picture is the
 * same for any number of threads and both kernel levels.
 *
 *   raster_test_mesh [picture.ppm] */
#include "isa/abi.h"
#include "isa/query.h"
#include "isa/text/gcn_asm.h"

#define BARE_METAL_OWN_SIZE
enum { WIDTH = 256, HEIGHT = 64 };
#include "bare_metal.h"

/* The payload is the task's number in x. */
static const char task_text[] =
	"v_mov_b32 v0, 0\n"
	"v_mov_b32 v1, 2\n"
	"v_mov_b32 v2, 1\n"
	"v_mov_b32 v3, 1\n"
	"v_mov_b32 v4, s12\n"
	"global_store_dwordx3 v0, v[1:3], s[8:9]\n"
	"global_store_dword v0, v4, s[8:9] offset:16\n"
	"s_endpgm\n";

/* Lanes 0, 1, 2 are a vertex each: x = (lane & 1) / 2 - 1 + column / 2, y = lane / 2 * 2 - 1, with column = 2
 * payload + group.  Rows of four dwords from 16 on, primitives' from 80 on, their param at 108: the
 * column's bits in red and green, 1 in blue. */
static const char mesh_text[] =
	"s_load_dword s14, s[10:11], 0x0\n"
	"v_lshlrev_b32 v1, 2, v0\n"
	"v_and_b32 v2, 1, v0\n"
	"v_lshrrev_b32 v3, 1, v0\n"
	"s_waitcnt lgkmcnt(0)\n"
	"s_lshl_b32 s14, s14, 1\n"
	"s_add_u32 s14, s14, s12\n"
	"v_add_u32 v2, s14, v2\n"
	"v_cvt_f32_u32 v2, v2\n"
	"v_cvt_f32_u32 v3, v3\n"
	"v_mul_f32 v2, 0.5, v2\n"
	"v_add_f32 v2, -1.0, v2\n"
	"v_add_f32 v3, v3, v3\n"
	"v_add_f32 v3, -1.0, v3\n"
	"v_mov_b32 v4, 0\n"
	"v_mov_b32 v5, 1.0\n"
	"global_store_dword v1, v2, s[8:9] offset:16\n"
	"global_store_dword v1, v3, s[8:9] offset:32\n"
	"global_store_dword v1, v4, s[8:9] offset:48\n"
	"global_store_dword v1, v5, s[8:9] offset:64\n"
	"s_and_b32 s15, s14, 1\n"
	"s_lshr_b32 s16, s14, 1\n"
	"v_mov_b32 v0, 0\n"
	"v_mov_b32 v6, 3\n"
	"v_mov_b32 v7, 1\n"
	"v_mov_b32 v8, 0\n"
	"v_mov_b32 v9, 1\n"
	"v_mov_b32 v10, 2\n"
	"v_cvt_f32_u32 v11, s15\n"
	"v_cvt_f32_u32 v12, s16\n"
	"v_mov_b32 v13, 1.0\n"
	"v_mov_b32 v14, 1.0\n"
	"s_mov_b64 exec, 1\n"
	"global_store_dwordx2 v0, v[6:7], s[8:9]\n"
	"global_store_dwordx3 v0, v[8:10], s[8:9] offset:80\n"
	"global_store_dwordx4 v0, v[11:14], s[8:9] offset:108\n"
	"s_endpgm\n";

static void assemble(struct code *c, const char *text)
{
	struct gcn_asm_result r;
	bool ok = gcn_asm(GCN_GFX9, text, &r);
	if (!ok && r.error_count)
		printf("line %u: %s %s\n", r.errors[0].line, r.errors[0].what, r.errors[0].found);
	CHECK(ok && r.dwords <= sizeof c->dw / 4);
	memcpy(c->dw, r.code, r.dwords * 4);
	c->n = (unsigned)r.dwords;
	gcn_asm_free(&r);
}

struct scene { struct code task, mesh, ps; uint8_t *frame; uint64_t stats[2][PM4_STATS]; uint32_t record[2][4]; };

static void set_group(struct stream *s, unsigned pgm_lo, unsigned num_thread, const struct code *c, unsigned lanes)
{
	PACKET(s, SET_SH_REG, pgm_lo, address_lo(c->dw), address_hi(c->dw), REG_SET(QW_PGM_RSRC1_MS, VGPRS, 3),
		REG_SET(COMPUTE_PGM_RSRC2, USER_SGPR, ABI_MS_USER_SGPRS) | REG_SET(COMPUTE_PGM_RSRC2, TGID_X_EN, 1));
	PACKET(s, SET_SH_REG, num_thread, lanes, 1, 1);
}

static void sample(struct stream *s, const uint64_t *to)
{
	PACKET(s, EVENT_WRITE, PM4_EVENT_SAMPLE_PIPELINESTAT, (uint32_t)(uintptr_t)to,
		(uint32_t)((uint64_t)(uintptr_t)to >> 32));
}

static void make_stream(struct stream *s, struct scene *a, uint32_t output, bool indirect)
{
	struct pm4_clear_target clear = { .targets = PM4_CLEAR_COLOR0, .width = WIDTH, .height = HEIGHT,
		.slice_count = 1, .value = { 0, 0, 0, bits(1) } };
	s->n = 0;
	set_target(s, a->frame);
	set_geometry(s);
	set_group(s, R_QW_PGM_LO_TS, R_QW_NUM_THREAD_X_TS, &a->task, 1);
	set_group(s, R_QW_PGM_LO_MS, R_QW_NUM_THREAD_X_MS, &a->mesh, 3);
	PACKET(s, SET_SH_REG, R_QW_TASK_PAYLOAD, 4);
	PACKET(s, SET_SH_REG, R_QW_MESH_OUTPUT, output, REG_SET(QW_MESH_CNTL, PRIM_TYPE, DI_PT_TRILIST));
	PACKET(s, SET_SH_REG, R_SPI_SHADER_PGM_LO_PS, address_lo(a->ps.dw), address_hi(a->ps.dw),
		REG_SET(SPI_SHADER_PGM_RSRC1_PS, VGPRS, 1), 0);
	PACKET(s, SET_CONTEXT_REG, R_SPI_PS_INPUT_CNTL, REG_SET(SPI_PS_INPUT_CNTL, FLAT_SHADE, 1));
	PACKET(s, SET_CONTEXT_REG, R_SPI_PS_INPUT_ENA, REG_SET(SPI_PS_INPUT_ENA, PERSP_CENTER_ENA, 1),
		REG_SET(SPI_PS_INPUT_ENA, PERSP_CENTER_ENA, 1));
	PACKET(s, SET_CONTEXT_REG, R_SPI_PS_IN_CONTROL, REG_SET(SPI_PS_IN_CONTROL, NUM_INTERP, 1));
	packet(s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&clear);
	PACKET(s, EVENT_WRITE, PM4_EVENT_PIPELINESTAT_START);
	sample(s, a->stats[0]);
	const uint32_t lo = (uint32_t)(uintptr_t)a->record, hi = (uint32_t)((uint64_t)(uintptr_t)a->record >> 32);
	if (indirect)
		PACKET(s, QW_DRAW_MESH_INDIRECT_MULTI, lo, hi, 2, 0, 0, sizeof a->record[0]);
	else
		PACKET(s, QW_DRAW_MESH, 2, 1, 1);
	sample(s, a->stats[1]);
	PACKET(s, EVENT_WRITE, PM4_EVENT_PIPELINESTAT_STOP);
	PACKET(s, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0);
}

/* Each column has its colour where its triangle is, and black elsewhere. */
static void check_picture(const uint8_t *frame)
{
	for (unsigned n = 0; n < 4; n++) {
		const uint8_t *in = frame + 4 * ((HEIGHT / 2 + 8) * WIDTH + 64 * n + 8);
		const uint8_t *out = frame + 4 * ((HEIGHT / 2 - 8) * WIDTH + 64 * n + 56);
		EXPECT(in[0] == 255 && in[1] == 255 * (n >> 1) && in[2] == 255 * (n & 1),
			"column %u is %u %u %u", n, in[2], in[1], in[0]);
		EXPECT(!out[0] && !out[1] && !out[2], "column %u is %u %u %u beside its triangle", n, out[2], out[1], out[0]);
	}
}

static void check_stats(const struct scene *a)
{
	static const struct { uint8_t stat, want; } rows[] = { { PM4_STAT_TS_INVOCATIONS, 2 },
		{ PM4_STAT_MS_INVOCATIONS, 12 }, { PM4_STAT_MS_PRIMITIVES, 4 }, { PM4_STAT_VS_INVOCATIONS, 0 }, { PM4_STAT_CLIP_INVOCATIONS, 4 } };
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		unsigned long long n = a->stats[1][rows[i].stat] - a->stats[0][rows[i].stat];
		EXPECT(n == rows[i].want, "statistic %u is %llu, not %u", rows[i].stat, n, rows[i].want);
	}
}

static struct rs_gpu *create(unsigned threads, const char *level, bool poison)
{
	const char *why = "";
	struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ threads, level, .checked = true,
		.poison = poison ? 0x7fbadbad : 0 }, &why);
	if (!gpu)
		printf("left out: %s\n", why);
	return gpu;
}

static void run(struct scene *a, struct stream *s, struct rs_gpu *gpu, size_t bytes)
{
	memset(a->frame, 0x55, bytes);
	CHECK(rs_gpu_add_memory(gpu, a->record, sizeof a->record));
	if (rs_gpu_execute(gpu, s->dw, s->n) != RS_OK)
		printf("lost: %s\n", rs_gpu_error(gpu));
	EXPECT(!*rs_gpu_error(gpu), "a message");
	rs_gpu_destroy(gpu);
}

/* What is wrong is told, and by the name of the limit. */
static void refuse(struct scene *a, struct stream *s, const char *why)
{
	struct rs_gpu *gpu = create(1, NULL, false);
	CHECK(gpu);
	EXPECT(rs_gpu_execute(gpu, s->dw, s->n) == RS_LOST, "%s: not refused", why);
	EXPECT(strstr(rs_gpu_error(gpu), why), "\"%s\" does not say \"%s\"", rs_gpu_error(gpu), why);
	rs_gpu_destroy(gpu);
}

static void refusals(struct scene *a, struct stream *s)
{
	enum { V = 4, P = 1 };
	make_stream(s, a, REG_SET(QW_MESH_OUTPUT, VERTICES, 260) | REG_SET(QW_MESH_OUTPUT, PRIMITIVES, P), false);
	refuse(a, s, "260 vertices");
	make_stream(s, a, REG_SET(QW_MESH_OUTPUT, VERTICES, V) | REG_SET(QW_MESH_OUTPUT, PRIMITIVES, P) |
		REG_SET(QW_MESH_OUTPUT, PARAMS, 20) | REG_SET(QW_MESH_OUTPUT, PRIM_PARAMS, 20), false);
	refuse(a, s, "40 params");
	a->record[0][0] = a->record[1][0] = 4096;
	a->record[0][1] = a->record[1][1] = 4096;
	make_stream(s, a, REG_SET(QW_MESH_OUTPUT, VERTICES, V) | REG_SET(QW_MESH_OUTPUT, PRIMITIVES, P), true);
	refuse(a, s, "maxMeshWorkGroupTotalCount");
}

int main(int argc, char **argv)
{
	static struct scene a = { .record = { { 0, 1, 1 }, { 2, 1, 1 } } }; /* the first draws nothing */
	static struct stream stream;
	static const unsigned threads[] = { 1, 2, 7 };
	static const char *const levels[] = { "v3", "v4" };
	size_t bytes = (size_t)WIDTH * HEIGHT * 4;
	uint64_t first = 0;
	a.frame = aligned_alloc(256, bytes);
	CHECK(a.frame);
	assemble(&a.task, task_text);
	assemble(&a.mesh, mesh_text);
	make_ps(&a.ps);
	for (unsigned i = 0; i < 12; i++) {
		struct rs_gpu *gpu = create(threads[i / 2 % 3], levels[i % 2], i >= 6);
		if (!gpu)
			continue;
		make_stream(&stream, &a, REG_SET(QW_MESH_OUTPUT, VERTICES, 4) | REG_SET(QW_MESH_OUTPUT, PRIMITIVES, 1) |
			REG_SET(QW_MESH_OUTPUT, PRIM_PARAMS, 1), i >= 6);
		run(&a, &stream, gpu, bytes);
		if (i == 0) {
			first = hash(a.frame, bytes);
			check_picture(a.frame);
		}
		check_stats(&a);
		EXPECT(hash(a.frame, bytes) == first, "run %u: another picture", i);
	}
	refusals(&a, &stream);
	free(a.frame);
	return failures != 0;
}
