// SPDX-License-Identifier: MIT
// As many points along each line as its number says, none for every fifth.
#version 450

layout(lines) in;
layout(points, max_vertices = 12) out;
layout(location = 0) in Vertex { vec3 color; float size; } from[];
layout(location = 0) out vec3 shade;
layout(location = 1) flat out vec3 tint;

void main()
{
	int count = gl_PrimitiveIDIn % 5 * 3;
	for (int i = 0; i < count; i++) {
		float t = (float(i) + 0.5) / float(count);
		gl_Position = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t);
		gl_PointSize = 1.0 + 4.0 * t;
		gl_PrimitiveID = i;
		shade = mix(from[0].color, from[1].color, t);
		tint = vec3(t, 0.4, 1.0 - t);
		EmitVertex();
	}
}
