#version 450
// SPDX-License-Identifier: MIT
// Captured outputs: nested, in an array of blocks, of 64 bits behind others, and never written.
struct Inner { float a; dvec2 b; };
layout(location = 0, xfb_buffer = 0, xfb_offset = 4, xfb_stride = 16) out vec3 never;
layout(location = 1, xfb_buffer = 1, xfb_stride = 56) out Block {
	layout(xfb_offset = 0) float first;
	layout(xfb_offset = 8) Inner inner[2];
} block[2];
void main()
{
	for (int i = 0; i < 2; i++) {
		block[i].first = float(gl_VertexIndex);
		block[i].inner[0] = Inner(1.0, dvec2(gl_VertexIndex));
		block[i].inner[1].b = dvec2(i);
	}
	gl_Position = vec4(0.0);
}
