#version 450
// SPDX-License-Identifier: MIT
// Sixteen lights on what the subpass before has left.

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(input_attachment_index = 0, binding = 0) uniform subpassInput albedo;
layout(input_attachment_index = 1, binding = 1) uniform subpassInput normal;

void main()
{
	vec3 n = subpassLoad(normal).xyz;
	float light = 0.1;
	for (int i = 0; i < 16; i++) {
		vec3 to = vec3(vec2(i % 4, i / 4) * 0.25 + 0.125 - uv, 0.1 + 0.01 * float(i));
		float square = dot(to, to);
		light += 0.005 * max(dot(n, to), 0.0) * inversesqrt(square) / square;
	}
	color = vec4(subpassLoad(albedo).rgb * light, 1);
}
