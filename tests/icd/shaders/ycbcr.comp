#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) readonly buffer In { vec2 at[]; };
layout(set = 0, binding = 2) writeonly buffer Out { vec4 colour[]; };
void main()
{
	colour[gl_GlobalInvocationID.x] = textureLod(image, at[gl_GlobalInvocationID.x], 0.0);
}
