#version 450
// SPDX-License-Identifier: MIT
// A point becomes the cell around it.
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) flat out vec3 tint;

void main()
{
	vec2 cell = vec2(gl_PrimitiveIDIn % 500, gl_PrimitiveIDIn / 500);
	for (int i = 0; i < 4; i++) {
		vec2 corner = vec2(i & 1, i >> 1) - 0.5;
		gl_Position = gl_in[0].gl_Position + vec4(corner / vec2(250, 200), 0, 0);
		tint = vec3(cell / vec2(500, 400), 0.25);
		EmitVertex();
	}
}
