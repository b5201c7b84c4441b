#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require

layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer floats {
	float at[];
};
layout(push_constant) uniform constants {
	floats a, b, result;
};
#define A(i) a.at[i]
#define B(i) b.at[i]
#define OUT(i) result.at[i]
#include "../stream.glsl"
