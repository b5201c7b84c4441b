#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "fma.glsl"

layout(local_size_x = 64) in;
layout(push_constant) uniform constants {
	uint rounds;
};
layout(binding = 0) writeonly buffer results {
	float result[];
};

void main()
{
	uint i = gl_GlobalInvocationID.x;
	float s = float(i) / 131072.0;
	vec4 v = vec4(s, 0.5 + s, 1.0 - s, 2.0 * s);
	for (uint round = 0; round < rounds; round++) {
		STEPS8 STEPS8
	}
	result[i] = v.x + v.y + v.z + v.w;
}
