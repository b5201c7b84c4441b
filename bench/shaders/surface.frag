#version 450
// SPDX-License-Identifier: MIT
// A texture, the sun and its highlight; leaves have no colour between them.

layout(constant_id = 0) const bool holes = false;
layout(constant_id = 1) const bool covers = false;
layout(location = 0) in vec3 normal;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec3 toward;
layout(location = 3) in vec3 tint;
layout(binding = 0) uniform sampler2D leaves;
layout(location = 0) out vec4 color;

const vec3 sun = vec3(0.48, 0.64, -0.6);

void main()
{
	vec4 texel = texture(leaves, uv);
	if (holes && texel.a < 0.5)
		discard;
	vec3 n = normalize(normal), middle = normalize(sun + normalize(toward));
	float light = max(dot(n, sun), 0.0), shine = pow(max(dot(n, middle), 0.0), 16.0);
	color = vec4(texel.rgb * tint * (0.25 + 0.6 * light) + 0.15 * shine, covers ? texel.a : 1.0);
}
