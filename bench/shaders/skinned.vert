#version 450
// SPDX-License-Identifier: MIT
// Four bones a vertex.

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal_in;
layout(location = 2) in uvec4 bones;
layout(location = 3) in vec4 weights;
layout(std430, binding = 0) readonly buffer Bones { mat4 bone[]; };
layout(push_constant) uniform Character {
	mat4 view;
	vec3 tint_in;
	uint first;
};
layout(location = 0) out vec3 normal;
layout(location = 1) out vec3 tint;

void main()
{
	mat4 skin = weights.x * bone[first + bones.x] + weights.y * bone[first + bones.y] + weights.z * bone[first + bones.z] +
		weights.w * bone[first + bones.w];
	gl_Position = view * vec4((skin * vec4(position, 1.0)).xyz, 1.0);
	normal = mat3(skin) * normal_in;
	tint = tint_in;
}
