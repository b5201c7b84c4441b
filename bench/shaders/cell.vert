#version 450
// SPDX-License-Identifier: MIT

layout(push_constant) uniform constants {
	vec4 rect;
	vec4 color;
};
layout(location = 0) flat out vec4 tint;

void main()
{
	vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
	gl_Position = vec4(rect.xy + corner * rect.zw, 0, 1);
	tint = color;
}
