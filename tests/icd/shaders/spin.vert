#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 position;
layout(location = 0) out vec2 place;
void main()
{
	vec2 p = position;
	while (p.x < 2.0) /* always */
		p *= 0.5;
	place = p;
	gl_Position = vec4(p, 0.0, 1.0);
}
