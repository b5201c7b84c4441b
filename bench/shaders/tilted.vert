#version 450
// SPDX-License-Identifier: MIT
// Full-screen layers that cut through one another, one an instance.
layout(location = 0) flat out int layer;

const vec2 corners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1));
/* Slopes of 0.3, an eighth of a turn apart, then half way between. */
const vec2 slopes[8] = vec2[](vec2(0.3, 0), vec2(-0.2121, -0.2121), vec2(0, 0.3), vec2(0.2121, -0.2121),
	vec2(-0.3, 0), vec2(0.2121, 0.2121), vec2(0, -0.3), vec2(-0.2121, 0.2121));

void main()
{
	vec2 corner = corners[gl_VertexIndex];
	float z = 0.5 + dot(slopes[gl_InstanceIndex & 7], corner) * (gl_InstanceIndex < 8 ? 0.7 : 1.0);
	gl_Position = vec4(corner, z, 1);
	layer = gl_InstanceIndex;
}
