/* SPDX-License-Identifier: MIT */
/* Bare-metal scenes: a vertex program that fetches position and colour through
 * a V#, a pixel program that interpolates the colour, and packets to draw with
 * them into a linear B8G8R8A8 frame. */
#ifndef TESTS_RASTER_BARE_METAL_H
#define TESTS_RASTER_BARE_METAL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "isa/gcn.h"
#include "isa/pm4.h"
#include "isa/regs.h"
#include "isa/resource.h"
#include "raster/rs.h"
#include "tests/check.h"

#ifndef BARE_METAL_OWN_SIZE /* of the frame; a test may have its own */
enum { WIDTH = 1280, HEIGHT = 720 };
#endif

/* --- Programs --- */

struct code { _Alignas(256) uint32_t dw[64]; unsigned n; };

static void add(struct code *c, struct gcn_inst *in)
{
	const char *why = "";
	uint32_t dw[4];
	unsigned n = gcn_encode(GCN_GFX9, in, dw, &why);
	if (!n) {
		printf("%s: %s\n", gcn_op_info(in->op)->name, why);
		exit(1);
	}
	memcpy(c->dw + c->n, dw, n * 4);
	c->n += n;
}

#define VGPR(n) (GCN_SRC_VGPR0 + (n))

static void mov(struct code *c, enum gcn_op op, uint16_t dst, uint16_t src)
{
	struct gcn_inst in;
	gcn_inst_init(&in, op);
	in.dst = dst;
	in.src[0] = src;
	add(c, &in);
}

static void plain(struct code *c, enum gcn_op op, int32_t imm)
{
	struct gcn_inst in;
	gcn_inst_init(&in, op);
	in.offset = imm;
	add(c, &in);
}

/* Three floats of record v0 of the V# in s[0:3]. */
static void fetch(struct code *c, unsigned vdata, int32_t offset)
{
	struct gcn_inst in;
	gcn_inst_init(&in, GCN_BUFFER_LOAD_FORMAT_XYZ);
	in.dst = (uint16_t)VGPR(vdata);
	in.src[0] = VGPR(0);
	in.src[1] = 0;
	in.src[2] = GCN_SRC_0;
	in.idxen = 1;
	in.offset = offset;
	add(c, &in);
}

static void export(struct code *c, unsigned target, unsigned v, int done, int vm)
{
	struct gcn_inst in;
	gcn_inst_init(&in, GCN_EXPORT);
	for (unsigned i = 0; i < 4; i++)
		in.src[i] = (uint16_t)VGPR(v + i);
	in.exp_target = (uint8_t)target;
	in.en = 15;
	in.done = (uint8_t)done;
	in.vm = (uint8_t)vm;
	add(c, &in);
}

static inline void make_vs(struct code *c)
{
	fetch(c, 4, 0);
	fetch(c, 8, 12);
	mov(c, GCN_V_MOV_B32, VGPR(7), GCN_SRC_1F);
	mov(c, GCN_V_MOV_B32, VGPR(11), GCN_SRC_1F);
	plain(c, GCN_S_WAITCNT, gcn_waitcnt(0, 7, 15));
	export(c, GCN_EXP_POS0, 4, 1, 0);
	export(c, GCN_EXP_PARAM0, 8, 0, 0);
	plain(c, GCN_S_ENDPGM, 0);
}

/* v0, v1: I and J; s0: the prim mask. */
static inline void make_ps(struct code *c)
{
	mov(c, GCN_S_MOV_B32, GCN_SRC_M0, 0);
	plain(c, GCN_S_NOP, 0);
	for (unsigned ch = 0; ch < 3; ch++)
		for (unsigned step = 0; step < 2; step++) {
			struct gcn_inst in;
			gcn_inst_init(&in, step ? GCN_V_INTERP_P2_F32 : GCN_V_INTERP_P1_F32);
			in.dst = (uint16_t)VGPR(2 + ch);
			in.src[0] = (uint16_t)VGPR(step);
			in.attr = 0;
			in.attrchan = (uint8_t)ch;
			add(c, &in);
		}
	mov(c, GCN_V_MOV_B32, VGPR(5), GCN_SRC_1F);
	export(c, GCN_EXP_MRT0, 2, 1, 1);
	plain(c, GCN_S_ENDPGM, 0);
}

/* --- Packets --- */

struct stream { uint32_t dw[8192]; unsigned n; };

