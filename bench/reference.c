/* SPDX-License-Identifier: MIT */
#include "bench/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void reference_view(float view[4][4], const float eye[3], float sine)
{
	const float cosine = sqrtf(1 - sine * sine), near = 0.5f, wide = 1.17f, high = -2.08f, deep = 1.02f;
	const float rows[3][3] = { { 1, 0, 0 }, { 0, cosine, sine }, { 0, -sine, cosine } }; /* right, up, forth */
	for (int column = 0; column < 4; column++) {
		float seen[3] = { 0, 0, 0 };
		for (int row = 0; row < 3; row++)
			for (int i = 0; i < 3; i++)
				seen[row] += column < 3 ? (i == column ? rows[row][i] : 0) : -rows[row][i] * eye[i];
		view[column][0] = wide * seen[0];
		view[column][1] = high * seen[1];
		view[column][2] = deep * (seen[2] - (column == 3 ? near : 0));
		view[column][3] = seen[2];
	}
}

struct reference *reference_create(uint32_t width, uint32_t height)
{
	struct reference *r = malloc(sizeof *r);
	if (!r || !(r->hit = calloc((size_t)width * height, sizeof *r->hit)))
		vh_fail("out of memory");
	r->width = width;
	r->height = height;
	return r;
}

void reference_destroy(struct reference *r)
{
	if (r)
		free(r->hit);
	free(r);
}

struct corner {
	float x, y, w; /* in pixels */
};

static struct corner project(const struct reference *r, const float view[4][4], const float *p, const float place[4])
{
	float clip[4];
	for (int i = 0; i < 4; i++) {
		clip[i] = view[3][i];
		for (int column = 0; column < 3; column++)
			clip[i] += view[column][i] * (place ? place[column] + place[3] * p[column] : p[column]);
	}
	return (struct corner){ 0.5f * (float)r->width * (1 + clip[0] / clip[3]), 0.5f * (float)r->height * (1 + clip[1] / clip[3]),
		clip[3] };
}

/* Twice the area of o, a, b. */
static float area(struct corner o, struct corner a, struct corner b)
{
	return (a.x - o.x) * (b.y - o.y) - (b.x - o.x) * (a.y - o.y);
}

static void show(struct reference *r, const struct corner c[3], struct corner middle, struct reference_hit *made)
{
	struct reference_hit *hit = &r->hit[(size_t)middle.y * r->width + (size_t)middle.x];
	const float whole = area(c[0], c[1], c[2]);
	float sum = 0;
	for (int i = 0; i < 3; i++) {
		made->weight[i] = area(middle, c[(i + 1) % 3], c[(i + 2) % 3]) / whole;
		if (!(made->weight[i] >= 0))
			return;
		made->weight[i] /= c[i].w;
		sum += made->weight[i];
	}
	made->w = 1 / sum;
	for (int i = 0; i < 3; i++)
		made->weight[i] /= sum;
	if (hit->w == 0 || made->w < hit->w)
		*hit = *made;
}

static float clamp(float v, float most)
{
	return fminf(fmaxf(v, 0), most);
}

void reference_draw(struct reference *r, uint32_t draw, const float view[4][4], const float *positions, size_t stride,
	const float place[4], const uint16_t *indices, uint32_t count)
{
	for (uint32_t t = 0; t + 2 < count; t += 3) {
		struct reference_hit made = { .draw = draw, .vertex = { indices[t], indices[t + 1], indices[t + 2] } };
		struct corner c[3];
		for (int i = 0; i < 3; i++)
			c[i] = project(r, view, positions + stride * made.vertex[i], place);
		const float left = fminf(fminf(c[0].x, c[1].x), c[2].x), right = fmaxf(fmaxf(c[0].x, c[1].x), c[2].x);
		const float top = fminf(fminf(c[0].y, c[1].y), c[2].y), bottom = fmaxf(fmaxf(c[0].y, c[1].y), c[2].y);
		const float end_x = clamp(right, (float)r->width), end_y = clamp(bottom, (float)r->height);
		for (float y = floorf(clamp(top, (float)r->height)) + 0.5f; y < end_y; y++)
			for (float x = floorf(clamp(left, (float)r->width)) + 0.5f; x < end_x; x++)
				show(r, c, (struct corner){ x, y, 1 }, &made);
	}
}

bool reference_find(const struct reference *r, uint32_t x, uint32_t y, float near, struct reference_hit *hit)
{
	*hit = r->hit[(size_t)y * r->width + x];
	if (x == 0 || y == 0 || x + 1 == r->width || y + 1 == r->height)
		return false;
	for (uint32_t i = 0; i < 9; i++) {
		const struct reference_hit *other = &r->hit[(size_t)(y + i / 3 - 1) * r->width + x + i % 3 - 1];
		if (other->draw != hit->draw || (other->w == 0) != (hit->w == 0) || fabsf(other->w - hit->w) > near)
			return false;
	}
	return true;
}
