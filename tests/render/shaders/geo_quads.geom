// SPDX-License-Identifier: MIT
// A point becomes a square and, of the second invocation, a smaller one turned by 45 degrees.
#version 450

layout(points, invocations = 2) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in Vertex { vec3 color; float size; } from[];
layout(location = 0) out vec3 shade;
layout(location = 1) flat out vec3 tint;

void main()
{
	float half_size = from[0].size * (gl_InvocationID == 0 ? 1.6 : 1.2);
	for (int i = 0; i < 4; i++) {
		vec2 corner = vec2(i & 1, i >> 1) * 2.0 - 1.0;
		if (gl_InvocationID != 0)
			corner = vec2(corner.x - corner.y, corner.x + corner.y) * 0.5;
		gl_Position = gl_in[0].gl_Position + vec4(corner * half_size, 0, 0);
		gl_PrimitiveID = gl_PrimitiveIDIn;
		shade = gl_InvocationID == 0 ? from[0].color : from[0].color.yzx;
		tint = vec3(i, gl_InvocationID, 1 - i) / 3.0;
		EmitVertex();
	}
}
