#version 450
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
#include "pbr.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal_in;
layout(location = 2) in vec4 tangent_in;
layout(location = 3) in vec2 uv_in;
layout(location = 0) out vec3 at;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec4 tangent;
layout(location = 3) out vec2 uv;

void main()
{
	at = place.xyz + place.w * position;
	normal = normal_in;
	tangent = tangent_in;
	uv = uv_in;
	gl_Position = view * vec4(at, 1.0);
}
