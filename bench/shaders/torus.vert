#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 place;

void main()
{
	gl_Position = vec4(place, 1);
}
