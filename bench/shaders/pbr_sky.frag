#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec3 way;
layout(location = 0) out vec4 color;
layout(binding = 2) uniform samplerCube prefiltered;

void main()
{
	vec3 sum = texture(prefiltered, normalize(way)).rgb;
	color = vec4(clamp(sum * (2.51 * sum + 0.03) / (sum * (2.43 * sum + 0.59) + 0.14), 0.0, 1.0), 1);
}
