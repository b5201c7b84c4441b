#version 450
// SPDX-License-Identifier: MIT
// As many vertices as so many components allow: small triangles, all of which are visible.
layout(triangles) in;
layout(triangle_strip, max_vertices = 113) out;
layout(location = 0) out vec4 shade;
layout(location = 1) flat out float mark;
void main()
{
	for (int i = 0; i < 113; i++) {
		shade = vec4(i);
		mark = 1.0;
		gl_Position = 0.5 * gl_in[0].gl_Position + vec4(0.4 * (i & 1), 0.15 * (i & 2), 0.0, 0.5);
		EmitVertex();
	}
}
