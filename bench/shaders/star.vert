#version 450
// SPDX-License-Identifier: MIT
// A star of five points that crosses itself, as a fan of three triangles, turned by the instance.
layout(location = 0) flat out int layer;

const vec2 points[5] = vec2[](vec2(0, 0.95), vec2(0.5584, -0.7686), vec2(-0.9035, 0.2936), vec2(0.9035, 0.2936), vec2(-0.5584, -0.7686));

void main()
{
	int corner = gl_VertexIndex % 3;
	vec2 p = points[corner == 0 ? 0 : gl_VertexIndex / 3 + corner];
	/* (4/5, 3/5) is a turn of 37 degrees; as many of them as layers before */
	for (int i = 0; i < gl_InstanceIndex; i++)
		p = vec2(0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y);
	gl_Position = vec4(p, 0, 1);
	layer = gl_InstanceIndex;
}
