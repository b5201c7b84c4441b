#version 450
// SPDX-License-Identifier: MIT
layout(std140, binding = 0) uniform Buf { mat4 mvp; vec4 position[36]; vec4 attr[36]; } ubuf;
layout(location = 0) out vec4 texcoord;
layout(location = 1) out vec3 frag_pos;
void main()
{
	texcoord = ubuf.attr[gl_VertexIndex];
	gl_Position = ubuf.mvp * ubuf.position[gl_VertexIndex];
	frag_pos = gl_Position.xyz;
}
