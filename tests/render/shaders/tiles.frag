#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec2 uv;
layout(location = 1) flat in int kind;
layout(location = 0) out vec4 target;
layout(binding = 3) uniform sampler2D repeated;
layout(binding = 4) uniform sampler2D mirrored;
layout(binding = 5) uniform sampler2D clamped;
layout(binding = 6) uniform sampler2D bordered;

void main()
{
	switch (kind) {
	case 0: target = textureLod(repeated, uv, 0.0); break;
	case 1: target = textureLod(mirrored, uv, 0.0); break;
	case 2: target = textureLod(clamped, uv, 0.0); break;
	case 3: target = textureLod(bordered, uv, 0.0); break;
	default: target = vec4(1, uv.y, 0, 1); break;
	}
}
