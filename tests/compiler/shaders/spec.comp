#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z = 1) in;
layout(constant_id = 2) const int N = 4;
layout(constant_id = 3) const bool B = true;
layout(constant_id = 4) const float F = 1.5;
layout(constant_id = 5) const uint U = 7u;
const int M = N * 2 + int(B) - int(U % 4u);
layout(std430, binding = 0) buffer R { uint r[N]; float f[M]; };
shared float tmp[N + 1];
void main()
{
	float local[M];
	for (int i = 0; i < M; i++)
		local[i] = F * float(i);
	if (B)
		tmp[N] = local[M - 1];
	barrier();
	f[gl_LocalInvocationIndex] = tmp[N] + float(gl_WorkGroupSize.x);
	r[0] = (U > 3u) ? 1u : U << 2;
}
