// SPDX-License-Identifier: MIT
// Triangles with adjacency: a smaller outline of each, and lines from its edges to the vertices beyond.
#version 450

layout(triangles_adjacency) in;
layout(line_strip, max_vertices = 10) out;
layout(location = 0) in Vertex { vec3 color; float size; } from[6];
layout(location = 0) out vec3 shade;
layout(location = 1) flat out vec3 tint;

void emit(vec2 at, vec3 color)
{
	gl_Position = vec4(at, 0, 1);
	gl_PrimitiveID = gl_PrimitiveIDIn;
	shade = color;
	tint = vec3(0.2, 0.9, 0.3);
	EmitVertex();
}

void main()
{
	vec2 middle = (gl_in[0].gl_Position.xy + gl_in[2].gl_Position.xy + gl_in[4].gl_Position.xy) / 3.0;
	for (int i = 0; i <= 6; i += 2)
		emit(mix(gl_in[i % 6].gl_Position.xy, middle, 0.3), from[i % 6].color);
	EndPrimitive();
	for (int i = 0; i < 6; i += 2) {
		vec2 edge = (gl_in[i].gl_Position.xy + gl_in[(i + 2) % 6].gl_Position.xy) * 0.5;
		emit(edge, vec3(1, 0.2, 0.2));
		emit(mix(edge, gl_in[i + 1].gl_Position.xy, 0.35), vec3(1, 1, 0.2));
		EndPrimitive();
	}
}
