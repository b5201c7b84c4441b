#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 position;
layout(location = 0) out vec2 place;
void main()
{
	float turn[32];
	for (int n = 0; n < 32; n++)
		turn[(n * 5 + gl_VertexIndex) & 31] = float(n);
	place = position + vec2(turn[gl_VertexIndex & 31]) / 64.0;
	gl_Position = vec4(position, 0.25, 1.0);
}
