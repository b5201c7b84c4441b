#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(push_constant) uniform P { uint n; float k; };
void main()
{
	uint i = gl_GlobalInvocationID.x;
	if (i >= n)
		return;
	a[i] = a[i] * k + b[i];
}
