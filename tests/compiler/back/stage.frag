#version 450
// SPDX-License-Identifier: MIT
layout(location = 1) in vec2 uv;
layout(location = 4) flat in uint number;
layout(location = 7) noperspective in vec4 color;
layout(set = 0, binding = 1) uniform sampler2D image;
layout(set = 0, binding = 2, std430) buffer Counter { uint hits; };
layout(location = 0) out vec4 first;
layout(location = 2) out vec2 second;
void main()
{
	vec4 texel = texture(image, uv + interpolateAtOffset(uv, vec2(0.25, -0.125)));
	if (texel.a < 0.5)
		discard;
	if (number == 7u)
		atomicAdd(hits, 1u);
	first = texel * color;
	second = gl_FragCoord.xy;
	gl_FragDepth = gl_FragCoord.z * 0.5;
}
