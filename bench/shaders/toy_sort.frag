#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "toy.glsl"

/* Sixteen numbers of a pixel are sorted in an array, and three of them are its colour. */
void main()
{
	float a[16];
	vec2 p = place();
	for (int i = 0; i < 16; i++)
		a[i] = fract(p.x * float(i) + 3.1 * p.y + 0.137);
	for (int last = 15; last > 0; last--)
		for (int i = 0; i < last; i++)
			if (a[i] > a[i + 1]) {
				float t = a[i];
				a[i] = a[i + 1];
				a[i + 1] = t;
			}
	int k = int(gl_FragCoord.x) & 15;
	color = vec4(a[k], a[(k + 5) & 15], a[(k + 9) & 15], 1);
}
