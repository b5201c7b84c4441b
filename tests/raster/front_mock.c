/* SPDX-License-Identifier: MIT */
#include <math.h>
#include "front_mock.h"
#include "core/group.h"
#include "core/interp/closed.h"
#include "core/jit/jit_host.h"
#include "isa/gcn.h"
#include "raster/back/back.h"
#include "raster/cp/cp.h"
#include "raster/dma/dma.h"
#include "raster/kernels.h"
#include "raster/pass.h"

struct mock_screen mock;

/* --- Compute unit --- */

struct cu_program { uint32_t code; };

bool cu_level_detect(const char *force, enum cu_level *out, const char **why)
{
	if (force && strcmp(force, "v3") && strcmp(force, "v4")) {
		*why = "no such level";
		return false;
	}
	*out = force && !strcmp(force, "v3") ? CU_LEVEL_V3 :
		__builtin_cpu_supports("avx512vl") ? CU_LEVEL_V4 : CU_LEVEL_V3;
	return true;
}
unsigned cu_fp_enter(void) { return 0; }
void cu_fp_leave(unsigned mxcsr) { }

struct cu_program *cu_program_create(enum cu_level level, const uint32_t *code, size_t max,
	struct cu_error *err)
{
	if (*code == 0xdead) {
		snprintf(err->text, sizeof err->text, "bad instruction");
		return NULL;
	}
	struct cu_program *p = malloc(sizeof *p);
	p->code = *code;
	return p;
}
void cu_program_destroy(struct cu_program *p) { free(p); }
void cu_program_place(struct cu_program *p, uint64_t address) { (void)p; (void)address; }
bool cu_program_is_closed(const struct cu_program *p) { return true; }
bool cu_program_matches(const struct cu_program *p, const uint32_t *code) { return p->code == *code; }
uint32_t cu_program_initial(const struct cu_program *p) { return ~0u; }
void cu_program_foresee(const struct cu_program *p, const uint32_t *user, unsigned count) { }

bool cu_core_parse(const char *text, enum cu_core *out) { *out = CU_CORE_INTERP; return !text; }
struct cu_host *cu_host_create(const struct cu_host_info *info, const char **why) { return malloc(1); }
void cu_host_destroy(struct cu_host *h) { free(h); }
enum cu_core cu_host_core(const struct cu_host *h) { return CU_CORE_INTERP; }
const char *cu_host_problem(const struct cu_host *h) { return NULL; }
void cu_host_add(struct cu_host *h, struct cu_program *p, const char *name, struct cu_host_blob blob) { }
void *cu_host_save(const struct cu_host *h, const struct cu_program *p, size_t *bytes) { return NULL; }

unsigned cu_blank_rows(const struct cu_program *p, unsigned set) { return 0; }
void cu_wave_init_rows(struct cu_wave *w, unsigned rows, uint64_t exec, struct cu_exports *e)
{
	memset(w->sgpr, 0, sizeof w->sgpr);
	cu_set_exec(w, exec);
	w->exports = e;
	e->targets = 0;
	memset(e->exec, 0, sizeof e->exec);
	memset(e->mask, 0, sizeof e->mask);
}

void cu_wave_fresh(struct cu_wave *w, const struct cu_program *p, unsigned inputs, enum cu_lanes_set set,
	uint32_t poison) { }

static void export(struct cu_wave *w, unsigned target, unsigned lane, const float v[4])
{
	struct cu_exports *e = w->exports;
	e->targets |= 1ull << target;
	e->exec[target] |= 1ull << lane;
	e->mask[target] = 15;
	for (int c = 0; c < 4; c++)
		memcpy(&e->data[target][c][lane], &v[c], 4);
}

/* Code 0xfa: fault.  Else the vertex, moved right by 16 pixels an instance. */
enum cu_status cu_wave_run(const struct cu_program *p, struct cu_wave *w)
{
	if (p->code == 0xfa) {
		snprintf(w->error.text, sizeof w->error.text, "it broke");
		return CU_FAULT;
	}
	const struct mock_vertex *v = rs_pointer(w->sgpr[2], w->sgpr[3]);
	for (uint64_t m = cu_exec(w); m; m &= m - 1) {
		unsigned l = (unsigned)__builtin_ctzll(m);
		struct mock_vertex x = v[w->vgpr[0][l]];
		x.pos[0] += 16 * (float)w->vgpr[1][l];
		export(w, GCN_EXP_POS0, l, x.pos);
		export(w, GCN_EXP_POS0 + 1, l, x.misc);
		export(w, GCN_EXP_POS0 + 2, l, x.dist);
		export(w, GCN_EXP_PARAM0, l, x.param);
	}
	return CU_DONE;
}

