#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec2 place;
layout(location = 1) flat in float level;
layout(location = 0) out uint word;
layout(location = 1) out vec4 float11;
layout(location = 2) out vec4 rgb565;
layout(location = 3) out vec4 half2;

void main()
{
	word = uint(gl_FragCoord.x) * 0x01030005u ^ uint(gl_FragCoord.y) << 8;
	float11 = vec4(3.0 * place.x, level, place.y - 0.5, 1);
	rgb565 = vec4(level, place, 1);
	half2 = vec4(place * 1.5, 0, level);
}
