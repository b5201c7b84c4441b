#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "tex.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform samplerCube image;

vec4 tap(vec2 at)
{
	return texture(image, vec3(2.0 * fract(at) - 1.0, 1.0) * vec3(0.9, -0.9, 1.0));
}

void main()
{
	color = 0.25 * (tap(uv) + tap(uv + vec2(apart, 0)) + tap(uv + vec2(0, apart)) + tap(uv + apart));
}
