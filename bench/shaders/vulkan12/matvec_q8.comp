#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int32 : require
/* Two rows a group: each invocation takes four columns of 256 at a time. */
layout(local_size_x = 64) in;
struct block_q8 {
	float16_t d;
	uint16_t qs[16]; /* 32 weights of 8 bits */
};
layout(binding = 0) readonly buffer weights {
	block_q8 a[];
};
layout(binding = 1) readonly buffer vectors {
	vec4 b[];
};
layout(binding = 2) writeonly buffer results {
	float result[];
};
layout(push_constant) uniform constants {
	uint columns;
};

shared float partial[2][64];

vec4 dequantize(uint block, uint at)
{
	const i8vec2 v0 = unpack8(int16_t(a[block].qs[at / 2])), v1 = unpack8(int16_t(a[block].qs[at / 2 + 1]));
	return vec4(v0.x, v0.y, v1.x, v1.y);
}

void main()
{
	const uint i = gl_LocalInvocationIndex, row = gl_WorkGroupID.x * 2;
	float sum[2] = { 0, 0 };
	for (uint column = i * 4; column < columns; column += 256) {
		const vec4 v = b[column / 4];
		for (uint r = 0; r < 2; r++) {
			const uint block = ((row + r) * columns + column) / 32;
			sum[r] = fma(dot(dequantize(block, column % 32), v), float(a[block].d), sum[r]);
		}
	}
	partial[0][i] = sum[0];
	partial[1][i] = sum[1];
	barrier();
	for (uint s = 32; s > 0; s >>= 1) {
		if (i < s) {
			partial[0][i] += partial[0][i + s];
			partial[1][i] += partial[1][i + s];
		}
		barrier();
	}
	if (i < 2)
		result[row + i] = partial[i][0];
}
