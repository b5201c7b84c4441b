#version 450
// SPDX-License-Identifier: MIT
// What is nearer than a pixel around it takes light from it: twelve places on a spiral, between texels.

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D depth;

void main()
{
	float own = texture(depth, uv).r, hidden = 0.0;
	for (int i = 0; i < 12; i++) {
		float angle = 2.4 * float(i), radius = 2.0 * float(i) + 1.3;
		vec2 at = uv + radius * vec2(cos(angle), sin(angle)) / vec2(1280, 720);
		hidden += clamp(2.0 * (own - texture(depth, at).r), 0.0, 1.0);
	}
	color = vec4(vec3(1.0 - hidden / 12.0), 1);
}
