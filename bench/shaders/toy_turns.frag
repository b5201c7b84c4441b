#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "toy.glsl"

/* Two hundred turns of which each waits for the one before, the same for all pixels. */
void main()
{
	vec2 p = 0.45 * place(), z = vec2(0);
	for (int i = 0; i < 200; i++)
		z = 0.6 * vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + 0.5 * p;
	color = vec4(0.5 + 0.5 * z, 0.5 + z.x * z.y, 1);
}
