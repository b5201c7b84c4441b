/* SPDX-License-Identifier: MIT */
/* A frame of 16384 x 16384: triangles between its corners and those of the guard band, against edge functions in
 * 128 bits, in windows at the frame's corners, its sides and its middle.  Scissors keep all else untouched. */
#define BARE_METAL_OWN_SIZE
enum { WIDTH = 16384, HEIGHT = 16384 };
#include <math.h>
#include <sys/mman.h>
#include "bare_metal.h"
#include "raster/front/pa.h"

enum { WINDOW = 72, PLACES = 3, TRIANGLES = 40 };
static const int place[PLACES] = { 0, WIDTH / 2 - WINDOW / 2, WIDTH - WINDOW };
static uint64_t state = 88172645463325252ull;

static uint32_t random_bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

/* A coordinate: an end of the guard band or frame, or anywhere. */
static float coordinate(void)
{
	static const float ends[] = { -RS_GUARD, RS_GUARD, 0, WIDTH, 0.5f, WIDTH - 0.5f, WIDTH - 0x1p-8f, WIDTH / 2 };
	unsigned n = random_bits() % 12;
	return n < 8 ? ends[n] : (float)((int32_t)(random_bits() % (65534 << 8)) - (32767 << 8)) / 256;
}

/* Vertices; one of every other triangle lies in a window, so that edges come through it. */
static void make_triangle(float verts[18], unsigned number)
{
	for (unsigned i = 0; i < 3; i++) {
		float *v = verts + 6 * i;
		bool near = number % 2 && i == 0;
		for (unsigned k = 0; k < 2; k++)
			v[k] = near ? (float)place[random_bits() % PLACES] + (float)(random_bits() % (WINDOW << 8)) / 256 : coordinate();
		v[2] = 0;
		v[3] = v[4] = v[5] = 1;
	}
}

/* Top-left rule: a point on an edge belongs to a left edge, or to a horizontal top one. */
static bool covered(const float verts[18], int x, int y)
{
	__int128 at[2] = { 256 * x + 128, 256 * y + 128 }, v[3][2];
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 2; k++)
			v[i][k] = (__int128)rintf(verts[6 * i + k] * 256);
	__int128 area = (v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) - (v[2][0] - v[0][0]) * (v[1][1] - v[0][1]);
	for (int i = 0; i < 3 && area; i++) {
		const __int128 *from = v[i], *to = v[(i + 1) % 3];
		__int128 dx = area > 0 ? to[0] - from[0] : from[0] - to[0], dy = area > 0 ? to[1] - from[1] : from[1] - to[1];
		__int128 e = dx * (at[1] - from[1]) - dy * (at[0] - from[0]);
		if (e < 0 || (e == 0 && !(dy < 0 || (dy == 0 && dx > 0))))
			return false;
	}
	return area != 0;
}

static void make_stream(struct stream *s, const uint8_t *frame, const struct code *vs, const struct code *ps,
	const float *verts, int x, int y)
{
	s->n = 0;
	set_target(s, frame);
	set_geometry(s);
	PACKET(s, SET_CONTEXT_REG, R_PA_SC_VPORT_SCISSOR_TL, (uint32_t)(y << 16 | x), (uint32_t)((y + WINDOW) << 16 | (x + WINDOW)));
	PACKET(s, SET_CONTEXT_REG, R_PA_CL_VPORT_XSCALE, bits(1), 0, bits(1), 0, bits(1), 0); /* positions are pixels */
	set_programs(s, vs, ps, verts, 3);
	PACKET(s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, 4);
	PACKET(s, NUM_INSTANCES, 1);
	PACKET(s, DRAW_INDEX_AUTO, 3, PM4_DI_SRC_AUTO);
	PACKET(s, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0);
}

/* Compares a window and makes it zero again; how many pixels were covered. */
static unsigned check_window(uint8_t *frame, const float *verts, int x0, int y0)
{
	unsigned count = 0;
	for (int y = y0; y < y0 + WINDOW; y++)
		for (int x = x0; x < x0 + WINDOW; x++) {
			uint32_t *p = (uint32_t *)(void *)(frame + ((size_t)y * WIDTH + (size_t)x) * 4);
			bool want = covered(verts, x, y);
			CHECK(*p == (want ? 0xffffffff : 0), "(%d, %d) is %08x, covered %d: (%f %f) (%f %f) (%f %f)", x, y, *p, want,
				(double)verts[0], (double)verts[1], (double)verts[6], (double)verts[7], (double)verts[12], (double)verts[13]);
			count += want;
			*p = 0;
		}
	return count;
}

static void check_level(const char *level, uint8_t *frame, const struct code *vs, const struct code *ps)
{
	static struct stream s;
	const char *why = "";
	unsigned whole = 0, part = 0;
	float verts[18];
	struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ 2, level }, &why);
	if (!gpu) {
		printf("level %s is left out: %s\n", level, why);
		return;
	}
	for (unsigned n = 0; n < TRIANGLES; n++) {
		make_triangle(verts, n);
		for (unsigned w = 0; w < PLACES * PLACES; w++) {
			int x = place[w % PLACES], y = place[w / PLACES];
			make_stream(&s, frame, vs, ps, verts, x, y);
			CHECK(rs_gpu_execute(gpu, s.dw, s.n) == RS_OK, "%s", rs_gpu_error(gpu));
			unsigned count = check_window(frame, verts, x, y);
			whole += count == WINDOW * WINDOW;
			part += count && count < WINDOW * WINDOW;
		}
	}
	printf("%s: %u windows whole, %u in part\n", level, whole, part);
	CHECK(whole > TRIANGLES / 2 && part > TRIANGLES / 2);
	rs_gpu_destroy(gpu);
}

int main(void)
{
	static struct code vs, ps;
	size_t bytes = (size_t)WIDTH * HEIGHT * 4;
	uint8_t *frame = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	CHECK(frame != MAP_FAILED);
	make_vs(&vs);
	make_ps(&ps);
	check_level("v3", frame, &vs, &ps);
	check_level("v4", frame, &vs, &ps);
	munmap(frame, bytes);
	return 0;
}
