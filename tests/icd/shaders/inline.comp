#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint data[]; };
layout(set = 0, binding = 2) uniform Block { uvec4 block[4]; };
void main()
{
	for (int i = 0; i < 4; i++)
		for (int c = 0; c < 4; c++)
			data[4 * i + c] += block[i][c];
}
