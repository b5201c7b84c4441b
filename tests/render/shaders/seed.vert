#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 color;
layout(location = 0) out vec3 shade;

void main()
{
	gl_Position = vec4(position, 1);
	shade = color;
}
