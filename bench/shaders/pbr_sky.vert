#version 450
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
// Behind everything.
#include "pbr.glsl"

layout(location = 0) out vec3 way;

void main()
{
	vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
	float up = p.y / -2.08;
	way = vec3(p.x / 1.17, tilt.y * up - tilt.x, tilt.y + tilt.x * up);
	gl_Position = vec4(p, 1.0, 1.0);
}
