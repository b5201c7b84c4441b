#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "tex.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D image;

vec4 tap(vec2 at)
{
	return textureLod(image, at, 0.375);
}

void main()
{
	color = 0.25 * (tap(uv) + tap(uv + vec2(apart, 0)) + tap(uv + vec2(0, apart)) + tap(uv + apart));
}
