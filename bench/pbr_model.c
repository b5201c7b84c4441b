/* SPDX-License-Identifier: MIT */
#include "bench/pbr_model.h"

#include <math.h>
#include <string.h>

#include "bench/steps.h"

static float dot(const float a[3], const float b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void to_unit(float v[3])
{
	const float scale = 1 / sqrtf(dot(v, v));
	for (int i = 0; i < 3; i++)
		v[i] *= scale;
}

static float mix(float a, float b, float t)
{
	return a + t * (b - a);
}

static float clamp(float v, float least, float most)
{
	return fminf(fmaxf(v, least), most);
}

/* A hump from 0 to 1, each unit. */
static float hump(float x)
{
	const float f = x - floorf(x), g = f * (1 - f);
	return 16 * g * g;
}

void pbr_environment(const float way[3], float rough, float rgb[3])
{
	static const float ground[3] = { 0.16f, 0.12f, 0.09f }, low[3] = { 1.3f, 0.95f, 0.72f }, high[3] = { 0.2f, 0.42f, 0.95f };
	static const float sun[3] = { 0.48f, 0.36f, 0.8f }, warm[3] = { 9, 7, 4.5f };
	const float soft = 0.05f + 0.5f * rough, up = way[1], above = 0.5f + 0.5f * up / (soft + fabsf(up));
	const float height = up / (0.25f + fabsf(up)), wide = 0.004f + 0.3f * rough * rough, away = 1 - dot(way, sun);
	const float lobe = wide / (wide + away), glow = lobe * lobe * (0.05f / (0.05f + wide));
	const float flat = 1 / (0.25f + fabsf(up));
	const float cloud = hump(0.9f * flat * way[0] + 0.3f) * hump(0.6f * flat * way[2] + 0.4f * flat * way[0]) *
		clamp(1 - 2 * rough, 0, 1) * clamp(8 * up, 0, 1);
	for (int c = 0; c < 3; c++) {
		const float sky = mix(low[c], high[c], clamp(height, 0, 1)), earth = ground[c] * (1 + 0.6f * clamp(-height, 0, 1));
		rgb[c] = mix(earth, mix(sky, 1.4f, 0.6f * cloud), above) + warm[c] * glow * above;
	}
}

/* After Lazarov and Karis, with a quotient for the exponential. */
void pbr_brdf(float cosine, float rough, float out[2])
{
	const float x = 1 - rough, fall = 1 / (1 + 1.608f * cosine), fourth = fall * fall * fall * fall;
	const float y = -0.0275f * rough + 0.0425f, z = -0.572f * rough + 1.04f, w = 0.022f * rough - 0.04f;
	const float a = fminf(x * x, fourth) * x + y;
	out[0] = clamp(z - 1.04f * a, 0, 1);
	out[1] = clamp(w + 1.04f * a, 0, 1);
}

bool pbr_material(float u, float v, float albedo[3], float material[3], float normal[3])
{
	const float x = PBR_CELLS * (u - floorf(u)), y = PBR_CELLS * (v - floorf(v));
	const int cell = (int)x + PBR_CELLS * (int)y, kind = cell * 7 % 16;
	const float fx = x - floorf(x) - 0.5f, fy = y - floorf(y) - 0.5f, edge = 0.5f - fmaxf(fabsf(fx), fabsf(fy));
	const bool seam = edge < 0.035f, steel = kind % 3 == 0;
	albedo[0] = seam ? 40 : steel ? 225 : (float)(170 + 4 * kind);
	albedo[1] = seam ? 36 : steel ? 222 : (float)(120 + 5 * kind);
	albedo[2] = seam ? 33 : steel ? 216 : (float)(90 + 3 * kind);
	material[0] = seam ? 0.4f : 1;
	material[1] = seam ? 0.95f : steel ? 0.3f : 0.45f + 0.03f * (float)kind;
	material[2] = seam ? 0 : steel ? 1 : 0.25f * (float)(kind % 4);
	normal[0] = 0.45f * fx;
	normal[1] = 0.45f * fy;
	normal[2] = sqrtf(1 - normal[0] * normal[0] - normal[1] * normal[1]);
	return edge > 0.16f;
}

/* --- the shaders --- */

static float power5(float x)
{
	return x * x * x * x * x;
}

static void reflect_light(const float n[3], const float v[3], const float l[3], const float f0[3], const float diffuse[3],
	float rough, float rgb[3])
{
	const float pi = 3.14159265f;
	float h[3] = { v[0] + l[0], v[1] + l[1], v[2] + l[2] };
	to_unit(h);
	const float nl = clamp(dot(n, l), 0, 1), nv = clamp(dot(n, v), 0.001f, 1), nh = clamp(dot(n, h), 0, 1);
	const float alpha = rough * rough, square = alpha * alpha, base = nh * nh * (square - 1) + 1;
	const float d = square / (pi * base * base), k = (rough + 1) * (rough + 1) / 8;
	const float g = nl / (nl * (1 - k) + k) * nv / (nv * (1 - k) + k);
	for (int c = 0; c < 3; c++) {
		const float f = f0[c] + (1 - f0[c]) * power5(1 - clamp(dot(v, h), 0, 1));
		rgb[c] = ((1 - f) * diffuse[c] / pi + d * g * f / (4 * nl * nv + 0.001f)) * nl;
	}
}

static float tone(float c)
{
	return clamp(c * (2.51f * c + 0.03f) / (c * (2.43f * c + 0.59f) + 0.14f), 0, 1);
}

/* What the levels of the environment give between two of them. */
static void mirror(const float way[3], float rough, float rgb[3])
{
	const float lod = rough * (PBR_LEVELS - 1), low = floorf(lod);
	float near[3], far[3];
	pbr_environment(way, low / (PBR_LEVELS - 1), near);
	pbr_environment(way, (low + 1) / (PBR_LEVELS - 1), far);
	for (int c = 0; c < 3; c++)
		rgb[c] = mix(near[c], far[c], lod - low);
}

/* The normal that bump says beside the interpolated one. */
static void turn_normal(const struct pbr_point *p, const float bump[3], float out[3])
{
	float n[3] = { p->normal[0], p->normal[1], p->normal[2] }, t[3];
	to_unit(n);
	const float along = dot(p->tangent, n);
	for (int i = 0; i < 3; i++)
		t[i] = p->tangent[i] - along * n[i];
	to_unit(t);
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		out[i] = bump[0] * t[i] + bump[1] * p->tangent[3] * (n[j] * t[k] - n[k] * t[j]) + bump[2] * n[i];
	}
	to_unit(out);
}

