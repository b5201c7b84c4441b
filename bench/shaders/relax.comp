#version 450
// SPDX-License-Identifier: MIT
/* A step of Jacobi's iteration, as simulations of fluids and heat have it. */
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0, r32f) uniform readonly image2D before;
layout(binding = 1, r32f) uniform readonly image2D source;
layout(binding = 2, r32f) uniform writeonly image2D after;

float at(ivec2 p)
{
	return imageLoad(before, clamp(p, ivec2(0), imageSize(before) - 1)).r;
}

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	float around = at(p - ivec2(1, 0)) + at(p + ivec2(1, 0)) + at(p - ivec2(0, 1)) + at(p + ivec2(0, 1));
	imageStore(after, p, vec4(0.225 * around + 0.1 * imageLoad(source, p).r));
}
