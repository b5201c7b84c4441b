#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) uniform image2D i2;
layout(binding = 1, r32ui) uniform uimage2DArray ia;
layout(binding = 2, r32i) uniform iimageBuffer ib;
layout(binding = 3, rgba16f) readonly uniform image3D i3;
layout(binding = 4, rg32f) writeonly uniform imageCube ic;
layout(binding = 5) writeonly uniform image1D i1;
layout(binding = 6, r32ui) uniform uimage2D many[3];
layout(binding = 7, rgba32f) coherent uniform imageCubeArray ica;
void main()
{
	ivec3 p = ivec3(gl_GlobalInvocationID);
	vec4 c = imageLoad(i2, p.xy) + imageLoad(i3, p) + imageLoad(ica, p);
	imageStore(i2, p.xy + 1, c);
	imageStore(ic, p, c);
	imageStore(i1, p.x, c);
	uint old = imageAtomicAdd(ia, p, 3u) + imageAtomicCompSwap(ia, p, 1u, 2u) + imageAtomicExchange(ia, p, 9u);
	old += uint(imageAtomicMin(ib, p.x, -5)) + imageAtomicOr(many[p.x], p.xy, 1u);
	imageAtomicAdd(many[p.y], p.xy, old);
	imageStore(ib, imageSize(ib) - 1, ivec4(imageSize(i2), imageSize(ia).z, imageSize(ica).z));
	memoryBarrierImage();
	barrier();
	groupMemoryBarrier();
}
