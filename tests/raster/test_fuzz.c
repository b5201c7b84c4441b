/* SPDX-License-Identifier: MIT */
/* Hostile streams and states: packets of random opcodes, lengths and payload,
 * and draws of random vertices under random register values.  Addresses stay
 * valid or are visibly bad, for any address is host memory.  Nothing may crash
 * or hang; a stream that is lost says why.  Best run with sanitizers.
 *
 *   raster_test_fuzz [ROUNDS [FIRST]] */
#include <time.h>
#include <unistd.h>
#include "bare_metal.h"
#include "isa/surface.h"

enum { W = 200, H = 150, VERTS = 96, ROUND_SECONDS = 120 };

static uint32_t rnd(uint64_t *s)
{
	*s = *s * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(*s >> 32);
}

static uint32_t below(uint64_t *s, uint32_t n)
{
	return (uint32_t)((uint64_t)rnd(s) * n >> 32);
}

/* Floats near and far, NaN, infinities, denormals. */
static uint32_t any_float(uint64_t *s)
{
	static const uint32_t special[] = { 0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x7f7fffff,
		0xff7fffff, 0x3f800000, 0xbf800000, 0x00800000, 0x4f000000, 0xcf000000, 0x5f000000 };
	switch (below(s, 6)) {
	case 0: return special[below(s, sizeof special / sizeof *special)];
	case 1: return rnd(s);
	default: return bits(((float)below(s, 2048) / 512 - 2) * (float)(1u << below(s, 12)));
	}
}

/* --- streams --- */

/* As an address each dword is misaligned, and beyond 48 bits as its high half. */
static uint32_t bad_address(uint64_t *s)
{
	return rnd(s) | 0x10001;
}

static void random_stream(struct stream *s, uint64_t *seed)
{
	/* Registers that hold addresses keep their zeros: no SET_SH_REG, and context
	 * registers up to the targets'. */
	static const uint8_t ops[] = { PM4_NOP, PM4_DISPATCH_DIRECT, PM4_DISPATCH_INDIRECT, PM4_SET_PREDICATION,
		PM4_DRAW_INDIRECT_MULTI, PM4_DRAW_INDEX_2, PM4_DRAW_INDEX_AUTO, PM4_NUM_INSTANCES, PM4_WRITE_DATA,
		PM4_DRAW_INDEX_INDIRECT_MULTI, PM4_WAIT_REG_MEM, PM4_INDIRECT_BUFFER, PM4_EVENT_WRITE, PM4_RELEASE_MEM,
		PM4_ACQUIRE_MEM, PM4_SET_CONTEXT_REG, PM4_SET_UCONFIG_REG, PM4_QW_COPY_BUFFER, PM4_QW_FILL_BUFFER,
		PM4_QW_COPY_IMAGE, PM4_QW_BLIT_IMAGE, PM4_QW_CLEAR_IMAGE, PM4_QW_CLEAR_TARGET, PM4_QW_COPY_QUERY,
		PM4_QW_RESOLVE_IMAGE, PM4_STRMOUT_BUFFER_UPDATE, PM4_COPY_DATA, PM4_QW_DRAW_MESH,
		PM4_QW_DRAW_MESH_INDIRECT_MULTI };
	static const uint8_t least[256] = {
#define PM4(name, packet, op, min, max, payload) [op] = (min),
#include "isa/pm4.def"
	};
	static const uint8_t exact[256] = { [PM4_QW_COPY_IMAGE] = PM4_DWORDS(pm4_copy_image),
		[PM4_QW_BLIT_IMAGE] = PM4_DWORDS(pm4_blit_image), [PM4_QW_CLEAR_IMAGE] = PM4_DWORDS(pm4_clear_image),
		[PM4_QW_CLEAR_TARGET] = PM4_DWORDS(pm4_clear_target), [PM4_QW_COPY_QUERY] = PM4_DWORDS(pm4_copy_query),
		[PM4_QW_RESOLVE_IMAGE] = PM4_DWORDS(pm4_resolve_image) };
	unsigned packets = 1 + below(seed, 8);
	s->n = 0;
	for (unsigned i = 0; i < packets; i++) {
		uint32_t op = below(seed, 8) ? ops[below(seed, sizeof ops)] : below(seed, 256);
		uint32_t right = exact[op] ? exact[op] : least[op];
		uint32_t n = below(seed, 4) && right ? right : 1 + below(seed, 40);
		if (op == PM4_SET_SH_REG)
			op = PM4_NOP;
		s->dw[s->n++] = pm4_header(op, n, rnd(seed) & 1);
		/* Zeros first: a zero behind something would make an address of it. */
		for (unsigned k = 0, zeros = below(seed, 3) ? 0 : below(seed, n + 1); k < n; k++)
			s->dw[s->n++] = k < zeros ? 0 : bad_address(seed);
		if (op == PM4_SET_CONTEXT_REG)
			s->dw[s->n - n] = below(seed, R_PA_SU_POINT_SIZE - n);
	}
	if (below(seed, 8) == 0) /* cut short */
		s->n = 1 + below(seed, s->n);
}

