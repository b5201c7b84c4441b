// SPDX-License-Identifier: MIT
// Primitives of a patch share its number.
#version 450

layout(location = 0) in vec3 shade;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(shade * ((gl_PrimitiveID & 1) != 0 ? 0.7 : 1.0), 1);
}
