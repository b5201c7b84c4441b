// SPDX-License-Identifier: MIT
struct Light {
	vec4 at, color;
};
layout(std140, binding = 0) uniform Frame {
	mat4 view;
	vec4 eye;
	vec4 tilt; // sine and cosine of what the lens looks down by
	Light lights[4];
};
layout(push_constant) uniform Object {
	vec4 place; // and scale
	vec4 base;
	vec4 factor; // metal, rough
};