static void fuzz_streams(unsigned rounds, uint64_t seed)
{
	static struct stream s;
	const char *why = "";
	struct rs_gpu *gpu = NULL;
	for (unsigned i = 0; i < rounds; i++) {
		if (!gpu)
			gpu = rs_gpu_create(&(struct rs_gpu_info){ 1 + i % 2, NULL }, &why);
		CHECK(gpu);
		random_stream(&s, &seed);
		/* Its end is the allocation's. */
		uint32_t *exact = malloc(s.n * 4);
		memcpy(exact, s.dw, s.n * 4);
		alarm(ROUND_SECONDS);
		if (rs_gpu_execute(gpu, exact, s.n) != RS_OK) {
			CHECK(rs_gpu_error(gpu)[0]);
			rs_gpu_destroy(gpu);
			gpu = NULL;
		}
		free(exact);
	}
	rs_gpu_destroy(gpu);
}

/* --- states --- */

struct scene {
	struct code vs, ps;
	float *verts;
	uint16_t *index;
	unsigned log2;               /* of the samples that are used */
	uint8_t *color[4], *depth[4], *stencil[4];
};

static void reg(struct stream *s, unsigned index, uint32_t value)
{
	PACKET(s, SET_CONTEXT_REG, index, value);
}

static void targets(struct stream *s, const struct scene *c)
{
	unsigned l = c->log2, tiling = l ? TILING_4X4 : TILING_LINEAR;
	PACKET(s, SET_CONTEXT_REG, R_CB_COLOR_BASE, address_lo(c->color[l]), address_hi(c->color[l]),
		REG_SET(CB_COLOR_ATTRIB2, MIP0_WIDTH, W - 1) | REG_SET(CB_COLOR_ATTRIB2, MIP0_HEIGHT, H - 1), 0,
		REG_SET(CB_COLOR_INFO, FORMAT, DFMT_8_8_8_8) | REG_SET(CB_COLOR_INFO, NUMBER_TYPE, NFMT_UNORM),
		REG_SET(CB_COLOR_ATTRIB, TILE_MODE_INDEX, tiling) | REG_SET(CB_COLOR_ATTRIB, NUM_SAMPLES, l) |
		REG_SET(CB_COLOR_ATTRIB, SEL_X, SEL_R) | REG_SET(CB_COLOR_ATTRIB, SEL_Y, SEL_G) |
		REG_SET(CB_COLOR_ATTRIB, SEL_Z, SEL_B) | REG_SET(CB_COLOR_ATTRIB, SEL_W, SEL_A));
	reg(s, R_DB_DEPTH_SIZE, REG_SET(DB_DEPTH_SIZE, X_MAX, W - 1) | REG_SET(DB_DEPTH_SIZE, Y_MAX, H - 1));
	PACKET(s, SET_CONTEXT_REG, R_DB_Z_INFO,
		REG_SET(DB_Z_INFO, FORMAT, 3) | REG_SET(DB_Z_INFO, NUM_SAMPLES, l) | REG_SET(DB_Z_INFO, TILE_MODE_INDEX, tiling),
		REG_SET(DB_STENCIL_INFO, FORMAT, 1) | REG_SET(DB_STENCIL_INFO, TILE_MODE_INDEX, tiling),
		address_lo(c->depth[l]), address_hi(c->depth[l]), address_lo(c->stencil[l]), address_hi(c->stencil[l]));
	reg(s, R_PA_SC_AA_CONFIG, REG_SET(PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES, l));
}

