#version 450
// SPDX-License-Identifier: MIT
// Nine binomial weights along x or y.

layout(constant_id = 0) const bool along_y = false;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D image;

const float weight[5] = float[](70.0, 56.0, 28.0, 8.0, 1.0);

void main()
{
	vec2 next = along_y ? vec2(0, 1.0 / 720.0) : vec2(1.0 / 1280.0, 0);
	vec4 sum = weight[0] * texture(image, uv);
	for (int i = 1; i < 5; i++)
		sum += weight[i] * (texture(image, uv + float(i) * next) + texture(image, uv - float(i) * next));
	color = sum / 256.0;
}
