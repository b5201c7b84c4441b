#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec3 shade;
layout(location = 0) out vec4 target;

void main()
{
	vec2 p = gl_PointCoord * 2.0 - 1.0;
	float r = dot(p, p);
	target = vec4(r < 0.9 ? shade * (0.4 + 0.6 * gl_PointCoord.x) : vec3(0.1, 0.1, 0.3 * gl_PointCoord.y), 1);
}