/* A picture of something, from which single registers are then thrown about. */
static void tame(struct stream *s, const struct scene *c)
{
	targets(s, c);
	set_programs(s, &c->vs, &c->ps, c->verts, VERTS);
	PACKET(s, SET_CONTEXT_REG, R_CB_TARGET_MASK, 15, 15);
	reg(s, R_CB_COLOR_CONTROL, REG_SET(CB_COLOR_CONTROL, MODE, 1) | REG_SET(CB_COLOR_CONTROL, ROP3, 0xcc));
	reg(s, R_SPI_SHADER_COL_FORMAT, 9);
	PACKET(s, SET_CONTEXT_REG, R_PA_SC_SCREEN_SCISSOR_TL, 0, 0x40004000);
	PACKET(s, SET_CONTEXT_REG, R_PA_SC_VPORT_SCISSOR_TL, 0, H << 16 | W);
	PACKET(s, SET_CONTEXT_REG, R_PA_SC_VPORT_ZMIN, 0, bits(1));
	reg(s, R_PA_SC_AA_MASK_X0Y0_X1Y0, 0xffff);
	reg(s, R_PA_CL_CLIP_CNTL, REG_SET(PA_CL_CLIP_CNTL, DX_CLIP_SPACE_DEF, 1));
	PACKET(s, SET_CONTEXT_REG, R_PA_CL_VPORT_XSCALE, bits(W / 2), bits(W / 2), bits(H / 2), bits(H / 2), bits(1), 0);
	reg(s, R_PA_CL_VTE_CNTL, 0x3f | REG_SET(PA_CL_VTE_CNTL, VTX_W0_FMT, 1));
	reg(s, R_PA_SU_POINT_SIZE, 0x80008);
	reg(s, R_PA_SU_POINT_MINMAX, 0xffff0000);
	reg(s, R_PA_SU_LINE_CNTL, 8);
}

/* Every context register that is no address, size or format. */
static void shake(struct stream *s, uint64_t *seed)
{
	static const uint16_t words[] = { R_DB_COUNT_CONTROL, R_DB_DEPTH_CONTROL, R_DB_STENCIL_CONTROL,
		R_DB_STENCILREFMASK, R_DB_STENCILREFMASK_BF, R_DB_SHADER_CONTROL, R_DB_ALPHA_TO_MASK,
		R_PA_SC_SCREEN_SCISSOR_TL, R_PA_SC_SCREEN_SCISSOR_BR, R_PA_SC_VPORT_SCISSOR_TL, R_PA_SC_VPORT_SCISSOR_BR,
		R_PA_CL_CLIP_CNTL, R_PA_SU_SC_MODE_CNTL, R_PA_CL_VTE_CNTL, R_PA_CL_VS_OUT_CNTL, R_PA_SU_POINT_SIZE,
		R_PA_SU_POINT_MINMAX, R_PA_SU_LINE_CNTL, R_PA_SC_LINE_CNTL, R_PA_SC_AA_MASK_X0Y0_X1Y0,
		R_VGT_MULTI_PRIM_IB_RESET_INDX, R_SPI_PS_INPUT_CNTL, R_SPI_PS_INPUT_CNTL + 1, R_SPI_PS_INPUT_ENA,
		R_SPI_PS_IN_CONTROL, R_SPI_SHADER_Z_FORMAT, R_SPI_SHADER_COL_FORMAT, R_CB_TARGET_MASK, R_CB_SHADER_MASK,
		R_CB_BLEND_CONTROL, R_CB_COLOR_CONTROL, R_PA_SC_MODE_CNTL_1, R_SPI_BARYC_CNTL,
		R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0 + 1, R_VGT_STRMOUT_CONFIG };
	static const uint16_t floats[] = { R_DB_DEPTH_BOUNDS_MIN, R_DB_DEPTH_BOUNDS_MAX, R_PA_SC_VPORT_ZMIN,
		R_PA_SC_VPORT_ZMAX, R_PA_CL_VPORT_XSCALE, R_PA_CL_VPORT_XOFFSET, R_PA_CL_VPORT_YSCALE,
		R_PA_CL_VPORT_YOFFSET, R_PA_CL_VPORT_ZSCALE, R_PA_CL_VPORT_ZOFFSET, R_PA_SU_POLY_OFFSET_CLAMP,
		R_PA_SU_POLY_OFFSET_FRONT_SCALE, R_PA_SU_POLY_OFFSET_FRONT_OFFSET, R_PA_SU_POLY_OFFSET_BACK_SCALE,
		R_PA_SU_POLY_OFFSET_BACK_OFFSET, R_CB_BLEND_RED, R_CB_BLEND_GREEN, R_CB_BLEND_BLUE, R_CB_BLEND_ALPHA };
	for (unsigned n = below(seed, 12); n > 0; n--) {
		if (below(seed, 3)) {
			unsigned r = words[below(seed, sizeof words / sizeof *words)];
			uint32_t value = rnd(seed) & (below(seed, 2) ? rnd(seed) : ~0u);
			if (r == R_PA_CL_CLIP_CNTL) /* it asks to be trusted */
				value &= ~REG_SET(PA_CL_CLIP_CNTL, CLIP_DISABLE, 1);
			reg(s, r, value);
		} else {
			reg(s, floats[below(seed, sizeof floats / sizeof *floats)], any_float(seed));
		}
	}
}

