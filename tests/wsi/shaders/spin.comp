#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
shared uint data[64];
void main()
{
	data[gl_LocalInvocationIndex] = 0u;
	while (data[gl_LocalInvocationIndex] != 0xffffffffu) /* always */
		data[gl_LocalInvocationIndex] &= 0xffffu;
}
