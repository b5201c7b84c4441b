#version 450
// SPDX-License-Identifier: MIT
// Windows, one an instance, the last on top; as scene_desktop.c has them.

layout(location = 0) out vec2 local;
layout(location = 1) flat out int window;

const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main()
{
	int i = gl_InstanceIndex;
	vec2 at = vec2((i * 173) % 1000, (i * 97) % 500);
	vec2 size = i == 0 ? vec2(1280, 720) : vec2(200 + i * 61 % 280, 140 + i * 43 % 200);
	local = corners[gl_VertexIndex] * size;
	window = i;
	gl_Position = vec4((at + local) / vec2(1280, 720) * 2.0 - 1.0, 0, 1);
}
