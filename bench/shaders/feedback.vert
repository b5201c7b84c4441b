#version 450
// SPDX-License-Identifier: MIT
// A vertex made of its number, 32 bytes captured.
layout(xfb_buffer = 0, xfb_stride = 32) out;
layout(location = 0, xfb_offset = 0) out vec4 place;
layout(location = 1, xfb_offset = 16) out vec4 color;
void main()
{
	float n = float(gl_VertexIndex);
	place = vec4(n, 0.5 * n, -n, 1.0);
	color = vec4(n + 0.25, n * n, 1.0 - n, float(gl_VertexIndex & 255));
	gl_Position = place;
}
