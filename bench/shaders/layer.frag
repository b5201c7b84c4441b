#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "layer.glsl"

void main()
{
	color = vec4(shade(), 1);
}
