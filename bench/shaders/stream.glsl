/* SPDX-License-Identifier: MIT */
// 16 elements an invocation, 1,024 a group of 64.
void main()
{
	uint i = gl_WorkGroupID.x * 1024 + gl_LocalInvocationID.x;
	for (uint k = 0; k < 16; k++, i += 64)
		OUT(i) = fma(A(i), 0.75, B(i));
}
