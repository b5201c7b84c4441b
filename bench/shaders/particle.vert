#version 450
// SPDX-License-Identifier: MIT
// A point near each cell of 8 x 8 pixels; as scene_particles.c has them.

layout(location = 0) flat out vec3 tint;

void main()
{
	int cell = gl_VertexIndex % 14400, layer = gl_VertexIndex / 14400;
	uint random = uint(gl_VertexIndex) * 2654435761u;
	vec2 jitter = vec2(random >> 8 & 255u, random >> 16 & 255u) / 32.0;
	vec2 at = vec2(cell % 160, cell / 160) * 8.0 + jitter;
	gl_Position = vec4(at / vec2(1280, 720) * 2.0 - 1.0, 0, 1);
	gl_PointSize = 6.0 + float(random >> 24 & 7u) + float(layer);
	tint = vec3(random >> 4 & 3u, random >> 6 & 3u, 1 + layer) / 10.0;
}
