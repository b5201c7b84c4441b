#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec2 position;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec3 color;

void main()
{
	bool second = gl_InstanceIndex == 1;
	gl_Position = vec4(position, second ? 0.5 + 0.4 * position.x * position.y : 0.5, 1);
	color = second ? vec3(tint.y, 1.0 - tint.x, 1.0 - tint.z) : tint.rgb;
}
