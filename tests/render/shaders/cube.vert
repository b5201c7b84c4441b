#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv_in;
layout(location = 2) in float light_in;
layout(location = 0) out vec2 uv;
layout(location = 1) out float light;
layout(binding = 0) uniform camera {
	mat4 transform;
};

void main()
{
	gl_Position = transform * vec4(position, 1);
	uv = uv_in;
	light = light_in;
}
