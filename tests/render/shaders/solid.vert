#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 color;
layout(location = 0) out vec3 shade;
layout(push_constant) uniform constants {
	mat4 transform;
};

void main()
{
	gl_Position = transform * vec4(position, 1);
	shade = color;
}
