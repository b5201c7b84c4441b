#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "tex.glsl"

layout(location = 0) out vec2 uv;

void main()
{
	vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
	gl_Position = vec4(p * 2.0 - 1.0, 0, 1);
	p *= vec2(1280 * stretch, 720) * scale;
	uv = vec2(p.x + 0.125 * p.y, p.y - 0.125 * p.x);
}
