// SPDX-License-Identifier: MIT
// Full-screen layers, one an instance, nearest or farthest first.
#version 450

layout(constant_id = 0) const bool far_first = false;
layout(location = 0) flat out int layer;

const vec2 corners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1));

void main()
{
	float z = (float(gl_InstanceIndex) + 0.5) / 16.0;
	gl_Position = vec4(corners[gl_VertexIndex], far_first ? 1.0 - z : z, 1);
	layer = gl_InstanceIndex;
}
