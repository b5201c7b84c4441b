/* SPDX-License-Identifier: MIT */
/* The triangle of the HD 7350 demo, bare metal: packets by hand, position and
 * colour fetched through a V#, the colour parameter mapped by its number,
 * 1280x720, B8G8R8A8, no Vulkan in the process.
 *
 *   raster_test_triangle [picture.ppm]
 *
 * The picture must be the same for any number of threads and both kernel
 * levels. */
#include "bare_metal.h"

static const float verts[] = {
	/* positions */      /* colors */
	0.5846f, -0.9f, 0,   1, 0, 0,   /* bottom right */
	-0.5846f, -0.9f, 0,  0, 0, 1,   /* bottom left */
	0.0f, 0.9f, 0,       0, 1, 0,   /* top */
};

static void make_stream(struct stream *s, const uint8_t *frame, const struct code *vs, const struct code *ps)
{
	struct pm4_clear_target clear = { .targets = PM4_CLEAR_COLOR0, .width = WIDTH, .height = HEIGHT,
		.slice_count = 1, .value = { 0, 0, 0, bits(1) } };
	s->n = 0;
	set_target(s, frame);
	set_geometry(s);
	set_programs(s, vs, ps, verts, 3);
	packet(s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&clear);
	PACKET(s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, 4);
	PACKET(s, NUM_INSTANCES, 1);
	PACKET(s, DRAW_INDEX_AUTO, 3, PM4_DI_SRC_AUTO);
	PACKET(s, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0);
}

/* Is channel `c` (0 blue, 1 green, 2 red) the strongest by far at (x, y)? */
static int leads(const uint8_t *frame, int x, int y, int c)
{
	const uint8_t *p = frame + 4 * (y * WIDTH + x);
	for (int i = 0; i < 3; i++)
		if (i != c && p[i] > 40)
			return 0;
	return p[c] > 200 && p[3] == 255;
}

static int is_black(const uint8_t *frame, int x, int y)
{
	const uint8_t *p = frame + 4 * (y * WIDTH + x);
	return !p[0] && !p[1] && !p[2] && p[3] == 255;
}

static void check_picture(const uint8_t *frame)
{
	CHECK(leads(frame, 640 + 355, 678, 2));
	CHECK(leads(frame, 640 - 355, 678, 0));
	CHECK(leads(frame, 640, 60, 1));
	CHECK(is_black(frame, 0, 0) && is_black(frame, WIDTH - 1, HEIGHT - 1) && is_black(frame, 640, 30));
	CHECK(is_black(frame, 200, 678) && is_black(frame, 640, 690));
	/* The centre of gravity has a third of each. */
	const uint8_t *p = frame + 4 * (468 * WIDTH + 640);
	for (int i = 0; i < 3; i++)
		CHECK(p[i] >= 83 && p[i] <= 87);
}

static void write_ppm(const char *name, const uint8_t *frame)
{
	FILE *f = fopen(name, "wb");
	CHECK(f);
	fprintf(f, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
	for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
		fwrite((uint8_t[]){ frame[4 * i + 2], frame[4 * i + 1], frame[4 * i] }, 1, 3, f);
	CHECK(!fclose(f));
}

int main(int argc, char **argv)
{
	static struct code vs, ps;
	static struct stream stream;
	size_t bytes = (size_t)WIDTH * HEIGHT * 4;
	uint8_t *frame = aligned_alloc(256, bytes);
	uint64_t first = 0;
	CHECK(frame);
	make_vs(&vs);
	make_ps(&ps);
	make_stream(&stream, frame, &vs, &ps);
	for (unsigned i = 0; i < 6; i++) {
		struct rs_gpu *gpu = make_gpu(i);
		if (!gpu)
			continue;
		memset(frame, 0x55, bytes);
		if (rs_gpu_execute(gpu, stream.dw, stream.n) != RS_OK) {
			printf("lost: %s\n", rs_gpu_error(gpu));
			return 1;
		}
		rs_gpu_destroy(gpu);
		if (i == 0) {
			first = hash(frame, bytes);
			if (argc > 1)
				write_ppm(argv[1], frame);
			check_picture(frame);
		}
		CHECK(hash(frame, bytes) == first);
	}
	free(frame);
	return 0;
}
