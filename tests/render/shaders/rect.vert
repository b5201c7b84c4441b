#version 450
// SPDX-License-Identifier: MIT

layout(push_constant) uniform constants {
	vec4 rect;
	vec4 color;
};
layout(location = 0) out vec4 tint;

void main()
{
	gl_Position = vec4(rect.xy + vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * rect.zw, 0, 1);
	tint = color;
}
