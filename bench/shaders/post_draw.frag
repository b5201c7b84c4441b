#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) out vec4 color;

vec3 wave(vec3 x)
{
	return 0.1 + 1.6 * abs(fract(x) - 0.5);
}

void main()
{
	vec2 p = gl_FragCoord.xy;
	color = vec4(wave(vec3(p.x / 211.0, p.y / 157.0, (p.x + p.y) / 307.0)), 1);
}
