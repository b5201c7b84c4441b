#version 450
// SPDX-License-Identifier: MIT
// What meshlets.mesh draws, six vertices a petal; what is left out there has no area.
#extension GL_GOOGLE_include_directive : require
#include "petal.glsl"
layout(location = 0) out float bright;
layout(location = 1) flat out vec3 color;

void main()
{
	uint petal = uint(gl_VertexIndex) / 6u % PETALS, flower = uint(gl_VertexIndex) / (6u * PETALS);
	uint v = uint(gl_VertexIndex) % 6u, t = v / 3u, n = v % 3u + t;
	bool none = !exists(flower, petal) || (t == 1u && (flower & 1u) == 1u);
	gl_Position = corner(flower, petal, none ? 0u : n);
	bright = n == 0u ? 0.3 : 1.0;
	color = shade(flower, petal) * (t == 0u ? 1.0 : 0.5);
}
