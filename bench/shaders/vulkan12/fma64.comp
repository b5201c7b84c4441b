#version 450
// SPDX-License-Identifier: MIT

layout(local_size_x = 64) in;
layout(push_constant) uniform constants {
	uint rounds;
};
layout(binding = 0) writeonly buffer results {
	double result[];
};

const dvec4 scale = dvec4(0.985lf, -0.98lf, 0.975lf, -0.99lf);
const dvec4 add = dvec4(0.009lf, 0.7lf, 0.012lf, 1.1lf);
#define STEP v = fma(v, scale, add);
#define STEPS8 STEP STEP STEP STEP STEP STEP STEP STEP

void main()
{
	uint i = gl_GlobalInvocationID.x;
	double s = double(i) / 131072.0lf;
	dvec4 v = dvec4(s, 0.5lf + s, 1.0lf - s, 2.0lf * s);
	for (uint round = 0; round < rounds; round++) {
		STEPS8 STEPS8
	}
	result[i] = v.x + v.y + v.z + v.w;
}
