#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec2 uv;
layout(location = 1) flat in int part;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D image;

void main()
{
	if (part == 0) {
		vec2 grid = fract(uv * vec2(16, 6)) - 0.5;
		float hole = length(grid);
		if (hole < 0.3)
			discard;
		// After the discard: the neighbours of a hole still need its lanes.
		vec2 p = uv * uv.x * 24.0;
		vec3 level = texture(image, p).rgb;
		float edge = 1.0 - clamp((hole - 0.3) / fwidth(hole), 0.0, 1.0);
		target = vec4(mix(level, vec3(1), edge), 1);
	} else if (part == 1) {
		float line = fract(uv.x * 8.0) < 0.5 ? 1.0 : 0.7;
		target = vec4(texture(image, uv).rgb * line, 1);
	} else {
		// One pixel is 1/42 of the mesh: all of it has one colour, whatever the triangle.
		vec2 slope = vec2(dFdx(uv.x), dFdy(uv.y)) * 15.0 * 2.0;
		target = vec4(slope, texture(image, uv * 3.0).g, 1);
	}
}
