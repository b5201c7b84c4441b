#version 450
// SPDX-License-Identifier: MIT
// A wavy surface.

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 albedo;
layout(location = 1) out vec4 normal;

void main()
{
	vec2 bend = abs(fract(uv * 6.0) - 0.5) - 0.25;
	albedo = vec4(0.3 + 0.6 * uv.x, 0.9 - 0.5 * uv.y, 0.5, 1);
	normal = vec4(normalize(vec3(2.0 * bend, 1)), 0);
}
