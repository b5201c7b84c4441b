/* SPDX-License-Identifier: MIT */
/* A crowd: characters of one mesh, each vertex of which follows four bones. */
#include "bench/steps.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "skinned_frag.h"
#include "skinned_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

enum { COLUMNS = 8, CHARACTERS = 64, LIMBS = 5, JOINTS = 4, BONES = LIMBS * JOINTS };
enum { RINGS = 40, ROUND = 25, VERTICES = LIMBS * RINGS * ROUND, INDICES = LIMBS * (RINGS - 1) * ROUND * 6 };
_Static_assert(VERTICES == 5000, "as README.md says");

struct vertex {
	float position[3], normal[3];
	uint8_t bone[4], weight[4];
};
struct matrix { float column[4][4]; };
struct push {
	float view[4][4], tint[3];
	uint32_t first;
};

/* Along a straight line; radii of the ends and the middle, and a bulge: the head. */
struct limb {
	float from[3], to[3], radius[3], bulge;
};
static const struct limb limbs[LIMBS] = {
	{ { 0, 0.85f, 0 }, { 0, 1.8f, 0 }, { 0.15f, 0.19f, 0.05f }, 0.09f },
	{ { -0.2f, 1.42f, 0 }, { -0.42f, 0.78f, 0 }, { 0.08f, 0.06f, 0.05f }, 0 },
	{ { 0.2f, 1.42f, 0 }, { 0.42f, 0.78f, 0 }, { 0.08f, 0.06f, 0.05f }, 0 },
	{ { -0.1f, 0.95f, 0 }, { -0.14f, 0, 0 }, { 0.12f, 0.09f, 0.06f }, 0 },
	{ { 0.1f, 0.95f, 0 }, { 0.14f, 0, 0 }, { 0.12f, 0.09f, 0.06f }, 0 },
};

/* --- the mesh --- */

static float radius_at(const struct limb *l, float t)
{
	const float *r = l->radius, cap = fminf(fminf(t, 1 - t) * 12, 1), head = 1 - fminf(fabsf(t - 0.88f) / 0.11f, 1);
	const float bare = r[0] * (1 - t) * (1 - t) + 2 * r[1] * t * (1 - t) + r[2] * t * t;
	return (bare + l->bulge * sqrtf(head)) * sqrtf(cap * (2 - cap));
}

/* Shares of 255 of a limb's joints, more where one is near. */
static void weigh(float t, uint8_t weight[JOINTS])
{
	float share[JOINTS], sum = 0;
	int left = 255;
	for (int j = 0; j < JOINTS; j++) {
		const float away = JOINTS * t - 0.5f - (float)j, square = away * away;
		share[j] = 1 / (0.02f + square * square);
		sum += share[j];
	}
	for (int j = 0; j < JOINTS; j++) {
		weight[j] = (uint8_t)(255 * share[j] / sum);
		left -= weight[j];
	}
	weight[(int)fminf(JOINTS * t, JOINTS - 1)] += (uint8_t)left;
}

static void make_vertex(struct vertex *v, int limb, int ring, int at)
{
	const struct limb *l = &limbs[limb];
	const double angle = 2 * 3.14159265358979 * at / ROUND;
	const float t = (float)ring / (RINGS - 1), step = 0.004f, side = (float)cos(angle), front = (float)sin(angle);
	const float way[2] = { l->to[0] - l->from[0], l->to[1] - l->from[1] }, length = sqrtf(way[0] * way[0] + way[1] * way[1]);
	const float radius = radius_at(l, t), slope = (radius_at(l, t - step) - radius_at(l, t + step)) / (2 * step * length);
	const float ux = way[1] / length, uy = -way[0] / length, scale = 1 / sqrtf(1 + slope * slope);
	const bool end = ring == 0 || ring == RINGS - 1;
	const float out = end ? 0 : scale, along = end ? (ring ? 1 : -1) : slope * scale;
	v->position[0] = l->from[0] + t * way[0] + radius * side * ux;
	v->position[1] = l->from[1] + t * way[1] + radius * side * uy;
	v->position[2] = radius * front;
	v->normal[0] = out * side * ux + along * way[0] / length;
	v->normal[1] = out * side * uy + along * way[1] / length;
	v->normal[2] = out * front;
	for (int j = 0; j < JOINTS; j++)
		v->bone[j] = (uint8_t)(limb * JOINTS + j);
	weigh(t, v->weight);
}

