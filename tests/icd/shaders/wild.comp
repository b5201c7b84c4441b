#version 460
// SPDX-License-Identifier: MIT
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// Reads from or writes to wherever the buffer says.
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint value; };
layout(set = 0, binding = 0, std430) buffer Data { uvec2 address; uint stores; uint result; } d;
void main()
{
	Word w = Word(d.address);
	if (d.stores != 0)
		w.value = 7;
	else
		d.result = w.value;
}
