/* SPDX-License-Identifier: MIT */
/* A place with the eye in its middle: most of what is drawn is out of view, and half of the rest faces away. */
#include "bench/steps.h"

#include <math.h>

#include "around_frag.h"
#include "around_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

enum { RINGS = 3, ON_RING = 16, OBJECTS = RINGS * ON_RING, LONG = 80, ROUND = 40 };
enum { VERTICES = (LONG + 1) * (ROUND + 1), INDICES = LONG * ROUND * 6 };

struct push { float view[4][4], place[4], tint[4]; };

/* --- the mesh: a torus --- */

static void make_vertex(struct bench_vertex *v, int i, int j)
{
	const double turn = 2 * 3.14159265358979 / LONG, twist = 2 * 3.14159265358979 / ROUND;
	const float x = (float)cos(turn * i), y = (float)sin(turn * i), out = (float)cos(twist * j), up = (float)sin(twist * j);
	const float radius = 0.7f + 0.3f * out;
	*v = (struct bench_vertex){ { radius * x, radius * y, 0.3f * up }, { out * x, out * y, up }, { -y, x, 0, 1 },
		{ 8 * (float)i / LONG, 4 * (float)j / ROUND } };
}

static void make_mesh(struct bench *b)
{
	static const int corner[6] = { 0, 1, 2, 2, 1, 3 };
	static struct bench_vertex vertices[VERTICES];
	static uint16_t indices[INDICES];
	for (int n = 0; n < VERTICES; n++)
		make_vertex(&vertices[n], n / (ROUND + 1), n % (ROUND + 1));
	for (int n = 0; n < INDICES; n++) {
		const int quad = n / 6, c = corner[n % 6];
		indices[n] = (uint16_t)((quad / ROUND + (c & 1)) * (ROUND + 1) + quad % ROUND + (c >> 1));
	}
	b->vertices = vh_make_buffer(&b->vh, sizeof vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, vertices);
	b->indices = vh_make_buffer(&b->vh, sizeof indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);
}

static struct push push_of(int object)
{
	const int ring = object / ON_RING;
	const double angle = 2 * 3.14159265358979 * (object + 0.37 * ring) / ON_RING;
	const float far = 3.4f + 1.5f * (float)ring;
	struct push p = { .place = { far * (float)sin(angle), (float)(object % 3 - 1) * 0.4f * far / 3.4f, far * (float)cos(angle), 0.62f } };
	reference_view(p.view, (float[3]){ 0, 0, 0 }, 0);
	for (int c = 0; c < 3; c++)
		p.tint[c] = 0.35f + 0.55f * (float)((object * (17 + 12 * c) + 31 * c) % 50) / 50;
	return p;
}

/* --- the picture --- */

/* Those behind and beside the eye are not in it. */
static bool is_seen(const struct push *p) { return p->place[2] > 1 && fabsf(p->place[0]) < p->place[2] + 1.2f; }

static void make_reference(struct bench *b)
{
	const struct bench_vertex *vertex = b->vertices.map;
	b->reference = reference_create(BENCH_WIDTH, BENCH_HEIGHT);
	for (int i = 0; i < OBJECTS; i++) {
		const struct push push = push_of(i);
		if (is_seen(&push))
			reference_draw(b->reference, (uint32_t)i, push.view, vertex->position, sizeof *vertex / sizeof(float), push.place,
				b->indices.map, INDICES);
	}
}

static float dot(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* around.frag. */
static void shade(const struct bench *b, const struct reference_hit *hit, float rgb[3])
{
	static const float sun[3] = { 0.48f, 0.64f, -0.6f };
	const struct bench_vertex *vertex = b->vertices.map;
	const struct push push = push_of((int)hit->draw);
	float n[3] = { 0 }, t[3] = { 0 }, uv = 0;
	for (int i = 0; i < 3; i++) {
		const struct bench_vertex *v = &vertex[hit->vertex[i]];
		for (int c = 0; c < 3; c++) {
			n[c] += hit->weight[i] * v->normal[c];
			t[c] += hit->weight[i] * v->tangent[c];
		}
		uv += hit->weight[i] * (v->uv[0] + v->uv[1]);
	}
	const float light = fmaxf(dot(n, sun) / sqrtf(dot(n, n)), 0), along = dot(t, sun) / sqrtf(dot(t, t));
	const float band = fabsf(uv - floorf(uv) - 0.5f);
	for (int c = 0; c < 3; c++)
		rgb[c] = push.tint[c] * (0.2f + 0.4f * light + 0.4f * band) + 0.2f * (1 - along * along);
}

/* Where triangles fold, which of them a pixel shows is up to rounding. */
static bool expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	struct reference_hit hit;
	if (!reference_find(b->reference, x, y, 0.05f, &hit))
		return false;
	for (int c = 0; c < 3; c++)
		rgb[c] = b->pass.clear[0].color.float32[c];
	if (hit.w > 0)
		shade(b, &hit, rgb);
	return true;
}

/* --- the scene --- */

static void setup(struct bench *b)
{
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, true);
	b->layout = vh_make_layout(&b->vh, NULL, 0, VK_SHADER_STAGE_VERTEX_BIT, sizeof(struct push));
	make_mesh(b);
	make_reference(b);
	bench_make_mesh_pipeline(b, SHADER(&b->vh, around_vert), SHADER(&b->vh, around_frag), VK_FRONT_FACE_CLOCKWISE);
}

static void record(struct bench *b, VkCommandBuffer commands)
{
	bench_begin_mesh(b, commands);
	for (int i = 0; i < OBJECTS; i++) {
		const struct push push = push_of(i);
		bench_draw_object(b, commands, &push, sizeof push, INDICES, 0);
	}
	vkCmdEndRenderPass(commands);
}

const struct bench_scene bench_around = { .name = "around", .unit = "frame/s",
	.what = "48 objects of 6,400 triangles on all sides of the eye, back faces culled, lit, with depth test, 1280x720",
	.setup = setup, .record = record, .work = 1, .expect = expect, .tolerance = 4 };