static void packet(struct stream *s, enum pm4_op op, unsigned n, const uint32_t *payload)
{
	s->dw[s->n++] = pm4_header(op, n, 0);
	memcpy(s->dw + s->n, payload, n * 4);
	s->n += n;
}
#define PACKET(s, op, ...) \
	packet(s, PM4_##op, sizeof(uint32_t[]){ __VA_ARGS__ } / 4, (uint32_t[]){ __VA_ARGS__ })

static uint32_t bits(float f)
{
	uint32_t u;
	memcpy(&u, &f, 4);
	return u;
}
static uint32_t address_lo(const void *p) { return (uint32_t)((uintptr_t)p >> 8); }
static uint32_t address_hi(const void *p) { return (uint32_t)((uint64_t)(uintptr_t)p >> 40); }

/* Records of three floats of position and three of colour. */
static void make_vertex_buffer(uint32_t v[4], const float *verts, uint32_t count)
{
	memset(v, 0, 16);
	ISA_SET(v, V_BASE_LO, (uint32_t)(uintptr_t)verts);
	ISA_SET(v, V_BASE_HI, (uint32_t)((uint64_t)(uintptr_t)verts >> 32));
	ISA_SET(v, V_STRIDE, 24);
	ISA_SET(v, V_NUM_RECORDS, count);
	ISA_SET(v, V_DST_SEL(0), SEL_R);
	ISA_SET(v, V_DST_SEL(1), SEL_G);
	ISA_SET(v, V_DST_SEL(2), SEL_B);
	ISA_SET(v, V_DST_SEL(3), SEL_1);
	ISA_SET(v, V_NUM_FORMAT, NFMT_FLOAT);
	ISA_SET(v, V_DATA_FORMAT, DFMT_32_32_32);
}

static inline void set_target(struct stream *s, const uint8_t *frame)
{
	PACKET(s, SET_CONTEXT_REG, R_CB_COLOR_BASE, address_lo(frame), address_hi(frame),
		REG_SET(CB_COLOR_ATTRIB2, MIP0_WIDTH, WIDTH - 1) | REG_SET(CB_COLOR_ATTRIB2, MIP0_HEIGHT, HEIGHT - 1),
		0, /* one slice */
		REG_SET(CB_COLOR_INFO, FORMAT, DFMT_8_8_8_8) | REG_SET(CB_COLOR_INFO, NUMBER_TYPE, NFMT_UNORM),
		REG_SET(CB_COLOR_ATTRIB, TILE_MODE_INDEX, TILING_LINEAR) |
		REG_SET(CB_COLOR_ATTRIB, SEL_X, SEL_B) | REG_SET(CB_COLOR_ATTRIB, SEL_Y, SEL_G) |
		REG_SET(CB_COLOR_ATTRIB, SEL_Z, SEL_R) | REG_SET(CB_COLOR_ATTRIB, SEL_W, SEL_A));
	PACKET(s, SET_CONTEXT_REG, R_CB_TARGET_MASK, 15, 15);
	PACKET(s, SET_CONTEXT_REG, R_CB_COLOR_CONTROL,
		REG_SET(CB_COLOR_CONTROL, MODE, 1) | REG_SET(CB_COLOR_CONTROL, ROP3, 0xcc));
	PACKET(s, SET_CONTEXT_REG, R_SPI_SHADER_COL_FORMAT, 9);
}

static inline void set_geometry(struct stream *s)
{
	PACKET(s, SET_CONTEXT_REG, R_PA_SC_SCREEN_SCISSOR_TL, 0, 0x40004000);
	PACKET(s, SET_CONTEXT_REG, R_PA_SC_VPORT_SCISSOR_TL, 0, HEIGHT << 16 | WIDTH);
	PACKET(s, SET_CONTEXT_REG, R_PA_SC_AA_MASK_X0Y0_X1Y0, 0xffff);
	PACKET(s, SET_CONTEXT_REG, R_PA_CL_CLIP_CNTL, REG_SET(PA_CL_CLIP_CNTL, CLIP_DISABLE, 1));
	PACKET(s, SET_CONTEXT_REG, R_PA_CL_VPORT_XSCALE, bits(WIDTH / 2), bits(WIDTH / 2),
		bits(-HEIGHT / 2), bits(HEIGHT / 2), /* y up */
		bits(0.5f), bits(0.5f));
	PACKET(s, SET_CONTEXT_REG, R_PA_CL_VTE_CNTL, 0x3f | REG_SET(PA_CL_VTE_CNTL, VTX_W0_FMT, 1));
}

static inline void set_programs(struct stream *s, const struct code *vs, const struct code *ps,
	const float *verts, uint32_t count)
{
	uint32_t v[4];
	make_vertex_buffer(v, verts, count);
	PACKET(s, SET_SH_REG, R_SPI_SHADER_PGM_LO_VS, address_lo(vs->dw), address_hi(vs->dw),
		REG_SET(SPI_SHADER_PGM_RSRC1_VS, VGPRS, 2), REG_SET(SPI_SHADER_PGM_RSRC2_VS, USER_SGPR, 4));
	PACKET(s, SET_SH_REG, R_SPI_SHADER_USER_DATA_VS, v[0], v[1], v[2], v[3]);
	PACKET(s, SET_SH_REG, R_SPI_SHADER_PGM_LO_PS, address_lo(ps->dw), address_hi(ps->dw),
		REG_SET(SPI_SHADER_PGM_RSRC1_PS, VGPRS, 1), 0);
	PACKET(s, SET_CONTEXT_REG, R_SPI_PS_INPUT_CNTL, REG_SET(SPI_PS_INPUT_CNTL, OFFSET, 0));
	PACKET(s, SET_CONTEXT_REG, R_SPI_PS_INPUT_ENA, REG_SET(SPI_PS_INPUT_ENA, PERSP_CENTER_ENA, 1),
		REG_SET(SPI_PS_INPUT_ENA, PERSP_CENTER_ENA, 1));
	PACKET(s, SET_CONTEXT_REG, R_SPI_PS_IN_CONTROL, REG_SET(SPI_PS_IN_CONTROL, NUM_INTERP, 1));
}

/* The i-th of six: 1, 2 and 7 threads at both kernel levels; NULL where this CPU lacks the level. */
static inline struct rs_gpu *make_gpu(unsigned i)
{
	static const unsigned threads[] = { 1, 2, 7 };
	static const char *const levels[] = { "v3", "v4" };
	const char *why = "";
	struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ threads[i / 2], levels[i % 2] }, &why);
	if (!gpu && i % 2)
		printf("level v4 is left out: %s\n", why);
	else
		CHECK(gpu);
	return gpu;
}

static inline uint64_t hash(const uint8_t *p, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

#endif