static void make_mesh(struct bench *b)
{
	static struct vertex vertices[VERTICES];
	static uint16_t indices[INDICES];
	uint16_t *index = indices;
	for (int i = 0; i < VERTICES; i++)
		make_vertex(&vertices[i], i / (RINGS * ROUND), i / ROUND % RINGS, i % ROUND);
	for (int limb = 0; limb < LIMBS; limb++)
		for (int quad = 0; quad < (RINGS - 1) * ROUND; quad++) {
			static const int corner[6] = { 0, 2, 1, 1, 2, 3 };
			const int first = limb * RINGS * ROUND + quad / ROUND * ROUND, at = quad % ROUND;
			for (int i = 0; i < 6; i++)
				*index++ = (uint16_t)(first + (corner[i] & 1 ? (at + 1) % ROUND : at) + (corner[i] & 2 ? ROUND : 0));
		}
	b->vertices = vh_make_buffer(&b->vh, sizeof vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, vertices);
	b->indices = vh_make_buffer(&b->vh, sizeof indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);
}

/* --- the bones --- */

static struct matrix multiply(const struct matrix *a, const struct matrix *b)
{
	struct matrix out = { 0 };
	for (int column = 0; column < 4; column++)
		for (int k = 0; k < 4; k++)
			for (int row = 0; row < 4; row++)
				out.column[column][row] += b->column[column][k] * a->column[k][row];
	return out;
}

/* A turn about `axis` (0: x, 1: y) through a point, by the angle whose half has this tangent. */
static struct matrix turn(int axis, float tangent, const float at[3])
{
	const float scale = 1 / (1 + tangent * tangent), cosine = (1 - tangent * tangent) * scale, sine = 2 * tangent * scale;
	const int j = (axis + 1) % 3, k = (axis + 2) % 3;
	struct matrix m = { 0 };
	m.column[axis][axis] = m.column[3][3] = 1;
	m.column[j][j] = m.column[k][k] = cosine;
	m.column[j][k] = sine;
	m.column[k][j] = -sine;
	m.column[3][j] = at[j] - cosine * at[j] + sine * at[k];
	m.column[3][k] = at[k] - sine * at[j] - cosine * at[k];
	return m;
}

/* -1 to 1, by a step of a pose. */
static float swing(int character, int limb)
{
	return (float)((character * 37 + limb * 53) % 100) / 50 - 1;
}

static void pose(struct matrix *bones, int character)
{
	static const float zero[3] = { 0, 0, 0 };
	struct matrix root = turn(1, 0.5f * swing(character, 9), zero);
	root.column[3][0] = 0.95f * ((float)(character % COLUMNS) - 3.5f) + 0.2f * swing(character, 7);
	root.column[3][2] = 1.1f * (float)(character / COLUMNS) + 0.2f * swing(character, 8);
	for (int limb = 0; limb < LIMBS; limb++) {
		const struct limb *l = &limbs[limb];
		struct matrix m = limb == 1 || limb == 2 ? bones[JOINTS - 2] : root; /* arms hang on the spine */
		for (int j = 0; j < JOINTS; j++) {
			const float t = (float)j / JOINTS, bend = limb == 0 ? 0.04f : limb < 3 ? 0.22f : 0.12f;
			const float at[3] = { l->from[0] + t * (l->to[0] - l->from[0]), l->from[1] + t * (l->to[1] - l->from[1]), 0 };
			const struct matrix joint = turn(0, bend * swing(character, limb % 2 ? limb : -limb + 99), at);
			m = multiply(&m, &joint);
			bones[limb * JOINTS + j] = m;
		}
	}
}

static void make_bones(struct bench *b)
{
	static struct matrix bones[CHARACTERS * BONES];
	const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL };
	for (int c = 0; c < CHARACTERS; c++)
		pose(bones + (size_t)c * BONES, c);
	b->buffer[0] = vh_make_buffer(&b->vh, sizeof bones, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, bones);
	b->layout = vh_make_layout(&b->vh, &binding, 1, VK_SHADER_STAGE_VERTEX_BIT, sizeof(struct push));
	b->set = vh_make_set(&b->vh, &b->layout);
	vh_set_buffer(&b->vh, b->set, 0, binding.descriptorType, &b->buffer[0]);
}

static struct push push_of(int character)
{
	struct push p = { .first = (uint32_t)character * BONES };
	reference_view(p.view, (float[3]){ 0, 4.2f, -4.6f }, 0.45f);
	for (int c = 0; c < 3; c++)
		p.tint[c] = 0.35f + 0.6f * (float)((character * (17 + 12 * c) + 31 * c) % 50) / 50;
	return p;
}

/* --- the picture --- */

