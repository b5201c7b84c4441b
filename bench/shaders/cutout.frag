#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "layer.glsl"

/* Leaves: holes that the next layers are seen through. */
void main()
{
	ivec2 p = ivec2(gl_FragCoord.xy);
	if (((p.x + 3 * p.y + 5 * layer) & 31) < 12)
		discard;
	color = vec4(shade(), 1);
}
