#version 450
// SPDX-License-Identifier: MIT
// As interfaces draw text: positions in pixels, places in an atlas, a colour of four bytes.
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv_in;
layout(location = 2) in vec4 color_in;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 tint;

void main()
{
	gl_Position = vec4(position / vec2(640, 360) - 1, 0, 1);
	uv = uv_in;
	tint = color_in;
}
