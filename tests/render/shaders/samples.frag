#version 450
// SPDX-License-Identifier: MIT

layout(binding = 0) uniform sampler2D resolved;
layout(binding = 1) uniform sampler2DMS samples;
layout(binding = 2) uniform sampler2DMS depths;
layout(location = 0) out vec4 target;

/* The resolved picture; in a corner four pixels by four of every one of its
 * own, in which each quarter is a sample; in another the mean depth. */
void main()
{
	ivec2 at = ivec2(gl_FragCoord.xy);
	target = texelFetch(resolved, at, 0);
	if (at.x < 96 && at.y >= 128 - 32 && at.y < 128 + 32) {
		int which = (at.x >> 1 & 1) + (at.y & 2);
		target = texelFetch(samples, ivec2(116, 40) + (at - ivec2(0, 96)) / 4, which);
	} else if (at.x >= 192 && at.y >= 96 && at.y < 160) {
		float sum = 0.0;
		for (int i = 0; i < textureSamples(depths); i++)
			sum += texelFetch(depths, at - ivec2(96, 80), i).x;
		target = vec4(sum * 0.25);
	}
}
