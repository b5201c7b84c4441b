#version 450
// SPDX-License-Identifier: MIT
#extension GL_KHR_shader_subgroup_arithmetic : require
/* Sums of all values before, in groups of 1024: by subgroups, then over them. */
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer values { uvec4 value[]; };
layout(binding = 1) buffer sums { uvec4 sum[]; };

shared uint of[256];

void main()
{
	uint i = gl_GlobalInvocationID.x;
	uvec4 v = value[i];
	v.y += v.x;
	v.z += v.y;
	v.w += v.z;
	uint before = subgroupExclusiveAdd(v.w);
	if (gl_SubgroupInvocationID == gl_SubgroupSize - 1)
		of[gl_SubgroupID] = before + v.w;
	barrier();
	for (uint n = 0; n < gl_SubgroupID; n++)
		before += of[n];
	sum[i] = uvec4(0, v.xyz) + before;
}
