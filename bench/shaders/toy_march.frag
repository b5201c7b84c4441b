#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "toy.glsl"

/* A ray marches through a lattice of spheres with a twist until it meets one, which is lit. */
float distance_at(vec3 p)
{
	float a = 0.2 * p.z;
	p.xy = vec2(p.x * cos(a) - p.y * sin(a), p.x * sin(a) + p.y * cos(a));
	vec3 q = p - 2.0 * floor(0.5 * p + 0.5);
	return min(length(q) - 0.45, p.y + 1.5);
}

void main()
{
	vec3 ray = normalize(vec3(place(), 1.4));
	float far = 0.3;
	int steps = 0;
	for (; steps < 64; steps++) {
		float d = distance_at(vec3(0.9, 0.8, 0.2) + far * ray);
		if (d < 0.002 * far || far > 24.0)
			break;
		far += 0.8 * d;
	}
	vec3 p = vec3(0.9, 0.8, 0.2) + far * ray;
	vec2 e = vec2(0.01, 0);
	vec3 n = normalize(vec3(distance_at(p + e.xyy) - distance_at(p - e.xyy), distance_at(p + e.yxy) - distance_at(p - e.yxy),
		distance_at(p + e.yyx) - distance_at(p - e.yyx)));
	float light = max(dot(n, vec3(0.48, 0.6, -0.64)), 0.0), shine = pow(light, 16.0);
	color = vec4(mix(vec3(0.9, 0.5, 0.2) * (0.2 + 0.8 * light) + shine, vec3(0.4, 0.5, 0.7), 1.0 - exp(-0.08 * far)), 1);
}
