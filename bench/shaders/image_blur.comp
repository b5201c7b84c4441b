#version 450
// SPDX-License-Identifier: MIT
/* Nine texels of an image to one of another, as a pass of an image filter that is a kernel. */
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D from;
layout(binding = 1, rgba8) uniform writeonly image2D to;

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy), last = textureSize(from, 0) - 1;
	vec4 sum = vec4(0);
	for (int y = -1; y <= 1; y++)
		for (int x = -1; x <= 1; x++)
			sum += texelFetch(from, clamp(p + ivec2(x, y), ivec2(0), last), 0) * float((2 - abs(x)) * (2 - abs(y)));
	imageStore(to, p, sum / 16.0);
}
