#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "toy.glsl"

/* Sixteen lights over waves, in a loop as compilers of WGSL write it: with a bound of 2^64 turns. */
void main()
{
	vec3 p = vec3(place(), 0.0), sum = vec3(0.02);
	vec3 n = normalize(vec3(0.3 * cos(9.0 * p.x), 0.3 * sin(7.0 * p.y), 1.0));
	uvec2 bound = uvec2(0xffffffffu);
	for (int i = 0;; i++) {
		if (all(equal(bound, uvec2(0))))
			break;
		bound -= uvec2(bound.y == 0u ? 1u : 0u, 1u);
		if (!(i < 16))
			break;
		float k = float(i);
		vec3 way = vec3(0.25 * k - 1.9, 0.9 - 0.125 * k, 0.3 + 0.03125 * k) - p;
		float squares = dot(way, way);
		float lit = max(dot(n, way * inversesqrt(squares)), 0.0) / (1.0 + 8.0 * squares);
		sum += lit * vec3(0.0625 * k, 0.4, 0.9 - 0.0625 * k);
	}
	color = vec4(sum, 1);
}
