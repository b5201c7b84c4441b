#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_nonuniform_qualifier : require
/* Each invocation has other textures than its neighbours. */
layout(local_size_x = 64) in;
layout(binding = 0) uniform texture2D textures[1024];
layout(binding = 1) uniform sampler nearest;
layout(binding = 2) writeonly buffer results {
	float result[];
};

void main()
{
	uint i = gl_GlobalInvocationID.x, hash = i;
	float sum = 0;
	for (uint k = 0; k < 8; k++) {
		hash = hash * 1664525u + 1013904223u;
		uint t = hash >> 22;
		vec2 p = (vec2(hash >> 8 & 15u, hash >> 12 & 15u) + 0.5) / 16.0;
		vec4 c = textureLod(sampler2D(textures[nonuniformEXT(t)], nearest), p, 0);
		sum += c.x + 2 * c.y + 4 * c.z;
	}
	result[i] = sum;
}
