#version 450
// SPDX-License-Identifier: MIT
// Nine comparisons a pixel.

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2DShadow map;

void main()
{
	vec2 at = vec2(0.9 * uv.x + 0.1 * uv.y, 0.5 * uv.y - 0.1 * uv.x + 0.2);
	float lit = 0.0;
	for (int y = -1; y <= 1; y++)
		for (int x = -1; x <= 1; x++)
			lit += texture(map, vec3(at + vec2(x, y) / 1024.0, 0.6));
	color = vec4((0.25 + lit / 12.0) * vec3(0.9, 0.4 + 0.5 * uv.x, 0.4 + 0.5 * uv.y), 1);
}
