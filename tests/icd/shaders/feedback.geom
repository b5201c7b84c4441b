#version 450
// SPDX-License-Identifier: MIT
// Two streams of points, one to two buffers; of a stream's outputs one is never written.
layout(triangles) in;
layout(points, max_vertices = 5) out;
layout(location = 0, stream = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out vec2 pair;
layout(location = 1, stream = 0, xfb_buffer = 1, xfb_offset = 0, xfb_stride = 4) out float never;
layout(location = 2, stream = 2, xfb_buffer = 2, xfb_offset = 4, xfb_stride = 12) out float one;
void main()
{
	for (int i = 0; i <= gl_PrimitiveIDIn % 3; i++) {
		one = float(100 * gl_PrimitiveIDIn + i);
		EmitStreamVertex(2);
		if (i < 2) {
			pair = vec2(gl_PrimitiveIDIn, i);
			EmitStreamVertex(0);
		}
	}
}
