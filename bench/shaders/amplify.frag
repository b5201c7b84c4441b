#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) flat in vec3 tint;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(tint, 1);
}
