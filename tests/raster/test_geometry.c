/* SPDX-License-Identifier: MIT */
/* A geometry program, bare metal: triangles with adjacency, whose three vertices become one
 * strip and whose adjacent ones another; the same for any number of threads and both kernel
 * levels; and what the command processor refuses. */
#include "bare_metal.h"
#include "isa/gsvs.h"
#include "isa/text/gcn_asm.h"

enum { ITEM = 8, OUT = 6, PRIMS = 100, VERTICES = 6 * PRIMS };

/* --- the program --- */

static char text[8192];

static void line(const char *format, ...)
{
	va_list args;
	size_t n = strlen(text);
	va_start(args, format);
	n += (size_t)vsnprintf(text + n, sizeof text - n, format, args);
	va_end(args);
	CHECK(n + 1 < sizeof text);
	strcpy(text + n, "\n");
}

/* EXEC by a byte of merged_wave_info, and in v14 the lane's place in a row. */
static void begin_half(unsigned byte)
{
	line("s_bfe_u32 s18, s3, 0x%x", 8 << 16 | 8 * byte);
	line("s_bfm_b64 exec, s18, 0");
	line("s_bitcmp1_b32 s18, 6");
	line("s_cselect_b64 exec, -1, exec");
	line("v_mbcnt_lo_u32_b32 v14, -1, 0");
	line("v_mbcnt_hi_u32_b32 v14, -1, v14");
	line("v_lshlrev_b32 v14, 2, v14");
}

static void emit(unsigned number, unsigned vertex)
{
	static const unsigned pair[3] = { 0, 1, 4 };
	line("v_bfe_u32 v16, v%u, %u, 16", pair[vertex / 2], vertex % 2 * 16);
	line("v_lshlrev_b32 v16, 2, v16");
	for (unsigned c = 0; c < 6; c++)
		line("ds_read_b32 v%u, v16 offset:%u", 17 + c, 256 * c);
	line("s_waitcnt lgkmcnt(0)");
	for (unsigned c = 0; c < 3; c++)
		line("scratch_store_dword off, v%u, s2 offset:%u", 17 + c, 4 * (number * ITEM + c));
	line("scratch_store_dword off, v15, s2 offset:%u", 4 * (number * ITEM + 3));
	for (unsigned c = 0; c < 3; c++)
		line("scratch_store_dword off, v%u, s2 offset:%u", 20 + c, 4 * (number * ITEM + 4 + c));
	line("s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)");
}

static struct gcn_asm_result make_program(void)
{
	struct gcn_asm_result r;
	begin_half(0);
	line("s_cbranch_execz second");
	line("buffer_load_format_xyz v[8:10], v5, s[8:11], 0 idxen");
	line("buffer_load_format_xyz v[11:13], v5, s[8:11], 0 idxen offset:12");
	line("s_waitcnt vmcnt(0)");
	for (unsigned c = 0; c < 6; c++)
		line("ds_write_b32 v14, v%u offset:%u", 8 + c, 256 * c);
	line("second:");
	begin_half(1);
	line("v_mov_b32 v15, 1.0");
	for (unsigned i = 0; i < 3; i++)
		emit(i, 2 * i);
	line("s_sendmsg sendmsg(MSG_GS, GS_OP_CUT, 0)");
	for (unsigned i = 0; i < 3; i++)
		emit(3 + i, 2 * i + 1);
	line("s_waitcnt vmcnt(0)");
	line("s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)");
	line("s_endpgm");
	bool ok = gcn_asm(GCN_GFX9, text, &r);
	for (size_t i = 0; i < r.error_count; i++)
		printf("line %u: %s; found %s\n", r.errors[i].line, r.errors[i].what, r.errors[i].found);
	CHECK(ok);
	return r;
}

/* --- the scene: cells of 10 x 10, a red triangle in the upper left of each and a green one in the lower right --- */

static float verts[VERTICES][6];

static void make_vertices(void)
{
	static const float at[6][2] = { { 0.1f, 0.1f }, { 0.9f, 0.9f }, { 0.6f, 0.1f }, { 0.4f, 0.9f }, { 0.1f, 0.6f }, { 0.9f, 0.4f } };
	for (unsigned i = 0; i < VERTICES; i++) {
		unsigned cell = i / 6, v = i % 6;
		verts[i][0] = ((float)(cell % 10) + at[v][0]) / 5 - 1;
		verts[i][1] = 1 - ((float)(cell / 10) + at[v][1]) / 5;
		verts[i][3 + v % 2] = 1;
	}
}

static void make_stream(struct stream *s, const uint8_t *frame, const uint32_t *program, const struct code *ps,
	uint32_t max_vertices, uint32_t stages)
{
	struct pm4_clear_target clear = { .targets = PM4_CLEAR_COLOR0, .width = WIDTH, .height = HEIGHT,
		.slice_count = 1, .value = { 0, 0, 0, bits(1) } };
	static const struct code none;
	uint32_t v[4];
	s->n = 0;
	set_target(s, frame);
	set_geometry(s);
	set_programs(s, &none, ps, verts[0], VERTICES);
	make_vertex_buffer(v, verts[0], VERTICES);
	PACKET(s, SET_SH_REG, R_SPI_SHADER_PGM_LO_ES, address_lo(program), address_hi(program));
	PACKET(s, SET_SH_REG, R_SPI_SHADER_PGM_RSRC1_GS, REG_SET(SPI_SHADER_PGM_RSRC1_GS, VGPRS, 5),
		REG_SET(SPI_SHADER_PGM_RSRC2_GS, USER_SGPR, 4) | REG_SET(SPI_SHADER_PGM_RSRC2_GS, LDS_SIZE, 3));
	PACKET(s, SET_SH_REG, R_SPI_SHADER_USER_DATA_ES, v[0], v[1], v[2], v[3]);
	PACKET(s, SET_CONTEXT_REG, R_VGT_SHADER_STAGES_EN, stages);
	PACKET(s, SET_CONTEXT_REG, R_VGT_GS_OUT_PRIM_TYPE, GS_OUT_TRIANGLES);
	PACKET(s, SET_CONTEXT_REG, R_VGT_GS_MAX_VERT_OUT, max_vertices);
	PACKET(s, SET_CONTEXT_REG, R_VGT_GS_VERT_ITEMSIZE, ITEM);
	packet(s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&clear);
	PACKET(s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, DI_PT_TRILIST_ADJ);
	PACKET(s, NUM_INSTANCES, 1);
	PACKET(s, DRAW_INDEX_AUTO, VERTICES, PM4_DI_SRC_AUTO);
	PACKET(s, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0);
}

