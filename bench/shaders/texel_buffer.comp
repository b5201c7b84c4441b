#version 450
// SPDX-License-Identifier: MIT
/* Four texels of a buffer each, added up. */
layout(local_size_x = 64) in;
layout(binding = 0) uniform samplerBuffer texels;
layout(binding = 1) buffer sums { vec4 sum[]; };

void main()
{
	int i = int(gl_GlobalInvocationID.x);
	vec4 all = vec4(0);
	for (int k = 0; k < 4; k++)
		all += texelFetch(texels, (i * 4 + k) & 65535);
	sum[i] = all;
}
