#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_multiview : require
layout(location = 0) in vec4 shade;
layout(location = 1) flat in float mark;
layout(location = 0) out vec4 color;
void main()
{
	color = shade + vec4(0.25 * gl_ViewIndex, 0.5 * mark, 0.0, 0.0);
}
