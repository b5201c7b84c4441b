#version 450
// SPDX-License-Identifier: MIT

layout(push_constant) uniform constants {
	vec4 color;
};
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 target;

void main()
{
	// The shift keeps the pattern's borders off the centres of pixels.
	vec2 f = abs(fract(place * 2.0 + vec2(0.013, 0.029)) - 0.5);
	target = vec4(color.rgb * (f.x > f.y ? 1.0 : 0.7) * (gl_FrontFacing ? 1.0 : 0.8), 1);
}
