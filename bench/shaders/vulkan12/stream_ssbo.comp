#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer as {
	float a[];
};
layout(binding = 1) readonly buffer bs {
	float b[];
};
layout(binding = 2) writeonly buffer results {
	float result[];
};
#define A(i) a[i]
#define B(i) b[i]
#define OUT(i) result[i]
#include "../stream.glsl"
