#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) uniform image2DMS i2;
layout(binding = 1, r32ui) uniform uimage2DMSArray ia;
layout(binding = 2, r32i) uniform iimage2DMS ii;
layout(binding = 3) uniform sampler2DMSArray s;
layout(binding = 4) buffer Out { uint result; };
void main()
{
	ivec3 p = ivec3(gl_GlobalInvocationID);
	vec4 c = imageLoad(i2, p.xy, p.z) + texelFetch(s, p, 2);
	imageStore(i2, p.xy, 1, c);
	imageStore(ia, p, p.x & 3, uvec4(c));
	uint old = imageAtomicAdd(ia, p, 3, 5u) + uint(imageAtomicMin(ii, p.xy, p.z, -5)) + imageAtomicCompSwap(ia, p, 1, 1u, 2u);
	if (p.x == 0)
		result = old + uint(imageSize(i2).x + imageSize(ia).z + imageSamples(ia) + imageSamples(i2));
}
