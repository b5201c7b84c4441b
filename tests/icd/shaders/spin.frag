#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main()
{
	vec2 p = place;
	while (p.x < 2.0) /* always */
		p *= 0.5;
	color = vec4(p, 0.0, 1.0);
}
