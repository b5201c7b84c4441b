#version 450
// SPDX-License-Identifier: MIT

layout(push_constant) uniform object { vec4 rect; };
layout(location = 0) out vec2 uv;

const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main()
{
	vec2 f = corners[gl_VertexIndex];
	gl_Position = vec4(rect.xy + f * rect.zw, 0, 1);
	uv = 0.1 + 0.8 * f;
}
