#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec2 uv;
layout(location = 1) in float light;
layout(location = 0) out vec4 target;
layout(binding = 1) uniform sampler2D image;

void main()
{
	target = vec4(texture(image, uv).rgb * light, 1);
}
