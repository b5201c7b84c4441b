/* SPDX-License-Identifier: MIT */
/* Tessellation, bare metal: sixteen patches of one vertex, which a hull program gives the levels 1 to 16 and a domain
 * program spreads over the frame, a cell each.  The picture is whole, and the same for any number of threads and both
 * kernel levels; registers that mean nothing are refused. */
#define BARE_METAL_OWN_SIZE
enum { WIDTH = 256, HEIGHT = 256 };
#include "bare_metal.h"
#include "isa/abi.h"

enum { CELLS = 4, PATCHES = CELLS * CELLS };

static void op2(struct code *c, enum gcn_op op, unsigned dst, unsigned a, unsigned b)
{
	struct gcn_inst in;
	gcn_inst_init(&in, op);
	in.dst = (uint16_t)dst;
	in.src[0] = (uint16_t)a;
	in.src[1] = (uint16_t)b;
	add(c, &in);
}

static void op2_literal(struct code *c, enum gcn_op op, unsigned dst, uint32_t literal, unsigned b)
{
	struct gcn_inst in;
	gcn_inst_init(&in, op);
	in.dst = (uint16_t)dst;
	in.src[0] = GCN_SRC_LITERAL;
	in.src[1] = (uint16_t)b;
	in.literal = literal;
	add(c, &in);
}

/* The row of patches' component 0 that VGPR `patch` says is this one's, behind s[sgpr]. */
static void patch_row(struct code *c, unsigned dst, unsigned patch)
{
	op2(c, GCN_V_LSHLREV_B32, VGPR(dst), GCN_SRC_0 + 2, VGPR(patch));
	op2_literal(c, GCN_V_ADD_U32, VGPR(dst), ABI_PATCH_PER_PATCH, VGPR(dst));
}

static void move_dword(struct code *c, bool load, unsigned v, unsigned at, unsigned sgpr, int32_t offset)
{
	struct gcn_inst in;
	gcn_inst_init(&in, load ? GCN_GLOBAL_LOAD_DWORD : GCN_GLOBAL_STORE_DWORD);
	if (load)
		in.dst = (uint16_t)VGPR(v);
	in.src[0] = (uint16_t)VGPR(at);
	if (!load)
		in.src[1] = (uint16_t)VGPR(v);
	in.src[2] = (uint16_t)sgpr;
	in.offset = offset;
	add(c, &in);
}

/* The first half does nothing; of the second each lane is a patch. */
static void make_hs(struct code *c)
{
	struct gcn_inst lanes;
	gcn_inst_init(&lanes, GCN_S_BFE_U32);
	lanes.dst = 9;
	lanes.src[0] = ABI_MERGED_S_WAVE_INFO;
	lanes.src[1] = GCN_SRC_LITERAL;
	lanes.literal = 8 << 16 | 8;
	add(c, &lanes);
	op2(c, GCN_S_BFM_B64, GCN_SRC_EXEC, 9, GCN_SRC_0);
	op2(c, GCN_V_AND_B32, VGPR(2), GCN_SRC_0 + 31, VGPR(1));
	patch_row(c, 3, 2);
	mov(c, GCN_V_CVT_F32_U32, VGPR(4), VGPR(0));
	op2(c, GCN_V_ADD_F32, VGPR(4), GCN_SRC_1F, VGPR(4));
	for (unsigned i = 0; i < 6; i++)
		move_dword(c, false, 4, 3, 0, (int32_t)(i < 4 ? 256 * i : 1024 + 256 * (i - 4)));
	plain(c, GCN_S_ENDPGM, 0);
}

/* VGPR dst: half of coordinate u or v and a column or row, less 1. */
static void place(struct code *c, unsigned dst, unsigned coord)
{
	mov(c, GCN_V_CVT_F32_U32, VGPR(dst), VGPR(dst));
	op2(c, GCN_V_ADD_F32, VGPR(dst), VGPR(coord), VGPR(dst));
	op2_literal(c, GCN_V_MUL_F32, VGPR(dst), bits(0.5f), VGPR(dst));
	op2_literal(c, GCN_V_ADD_F32, VGPR(dst), bits(-1), VGPR(dst));
}

