#version 450
// SPDX-License-Identifier: MIT
layout(points) in;
layout(points, max_vertices = 256) out;
layout(location = 0) in vec4 value[];
layout(location = 0) out vec4 copy[4];
void main()
{
	for (int i = 0; i < 256; i++) {
		gl_Position = gl_in[0].gl_Position;
		for (int k = 0; k < 4; k++)
			copy[k] = value[0] * float(i + k);
		EmitVertex();
	}
}
