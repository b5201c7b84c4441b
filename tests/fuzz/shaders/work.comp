#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) uniform sampler2D image;
layout(set = 0, binding = 2, r32ui) uniform uimage2D target;
layout(set = 0, binding = 3) uniform usamplerBuffer texels;
layout(set = 0, binding = 4) uniform Block { uvec4 block; };
layout(push_constant) uniform Push { float scale; };
shared uint middle[64];
void main()
{
	uint i = gl_LocalInvocationIndex;
	/* Whatever an indirect dispatch finds, groups do not race for data and texels. */
	bool once = gl_GlobalInvocationID.y == 0 && gl_GlobalInvocationID.z == 0;
	middle[i] = (once ? data[gl_GlobalInvocationID.x] : 0u) + texelFetch(texels, int(i)).x;
	barrier();
	uint x = middle[63 - i] ^ block.x ^ uint(255.0 * textureLod(image, vec2(scale, i / 64.0), 0.0).y);
	if (once)
		data[gl_GlobalInvocationID.x] = x;
	if (gl_GlobalInvocationID.z == 0)
		imageStore(target, ivec2(gl_GlobalInvocationID.xy), uvec4(x));
}
