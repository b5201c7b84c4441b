#version 450
// SPDX-License-Identifier: MIT
// A triangle's corners as points, the last first.
layout(triangles) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in vec3 place[];
layout(location = 1, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 12) out vec3 corner;
void main()
{
	for (int i = 2; i >= 0; i--) {
		corner = place[i] + vec3(0, 0, 100);
		gl_Position = gl_in[i].gl_Position;
		gl_PointSize = 1.0;
		EmitVertex();
	}
}
