// SPDX-License-Identifier: MIT
#version 450

layout(location = 0) in vec2 position;
layout(location = 1) in vec3 color;
layout(location = 2) in vec2 levels;
layout(location = 0) out Point { vec3 color; vec2 levels; } to;

void main()
{
	gl_Position = vec4(position, 0, 1);
	to.color = color;
	to.levels = levels;
}
