#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require

layout(local_size_x = 64) in;
layout(push_constant) uniform constants {
	uint rounds;
};
layout(binding = 0) writeonly buffer results {
	float result[];
};

/* Four chains, two to a register; 8 steps are 32 FMA. */
const f16vec4 scale = f16vec4(0.75, -0.5, 0.625, -0.875);
const f16vec4 add = f16vec4(0.25, 1.5, 0.375, 1.875);
#define STEP v = fma(v, scale, add);
#define STEPS8 STEP STEP STEP STEP STEP STEP STEP STEP

void main()
{
	uint i = gl_GlobalInvocationID.x;
	float16_t s = float16_t(float(i) / 131072.0);
	f16vec4 v = f16vec4(s, 0.5hf + s, 1.0hf - s, 2.0hf * s);
	for (uint round = 0; round < rounds; round++) {
		STEPS8 STEPS8
	}
	result[i] = float(v.x) + float(v.y) + float(v.z) + float(v.w);
}
