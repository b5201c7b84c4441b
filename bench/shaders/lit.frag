#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 normal;
layout(location = 0) out vec4 target;

void main()
{
	vec3 n = normalize(normal);
	float light = 0.2 + 0.7 * max(dot(n, vec3(0.48, 0.64, -0.6)), 0.0);
	target = vec4(light, light * (0.5 + 0.5 * n.y), light * (0.5 + 0.5 * n.x), 1);
}
