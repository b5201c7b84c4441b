#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec2 position;
layout(location = 1) in vec2 offset;
layout(location = 2) in vec2 turn;
layout(location = 3) in vec4 color;
layout(location = 0) out vec4 shade;

void main()
{
	vec2 p = vec2(position.x * turn.x - position.y * turn.y, position.x * turn.y + position.y * turn.x);
	gl_Position = vec4(p + offset, 0, 1);
	shade = color * (0.6 + 0.1 * float(gl_InstanceIndex % 5));
}
