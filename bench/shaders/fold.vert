#version 450
// SPDX-License-Identifier: MIT

layout(constant_id = 0) const int kind = 0;

const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main()
{
	vec2 cell = vec2(kind % 8, kind / 8);
	gl_Position = vec4((cell + corners[gl_VertexIndex]) / vec2(4, 2) - 1.0, 0, 1);
}