/* Red or green and nothing else at (x, y) tenths of a cell; -1: black. */
static void check_cell(const uint8_t *frame, unsigned cell, unsigned x, unsigned y, int channel)
{
	unsigned px = (10 * (cell % 10) + x) * WIDTH / 100, py = (10 * (cell / 10) + y) * HEIGHT / 100;
	const uint8_t *p = frame + 4 * (py * WIDTH + px);
	for (int c = 0; c < 3; c++)
		EXPECT(p[c] == (c == channel ? 255 : 0), "cell %u at %u, %u: channel %d is %u", cell, x, y, c, p[c]);
}

static void check_picture(const uint8_t *frame)
{
	for (unsigned cell = 0; cell < PRIMS; cell++) {
		check_cell(frame, cell, 2, 2, 2);
		check_cell(frame, cell, 8, 8, 1);
		check_cell(frame, cell, 5, 5, -1);
		check_cell(frame, cell, 8, 2, -1);
	}
}

enum { STAGES = REG_SET(VGT_SHADER_STAGES_EN, ES_EN, 2) | REG_SET(VGT_SHADER_STAGES_EN, GS_EN, 1) |
	REG_SET(VGT_SHADER_STAGES_EN, VS_EN, 2) };

/* Says of the vertices' dwords what they are; before the draw, whose registers stand first in the stream. */
static void name_table(struct stream *s, const struct isa_gsvs_component *table, uint32_t components)
{
	const uint64_t at = (uintptr_t)table;
	struct stream drawn = *s;
	s->n = 0;
	PACKET(s, SET_CONTEXT_REG, R_QW_GSVS_TABLE, (uint32_t)at, (uint32_t)(at >> 32), components);
	memcpy(s->dw + s->n, drawn.dw, drawn.n * sizeof *s->dw);
	s->n += drawn.n;
}

/* The colour's alpha from the position's w, which is one in every vertex and needs no dword. */
static void make_table(struct isa_gsvs_component table[ITEM])
{
	for (uint32_t c = 0; c < ITEM; c++)
		table[c].dword = c;
	table[3] = (struct isa_gsvs_component){ ISA_GSVS_FIXED, bits(1) };
	table[7].dword = 3;
}

static void refused(struct stream *s, const char *message)
{
	const char *why = "";
	struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ 1, "v3" }, &why);
	CHECK(gpu, "%s", why);
	EXPECT(rs_gpu_execute(gpu, s->dw, s->n) == RS_LOST);
	EXPECT(strstr(rs_gpu_error(gpu), message), "%s", rs_gpu_error(gpu));
	rs_gpu_destroy(gpu);
}

int main(void)
{
	static struct code ps;
	static struct stream stream;
	size_t bytes = (size_t)WIDTH * HEIGHT * 4;
	uint8_t *frame = aligned_alloc(256, bytes);
	struct gcn_asm_result program = make_program();
	uint32_t *code = aligned_alloc(256, 4096);
	uint64_t first = 0;
	CHECK(frame && code && program.size <= 4096);
	memcpy(code, program.code, program.size);
	gcn_asm_free(&program);
	make_ps(&ps);
	make_vertices();
	make_stream(&stream, frame, code, &ps, OUT, STAGES);
	for (unsigned i = 0; i < 6; i++) {
		struct rs_gpu *gpu = make_gpu(i);
		if (!gpu)
			continue;
		memset(frame, 0x55, bytes);
		CHECK(rs_gpu_execute(gpu, stream.dw, stream.n) == RS_OK, "%s", rs_gpu_error(gpu));
		rs_gpu_destroy(gpu);
		if (i == 0) {
			first = hash(frame, bytes);
			check_picture(frame);
		}
		EXPECT(hash(frame, bytes) == first);
	}
	static struct isa_gsvs_component table[ITEM];
	make_table(table);
	name_table(&stream, table, ITEM);
	struct rs_gpu *gpu = make_gpu(0);
	memset(frame, 0x55, bytes);
	CHECK(gpu && rs_gpu_execute(gpu, stream.dw, stream.n) == RS_OK);
	rs_gpu_destroy(gpu);
	EXPECT(hash(frame, bytes) == first);
	table[1].dword = ITEM;
	refused(&stream, "component 1 of GSVS is dword 8 of 8");
	make_stream(&stream, frame, code, &ps, OUT, STAGES);
	name_table(&stream, table, ISA_GSVS_COMPONENTS + 1);
	refused(&stream, "a table of 145 components");
	make_stream(&stream, frame, code, &ps, 257, STAGES);
	refused(&stream, "257 vertices of 8 dwords");
	make_stream(&stream, frame, code, &ps, OUT, STAGES | REG_SET(VGT_SHADER_STAGES_EN, HS_EN, 1));
	refused(&stream, "shader stages 0xb4 are not supported");
	free(frame);
	free(code);
	return failures != 0;
}
