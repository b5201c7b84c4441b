#version 450
// SPDX-License-Identifier: MIT

layout(local_size_x = 64) in;

struct instance {
	vec2 offset, turn;
	vec4 color;
};
struct draw {
	uint index_count, instance_count, first_index;
	int vertex_offset;
	uint first_instance;
};
layout(std430, binding = 0) writeonly buffer instances {
	instance at[];
};
layout(std430, binding = 1) writeonly buffer draws {
	draw command[];
};

void main()
{
	uint i = gl_GlobalInvocationID.x;
	if (i == 0) {
		command[0] = draw(12, 50, 0, 0, 0);
		command[1] = draw(24, 50, 12, 6, 50);
	}
	if (i >= 100)
		return;
	vec2 cell = vec2(i % 10, i / 10);
	float t = float(i) / 100.0;
	vec2 turn = vec2(1.0 - t * t, 2.0 * t) / (1.0 + t * t);
	at[i] = instance((cell + 0.5) / 5.0 - 1.0, turn * (0.05 + 0.05 * t), vec4(t, 1.0 - t, cell.x * 0.1, 1));
}
