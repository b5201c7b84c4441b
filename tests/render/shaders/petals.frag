#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in float bright;
layout(location = 1) flat in vec3 color;
layout(location = 0) out vec4 result;

void main()
{
	result = vec4(color * bright, 1);
}
