#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) flat in vec3 tint;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D sprite;

void main()
{
	color = vec4(tint * texture(sprite, gl_PointCoord).r, 1);
}