struct cu_group_ctx { int unused; };
struct cu_group_ctx *cu_group_ctx_create(void) { return malloc(sizeof(struct cu_group_ctx)); }
void cu_group_ctx_destroy(struct cu_group_ctx *c) { free(c); }

/* Sums group numbers into the address of user data 0, 1. */
bool cu_group_run(struct cu_group_ctx *ctx, const struct cu_group *g, struct cu_error *err)
{
	_Atomic uint64_t *sum = rs_pointer(g->use.user[0], g->use.user[1]);
	atomic_fetch_add(sum, 1 + g->tgid[0] + 100 * g->tgid[1] + 10000 * g->tgid[2]);
	return true;
}

bool cu_group_run_next(struct cu_group_ctx *ctx, const struct cu_group *g, struct cu_error *err)
{
	return cu_group_run(ctx, g, err);
}

/* --- Back end --- */

struct rs_worker { int unused; };
struct rs_back_kernels { int unused; };
const struct rs_back_kernels rs_back_kernels_v3, rs_back_kernels_v4;
const struct cu_formats cu_formats_v3, cu_formats_v4;
uint16_t cu_float_to_half(float f) { return 0; }
struct rs_worker *rs_worker_create(const struct rs_kernels *k) { return malloc(sizeof(struct rs_worker)); }
void rs_worker_destroy(struct rs_worker *w) { free(w); }
struct rs_ps_state { int unused; };
struct rs_ps_state *rs_ps_state_create(const struct rs_context *c, const struct cu_program *ps)
{
	return malloc(sizeof(struct rs_ps_state));
}
void rs_ps_state_destroy(struct rs_ps_state *s) { free(s); }

static bool inside(const struct rs_prim *p, int x, int y)
{
	for (unsigned i = 0; i < p->edges; i++)
		if ((int64_t)p->edge[i].a * (256 * x + 128) + (int64_t)p->edge[i].b * (256 * y + 128) +
				p->edge[i].c < 0)
			return false;
	return x >= p->x0 && x < p->x1 && y >= p->y0 && y < p->y1;
}

static double plane(const struct rs_plane *p, int x, int y)
{
	return p->c + p->dx * x + p->dy * y;
}

static void pixel(const struct rs_prim *p, int x, int y)
{
	double b1 = plane(&p->b1, x, y), b2 = plane(&p->b2, x, y), b0 = 1 - b1 - b2;
	double w0 = b0 * p->inv_w[0], w1 = b1 * p->inv_w[1], w2 = b2 * p->inv_w[2];
	mock.count[y][x]++;
	memcpy(&mock.last[y][x], p->attr[0], 4);
	mock.value[y][x] = (float)((w0 * p->attr[0][1] + w1 * p->attr[1][1] + w2 * p->attr[2][1]) /
		(w0 + w1 + w2));
	mock.z[y][x] = plane(&p->z, x, y);
	mock.front[y][x] = p->front_facing;
	if (p->draw->counter)
		atomic_fetch_add(&p->draw->counter->samples, 1);
}

/* Triangles of a few pixels come with their coverage. */
static void small(const struct rs_item *it, unsigned tx, unsigned ty)
{
	for (unsigned l = 0; l < 16; l++) {
		unsigned x = tx * 64 + 2 * it->qx + (l & 1) + (l >> 2 & 1) * 2;
		unsigned y = ty * 64 + 2 * it->qy + (l >> 1 & 1) + (l >> 3) * 2;
		if (!(it->mask >> l & 1))
			continue;
		if (x / 64 == tx && y / 64 == ty && x < MOCK_W && y < MOCK_H)
			pixel(it->p, (int)x, (int)y);
		else
			atomic_fetch_add(&mock.lost_pixels, 1);
	}
}

