#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "toy.glsl"

/* Clouds of value noise, by octaves, the place bent by noise before. */
float lattice(ivec2 p)
{
	uint h = uint(p.x) * 0x9e3779b1u ^ uint(p.y) * 0x85ebca77u;
	h = (h ^ h >> 15) * 0x2c1b3c6du;
	h = (h ^ h >> 12) * 0x297a2d39u;
	return float(h >> 8) * (1.0 / 16777216.0);
}

float noise(vec2 p)
{
	ivec2 i = ivec2(floor(p));
	vec2 f = fract(p);
	f = f * f * (3.0 - 2.0 * f);
	return mix(mix(lattice(i), lattice(i + ivec2(1, 0)), f.x), mix(lattice(i + ivec2(0, 1)), lattice(i + ivec2(1, 1)), f.x), f.y);
}

float clouds(vec2 p)
{
	float sum = 0.0, weight = 0.5;
	for (int i = 0; i < 5; i++) {
		sum += weight * noise(p);
		p = 2.0 * vec2(0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y);
		weight *= 0.5;
	}
	return sum;
}

void main()
{
	vec2 p = 3.0 * place();
	vec2 q = vec2(clouds(p), clouds(p + vec2(5.2, 1.3)));
	float f = clouds(p + 2.0 * q);
	color = vec4(0.5 + 0.5 * cos(6.0 * f + vec3(0, 1, 2) + length(q)), 1);
}
