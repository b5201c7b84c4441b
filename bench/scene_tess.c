/* SPDX-License-Identifier: MIT */
/* Tessellation: a terrain at one level, a torus at levels that follow the distance.
 *
 * What a pixel must show is found without triangles: the ray through it is followed to the surface. */
#include "bench/bench.h"

#include <math.h>

#include "lit_frag.h"
#include "terrain_tesc.h"
#include "terrain_tese.h"
#include "terrain_vert.h"
#include "torus_tesc.h"
#include "torus_tese.h"
#include "torus_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

static const struct vh_wants wants = { .core = { .tessellationShader = VK_TRUE } };

struct vec { float x, y, z; };

static struct vec along(struct vec from, struct vec way, float t)
{
	return (struct vec){ from.x + t * way.x, from.y + t * way.y, from.z + t * way.z };
}

static float dot(struct vec a, struct vec b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vec to_unit(struct vec v)
{
	const float scale = 1 / sqrtf(dot(v, v));
	return (struct vec){ scale * v.x, scale * v.y, scale * v.z };
}

/* The way of the ray through a pixel's middle; one that looks down by an angle of this sine. */
static struct vec find_way(float x, float y, float sine)
{
	const float right = ((x + 0.5f) / BENCH_WIDTH * 2 - 1) / 1.17f, up = -((y + 0.5f) / BENCH_HEIGHT * 2 - 1) / 2.08f;
	const float cosine = sqrtf(1 - sine * sine);
	return (struct vec){ right, cosine * up - sine, cosine + sine * up };
}

/* lit.frag. */
static void light(struct vec n, float rgb[3])
{
	const float l = 0.2f + 0.7f * fmaxf(dot(n, (struct vec){ 0.48f, 0.64f, -0.6f }), 0);
	rgb[0] = l;
	rgb[1] = l * (0.5f + 0.5f * n.y);
	rgb[2] = l * (0.5f + 0.5f * n.x);
}

/* Where the rays of a pixel and of its neighbours meet a surface; false where one of them meets another part of
 * it, or nothing: rounding may decide there.  `*hit` is whether they do. */
static bool find_place(float (*find)(struct vec way), uint32_t x, uint32_t y, float sine, struct vec eye, bool *hit,
	struct vec *place)
{
	static const float around[4][2] = { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
	const struct vec way = find_way((float)x, (float)y, sine);
	const float t = find(way);
	*hit = t >= 0;
	*place = along(eye, way, t);
	for (int i = 0; i < 4; i++) {
		const float near = find(find_way((float)x + around[i][0], (float)y + around[i][1], sine));
		if ((near >= 0) != *hit || (*hit && fabsf(near - t) > 0.02f))
			return false;
	}
	return true;
}

/* Patches of a draw: lavapipe counts the points that are made of them in 16 bits. */
enum { DRAWN = 32 };

static void make_pipeline(struct bench *b, struct vh_pipeline_info info)
{
	const VkVertexInputBindingDescription binding = { 0, sizeof(struct vec), VK_VERTEX_INPUT_RATE_VERTEX };
	const VkVertexInputAttributeDescription attribute = { 0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0 };
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, true);
	info.fragment = SHADER(&b->vh, lit_frag);
	info.layout = b->layout.pipeline;
	info.pass = &b->pass;
	info.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
	info.depth_test = info.depth_write = true;
	info.bindings = &binding;
	info.attributes = &attribute;
	info.binding_count = info.attribute_count = b->vertices.size ? 1 : 0;
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

/* --- terrain --- */

enum { GRID = 64, GRID_LEVEL = 32 };

static const struct vec terrain_eye = { 0, 1, -1.8f };

static void terrain_setup(struct bench *b)
{
	struct vh *h = &b->vh;
	make_pipeline(b, (struct vh_pipeline_info){ .vertex = SHADER(h, terrain_vert), .control = SHADER(h, terrain_tesc),
		.evaluation = SHADER(h, terrain_tese), .patch_points = 4 });
}

static void terrain_record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	for (uint32_t patch = 0; patch < GRID * GRID; patch += DRAWN)
		vkCmdDraw(commands, 4 * DRAWN, 1, 4 * patch, 0);
	vkCmdEndRenderPass(commands);
}

/* Above the hills: terrain.tese. */
static float height_over(struct vec p)
{
	return p.y - 0.12f * sinf(3 * p.x + 0.5f) * cosf(3 * p.z) - 0.02f * sinf(9 * (p.x + p.z));
}

/* How far along its way a ray meets the hills within the square; -1: it does not. */
static float find_hills(struct vec way)
{
	const float step = 0.02f;
	for (float t = 0.5f; t < 4; t += step) {
		struct vec p = along(terrain_eye, way, t);
		if (fabsf(p.x) > 1 || fabsf(p.z) > 1 || height_over(p) > 0)
			continue;
		float low = t - step, high = t;
		for (int i = 0; i < 16; i++) {
			float middle = 0.5f * (low + high);
			p = along(terrain_eye, way, middle);
			if (height_over(p) > 0)
				low = middle;
			else
				high = middle;
		}
		return fabsf(p.x) > 0.99f || fabsf(p.z) > 0.99f ? -1 : high;
	}
	return -1;
}

static bool terrain_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	struct vec p;
	bool hit;
	if (!find_place(find_hills, x, y, 0.5f, terrain_eye, &hit, &p) || !hit)
		return false;
	const float slope = 0.18f * cosf(9 * (p.x + p.z)), a = 3 * p.x + 0.5f, b3 = 3 * p.z;
	light(to_unit((struct vec){ -0.36f * cosf(a) * cosf(b3) - slope, 1, 0.36f * sinf(a) * sinf(b3) - slope }), rgb);
	return true;
}

