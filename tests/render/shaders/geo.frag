// SPDX-License-Identifier: MIT
// The number of the primitive darkens every other one.
#version 450

layout(location = 0) in vec3 shade;
layout(location = 1) flat in vec3 tint;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(mix(shade, tint, 0.4) * ((gl_PrimitiveID & 1) != 0 ? 0.55 : 1.0), 1);
}
