#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 position;
layout(location = 0) out vec2 place;
void main()
{
	uint corner = uint(gl_VertexIndex + gl_InstanceIndex) % 3u;
	place = vec2(corner == 1u, corner == 2u) + 0.001 * clamp(position, 0.0, 1.0);
	gl_PointSize = 2.0;
	gl_Position = vec4(3.0 * place - 1.0, 0.5, 1.0);
}
