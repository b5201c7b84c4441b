#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "toy.glsl"

/* How soon a point leaves. */
void main()
{
	vec2 z = 1.5 * place();
	int n = 0;
	for (; n < 200 && dot(z, z) < 64.0; n++)
		z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + vec2(-0.7269, 0.1889);
	float smooth_n = n == 200 ? 0.0 : float(n) + 1.0 - log2(0.5 * log2(dot(z, z)));
	color = vec4(0.5 + 0.5 * sin(0.2 * smooth_n + vec3(0, 1, 2)), 1);
}
