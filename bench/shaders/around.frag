#version 450
// SPDX-License-Identifier: MIT
// Brushed metal: light along the tangent is no highlight.

layout(location = 0) in vec3 normal;
layout(location = 1) in vec4 tangent;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec3 tint;
layout(location = 0) out vec4 color;

const vec3 sun = vec3(0.48, 0.64, -0.6);

void main()
{
	float light = max(dot(normalize(normal), sun), 0.0), along = dot(normalize(tangent.xyz), sun) * tangent.w;
	float band = abs(fract(uv.x + uv.y) - 0.5);
	color = vec4(tint * (0.2 + 0.4 * light + 0.4 * band) + 0.2 * (1.0 - along * along), 1);
}
