#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(push_constant) uniform Push { float scale; };
void main()
{
	color = vec4(0.5 * place + 0.5, scale, 1.0);
	if (scale > 1.0) /* never: the image is the target */
		color = texture(image, place);
}