/* Skins a character; its normals are kept for expect(). */
static void skin(const struct bench *b, int character, float (*positions)[3], float (*normals)[3])
{
	const struct vertex *vertex = b->vertices.map;
	const struct matrix *bone = (const struct matrix *)b->buffer[0].map + (size_t)character * BONES;
	for (int i = 0; i < VERTICES; i++) {
		const struct vertex *v = &vertex[i];
		for (int row = 0; row < 3; row++) {
			float m[4] = { 0, 0, 0, 0 };
			for (int j = 0; j < JOINTS; j++)
				for (int column = 0; column < 4; column++)
					m[column] += (float)v->weight[j] / 255 * bone[v->bone[j]].column[column][row];
			const float *p = v->position, *n = v->normal;
			positions[i][row] = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
			normals[i][row] = m[0] * n[0] + m[1] * n[1] + m[2] * n[2];
		}
	}
}

static void make_reference(struct bench *b)
{
	static float positions[VERTICES][3];
	float (*normals)[3] = malloc(sizeof *normals * VERTICES * CHARACTERS);
	if (!normals)
		vh_fail("out of memory");
	b->values = normals[0];
	b->reference = reference_create(BENCH_WIDTH, BENCH_HEIGHT);
	for (int c = 0; c < CHARACTERS; c++) {
		const struct push push = push_of(c);
		skin(b, c, positions, normals + (size_t)c * VERTICES);
		reference_draw(b->reference, (uint32_t)c, push.view, positions[0], 3, NULL, b->indices.map, INDICES);
	}
}

/* skinned.frag. */
static void shade(const struct bench *b, const struct reference_hit *hit, float rgb[3])
{
	static const float sun[3] = { 0.48f, 0.64f, -0.6f };
	const struct push push = push_of((int)hit->draw);
	float n[3] = { 0, 0, 0 }, square = 0, dot = 0;
	for (int i = 0; i < 3; i++)
		for (int c = 0; c < 3; c++)
			n[c] += hit->weight[i] * b->values[3 * ((size_t)hit->draw * VERTICES + hit->vertex[i]) + (size_t)c];
	for (int c = 0; c < 3; c++) {
		square += n[c] * n[c];
		dot += n[c] * sun[c];
	}
	const float length = sqrtf(square), light = 0.15f + 0.25f * (0.5f + 0.5f * n[1] / length) + 0.6f * fmaxf(dot / length, 0);
	for (int c = 0; c < 3; c++)
		rgb[c] = light * push.tint[c];
}

/* Where triangles fold, which of them a pixel shows is up to rounding. */
static bool expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	struct reference_hit hit, other;
	float near[3];
	if (!reference_find(b->reference, x, y, 0.06f, &hit))
		return false;
	if (hit.w == 0) {
		for (int c = 0; c < 3; c++)
			rgb[c] = b->pass.clear[0].color.float32[c];
		return true;
	}
	shade(b, &hit, rgb);
	for (uint32_t i = 0; i < 9; i++) {
		other = b->reference->hit[(size_t)(y + i / 3 - 1) * BENCH_WIDTH + x + i % 3 - 1];
		shade(b, &other, near);
		for (int c = 0; c < 3; c++)
			if (fabsf(near[c] - rgb[c]) > 0.08f)
				return false;
	}
	return true;
}

/* --- the scene --- */

static void setup(struct bench *b)
{
	static const VkVertexInputBindingDescription binding = { 0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX };
	static const VkVertexInputAttributeDescription attributes[4] = {
		{ 0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, position) },
		{ 1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, normal) },
		{ 2, 0, VK_FORMAT_R8G8B8A8_UINT, offsetof(struct vertex, bone) },
		{ 3, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(struct vertex, weight) } };
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, true);
	b->pass.clear[0].color = (VkClearColorValue){ { 0.35f, 0.42f, 0.36f, 1 } };
	make_mesh(b);
	make_bones(b);
	make_reference(b);
	const struct vh_pipeline_info info = { .vertex = SHADER(&b->vh, skinned_vert), .fragment = SHADER(&b->vh, skinned_frag),
		.layout = b->layout.pipeline, .pass = &b->pass, .bindings = &binding, .binding_count = 1, .attributes = attributes,
		.attribute_count = 4, .depth_test = true, .depth_write = true, .cull = VK_CULL_MODE_BACK_BIT,
		.front_face = VK_FRONT_FACE_CLOCKWISE };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

static void record(struct bench *b, VkCommandBuffer commands)
{
	bench_begin_mesh(b, commands);
	for (int c = 0; c < CHARACTERS; c++) {
		const struct push push = push_of(c);
		bench_draw_object(b, commands, &push, sizeof push, INDICES, 0);
	}
	vkCmdEndRenderPass(commands);
}

const struct bench_scene bench_skinned = { .name = "skinned", .unit = "frame/s",
	.what = "64 characters of 5,000 vertices, four bones a vertex, lit, with depth test, 1280x720",
	.setup = setup, .record = record, .work = 1, .expect = expect, .tolerance = 4 };