/* v0 u, v1 v, v2 patch, v3 its number. */
static void make_ds(struct code *c)
{
	patch_row(c, 5, 2);
	move_dword(c, true, 4, 5, ABI_TES_S_PATCHES, 0);
	op2(c, GCN_V_AND_B32, VGPR(6), GCN_SRC_0 + CELLS - 1, VGPR(3));
	op2(c, GCN_V_LSHRREV_B32, VGPR(7), GCN_SRC_0 + 2, VGPR(3));
	place(c, 6, 0);
	place(c, 7, 1);
	mov(c, GCN_V_MOV_B32, VGPR(8), GCN_SRC_0);
	mov(c, GCN_V_MOV_B32, VGPR(9), GCN_SRC_1F);
	plain(c, GCN_S_WAITCNT, 0);
	mov(c, GCN_V_MOV_B32, VGPR(10), VGPR(0));
	mov(c, GCN_V_MOV_B32, VGPR(11), VGPR(1));
	op2_literal(c, GCN_V_MUL_F32, VGPR(12), bits(1.0f / PATCHES), VGPR(4));
	mov(c, GCN_V_MOV_B32, VGPR(13), GCN_SRC_1F);
	export(c, GCN_EXP_POS0, 6, 1, 0);
	export(c, GCN_EXP_PARAM0, 10, 0, 0);
	plain(c, GCN_S_ENDPGM, 0);
}

static struct code hs, ds, ps;

static void make_stream(struct stream *s, const uint8_t *frame, uint32_t tf, uint32_t config, uint32_t topology)
{
	static const float none[6];
	struct pm4_clear_target clear = { .targets = PM4_CLEAR_COLOR0, .width = WIDTH, .height = HEIGHT,
		.slice_count = 1, .value = { 0, 0, 0, bits(1) } };
	s->n = 0;
	set_target(s, frame);
	set_geometry(s);
	set_programs(s, &ds, &ps, none, 1);
	PACKET(s, SET_SH_REG, R_SPI_SHADER_PGM_LO_LS, address_lo(hs.dw), address_hi(hs.dw));
	PACKET(s, SET_SH_REG, R_SPI_SHADER_PGM_RSRC1_HS, REG_SET(SPI_SHADER_PGM_RSRC1_HS, VGPRS, 3), 0);
	PACKET(s, SET_SH_REG, R_SPI_SHADER_PGM_RSRC1_VS, REG_SET(SPI_SHADER_PGM_RSRC1_VS, VGPRS, 3),
		REG_SET(SPI_SHADER_PGM_RSRC2_VS, USER_SGPR, 8));
	PACKET(s, SET_CONTEXT_REG, R_VGT_HOS_MAX_TESS_LEVEL, bits(64), 0);
	PACKET(s, SET_CONTEXT_REG, R_VGT_SHADER_STAGES_EN, REG_SET(VGT_SHADER_STAGES_EN, LS_EN, 1) |
		REG_SET(VGT_SHADER_STAGES_EN, HS_EN, 1) | REG_SET(VGT_SHADER_STAGES_EN, VS_EN, 1));
	PACKET(s, SET_CONTEXT_REG, R_VGT_LS_HS_CONFIG, config);
	PACKET(s, SET_CONTEXT_REG, R_VGT_TF_PARAM, tf);
	packet(s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&clear);
	PACKET(s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, topology);
	PACKET(s, NUM_INSTANCES, 1);
	PACKET(s, DRAW_INDEX_AUTO, PATCHES, PM4_DI_SRC_AUTO);
	PACKET(s, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0);
}

static uint32_t tf_param(unsigned type, unsigned partitioning, unsigned topology)
{
	return REG_SET(VGT_TF_PARAM, TYPE, type) | REG_SET(VGT_TF_PARAM, PARTITIONING, partitioning) |
		REG_SET(VGT_TF_PARAM, TOPOLOGY, topology);
}

