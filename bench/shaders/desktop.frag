#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec2 local;
layout(location = 1) flat in int window;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D content;

void main()
{
	vec4 inside = texture(content, local * (0.7 / 256.0) + 0.13 * float(window));
	vec3 title = vec3(0.1, 0.2, 0.03 * float(window));
	color = vec4(window > 0 && local.y < 18.0 ? title : inside.rgb, window > 0 ? 0.8 : 1.0);
}
