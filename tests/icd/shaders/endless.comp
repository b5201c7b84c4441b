#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) volatile buffer Data { uint data[]; };
void main()
{
	do
		data[1 + gl_GlobalInvocationID.x] += 1u;
	while (data[0] == 0u);
}