static bool binned_in(const struct rs_pass *pass, const struct rs_prim *p, unsigned tx, unsigned ty)
{
	const struct rs_bin *bin = &pass->bin[ty * pass->tiles_x + tx];
	for (const struct rs_item_chunk *c = bin->first; c; c = c->next)
		for (unsigned i = 0; i < c->count; i++)
			if (c->item[i].p == p)
				return true;
	return false;
}

static void item(struct rs_pass *pass, const struct rs_item *it, unsigned tx, unsigned ty, unsigned across)
{
	if (it->kind == RS_ITEM_CLEAR) {
		atomic_fetch_add(&mock.clears, across);
		return;
	}
	const struct rs_prim *p = it->p;
	uint32_t id;
	memcpy(&id, p->attr[0], 4);
	mock.order[ty][tx] = (mock.order[ty][tx] ^ id) * 0x9E3779B97F4A7C15ull + 1;
	if (it->kind == RS_ITEM_SMALL) {
		small(it, tx, ty);
		return;
	}
	for (int y = (int)ty * 64; y < (int)ty * 64 + 64 && y < MOCK_H; y++)
		for (int x = (int)tx * 64; x < (int)tx * 64 + 64 && x < MOCK_W; x++) {
			if (inside(p, x, y))
				pixel(p, x, y);
			else if (it->full && x >= p->x0 && x < p->x1 && y >= p->y0 && y < p->y1)
				atomic_fetch_add(&mock.lost_pixels, 1);
		}
	/* In the primitive's first tile: does another one lack it? */
	if ((unsigned)p->x0 / 64 != tx || (unsigned)p->y0 / 64 != ty || p->kind != RS_PRIM_EDGES)
		return;
	for (int y = p->y0; y < p->y1; y++)
		for (int x = p->x0; x < p->x1; x++)
			if (inside(p, x, y) && !binned_in(pass, p, (unsigned)x / 64, (unsigned)y / 64))
				atomic_fetch_add(&mock.lost_pixels, 1);
}

static void note(uint32_t tx, uint32_t ty, char what)
{
	if (!tx && !ty && mock.item_count + 1 < sizeof mock.items)
		mock.items[mock.item_count++] = what;
}

void rs_tile_render(struct rs_worker *w, struct rs_pass *pass, uint32_t tx, uint32_t ty, uint32_t across)
{
	const struct rs_bin *bin = &pass->bin[ty * pass->tiles_x + tx];
	for (const struct rs_item_chunk *c = bin->first; c; c = c->next)
		for (unsigned i = 0; i < c->count; i++) {
			item(pass, &c->item[i], tx, ty, across);
			note(tx, ty, c->item[i].kind == RS_ITEM_CLEAR ? 'c' : 'p');
		}
	note(tx, ty, '/');
}

#define DMA(name) bool name(const struct rs_dma *dma, const uint32_t *p, uint32_t n) { return n > 1; }
DMA(rs_dma_copy_buffer)
DMA(rs_dma_fill_buffer)
DMA(rs_dma_copy_image)
DMA(rs_dma_blit_image)
DMA(rs_dma_clear_image)
DMA(rs_dma_resolve_image)
bool rs_dma_resolve_target(const struct rs_dma *dma, const struct pm4_resolve_target *p, const struct surf_plane *src,
	struct rs_resolve *r)
{
	return false;
}

/* --- Streams --- */

uint32_t mock_bits(float v)
{
	uint32_t u;
	memcpy(&u, &v, 4);
	return u;
}

float mock_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (float)(*seed >> 8) * 0x1p-24f;
}

void mock_packet(struct mock_stream *s, enum pm4_op op, unsigned n, const uint32_t *payload)
{
	CHECK(s->n + n + 1 <= sizeof s->dw / 4);
	s->dw[s->n++] = pm4_header(op, n, 0);
	memcpy(s->dw + s->n, payload, n * 4);
	s->n += n;
}

void mock_context(struct mock_stream *s, unsigned index, uint32_t value)
{
	mock_packet(s, PM4_SET_CONTEXT_REG, 2, (uint32_t[]){ index, value });
}

void mock_uconfig(struct mock_stream *s, unsigned index, uint32_t value)
{
	mock_packet(s, PM4_SET_UCONFIG_REG, 2, (uint32_t[]){ index, value });
}

static void sh(struct mock_stream *s, unsigned index, uint32_t value)
{
	mock_packet(s, PM4_SET_SH_REG, 2, (uint32_t[]){ index, value });
}

