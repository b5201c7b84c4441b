#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_control_flow_attributes : enable
/* C = A B^T, rows of A and B of 512 floats: 64x64 of C a group, 4x4 an invocation, 16
 * columns at a time through shared memory, whose rows are one longer than that. */
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer as {
	vec4 a[];
};
layout(binding = 1) readonly buffer bs {
	vec4 b[];
};
layout(binding = 2) writeonly buffer results {
	float c[];
};
layout(push_constant) uniform constants {
	uint size;
};

const uint BM = 64, BK = 16, ROW = BK + 1, T = 4;
shared float sa[BM * ROW], sb[BM * ROW];

void main()
{
	const uint i = gl_LocalInvocationIndex, load_row = i / 4, load_column = i % 4 * 4;
	const uint tr = i % 16 * T, tc = i / 16 * T;
	const uint row = gl_WorkGroupID.x * BM, column = gl_WorkGroupID.y * BM;
	float sums[T * T], ca[T], cb[T];
	[[unroll]] for (uint k = 0; k < T * T; k++)
		sums[k] = 0;
	for (uint block = 0; block < size; block += BK) {
		const vec4 va = a[((row + load_row) * size + block + load_column) / 4];
		const vec4 vb = b[((column + load_row) * size + block + load_column) / 4];
		[[unroll]] for (uint k = 0; k < 4; k++) {
			sa[load_row * ROW + load_column + k] = va[k];
			sb[load_row * ROW + load_column + k] = vb[k];
		}
		barrier();
		for (uint k = 0; k < BK; k++) {
			[[unroll]] for (uint j = 0; j < T; j++) {
				ca[j] = sa[(tr + j) * ROW + k];
				cb[j] = sb[(tc + j) * ROW + k];
			}
			[[unroll]] for (uint y = 0; y < T; y++)
				[[unroll]] for (uint x = 0; x < T; x++)
					sums[y * T + x] = fma(ca[x], cb[y], sums[y * T + x]);
		}
		barrier();
	}
	[[unroll]] for (uint y = 0; y < T; y++)
		[[unroll]] for (uint x = 0; x < T; x++)
			c[(column + tc + y) * size + row + tr + x] = sums[y * T + x];
}
