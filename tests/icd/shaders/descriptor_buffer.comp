#version 450
#extension GL_EXT_nonuniform_qualifier : require
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
/* Set 0 in a descriptor buffer, set 1 pushed, set 2 of embedded samplers, set 3 in another buffer. */
layout(set = 0, binding = 0) buffer Out { uint words[]; } result;
layout(set = 0, binding = 1) uniform Inline { uvec4 words[3]; } within;
layout(set = 0, binding = 2) uniform MutableUniform { uint word; } as_uniform[];
layout(set = 0, binding = 2) uniform usamplerBuffer as_texels[];
layout(set = 1, binding = 0) uniform Pushed { uint plus; } pushed;
layout(set = 2, binding = 1) uniform sampler how[2];
layout(set = 3, binding = 0) uniform texture2D image;
layout(set = 3, binding = 1) uniform sampler2D both[2];
layout(set = 3, binding = 2) buffer Data { uint value; } data[];

void main()
{
	uint lane = gl_LocalInvocationIndex, i = lane % 3;
	uint sum = within.words[lane & 1].y + within.words[2].w + pushed.plus;
	sum += as_uniform[0].word + texelFetch(as_texels[1], int(lane & 3)).x;
	sum += 10 * data[nonuniformEXT(i)].value; /* the last is null */
	/* The image is white; beyond it the samplers' borders are 0 and 1. */
	vec2 beyond = vec2(2);
	sum += uint(1000 * textureLod(sampler2D(image, how[0]), beyond, 0).x);
	sum += uint(2000 * textureLod(sampler2D(image, how[1]), beyond, 0).x);
	sum += uint(4000 * textureLod(both[nonuniformEXT(lane & 1)], vec2(0.5), 0).x);
	result.words[lane] = sum;
}
