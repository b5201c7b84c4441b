#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 tint;
layout(location = 0) out vec4 color;

const vec3 sun = vec3(0.48, 0.64, -0.6);

void main()
{
	vec3 n = normalize(normal);
	float light = max(dot(n, sun), 0.0), sky = 0.5 + 0.5 * n.y;
	color = vec4(tint * (0.15 + 0.25 * sky + 0.6 * light), 1);
}
