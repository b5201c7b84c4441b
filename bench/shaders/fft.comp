#version 450
// SPDX-License-Identifier: MIT
/* Rows of 512 complex numbers, transformed in shared memory, each of 256 invocations a butterfly a step (Stockham's order). */
layout(local_size_x = 256) in;
layout(binding = 0, std430) readonly buffer Rows { vec2 row[]; };
layout(binding = 1, std430) writeonly buffer Spectra { vec2 spectrum[]; };

shared vec2 at[2][512];

void main()
{
	uint i = gl_LocalInvocationID.x, first = gl_WorkGroupID.x * 512, from = 0;
	at[0][i] = row[first + i];
	at[0][i + 256] = row[first + i + 256];
	for (uint span = 1; span < 512; span *= 2) {
		barrier();
		uint k = i & (span - 1), to = ((i - k) << 1) + k;
		float angle = -3.14159265 * float(k) / float(span);
		vec2 turn = vec2(cos(angle), sin(angle)), a = at[from][i], b = at[from][i + 256];
		b = vec2(b.x * turn.x - b.y * turn.y, b.x * turn.y + b.y * turn.x);
		from ^= 1;
		at[from][to] = a + b;
		at[from][to + span] = a - b;
	}
	barrier();
	spectrum[first + i] = at[from][i];
	spectrum[first + i + 256] = at[from][i + 256];
}
