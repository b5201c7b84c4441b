#version 460
// SPDX-License-Identifier: MIT
#extension GL_EXT_mesh_shader : require
layout(location = 0) in float bright;
layout(location = 1) perprimitiveEXT in vec3 color;
layout(location = 0) out vec4 result;

// Odd triangles are half as bright.
void main()
{
	result = vec4(color * bright * ((gl_PrimitiveID & 1) == 1 ? 0.5 : 1.0), 1);
}
