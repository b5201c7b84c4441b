// SPDX-License-Identifier: MIT
// As the usual demo has it: vertices from a uniform block.
#version 450

layout(std140, binding = 0) uniform Cube {
	mat4 transform;
	vec4 position[36];
	vec4 uv[36];
};
layout(location = 0) out vec4 texture_at;
layout(location = 1) out vec3 clip_at;

void main()
{
	texture_at = uv[gl_VertexIndex];
	gl_Position = transform * position[gl_VertexIndex];
	clip_at = gl_Position.xyz;
}
