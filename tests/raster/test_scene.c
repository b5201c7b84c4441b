/* SPDX-License-Identifier: MIT */
/* Twenty thousand blended triangles, near and behind the eye, in draws of all
 * sizes: the same picture for any number of threads and both kernel levels. */
#include "bare_metal.h"

enum { TRIANGLES = 20000, SMALL_DRAWS = 200 };

static float verts[TRIANGLES * 3 * 6];
static uint16_t indices[3 * SMALL_DRAWS];

static float noise(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (float)(*seed >> 8) * 0x1p-24f;
}

/* Positions are x, y, z with w = z. */
static void make_vertices(void)
{
	uint32_t seed = 1;
	for (unsigned i = 0; i < TRIANGLES; i++) {
		float size = i % 100 ? 0.02f : 1.5f, depth = i % 50 ? 1 : 0.2f;
		float x = 2 * noise(&seed) - 1, y = 2 * noise(&seed) - 1;
		for (unsigned k = 0; k < 3; k++) {
			float *v = &verts[(i * 3 + k) * 6];
			v[2] = depth + (noise(&seed) - 0.5f) * (i % 50 ? 0.5f : 1.0f);
			v[0] = (x + size * noise(&seed)) * depth;
			v[1] = (y + size * noise(&seed)) * depth;
			for (unsigned c = 3; c < 6; c++)
				v[c] = noise(&seed);
		}
	}
	for (unsigned i = 0; i < 3 * SMALL_DRAWS; i++)
		indices[i] = (uint16_t)(noise(&seed) * 0xffff);
}

static void make_perspective_vs(struct code *c)
{
	fetch(c, 4, 0);
	fetch(c, 8, 12);
	mov(c, GCN_V_MOV_B32, VGPR(11), GCN_SRC_1F);
	plain(c, GCN_S_WAITCNT, gcn_waitcnt(0, 7, 15));
	mov(c, GCN_V_MOV_B32, VGPR(7), VGPR(6));
	export(c, GCN_EXP_POS0, 4, 1, 0);
	export(c, GCN_EXP_PARAM0, 8, 0, 0);
	plain(c, GCN_S_ENDPGM, 0);
}

static void draw_all(struct stream *s)
{
	PACKET(s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, 4);
	PACKET(s, NUM_INSTANCES, 1);
	PACKET(s, DRAW_INDEX_AUTO, 3 * TRIANGLES, PM4_DI_SRC_AUTO);
	for (unsigned i = 0; i < SMALL_DRAWS; i++) {
		uint64_t a = (uint64_t)(uintptr_t)(indices + 3 * i);
		uint32_t x = 6 * i, strip = i & 1 ? 6 : 4;
		PACKET(s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, strip);
		PACKET(s, SET_CONTEXT_REG, R_PA_SC_VPORT_SCISSOR_TL, x, HEIGHT << 16 | (x + 200));
		PACKET(s, DRAW_INDEX_2, 3, (uint32_t)a, (uint32_t)(a >> 32), 3, 0);
	}
}

static void make_stream(struct stream *s, const uint8_t *frame, const struct code *vs, const struct code *ps)
{
	struct pm4_clear_target clear = { .targets = PM4_CLEAR_COLOR0, .width = WIDTH, .height = HEIGHT,
		.slice_count = 1 };
	s->n = 0;
	set_target(s, frame);
	set_geometry(s);
	set_programs(s, vs, ps, verts, TRIANGLES * 3);
	PACKET(s, SET_CONTEXT_REG, R_PA_CL_CLIP_CNTL, REG_SET(PA_CL_CLIP_CNTL, DX_CLIP_SPACE_DEF, 1));
	/* Half of the new over half of the old: order shows. */
	PACKET(s, SET_CONTEXT_REG, R_CB_BLEND_ALPHA, bits(0.5f));
	PACKET(s, SET_CONTEXT_REG, R_CB_BLEND_CONTROL, REG_SET(CB_BLEND_CONTROL, ENABLE, 1) |
		REG_SET(CB_BLEND_CONTROL, COLOR_SRCBLEND, 19) | REG_SET(CB_BLEND_CONTROL, COLOR_DESTBLEND, 20));
	packet(s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&clear);
	draw_all(s);
}

static size_t count_drawn(const uint8_t *frame)
{
	size_t n = 0;
	for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
		n += frame[4 * i] || frame[4 * i + 1] || frame[4 * i + 2];
	return n;
}

int main(void)
{
	static struct code vs, ps;
	static struct stream stream;
	static const unsigned threads[] = { 1, 2, 7 };
	static const char *const levels[] = { "v3", "v4" };
	size_t bytes = (size_t)WIDTH * HEIGHT * 4;
	uint8_t *frame = aligned_alloc(256, bytes);
	uint64_t first = 0;
	CHECK(frame);
	make_vertices();
	make_perspective_vs(&vs);
	make_ps(&ps);
	make_stream(&stream, frame, &vs, &ps);
	for (unsigned i = 0; i < 6; i++) {
		const char *why = "";
		struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ threads[i / 2], levels[i % 2] }, &why);
		if (!gpu && i % 2)
			continue;
		CHECK(gpu);
		memset(frame, 0x55, bytes);
		if (rs_gpu_execute(gpu, stream.dw, stream.n) != RS_OK) {
			printf("lost: %s\n", rs_gpu_error(gpu));
			return 1;
		}
		rs_gpu_destroy(gpu);
		if (i == 0) {
			first = hash(frame, bytes);
			CHECK(count_drawn(frame) > (size_t)WIDTH * HEIGHT / 2);
		}
		CHECK(hash(frame, bytes) == first);
	}
	free(frame);
	return 0;
}
