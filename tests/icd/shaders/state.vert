#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
layout(location = 1) flat out float mark; // of the provoking vertex
void main()
{
	shade = color;
	mark = color.y;
	gl_Position = position;
	gl_PointSize = 3.0;
}
