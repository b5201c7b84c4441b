#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
void main()
{
	shade = color;
	gl_Position = position;
	gl_PointSize = 3.0;
}
