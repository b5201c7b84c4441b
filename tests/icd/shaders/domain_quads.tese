#version 450
// SPDX-License-Identifier: MIT
layout(quads) in;
void main()
{
	gl_Position = vec4(gl_TessCoord.xy, 0.5, 1.0);
}