static void draws(struct stream *s, const struct scene *c, uint64_t *seed)
{
	uint64_t index = (uint64_t)(uintptr_t)c->index;
	PACKET(s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, 1 + below(seed, 6));
	PACKET(s, SET_UCONFIG_REG, R_VGT_INDEX_TYPE, below(seed, 3));
	PACKET(s, SET_UCONFIG_REG, R_VGT_MULTI_PRIM_IB_RESET_EN, rnd(seed) & 1);
	PACKET(s, NUM_INSTANCES, below(seed, 3));
	if (rnd(seed) & 1)
		PACKET(s, DRAW_INDEX_AUTO, below(seed, 2 * VERTS), PM4_DI_SRC_AUTO);
	else
		PACKET(s, DRAW_INDEX_2, below(seed, VERTS / 2), (uint32_t)index, (uint32_t)(index >> 32),
			below(seed, VERTS), 0);
	struct pm4_clear_target clear = { .targets = 1u << below(seed, 12), .x = rnd(seed), .y = below(seed, 300),
		.width = rnd(seed), .height = below(seed, 300), .first_slice = below(seed, 3),
		.slice_count = rnd(seed) & rnd(seed), .value = { rnd(seed), rnd(seed), any_float(seed), 0 } };
	if (below(seed, 4) == 0)
		packet(s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&clear);
}

static void fuzz_state(struct scene *c, unsigned round)
{
	static struct stream s;
	static const char *const levels[] = { "v3", NULL };
	uint64_t seed = round * 0x9e3779b97f4a7c15ull + 7;
	const char *why = "";
	struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ 1 + round % 2, levels[round / 2 % 2] }, &why);
	CHECK(gpu);
	for (unsigned i = 0; i < VERTS * 6; i++) {
		uint32_t v = any_float(&seed);
		memcpy(&c->verts[i], &v, 4);
	}
	for (unsigned i = 0; i < VERTS; i++)
		c->index[i] = below(&seed, 16) ? (uint16_t)below(&seed, VERTS + 4) : (uint16_t)rnd(&seed);
	s.n = 0;
	c->log2 = below(&seed, 2) * below(&seed, 4);
	tame(&s, c);
	for (unsigned i = 0; i < 6; i++) {
		shake(&s, &seed);
		draws(&s, c, &seed);
	}
	PACKET(&s, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0);
	CHECK(s.n < sizeof s.dw / 4);
	alarm(ROUND_SECONDS); /* ends the program: a hang */
	if (rs_gpu_execute(gpu, s.dw, s.n) != RS_OK)
		CHECK(rs_gpu_error(gpu)[0]);
	rs_gpu_destroy(gpu);
}

/* Of the target's exact size: a sanitizer sees the first byte beyond. */
static void *surface(size_t bytes)
{
	void *p = aligned_alloc(256, (bytes + 255) & ~(size_t)255);
	CHECK(p);
	memset(p, 0, bytes);
	return p;
}

static void *target(unsigned dfmt, unsigned log2_samples)
{
	struct surf_plane p = { .width = W, .height = H, .slices = 1, .tiling = log2_samples ? TILING_4X4 : TILING_LINEAR,
		.samples = (uint8_t)(1 << log2_samples), .dfmt = (uint8_t)dfmt };
	surf_init(&p);
	return surface(p.slice_stride);
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1500, first = argc > 2 ? (unsigned)atoi(argv[2]) : 8000;
	static struct scene c;
	struct timespec start, now;
	make_vs(&c.vs);
	make_ps(&c.ps);
	c.verts = surface(VERTS * 6 * sizeof *c.verts);
	c.index = surface(VERTS * sizeof *c.index);
	for (unsigned l = 0; l < 4; l++) {
		c.color[l] = target(DFMT_8_8_8_8, l);
		c.depth[l] = target(DFMT_32, l);
		c.stencil[l] = target(DFMT_8, l);
	}
	fuzz_streams(rounds, first);
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (unsigned i = first; i < first + rounds; i++) {
		fprintf(stderr, "\rround %u ", i);
		fuzz_state(&c, i);
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (argc == 1 && now.tv_sec - start.tv_sec >= 10) /* a slow machine or a sanitizer */
			break;
	}
	fprintf(stderr, "\n");
	free(c.verts);
	free(c.index);
	for (unsigned l = 0; l < 4; l++) {
		free(c.color[l]);
		free(c.depth[l]);
		free(c.stencil[l]);
	}
	return 0;
}