/* From a point to another, as a unit. */
static void find_way(const float from[3], const float to[3], float way[3])
{
	for (int i = 0; i < 3; i++)
		way[i] = to[i] - from[i];
	to_unit(way);
}

bool pbr_shade(const struct pbr_frame *frame, const struct pbr_object *object, const struct pbr_point *p, float rgb[3])
{
	float albedo[3], material[3], bump[3], n[3], v[3], l[3], f0[3], diffuse[3], part[3], around[3], way[3], scale[2];
	const bool sure = pbr_material(p->uv[0], p->uv[1], albedo, material, bump);
	turn_normal(p, bump, n);
	find_way(p->at, frame->eye, v);
	const float rough = object->factor[1] * material[1], metal = object->factor[0] * material[2];
	const float nv = fmaxf(dot(n, v), 0);
	for (int c = 0; c < 3; c++) {
		const float value = object->base[c] * bench_linear_of_srgb(albedo[c] / 255);
		f0[c] = mix(0.04f, value, metal);
		diffuse[c] = (1 - metal) * value;
		rgb[c] = 0;
		way[c] = 2 * dot(n, v) * n[c] - v[c];
	}
	for (int i = 0; i < PBR_LIGHTS; i++) {
		find_way(p->at, frame->light[i].at, l);
		reflect_light(n, v, l, f0, diffuse, rough, part);
		for (int c = 0; c < 3; c++)
			rgb[c] += frame->light[i].color[c] * part[c];
	}
	pbr_brdf(nv, rough, scale);
	pbr_environment(n, 1.2f, around);
	mirror(way, rough, part);
	for (int c = 0; c < 3; c++) {
		const float f = f0[c] + (fmaxf(1 - rough, f0[c]) - f0[c]) * power5(1 - nv);
		rgb[c] += material[0] * ((1 - f) * diffuse[c] * around[c] + part[c] * (f * scale[0] + scale[1]));
		rgb[c] = tone(rgb[c]);
	}
	return sure && dot(p->normal, v) > 0.4f;
}

void pbr_sky(const struct pbr_frame *frame, float x, float y, float rgb[3])
{
	const float up = y / -2.08f;
	float way[3] = { x / 1.17f, frame->tilt[1] * up - frame->tilt[0], frame->tilt[1] + frame->tilt[0] * up };
	to_unit(way);
	pbr_environment(way, 0, rgb);
	for (int c = 0; c < 3; c++)
		rgb[c] = tone(rgb[c]);
}
