#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 1) uniform sampler2D image;
layout(set = 0, binding = 4) uniform Block { uvec4 block; };
layout(push_constant) uniform Push { float scale; };
void main()
{
	if (place.x > 0.9)
		discard;
	color = texture(image, place * scale) + vec4(block & 1u);
}
