// SPDX-License-Identifier: MIT
#version 450

layout(location = 0) in vec2 position;
layout(location = 1) in vec3 color;
layout(location = 0) out Vertex { vec3 color; float size; } to;

void main()
{
	gl_Position = vec4(position, 0, 1);
	to.color = color;
	to.size = 0.01 + 0.004 * float(gl_VertexIndex % 8);
}
