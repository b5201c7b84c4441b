#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 position;
layout(location = 0) out vec2 place;
void main()
{
	place = position;
	gl_Position = vec4(position, 0.0, 1.0);
}
