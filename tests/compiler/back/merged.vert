#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out vec2 unread;
layout(location = 3) flat out uint id;
void main()
{
	gl_Position = vec4(gl_VertexIndex, gl_InstanceIndex, 0.5, 1);
	unread = vec2(gl_VertexIndex);
	id = uint(gl_VertexIndex) * 7u;
}
