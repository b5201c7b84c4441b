#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main()
{
	float turn[32];
	int at = int(gl_FragCoord.x);
	for (int n = 0; n < 32; n++)
		turn[(n * 5 + at) & 31] = float(n) / 31.0;
	color = vec4(fract(place), turn[int(gl_FragCoord.y) & 31], 1.0);
}
