#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "layer.glsl"

/* As logarithmic depth buffers and impostors do it: the depth is the shader's to say. */
void main()
{
	gl_FragDepth = gl_FragCoord.z * 0.5 + 0.25;
	color = vec4(shade(), 1);
}
