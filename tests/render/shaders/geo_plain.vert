// SPDX-License-Identifier: MIT
#version 450

layout(location = 0) in vec2 position;
layout(location = 1) in vec3 color;
layout(location = 0) out vec3 shade;
layout(location = 1) flat out vec3 tint;

void main()
{
	gl_Position = vec4(position * 0.5 + vec2(-0.5, 0.5), 0, 1);
	shade = color;
	tint = color.zxy;
}
