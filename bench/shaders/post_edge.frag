#version 450
// SPDX-License-Identifier: MIT
// Edges become stronger.

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D image;

void main()
{
	vec2 next = 1.0 / vec2(1280, 720);
	vec4 around = texture(image, uv + vec2(next.x, 0)) + texture(image, uv - vec2(next.x, 0)) +
		texture(image, uv + vec2(0, next.y)) + texture(image, uv - vec2(0, next.y));
	vec4 middle = texture(image, uv);
	color = middle + 0.25 * (4.0 * middle - around);
}
