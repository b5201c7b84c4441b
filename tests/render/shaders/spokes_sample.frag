#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec4 shade;
layout(location = 1) sample in vec2 place;
layout(location = 0) out vec4 target;

/* Once a sample: a pattern finer than pixels, and the sample's number. */
void main()
{
	vec2 cell = floor(place * vec2(50, 30));
	float odd = mod(cell.x + cell.y, 2.0);
	target = vec4(odd, shade.g * odd, 0.25 * float(gl_SampleID), 1);
}
