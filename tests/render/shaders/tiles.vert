// SPDX-License-Identifier: MIT
// Instances 0 to 3: the quarters, sampled in four ways; then the bars of the histogram.
#version 450

layout(location = 0) out vec2 uv;
layout(location = 1) flat out int kind;
layout(binding = 2) readonly buffer histogram {
	uint bins[32];
};

const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main()
{
	vec2 corner = corners[gl_VertexIndex];
	kind = min(gl_InstanceIndex, 4);
	uv = corner * 1.7 - 0.35;
	if (gl_InstanceIndex < 4) {
		gl_Position = vec4(vec2(gl_InstanceIndex & 1, gl_InstanceIndex >> 1) + corner - 1.0, 0, 1);
	} else {
		int bin = gl_InstanceIndex - 4;
		vec2 size = vec2(1.0 / 32.0, float(bins[bin]) / 1024.0);
		gl_Position = vec4(-0.5 + (float(bin) + corner.x) * size.x, 1.0 - corner.y * size.y, 0, 1);
	}
}
