#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec3 shade;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(shade, 1);
}
