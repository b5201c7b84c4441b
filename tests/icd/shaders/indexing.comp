#version 450
#extension GL_EXT_nonuniform_qualifier : require
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint words[]; } result;
layout(set = 0, binding = 1) uniform Run { uint base, plus; } run;
layout(set = 1, binding = 0) uniform Inline { uvec4 words[2]; } within;
layout(set = 1, binding = 1) uniform MutableUniform { uint word; } as_uniform[];
layout(set = 1, binding = 1) buffer MutableStorage { uint word; } as_storage[];
layout(set = 1, binding = 1) uniform usamplerBuffer as_texels[];
layout(set = 1, binding = 2) buffer Data { uint value, count; } data[];
/* Buffer 3 of data is null; of the mutable ones 0 is uniform, 1 storage, 2 texels. */
void main()
{
	uint lane = gl_LocalInvocationIndex, i = lane * 7 % 5;
	atomicAdd(data[nonuniformEXT(i)].count, lane);
	uint sum = data[nonuniformEXT(i)].value + within.words[1].y + run.plus;
	sum += as_uniform[0].word + as_storage[1].word + texelFetch(as_texels[nonuniformEXT(2 + lane / 64)], int(lane & 3)).x;
	sum += 100000 * uint(data[nonuniformEXT(lane % 2 * 3)].value == 0);
	result.words[run.base + lane] = sum;
}
