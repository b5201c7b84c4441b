#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal_in;
layout(location = 2) in vec4 tangent_in;
layout(location = 3) in vec2 uv_in;
layout(push_constant) uniform Object {
	mat4 view;
	vec4 place, tint_in;
};
layout(location = 0) out vec3 normal;
layout(location = 1) out vec4 tangent;
layout(location = 2) out vec2 uv;
layout(location = 3) out vec3 tint;

void main()
{
	gl_Position = view * vec4(place.xyz + place.w * position, 1.0);
	normal = normal_in;
	tangent = tangent_in;
	uv = uv_in;
	tint = tint_in.rgb;
}
