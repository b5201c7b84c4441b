// SPDX-License-Identifier: MIT
// What tessellation made, in other colours, and once more, narrow, at the end of the row.
#version 450

layout(triangles, invocations = 2) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec3 shade[];
layout(location = 0) out vec3 to;

void main()
{
	for (int i = 0; i < 3; i++) {
		gl_Position = gl_in[i].gl_Position;
		gl_Position.x = gl_InvocationID == 0 ? gl_Position.x : 0.96 + 0.03 * gl_Position.x;
		to = shade[i].gbr;
		gl_PrimitiveID = gl_InvocationID;
		EmitVertex();
	}
}
