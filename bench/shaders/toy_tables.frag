#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "toy.glsl"

/* Gradient noise in 16 colours, dots between them by an ordered matrix: three tables. */
const float matrix[64] = float[](
	0, 32, 8, 40, 2, 34, 10, 42,
	48, 16, 56, 24, 50, 18, 58, 26,
	12, 44, 4, 36, 14, 46, 6, 38,
	60, 28, 52, 20, 62, 30, 54, 22,
	3, 35, 11, 43, 1, 33, 9, 41,
	51, 19, 59, 27, 49, 17, 57, 25,
	15, 47, 7, 39, 13, 45, 5, 37,
	63, 31, 55, 23, 61, 29, 53, 21);
const vec2 gradients[16] = vec2[](
	vec2(1.00, 0.00), vec2(0.92, 0.38), vec2(0.71, 0.71), vec2(0.38, 0.92),
	vec2(0.00, 1.00), vec2(-0.38, 0.92), vec2(-0.71, 0.71), vec2(-0.92, 0.38),
	vec2(-1.00, 0.00), vec2(-0.92, -0.38), vec2(-0.71, -0.71), vec2(-0.38, -0.92),
	vec2(0.00, -1.00), vec2(0.38, -0.92), vec2(0.71, -0.71), vec2(0.92, -0.38));
const vec3 palette[16] = vec3[](
	vec3(0, 0, 0), vec3(5, 11, 7), vec3(10, 6, 14), vec3(15, 1, 5),
	vec3(4, 12, 12), vec3(9, 7, 3), vec3(14, 2, 10), vec3(3, 13, 1),
	vec3(8, 8, 8), vec3(13, 3, 15), vec3(2, 14, 6), vec3(7, 9, 13),
	vec3(12, 4, 4), vec3(1, 15, 11), vec3(6, 10, 2), vec3(11, 5, 9));

float corner(ivec2 i, vec2 f)
{
	return dot(gradients[(i.x * 5 ^ i.y * 11 ^ i.x * i.y) & 15], f);
}

float noise(vec2 p)
{
	ivec2 i = ivec2(floor(p));
	vec2 f = fract(p), u = f * f * (3.0 - 2.0 * f);
	return mix(mix(corner(i, f), corner(i + ivec2(1, 0), f - vec2(1, 0)), u.x),
		mix(corner(i + ivec2(0, 1), f - vec2(0, 1)), corner(i + ivec2(1, 1), f - vec2(1, 1)), u.x), u.y);
}

void main()
{
	vec2 p = 4.0 * place();
	float f = 0.6 * noise(p) + 0.3 * noise(2.0 * p) + 0.15 * noise(4.0 * p);
	ivec2 at = ivec2(gl_FragCoord.xy) & 7;
	float level = 8.0 + 12.0 * f + matrix[at.y * 8 + at.x] / 64.0;
	color = vec4(palette[int(level) & 15] / 15.0, 1);
}
