/* SPDX-License-Identifier: MIT */
/* Cube faces, Vulkan's numbering: +X -X +Y -Y +Z -Z; table "Cube map face and
 * coordinate selection" of the specification. */
#include "core/tex/tex.h"

/* Axes (1 x, 2 y, 3 z, negative: reversed) of the s and t directions and of
 * the face normal. */
static const int8_t face_axes[6][3] = {
	{ -3, -2, 1 }, { 3, -2, -1 }, { 1, 3, 2 }, { 1, -3, -2 }, { 1, -2, 3 }, { -1, -2, -3 },
};

static int along_int(const int p[3], int axis) { return axis > 0 ? p[axis - 1] : -p[-axis - 1]; }
static float along(const float p[3], int axis) { return axis > 0 ? p[axis - 1] : -p[-axis - 1]; }

static void put_int(int p[3], int axis, int v)
{
	if (axis > 0)
		p[axis - 1] = v;
	else
		p[-axis - 1] = -v;
}

/* Texel centres in units of half texels from the cube's centre: the step over
 * an edge turns the old normal's coordinate into the outermost row. */
void tex_cube_edge(int size, int *face, int *x, int *y)
{
	const int8_t *axes = face_axes[*face];
	int p[3], s = 2 * *x + 1 - size, t = 2 * *y + 1 - size;
	bool over_s = *x < 0 || *x >= size;
	int crossed = over_s ? axes[0] : axes[1];
	if ((over_s ? *x : *y) < 0)
		crossed = -crossed;
	put_int(p, axes[0], s);
	put_int(p, axes[1], t);
	put_int(p, axes[2], size - 1);
	put_int(p, crossed, size);
	*face = 2 * ((crossed > 0 ? crossed : -crossed) - 1) + (crossed < 0);
	*x = (along_int(p, face_axes[*face][0]) + size - 1) / 2;
	*y = (along_int(p, face_axes[*face][1]) + size - 1) / 2;
}

/* A point of a face's plane, from the cube's centre. */
static void plane_point(int face, float s, float t, float p[3])
{
	const float v[3] = { 2 * s - 1, 2 * t - 1, 1 };
	for (int i = 0; i < 3; i++) {
		int axis = face_axes[face][i];
		p[(axis > 0 ? axis : -axis) - 1] = axis > 0 ? v[i] : -v[i];
	}
}

static float size_of(float v) { return v < 0 ? -v : v; }

void tex_cube_leave(int *face, float *s, float *t)
{
	float p[3];
	plane_point(*face, *s, *t, p);
	int axis = size_of(p[1]) > size_of(p[0]);
	if (size_of(p[2]) > size_of(p[axis]))
		axis = 2;
	float m = size_of(p[axis]);
	*face = 2 * axis + (p[axis] < 0);
	*s = (along(p, face_axes[*face][0]) / m + 1) * 0.5f;
	*t = (along(p, face_axes[*face][1]) / m + 1) * 0.5f;
}

void tex_cube_project(int face, int on, float *s, float *t)
{
	float p[3];
	plane_point(face, *s, *t, p);
	float m = along(p, face_axes[on][2]);
	if (!(m > 0.0625f)) /* beside or behind: as far off as makes sense */
		m = 0.0625f;
	*s = (along(p, face_axes[on][0]) / m + 1) * 0.5f;
	*t = (along(p, face_axes[on][1]) / m + 1) * 0.5f;
}