const struct bench_scene bench_terrain = { .name = "terrain", .unit = "Mtriangle/s",
	.what = "64x64 quads at level 32, displaced, with depth test, 1280x720", .wants = &wants, .setup = terrain_setup,
	.record = terrain_record, .work = 2e-6 * GRID * GRID * GRID_LEVEL * GRID_LEVEL, .expect = terrain_expect, .tolerance = 3 };

/* --- torus --- */

enum { ROUND = 64, TUBE = 32, PATCHES = ROUND * TUBE, POINTS = 16 };
static const float ring_radius = 0.8f, tube_radius = 0.35f, tilt_sine = 0.6f, tilt_cosine = 0.8f;
static const struct vec torus_eye = { 0, 0, -2.4f };

/* Point i of a circle of n cubics, three a cubic. */
static void find_control(int i, int n, float out[2])
{
	const double pi = 3.14159265358979, step = 2 * pi / n, handle = 4.0 / 3 * tan(step / 4);
	const int on = (i + 1) / 3;
	const double turn = i % 3 == 0 ? 0 : i % 3 == 1 ? handle : -handle, a = step * on;
	out[0] = (float)(cos(a) - turn * sin(a));
	out[1] = (float)(sin(a) + turn * cos(a));
}

static void make_controls(struct vec *out)
{
	for (int i = 0; i < 3 * ROUND; i++)
		for (int j = 0; j < 3 * TUBE; j++) {
			float ring[2], tube[2];
			find_control(i, ROUND, ring);
			find_control(j, TUBE, tube);
			const float radius = ring_radius + tube_radius * tube[0], y = tube_radius * tube[1], z = radius * ring[1];
			*out++ = (struct vec){ radius * ring[0], tilt_cosine * y - tilt_sine * z, tilt_sine * y + tilt_cosine * z };
		}
}

static void torus_setup(struct bench *b)
{
	static struct vec controls[9 * PATCHES];
	static uint16_t indices[PATCHES][POINTS];
	struct vh *h = &b->vh;
	make_controls(controls);
	for (int p = 0; p < PATCHES; p++)
		for (int i = 0; i < POINTS; i++)
			indices[p][i] = (uint16_t)((3 * (p / TUBE) + i / 4) % (3 * ROUND) * (3 * TUBE) + (3 * (p % TUBE) + i % 4) % (3 * TUBE));
	b->vertices = vh_make_buffer(h, sizeof controls, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, controls);
	b->indices = vh_make_buffer(h, sizeof indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);
	make_pipeline(b, (struct vh_pipeline_info){ .vertex = SHADER(h, torus_vert), .control = SHADER(h, torus_tesc),
		.evaluation = SHADER(h, torus_tese), .patch_points = POINTS, .cull = VK_CULL_MODE_BACK_BIT });
}

static void torus_record(struct bench *b, VkCommandBuffer commands)
{
	const VkDeviceSize zero = 0;
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdBindVertexBuffers(commands, 0, 1, &b->vertices.handle, &zero);
	vkCmdBindIndexBuffer(commands, b->indices.handle, 0, VK_INDEX_TYPE_UINT16);
	for (uint32_t patch = 0; patch < PATCHES; patch += DRAWN)
		vkCmdDrawIndexed(commands, POINTS * DRAWN, 1, POINTS * patch, 0, 0);
	vkCmdEndRenderPass(commands);
}

/* From space to the torus's own, and back. */
static struct vec tilt(struct vec p, float sine)
{
	return (struct vec){ p.x, tilt_cosine * p.y + sine * p.z, tilt_cosine * p.z - sine * p.y };
}

/* The way from the nearest point of the circle within the tube. */
static struct vec from_ring(struct vec p)
{
	const float scale = 1 - ring_radius / sqrtf(p.x * p.x + p.z * p.z);
	return (struct vec){ p.x * scale, p.y, p.z * scale };
}

static float find_torus(struct vec way)
{
	const float length = sqrtf(dot(way, way));
	for (float t = 0.5f; t < 4;) {
		const struct vec off = from_ring(tilt(along(torus_eye, way, t), tilt_sine));
		const float left = sqrtf(dot(off, off)) - tube_radius;
		if (left < 1e-5f)
			return t;
		t += left / length;
	}
	return -1;
}

static bool torus_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	struct vec p;
	bool hit;
	rgb[0] = rgb[1] = rgb[2] = 0;
	if (!find_place(find_torus, x, y, 0, torus_eye, &hit, &p))
		return false;
	if (hit)
		light(tilt(to_unit(from_ring(tilt(p, tilt_sine))), -tilt_sine), rgb);
	return true;
}

const struct bench_scene bench_tess_model = { .name = "tess_model", .unit = "Mpatch/s",
	.what = "a torus of 2,048 bicubic patches at fractional levels by distance, 1280x720", .wants = &wants,
	.setup = torus_setup, .record = torus_record, .work = 1e-6 * PATCHES, .expect = torus_expect, .tolerance = 3 };