static void set_target(struct mock_stream *s)
{
	static uint8_t memory[4 * 320 * 200] __attribute__((aligned(256)));
	uint64_t a = (uint64_t)(uintptr_t)memory >> 8;
	mock_context(s, R_CB_COLOR_BASE, (uint32_t)a);
	mock_context(s, R_CB_COLOR_BASE_EXT, (uint32_t)(a >> 32));
	mock_context(s, R_CB_COLOR_ATTRIB2, REG_SET(CB_COLOR_ATTRIB2, MIP0_WIDTH, MOCK_W - 1) |
		REG_SET(CB_COLOR_ATTRIB2, MIP0_HEIGHT, MOCK_H - 1));
	mock_context(s, R_CB_COLOR_INFO, REG_SET(CB_COLOR_INFO, FORMAT, DFMT_8_8_8_8));
	mock_context(s, R_CB_COLOR_ATTRIB, REG_SET(CB_COLOR_ATTRIB, TILE_MODE_INDEX, TILING_LINEAR));
}

void mock_begin(struct mock_stream *s, const struct mock_vertex *v)
{
	static const uint32_t code[64] __attribute__((aligned(256))) = { 1 };
	uint64_t p = (uint64_t)(uintptr_t)code >> 8;
	s->n = 0;
	set_target(s);
	mock_context(s, R_PA_SC_SCREEN_SCISSOR_BR, 0x7fff7fff);
	mock_context(s, R_PA_SC_VPORT_SCISSOR_BR, 0x7fff7fff);
	mock_context(s, R_PA_CL_VTE_CNTL, 0x43f);
	mock_context(s, R_PA_CL_VPORT_XSCALE, mock_bits(1));
	mock_context(s, R_PA_CL_VPORT_YSCALE, mock_bits(1));
	mock_context(s, R_PA_CL_VPORT_ZSCALE, mock_bits(1));
	mock_context(s, R_PA_CL_CLIP_CNTL, REG_SET(PA_CL_CLIP_CNTL, DX_CLIP_SPACE_DEF, 1));
	mock_context(s, R_SPI_PS_IN_CONTROL, 1);
	mock_uconfig(s, R_VGT_INDEX_TYPE, 1);
	mock_packet(s, PM4_NUM_INSTANCES, 1, (uint32_t[]){ 1 });
	sh(s, R_SPI_SHADER_PGM_LO_VS, (uint32_t)p);
	sh(s, R_SPI_SHADER_PGM_HI_VS, (uint32_t)(p >> 32));
	sh(s, R_SPI_SHADER_PGM_RSRC2_VS, REG_SET(SPI_SHADER_PGM_RSRC2_VS, USER_SGPR, 4));
	sh(s, R_SPI_SHADER_USER_DATA_VS + 2, (uint32_t)(uintptr_t)v);
	sh(s, R_SPI_SHADER_USER_DATA_VS + 3, (uint32_t)((uint64_t)(uintptr_t)v >> 32));
}

void mock_draw(struct mock_stream *s, unsigned topology, uint32_t count)
{
	mock_uconfig(s, R_VGT_PRIMITIVE_TYPE, topology);
	mock_packet(s, PM4_DRAW_INDEX_AUTO, 2, (uint32_t[]){ count, PM4_DI_SRC_AUTO });
}

void mock_draw_indexed(struct mock_stream *s, unsigned topology, const uint32_t *index, uint32_t count)
{
	uint64_t a = (uint64_t)(uintptr_t)index;
	mock_uconfig(s, R_VGT_PRIMITIVE_TYPE, topology);
	mock_packet(s, PM4_DRAW_INDEX_2, 5,
		(uint32_t[]){ count, (uint32_t)a, (uint32_t)(a >> 32), count, 0 });
}

struct rs_gpu *mock_gpu(unsigned threads)
{
	const char *why = "";
	struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ threads, NULL }, &why);
	CHECK(gpu);
	return gpu;
}

void mock_run(struct rs_gpu *gpu, struct mock_stream *s)
{
	memset(&mock, 0, sizeof mock);
	if (rs_gpu_execute(gpu, s->dw, s->n) != RS_OK) {
		printf("lost: %s\n", rs_gpu_error(gpu));
		exit(1);
	}
	CHECK(!mock.lost_pixels);
}
