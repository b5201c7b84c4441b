// SPDX-License-Identifier: MIT
// 4 x 2 tiles of 64 x 128 pixels, each a format of 64 x 64 texels.
#version 450

layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D rgba8;
layout(binding = 1) uniform sampler2D rgb10;
layout(binding = 2) uniform sampler2D half4;
layout(binding = 3) uniform sampler2D srgb;
layout(binding = 4) uniform usampler2D word;
layout(binding = 5) uniform sampler2D float11;
layout(binding = 6) uniform sampler2D rgb565;
layout(binding = 7) uniform sampler2D half2;

void main()
{
	ivec2 p = ivec2(gl_FragCoord.xy), at = ivec2(p.x & 63, (p.y & 127) >> 1);
	uint bits;
	switch ((p.y >> 7) * 4 + (p.x >> 6)) {
	case 0: target = texelFetch(rgba8, at, 0); break;
	case 1: target = texelFetch(rgb10, at, 0); break;
	case 2: target = texelFetch(half4, at, 0) * 0.25 + 0.25; break;
	case 3: target = texelFetch(srgb, at, 0); break;
	case 4:
		bits = texelFetch(word, at, 0).r;
		target = vec4(uvec3(bits, bits >> 8, bits >> 16) & 255u, 255u) / 255.0;
		break;
	case 5: target = texelFetch(float11, at, 0) / 3.0; break;
	case 6: target = texelFetch(rgb565, at, 0); break;
	default: target = texelFetch(half2, at, 0); break;
	}
}
