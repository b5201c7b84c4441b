#version 450
// SPDX-License-Identifier: MIT
// Layer 1 through each of three conversions, one lane after another; and what a query says.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2DArray images[3];
layout(set = 0, binding = 1) readonly buffer In { vec2 at[]; };
layout(set = 0, binding = 2) writeonly buffer Out { vec4 colour[]; };
void main()
{
	uint i = gl_GlobalInvocationID.x, k = i / 3u;
	vec3 uv = vec3(at[k], 1.0);
	ivec3 size = textureSize(images[1], 0);
	vec4 c = i % 3u == 0u ? textureLod(images[0], uv, 0.0) : i % 3u == 1u ? texture(images[1], uv) :
		textureGrad(images[2], uv, vec2(0.01, 0.0), vec2(0.0, 0.01));
	colour[i] = c + float(size.x * 100 + size.y * 10 + size.z);
}
