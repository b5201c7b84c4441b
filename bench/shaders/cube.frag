// SPDX-License-Identifier: MIT
// Texture times the light on a face, whose normal derivatives tell.
#version 450

layout(binding = 1) uniform sampler2D image;
layout(location = 0) in vec4 texture_at;
layout(location = 1) in vec3 clip_at;
layout(location = 0) out vec4 color;

const vec3 light = vec3(0.48, 0.60, 0.64);

void main()
{
	vec3 normal = normalize(cross(dFdx(clip_at), dFdy(clip_at)));
	color = abs(dot(light, normal)) * texture(image, texture_at.xy);
}
