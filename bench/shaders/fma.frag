#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "fma.glsl"

layout(location = 0) out vec4 color;

void main()
{
	vec2 p = gl_FragCoord.xy / vec2(1280, 720);
	vec4 v = vec4(p, 1.0 - p);
	STEPS8 STEPS8 STEPS8 STEPS8 STEPS8 STEPS8 STEP STEP
	color = vec4(0.5 * (v.x + v.y), v.zw, 1);
}
