#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec2 place;
layout(location = 1) flat in float level;
layout(location = 0) out vec4 rgba8;
layout(location = 1) out vec4 rgb10;
layout(location = 2) out vec4 half4;
layout(location = 3) out vec4 srgb;

void main()
{
	rgba8 = vec4(place, level, 0.75);
	rgb10 = vec4(level, place, 0.5);
	half4 = vec4(4.0 * place - 1.0, level, 0.6);
	srgb = vec4(place.x * place.x, 0.1, place.y, level);
}