static uint32_t config_of(unsigned in, unsigned out)
{
	return REG_SET(VGT_LS_HS_CONFIG, NUM_PATCHES, 64) | REG_SET(VGT_LS_HS_CONFIG, HS_NUM_INPUT_CP, in) |
		REG_SET(VGT_LS_HS_CONFIG, HS_NUM_OUTPUT_CP, out);
}

/* Red is u, green is v, blue the level: in every pixel, since all cells are whole. */
static void check_picture(const uint8_t *frame)
{
	const int cell = WIDTH / CELLS;
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			const uint8_t *p = frame + 4 * (y * WIDTH + x);
			int up = HEIGHT - 1 - y, id = x / cell + up / cell * CELLS;
			int u = (int)(255 * ((float)(x % cell) + 0.5f) / (float)cell), v = (int)(255 * ((float)(up % cell) + 0.5f) / (float)cell);
			EXPECT(abs(p[2] - u) <= 2 && abs(p[1] - v) <= 2 && abs(p[0] - (id + 1) * 255 / PATCHES) <= 1,
				"(%d, %d): %u %u %u, not %d %d %d", x, y, p[2], p[1], p[0], u, v, (id + 1) * 255 / PATCHES);
		}
}

/* A draw with these registers loses the device, and says why. */
static void check_refused(const uint8_t *frame, uint32_t tf, uint32_t config, uint32_t topology, const char *words)
{
	static struct stream stream;
	const char *why = "";
	struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ 1, "v3" }, &why);
	CHECK(gpu);
	make_stream(&stream, frame, tf, config, topology);
	EXPECT(rs_gpu_execute(gpu, stream.dw, stream.n) != RS_OK && strstr(rs_gpu_error(gpu), words), "%s: %s", words,
		rs_gpu_error(gpu));
	rs_gpu_destroy(gpu);
}

int main(void)
{
	static struct stream stream;
	static const unsigned threads[] = { 1, 2, 7 };
	static const char *const levels[] = { "v3", "v4" };
	const uint32_t quads = tf_param(TESS_QUAD, PART_INTEGER, OUTPUT_TRIANGLE_CCW);
	size_t bytes = (size_t)WIDTH * HEIGHT * 4;
	uint8_t *frame = aligned_alloc(256, bytes);
	uint64_t first = 0;
	CHECK(frame);
	make_hs(&hs);
	make_ds(&ds);
	make_ps(&ps);
	make_stream(&stream, frame, quads, config_of(1, 1), DI_PT_PATCH);
	for (unsigned i = 0; i < 6; i++) {
		const char *why = "";
		struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ threads[i / 2], levels[i % 2] }, &why);
		if (!gpu && i % 2) {
			printf("level v4 is left out: %s\n", why);
			continue;
		}
		CHECK(gpu);
		memset(frame, 0x55, bytes);
		CHECK(rs_gpu_execute(gpu, stream.dw, stream.n) == RS_OK, "lost: %s", rs_gpu_error(gpu));
		rs_gpu_destroy(gpu);
		if (i == 0) {
			first = hash(frame, bytes);
			check_picture(frame);
		}
		EXPECT(hash(frame, bytes) == first);
	}
	check_refused(frame, quads, config_of(1, 1), DI_PT_TRILIST, "primitive type 4");
	check_refused(frame, quads, config_of(0, 1), DI_PT_PATCH, "0 vertices in");
	check_refused(frame, quads, config_of(1, 33), DI_PT_PATCH, "33 out");
	check_refused(frame, tf_param(TESS_QUAD, 1, OUTPUT_POINT), config_of(1, 1), DI_PT_PATCH, "parameters 0x6");
	check_refused(frame, tf_param(TESS_TRIANGLE, PART_INTEGER, OUTPUT_LINE), config_of(1, 1), DI_PT_PATCH, "parameters 0x21");
	free(frame);
	return failures != 0;
}
