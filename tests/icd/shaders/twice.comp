#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Data { uint data[]; };
void main()
{
	data[gl_GlobalInvocationID.x] *= 2u;
}
