// SPDX-License-Identifier: MIT
// Two triangles that overlap, by instance.
#version 450

layout(location = 0) out vec2 place;
layout(location = 1) flat out float level;

const vec2 corners[3] = vec2[](vec2(-0.9, -0.8), vec2(0.9, -0.5), vec2(-0.3, 0.9));

void main()
{
	vec2 p = corners[gl_VertexIndex];
	gl_Position = vec4(gl_InstanceIndex == 0 ? p : -p.yx, 0, 1);
	place = gl_Position.xy * 0.5 + 0.5;
	level = 0.4 + 0.5 * float(gl_InstanceIndex);
}
