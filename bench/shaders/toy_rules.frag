#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "toy.glsl"

/* Six rules, which each square of pixels applies in an order of its own. */
void main()
{
	ivec2 square = ivec2(gl_FragCoord.xy) / 40;
	vec2 p = place();
	float v = 0.0;
	for (int i = 0; i < 6; i++)
		switch ((7 * square.x + 3 * square.y + i) % 6) {
		case 0: v += sin(9.0 * p.x); break;
		case 1: v += 0.5 * cos(9.0 * p.y); break;
		case 2: v -= length(p); break;
		case 3: v = abs(v); break;
		case 4: v *= 0.7; break;
		default: v += 0.3 * fract(5.0 * p.x); break;
		}
	color = vec4(vec3(0.5 + 0.2 * v), 1);
}
