#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) volatile buffer Data { uint data[]; };
void main()
{
	while (data[gl_LocalInvocationIndex] != 0xffffffffu) /* never */
		data[gl_LocalInvocationIndex] &= 0xffffu;
}
